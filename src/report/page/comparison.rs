//! HTML page of a comparison: conclusions, a forest plot per metric, and all numbers.

use itertools::Itertools as _;

use crate::SideBySide;
use crate::chart::{ForestRow, forest};
use crate::comparison::{RowKind, careful, grid, title};
use crate::evidence::{Evidence, SampleSelection};
use crate::html::{Block, Cell, Figure, Page, Table};
use analysis::{PairedDifference, coverage, sentence};
use record::benchmark::Direction;

/// Maximum number of rows in one chart.
const MOST: usize = 60;

/// Page of a single comparison.
pub fn page(sides: &SideBySide) -> Page {
    let mut blocks = abilities(sides, 2, None);
    blocks.extend(subgroups(sides, 2, None));
    Page {
        title: format!("A {} and B {}", sides.a, sides.b),
        about: vec!["Eyechart: two sides compared".to_owned()],
        blocks,
    }
}

/// Conclusions, charts and numbers of all abilities, below headings of this level. With `evidence`,
/// numbers link to their samples.
pub fn abilities(sides: &SideBySide, level: u8, evidence: Option<&Evidence>) -> Vec<Block> {
    let found = &sides.comparison;
    let warnings = found.mismatches.iter();
    let mut blocks: Vec<Block> = warnings
        .map(|mismatch| Block::Text(careful(mismatch)))
        .collect();
    blocks.push(Block::Note(coverage(found, &sides.a, &sides.b)));
    if !found.abilities.is_empty() {
        blocks.push(Block::Heading(level, title("Abilities", &found.abilities)));
        let name = |row: &PairedDifference| row.ability.name.replace('_', " ");
        let words = |row: &PairedDifference| Block::Text(sentence(row, &sides.a, &sides.b));
        blocks.push(Block::Beside(vec![
            Block::Stack(charts(sides, &found.abilities, name)),
            Block::Stack(found.abilities.iter().map(words).collect()),
        ]));
        blocks.push(table(sides, &found.abilities, RowKind::Ability, evidence));
    }
    blocks
}

/// Charts and numbers of all subgroups; empty without subgroups.
pub fn subgroups(sides: &SideBySide, level: u8, evidence: Option<&Evidence>) -> Vec<Block> {
    let found = &sides.comparison;
    if found.subgroups.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Heading(level, title("Subgroups", &found.subgroups))];
    let split = |row: &PairedDifference| row.bin.as_ref().map(|(by, _)| by.clone());
    let groups = found
        .subgroups
        .chunk_by(|a, b| a.ability == b.ability && split(a) == split(b));
    let stacks = groups.map(|rows| {
        let first = rows.first();
        let by = first.and_then(split).unwrap_or_default();
        let ability = first.map(|row| row.ability.name.replace('_', " "));
        let heading = format!("{} by {by}", ability.unwrap_or_default());
        let bin = |row: &PairedDifference| row.bin.as_ref().map(|(_, bin)| bin.clone());
        let mut stack = vec![Block::Heading(4, heading)];
        stack.extend(charts(sides, rows, |row| bin(row).unwrap_or_default()));
        Block::Stack(stack)
    });
    blocks.push(Block::Beside(stacks.collect()));
    let folded = format!("All numbers ({} rows)", found.subgroups.len());
    let table = table(sides, &found.subgroups, RowKind::Subgroup, evidence);
    blocks.push(Block::Folded(folded, vec![table]));
    blocks
}

/// One chart per metric, because their units differ.
fn charts(
    sides: &SideBySide,
    rows: &[PairedDifference],
    label: impl Fn(&PairedDifference) -> String,
) -> Vec<Block> {
    let chart = |metric: &str| {
        let of_metric = rows.iter().filter(|row| row.metric == metric);
        let direction = of_metric
            .clone()
            .next()
            .map_or(Direction::Higher, |row| row.direction);
        let row = |row: &PairedDifference| ForestRow {
            label: label(row),
            n: row.n,
            difference: row.difference,
            low: row.ci.map(|ci| ci.low),
            high: row.ci.map(|ci| ci.high),
            conclusion: row.conclusion,
        };
        let shown: Vec<ForestRow> = of_metric.clone().take(MOST).map(row).collect();
        let left_out = of_metric.count() - shown.len();
        Block::Figure(Figure {
            svg: forest([&sides.a, &sides.b], metric, direction, &shown),
            caption: if left_out == 0 {
                String::new()
            } else {
                format!("{left_out} more are in the table.")
            },
        })
    };
    let metrics = rows.iter().map(|row| row.metric.as_str());
    metrics.unique().map(chart).collect()
}

fn table(
    sides: &SideBySide,
    rows: &[PairedDifference],
    kind: RowKind,
    evidence: Option<&Evidence>,
) -> Block {
    let grid = grid("", rows, kind);
    let mut table = Table {
        heads: match kind {
            RowKind::Ability => 2,
            RowKind::Subgroup => 4,
        },
        ..Table::from(&grid)
    };
    let n = table.columns.iter().position(|column| column.name == "n");
    if let (Some(evidence), Some(n)) = (evidence, n) {
        for (row, cells) in rows.iter().zip(&mut table.rows) {
            if let Some(cell) = cells.get_mut(n) {
                *cell = behind(evidence, sides, row, std::mem::take(cell));
            }
        }
    }
    Block::Table(table)
}

/// Cell with the number of samples; its command lists them, the largest differences first.
fn behind(evidence: &Evidence, sides: &SideBySide, row: &PairedDifference, cell: Cell) -> Cell {
    let commands = &evidence.commands;
    let are_models = commands.is_model(&sides.a) && commands.is_model(&sides.b);
    let behind = SampleSelection {
        benchmark: &row.ability.benchmark,
        ability: &row.ability.name,
        model: are_models.then_some(sides.a.as_str()),
        bin: row
            .bin
            .as_ref()
            .map(|(by, bin)| (by.as_str(), bin.as_str())),
    };
    if are_models {
        return evidence.link(cell, behind, &commands.gaps(behind, &sides.b));
    }
    evidence.lead(cell, behind)
}
