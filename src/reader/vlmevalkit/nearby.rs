//! Searches for the data set and the pictures of a run: next to it, among
//! the given files, and under `--data`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::names::stem;
use crate::open::is_file;
use crate::run_folder::shared;
use crate::{Candidate, Context, has_ending};

/// Data set folder of the harness.
const FOLDER: &str = "LMUData";
/// Number of folders above a run's own that are searched for it.
const ABOVE: usize = 4;
/// Maximum depth of the search under `--data`.
const DEPTH: usize = 4;

/// Data sets that are not next to the run.
#[derive(Debug)]
pub struct NearbyDataSets<'a> {
    given: &'a [Candidate],
    data: &'a [PathBuf],
    under_data: HashMap<String, PathBuf>,
}

impl<'a> NearbyDataSets<'a> {
    /// Collects the data sets among the given files and under `--data`.
    pub fn new(given: &'a [Candidate], context: &'a Context) -> Self {
        let mut under_data = HashMap::new();
        for folder in &context.data {
            let entries = WalkDir::new(folder)
                .max_depth(DEPTH)
                .sort_by_file_name()
                .into_iter()
                .filter_entry(|entry| entry.file_name() != "images")
                .flatten();
            let tables = entries.filter(|entry| has_ending(entry.path(), &["tsv"]));
            for table in tables {
                under_data
                    .entry(stem(table.path()).to_owned())
                    .or_insert_with(|| table.into_path());
            }
        }
        Self {
            given,
            data: &context.data,
            under_data,
        }
    }

    /// Returns the data set file for a run in the folder `home`.
    pub fn data_set(&self, home: &Path, dataset: &str) -> Option<PathBuf> {
        let name = format!("{dataset}.tsv");
        let beside = home
            .ancestors()
            .take(ABOVE + 1)
            .map(|folder| folder.join(FOLDER).join(&name));
        beside
            .into_iter()
            .find(|path| is_file(path))
            .or_else(|| {
                let named = self.given.iter().filter(|file| stem(&file.real) == dataset);
                // Take the nearest; among equals, the first.
                named
                    .rev()
                    .max_by_key(|file| shared(&file.real, home))
                    .map(|file| file.path.clone())
            })
            .or_else(|| self.under_data.get(dataset).cloned())
    }

    /// Returns the folders that may hold the pictures of a data set.
    pub fn image_roots(&self, home: &Path, dataset: &str, data_set: Option<&Path>) -> Vec<PathBuf> {
        let beside_data_set = data_set.and_then(Path::parent).map(Path::to_path_buf);
        let above = home
            .ancestors()
            .take(ABOVE + 1)
            .map(|folder| folder.join(FOLDER));
        let given = self
            .data
            .iter()
            .flat_map(|folder| [folder.clone(), folder.join(FOLDER)]);
        let mut roots: Vec<PathBuf> = Vec::new();
        for folder in beside_data_set.into_iter().chain(above).chain(given) {
            let root = folder.join("images").join(dataset);
            if !roots.contains(&root) && root.is_dir() {
                roots.push(root);
            }
        }
        roots.extend(self.data.iter().cloned());
        roots
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn candidate(path: PathBuf) -> Candidate {
        Candidate {
            root: 0,
            real: path.clone(),
            path,
            head: Some(Vec::new().into()),
            length: 0,
            modified: 0,
            is_pipe: false,
        }
    }

    #[test]
    fn beside_the_run_comes_before_given_before_data() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let home = at("work/outputs/M/T20261121-001510");
        for path in [
            "work/outputs/M/T20261121-001510",
            "work/LMUData/images/d",
            "data/deep/images",
            "data/LMUData/images/d",
        ] {
            fs::create_dir_all(at(path)).unwrap();
        }
        for path in [
            "work/LMUData/d.tsv",
            "data/deep/d.tsv",
            "data/deep/only.tsv",
            "data/deep/images/not.tsv",
        ] {
            fs::write(at(path), "").unwrap();
        }
        let given = [
            candidate(at("far/e.tsv")),
            candidate(at("work/e.tsv")),
            candidate(at("work/second/e.tsv")),
        ];
        let context = Context {
            data: vec![at("data")],
            ability: None,
            ..Context::default()
        };
        let nearby = NearbyDataSets::new(&given, &context);
        assert_eq!(nearby.data_set(&home, "d"), Some(at("work/LMUData/d.tsv")));
        assert_eq!(nearby.data_set(&home, "e"), Some(at("work/e.tsv")));
        assert_eq!(
            nearby.data_set(&home, "only"),
            Some(at("data/deep/only.tsv"))
        );
        assert_eq!(nearby.data_set(&home, "not"), None);
        let roots = nearby.image_roots(&home, "d", Some(&at("work/LMUData/d.tsv")));
        assert_eq!(
            roots,
            [
                at("work/LMUData/images/d"),
                at("data/LMUData/images/d"),
                at("data")
            ]
        );
    }
}
