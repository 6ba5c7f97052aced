//! The two doors through which everything goes that is written: whole files, and lines that are appended.
//!
//! A [`WholeFile`] is written aside and renamed into place once it is complete and on the disk, so that nobody finds
//! half a file under its name, and an old file stays as it is until then. It never replaces one of the [`Inputs`].
//! [`Together`] writes many small files the same way. An [`AppendFile`] grows by lines of JSON, each with its length
//! and hash, so that a [`LineReader`] finds every line that is whole, whatever stands around it. A [`GrowingFile`] is a
//! text that others read while it grows. [`ByContent`] keeps files that are named by what they hold.
//!
//! No other room opens a file for writing; a test compares the sources with this rule.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod append;
mod by_content;
mod check;
mod error;
#[cfg(test)]
mod fault;
mod growing;
mod hold;
mod inputs;
mod leftover;
mod lines;
mod program_log;
mod sync;
mod together;
mod whole;

pub use append::{AppendFile, Appended, Syncer, json_object};
pub use by_content::ByContent;
pub use error::FileError;
pub use growing::GrowingFile;
pub use hold::{Hold, touch};
pub use inputs::Inputs;
pub use leftover::is_temporary;
pub use lines::{BadLine, LineReader, read_lines};
pub use program_log::open_program_log;
pub use together::Together;
pub use whole::{Access, WholeFile, write};
