//! Failures section: slices in which a model is worse than in the rest, with sheets of its worst
//! samples.

use crate::Summary;
use crate::evidence::{Evidence, Failure};
use crate::html::{Block, Cell, Sheet};

/// Failures section; empty if nothing was searched.
pub fn blocks(summary: &Summary) -> Vec<Block> {
    let Some(evidence) = &summary.evidence else {
        return Vec::new();
    };
    let failures = &evidence.failures;
    if failures.about.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Heading(2, "Failures by name".to_owned()),
        Block::Text(failures.about.join(" ")),
    ];
    let found = failures.found.iter();
    blocks.extend(found.flat_map(|failure| of_failure(evidence, failure)));
    blocks
}

fn of_failure(evidence: &Evidence, failure: &Failure) -> [Block; 3] {
    let sheet = Sheet {
        all: Cell {
            link: evidence.section_id(&failure.benchmark, &failure.ability),
            ..failure.sheet.all.clone()
        },
        ..failure.sheet.clone()
    };
    [
        Block::Heading(4, failure.sentence.clone()),
        Block::Note(failure.evidence.clone()),
        Block::Sheet(sheet),
    ]
}
