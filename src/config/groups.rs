//! Abilities that count as one: section `[[groups]]` of the config file.

use serde::Deserialize;

/// `[[groups]] name = "reading"; benchmark = "ava-bench"; abilities = ["ocr", "counting"]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSettings {
    /// What they are together.
    pub name: String,
    /// The benchmark; without one, any that has such abilities.
    pub benchmark: Option<String>,
    /// The abilities. None: a group of this name that the paper means is no group.
    pub abilities: Vec<String>,
}
