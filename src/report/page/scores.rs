//! Score section: a chart and a table per ability, with the other metrics folded.

use super::fingerprint::{Fingerprint, ability, lead, metric};
use crate::Summary;
use crate::cells::{count, number, ranks_text};
use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::columns::Columns;
use crate::html::{Block, Table};
use analysis::{Origin, Score};

/// Score section of a benchmark.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let fingerprint = Fingerprint::new(summary, benchmark);
    let mut blocks = vec![Block::Heading(3, "Scores".to_owned())];
    for (at, first) in fingerprint.columns.iter().enumerate() {
        let scores = fingerprint.column(at);
        blocks.push(Block::Heading(4, ability(first)));
        blocks.push(Block::Beside(vec![
            Block::Figure(chart(first, &scores).into()),
            Block::Table(table(summary, &scores, Some(first))),
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
            vec![Block::Table(table(summary, &others, None))],
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

/// Table of scores, linked to their samples. For a single ability, name and metric are in the
/// headings instead of columns.
fn table(summary: &Summary, scores: &[&Score], of_one: Option<&Score>) -> Table {
    let mut columns = Columns::<Score>::new();
    if of_one.is_none() {
        columns = columns.words("ability", ability).words("metric", metric);
    }
    let grid = columns
        .text("model", |it| &it.model)
        .number("score", |it| it.score)
        .interval(4, |it| it.ci)
        .count("rank", |it| it.rank.map(u64::from))
        .words("ranks>", |it| match it.rank_ci {
            None => "–".to_owned(),
            ranks => ranks_text(ranks),
        })
        .words("n>", |it| count(it.n))
        .count("invalid", |it| {
            (it.origin == Origin::Samples).then_some(it.invalid)
        })
        .grid("", scores.iter().copied());
    let at = if of_one.is_some() { 1 } else { 3 };
    let mut table = Table {
        heads: at,
        ..Table::from(&grid)
    };
    let notes = [
        (at, of_one.map(metric).unwrap_or_default()),
        (at + 3, "95 %, together".to_owned()),
    ];
    for (at, note) in notes {
        if let Some(column) = table.columns.get_mut(at) {
            column.note = note;
        }
    }
    for (row, score) in table.rows.iter_mut().zip(scores) {
        if let Some(cell) = row.get_mut(at) {
            *cell = lead(summary.evidence.as_ref(), score, std::mem::take(cell));
        }
    }
    table
}
