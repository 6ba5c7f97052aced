//! Parses lines of lm-evaluation-harness. The answers are generated texts, or likelihoods of given
//! texts.

use serde_json::Value as Json;

use super::lmms::NO_METRICS;
use super::{SampleLine, category};
use crate::json;
use record::{Choice, Content, Labels, Target};

/// Value of a filter that found no answer.
const NOTHING: &str = "[invalid]";
/// Maximum length in bytes of a text that becomes a tag. Longer texts usually repeat the question.
const LONGEST_TAG: usize = 40;

/// Parses a line. `known` contains the metrics of the task, if the results list them; else it is
/// empty.
///
/// # Errors
/// If `doc_id` is missing.
pub fn answered(line: &Json, known: &[String]) -> Result<SampleLine, String> {
    let empty = Json::Null;
    let get = |key: &str| line.get(key).unwrap_or(&empty);
    let requests = requests(get("arguments"));
    let continuations: Vec<&str> = requests.iter().filter_map(|request| request.1).collect();
    let told = if continuations.len() == requests.len() && !requests.is_empty() {
        likelihoods(get("filtered_resps"), &continuations)
    } else {
        generated(get("resps"), get("filtered_resps"))
    };
    let question = requests
        .first()
        .map(|request| request.0.clone())
        .unwrap_or_default();
    let doc = get("doc");
    let choices = choices(doc, &continuations);
    let listed = (choices.is_empty()).then(|| answer_list(get("target"), doc));
    let target = listed.flatten().or_else(|| target(get("target"), &choices));
    let tags = tags(doc, &question);
    let filter = get("filter").as_str().map(str::to_owned);
    let named = named(line, known);
    let is_flag = |name: &&&str| line.get(**name).is_some_and(Json::is_boolean);
    let flags = named.iter().filter(is_flag);
    Ok(SampleLine {
        id: id(get("doc_id"))?,
        filter,
        category: category::of(doc),
        content: Content {
            images: image(doc).into_iter().collect(),
            question,
            choices,
            target,
            tags,
            ..Content::default()
        },
        response: told.0,
        parsed: told.1,
        flags: flags.map(|name| (*name).to_owned()).collect(),
        scores: scores(line, &named),
        named: named.into_iter().map(str::to_owned).collect(),
        failure: None,
    })
}

/// Returns the number of a document as text.
pub fn id(value: &Json) -> Result<String, String> {
    match value {
        Json::Null => Err("`doc_id` is missing".to_owned()),
        id => Ok(json::plain(id)),
    }
}

/// Returns the prompt of each request. For likelihoods, also returns the continuation. Requests are
/// objects such as `{"gen_args_0": {"arg_0", "arg_1"}}`; in older versions, they are lists.
fn requests<'a>(arguments: &'a Json) -> Vec<(String, Option<&'a str>)> {
    let requests: Vec<&Json> = match arguments {
        Json::Object(requests) => requests.values().collect(),
        Json::Array(requests) => requests.iter().collect(),
        _ => Vec::new(),
    };
    let request = |request: &'a Json| {
        let prompt = request.get("arg_0").or_else(|| request.get(0))?;
        let second = request.get("arg_1").or_else(|| request.get(1));
        Some((json::plain(prompt), second.and_then(Json::as_str)))
    };
    requests.into_iter().filter_map(request).collect()
}

/// Returns the response, and the answer extracted by the filter. The answer is empty if the filter
/// found none.
fn generated(responses: &Json, filtered: &Json) -> (String, Option<String>) {
    let response = first_text(responses).or_else(|| first_text(filtered));
    let parsed = first_text(filtered).map(|text| match text.as_str() {
        NOTHING => String::new(),
        _ => text,
    });
    (response.unwrap_or_default(), parsed)
}

