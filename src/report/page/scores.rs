//! Score section: a chart and a table per ability, with the other metrics folded.

use super::fingerprint::{Fingerprint, ability, lead, metric};
use crate::Summary;
use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::html::{Block, Cell, Column, Figure, Table};
use crate::summary::{count, interval, number};
use analysis::{Origin, Score};

/// Score section of a benchmark.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let fingerprint = Fingerprint::new(summary, benchmark);
    let mut blocks = vec![Block::Heading(3, "Scores".to_owned())];
    for (at, first) in fingerprint.columns.iter().enumerate() {
        let scores = fingerprint.column(at);
        blocks.push(Block::Heading(4, ability(first)));
        blocks.push(Block::Beside(vec![
            Block::Figure(Figure {
                svg: chart(first, &scores),
                ..Figure::default()
            }),
            Block::Table(table(summary, first, &scores)),
        ]));
    }
    let others = summary
        .scores
        .iter()
        .filter(|score| score.benchmark == benchmark && !score.counts());
    let others: Vec<&Score> = others.collect();
    if !others.is_empty() {
        let title = format!("Scores that do not rank ({})", others.len());
        blocks.push(Block::Folded(
            title,
            vec![Block::Table(long_table(summary, &others))],
        ));
    }
    blocks
}

fn chart(first: &Score, scores: &[&Score]) -> String {
    let printed = |score: &Score| score.origin == Origin::Published;
    let look = |printed: bool| {
        if printed {
            (Shape::Ring, Ink::Series(1))
        } else {
            (Shape::Disc, Ink::Series(0))
        }
    };
    let row = |score: &&Score| {
        let (shape, ink) = look(printed(score));
        let mark = score.score.map(|value| ChartMark {
            value,
            interval: score.ci.map(|ci| (ci.low, ci.high)),
            shape,
            ink,
        });
        DotPlotRow {
            label: score.model.clone(),
            note: number(score.score),
            marks: mark.into_iter().collect(),
        }
    };
    // A single kind of score needs no legend.
    let mixed = scores.iter().any(|score| printed(score) != printed(first));
    let legend = [(false, "from samples"), (true, "published")];
    let legend = legend.map(|(is, words)| (look(is).0, look(is).1, words.to_owned()));
    let measured = scores.iter().any(|score| score.ci.is_some());
    let interval = if measured { ", 95 % interval" } else { "" };
    dot_plot(&DotPlot {
        title: format!("{}: {}", ability(first), metric(first)),
        axis: format!("{}{interval}", metric(first)),
        reference: None,
        legend: legend.into_iter().filter(|_| mixed).collect(),
        rows: scores.iter().map(row).collect(),
    })
}

fn table(summary: &Summary, first: &Score, scores: &[&Score]) -> Table {
    let row = |score: &&Score| {
        let mut cells = vec![Cell::from(score.model.as_str())];
        cells.extend(numbers(summary, score));
        cells
    };
    let mut columns = vec![Column::text("model")];
    columns.extend(number_columns(Column::number("score").note(metric(first))));
    Table {
        columns,
        heads: 1,
        rows: scores.iter().map(row).collect(),
        ..Table::default()
    }
}

/// Table with one row per score, over all abilities and metrics.
fn long_table(summary: &Summary, scores: &[&Score]) -> Table {
    let row = |score: &&Score| {
        let mut cells = vec![
            ability(score).into(),
            metric(score).into(),
            Cell::from(score.model.as_str()),
        ];
        cells.extend(numbers(summary, score));
        cells
    };
    let mut columns = vec![
        Column::text("ability"),
        Column::text("metric"),
        Column::text("model"),
    ];
    columns.extend(number_columns(Column::number("score")));
    Table {
        columns,
        heads: 3,
        rows: scores.iter().map(row).collect(),
        ..Table::default()
    }
}

fn number_columns(score: Column) -> [Column; 6] {
    [
        score,
        Column::number("95 %").dim(),
        Column::number("rank"),
        Column::number("ranks").note("95 %, together").dim(),
        Column::number("n"),
        Column::number("invalid"),
    ]
}

fn numbers(summary: &Summary, score: &Score) -> [Cell; 6] {
    let ranks = score.rank_ci.map(|(low, high)| format!("{low}-{high}"));
    let invalid = match score.origin {
        Origin::Published | Origin::Harness => "–".to_owned(),
        Origin::Samples => score.invalid.to_string(),
    };
    [
        lead(summary.evidence.as_ref(), score, number(score.score).into()),
        interval(score.ci).into(),
        score
            .rank
            .map_or("–".to_owned(), |rank| rank.to_string())
            .into(),
        ranks.unwrap_or_else(|| "–".to_owned()).into(),
        count(score.n).into(),
        invalid.into(),
    ]
}
