//! Tests comparisons of small tables with results computed by hand.

use super::*;
use crate::Correctness;
use base::job::FOR_GOOD;
use record::{
    Ability, Content, Labels, Prediction, RequestFingerprint, Row, Scoring, Table, TableBuilder,
    Value,
};

/// One answer: model, sample, picture, rotation (negative for none) and score.
pub(super) type Answer<'a> = (&'a str, &'a str, u64, i32, f64);

pub(super) fn table(benchmark: &str, metric: &str, answers: &[Answer<'_>]) -> Table {
    table_with(benchmark, metric, answers, |_| f64::NAN)
}

fn table_with(
    benchmark: &str,
    metric: &str,
    answers: &[Answer<'_>],
    second: impl Fn(f64) -> f64,
) -> Table {
    let mut builder = TableBuilder::default();
    let ability = builder
        .ability(&Ability {
            benchmark: benchmark.to_owned(),
            name: "counting".to_owned(),
        })
        .unwrap();
    for &(model, sample, picture, rotation, score) in answers {
        let mut labels = Labels::new();
        if rotation >= 0 {
            labels.insert("rotation".to_owned(), Value::Number(f64::from(rotation)));
        }
        let condition = builder.condition(&labels).unwrap();
        let item = builder.item(ability, condition, sample, RequestFingerprint::default());
        if item.new {
            let content = Content {
                tags: [("size".to_owned(), Value::Number((picture % 2) as f64))].into(),
                ..Content::default()
            };
            builder.describe(&content, Some(picture), f64::NAN);
        }
        let metric = builder.metric(metric).unwrap();
        let prediction = Prediction {
            second: second(score),
            ..Prediction::scored(builder.model(model).unwrap(), metric, score)
        };
        builder.push(item.id, &prediction, &[]);
    }
    builder.finish()
}

pub(super) fn of_models(table: &Table, splits: &[Split], threshold: Threshold) -> Comparison {
    let options = ComparisonOptions {
        threshold,
        ..ComparisonOptions::default()
    };
    of_models_on(table, splits, options)
}

pub(super) fn of_models_on(
    table: &Table,
    splits: &[Split],
    options: ComparisonOptions,
) -> Comparison {
    between(table, ["a", "b"], splits, options)
}

#[test]
fn answers_without_a_score_on_one_side_forbid_a_test() {
    let why_not = |unread: usize| {
        let names: Vec<String> = (0..20).map(|at| at.to_string()).collect();
        let answers = names.iter().enumerate().flat_map(|(at, name)| {
            let picture = at as u64;
            let b = if at < unread { f64::NAN } else { 0.5 };
            [
                ("a", name.as_str(), picture, -1, 1.0),
                ("b", name.as_str(), picture, -1, b),
            ]
        });
        let table = table("b", "mae_over_gt", &answers.collect::<Vec<_>>());
        let compared = of_models(&table, &[], Threshold::None);
        assert_eq!(compared.only_in_a.unscored, unread as u64);
        let row = &compared.abilities[0];
        assert_eq!(row.p_value.is_none(), row.why_not.is_some());
        row.why_not.clone()
    };
    assert_eq!(why_not(4), None, "as for a rank, 80 % are enough");
    let one_sided = crate::OmissionReason::OneSided { n: 5, of: 20 };
    assert_eq!(why_not(5), Some(one_sided));
}

/// Compares two models of a table.
pub fn between(
    table: &Table,
    models: [&str; 2],
    splits: &[Split],
    options: ComparisonOptions,
) -> Comparison {
    let mask = |model: &str| -> Vec<bool> {
        let names = table.names().models.values();
        let code = names.iter().position(|name| name == model);
        let is = |known: &u16| Some(usize::from(*known)) == code;
        table.model_of().iter().map(is).collect()
    };
    let sides = Sides {
        selected_by: None,
        table,
        scoring: Scoring::Harness,
        a: &mask(models[0]),
        b: &mask(models[1]),
        kind: ComparisonKind::Models,
        ticket: &FOR_GOOD,
    };
    compare(sides, splits, options)
}

fn of_filters(table: &Table, a: &[bool], b: &[bool]) -> Comparison {
    let sides = Sides {
        selected_by: None,
        table,
        scoring: Scoring::Harness,
        a,
        b,
        kind: ComparisonKind::Filters,
        ticket: &FOR_GOOD,
    };
    compare(sides, &[], ComparisonOptions::default())
}

/// Creates a table with one picture per sample: `only_a` samples that only A has right, `only_b`
/// that only B has right, and `both` that both have right.
fn right_and_wrong(only_a: usize, only_b: usize, both: usize) -> Table {
    let ids: Vec<String> = (0..only_a + only_b + both)
        .map(|id| id.to_string())
        .collect();
    let answers = (0..).zip(&ids).flat_map(|(at, id)| {
        let right = |of_a: bool| {
            let alone = if of_a {
                at < only_a
            } else {
                (only_a..only_a + only_b).contains(&at)
            };
            f64::from(u8::from(alone || at >= only_a + only_b))
        };
        [
            ("a", id.as_str(), at as u64, -1, right(true)),
            ("b", id.as_str(), at as u64, -1, right(false)),
        ]
    });
    table("bench", "accuracy", &answers.collect::<Vec<_>>())
}

pub(super) fn only_row(comparison: &Comparison) -> &PairedDifference {
    assert_eq!(comparison.abilities.len(), 1);
    &comparison.abilities[0]
}

#[test]
fn right_and_wrong_give_mcnemar() {
    let comparison = of_models(&right_and_wrong(9, 1, 5), &[], Threshold::None);
    let row = only_row(&comparison);
    let cells = Cells {
        both: 5,
        only_a: 9,
        only_b: 1,
        neither: 0,
    };
    assert_eq!((row.n, row.cells), (15, Some(cells)));
    assert_eq!((row.a_better, row.b_better, row.equal), (9, 1, 5));
    assert_eq!(row.test, Test::McNemarExact);
    // p = 2 (1 + 10) / 2^10.
    assert!((row.p_value.unwrap() - 22.0 / 1024.0).abs() < 1e-12);
    assert!((row.difference.unwrap() - 8.0 / 15.0).abs() < 1e-12);
    assert_eq!((row.conclusion, row.family), (Conclusion::A, 1));
    assert!(row.ci.unwrap().contains(8.0 / 15.0));
    let words = sentence(row, "one", "two");
    assert!(
        words.starts_with("one is better than two in counting: accuracy +0.533 [")
            && words.contains("n 15, p 0.021"),
        "{words}"
    );
}

#[test]
fn an_ability_of_two_benchmarks_is_told_with_its_own() {
    let comparison = of_models(&right_and_wrong(9, 1, 5), &[], Threshold::None);
    let row = only_row(&comparison);
    let mut other = row.clone();
    other.ability.benchmark = "exam-boxes".to_owned();
    let alone = sentence_among(row, &[row], "one", "two");
    assert_eq!(alone, sentence(row, "one", "two"));
    let words = sentence_among(&other, &[row, &other], "one", "two");
    assert!(words.contains("in counting of exam-boxes: "), "{words}");
}

#[test]
fn the_winner_is_named_first_and_its_gain_is_positive() {
    let comparison = of_models(&right_and_wrong(1, 12, 5), &[], Threshold::None);
    let row = only_row(&comparison);
    assert_eq!(row.conclusion, Conclusion::B);
    let words = sentence(row, "one", "two");
    assert!(
        words.starts_with("two is better than one in counting: accuracy +0.6"),
        "{words}"
    );
}

#[test]
fn a_lower_error_is_better() {
    let ids: Vec<String> = (0..12).map(|id| id.to_string()).collect();
    let answers: Vec<Answer<'_>> = (0..)
        .zip(&ids)
        .flat_map(|(at, id)| {
            let error = f64::from(at % 4) / 10.0;
            [
                ("a", id.as_str(), at as u64, -1, error),
                (
                    "b",
                    id.as_str(),
                    at as u64,
                    -1,
                    error + 0.1 + 0.01 * f64::from(at),
                ),
            ]
        })
        .collect();
    let table = table("bench", "mae_over_gt", &answers);
    let comparison = of_models(&table, &[], Threshold::At(0.2));
    let row = only_row(&comparison);
    assert!(row.difference.unwrap() < 0.0);
    assert_eq!(
        (row.conclusion, row.a_better, row.b_better),
        (Conclusion::A, 12, 0)
    );
    // All twelve differ in the same direction; a sign test proves no more than 2 / 2^12.
    assert_eq!(row.test, Test::PairedT);
    assert!((row.p_value.unwrap() - 2.0 / 4096.0).abs() < 1e-12);
    // Errors of a are at most 0.2 in nine samples.
    let cells = row.cells.unwrap();
    assert_eq!(cells.both + cells.only_a, 9);
    assert_eq!(cells.only_b, 0);
    assert!(sentence(row, "a", "b").contains("(less is better)"));
}

/// Counts that are right after rounding: the two-by-two table agrees with the lists of answers.
#[test]
fn an_error_is_right_where_its_second_score_says_so() {
    let errors = [(0.0, 0.0), (0.1, 0.4), (0.4, 0.1), (0.1, 0.1), (0.4, 0.4)];
    let ids: Vec<String> = (0..errors.len()).map(|id| id.to_string()).collect();
    let answers: Vec<Answer<'_>> = (0..)
        .zip(&ids)
        .zip(errors)
        .flat_map(|((at, id), (a, b))| {
            [("a", id.as_str(), at, -1, a), ("b", id.as_str(), at, -1, b)]
        })
        .collect();
    let rounded = |error: f64| f64::from(u8::from(error < 0.25));
    let table = table_with("bench", "mae_over_gt", &answers, rounded);
    let correct = Correctness::new(&table, Scoring::Harness);
    let right = |model: u16| {
        let rows = (0..).zip(table.model_of()).filter(|(_, of)| **of == model);
        rows.filter(|(row, _)| correct.is_right(Row(*row)) == Some(true))
            .count() as u64
    };
    let comparison = of_models(&table, &crate::default_splits(&table), Threshold::Usual);
    let row = only_row(&comparison);
    let expected = Cells {
        both: 2,
        only_a: 1,
        only_b: 1,
        neither: 1,
    };
    assert_eq!(row.cells, Some(expected));
    assert_eq!([right(0), right(1)], [3, 3]);
    assert_eq!(row.threshold(), None);
    let words = row.right.and_then(record::benchmark::RightThreshold::words);
    assert_eq!(words.as_deref(), Some("exact when rounded"));
    let of_bins = comparison.subgroups.iter().filter_map(|row| row.cells);
    assert_eq!(
        of_bins.map(|cells| cells.both + cells.only_a).sum::<u64>(),
        3
    );
    // An explicit threshold applies to the errors themselves.
    let cut = of_models(&table, &[], Threshold::At(0.0));
    let row = only_row(&cut);
    assert_eq!((row.cells.unwrap().both, row.threshold()), (1, Some(0.0)));
}

#[test]
fn pictures_with_several_questions_count_as_wholes() {
    let ids: Vec<String> = (0..24).map(|id| id.to_string()).collect();
    let answers: Vec<Answer<'_>> = ids
        .iter()
        .enumerate()
        .flat_map(|(at, id)| {
            let picture = at as u64 / 6;
            [
                ("a", id.as_str(), picture, -1, 1.0),
                ("b", id.as_str(), picture, -1, 0.0),
            ]
        })
        .collect();
    let comparison = of_models(&table("bench", "accuracy", &answers), &[], Threshold::None);
    let row = only_row(&comparison);
    // With 24 samples of four pictures, the test uses four clusters; `McNemar` would give 1e-7.
    assert_eq!((row.n, row.clusters, row.test), (24, 4, Test::PairedT));
    assert!((row.p_value.unwrap() - 2.0 / 16.0).abs() < 1e-12);
    assert_eq!(row.conclusion, Conclusion::NotSeparable);
}

/// Answers of a model at all rotations of `sample`: all right, or wrong only at the last rotation.
fn rotated<'a>(model: &'a str, sample: &'a str, right: bool) -> [Answer<'a>; 4] {
    [0, 90, 180, 270].map(|rotation| {
        let score = if right || rotation < 270 { 1.0 } else { 0.0 };
        (model, sample, 1, rotation, score)
    })
}

#[test]
fn rotations_of_a_question_are_one_pair() {
    let answers: Vec<Answer<'_>> = [
        rotated("a", "x", true),
        rotated("b", "x", false),
        rotated("a", "y", true),
        rotated("b", "y", true),
    ]
    .concat();
    let rotated = table("tdbench", "accuracy", &answers);
    let comparison = of_models(&rotated, &[], Threshold::None);
    let row = only_row(&comparison);
    assert_eq!(
        (row.metric.as_str(), row.n, row.by_question),
        ("re", 2, true)
    );
    assert_eq!((row.a_score, row.b_score), (Some(1.0), Some(0.5)));
    // Three of B's rotations are missing, so single rotations are paired.
    let whole: Vec<Answer<'_>> = answers
        .into_iter()
        .filter(|(model, _, _, rotation, _)| *model == "a" || *rotation == 270)
        .collect();
    let comparison = of_models(&table("tdbench", "accuracy", &whole), &[], Threshold::None);
    let row = only_row(&comparison);
    assert_eq!(
        (row.metric.as_str(), row.n, row.by_question),
        ("accuracy", 2, false)
    );
    assert_eq!(comparison.only_in_a.total, 6);
    assert_eq!(comparison.only_in_a.other_condition, 6);
}

