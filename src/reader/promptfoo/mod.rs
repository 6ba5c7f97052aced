//! promptfoo: answers of several providers to several prompts, in a results document, in
//! JSON lines or in a wide table with columns for each provider and prompt.
//!
//! A provider is a model, a prompt the condition `prompt`. A test passes or fails by the user's
//! assertions, so the stored result counts. A request that failed has no result here; promptfoo
//! counts it as failed, and its own pass rates are shown as figures of the harness.

mod chat;
mod content;
mod figures;
mod layout;
mod read;
mod row;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Candidate, Context, Position, Reader, Sink, Unit};
use layout::{Layout, is_input};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "promptfoo";

/// Reader of promptfoo results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promptfoo;

impl Reader for Promptfoo {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let superseded = superseded(files);
        let is_ours = |file: &Candidate| Layout::of(&file.head()).is_some();
        let mut units = Unit::singles(files, FORMAT, context, is_ours);
        for unit in &mut units {
            unit.superseded = superseded.contains(&unit.path);
        }
        let folders: BTreeSet<PathBuf> = (units.iter())
            .filter_map(|unit| unit.path.parent().map(PathBuf::from))
            .collect();
        files.retain(|file| !folders.contains(file.folder()) || !is_input(&file.head()));
        units
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        read::read(unit, context, None, sink);
    }

    fn read_on(&self, unit: &Unit, context: &Context, from: Position, sink: &mut dyn Sink) {
        read::read(unit, context, Some(from), sink);
    }
}

/// Returns the files that repeat another one: promptfoo writes one evaluation in several
/// layouts, under one name with different extensions.
fn superseded(files: &[Candidate]) -> BTreeSet<PathBuf> {
    let key = |file: &Candidate| (file.root, file.path.with_extension(""));
    let layout = |file: &Candidate| Layout::of(&file.head());
    let mut best = BTreeMap::new();
    for (file, layout) in files.iter().filter_map(|file| Some((file, layout(file)?))) {
        let known = best.entry(key(file)).or_insert(layout);
        *known = layout.min(*known);
    }
    let repeats = |file: &&Candidate| {
        let best = best.get(&key(file));
        best.is_some_and(|best| layout(file).is_some_and(|layout| layout > *best))
    };
    let found = files.iter().filter(repeats);
    found.map(|file| file.path.clone()).collect()
}
