//! People's verdicts on annotations: append-only files with one verdict per line, and the book that combines them.
//!
//! A verdict is saved once its line is on the disk; nothing is ever rewritten, and no file that holds anything else is
//! written to. The last line of a sample and author
//! counts, and [`Verdict::None`] withdraws a verdict. Files of several people or machines are read side by side.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod book;
mod entry;
mod follow;
mod history;
mod write;

pub use book::{Book, Pairs};
pub use entry::{Entry, EntryError, SampleKey, UnknownVerdict, Verdict};
pub use file::{Appended, BadLine};
pub use follow::{Follow, parse_lines};
pub use history::{History, Word};
pub use write::{AppendError, append};

/// Suffix of the names of verdict files.
pub const ENDING: &str = ".verdicts.jsonl";
