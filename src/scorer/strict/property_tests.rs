//! Tests properties of all answers: wrappers do not change the reading, and malicious text does no
//! harm.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{explain, judge};
use crate::Answer;
use record::benchmark::Metric;
use record::{Choice, Content, Record, Target};

fn choices(texts: &[String]) -> Vec<Choice> {
    let labelled = ('A'..='Z').zip(texts);
    labelled
        .map(|(letter, text)| Choice {
            letter: letter.to_string(),
            text: text.clone(),
        })
        .collect()
}

fn asked(response: &str, choices: Vec<Choice>) -> Option<Answer> {
    let record = Record {
        content: Content {
            choices,
            target: Some(Target::Text("A".to_owned())),
            ..Content::default()
        },
        response: Some(response.to_owned()),
        ..Record::default()
    };
    judge(&record, Metric::Accuracy)
        .1
        .map(|reading| reading.answer)
}

/// Marks the wrapper that puts the text into a JSON object as its `answer`.
const JSON: &str = "JSON";

/// Wraps a text; in a JSON object, the text is escaped.
fn wrapped(inner: &str, (open, close): (&str, &str)) -> String {
    if open == JSON {
        return serde_json::json!({ "answer": inner }).to_string();
    }
    format!("{open}{inner}{close}")
}

/// Wrappers that do not change the meaning of an answer.
const WRAPPERS: [(&str, &str); 18] = [
    ("", ""),
    (" ", "  "),
    ("\n\n", "\n"),
    ("**", "**"),
    ("*", "*"),
    ("`", "`"),
    ("\"", "\""),
    ("“", "”"),
    ("'", "'"),
    ("(", ")"),
    ("", "."),
    ("", "!"),
    ("<answer>", "</answer>"),
    ("\\boxed{", "}"),
    ("$\\boxed{\\text{", "}}$"),
    ("<think>well</think>\n", ""),
    (JSON, ""),
    ("Answer: ", ""),
];

/// Reads the answer to a question for a number, box or colour.
fn read(metric: Metric, ability: &str, target: Target, response: &str) -> Option<Answer> {
    let record = Record {
        ability: ability.to_owned(),
        content: Content {
            target: Some(target),
            ..Content::default()
        },
        response: Some(response.to_owned()),
        ..Record::default()
    };
    judge(&record, metric).1.map(|reading| reading.answer)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn an_options_own_text_reads_as_that_option(
        texts in proptest::collection::hash_set("[A-Za-z][A-Za-z0-9 ,'’()éß日本$%.-]{1,24}", 2..8),
        chosen in any::<proptest::sample::Index>(),
    ) {
        let texts: Vec<String> = texts.into_iter().collect();
        let chosen = chosen.index(texts.len());
        let same = |text: &String| text.trim().to_lowercase() == texts[chosen].trim().to_lowercase();
        prop_assume!(texts.iter().filter(|text| same(text)).count() == 1 && texts[chosen].trim().len() > 1);
        let letter = char::from(b'A' + u8::try_from(chosen).unwrap()).to_string();
        prop_assert_eq!(asked(&texts[chosen], choices(&texts)), Some(Answer::Choice(letter)));
    }

    #[test]
    fn wrappers_do_not_change_a_label(
        wrappers in proptest::collection::vec(proptest::sample::select(&WRAPPERS[..]), 0..3),
        chosen in 0..4_usize,
    ) {
        let texts = ["left", "right", "above", "below"].map(str::to_owned);
        let letter = ["A", "B", "C", "D"][chosen];
        for plain in [letter, &*texts[chosen]] {
            let response = wrappers.iter().fold(plain.to_owned(), |inner, wrapper| wrapped(&inner, *wrapper));
            prop_assert_eq!(asked(&response, choices(&texts)), Some(Answer::Choice(letter.to_owned())), "{}", response);
        }
    }

    #[test]
    fn wrappers_do_not_change_a_number(
        wrapper in proptest::sample::select(&WRAPPERS[..]),
        number in 0..100_000_u32,
    ) {
        let response = wrapped(&number.to_string(), wrapper);
        let read = read(Metric::MaeOverGt, "counting", Target::Number(1.0), &response);
        prop_assert_eq!(read, Some(Answer::Number(f64::from(number))), "{}", response);
    }

    #[test]
    fn wrappers_do_not_change_a_box_or_a_colour(
        wrapper in proptest::sample::select(&WRAPPERS[..]),
        [a, b, c] in [0..200_u8, 0..200_u8, 0..200_u8],
    ) {
        let corners = [f64::from(a), f64::from(b), f64::from(a) + 10.0, f64::from(c) + 300.0];
        let response = wrapped(&format!("{corners:?}"), wrapper);
        prop_assert_eq!(read(Metric::Giou, "localization", Target::Box([0.0, 0.0, 500.0, 500.0]), &response), Some(Answer::Box(corners)), "{}", response);
        let response = wrapped(&format!("[{a}, {b}, {c}]"), wrapper);
        let rgb = [a, b, c].map(f64::from);
        prop_assert_eq!(read(Metric::Ciede2000, "color", Target::Color([0.0; 3]), &response), Some(Answer::Color(rgb)), "{}", response);
    }

    #[test]
    fn digits_and_words_of_numbers_agree(number in 0..10_000_u32) {
        let response = format!("The answer is {}.", in_words(number));
        let read = read(Metric::MaeOverGt, "counting", Target::Number(1.0), &response);
        prop_assert_eq!(read, Some(Answer::Number(f64::from(number))), "{}", response);
    }
}

