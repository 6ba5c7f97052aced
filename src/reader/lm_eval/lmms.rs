//! Parses lines of lmms-eval. Lines contain no document; each metric is a number or an object.

use serde_json::{Map, Value as Json};

use super::lm::{answer_list, first_text, id, number};
use super::{SampleLine, category};
use crate::json;
use record::{Content, ImageRef, Labels};

/// Members of a line that are not metrics.
pub const NO_METRICS: [&str; 15] = [
    "doc_id",
    "doc",
    "target",
    "filtered_resps",
    "resps",
    "token_counts",
    "doc_hash",
    "prompt_hash",
    "target_hash",
    "arguments",
    "input",
    "input_media",
    "filter",
    "metrics",
    "error",
];
/// Members of a metric's object that are fields of the record and therefore no tags.
const NO_TAGS: [&str; 10] = [
    "score",
    "question_id",
    "id",
    "prediction",
    "parsed_pred",
    "pred",
    "ground_truth",
    "answer",
    "gt",
    "question",
];
/// Members of a metric's object that can contain the extracted answer.
const PARSED: [&str; 3] = ["prediction", "parsed_pred", "pred"];
/// Start of the text stored as answer if a request failed permanently.
const FAILED: &str = "[LMMS_EVAL_REQUEST_FAILED";

/// Parses a line. `known` contains the metrics of the task, if the results list them; else it is
/// empty.
///
/// # Errors
/// If `doc_id` is missing.
pub fn answered(line: &Json, known: &[String]) -> Result<SampleLine, String> {
    let empty = Json::Null;
    let get = |key: &str| line.get(key).unwrap_or(&empty);
    let metrics = metrics(line, known);
    let objects = || metrics.values().filter(|value| value.is_object());
    let filtered = first_text(get("filtered_resps")).unwrap_or_default();
    let response = first_text(get("resps"));
    let failure = [&filtered, response.as_ref().unwrap_or(&filtered)]
        .into_iter()
        .find(|text| text.starts_with(FAILED))
        .map(|text| text.lines().next().unwrap_or_default().to_owned());
    let read = |object: &Json| {
        PARSED
            .into_iter()
            .find_map(|key| first_text(object.get(key)?))
    };
    let parsed = match &failure {
        Some(_) => Some(String::new()),
        None => objects().find_map(read),
    };
    let target = first_text(get("target"));
    let question = match question(get("input")) {
        // Older versions store the requests, not the input.
        text if text.is_empty() => first_text(get("arguments")).unwrap_or_default(),
        text => text,
    };
    Ok(SampleLine {
        id: id(get("doc_id"))?,
        filter: get("filter").as_str().map(str::to_owned),
        category: objects().find_map(category::of),
        content: Content {
            question,
            target: answer_list(get("target"), get("doc"))
                .or_else(|| target.map(|text| json::target(&text, &[]))),
            images: images(line),
            tags: tags(objects()),
            ..Content::default()
        },
        // If a line has only one of `resps` and `filtered_resps`, it is used for both.
        response: response.unwrap_or(filtered),
        parsed,
        named: metrics.keys().cloned().collect(),
        scores: scores(&metrics),
        flags: flags(&metrics),
        failure,
    })
}

/// Returns the members of a line that are metrics. If the metrics are unknown, returns all members
/// except the standard fields.
fn metrics(line: &Json, known: &[String]) -> Map<String, Json> {
    let members = line.as_object().into_iter().flatten();
    let is_metric = |name: &String| {
        !NO_METRICS.contains(&name.as_str()) && (known.is_empty() || known.contains(name))
    };
    members
        .filter(|(name, _)| is_metric(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn scores(metrics: &Map<String, Json>) -> Vec<(String, f64)> {
    let score = |(name, value): (&String, &Json)| {
        Some((name.clone(), number(value.get("score").unwrap_or(value))?))
    };
    metrics.iter().filter_map(score).collect()
}

/// Returns the names of the metrics whose value is a boolean.
fn flags(metrics: &Map<String, Json>) -> Vec<String> {
    let is_flag = |(_, value): &(&String, &Json)| value.get("score").unwrap_or(value).is_boolean();
    let flags = metrics.iter().filter(is_flag);
    flags.map(|(name, _)| name.clone()).collect()
}

/// Returns the prompt: a text, or the texts of all messages joined.
fn question(input: &Json) -> String {
    match input {
        Json::String(text) => text.clone(),
        Json::Array(parts) => {
            let texts: Vec<String> = parts
                .iter()
                .map(question)
                .filter(|text| !text.is_empty())
                .collect();
            texts.join("\n")
        }
        Json::Object(part) => {
            let inner = part.get("content").or_else(|| part.get("text"));
            inner.map(question).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Returns the pictures listed in the line.
fn images(line: &Json) -> Vec<ImageRef> {
    let media = line.get("input_media").and_then(Json::as_array);
    let reference = |media: &Json| {
        let text = media.as_str().or_else(|| media.get("url")?.as_str())?;
        Some(json::image(text))
    };
    media.into_iter().flatten().filter_map(reference).collect()
}

fn tags<'a>(objects: impl Iterator<Item = &'a Json>) -> Labels {
    let mut tags: Labels = objects.flat_map(json::tags).collect();
    tags.retain(|name, _| !NO_TAGS.contains(&name.as_str()));
    tags
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_metric_is_a_number_or_an_object_with_a_score() {
        let line = json!({
            "doc_id": 7, "target": "yes", "filtered_resps": "Yes.", "doc_hash": "x", "input": "Is it?",
            "pope_accuracy": {"question_id": 7, "score": 0.0, "prediction": "yes.", "ground_truth": "yes", "category": "random"},
            "relaxed": true, "token_counts": [null],
        });
        let found = answered(&line, &[]).unwrap();
        let scores = [
            ("pope_accuracy".to_owned(), 0.0),
            ("relaxed".to_owned(), 1.0),
        ];
        assert_eq!(found.scores, scores);
        assert_eq!(found.category.as_deref(), Some("random"));
        assert_eq!(
            (found.response.as_str(), found.parsed.as_deref()),
            ("Yes.", Some("yes."))
        );
        let known = answered(&line, &["relaxed".to_owned()]).unwrap();
        assert_eq!(known.scores, scores[1..]);
    }

    #[test]
    fn a_failed_request_is_told() {
        let line = json!({"doc_id": 1, "filtered_resps": ["[LMMS_EVAL_REQUEST_FAILED after 2 retries] gone"]});
        let found = answered(&line, &[]).unwrap();
        assert!(found.failure.is_some());
        assert_eq!(found.parsed.as_deref(), Some(""));
    }

    #[test]
    fn messages_are_read_as_their_texts() {
        let input = json!([{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What?"}]}]);
        assert_eq!(question(&input), "What?");
    }
}
