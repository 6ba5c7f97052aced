//! Views that the user saved under a name, for all logs with the same benchmark.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::app::StoredView;
use base::config::write_whole;
use record::Table;

/// Views by name, as in the file `views.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedViews {
    views: BTreeMap<String, StoredView>,
}

/// A change of the saved views.
#[derive(Clone, Debug)]
pub enum SavedViewChange {
    /// Save a view under a name, replacing a view of that name.
    Save(String, Box<StoredView>),
    /// Delete the view of this name.
    Delete(String),
}

impl SavedViews {
    /// Reads the views. The result is empty if the file is missing.
    ///
    /// # Errors
    /// The file cannot be read; the text is a message for the user.
    pub fn read(file: &Path) -> Result<Self, String> {
        let named = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
        match std::fs::read_to_string(file) {
            Ok(text) => toml::from_str(&text).map_err(|why| named(&why.message())),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(why) => Err(named(&why)),
        }
    }

    /// Changes the views in the file after reading it again, because other programs can change it.
    /// Returns the current views.
    ///
    /// # Errors
    /// The file cannot be read or written; it stays as it is. The text is a message for the user.
    pub fn change(file: &Path, change: SavedViewChange) -> Result<Self, String> {
        let mut saved = Self::read(file)?;
        match change {
            SavedViewChange::Save(name, view) => drop(saved.views.insert(name, *view)),
            SavedViewChange::Delete(name) => drop(saved.views.remove(&name)),
        }
        let text = toml::to_string(&saved).map_err(|why| why.to_string())?;
        let written = write_whole(file, &text);
        written.map_err(|why| format!("{}: {why}", file.display()))?;
        Ok(saved)
    }

    /// Returns the view of this name.
    pub fn get(&self, name: &str) -> Option<&StoredView> {
        self.views.get(name)
    }

    /// Returns the names of the views whose benchmark is open.
    pub fn names(&self, table: &Table) -> Vec<String> {
        let open = self.views.iter().filter(|(_, view)| view.is_of(table));
        open.map(|(name, _)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_of_two_programs_are_both_kept_and_a_broken_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("views.toml");
        let save = |name: &str| SavedViewChange::Save(name.to_owned(), Box::default());
        SavedViews::change(&file, save("one")).unwrap();
        SavedViews::change(&file, save("of another program")).unwrap();
        let saved = SavedViews::change(&file, SavedViewChange::Delete("one".to_owned())).unwrap();
        assert_eq!(saved.get("one"), None);
        assert!(saved.get("of another program").is_some());
        assert_eq!(SavedViews::read(&file), Ok(saved));
        std::fs::write(&file, "views = 1").unwrap();
        let why = SavedViews::change(&file, save("two")).unwrap_err();
        assert!(why.contains("views.toml"), "{why}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "views = 1");
    }
}
