//! Reliability section: accuracy in a single pass and over all four rotations.

use crate::Summary;
use crate::cells::{interval, number};
use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::evidence::{Evidence, SampleSelection};
use crate::html::{Block, Cell, Column, Table};
use analysis::Reliability;
use analysis::metric::{Interval, Mixture, MixtureIntervals};
use base::format::{compact, fixed};

/// Explanation of the columns.
const LEGEND: &str = "VE: right in one rotation, mean of four. RE: right in all four. MA: wrong in all four. theta: share of \
    questions that the model knows. r and g: chance to be right when it knows and when it guesses. A_adj: VE without \
    lucky guesses.";

/// Reliability section of a benchmark; empty without rotations.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let all = summary
        .reliability
        .iter()
        .filter(|row| row.benchmark == benchmark);
    let all: Vec<&Reliability> = all.collect();
    if all.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Heading(3, "Reliability under rotation".to_owned()),
        Block::Text(LEGEND.to_owned()),
    ];
    for rows in all.chunk_by(|a, b| a.ability == b.ability) {
        let ability = rows.first().map(|row| row.ability.replace('_', " "));
        let ability = ability.unwrap_or_default();
        blocks.push(Block::Heading(4, ability.clone()));
        if rows.iter().any(|row| row.re.is_some()) {
            blocks.push(Block::Figure(chart(&ability, rows).into()));
        }
        blocks.push(Block::Table(table(summary.evidence.as_ref(), rows)));
    }
    blocks
}

fn chart(ability: &str, reliability: &[&Reliability]) -> String {
    let looks = [
        (
            Shape::Disc,
            Ink::Series(0),
            "all rotations right (RE), 95 % interval",
        ),
        (Shape::Ring, Ink::Series(1), "mean over rotations (VE)"),
    ];
    let row = |row: &&Reliability| {
        let intervals = [row.intervals.as_ref().and_then(|i| i.re), None];
        let values = [row.re, row.ve_mean].into_iter().zip(intervals).zip(looks);
        let mark = |((value, ci), (shape, ink, _)): ((Option<f64>, Option<Interval>), _)| {
            Some(ChartMark {
                value: value?,
                interval: ci.map(|ci| (ci.low, ci.high)),
                shape,
                ink,
            })
        };
        DotPlotRow {
            label: row.model.clone(),
            note: format!("{} / {}", fixed(row.re, 3), fixed(row.ve_mean, 3)),
            marks: values.filter_map(mark).collect(),
        }
    };
    dot_plot(&DotPlot {
        title: format!("{ability}: right in all four rotations and in one"),
        axis: "share of questions ↑".to_owned(),
        reference: None,
        legend: looks
            .map(|(shape, ink, words)| (shape, ink, words.to_owned()))
            .into(),
        rows: reliability.iter().map(row).collect(),
    })
}

fn table(evidence: Option<&Evidence>, rows: &[&Reliability]) -> Table {
    let columns = vec![
        Column::text("model"),
        Column::number("n"),
        Column::number("mean (VE) ↑"),
        Column::number("all right (RE) ↑"),
        Column::number("all wrong (MA) ↓"),
        Column::number("knows (theta) ↑"),
        Column::number("r ↑"),
        Column::number("g"),
        Column::number("adjusted (A_adj) ↑"),
        Column::text("status"),
    ];
    let row = |row: &&Reliability| {
        let solved = row.mixture.as_ref();
        let part = |value: Option<f64>, ci: fn(&MixtureIntervals) -> Option<Interval>| Cell {
            note: match row.intervals.as_ref().and_then(ci) {
                Some(ci) if value.is_some() => interval(Some(ci)),
                _ => String::new(),
            },
            ..Cell::from(number(value))
        };
        vec![
            Cell::from(row.model.as_str()),
            count(evidence, row),
            number(row.ve_mean).into(),
            part(row.re, |i| i.re),
            number(row.ma).into(),
            part(solved.map(|m| m.theta), |i| i.theta),
            part(solved.map(|m| m.r), |i| i.r),
            part(solved.map(|m| m.g), |i| i.g),
            part(solved.map(Mixture::a_adj), |i| i.a_adj),
            row.status.name().replace('_', " ").into(),
        ]
    };
    Table {
        columns,
        heads: 1,
        rows: rows.iter().map(row).collect(),
        ..Table::default()
    }
}

/// Cell with the number of questions, linked to them.
fn count(evidence: Option<&Evidence>, row: &Reliability) -> Cell {
    let cell = Cell::from(compact(row.n));
    let behind = SampleSelection {
        benchmark: &row.benchmark,
        ability: &row.ability,
        model: Some(&row.model),
        bin: None,
    };
    match evidence {
        Some(evidence) => evidence.lead(cell, behind),
        None => cell,
    }
}
