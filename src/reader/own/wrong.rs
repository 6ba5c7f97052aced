//! Finds invalid parts in a line that is otherwise valid. Such parts are ignored and reported.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::line::NO_NUMBER;
use super::raw::{Field, RawLine, text};
use record::Rule;

/// Maximum number of invalid values listed in one message.
const MOST_NAMED: usize = 3;

/// Returns one message for each part of a line that is ignored.
pub fn wrong(raw: &RawLine<'_>) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(boxes(raw.boxes));
    found.extend(pictures("image", raw.image));
    found.extend(pictures("images", raw.images));
    found.extend(direction(raw.direction));
    found.extend(rule(raw.rule));
    found.extend(scores(raw.scores));
    found
}

/// A box; parsing fails unless its corners are valid.
#[derive(Deserialize)]
struct ValidBox {
    #[serde(rename = "xyxy")]
    #[expect(dead_code, reason = "only its type is checked")]
    corners: [f64; 4],
}

fn boxes(field: Field<'_>) -> Option<String> {
    let raw = field.filter(|raw| !matches!(*raw, "null" | "[]"))?;
    // Fast path: usually, all boxes are valid.
    let are_good = serde_json::from_str::<Vec<ValidBox>>(raw).is_ok();
    // serde would accept a list instead of a struct with one field.
    let is_placed =
        |raw: &str| raw.starts_with('{') && serde_json::from_str::<ValidBox>(raw).is_ok();
    if are_good || is_placed(raw) {
        return None;
    }
    let all: Vec<&RawValue> = serde_json::from_str(raw).unwrap_or_default();
    let is_good = |one: &&&RawValue| is_placed(one.get());
    let bad = all.len() - all.iter().filter(is_good).count();
    let count = match all.len() {
        0 => String::new(),
        all => format!("{bad} of {all} are left out: "),
    };
    Some(format!(
        "`boxes`: {count}a box needs `xyxy` with four numbers"
    ))
}

fn pictures(name: &str, field: Field<'_>) -> Option<String> {
    let raw = field.filter(|raw| *raw != "null" && !raw.starts_with('"'))?;
    let is_picture = |value: &Json| {
        let cell = value.get("cell");
        value.is_string() || value.is_null() || cell.is_some_and(Json::is_object)
    };
    let are_pictures = match serde_json::from_str(raw) {
        Ok(Json::Array(all)) => all.iter().all(is_picture),
        Ok(one) => is_picture(&one),
        Err(_) => false,
    };
    (!are_pictures).then(|| {
        format!("`{name}` must be a path, a data URL, or a list of them; others are left out")
    })
}

fn direction(field: Field<'_>) -> Option<String> {
    let raw = field.filter(|raw| !matches!(*raw, "null" | "\"\""))?;
    super::line::direction(field).is_none().then(|| {
        format!(
            "`direction` must be `higher` or `lower`, not {}; it is ignored",
            base::format::visible(raw)
        )
    })
}

fn rule(field: Field<'_>) -> Option<String> {
    let raw = field.filter(|raw| *raw != "null")?;
    let name = text(raw).unwrap_or_default();
    let is_known = name.is_empty() && raw == "\"\"" || Rule::from_name(&name).is_some();
    (!is_known).then(|| {
        format!(
            "`rule`: there is no rule {}; it is ignored",
            base::format::visible(raw)
        )
    })
}

fn scores(field: Field<'_>) -> Option<String> {
    let raw = field.filter(|raw| *raw != "null")?;
    if serde_json::from_str::<BTreeMap<String, Option<f64>>>(raw).is_ok() {
        return None;
    }
    // If the value is not an object, the whole line is invalid.
    let all: BTreeMap<String, &RawValue> = serde_json::from_str(raw).ok()?;
    let is_number = |value: &RawValue| serde_json::from_str::<Option<f64>>(value.get()).is_ok();
    let bad: Vec<String> = all
        .iter()
        .filter(|(_, value)| !is_number(value))
        .map(|(name, _)| format!("`{}`", base::format::visible(name)))
        .collect();
    let shown = bad.get(..MOST_NAMED).unwrap_or(&bad).join(", ");
    Some(format!("`scores`: {shown} must be a number; left out"))
}

