//! Finds subgroups that differ from the rest of their ability.

use analysis::slices::{self, Outcome, Search, SearchedModels, slices};
use base::job::Ticket;
use workspace::automatic_tags::{TagSources, read};
use workspace::load::Request;

use crate::model::model;
use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: subgroups in which a model, or the difference of two models, differs from the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Options of the search. A model is given by its name or a part of its name.
    pub search: Search,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceSearchResult {
    /// Options of the search, with full model names.
    pub search: Search,
    /// Subgroups that differ from the rest.
    pub found: slices::Slices,
}

impl Ask for Slices {
    type Answer = SliceSearchResult;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(
        &self,
        engine: &dyn Engine,
        ticket: &Ticket,
    ) -> Result<SliceSearchResult, QueryError> {
        let named = |name: &String| model(engine.table(), name);
        let who = match &self.search.who {
            SearchedModels::Everyone => SearchedModels::Everyone,
            SearchedModels::Model(model) => SearchedModels::Model(named(model)?),
            SearchedModels::Pair(a, b) => SearchedModels::Pair(named(a)?, named(b)?),
        };
        let search = Search {
            who,
            ..self.search.clone()
        };
        let held = engine.rows(&self.scope)?;
        // An answer belongs to one model. Labels and pairs of models have no answer.
        let is_of_one = !matches!(search.who, SearchedModels::Pair(..))
            && search.outcome != Outcome::WrongLabel;
        let wanted = TagSources {
            pictures: true,
            answers: is_of_one,
        };
        read(&held.table, wanted, ticket);
        Ok(SliceSearchResult {
            found: slices(held.tested(ticket)?, &search, engine.book()),
            search,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let Search {
            who,
            outcome,
            q,
            seed,
        } = &self.search;
        let usual = Search::default();
        let line = CommandLine::new("slices", &[], opened).scope(&self.scope);
        let line = match who {
            SearchedModels::Everyone => line,
            SearchedModels::Model(model) => line.option("--model", model),
            SearchedModels::Pair(a, b) => line.pair("--compare", [a, b]),
        };
        let outcome = Some(outcome).filter(|outcome| **outcome != usual.outcome);
        let line = line.maybe(
            "--outcome",
            outcome.map(|outcome| outcome.name().to_owned()),
        );
        // Compare all bits: any other q was set by the user.
        let q = Some(q)
            .filter(|q| q.to_bits() != usual.q.to_bits())
            .map(f64::to_string);
        let seed = Some(seed).filter(|seed| **seed != usual.seed);
        let line = line.maybe("--q", q);
        Some(line.maybe("--seed", seed.map(u64::to_string)))
    }
}
