//! The document of `eyechart verdicts`: counts per author, the label error rate, and the ranking
//! without flagged samples.

use serde_json::{Map, Value as Json, json};

use super::summary::{average_rank, interval, number, pair, score};
use super::{Document, Grid};
use analysis::AverageRank;
use analysis::audit::{Audit, CorrectedRanking, Findings, RankChange, Rate};
use analysis::metric::Agreement;
use base::format::{compact, counted, fixed};
use record::verdict::Verdict;
use record::{Ability, Problem};

/// Target half-width of the error rate's interval, for the number of further verdicts needed.
const WANTED: f64 = 0.05;

/// Result of a label audit.
#[derive(Clone, Debug, Default)]
pub struct LabelAudit {
    /// The author whose verdicts count; `None` for all authors.
    pub author: Option<String>,
    /// Counts, error rates and rankings.
    pub findings: Findings,
    /// Paths of the verdict files.
    pub files: Vec<String>,
    /// Problems in the verdict files.
    pub problems: Vec<Problem>,
}

impl Document for LabelAudit {
    fn grids(&self) -> Vec<Grid> {
        vec![
            self.rate_grid(),
            self.author_grid(),
            self.agreement_grid(),
            self.flagged_grid(),
            self.rank_grid(),
            Self::change_grid(&self.findings.changes, "without flagged samples"),
            self.corrected_grid(),
            Self::change_grid(
                self.findings
                    .corrected
                    .as_ref()
                    .map_or(&[], |it| &it.changes),
                "with corrected labels",
            ),
            self.problem_grid(),
        ]
    }

    fn json(&self) -> Json {
        let mut document = json!({"schema": "eyechart.verdicts/1", "author": self.author});
        let authors = self.findings.authors.iter();
        let agreements = self.findings.agreements.iter();
        let fields = [
            estimate(&self.findings.audit),
            json!({
                "drawn": estimate(&self.findings.drawn),
                "abilities": self.lines(),
                "authors": authors.map(|(name, found)| author(name, found)).collect::<Vec<_>>(),
                "agreement": agreements.map(|(a, b, found)| agreement(a, b, found)).collect::<Vec<_>>(),
                "flagged": self.findings.flagged,
                "not_in_logs": self.findings.unknown,
                "without_flagged": {
                    "scores": self.findings.scores.iter().map(score).collect::<Vec<_>>(),
                    "average_rank": self.findings.average_ranks.iter().map(average_rank).collect::<Vec<_>>(),
                },
                "corrected": self.findings.corrected.as_ref().map(corrected),
                "rank_changes": self.findings.changes.iter().map(change).collect::<Vec<_>>(),
                "files": self.files,
                "problems": self.problems.iter().map(|problem| json!({"where": problem.place(), "what": problem.what})).collect::<Vec<_>>(),
            }),
        ];
        for more in fields {
            extend(&mut document, more);
        }
        document
    }

    fn lines(&self) -> Vec<Json> {
        let abilities = self.findings.audit.abilities.iter();
        abilities
            .map(|(name, found)| ability(name, found))
            .collect()
    }
}

