//! Adds up the results of the rules by ability and model.

use std::collections::HashMap;

use super::ranking::{Ranking, ability_of};
use super::{AbilityRules, RuleResult, RuleScore, differs};
use crate::text::Fetcher;
use analysis::Correctness;
use record::{Ability, AbilityId, ModelId, Row, Table};
use scorer::rules::{COUNT, Question, RULES};

/// Maximum difference between scores that count as equal.
const EQUAL: f64 = 1e-12;

/// Sums of one rule over some predictions.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    n: u64,
    read: u64,
    differs: u64,
    score: f64,
    /// Number of predictions on samples that all ranked models answered.
    common: u64,
    common_score: f64,
}

impl Sums {
    fn with(self, other: Self) -> Self {
        Self {
            n: self.n + other.n,
            read: self.read + other.read,
            differs: self.differs + other.differs,
            score: self.score + other.score,
            common: self.common + other.common,
            common_score: self.common_score + other.common_score,
        }
    }
}

/// Sums by ability and model, and the first predictions on which a rule and the log disagree.
#[derive(Default)]
pub struct Tally {
    most: usize,
    sums: HashMap<(AbilityId, ModelId), Box<[Sums; COUNT]>>,
    /// Numbers of predictions that rules can score, and cannot score.
    asked: HashMap<AbilityId, (u64, u64)>,
    /// Number of right answers under the log's own rule, on common samples.
    right: HashMap<(AbilityId, ModelId), u64>,
    examples: HashMap<(AbilityId, usize), Vec<Row>>,
}

impl Tally {
    /// Creates an empty tally that keeps at most `most` examples per rule.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    /// Applies the rules to some predictions.
    pub fn add(
        &mut self,
        table: &Table,
        rows: &[Row],
        ranking: &Ranking<'_>,
        correct: &Correctness<'_>,
    ) {
        let mut texts = Fetcher::new(table);
        for row in rows {
            let ability = ability_of(table, *row);
            let (asked, others) = self.asked.entry(ability).or_default();
            let record = texts.record(*row).ok();
            let Some(question) = record.as_ref().and_then(Question::of) else {
                *others += 1;
                continue;
            };
            *asked += 1;
            let sums = self.sums.entry((ability, table.model(*row))).or_default();
            let common = ranking.common[table.item(*row).0 as usize];
            if common && correct.is_right(*row) == Some(true) {
                *self.right.entry((ability, table.model(*row))).or_default() += 1;
            }
            for (place, (rule, sums)) in RULES.iter().zip(sums.iter_mut()).enumerate() {
                let Some(mark) = rule.mark(&question) else {
                    continue;
                };
                let differs = differs(&mark, correct.is_right(*row));
                *sums = sums.with(Sums {
                    n: 1,
                    read: u64::from(mark.answer.is_some()),
                    differs: u64::from(differs),
                    score: mark.score,
                    common: u64::from(common),
                    common_score: if common { mark.score } else { 0.0 },
                });
                let examples = self.examples.entry((ability, place)).or_default();
                if differs && examples.len() < self.most {
                    examples.push(*row);
                }
            }
        }
    }

    /// Adds the sums of another tally.
    pub fn with(mut self, other: Self) -> Self {
        for (key, more) in other.sums {
            let sums = self.sums.entry(key).or_default();
            for (sums, more) in sums.iter_mut().zip(*more) {
                *sums = sums.with(more);
            }
        }
        for (ability, (asked, others)) in other.asked {
            let known = self.asked.entry(ability).or_default();
            *known = (known.0 + asked, known.1 + others);
        }
        for (key, more) in other.right {
            *self.right.entry(key).or_default() += more;
        }
        for (key, more) in other.examples {
            let examples = self.examples.entry(key).or_default();
            examples.extend(more);
            examples.sort_unstable();
            examples.truncate(self.most);
        }
        self
    }

    /// Returns the results for each ability.
    pub fn results(self, table: &Table, ranking: &Ranking<'_>) -> Vec<AbilityRules> {
        let results = ranking.models.iter().filter_map(|(ability, models)| {
            let Ability { benchmark, name } = table.names().ability(*ability)?;
            let (n, others) = self.asked.get(ability).copied().unwrap_or_default();
            let right = |model| {
                let right = self.right.get(&(*ability, model));
                right.copied().unwrap_or_default()
            };
            let rules = 0..RULES.len();
            let rules = rules.filter_map(|place| self.result(table, *ability, models, place));
            Some(AbilityRules {
                benchmark: benchmark.clone(),
                ability: name.clone(),
                n,
                others,
                first: ranking.first(*ability, right),
                rules: rules.collect(),
            })
        });
        results.collect()
    }

    /// Returns the results of the rule with index `place`; `None` if the rule applies to no answer.
    fn result(
        &self,
        table: &Table,
        ability: AbilityId,
        models: &[(ModelId, Option<u32>)],
        place: usize,
    ) -> Option<RuleResult> {
        let rule = &RULES[place];
        let sums = |model: ModelId| {
            let sums = self.sums.get(&(ability, model));
            sums.map_or_else(Sums::default, |sums| sums[place])
        };
        let all = (models.iter()).fold(Sums::default(), |all, (model, _)| all.with(sums(*model)));
        if all.n == 0 {
            return None;
        }
        let compared: Vec<f64> = (models.iter())
            .filter(|(_, rank)| rank.is_some())
            .filter_map(|(model, _)| mean(sums(*model).common_score, sums(*model).common))
            .collect();
        let score = |(model, rank): &(ModelId, Option<u32>)| {
            let sums = sums(*model);
            let own = mean(sums.common_score, sums.common).filter(|_| rank.is_some());
            let better = |own: f64| {
                compared
                    .iter()
                    .filter(|other| **other > own + EQUAL)
                    .count()
            };
            RuleScore {
                model: table.names().model(*model).to_owned(),
                n: sums.n,
                read: sums.read,
                score: mean(sums.score, sums.n),
                rank: own.and_then(|own| u32::try_from(better(own) + 1).ok()),
            }
        };
        let examples = self.examples.get(&(ability, place));
        Some(RuleResult {
            rule: rule.name,
            words: rule.words,
            source: rule.source,
            n: all.n,
            read: all.read,
            differs: all.differs,
            models: models.iter().map(score).collect(),
            examples: examples.cloned().unwrap_or_default(),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn mean(sum: f64, n: u64) -> Option<f64> {
    (n > 0).then(|| sum / n as f64)
}
