//! Stores verdicts on annotations in append-only files, one verdict per line, and combines them in
//! a [`Book`].
//!
//! A verdict is saved once its line is on disk. Lines are never changed, and a file with other
//! content is never written to. For each sample and author, the last line counts; [`Verdict::None`]
//! withdraws a verdict. Verdict files of several authors or machines can be combined.

mod book;
mod entry;
mod history;
mod verdict_file;
mod write;

pub use base::file::{BadLine, FileEnd};
pub use book::{Book, Pairs, counting};
pub use entry::{Entry, EntryError, SampleKey, UnknownVerdict, Verdict};
pub use history::{History, VerdictContent};
pub use verdict_file::{VerdictFile, parse_lines};
pub use write::{AppendError, append};

/// Suffix of the names of verdict files.
pub const ENDING: &str = ".verdicts.jsonl";
