//! Decides whether a candidate can replace a base.

use analysis::{GateOptions, GateSplit, MetricMargin, gate};
use base::job::Ticket;
use workspace::NamedSides;
use workspace::load::Request;

use super::compare::side_scopes;
use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: whether the candidate is worse than the base by more than a margin.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Base and candidate: models or filters, as written by the user.
    pub sides: [String; 2],
    /// Predictions to use: filter and scoring.
    pub scope: Scope,
    /// Tolerated loss of each metric.
    pub margins: Vec<MetricMargin>,
    /// What must pass: only the mean over a benchmark, or each ability as well.
    pub by: GateSplit,
}

/// Result of a gate, with the full names of its sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedGate {
    /// Full names of base and candidate.
    pub names: [String; 2],
    /// Decision with its numbers.
    pub gate: analysis::Gate,
}

impl Gate {
    /// Returns a scope for each side, without needing a table. A side can be a model or a filter.
    pub fn side_scopes(&self) -> [Scope; 2] {
        side_scopes(&self.sides, &self.scope)
    }
}

impl Ask for Gate {
    type Answer = NamedGate;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<NamedGate, QueryError> {
        let held = engine.rows(&self.scope)?;
        let [base, candidate] = &self.sides;
        let sides = NamedSides::find(
            [base, candidate],
            &held.table,
            self.scope.scoring,
            held.mask(),
        )?;
        let options = GateOptions {
            margins: self.margins.clone(),
            by: self.by,
        };
        let gate = gate(sides.sides(held.selection(ticket)), &options);
        Ok(NamedGate {
            names: [sides.a, sides.b],
            gate,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let [base, candidate] = &self.sides;
        let line = CommandLine::new("gate", &[base, candidate], opened).scope(&self.scope);
        let line = self.margins.iter().fold(line, |line, margin| {
            line.maybe("--worse-by", Some(margin.to_string()))
        });
        let by = (self.by == GateSplit::Ability).then(|| self.by.name());
        Some(line.maybe("--by", by))
    }
}
