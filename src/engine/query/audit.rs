//! Evaluates verdicts on samples.

use analysis::Depth;
use analysis::audit::{AuditOptions, Findings};
use base::job::Ticket;
use workspace::corrected::audited;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: error rates from verdicts, and scores and ranks without the flagged samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Audit {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Author whose verdicts count; `None` for all authors.
    pub author: Option<String>,
    /// Whether to leave out ambiguous samples too.
    pub drop_ambiguous: bool,
    /// Whether to skip intervals, for a fast first answer.
    pub quick: bool,
}

impl Ask for Audit {
    type Answer = Box<Findings>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let asked = AuditOptions {
            author: self.author.clone(),
            drop_ambiguous: self.drop_ambiguous,
            depth: Depth::of(!self.quick),
        };
        let held = engine.rows(&self.scope)?;
        let found = audited(held.selection(ticket), engine.book(), &asked);
        Ok(Box::new(found))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("verdicts", &[], opened).scope(&self.scope);
        let line = line.flag("--drop-ambiguous", self.drop_ambiguous);
        Some(line.maybe("--author", self.author.as_ref()))
    }
}