/// Returns a number in English words.
fn in_words(number: u32) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let behind = |rest: u32, joint: &str| {
        if rest == 0 {
            String::new()
        } else {
            format!("{joint}{}", in_words(rest))
        }
    };
    match number {
        0..20 => SMALL[number as usize].to_owned(),
        20..100 => format!(
            "{}{}",
            TENS[number as usize / 10 - 2],
            behind(number % 10, "-")
        ),
        100..1000 => format!(
            "{} hundred{}",
            SMALL[number as usize / 100],
            behind(number % 100, " and ")
        ),
        _ => format!(
            "{} thousand{}",
            in_words(number / 1000),
            behind(number % 1000, " ")
        ),
    }
}

/// These texts would take long if a rule looked back or ahead without bound.
#[test]
fn hostile_text_is_harmless() {
    let options = choices(&["left", "right", "above", "below"].map(str::to_owned));
    for piece in HOSTILE {
        let response = piece.repeat(4_000 / piece.len());
        for metric in Metric::ALL {
            for choices in [options.clone(), Vec::new()] {
                let record = Record {
                    content: Content {
                        choices,
                        target: Some(Target::Number(1.0)),
                        ..Content::default()
                    },
                    response: Some(response.clone()),
                    ..Record::default()
                };
                let span = judge(&record, metric).1.and_then(|reading| reading.span);
                assert!(
                    span.is_none_or(|span| response.get(span).is_some()),
                    "{piece}"
                );
            }
        }
    }
}

/// Pieces from which malicious texts are built.
const HOSTILE: [&str; 35] = [
    "<",
    "<think>",
    "</think>",
    "<answer>",
    "\\boxed{",
    "{",
    "\"answer\":",
    "\"answer\":[",
    "\"answer\":\"",
    "{\"a\":",
    "[",
    "(",
    "answer is ",
    "Answer: A ",
    "not A, ",
    "A, ",
    "A or ",
    "1",
    "1,",
    "1 000 ",
    "3 cats on a ",
    "1/",
    "10^",
    "-",
    "**",
    "\u{301}",
    "x1: 1, ",
    "#",
    "#fff ",
    "left right ",
    "twenty-",
    "a ",
    "◁",
    "wait, ",
    "\n",
];

/// Limits and prints the time for a megabyte; run by hand in release mode with
/// `--ignored --nocapture`.
#[test]
#[ignore = "measures time"]
fn a_megabyte_takes_little_time() {
    let prose = "Looking at the picture, the cup stands near a plate and 3 spoons; it might be A, but B is closer. ";
    let pieces = HOSTILE.iter().copied().chain([prose]);
    for piece in pieces {
        let response = piece.repeat(
            std::env::var("SIZE").map_or(1_000_000, |size| size.parse().unwrap()) / piece.len(),
        );
        let mut slowest = (Duration::ZERO, Metric::Accuracy, false);
        for metric in Metric::ALL {
            for with in [true, false] {
                let texts = ["left", "right", "above", "below"].map(str::to_owned);
                let record = Record {
                    content: Content {
                        choices: if with { choices(&texts) } else { Vec::new() },
                        target: Some(Target::Text("A".to_owned())),
                        ..Content::default()
                    },
                    response: Some(response.clone()),
                    ..Record::default()
                };
                let start = Instant::now();
                let _ = explain(&record, metric);
                slowest = slowest.max_by((start.elapsed(), metric, with));
            }
        }
        println!(
            "TIME {:>9.1?} {:?} {:?} {:?}",
            slowest.0, piece, slowest.1, slowest.2
        );
        assert!(slowest.0 < Duration::from_secs(30), "{piece:?}");
    }
}

/// Selects the longer of two measured times.
trait Slowest {
    fn max_by(self, other: Self) -> Self;
}

impl Slowest for (Duration, Metric, bool) {
    fn max_by(self, other: Self) -> Self {
        if other.0 > self.0 { other } else { self }
    }
}
