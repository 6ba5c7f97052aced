//! The document of `eyechart report`.

use std::collections::HashMap;

use serde_json::{Value as Json, json};

use super::brief::Brief;
use super::cells::{pair, tie_group};
use super::exam_result::ExamResult;
use super::problems::source;
use super::{Document, Grid, Summary, acuity, costs, html, memory, page, repeats};
use analysis::metric::{Interval, ROTATIONS};
use analysis::{AverageRank, Reliability, Score, Subgroup};
use record::benchmark::Direction;
use record::{OriginalRun, Run, Source};

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
        page::report(self)
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
    // Without a solution there are no intervals either.
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

impl Summary {
    /// Replaces the label of model and run in each row with separate values.
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
