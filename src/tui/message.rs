//! What other threads tell the loop.

use engine::{Answer, Portion, Query, QueryError};
use graphics::Reply;
use job::Ticket;
use record::Generation;
use workspace::open::{self, Change};
use workspace::rerun_worker::RerunEvent;

use super::order::Written;

/// What other threads tell the loop.
pub enum Message {
    /// What became of what is open.
    Open(open::Event),
    /// The answer to a query, and the table that it was computed from; `None`: it is asked again of a table to come.
    Answer(
        Ticket,
        Box<Query>,
        Generation,
        Option<Result<Answer, QueryError>>,
    ),
    /// The table that follows has these predictions of a large data set.
    Read(Box<Portion>),
    /// A picture is ready.
    Picture(Reply),
    /// What became of a rerun.
    Live(RerunEvent),
    /// A file was written, or could not be.
    Written(Written),
}

/// Returns true if logs that grow are read on only when this is on the screen.
pub fn is_whole(event: &open::Event) -> bool {
    let open::Event::Table(new) = event else {
        return false;
    };
    matches!(new.change, Change::Whole | Change::Grown(_))
}
