//! The two sides of a comparison, as a user names them: models or filter expressions.

use thiserror::Error;

use super::filter::{FilterError, parse, picking, quoted, select};
use analysis::{ComparisonKind, Selection, Sides};
use record::{Scoring, Table};

/// Model names that an error names.
const MOST_NAMED: usize = 5;

/// What is wrong with a side.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SideError {
    /// Neither a model nor an expression.
    #[error("no model is called `{name}`{}", nearest(near))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The models with the most similar names.
        near: Vec<String>,
    },
    /// A part of several models' names.
    #[error("`{name}` may be {}", models.join(" or "))]
    Several {
        /// What was asked for.
        name: String,
        /// The models.
        models: Vec<String>,
    },
    /// An expression that is no filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// Both sides are the same.
    #[error("both sides are {0}")]
    Same(String),
}

fn nearest(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; near it: {}", near.join(", ")),
    }
}

/// Two sides by name, and which predictions stand on each.
#[derive(Clone, Debug)]
pub struct NamedSides {
    /// A's whole name: a model or an expression.
    pub a: String,
    /// B's whole name.
    pub b: String,
    masks: [Vec<bool>; 2],
    kind: ComparisonKind,
    /// The terms of a side that select samples by their outcome.
    selected_by: Option<String>,
}

impl NamedSides {
    /// Finds the predictions of two sides among those that `held` selects.
    ///
    /// # Errors
    /// A side is neither a model nor a filter, or both are the same.
    pub fn find(
        [a, b]: [&str; 2],
        table: &Table,
        scoring: Scoring,
        held: Option<&[bool]>,
    ) -> Result<Self, SideError> {
        let (a, b) = (side(a, table)?, side(b, table)?);
        let kind = match (&a, &b) {
            (Side::Model(_), Side::Model(_)) => ComparisonKind::Models,
            _ => ComparisonKind::Filters,
        };
        if a.name() == b.name() {
            return Err(SideError::Same(a.name().to_owned()));
        }
        let mask = |side: &Side| side.mask(table, scoring, held);
        let by_outcome = |side: &Side| match side {
            Side::Model(_) => None,
            Side::Filter(text) => picking(text),
        };
        Ok(Self {
            selected_by: by_outcome(&a).or_else(|| by_outcome(&b)),
            masks: [mask(&a)?, mask(&b)?],
            a: a.name().to_owned(),
            b: b.name().to_owned(),
            kind,
        })
    }

    /// The sides for the analysis, of the predictions among which they were found.
    #[must_use]
    pub fn sides<'a>(&'a self, held: Selection<'a>) -> Sides<'a> {
        let [a, b] = &self.masks;
        Sides {
            table: held.table,
            scoring: held.scoring,
            a,
            b,
            kind: self.kind,
            selected_by: held.selected_by.or(self.selected_by.as_deref()),
            ticket: held.ticket,
        }
    }
}

/// One side.
enum Side {
    Model(String),
    Filter(String),
}

impl Side {
    fn name(&self) -> &str {
        match self {
            Self::Model(name) | Self::Filter(name) => name,
        }
    }

    fn mask(
        &self,
        table: &Table,
        scoring: Scoring,
        held: Option<&[bool]>,
    ) -> Result<Vec<bool>, FilterError> {
        let is_held =
            |row: usize| held.is_none_or(|held| held.get(row).copied().unwrap_or_default());
        let mut mask = match self {
            Self::Model(name) => {
                let names = table.names().models.values();
                let code = names.iter().position(|known| known == name);
                let is = |model: &u16| Some(usize::from(*model)) == code;
                table.model_of().iter().map(is).collect()
            }
            Self::Filter(text) => {
                select(text, table, scoring)?.unwrap_or_else(|| vec![true; table.len()])
            }
        };
        for (row, flag) in mask.iter_mut().enumerate() {
            *flag = *flag && is_held(row);
        }
        Ok(mask)
    }
}

/// A model of this name, or the one whose name holds it; else a filter, if it compares anything.
fn side(text: &str, table: &Table) -> Result<Side, SideError> {
    let names = table.names().models.values();
    let holding = |test: &dyn Fn(&str) -> bool| -> Vec<String> {
        names.iter().filter(|name| test(name)).cloned().collect()
    };
    let lower = text.to_lowercase();
    let found = [
        holding(&|name| name == text),
        holding(&|name| name.to_lowercase() == lower),
        holding(&|name| name.to_lowercase().contains(&lower)),
    ];
    match found
        .iter()
        .find(|models| !models.is_empty())
        .map(Vec::as_slice)
    {
        Some([model]) => Ok(Side::Model(model.clone())),
        Some(models) => Err(SideError::Several {
            name: text.to_owned(),
            models: models.iter().take(MOST_NAMED).cloned().collect(),
        }),
        None if is_expression(text) => {
            parse(text)?;
            Ok(Side::Filter(text.to_owned()))
        }
        None => Err(SideError::Unknown {
            name: text.to_owned(),
            near: near(text, names),
        }),
    }
}

/// A filter that every prediction passes that stands on the side of this name, told without a table.
#[must_use]
pub fn side_term(text: &str) -> String {
    if is_expression(text) {
        format!("({text})")
    } else {
        format!("model:{}", quoted(text))
    }
}

/// Returns true if a text compares anything: a bare word is meant as a model.
fn is_expression(text: &str) -> bool {
    text.contains([':', '=', '<', '>', '~', '(', '"'])
}

/// The names that are spelled most like `name`.
fn near(name: &str, known: &[String]) -> Vec<String> {
    let likeness =
        |other: &String| strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase());
    let mut near = known.to_vec();
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    near.truncate(MOST_NAMED);
    near
}
