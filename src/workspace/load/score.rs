//! Scores records by their own rule and by Eyechart's rule.

use super::size::{Frames, sized};
use base::limits::Limit;
use reader::Unit;
use reader::own::NOBODY;
use record::benchmark::FILTERED;
use record::{
    BELOW_TARGET, INVALID, NAMED_METRIC, NO_TARGET, Record, Rule, STRICT_INVALID, Scoring,
    UNANSWERED, UNCOMPARED, ZERO_ERRORS, is_repeated,
};
use scorer::BoxScale;

/// Scores of a prediction, as stored in the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Score under the harness's rule; `NaN` if excluded from the mean.
    pub score: f64,
    /// Score under Eyechart's own rule.
    pub strict: f64,
    /// Second score under the harness's rule.
    pub second: f64,
    /// Second score under Eyechart's own rule.
    pub strict_second: f64,
    /// Errors under both rules if the target is 0; otherwise `NaN`.
    pub zero_errors: [f64; 2],
    /// Bit flags of the prediction.
    pub flags: u16,
    /// Scoring rule of the log's harness.
    pub rule: Rule,
    /// Scale with which a box was read, if the log does not state it.
    pub box_scale: Option<BoxScale>,
}

impl Scores {
    /// Creates scores from a score in the log, which is used under both rules. The log also states
    /// the metric.
    pub const fn given(score: f64, flags: u16) -> Self {
        Self {
            score,
            strict: score,
            second: f64::NAN,
            strict_second: f64::NAN,
            zero_errors: [f64::NAN; 2],
            flags: flags | UNCOMPARED | NAMED_METRIC,
            rule: Rule::Unstated,
            box_scale: None,
        }
    }

    /// Returns further scores: those in the log, and absolute errors for a target of 0.
    pub fn other_scores(self, logged: &[(String, f64)]) -> impl Iterator<Item = (&str, f64)> {
        let logged = logged.iter().map(|(name, score)| (name.as_str(), *score));
        let errors = ZERO_ERRORS.into_iter().zip(self.zero_errors);
        logged.chain(errors.filter(|(_, error)| !error.is_nan()))
    }
}

/// Returns a warning if rules read only a part of the record, or if its target is not an option.
pub fn doubt(record: &Record, scores: Scores) -> Option<String> {
    let is_judged = record.rule != Rule::Precomputed
        && !(record.rule == Rule::Unstated && record.stored.is_some());
    if is_judged && scorer::is_cut(record) {
        return Some(format!(
            "{}: only its beginning is scored",
            Limit::Scored.message()
        ));
    }
    let asked = &record.content;
    let is_choice = asked.target.is_some() && !asked.choices.is_empty();
    (is_choice && scores.flags & NO_TARGET != 0)
        .then(|| "its target is not among its options: it has no score".to_owned())
}

/// Returns the flag if it is set, else 0.
pub fn flag(is_set: bool, flag: u16) -> u16 {
    if is_set { flag } else { 0 }
}

/// Returns a record's scores, and the metrics of the score under both rules.
pub fn score_sized(record: &Record, unit: &Unit) -> (Scores, [String; 2]) {
    let frames = Frames {
        roots: &unit.image_roots,
        scales: Some(&unit.box_scales),
    };
    let sized = sized(record, frames);
    let (scores, metrics) = score(&sized);
    (scores, metrics.map(String::from))
}

fn score(record: &Record) -> (Scores, [std::borrow::Cow<'_, str>; 2]) {
    let mut judged = scorer::judge(record);
    // The harness has scored the same answers with a second filter. Use a metric of its own under
    // both rules, so that answers are not counted twice.
    if let Some((_, filter)) = record
        .metric
        .as_ref()
        .and_then(|name| name.split_once(FILTERED))
    {
        judged.strict.metric = format!("{}{FILTERED}{filter}", judged.strict.metric).into();
    }
    let (harness, strict) = (judged.harness.outcome, judged.strict.outcome);
    let number = |score: Option<f64>| score.unwrap_or(f64::NAN);
    let scores = Scores {
        score: number(harness.score),
        strict: number(strict.score),
        second: number(harness.second),
        strict_second: number(strict.second),
        zero_errors: [harness.error, strict.error].map(number),
        flags: flag(harness.invalid, INVALID)
            | flag(strict.invalid, STRICT_INVALID)
            | flag(!judged.compared, UNCOMPARED)
            | flag(harness.below || strict.below, BELOW_TARGET)
            | flag(harness.no_target && strict.no_target, NO_TARGET)
            | flag(is_unanswered(record), UNANSWERED)
            | flag(record.metric.is_some(), NAMED_METRIC)
            | judged.readings.flag(),
        rule: record.rule,
        box_scale: judged.box_scale,
    };
    (scores, [judged.harness.metric, judged.strict.metric])
}

/// Returns true if the model gave no answer: the response is empty, or there is neither a response
/// nor other output. An empty list of detections is an answer.
fn is_unanswered(record: &Record) -> bool {
    if record.detections.is_some() {
        return record.model == NOBODY;
    }
    if let Some(response) = &record.response {
        return response.trim().is_empty();
    }
    let is_scored = record.stored.is_some_and(|score| !score.is_nan());
    !is_scored && (record.masks.is_none() || record.model == NOBODY)
}

/// Returns a hash of the parsed answer of a repeat. Equal answers have equal hashes. 0 if the
/// record is not a repeat, or the answer is unreadable.
pub fn repeated_answer(record: &Record) -> u32 {
    if !is_repeated(&record.condition) {
        return 0;
    }
    let read = || scorer::read(record, Scoring::Harness).map(|reading| reading.answer.to_string());
    let Some(answer) = record.parsed.clone().or_else(read) else {
        return 0;
    };
    let hash = blake3::hash(answer.trim().to_lowercase().as_bytes());
    let [a, b, c, d, ..] = *hash.as_bytes();
    u32::from_le_bytes([a, b, c, d]).max(1)
}
