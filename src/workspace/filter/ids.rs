//! Reads a list of samples from a file. Each line is an id, or an object that may also contain the
//! ability and the split.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use record::{Ability, ItemId, Table};

/// A line that is a JSON object.
#[derive(Debug, Deserialize)]
struct SampleLine {
    sample_id: String,
    #[serde(flatten)]
    place: Place,
}

/// Benchmark, ability and split of a listed sample; `None` matches any value.
#[derive(Debug, Deserialize, PartialEq, Eq, Hash)]
struct Place {
    benchmark: Option<String>,
    ability: Option<String>,
    split: Option<String>,
}

impl Place {
    fn has(&self, ability: Option<&Ability>, split: &str) -> bool {
        let is = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| own == Some(wanted))
        };
        is(&self.benchmark, ability.map(|it| it.benchmark.as_str()))
            && is(&self.ability, ability.map(|it| it.name.as_str()))
            && is(&self.split, Some(split))
    }
}

/// A set of listed samples.
#[derive(Debug, Default)]
pub struct Ids {
    plain: HashSet<String>,
    /// Places by sample id.
    named: HashMap<String, HashSet<Place>>,
}

impl Ids {
    /// Reads a list; skips empty lines.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is an invalid object.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("the list of ids cannot be read: {error}"))?;
        let mut ids = Self::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
            if line.starts_with('{') {
                let line: SampleLine = serde_json::from_str(line)
                    .map_err(|_| format!("line {number} of the list has no `sample_id`"))?;
                ids.named
                    .entry(line.sample_id)
                    .or_default()
                    .insert(line.place);
            } else {
                ids.plain.insert(line.to_owned());
            }
        }
        Ok(ids)
    }

    /// Returns true if an item's sample is in the list.
    pub fn has(&self, table: &Table, item: ItemId) -> bool {
        let id = table.sample_id(item);
        let mut places = self.named.get(id).into_iter().flatten();
        let is_at = |place: &Place| place.has(table.ability(item), table.split(item));
        self.plain.contains(id) || places.any(is_at)
    }
}