fn extend(object: &mut Json, more: Json) {
    if let (Some(object), Json::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
}

fn with(mut object: Json, more: Json) -> Json {
    extend(&mut object, more);
    object
}

fn rate(rate: &Rate) -> Json {
    let counts: Map<String, Json> = Verdict::SPOKEN
        .iter()
        .map(|kind| (kind.name().to_owned(), json!(rate.count(*kind))))
        .collect();
    json!({
        "samples": rate.samples, "audited": rate.audited, "counts": counts,
        "error_rate": rate.error_rate, "error_rate_ci": pair(rate.ci),
    })
}

/// Counts and error rate over all abilities, as JSON.
fn estimate(audit: &Audit) -> Json {
    let overall = &audit.overall;
    let weighted = audit.weighted.map(|weighted| {
        json!({
            "error_rate": weighted.error_rate, "error_rate_ci": pair(weighted.ci),
            "effective_n": weighted.effective, "covered": weighted.covered,
        })
    });
    with(
        rate(overall),
        json!({
            "rule_of_three": overall.rule_of_three(), "more_for_0.05": overall.more_for(WANTED),
            "weighted": weighted,
        }),
    )
}

fn ability(name: &Ability, found: &Rate) -> Json {
    with(
        json!({"benchmark": name.benchmark, "ability": name.name}),
        rate(found),
    )
}

fn author(name: &str, found: &Rate) -> Json {
    with(json!({"author": name}), rate(found))
}

fn agreement(a: &str, b: &str, found: &Agreement) -> Json {
    json!({
        "a": a, "b": b, "n": found.n, "observed": found.observed, "kappa": found.kappa,
        "kappa_ci": pair(found.interval), "why_no_kappa": found.why_not(),
    })
}

fn change(change: &RankChange) -> Json {
    match change {
        RankChange::Swap {
            benchmark,
            ability,
            ahead,
            behind,
        } => json!({
            "benchmark": benchmark, "ability": ability, "kind": "swap", "ahead": ahead, "behind": behind,
        }),
        RankChange::First {
            benchmark,
            ability,
            before,
            after,
        } => json!({
            "benchmark": benchmark, "ability": ability, "kind": "first", "before": before, "after": after,
        }),
    }
}

/// Scores and ranks with corrected labels, as JSON.
fn corrected(found: &CorrectedRanking) -> Json {
    json!({
        "samples": found.samples,
        "scores": found.scores.iter().map(score).collect::<Vec<_>>(),
        "average_rank": found.average_ranks.iter().map(average_rank).collect::<Vec<_>>(),
        "rank_changes": found.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

const RATE: [&str; 8] = [
    "samples>",
    "audited>",
    "ok>",
    "wrong label>",
    "ambiguous>",
    "bad image>",
    "error rate>",
    "95 %",
];

fn rate_cells(rate: &Rate) -> Vec<String> {
    let mut cells = vec![compact(rate.samples), compact(rate.audited)];
    cells.extend(rate.counts.iter().map(|count| compact(*count)));
    cells.extend([number(rate.error_rate), interval(rate.ci)]);
    cells
}

fn push(grid: &mut Grid, first: &[&str], rest: &[String]) {
    grid.push(first.iter().copied().chain(rest.iter().map(String::as_str)));
}

fn ranked(title: &str, ranks: &[AverageRank]) -> Grid {
    let columns = ["benchmark", "model", "average rank>", "abilities>"];
    let mut grid = Grid::new(title, &columns);
    for row in ranks {
        let abilities = row.abilities.to_string();
        grid.push([
            row.benchmark.as_str(),
            &row.model,
            &fixed(row.value, 2),
            &abilities,
        ]);
    }
    grid
}

impl LabelAudit {
    fn rate_grid(&self) -> Grid {
        let columns = [&["benchmark", "ability"][..], &RATE].concat();
        let mut grid = Grid::new("Label errors", &columns);
        for (name, rate) in &self.findings.audit.abilities {
            push(&mut grid, &[&name.benchmark, &name.name], &rate_cells(rate));
        }
        let parts = [
            ("all", &self.findings.audit),
            ("drawn", &self.findings.drawn),
        ];
        for (name, audit) in parts {
            push(&mut grid, &[name, ""], &rate_cells(&audit.overall));
            if let Some(weighted) = audit.weighted {
                let mut cells = vec![String::new(); RATE.len() - 2];
                cells.extend([number(Some(weighted.error_rate)), interval(weighted.ci)]);
                push(&mut grid, &[name, "weighted by size"], &cells);
            }
        }
        grid
    }

    fn author_grid(&self) -> Grid {
        let columns = [&["author"][..], &RATE].concat();
        let mut grid = Grid::new("Authors", &columns);
        for (name, rate) in &self.findings.authors {
            push(&mut grid, &[name], &rate_cells(rate));
        }
        grid
    }

    fn agreement_grid(&self) -> Grid {
        let columns = ["author", "and", "n>", "same verdict>", "kappa>", "95 %", ""];
        let mut grid = Grid::new("Agreement", &columns);
        for (a, b, found) in &self.findings.agreements {
            grid.push([
                a.as_str(),
                b,
                &compact(found.n),
                &fixed(found.observed, 4),
                &fixed(found.kappa, 4),
                &interval(found.interval),
                found.why_not().unwrap_or_default(),
            ]);
        }
        grid
    }

    fn flagged_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "sample_id",
            "verdict",
            "author",
            "note",
        ];
        let mut grid = Grid::new("Flagged samples", &columns);
        for entry in &self.findings.flagged {
            let sample = &entry.sample;
            grid.push([
                sample.benchmark.as_str(),
                &sample.ability,
                &sample.sample_id,
                entry.verdict.name(),
                &entry.author,
                &entry.note,
            ]);
        }
        grid
    }

    fn rank_grid(&self) -> Grid {
        let title = "Average rank without flagged samples";
        ranked(title, &self.findings.average_ranks)
    }

    fn corrected_grid(&self) -> Grid {
        let corrected = self.findings.corrected.as_ref();
        let title = match corrected {
            Some(found) => format!(
                "Average rank with {} corrected",
                counted(found.samples as u64, "label")
            ),
            None => String::new(),
        };
        ranked(&title, corrected.map_or(&[], |found| &found.average_ranks))
    }

    fn change_grid(changes: &[RankChange], how: &str) -> Grid {
        let mut grid = Grid::new("Changes in the ranks", &["benchmark", how]);
        for change in changes {
            grid.push([change.benchmark(), &change.to_string()]);
        }
        grid
    }

    fn problem_grid(&self) -> Grid {
        let mut grid = Grid::new("Problems in verdict files", &["where", "what"]);
        for problem in &self.problems {
            grid.push([problem.place().as_str(), &problem.what]);
        }
        grid
    }
}
