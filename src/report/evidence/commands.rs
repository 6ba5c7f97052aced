//! Builds the commands that list the samples behind a number.

use std::collections::{BTreeSet, HashMap};

use analysis::parse_splits;
use analysis::slices::Slice;
use engine::{Ask as _, Order, Samples, Scope, Show};
use record::{Scoring, Table};
use workspace::bin_terms;
use workspace::filter::{all_of, is};
use workspace::load::Request;
use workspace::page::Sort;

/// Maximum number of item checks to express bins as filters. Larger data sets get commands for the
/// whole ability.
const MOST_LOOKS: usize = 50_000_000;

/// Selection of samples that a number is computed from.
#[derive(Clone, Copy, Debug)]
pub struct SampleSelection<'a> {
    /// Name of the benchmark, as in the logs.
    pub benchmark: &'a str,
    /// Name of the ability, as in the logs.
    pub ability: &'a str,
    /// One model; `None` for all models.
    pub model: Option<&'a str>,
    /// A split as on the command line, and the name of one of its bins.
    pub bin: Option<(&'a str, &'a str)>,
}

/// Builder of commands for one set of inputs.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    request: Request,
    scope: Scope,
    benchmarks: Vec<String>,
    abilities: Vec<String>,
    models: Vec<String>,
    /// Filter expressions by split and bin.
    bins: HashMap<(String, String), String>,
}

impl Commands {
    /// Prepares commands for the opened inputs under a scope; `known` has the splits and bins.
    pub fn new(request: &Request, scope: &Scope, table: &Table, known: &[(&str, &str)]) -> Self {
        let names = table.names().abilities.values();
        let distinct = |names: BTreeSet<&String>| names.into_iter().cloned().collect();
        Self {
            request: request.clone(),
            scope: scope.clone(),
            benchmarks: distinct(names.iter().map(|name| &name.benchmark).collect()),
            abilities: distinct(names.iter().map(|name| &name.name).collect()),
            models: table.names().models.values().to_vec(),
            bins: bins(table, known),
        }
    }

    /// Returns true if the data have a model of this name.
    pub fn is_model(&self, name: &str) -> bool {
        self.models.iter().any(|model| model == name)
    }

    /// Command that lists the samples, the worst first.
    pub fn samples(&self, behind: SampleSelection<'_>) -> String {
        let sort = Order::By {
            sort: Sort::Worst,
            reverse: false,
        };
        self.list(behind, sort)
    }

    /// Command that lists one model's answers, sorted by their distance from another model's.
    pub fn gaps(&self, behind: SampleSelection<'_>, other: &str) -> String {
        self.list(behind, Order::Gap(other.to_owned()))
    }

    /// Command that lists a model's samples of a slice, the worst first.
    pub fn slice(&self, slice: &Slice) -> String {
        let sort = Order::By {
            sort: Sort::Worst,
            reverse: false,
        };
        self.list_filtered(self.slice_filter(slice), sort)
    }

    /// Filter of a model's samples of a slice.
    pub fn slice_filter(&self, slice: &Slice) -> String {
        let rest = self.filter(SampleSelection {
            benchmark: &slice.benchmark,
            ability: &slice.ability,
            model: slice.model.as_deref(),
            bin: None,
        });
        all_of(vec![slice.expression.clone()], &rest)
    }

    fn list(&self, behind: SampleSelection<'_>, order: Order) -> String {
        self.list_filtered(self.filter(behind), order)
    }

    fn list_filtered(&self, filter: String, order: Order) -> String {
        let samples = Samples {
            group: None,
            scope: Scope {
                filter,
                ..self.scope.clone()
            }
            .with_coverage(None),
            order,
            limit: None,
        };
        let line = samples.command(&self.request);
        line.map(|line| line.to_string()).unwrap_or_default()
    }

    /// Command that shows one sample with all models' answers.
    pub fn sample(&self, id: &str, scoring: Scoring) -> String {
        let show = Show {
            scope: Scope {
                scoring,
                ..Scope::default()
            },
            sample: id.to_owned(),
            model: None,
        };
        let line = show.command(&self.request);
        line.map(|line| line.to_string()).unwrap_or_default()
    }

    fn filter(&self, behind: SampleSelection<'_>) -> String {
        let mut terms = Vec::new();
        if self.benchmarks.len() > 1 {
            terms.push(is("benchmark", behind.benchmark, &self.benchmarks));
        }
        if self.abilities.len() > 1 {
            terms.push(is("ability", behind.ability, &self.abilities));
        }
        if let Some(model) = behind.model {
            terms.push(is("model", model, &self.models));
        }
        let bin = behind.bin.map(|(by, bin)| (by.to_owned(), bin.to_owned()));
        terms.extend(bin.and_then(|bin| self.bins.get(&bin).cloned()));
        terms.retain(|term| !self.says_already(term));
        all_of(terms, &self.scope.filter)
    }

    /// Returns true if the scope's filter contains this term already.
    fn says_already(&self, term: &str) -> bool {
        let filter = &self.scope.filter;
        let is_plain = !filter.contains(['(', ')', '"']) && !filter.contains(" or ");
        is_plain && filter.split(' ').any(|own| own == term)
    }
}

/// Filters for the bins of subgroups and for the splits of scores.
fn bins(table: &Table, known: &[(&str, &str)]) -> HashMap<(String, String), String> {
    let known: BTreeSet<(&str, &str)> = known.iter().copied().collect();
    if known.len().saturating_mul(table.ability_of().len()) > MOST_LOOKS {
        return HashMap::new();
    }
    let filter = |(by, bin): (&str, &str)| {
        let splits = parse_splits(by, table).ok()?;
        let [split] = splits.as_slice() else {
            return None;
        };
        let terms = bin_terms(table, split, bin).join(" ");
        Some(((by.to_owned(), bin.to_owned()), terms))
    };
    known.into_iter().filter_map(filter).collect()
}
