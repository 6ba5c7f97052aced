//! What a published data set says of itself: its manifest.
//!
//! Each publishing adds a manifest under the next number, and nothing is ever written over: the newest manifest says which
//! files count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The layout of the files that this program writes and reads.
pub const LAYOUT: u32 = 2;
/// The folder of the rows: who answered what how well.
pub const ROWS: &str = "rows";
/// The folder of the texts that belong to the rows: questions, answers, boxes.
pub const TEXTS: &str = "texts";
/// The folder of the sums over the rows.
pub const CELLS: &str = "cells";
/// Digits of the hash with which the name of a file ends.
pub const DIGITS_OF_HASH: usize = 16;
/// Folders that hold files of a data set.
const FOLDERS: [&str; 3] = [ROWS, TEXTS, CELLS];
/// How the name of a manifest begins and ends; its number stands between.
const NAME: (&str, &str) = ("eyechart-data-set.", ".json");
/// Digits of its number, so that names are sorted like numbers.
const DIGITS: usize = 6;

/// All files of a published data set at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout of the files: [`LAYOUT`].
    pub layout: u32,
    /// The program that wrote it.
    pub written_by: String,
    /// The columns of each kind of file, each with the type of its values. A file may lack some.
    pub columns: BTreeMap<String, BTreeMap<String, String>>,
    /// Its runs, in the order in which they are read.
    pub runs: Vec<Run>,
}

/// The answers of one model to one benchmark that one log held, or the printed figures of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its benchmark.
    pub benchmark: String,
    /// The model's plain name; empty for printed figures, which are of many.
    pub model: String,
    /// A hash of where its log lay: a run of the same log replaces it.
    pub origin: String,
    /// The format of its log.
    pub format: String,
    /// Its data set, where the layout of the logs told it and not the rows: then runs of one model are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_set: Option<String>,
    /// What tells it from other runs of the model, where the logs that were published together had several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// A hash of the runs of its model and benchmark that were published together with it. No prediction is in two of those.
    pub together: String,
    /// What it holds, by ability.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub abilities: BTreeMap<String, Answers>,
    /// What its sums are split by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<String>,
    /// How it was made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Its predictions.
    pub n: u64,
    /// Its files, in the order of the rows.
    pub parts: Vec<Part>,
    /// The sums over its rows, where it has rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Stored>,
    /// The sums over all of its clusters together, for who wants scores at once; `None`: they are among the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<Stored>,
}

/// The answers of a run in one ability.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// Predictions.
    pub n: u64,
    /// Names of the tags and conditions of the samples of the ability.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<String>,
}

/// Some rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its predictions.
    pub n: u64,
    /// Their abilities.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub abilities: BTreeSet<String>,
    /// Its narrow columns.
    pub rows: Stored,
    /// Its texts, row by row the same.
    pub texts: Stored,
}

/// A file of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Its path from the folder of the data set on, between slashes.
    pub path: String,
    /// Its bytes.
    pub bytes: u64,
    /// BLAKE3 of its bytes in hexadecimal digits.
    pub blake3: String,
}

impl Manifest {
    /// The manifest that a file holds.
    ///
    /// # Errors
    /// It is damaged, of another layout, or names files elsewhere; one sentence.
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
                "the data set has layout {layout}, and this version of eyechart reads layout {LAYOUT}{hint}"
            ));
        }
        let found: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        let are_inside = found
            .runs
            .iter()
            .flat_map(Run::files)
            .all(Stored::is_inside);
        if !are_inside {
            return Err("the manifest names a file that is none of a data set".to_owned());
        }
        if found.runs.iter().all(Run::adds_up) {
            Ok(found)
        } else {
            Err(
                "the manifest is damaged: the predictions of a run are not those of its parts"
                    .to_owned(),
            )
        }
    }

    /// The name of the manifest of a number.
    #[must_use]
    pub fn name(number: u64) -> String {
        let (begins, ends) = NAME;
        format!("{begins}{number:0DIGITS$}{ends}")
    }

    /// The number of the manifest of a name; `None` if it is no name of a manifest.
    #[must_use]
    pub fn number(name: &str) -> Option<u64> {
        let (begins, ends) = NAME;
        let digits = name.strip_prefix(begins)?.strip_suffix(ends)?;
        let is_number = digits.len() >= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok())?
    }

    /// Its predictions.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.runs.iter().map(|run| run.n).sum()
    }
}

impl Run {
    /// All of its files.
    pub fn files(&self) -> impl Iterator<Item = &Stored> {
        let parts = self.parts.iter();
        parts
            .flat_map(|part| [&part.rows, &part.texts])
            .chain(&self.cells)
            .chain(&self.totals)
    }

    /// Returns true if its parts, and its abilities where it tells them, have as many predictions as it says.
    fn adds_up(&self) -> bool {
        let mut parts = self.parts.iter().map(|part| part.n);
        let parts = parts.try_fold(0, u64::checked_add);
        let mut abilities = self.abilities.values().map(|own| own.n);
        let abilities = abilities.try_fold(0, u64::checked_add);
        parts == Some(self.n) && (self.abilities.is_empty() || abilities == parts)
    }

    /// Returns true if another run is a newer or older state of the same.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.origin == other.origin
            && self.model == other.model
            && self.benchmark == other.benchmark
    }
}

impl Stored {
    /// Where the file of a data set is that lies in a folder.
    #[must_use]
    pub fn below(&self, folder: &Path) -> PathBuf {
        let mut path = folder.to_path_buf();
        path.extend(self.path.split('/'));
        path
    }

    /// Returns true if the path leads to a file of a data set, and nowhere else.
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

/// Returns true if a file lies where the files of a data set in `folder` lie.
#[must_use]
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
