//! HTML page of a report: fingerprints, comparison, failures and samples, then all numbers.

use itertools::Itertools as _;

use super::{
    acuity, comparison, cost, exam, failures, fingerprint, reliability, samples, scores, subgroups,
};
use crate::html::{Block, Page};
use crate::{Problems, Summary};

/// Builds the page of a report from its computed numbers.
pub fn page(summary: &Summary) -> Page {
    let benchmarks = benchmarks(summary);
    let remarks = summary.remarks().into_iter();
    let mut blocks: Vec<Block> = remarks.map(Block::Text).collect();
    for benchmark in &benchmarks {
        blocks.push(Block::Heading(2, (*benchmark).to_owned()));
        blocks.extend(exam::blocks(summary, benchmark));
        blocks.extend(fingerprint::blocks(summary, benchmark));
    }
    if let Some(sides) = &summary.comparison {
        let title = format!("A {} and B {}", sides.a, sides.b);
        blocks.push(Block::Heading(2, title));
        blocks.extend(comparison::abilities(sides, 3, summary.evidence.as_ref()));
    }
    blocks.extend(failures::blocks(summary));
    blocks.extend(samples::blocks(summary));
    if let Some(sides) = &summary.comparison {
        let subgroups = comparison::subgroups(sides, 3, summary.evidence.as_ref());
        if !subgroups.is_empty() {
            let title = format!("A {} and B {} in subgroups", sides.a, sides.b);
            blocks.push(Block::Heading(2, title));
            blocks.extend(subgroups);
        }
    }
    for benchmark in &benchmarks {
        blocks.push(Block::Heading(2, format!("All numbers of {benchmark}")));
        blocks.extend(acuity::blocks(summary, benchmark));
        blocks.extend(scores::blocks(summary, benchmark));
        blocks.extend(subgroups::blocks(summary, benchmark));
        blocks.extend(reliability::blocks(summary, benchmark));
        blocks.extend(cost::blocks(summary, benchmark));
        blocks.extend(samples::answers(summary, benchmark));
    }
    if benchmarks.is_empty() {
        blocks.push(Block::Text("No sample passes the filter.".to_owned()));
    }
    let problems = Problems {
        sources: summary.sources.clone(),
    };
    Page {
        title: format!("Eyechart report: {}", benchmarks.join(", ")),
        about: vec![problems.headline(), "95 % intervals".to_owned()],
        blocks,
    }
}

/// Benchmarks, in the order of their scores.
fn benchmarks(summary: &Summary) -> Vec<&str> {
    let scores = summary.scores.iter();
    scores
        .map(|score| score.benchmark.as_str())
        .unique()
        .collect()
}
