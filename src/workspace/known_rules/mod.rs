//! Scores every model under every public rule, from the texts of its answers.
//!
//! Texts are read log by log, and only sums are kept in memory.

mod ranking;
mod tally;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use super::text::Fetcher;
use analysis::{Correctness, Depth, Origin, Selection, scores};
use base::format::{counted, fixed};
use ranking::Ranking;
use record::{Row, Scoring, Table};
use scorer::rules::{KnownRule, Question, RuleOutcome};
use tally::Tally;

/// Number of predictions whose texts are read at once.
const AT_ONCE: usize = 4_096;

/// Results of the public rules in an ability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AbilityRules {
    /// Benchmark of the ability.
    pub benchmark: String,
    /// Ability, without its benchmark.
    pub ability: String,
    /// Number of predictions that public rules can score. Such a prediction has a text, and its
    /// target is an option, a word, a number or a text.
    pub n: u64,
    /// Number of predictions that public rules cannot score.
    pub others: u64,
    /// Models ranked first under the log's own rule. If its metric is an error, the models with the
    /// most right answers.
    pub first: Vec<String>,
    /// Results of the applicable rules.
    pub rules: Vec<RuleResult>,
}

/// Results of one rule in an ability.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult {
    /// Name of the rule, as in the filter `scorers:`.
    pub rule: &'static str,
    /// Description in one line.
    pub words: &'static str,
    /// Project or paper that defines the rule.
    pub source: &'static str,
    /// Number of predictions that the rule applies to.
    pub n: u64,
    /// Number of these predictions whose answer the rule could read.
    pub read: u64,
    /// Number of predictions on which the rule and the log disagree about right and wrong.
    pub differs: u64,
    /// Scores of the models, best under the log's own rule first.
    pub models: Vec<RuleScore>,
    /// First predictions on which rule and log disagree.
    pub examples: Vec<Row>,
}

/// A model's score under a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleScore {
    /// Model, with its run if there are several.
    pub model: String,
    /// Number of predictions that the rule applies to.
    pub n: u64,
    /// Number of these predictions whose answer the rule could read. The others count as wrong.
    pub read: u64,
    /// Mean score from 0 to 1.
    pub score: Option<f64>,
    /// Rank, from 1: one more than the number of models that are strictly better. Computed on the
    /// samples that all ranked models answered.
    pub rank: Option<u32>,
}

impl RuleResult {
    /// Returns the share of the rule's predictions on which the rule and the log disagree.
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
    pub fn disagreement_rate(&self) -> Option<f64> {
        (self.n > 0).then(|| self.differs as f64 / self.n as f64)
    }

    /// Returns the models ranked first.
    pub fn first(&self) -> Vec<&str> {
        let models = self.models.iter().filter(|model| model.rank == Some(1));
        models.map(|model| model.model.as_str()).collect()
    }
}

impl AbilityRules {
    /// Returns true if a rule scores every prediction and can read at least half of them. This
    /// excludes rules for answer formats that are not used, for example `ANSWER: X`.
    pub const fn counts(&self, rule: &RuleResult) -> bool {
        rule.n == self.n && 2 * rule.read >= rule.n
    }

    /// Returns true if the models ranked first under a rule differ from those under the log's own
    /// rule, and the rule counts. False without ranks.
    pub fn moves_first(&self, rule: &RuleResult) -> bool {
        let first = rule.first();
        self.counts(rule) && !first.is_empty() && !self.first.is_empty() && first != self.first
    }

    /// Summarises the rules in one line; `None` if fewer than two rules count. Example:
    /// `under 9 known rules: 0.593 to 0.743 (siglip2); first place changes under 2`.
    pub fn line(&self) -> Option<String> {
        let counting: Vec<&RuleResult> = (self.rules.iter())
            .filter(|rule| self.counts(rule))
            .collect();
        let of_leader = counting
            .iter()
            .filter_map(|rule| rule.models.first()?.score);
        let (low, high) = of_leader
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| {
                (low.min(score), high.max(score))
            });
        let leader = counting.first()?.models.first()?;
        if counting.len() < 2 || low > high {
            return None;
        }
        let rules = counted(counting.len() as u64, "known rule");
        let range = format!(
            "under {rules}: {} to {}",
            fixed(Some(low), 3),
            fixed(Some(high), 3)
        );
        if counting.first()?.models.len() < 2 {
            return Some(range);
        }
        let moved = counting
            .iter()
            .filter(|rule| self.moves_first(rule))
            .count();
        let first = match (self.first.is_empty(), moved) {
            (true, _) => "nothing is ranked".to_owned(),
            (false, 0) => "first place never changes".to_owned(),
            (false, moved) => format!("first place changes under {moved}"),
        };
        Some(format!("{range} ({}); {first}", leader.model))
    }
}

/// Applies the public rules to a selection, for each ability. Returns the first `examples`
/// predictions on which each rule and the log disagree.
pub fn known_rules(selection: Selection<'_>, examples: usize) -> Vec<AbilityRules> {
    let by_harness = Selection {
        scoring: Scoring::Harness,
        ..selection
    };
    let mut logged = scores(by_harness, Depth::Scores);
    logged.retain(|score| score.counts() && score.origin == Origin::Samples);
    let table = selection.table;
    let ranking = Ranking::of(selection, &logged);
    let correct = Correctness::new(table, Scoring::Harness);
    let rows: Vec<Row> = in_order_of_logs(table, selection.rows());
    let parts = rows.par_chunks(AT_ONCE).map(|rows| {
        let mut tally = Tally::new(examples);
        if selection.ticket.is_wanted() {
            tally.add(table, rows, &ranking, &correct);
        }
        tally
    });
    let tally = parts.reduce(|| Tally::new(examples), Tally::with);
    tally.results(table, &ranking)
}

/// Returns one flag per prediction of the table. A flag is true if the rule and the log disagree on
/// one of the given rows.
pub fn differing(table: &Table, rows: impl Iterator<Item = Row>, rule: &KnownRule) -> Vec<bool> {
    let correct = Correctness::new(table, Scoring::Harness);
    let rows = in_order_of_logs(table, rows.map(|Row(row)| row));
    let found = rows.par_chunks(AT_ONCE).flat_map_iter(|rows| {
        let mut texts = Fetcher::new(table);
        let differs = |row: &&Row| {
            let record = texts.record(**row).ok();
            let question = record.as_ref().and_then(Question::of);
            let mark = question.and_then(|question| rule.mark(&question));
            mark.is_some_and(|mark| differs(&mark, correct.is_right(**row)))
        };
        rows.iter().filter(differs).copied().collect::<Vec<Row>>()
    });
    let mut flags = vec![false; table.len()];
    for Row(row) in found.collect::<Vec<Row>>() {
        if let Some(flag) = flags.get_mut(row as usize) {
            *flag = true;
        }
    }
    flags
}

/// Returns true if a rule and the log disagree about right and wrong.
fn differs(mark: &RuleOutcome, logged: Option<bool>) -> bool {
    logged.is_some_and(|right| right != mark.is_right())
}

/// Sorts predictions by log. The order within a log stays the same.
fn in_order_of_logs(table: &Table, rows: impl Iterator<Item = u32>) -> Vec<Row> {
    let mut rows: Vec<Row> = rows.map(Row).collect();
    rows.sort_by_key(|row| table.place(*row).unit);
    rows
}
