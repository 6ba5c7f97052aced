//! Recognises the files, and pairs sample files with their aggregates.

use std::collections::HashMap;
use std::path::PathBuf;

use super::instance::InstanceName;
use super::{FORMAT, SAMPLES};
use crate::run_folder::folders_above;
use crate::{Candidate, Context, Unit, lines};

/// Number of folders in a path `data/COLLECTION/DEVELOPER/MODEL`.
const DEPTH: usize = 4;

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let samples: Vec<Candidate> = files.extract_if(.., |file| are_samples(file)).collect();
    let aggregates = files.extract_if(.., |file| is_aggregate(file));
    let mut aggregates: HashMap<PathBuf, Candidate> =
        aggregates.map(|file| (file.path.clone(), file)).collect();
    let of_samples = samples.into_iter().map(|file| {
        let aggregate = aggregate_of(&file).and_then(|path| aggregates.remove(&path));
        unit(file, aggregate, context)
    });
    let mut units: Vec<Unit> = of_samples.collect();
    units.extend(aggregates.into_values().map(|file| Unit {
        dataset: None,
        ..Unit::single(file, FORMAT, context)
    }));
    units
}

/// Returns the unit of a sample file, or of an aggregate document without a sample file.
fn unit(file: Candidate, aggregate: Option<Candidate>, context: &Context) -> Unit {
    let first = lines::text_of(&file.real, 1).unwrap_or_default();
    // In Eyechart's own files, each row contains the names of its run.
    let name = InstanceName::of(&first).filter(|name| !name.is_converted);
    let mut unit = Unit::single(file, FORMAT, context);
    let above = folders_above(&unit.path, 1..DEPTH + 1);
    unit.image_roots.extend(above);
    let (model, dataset) = name.map(|name| (name.model, name.benchmark)).unzip();
    Unit {
        companions: aggregate.into_iter().map(|file| file.path).collect(),
        model,
        dataset,
        ..unit
    }
}

/// True for an aggregate document.
fn is_aggregate(file: &Candidate) -> bool {
    has(
        file,
        &["schema_version", "evaluation_id", "retrieved_timestamp"],
    )
}

/// True for a sample file.
pub fn are_samples(file: &Candidate) -> bool {
    has(
        file,
        &[
            "schema_version",
            "evaluation_id",
            "evaluation_name",
            "sample_id",
        ],
    )
}

/// True for a JSON object whose first bytes contain all `keys`.
fn has(file: &Candidate, keys: &[&str]) -> bool {
    let head = file.head();
    let has_key = |key: &&str| memchr::memmem::find(&head, format!("\"{key}\"").as_bytes());
    head.trim_ascii_start().starts_with(b"{") && keys.iter().all(|key| has_key(key).is_some())
}

/// Returns the path of the aggregate that belongs to a sample file.
fn aggregate_of(file: &Candidate) -> Option<PathBuf> {
    let name = file.name();
    let stem = name
        .strip_suffix(SAMPLES)
        .or_else(|| name.strip_suffix(".jsonl"))?;
    Some(file.path.with_file_name(format!("{stem}.json")))
}
