//! Tables of a report.

use super::Summary;
use super::cells::{average_text, count, number, rank_text, ranks_text};
use super::columns::{Columns, metric, with_split};
use super::exam_result::ExamResult;
use super::{Grid, acuity, costs, memory, repeats};
use analysis::metric::Mixture;
use analysis::{AverageRank, Evidence, Origin, Reliability, Score, Subgroup, tied};
use base::format::{compact, fixed};
use reader::annotations::why_unread;
use record::{Kind, Source};
use workspace::known_rules::AbilityRules;

/// Title of the reliability table, which explains its columns.
const RELIABILITY: &str = "Reliability under rotation: mean (VE), all right (RE), all wrong (MA), knows (theta), right if \
                           known (r), right by guess (g), adjusted (A_adj)";

impl Summary {
    /// One table per examined model.
    pub(super) fn exam_grids(&self) -> Vec<Grid> {
        self.exams.iter().map(ExamResult::grid).collect()
    }

    /// The tables that follow the exam tables.
    pub(super) fn further_grids(&self) -> Vec<Grid> {
        let mut grids = Vec::new();
        if !self.acuity.is_empty() {
            grids.push(acuity::columns().grid(acuity::TITLE, &self.acuity));
        }
        grids.extend([
            self.score_grid(),
            rules_grid(&self.rules),
            self.rank_grid(),
            self.subgroup_grid(),
            self.reliability_grid(),
        ]);
        grids.extend(memory::grid(&self.memory));
        if !self.repeats.is_empty() {
            grids.push(repeats::grid(&self.repeats));
        }
        if !self.costs.is_empty() {
            grids.push(costs::columns().grid("Cost", &self.costs));
        }
        if let Some(sides) = &self.comparison {
            grids.extend(sides.titled_grids());
        }
        grids.push(source_grid(&self.sources));
        grids
    }

    fn score_grid(&self) -> Grid {
        Columns::<(&Score, bool)>::new()
            .text("benchmark", |(it, _)| &it.benchmark)
            .words("ability", |(it, _)| {
                with_split(&it.ability, it.split.as_deref())
            })
            .words("metric", |(it, _)| metric_by(it))
            .text("model", |(it, _)| &it.model)
            .words("score>", |(it, _)| score_text(it))
            .interval(4, |(it, _)| it.ci)
            .words("rank>", |(it, is_tied)| rank(it, *is_tied))
            .words("ranks", |(it, _)| ranks_text(it.rank_ci))
            .words("n>", |(it, _)| count(it.n))
            .words("ranked n>", |(it, _)| ranked_of(it))
            .count("invalid", |(it, _)| {
                (it.origin == Origin::Samples).then_some(it.invalid)
            })
            .words("evidence", |(it, _)| evidence(it))
            .grid(
                "Scores (= behind a rank: no clear difference from another model)",
                self.scores.iter().zip(tied(&self.scores)),
            )
    }

    fn rank_grid(&self) -> Grid {
        Columns::<AverageRank>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("model", |it| &it.model)
            .words("average rank>", average_text)
            .interval(2, |it| it.ci)
            .words("abilities>", |it| it.abilities.to_string())
            .text("from", |it| match it.origin {
                Origin::Published => "a paper",
                Origin::Harness => "the harness",
                Origin::Samples => "samples",
            })
            .grid("Average rank", &self.average_ranks)
    }

    fn subgroup_grid(&self) -> Grid {
        Columns::<Subgroup>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("by", |it| &it.by)
            .text("bin", |it| &it.bin)
            .text("model", |it| &it.model)
            .metric(|it| &it.metric, |it| it.direction)
            .number("score", |it| it.score)
            .interval(4, |it| it.ci)
            .count("n", |it| it.n)
            .count("invalid", |it| it.invalid)
            .grid("Subgroups", &self.subgroups)
    }

    fn reliability_grid(&self) -> Grid {
        let solved =
            |part: fn(&Mixture) -> f64| move |it: &Reliability| it.mixture.as_ref().map(part);
        Columns::<Reliability>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("model", |it| &it.model)
            .count("n", |it| it.n)
            .fixed("VE", 3, |it| it.ve_mean)
            .fixed("RE", 3, |it| it.re)
            .fixed("MA", 3, |it| it.ma)
            .fixed("theta", 3, solved(|it| it.theta))
            .fixed("r", 3, solved(|it| it.r))
            .fixed("g", 3, solved(|it| it.g))
            .fixed("A_adj", 3, solved(Mixture::a_adj))
            .text("status", |it| it.status.words())
            .grid(RELIABILITY, &self.reliability)
    }
}

/// Table of source files.
pub(super) fn source_grid(sources: &[Source]) -> Grid {
    Columns::<Source>::new()
        .words("path", |it| base::format::path(&it.path))
        .text("format", |it| it.format)
        .count("rows", |it| it.rows)
        .count("problems", Source::problem_count)
        .text("", |it| why_unread(it).unwrap_or_default())
        .grid("Sources", sources)
}

/// Each ability's range of scores under the known rules; `eyechart scorers` lists the rules.
pub(super) fn rules_grid<'a>(rules: impl IntoIterator<Item = &'a AbilityRules>) -> Grid {
    let rows = rules.into_iter().filter_map(|it| Some((it, it.line()?)));
    Columns::<(&AbilityRules, String)>::new()
        .text("benchmark", |(it, _)| &it.benchmark)
        .text("ability", |(it, _)| &it.ability)
        .text("the same answers", |(_, line)| line)
        .grid("Under other rules (eyechart scorers)", rows)
}

/// Metric with its direction, and the harness if it computed the score.
fn metric_by(score: &Score) -> String {
    let metric = metric(&score.metric, score.direction);
    match score.origin {
        Origin::Harness => format!("{metric} by harness"),
        _ => metric,
    }
}

/// Number of samples behind a rank, if it differs from that of the score.
fn ranked_of(score: &Score) -> String {
    match (score.rank, score.excluded) {
        (Some(_), _) if score.rank_n != score.n => compact(score.rank_n),
        (_, Some(why)) => format!("{} of {}", compact(why.answered), compact(why.of)),
        _ => String::new(),
    }
}

/// Note on a headline score that not every sample contributes to; otherwise empty.
fn evidence(score: &Score) -> String {
    let evidence = score.evidence.as_deref().filter(|_| score.headline);
    evidence.and_then(Evidence::words).unwrap_or_default()
}

/// A score as text; token counts as whole numbers.
pub(super) fn score_text(score: &Score) -> String {
    if score.metric.ends_with("_tokens") {
        return fixed(score.score, 0);
    }
    number(score.score)
}

/// Rank as text, or the kind of an unranked row.
fn rank(score: &Score, is_tied: bool) -> String {
    match (score.rank, score.kind) {
        (Some(rank), _) => rank_text(rank, is_tied),
        (None, Kind::Model) if score.why_not_ranked().is_some() => "not ranked".to_owned(),
        (None, Kind::Model) => String::new(),
        (None, kind) => kind.words().to_owned(),
    }
}
