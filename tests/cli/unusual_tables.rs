//! Tests files as users write them: padded cells, empty rows, unusual ids, missing values, copies,
//! boxes in percent. Expected values were computed by hand.
//!
//! The answers are invented.

use serde_json::{Value, json};

use crate::siblings::{File, assert_report, csv, lines, own, rows, table, with};

/// Two models: 16 and 8 of 20 right.
fn two() -> Vec<Value> {
    [rows("m", 16, &json!({})), rows("k", 8, &json!({}))].concat()
}

const BOTH: [(&str, Option<f64>, u64, Option<u64>); 2] =
    [("m", Some(0.8), 20, Some(1)), ("k", Some(0.4), 20, Some(2))];

fn text(name: &'static str, text: String) -> Vec<File> {
    vec![(name, text)]
}

#[test]
fn marks_empty_rows_and_spaces_change_nothing() {
    let plain = csv(&two());
    let padded = |line: &str| {
        let cells: Vec<String> = line.split(',').map(|cell| format!(" {cell} ")).collect();
        format!("{}\r\n", cells.join(","))
    };
    let (header, body) = plain.split_once('\n').expect("a header");
    let padded: String = body.lines().map(padded).collect();
    for (name, text) in [
        (
            "a mark and CRLF",
            format!("\u{feff}{}", plain.replace('\n', "\r\n")),
        ),
        ("rows of empty cells", format!("{plain}\n,,,,,\n,,,,,\n")),
        ("spaces around cells", format!("{header}\n{padded}")),
    ] {
        assert_report(name, &[("t.csv", text)], &BOTH, &[]);
    }
    let marked = format!("\u{feff}{}", lines(&two()).replace('\n', "\r\n"));
    assert_report(
        "a mark and CRLF in lines",
        &text("t.jsonl", marked),
        &BOTH,
        &[],
    );
}

#[test]
fn ids_of_several_types_are_one_sample_and_other_spellings_are_not() {
    let number = with(rows("m", 16, &json!({})), "sample_id", |at, _| json!(at));
    let float = with(rows("k", 8, &json!({})), "sample_id", |at, _| {
        json!(f64::from(u32::try_from(at).expect("a small number")))
    });
    let named = with(rows("j", 4, &json!({})), "sample_id", |at, _| {
        json!(at.to_string())
    });
    let all = [number.clone(), float, named].concat();
    let expected = [BOTH[0], BOTH[1], ("j", Some(0.2), 20, Some(3))];
    assert_report("numbers and texts", &own(&all), &expected, &[]);
    let zeros = with(rows("k", 8, &json!({})), "sample_id", |at, _| {
        json!(format!("{at:03}"))
    });
    let apart = [("m", Some(0.8), 20, None), ("k", Some(0.4), 20, None)];
    let ids = [number, zeros].concat();
    assert_report("leading zeros", &table(&ids), &apart, &["answered"]);
}

#[test]
fn numbers_in_other_notations_are_refused_with_their_rows() {
    let scores = |one: &'static str, other: &'static str| {
        let of = |model, score: &'static str| {
            with(
                rows(model, 0, &json!({"metric": "mae"})),
                "score",
                move |_, _| json!(score),
            )
        };
        table(&[of("m", one), of("k", other)].concat())
    };
    for (name, one) in [
        ("a thousands separator", "\"1,200\""),
        ("a percent sign", "57%"),
        ("a unit", "3 m"),
        ("an apostrophe", "1'200"),
    ] {
        let expected = [("k", Some(800.0), 20, None)];
        assert_report(
            name,
            &scores(one, "800"),
            &expected,
            &["`score` must be a number"],
        );
    }
    let commas = csv(&two()).replace(',', ";");
    let refused = text("t.csv", commas);
    assert_report("semicolons", &refused, &[], &["separated by semicolons"]);
}

#[test]
fn words_for_a_missing_score_are_no_scores_of_zero() {
    let words = ["", "nan", "None", "N/A", "-", "null", "inf"];
    let missing = with(rows("m", 20, &json!({})), "score", |at, score| {
        words
            .get(at)
            .map_or_else(|| score.clone(), |word| json!(word))
    });
    let expected = [("m", Some(1.0), 13, None)];
    assert_report("words", &table(&missing), &expected, &["6 of", "`score`"]);
    let flags = with(two(), "score", |at, score| {
        let words = if score == 1 {
            ["TRUE", "true", "True"]
        } else {
            ["FALSE", "false", "False"]
        };
        json!(words[at % 3])
    });
    assert_report("flags as words", &table(&flags), &BOTH, &[]);
}

