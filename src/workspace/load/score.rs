//! Scores a record by its own rule and by Eyechart's.

use super::size::{Frames, sized};
use benchmark::FILTERED;
use limits::Limit;
use reader::Unit;
use record::{
    BELOW_TARGET, INVALID, NAMED_METRIC, NO_TARGET, REPEAT, Record, Rule, STRICT_INVALID, Scoring,
    UNANSWERED, UNCOMPARED, ZERO_ERRORS,
};
use scorer::BoxScale;

/// The numbers that the table keeps of a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Score as the harness scores; `NaN`: left out.
    pub score: f64,
    /// Score by Eyechart's own rules.
    pub strict: f64,
    /// Second score, as the harness scores.
    pub second: f64,
    /// Second score by Eyechart's own rules.
    pub strict_second: f64,
    /// The errors by both rules where the target is 0, else `NaN`.
    pub zero_errors: [f64; 2],
    /// Flags of the prediction.
    pub flags: u16,
    /// How the writer of the log scores it.
    pub rule: Rule,
    /// What the numbers of a box were taken for, where nothing states it.
    pub box_scale: Option<BoxScale>,
}

impl Scores {
    /// A score of the log that counts under every rule, with a metric that the log names.
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

    /// The further scores: those of the log, and the errors where the target is 0.
    pub fn beside(self, logged: &[(String, f64)]) -> impl Iterator<Item = (&str, f64)> {
        let logged = logged.iter().map(|(name, score)| (name.as_str(), *score));
        let errors = ZERO_ERRORS.into_iter().zip(self.zero_errors);
        logged.chain(errors.filter(|(_, error)| !error.is_nan()))
    }
}

/// What is said of a record with these scores of which rules see a part, or whose target is none of its options; one
/// sentence.
pub fn doubt(record: &Record, scores: Scores) -> Option<String> {
    let is_judged = record.rule != Rule::Precomputed
        && !(record.rule == Rule::Unstated && record.stored.is_some());
    if is_judged && scorer::is_cut(record) {
        return Some(format!(
            "{}: rules look at its beginning",
            Limit::Scored.message()
        ));
    }
    let asked = &record.content;
    let is_choice = asked.target.is_some() && !asked.choices.is_empty();
    (is_choice && scores.flags & NO_TARGET != 0)
        .then(|| "its target is none of its options: it has no score".to_owned())
}

/// A flag where it is set.
pub fn flag(is_set: bool, flag: u16) -> u16 {
    if is_set { flag } else { 0 }
}

/// A record's scores, and the metrics of the score under both rules.
#[must_use]
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
    // A further filter of the harness reads the same answers again: by no rule does it count twice.
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

/// Returns true if the model gave no answer: the response is empty, or there is neither a response nor anything else that
/// came of it.
fn is_unanswered(record: &Record) -> bool {
    if let Some(response) = &record.response {
        response.trim().is_empty()
    } else {
        let is_scored = record.stored.is_some_and(|score| !score.is_nan());
        !is_scored && record.detections.is_none() && record.masks.is_none()
    }
}

/// A hash of what was read in an answer that is one of several repeats, alike for answers that say the same; 0 where
/// there is one answer, or nothing was read in it.
pub fn repeated_answer(record: &Record) -> u32 {
    if !record.condition.contains_key(REPEAT) {
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
