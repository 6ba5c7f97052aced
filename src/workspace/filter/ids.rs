//! Reads lists of samples from a file. Each line is an id, or an object that also names the
//! ability.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use record::Ability;

/// A line that is a JSON object.
#[derive(Debug, Deserialize, PartialEq, Eq, Hash)]
struct SampleLine {
    sample_id: String,
    benchmark: Option<String>,
    ability: Option<String>,
}

/// A set of listed samples.
#[derive(Debug, Default)]
pub struct Ids {
    plain: HashSet<String>,
    named: HashSet<SampleLine>,
}

impl Ids {
    /// Reads a list; skips empty lines.
    ///
    /// # Errors
    /// One sentence: the file cannot be read, or a line is an invalid object.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("the list of ids cannot be read: {error}"))?;
        let mut ids = Self::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
            if line.starts_with('{') {
                let named = serde_json::from_str(line)
                    .map_err(|_| format!("line {number} of the list has no `sample_id`"))?;
                ids.named.insert(named);
            } else {
                ids.plain.insert(line.to_owned());
            }
        }
        Ok(ids)
    }

    /// Returns true if a sample is in the list.
    pub fn has(&self, sample_id: &str, ability: Option<&Ability>) -> bool {
        let named = |benchmark: Option<&String>, ability: Option<&String>| {
            self.named.contains(&SampleLine {
                sample_id: sample_id.to_owned(),
                benchmark: benchmark.cloned(),
                ability: ability.cloned(),
            })
        };
        let (benchmark, ability) = (
            ability.map(|ability| &ability.benchmark),
            ability.map(|ability| &ability.name),
        );
        self.plain.contains(sample_id)
            || (!self.named.is_empty()
                && (named(benchmark, ability)
                    || named(None, ability)
                    || named(benchmark, None)
                    || named(None, None)))
    }
}
