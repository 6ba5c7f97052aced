//! Recognises details, and pairs them with the results document of the same run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::tabular::Form;
use base::format::pattern;
use base::limits::Limit;
use itertools::Itertools as _;
use regex::Regex;

use super::FORMAT;
use super::results::{Results, TaskName, is_results};
use super::row::Layout;
use crate::results_document::{self, Results as _, units};
use crate::run_folder::{folders_above, shared, stem};
use crate::tables::open;
use crate::{Candidate, Context, Unit, find};

/// Folder of the details; the results lie next to it.
const DETAILS: &str = "details";
const RESULTS: &str = "results";
/// Pattern of a run's time in file and folder names, such as `2026-11-25T22-49-03.824043`.
const TIME: &str = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d[\d.]*";
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:details_(?<task>.+?)|results)(?:_(?<time>{TIME}))?$"
    ))
});
static FOLDER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{TIME}$")));

type Document = results_document::Document<Results>;
type Attempt = results_document::Attempt<Results>;

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let documents = files.extract_if(.., |file| is_results(&file.head()));
    let mut room = Limit::Results.length();
    let documents = documents.map(|file| document(file, &mut room));
    let documents: Vec<Arc<Document>> = documents.collect();
    let details: Vec<Candidate> = files.extract_if(.., |file| is_details(file)).collect();
    let details = details.into_iter();
    // Results documents that the user did not open but that lie next to details, by path. Each
    // document is read only once.
    let mut near: HashMap<PathBuf, Arc<Document>> = HashMap::new();
    let attempts = details.map(|file| {
        attempt(file, &documents, &mut |found| {
            let known = near.entry(found.real.clone());
            Arc::clone(known.or_insert_with(|| document(found, &mut room)))
        })
    });
    units(attempts.collect(), &documents, FORMAT, context)
}

/// True for a Parquet file with the columns of details.
fn is_details(file: &Candidate) -> bool {
    let is_parquet = Form::of(&file.head()) == Some(Form::Parquet);
    is_parquet
        && open(&file.real, file.length).is_ok_and(|table| Layout::of(table.columns()).is_some())
}

/// Returns the task of a details file. It comes from the file's name; if separators in the name
/// were replaced, it comes from the first row.
pub fn task(path: &Path, length: u64) -> TaskName {
    let named = matched(path, "task");
    let exact = named.clone().filter(|name| name.contains('|'));
    let in_row = || {
        let mut table = open(path, length).ok()?;
        let first = table.part_of(0, |name| name == "doc", 0..1).ok()?;
        let name = first.value(0, &["doc", "task_name"]).ok()??;
        name.as_str().map(str::to_owned)
    };
    let name = exact.or_else(in_row).or(named);
    TaskName::from(name.unwrap_or_else(|| stem(path)).as_str())
}

/// Returns the part of a file's name that matches a named group of [`FILE`].
fn matched(path: &Path, group: &str) -> Option<String> {
    let found = FILE.captures(path.file_stem()?.to_str()?)?;
    Some(found.name(group)?.as_str().to_owned())
}

/// Reads a results document. The time of the run is taken from the file's name.
fn document(file: Candidate, room: &mut usize) -> Arc<Document> {
    let time = matched(&file.real, "time");
    Arc::new(Document::new(file, time, room))
}

/// Pairs details with the nearest results document of the same task and time.
fn attempt(
    file: Candidate,
    documents: &[Arc<Document>],
    read: &mut dyn FnMut(Candidate) -> Arc<Document>,
) -> Attempt {
    let mut task = task(&file.real, file.length);
    let time = matched(&file.real, "time");
    let model = model(&file.real);
    let mut near = || {
        let found = find(&results_next_to(&file.real, time.as_deref()?)).0;
        let document = found.into_iter().find(|file| is_results(&file.head()));
        document.map(&mut *read)
    };
    let fits = |document: &&Arc<Document>| document.results.task(&task).is_some();
    let known = documents
        .iter()
        .filter(fits)
        .filter(|document| document.time == time || document.time.is_none() || time.is_none());
    let same_time = |document: &Document| time.is_some() && document.time == time;
    let rank = |document: &&Arc<Document>| {
        let of_model = document.results.model() == Some(&model);
        (
            same_time(document),
            of_model,
            shared(&document.file.real, &file.real),
        )
    };
    let best = known.max_set_by_key(rank);
    let document = match best.as_slice() {
        [only] => Some(Arc::clone(only)),
        [first, ..] if same_time(first) => Some(Arc::clone(first)),
        _ => near().filter(|document| document.results.task(&task).is_some()),
    };
    if let Some(known) = document
        .as_ref()
        .and_then(|document| document.results.task(&task))
    {
        task = known.name.clone();
    }
    let named = document
        .as_ref()
        .and_then(|document| document.results.model());
    Attempt {
        model: named.map_or(model, str::to_owned),
        task,
        time,
        samples: Some(file),
        document,
    }
}

/// Returns the paths where the results of a run can be, for details that the user opened without
/// them.
fn results_next_to(details: &Path, time: &str) -> Vec<PathBuf> {
    let name = format!("results_{time}.json");
    let home = details.ancestors().nth(2);
    let below = |folder: &Path| {
        let is_root = folder.file_name().is_some_and(|name| name == DETAILS);
        let model = home?.strip_prefix(folder).ok().filter(|_| is_root)?;
        Some(folder.with_file_name(RESULTS).join(model))
    };
    let folders = details.ancestors().skip(2).filter_map(below);
    let near = folders_above(details, 0..2);
    let paths = folders.chain(near).map(|folder| folder.join(&name));
    paths.filter(|path| path.is_file()).collect()
}

/// Returns the model named in the folders above details. These are `details/MODEL/TIME`, or the
/// data set `details_ORGANISATION__MODEL_private`.
fn model(details: &Path) -> String {
    let folders: Vec<String> = (details.ancestors().skip(1))
        .filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
        .skip_while(|name| FOLDER.is_match(name))
        .collect();
    let below = folders.iter().position(|name| name == DETAILS).unwrap_or(1);
    let names = folders.iter().take(below.max(1)).rev();
    let name = names.map(String::as_str).collect::<Vec<_>>().join("/");
    let set = name
        .strip_prefix("details_")
        .map(|set| set.trim_start_matches('_'));
    set.map_or(name.clone(), |set| {
        set.trim_end_matches("_private").replace("__", "/")
    })
}
