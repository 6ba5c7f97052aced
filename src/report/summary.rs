//! The document of `eyechart report`: sources, scores, average ranks, subgroups, reliability.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::acuity;
use analysis::Acuity;

use super::brief::Brief;
use super::exam_result::{self, ExamResult};
use super::problems::{problem_entries, problem_json};
use super::{Document, Evidence, Grid, SideBySide, costs, html, memory, page, repeats};
use analysis::metric::{Interval, ROTATIONS};
use analysis::{AverageRank, BenchmarkMemory, Cost, Reliability, Repeats, Score, Subgroup};
use base::config::Prices;
use base::format::{compact, fixed, significant};
use base::job::Ticket;
use engine::{Ask as _, Costs, Engine, QueryError, Report, ReportData};
use reader::annotations::why_unread;
use record::benchmark::Direction;
use record::{OriginalRun, Run, Source};
use workspace::known_rules::AbilityRules;
use workspace::load::Request;

/// Content of a report.
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
    /// Reliability under rotation of the options.
    pub reliability: Vec<Reliability>,
    /// Memory of keys, from answers to changed pictures.
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

    /// Adds illustrating samples, for formats that can show pictures.
    ///
    /// # Errors
    /// The query asks for unknown names, or the request was cancelled.
    pub fn with_evidence(
        mut self,
        engine: &dyn Engine,
        query: &Report,
        request: &Request,
        ticket: &Ticket,
    ) -> Result<Self, QueryError> {
        let evidence = match engine.in_memory(&query.scope, ticket) {
            Ok(Some(memory)) => self.gather_evidence(&memory, query, request, ticket)?,
            Ok(None) => self.gather_evidence(engine, query, request, ticket)?,
            Err(why @ QueryError::TooMany { .. }) => {
                let note = format!("no samples are shown: {why}");
                self.notes.push(note);
                return Ok(self);
            }
            Err(why) => return Err(why),
        };
        self.evidence = Some(evidence);
        Ok(self)
    }
}

impl Document for Summary {
    fn preface(&self) -> Vec<String> {
        let exams = self.exams.iter();
        let lines = exams.flat_map(|exam| [Some(exam.quoted()), exam.cost_words()]);
        lines.flatten().chain(self.remarks()).collect()
    }

    fn grids(&self) -> Vec<Grid> {
        let mut grids = self.exam_grids();
        grids.extend(self.further_grids());
        grids
    }

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let brief = Brief::of(self);
        (brief.preface(), brief.grids())
    }

    fn page(&self) -> html::Page {
        page::page(self)
    }

    fn json(&self) -> Json {
        let mut document = json!({
            "schema": "eyechart.report/1",
            "sources": self.sources.iter().map(source).collect::<Vec<_>>(),
            "runs": self.sources.iter().filter(|source| !source.superseded).flat_map(Source::runs).map(run).collect::<Vec<_>>(),
            "scores": self.scores.iter().map(score).collect::<Vec<_>>(),
            "average_rank": self.with_runs(self.average_ranks.iter().map(average_rank)),
            "subgroups": self.with_runs(self.subgroups.iter().map(subgroup)),
            "reliability": self.with_runs(self.reliability.iter().map(reliability)),
            "memory": self.with_runs(self.memory.iter().map(memory::json)),
            "exams": self.exams.iter().map(ExamResult::json).collect::<Vec<_>>(),
            "acuity": self.with_runs(self.acuity.iter().map(acuity::json)),
            "repeats": self.with_runs(self.repeats.iter().map(repeats::json)),
            "costs": self.with_runs(self.costs.iter().map(costs::json)),
        });
        if let (false, Some(fields)) = (self.notes.is_empty(), document.as_object_mut()) {
            fields.insert("notes".to_owned(), json!(self.notes));
        }
        if let (Some(sides), Some(fields)) = (&self.comparison, document.as_object_mut()) {
            fields.insert("compare".to_owned(), sides.json());
        }
        document
    }

    fn lines(&self) -> Vec<Json> {
        self.scores.iter().map(score).collect()
    }
}

