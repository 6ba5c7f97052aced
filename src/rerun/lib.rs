//! Asking a live model again: which questions under which protocol, what came back, and a journal that
//! makes every stop resumable.
//!
//! A [`Plan`] is samples times the [`Step`]s of a [`Protocol`]. Each of its items becomes a [`Question`]
//! (`question`), is answered by a [`Model`], judged ([`Kind`]), written into the [`Journal`], and ends as a record of
//! Eyechart's own format (`output`). Whatever can be asked of a log can be asked of the result.
//!
//! Does not draw and knows no wire format: a [`Model`] is anything that answers a question, an endpoint behind
//! HTTP or an encoder in this process ([`Builtin`]).

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod age;
mod builtin;
mod connect;
mod content;
mod crop;
mod doubt;
mod estimate;
mod item;
mod journal;
mod kind;
mod launch;
mod model;
mod output;
mod plan;
mod prompt;
mod protocol;
mod question;
mod run;
mod runtime;
mod sample;
mod step;
mod summary;
mod tally;
mod template;
mod words;

pub use age::age;
pub use builtin::Builtin;
pub use connect::{ConnectError, Connection, Wishes, connect};
pub use doubt::Doubts;
pub use estimate::Estimate;
pub use item::{Done, Finished};
pub use journal::{
    Attempted, Earlier, FILE as JOURNAL, Head, Journal, JournalError, Shelf, Stored, newest,
};
pub use kind::{Judged, Kind};
pub use launch::{Choice, Launch, Wanted, protocol_of};
pub use model::Model;
pub use output::{FILE, write};
pub use plan::{Asking, MAX_TOKENS, Plan, Temperature};
pub use prompt::{Wording, wording};
pub use protocol::{Protocol, ProtocolError};
pub use question::{Question, Unaskable};
pub use run::{Control, Ended, Event, OnEvent, Run};
pub use runtime::{blocking, stop_on_interrupt};
pub use sample::{Before, Sample, Turned};
pub use step::{Change, Step};
pub use summary::Summary;
pub use tally::{Seen, StepScore};
pub use template::{Template, TemplateError};
pub use words::turn_words;
