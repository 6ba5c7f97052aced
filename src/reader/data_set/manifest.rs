//! Manifest of a published data set: a list of its runs and files.
//!
//! Each upload adds a manifest with the next number, and overwrites nothing. Only files listed in
//! the newest manifest belong to the data set.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use record::EvidenceCounts;
use serde::{Deserialize, Serialize};

/// Version of the file layout that this program reads and writes.
pub const LAYOUT: u32 = 2;
/// Folder of the row files, which contain predictions with scores.
pub const ROWS: &str = "rows";
/// Folder of the text files, which contain questions, answers and boxes of the same rows.
pub const TEXTS: &str = "texts";
/// Folder of the sum files, which contain sums over the rows.
pub const CELLS: &str = "cells";
/// Number of hash digits at the end of file names.
pub const DIGITS_OF_HASH: usize = 16;
/// Folders that can contain files of a data set.
const FOLDERS: [&str; 3] = [ROWS, TEXTS, CELLS];
/// Prefix and suffix around the number in a manifest's name.
const NAME: (&str, &str) = ("eyechart-data-set.", ".json");
/// Maximum total number of predictions or bytes in a manifest. The limit prevents overflow in sums
/// over data sets.
const MOST: u64 = 1 << 53;
/// Minimum number of digits in a manifest's name, so that names sort by number.
const DIGITS: usize = 6;

/// State of a published data set: all its runs and files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the file layout, [`LAYOUT`].
    pub layout: u32,
    /// Name and version of the program that wrote the manifest.
    pub written_by: String,
    /// Columns of each kind of file, with the types of their values. Single files can lack some
    /// columns.
    pub columns: BTreeMap<String, BTreeMap<String, String>>,
    /// Runs, in reading order.
    pub runs: Vec<Run>,
}

/// Answers of one model to one benchmark from one log, or published scores from a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the model, without its run; empty for published scores of several models.
    pub model: String,
    /// Hash of the log's path. A later run of the same log replaces this run.
    pub origin: String,
    /// Name of the log's format.
    pub format: String,
    /// Name of the data set, if only the log's folder or file name contains it. It distinguishes
    /// runs of one model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_set: Option<String>,
    /// Label that distinguishes the run from other runs of the same model in the same upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Hash of all runs of the same model and benchmark in the same upload. These runs have no
    /// prediction in common.
    pub together: String,
    /// Number of predictions and names of labels, by ability.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub abilities: BTreeMap<String, Answers>,
    /// Tags and conditions by which the sums are grouped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<String>,
    /// Settings of the run by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Number of predictions in all parts.
    pub n: u64,
    /// Files of the run, in row order.
    pub parts: Vec<Part>,
    /// File with the sums over the rows; `None` without rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<StoredFile>,
    /// File with the sums over all clusters, from which scores can be computed quickly. `None` if
    /// `cells` includes these sums.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<StoredFile>,
}

/// Answers of a run in one ability.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// Number of predictions.
    pub n: u64,
    /// Names of the tags and conditions of the samples.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<String>,
    /// Sample counts behind the scores, by metric and split. Empty in data sets of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EvidenceCounts>,
}

/// A range of consecutive rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Number of predictions in this range.
    pub n: u64,
    /// Abilities that occur in this range.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub abilities: BTreeSet<String>,
    /// File with the short columns of the rows.
    pub rows: StoredFile,
    /// File with the texts of the same rows.
    pub texts: StoredFile,
}

/// A file of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Path relative to the data set's folder, separated by slashes.
    pub path: String,
    /// Length in bytes.
    pub bytes: u64,
    /// BLAKE3 hash of the content, in hexadecimal digits.
    pub blake3: String,
}

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// If it is damaged, has another layout, or refers to files outside the data set.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Layout {
            layout: u32,
        }
        let damaged = |error| format!("the manifest is damaged: {error}");
        let Layout { layout } = serde_json::from_slice(bytes).map_err(damaged)?;
        if layout != LAYOUT {
            let hint = if layout < LAYOUT {
                "; publish the logs into an empty folder with this version"
            } else {
                ""
            };
            return Err(format!(
                "the data set has layout {layout}, but this version of eyechart reads layout {LAYOUT}{hint}"
            ));
        }
        let found: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        let are_inside = found
            .runs
            .iter()
            .flat_map(Run::files)
            .all(StoredFile::is_inside);
        if !are_inside {
            return Err("the manifest lists a file outside the data set".to_owned());
        }
        if !found.runs.iter().all(Run::adds_up) {
            return Err(
                "the manifest is damaged: a run's parts do not add up to its count".to_owned(),
            );
        }
        let bytes = found.runs.iter().flat_map(Run::files);
        let counts = found.runs.iter().map(|run| run.n);
        if [total(bytes.map(|file| file.bytes)), total(counts)].contains(&None) {
            return Err("the manifest is damaged: its numbers are too large".to_owned());
        }
        Ok(found)
    }

    /// Returns the file name of the manifest with this number.
    pub fn name(number: u64) -> String {
        let (begins, ends) = NAME;
        format!("{begins}{number:0DIGITS$}{ends}")
    }

    /// Returns the number in a manifest's file name; `None` for other names.
    pub fn number(name: &str) -> Option<u64> {
        let (begins, ends) = NAME;
        let digits = name.strip_prefix(begins)?.strip_suffix(ends)?;
        let is_number = digits.len() >= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok())?
    }

    /// Returns the number of predictions in all runs.
    pub fn n(&self) -> u64 {
        self.runs.iter().map(|run| run.n).sum()
    }
}

