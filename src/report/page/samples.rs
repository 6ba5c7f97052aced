//! Samples section: search fields, each ability's worst samples with pictures, and the answers on
//! which models differ.

use crate::Summary;
use crate::evidence::{AbilityEvidence, Evidence, SampleSelection};
use crate::html::{Block, SampleFilter};
use base::format::{compact, counted};

/// Explanation of the cards.
const WORST: &str = "First the samples that the fewest models answered right; among equals, the \
    lowest scores first. Then the samples of the failures above. Boxes are drawn as in the \
    terminal: the target solid, the answer dashed. Signs of answers: ✓ right, ✗ wrong, ? could \
    not be read.";
/// Explanation of the table of answers.
const DIFFER: &str =
    "The samples on which the models differ most, one column per model, with the same signs.";

/// Samples of all benchmarks; empty without evidence.
pub fn blocks(summary: &Summary) -> Vec<Block> {
    let Some(evidence) = &summary.evidence else {
        return Vec::new();
    };
    let shown = (0..).zip(&evidence.abilities);
    let shown = shown.filter(|(_, one)| !one.worst.is_empty());
    let shown: Vec<(usize, &AbilityEvidence)> = shown.collect();
    if shown.is_empty() {
        return evidence.left_out.iter().cloned().map(Block::Text).collect();
    }
    let mut blocks = vec![
        Block::Heading(2, "Samples".to_owned()),
        Block::Text(WORST.to_owned()),
    ];
    blocks.extend(evidence.left_out.iter().cloned().map(Block::Text));
    let name = |one: &AbilityEvidence| name(summary, one);
    let abilities = shown.iter();
    blocks.push(Block::Find(SampleFilter {
        models: evidence.models.clone(),
        abilities: abilities
            .map(|(at, one)| (Evidence::id(*at), name(one)))
            .collect(),
        subgroups: evidence.subgroups.names.clone(),
    }));
    let sections = shown.iter();
    blocks.extend(sections.map(|(at, one)| section(evidence, (*at, one), &name(one))));
    blocks
}

/// Name of an ability, with its benchmark if there are several.
fn name(summary: &Summary, one: &AbilityEvidence) -> String {
    let ability = one.ability.replace('_', " ");
    let mut scores = summary.scores.iter();
    if scores.all(|score| score.benchmark == one.benchmark) {
        return ability;
    }
    format!("{}: {ability}", one.benchmark)
}

/// Answers side by side of a benchmark; empty without evidence.
pub fn answers(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let evidence = summary.evidence.iter();
    let own = evidence.flat_map(|evidence| &evidence.abilities);
    let own = own.filter(|one| one.benchmark == benchmark && !one.answers.rows.is_empty());
    let mut blocks = Vec::new();
    for one in own {
        if blocks.is_empty() {
            blocks.push(Block::Heading(3, "Answers side by side".to_owned()));
            blocks.push(Block::Text(DIFFER.to_owned()));
        }
        blocks.push(Block::Heading(4, one.ability.replace('_', " ")));
        blocks.push(Block::Table(one.answers.clone()));
    }
    blocks
}

fn section(evidence: &Evidence, (at, one): (usize, &AbilityEvidence), name: &str) -> Block {
    let shown = one.worst.len() as u64;
    let title = format!(
        "{name}: {} of {}",
        compact(shown),
        counted(one.count.max(shown), "sample")
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
