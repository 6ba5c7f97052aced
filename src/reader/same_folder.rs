//! Distinguishes benchmarks that are named after folders with the same name, for example
//! `pope/logs` and `mme/logs`.
//!
//! Rows that do not name a benchmark belong to the benchmark named after their log's folder. Two
//! folders with the same name are one benchmark if they share an item with the same id, ability and
//! content. Sometimes the folders share no item, or the shared items have no content. They are then
//! one benchmark if each folder is inside a folder named after its model. Otherwise, the names of
//! parent folders are added to the benchmark's name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{
    Context, Sink, Unit, csv_rows, json_rows, mapped, own, promptfoo, read, workbook_rows,
};
use record::{Content, Problem, Record};

/// Number of items per folder that are compared first.
const FEW: usize = 256;
const MANY: usize = 4096;
/// Formats whose rows can name their benchmark.
const ROWS: [&str; 8] = [
    own::FORMAT,
    csv_rows::FORMAT,
    json_rows::FORMAT,
    workbook_rows::FORMAT,
    mapped::FORMAT,
    promptfoo::FORMAT,
    "parquet",
    "arrow",
];
/// Maximum number of logs examined per folder.
const LOGS: usize = 4;
/// Maximum number of folders with the same name that are compared. More folders count as one
/// benchmark.
const FOLDERS: usize = 256;

/// Adds the names of parent folders to the benchmarks of folders that have the same name but
/// different content.
pub fn distinguish_folders(units: &mut [Unit], context: &Context) {
    let mut folders: BTreeMap<String, BTreeMap<PathBuf, Vec<usize>>> = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let (Some(dataset), Some(folder)) = (named_by_folder(unit), unit.path.parent()) else {
            continue;
        };
        let known = folders.entry(dataset.to_owned()).or_default();
        known.entry(folder.to_owned()).or_default().push(at);
    }
    folders.retain(|_, folders| (2..=FOLDERS).contains(&folders.len()));
    for (dataset, folders) in folders {
        let of_folder = |(folder, logs): (&PathBuf, &Vec<usize>)| Folder {
            path: folder.clone(),
            logs: logs.clone(),
            seen: FirstRecords::of(logs, units, context, FEW),
        };
        let mut found: Vec<Folder> = folders.iter().map(of_folder).collect();
        found.retain(|folder| !folder.seen.items.is_empty());
        let groups = groups(&mut found, units, context);
        if groups.len() < 2 {
            continue;
        }
        for (name, folders) in names(&dataset, &groups) {
            for at in folders.iter().flat_map(|folder| &folder.logs) {
                units[*at].dataset = Some(name.clone());
            }
        }
    }
}

/// Returns the benchmark of a log, if only the folder's name determines it.
fn named_by_folder(unit: &Unit) -> Option<&str> {
    let is_read = !unit.superseded && ROWS.contains(&unit.format) && unit.published.is_none();
    let folder = unit.path.parent()?.file_name()?.to_str()?;
    let dataset = unit.dataset.as_deref().filter(|_| is_read)?;
    (dataset == folder && unit.path.is_file()).then_some(dataset)
}

/// A folder, its logs and its first records.
struct Folder {
    path: PathBuf,
    logs: Vec<usize>,
    seen: FirstRecords,
}

/// The first records in a folder that do not name a benchmark.
#[derive(Default)]
struct FirstRecords {
    /// Content of each item, by ability and id; `None` for an item without content.
    items: HashMap<(String, String), Option<Box<Content>>>,
    models: BTreeSet<String>,
    most: usize,
    dataset: String,
    count: usize,
}

impl FirstRecords {
    fn of(logs: &[usize], units: &[Unit], context: &Context, most: usize) -> Self {
        let mut seen = Self {
            most,
            ..Self::default()
        };
        for unit in logs.iter().take(LOGS).filter_map(|at| units.get(*at)) {
            seen.dataset = unit.dataset.clone().unwrap_or_default();
            seen.count = 0;
            read(unit, context, None, &mut seen);
        }
        seen
    }

