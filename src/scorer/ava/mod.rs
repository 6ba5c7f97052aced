//! The nine evaluators of AVA-Bench (`tinyllava/eval/<ability>/`), one rule per ability.
//!
//! Abilities without an evaluator there fall back to the strict rules. A missing response is an empty one.

mod contractions;
mod normalise;
mod options;
mod quantities;
mod regions;

use std::borrow::Cow;

use super::{Answer, Outcome, Reading, python, similarity, strict};
use benchmark::Metric;
use record::{Record, Target};

/// The score of the evaluator of the record's ability.
pub(super) fn score(record: &Record, metric: Metric) -> Outcome {
    let judge = match record.ability.as_str() {
        "absolute_depth" => quantities::score_depth,
        "counting" => quantities::score_count,
        "color" => regions::score_color,
        "localization" => regions::score_box,
        "relative_depth" => |response: &str, target: &str| {
            judged(response, normalise::vqa(response) == normalise::vqa(target))
        },
        "ocr" => score_text,
        "spatial" => {
            |response: &str, target: &str| judged(response, options::same_place(response, target))
        }
        "fine_grained" => {
            |response: &str, target: &str| judged(response, options::share_token(response, target))
        }
        "action_recognition" => {
            |response: &str, target: &str| judged(response, options::same_action(response, target))
        }
        _ => return strict::score(record, metric),
    };
    let Some(target) = target_text(record) else {
        return Outcome::left_out();
    };
    let outcome = judge(response(record), &target);
    match (record.ability.as_str(), metric) {
        // Depth and counting asked for as right or wrong: the second score is the one wanted.
        ("absolute_depth" | "counting", Metric::Accuracy) => Outcome {
            score: outcome.second,
            second: None,
            ..outcome
        },
        _ => outcome,
    }
}

/// What the evaluator of the record's ability reads.
pub(super) fn read(record: &Record, metric: Metric) -> Option<Reading> {
    let response = response(record);
    match record.ability.as_str() {
        "absolute_depth" => quantities::read_depth(response),
        "counting" => quantities::read_count(response),
        "color" => regions::read_color(response),
        "localization" => regions::read_box(response),
        "action_recognition" => options::read_action(response).or_else(|| read_text(response)),
        "relative_depth" | "ocr" | "spatial" | "fine_grained" => read_text(response),
        _ => strict::read(record, metric),
    }
}

/// Right or wrong; an empty response is unreadable, whatever the rule makes of it.
fn judged(response: &str, right: bool) -> Outcome {
    Outcome::judged(right).with_invalid(python::strip(response).is_empty())
}

/// ANLS of the harness (`ocr/eval.py`).
fn score_text(response: &str, target: &str) -> Outcome {
    Outcome::scored(similarity::anls_harness(response, target))
        .with_invalid(python::strip(response).is_empty())
}

/// The whole response without surrounding white space.
fn read_text(response: &str) -> Option<Reading> {
    let text = python::strip(response);
    let start = response.find(text).filter(|_| !text.is_empty())?;
    Some(Reading::at(
        Answer::Text(text.to_owned()),
        start..start + text.len(),
    ))
}

/// The response, empty when there is none.
fn response(record: &Record) -> &str {
    record.response.as_deref().unwrap_or_default()
}

/// The ground truth as its file has it; other kinds of target in the same notation.
fn target_text(record: &Record) -> Option<Cow<'_, str>> {
    Some(match record.content.target.as_ref()? {
        Target::Text(text) => Cow::Borrowed(text.as_str()),
        Target::Number(number) => Cow::Owned(number.to_string()),
        Target::Box(numbers) => Cow::Owned(format!("{numbers:?}")),
        Target::Color(numbers) => Cow::Owned(format!("{numbers:?}")),
    })
}

#[cfg(test)]
mod tests;