#[test]
fn empty_answers_and_the_word_nan_are_answers() {
    let more = json!({"metric": null, "score": null, "choices": ["cat", "dog"], "target": "A"});
    let answers = [
        json!("A"),
        json!(""),
        json!("nan"),
        json!(null),
        json!("  "),
    ];
    let mut asked = rows("m", 0, &more);
    for (at, row) in asked.iter_mut().enumerate() {
        row["response"] = answers[at % 5].clone();
    }
    assert_report(
        "empty answers",
        &own(&asked),
        &[("m", Some(0.2), 20, Some(1))],
        &["\"answered\":8"],
    );
    let more = json!({"metric": null, "score": null, "target": "nan", "response": "NaN", "question": "What is written?"});
    let written = rows("m", 0, &more);
    assert_report(
        "the word nan",
        &own(&written),
        &[("m", Some(1.0), 20, Some(1))],
        &[],
    );
}

#[test]
fn rows_that_stand_twice_count_once() {
    let doubled = [two(), two()].concat();
    assert_report(
        "a table twice",
        &table(&doubled),
        &BOTH,
        &["only the last one counts"],
    );
    let header = format!("{}{}", csv(&two()), csv(&two()));
    assert_report(
        "with its header",
        &text("t.csv", header),
        &BOTH,
        &["the header again"],
    );
}

#[test]
fn copies_of_a_log_are_runs_and_never_more_samples() {
    let log = lines(&rows("m", 16, &json!({})));
    let copies = vec![
        ("a/t.eyechart.jsonl", log.clone()),
        ("a/t copy.eyechart.jsonl", log.clone()),
    ];
    let expected = [
        ("m t", Some(0.8), 20, Some(1)),
        ("m t copy", Some(0.8), 20, Some(1)),
    ];
    assert_report("a copy", &copies, &expected, &[]);
    let cut = format!("{log}{{\"sample_id\":\"s20\",\"benchm");
    let partial = text("t.eyechart.jsonl", cut);
    assert_report(
        "a cut line",
        &partial,
        &[("m", Some(0.8), 20, None)],
        &["cut short"],
    );
}

#[test]
fn targets_of_another_list_give_no_score() {
    for target in [json!("E"), json!(7), json!("elephant")] {
        let more = json!({"metric": null, "score": null, "choices": ["cat", "dog"], "target": target, "response": "A"});
        let files = own(&rows("m", 0, &more));
        assert_report(
            "a foreign target",
            &files,
            &[("m", None, 0, None)],
            &["not among its options"],
        );
    }
}

/// Answers about boxes in pictures of 800 by 500 pixels, all equal.
fn boxes(answers: &[&str]) -> Vec<File> {
    let tags = json!({"image_width": 800, "image_height": 500});
    let row = |(at, answer): (usize, &&str)| {
        json!({"sample_id": format!("s{at}"), "benchmark": "b", "ability": "x", "model": "m", "metric": "giou",
               "question": "Where is the cat?", "target": [100, 200, 300, 400], "response": answer, "tags": tags})
    };
    own(&answers.iter().enumerate().map(row).collect::<Vec<_>>())
}

#[test]
fn boxes_that_stay_within_a_hundred_are_percent_or_in_doubt() {
    let percent = "[12.5, 40, 37.5, 80]";
    let pixels = "[100, 200, 300, 400]";
    for (name, answers, giou, says) in [
        ("with signs", vec!["[12.5%, 40%, 37.5%, 80%]"; 12], 1.0, ""),
        (
            "without signs",
            vec![percent; 12],
            1.0,
            "all are read as percent",
        ),
        ("pixels", vec![pixels; 12], 1.0, ""),
        ("too few", vec![percent; 6], -1.0, "the scale is in doubt"),
        (
            "both",
            [vec![percent; 12], vec![pixels; 12]].concat(),
            -1.0,
            "the scale is in doubt",
        ),
    ] {
        let n = u64::try_from(answers.len()).expect("a small number");
        // Without a box that could be read, the model has no rank.
        let rank = (giou > 0.0).then_some(1);
        let expected = [("m", Some(giou), n, rank)];
        assert_report(name, &boxes(&answers), &expected, &[says]);
    }
}
