//! The input of readers: candidate files, units and context.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::data_set::Run;
use super::json::without_mark;
use super::open::{LogFile, open};
use base::config::ColumnMap;
use record::Labels;

/// Prefix of a value of `--ability` that is the name of a tag.
const ABILITY_TAG: &str = "tag:";

/// A file found in a search. Its first bytes are used to detect the format.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Path of the file, below the path given by the user.
    pub path: PathBuf,
    /// Canonical path, with all links resolved.
    pub real: PathBuf,
    /// First bytes of the file; `None` if they are not kept in memory.
    pub(super) head: Option<Arc<[u8]>>,
    /// Length in bytes.
    pub length: u64,
    /// Index of the path given by the user under which the file was found, from 0.
    pub root: usize,
    /// Modification time in nanoseconds since 1970. It ranks runs whose own time is unknown.
    pub modified: i128,
    /// True for a pipe, which is read from a copy.
    pub is_pipe: bool,
}

impl Candidate {
    /// Number of bytes at the start of a file that are read to detect its format.
    pub const HEAD: usize = 16 * 1024;

    /// Returns the first bytes without byte order marks; at most [`Candidate::HEAD`] bytes. Empty
    /// if the file cannot be read.
    pub fn head(&self) -> Cow<'_, [u8]> {
        if let Some(head) = &self.head {
            return Cow::Borrowed(without_mark(head));
        }
        let head = open(&self.path).and_then(first_bytes).unwrap_or_default();
        Cow::Owned(without_mark(&head).to_vec())
    }

    /// Returns the first bytes as text; invalid UTF-8 becomes U+FFFD.
    pub fn head_text(&self) -> Cow<'_, str> {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match self.head() {
            // For valid UTF-8, this is several times faster than the lossy conversion.
            Cow::Borrowed(bytes) => match str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(lossy(bytes)),
            },
            Cow::Owned(bytes) => {
                let text = String::from_utf8(bytes);
                Cow::Owned(text.unwrap_or_else(|error| lossy(error.as_bytes())))
            }
        }
    }

    /// Frees the first bytes from memory; they are read again when needed.
    pub(super) fn forget_head(&mut self) {
        self.head = None;
    }

    /// Returns the file name; empty if there is none.
    pub fn name(&self) -> &str {
        self.path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default()
    }

    /// Returns the folder of the file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// Unit of reading: the files that together contain the answers of one model to one data set.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Main file, which is shown in the list of sources.
    pub path: PathBuf,
    /// Name of the format, which is shown in the list of sources.
    pub format: &'static str,
    /// Other files that are read with `path`: questions, ground truth, stored results, data sets.
    pub companions: Vec<PathBuf>,
    /// Folders in which relative picture paths are looked up, in order.
    pub image_roots: Vec<PathBuf>,
    /// Model, if it is known from file and folder names instead of the rows.
    pub model: Option<String>,
    /// Benchmark or data set, if it is known from file and folder names instead of the rows.
    pub dataset: Option<String>,
    /// Data sets for which the unit contains only aggregates of a harness.
    pub aggregates: Vec<String>,
    /// Number of bytes that will be read, for the progress display.
    pub length: u64,
    /// Index of the path given by the user under which the unit was found, from 0.
    pub root: usize,
    /// True if another run of the same experiment supersedes the unit. It is listed but not read.
    pub superseded: bool,
    /// Settings of the run that are known before reading. Members of objects are separate settings.
    pub settings: BTreeMap<String, String>,
    /// Label that distinguishes the run from other runs of the same model.
    pub run: Option<String>,
    /// Problem of the unit that is known before reading, if any.
    pub problem: Option<String>,
    /// For a run of a published data set: its entry in the manifest. File paths are relative to the
    /// data set's folder.
    pub published: Option<Arc<Run>>,
    /// For a run of a published data set: the abilities to read. `None` means all abilities.
    pub abilities: Option<Arc<BTreeSet<String>>>,
    /// Position of the run in the manifest of its data set.
    pub place: usize,
    /// True if the files are in a store and only the needed parts are downloaded.
    pub is_remote: bool,
    /// Scale of the boxes by model (a value of the tag `box_scale`), the same for the whole run.
    pub box_scales: BTreeMap<String, &'static str>,
}

