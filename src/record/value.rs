//! Values of tags and conditions.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Values by name. Sorted, so that equal sets of labels are formatted equally.
pub type Labels = BTreeMap<String, Value>;

/// Formats labels on one line, for example `boxes=true rotation=90`.
pub fn label_words<'a>(labels: impl IntoIterator<Item = (&'a String, &'a Value)>) -> String {
    let words = labels
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"));
    words.collect::<Vec<_>>().join(" ")
}

/// Value of a tag or condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A text, such as the name of a group.
    Text(String),
    /// A number.
    Number(f64),
    /// A boolean.
    Flag(bool),
}

impl Value {
    /// Returns the number; `None` for texts and booleans.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}