#[test]
fn filters_pair_over_what_they_differ_in() {
    let answers: Vec<Answer<'_>> = [
        rotated("a", "x", true),
        rotated("a", "y", false),
        rotated("b", "x", false),
    ]
    .concat();
    let table = table("tdbench", "accuracy", &answers);
    let at = |wanted: i32| -> Vec<bool> {
        answers
            .iter()
            .map(|(_, _, _, rotation, _)| *rotation == wanted)
            .collect()
    };
    let comparison = of_filters(&table, &at(0), &at(270));
    assert_eq!(comparison.differ_in, ["rotation"]);
    let row = only_row(&comparison);
    // Pairs: samples x and y of model a, and x of model b, each at rotations 0 and 270.
    assert_eq!((row.n, row.metric.as_str()), (3, "accuracy"));
    assert_eq!((row.a_score, row.b_score), (Some(1.0), Some(1.0 / 3.0)));
    // One side has two rotations and the other side has one: the mean of the two is used.
    let either: Vec<bool> = at(0).iter().zip(at(90)).map(|(a, b)| *a || b).collect();
    let comparison = of_filters(&table, &either, &at(270));
    assert_eq!(only_row(&comparison).n, 3);
    // Predictions on both sides cause a warning.
    let comparison = of_filters(&table, &at(0), &either);
    assert_eq!(comparison.mismatches.first(), Some(&Mismatch::Shared(3)));
}

