//! Suggests the keys of a table, and the values of each key.

use std::collections::BTreeMap;

use super::Candidate;
use super::lens_contents::LensContents;
use crate::filter::{published, scorers};
use base::format::significant;
use record::{ItemId, TagColumn, Value};

/// Maximum number of distinct numbers that are suggested as single values.
const NUMBERS: usize = 12;

/// Keys of every table: name, description, and the values if there are only a few.
const KNOWN: [(&str, &str, &[&str]); 20] = [
    ("ability", "name", &[]),
    ("model", "name", &[]),
    ("benchmark", "name", &[]),
    ("score", "number", &[]),
    ("correct", "true or false", &["false", "true"]),
    ("invalid", "true or false", &["true", "false"]),
    ("scorers", "harness and strict agree or not", &[]),
    (
        "disagree",
        "right where that model is wrong, or the reverse",
        &[],
    ),
    ("sample", "id", &[]),
    ("question", "text", &[]),
    ("target", "text, an option by letter or text", &[]),
    (
        "answer",
        "the answer as read, an option by letter or text",
        &[],
    ),
    ("response", "text", &[]),
    ("metric", "name", &[]),
    ("source", "path of the log", &[]),
    ("ids", "file of sample ids, one per line", &[]),
    ("group", "a paper's group of models", &[]),
    ("table", "the table that prints a score", &[]),
    ("split", "of published scores", &[]),
    (
        "verdict",
        "a person's verdict",
        &["ok", "wrong_label", "ambiguous", "bad_image", "any", "none"],
    ),
];

fn candidate(name: &str, count: Option<u64>) -> Candidate {
    Candidate {
        insert: name.to_owned(),
        name: name.to_owned(),
        what: String::new(),
        count,
    }
}

/// Suggests keys with the number of their predictions, and a hint. `typed` may start with `tag.`.
pub fn keys(held: &LensContents<'_>, typed: &str) -> (Vec<Candidate>, String) {
    let prefix = if typed.starts_with("tag.") {
        "tag."
    } else {
        ""
    };
    let mut names = super::super::keys(held.table);
    let place = |name: &String| KNOWN.iter().position(|(known, ..)| known == name);
    names.retain(|name| prefix.is_empty() || place(name).is_none());
    names.sort_by_key(|name| place(name).unwrap_or(KNOWN.len()));
    let key = |name: String| {
        let (what, count) = describe(held, &name);
        Candidate {
            insert: format!("{prefix}{name}:"),
            name: format!("{prefix}{name}"),
            what,
            count,
        }
    };
    let mut found: Vec<Candidate> = names.into_iter().map(key).collect();
    if !typed.is_empty() {
        found.extend(["not", "or"].map(|word| Candidate {
            insert: format!("{word} "),
            ..candidate(word, None)
        }));
    }
    (found, String::new())
}

/// Returns a description of a key, and the number of predictions that have a value. The number is
/// `None` if all have one.
fn describe(held: &LensContents<'_>, key: &str) -> (String, Option<u64>) {
    let known = KNOWN.iter().find(|(known, ..)| *known == key);
    if let Some((_, what, _)) = known.filter(|_| is_no_tag(held, key)) {
        return ((*what).to_owned(), None);
    }
    // Do not count the values, because that would compute the tag.
    if let Some(tag) = held.table.automatic_tag(key) {
        return (tag.meaning(), None);
    }
    match held.table.tag(key) {
        Some(TagColumn::Number(values)) => {
            let known = held.of_items(|item| values.get(item).is_some_and(|value| !value.is_nan()));
            (range(values.known()), Some(known))
        }
        Some(TagColumn::Text { names, codes }) => {
            let known = |item: usize| {
                codes
                    .get(item)
                    .is_some_and(|code| (code as usize) < names.len())
            };
            (
                base::format::counted(names.len() as u64, "value"),
                Some(held.of_items(known)),
            )
        }
        None => {
            let values = condition(held, key);
            let total = values.values().sum();
            (
                format!(
                    "condition, {}",
                    base::format::counted(values.len() as u64, "value")
                ),
                Some(total),
            )
        }
    }
}

/// Returns false for a key of published scores that is also the name of a tag or condition.
fn is_no_tag(held: &LensContents<'_>, key: &str) -> bool {
    !published::KEYS.contains(&key) || !held.table.has_label(key)
}

/// Formats the range of some numbers, for example `0.01..0.87`.
fn range(values: impl Iterator<Item = f64>) -> String {
    let known = values.filter(|value| value.is_finite());
    let ends = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if ends.0 > ends.1 {
        return "no number".to_owned();
    }
    format!("{}..{}", significant(ends.0, 3), significant(ends.1, 3))
}

