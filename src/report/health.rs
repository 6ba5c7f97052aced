//! The document of `eyechart health`: whether a benchmark is sound, and which samples are not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::columns::{Columns, with_split};
use super::{Document, Grid, html};
use analysis::health::{Check, CheckResult, FlaggedSample, Health, Outcome, Power};
use analysis::{SPLIT, Subset};
use base::format::{compact, counted, fixed, probability};
use record::Names;
use workspace::filter::{all_of, filter_for_samples, is, tag_key};

/// Maximum number of rank changes and abilities on one screen.
const MOST: usize = 6;

/// Soundness of the open benchmarks.
#[derive(Clone, Debug)]
pub struct HealthReport {
    /// Results of all checks.
    pub found: Health,
    /// Names of models, benchmarks and abilities.
    pub names: Names,
    /// Names of all splits in the table; empty without splits.
    pub splits: Vec<String>,
}

/// Results of one check over all abilities.
struct CheckSummary<'a> {
    check: Check,
    results: Vec<&'a CheckResult>,
}

impl<'a> CheckSummary<'a> {
    fn made(&self) -> impl Iterator<Item = &&'a CheckResult> {
        let results = self.results.iter();
        results.filter(|it| !matches!(it.outcome, Outcome::Refused(_)))
    }

    /// Returns the sum of a count over the checks that were made; `None` if none was.
    fn total(&self, count: impl Fn(&CheckResult) -> usize) -> Option<u64> {
        let counts = self.made().map(|it| count(it) as u64);
        counts.reduce(|all, count| all + count)
    }

    fn outcome(&self) -> String {
        let found = self
            .made()
            .filter(|it| it.outcome == Outcome::Found)
            .count();
        let made = self.made().count();
        match (found, made) {
            (_, 0) => "refused".to_owned(),
            (0, _) => "nothing found".to_owned(),
            (found, made) => format!("found in {found} of {}", abilities(made)),
        }
    }

    /// Returns the evidence of the ability with the most listed samples, or why the check was
    /// refused.
    fn evidence(&self) -> String {
        let found = self.made().filter(|it| it.outcome == Outcome::Found);
        let most = found.max_by_key(|it| it.samples.len());
        let made = self.made().count();
        match most {
            Some(most) if most.evidence.is_empty() => String::new(),
            Some(most) if made > 1 => format!("{}: {}", most.ability, most.evidence),
            Some(most) => most.evidence.clone(),
            None => {
                let reasons: BTreeSet<String> =
                    self.results.iter().filter_map(|it| reason(it)).collect();
                reasons.into_iter().collect::<Vec<_>>().join("; ")
            }
        }
    }
}

fn abilities(count: usize) -> String {
    if count == 1 {
        "1 ability".to_owned()
    } else {
        format!("{count} abilities")
    }
}

fn reason(result: &CheckResult) -> Option<String> {
    match result.outcome {
        Outcome::Refused(why) => Some(why.to_string()),
        Outcome::Found | Outcome::Clear => None,
    }
}

impl HealthReport {
    /// Returns the faulty samples with their reasons, in a form that the filter `ids:FILE` reads.
    pub fn faults(&self) -> impl Iterator<Item = Json> {
        let flagged = self.found.flagged.iter();
        flagged.filter(|it| it.is_faulty()).map(flagged_sample)
    }

    fn sentences(&self) -> Vec<String> {
        let found = &self.found;
        let (faulty, all) = (found.faulty(), found.sound.len() + found.faulty());
        let mut lines = vec![format!(
            "{} of {} {} a fault.",
            faulty,
            counted(all as u64, "sample"),
            if faulty == 1 || all == 1 {
                "has"
            } else {
                "have"
            }
        )];
        let others = found.flagged.iter().filter(|it| !it.is_faulty()).count();
        if others > 0 {
            lines.push(format!(
                "{} more {} flagged but not faulty: all models are right or all are wrong, or the \
                 picture is nearly the same as another.",
                compact(others as u64),
                if others == 1 { "is" } else { "are" }
            ));
        }
        // With one model there is no ranking.
        let is_ranked = found.powers.iter().any(|power| power.models > 1);
        if faulty > 0 && is_ranked {
            lines.push(match found.changes.len() {
                0 => "Without the faulty samples, the order of the models is the same.".to_owned(),
                count => format!(
                    "Without the faulty samples, {} about ranks no longer {}.",
                    counted(count as u64, "statement"),
                    if count == 1 { "holds" } else { "hold" }
                ),
            });
        }
        lines
    }