    /// True if the parent folder of `folder` is named after the model in the logs.
    fn is_of_model(&self, folder: &Path) -> bool {
        let plain = |text: &str| -> String {
            let kept = text.chars().filter(|c| c.is_alphanumeric());
            kept.flat_map(char::to_lowercase).collect()
        };
        let above = folder.parent().and_then(Path::file_name);
        let above = plain(&above.unwrap_or_default().to_string_lossy());
        let is_named = |model: &String| {
            let model = plain(model);
            !model.is_empty()
                && !above.is_empty()
                && (above.contains(&model) || model.contains(&above))
        };
        self.models.len() == 1 && self.models.iter().any(is_named)
    }
}

impl Sink for FirstRecords {
    fn record(&mut self, record: Record, _line: u64) {
        self.count += 1;
        if record.benchmark != self.dataset || self.count > self.most {
            return;
        }
        let content = Content {
            question: record.content.question,
            choices: record.content.choices,
            target: record.content.target,
            images: record.content.images,
            ..Content::default()
        };
        let asks = (content != Content::default()).then(|| Box::new(content));
        self.items.insert((record.ability, record.sample_id), asks);
        self.models.insert(record.model);
    }

    fn problem(&mut self, _problem: Problem) {}

    fn progress(&mut self, _bytes: u64) -> ControlFlow<()> {
        if self.count >= self.most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Result of comparing the items of two folders.
#[derive(PartialEq, Eq)]
enum ItemComparison {
    /// The folders share an equal item.
    Same,
    /// Items have the same ids, but different content.
    Other,
    /// Items have the same ids, but no content.
    NoContent,
    /// The folders have no item id in common.
    Disjoint,
}

fn compare(one: &FirstRecords, other: &FirstRecords) -> ItemComparison {
    let mut found = ItemComparison::Disjoint;
    for (key, asks) in &one.items {
        match (asks, other.items.get(key)) {
            (Some(own), Some(Some(other))) if own == other => return ItemComparison::Same,
            (Some(_), Some(Some(_))) => found = ItemComparison::Other,
            (_, Some(_)) if found == ItemComparison::Disjoint => found = ItemComparison::NoContent,
            _ => {}
        }
    }
    found
}

/// Groups the folders that belong to one benchmark.
fn groups<'a>(
    folders: &'a mut [Folder],
    units: &[Unit],
    context: &Context,
) -> Vec<Vec<&'a Folder>> {
    let mut group: Vec<usize> = (0..folders.len()).collect();
    let mut looked: HashSet<usize> = HashSet::new();
    for at in 1..folders.len() {
        for before in 0..at {
            if group[at] == group[before] {
                continue;
            }
            let mut compared = compare(&folders[at].seen, &folders[before].seen);
            if compared == ItemComparison::Disjoint {
                // Logs of one benchmark can contain its items in different orders, so read more of
                // both folders.
                for place in [at, before] {
                    if looked.insert(place) {
                        let folder = &mut folders[place];
                        folder.seen = FirstRecords::of(&folder.logs, units, context, MANY);
                    }
                }
                compared = compare(&folders[at].seen, &folders[before].seen);
            }
            let of_models = || {
                let is_of_model =
                    |place: usize| folders[place].seen.is_of_model(&folders[place].path);
                is_of_model(at) && is_of_model(before)
            };
            let is_one = match compared {
                ItemComparison::Same => true,
                ItemComparison::Other => false,
                ItemComparison::NoContent | ItemComparison::Disjoint => of_models(),
            };
            if is_one {
                let (from, to) = (group[at], group[before]);
                for known in &mut group {
                    if *known == from {
                        *known = to;
                    }
                }
            }
        }
    }
    let mut found: BTreeMap<usize, Vec<&Folder>> = BTreeMap::new();
    for (folder, group) in folders.iter().zip(group) {
        found.entry(group).or_default().push(folder);
    }
    found.into_values().collect()
}

