//! Fingerprint of a benchmark: coloured ranks of all models over all abilities.

use std::collections::HashMap;

use super::headline;
use crate::Summary;
use crate::cells::{interval, number};
use crate::evidence::{Evidence, SampleSelection};
use crate::html::{Block, Cell, Column, Table};
use analysis::{AverageRank, Origin, SPLIT, Score};
use base::format::{compact, fixed};
use record::benchmark::Direction;

/// Explanation of the table.
const LEGEND: &str = "Each cell shows a rank and below it the score; the rank is over the samples \
    that all ranked models answered. Bold: no other rank is possible at 95 %. =: no clear \
    difference from another model; such a cell has no colour. The average rank is the mean over \
    all abilities. Specialists, oracles and blind guesses are below the models and are not ranked. \
    A number links to its samples on this page; its tooltip is the command that lists all of them.";

/// The ranked scores of a benchmark, with a column per ability or split and a row per model.
pub struct Fingerprint<'a> {
    /// The first score of each column, which defines the column.
    pub columns: Vec<&'a Score>,
    /// Models by average rank, best first.
    pub models: Vec<&'a AverageRank>,
    /// The first score of each specialist and control, by kind.
    pub apart: Vec<&'a Score>,
    cells: HashMap<(usize, &'a str, bool), &'a Score>,
    evidence: Option<&'a Evidence>,
}

/// Links a score's cell to its samples, if it has any.
pub fn lead(evidence: Option<&Evidence>, score: &Score, cell: Cell) -> Cell {
    match evidence {
        Some(evidence) if score.origin == Origin::Samples => {
            let behind = SampleSelection {
                benchmark: &score.benchmark,
                ability: &score.ability,
                model: Some(&score.model),
                bin: score.split.as_deref().map(|split| (SPLIT, split)),
            };
            evidence.lead(cell, behind)
        }
        _ => cell,
    }
}

impl<'a> Fingerprint<'a> {
    /// Collects the ranked scores of a benchmark.
    pub fn new(summary: &'a Summary, benchmark: &str) -> Self {
        let mut columns: Vec<&Score> = Vec::new();
        let mut cells = HashMap::new();
        let shown = |score: &&Score| {
            score.benchmark == benchmark && (score.counts() || score.is_shown_unranked())
        };
        let mut apart: Vec<&Score> = Vec::new();
        for score in summary.scores.iter().filter(shown) {
            let same = |column: &&Score| column.column() == score.column();
            if !columns.last().is_some_and(same) {
                columns.push(score);
            }
            cells.insert(
                (columns.len() - 1, score.model.as_str(), score.is_printed()),
                score,
            );
            if score.is_shown_unranked() && apart.iter().all(|known| known.model != score.model) {
                apart.push(score);
            }
        }
        apart.sort_by_key(|score| score.kind);
        let ranks = summary.average_ranks.iter();
        Self {
            columns,
            models: ranks.filter(|rank| rank.benchmark == benchmark).collect(),
            apart,
            cells,
            evidence: summary.evidence.as_ref(),
        }
    }

    /// A model's score in a column.
    fn score(&self, column: usize, model: &str, is_printed: bool) -> Option<&'a Score> {
        self.cells.get(&(column, model, is_printed)).copied()
    }

    /// Returns true if a model's rank in a column is shared, or not clearly different from another.
    pub fn is_tied(&self, column: usize, score: &Score) -> bool {
        let is_tied = |other: &&Score| {
            let shares = |group: &u32| score.tie_groups.contains(group);
            other.is_printed() == score.is_printed()
                && (other.rank == score.rank || other.tie_groups.iter().any(shares))
        };
        self.column(column).into_iter().filter(is_tied).count() > 1
    }

    /// The scores of a column, best rank first.
    pub fn column(&self, column: usize) -> Vec<&'a Score> {
        let models = self.models.iter();
        let scores = models.filter_map(|rank| self.score(column, &rank.model, rank.is_printed()));
        let mut scores: Vec<&Score> = scores.collect();
        scores.sort_by_key(|score| (score.is_printed(), score.rank.unwrap_or(u32::MAX)));
        scores
    }
}

