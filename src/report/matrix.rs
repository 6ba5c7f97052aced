//! The document of `eyechart matrix`: models against abilities or benchmarks.

use serde_json::{Value as Json, json};

use super::{Document, Grid};
use analysis::{Matrix, MatrixCell, MatrixColumn, MatrixRow};
use base::format::{counted, fixed};
use record::Names;
use record::benchmark::Direction;

/// Matrix of models and columns, with the models' names.
#[derive(Clone, Debug, Default)]
pub struct MatrixTable {
    /// Rows and cells.
    pub found: Matrix,
    /// Names and facts of the models.
    pub names: Names,
}

impl MatrixTable {
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

fn cell(cell: &MatrixCell) -> Json {
    json!({"score": cell.score, "rank": cell.rank, "n": cell.n, "parts": cell.parts})
}

fn column(column: &MatrixColumn) -> Json {
    json!({
        "benchmark": column.benchmark, "ability": column.ability, "split": column.split,
        "metric": column.metric, "direction": column.direction.map(Direction::name),
        "origin": if column.is_printed { "published" } else { "samples" },
        "in_mean_score": column.is_share, "group": column.group, "parts": column.parts, "models": column.models,
    })
}

/// Column heading `benchmark ability (split)`, with `[paper]` for published scores.
fn head(column: &MatrixColumn) -> String {
    let ability = column.ability.as_ref().map(|name| format!(" {name}"));
    let split = column.split.as_ref().map(|split| format!(" ({split})"));
    let paper = if column.is_printed { " [paper]" } else { "" };
    format!(
        "{}{}{}{paper}",
        column.benchmark,
        ability.unwrap_or_default(),
        split.unwrap_or_default()
    )
}

impl Document for MatrixTable {
    fn preface(&self) -> Vec<String> {
        let columns = &self.found.columns;
        let shares = columns.iter().filter(|column| column.is_share).count();
        let mut said = vec![format!(
            "{}, {}. The mean score is over the columns with scores from 0 to 1 where higher is \
             better ({shares}), the mean rank over all columns in which a model is ranked; do not \
             compare means over different columns.",
            counted(self.found.rows.len() as u64, "model"),
            counted(columns.len() as u64, "column")
        )];
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
        let columns = &self.found.columns;
        let parts = self.parts();
        let mut means = Grid::new(
            "Means, with the columns behind each",
            &[
                "model",
                "mean score>",
                "of columns>",
                "mean rank>",
                "of columns>",
            ],
        );
        for row in &self.found.rows {
            let of = |count: u64| format!("{count} of {parts}");
            means.push([
                row.model.as_str(),
                &fixed(row.mean_score.0, 3),
                &of(row.mean_score.1),
                &fixed(row.mean_rank.0, 2),
                &of(row.mean_rank.1),
            ]);
        }
        let mut cells = Grid::new(
            "Score and rank in each column",
            &[
                "column",
                "metric",
                "model",
                "score>",
                "rank>",
                "of models>",
                "n>",
            ],
        );
        for (at, column) in columns.iter().enumerate() {
            let arrow = column.direction.map_or("", Direction::arrow);
            let metric = format!("{} {arrow}", column.metric.as_deref().unwrap_or("several"));
            for row in &self.found.rows {
                let Some(cell) = row.cells.get(at).copied().flatten() else {
                    continue;
                };
                cells.push([
                    head(column).as_str(),
                    metric.trim_end(),
                    &row.model,
                    &fixed(cell.score, 3),
                    &fixed(cell.rank, 1),
                    &column.models.to_string(),
                    &super::summary::count(cell.n),
                ]);
            }
        }
        vec![means, cells]
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
}
