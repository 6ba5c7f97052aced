//! Finds the two sides of a comparison from models or filter expressions.

use thiserror::Error;

use super::filter::{FilterError, is, parse, picking, quoted, select};
use analysis::{
    Comparison, ComparisonKind, ComparisonOptions, Selection, Sides, Threshold, adjust_together,
    compare,
};
use record::{Scoring, Table};

/// Maximum number of model names in an error message.
const MOST_NAMED: usize = 5;

/// Why a text does not select a side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SideError {
    /// The text is neither a model nor an expression.
    #[error("no model is called `{name}`{}", nearest(near))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar model names.
        near: Vec<String>,
    },
    /// The names of several models contain the text.
    #[error("`{name}` is ambiguous: {}", models.join(" or "))]
    Several {
        /// The requested name.
        name: String,
        /// All models whose names contain the text.
        models: Vec<String>,
    },
    /// The expression is not a valid filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// Both sides are equal.
    #[error("both sides are {0}")]
    Same(String),
}

fn nearest(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; similar: {}", near.join(", ")),
    }
}

/// The two sides of a comparison, with the predictions of each.
#[derive(Clone, Debug)]
pub struct NamedSides {
    /// Full name of side A: a model or an expression.
    pub a: String,
    /// Full name of side B: a model or an expression.
    pub b: String,
    masks: [Vec<bool>; 2],
    kind: ComparisonKind,
    /// Filter terms of a side that select by outcome; `None` if there are none.
    selected_by: Option<String>,
}

impl NamedSides {
    /// Finds the predictions of two sides among the predictions selected by `held`.
    ///
    /// # Errors
    /// A side is neither a model nor a filter, or both are equal.
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

    /// Returns the sides for the analysis of a selection.
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

/// Parses a side. It is a model of this name, the only model whose name contains the text, or a
/// filter with a comparison.
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

/// Returns a filter that selects all predictions of a side, and possibly more. Needs no table.
pub fn side_term(text: &str) -> String {
    if is_expression(text) {
        format!("({text})")
    } else {
        format!("model:{}", quoted(text))
    }
}

/// Returns true if a text contains a comparison. A bare word is the name of a model.
fn is_expression(text: &str) -> bool {
    text.contains([':', '=', '<', '>', '~', '(', '"'])
}

/// Returns the most similar known names.
fn near(name: &str, known: &[String]) -> Vec<String> {
    let likeness =
        |other: &String| strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase());
    let mut near = known.to_vec();
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    near.truncate(MOST_NAMED);
    near
}

/// A comparison with the full names of its sides.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedComparison {
    /// Full names of A and B.
    pub names: [String; 2],
    /// Differences and tests.
    pub comparison: Comparison,
}

/// Compares all pairs of models on the samples that both models answered. Unknown models are left
/// out. Samples are paired, not conditions, which may differ between models. p values are adjusted
/// over all pairs and abilities.
///
/// # Errors
/// A name does not select a side.
pub fn each_pair(
    held: Selection<'_>,
    models: &[String],
) -> Result<Vec<NamedComparison>, SideError> {
    let Selection { table, scoring, .. } = held;
    let known = table.names().models.values();
    let models: Vec<&String> = models.iter().filter(|name| known.contains(name)).collect();
    let mut pairs = Vec::new();
    for (at, a) in models.iter().enumerate() {
        for b in models.iter().skip(at + 1) {
            let [one, other] = [a, b].map(|name| is("model", name, known));
            let sides = NamedSides::find([&one, &other], table, scoring, held.mask)?;
            let options = ComparisonOptions::with_threshold(Threshold::None);
            pairs.push(NamedComparison {
                names: [(*a).clone(), (*b).clone()],
                comparison: compare(sides.sides(held), &[], options),
            });
        }
    }
    let mut shown: Vec<_> = pairs.iter_mut().map(|it| &mut it.comparison).collect();
    adjust_together(&mut shown);
    Ok(pairs)
}
