//! Models that go by several names: their rows are joined under the first name that was read. Where two names answered
//! one benchmark, the later one is a run of the model, so that nothing is mixed.

use std::sync::Arc;

use catalog::Catalog;
use hashbrown::HashMap;

/// Which model is meant by a name.
#[derive(Debug, Default)]
pub struct Spellings {
    catalog: Arc<Catalog>,
    /// The name under which each model of the catalog was read first.
    first: HashMap<usize, String>,
    /// Under which name a model answered a benchmark first.
    claimed: HashMap<(usize, String), String>,
}

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// Itself.
    Itself,
    /// A model that was read under another name.
    Other(String),
    /// A run of a model, which answered the same benchmark under another name.
    Run(String),
}

impl Spellings {
    /// By the names of a catalog.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            ..Self::default()
        }
    }

    /// What is known of models.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// What the name of a model means in front of its answers to a benchmark.
    pub fn of_samples(&mut self, name: &str, benchmark: &str) -> Meant {
        if let Some(model) = self.catalog.find(name) {
            let claim = self.claimed.entry((model, benchmark.to_owned()));
            claim.or_insert_with(|| name.to_owned());
        }
        self.of_figures(name, benchmark)
    }

    /// What the name of a model means in front of what its harness printed of a benchmark.
    pub fn of_figures(&mut self, name: &str, benchmark: &str) -> Meant {
        let Some(model) = self.catalog.find(name) else {
            return Meant::Itself;
        };
        let owner = self.claimed.get(&(model, benchmark.to_owned()));
        if owner.is_some_and(|owner| owner != name) {
            let first = self.first.entry(model).or_insert_with(|| name.to_owned());
            return Meant::Run(first.clone());
        }
        self.of_printed(name)
    }

    /// What the name of a model means in front of a score that a paper printed.
    pub fn of_printed(&mut self, name: &str) -> Meant {
        let Some(model) = self.catalog.find(name) else {
            return Meant::Itself;
        };
        let first = self.first.entry(model).or_insert_with(|| name.to_owned());
        if first == name {
            Meant::Itself
        } else {
            Meant::Other(first.clone())
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

    fn other(name: &str) -> Meant {
        Meant::Other(name.to_owned())
    }

    fn run(name: &str) -> Meant {
        Meant::Run(name.to_owned())
    }

    #[test]
    fn names_of_one_model_are_joined_unless_both_answered_one_benchmark() {
        let mut spellings = spellings();
        assert_eq!(spellings.of_printed("4 Opus"), Meant::Itself);
        assert_eq!(spellings.of_printed("Opus 4"), other("4 Opus"));
        assert_eq!(spellings.of_samples("Opus 4", "b"), other("4 Opus"));
        assert_eq!(spellings.of_samples("Opus 4", "b"), other("4 Opus"));
        assert_eq!(spellings.of_samples("4 Opus", "b"), run("4 Opus"));
        assert_eq!(spellings.of_figures("4 Opus", "b"), run("4 Opus"));
        assert_eq!(spellings.of_samples("4 Opus", "c"), Meant::Itself);
        assert_eq!(spellings.of_samples("else", "b"), Meant::Itself);
    }

    /// The first name of all comes second in one benchmark: its answers must not fall among those of the other.
    #[test]
    fn whoever_comes_second_in_a_benchmark_is_a_run() {
        let mut spellings = spellings();
        assert_eq!(spellings.of_samples("Opus 4", "b"), Meant::Itself);
        assert_eq!(spellings.of_samples("4 Opus", "c"), other("Opus 4"));
        assert_eq!(spellings.of_samples("Opus 4", "c"), run("Opus 4"));
    }
}
