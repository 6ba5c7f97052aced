//! Eyechart's own rules, alike for every log: what an answer is, and what it scores.
//!
//! The table at the end of the benchmark notes in words: an option is the last standalone letter, a number the
//! last number, a box or colour the last list of the right length, a text the response itself. Unreadable answers
//! score 0 (`GIoU` -1), or stay out of the mean where a metric has no worst value.

mod lists;
mod number_words;
mod numbers;
mod options;
mod text;
mod whole_word;

use std::borrow::Cow;

use super::{Answer, Outcome, Reading, boxes, color, similarity};
use benchmark::{AnswerForm, Metric};
use record::{Choice, Content, Record, Target};

/// The score under `metric`, and the answer in the form that it compares.
pub(super) fn judge(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let options = options_for(record, metric);
    let reading = read(record, metric, &options);
    let answer = reading.as_ref().map(|reading| &reading.answer);
    let outcome = match metric {
        Metric::Accuracy => accuracy(record, &options, answer),
        Metric::Anls => anls(record, answer),
        Metric::MaeOverGt => mae_over_gt(record, answer),
        Metric::Giou | Metric::Iou | Metric::Centroid => overlap(record, metric, answer),
        Metric::Ciede2000 => color_difference(record, answer),
    };
    let outcome = outcome.unwrap_or_else(Outcome::left_out);
    (outcome.with_invalid(answer.is_none()), reading)
}

/// The answer to a sample with these options.
fn read(record: &Record, metric: Metric, options: &[Choice]) -> Option<Reading> {
    let response = record.response.as_deref()?;
    match form(record, metric, options) {
        AnswerForm::Choice => options::read(response, options),
        AnswerForm::Number => numbers::read(response),
        AnswerForm::Box => lists::read_box(response),
        AnswerForm::Color => lists::read_color(response),
        AnswerForm::Text => text::read(response),
    }
}

/// The options that answers are judged by; none for metrics that compare something else.
fn options_for(record: &Record, metric: Metric) -> Cow<'_, [Choice]> {
    match metric {
        Metric::Accuracy => options::of(&record.content),
        _ => Cow::Borrowed(&[]),
    }
}

/// The options of a sample, listed or in the lines of its question.
pub(super) fn options_of(content: &Content) -> Cow<'_, [Choice]> {
    options::of(content)
}

/// The form of answer: that of the metric, but a number where right or wrong is asked of one.
fn form(record: &Record, metric: Metric, options: &[Choice]) -> AnswerForm {
    let number = matches!(record.content.target, Some(Target::Number(_)));
    match AnswerForm::of(metric, !options.is_empty()) {
        AnswerForm::Text if metric == Metric::Accuracy && number => AnswerForm::Number,
        form => form,
    }
}

/// The target box, in its own units; `None` when the target is none.
pub(super) fn target_box(record: &Record) -> Option<[f64; 4]> {
    match record.content.target.as_ref()? {
        Target::Box(corners) => Some(*corners),
        Target::Text(text) => match lists::read_box(text)?.answer {
            Answer::Box(corners) => Some(corners),
            _ => None,
        },
        Target::Number(_) | Target::Color(_) => None,
    }
}

/// 1 for the right option, number (within 1e-9 of its size) or text (case apart), else 0.
fn accuracy(record: &Record, options: &[Choice], answer: Option<&Answer>) -> Option<Outcome> {
    let target = record.content.target.as_ref()?;
    let right = match form(record, Metric::Accuracy, options) {
        AnswerForm::Choice => {
            let option = options::named_by(target, options)?;
            matches!(answer, Some(Answer::Choice(letter)) if *letter == option.letter)
        }
        AnswerForm::Number => {
            let expected = target_number(target)?;
            matches!(answer, Some(Answer::Number(number)) if numbers::equal(*number, expected))
        }
        _ => {
            let expected = target_text(target)?;
            matches!(answer, Some(Answer::Text(text)) if text.to_lowercase() == expected.to_lowercase())
        }
    };
    Some(Outcome::judged(right))
}

/// The paper's ANLS.
fn anls(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_text(record.content.target.as_ref()?)?;
    Some(Outcome::scored(match answer {
        Some(Answer::Text(text)) => similarity::anls_strict(text, &expected),
        _ => 0.0,
    }))
}

/// |p - g| / g, left out for g = 0; for counts and distances right or wrong beside it.
fn mae_over_gt(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_number(record.content.target.as_ref()?)?;
    let (outcome, right) = match answer {
        Some(Answer::Number(number)) => (
            Outcome::scored((number - expected).abs() / expected.abs()),
            match record.ability.as_str() {
                // Distances are right to the metre, as in AVA-Bench's evaluator.
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

/// `GIoU` or centroid containment with `IoU` beside it, or `IoU` alone.
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

/// `CIEDE2000`.
fn color_difference(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let target = match record.content.target.as_ref()? {
        Target::Color(rgb) => Some(*rgb),
        Target::Text(text) => match lists::read_color(text)?.answer {
            Answer::Color(rgb) => Some(rgb),
            _ => None,
        },
        Target::Number(_) | Target::Box(_) => None,
    }?;
    match answer {
        Some(Answer::Color(rgb)) => Some(Outcome::scored(color::ciede2000(*rgb, target))),
        _ => None,
    }
}

/// The target as a number, read like an answer.
fn target_number(target: &Target) -> Option<f64> {
    match target {
        Target::Number(number) => Some(*number),
        Target::Text(text) => match numbers::read(text)?.answer {
            Answer::Number(number) => Some(number),
            _ => None,
        },
        Target::Box(_) | Target::Color(_) => None,
    }
}

/// The target as a text, cleaned like an answer; one that cleaning would empty stays as it is.
fn target_text(target: &Target) -> Option<Cow<'_, str>> {
    match target {
        Target::Text(text) => {
            let bare = text::bare(text);
            Some(Cow::Borrowed(if bare.is_empty() { text } else { bare }))
        }
        Target::Number(number) => Some(Cow::Owned(number.to_string())),
        Target::Box(_) | Target::Color(_) => None,
    }
}

#[cfg(test)]
mod tests;
