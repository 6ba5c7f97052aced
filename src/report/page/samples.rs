//! Samples section: each ability's worst samples with pictures, and the answers on which models
//! differ.

use crate::Summary;
use crate::evidence::{AbilityEvidence, Evidence, SampleSelection};
use crate::html::Block;
use base::format::{compact, counted};

/// Explanation of the cards.
const WORST: &str = "The samples that the fewest models have right; among equals, those with the \
    lowest scores. Boxes are drawn as in the terminal: the target solid, the answer dashed. Signs \
    of answers: ✓ right, ✗ wrong, ? could not be read.";
/// Explanation of the table of answers.
const DIFFER: &str =
    "The samples on which the models differ most, one column per model, with the same signs.";

/// Samples section of a benchmark; empty without evidence.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let Some(evidence) = &summary.evidence else {
        return Vec::new();
    };
    let own = (0..).zip(&evidence.abilities);
    let own: Vec<(usize, &AbilityEvidence)> =
        own.filter(|(_, one)| one.benchmark == benchmark).collect();
    let mut blocks = Vec::new();
    if own.iter().any(|(_, one)| !one.worst.is_empty()) {
        blocks.push(Block::Heading(3, "Worst samples".to_owned()));
        blocks.push(Block::Text(WORST.to_owned()));
        blocks.extend(evidence.left_out.iter().cloned().map(Block::Text));
        let with_some = own.iter().filter(|(_, one)| !one.worst.is_empty());
        blocks.extend(with_some.map(|(at, one)| worst(evidence, *at, one)));
    }
    if own.iter().any(|(_, one)| !one.answers.rows.is_empty()) {
        blocks.push(Block::Heading(3, "Answers side by side".to_owned()));
        blocks.push(Block::Text(DIFFER.to_owned()));
        let with_some = own.iter().filter(|(_, one)| !one.answers.rows.is_empty());
        for (_, one) in with_some {
            blocks.push(Block::Heading(4, one.ability.replace('_', " ")));
            blocks.push(Block::Table(one.answers.clone()));
        }
    }
    blocks
}

fn worst(evidence: &Evidence, at: usize, one: &AbilityEvidence) -> Block {
    let shown = one.worst.len() as u64;
    let title = format!(
        "{}: {} of {}",
        one.ability.replace('_', " "),
        compact(shown),
        counted(one.count, "sample")
    );
    let command = evidence.commands.samples(SampleSelection {
        benchmark: &one.benchmark,
        ability: &one.ability,
        model: None,
        bin: None,
    });
    Block::Anchored(
        Evidence::id(at),
        vec![
            Block::Heading(4, title),
            Block::Cards(one.worst.clone()),
            Block::Folded(
                "show all in the terminal".to_owned(),
                vec![Block::Command(command)],
            ),
        ],
    )
}