#[test]
fn what_has_no_partner_is_counted_with_its_reason() {
    let answers = [
        ("a", "x", 1, -1, 1.0),
        ("b", "x", 1, -1, 0.0),
        ("a", "only", 2, -1, 1.0),
        ("a", "unread", 3, -1, 1.0),
        ("b", "unread", 3, -1, f64::NAN),
        ("a", "turned", 4, 0, 1.0),
        ("b", "turned", 4, 90, 1.0),
    ];
    let comparison = of_models(&table("bench", "accuracy", &answers), &[], Threshold::None);
    let dropped = UnpairedCounts {
        total: 3,
        other_condition: 1,
        other_question: 0,
        unscored: 1,
        other_metric: 0,
    };
    assert_eq!(comparison.only_in_a, dropped);
    assert_eq!(comparison.only_in_b.total, 1);
    assert_eq!(
        coverage(&comparison, "A", "B"),
        "1 sample in both (A has 4, B has 2); 1 of A that B did not answer; 1 of A without a score of B; \
         1 of A that B has under another condition; 1 of B that A has under another condition."
    );
}

#[test]
fn edge_cases_are_answered_in_words() {
    let words = |answers: &[Answer<'_>], metric: &str| {
        let comparison = of_models(&table("bench", metric, answers), &[], Threshold::None);
        let row = comparison.abilities.first().unwrap();
        assert_ne!(row.p_value, Some(0.0));
        let numbers = [row.difference, row.p_value, row.p_adjusted, row.detectable];
        assert!(numbers.iter().flatten().all(|number| number.is_finite()));
        sentence(row, "a", "b")
    };
    let nothing = words(
        &[("a", "x", 1, -1, 1.0), ("b", "y", 2, -1, 1.0)],
        "accuracy",
    );
    assert_eq!(nothing, "a and b have no sample in common in counting.");
    let one = words(&[("a", "x", 1, -1, 0.9), ("b", "x", 1, -1, 0.2)], "giou");
    assert!(
        one.contains("at n 1: GIoU +0.700; one picture is too few for an interval"),
        "{one}"
    );
    let ties: Vec<Answer<'_>> = ["x", "y", "z"]
        .into_iter()
        .zip(1..)
        .flat_map(|(id, picture)| [("a", id, picture, -1, 0.5), ("b", id, picture, -1, 0.5)])
        .collect();
    let tied = words(&ties, "giou");
    assert!(
        tied.ends_with("at n 3: all their scores are equal."),
        "{tied}"
    );
    let alike: Vec<Answer<'_>> = ["x", "y", "z"]
        .into_iter()
        .zip(1..)
        .flat_map(|(id, picture)| [("a", id, picture, -1, 0.75), ("b", id, picture, -1, 0.5)])
        .collect();
    let same = words(&alike, "giou");
    assert!(
        same.ends_with("GIoU +0.250 in every sample, p 0.250."),
        "{same}"
    );
    let cluster: Vec<Answer<'_>> = alike
        .iter()
        .map(|answer| (answer.0, answer.1, 7, answer.3, answer.4))
        .collect();
    assert!(same.starts_with("Too few samples"), "{same}");
    let one_picture = words(&cluster, "giou");
    assert!(
        one_picture
            .starts_with("Too few samples to test whether a and b differ in counting at n 3")
            && one_picture.contains("one picture"),
        "{one_picture}"
    );
}

