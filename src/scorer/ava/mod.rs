//! Reimplements the nine evaluators of AVA-Bench (`tinyllava/eval/<ability>/`), one rule for each
//! ability.
//!
//! Abilities without an evaluator are scored by the strict rules, with texts compared as a whole. A
//! missing response counts as an empty one.

mod contractions;
pub(super) mod normalise;
mod options;
mod quantities;
mod regions;

use std::borrow::Cow;

pub(super) use normalise::{normalised, without_marks};

use super::{Answer, Outcome, Reading, python, similarity, strict};
use record::benchmark::Metric;
use record::{Record, Target};

/// Scores a record by the evaluator of its ability, and returns the answer that was read.
pub(super) fn judge(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let response = record.response.as_deref().unwrap_or_default();
    let target = target_text(record);
    let target = target.as_deref();
    let by_option = |same: fn(&str, &str) -> bool| match target {
        Some(target) => judged(response, same(response, target)),
        None => Outcome::left_out(),
    };
    let (outcome, reading) = match record.ability.as_str() {
        "absolute_depth" => quantities::depth(response, target),
        "counting" => quantities::count(response, target),
        "color" => regions::color(response, target),
        "localization" => regions::bounding_box(response, target),
        "action_recognition" => {
            let reading = options::read_action(response).or_else(|| read_text(response));
            (by_option(options::same_action), reading)
        }
        "ocr" => {
            let outcome = target.map(|target| score_text(response, target));
            (
                outcome.unwrap_or_else(Outcome::left_out),
                read_text(response),
            )
        }
        "relative_depth" => {
            let same = |a: &str, b: &str| normalise::vqa(a) == normalise::vqa(b);
            (by_option(same), read_text(response))
        }
        "spatial" => (by_option(options::same_place), read_text(response)),
        "fine_grained" => (by_option(options::share_token), read_text(response)),
        _ => return strict::judge_literally(record, metric),
    };
    let outcome = match (record.ability.as_str(), metric) {
        // If depth or counting is scored by accuracy, the second score is used.
        ("absolute_depth" | "counting", Metric::Accuracy) => Outcome {
            score: outcome.second,
            second: None,
            ..outcome
        },
        _ => outcome,
    };
    (outcome, reading)
}

/// Creates a right or wrong outcome; an empty response is always marked as unreadable.
fn judged(response: &str, right: bool) -> Outcome {
    Outcome::judged(right).with_invalid(python::strip(response).is_empty())
}

/// Computes ANLS as the harness does (`ocr/eval.py`).
fn score_text(response: &str, target: &str) -> Outcome {
    Outcome::scored(similarity::anls_harness(response, target))
        .with_invalid(python::strip(response).is_empty())
}

/// Returns the whole response as the answer, without surrounding white space.
fn read_text(response: &str) -> Option<Reading> {
    let text = python::strip(response);
    let start = response.find(text).filter(|_| !text.is_empty())?;
    Some(Reading::at(
        Answer::Text(text.to_owned()),
        start..start + text.len(),
    ))
}

/// Returns the target as text, as written in the file.
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
