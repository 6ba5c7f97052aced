//! The grid's rows and columns under the lens, and what each cell says.

use std::collections::HashMap;

use crate::popup::short;
use crate::shared::Shared;
use analysis::sensitivity::letters;
use analysis::{AverageRank, Score};
use benchmark::Direction;
use record::Kind;
use widget::heat_grid::HeatCell;

/// What the cells say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Ranks.
    #[default]
    Ranks,
    /// Scores.
    Scores,
    /// How far from the best.
    Gaps,
    /// Intervals of the ranks.
    Intervals,
}

impl Cells {
    /// What they say next.
    pub const fn next(self) -> Self {
        match self {
            Self::Ranks => Self::Scores,
            Self::Scores => Self::Gaps,
            Self::Gaps => Self::Intervals,
            Self::Intervals => Self::Ranks,
        }
    }
}

/// A column: one ability, or one of its splits.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Ability name.
    pub ability: String,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// Which way is better.
    pub direction: Option<Direction>,
}

/// A row: a model under test, or what stands apart from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Model name.
    pub model: String,
    /// Its average rank.
    pub average: Option<f64>,
    /// What it is.
    pub kind: Kind,
    /// True if a paper printed its scores.
    pub is_printed: bool,
}

/// The grid's rows and columns under the lens.
pub struct Fingerprint<'a> {
    /// Models and their average ranks, the best first, then what stands apart, kind by kind.
    pub models: Vec<Row>,
    /// Abilities, or their splits, in the papers' order.
    pub columns: Vec<Column>,
    scores: HashMap<(usize, String, bool), &'a Score>,
}

impl<'a> Fingerprint<'a> {
    /// What the shared's lens shows.
    pub fn new(shared: &'a Shared) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        let mut scores = HashMap::new();
        let shown = shared
            .answers
            .scores
            .iter()
            .filter(|score| score.benchmark == shared.lens.benchmark)
            .filter(|score| score.counts() || score.stands_apart());
        let mut apart: Vec<Row> = Vec::new();
        for score in shown {
            let column = Column {
                ability: score.ability.clone(),
                split: score.split.clone(),
                metric: score.metric.clone(),
                direction: score.direction,
            };
            if columns.last() != Some(&column) {
                columns.push(column);
            }
            // A paper need not spell a control alike in all its tables.
            let known = apart
                .iter()
                .find(|row| row.model.eq_ignore_ascii_case(&score.model));
            if known.is_none() && score.kind != Kind::Model {
                apart.push(Row {
                    model: score.model.clone(),
                    average: None,
                    kind: score.kind,
                    is_printed: score.is_printed(),
                });
            }
            let key = (
                columns.len() - 1,
                score.model.to_lowercase(),
                score.is_printed(),
            );
            scores.insert(key, score);
        }
        apart.sort_by_key(|row| row.kind);
        let ranks = shared
            .answers
            .average_ranks
            .iter()
            .filter(|rank| rank.benchmark == shared.lens.benchmark);
        Self {
            models: ranks.map(ranked).chain(apart).collect(),
            columns,
            scores,
        }
    }

