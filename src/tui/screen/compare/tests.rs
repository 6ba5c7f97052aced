//! Tests the keys of the comparison, and the samples behind its numbers.

use base::job::FOR_GOOD;
use clap::Parser as _;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::App;
use crate::effect::Effect;
use crate::frame_output::Pane;
use crate::keymap::ViewId;
use crate::tests::{answered, opened, press, screen, whole};
use command::cli::{Cli, Command};
use engine::{Engine, Memory, Query, QueryError};
use record::Row;
use workspace::page::{Sort, counterpart, score};

use super::facet::facets;
use super::rows::rows;
use super::worse;

fn names(app: &App) -> [String; 2] {
    app.shared
        .compared()
        .unwrap()
        .map(|name| name.split('_').next().unwrap().to_owned())
}

#[test]
fn two_models_look_like_this() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 down");
    insta::assert_snapshot!("compare_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("compare_160x50", screen(&mut app, 160, 50));
    press(&mut app, "down down t");
    insta::assert_snapshot!("compare_bins_80x24", screen(&mut app, 80, 24));
    press(&mut app, "esc down down enter");
    insta::assert_snapshot!("compare_samples_160x50", screen(&mut app, 160, 50));
}

#[test]
fn rotations_and_lone_models_look_like_this() {
    let mut app = opened("tests/fixtures/vlmevalkit");
    press(&mut app, "4");
    insta::assert_snapshot!("compare_rotations_80x24", screen(&mut app, 80, 24));
    let mut printed = opened("sample_runs/ava_bench.scores.csv");
    printed.shared.view = ViewId::Compare;
    assert!(screen(&mut printed, 80, 24).contains("Published scores have no samples"));
}

/// Long names are replaced by the letters that are shown above the table.
#[test]
fn the_sentence_of_a_row_ends_on_a_small_screen() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    let mut seen = 0;
    for row in 0..rows(&app.shared).len() {
        app.views.compare.table.selected = row;
        let said = analysis::sentence(rows(&app.shared)[row], "A", "B");
        // Use slightly less than the width of the lines next to the cells.
        if base::format::wrap(&said, 44).count() > 4 {
            continue;
        }
        let shown = screen(&mut app, 80, 24);
        let end = said.split_whitespace().last().unwrap();
        assert!(shown.contains(end), "{said}\n{shown}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn a_quick_answer_comes_first_and_asks_for_the_rest() {
    let mut app = opened("tests/fixtures/ava_bench");
    app.shared.view = ViewId::Compare;
    let asked = app.ask_view();
    let Some(Effect::Ask(query)) = asked.first() else {
        panic!("the comparison is asked")
    };
    assert!(matches!(&**query, Query::Compare(compare) if compare.quick));
    let more = answered(&mut app, query);
    assert!(app.shared.answers.comparison.as_ref().unwrap().quick);
    assert!(screen(&mut app, 80, 24).contains("first results"));
    let Some(Effect::Ask(query)) = more.first() else {
        panic!("more draws are asked")
    };
    assert!(matches!(&**query, Query::Compare(compare) if !compare.quick));
    assert!(answered(&mut app, query).is_empty());
    assert!(!app.shared.answers.comparison.as_ref().unwrap().quick);
}

/// Every count on screen equals the number of samples that Enter opens for it.
#[test]
fn every_facet_opens_exactly_its_samples() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    let count = rows(&app.shared).len();
    for row in 0..count {
        let facets = facets(rows(&app.shared)[row]);
        for (at, facet) in facets.into_iter().enumerate() {
            app.views.compare.table.selected = row;
            app.views.compare.facet = at;
            let paired = rows(&app.shared)[row].clone();
            press(&mut app, "enter");
            assert_eq!(app.shared.view, ViewId::Samples);
            let expected = facet.count(&paired);
            assert_eq!(
                app.shared.list.rows.len() as u64,
                expected,
                "{} of {}: {}",
                facet.name(),
                paired.ability.name,
                app.shared.lens.filter
            );
            press(&mut app, "esc");
            assert_eq!(
                (app.shared.view, app.shared.lens.filter.as_str()),
                (ViewId::Compare, "")
            );
        }
    }
}

