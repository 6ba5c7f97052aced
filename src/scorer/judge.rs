//! Judges an answer: its metric, score, right or wrong, and the answer that was read.

use std::borrow::Cow;

use super::{
    BoxScale, Outcome, Reading, answer_lists, ava, choice_matching, grounding, math_vista,
    readings, rules, stored, strict,
};
use base::limits::Limit;
use record::benchmark::{Metric, RightThreshold, SCORE, metric_of};
use record::{ReadingComparison, Record, Rule, Scoring};

/// Judgement of one answer by one scoring rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement<'a> {
    /// Metric of the score, by its name in the log if there is one.
    pub metric: Cow<'a, str>,
    /// Score, second score, and whether the answer could be read.
    pub outcome: Outcome,
    /// Threshold at which the score counts as right.
    pub from: RightThreshold,
    /// Whether the answer is right; `None` without a score.
    pub right: Option<bool>,
}

impl<'a> Judgement<'a> {
    fn new(ability: &str, metric: Cow<'a, str>, outcome: Outcome) -> Self {
        let from = RightThreshold::of(ability, &metric);
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

/// Judgements of one answer by both rules.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgementPair<'a> {
    /// Judgement by the rule of the harness that wrote the log.
    pub harness: Judgement<'a>,
    /// Judgement by Eyechart's own rule.
    pub strict: Judgement<'a>,
    /// Comparison of the answers that the rules read, if the rules score differently.
    pub readings: ReadingComparison,
    /// Evidence for the unit that Eyechart's own rule assumed for the numbers of a box; `None` if
    /// it assumed no unit.
    pub box_scale: Option<BoxScale>,
    /// True if both rules judge the answer; false if only the log has a score, or if no score
    /// exists.
    pub compared: bool,
}

/// Judges an answer by both rules. A score in the log counts as the harness's score.
pub fn judge(record: &Record) -> JudgementPair<'_> {
    let metrics = Metrics::of(record);
    if is_fixed(record) {
        let judgement = Judgement::new(&record.ability, metrics.name, fixed(record));
        return JudgementPair {
            strict: judgement.clone(),
            harness: judgement,
            readings: ReadingComparison::Alike,
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
        invalid: by_harness.invalid || is_unread(record),
        ..by_harness
    };
    let steps = read_strictly.as_ref().map(|reading| &*reading.steps);
    let box_scale = steps.and_then(BoxScale::of);
    let alike = counted.score == strictly.score && by_harness.invalid == strictly.invalid;
    let readings = if alike {
        ReadingComparison::Alike
    } else {
        readings::compare(record, read, read_strictly)
    };
    let unknown = record.rule == Rule::Stored
        && record.stored.is_none()
        && !stored::is_silent(record.response.as_deref());
    JudgementPair {
        harness: Judgement::new(&record.ability, metrics.name, counted),
        strict: Judgement::new(&record.ability, metrics.strict.name().into(), strictly),
        readings,
        box_scale,
        compared: !unknown,
    }
}

/// Judges an answer without the log's score, for a new answer or a changed target. Uses the rule of
/// the log's harness; if the log only contains its scores, uses Eyechart's own rule. Also returns
/// the answer that was read.
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

/// Reads the answer in a response by a scoring rule; `None` if it cannot be read.
pub fn read(record: &Record, scoring: Scoring) -> Option<Reading> {
    let metrics = Metrics::of(record);
    let looked_at = looked_at(record);
    let record = &*looked_at;
    match scoring {
        Scoring::Harness => apply(record, record.rule, metrics.harness).1,
        Scoring::Strict => answer_lists::judge_strictly(record, metrics.strict).1,
    }
}

/// Reads the answer in a response by Eyechart's own rules.
///
/// # Errors
/// Fails if the answer cannot be read; the error holds the reason.
pub fn explain_strictly(record: &Record) -> Result<Reading, strict::ReadFailure> {
    strict::explain(&looked_at(record), Metrics::of(record).strict)
}

/// Returns true if the response is a refusal: "I'm sorry, I can't help with that".
pub fn refuses(response: &str) -> bool {
    let length = response.floor_char_boundary(Limit::Scored.length());
    strict::refuses(response.get(..length).unwrap_or(response))
}

/// Returns true if the response, after its thinking, states that its answer is uncertain: "it might
/// be a dog", "I am not sure".
pub fn hedges(response: &str) -> bool {
    let length = response.floor_char_boundary(Limit::Scored.length());
    strict::hedges(response.get(..length).unwrap_or(response))
}

/// Returns true if the answer is longer than [`Limit::Scored`], so that rules read only its
/// beginning.
pub fn is_cut(record: &Record) -> bool {
    let texts = [&record.response, &record.parsed];
    let mut lengths = texts.into_iter().flatten().map(String::len);
    lengths.any(|length| length > Limit::Scored.length())
}

/// Returns the record with answer and question cut to [`Limit::Scored`], because regular
/// expressions over a huge text take seconds.
pub(super) fn looked_at(record: &Record) -> Cow<'_, Record> {
    let most = Limit::Scored.length();
    if !is_cut(record) && record.content.question.len() <= most {
        return Cow::Borrowed(record);
    }
    let mut short = record.clone();
    let Record {
        response,
        parsed,
        content,
        ..
    } = &mut short;
    let answers = response.iter_mut().chain(parsed);
    for text in answers.chain([&mut content.question]) {
        text.truncate(text.floor_char_boundary(most));
    }
    Cow::Owned(short)
}