/// Returns the most likely continuation. If there is only one continuation, returns its likelihood.
fn likelihoods(filtered: &Json, continuations: &[&str]) -> (String, Option<String>) {
    let number = |value: &Json| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    let likelihood = |pair: &Json| number(pair.get(0).unwrap_or(pair)).unwrap_or(f64::NEG_INFINITY);
    let pairs = filtered.as_array().into_iter().flatten().map(likelihood);
    let known: Vec<(f64, &&str)> = pairs.zip(continuations).collect();
    match known.as_slice() {
        [] => (String::new(), None),
        [(likelihood, _)] => (format!("log-likelihood {likelihood}"), None),
        several => {
            let best = several.iter().rev().max_by(|a, b| a.0.total_cmp(&b.0));
            let text = best
                .map(|(_, text)| text.trim().to_owned())
                .unwrap_or_default();
            (text.clone(), Some(text))
        }
    }
}

/// Returns the first text or number in a value that can be nested lists.
pub fn first_text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Array(values) => values.iter().find_map(first_text),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns the accepted answers as one target, if a question has several. The target must be a list
/// of texts, or one of the document's `answers` (texts, or objects with `answer` as in `VQAv2`).
pub fn answer_list(target: &Json, doc: &Json) -> Option<Target> {
    let texts = |value: &Json| {
        let text = |value: &Json| {
            let text = value.as_str().or_else(|| value.get("answer")?.as_str());
            text.map(str::to_owned)
        };
        let texts: Option<Vec<String>> = value.as_array()?.iter().map(text).collect();
        texts.filter(|texts| texts.len() > 1)
    };
    let listed = texts(target).or_else(|| {
        let target = first_text(target)?;
        texts(doc.get("answers")?).filter(|answers| answers.contains(&target))
    })?;
    serde_json::to_string(&listed).ok().map(Target::Text)
}

/// Returns the options listed in the document, or else the continuations. Empty if there is only
/// one continuation.
fn choices(doc: &Json, continuations: &[&str]) -> Vec<Choice> {
    if continuations.len() < 2 {
        return Vec::new();
    }
    let listed = doc
        .get("choices")
        .map(|choices| choices.get("text").unwrap_or(choices));
    let listed: Vec<String> = listed
        .and_then(Json::as_array)
        .map(|choices| choices.iter().map(json::plain).collect())
        .unwrap_or_default();
    let asked = continuations.iter().map(|text| text.trim().to_owned());
    let texts = if listed.len() == continuations.len() {
        listed
    } else {
        asked.collect()
    };
    (0..)
        .map(Choice::letters)
        .zip(texts)
        .map(|(letter, text)| Choice { letter, text })
        .collect()
}

/// Returns the target. If it is the index of an option, returns the letter of the option.
fn target(value: &Json, choices: &[Choice]) -> Option<Target> {
    let text = first_text(value)?;
    let number = text.parse::<usize>().ok();
    let option = number.and_then(|number| choices.get(number));
    Some(match option {
        Some(option) => Target::Text(option.letter.clone()),
        None => json::target(&text, choices),
    })
}

/// Returns the remaining fields of a document as tags. Skips long texts and copies of the question.
fn tags(doc: &Json, question: &str) -> Labels {
    let mut tags = json::tags(doc);
    tags.retain(|_, value| {
        let text = value.to_string();
        text.len() <= LONGEST_TAG && !(value.number().is_none() && question.contains(&text))
    });
    tags
}

fn image(doc: &Json) -> Option<record::ImageRef> {
    let keys = ["image", "image_path", "image_url"];
    let text = keys.into_iter().find_map(|key| doc.get(key)?.as_str())?;
    Some(json::image(text))
}

/// Returns the names of the metrics of a line. Before version 0.4.6, lines do not list them: then
/// returns the members that are known metrics, or else all numbers that are not standard fields.
fn named<'a>(line: &'a Json, known: &[String]) -> Vec<&'a str> {
    if let Some(names) = line.get("metrics").and_then(Json::as_array) {
        return names.iter().filter_map(Json::as_str).collect();
    }
    let members = || line.as_object().into_iter().flatten();
    let is_known = |name: &&str| known.iter().any(|known| known == *name);
    let stated: Vec<&str> = members()
        .map(|(name, _)| name.as_str())
        .filter(is_known)
        .collect();
    if !stated.is_empty() {
        return stated;
    }
    let is_score = |(name, value): &(&'a String, &Json)| {
        !NO_METRICS.contains(&name.as_str()) && number(value).is_some()
    };
    let scores = members().filter(is_score);
    scores.map(|(name, _)| name.as_str()).collect()
}