    fn summaries(&self) -> Vec<CheckSummary<'_>> {
        let summary = |check| CheckSummary {
            check,
            results: self
                .found
                .checks
                .iter()
                .filter(|it| it.check == check)
                .collect(),
        };
        Check::ALL.into_iter().map(summary).collect()
    }

    fn changes(&self) -> Vec<(&str, String)> {
        let changes = self.found.changes.iter();
        changes.map(|it| (it.benchmark(), it.to_string())).collect()
    }

    fn abilities(&self) -> Columns<'_, Power> {
        Columns::<Power>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .metric(|it| &it.metric, |it| it.direction)
            .count("models", |it| it.models as u64)
            .count("n", |it| it.n as u64)
            .fixed("smallest detectable", 3, |it| it.detectable)
            .words("enough for the order>", |it| {
                let subset = self.subset(it);
                subset.map_or_else(String::new, |subset| {
                    format!("{} of {}", subset.chosen.len(), subset.of)
                })
            })
    }

    /// Returns the subset of sound samples that keeps the order of an ability's models.
    fn subset(&self, power: &Power) -> Option<&Subset> {
        let mut subsets = self.found.subsets.iter();
        subsets.find(|it| {
            it.benchmark == power.benchmark && it.ability == power.ability && it.tau.is_ok()
        })
    }

    /// Returns a filter that selects the samples of a result; `None` if there are none or too many.
    fn filter(&self, result: &CheckResult) -> Option<String> {
        let codes: BTreeSet<u32> = result.samples.iter().map(|(sample, _)| *sample).collect();
        let flagged = self
            .found
            .flagged
            .iter()
            .filter(|it| codes.contains(&it.sample));
        let mut splits: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for sample in flagged {
            let ids = splits.entry(&sample.split).or_default();
            ids.insert(&sample.sample_id);
        }
        if splits.is_empty() {
            return None;
        }
        let known = self.names.abilities.values().iter();
        let all = |name: &dyn Fn(&record::Ability) -> String| -> Vec<String> {
            known.clone().map(name).collect()
        };
        let terms = vec![
            is(
                "benchmark",
                &result.benchmark,
                &all(&|it| it.benchmark.clone()),
            ),
            is("ability", &result.ability, &all(&|it| it.name.clone())),
        ];
        let key = tag_key(SPLIT);
        let of_split = |(split, ids): (&&str, &BTreeSet<&str>)| {
            let split = match *split {
                "" if self.splits.is_empty() => None,
                "" => Some(format!("not {key}~.")),
                split => Some(is(&key, split, &self.splits)),
            };
            Some(all_of(
                split.into_iter().collect(),
                &filter_for_samples(ids)?,
            ))
        };
        let samples: Option<Vec<String>> = splits.iter().map(of_split).collect();
        Some(all_of(terms, &samples?.join(" or ")))
    }

    fn flagged_grid(&self) -> Grid {
        Columns::<FlaggedSample>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .words("sample", |it| {
                let split = Some(it.split.as_str()).filter(|split| !split.is_empty());
                with_split(&it.sample_id, split)
            })
            .text("fault", |it| if it.is_faulty() { "yes" } else { "no" })
            .words("reasons", |it| {
                let reasons = it.reasons.iter();
                let reasons = reasons.map(|(check, why)| format!("{}: {why}", check.words()));
                reasons.collect::<Vec<_>>().join("; ")
            })
            .grid("Flagged samples", &self.found.flagged)
    }

    fn check_grid(&self) -> Grid {
        Columns::<CheckResult>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("check", |it| it.check.words())
            .text("result", |it| it.outcome.name())
            .count("samples", |it| {
                reason(it).is_none().then_some(it.samples.len() as u64)
            })
            .count("of", |it| reason(it).is_none().then_some(it.n as u64))
            .count("models", |it| (it.models > 0).then_some(it.models as u64))
            .words("p>", |it| it.p_value.map_or_else(String::new, probability))
            .words("evidence", |it| {
                reason(it).unwrap_or_else(|| it.evidence.clone())
            })
            .grid("Checks", &self.found.checks)
    }
}

