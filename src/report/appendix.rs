//! Last sections of a report: problems, sources, and the command that reproduces the report.

use base::format::compact;
use record::Source;

use super::Provenance;
use super::html::{Block, Cell, Column, Table};
use super::problems::{problem_entry, problem_grid};
use super::summary_grids::source_grid;

/// Maximum number of listed problems.
const LISTED: usize = 200;

/// Builds the last sections; problems only if there are any.
pub fn blocks(provenance: &Provenance) -> Vec<Block> {
    let mut blocks = problems(&provenance.sources);
    blocks.extend([
        Block::Heading(2, "Sources".to_owned()),
        Block::Table(sources(provenance)),
        Block::Heading(2, "To reproduce this report".to_owned()),
        Block::Command(provenance.command.clone()),
    ]);
    blocks
}

fn problems(sources: &[Source]) -> Vec<Block> {
    let count: u64 = sources.iter().map(Source::problem_count).sum();
    let mut blocks = vec![Block::Heading(2, "Problems".to_owned())];
    if count == 0 {
        blocks.push(Block::Text("Every row could be read.".to_owned()));
        return blocks;
    }
    let listed = sources.iter().flat_map(|source| &source.problems);
    let grid = problem_grid("", listed.take(LISTED).map(problem_entry));
    let more = count - grid.rows.len() as u64;
    blocks.push(Block::Table(Table::from(&grid)));
    if more > 0 {
        let text = format!("{} more: eyechart check lists them.", compact(more));
        blocks.push(Block::Text(text));
    }
    blocks
}

fn sources(provenance: &Provenance) -> Table {
    let mut table = Table::from(&source_grid(&provenance.sources));
    table.caption.clear();
    table
        .columns
        .push(Column::text("BLAKE3").note("first 16 digits"));
    for (row, (_, hash)) in table.rows.iter_mut().zip(provenance.hashed()) {
        row.push(Cell {
            title: hash.unwrap_or_default().to_owned(),
            ..Cell::from(Provenance::short(hash))
        });
    }
    table
}
