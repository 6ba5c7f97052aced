//! One answer judged: by which metric, with which score, right or wrong, and what was read.

use std::borrow::Cow;

use super::{
    BoxScale, Outcome, Reading, answer_lists, ava, choice_matching, grounding, math_vista,
    readings, stored, strict,
};
use benchmark::{Metric, Right, SCORE, metric_of};
use limits::Limit;
use record::{Readings, Record, Rule, Scoring};

/// What one rule makes of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement<'a> {
    /// Name of the metric of the score.
    pub metric: Cow<'a, str>,
    /// Score, second score, and whether the answer could be read.
    pub outcome: Outcome,
    /// The threshold from which the score is that of a right answer.
    pub from: Right,
    /// Right or wrong; `None` for an answer without a score.
    pub right: Option<bool>,
}

impl<'a> Judgement<'a> {
    fn new(ability: &str, metric: Cow<'a, str>, outcome: Outcome) -> Self {
        let from = Right::of(ability, &metric);
        let number = |score: Option<f64>| score.unwrap_or(f64::NAN);
        Self {
            right: if outcome.below {
                from.judge_below(number(outcome.score), number(outcome.second))
            } else {
                from.judge(number(outcome.score), number(outcome.second))
            },
            metric,
            outcome,
            from,
        }
    }
}

/// What both rules make of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The rule of the harness that wrote the log.
    pub harness: Judgement<'a>,
    /// Eyechart's own rule.
    pub strict: Judgement<'a>,
    /// How what they read compares, where they score differently.
    pub readings: Readings,
    /// What the numbers of a box were taken for by Eyechart's own rule, where nothing states it.
    pub box_scale: Option<BoxScale>,
    /// Both rules judge the answer; else only the log knows its score, or it has none.
    pub compared: bool,
}

/// Judges an answer by both rules. The score that the log carries counts as that of its harness.
#[must_use]
pub fn judge(record: &Record) -> Judged<'_> {
    let metrics = Metrics::of(record);
    if is_fixed(record) {
        let judgement = Judgement::new(&record.ability, metrics.name, fixed(record));
        return Judged {
            strict: judgement.clone(),
            harness: judgement,
            readings: Readings::Alike,
            box_scale: None,
            compared: false,
        };
    }
    let looked_at = looked_at(record);
    let record = &*looked_at;
    let (by_harness, read) = apply(record, record.rule, metrics.harness);
    let (strictly, read_strictly) = answer_lists::judge_strictly(record, metrics.strict);
    let counted = Outcome {
        score: record.stored.map_or(by_harness.score, finite),
        ..by_harness
    };
    let steps = read_strictly.as_ref().map(|reading| &*reading.steps);
    let box_scale = steps.and_then(BoxScale::of);
    let alike = counted.score == strictly.score && counted.invalid == strictly.invalid;
    let readings = if alike {
        Readings::Alike
    } else {
        readings::compare(record, read, read_strictly)
    };
    let unknown = record.rule == Rule::Stored
        && record.stored.is_none()
        && !stored::is_silent(record.response.as_deref());
    Judged {
        harness: Judgement::new(&record.ability, metrics.name, counted),
        strict: Judgement::new(&record.ability, metrics.strict.name().into(), strictly),
        readings,
        box_scale,
        compared: !unknown,
    }
}

/// Judges an answer to which no score of the log belongs, because it was given anew or because its target is
/// another: by the rule of the log's harness, or by Eyechart's own where nothing but its scores is known of that
/// rule. Gives also what was read.
#[must_use]
pub fn judge_anew(record: &Record, scoring: Scoring) -> (Judgement<'_>, Option<Reading>) {
    let metrics = Metrics::of(record);
    let (rule, metric) = match (scoring, record.rule) {
        (_, Rule::Precomputed) => (Rule::Precomputed, metrics.harness),
        (Scoring::Harness, Rule::Stored) => (Rule::Strict, metrics.harness),
        (Scoring::Harness, rule) => (rule, metrics.harness),
        (Scoring::Strict, _) => (Rule::Strict, metrics.strict),
    };
    let (outcome, reading) = apply(&looked_at(record), rule, metric);
    (
        Judgement::new(&record.ability, metric.name().into(), outcome),
        reading,
    )
}

