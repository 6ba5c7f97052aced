//! Finds tables with unknown columns, and describes what their column maps lack.

pub use reader::mapped::UnmappedTable;

use super::load::UNMAPPED;
use base::config::ColumnMap;
use reader::mapped;
use record::Table;

/// Returns the opened tables that need a column map, each with guesses from its column names.
#[must_use]
pub fn unmapped(table: &Table) -> Vec<UnmappedTable> {
    let sources = table.sources().iter();
    let unknown = sources.filter(|source| source.format == UNMAPPED);
    unknown
        .filter_map(|source| mapped::unmapped(&source.path))
        .collect()
}

/// Describes what a map lacks. Only the response or score is required; other fields have defaults.
#[must_use]
pub fn needed(map: &ColumnMap) -> String {
    if !map.has_answer() {
        return "Missing: the column of the response or of the score.".to_owned();
    }
    let substitutes = [
        (map.model.is_none(), "the model is the file's name"),
        (
            map.ability.is_none(),
            "the ability is the folder's name or that of --ability",
        ),
        (map.sample_id.is_none(), "samples are numbered by line"),
    ];
    let told = substitutes.into_iter().filter(|(missing, _)| *missing);
    let told: Vec<&str> = told.map(|(_, words)| words).collect();
    if told.is_empty() {
        "Nothing is missing.".to_owned()
    } else {
        format!("Without a column, {}.", told.join(", "))
    }
}