/// The comparison and the sample list decide by the same rule whether an answer is correct.
#[test]
fn an_error_is_right_by_one_rule_in_both_views() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    let at = |app: &App| {
        rows(&app.shared)
            .iter()
            .position(|row| row.metric == "mae_over_gt")
    };
    app.views.compare.table.selected = at(&app).unwrap();
    let row = rows(&app.shared)[app.views.compare.table.selected].clone();
    let cells = row.cells.unwrap();
    assert!(cells.both + cells.only_a > 0, "{cells:?}");
    assert!(screen(&mut app, 120, 36).contains("factor < 1.25"));
    let facets = facets(&row);
    let alone = facets
        .iter()
        .position(|facet| facet.name() == "only A right")
        .unwrap();
    app.views.compare.facet = alone;
    press(&mut app, "enter");
    assert!(
        !app.shared.lens.step.contains('@'),
        "{}",
        app.shared.lens.step
    );
    let correct = analysis::Correctness::new(&app.shared.table, app.shared.lens.scoring);
    let list = &app.shared.list.rows;
    assert_eq!(list.len() as u64, cells.only_a);
    assert!(
        list.iter()
            .all(|row| correct.is_right(Row(*row)) == Some(true))
    );
    // The threshold moves from its current value, not from zero.
    press(&mut app, "esc >");
    let drawn = screen(&mut app, 120, 36);
    assert!(drawn.contains("≤ 0.3"), "{drawn}");
}

/// Uses the keys from the manual. A wide screen shows the same samples before the last key.
#[test]
fn what_a_alone_has_right_is_four_keys_away_and_stands_beside_on_wide_screens() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 t right");
    let row = rows(&app.shared)[app.views.compare.table.selected].clone();
    assert!(app.shared.lens.ability.is_some(), "split into bins");
    let drawn = screen(&mut app, 220, 50);
    let [a, b] = names(&app);
    assert!(drawn.contains(&format!("samples of {a}")), "{drawn}");
    assert!(drawn.contains(&format!(" and {b}")), "{drawn}");
    press(&mut app, "enter");
    assert_eq!(app.shared.view, ViewId::Samples);
    assert_eq!(app.shared.list.rows.len() as u64, row.cells.unwrap().only_a);
}

#[test]
fn facets_of_rotated_questions_open_their_rotations() {
    let mut app = opened("tests/fixtures/vlmevalkit");
    app.shared.lens.filter = "ability:visual_grounding or rotation:0 or not rotation:0".to_owned();
    press(&mut app, "4");
    let paired = rows(&app.shared)[0].clone();
    assert_eq!(paired.metric, "accuracy");
    let facet = facets(&paired)[1];
    app.views.compare.facet = 1;
    press(&mut app, "enter");
    assert_eq!(app.shared.list.rows.len() as u64, facet.count(&paired));
}

#[test]
fn the_most_telling_samples_come_first() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 down down down down enter");
    assert_eq!(
        (app.shared.list.sort, app.shared.lens.ability.as_deref()),
        (Sort::Gap, Some("localization"))
    );
    let other = app.shared.lens.versus.clone().unwrap();
    let gaps: Vec<f64> = app
        .shared
        .list
        .rows
        .iter()
        .map(|&row| {
            let partner = counterpart(&app.shared.table, Row(row), &other).unwrap();
            let of = |row| score(&app.shared.table, row, app.shared.lens.scoring).unwrap();
            (of(Row(row)) - of(partner)).abs()
        })
        .collect();
    assert_eq!(gaps.len(), 20);
    assert!(gaps.windows(2).all(|pair| pair[0] >= pair[1]), "{gaps:?}");
}

#[test]
fn a_sample_shows_both_answers() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 down down down down");
    let [_, b] = app.shared.compared().unwrap();
    press(&mut app, "enter enter");
    assert_eq!(app.shared.view, ViewId::Sample);
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains(&format!("B {b}")), "{shown}");
    // The second model that a key selected is forgotten when the next list opens.
    press(&mut app, "c esc esc enter enter");
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains(&format!("B {b}")), "{shown}");
}

