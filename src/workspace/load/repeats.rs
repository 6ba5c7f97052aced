//! Detects repetitions of an experiment: several logs contain a model's answer to the same sample
//! and condition.
//!
//! Repetitions are only known after reading, because the model's name is in the rows. An answer
//! that repeats an answer in another log gets another code. At the end, such a model is split into
//! runs. There is one run per path given by the user, or per log if logs below the same path repeat
//! each other. Answers of two runs are never mixed. Logs that have no samples in common are parts
//! of one run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hashbrown::{HashMap, HashSet};

use reader::telling_parts;
use record::{ItemId, ModelId, ModelSource, Run, TableBuilder};

/// Pairs of paths or logs, given by index, that contain answers to the same samples.
type Pairs = BTreeSet<(usize, usize)>;

/// Repetitions found so far.
#[derive(Debug, Default)]
pub struct Repeats {
    /// Code of repeating answers, by model and log.
    codes: BTreeMap<(ModelId, usize), ModelId>,
    /// Model to which each of these codes belongs.
    models: HashMap<ModelId, ModelId>,
    /// Pairs of logs that repeat each other, by model.
    pairs: BTreeMap<ModelId, Pairs>,
}

impl Repeats {
    /// Returns true if there are no repetitions.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns the code of an answer. This is the model's own code, unless another log has an
    /// answer of the model to the same item.
    pub fn code(
        &mut self,
        builder: &mut TableBuilder,
        item: ItemId,
        model: ModelId,
        unit: u32,
    ) -> ModelId {
        let unit = unit as usize;
        let Some(first) = unit_of(builder, item, model).filter(|first| *first != unit) else {
            return model;
        };
        let Some(code) = self.code_of(builder, model, unit) else {
            return model;
        };
        let pairs = self.pairs.entry(model).or_default();
        pairs.insert(pair(first, unit));
        let others = self.codes.range((model, 0)..=(model, usize::MAX));
        for (&(_, other), code) in others.filter(|((_, other), _)| *other != unit) {
            let is_new = !pairs.contains(&pair(other, unit));
            if is_new && unit_of(builder, item, *code).is_some() {
                pairs.insert(pair(other, unit));
            }
        }
        code
    }

    fn code_of(
        &mut self,
        builder: &mut TableBuilder,
        model: ModelId,
        unit: usize,
    ) -> Option<ModelId> {
        if let Some(code) = self.codes.get(&(model, unit)) {
            return Some(*code);
        }
        let name = builder.model_name(model);
        let code = builder.model(&format!("{name} · log {}", unit + 1))?;
        self.codes.insert((model, unit), code);
        self.models.insert(code, model);
        Some(code)
    }

    /// Returns the model of a code.
    pub fn model(&self, code: ModelId) -> ModelId {
        self.models.get(&code).copied().unwrap_or(code)
    }

    /// Returns the runs of the models that have several. Call it after all logs are read. `paths`
    /// are the paths given by the user.
    pub fn runs(&self, builder: &TableBuilder, paths: &[PathBuf]) -> HashMap<ModelSource, Run> {
        if self.pairs.is_empty() {
            return HashMap::new();
        }
        let shares = builder.shares();
        let root = |unit: usize| builder.sources().get(unit).map_or(0, |it| it.root);
        let logs: Vec<PathBuf> = (builder.sources().iter())
            .map(|source| source.path.clone())
            .collect();
        let mut found = HashMap::new();
        for (model, pairs) in &self.pairs {
            let own: HashSet<ModelSource> = (shares.iter().copied())
                .filter(|(code, _)| self.model(*code) == *model)
                .collect();
            let units: BTreeSet<usize> = own.iter().map(|(_, unit)| *unit as usize).collect();
            let by_path = pairs.iter().all(|(one, other)| root(*one) != root(*other));
            let names: BTreeMap<usize, String> = if by_path {
                let roots = units.iter().map(|unit| root(*unit)).collect();
                let pairs = pairs.iter();
                let pairs = pairs.map(|(one, other)| pair(root(*one), root(*other)));
                let of_roots = names(&roots, &pairs.collect(), paths);
                let name = |unit: &usize| Some((*unit, of_roots.get(&root(*unit))?.clone()));
                units.iter().filter_map(name).collect()
            } else {
                runs_of_logs(names(&units, pairs, &logs), pairs)
            };
            let (name, run) = builder.plain_model(*model);
            for share in own {
                let Some(told) = names.get(&(share.1 as usize)) else {
                    continue;
                };
                let words: Vec<&str> = run.into_iter().chain([told.as_str()]).collect();
                let run = Run {
                    model: name.to_owned(),
                    run: words.join(", "),
                };
                found.insert(share, run);
            }
        }
        found
    }
}

