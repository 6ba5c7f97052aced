//! Abilities that are scored as one group: section `[[groups]]` of the config file.

use serde::Deserialize;

/// One group of abilities, for example:
/// `[[groups]] name = "reading"; benchmark = "ava-bench"; abilities = ["ocr", "counting"]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSettings {
    /// Name of the group.
    pub name: String,
    /// The benchmark; `None` for any benchmark that has these abilities.
    pub benchmark: Option<String>,
    /// Abilities in the group. An empty list removes the built-in group with the same name.
    pub abilities: Vec<String>,
}
