//! All writing of files: whole files, and appended lines.
//!
//! A [`WholeFile`] is written to a temporary file and renamed once it is complete and on disk.
//! Readers never see half a file, and an old file stays until then. It never replaces one of
//! the [`Inputs`]. [`Together`] does the same for many small files. An [`AppendFile`] grows by
//! JSON lines, each with its length and hash. A [`LineReader`] finds every complete line
//! despite damage around it. A [`GrowingFile`] is a text that others read while it grows.
//! [`ByContent`] stores files named by their content.
//!
//! No other crate opens a file for writing; a test checks the sources for this rule.

// Tests compare floats exactly and cast small numbers.
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