/// Checks that the score in a line is not written as `NaN` or an infinity, which are not valid
/// JSON.
///
/// # Errors
/// If the score is written so.
pub fn check_score(raw: &RawLine<'_>, spelled: &[u8]) -> Result<(), String> {
    let is_number = raw.score != Some("null") || !has_no_number(spelled);
    is_number.then_some(()).ok_or_else(|| NO_NUMBER.to_owned())
}

/// True if a score in a line is written as `NaN` or an infinity.
fn has_no_number(line: &[u8]) -> bool {
    let places = memchr::memmem::find_iter(line, b"\"score\"");
    places.into_iter().any(|at| {
        let rest = line.get(at + 7..).unwrap_or_default().trim_ascii_start();
        let rest = rest
            .strip_prefix(b":")
            .unwrap_or_default()
            .trim_ascii_start();
        [&b"NaN"[..], b"Infinity", b"-Infinity"]
            .iter()
            .any(|token| rest.starts_with(token))
    })
}

#[cfg(test)]
mod tests {
    use super::super::raw::RawLine;
    use super::{check_score, wrong};
    use crate::json;

    fn told(fields: &str) -> Vec<String> {
        let line = format!("{{\"sample_id\": \"s\", {fields}}}");
        let repaired = json::without_nan(line.as_bytes());
        wrong(&RawLine::new(&repaired).unwrap())
    }

    #[test]
    fn what_is_left_out_is_told() {
        for (fields, says) in [
            (
                "\"boxes\": [{\"xyxy\": [1, 2, 3]}, {\"xyxy\": [1, 2, 3, 4]}]",
                "1 of 2",
            ),
            ("\"boxes\": {\"xyxy\": \"1 2 3 4\"}", "`boxes`"),
            ("\"boxes\": 7", "`boxes`"),
            ("\"boxes\": [[1, 2, 3, 4]]", "1 of 1"),
            ("\"image\": 7", "`image`"),
            ("\"images\": [\"a.png\", {}]", "`images`"),
            ("\"rule\": \"mine\"", "\"mine\""),
            ("\"rule\": [1]", "`rule`"),
            ("\"scores\": {\"iou\": \"high\", \"f1\": 1}", "`iou`"),
        ] {
            let told = told(fields);
            assert_eq!(told.len(), 1, "{fields}: {told:?}");
            assert!(told[0].contains(says), "{fields}: {told:?}");
        }
    }

    #[test]
    fn a_score_that_is_no_number_is_an_error() {
        for (fields, is_number) in [
            ("\"score\": NaN", false),
            ("\"score\" :  -Infinity", false),
            ("\"score\": null, \"scores\": {\"iou\": NaN}", true),
            ("\"score\": 1, \"tags\": {\"score\": NaN}", true),
        ] {
            let line = format!("{{\"sample_id\": \"s\", {fields}}}");
            let repaired = json::without_nan(line.as_bytes());
            let checked = check_score(&RawLine::new(&repaired).unwrap(), line.as_bytes());
            assert_eq!(checked.is_ok(), is_number, "{fields}");
        }
    }

    #[test]
    fn what_is_well_or_absent_is_not_told() {
        for fields in [
            "\"boxes\": null, \"rule\": null, \"image\": null, \"scores\": null, \"score\": null",
            "\"boxes\": [], \"images\": [], \"scores\": {}",
            "\"boxes\": [{\"label\": \"a\", \"xyxy\": [1, 2.5, 3, 4], \"role\": \"target\"}]",
            "\"boxes\": {\"xyxy\": [1, 2, 3, 4]}",
            "\"image\": {\"cell\": {\"file\": \"a.tsv\", \"offset\": 1, \"length\": 2}}",
            "\"image\": \"a.png\", \"images\": [\"b.png\"]",
            "\"rule\": \"strict\"",
            "\"scores\": {\"iou\": 0.5, \"f1\": null}",
            "\"score\": 1, \"tags\": {\"score\": NaN}",
        ] {
            assert_eq!(told(fields), Vec::<String>::new(), "{fields}");
        }
    }
}
