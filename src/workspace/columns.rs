//! Finds tables with unknown columns, and describes the fields missing from their column maps.

use std::path::Path;

pub use reader::mapped::UnmappedTable;

use super::load::UNMAPPED;
use base::config::ColumnMap;
use reader::mapped;
use record::Table;

/// Returns the opened tables that need a column map, each with a map guessed from its column names.
pub fn unmapped(table: &Table) -> Vec<UnmappedTable> {
    let sources = table.sources().iter();
    let unknown = sources.filter(|source| source.format == UNMAPPED);
    unknown
        .filter_map(|source| mapped::unmapped(&source.path))
        .collect()
}

/// Returns those of the given tables for which the open logs still have no column map.
pub fn still_unknown<'a>(
    table: &Table,
    tables: &'a [UnmappedTable],
) -> impl Iterator<Item = &'a UnmappedTable> {
    let is_unknown = |path: &Path| {
        let mut sources = table.sources().iter();
        sources.any(|source| source.format == UNMAPPED && source.path == path)
    };
    tables
        .iter()
        .filter(move |unknown| is_unknown(&unknown.path))
}

/// Returns a sentence about the fields that a map lacks. These are the required response or score;
/// if the map has one, the fields that get default values.
pub fn needed(map: &ColumnMap) -> String {
    let is_published = map.is_published();
    if !map.has_answer() {
        let what = if is_published {
            "scores"
        } else {
            "response or of the score"
        };
        return format!("Missing: the column of the {what}.");
    }
    let is_by_model = !is_published && map.responses.len() + map.scores.len() > 0;
    let lacks = |field: &str| {
        let is_named = field == "model" && is_by_model
            || is_published && map.score_names.as_deref() == Some(field);
        map.column(field).is_none() && !map.fixed.contains_key(field) && !is_named
    };
    let substitutes = [
        (lacks("model"), "the model is the file's name"),
        (
            lacks("ability"),
            "the ability is the folder's name or that of --ability",
        ),
        (
            lacks("sample_id") && !is_published,
            "samples are numbered by line",
        ),
    ];
    let told = substitutes.into_iter().filter(|(missing, _)| *missing);
    let told: Vec<&str> = told.map(|(_, words)| words).collect();
    if told.is_empty() {
        "Nothing is missing.".to_owned()
    } else {
        format!("Without a column, {}.", told.join(", "))
    }
}
