//! Builds HTML pages: a report with fingerprints, failures, samples and all numbers; comparisons; and
//! the results of slices, ranks and agreement with charts above the tables.

mod acuity;
mod agreement;
mod checkpoints;
mod comparison;
mod cost;
mod exam;
mod failures;
mod fingerprint;
mod headline;
mod items;
mod matrix;
mod ranks;
mod reliability;
mod samples;
mod scores;
mod slices;
mod spread;
mod subgroups;
mod trend;

pub use agreement::{agreements, subsets};
pub use checkpoints::page as checkpoints;
pub use comparison::page as comparison;
pub use items::page as items;
pub use matrix::page as matrix;
pub use ranks::page as ranks;
pub use slices::page as slices;
pub use spread::page as spread;
pub use trend::page as trend;

use super::html::{Block, Page};
use super::{Document, Problems, Summary};

/// The page of a report: fingerprints, comparison, failures and samples, then all numbers.
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

/// Page of a document's sentences and tables, with charts side by side above the tables.
fn with_charts(title: &str, document: &impl Document, charts: Vec<Block>) -> Page {
    let mut page = Page::of_grids(title, &document.preface(), &document.grids());
    if charts.is_empty() {
        return page;
    }
    let is_heading = |block: &Block| matches!(block, Block::Heading(..));
    let at = page.blocks.iter().position(is_heading).unwrap_or_default();
    page.blocks.insert(at, Block::Beside(charts));
    page
}

/// Benchmarks, in the order of their scores.
fn benchmarks(summary: &Summary) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for score in &summary.scores {
        if found.last() != Some(&score.benchmark.as_str())
            && !found.contains(&score.benchmark.as_str())
        {
            found.push(&score.benchmark);
        }
    }
    found
}
