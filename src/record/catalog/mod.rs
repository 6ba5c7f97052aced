//! Facts about models: names, family, size, release date.
//!
//! A catalog is built from CSV tables (`models.csv`). One table ships with the program; its facts
//! come from papers, model names and web pages, and each row names its sources. Filled cells in the
//! user's tables replace its values.

mod alike;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::Facts;

pub use alike::{Pair, alike};
pub use table::{FILE, Row, Rows, is_table, read};

/// CSV table that ships with the program.
const SHIPPED: &str = include_str!("models.csv");

/// Models that can be found by any of their names.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    models: Vec<Facts>,
    /// Index into `models`, by normalised name.
    names: HashMap<String, usize>,
}

impl Catalog {
    /// Returns the catalog that ships with the program.
    pub fn shipped() -> Self {
        static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
            let mut catalog = Catalog::default();
            catalog.add(read(SHIPPED.as_bytes()).rows);
            catalog
        });
        CATALOG.clone()
    }

    /// Adds the rows of a table. Filled cells replace earlier values.
    pub fn add(&mut self, rows: impl IntoIterator<Item = Row>) {
        for row in rows {
            let names = || std::iter::once(&row.facts.name).chain(&row.aliases);
            let known: Vec<usize> = names().filter_map(|name| self.find(name)).collect();
            let model = self.joined(&known);
            for name in names() {
                self.names.insert(plain(name), model);
            }
            if let Some(facts) = self.models.get_mut(model) {
                fill(facts, row.facts);
            }
        }
    }

    /// Records that two names belong to one model.
    pub fn join(&mut self, one: &str, other: &str) {
        let row = Row {
            aliases: vec![other.to_owned()],
            facts: Facts {
                name: one.to_owned(),
                ..Facts::default()
            },
        };
        self.add([row]);
    }

    /// Returns the index of a model by name. Ignores case, and treats spaces, `-` and `_` as equal.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(&plain(name)).copied()
    }

    /// Returns the facts about a model by name, with or without the organisation
    /// (`Qwen/Qwen2.5-VL-7B-Instruct`).
    pub fn facts(&self, name: &str) -> Option<&Facts> {
        let bare = || name.rsplit_once('/').and_then(|(_, bare)| self.find(bare));
        self.models.get(self.find(name).or_else(bare)?)
    }

    /// Returns the number of models.
    pub const fn len(&self) -> usize {
        self.models.len()
    }

    /// True if there are no models.
    pub const fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Merges the models at the indices `known` and returns the index of the result. Creates a
    /// model if `known` is empty.
    fn joined(&mut self, known: &[usize]) -> usize {
        let Some(&model) = known.first() else {
            self.models.push(Facts::default());
            return self.models.len() - 1;
        };
        for &other in known.iter().filter(|other| **other != model) {
            let facts = self.models.get(other).cloned().unwrap_or_default();
            if let Some(known) = self.models.get_mut(model) {
                // The facts about the other model only fill gaps.
                let mut both = facts;
                fill(&mut both, std::mem::take(known));
                *known = both;
            }
            let of_other = self.names.values_mut().filter(|of| **of == other);
            of_other.for_each(|of| *of = model);
        }
        model
    }
}

/// Replaces the facts in `known` by all filled fields of `told`.
fn fill(known: &mut Facts, told: Facts) {
    fn take<T>(known: &mut Option<T>, told: Option<T>) {
        if told.is_some() {
            *known = told;
        }
    }
    let text = |known: &mut String, told: String| {
        if !told.is_empty() {
            *known = told;
        }
    };
    text(&mut known.name, told.name);
    text(&mut known.note, told.note);
    take(&mut known.family, told.family);
    take(&mut known.parameters, told.parameters);
    take(&mut known.active_parameters, told.active_parameters);
    take(&mut known.released, told.released);
    take(&mut known.open, told.open);
    take(&mut known.thinking, told.thinking);
    take(&mut known.resolution, told.resolution);
    take(&mut known.step, told.step);
}

/// Normalises a name: lower case, words separated by single spaces.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(tables: &[&str]) -> Catalog {
        let mut catalog = Catalog::default();
        for table in tables {
            let read = read(table.as_bytes());
            assert!(read.problems.is_empty(), "{:?}", read.problems);
            catalog.add(read.rows);
        }
        catalog
    }

    #[test]
    fn a_model_is_found_by_each_of_its_names_however_they_are_written() {
        let catalog = catalog(&["name,aliases\nClaude Opus 4.1,Claude 4.1 Opus;opus\nother,\n"]);
        let model = catalog.find("claude-opus_4.1");
        assert!(model.is_some());
        for name in ["Claude 4.1  Opus", "OPUS"] {
            assert_eq!(catalog.find(name), model, "{name}");
        }
        assert_ne!(catalog.find("other"), model);
        assert_eq!(catalog.find("Claude Opus 41"), None, "a dot is part of it");
        let name = |name: &str| catalog.facts(name).map(|facts| facts.name.as_str());
        assert_eq!(
            name("anthropic/claude-opus-4.1"),
            Some("Claude Opus 4.1"),
            "facts are found behind an organisation's name"
        );
    }

    #[test]
    fn a_later_table_replaces_the_cells_that_it_fills() {
        let catalog = catalog(&[
            "name,aliases,family,parameters_b\nA,a2,Alpha,7\n",
            "name,aliases,parameters_b,open\na2,,8,true\n",
        ]);
        let facts = catalog.facts("A").unwrap();
        assert_eq!(facts.name, "a2");
        assert_eq!(facts.family.as_deref(), Some("Alpha"));
        assert_eq!((facts.parameters, facts.open), (Some(8.0), Some(true)));
    }

    #[test]
    fn a_row_joins_two_models() {
        let mut catalog = catalog(&["name,aliases,family,parameters_b\nA,x,,7\nB,y,Beta,9\n"]);
        assert_ne!(catalog.find("x"), catalog.find("y"));
        catalog.join("A", "B");
        assert_eq!(catalog.find("x"), catalog.find("y"));
        let facts = catalog.facts("y").unwrap();
        assert_eq!(facts.family.as_deref(), Some("Beta"));
        assert_eq!(facts.parameters, Some(7.0), "the first one's word counts");
    }

    #[test]
    fn the_shipped_table_has_no_problem_and_no_name_twice() {
        let read = read(SHIPPED.as_bytes());
        assert_eq!(read.problems, []);
        let names = read.rows.iter().flat_map(|row| {
            let names = std::iter::once(&row.facts.name).chain(&row.aliases);
            names
                .map(|name| plain(name))
                .collect::<std::collections::BTreeSet<_>>()
        });
        let mut seen = std::collections::HashSet::new();
        for name in names {
            assert!(seen.insert(name.clone()), "{name} stands in two rows");
        }
        for row in &read.rows {
            let facts = &row.facts;
            let says = facts.parameters.is_some() || facts.released.is_some();
            assert!(
                !says || !facts.note.is_empty(),
                "{} has no source",
                facts.name
            );
        }
    }
}