pub(super) fn pair(interval: Option<Interval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

/// A source file in the JSON schema of `report`.
pub(super) fn source(source: &Source) -> Json {
    let problems: Vec<Json> = problem_entries(source).map(problem_json).collect();
    json!({
        "path": base::format::path(&source.path),
        "format": source.format,
        "rows": source.rows,
        "superseded": source.superseded,
        "why_unread": why_unread(source),
        "problems": problems,
    })
}

/// A run with its settings, as JSON.
fn run(run: OriginalRun) -> Json {
    let name = run.name;
    json!({
        "benchmark": name.dataset, "model": name.model, "run": name.run, "settings": run.settings, "path": run.path,
    })
}

pub(super) fn score(score: &Score) -> Json {
    json!({
        "benchmark": score.benchmark, "model": score.plain_model(), "run": score.run.as_ref().map(|run| &run.run), "ability": score.ability,
        "split": score.split,
        "metric": score.metric, "direction": score.direction.map(Direction::name), "headline": score.headline,
        "n": score.n, "invalid": score.invalid, "score": score.score, "ci": pair(score.ci), "few": score.few,
        "rank": score.rank, "rank_ci": score.rank_ci.map(|(low, high)| [low, high]),
        "tie_group": tie_group(&score.tie_groups), "rank_score": score.rank_score, "rank_n": score.rank_n,
        "excluded": score.excluded.map(analysis::Exclusion::words),
        "evidence": score.evidence.as_deref().map(evidence), "why_not": score.why_not_ranked(),
        "rule": score.rule, "threshold": score.threshold,
        "origin": score.origin.name(),
        "kind": score.kind.words(),
    })
}

/// Counts behind a score, as JSON.
pub(super) fn evidence(evidence: &analysis::Evidence) -> Json {
    let counts = evidence.counts;
    let left_out = evidence.left_out.iter();
    let left_out: Vec<Json> = left_out
        .map(|left| json!({"why": left.why, "n": left.n}))
        .collect();
    json!({
        "asked": counts.map(|it| it.asked), "answered": counts.map(|it| it.answered),
        "read": counts.map(|it| it.read), "scored": counts.map(|it| it.scored), "left_out": left_out,
        "metric_from": evidence.metric_from.name(), "direction_from": evidence.direction_from.name(),
        "selected_by": evidence.selected_by, "until_clear": evidence.until_clear,
    })
}

/// Numbers of a model's tie groups: `1`, or `1,2` for two groups.
pub(super) fn tie_group(groups: &[u32]) -> Option<String> {
    let numbers: Vec<String> = groups.iter().map(ToString::to_string).collect();
    (!numbers.is_empty()).then(|| numbers.join(","))
}

/// Possible ranks such as `1-3`; empty if unknown.
pub(super) fn ranks_text(ranks: Option<(u32, u32)>) -> String {
    ranks.map_or_else(String::new, |(low, high)| format!("{low}-{high}"))
}

/// A rank, with `=` if it does not clearly differ from another model's.
pub(super) fn rank_text(rank: u32, is_tied: bool) -> String {
    format!("{rank}{}", if is_tied { "=" } else { "" })
}

/// An average rank, with `=` if it does not clearly differ from another model's.
pub(super) fn average_text(rank: &AverageRank) -> String {
    format!(
        "{}{}",
        fixed(rank.value, 2),
        if rank.tied { "=" } else { "" }
    )
}

pub(super) fn average_rank(rank: &AverageRank) -> Json {
    json!({
        "benchmark": rank.benchmark, "model": rank.model, "value": rank.value, "abilities": rank.abilities,
        "ci": pair(rank.ci), "tied": rank.tied,
        "origin": rank.origin.name(),
    })
}

fn subgroup(group: &Subgroup) -> Json {
    json!({
        "benchmark": group.benchmark, "model": group.model, "ability": group.ability, "by": group.by,
        "bin": group.bin, "n": group.n, "invalid": group.invalid, "metric": group.metric,
        "direction": group.direction.name(), "headline": group.headline, "score": group.score, "ci": pair(group.ci),
    })
}

fn reliability(row: &Reliability) -> Json {
    let ve: serde_json::Map<String, Json> = ROTATIONS
        .iter()
        .zip(row.ve)
        .map(|(degrees, ve)| (degrees.to_string(), json!(ve)))
        .collect();
    let (solved, intervals) = (row.mixture.as_ref(), row.intervals.as_ref());
    // Without a solution there are no intervals: they would suggest one.
    let of = |part: fn(&analysis::metric::MixtureIntervals) -> Option<Interval>| {
        pair(solved.and(intervals).and_then(part))
    };
    json!({
        "benchmark": row.benchmark, "model": row.model, "ability": row.ability, "n": row.n, "ve": ve,
        "ve_mean": row.ve_mean, "re": row.re, "ma": row.ma,
        "theta": solved.map(|m| m.theta), "r": solved.map(|m| m.r), "g": solved.map(|m| m.g),
        "a_adj": solved.map(analysis::metric::Mixture::a_adj),
        "re_ci": pair(intervals.and_then(|i| i.re)),
        "theta_ci": of(|i| i.theta), "r_ci": of(|i| i.r), "g_ci": of(|i| i.g), "a_adj_ci": of(|i| i.a_adj),
        "patterns": row.patterns, "status": row.status.name(),
    })
}

/// An interval such as `[0.6123, 0.6934]`.
pub(super) fn interval(interval: Option<Interval>) -> String {
    interval_to(4, interval)
}

/// An interval with this many decimals; a dash if there is none.
pub(super) fn interval_to(decimals: usize, interval: Option<Interval>) -> String {
    let end = |end| number_to(decimals, Some(end));
    interval.map_or_else(
        || "–".to_owned(),
        |it| format!("[{}, {}]", end(it.low), end(it.high)),
    )
}

/// Four decimals, or as many as a large number needs.
pub(super) fn number(value: Option<f64>) -> String {
    number_to(4, value)
}

fn number_to(decimals: usize, value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() >= 100.0 => significant(value, 5),
        value => fixed(value, decimals),
    }
}

pub(super) fn count(n: u64) -> String {
    if n == 0 { "–".to_owned() } else { compact(n) }
}

impl Summary {
    /// Splits the run from the model's name in each row.
    fn with_runs(&self, rows: impl Iterator<Item = Json>) -> Vec<Json> {
        let runs: HashMap<&str, &Run> = (self.scores.iter())
            .filter_map(|score| Some((score.model.as_str(), score.run.as_ref()?)))
            .collect();
        let with_run = |mut row: Json| {
            let run = row["model"].as_str().and_then(|model| runs.get(model));
            if let Some(run) = run {
                row["model"] = json!(run.model);
            }
            row["run"] = json!(run.map(|run| &run.run));
            row
        };
        rows.map(with_run).collect()
    }
}
