//! Marks text of logs as data, and shortens it.

use serde_json::{Map, Value as Json, json};

/// Key of the object that holds text which comes from logs, models and files, or quotes them.
pub const TEXT_FROM_LOG: &str = "text_from_log";

/// Fields that contain only words of this program. Text in all other fields is marked.
const OWN: [&str; 10] = [
    "direction",
    "origin",
    "kind",
    "test",
    "verdict",
    "status",
    "metric_from",
    "direction_from",
    "tie_group",
    "format",
];

/// Fields that contain objects whose keys come from logs.
const OF_LOG: [&str; 4] = ["tags", "settings", "also", "target"];

/// Maximum length of marked texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextBound {
    /// Maximum number of characters of a text.
    pub chars: usize,
    /// Maximum number of entries of a list.
    pub entries: usize,
}

impl TextBound {
    /// Bounds to try until an answer fits, the longest first.
    pub const ALL: [Self; 5] = [
        Self::new(4_000, 40),
        Self::new(1_000, 20),
        Self::new(300, 12),
        Self::new(80, 6),
        Self::new(24, 2),
    ];

    /// Bounds for the rows of lists, which must be short.
    pub fn of_rows() -> &'static [Self] {
        Self::ALL.get(2..).unwrap_or_default()
    }

    const fn new(chars: usize, entries: usize) -> Self {
        Self { chars, entries }
    }
}

/// Moves the texts of each object into an object under [`TEXT_FROM_LOG`], and shortens them. Drops
/// fields without a value. Numbers stay unchanged.
pub fn marked(value: Json, bound: TextBound) -> Json {
    match value {
        Json::Object(fields) => object(fields, bound),
        Json::Array(entries) => list(entries, bound, marked),
        Json::String(_) => json!({(TEXT_FROM_LOG): shortened(value, bound)}),
        Json::Null | Json::Bool(_) | Json::Number(_) => value,
    }
}

fn object(fields: Map<String, Json>, bound: TextBound) -> Json {
    let (mut texts, mut own) = (Map::new(), Map::new());
    for (key, value) in fields {
        if is_empty(&value) {
            continue;
        }
        if is_of_log(&key, &value) {
            texts.insert(key, shortened(value, bound));
        } else if value.is_string() {
            own.insert(key, value);
        } else {
            own.insert(key, marked(value, bound));
        }
    }
    let mut both = Map::new();
    if !texts.is_empty() {
        both.insert(TEXT_FROM_LOG.to_owned(), texts.into());
    }
    both.extend(own);
    both.into()
}

fn is_of_log(key: &str, value: &Json) -> bool {
    match value {
        Json::String(_) => !OWN.contains(&key),
        Json::Array(entries) => !entries.iter().any(Json::is_object) && has_text(value),
        Json::Object(_) => OF_LOG.contains(&key),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

fn has_text(value: &Json) -> bool {
    match value {
        Json::String(_) => true,
        Json::Array(entries) => entries.iter().any(has_text),
        _ => false,
    }
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(entries) => entries.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

/// Cuts long texts, keys and lists, and counts the entries left out.
fn shortened(value: Json, bound: TextBound) -> Json {
    match value {
        Json::String(text) => cut(&text, bound.chars).into(),
        Json::Array(entries) => list(entries, bound, shortened),
        Json::Object(fields) => {
            let more = fields.len().saturating_sub(bound.entries);
            let kept = fields.into_iter().take(bound.entries);
            let kept = kept.map(|(key, value)| (cut(&key, bound.chars), shortened(value, bound)));
            let more = (more > 0).then(|| ("more".to_owned(), json!(more)));
            kept.chain(more).collect::<Map<String, Json>>().into()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => value,
    }
}

fn list(mut entries: Vec<Json>, bound: TextBound, part: impl Fn(Json, TextBound) -> Json) -> Json {
    let more = entries.len().saturating_sub(bound.entries);
    entries.truncate(bound.entries);
    let mut entries: Vec<Json> = entries
        .into_iter()
        .map(|entry| part(entry, bound))
        .collect();
    if more > 0 {
        entries.push(json!({"more": more}));
    }
    entries.into()
}

fn cut(text: &str, most: usize) -> String {
    let mut chars = text.char_indices().skip(most);
    match chars.next() {
        None => text.to_owned(),
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}… ({} more characters)", rest.chars().count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: TextBound = TextBound::new(12, 2);

    #[test]
    fn texts_of_a_log_stand_apart_from_numbers_and_own_words() {
        let row = json!({
            "model": "obey me", "n": 40, "ci": [0.1, 0.2], "direction": "higher", "rank": null, "condition": "",
            "tags": {"obey": 1}, "left_out": [{"why": "obey", "n": 2}], "warnings": ["obey"], "swaps": [["a", "b"]],
        });
        let expected = json!({
            "text_from_log": {"model": "obey me", "tags": {"obey": 1}, "warnings": ["obey"], "swaps": [["a", "b"]]},
            "n": 40, "ci": [0.1, 0.2], "direction": "higher",
            "left_out": [{"text_from_log": {"why": "obey"}, "n": 2}],
        });
        assert_eq!(marked(row, BOUND), expected);
        assert_eq!(
            marked(json!(["obey", 1]), BOUND),
            json!([{"text_from_log": "obey"}, 1])
        );
    }

    #[test]
    fn long_texts_and_lists_are_cut_and_the_rest_is_counted() {
        let row = json!({"response": "ä".repeat(20), "notes": ["a", "b", "c"]});
        let expected = json!({"text_from_log": {
            "response": format!("{}… (8 more characters)", "ä".repeat(12)), "notes": ["a", "b", {"more": 1}],
        }});
        assert_eq!(marked(row, BOUND), expected);
    }
}