/// Returns the run names of the logs that repeat others, and of the logs with the same names. Other
/// logs belong to no run.
fn runs_of_logs(names: BTreeMap<usize, String>, pairs: &Pairs) -> BTreeMap<usize, String> {
    let rivals = pairs.iter().flat_map(|(one, other)| [one, other]);
    let of_runs: BTreeSet<String> = rivals.filter_map(|unit| names.get(unit)).cloned().collect();
    let is_run = |(_, name): &(usize, String)| of_runs.contains(name);
    names.into_iter().filter(is_run).collect()
}

/// Returns the log that contains a model's answer to an item; `None` if there is none.
fn unit_of(builder: &TableBuilder, item: ItemId, model: ModelId) -> Option<usize> {
    Some(builder.place_of(item, model)?.unit as usize)
}

fn pair(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

/// Returns names of paths, which differ for paths that repeat each other.
fn names(roots: &BTreeSet<usize>, pairs: &Pairs, paths: &[PathBuf]) -> BTreeMap<usize, String> {
    let path = |root: &usize| paths.get(*root).map_or(Path::new(""), PathBuf::as_path);
    let place = |root: &usize| roots.iter().position(|known| known == root);
    let rivals: Vec<(usize, usize)> = (pairs.iter())
        .filter_map(|(one, other)| place(one).zip(place(other)))
        .collect();
    let is_told = |names: &[String]| {
        let differ = |(one, other): &(usize, usize)| names.get(*one) != names.get(*other);
        rivals.iter().all(differ)
    };
    let stems: Vec<PathBuf> = roots.iter().map(|root| stem(path(root))).collect();
    let mut names = telling_parts(&stems, is_told);
    // If a folder contains another one, the outer folder has no distinct part in its path.
    for (name, stem) in names.iter_mut().zip(&stems) {
        if name.is_empty() {
            let last = stem.file_name().unwrap_or(stem.as_os_str());
            *name = last.to_string_lossy().into_owned();
        }
    }
    if !is_told(&names) {
        names = roots
            .iter()
            .map(|root| path(root).display().to_string())
            .collect();
    }
    roots.iter().copied().zip(names).collect()
}

/// Removes the extensions of a log file from a path.
fn stem(path: &Path) -> PathBuf {
    if !reader::is_file(path) {
        return path.to_owned();
    }
    let stem = path.with_extension("");
    match stem.extension() {
        Some(ending) if ending == "eyechart" => stem.with_extension(""),
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&str], pairs: &[(usize, usize)]) -> Vec<String> {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let roots = (0..paths.len()).collect();
        let pairs = pairs.iter().copied().collect();
        names(&roots, &pairs, &paths).into_values().collect()
    }

    #[test]
    fn the_first_folder_that_differs_tells_runs_apart_if_it_can() {
        assert_eq!(
            named(&["logs/monday", "logs/friday"], &[(0, 1)]),
            ["monday", "friday"]
        );
        let parts = ["monday/ocr", "monday/color", "friday/ocr", "friday/color"];
        assert_eq!(
            named(&parts, &[(0, 2), (1, 3)]),
            ["monday", "monday", "friday", "friday"]
        );
        assert_eq!(
            named(&["a/x", "a/y/x", "a/y/z"], &[(0, 1), (1, 2)]),
            ["x", "y/x", "y/z"]
        );
    }

    #[test]
    fn a_folder_and_one_within_it_both_have_a_name() {
        assert_eq!(named(&["runs", "runs/old"], &[(0, 1)]), ["runs", "old"]);
        assert_eq!(
            named(&["runs", "runs/runs"], &[(0, 1)]),
            ["runs", "runs/runs"]
        );
    }
}
