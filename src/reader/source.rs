//! What a reader is given and what it says of its files.

use std::path::{Path, PathBuf};

/// A file that was found, with enough of its beginning to tell what it is.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The path as the user would write it.
    pub path: PathBuf,
    /// The canonical path.
    pub real: PathBuf,
    /// The first bytes of the file, at most [`Candidate::HEAD`].
    pub head: Vec<u8>,
    /// Size in bytes.
    pub length: u64,
    /// Modification time in nanoseconds since 1970, to order runs that carry no time of their own.
    pub modified: i128,
}

impl Candidate {
    /// How many bytes of a file are looked at to tell its format.
    pub const HEAD: usize = 16 * 1024;

    /// The file name, or an empty string.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
    }

    /// The folder that holds the file.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// One thing to read: the files that together make one model's answers to one data set.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The file that the user would name; shown under `sources`.
    pub path: PathBuf,
    /// Format name, shown under `sources`.
    pub format: &'static str,
    /// Further files that are read together with `path`: questions, ground truth, stored results, data sets.
    pub companions: Vec<PathBuf>,
    /// Folders in which this unit's relative picture paths are looked up, in this order.
    pub image_roots: Vec<PathBuf>,
    /// Model, when the layout tells it rather than the rows.
    pub model: Option<String>,
    /// Benchmark or data set, when the layout tells it rather than the rows.
    pub dataset: Option<String>,
    /// Bytes to read, for progress.
    pub length: u64,
    /// A newer run of the same model and data set counts instead; named, not read.
    pub superseded: bool,
}

/// What readers need to know beside the files.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Folders named with `--data`: data sets and pictures.
    pub data: Vec<PathBuf>,
    /// The ability that `--ability` names for logs that do not tell theirs.
    pub ability: Option<String>,
}