/// A column's name such as `counting` or `existence, easy`.
pub fn ability(score: &Score) -> String {
    let name = score.ability.replace('_', " ");
    match &score.split {
        None => name,
        Some(split) => format!("{name}, {}", split.replace('_', " ")),
    }
}

/// A metric with its direction, for example `GIoU ↑`.
pub fn metric(score: &Score) -> String {
    let arrow = score.direction.map_or("", Direction::arrow);
    format!("{} {arrow}", record::benchmark::metric_words(&score.metric))
        .trim_end()
        .to_owned()
}

/// Heading, table and legend; empty without scores.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let fingerprint = Fingerprint::new(summary, benchmark);
    if fingerprint.columns.is_empty() {
        return Vec::new();
    }
    let mut columns = vec![
        Column::text("model"),
        Column::number("average rank").note("abilities"),
    ];
    let of_ability = |score: &&Score| Column::heat(&ability(score)).note(metric(score));
    columns.extend(fingerprint.columns.iter().map(of_ability));
    let row = |rank: &&AverageRank| {
        let average = Cell {
            note: format!("of {}", rank.abilities),
            bold: true,
            title: rank.ci.map_or_else(String::new, |ci| {
                let words = if rank.tied {
                    ", no clear difference from another model"
                } else {
                    ""
                };
                format!("between {:.2} and {:.2}{words}", ci.low, ci.high)
            }),
            ..Cell::from(fixed(rank.value, 2))
        };
        let mut cells = vec![Cell::from(rank.model.as_str()), average];
        cells.extend(
            (0..fingerprint.columns.len())
                .map(|at| cell(&fingerprint, at, &rank.model, rank.is_printed())),
        );
        cells
    };
    let apart = |score: &&Score| {
        let mut cells = vec![
            Cell::from(score.model.as_str()),
            Cell::from(score.kind.words()),
        ];
        cells.extend(
            (0..fingerprint.columns.len())
                .map(|at| cell(&fingerprint, at, &score.model, score.is_printed())),
        );
        cells
    };
    let models = fingerprint.models.iter().map(row);
    let apart = fingerprint.apart.iter().map(apart);
    let table = Table {
        columns,
        heads: 1,
        rows: models.chain(apart).collect(),
        ..Table::default()
    };
    vec![
        Block::Heading(3, "Fingerprint".to_owned()),
        Block::Lead(headline::conclusion(&fingerprint)),
        Block::Note(headline::evidence(&fingerprint)),
        Block::Table(table),
        Block::Scale(LEGEND.to_owned()),
    ]
}

fn cell(fingerprint: &Fingerprint<'_>, column: usize, model: &str, is_printed: bool) -> Cell {
    let Some(score) = fingerprint.score(column, model, is_printed) else {
        return Cell::from("–");
    };
    let Some(rank) = score.rank else {
        let cell = Cell {
            note: score
                .score
                .map(|score| number(Some(score)))
                .unwrap_or_default(),
            title: score.why_not_ranked().unwrap_or_default(),
            ..Cell::from("–")
        };
        return lead(fingerprint.evidence, score, cell);
    };
    let ranks = fingerprint.column(column);
    let alike = ranks
        .iter()
        .filter(|score| score.is_printed() == is_printed);
    let tied = fingerprint.is_tied(column, score);
    let ranks = alike.filter_map(|score| score.rank);
    let last = ranks.count().saturating_sub(1).max(1);
    let ends = score.rank_ci.map(|(low, high)| format!(" [{low}-{high}]"));
    let n = if score.n == 0 {
        "published".to_owned()
    } else {
        format!("n {}", compact(score.n))
    };
    let cell = Cell {
        text: format!("{rank}{}", if tied { "=" } else { "" }),
        note: number(score.score),
        title: format!(
            "{} {}, {n}, rank {rank}{}",
            number(score.score),
            interval(score.ci),
            ends.unwrap_or_default()
        ),
        heat: u32::try_from(last)
            .ok()
            .filter(|_| !tied)
            .map(|last| f64::from(rank - 1) / f64::from(last)),
        bold: score.rank_ci.is_some_and(|(low, high)| low == high),
        ..Cell::default()
    };
    lead(fingerprint.evidence, score, cell)
}
