//! Tests which predictions a scope contains.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{memory, read, scope, table};
use crate::masks::Masks;
use crate::{Count, Engine, Memory, Scope, Scores};
use analysis::{Origin, bin_items, default_splits, parse_splits};
use base::job::FOR_GOOD;
use record::{Row, Scoring};
use workspace::Lens;
use workspace::filter::select;

/// Creates a lens on the fixtures. Ability, model, bin, filter and step are random.
fn lens(picks: &[Index; 6], has: [bool; 4]) -> Lens {
    let table = table();
    let names = table.names();
    let ability = picks[0].get(names.abilities.values());
    let mut splits = default_splits(table);
    for spec in [
        "count*dataset",
        "box_area:quantile:3",
        "count:width:3",
        "depth_m:log:4",
    ] {
        splits.extend(parse_splits(spec, table).expect("a split"));
    }
    let split = picks[1].get(&splits).clone();
    let bin = picks[2].get(&bin_items(table, &split).labels).clone();
    let filters = [
        "",
        "correct:true",
        "score<0.5 or invalid:true",
        "a or b",
        "not dataset:nyu",
    ];
    let steps = ["", "correct:false", "score>0.2 or invalid:true"];
    Lens {
        benchmark: ability.benchmark.clone(),
        ability: has[0].then(|| ability.name.clone()),
        versus: None,
        model: has[1].then(|| picks[3].get(names.models.values()).clone()),
        bin: has[2].then_some((split, bin)),
        filter: picks[4].get(&filters).to_string(),
        step: picks[5].get(&steps).to_string(),
        scoring: if has[3] {
            Scoring::Strict
        } else {
            Scoring::Harness
        },
    }
}

/// Returns the rows that a lens should select, computed step by step.
fn meant(lens: &Lens) -> Vec<bool> {
    let table = table();
    let filtered = select(&lens.filter, table, lens.scoring).expect("a filter");
    let stepped = select(&lens.step, table, lens.scoring).expect("a filter");
    let binned = lens.bin.as_ref().map(|(split, label)| {
        let binned = bin_items(table, split);
        let bin = binned.labels.iter().position(|known| known == label);
        (binned, bin)
    });
    let is_meant = |row: u32| {
        let item = table.item(Row(row));
        let ability = table.ability(item).expect("an ability");
        let model = table.names().model(table.model(Row(row)));
        ability.benchmark == lens.benchmark
            && lens
                .ability
                .as_ref()
                .is_none_or(|name| *name == ability.name)
            && lens.model.as_ref().is_none_or(|name| name == model)
            && binned
                .as_ref()
                .is_none_or(|(binned, bin)| binned.bin(item.0).map(usize::from) == *bin)
            && filtered.as_ref().is_none_or(|flags| flags[row as usize])
            && stepped.as_ref().is_none_or(|flags| flags[row as usize])
    };
    (0..).take(table.len()).map(is_meant).collect()
}

proptest! {
    #[test]
    fn the_scope_of_a_lens_holds_what_the_lens_means(picks in any::<[Index; 6]>(), has in any::<[bool; 4]>()) {
        let lens = lens(&picks, has);
        let scope = Scope::of(&lens, table());
        let held = memory().rows(&scope).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(held.mask().expect("a filter"), meant(&lens), "{}", scope.filter);
    }
}

#[test]
fn a_scope_is_looked_up_once_for_each_content_of_a_table() {
    let (table, masks) = (table(), Masks::default());
    let of = |scope: &Scope| masks.of(table, scope).expect("a filter").expect("flags");
    let right = scope("correct:true");
    let first = of(&right);
    assert!(Arc::ptr_eq(&first, &of(&right)));
    let strict = Scope {
        scoring: Scoring::Strict,
        ..right.clone()
    };
    assert!(!Arc::ptr_eq(&first, &of(&strict)));
    let judged = table
        .clone()
        .with_verdicts(vec![0; table.sample_of().len()]);
    let other = masks.of(&judged, &right).expect("a filter").expect("flags");
    assert!(!Arc::ptr_eq(&first, &other), "another content");
    let again = masks.of(&judged, &right).expect("a filter").expect("flags");
    assert!(Arc::ptr_eq(&other, &again));
}

