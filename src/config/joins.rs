//! What the user said of names of models that look alike.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::state::{state_folder, write_whole};

/// The file in the state folder.
const REMEMBERED: &str = "joins.toml";

/// Pairs of names: those of one model, and those of two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Joins {
    /// Both are names of one model.
    pub same: Vec<[String; 2]>,
    /// They are names of two models.
    pub apart: Vec<[String; 2]>,
}

impl Joins {
    /// What was said in the terminal UI. A broken file counts as empty.
    #[must_use]
    pub fn remembered() -> Self {
        let text = file().and_then(|path| std::fs::read_to_string(path).ok());
        text.and_then(|text| toml::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Adds what is said of two names, in place of what was said of them before.
    pub fn say(&mut self, pair: [String; 2], is_same: bool) {
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

    /// Saves what was said.
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
    use super::Joins;

    #[test]
    fn the_last_word_on_two_names_counts_and_is_read_back() {
        let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let mut joins = Joins::default();
        joins.say(pair("a", "b"), true);
        joins.say(pair("c", "d"), false);
        joins.say(pair("b", "a"), false);
        assert!(joins.same.is_empty());
        assert_eq!(joins.apart, [pair("c", "d"), pair("b", "a")]);
        let text = toml::to_string(&joins).unwrap();
        assert_eq!(toml::from_str::<Joins>(&text).unwrap(), joins);
    }
}
