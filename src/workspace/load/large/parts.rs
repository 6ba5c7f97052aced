//! Reads all predictions of a data set in parts. Also collects values over all parts that a filter
//! needs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value as Json;

use super::super::remote::{self, Files, folder};
use super::super::{Event, Progress};
use super::{LargeSet, units_of_parts};
use base::limits::Limit;
use reader::data_set::{Run, is_read, open_rows};
use reader::tabular::{Batch, Kind};
use reader::{CONDITION, TAG, Unit};
use record::{DataSetFacts, Problem, Table};

use crate::export::add;

/// Maximum number of predictions in one part.
const AT_ONCE: u64 = 262_144;
/// Filter keys whose values are ids of samples.
const SAMPLES: [&str; 2] = ["sample", "sample_id"];
const METRIC: &str = "metric";
const SOURCE: &str = "source";

const STOPPED: &str = "cancelled";

/// Progress callback. It may stop reading.
type OnEvent<'a> = dyn FnMut(Event) -> ControlFlow<()> + 'a;

impl LargeSet {
    /// Finds the values with which filter words are compared, over the selected runs and abilities.
    /// `words` are (key, word) pairs. Only the columns of these keys are read.
    ///
    /// # Errors
    /// If the database cannot be read, or reading was stopped.
    pub fn whole(
        &self,
        wanted: &dyn Fn(usize, &str) -> bool,
        words: &[(String, String)],
        on_event: &mut OnEvent<'_>,
    ) -> Result<DataSetFacts, String> {
        let mut whole = DataSetFacts::clone(&self.whole);
        let mut columns: BTreeMap<String, Texts> = BTreeMap::new();
        for (key, value) in words {
            if key == SOURCE {
                let sources = self.names.sources().iter();
                let paths = sources.map(|source| base::format::path(&source.path));
                whole.texts.insert(key.clone(), sorted(paths));
            } else if SAMPLES.contains(&key.as_str()) {
                let only = columns.entry("sample_id".to_owned()).or_default();
                only.only.get_or_insert_default().insert(value.clone());
            } else if key == METRIC {
                columns.entry(key.clone()).or_default();
            } else if whole.labels.contains(key) {
                for prefix in [TAG, CONDITION] {
                    columns.entry(format!("{prefix}{key}")).or_default();
                }
            }
        }
        if !columns.is_empty() {
            for unit in self.wanted(wanted) {
                let here = self.here(vec![unit], on_event)?;
                let _ = remote::fetch(&here, Files::Rows, on_event);
                for unit in &here {
                    gather(unit, &mut columns);
                    if on_event(Event::Progress(Progress::default())).is_break() {
                        return Err(STOPPED.to_owned());
                    }
                }
            }
        }
        for (key, _) in words {
            let own = |column: &str| columns.get(column);
            let found: Vec<&Texts> = if SAMPLES.contains(&key.as_str()) {
                own("sample_id").into_iter().collect()
            } else if key == METRIC {
                own(key).into_iter().collect()
            } else {
                let names = [TAG, CONDITION].map(|prefix| format!("{prefix}{key}"));
                names.iter().filter_map(|name| own(name)).collect()
            };
            // Numbers are compared as numbers, unless some row has a text for the label.
            if found.iter().any(|texts| texts.is_text) {
                let texts = found.into_iter().flat_map(|texts| texts.found.clone());
                whole.texts.insert(key.clone(), sorted(texts));
            }
        }
        Ok(whole)
    }

    /// Returns the columns of tags and conditions, with the kind of their values over all rows.
    ///
    /// # Errors
    /// If the database cannot be read, or reading was stopped.
    pub fn columns(&self, on_event: &mut OnEvent<'_>) -> Result<BTreeMap<String, Kind>, String> {
        if let Some(database) = &self.database {
            return database.columns(&mut || on_event(Event::Progress(Progress::default())));
        }
        let mut found = BTreeMap::new();
        let units: Vec<Unit> = self.wanted(&|_, _| true);
        for unit in &units {
            let one = std::slice::from_ref(unit);
            if remote::fetch(one, Files::Rows, on_event).is_none() {
                return Err(STOPPED.to_owned());
            }
            let (Some(run), Some(folder)) = (&unit.published, folder(unit)) else {
                continue;
            };
            // Files that are unreadable are reported when their rows are read.
            let files = run
                .parts
                .iter()
                .filter_map(|part| open_rows(&part.rows, folder).ok());
            for file in files {
                let names = file.columns().iter();
                for name in
                    names.filter(|name| name.starts_with(TAG) || name.starts_with(CONDITION))
                {
                    add(&mut found, name.clone(), file.kind(name));
                }
            }
        }
        Ok(found)
    }

