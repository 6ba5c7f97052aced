//! Scores an answer by each metric.

use std::borrow::Cow;

use super::{
    form, number_kind, numbers, options, read_color, read_number, sets, target_box, wrapping,
    yes_no,
};
use crate::{Answer, Outcome, boxes, color, similarity};
use record::benchmark::{AnswerForm, Metric};
use record::{Choice, Record, Target};

/// Scores an answer; `None` if the sample has no target that the metric can compare.
pub(super) fn score(
    record: &Record,
    metric: Metric,
    options: &[Choice],
    answer: Option<&Answer>,
) -> Option<Outcome> {
    match metric {
        Metric::Accuracy => accuracy(record, options, answer),
        Metric::Anls => anls(record, answer),
        Metric::MaeOverGt => mae_over_gt(record, answer),
        Metric::Giou | Metric::Iou | Metric::Centroid => overlap(record, metric, answer),
        Metric::Ciede2000 => color_difference(record, answer),
    }
}

/// Scores 1 for the right option, number (up to a relative difference of 1e-9) or text (ignoring
/// case), else 0.
fn accuracy(record: &Record, options: &[Choice], answer: Option<&Answer>) -> Option<Outcome> {
    let target = record.content.target.as_ref()?;
    let right = match form(record, Metric::Accuracy, options) {
        AnswerForm::Choice if let Some(key) = super::key_of(record, options) => {
            let chosen = match answer {
                Some(Answer::Choice(letters)) => sets::parse(options, letters),
                _ => Vec::new(),
            };
            return Some(of_sets(&chosen, &key));
        }
        AnswerForm::Choice => {
            let option = options::named_by(target, options)?;
            matches!(answer, Some(Answer::Choice(letter)) if *letter == option.letter)
        }
        AnswerForm::Number => {
            let expected = target_number(record, target)?;
            matches!(answer, Some(Answer::Number(number)) if numbers::equal(*number, expected))
        }
        _ => {
            let expected = target_text(target).filter(|text| !text.trim().is_empty())?;
            let alike = |text: &str| text.to_lowercase() == expected.to_lowercase();
            let meant = yes_no::of_text(&expected);
            matches!(answer, Some(Answer::Text(text)) if alike(text) || meant.is_some() && yes_no::of_text(text) == meant)
        }
    };
    Some(Outcome::judged(right))
}

/// Scores 1 if the two sets of options are equal; the second score is their Jaccard index.
fn of_sets(chosen: &[usize], key: &[usize]) -> Outcome {
    let both = chosen.iter().filter(|option| key.contains(option)).count();
    let either = chosen.len() + key.len() - both;
    let count = |options: usize| f64::from(u32::try_from(options).unwrap_or(u32::MAX));
    Outcome::judged(both == either).with_second(count(both) / count(either))
}

/// Scores ANLS as in the paper.
fn anls(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_text(record.content.target.as_ref()?)?;
    Some(Outcome::scored(match answer {
        Some(Answer::Text(text)) => similarity::anls_strict(text, &expected),
        _ => 0.0,
    }))
}

/// Scores |p - g| / g, left out for g = 0. For counts and distances, the second score is right or
/// wrong.
fn mae_over_gt(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_number(record, record.content.target.as_ref()?)?;
    let (outcome, right) = match answer {
        Some(Answer::Number(number)) => (
            Outcome::relative_error(*number, expected),
            match record.ability.as_str() {
                // Distances are right if they are equal when rounded to metres, as in AVA-Bench's
                // evaluator.
                "absolute_depth" => {
                    numbers::equal(number.round_ties_even(), expected.round_ties_even())
                }
                _ => numbers::equal(*number, expected),
            },
        ),
        _ => (Outcome::unreadable(None, None), false),
    };
    Some(match record.ability.as_str() {
        "absolute_depth" | "counting" => outcome.with_second(f64::from(u8::from(right))),
        _ => outcome,
    })
}

/// Scores `GIoU` or centroid containment with `IoU` as the second score, or `IoU` alone.
fn overlap(record: &Record, metric: Metric, answer: Option<&Answer>) -> Option<Outcome> {
    let target = boxes::ordered(target_box(record)?);
    let prediction = match answer {
        Some(Answer::Box(corners)) => Some(*corners),
        _ => None,
    };
    let iou = prediction.map_or(0.0, |corners| boxes::iou(corners, target));
    Some(match metric {
        Metric::Giou => {
            Outcome::scored(prediction.map_or(-1.0, |corners| boxes::giou(corners, target)))
                .with_second(iou)
        }
        Metric::Centroid => {
            let right = prediction.is_some_and(|corners| boxes::centre_within(corners, target));
            Outcome::judged(right).with_second(iou)
        }
        _ => Outcome::scored(iou),
    })
}

/// Scores the `CIEDE2000` difference.
fn color_difference(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let target = match record.content.target.as_ref()? {
        Target::Color(rgb) => Some(*rgb),
        Target::Text(text) => match read_color(text, "").ok()?.answer {
            Answer::Color(rgb) => Some(rgb),
            _ => None,
        },
        Target::Number(_) | Target::Box(_) => None,
    }?;
    Some(match answer {
        Some(Answer::Color(rgb)) => Outcome::scored(color::ciede2000(*rgb, target)),
        _ => Outcome::unreadable(None, None),
    })
}

/// Returns the target as a number, read like an answer.
fn target_number(record: &Record, target: &Target) -> Option<f64> {
    match target {
        Target::Number(number) => Some(*number),
        Target::Text(text) => match read_number(text, &number_kind(record)).ok()?.answer {
            Answer::Number(number) => Some(number),
            _ => None,
        },
        Target::Box(_) | Target::Color(_) => None,
    }
}

/// Returns the target as text, cleaned like an answer; unchanged if nothing would remain.
fn target_text(target: &Target) -> Option<Cow<'_, str>> {
    match target {
        Target::Text(text) => Some(wrapping::expected(text)),
        Target::Number(number) => Some(Cow::Owned(number.to_string())),
        Target::Box(_) | Target::Color(_) => None,
    }
}
