//! Runs all checks, and collects the samples that they flag.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::parts::{Part, Parts};
use super::result::{Check, CheckResult, Outcome, Refusal};
use super::words::plain;
use super::{SampleContent, blind, cues, labels, twins};
use crate::{ItemClass, ItemStatistics, Selection, item_statistics};
use record::verdict::Verdict;
use record::{ItemId, Table};

/// Minimum number of models for the checks of difficulty and discrimination.
const MIN_ALIKE: usize = 3;

/// Sample flagged by at least one check.
#[derive(Clone, Debug, PartialEq)]
pub struct FlaggedSample {
    /// Code of the sample in the table.
    pub sample: u32,
    /// First item of the sample.
    pub item: ItemId,
    /// Id of the sample in the log.
    pub sample_id: String,
    /// Benchmark that the sample belongs to.
    pub benchmark: String,
    /// Ability that the sample belongs to.
    pub ability: String,
    /// Split of the data set; empty without splits.
    pub split: String,
    /// Checks that flag the sample, each with the reason.
    pub reasons: Vec<(Check, String)>,
}

impl FlaggedSample {
    /// Returns true if the sample should be left out of the benchmark.
    pub fn is_faulty(&self) -> bool {
        self.reasons.iter().any(|(check, _)| check.is_fault())
    }
}

/// Runs all checks.
pub fn results(selection: Selection<'_>, parts: &Parts<'_>) -> Vec<CheckResult> {
    let twins = twins::Twins::new(parts);
    let mut found = blind::results(parts, &twins);
    found.extend(by_models(selection, parts));
    found.extend(twins.results(parts));
    found.extend(cues::results(parts));
    found.extend(labels::results(parts));
    found.extend(ambiguous(selection, parts, &twins));
    let order: Vec<(&str, &str)> = parts.all.iter().map(Part::name).collect();
    found.sort_by_key(|result| {
        let name = (result.benchmark.as_str(), result.ability.as_str());
        (order.iter().position(|known| *known == name), result.check)
    });
    found
}

impl Part<'_> {
    fn name(&self) -> (&str, &str) {
        (&self.benchmark, &self.ability)
    }

    /// Returns a result without a finding, to be filled in.
    pub(super) fn result(&self, check: Check) -> CheckResult {
        CheckResult {
            benchmark: self.benchmark.clone(),
            ability: self.ability.clone(),
            check,
            outcome: Outcome::Clear,
            n: self.subjects.len(),
            models: 0,
            evidence: String::new(),
            p_value: None,
            samples: Vec::new(),
        }
    }

    /// Returns the result of a check that was not run, with the reason.
    pub(super) fn refused(&self, check: Check, why: Refusal) -> CheckResult {
        CheckResult {
            outcome: Outcome::Refused(why),
            ..self.result(check)
        }
    }
}

/// Returns the samples that any check flags.
pub fn flagged(table: &Table, parts: &Parts<'_>, results: &[CheckResult]) -> Vec<FlaggedSample> {
    let mut reasons: BTreeMap<u32, Vec<(Check, String)>> = BTreeMap::new();
    for result in results {
        for (sample, why) in &result.samples {
            let of_sample = reasons.entry(*sample).or_default();
            of_sample.push((result.check, why.clone()));
        }
    }
    let subjects = parts.all.iter();
    let subjects = subjects.flat_map(|part| part.subjects.iter().map(move |it| (part, it)));
    let mut found: Vec<FlaggedSample> = subjects
        .filter_map(|(part, subject)| {
            Some(FlaggedSample {
                sample: subject.sample,
                item: subject.item,
                sample_id: subject.id.clone(),
                benchmark: part.benchmark.clone(),
                ability: part.ability.clone(),
                split: table.split(subject.item).to_owned(),
                reasons: reasons.remove(&subject.sample)?,
            })
        })
        .collect();
    found.sort_by_key(|it| it.sample);
    found
}

/// Checks difficulty and discrimination of single samples.
fn by_models(selection: Selection<'_>, parts: &Parts<'_>) -> Vec<CheckResult> {
    let statistics = item_statistics(selection);
    let by_sample: HashMap<u32, &ItemStatistics> =
        statistics.iter().map(|it| (it.sample, it)).collect();
    let kinds = [
        (Check::AllRight, ItemClass::EverybodyRight),
        (Check::AllWrong, ItemClass::NobodyRight),
        (Check::Reversed, ItemClass::Reversed),
    ];
    let results = |part: &Part<'_>| {
        let models = part.models();
        let known = part.subjects.iter();
        let known = known.filter_map(|it| by_sample.get(&it.sample).copied());
        let known: Vec<&ItemStatistics> =
            known.filter(|it| it.models >= MIN_ALIKE as u64).collect();
        kinds.map(|(check, class)| {
            if models < MIN_ALIKE {
                return part.refused(check, Refusal::FewModels(MIN_ALIKE));
            }
            let named = known.iter().filter(|it| it.class() == class);
            let samples: Vec<(u32, String)> = named.map(|it| (it.sample, why(it, check))).collect();
            CheckResult {
                n: known.len(),
                models,
                outcome: Outcome::of(!samples.is_empty()),
                samples,
                ..part.result(check)
            }
        })
    };
    parts.all.iter().flat_map(results).collect()
}

/// Returns the reason why a check of difficulty or discrimination flags a sample.
fn why(item: &ItemStatistics, check: Check) -> String {
    match check {
        Check::Reversed => format!(
            "discrimination {:.2} over {} models",
            item.discrimination.unwrap_or(f64::NAN),
            item.models
        ),
        Check::AllRight => format!("all {} models are right", item.models),
        _ => format!("all {} models are wrong", item.models),
    }
}

/// Flags samples with a verdict, with two equal right options, or with a repeat that has another
/// target.
fn ambiguous(
    selection: Selection<'_>,
    parts: &Parts<'_>,
    twins: &twins::Twins,
) -> Vec<CheckResult> {
    let verdicts = selection.table.verdicts();
    let contradicted: BTreeSet<u32> = twins.contradicted(parts).into_iter().collect();
    let result = |part: &Part<'_>| {
        let mut samples = Vec::new();
        for subject in &part.subjects {
            let verdict = verdicts.get(subject.item.0 as usize).copied();
            let is_judged = verdict.is_some_and(|set| set & Verdict::Ambiguous.bit() != 0);
            let is_twice = subject.content.is_some_and(|content| {
                let right = content.right.and_then(|at| content.options.get(at));
                let right = right.map(|right| plain(right)).filter(|it| !it.is_empty());
                let options = content.options.iter();
                right.is_some_and(|right| options.filter(|it| plain(it) == right).count() > 1)
            });
            let why = if is_judged {
                "verdict: ambiguous"
            } else if is_twice {
                "the right option occurs twice"
            } else if contradicted.contains(&subject.sample) {
                "the same question and picture have another target elsewhere"
            } else {
                continue;
            };
            samples.push((subject.sample, why.to_owned()));
        }
        let has_text = |it: &SampleContent| !(it.question.is_empty() && it.options.is_empty());
        let is_readable = part
            .subjects
            .iter()
            .any(|it| it.content.is_some_and(has_text));
        if samples.is_empty() && !is_readable {
            return part.refused(Check::Ambiguous, Refusal::NoQuestions);
        }
        CheckResult {
            outcome: Outcome::of(!samples.is_empty()),
            samples,
            ..part.result(Check::Ambiguous)
        }
    };
    parts.all.iter().map(result).collect()
}
