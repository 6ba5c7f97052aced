//! The acuity section: the level at which a model's score is half-way between chance and its best.

use crate::Summary;
use crate::acuity::columns;
use crate::chart::{ChartMark, DotPlot, DotPlotRow, dot_plot};
use crate::html::{Block, Table};
use analysis::Acuity;
use analysis::metric::acuity::LEVELS;

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
        blocks.push(Block::Figure(chart(&ability, &rows).into()));
        let columns = columns().without(&["benchmark", "ability"]);
        let grid = columns.grid("", rows.iter().copied());
        blocks.push(Block::Table(Table::from(&grid)));
    }
    blocks
}

fn chart(ability: &str, rows: &[&Acuity]) -> String {
    let within = |level: f64| level.clamp(1.0, f64::from(LEVELS));
    let row = |row: &&Acuity| DotPlotRow {
        label: row.model.clone(),
        note: row.found.reach().words(),
        marks: vec![ChartMark::disc(
            within(row.found.threshold),
            Some((
                within(row.found.interval.low),
                within(row.found.interval.high),
            )),
        )],
    };
    dot_plot(&DotPlot {
        title: format!("{ability}: acuity"),
        axis: "level, 1 easy to 10 hard ↑".to_owned(),
        rows: rows.iter().map(row).collect(),
        ..DotPlot::default()
    })
}
