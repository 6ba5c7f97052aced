//! What answers queries: the table that is open, or of a large data set its sums, and the predictions that are looked at.

use std::sync::Arc;

use engine::{
    Answer, Ask as _, Engine, Large, Memory, Needs, Portion, PublishedSet, Query, QueryError,
    answer,
};
use job::Ticket;
use record::Table;
use verdict::Book;
use workspace::open::{self, Shower};

use super::shared::{LargeState, Shared};

/// What answers queries.
#[derive(Default)]
pub struct Answering {
    /// The table on the screen.
    memory: Memory,
    large: Option<Open>,
}

/// A data set whose predictions are not all in memory.
struct Open {
    large: Large,
    /// What the table on the screen has of it.
    portion: Option<Portion>,
}

/// How a query is answered.
pub enum Way {
    /// By predictions in memory.
    Memory(Memory),
    /// By sums.
    Sums(Large),
    /// Anew, after these predictions were read.
    Read(Large, Portion),
    /// Not at all.
    Refused(QueryError),
}

impl Answering {
    /// Hears what becomes of what is open.
    pub fn hear(&mut self, event: &open::Event, shared: &mut Shared) {
        match event {
            open::Event::Opened(_) => (self.large, shared.large) = (None, None),
            open::Event::Large(set) => {
                let set = PublishedSet::new(Arc::clone(set));
                let large = Large::new(Arc::new(set), Arc::default());
                shared.large = Some(LargeState::from(&large));
                self.large = Some(Open {
                    large,
                    portion: None,
                });
            }
            _ => {}
        }
    }

    /// The table that follows has the predictions of a part of the data set.
    pub fn has_read(&mut self, portion: Portion) {
        if let Some(open) = &mut self.large {
            open.portion = Some(portion);
        }
    }

    /// The predictions on the screen.
    pub fn memory(&mut self, table: &Table, book: &Arc<Book>) -> Memory {
        self.memory.hold(table, book);
        self.memory.clone()
    }

    /// What answers what is asked of everything that is open.
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

    /// How a query is answered, with the table on the screen and what people say of its samples.
    pub fn way(&mut self, query: &Query, table: &Table, book: &Arc<Book>) -> Way {
        let memory = self.memory(table, book);
        let Some(open) = &mut self.large else {
            return Way::Memory(memory);
        };
        open.large.judge(book);
        if query.needs() != Needs::Rows {
            return Way::Sums(open.large.clone());
        }
        let Some(scope) = query.scope_of_rows() else {
            return Way::Memory(memory);
        };
        match open.large.portion(scope) {
            Err(why) => Way::Refused(why),
            Ok(portion) => {
                let known = open.portion.as_ref();
                if known.is_some_and(|known| known.contains(&portion)) {
                    Way::Memory(memory)
                } else {
                    Way::Read(open.large.clone(), portion)
                }
            }
        }
    }
}

impl Way {
    /// The answer; `None` where predictions had to be read, which `read` is told before they are shown: whatever is on the
    /// screen is asked again then.
    pub fn answer(
        self,
        query: &Query,
        ticket: &Ticket,
        (shower, read): (&Shower, &dyn Fn(Portion)),
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
