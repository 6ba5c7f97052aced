//! Finds disagreements between scoring rules.

use analysis::Depth;
use analysis::scorers::{ScorerAudit, rows, scorers};
use base::job::Ticket;
use record::Row;
use workspace::known_rules::{AbilityRules, known_rules};
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: disagreements between the harness's scores and Eyechart's own rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scorers {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Number of examples for each reason.
    pub examples: usize,
    /// Whether to skip intervals and public rules, for a fast first answer.
    pub quick: bool,
}

/// Disagreements between scoring rules in a scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreements {
    /// Frequencies, reasons and effects on ranks.
    pub found: ScorerAudit,
    /// Rows of the first predictions for each reason of disagreement.
    pub examples: Vec<Row>,
    /// Results of the public rules by ability; empty in a quick answer.
    pub rules: Vec<AbilityRules>,
}

/// Query: scores under public scoring rules, computed from the texts of the answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KnownRules {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Number of examples of each rule in which the rule differs from the log's score.
    pub examples: usize,
}

impl Ask for KnownRules {
    type Answer = Vec<AbilityRules>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        Ok(known_rules(held.selection(ticket), self.examples))
    }
}

impl Ask for Scorers {
    type Answer = Disagreements;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Disagreements, QueryError> {
        let held = engine.rows(&self.scope)?;
        let selection = held.selection(ticket);
        let found = scorers(selection, Depth::of(!self.quick));
        let mut examples = Vec::new();
        if self.examples > 0 {
            for ability in &found.abilities {
                for reason in &ability.reasons {
                    examples.extend(rows(selection, ability, reason.class, self.examples));
                }
            }
        }
        let rules = if self.quick {
            Vec::new()
        } else {
            known_rules(selection, self.examples)
        };
        Ok(Disagreements {
            found,
            examples,
            rules,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("scorers", &[], opened).scope(&self.scope);
        Some(line.option("--examples", self.examples.to_string()))
    }
}