/// What a rule reads in a response; `None` when it cannot read it.
#[must_use]
pub fn read(record: &Record, scoring: Scoring) -> Option<Reading> {
    let metrics = Metrics::of(record);
    let looked_at = looked_at(record);
    let record = &*looked_at;
    match scoring {
        Scoring::Harness => apply(record, record.rule, metrics.harness).1,
        Scoring::Strict => answer_lists::judge_strictly(record, metrics.strict).1,
    }
}

/// What Eyechart's own rules read in a response.
///
/// # Errors
/// Why they could not read it.
pub fn explain_strictly(record: &Record) -> Result<Reading, strict::Unread> {
    strict::explain(&looked_at(record), Metrics::of(record).strict)
}

/// Returns true if the model says in words that it will not or cannot answer, where it should answer: "I'm sorry, I
/// can't help with that".
#[must_use]
pub fn refuses(response: &str) -> bool {
    let length = response.floor_char_boundary(Limit::Scored.length());
    strict::refuses(response.get(..length).unwrap_or(response))
}

/// Returns true if rules look at the beginning of the answer alone, as it is longer than [`Limit::Scored`].
#[must_use]
pub fn is_cut(record: &Record) -> bool {
    let texts = [&record.response, &record.parsed];
    let mut lengths = texts.into_iter().flatten().map(String::len);
    lengths.any(|length| length > Limit::Scored.length())
}

/// The record as rules look at it: regular expressions over a huge answer take seconds.
pub(super) fn looked_at(record: &Record) -> Cow<'_, Record> {
    if !is_cut(record) {
        return Cow::Borrowed(record);
    }
    let mut short = record.clone();
    for text in [&mut short.response, &mut short.parsed]
        .into_iter()
        .flatten()
    {
        text.truncate(text.floor_char_boundary(Limit::Scored.length()));
    }
    Cow::Owned(short)
}

/// By which metrics an answer is judged.
struct Metrics<'a> {
    /// Name of the harness's metric, which may be one of its own.
    name: Cow<'a, str>,
    /// What the harness's metric comes to; the ability's where it is not known.
    harness: Metric,
    strict: Metric,
}

impl<'a> Metrics<'a> {
    fn of(record: &'a Record) -> Self {
        let ability = metric_of(&record.ability, &record.content);
        let own = match record.rule {
            Rule::BoxIou => Metric::Iou,
            _ => ability,
        };
        // A score that nobody names is a score of nothing in particular, whatever the ability is measured by.
        let is_unnamed = record.rule == Rule::Unstated && record.stored.is_some();
        let usual = if is_unnamed { SCORE } else { own.name() };
        let name = record.metric.as_deref().unwrap_or(usual);
        let harness = Metric::from_name(name).unwrap_or(own);
        Self {
            name: name.into(),
            harness,
            strict: match record.rule {
                // What the task calls right or wrong is judged as right or wrong.
                Rule::Stored | Rule::Precomputed => harness,
                Rule::Unstated if record.stored.is_some() => harness,
                _ => ability,
            },
        }
    }
}

/// Returns true if the score of the log counts under both rules.
fn is_fixed(record: &Record) -> bool {
    match record.rule {
        Rule::Precomputed => true,
        Rule::Unstated => record.stored.is_some(),
        _ => false,
    }
}

/// The score of the log; the answer is unreadable when the model or the harness says nothing.
fn fixed(record: &Record) -> Outcome {
    Outcome {
        score: record.stored.and_then(finite),
        ..stored::outcome(record)
    }
}

/// A score of the log; `NaN` is none.
fn finite(score: f64) -> Option<f64> {
    (!score.is_nan()).then_some(score)
}

/// What a rule makes of a response, and what it reads in it.
fn apply(record: &Record, rule: Rule, metric: Metric) -> (Outcome, Option<Reading>) {
    match rule {
        Rule::Unstated | Rule::Strict => answer_lists::judge_strictly(record, metric),
        Rule::ChoiceMatching => choice_matching::judge(record),
        Rule::BoxCentroid => grounding::judge_centroid(record),
        Rule::BoxIou => grounding::judge_iou(record),
        Rule::AvaBench => ava::judge(record, metric),
        Rule::Contained | Rule::VqaAccuracy | Rule::Relaxed | Rule::Anls | Rule::SameText => {
            answer_lists::judge(record, rule)
        }
        Rule::MathVista => math_vista::judge(record),
        Rule::Stored | Rule::Precomputed => (stored::outcome(record), stored::read(record)),
    }
}
