//! Results of one model and data set: aggregates, and details of single samples.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::prediction::Prediction;
use crate::json::{parse, plain, without_mark};
use crate::lm_eval::number;

/// Keys that can contain a verdict.
const CORRECT: [&str; 3] = ["correct", "is_correct", "cascade_correct"];
/// Keys that can contain an extracted answer.
const PARSED: [&str; 2] = ["pred", "predictions"];
/// Numeric members of results that are not scores. The harness's summary also omits them.
const NO_FIGURES: [&str; 4] = ["bp", "sys_len", "ref_len", "type"];
/// Tolerance when a mean is compared with an aggregate in percent. Some evaluators round to two
/// decimals.
const ROUNDING: f64 = 0.006;

/// A parsed results document.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Aggregates as pairs of metric and value, in document order.
    pub figures: Vec<(String, f64)>,
    /// Details by the number of the prediction.
    pub details: BTreeMap<u64, Detail>,
    /// Number of distinct samples; predictions with a higher number are repeats. 0 without details.
    pub samples: u64,
    /// Error message of a failed evaluation.
    pub error: Option<String>,
}

/// Result of one prediction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// Verdict of the evaluator: 1 if right, else 0.
    pub correct: Option<f64>,
    /// Extracted answer, if the entry contains it.
    pub parsed: Option<String>,
    /// Prompt, response and target, as far as the entry contains them.
    pub prediction: Prediction,
}

