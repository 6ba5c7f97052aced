//! The document of `eyechart matrix`: a table of models and abilities, benchmarks or metrics.

use serde_json::{Value as Json, json};

use super::cells::count;
use super::columns::{Columns, with_split};
use super::{Document, Grid, html, page};
use analysis::{ColumnKind, Matrix, MatrixCell, MatrixColumn, MatrixRow};
use base::format::counted;
use record::Names;
use record::benchmark::Direction;

/// Matrix of models and columns, with the models' names.
#[derive(Clone, Debug, Default)]
pub struct MatrixTable {
    /// Columns, rows and cells of the matrix.
    pub found: Matrix,
    /// Names and facts of the models.
    pub names: Names,
}

impl MatrixTable {
    /// Columns with scores of people and of a model, with the best model.
    pub(super) fn beside_people(&self) -> Vec<BesidePeople<'_>> {
        let columns = self.found.columns.iter().enumerate();
        let beside = columns.filter_map(|(at, column)| {
            let (row, score) = self.found.best(at)?;
            Some(BesidePeople {
                column,
                human: column.human?,
                best: &row.model,
                score,
                gap: column.to_human(score)?,
            })
        });
        beside.collect()
    }

    /// Returns false for columns of metrics, which have no ranks.
    fn is_ranked(&self) -> bool {
        self.found.over != ColumnKind::Metrics
    }

    /// Number of abilities behind all columns.
    fn parts(&self) -> u64 {
        self.found.columns.iter().map(|column| column.parts).sum()
    }

    fn row(&self, row: &MatrixRow) -> Json {
        let (model, run) = self.names.plain(&row.model);
        let family = self
            .names
            .facts(&row.model)
            .and_then(|facts| facts.family.clone());
        json!({
            "model": model, "run": run, "family": family,
            "mean_score": row.mean_score.0, "mean_score_columns": row.mean_score.1,
            "mean_rank": row.mean_rank.0, "mean_rank_columns": row.mean_rank.1,
            "columns": self.parts(),
            "cells": row.cells.iter().map(|one| one.as_ref().map(cell)).collect::<Vec<_>>(),
        })
    }
}

/// A column with a human score, and the best model.
pub(super) struct BesidePeople<'a> {
    pub column: &'a MatrixColumn,
    pub human: f64,
    pub best: &'a str,
    pub score: f64,
    /// How much better people are than the best model, in the metric's unit.
    pub gap: f64,
}

fn cell(cell: &MatrixCell) -> Json {
    json!({
        "score": cell.score, "rank": cell.rank, "n": cell.n, "parts": cell.parts, "to_human": cell.to_human,
    })
}

fn column(column: &MatrixColumn) -> Json {
    json!({
        "benchmark": column.benchmark, "ability": column.ability, "split": column.split,
        "metric": column.metric, "direction": column.direction.map(Direction::name),
        "origin": if column.is_printed { "published" } else { "samples" },
        "in_mean_score": column.is_share, "group": column.group, "parts": column.parts, "models": column.models,
        "human": column.human, "chance": column.chance,
    })
}

/// Column heading `benchmark ability (split)`, with `[paper]` for published scores.
pub(super) fn head(column: &MatrixColumn) -> String {
    let ability = column.ability.as_ref().map(|name| format!(" {name}"));
    let name = column.benchmark.clone() + &ability.unwrap_or_default();
    let paper = if column.is_printed { " [paper]" } else { "" };
    with_split(&name, column.split.as_deref()) + paper
}