/// The samples below the table are exactly those of the facet under the cursor. Enter on a sample
/// opens it in this list.
#[test]
fn the_samples_below_the_table_are_those_of_the_cell() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    screen(&mut app, 120, 50);
    screen(&mut app, 120, 50);
    assert_eq!(app.drawn.panes, [Pane::Cells, Pane::Samples, Pane::Preview]);
    for row in 0..rows(&app.shared).len() {
        app.views.compare.table.selected = row;
        for at in 0..facets(rows(&app.shared)[row]).len() {
            app.views.compare.facet = at;
            screen(&mut app, 120, 50);
            let paired = rows(&app.shared)[row];
            let expected = facets(paired)[at].count(paired);
            assert_eq!(app.shared.list.rows.len() as u64, expected, "{row} {at}");
        }
    }
    app.views.compare = super::CompareView::default();
    screen(&mut app, 120, 50);
    press(&mut app, "tab");
    assert_eq!(app.shared.pane, Pane::Cells);
    press(&mut app, "up");
    assert_eq!(
        app.views.compare.table.selected, 0,
        "the cells have the focus"
    );
    // The frame requests the samples of the new facet.
    app.views.compare.facet = 0;
    screen(&mut app, 120, 50);
    press(&mut app, "tab down");
    let (rows, at) = (app.shared.list.rows.clone(), app.shared.list.table.selected);
    assert_eq!(at, 1);
    press(&mut app, "enter");
    assert_eq!(app.shared.view, ViewId::Sample);
    assert_eq!(app.shared.list.rows, rows);
    assert_eq!(app.shared.list.here(), Some(rows[1]));
    assert!(!app.shared.lens.step.is_empty() && app.shared.lens.ability.is_some());
    press(&mut app, "esc esc");
    assert_eq!(app.shared.view, ViewId::Compare);
}

/// The screen shows the same decision as `compare A B --worse-by 1pp`. Before a margin is chosen,
/// it shows no decision.
#[test]
fn the_margin_gives_the_decision_of_the_command() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    let shown = screen(&mut app, 160, 45);
    assert!(shown.contains("%: is B worse by more than"), "{shown}");
    assert!(app.shared.answers.gate.is_none());
    press(&mut app, "%");
    screen(&mut app, 160, 45);
    let shown = screen(&mut app, 160, 45);
    let (_, _, found) = app.shared.answers.gate.clone().unwrap();
    let [a, b] = app.shared.compared().unwrap();
    let words = ["eyechart", "compare", &a, &b, "x", "--worse-by", "1pp"];
    let Some(Command::Compare(args)) = Cli::try_parse_from(words).unwrap().command else {
        panic!("no comparison")
    };
    let engine = Memory::new(app.shared.table.clone(), Default::default());
    let told = engine.ask(&engine::Gate::from(&args), &FOR_GOOD).unwrap();
    assert_eq!(found.gate, told.gate);
    assert!(found.gate.rows.len() > 1);
    let known = app.shared.answers.comparison.clone().unwrap();
    let first = known.comparison.abilities[0].ability.name.as_str();
    let own = found.gate.rows.iter().find(|row| row.abilities == [first]);
    let title = format!("{}: ", own.unwrap().verdict.title());
    assert!(shown.contains(&title), "{title} in\n{shown}");
    press(&mut app, "% % %");
    assert!(screen(&mut app, 160, 45).contains("is B worse by more than"));
}

#[test]
fn a_failed_decision_gives_its_reason_and_is_not_awaited() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 %");
    let query = worse::missing_query(&app.views.compare, &app.shared).unwrap();
    let generation = app.shared.table.generation();
    let failed = Err(QueryError::NoSamples("model:x".to_owned()));
    app.receive_answer(query.clone().into(), generation, failed);
    assert_eq!(worse::missing_query(&app.views.compare, &app.shared), None);
    let shown = screen(&mut app, 160, 45);
    assert!(
        shown.contains("not decided: `model:x` selects no sample"),
        "{shown}"
    );
    assert!(!shown.contains("deciding"), "{shown}");
    // The decision must be computed again for a new table.
    let table = app.shared.table.clone();
    app.receive(whole(table));
    assert_eq!(
        worse::missing_query(&app.views.compare, &app.shared),
        Some(query)
    );
}

