//! People's verdicts on annotations: an append-only file of one word a line, and the book that several make.
//!
//! A verdict is kept once the line that says it is on the disk; nothing is ever rewritten. The last line of a
//! sample and author counts, and [`Verdict::None`] takes a word back. Several files, of several people or on
//! several machines, are read side by side; each author's own words stay their own.

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
pub use entry::{Entry, SampleKey, Verdict};
pub use follow::{BadLine, Follow, parse_lines};
pub use history::{History, Word};
pub use write::append;

/// How the name of every file of verdicts ends.
pub const ENDING: &str = ".verdicts.jsonl";