/// Returns the values of the named metrics.
fn scores(line: &Json, named: &[&str]) -> Vec<(String, f64)> {
    let score = |name: &&str| Some(((*name).to_owned(), number(line.get(*name)?)?));
    named.iter().filter_map(score).collect()
}

/// Returns a score as a number; booleans become 0 or 1. `None` for other values.
pub fn number(value: &Json) -> Option<f64> {
    value
        .as_bool()
        .map(|flag| f64::from(u8::from(flag)))
        .or_else(|| value.as_f64())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_most_likely_option_is_the_answer() {
        let line = json!({
            "doc_id": 3, "doc": {"q": "Which?", "choices": ["red", "blue"], "category": "x", "size": 2},
            "target": "1", "filter": "none", "metrics": ["acc", "acc_norm"], "acc": 1.0, "acc_norm": true,
            "arguments": {"gen_args_0": {"arg_0": "Which?", "arg_1": " red"},
                          "gen_args_1": {"arg_0": "Which?", "arg_1": " blue"}},
            "filtered_resps": [["-2.5", "False"], ["-0.5", "True"]],
        });
        let found = answered(&line, &[]).unwrap();
        assert_eq!((found.id.as_str(), found.response.as_str()), ("3", "blue"));
        assert_eq!(found.content.target, Some(Target::Text("B".to_owned())));
        assert_eq!(found.category.as_deref(), Some("x"));
        assert_eq!(
            found.scores,
            [("acc".to_owned(), 1.0), ("acc_norm".to_owned(), 1.0)]
        );
        let tags: Vec<&str> = found.content.tags.keys().map(String::as_str).collect();
        assert_eq!(tags, ["category", "size"]);
    }

    #[test]
    fn a_filter_that_finds_nothing_could_not_read_the_answer() {
        let line = json!({
            "doc_id": 0, "target": "12", "filter": "strict-match",
            "arguments": [["How many?", {"until": ["\n"]}]],
            "resps": [["a dozen"]], "filtered_resps": ["[invalid]"],
        });
        let found = answered(&line, &[]).unwrap();
        assert_eq!(
            (found.response.as_str(), found.parsed.as_deref()),
            ("a dozen", Some(""))
        );
        assert_eq!(found.content.question, "How many?");
        assert_eq!(found.content.target, Some(Target::Number(12.0)));
    }

    #[test]
    fn all_accepted_answers_are_the_target() {
        let listed = |target: Json, doc: Json| answer_list(&target, &doc);
        let net = Some(Target::Text(r#"["net","a \"net\"","net"]"#.to_owned()));
        let annotated = ["net", "a \"net\"", "net"].map(|answer| json!({"answer": answer}));
        assert_eq!(listed(json!("net"), json!({"answers": annotated})), net);
        assert_eq!(listed(json!(["net", "a \"net\"", "net"]), json!({})), net);
        // Options are not accepted answers, and a list needs several answers.
        assert_eq!(listed(json!("A"), json!({"answers": ["cat", "dog"]})), None);
        assert_eq!(listed(json!(["net"]), json!({})), None);
    }

    #[test]
    fn a_line_without_a_number_is_bad() {
        assert!(answered(&json!({"target": "1"}), &[]).is_err());
    }

    #[test]
    fn older_lines_name_no_metrics() {
        let line = json!({
            "doc_id": 0, "doc": {"q": "Which?"}, "target": "1", "arguments": [["Which?", {}]],
            "resps": [["1"]], "filtered_resps": ["1"], "doc_hash": "h", "acc": 1.0, "acc_norm": false, "length": 7,
        });
        let named = |known: &[&str]| {
            let known: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
            let found = answered(&line, &known).unwrap();
            assert_eq!(found.scores.len(), found.named.len());
            found.named
        };
        assert_eq!(named(&["acc", "acc_norm", "f1"]), ["acc", "acc_norm"]);
        assert_eq!(named(&[]), ["acc", "acc_norm", "length"]);
    }
}
