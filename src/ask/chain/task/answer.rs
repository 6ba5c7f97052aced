//! Parses the answers of a chain: JSON, or free text from models without schema support.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;
use serde_json::{Deserializer, Map, Value as Json};

/// Matches `"3": "yes"`, `3. no`, `cell 3 - Yes`.
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?im)\b(\d{1,3})["'*]*\s*[:.)=-]+\s*["'*]*(yes|no)\b"#));
/// Matches `"up": "blue"`, `up = Blue`.
static FACING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\b(right|up|out)["'*]*\s*[:=-]+\s*["'*]*(red|blue|equal)\b"#));
/// Matches a colour as a word.
static COLOR: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(red|blue)\b"));

/// Maximum number of braces tried as the start of an object.
const MOST_TRIES: usize = 1_000;

/// Returns the last JSON object in a text that has a matching key.
fn object(text: &str, has: impl Fn(&str) -> bool) -> Option<Map<String, Json>> {
    let spelled = |text: &str| {
        let mut found = None;
        let mut from = 0;
        for _ in 0..MOST_TRIES {
            let Some(open) = text.get(from..).and_then(|rest| rest.find('{')) else {
                break;
            };
            let begin = from + open;
            let mut values = Deserializer::from_str(&text[begin..]).into_iter::<Json>();
            match values.next() {
                Some(Ok(Json::Object(object))) => {
                    from = begin + values.byte_offset();
                    if object.keys().any(|key| has(key)) {
                        found = Some(object);
                    }
                }
                _ => from = begin + 1,
            }
        }
        found
    };
    // Python's single quotes are not JSON.
    spelled(text).or_else(|| spelled(&text.replace('\'', "\"")))
}

/// Parses yes or no for questions 1 to `count`; `None` if one of them has no answer.
pub(super) fn yes_or_no(text: &str, count: usize) -> Option<Vec<bool>> {
    let told = parse_yes_no(text);
    (1..=count)
        .map(|number| told.get(&number).copied())
        .collect()
}

/// Parses yes or no by question number.
fn parse_yes_no(text: &str) -> BTreeMap<usize, bool> {
    let is_number = |key: &str| key.parse::<usize>().is_ok();
    let mut told: BTreeMap<usize, bool> = BTreeMap::new();
    if let Some(object) = object(text, is_number) {
        for (key, value) in &object {
            let value = match value {
                Json::Bool(value) => Some(*value),
                Json::String(word) => yes(word),
                _ => None,
            };
            if let (Ok(number), Some(value)) = (key.parse(), value) {
                told.insert(number, value);
            }
        }
    } else {
        for found in NUMBERED.captures_iter(text) {
            if let (Ok(number), Some(value)) = (found[1].parse(), yes(&found[2])) {
                told.insert(number, value);
            }
        }
    }
    told
}

/// Like `yes_or_no`, but an unanswered number counts as no, as in the harness;
/// `None` if none is answered.
pub(super) fn belongs(text: &str, count: usize) -> Option<Vec<bool>> {
    let told = parse_yes_no(text);
    let belongs = |number: usize| told.get(&number).copied();
    let all: Vec<Option<bool>> = (1..=count).map(belongs).collect();
    let is_told = all.iter().any(Option::is_some);
    is_told.then(|| all.into_iter().map(Option::unwrap_or_default).collect())
}

/// Parses yes or no at the start of an answer: `Yes.`, `no, only the background`.
fn yes(words: &str) -> Option<bool> {
    let mut words = words.split(|sign: char| !sign.is_alphabetic());
    let first = words.find(|word| !word.is_empty())?;
    match first.to_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// Parses the class for each of questions 1 to `count`; `None` if there is no
/// JSON object with numbers.
pub(super) fn classes(text: &str, count: usize) -> Option<Vec<Option<String>>> {
    let object = object(text, |key| key.parse::<usize>().is_ok())?;
    let told = |number: usize| {
        let class = object.get(&number.to_string())?.as_str()?;
        Some(class.trim().to_owned())
    };
    Some((1..=count).map(told).collect())
}

/// Returns the known classes that are listed under `classes`.
pub(super) fn listed(text: &str, known: &[String]) -> Option<Vec<String>> {
    let object = object(text, |key| key == "classes")?;
    let told: Vec<String> = match object.get("classes")? {
        Json::Array(list) => list
            .iter()
            .filter_map(|class| class.as_str().map(str::to_lowercase))
            .collect(),
        Json::String(text) => text.split(',').map(str::to_lowercase).collect(),
        _ => return None,
    };
    let is_told = |class: &&String| told.iter().any(|told| told.trim() == class.to_lowercase());
    Some(known.iter().filter(is_told).cloned().collect())
}

/// Parses one class: field `1` or `class`, or the whole text if it is a known class.
pub(super) fn class(text: &str, known: &[String]) -> Option<String> {
    let object = object(text, |key| key == "1" || key == "class");
    let named = object.as_ref().and_then(|object| {
        let value = object.get("1").or_else(|| object.get("class"))?;
        Some(value.as_str()?.trim().to_owned())
    });
    let whole = || {
        let text = text.trim().trim_matches(['"', '.']);
        let mut known = known.iter();
        known
            .find(|class| class.eq_ignore_ascii_case(text))
            .cloned()
    };
    named.or_else(whole)
}

/// Returns true if the answer names red as the nearer one; `None` if it names none or both.
pub(super) fn is_red_nearer(text: &str) -> Option<bool> {
    let red = |word: &str| match word.trim().to_lowercase().as_str() {
        "red" => Some(true),
        "blue" => Some(false),
        _ => None,
    };
    if let Some(object) = object(text, |key| key == "depth_order" || key == "near") {
        let first = object.get("depth_order").and_then(|order| order.get(0));
        return red(first.or_else(|| object.get("near"))?.as_str()?);
    }
    // An answer with only one colour is accepted.
    let mut named = COLOR.find_iter(text).filter_map(|word| red(word.as_str()));
    let first = named.next()?;
    named.all(|next| next == first).then_some(first)
}

/// Parses which region faces more to the right, up and to the viewer: `red`,
/// `blue` or `equal` for each.
pub(super) fn facing(text: &str) -> Option<[String; 3]> {
    let known = |word: &str| {
        let word = word.trim().to_lowercase();
        ["red", "blue", "equal"]
            .contains(&word.as_str())
            .then_some(word)
    };
    let axes = ["right", "up", "out"];
    if let Some(object) = object(text, |key| axes.contains(&key)) {
        let [right, up, out] = axes.map(|axis| known(object.get(axis)?.as_str()?));
        return Some([right?, up?, out?]);
    }
    let mut told = BTreeMap::new();
    for found in FACING.captures_iter(text) {
        told.insert(found[1].to_lowercase(), found[2].to_lowercase());
    }
    let [right, up, out] = axes.map(|axis| told.remove(axis));
    Some([right?, up?, out?])
}

/// Returns the reasoning steps of an answer.
pub(super) fn reasoning(text: &str) -> Vec<String> {
    let steps = object(text, |key| key == "reasoning_steps");
    let steps = steps.and_then(|mut object| object.remove("reasoning_steps"));
    let Some(Json::Array(steps)) = steps else {
        return Vec::new();
    };
    steps
        .iter()
        .filter_map(|step| step.as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_told_does_not_belong() {
        assert_eq!(
            belongs(r#"{"2": "yes"}"#, 3),
            Some(vec![false, true, false])
        );
        assert_eq!(belongs(r#"{"1": "maybe"}"#, 1), None);
        assert_eq!(belongs("I cannot tell.", 2), None);
    }

    #[test]
    fn yes_and_no_are_read_in_any_dress() {
        for text in [
            r#"{"reasoning_steps": ["a {1} b"], "1": "yes", "2": "no"}"#,
            "```json\n{\"1\": \"Yes\", \"2\": \"No\"}\n```",
            "{'1': 'yes', '2': 'no'}",
            r#"{"1": true, "2": false}"#,
            r#"{"1": "Yes.", "2": "No, only the background"}"#,
            "1: **Yes**, partly\n2: no.",
            "1: yes\n2: no",
            "**1**: Yes, **2**: No",
            r#"I first thought {"1": "no", "2": "no"}, but {"1": "yes", "2": "no"}"#,
        ] {
            assert_eq!(yes_or_no(text, 2), Some(vec![true, false]), "{text}");
        }
        for text in [
            "",
            "yes",
            r#"{"1": "yes"}"#,
            r#"{"1": "yes", "2": "maybe"}"#,
        ] {
            assert_eq!(yes_or_no(text, 2), None, "{text}");
        }
    }

    #[test]
    fn the_nearer_colour_is_read() {
        for text in [
            r#"{"reasoning_steps": ["blue is far"], "depth_order": ["red", "blue"]}"#,
            r#"{"near": "Red"}"#,
            "Red.",
            "The red one: red",
        ] {
            assert_eq!(is_red_nearer(text), Some(true), "{text}");
        }
        for text in ["red or blue", "", r#"{"depth_order": []}"#, "reddish"] {
            assert_eq!(is_red_nearer(text), None, "{text}");
        }
    }

    #[test]
    fn directions_are_read() {
        let all = ["red", "equal", "blue"].map(str::to_owned);
        for text in [
            r#"{"right": "red", "up": "equal", "out": "blue"}"#,
            "right: Red, up: equal, out: blue",
        ] {
            assert_eq!(facing(text), Some(all.clone()), "{text}");
        }
        assert_eq!(
            facing(r#"{"right": "red", "up": "green", "out": "blue"}"#),
            None
        );
    }

    #[test]
    fn classes_are_read_and_unknown_ones_left_out() {
        let known = ["cat", "dog", "bus"].map(str::to_owned);
        let text = r#"{"classes": ["Dog", "zebra", "cat", "dog"]}"#;
        assert_eq!(listed(text, &known).unwrap(), ["cat", "dog"]);
        assert_eq!(listed("cat and dog", &known), None);
        assert_eq!(class(r#"{"1": "cat"}"#, &known).as_deref(), Some("cat"));
        assert_eq!(class("Bus.", &known).as_deref(), Some("bus"));
        assert_eq!(class("a bus", &known), None);
        let told = classes(r#"{"1": "sky", "3": "road"}"#, 3).unwrap();
        assert_eq!(
            told,
            [Some("sky".to_owned()), None, Some("road".to_owned())]
        );
        assert_eq!(reasoning(r#"{"reasoning_steps": ["a", "b"]}"#), ["a", "b"]);
    }

    #[test]
    fn deep_and_broken_texts_are_no_answers() {
        let deep = "{\"1\":".repeat(5_000);
        assert_eq!(yes_or_no(&deep, 1), None);
        assert_eq!(yes_or_no("{{{{}}}", 1), None);
        assert_eq!(class("{\"1\": 5}", &[]), None);
    }
}
