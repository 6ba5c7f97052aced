//! Queries and what answers them: every number that a command prints or a screen shows is the answer to one query.
//!
//! A query is a value that holds everything that determines the answer but the data. An [`Engine`] has the data: rows
//! of a scope, later also sums over them. Each kind of query stands in its own file with its answer and, where there
//! is one, the command that asks the same and the parser of that command's arguments.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod ask;
mod command_line;
mod error;
mod export;
mod large;
mod masks;
mod memory;
mod model;
mod query;
mod scope;
#[cfg(test)]
mod tests;
mod warehouse;

pub use ask::{Ask, Engine, Held, Needs, Told, answer};
pub use command_line::CommandLine;
pub use error::{ModelError, QueryError};
pub use export::{ExportFailure, LeftOut, export};
pub use large::{Large, PublishedSet};
pub use memory::Memory;
pub use query::{
    Agree, Answer, Answers, Audit, Briefs, Compare, Compared, Completion, Confusion, Costs, Count,
    Counted, Detail, Details, Disagreements, EachPair, Items, KnownRules, Listed, Matrix, Order,
    Pairs, Query, Ranking, Ranks, Reliability, Report, Reported, Samples, Scorers, Scores,
    Searched, Show, Slices, Splits, SpotCheck, Subgroups, Subset, Thumbnails, Trace, Trends,
};
pub use scope::{Coverage, Scope};
pub use warehouse::{Added, Answered, Outline, Portion, Sums, SumsKind, Warehouse};
