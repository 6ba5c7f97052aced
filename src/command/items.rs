//! `eyechart items`: difficulty and discrimination of each sample over all models.

use super::{Failure, Status};
use crate::cli::{ItemOrder, Items};

/// Writes the item table in the requested order.
pub fn run(args: &Items) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let mut found = opened.ask(&engine::Items::from(args))?;
    match args.sort {
        ItemOrder::Log => {}
        ItemOrder::Difficulty => found.sort_by(|a, b| b.difficulty.total_cmp(&a.difficulty)),
        ItemOrder::Discrimination => {
            // Samples without discrimination count as 0: between negative and positive ones.
            let key = |of: Option<f64>| of.unwrap_or(0.0);
            found.sort_by(|a, b| key(a.discrimination).total_cmp(&key(b.discrimination)));
        }
    }
    let document = report::ItemTable {
        found,
        limit: args.limit,
    };
    args.common.write(&document, &opened)
}
