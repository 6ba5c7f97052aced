//! The kinds of queries, one per file.

mod agree;
mod answers;
mod audit;
mod automatic_tags;
mod briefs;
mod checkpoints;
mod compare;
mod completion;
mod confusion;
mod costs;
mod count;
mod detail;
mod details;
mod distribution;
mod each_pair;
mod failure_groups;
mod gate;
mod health;
mod items;
mod likeness;
mod matrix;
mod preview;
mod ranks;
mod reliability;
mod report;
mod samples;
mod scorers;
mod scores;
mod show;
mod slices;
mod splits;
mod spot_check;
mod spread;
mod subgroups;
mod subset;
mod thumbnails;
mod trace;
mod trend;
mod wins;

use std::mem::{Discriminant, discriminant};

use analysis::Split;
use base::job::Ticket;
use record::Table;
use workspace::automatic_tags::read_for;
use workspace::load::Request;

use super::{Ask, CommandLine, Engine, Needs, QueryError, Scope};

pub use agree::Agree;
pub use answers::Answers;
pub use audit::Audit;
pub use automatic_tags::AutomaticTags;
pub use briefs::Briefs;
pub use checkpoints::Checkpoints;
pub use compare::Compare;
pub use completion::Completion;
pub use confusion::Confusion;
pub use costs::Costs;
pub use count::{Count, ResultCounts};
pub use detail::Detail;
pub use details::Details;
pub use distribution::Distribution;
pub use each_pair::EachPair;
pub use failure_groups::FailureGroups;
pub use gate::{Gate, NamedGate};
pub use health::Health;
pub use items::Items;
pub use likeness::Likeness;
pub use matrix::Matrix;
pub use preview::{Preview, PreviewScores};
pub use ranks::Ranks;
pub use reliability::Reliability;
pub use report::{Report, ReportData};
pub use samples::{Order, Samples, SortedSamples};
pub use scorers::{Disagreements, KnownRules, Scorers};
pub use scores::{Ranking, Scores};
pub use show::Show;
pub use slices::{SliceSearchResult, Slices};
pub use splits::Splits;
pub use spot_check::SpotCheck;
pub use spread::{Spread, SpreadOver};
pub use subgroups::Subgroups;
pub use subset::Subset;
pub use thumbnails::Thumbnails;
pub use trace::Trace;
pub use trend::Trends;
pub use wins::Pairs;

/// Declares an enum of all kinds of queries, and an enum of their answers.
macro_rules! kinds {
    ($($kind:ident),* $(,)?) => {
        /// Query of any kind.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Query {
            $(#[doc = concat!("See [`", stringify!($kind), "`](struct@", stringify!($kind), ").")] $kind($kind)),*
        }

        /// Answer to a query of any kind.
        #[derive(Clone, Debug)]
        pub enum Answer {
            $(#[doc = concat!("To [`Query::", stringify!($kind), "`].")] $kind(<$kind as Ask>::Answer)),*
        }

        impl Ask for Query {
            type Answer = Answer;

            fn needs(&self) -> Needs {
                match self { $(Self::$kind(query) => query.needs()),* }
            }

            fn scope_of_rows(&self) -> Option<&Scope> {
                match self { $(Self::$kind(query) => query.scope_of_rows()),* }
            }

            fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Answer, QueryError> {
                match self { $(Self::$kind(query) => query.answer(engine, ticket).map(Answer::$kind)),* }
            }

            fn command(&self, opened: &Request) -> Option<CommandLine> {
                match self { $(Self::$kind(query) => query.command(opened)),* }
            }
        }

        $(impl From<$kind> for Query {
            fn from(query: $kind) -> Self {
                Self::$kind(query)
            }
        })*
    };
}

kinds!(
    Agree,
    Answers,
    Audit,
    AutomaticTags,
    Briefs,
    Compare,
    Completion,
    Confusion,
    Costs,
    Count,
    Detail,
    Details,
    Distribution,
    EachPair,
    FailureGroups,
    Gate,
    Items,
    KnownRules,
    Matrix,
    Pairs,
    Preview,
    Ranks,
    Reliability,
    Report,
    Samples,
    Scorers,
    Scores,
    Show,
    Slices,
    Splits,
    SpotCheck,
    Spread,
    Subgroups,
    Subset,
    Thumbnails,
    Trace,
    Trends,
);

impl Query {
    /// Returns the kind of the query. A newer query replaces an older query of the same kind.
    pub fn kind(&self) -> Discriminant<Self> {
        discriminant(self)
    }
}

/// Returns the metrics of reliability under rotation as scores.
fn scores_of_reliability(
    scope: &Scope,
    engine: &dyn Engine,
    ticket: &Ticket,
) -> Result<Vec<analysis::Score>, QueryError> {
    let query = Reliability {
        scope: scope.clone(),
    };
    Ok(analysis::reliability_scores(&query.answer(engine, ticket)?))
}

/// Parses the splits of a command line. Without `by`, returns the tags and conditions with few
/// values.
fn splits_of(by: Option<&str>, table: &Table, ticket: &Ticket) -> Result<Vec<Split>, QueryError> {
    read_for(by.unwrap_or_default(), table, ticket);
    Ok(match by {
        Some(by) => analysis::parse_splits(by, table)?,
        None => analysis::default_splits(table),
    })
}