/// Suggests values of a key, with a hint on other valid input.
pub fn values(held: &LensContents<'_>, key: &str) -> (Vec<Candidate>, String) {
    let table = held.table;
    let names = table.names();
    let known = KNOWN.iter().find(|(known, ..)| *known == key);
    let fixed = match known {
        Some(("scorers", ..)) => scorers::suggested(),
        known => known.map_or(Vec::new(), |(.., values)| values.to_vec()),
    };
    let abilities = names.abilities.values();
    let of_ability = || held.by_item(table.ability_of(), abilities.len());
    let plain = |found| (found, String::new());
    // Values of published scores are not counted, because counts cover predictions only.
    let printed = |mut found: Vec<Candidate>| {
        for value in published::values(table, key) {
            if !found.iter().any(|known| known.name == value) {
                found.push(candidate(value, None));
            }
        }
        plain(found)
    };
    match key {
        _ if !fixed.is_empty() => {
            // Do not count the differences of a public rule, because that would read all responses
            // again.
            let is_rule = |value: &str| key == "scorers" && scorer::rules::named(value).is_some();
            let (rules, counted): (Vec<&str>, Vec<&str>) =
                fixed.iter().partition(|value| is_rule(value));
            let counted = counted
                .into_iter()
                .map(|value| candidate(value, held.passing(&format!("{key}:{value}"))))
                .filter(|value| value.count.is_some());
            let rules = rules.into_iter().map(|rule| candidate(rule, None));
            plain(counted.chain(rules).collect())
        }
        "ability" => printed(merged(
            abilities.iter().map(|ability| ability.name.as_str()),
            &of_ability(),
        )),
        "benchmark" => printed(merged(
            abilities.iter().map(|ability| ability.benchmark.as_str()),
            &of_ability(),
        )),
        "model" => {
            let models = names.models.values();
            printed(merged(
                models.iter().map(String::as_str),
                &held.by_row(table.model_of(), models.len()),
            ))
        }
        "disagree" => plain(
            names
                .models
                .values()
                .iter()
                .map(|name| candidate(name, None))
                .collect(),
        ),
        "metric" => {
            let metrics = names.metrics.values();
            let counts = held.by_row(table.metric_of(held.lens.scoring), metrics.len());
            printed(merged(metrics.iter().map(String::as_str), &counts))
        }
        key if published::KEYS.contains(&key) && is_no_tag(held, key) => printed(Vec::new()),
        "score" => (Vec::new(), numbers(&range(scores(held)))),
        "sample" | "sample_id" => plain(samples(held)),
        "answer" => (
            Vec::new(),
            "the answer read in the response; \"\" if none".to_owned(),
        ),
        "question" | "target" | "response" => (
            Vec::new(),
            "a part of the text, or ~\"regular expression\"".to_owned(),
        ),
        "ids" => (
            Vec::new(),
            "the path of a file with one id per line".to_owned(),
        ),
        "source" => (Vec::new(), "a part of the log's path".to_owned()),
        key => tag_or_condition(held, key.strip_prefix("tag.").unwrap_or(key)),
    }
}

fn numbers(range: &str) -> String {
    format!("{range}; also a..b, and < <= > >= in place of the colon")
}

fn scores<'a>(held: &'a LensContents<'_>) -> impl Iterator<Item = f64> + 'a {
    let scores = held.table.scores(held.lens.scoring).iter();
    scores
        .zip(&held.rows)
        .filter(|(_, held)| **held)
        .map(|(score, _)| *score)
}

/// Merges equal names, for example from two benchmarks, and adds up their counts.
fn merged<'n>(names: impl Iterator<Item = &'n str>, counts: &[u64]) -> Vec<Candidate> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, count) in names.zip(counts) {
        *sums.entry(name).or_default() += count;
    }
    sums.into_iter()
        .map(|(name, count)| candidate(name, Some(count)))
        .collect()
}

/// Suggests the first samples in the lens, with their numbers of predictions.
fn samples(held: &LensContents<'_>) -> Vec<Candidate> {
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for (item, &count) in (0..).zip(&held.items).filter(|(_, count)| **count > 0) {
        *found.entry(held.table.sample_id(ItemId(item))).or_default() += count;
    }
    found
        .into_iter()
        .map(|(id, count)| candidate(id, Some(count)))
        .collect()
}

fn tag_or_condition(held: &LensContents<'_>, name: &str) -> (Vec<Candidate>, String) {
    match held.table.tag(name) {
        Some(TagColumn::Text { names, codes }) => {
            let counts = held.by_item(&codes.dense(), names.len());
            (
                merged(names.iter().map(String::as_str), &counts),
                String::new(),
            )
        }
        Some(TagColumn::Number(values)) => (
            few_numbers(held, &values.dense()),
            numbers(&range(values.known())),
        ),
        None => {
            let values = condition(held, name).into_iter();
            (
                values
                    .map(|(value, count)| candidate(&value, Some(count)))
                    .collect(),
                String::new(),
            )
        }
    }
}

/// Suggests the distinct numbers, if there are only a few.
fn few_numbers(held: &LensContents<'_>, values: &[f64]) -> Vec<Candidate> {
    let mut found: Vec<(f64, u64)> = Vec::new();
    for (&value, &count) in values
        .iter()
        .zip(&held.items)
        .filter(|(value, _)| !value.is_nan())
    {
        if let Some((_, sum)) = found
            .iter_mut()
            .find(|(known, _)| known.total_cmp(&value).is_eq())
        {
            *sum += count;
        } else {
            found.push((value, count));
        }
        if found.len() > NUMBERS {
            return Vec::new();
        }
    }
    found
        .iter()
        .map(|(value, count)| candidate(&value.to_string(), Some(*count)))
        .collect()
}

/// Counts the predictions by value of a condition.
fn condition(held: &LensContents<'_>, name: &str) -> BTreeMap<String, u64> {
    let conditions = &held.table.names().conditions;
    let counts = held.by_item(held.table.condition_of(), conditions.len());
    let mut found = BTreeMap::new();
    for (labels, count) in conditions.iter().zip(counts) {
        if let Some(value) = labels.get(name).map(Value::to_string) {
            *found.entry(value).or_default() += count;
        }
    }
    found
}