/// Metrics for judging an answer.
struct Metrics<'a> {
    /// Name of the harness's metric, which may be unknown to Eyechart.
    name: Cow<'a, str>,
    /// Known metric with this name; the ability's metric if the name is unknown.
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
        // An unnamed score gets the general name instead of the ability's metric.
        let is_unnamed = record.rule == Rule::Unstated && record.stored.is_some();
        let usual = if is_unnamed { SCORE } else { own.name() };
        let name = record.metric.as_deref().unwrap_or(usual);
        let harness = Metric::from_name(name).unwrap_or(own);
        Self {
            name: name.into(),
            harness,
            strict: match record.rule {
                // Scores computed by the task itself use the same metric under both rules.
                Rule::Stored | Rule::Precomputed => harness,
                Rule::Unstated if record.stored.is_some() => harness,
                _ => ability,
            },
        }
    }
}

/// Returns true if both rules use the log's score.
fn is_fixed(record: &Record) -> bool {
    match record.rule {
        Rule::Precomputed => true,
        Rule::Unstated => record.stored.is_some(),
        _ => false,
    }
}

/// Returns true if a rerun or an exam marked the answer as refused, cut or unreadable.
fn is_unread(record: &Record) -> bool {
    record.origin.is_some() && stored::is_silent(record.parsed.as_deref())
}

/// Returns the log's score; the answer is unreadable if the response or the parsed answer is empty.
fn fixed(record: &Record) -> Outcome {
    Outcome {
        score: record.stored.and_then(finite),
        ..stored::outcome(record)
    }
}

/// Returns a score from the log; `None` for `NaN`.
fn finite(score: f64) -> Option<f64> {
    (!score.is_nan()).then_some(score)
}

/// Applies a rule to a response; returns the outcome and the answer that was read.
fn apply(record: &Record, rule: Rule, metric: Metric) -> (Outcome, Option<Reading>) {
    match rule {
        Rule::Unstated | Rule::Strict => answer_lists::judge_strictly(record, metric),
        Rule::ChoiceMatching => choice_matching::judge(record),
        Rule::BoxCentroid => grounding::judge_centroid(record),
        Rule::BoxIou => grounding::judge_iou(record),
        Rule::AvaBench => ava::judge(record, metric),
        Rule::Contained
        | Rule::VqaAccuracy
        | Rule::TableVqaAccuracy
        | Rule::Relaxed
        | Rule::Anls
        | Rule::SameText => answer_lists::judge(record, rule),
        Rule::MathVista => math_vista::judge(record),
        Rule::Pope | Rule::Mme | Rule::ScienceQa | Rule::Gqa | Rule::Mmmu => {
            rules::official::judge(record, rule)
        }
        Rule::Stored | Rule::Precomputed => (stored::outcome(record), stored::read(record)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_huge_texts_only_the_beginning_is_read() {
        let most = Limit::Scored.length();
        let long = "é".repeat(most);
        let mut record = Record {
            response: Some(long.clone()),
            ..Record::default()
        };
        record.content.question = long;
        let short = looked_at(&record);
        assert!((most - 1..=most).contains(&short.content.question.len()));
        assert!(
            short
                .response
                .as_ref()
                .is_some_and(|text| text.len() <= most)
        );
        record.response = None;
        assert!(!is_cut(&record), "no answer is cut");
        assert!(looked_at(&record).content.question.len() <= most);
    }
}
