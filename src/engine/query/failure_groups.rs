//! Groups wrong samples that look similar, and maps all samples.

use std::path::PathBuf;

use analysis::likeness::{FailureMap, failure_map};
use base::job::Ticket;
use workspace::automatic_tags::{TagSources, read};
use workspace::likeness::codes;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: groups of wrong samples that look similar, and a map of all samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FailureGroups {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Number of groups; `None` selects the number that separates the groups best.
    pub groups: Option<usize>,
    /// Files of embeddings. If empty, the similarity of pictures is used.
    pub embeddings: Vec<PathBuf>,
}

impl Ask for FailureGroups {
    type Answer = Box<FailureMap>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let held = engine.rows(&self.scope)?;
        let pictures = TagSources {
            pictures: true,
            ..TagSources::default()
        };
        read(&held.table, pictures, ticket);
        let selection = held.selection(ticket);
        let codes = codes(&held.table, selection.rows(), &self.embeddings, ticket)?;
        Ok(Box::new(failure_map(selection, &codes, self.groups)))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("failures", &[], opened).scope(&self.scope);
        let groups = self.groups.map(|count| count.to_string());
        Some(line.maybe("--groups", groups))
    }
}
