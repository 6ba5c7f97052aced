//! The user's decisions about names: which names mean the same model, and directions of metrics.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::state::{state_folder, write_whole};

/// Name of the file with the decisions, in the state folder.
const REMEMBERED: &str = "joins.toml";

/// One decision by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Two model names, and true if they mean the same model.
    Join([String; 2], bool),
    /// Name of a metric, and whether `higher` or `lower` scores are better.
    Direction(String, &'static str),
}

/// All decisions by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Joins {
    /// Pairs of names of the same model.
    pub same: Vec<[String; 2]>,
    /// Pairs of names of different models.
    pub apart: Vec<[String; 2]>,
    /// Directions of metrics by name. `[metrics]` in the settings takes precedence.
    pub metrics: BTreeMap<String, String>,
}

impl Joins {
    /// Reads the decisions made in the terminal UI. A broken file counts as empty.
    pub fn remembered() -> Self {
        let text = file().and_then(|path| std::fs::read_to_string(path).ok());
        text.and_then(|text| toml::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Adds a decision; replaces an earlier decision about the same names.
    pub fn add(&mut self, said: Decision) {
        let (pair, is_same) = match said {
            Decision::Join(pair, is_same) => (pair, is_same),
            Decision::Direction(metric, direction) => {
                self.metrics.insert(metric, direction.to_owned());
                return;
            }
        };
        let [one, other] = &pair;
        let other_way = [other.clone(), one.clone()];
        for known in [&mut self.same, &mut self.apart] {
            known.retain(|known| *known != pair && *known != other_way);
        }
        if is_same {
            self.same.push(pair);
        } else {
            self.apart.push(pair);
        }
    }

    /// Saves the decisions to the state folder.
    ///
    /// # Errors
    /// The state folder does not exist or cannot be written.
    pub fn remember(&self) -> io::Result<()> {
        let path = file().ok_or(io::ErrorKind::NotFound)?;
        let text = toml::to_string(self).map_err(io::Error::other)?;
        write_whole(&path, &text)
    }
}

fn file() -> Option<PathBuf> {
    Some(state_folder()?.join(REMEMBERED))
}

#[cfg(test)]
mod tests {
    use super::{Decision, Joins};

    #[test]
    fn the_last_word_on_two_names_counts_and_is_read_back() {
        let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let mut joins = Joins::default();
        joins.add(Decision::Join(pair("a", "b"), true));
        joins.add(Decision::Join(pair("c", "d"), false));
        joins.add(Decision::Join(pair("b", "a"), false));
        joins.add(Decision::Direction("drift".to_owned(), "higher"));
        joins.add(Decision::Direction("drift".to_owned(), "lower"));
        assert!(joins.same.is_empty());
        assert_eq!(joins.metrics["drift"], "lower");
        assert_eq!(joins.apart, [pair("c", "d"), pair("b", "a")]);
        let text = toml::to_string(&joins).unwrap();
        assert_eq!(toml::from_str::<Joins>(&text).unwrap(), joins);
    }
}
