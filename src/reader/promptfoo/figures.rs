//! Figures that promptfoo computed for each provider and prompt.

use std::path::Path;

use serde_json::Value as Json;

use super::row::label;
use crate::run_folder::harness_figure;
use record::PublishedScore;

/// Share of passed tests; failed requests count as failed tests.
const PASS_RATE: &str = "pass_rate";
/// Counts of passed, failed and erroneous tests.
const COUNTS: [&str; 3] = ["testPassCount", "testFailCount", "testErrorCount"];

/// Returns the figures of one provider and prompt: pass rate and named metrics.
pub fn figures(prompt: &Json, log: &Path) -> Vec<PublishedScore> {
    let text = |key: &str| prompt.get(key).and_then(Json::as_str).unwrap_or_default();
    let empty = Json::Null;
    let metrics = prompt.get("metrics").unwrap_or(&empty);
    let count = |key: &str| metrics.get(key).and_then(Json::as_u64).unwrap_or_default();
    let total: u64 = COUNTS.into_iter().map(count).fold(0, u64::saturating_add);
    let model = text("provider");
    let figure = |metric: &str, score: f64, n: u64| PublishedScore {
        split: Some(match label(text("label")) {
            label if label.is_empty() => PublishedScore::HARNESS.to_owned(),
            label => format!("{}, {label}", PublishedScore::HARNESS),
        }),
        metric: metric.to_owned(),
        higher_is_better: Some(true),
        score,
        n,
        ..harness_figure(log, model)
    };
    let mut found = Vec::new();
    if model.is_empty() {
        return found;
    }
    if total > 0 {
        found.push(figure(PASS_RATE, share(count(COUNTS[0]), total), total));
    }
    let named = metrics.get("namedScores").and_then(Json::as_object);
    for (name, sum) in named.into_iter().flatten() {
        let part = |key: &str| metrics.get(key)?.get(name);
        let count = part("namedScoresCount").and_then(Json::as_u64);
        // Sums are weighted in versions that also state the weights.
        let weight = part("namedScoreWeights").and_then(Json::as_f64);
        let weight = weight.or_else(|| part("namedScoresCount")?.as_f64());
        let value = sum.as_f64().map(|sum| sum / weight.unwrap_or(1.0));
        if let Some(value) = value.filter(|value| value.is_finite()) {
            found.push(figure(name, value, count.unwrap_or_default()));
        }
    }
    found
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of tests are far smaller"
)]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
