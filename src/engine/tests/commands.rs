//! Tests the command lines of queries.

use super::{memory, opened, table};
use crate::{Ask, Compare, Engine, Order, Query, Samples, Scope, Scores, Show, Subgroups};
use analysis::Threshold;
use base::job::FOR_GOOD;
use record::{Row, Scoring};
use workspace::load::Request;
use workspace::page::Sort;

#[test]
fn commands_read_as_a_user_would_write_them() {
    let request = Request {
        paths: vec!["runs/a b".into(), "-x".into()],
        data: vec!["pictures".into()],
        ..Request::default()
    };
    let scope = Scope {
        filter: "ability=counting score<0.5".to_owned(),
        scoring: Scoring::Strict,
        ..Scope::default()
    };
    let line = |query: &dyn Fn(Scope) -> Query| {
        let command = query(scope.clone()).command(&request);
        command.expect("a command").to_string()
    };
    let opened =
        "'runs/a b' ./-x --data pictures --filter 'ability=counting score<0.5' --scoring strict";
    assert_eq!(
        line(&|scope| Scores { scope, quick: true }.into()),
        format!("eyechart report {opened}")
    );
    assert_eq!(
        line(&|scope| {
            let by = Some("count:width:6".to_owned());
            Subgroups {
                scope,
                by,
                all: false,
            }
            .into()
        }),
        format!("eyechart report {opened} --by count:width:6")
    );
    assert_eq!(
        line(&|scope| {
            let order = Order::By {
                sort: Sort::Worst,
                reverse: true,
            };
            Samples {
                scope,
                order,
                limit: None,
                group: None,
            }
            .into()
        }),
        format!("eyechart samples {opened} --sort=-score")
    );
    assert_eq!(
        line(&|scope| Compare {
            sides: ["a".to_owned(), "it's".to_owned()],
            scope,
            by: Some(String::new()),
            within: None,
            all: false,
            threshold: Threshold::At(-0.5),
            quick: true,
        }
        .into()),
        format!(r"eyechart compare a 'it'\''s' {opened} --by '' --threshold=-0.5")
    );
}

#[test]
fn a_sample_of_one_name_needs_no_filter_and_a_rotated_one_does() {
    let (memory, table) = (memory(), table());
    let filters = |benchmark: &str| {
        let mut rows = (0..).take(table.len()).map(Row);
        let row = rows.find(|row| {
            let ability = table.ability(table.item(*row));
            ability.is_some_and(|ability| ability.benchmark == benchmark)
        });
        let row = row.expect("a sample");
        let show = Show::only(row, Scoring::Harness, table);
        assert_eq!(memory.ask(&show, &FOR_GOOD), Ok(vec![row]));
        show.scope.filter
    };
    assert_eq!(filters("ava-bench"), "");
    assert!(filters("tdbench").contains("rotation="));
    let line = Show::only(Row(0), Scoring::Harness, table).command(&opened());
    assert!(line.is_some_and(|line| line.to_string().starts_with("eyechart show ")));
}
