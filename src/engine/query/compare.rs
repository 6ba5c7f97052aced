//! Compares two models or filters on the same samples.

use analysis::{ComparisonOptions, Split, Threshold, compare};
use base::job::Ticket;
use workspace::filter::{all_of, is};
use workspace::load::Request;
use workspace::{NamedComparison, NamedSides, side_term};

use super::splits_of;
use crate::{Ask, CommandLine, Engine, QueryError, Scope, ScopedTable};

/// Query: comparison of two models or two filters.
#[derive(Clone, Debug, PartialEq)]
pub struct Compare {
    /// Sides A and B: models or filters, as written by the user.
    pub sides: [String; 2],
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Splits, as on the command line; `None` for the default splits, empty for none.
    pub by: Option<String>,
    /// Ability whose samples are split; `None` for all. The family of tests over abilities stays
    /// the same.
    pub within: Option<String>,
    /// Whether to include metrics that do not rank.
    pub all: bool,
    /// Minimum graded score that counts as right.
    pub threshold: Threshold,
    /// Whether to use few draws, for a fast first answer.
    pub quick: bool,
}

impl Compare {
    /// Returns a scope for each side, without needing a table. A side can be a model or a filter.
    pub fn side_scopes(&self) -> [Scope; 2] {
        side_scopes(&self.sides, &self.scope)
    }

    fn over(
        &self,
        held: &ScopedTable,
        splits: &[Split],
        ticket: &Ticket,
    ) -> Result<NamedComparison, QueryError> {
        let (table, scoring) = (&held.table, self.scope.scoring);
        let [a, b] = &self.sides;
        let sides = NamedSides::find([a, b], table, scoring, held.mask())?;
        let options = if self.quick {
            ComparisonOptions::quick(self.threshold)
        } else {
            ComparisonOptions::with_threshold(self.threshold)
        };
        let options = ComparisonOptions {
            all: self.all,
            skip_single_bins: self.by.is_none(),
            ..options
        };
        let comparison = compare(sides.sides(held.selection(ticket)), splits, options);
        Ok(NamedComparison {
            names: [sides.a, sides.b],
            comparison,
        })
    }

    /// Restricts the scope to one ability; fails if it does not exist.
    fn narrowed(&self, ability: &str, engine: &dyn Engine) -> Result<Scope, QueryError> {
        let names = engine.table().names().abilities.values().iter();
        let known: Vec<String> = names.map(|ability| ability.name.clone()).collect();
        if !known.iter().any(|name| name == ability) {
            let name = ability.to_owned();
            return Err(QueryError::Ability { name, known });
        }
        let term = is("ability", ability, &known);
        Ok(Scope {
            filter: all_of(vec![term], &self.scope.filter),
            ..self.scope.clone()
        })
    }
}

/// Returns a scope for each side, without needing a table. A side can be a model or a filter.
pub(super) fn side_scopes(sides: &[String; 2], scope: &Scope) -> [Scope; 2] {
    sides.each_ref().map(|side| Scope {
        filter: all_of(vec![side_term(side)], &scope.filter),
        ..scope.clone()
    })
}

impl Ask for Compare {
    type Answer = NamedComparison;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<NamedComparison, QueryError> {
        let splits = splits_of(self.by.as_deref(), engine.table(), ticket)?;
        let held = engine.rows(&self.scope)?;
        let Some(ability) = self.within.as_ref().filter(|_| !splits.is_empty()) else {
            return self.over(&held, &splits, ticket);
        };
        let mut whole = self.over(&held, &[], ticket)?;
        let inside = engine.rows(&self.narrowed(ability, engine)?)?;
        let inside = self.over(&inside, &splits, ticket)?;
        whole.comparison.subgroups = inside.comparison.subgroups;
        Ok(whole)
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let [a, b] = &self.sides;
        let threshold = match self.threshold {
            Threshold::None => None,
            Threshold::Usual => Some("usual".to_owned()),
            Threshold::At(score) => Some(score.to_string()),
        };
        let line = CommandLine::new("compare", &[a, b], opened).scope(&self.scope);
        let line = line.maybe("--by", self.by.as_ref());
        let line = line.maybe("--within", self.within.as_ref());
        let metric = self.all.then_some("all");
        let line = line.maybe("--metric", metric);
        Some(line.maybe("--threshold", threshold))
    }
}
