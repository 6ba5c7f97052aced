use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::*;
use crate::brief::brief;
use crate::filter::{is, select};
use crate::load::{Request, load};
use crate::page::Correctness;
use analysis::Selection;

const FOLDERS: [&str; 3] = ["ava_bench", "vlmevalkit", "lmms_eval"];

fn table(folder: &str) -> Table {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(folder);
    let request = Request {
        paths: vec![path],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

fn selected(table: &Table, filter: &str) -> Vec<u32> {
    let mask = select(filter, table, Scoring::Harness).unwrap().unwrap();
    (0..)
        .zip(mask)
        .filter(|(_, held)| *held)
        .map(|(row, _)| row)
        .collect()
}

#[test]
fn an_option_goes_by_its_text() {
    let choice = |letter: &str, text: &str| Choice {
        letter: letter.to_owned(),
        text: text.to_owned(),
    };
    let content = Content {
        choices: vec![choice("A", "beach"), choice("B", "")],
        ..Content::default()
    };
    let names = |answer: &str| {
        let called = ValueLabel::of(&content, answer);
        (called.short, called.name)
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(names("A"), pair("A", "beach"));
    assert_eq!(names("beach"), pair("A", "beach"));
    assert_eq!(names("B"), pair("B", "B"));
    assert_eq!(names("7"), pair("7", "7"));
}

#[test]
fn every_cell_of_the_matrix_is_what_its_expression_selects() {
    let mut filled = 0;
    for folder in FOLDERS {
        let table = table(folder);
        let found = confusion(Selection::all(&table, Scoring::Harness));
        assert_eq!(
            found.total() + found.left_out,
            table.len() as u64,
            "{folder}"
        );
        let mut sum = 0;
        for (target, class) in found.targets.iter().enumerate() {
            let of_row = (0..found.answers.len()).map(|answer| found.cell(target, answer).count);
            assert_eq!(of_row.sum::<u64>(), class.count, "{folder} {class:?}");
            for answer in 0..found.answers.len() {
                let cell = found.cell(target, answer);
                let expression = found.expression(target, answer).unwrap();
                let rows = selected(&table, &expression);
                assert_eq!(rows.len() as u64, cell.count, "{folder}: {expression}");
                let correct = Correctness::new(&table, Scoring::Harness);
                let right = rows
                    .iter()
                    .filter(|row| correct.is_right(Row(**row)) == Some(true));
                assert_eq!(right.count() as u64, cell.right, "{folder}: {expression}");
                sum += cell.count;
                filled += usize::from(cell.count > 0);
            }
        }
        assert_eq!(sum, found.total(), "{folder}");
    }
    assert!(filled > 40, "{filled}");
}

#[test]
fn right_answers_to_options_stand_on_the_diagonal() {
    let table = table("vlmevalkit");
    let mut on = 0;
    let found = confusion(Selection::all(&table, Scoring::Harness));
    for target in 0..found.targets.len() {
        for answer in 0..found.answers.len() {
            if found.is_diagonal(target, answer) {
                on += found.cell(target, answer).count;
                assert_eq!(found.targets[target].name, found.answers[answer].name);
            }
        }
    }
    assert!(on > 0 && on < found.total());
    let Some(Class { name, count }) = found.answers.last() else {
        panic!("no column");
    };
    assert_eq!(*name, ClassName::Unparsed);
    let unread = "answer=\"\" not target=\"\" not target~\"^\\[\"";
    assert_eq!(*count as usize, selected(&table, unread).len());
}

#[test]
fn the_rest_of_many_classes_stands_together() {
    let table = table("ava_bench");
    let found = confusion(Selection::all(&table, Scoring::Harness));
    let Some(Class {
        name: ClassName::Others(rest),
        ..
    }) = found.targets.last()
    else {
        panic!("few targets: {:?}", found.targets);
    };
    assert_eq!(found.targets.len(), 31);
    assert!(*rest > 0);
    let last = found.targets.len() - 1;
    assert!(!found.is_diagonal(last, found.answers.len() - 2));
}

#[test]
fn groups_hold_every_row_once_and_in_order() {
    for folder in FOLDERS {
        let table = table(folder);
        let selection = Selection::all(&table, Scoring::Harness);
        let rows: Vec<u32> = (0..table.len() as u32).rev().collect();
        let mut ways = vec![GroupBy::Answer, GroupBy::Target];
        ways.extend(telling_tags(&table, &rows).into_iter().map(GroupBy::Tag));
        for by in ways {
            let found = grouped(selection, &rows, &by).unwrap();
            let all: BTreeSet<u32> = found.rows.iter().copied().collect();
            assert_eq!((all.len(), found.rows.len()), (rows.len(), rows.len()));
            let mut rest = found.rows.as_slice();
            for group in &found.groups {
                let (own, behind) = rest.split_at(group.count);
                assert!(own.is_sorted_by(|a, b| a > b), "{by:?} {group:?}");
                rest = behind;
            }
            assert!(
                rest.is_empty() && !found.groups.is_empty(),
                "{folder} {by:?}"
            );
        }
    }
}

#[test]
fn a_group_is_what_its_term_selects() {
    for folder in FOLDERS {
        let table = table(folder);
        let rows: Vec<u32> = (0..table.len() as u32).collect();
        let selection = Selection::all(&table, Scoring::Harness);
        for (by, key) in [(GroupBy::Answer, "answer"), (GroupBy::Target, "target")] {
            let found = grouped(selection, &rows, &by).unwrap();
            let mut at = 0;
            let mut before = usize::MAX;
            for group in &found.groups {
                let mut own = found.rows[at..at + group.count].to_vec();
                own.sort_unstable();
                at += group.count;
                let term = match &group.name {
                    GroupName::Value(name) => is(key, name, &[name.clone()]),
                    GroupName::Nothing => format!("{key}=\"\""),
                    GroupName::Others(_) => continue,
                };
                assert_eq!(own, selected(&table, &term), "{folder}: {term}");
                if matches!(group.name, GroupName::Value(_)) {
                    assert!(group.count <= before, "the largest stand first");
                    before = group.count;
                }
            }
        }
    }
}

#[test]
fn the_answers_are_those_of_the_list() {
    let table = table("vlmevalkit");
    let rows: Vec<u32> = (0..table.len() as u32).collect();
    let said = each(&table, &rows, &base::job::FOR_GOOD, |row, record| {
        answer_in(&table, row, record, Scoring::Harness)
    });
    let mut seen: BTreeMap<bool, usize> = BTreeMap::new();
    for (row, said) in rows.iter().zip(said) {
        let brief = brief(&table, Row(*row), Scoring::Harness).unwrap();
        let said = said.unwrap();
        *seen.entry(said.is_some()).or_default() += 1;
        match (&brief.answer, said) {
            (Some(words), Some(said)) => assert!(words.ends_with(&said.name), "{words} {said:?}"),
            (None, None) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(seen[&true] > 0);
}