impl Document for HealthReport {
    fn preface(&self) -> Vec<String> {
        let mut lines = self.sentences();
        lines.push(format!(
            "At most {} of the samples that a check names are expected to be false findings. \
             Smallest detectable: the difference that a paired test of two models finds with 80 % power.",
            fixed(Some(analysis::health::FALSE_FINDINGS), 2)
        ));
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        let changes = Columns::<(&str, String)>::new()
            .text("benchmark", |it| it.0)
            .text("without faulty samples", |it| &it.1)
            .grid("Rank changes", self.changes());
        let mut grids = vec![
            self.check_grid(),
            self.abilities().grid("Abilities", &self.found.powers),
        ];
        grids.extend((!changes.rows.is_empty()).then_some(changes));
        grids.push(self.flagged_grid());
        grids
    }

    fn csv_grid(&self) -> Option<Grid> {
        Some(self.flagged_grid())
    }

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let mut lines = self.sentences();
        let changes = self.changes();
        lines.extend(
            changes
                .iter()
                .take(MOST)
                .map(|(_, change)| format!("  {change}")),
        );
        if changes.len() > MOST || self.found.powers.len() > MOST {
            lines.push("--long prints everything.".to_owned());
        }
        if self.found.faulty() > 0 {
            let lists = "--faults FILE writes the faulty samples; the filter ids:FILE opens them.";
            lines.push(lists.to_owned());
        }
        let checks = Columns::<CheckSummary<'_>>::new()
            .text("check", |it| it.check.words())
            .words("result", CheckSummary::outcome)
            .count("samples", |it| it.total(|result| result.samples.len()))
            .count("of", |it| it.total(|result| result.n))
            .count("models", |it| {
                let models = it.made().map(|result| result.models as u64).max();
                models.filter(|models| *models > 0)
            })
            .words("evidence", CheckSummary::evidence)
            .grid("", self.summaries());
        let powers = self.found.powers.iter().take(MOST);
        (lines, vec![checks, self.abilities().grid("", powers)])
    }

    fn page(&self) -> html::Page {
        html::Page::of_grids("Eyechart: health", &self.preface(), &self.grids())
    }

    fn json(&self) -> Json {
        let found = &self.found;
        let checks: Vec<Json> = found.checks.iter().map(|it| self.check(it)).collect();
        let abilities: Vec<Json> = found.powers.iter().map(|it| self.ability(it)).collect();
        let changes = self.changes().into_iter();
        let changes =
            changes.map(|(benchmark, what)| json!({"benchmark": benchmark, "what": what}));
        json!({
            "schema": "eyechart.health/1", "samples": found.sound.len() + found.faulty(),
            "faulty": found.faulty(), "q": analysis::health::FALSE_FINDINGS, "checks": checks,
            "abilities": abilities, "rank_changes": changes.collect::<Vec<Json>>(),
            "flagged": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.found.flagged.iter().map(flagged_sample).collect()
    }
}

impl HealthReport {
    fn check(&self, result: &CheckResult) -> Json {
        json!({
            "benchmark": result.benchmark, "ability": result.ability, "check": result.check.name(),
            "outcome": result.outcome.name(), "reason": reason(result), "n": result.n,
            "models": result.models, "samples": result.samples.len(), "p_value": result.p_value,
            "evidence": Some(&result.evidence).filter(|it| !it.is_empty()),
            "filter": self.filter(result),
        })
    }

    fn ability(&self, power: &Power) -> Json {
        let subset = self.subset(power);
        json!({
            "benchmark": power.benchmark, "ability": power.ability, "metric": power.metric,
            "direction": power.direction.name(), "n": power.n, "models": power.models,
            "detectable": power.detectable, "sound": subset.map(|it| it.of),
            "enough": subset.map(|it| it.chosen.len()),
        })
    }
}

fn flagged_sample(sample: &FlaggedSample) -> Json {
    let reasons = sample.reasons.iter();
    let reasons = reasons.map(|(check, why)| json!({"check": check.name(), "why": why}));
    json!({
        "sample_id": sample.sample_id, "benchmark": sample.benchmark, "ability": sample.ability,
        "split": Some(&sample.split).filter(|split| !split.is_empty()),
        "fault": sample.is_faulty(), "reasons": reasons.collect::<Vec<Json>>(),
    })
}
