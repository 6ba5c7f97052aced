//! What people's verdicts say.

use analysis::audit::{Asked, Findings};
use job::Ticket;
use workspace::corrected::audited;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

/// What the verdicts on a scope's samples say: error rates, and scores and ranks without the flagged samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Audit {
    /// Which predictions.
    pub scope: Scope,
    /// Whose verdicts count; `None`: everybody's.
    pub author: Option<String>,
    /// Leave ambiguous samples out as well.
    pub drop_ambiguous: bool,
    /// Without intervals, for a first answer.
    pub quick: bool,
}

impl Audit {
    /// As the command line asks for it.
    #[must_use]
    pub fn of(args: &cli::Verdicts) -> Self {
        Self {
            scope: Scope::from(&args.lens),
            author: args.author.clone(),
            drop_ambiguous: args.drop_ambiguous,
            quick: false,
        }
    }
}

impl Ask for Audit {
    type Answer = Box<Findings>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let asked = Asked {
            author: self.author.clone(),
            drop_ambiguous: self.drop_ambiguous,
            intervals: !self.quick,
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
