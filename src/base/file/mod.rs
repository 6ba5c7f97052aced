//! Writes files: complete files, and files that grow by lines.
//!
//! A [`WholeFile`] is written to a temporary file, synced to disk, and then renamed. Readers never
//! see a partial file, and an old file stays until the rename. A [`WholeFile`] never replaces one
//! of the [`Inputs`]. [`FileBatch`] does the same for many small files. JSON lines are appended to
//! an [`AppendFile`], each with its length and hash. A [`LineReader`] finds every complete line,
//! even between damaged lines. A [`GrowingFile`] is a text that other programs can read while it
//! grows. A [`ContentStore`] contains files that are named after their content.
//!
//! Only the modules `file` and `platform` may open files for writing; `tests/layers.rs` checks
//! this.

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
