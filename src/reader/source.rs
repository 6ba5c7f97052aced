//! What a reader is given and what it says of its files.

use std::path::{Path, PathBuf};

use config::ColumnMap;
use record::Labels;

/// What stands before a tag's name under `--ability`.
const ABILITY_TAG: &str = "tag:";

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

impl Unit {
    /// A log of one file, whose pictures lie beside it or in the data folders, and whose rows belong to the
    /// benchmark of its folder's name when they name none.
    #[must_use]
    pub fn single(file: Candidate, format: &'static str, context: &Context) -> Self {
        let folder = file.real.parent().and_then(Path::file_name);
        Self {
            image_roots: std::iter::once(file.folder().to_path_buf())
                .chain(context.data.iter().cloned())
                .collect(),
            dataset: folder.map(|name| name.to_string_lossy().into_owned()),
            length: file.length,
            path: file.path,
            format,
            ..Self::default()
        }
    }
}

/// Where the reading of a log stopped: at the beginning of its last record when that may still be being
/// written, else at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// First byte that is to be read.
    pub offset: u64,
    /// Its line, counted from 1.
    pub line: u64,
}

/// The columns of a CSV file's first line.
#[must_use]
pub fn csv_columns(file: &Candidate) -> Vec<String> {
    let head = file
        .head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(&file.head);
    let header = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let header = String::from_utf8_lossy(header);
    header
        .trim()
        .split(',')
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}

/// What is wrong with a CSV file's row.
#[must_use]
pub fn describe_csv(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not valid UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// What readers need to know beside the files.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Folders named with `--data`: data sets and pictures.
    pub data: Vec<PathBuf>,
    /// What `--ability` says: the ability of logs that do not tell theirs, or `tag:NAME`.
    pub ability: Option<String>,
    /// How tables with other column names are read, the first that fits.
    pub columns: Vec<ColumnMap>,
}

impl Context {
    /// The ability that the user names.
    #[must_use]
    pub fn named_ability(&self) -> Option<&str> {
        let named = self.ability.as_deref();
        named.filter(|name| !name.starts_with(ABILITY_TAG))
    }

    /// The ability of a sample with these tags: the value of the tag that the user picks, if it has it.
    #[must_use]
    pub fn tagged_ability(&self, tags: &Labels) -> Option<String> {
        let tag = self.ability.as_deref()?.strip_prefix(ABILITY_TAG)?;
        let ability = tags.get(tag)?.to_string();
        Some(ability).filter(|ability| !ability.is_empty())
    }

    /// Whether samples of one log may have abilities of their own.
    #[must_use]
    pub fn picks_tag(&self) -> bool {
        self.ability
            .as_deref()
            .is_some_and(|name| name.starts_with(ABILITY_TAG))
    }
}
