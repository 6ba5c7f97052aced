//! Chooses how to answer a query: from the table in memory, from a large data set's sums, or by
//! loading predictions first.

use std::sync::Arc;

use base::job::Ticket;
use engine::{
    Answer, Ask as _, Engine, Large, Memory, Needs, Portion, PublishedSet, Query, QueryError,
    answer,
};
use record::Table;
use record::verdict::Book;
use workspace::open::{self, TableUpdater};

use super::shared::{AppState, LargeState};

/// Sources for answers to queries.
#[derive(Default)]
pub struct AnswerSources {
    /// Predictions of the table on screen.
    memory: Memory,
    large: Option<OpenSet>,
}

/// A data set that is only partly in memory.
struct OpenSet {
    large: Large,
    /// The part in the table on screen; `None` until a part is loaded.
    portion: Option<Portion>,
}

/// Method of answering a query.
pub enum AnswerMethod {
    /// From predictions in memory.
    Memory(Memory),
    /// From the data set's sums.
    Sums(Large),
    /// After loading these predictions.
    Read(Large, Portion),
    /// Not possible, with the reason.
    Refused(QueryError),
}

impl AnswerSources {
    /// Updates the sources when the workspace opens or a large data set is found.
    pub fn handle_event(&mut self, event: &open::Event, shared: &mut AppState) {
        match event {
            open::Event::Opened(_) => (self.large, shared.large) = (None, None),
            open::Event::Large(set) => {
                let set = PublishedSet::new(Arc::clone(set));
                let large = Large::new(Arc::new(set), Arc::default());
                shared.large = Some(LargeState::from(&large));
                self.large = Some(OpenSet {
                    large,
                    portion: None,
                });
            }
            _ => {}
        }
    }

    /// Stores which part of the data set the next table contains.
    pub fn has_read(&mut self, portion: Portion) {
        if let Some(open) = &mut self.large {
            open.portion = Some(portion);
        }
    }

    /// Returns the predictions of the table, updated to the current verdicts.
    pub fn memory(&mut self, table: &Table, book: &Arc<Book>) -> Memory {
        self.memory.hold(table, book);
        self.memory.clone()
    }

    /// Returns an engine for queries on all open data.
    pub fn engine(&mut self, table: &Table, book: &Arc<Book>) -> Box<dyn Engine + Send> {
        let memory = self.memory(table, book);
        match &mut self.large {
            None => Box::new(memory),
            Some(open) => {
                open.large.judge(book);
                Box::new(open.large.clone())
            }
        }
    }

    /// Chooses how to answer a query with this table and these verdicts.
    pub fn method(&mut self, query: &Query, table: &Table, book: &Arc<Book>) -> AnswerMethod {
        let memory = self.memory(table, book);
        let Some(open) = &mut self.large else {
            return AnswerMethod::Memory(memory);
        };
        open.large.judge(book);
        if query.needs() != Needs::Rows {
            return AnswerMethod::Sums(open.large.clone());
        }
        let Some(scope) = query.scope_of_rows() else {
            return AnswerMethod::Memory(memory);
        };
        match open.large.portion(scope) {
            Err(why) => AnswerMethod::Refused(why),
            Ok(portion) => {
                let known = open.portion.as_ref();
                if known.is_some_and(|known| known.contains(&portion)) {
                    AnswerMethod::Memory(memory)
                } else {
                    AnswerMethod::Read(open.large.clone(), portion)
                }
            }
        }
    }
}

impl AnswerMethod {
    /// Answers the query. If predictions must be loaded first, calls `read` with their selection
    /// and returns `None`. After loading, the screen sends its queries again.
    pub fn answer(
        self,
        query: &Query,
        ticket: &Ticket,
        shower: &TableUpdater,
        read: &dyn Fn(Portion),
    ) -> Option<Result<Answer, QueryError>> {
        match self {
            Self::Memory(memory) => Some(answer(query, &memory, ticket)),
            Self::Sums(large) => Some(answer(query, &large, ticket)),
            Self::Refused(why) => Some(Err(why)),
            Self::Read(large, portion) => match large.load(&portion, ticket) {
                Err(why) => Some(Err(why)),
                Ok(memory) => {
                    read(portion);
                    shower.show(memory.table().clone());
                    None
                }
            },
        }
    }
}