#[test]
fn what_was_not_asked_for_lately_is_forgotten() {
    let (table, masks) = (table(), Masks::with_room(2 * table().len()));
    let of = |filter: &str| {
        masks
            .of(table, &scope(filter))
            .expect("a filter")
            .expect("flags")
    };
    let (first, second) = (of("score<0.1"), of("score<0.2"));
    assert!(Arc::ptr_eq(&first, &of("score<0.1")));
    of("score<0.3");
    assert!(
        !Arc::ptr_eq(&second, &of("score<0.2")),
        "the longest unasked"
    );
}

#[test]
fn a_list_of_ids_is_read_each_time() {
    let (table, masks) = (table(), Masks::default());
    let file = std::env::temp_dir().join(format!("eyechart-ids-{}.txt", std::process::id()));
    let ids = scope(&format!("ids:{}", file.display()));
    let count = || {
        let flags = masks.of(table, &ids).expect("a filter").expect("flags");
        flags.rows.iter().filter(|held| **held).count()
    };
    std::fs::write(&file, table.sample_id(record::ItemId(0))).expect("a file");
    assert!(count() > 0);
    std::fs::write(&file, "no such sample").expect("a file");
    assert_eq!(count(), 0);
    std::fs::remove_file(&file).expect("a file");
}

#[test]
fn scores_of_a_benchmark_do_not_depend_on_what_else_is_open() {
    let memory = memory();
    let ask = |filter: &str| {
        let (scope, quick) = (scope(filter), false);
        memory
            .ask(&Scores { scope, quick }, &FOR_GOOD)
            .expect("scores")
    };
    let mut all = ask("");
    let own = ask("benchmark=ava-bench");
    assert!(own.scores.len() < all.scores.len());
    all.scores.retain(|score| score.benchmark == "ava-bench");
    all.average_ranks
        .retain(|rank| rank.benchmark == "ava-bench");
    assert_eq!(own, all);
}

#[test]
fn a_filter_leaves_out_the_published_scores_that_it_names() {
    let folders = [
        "tests/fixtures/ava_bench",
        "sample_runs/ava_bench.scores.csv",
    ];
    let memory = Memory::new(read(&folders), Arc::default());
    let published = |filter: &str| {
        let (scope, quick) = (scope(filter), true);
        let found = memory
            .ask(&Scores { scope, quick }, &FOR_GOOD)
            .expect("scores");
        let scores = found.scores.into_iter();
        let scores = scores.filter(|score| score.origin == Origin::Published);
        scores.map(|score| score.ability).collect::<Vec<_>>()
    };
    let all = published("");
    let counting = published("ability=counting");
    assert!(!counting.is_empty() && counting.len() < all.len());
    assert!(counting.iter().all(|ability| ability == "counting"));
    let others = published("not ability=counting");
    assert_eq!(others.len() + counting.len(), all.len());
    assert!(published("benchmark=ava-bench model~\"^nobody$\"").is_empty());
    assert_eq!(published("score<2"), all, "samples alone have such scores");
    assert_eq!(published("ability=counting or score<2"), all);
    assert_eq!(published("ability=counting score<2"), counting);
    assert_eq!(published("table=5 ability=counting"), counting);
    assert!(published("not table=5").is_empty());
    let (scope, filter) = (scope(""), "table=5".to_owned());
    let found = memory.ask(&Count { scope, filter }, &FOR_GOOD);
    let found = found.expect("a count");
    assert_eq!((found.predictions, found.printed), (0, all.len()));
}

#[test]
fn a_filter_that_is_typed_is_counted_within_the_scope() {
    let memory = memory();
    let count = |within: &str, filter: &str| {
        let (scope, filter) = (scope(within), filter.to_owned());
        let counted = memory.ask(&Count { scope, filter }, &FOR_GOOD);
        counted.map(|counted| counted.predictions)
    };
    let own = count("benchmark=ava-bench", "").expect("a count");
    assert!(own > 0 && own < count("", "").expect("a count"));
    let right = count("benchmark=ava-bench", "correct:true").expect("a count");
    assert!(right > 0 && right < own);
    let error = count("benchmark=ava-bench", "scre<1").expect_err("no key");
    assert!(error.to_string().contains("\n  scre<1\n  ^^^^"), "{error}");
}
