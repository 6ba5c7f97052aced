//! `VLMEvalKit` run folders, including `TDBench`: predictions, stored hits and data sets.
//!
//! A prediction table has the columns of the data set (except pictures) and `prediction`. A result
//! table also has the column `hit`. One [`Unit`](crate::Unit) contains one data set, one model and
//! one run.

mod ability;
mod aggregate;
mod archive;
mod cells;
mod dataset;
mod delimited;
mod delimited_rows;
mod figures;
mod files_by_kind;
mod join;
mod json;
mod names;
mod read;
mod results;
mod rows;
mod runs;
mod sniff;
mod splitter;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod xlsx;

pub(super) use table::Step;
pub use xlsx::unreadable;
pub(super) use xlsx::{columns as workbook_columns, read as read_workbook};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "vlmevalkit";

reader! {
    /// Reader of `VLMEvalKit` runs.
    VlmEvalKit, FORMAT, files_by_kind::plan, |unit, _, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, sink);
    }
}
