//! The content of a report: sources, scores, average ranks, subgroups, reliability.

use super::exam_result::{self, ExamResult};
use super::{Evidence, SideBySide};
use analysis::{
    Acuity, AverageRank, BenchmarkMemory, Cost, Reliability, Repeats, SPLIT, Score, Subgroup,
};
use base::config::Prices;
use base::job::Ticket;
use engine::{Ask as _, Costs, Engine, QueryError, Report, ReportData};
use record::Source;
use workspace::known_rules::AbilityRules;

/// Computed content of a report, for every format.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Source files with their problems.
    pub sources: Vec<Source>,
    /// Scores of all models, abilities and metrics.
    pub scores: Vec<Score>,
    /// Average rank of each model per benchmark.
    pub average_ranks: Vec<AverageRank>,
    /// Scores of subgroups, split by tags.
    pub subgroups: Vec<Subgroup>,
    /// Reliability under rotation of the pictures.
    pub reliability: Vec<Reliability>,
    /// Estimated shares of memorised answer keys, from answers to changed pictures.
    pub memory: Vec<BenchmarkMemory>,
    /// Acuity of each model in exams with levels.
    pub acuity: Vec<Acuity>,
    /// One result per examined model, if the logs contain exams.
    pub exams: Vec<ExamResult>,
    /// Statistics of repeated answers.
    pub repeats: Vec<Repeats>,
    /// Requests and tokens of the runs.
    pub costs: Vec<Cost>,
    /// Scores under the known rules; empty if texts were not read.
    pub rules: Vec<AbilityRules>,
    /// Sentences about missing parts, with reasons.
    pub notes: Vec<String>,
    /// Paired comparison, if the query asks for one.
    pub comparison: Option<SideBySide>,
    /// Samples that illustrate the numbers; for formats with pictures only.
    pub evidence: Option<Evidence>,
}

impl Summary {
    /// Computes the numbers of a report.
    ///
    /// # Errors
    /// The query asks for unknown names, or the request was cancelled.
    pub fn of(
        engine: &dyn Engine,
        query: &Report,
        prices: &Prices,
        ticket: &Ticket,
    ) -> Result<Self, QueryError> {
        let ReportData {
            ranking,
            subgroups,
            reliability,
            memory,
            comparison,
        } = query.answer(engine, ticket)?;
        let prices = prices.clone();
        let costs = Costs { prices }.answer(engine, ticket)?;
        let table = engine.table();
        Ok(Self {
            exams: exam_result::results(table, &ranking.scores, &ranking.acuity, &costs),
            scores: ranking.scores,
            average_ranks: ranking.average_ranks,
            subgroups,
            reliability,
            memory,
            acuity: ranking.acuity,
            repeats: ranking.repeats,
            rules: Vec::new(),
            notes: ranking.notes,
            costs,
            sources: engine.table().sources().to_vec(),
            comparison: comparison.map(|found| SideBySide::from(*found)),
            evidence: None,
        })
    }

    /// Results of the models examined in a benchmark.
    pub(super) fn exams_of(&self, benchmark: &str) -> impl Iterator<Item = &ExamResult> {
        let benchmark = benchmark.to_owned();
        self.exams
            .iter()
            .filter(move |exam| exam.benchmark == benchmark)
    }

    /// Splits and bins of the subgroups, and the splits of the scores.
    pub(super) fn bins(&self) -> impl Iterator<Item = (&str, &str)> {
        let groups = self.subgroups.iter();
        let groups = groups.map(|group| (group.by.as_str(), group.bin.as_str()));
        let splits = self.scores.iter();
        let splits = splits.filter_map(|score| Some((SPLIT, score.split.as_deref()?)));
        groups.chain(splits)
    }
}
