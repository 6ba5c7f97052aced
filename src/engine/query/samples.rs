//! Lists predictions in a chosen order.

use base::job::Ticket;
use workspace::answered::{Group, GroupBy, grouped};
use workspace::load::Request;
use workspace::outline::{Outline, outline};
use workspace::page::{Sort, rows_by_gap, rows_by_tag, sorted_rows};

use super::Likeness;
use crate::model::model;
use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: predictions of a scope, sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Samples {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Order of the list.
    pub order: Order,
    /// Grouping of the list; `None` for none. `order` then applies within each group.
    pub group: Option<GroupBy>,
    /// Maximum number of predictions; `None` for no limit.
    pub limit: Option<usize>,
}

/// Sorted predictions.
#[derive(Clone, Debug)]
pub struct SortedSamples {
    /// Rows of the predictions in the table.
    pub rows: Vec<u32>,
    /// Groups in display order; empty without grouping.
    pub groups: Vec<Group>,
    /// Distances of the first rows, if ordered by similarity. The remaining rows have no code.
    /// Empty for other orders, and if the list is grouped.
    pub distances: Vec<f32>,
    /// Columns whose values differ between the predictions, and the common prefix of the sample
    /// ids.
    pub outline: Outline,
}

/// Sort order of samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// By a property of the sample.
    By {
        /// Property to sort by.
        sort: Sort,
        /// Whether to reverse the order.
        reverse: bool,
    },
    /// By the difference between the score and the score of the named model, largest first.
    Gap(String),
    /// By the value of a tag.
    Tag {
        /// Name of the tag.
        name: String,
        /// Whether to reverse the order.
        reverse: bool,
    },
    /// By similarity to a sample, most similar first.
    Like(Likeness),
}

impl Order {
    /// Names of all orders that do not need a second model.
    pub(crate) const NAMES: [&str; Sort::ALL.len()] = {
        let mut names = [""; Sort::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Sort::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Returns the order for a list in which a second model may be selected.
    #[must_use]
    pub fn versus(self, other: Option<&String>) -> Self {
        match self {
            Self::By {
                sort: Sort::Gap,
                reverse,
            } => match other {
                Some(other) => Self::Gap(other.clone()),
                None => Self::By {
                    sort: Sort::Worst,
                    reverse,
                },
            },
            order => order,
        }
    }

    /// Parses an order as written on the command line.
    ///
    /// # Errors
    /// If the order is unknown.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let (key, reverse) = match text.strip_prefix('-') {
            Some(key) => (key, true),
            None => (text, false),
        };
        if let Some(other) = key.strip_prefix("gap:") {
            return Ok(Self::Gap(other.to_owned()));
        }
        if let Some(name) = key.strip_prefix("tag.") {
            let name = name.to_owned();
            return Ok(Self::Tag { name, reverse });
        }
        let sort = Sort::ALL.into_iter().find(|sort| sort.name() == key);
        sort.map(|sort| Self::By { sort, reverse })
            .ok_or_else(|| QueryError::Order(key.to_owned()))
    }

    /// Adds the option that sorts `samples` in this order; `None` if the command has no such
    /// option.
    fn option(&self, command: CommandLine) -> Option<CommandLine> {
        let turned = |reverse: bool| if reverse { "-" } else { "" };
        let sort = match self {
            Self::By { sort, reverse } => format!("{}{}", turned(*reverse), sort.name()),
            Self::Gap(other) => format!("gap:{other}"),
            Self::Tag { name, reverse } => format!("{}tag.{name}", turned(*reverse)),
            Self::Like(like) => {
                let is_named = like.apart.is_empty();
                return is_named.then(|| command.option("--like", &like.sample));
            }
        };
        Some(command.option("--sort", sort))
    }
}

impl Ask for Samples {
    type Answer = SortedSamples;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<SortedSamples, QueryError> {
        let held = engine.rows(&self.scope)?;
        let selection = held.selection(ticket);
        let mut distances = Vec::new();
        let mut rows = match &self.order {
            Order::Like(like) => {
                let (rows, known) = like.rows(&held, engine, ticket)?;
                distances = known;
                rows
            }
            Order::Gap(other) => rows_by_gap(selection, &model(&held.table, other)?),
            Order::By { sort, reverse } => sorted_rows(selection, *sort, *reverse),
            Order::Tag { name, reverse } => rows_by_tag(selection, name, *reverse)
                .ok_or_else(|| QueryError::Order(format!("tag.{name}")))?,
        };
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        distances.truncate(rows.len());
        let mut groups = Vec::new();
        if let Some(by) = &self.group {
            let found = grouped(selection, &rows, by)?;
            (rows, groups) = (found.rows, found.groups);
            distances.clear();
        }
        Ok(SortedSamples {
            outline: outline(&held.table, &rows, selection.scoring),
            rows,
            groups,
            distances,
        })
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("samples", &[], opened).scope(&self.scope);
        let limit = self.limit.map(|limit| limit.to_string());
        let line = self.order.option(line)?;
        Some(line.maybe("--limit", limit))
    }
}
