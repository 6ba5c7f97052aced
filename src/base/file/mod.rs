//! Writes files: whole files, and appended lines.
//!
//! A [`WholeFile`] is written to a temporary file and renamed once it is complete and on disk.
//! Readers never see a partial file, and an old file stays until then. It never replaces one of
//! the [`Inputs`]. [`FileBatch`] does the same for many small files. An [`AppendFile`] grows by
//! JSON lines, each with its length and hash. A [`LineReader`] finds every complete line
//! despite damage around it. A [`GrowingFile`] is a text that others read while it grows.
//! [`ContentStore`] stores files named by their content.
//!
//! Only `file` and `platform` open files for writing; `tests/layers.rs` checks the sources for this
//! rule.

mod append;
mod check;
mod content_store;
mod error;
#[cfg(test)]
mod fault;
mod file_batch;
mod folder_lock;
mod growing;
mod inputs;
mod leftover;
mod lines;
mod program_log;
mod sync;
mod whole;

pub use append::{AppendFile, FileEnd, Syncer, json_object};
pub use content_store::ContentStore;
pub use error::FileError;
pub use file_batch::FileBatch;
pub use folder_lock::{FolderLock, touch};
pub use growing::GrowingFile;
pub use inputs::Inputs;
pub use leftover::is_temporary;
pub use lines::{BadLine, LineReader, read_lines};
pub use program_log::open_program_log;
pub use whole::{Access, WholeFile, write};
