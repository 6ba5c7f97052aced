//! promptfoo: answers of several providers to several prompts. The results are a JSON document,
//! JSON lines, or a wide table with columns for each provider and prompt.
//!
//! A provider is a model, a prompt is a condition. A test passes or fails by the user's assertions,
//! so the stored result is used. Failed requests have no result here. promptfoo counts them as
//! failed tests; its own pass rates are shown as aggregates of the harness.

mod content;
mod layout;
mod read;
mod row;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Candidate, Context, Unit};
use layout::{Layout, is_input};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "promptfoo";

reader! {
    /// Reader of promptfoo results.
    Promptfoo, FORMAT, plan, read::read
}

fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut ours = Vec::new();
    files.retain(|file| {
        let layout = Layout::of(&file.head());
        ours.extend(layout.map(|layout| (layout, file.clone())));
        layout.is_none()
    });
    // promptfoo can write an evaluation in several layouts. The files have the same name, and
    // different extensions.
    let key = |file: &Candidate| (file.root, file.path.with_extension(""));
    let mut best = BTreeMap::new();
    for (layout, file) in &ours {
        let known = best.entry(key(file)).or_insert(*layout);
        *known = (*layout).min(*known);
    }
    let unit = |(layout, file): (Layout, Candidate)| Unit {
        superseded: best.get(&key(&file)).is_some_and(|best| layout > *best),
        ..Unit::single(file, FORMAT, context)
    };
    let units: Vec<Unit> = ours.into_iter().map(unit).collect();
    let folders: BTreeSet<PathBuf> = (units.iter())
        .filter_map(|unit| unit.path.parent().map(PathBuf::from))
        .collect();
    files.retain(|file| !folders.contains(file.folder()) || !is_input(&file.head()));
    units
}
