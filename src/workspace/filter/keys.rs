//! Lists the keys of filters.

use super::{models, others, published};
use analysis::{automatic_tags, split_names};
use record::Table;

/// Keys that every table has.
const KEYS: [&str; 21] = [
    "ability",
    "benchmark",
    "model",
    "run",
    "sample",
    "metric",
    "score",
    "correct",
    "invalid",
    "question",
    "target",
    "answer",
    "response",
    "scorers",
    "source",
    "ids",
    "verdict",
    "cause",
    "hard",
    "discrimination",
    "disagreement",
];

/// Returns true if `tag.` must precede a tag of this name in a filter.
pub fn is_taken(name: &str) -> bool {
    KEYS.contains(&name)
        || others::KEYS.contains(&name)
        || models::KEYS.contains(&name)
        || published::KEYS.contains(&name)
        || name == "sample_id"
        || name.starts_with("tag.")
}

/// Returns all keys for filters on this table, automatic tags last.
pub fn keys(table: &Table) -> Vec<String> {
    let known = KEYS.iter().chain(&others::KEYS).chain(&models::KEYS);
    let mut keys: Vec<String> = known.map(|key| (*key).to_owned()).collect();
    let mut own = split_names(table);
    let elsewhere = table.names().whole.labels.iter();
    let elsewhere: Vec<String> = elsewhere
        .filter(|name| !own.contains(name))
        .cloned()
        .collect();
    own.extend(elsewhere);
    let printed = published::KEYS.iter().map(|key| (*key).to_owned());
    let is_used = |key: &String| !published::values(table, key).is_empty() && !own.contains(key);
    keys.extend(printed.filter(is_used));
    keys.extend(own);
    keys.extend(automatic_tags(table).map(|tag| tag.name.to_owned()));
    keys
}