impl Document for MatrixTable {
    fn preface(&self) -> Vec<String> {
        let columns = &self.found.columns;
        if self.found.rows.is_empty() {
            return vec!["No model has a score.".to_owned()];
        }
        let shares = columns.iter().filter(|column| column.is_share).count();
        let size = format!(
            "{}, {}.",
            counted(self.found.rows.len() as u64, "model"),
            counted(columns.len() as u64, "column")
        );
        let mut said = vec![if self.is_ranked() {
            format!(
                "{size} The mean score is over the columns with scores from 0 to 1 where higher is \
                 better ({shares}), the mean rank over all columns in which a model is ranked; do \
                 not compare means over different columns."
            )
        } else {
            format!(
                "{size} A score is the mean over the abilities in which the model has the metric; \
                 do not compare means over different abilities."
            )
        }];
        let mut groups: Vec<&str> = columns
            .iter()
            .filter_map(|it| it.group.as_deref())
            .collect();
        groups.dedup();
        if !groups.is_empty() {
            said.push(format!(
                "Columns that count as one in means: {}.",
                groups.join(", ")
            ));
        }
        said
    }

    fn grids(&self) -> Vec<Grid> {
        let parts = self.parts();
        let of = |count: u64| format!("{count} of {parts}");
        let means = Columns::<MatrixRow>::new()
            .text("model", |it| &it.model)
            .fixed("mean score", 3, |it| it.mean_score.0)
            .words("of columns>", |it| of(it.mean_score.1))
            .fixed("mean rank", 2, |it| it.mean_rank.0)
            .words("of columns>", |it| of(it.mean_rank.1))
            .grid(
                "Means, with the number of columns in each",
                &self.found.rows,
            );
        let cells = self
            .found
            .columns
            .iter()
            .enumerate()
            .flat_map(|(at, column)| {
                let cells = self
                    .found
                    .rows
                    .iter()
                    .filter_map(move |row| Some((row, row.cells.get(at)?.as_ref()?)));
                cells.map(move |(row, cell)| (column, row, cell))
            });
        let cells = Columns::<(&MatrixColumn, &MatrixRow, &MatrixCell)>::new()
            .words("column", |(column, ..)| head(column))
            .metric(
                |(column, ..)| column.metric.as_deref().unwrap_or("several"),
                |(column, ..)| column.direction,
            )
            .text("model", |(_, row, _)| &row.model)
            .fixed("score", 3, |(.., cell)| cell.score)
            .fixed("rank", 1, |(.., cell)| cell.rank)
            .count("of models", |(column, ..)| column.models)
            .words("abilities>", |(column, _, cell)| {
                format!("{} of {}", cell.parts, column.parts)
            })
            .words("n>", |(.., cell)| count(cell.n))
            .grid("Score and rank in each column", cells);
        let mut grids: Vec<Grid> = self.is_ranked().then_some(means).into_iter().collect();
        grids.push(cells);
        let beside = self.beside_people();
        if !beside.is_empty() {
            grids.push(people_grid(beside));
        }
        grids
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.matrix/1",
            "columns": self.found.columns.iter().map(column).collect::<Vec<_>>(),
            "rows": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.found.rows.iter().map(|row| self.row(row)).collect()
    }

    fn page(&self) -> html::Page {
        page::matrix(self)
    }
}

fn people_grid(beside: Vec<BesidePeople<'_>>) -> Grid {
    Columns::<BesidePeople<'_>>::new()
        .words("column", |it| head(it.column))
        .fixed("people", 3, |it| it.human)
        .fixed("chance", 3, |it| it.column.chance)
        .text("best model", |it| it.best)
        .fixed("score", 3, |it| it.score)
        .fixed("human lead", 3, |it| it.gap)
        .fixed("chance (0) to people (1)", 2, |it| {
            it.column.way_to_human(it.score)
        })
        .grid("Best model and human score", beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preface(found: Matrix) -> String {
        let table = MatrixTable {
            found,
            names: Names::default(),
        };
        table.preface().join(" ")
    }

    #[test]
    fn the_preface_follows_the_columns_also_without_ranks() {
        assert_eq!(preface(Matrix::default()), "No model has a score.");
        let of_one = |over| Matrix {
            over,
            rows: vec![MatrixRow::default()],
            ..Matrix::default()
        };
        let abilities = preface(of_one(ColumnKind::Abilities));
        assert!(abilities.contains("The mean score is over"), "{abilities}");
        let metrics = preface(of_one(ColumnKind::Metrics));
        assert!(metrics.contains("has the metric"), "{metrics}");
    }
}