/// Names each group after its folder. The names of parent folders are added until all names are
/// unique.
fn names<'a>(dataset: &str, groups: &'a [Vec<&'a Folder>]) -> Vec<(String, &'a Vec<&'a Folder>)> {
    let above: Vec<Vec<String>> = groups.iter().map(|group| common_parts(group)).collect();
    let deepest = above.iter().map(Vec::len).max().unwrap_or_default();
    let name = |parts: &Vec<String>, count: usize| -> String {
        let parts = parts.get(parts.len().saturating_sub(count)..);
        let parts = parts.unwrap_or_default().iter().map(String::as_str);
        parts.chain([dataset]).collect::<Vec<_>>().join("/")
    };
    let mut names = Vec::new();
    for count in 1..=deepest.max(1) {
        names = above.iter().map(|parts| name(parts, count)).collect();
        if names.iter().collect::<HashSet<_>>().len() == names.len() {
            break;
        }
    }
    names.into_iter().zip(groups).collect()
}

/// Returns the names of the parent folders that all folders of a group share.
fn common_parts(group: &[&Folder]) -> Vec<String> {
    let parts = |folder: &Path| -> Vec<String> {
        let parts = folder.parent().into_iter().flat_map(Path::components);
        let parts = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.filter(|part| part != "/").collect()
    };
    let mut all = group.iter().map(|folder| parts(&folder.path));
    let first = all.next().unwrap_or_default();
    all.fold(first, |common, other| {
        let same = common.into_iter().zip(other);
        let same = same.take_while(|(one, other)| one == other);
        same.map(|(part, _)| part).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns the benchmark of each log. A log is given by path, model and other members of its
    /// line.
    fn benchmarks(logs: &[(&str, &str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for (path, model, rest) in logs {
            let path = folder.path().join(path).join("a.eyechart.jsonl");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let lines: String = (0..3)
                .map(|id| {
                    format!(
                        "{{\"sample_id\": \"{id}\", \"ability\": \"x\", \"model\": \"{model}\"{rest}, \"score\": 1}}\n"
                    )
                })
                .collect();
            fs::write(&path, lines).unwrap();
            paths.push(path);
        }
        let (mut files, _) = crate::find(&paths);
        let units = crate::plan(&mut files, &Context::default());
        let of = |path: &PathBuf| {
            let real = path.canonicalize().unwrap();
            let unit = units
                .iter()
                .find(|unit| unit.path.canonicalize().unwrap() == real);
            unit.unwrap().dataset.clone().unwrap()
        };
        paths.iter().map(of).collect()
    }

    #[test]
    fn folders_of_one_name_that_ask_something_else_are_two_benchmarks() {
        let found = benchmarks(&[("pope/logs", "B", ""), ("mme/logs", "C", "")]);
        assert_eq!(found, ["pope/logs", "mme/logs"]);
        let asks = |what: &str| format!(", \"question\": \"{what}?\"");
        let found = benchmarks(&[
            ("pope/b/logs", "b", &asks("one")),
            ("mme/c/logs", "c", &asks("other")),
            ("pope/c/logs", "c", &asks("one")),
        ]);
        assert_eq!(found, ["pope/logs", "c/logs", "pope/logs"]);
    }

    #[test]
    fn folders_of_models_and_of_equal_items_are_one_benchmark() {
        let found = benchmarks(&[
            ("gpt-4o/logs", "GPT-4o", ""),
            ("qwen_7b/logs", "qwen-7B", ""),
        ]);
        assert_eq!(found, ["logs", "logs"]);
        let asks = ", \"question\": \"one?\", \"target\": \"A\"";
        let found = benchmarks(&[("monday/logs", "m", asks), ("friday/logs", "m", asks)]);
        assert_eq!(found, ["logs", "logs"]);
        let own = ", \"benchmark\": \"set\"";
        let found = benchmarks(&[("monday/logs", "m", own), ("friday/logs", "n", own)]);
        assert_eq!(
            found,
            ["logs", "logs"],
            "nothing has its name from the folder"
        );
    }
}