impl Results {
    /// Parses a results document.
    ///
    /// # Errors
    /// If it is not a JSON object.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let Json::Object(mut members) = parse(without_mark(text), 1)? else {
            return Err("not a JSON object".to_owned());
        };
        let details = members.remove("details").unwrap_or_default();
        let figure = |(name, value): (&String, &Json)| {
            let is_figure = !NO_FIGURES.contains(&name.as_str());
            value
                .as_f64()
                .filter(|_| is_figure)
                .map(|value| (name.clone(), value))
        };
        let mut results = Self {
            figures: members.iter().filter_map(figure).collect(),
            error: members.get("error").map(plain),
            ..Self::default()
        };
        results.add_details(details);
        Ok(results)
    }

    /// Adds details from an object keyed by number, or from a list. An entry of a list can contain
    /// several answers to one sample. Answers are numbered as in the predictions: the first answers
    /// to all samples, then the second answers, and so on.
    fn add_details(&mut self, details: Json) {
        match details {
            Json::Object(members) => {
                let numbered = members.into_iter();
                let numbered = numbered.filter_map(|(key, entry)| Some((key.parse().ok()?, entry)));
                self.details = numbered
                    .map(|(at, entry)| (at, Detail::new(&entry, 0)))
                    .collect();
                self.samples = self.details.len() as u64;
            }
            Json::Array(entries) => {
                self.samples = entries.len() as u64;
                for (at, entry) in (0..).zip(entries) {
                    let answers = entry
                        .get("predictions")
                        .filter(|answers| !answers.is_string());
                    let answers = answers.unwrap_or(&entry);
                    for (repeat, answer) in (0..).zip(separate(answers)) {
                        let at = at + repeat * self.samples;
                        self.details.insert(at, answer);
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the mean of all verdicts; `None` if a prediction has no verdict.
    fn mean(&self) -> Option<f64> {
        let verdicts: Option<Vec<f64>> =
            self.details.values().map(|detail| detail.correct).collect();
        let verdicts = verdicts.filter(|verdicts| !verdicts.is_empty())?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of samples are far below 2^52"
        )]
        let count = verdicts.len() as f64;
        Some(verdicts.iter().sum::<f64>() / count)
    }

    /// Returns the number of a prediction's sample, from 0, and the number of the repeat, from 1.
    pub fn sample(&self, index: u64) -> (u64, f64) {
        if self.samples == 0 || self.details.len() as u64 <= self.samples {
            return (index, 1.0);
        }
        (index % self.samples, float(index / self.samples + 1))
    }

    /// Returns the metric whose aggregate equals the mean of the verdicts.
    pub fn metric(&self) -> Option<&str> {
        let mean = self.mean()?;
        let is_mean =
            |(_, value): &&(String, f64)| is_percent_of(*value, mean) || is_share(*value, mean);
        self.figures
            .iter()
            .find(is_mean)
            .map(|(name, _)| name.as_str())
    }

    /// Converts an aggregate to a fraction of 1. The harness usually writes percent. If the mean of
    /// the verdicts shows that the value is already a fraction, it is unchanged.
    pub fn scaled(&self, metric: &str, value: f64) -> f64 {
        let is_own = self
            .mean()
            .is_some_and(|mean| is_share(value, mean) && !is_percent_of(value, mean));
        if is_own { value } else { scaled(metric, value) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no file holds 2^53 answers")]
const fn float(count: u64) -> f64 {
    count as f64
}

fn is_percent_of(value: f64, mean: f64) -> bool {
    (value - 100.0 * mean).abs() < ROUNDING
}

fn is_share(value: f64, mean: f64) -> bool {
    (value - mean).abs() < ROUNDING / 100.0
}

/// Converts an aggregate in percent to a fraction, if its metric is a share or a mean of shares.
pub fn scaled(metric: &str, value: f64) -> f64 {
    let has = |words: &[&str]| words.iter().any(|word| metric.contains(word));
    let known = record::benchmark::known_metric(metric);
    let is_share =
        has(&["average", "mean", "rate"]) || known.is_some_and(|it| it.range.high <= 1.0);
    if is_share && !has(&["bpb", "ppl"]) {
        value / 100.0
    } else {
        value
    }
}

impl Detail {
    /// Creates the detail of the answer number `at` in an entry. Members of the entry can be lists
    /// with one value per answer.
    fn new(entry: &Json, at: usize) -> Self {
        let of_answer = |key: &&str| {
            let value = entry.get(*key).filter(|value| !value.is_null())?;
            value
                .as_array()
                .map_or(Some(value), |values| values.get(at))
        };
        let first = |keys: &[&str]| keys.iter().find_map(of_answer).cloned();
        let correct = first(&CORRECT).as_ref().and_then(number);
        let response = first(&["origin_prediction"]).filter(|value| !value.is_object());
        let prompt = ["prompt", "origin_prompt"]
            .into_iter()
            .find_map(|key| entry.get(key));
        Self {
            correct,
            parsed: first(&PARSED).as_ref().map(plain),
            prediction: Prediction {
                prompt: prompt.cloned().unwrap_or_default(),
                response: response.as_ref().map(plain),
                target: first(&["references", "answer", "gold"]).unwrap_or_default(),
            },
        }
    }
}

/// Splits the answers in an entry, which are a list of objects, an object of lists, or a single
/// object.
fn separate(answers: &Json) -> Vec<Detail> {
    if let Some(answers) = answers.as_array() {
        return answers
            .iter()
            .map(|answer| Detail::new(answer, 0))
            .collect();
    }
    let list = |key: &&str| answers.get(*key).and_then(Json::as_array).map(Vec::len);
    let count = CORRECT.iter().chain(&PARSED).find_map(list);
    (0..count.unwrap_or(1))
        .map(|at| Detail::new(answers, at))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> Results {
        Results::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn verdicts_are_scores_of_the_metric_whose_mean_they_are() {
        let found = results(
            r#"{"extract_rate": 100.0, "accuracy": 50.0, "details": {"type": "GEN",
               "0": {"predictions": "A", "references": "A", "correct": true},
               "1": {"predictions": "B", "references": "A", "correct": false}}}"#,
        );
        assert_eq!(found.metric(), Some("accuracy"));
        assert_eq!((found.details.len(), found.samples), (2, 2));
        assert_eq!(found.details[&1].parsed.as_deref(), Some("B"));
        assert_eq!(found.scaled("accuracy", 50.0), 0.5);
        assert_eq!(found.scaled("correct_bpb", 50.0), 50.0);
        let other = results(r#"{"accuracy": 40.0, "details": [{"pred": "A", "correct": true}]}"#);
        assert_eq!(other.metric(), None);
    }

    #[test]
    fn repeats_follow_all_first_answers() {
        let found = results(
            r#"{"accuracy (2 runs average)": 75.0, "details": [
               {"example_abbr": "x_0", "predictions": {"pred": ["A", "B"], "correct": [true, false]}},
               {"example_abbr": "x_1", "predictions": [{"pred": "C", "correct": true}, {"correct": true}]}]}"#,
        );
        let verdicts: Vec<_> = found
            .details
            .iter()
            .map(|(at, detail)| (*at, detail.correct))
            .collect();
        let expected = [
            (0, Some(1.0)),
            (1, Some(1.0)),
            (2, Some(0.0)),
            (3, Some(1.0)),
        ];
        assert_eq!(
            (verdicts.as_slice(), found.samples),
            (expected.as_slice(), 2)
        );
        assert_eq!(found.metric(), Some("accuracy (2 runs average)"));
    }

    #[test]
    fn a_fraction_stays_one_if_the_verdicts_say_so() {
        let found = results(r#"{"accuracy": 0.5, "details": [{"correct": 1}, {"correct": 0}]}"#);
        assert_eq!(found.scaled("accuracy", 0.5), 0.5);
        assert_eq!(
            results(r#"{"accuracy": 0.5}"#).scaled("accuracy", 0.5),
            0.005
        );
    }
}
