//! Tables of a report.

use super::exam_result::ExamResult;
use super::summary::{Summary, count, interval, number, rank_text};
use super::{Grid, acuity, costs, repeats};
use analysis::{Evidence, Origin, Score, tied};
use base::format::{compact, fixed};
use reader::annotations::why_unread;
use record::Kind;
use record::benchmark::Direction;
use workspace::known_rules::AbilityRules;

/// Title of the reliability table, which explains its columns.
const RELIABILITY: &str = "Reliability under rotation: mean (VE), all right (RE), all wrong (MA), knows (theta), right if \
                           known (r), right by guess (g), adjusted (A_adj)";

impl Summary {
    /// One table per examined model.
    pub(super) fn exam_grids(&self) -> Vec<Grid> {
        self.exams.iter().map(ExamResult::grid).collect()
    }

    /// The tables after those of exams.
    pub(super) fn further_grids(&self) -> Vec<Grid> {
        let mut grids = Vec::new();
        if !self.acuity.is_empty() {
            grids.push(acuity::grid(&self.acuity));
        }
        grids.extend([
            self.score_grid(),
            rules_grid(&self.rules),
            self.rank_grid(),
            self.subgroup_grid(),
            self.reliability_grid(),
        ]);
        if !self.repeats.is_empty() {
            grids.push(repeats::grid(&self.repeats));
        }
        if !self.costs.is_empty() {
            grids.push(costs::grid(&self.costs));
        }
        if let Some(sides) = &self.comparison {
            grids.extend(sides.titled_grids());
        }
        grids.push(self.source_grid());
        grids
    }

    fn score_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "metric",
            "model",
            "score>",
            "95 %",
            "rank>",
            "ranks",
            "n>",
            "ranked n>",
            "invalid>",
            "evidence",
        ];
        let mut grid = Grid::new(
            "Scores (= behind a rank: no clear difference to another model)",
            &columns,
        );
        for (row, is_tied) in self.scores.iter().zip(tied(&self.scores)) {
            let split = row
                .split
                .as_ref()
                .map(|split| format!(" ({split})"))
                .unwrap_or_default();
            let arrow = row.direction.map_or("", Direction::arrow);
            let by = match (row.origin, arrow) {
                (Origin::Harness, "") => "by harness",
                (Origin::Harness, _) => " by harness",
                _ => "",
            };
            let ranks = row
                .rank_ci
                .map(|(low, high)| format!("{low}-{high}"))
                .unwrap_or_default();
            grid.push([
                row.benchmark.as_str(),
                &format!("{}{split}", row.ability),
                format!("{} {arrow}{by}", row.metric).trim_end(),
                &row.model,
                &score_text(row),
                &interval(row.ci),
                &rank(row, is_tied),
                &ranks,
                &count(row.n),
                &match (row.rank, row.excluded) {
                    (Some(_), _) if row.rank_n != row.n => compact(row.rank_n),
                    (_, Some(why)) => {
                        format!("{} of {}", compact(why.answered), compact(why.of))
                    }
                    _ => String::new(),
                },
                &if row.origin == Origin::Samples {
                    row.invalid.to_string()
                } else {
                    "–".to_owned()
                },
                &evidence(row),
            ]);
        }
        grid
    }

    fn rank_grid(&self) -> Grid {
        let mut grid = Grid::new(
            "Average rank",
            &[
                "benchmark",
                "model",
                "average rank>",
                "95 %",
                "abilities>",
                "from",
            ],
        );
        for row in &self.average_ranks {
            grid.push([
                row.benchmark.as_str(),
                &row.model,
                &format!("{}{}", fixed(row.value, 2), if row.tied { "=" } else { "" }),
                &(row.ci).map_or_else(
                    || "–".to_owned(),
                    |ci| format!("[{:.2}, {:.2}]", ci.low, ci.high),
                ),
                &row.abilities.to_string(),
                match row.origin {
                    Origin::Published => "a paper",
                    Origin::Harness => "the harness",
                    Origin::Samples => "samples",
                },
            ]);
        }
        grid
    }

    fn subgroup_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "by",
            "bin",
            "model",
            "metric",
            "score>",
            "95 %",
            "n>",
            "invalid>",
        ];
        let mut grid = Grid::new("Subgroups", &columns);
        for row in &self.subgroups {
            grid.push([
                row.benchmark.as_str(),
                &row.ability,
                &row.by,
                &row.bin,
                &row.model,
                &format!("{} {}", row.metric, row.direction.arrow()),
                &number(row.score),
                &interval(row.ci),
                &compact(row.n),
                &row.invalid.to_string(),
            ]);
        }
        grid
    }

    fn reliability_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "model",
            "n>",
            "VE>",
            "RE>",
            "MA>",
            "theta>",
            "r>",
            "g>",
            "A_adj>",
            "status",
        ];
        let mut grid = Grid::new(RELIABILITY, &columns);
        for row in &self.reliability {
            let solved = row.mixture.as_ref();
            let text = |value: Option<f64>| fixed(value, 3);
            grid.push([
                row.benchmark.as_str(),
                &row.ability,
                &row.model,
                &compact(row.n),
                &text(row.ve_mean),
                &text(row.re),
                &text(row.ma),
                &text(solved.map(|m| m.theta)),
                &text(solved.map(|m| m.r)),
                &text(solved.map(|m| m.g)),
                &text(solved.map(analysis::metric::Mixture::a_adj)),
                row.status.words(),
            ]);
        }
        grid
    }

    fn source_grid(&self) -> Grid {
        let mut grid = Grid::new("Sources", &["path", "format", "rows>", "problems>", ""]);
        for source in &self.sources {
            grid.push([
                base::format::path(&source.path).as_str(),
                source.format,
                &compact(source.rows),
                &source.problem_count().to_string(),
                why_unread(source).unwrap_or_default(),
            ]);
        }
        grid
    }
}

/// Each ability's range of scores under the known rules; `eyechart scorers` lists the rules.
pub(super) fn rules_grid<'a>(rules: impl IntoIterator<Item = &'a AbilityRules>) -> Grid {
    let mut grid = Grid::new(
        "Under other rules (eyechart scorers)",
        &["benchmark", "ability", "the same answers"],
    );
    for row in rules {
        if let Some(line) = row.line() {
            grid.push([row.benchmark.as_str(), &row.ability, &line]);
        }
    }
    grid
}

/// Note on a headline score that not every sample contributes to; else empty.
fn evidence(score: &Score) -> String {
    let evidence = score.evidence.as_deref().filter(|_| score.headline);
    evidence.and_then(Evidence::words).unwrap_or_default()
}

/// A score as text; token counts as whole numbers.
fn score_text(score: &Score) -> String {
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