    /// The score of a cell.
    pub fn score(&self, column: usize, row: usize) -> Option<&'a Score> {
        let row = self.models.get(row)?;
        let key = (column, row.model.to_lowercase(), row.is_printed);
        self.scores.get(&key).copied()
    }

    /// The column in which a model is worst: by its rank among all that rank there, and without ranks by its score where
    /// that is a share.
    pub fn worst_column(&self, row: usize) -> Option<usize> {
        let of_column = |column: usize| {
            let score = self.score(column, row)?;
            let rivals = self.rivals(column, score).count();
            let by_rank = score.rank.filter(|_| rivals > 1);
            let badness = match by_rank {
                #[expect(clippy::cast_precision_loss, reason = "a number of models")]
                Some(rank) => (f64::from(rank) - 1.0) / (rivals as f64 - 1.0),
                None if score.direction == Some(Direction::Higher) => 1.0 - score.score?,
                None => return None,
            };
            Some((column, by_rank.is_some(), badness))
        };
        let columns = (0..self.columns.len()).filter_map(of_column);
        // A place among others says more than a score without any.
        let worst = columns.max_by(|(a_at, a_ranked, a), (b_at, b_ranked, b)| {
            let by_place = || b_at.cmp(a_at);
            a_ranked
                .cmp(b_ranked)
                .then(a.total_cmp(b))
                .then_with(by_place)
        });
        worst.map(|(column, ..)| column)
    }

    /// The scores of a column that are ranked with one: a paper's among themselves.
    fn rivals(&self, column: usize, score: &Score) -> impl Iterator<Item = &'a Score> {
        let is_printed = score.is_printed();
        let scores = (0..self.models.len()).filter_map(move |row| self.score(column, row));
        scores.filter(move |other| other.ranked && other.is_printed() == is_printed)
    }

    /// How many models have a rank beside a score's.
    pub fn ranked(&self, column: usize, score: &Score) -> usize {
        let rivals = self.rivals(column, score);
        rivals.filter(|other| other.rank.is_some()).count()
    }

    /// The name of a row, with a word where samples and a paper both have the model.
    pub fn name(&self, row: &Row) -> String {
        let is_twice = || {
            let other = |other: &&Row| other.model.eq_ignore_ascii_case(&row.model);
            self.models.iter().filter(other).count() > 1
        };
        if row.is_printed && is_twice() {
            format!("{} (paper)", row.model)
        } else {
            row.model.clone()
        }
    }

    /// The blind guess and the best specialist of a column, where it has both and they differ.
    pub fn controls(&self, column: usize) -> Option<(f64, f64)> {
        let blind = self.best_of(column, Kind::BlindGuess)?;
        let specialist = self.best_of(column, Kind::Specialist)?;
        (blind.total_cmp(&specialist).is_ne()).then_some((blind, specialist))
    }

    /// The best score of a kind in a column.
    fn best_of(&self, column: usize, kind: Kind) -> Option<f64> {
        let lower = self.columns.get(column)?.direction == Some(Direction::Lower);
        let rows = (0..self.models.len()).filter_map(|row| self.score(column, row));
        let scores = rows
            .filter(|score| score.kind == kind)
            .filter_map(|score| score.score);
        scores.reduce(|a, b| if lower { a.min(b) } else { a.max(b) })
    }

    /// The best and the worst score that is ranked in a column.
    pub fn extremes(&self, column: usize) -> Option<(f64, f64)> {
        let ranked = (0..self.models.len()).filter_map(|row| self.score(column, row));
        let scores = ranked
            .filter(|score| score.ranked)
            .filter_map(|score| score.score);
        let (low, high) = scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| {
            (low.min(s), high.max(s))
        });
        let lower = self.columns.get(column)?.direction == Some(Direction::Lower);
        (low <= high).then_some(if lower { (low, high) } else { (high, low) })
    }

    /// What the cell of something that is not ranked says: its score, or how far it is from the best model.
    fn apart(&self, column: usize, score: &Score, cells: Cells) -> HeatCell<'static> {
        let Some(value) = score.score else {
            return blank();
        };
        let text = match (cells, self.extremes(column)) {
            (Cells::Gaps, Some((best, _))) => {
                let sign = if value < best { "-" } else { "+" };
                format!("{sign}{}", short((value - best).abs()))
            }
            _ => short(value),
        };
        HeatCell {
            text: text.into(),
            ..blank()
        }
    }

    /// Models of a column with which a score shares a tie group, itself included.
    pub fn group(&self, column: usize, score: &Score) -> usize {
        let own = &score.tie_groups;
        let shares = |other: &&Score| other.tie_groups.iter().any(|group| own.contains(group));
        self.rivals(column, score).filter(shares).count()
    }

    /// The sign of a tie: the letter of a tie group of several, else `=` between equal ranks.
    fn tie(&self, column: usize, score: &Score) -> String {
        let equal = |other: &&Score| other.rank == score.rank;
        match score.tie_groups.as_slice() {
            // Narrow cells have the best of its groups; the line below tells all of them.
            [best, ..] if self.group(column, score) > 1 => letters(&[*best]),
            _ if self.rivals(column, score).filter(equal).count() > 1 => "=".to_owned(),
            _ => String::new(),
        }
    }

    /// What a cell says.
    pub fn cell(&self, column: usize, row: usize, cells: Cells) -> HeatCell<'static> {
        let Some(score) = self.score(column, row) else {
            return blank();
        };
        let ranked = self.ranked(column, score);
        let Some(rank) = score.rank else {
            return self.apart(column, score, cells);
        };
        let text = match (cells, score.score, self.extremes(column)) {
            (Cells::Ranks, _, _) => format!("{rank}{}", self.tie(column, score)),
            (Cells::Intervals, _, _) => match score.rank_ci {
                Some((low, high)) if low < high => format!("{low}-{high}"),
                Some((low, _)) => low.to_string(),
                None => "–".to_owned(),
            },
            (Cells::Gaps, Some(score), Some((best, _))) => short((score - best).abs()),
            (_, score, _) => score.map_or_else(|| "–".to_owned(), short),
        };
        HeatCell {
            text: text.into(),
            heat: fraction(rank.saturating_sub(1), ranked.saturating_sub(1)),
            dim: score.rank_ci.is_some_and(|(low, high)| low < high),
            best: rank == 1,
        }
    }
}

fn ranked(rank: &AverageRank) -> Row {
    Row {
        model: rank.model.clone(),
        average: rank.value,
        kind: Kind::Model,
        is_printed: rank.is_printed,
    }
}

fn blank() -> HeatCell<'static> {
    HeatCell {
        text: "–".into(),
        heat: f64::NAN,
        dim: false,
        best: false,
    }
}

fn fraction(part: u32, whole: usize) -> f64 {
    let whole = u32::try_from(whole.max(1)).unwrap_or(u32::MAX);
    f64::from(part) / f64::from(whole)
}