    /// Passes the predictions of the selected runs and abilities to `take`, in parts and in reading
    /// order. Codes are those of [`Self::names`]. Runs that may contain the same predictions are
    /// passed in one part. Returns the problems of the files; rows that can be read are passed
    /// despite problems.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn in_parts(
        &self,
        wanted: &dyn Fn(usize, &str) -> bool,
        whole: &Arc<DataSetFacts>,
        take: &mut dyn FnMut(Table) -> ControlFlow<()>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<Vec<Problem>, String> {
        let mut problems = Vec::new();
        let mut waiting: Vec<Unit> = Vec::new();
        let mut give = |units: &mut Vec<Unit>, on_event: &mut OnEvent<'_>| {
            let units = std::mem::take(units);
            if units.is_empty() {
                return ControlFlow::Continue(());
            }
            let table = self.read(&units, on_event).with_whole(Arc::clone(whole));
            let found = table.sources().iter();
            let found = found.flat_map(|source| &source.problems);
            problems.extend(found.filter(|problem| problem.line.is_none()).cloned());
            take(table)
        };
        for group in groups(self.wanted(wanted)) {
            let alone = group.len() == 1;
            let here = self.here(group, on_event)?;
            if !alone {
                let mut here = here;
                if give(&mut waiting, on_event).is_break() || give(&mut here, on_event).is_break() {
                    return Ok(problems);
                }
                continue;
            }
            for part in here.iter().flat_map(units_of_parts) {
                waiting.push(part);
                let n: u64 = waiting.iter().map(predictions).sum();
                if n >= AT_ONCE.min(Limit::LensRows.get())
                    && give(&mut waiting, on_event).is_break()
                {
                    return Ok(problems);
                }
            }
            // Drop downloaded rows before the next rows are downloaded.
            if self.database.is_some() && give(&mut waiting, on_event).is_break() {
                return Ok(problems);
            }
        }
        // This is the last part, so the result does not matter.
        let _ = give(&mut waiting, on_event);
        Ok(problems)
    }

    /// Returns the largest number of predictions that [`Self::in_parts`] passes at once because
    /// runs may contain the same predictions. 0 if there are no such runs.
    pub fn most_together(&self, wanted: &dyn Fn(usize, &str) -> bool) -> u64 {
        let groups = groups(self.wanted(wanted)).into_iter();
        let several = groups.filter(|group| group.len() > 1);
        let n = several.map(|group| group.iter().map(asked).sum());
        n.max().unwrap_or_default()
    }

    /// Returns the selected runs.
    fn wanted(&self, wanted: &dyn Fn(usize, &str) -> bool) -> Vec<Unit> {
        let mut units = self.units_of(wanted);
        units.retain(|unit| {
            !unit.superseded && unit.abilities.as_ref().is_some_and(|own| !own.is_empty())
        });
        units
    }
}

/// Returns the number of predictions in a unit.
fn predictions(unit: &Unit) -> u64 {
    unit.published.as_ref().map_or(0, |run| run.n)
}

/// Returns the number of a unit's predictions in its selected abilities.
fn asked(unit: &Unit) -> u64 {
    let (Some(run), Some(wanted)) = (&unit.published, &unit.abilities) else {
        return 0;
    };
    let own = run.abilities.iter();
    let own = own.filter(|(name, _)| wanted.contains(*name));
    own.map(|(_, answers)| answers.n).sum()
}

/// Groups units that may contain the same predictions. The groups are in the order of their first
/// units.
fn groups(units: Vec<Unit>) -> Vec<Vec<Unit>> {
    let mut groups: Vec<Vec<Unit>> = Vec::new();
    let mut places: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for unit in units {
        let Some(run) = unit.published.clone() else {
            continue;
        };
        let known = places.entry((run.benchmark.clone(), run.model.clone()));
        let known = known.or_default();
        let may_share = |group: &Vec<Unit>| group.iter().any(|other| may_share(other, &unit, &run));
        if let Some(&at) = known.iter().find(|at| may_share(&groups[**at])) {
            groups[at].push(unit);
        } else {
            known.push(groups.len());
            groups.push(vec![unit]);
        }
    }
    groups
}

/// Returns true if two units of a model may contain the same predictions: runs that were published
/// separately.
fn may_share(one: &Unit, other: &Unit, run: &Run) -> bool {
    let is_apart = one
        .published
        .as_ref()
        .is_some_and(|own| own.together != run.together);
    let (Some(own), Some(others)) = (&one.abilities, &other.abilities) else {
        return is_apart;
    };
    is_apart && !own.is_disjoint(others)
}

/// Distinct texts of a column.
#[derive(Default)]
struct Texts {
    /// Texts to look for; `None` for all.
    only: Option<BTreeSet<String>>,
    found: BTreeSet<String>,
    /// True if at least one value is not a number.
    is_text: bool,
}

/// Collects the values of some columns in the selected rows of a unit.
fn gather(unit: &Unit, columns: &mut BTreeMap<String, Texts>) {
    let (Some(run), Some(folder)) = (&unit.published, folder(unit)) else {
        return;
    };
    let parts = run.parts.iter().filter(|part| is_read(unit, part));
    for part in parts {
        // Files that are unreadable are reported when their rows are read.
        let Ok(mut table) = open_rows(&part.rows, folder) else {
            continue;
        };
        for at in 0..table.parts() {
            for (name, texts) in columns.iter_mut() {
                if let Ok(batch) = table.part(at, |known| known == name) {
                    texts.add(&batch, name);
                }
            }
        }
    }
}

impl Texts {
    fn add(&mut self, batch: &Batch, name: &str) {
        if let Ok(found) = batch.texts(name) {
            for text in found.into_iter().flatten().flatten() {
                self.is_text = true;
                self.keep(text);
            }
            return;
        }
        for row in 0..batch.rows() {
            let cells = batch.row(row).unwrap_or_default();
            match cells.first() {
                Some(Json::Bool(flag)) => {
                    self.is_text = true;
                    self.keep(if *flag { "true" } else { "false" });
                }
                Some(Json::Number(number)) => {
                    let number = number.as_f64().unwrap_or(f64::NAN);
                    self.keep(&number.to_string());
                }
                _ => {}
            }
        }
    }

    fn keep(&mut self, text: &str) {
        let is_wanted = self.only.as_ref().is_none_or(|only| only.contains(text));
        if is_wanted && !self.found.contains(text) {
            self.found.insert(text.to_owned());
        }
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<BTreeSet<_>>().into_iter().collect()
}
