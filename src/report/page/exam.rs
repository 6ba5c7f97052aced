//! Result of an exam: a sentence to quote, the examined model's acuity with other models for
//! reference, and the two samples at each threshold.

use crate::chart::{ChartMark, DotPlot, DotPlotRow, Ink, Shape, dot_plot};
use crate::html::{Block, Table};
use crate::{AbilityResult, ExamResult, Summary};
use analysis::metric::acuity::LEVELS;

/// Explanation above the samples.
const AROUND: &str = "For each ability: the hardest question up to the threshold with a right \
    answer, and the easiest question above it with a wrong answer.";
/// Explanation of the table.
const LEGEND: &str = "Acuity is the level, 1 easy to 10 hard, at which the score is half-way \
    between chance and the model's best; outside the levels it is > 10 or < 1. Blind guess and \
    best constant are scores in the same metric.";

/// Sections of the exams of a benchmark; empty without an examined model.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let exams = summary.exams_of(benchmark);
    exams.flat_map(|exam| of_model(summary, exam)).collect()
}

fn of_model(summary: &Summary, exam: &ExamResult) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(3, format!("Result of {}", exam.model)),
        Block::Text(exam.quoted()),
    ];
    blocks.extend(exam.cost_words().map(Block::Text));
    blocks.push(Block::Text(LEGEND.to_owned()));
    blocks.push(Block::Figure(chart(exam).into()));
    blocks.push(Block::Table(Table::from(&exam.grid())));
    blocks.extend(around(summary, exam));
    blocks
}

/// Chart of the model's acuity in every ability, with other models as rings.
fn chart(exam: &ExamResult) -> String {
    let within = |level: f64| level.clamp(1.0, f64::from(LEVELS));
    let row = |row: &AbilityResult| {
        let others = row.others.iter().map(|other| ChartMark {
            value: within(other.found.threshold),
            interval: None,
            shape: Shape::Ring,
            ink: Ink::Dim,
        });
        let interval = row.acuity.found.interval;
        let ends = (within(interval.low), within(interval.high));
        let own = ChartMark::disc(within(row.acuity.found.threshold), Some(ends));
        DotPlotRow {
            label: row.acuity.ability.replace('_', " "),
            note: row.acuity.words(),
            marks: others.chain([own]).collect(),
        }
    };
    let has_others = exam.abilities.iter().any(|row| !row.others.is_empty());
    let mut legend = vec![(Shape::Disc, Ink::Series(0), exam.model.clone())];
    if has_others {
        legend.push((Shape::Ring, Ink::Dim, "the others".to_owned()));
    }
    dot_plot(&DotPlot {
        title: format!("acuity of {}", exam.model),
        axis: "level, 1 easy to 10 hard ↑".to_owned(),
        reference: None,
        legend,
        rows: exam.abilities.iter().map(row).collect(),
    })
}

/// Cards of the samples at the thresholds.
fn around(summary: &Summary, exam: &ExamResult) -> Vec<Block> {
    let Some(evidence) = &summary.evidence else {
        return Vec::new();
    };
    let abilities = evidence.abilities.iter();
    let own = abilities.filter(|one| one.benchmark == exam.benchmark && !one.around.is_empty());
    let cards: Vec<Block> = own
        .flat_map(|one| {
            [
                Block::Heading(
                    4,
                    format!("{} at the threshold", one.ability.replace('_', " ")),
                ),
                Block::Cards(one.around.clone()),
            ]
        })
        .collect();
    if cards.is_empty() {
        return cards;
    }
    [Block::Text(AROUND.to_owned())]
        .into_iter()
        .chain(cards)
        .collect()
}