/// Returns the sum of the numbers; `None` if it exceeds [`MOST`].
fn total(mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let sum = numbers.try_fold(0, u64::checked_add);
    sum.filter(|sum| *sum <= MOST)
}

impl Run {
    /// Returns all files of the run.
    pub fn files(&self) -> impl Iterator<Item = &StoredFile> {
        let parts = self.parts.iter();
        parts
            .flat_map(|part| [&part.rows, &part.texts])
            .chain(&self.cells)
            .chain(&self.totals)
    }

    /// True if the numbers of predictions of all parts add up to the total. The abilities, if
    /// listed, must also add up.
    fn adds_up(&self) -> bool {
        let parts = total(self.parts.iter().map(|part| part.n));
        let abilities = total(self.abilities.values().map(|own| own.n));
        parts == Some(self.n) && (self.abilities.is_empty() || abilities == parts)
    }

    /// True if two entries describe versions of the same run.
    pub fn is_same(&self, other: &Self) -> bool {
        self.origin == other.origin
            && self.model == other.model
            && self.benchmark == other.benchmark
    }
}

impl StoredFile {
    /// Returns the file's path below the data set's folder.
    pub fn below(&self, folder: &Path) -> PathBuf {
        let mut path = folder.to_path_buf();
        path.extend(self.path.split('/'));
        path
    }

    /// True if the path stays inside the data set's folder.
    fn is_inside(&self) -> bool {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        self.path.split_once('/').is_some_and(|(folder, name)| {
            FOLDERS.contains(&folder)
                && !name.is_empty()
                && !name.starts_with('.')
                && name.chars().all(is_name)
        })
    }
}

/// True if a path is a possible location of a file of the data set in `folder`.
pub fn is_part(file: &Path, folder: &Path) -> bool {
    let parent = file.parent().unwrap_or(Path::new(""));
    FOLDERS.iter().any(|name| parent == folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str) -> String {
        let file = format!(r#"{{"path":"{path}","bytes":1,"blake3":"x"}}"#);
        format!(
            r#"{{"layout":2,"written_by":"t","columns":{{}},"runs":[{{"benchmark":"b","model":"m","origin":"o","format":"own","n":2,"together":"t",
            "parts":[{{"n":2,"rows":{file},"texts":{file}}}]}}]}}"#
        )
    }

    #[test]
    fn only_files_of_the_data_set_are_named() {
        let good = Manifest::parse(manifest("rows/a-1.parquet").as_bytes()).unwrap();
        assert_eq!((good.n(), good.runs[0].files().count()), (2, 2));
        let again = serde_json::to_vec(&good).unwrap();
        assert_eq!(Manifest::parse(&again).unwrap(), good);
        for path in [
            "../a.parquet",
            "rows/../../a",
            "/etc/passwd",
            "rows",
            "rows/",
            "rows/..",
            "rows/a/b",
            r"rows/..\\a",
            "other/a.parquet",
            "rows/c:a",
        ] {
            let bad = Manifest::parse(manifest(path).as_bytes());
            assert!(bad.is_err(), "{path}");
        }
    }

    #[test]
    fn another_layout_is_told_as_one_and_half_a_manifest_as_damaged() {
        for other in [1, 3] {
            let text = format!(r#"{{"layout": {other}, "rows": 3}}"#);
            let told = Manifest::parse(text.as_bytes()).unwrap_err();
            assert!(told.contains(&format!("layout {other}")), "{told}");
        }
        let whole = manifest("rows/a");
        let half = Manifest::parse(&whole.as_bytes()[..whole.len() / 2]).unwrap_err();
        assert!(half.contains("damaged"), "{half}");
    }

    #[test]
    fn numbers_that_cannot_be_added_are_refused() {
        let bad = |old: &str, new: &str| {
            let text = manifest("rows/a").replace(old, new);
            Manifest::parse(text.as_bytes()).unwrap_err()
        };
        let all = u64::MAX.to_string();
        let told = bad(r#""bytes":1"#, &format!(r#""bytes":{all}"#));
        assert!(told.contains("too large"), "{told}");
        let told = bad(r#""n":2"#, &format!(r#""n":{all}"#));
        assert!(told.contains("do not add up"), "{told}");
        let told = bad(r#""n":2"#, r#""n":-2"#);
        assert!(told.contains("damaged"), "{told}");
    }

    #[test]
    fn manifests_are_numbered() {
        for number in [1, 42, 999_999, 1_000_000] {
            assert_eq!(Manifest::number(&Manifest::name(number)), Some(number));
        }
        assert_eq!(Manifest::name(7), "eyechart-data-set.000007.json");
        for name in [
            "eyechart-data-set.7.json",
            "eyechart-data-set.00000x.json",
            "a.json",
        ] {
            assert_eq!(Manifest::number(name), None, "{name}");
        }
    }
}