impl Unit {
    /// Returns the names of the unit's data sets, as far as they are known from file and folder
    /// names.
    pub(super) fn datasets(&self) -> impl Iterator<Item = &String> {
        self.dataset.iter().chain(&self.aggregates)
    }

    /// Returns the sort key: the path and, for runs of a published data set, the position in the
    /// manifest.
    pub(super) fn order(&self) -> (&Path, usize) {
        if self.published.is_none() {
            return (&self.path, 0);
        }
        let folder = self.path.parent().and_then(Path::parent);
        (folder.unwrap_or(Path::new("")), self.place)
    }

    /// Creates the unit of a log that is a single file. Pictures are searched next to the log and
    /// in the data folders. The default benchmark is the folder's name.
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

    /// Moves files that are logs on their own out of `files`, and creates a unit for each.
    pub fn singles(
        files: &mut Vec<Candidate>,
        format: &'static str,
        context: &Context,
        is_ours: impl Fn(&Candidate) -> bool,
    ) -> Vec<Self> {
        let ours = files.extract_if(.., |file| is_ours(file));
        ours.map(|file| Self::single(file, format, context))
            .collect()
    }
}

/// Returns the first bytes of a file; at most [`Candidate::HEAD`] bytes.
pub fn first_bytes(file: LogFile) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(Candidate::HEAD as u64).read_to_end(&mut head)?;
    head.shrink_to_fit();
    Ok(head)
}

/// Position at which reading stopped. It is the start of an incomplete last record, or the end of
/// the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Offset of the next byte to read.
    pub offset: u64,
    /// Number of the line at the offset, from 1.
    pub line: u64,
}

/// Returns the column names of a CSV file: its first line, split at every comma.
pub fn csv_columns(file: &Candidate) -> Vec<String> {
    let head = file.head_text();
    let header = head.split('\n').next().unwrap_or_default();
    header
        .trim()
        .split(',')
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}

/// Describes the error of a CSV row.
pub fn describe_csv(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not valid UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// Which runs to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// All runs, except repetitions of an experiment below one of the user's paths.
    #[default]
    Distinct,
    /// The newest run of each model and data set, whatever its settings are.
    Latest,
    /// All runs, including repetitions.
    All,
    /// Runs whose name or path contains the given text.
    Named(String),
}

impl std::str::FromStr for Runs {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "" => Self::Distinct,
            "latest" => Self::Latest,
            "all" => Self::All,
            other => Self::Named(other.to_owned()),
        })
    }
}

impl std::fmt::Display for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Distinct => "",
            Self::Latest => "latest",
            Self::All => "all",
            Self::Named(name) => name,
        })
    }
}

/// User options that affect readers.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Logs that the user selected (true) or deselected (false). This takes precedence over all
    /// other rules.
    pub chosen: BTreeMap<PathBuf, bool>,
    /// Folders given with `--data`, which contain data sets and pictures.
    pub data: Vec<PathBuf>,
    /// Value of `--ability`: the ability of logs that do not name one, or `tag:NAME`.
    pub ability: Option<String>,
    /// Selection of runs to read.
    pub runs: Runs,
    /// Column maps of the user. The first map that fits a table is used.
    pub columns: Vec<ColumnMap>,
}

impl Context {
    /// Applies the user's selection to units.
    pub(super) fn take(&self, units: &mut [Unit]) {
        for unit in units {
            if let Some(is_in) = self.chosen.get(&unit.path) {
                unit.superseded = !is_in;
            }
        }
    }

    /// Returns the ability given with `--ability`; `None` if a tag is given instead.
    pub fn named_ability(&self) -> Option<&str> {
        let named = self.ability.as_deref();
        named.filter(|name| !name.starts_with(ABILITY_TAG))
    }

    /// Returns the sample's value for the tag given with `--ability`; `None` without such a tag or
    /// value.
    pub fn tagged_ability(&self, tags: &Labels) -> Option<String> {
        let tag = self.ability.as_deref()?.strip_prefix(ABILITY_TAG)?;
        let ability = tags.get(tag)?.to_string();
        Some(ability).filter(|ability| !ability.is_empty())
    }

    /// True if a tag is given with `--ability`. A log can then have several abilities.
    pub fn picks_tag(&self) -> bool {
        self.ability
            .as_deref()
            .is_some_and(|name| name.starts_with(ABILITY_TAG))
    }
}