#[test]
fn bins_have_their_own_rows_and_small_ones_no_conclusion() {
    let table = right_and_wrong(20, 0, 7);
    let splits = crate::default_splits(&table);
    let comparison = of_models(&table, &splits, Threshold::None);
    let bins: Vec<(&str, u64)> = comparison
        .subgroups
        .iter()
        .map(|row| (row.bin.as_ref().unwrap().1.as_str(), row.n))
        .collect();
    assert_eq!(bins, [("0", 14), ("1", 13)]);
    let whole = only_row(&comparison);
    assert_eq!(
        comparison.subgroups.iter().map(|row| row.n).sum::<u64>(),
        whole.n
    );
    assert!(
        comparison
            .subgroups
            .iter()
            .all(|row| row.family == 2 && row.conclusion == Conclusion::A)
    );
    let small = of_models(&right_and_wrong(9, 0, 0), &splits, Threshold::None);
    assert!(
        small
            .subgroups
            .iter()
            .all(|row| row.p_adjusted.is_none() && row.conclusion == Conclusion::NotSeparable)
    );
    let untested = sentence(&small.subgroups[0], "a", "b");
    assert!(
        untested.starts_with("Too few samples")
            && untested.contains("no conclusion below 10 samples"),
        "{untested}"
    );
    assert_eq!(small.subgroups[0].words(), "too few to test");
}

