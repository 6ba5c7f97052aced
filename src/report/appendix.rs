//! Last sections of a report: problems, sources, and the command that reproduces it.

use base::format::compact;
use reader::annotations::why_unread;
use record::{Problem, Source};

use super::Provenance;
use super::html::{Block, Cell, Column, Table};

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
    let row = |problem: &Problem| {
        vec![
            Cell::from(problem.place()),
            Cell::from(problem.what.as_str()),
        ]
    };
    let listed = sources.iter().flat_map(|source| &source.problems);
    let rows: Vec<Vec<Cell>> = listed.take(LISTED).map(row).collect();
    let more = count - rows.len() as u64;
    blocks.push(Block::Table(Table {
        columns: vec![Column::text("where"), Column::text("what")],
        rows,
        ..Table::default()
    }));
    if more > 0 {
        let text = format!("{} more: eyechart check lists them.", compact(more));
        blocks.push(Block::Text(text));
    }
    blocks
}

fn sources(provenance: &Provenance) -> Table {
    let row = |(source, hash): (&Source, Option<&str>)| {
        vec![
            Cell::from(base::format::path(&source.path)),
            source.format.into(),
            compact(source.rows).into(),
            source.problem_count().to_string().into(),
            why_unread(source).unwrap_or_default().into(),
            Cell {
                title: hash.unwrap_or_default().to_owned(),
                ..Cell::from(Provenance::short(hash))
            },
        ]
    };
    Table {
        columns: vec![
            Column::text("path"),
            Column::text("format"),
            Column::number("rows"),
            Column::number("problems"),
            Column::text(""),
            Column::text("BLAKE3").note("first 16 digits"),
        ],
        rows: provenance.hashed().map(row).collect(),
        ..Table::default()
    }
}
