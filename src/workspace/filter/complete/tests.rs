use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::filter::select;
use crate::load::{Request, load};

fn table(folder: &str) -> (Table, Lens) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(folder);
    let request = Request {
        paths: vec![path],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    let first = table.names().abilities.values().first();
    let benchmark = first.map_or(String::new(), |first| first.benchmark.clone());
    let lens = Lens {
        benchmark,
        ..Lens::default()
    };
    (table, lens)
}

fn offered(marked: &str, table: &Table, lens: &Lens) -> Completion {
    let cursor = marked.find('|').unwrap();
    complete(&marked.replace('|', ""), cursor, table, lens)
}

fn names(completion: &Completion) -> Vec<&str> {
    completion
        .candidates
        .iter()
        .map(|found| found.name.as_str())
        .collect()
}

#[test]
fn keys_begin_as_typed() {
    let (table, lens) = table("ava_bench");
    let found = offered("ab|", &table, &lens);
    assert_eq!((names(&found), found.at.clone()), (vec!["ability"], 0..2));
    assert_eq!(found.candidates[0].insert, "ability:");
    let found = offered("not (|", &table, &lens);
    assert!(names(&found).starts_with(&["ability", "model"]));
    let found = offered("tag.co|", &table, &lens);
    assert_eq!(names(&found)[0], "tag.count");
    assert!(found.candidates[0].what.contains(".."), "{found:?}");
}

#[test]
fn every_count_is_what_the_filter_selects() {
    for folder in ["ava_bench", "vlmevalkit"] {
        let (table, lens) = table(folder);
        let whole = lens.mask(&table).unwrap();
        let mut seen = 0;
        for key in crate::filter::keys(&table) {
            let marked = format!("{key}=|");
            for candidate in offered(&marked, &table, &lens).candidates {
                let Some(count) = candidate.count else {
                    continue;
                };
                let text = format!("{key}={}", candidate.insert);
                let mask = select(&text, &table, lens.scoring)
                    .unwrap_or_else(|e| panic!("{e}"))
                    .unwrap();
                let held = mask.iter().zip(&whole).filter(|(a, b)| **a && **b).count();
                assert_eq!(count, held as u64, "{folder}: {text}");
                seen += 1;
            }
        }
        assert!(seen > 20, "{folder}: {seen}");
    }
}

#[test]
fn columns_of_printed_scores_are_offered_uncounted() {
    let (table, _) = table("../../sample_runs/gepbench.scores.csv");
    let lens = Lens {
        benchmark: "gepbench".to_owned(),
        ..Lens::default()
    };
    assert_eq!(names(&offered("gr|", &table, &lens))[0], "group");
    let groups = offered("group:|", &table, &lens);
    assert_eq!(names(&groups), ["closed", "control", "encoder", "open"]);
    assert!(groups.candidates.iter().all(|found| found.count.is_none()));
    assert_eq!(names(&offered("table:|", &table, &lens)), ["1", "2"]);
    assert_eq!(names(&offered("split:|", &table, &lens)), ["easy", "hard"]);
    assert!(names(&offered("model:GPT|", &table, &lens)).contains(&"GPT-4o"));
    let (table, lens) = self::table("ava_bench");
    assert!(!names(&offered("|", &table, &lens)).contains(&"group"));
}

#[test]
fn counts_are_under_the_lens_and_the_rest_of_the_text() {
    let (table, mut lens) = table("ava_bench");
    let count = |marked: &str, lens: &Lens| {
        let found = offered(marked, &table, lens);
        found
            .candidates
            .iter()
            .map(|found| found.count.unwrap())
            .sum::<u64>()
    };
    let all = count("ability:|", &lens);
    let wrong = count("correct:false ability:|", &lens);
    assert!(0 < wrong && wrong < all, "{wrong} of {all}");
    assert_eq!(count("ability:| correct:false", &lens), wrong);
    lens.filter = "correct:false".to_owned();
    assert_eq!(
        count("ability:|", &lens),
        all,
        "the text stands in the filter's place"
    );
    lens.ability = Some("counting".to_owned());
    let found = offered("ability:|", &table, &lens);
    assert_eq!(
        (found.candidates[0].name.as_str(), found.candidates[1].count),
        ("counting", Some(0))
    );
}

#[test]
fn numbers_say_their_range_and_few_are_listed() {
    let (table, lens) = table("ava_bench");
    assert!(offered("score<|", &table, &lens).hint.contains(".."));
    assert!(offered("tag.depth_m:|", &table, &lens).hint.contains(".."));
    let (table, lens) = self::table("vlmevalkit");
    let mut rotations: Vec<f64> = names(&offered("rotation:|", &table, &lens))
        .iter()
        .map(|name| name.parse().unwrap())
        .collect();
    rotations.sort_by(f64::total_cmp);
    assert_eq!(rotations, [0.0, 90.0, 180.0, 270.0]);
}

#[test]
fn an_unfinished_rest_does_not_hide_the_values() {
    let (table, lens) = table("ava_bench");
    assert!(
        !offered("(score< or ability:|", &table, &lens)
            .candidates
            .is_empty()
    );
    assert_eq!(
        complete("", 99, &Table::default(), &Lens::default()).at,
        0..0
    );
}

#[test]
fn what_is_misspelt_is_guessed() {
    let (table, lens) = table("ava_bench");
    let found = offered("ability:cuonting|", &table, &lens);
    assert!(found.guessed && found.candidates.len() == 3, "{found:?}");
    assert!(names(&found).contains(&"counting"));
    assert!(!offered("ability:count|", &table, &lens).guessed);
    assert!(!offered("score:x|", &table, &lens).guessed);
}