#[test]
fn swapping_the_sides_mirrors_everything() {
    let answers: Vec<Answer<'_>> = (0..40)
        .flat_map(|at: i32| {
            let id: &str = Box::leak(at.to_string().into_boxed_str());
            let score = |factor: i32| f64::from(at * factor % 17) / 17.0;
            [
                ("a", id, at as u64 / 2, -1, score(5)),
                ("b", id, at as u64 / 2, -1, score(7)),
            ]
        })
        .collect();
    let swapped: Vec<Answer<'_>> = answers
        .iter()
        .map(|answer| {
            (
                if answer.0 == "a" { "b" } else { "a" },
                answer.1,
                answer.2,
                answer.3,
                answer.4,
            )
        })
        .collect();
    let compared = |answers: &[Answer<'_>]| {
        let comparison = of_models(&table("bench", "giou", answers), &[], Threshold::Usual);
        only_row(&comparison).clone()
    };
    let (one, other) = (compared(&answers), compared(&swapped));
    assert_eq!(one.p_value, other.p_value);
    assert!((one.difference.unwrap() + other.difference.unwrap()).abs() < 1e-12);
    assert_eq!(
        (one.a_better, one.b_better),
        (other.b_better, other.a_better)
    );
    let (ci, mirrored) = (one.ci.unwrap(), other.ci.unwrap());
    assert!((ci.low + mirrored.high).abs() < 1e-12 && (ci.high + mirrored.low).abs() < 1e-12);
}
