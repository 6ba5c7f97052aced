//! Merges the names of a model under the name that was read first. If two names answered the same
//! benchmark, the later name becomes a run of the model.

use std::sync::Arc;

use hashbrown::HashMap;
use record::catalog::Catalog;

/// Finds the model to which a name refers.
#[derive(Debug, Default)]
pub struct Spellings {
    catalog: Arc<Catalog>,
    /// For each model in the catalog, the name that was read first.
    first: HashMap<usize, String>,
    /// For each model and benchmark, the name that answered first.
    claimed: HashMap<(usize, String), String>,
}

/// What a name in a log refers to.
#[derive(Debug, PartialEq, Eq)]
pub enum NameMeaning {
    /// A model with this name.
    Itself,
    /// A model that was first read under the given name.
    Other(String),
    /// A run of the given model, which answered the benchmark under another name before.
    Run(String),
}

impl Spellings {
    /// Creates an empty mapping for a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            ..Self::default()
        }
    }

    /// Returns the catalog of models.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns to what a model's name refers in answers to a benchmark.
    pub fn of_samples(&mut self, name: &str, benchmark: &str) -> NameMeaning {
        if let Some(model) = self.catalog.find(name) {
            let claim = self.claimed.entry((model, benchmark.to_owned()));
            claim.or_insert_with(|| name.to_owned());
        }
        self.of_figures(name, benchmark)
    }

    /// Returns to what a model's name refers in a harness's scores for a benchmark.
    pub fn of_figures(&mut self, name: &str, benchmark: &str) -> NameMeaning {
        let Some(model) = self.catalog.find(name) else {
            return NameMeaning::Itself;
        };
        let owner = self.claimed.get(&(model, benchmark.to_owned()));
        if owner.is_some_and(|owner| owner != name) {
            let first = self.first.entry(model).or_insert_with(|| name.to_owned());
            return NameMeaning::Run(first.clone());
        }
        self.of_printed(name)
    }

    /// Returns to what a model's name refers in a published score.
    pub fn of_printed(&mut self, name: &str) -> NameMeaning {
        let Some(model) = self.catalog.find(name) else {
            return NameMeaning::Itself;
        };
        let first = self.first.entry(model).or_insert_with(|| name.to_owned());
        if first == name {
            NameMeaning::Itself
        } else {
            NameMeaning::Other(first.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings() -> Spellings {
        let mut catalog = Catalog::default();
        catalog.join("Opus 4", "4 Opus");
        Spellings::new(Arc::new(catalog))
    }

    fn other(name: &str) -> NameMeaning {
        NameMeaning::Other(name.to_owned())
    }

    fn run(name: &str) -> NameMeaning {
        NameMeaning::Run(name.to_owned())
    }

    #[test]
    fn names_of_one_model_are_joined_unless_both_answered_one_benchmark() {
        let mut spellings = spellings();
        assert_eq!(spellings.of_printed("4 Opus"), NameMeaning::Itself);
        assert_eq!(spellings.of_printed("Opus 4"), other("4 Opus"));
        assert_eq!(spellings.of_samples("Opus 4", "b"), other("4 Opus"));
        assert_eq!(spellings.of_samples("Opus 4", "b"), other("4 Opus"));
        assert_eq!(spellings.of_samples("4 Opus", "b"), run("4 Opus"));
        assert_eq!(spellings.of_figures("4 Opus", "b"), run("4 Opus"));
        assert_eq!(spellings.of_samples("4 Opus", "c"), NameMeaning::Itself);
        assert_eq!(spellings.of_samples("else", "b"), NameMeaning::Itself);
    }

    /// The name that was read first overall is the second name in one benchmark. The answers must
    /// stay separate.
    #[test]
    fn whoever_comes_second_in_a_benchmark_is_a_run() {
        let mut spellings = spellings();
        assert_eq!(spellings.of_samples("Opus 4", "b"), NameMeaning::Itself);
        assert_eq!(spellings.of_samples("4 Opus", "c"), other("Opus 4"));
        assert_eq!(spellings.of_samples("Opus 4", "c"), run("Opus 4"));
    }
}
