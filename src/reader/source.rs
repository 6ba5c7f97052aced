//! The input of readers: candidate files, units and context.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Runs;
use super::data_set;
use super::find::first_bytes;
use super::json::without_mark;
use super::open::open;
use config::ColumnMap;
use record::Labels;

/// Prefix of a tag name in `--ability`.
const ABILITY_TAG: &str = "tag:";

/// A file that was found, with enough of its beginning to detect its format.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The path relative to the user's argument.
    pub path: PathBuf,
    /// The canonical path.
    pub real: PathBuf,
    /// The first bytes of the file, unless they are read again each time.
    pub(super) head: Option<Vec<u8>>,
    /// Size in bytes.
    pub length: u64,
    /// Which of the user's paths it was found below, counted from 0.
    pub root: usize,
    /// Modification time in nanoseconds since 1970, to order runs that carry no time of their own.
    pub modified: i128,
    /// True for a pipe, of which there is a copy.
    pub is_pipe: bool,
}

impl Candidate {
    /// Number of bytes that are read to detect a format.
    pub const HEAD: usize = 16 * 1024;

    /// The first bytes of the file without byte order marks, at most [`Candidate::HEAD`]; none if it cannot be read any
    /// more.
    #[must_use]
    pub fn head(&self) -> Cow<'_, [u8]> {
        if let Some(head) = &self.head {
            return Cow::Borrowed(without_mark(head));
        }
        let head = open(&self.path).and_then(first_bytes).unwrap_or_default();
        Cow::Owned(without_mark(&head).to_vec())
    }

    /// The first bytes as text; what is no UTF-8 becomes U+FFFD.
    #[must_use]
    pub fn head_text(&self) -> Cow<'_, str> {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match self.head() {
            // Several times as fast for valid text as the search for what is none.
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

    /// Frees the memory of the first bytes, which are read again when they are needed.
    pub(super) fn forget_head(&mut self) {
        self.head = None;
    }

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

/// One unit of reading: the files that together hold one model's answers to one data set.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The main file, shown under `sources`.
    pub path: PathBuf,
    /// Format name, shown under `sources`.
    pub format: &'static str,
    /// Other files read together with `path`: questions, ground truth, stored results, data sets.
    pub companions: Vec<PathBuf>,
    /// Folders in which relative picture paths are looked up, in this order.
    pub image_roots: Vec<PathBuf>,
    /// The model, if the file layout tells it and not the rows.
    pub model: Option<String>,
    /// The benchmark or data set, if the file layout tells it and not the rows.
    pub dataset: Option<String>,
    /// Data sets of which it holds a harness's figures alone, without samples.
    pub aggregates: Vec<String>,
    /// Bytes to read, for progress.
    pub length: u64,
    /// Which of the user's paths it was found below, counted from 0.
    pub root: usize,
    /// True if another run of the same experiment counts instead; such a unit is listed but not read.
    pub superseded: bool,
    /// How its run was made, as far as that is known before it is read; a member of an object is a setting of its own.
    pub settings: BTreeMap<String, String>,
    /// What tells its run from others of the same model.
    pub run: Option<String>,
    /// What is wrong with it as far as that is known before it is read.
    pub problem: Option<String>,
    /// What the manifest says of a run of a published data set; paths of files begin at the folder of the data set.
    pub published: Option<Arc<data_set::Run>>,
    /// Of a run of a published data set: the abilities of which predictions are read; `None`: all.
    pub abilities: Option<Arc<BTreeSet<String>>>,
    /// Where it stands among the runs of its data set.
    pub place: usize,
    /// Its files lie in a store, and only those that are read are here.
    pub is_remote: bool,
    /// Per model: scale of its boxes where nothing states one, decided over the run (values of the tag `box_scale`).
    pub box_scales: BTreeMap<String, &'static str>,
}

impl Unit {
    /// The data sets of which it holds anything, as far as the layout tells them.
    pub(super) fn datasets(&self) -> impl Iterator<Item = &String> {
        self.dataset.iter().chain(&self.aggregates)
    }

    /// By what units are sorted: their paths, and runs of a data set as its manifest has them.
    pub(super) fn order(&self) -> (&Path, usize) {
        if self.published.is_none() {
            return (&self.path, 0);
        }
        let folder = self.path.parent().and_then(Path::parent);
        (folder.unwrap_or(Path::new("")), self.place)
    }

    /// A log of one file. Its pictures are beside it or in the data folders, and its folder's name is the default
    /// benchmark.
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

    /// Takes the files that are logs of one file each.
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

/// Where the reading of a log ended: at the start of the last record if that may still be being written, otherwise at
/// the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Offset of the first byte to read.
    pub offset: u64,
    /// Its line, counted from 1.
    pub line: u64,
}

/// The column names in a CSV file's first line.
#[must_use]
pub fn csv_columns(file: &Candidate) -> Vec<String> {
    let head = file.head_text();
    let header = head.split('\n').next().unwrap_or_default();
    header
        .trim()
        .split(',')
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}

/// The error in a row of a CSV file.
#[must_use]
pub fn describe_csv(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not valid UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// User options that readers need.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Logs that the user takes in or out, whatever else counts.
    pub chosen: BTreeMap<PathBuf, bool>,
    /// Folders given with `--data`: data sets and pictures.
    pub data: Vec<PathBuf>,
    /// The value of `--ability`: the ability of logs that do not tell theirs, or `tag:NAME`.
    pub ability: Option<String>,
    /// Which runs are read.
    pub runs: Runs,
    /// Column maps; the first that fits is used.
    pub columns: Vec<ColumnMap>,
}

impl Context {
    /// Takes units in or out as the user says.
    pub(super) fn take(&self, units: &mut [Unit]) {
        for unit in units {
            if let Some(is_in) = self.chosen.get(&unit.path) {
                unit.superseded = !is_in;
            }
        }
    }

    /// The ability that the user named.
    #[must_use]
    pub fn named_ability(&self) -> Option<&str> {
        let named = self.ability.as_deref();
        named.filter(|name| !name.starts_with(ABILITY_TAG))
    }

    /// The ability of a sample with these tags: the value of the tag that the user chose, if present.
    #[must_use]
    pub fn tagged_ability(&self, tags: &Labels) -> Option<String> {
        let tag = self.ability.as_deref()?.strip_prefix(ABILITY_TAG)?;
        let ability = tags.get(tag)?.to_string();
        Some(ability).filter(|ability| !ability.is_empty())
    }

    /// Returns true if samples of one log may have different abilities.
    #[must_use]
    pub fn picks_tag(&self) -> bool {
        self.ability
            .as_deref()
            .is_some_and(|name| name.starts_with(ABILITY_TAG))
    }
}
