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
mod report;
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
pub use report::page as report;
pub use slices::page as slices;
pub use spread::page as spread;
pub use trend::page as trend;

use super::Document;
use super::html::{Block, Page};

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
