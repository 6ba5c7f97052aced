//! Messages from other threads to the event loop.

use crate::graphics::Reply;
use ask::worker::RerunEvent;
use base::job::Ticket;
use engine::{Answer, Portion, Query, QueryError};
use record::Generation;
use workspace::open::{self, Change};

use super::order::WriteResult;

/// Input of the event loop from other threads.
pub enum Message {
    /// An event of the workspace.
    Open(open::Event),
    /// The answer to a query, with the generation of its table. `None` if the query must wait
    /// for another table.
    Answer(
        Ticket,
        Box<Query>,
        Generation,
        Option<Result<Answer, QueryError>>,
    ),
    /// A part of a large data set was selected for loading; the next table contains it.
    Read(Box<Portion>),
    /// A picture is ready, or failed.
    Picture(Reply),
    /// An event of the rerun worker.
    Live(RerunEvent),
    /// A file was written, or writing failed.
    Written(WriteResult),
}

/// Returns true if the event must be drawn before more of a growing log is read.
pub fn is_whole(event: &open::Event) -> bool {
    let open::Event::Table(new) = event else {
        return false;
    };
    matches!(new.change, Change::Whole | Change::Grown(_))
}
