//! Tables whose columns nobody knows, and what they need to be read.

pub use reader::mapped::Unmapped;

use super::load::UNMAPPED;
use config::ColumnMap;
use reader::mapped;
use record::Table;

/// The tables among a table's logs that need a column map, each with what its columns' names say.
#[must_use]
pub fn unmapped(table: &Table) -> Vec<Unmapped> {
    let sources = table.sources().iter();
    let unknown = sources.filter(|source| source.format == UNMAPPED);
    unknown
        .filter_map(|source| mapped::unmapped(&source.path))
        .collect()
}

/// What a map lacks, in a sentence: nothing can do without the first, the rest has a substitute.
#[must_use]
pub fn needed(map: &ColumnMap) -> String {
    if map.response.is_none() && map.score.is_none() {
        return "Missing: the column of the response or of the score.".to_owned();
    }
    let substitutes = [
        (map.model.is_none(), "the model is the file's name"),
        (
            map.ability.is_none(),
            "the ability is the folder's name or that of --ability",
        ),
        (map.sample_id.is_none(), "samples go by their line"),
    ];
    let told = substitutes.into_iter().filter(|(missing, _)| *missing);
    let told: Vec<&str> = told.map(|(_, words)| words).collect();
    if told.is_empty() {
        "Nothing is missing.".to_owned()
    } else {
        format!("Without a column, {}.", told.join(", "))
    }
}
