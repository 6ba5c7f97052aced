//! The acuity section: the level at which each model reads half of what can be read.

use crate::Summary;
use crate::acuity::{interval, rule};
use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::html::{Block, Cell, Column, Figure, Table};
use analysis::Acuity;
use analysis::metric::acuity::LEVELS;
use base::format::{compact, fixed};

/// Explanation below the heading.
const LEGEND: &str = "Items have levels from 1 (easy) to 10 (hard). Acuity is the level at which \
    the score is half-way between chance and the model's best. Outside the levels it is > 10 or < \
    1.";

/// Acuity section of a benchmark; empty without levels.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let all = summary.acuity.iter();
    let all: Vec<&Acuity> = all.filter(|row| row.benchmark == benchmark).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Heading(3, "Acuity".to_owned()),
        Block::Text(LEGEND.to_owned()),
    ];
    let is_examined = |row: &&Acuity| {
        let mut exams = summary.exams_of(benchmark);
        exams.any(|exam| exam.model == row.model)
    };
    for rows in all.chunk_by(|a, b| a.ability == b.ability) {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| !is_examined(row));
        let ability = rows.first().map(|row| row.ability.replace('_', " "));
        let ability = ability.unwrap_or_default();
        blocks.push(Block::Heading(4, ability.clone()));
        blocks.push(Block::Figure(Figure {
            svg: chart(&ability, &rows),
            ..Figure::default()
        }));
        blocks.push(Block::Table(table(&rows)));
    }
    blocks
}

fn chart(ability: &str, rows: &[&Acuity]) -> String {
    let within = |level: f64| level.clamp(1.0, f64::from(LEVELS));
    let row = |row: &&Acuity| DotPlotRow {
        label: row.model.clone(),
        note: row.found.reach().words(),
        marks: vec![ChartMark {
            value: within(row.found.threshold),
            interval: Some((
                within(row.found.interval.low),
                within(row.found.interval.high),
            )),
            shape: Shape::Disc,
            ink: Ink::Series(0),
        }],
    };
    dot_plot(&DotPlot {
        title: format!("{ability}: acuity"),
        axis: "level, 1 easy to 10 hard ↑".to_owned(),
        reference: None,
        legend: Vec::new(),
        rows: rows.iter().map(row).collect(),
    })
}

fn table(rows: &[&Acuity]) -> Table {
    let columns = vec![
        Column::text("model"),
        Column::number("acuity ↑"),
        Column::number("n"),
        Column::number("chance"),
        Column::text("right if"),
    ];
    let row = |row: &&Acuity| {
        vec![
            Cell::from(row.model.as_str()),
            Cell {
                note: interval(row),
                ..Cell::from(row.found.reach().words())
            },
            compact(row.n).into(),
            fixed(Some(row.chance), 2).into(),
            rule(row).into(),
        ]
    };
    Table {
        columns,
        heads: 1,
        rows: rows.iter().map(row).collect(),
        ..Table::default()
    }
}