#[test]
fn a_failed_comparison_gives_its_reason() {
    let mut app = opened("tests/fixtures/ava_bench");
    let effects = app.on_key(KeyEvent::new(KeyCode::Char('4'), KeyModifiers::NONE));
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Ask(query) => Some((**query).clone()).filter(|it| matches!(it, Query::Compare(_))),
        _ => None,
    });
    assert!(screen(&mut app, 120, 36).contains("Comparing …"));
    let generation = app.shared.table.generation();
    let failed = Err(QueryError::NoSamples("x".to_owned()));
    app.receive_answer(asked.unwrap(), generation, failed);
    let shown = screen(&mut app, 120, 36);
    assert!(
        shown.contains("no answer: `x` selects no sample"),
        "{shown}"
    );
    assert!(!shown.contains("Comparing"), "{shown}");
}

#[test]
fn keys_choose_the_models() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4");
    let [a, b] = names(&app);
    press(&mut app, "|");
    assert_eq!(names(&app), [b.clone(), a.clone()]);
    press(&mut app, "m");
    let [kept, third] = names(&app);
    assert_eq!(kept, b);
    assert!(third != a && third != b);
    press(&mut app, "M");
    assert_eq!(names(&app), [a, third]);
    // From now on, the models selected in the fingerprint are compared.
    press(&mut app, "1 down down space up space 4");
    let picked: Vec<String> = app.shared.picked.clone();
    assert_eq!(app.shared.compared().unwrap().to_vec(), picked);
}

#[test]
fn a_tag_shows_the_bins_of_the_ability_under_the_cursor() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 down down down down t");
    assert_eq!(app.shared.lens.ability.as_deref(), Some("localization"));
    let shown = rows(&app.shared);
    assert!(shown.len() > 1 && shown[0].bin.is_none());
    let family = shown[0].family;
    press(&mut app, "t");
    let shown = rows(&app.shared);
    let total: u64 = shown[1..].iter().map(|row| row.n).sum();
    assert_eq!(total, shown[0].n, "every sample has a data set");
    assert_eq!(
        shown[0].family, family,
        "looking closer does not make the family smaller"
    );
    press(&mut app, "down enter");
    assert!(app.shared.lens.bin.is_some() && !app.shared.list.rows.is_empty());
    press(&mut app, "esc esc");
    assert_eq!(
        (app.shared.view, app.shared.lens.ability.as_deref()),
        (ViewId::Compare, None)
    );
}

#[test]
fn the_threshold_moves_the_cells() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 down down down down");
    let cells = |app: &App| rows(&app.shared)[4].cells.unwrap();
    let before = cells(&app);
    press(&mut app, "> > > >");
    assert_eq!(rows(&app.shared)[4].threshold(), Some(0.7));
    assert!(cells(&app).neither > before.neither);
    press(&mut app, "< < < <");
    assert_eq!(cells(&app), before);
    press(&mut app, "up up up >");
    assert!(
        app.shared
            .notice
            .as_ref()
            .is_some_and(|notice| notice.contains("right or wrong"))
    );
}

#[test]
fn the_other_model_is_forgotten_with_the_list() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "4 enter");
    assert!(app.shared.lens.versus.is_some());
    press(&mut app, "1");
    assert_eq!(
        (app.shared.lens.versus.as_ref(), app.shared.list.sort),
        (None, Sort::Worst)
    );
}

/// The copied command contains the lens's ability even if no tag splits it.
#[test]
fn the_copied_command_names_the_ability() {
    let folder = tempfile::tempdir().unwrap();
    let line = |model: &str, ability: &str, id: usize, response: &str| {
        format!(
            r#"{{"benchmark":"b","model":"{model}","ability":"{ability}","sample_id":"{id}","target":"yes","response":"{response}"}}"#
        )
    };
    let mut lines = Vec::new();
    for (ability, id) in ["scene", "spatial"]
        .into_iter()
        .flat_map(|it| [(it, 1), (it, 2)])
    {
        lines.push(line("one", ability, id, "yes"));
        lines.push(line("two", ability, id, "no"));
    }
    std::fs::write(folder.path().join("x.eyechart.jsonl"), lines.join("\n")).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    press(&mut app, "4");
    app.shared.lens.ability = Some("spatial".to_owned());
    press(&mut app, "Y");
    let shown = screen(&mut app, 200, 50);
    assert!(shown.contains("--within spatial"), "{shown}");
    // Two samples per ability are too few for a test, so the text must not claim that there is no
    // difference.
    press(&mut app, "esc");
    assert!(!screen(&mut app, 120, 36).contains("There is no clear difference"));
}
