//! Answers queries. Every number in the output of a command or on a screen is part of an answer.
//!
//! A query is a value: equal queries on the same data have equal answers. An [`Engine`] holds the
//! data, which are rows of a scope or sums over them. Each kind of query has a file with its answer
//! and, if there is one, its command line. The crate `command` parses the arguments of that
//! command.

// Tests compare exact floats and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

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

pub use ask::{Ask, Engine, Needs, ResultsWithNotes, ScopedTable, answer};
pub use command_line::CommandLine;
pub use error::{ModelError, QueryError};
pub use export::{ExportFailure, ExportGaps, ExportTarget, export, export_folder};
pub use large::{Large, PublishedSet};
pub use memory::Memory;
pub use query::{
    Agree, Answer, Answers, Audit, AutomaticTags, Briefs, Checkpoints, Compare, Completion,
    Confusion, Costs, Count, Detail, Details, Disagreements, Distribution, EachPair, FailureGroups,
    Gate, Health, Items, KnownRules, Likeness, Matrix, NamedGate, Order, Pairs, Preview,
    PreviewScores, Query, Ranking, Ranks, Reliability, Report, ReportData, ResultCounts, Samples,
    Scorers, Scores, Show, SliceSearchResult, Slices, SortedSamples, Splits, SpotCheck, Spread,
    SpreadOver, Subgroups, Subset, Thumbnails, Trace, Trends,
};
pub use scope::{Coverage, Scope};
pub use warehouse::{Outline, Portion, PredictionCount, Sums, SumsKind, SumsWithNote, Warehouse};
pub use workspace::NamedComparison;
