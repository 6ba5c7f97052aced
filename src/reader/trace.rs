//! Traces: the conversation that led to an answer, its cost and its scoring, as recorded in the
//! log.
//!
//! A trace is read from the log when it is needed, and is not kept in memory.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use crate::document::CHANGED;
use crate::inspect::{self, Attachments};
use crate::{evalscope, json, lm_eval};

/// Maximum number of conversation turns in a trace.
const MOST_TURNS: usize = 400;
/// Maximum length of a text in a trace, in characters.
const LONGEST: usize = 20_000;

/// Conversation, cost and scoring of an answer. The texts can contain control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Turns of the conversation, in order.
    pub turns: Vec<Turn>,
    /// Number of turns omitted because a trace has a maximum number of turns.
    pub more_turns: usize,
    /// Costs of the answer, as pairs of name (such as `seconds`) and value.
    pub cost: Vec<(String, String)>,
    /// Output of scorers, as pairs of name (such as `judge: explanation`) and text.
    pub scored: Vec<(String, String)>,
}

/// A turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Role of the speaker: `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Kind of the turn.
    pub kind: TurnKind,
    /// Text of the turn. A long text is shortened, with a note at its end.
    pub text: String,
}

/// Content of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// A message, with its number of pictures.
    Words(usize),
    /// Reasoning of the model before its answer.
    Reasoning,
    /// Call of a tool, with the tool's name.
    Call(String),
    /// Result of a tool, with the tool's name.
    Result(String),
}

impl Trace {
    /// True if the log contains no data for a trace.
    pub const fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.cost.is_empty() && self.scored.is_empty()
    }

    /// Builds the trace of a sample.
    pub fn of(sample: &Json) -> Self {
        let mut trace = Self::default();
        trace.read_messages(sample);
        trace.read_cost(sample);
        trace.read_scores(sample);
        trace
    }

    fn add_turn(&mut self, role: &str, kind: TurnKind, text: &str) {
        if text.trim().is_empty() && !matches!(kind, TurnKind::Words(1..) | TurnKind::Call(_)) {
            return;
        }
        if self.turns.len() == MOST_TURNS {
            self.more_turns += 1;
            return;
        }
        self.turns.push(Turn {
            role: role.to_owned(),
            kind,
            text: cut(text),
        });
    }

    fn read_messages(&mut self, sample: &Json) {
        let attached = Attachments(sample.get("attachments").unwrap_or(&Json::Null));
        let messages = sample.get("messages").and_then(Json::as_array);
        if let Some(messages) = messages.filter(|messages| !messages.is_empty()) {
            for message in messages {
                self.read_message(message, attached);
            }
            return;
        }
        if let Some(steps) = sample.pointer("/rerun/steps").and_then(Json::as_array) {
            for step in steps {
                self.read_step(step);
            }
            return;
        }
        if let Some(sent) = sample.get("sent") {
            return self.read_copy(sent, sample);
        }
        // Old logs, and logs of lm-eval, contain only the question and the answers.
        match sample.get("input") {
            Some(Json::Array(messages)) => {
                for message in messages {
                    self.read_message(message, attached);
                }
            }
            Some(Json::String(text)) => {
                self.add_turn("user", TurnKind::Words(0), attached.text(text));
            }
            _ => self.read_arguments(sample),
        }
        let message = sample.pointer("/output/choices/0/message");
        if let Some(message) = message {
            self.read_message(message, attached);
        }
        let answers = sample.get("resps").or(sample.get("filtered_resps"));
        for text in answers.into_iter().flat_map(texts) {
            self.add_turn("assistant", TurnKind::Words(0), text);
        }
    }

    /// Adds a step of a chain of questions: a heading such as `part/1, ok, 812 + 14 tokens, 1.2 s`,
    /// and the text.
    fn read_step(&mut self, step: &Json) {
        let text = |name: &str| step.get(name).and_then(Json::as_str).unwrap_or_default();
        let mut head = vec![text("path").to_owned(), text("outcome").to_owned()];
        let tokens = |at: usize| step.get("tokens")?.get(at)?.as_u64();
        if let (Some(read), Some(written)) = (tokens(0), tokens(1)) {
            head.push(format!("{read} + {written} tokens"));
        }
        if let Some(attempts @ 2..) = step.get("attempts").and_then(Json::as_u64) {
            head.push(format!("{attempts} attempts"));
        }
        if let Some(ms) = step.get("ms").and_then(Json::as_f64) {
            head.push(format!("{:.1} s", ms / 1000.0));
        }
        let said = match text("text") {
            "" => "(no text)",
            said => said,
        };
        self.add_turn(&head.join(", "), TurnKind::Words(0), said);
    }

    /// Adds the messages in a converted log, and the answer.
    fn read_copy(&mut self, sent: &Json, sample: &Json) {
        let text =
            |value: Option<&Json>| value.and_then(Json::as_str).unwrap_or_default().to_owned();
        self.add_turn("system", TurnKind::Words(0), &text(sent.get("system")));
        let messages = sent.get("messages").and_then(Json::as_array);
        let Some(messages) = messages.filter(|messages| !messages.is_empty()) else {
            return;
        };
        for message in messages {
            let parts = message.get("content").and_then(Json::as_array);
            let parts = parts.map(Vec::as_slice).unwrap_or_default();
            let pictures = parts.iter().filter(|part| part.is_object()).count();
            let words: Vec<&str> = parts.iter().filter_map(Json::as_str).collect();
            let role = text(message.get("role"));
            self.add_turn(&role, TurnKind::Words(pictures), &words.join("\n"));
        }
        self.add_turn(
            "assistant",
            TurnKind::Words(0),
            &text(sample.get("response")),
        );
    }

    /// Adds the prompts in a log of lm-evaluation-harness.
    fn read_arguments(&mut self, sample: &Json) {
        let arguments = sample.get("arguments");
        let calls = match arguments {
            Some(Json::Object(calls)) => calls.values().collect(),
            Some(Json::Array(calls)) => calls.iter().collect(),
            _ => Vec::new(),
        };
        for call in calls {
            let prompt = call.get("arg_0").or(call.get(0));
            if let Some(text) = prompt.and_then(Json::as_str) {
                self.add_turn("user", TurnKind::Words(0), text);
            }
        }
    }

    fn read_message(&mut self, message: &Json, attached: Attachments<'_>) {
        let text_of = |key: &str| message.get(key).and_then(Json::as_str);
        let role = text_of("role").unwrap_or("user");
        for key in ["reasoning", "reasoning_content"] {
            self.add_turn(role, TurnKind::Reasoning, text_of(key).unwrap_or_default());
        }
        let parts = message.get("content").and_then(Json::as_array);
        for part in parts.into_iter().flatten() {
            let reasoning = part.get("reasoning").and_then(Json::as_str);
            let summary = part.get("summary").and_then(Json::as_str);
            let thought = reasoning.filter(|text| !text.is_empty()).or(summary);
            let text = attached.text(thought.unwrap_or_default());
            self.add_turn(role, TurnKind::Reasoning, text);
        }
        let tool = text_of("function").or(text_of("name"));
        let kind = match (role, tool) {
            ("tool", tool) => TurnKind::Result(tool.unwrap_or_default().to_owned()),
            _ => TurnKind::Words(pictures(message)),
        };
        self.add_turn(role, kind, &attached.message_text(message));
        if let Some(error) = message.pointer("/error/message").and_then(Json::as_str) {
            self.add_turn(
                role,
                TurnKind::Result("error".to_owned()),
                attached.text(error),
            );
        }
        let calls = message.get("tool_calls").and_then(Json::as_array);
        for call in calls.into_iter().flatten() {
            let function = call.get("function").unwrap_or(&Json::Null);
            let name = function.as_str().or_else(|| function.get("name")?.as_str());
            let arguments = call.get("arguments").or(function.get("arguments"));
            let arguments = arguments.map(json::plain).unwrap_or_default();
            let name = name.unwrap_or("a tool").to_owned();
            self.add_turn(role, TurnKind::Call(name), attached.text(&arguments));
        }
    }

    fn cost(&mut self, name: &str, value: Option<&Json>) {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            self.cost.push((name.to_owned(), cut(&json::plain(value))));
        }
    }

    fn read_cost(&mut self, sample: &Json) {
        let by_model = sample.get("model_usage").and_then(Json::as_object);
        for (model, usage) in by_model.into_iter().flatten() {
            self.cost
                .extend(tokens(usage).map(|words| (format!("tokens of {model}"), words)));
        }
        let usage = by_model.is_none_or(serde_json::Map::is_empty);
        let usage = usage.then(|| sample.get("usage").or(sample.pointer("/output/usage")));
        let counts = sample.get("token_counts").and_then(Json::as_array);
        let all = usage
            .flatten()
            .into_iter()
            .chain(counts.into_iter().flatten());
        for usage in all {
            self.cost
                .extend(tokens(usage).map(|words| ("tokens".to_owned(), words)));
        }
        if let Some([prompt, answer]) = sample
            .pointer("/rerun/tokens")
            .and_then(Json::as_array)
            .map(Vec::as_slice)
        {
            let words = [("in", prompt), ("out", answer)];
            let known = words.into_iter().filter(|(_, count)| count.is_number());
            let words: Vec<String> = known
                .map(|(name, count)| format!("{count} {name}"))
                .collect();
            if !words.is_empty() {
                self.cost.push(("tokens".to_owned(), words.join(", ")));
            }
        }
        self.cost(
            "seconds",
            sample.get("total_time").or(sample.get("seconds")),
        );
        self.cost("working seconds", sample.get("working_time"));
        self.cost("model seconds", sample.pointer("/output/time"));
        let stopped = sample.pointer("/output/choices/0/stop_reason");
        self.cost(
            "stopped by",
            stopped.or(sample.pointer("/rerun/finish_reason")),
        );
        let attempts = sample.pointer("/rerun/attempts");
        self.cost("attempts", attempts.or(sample.pointer("/rerun/requests")));
        self.cost("answered by", sample.pointer("/rerun/answered_by"));
        self.cost("error", sample.pointer("/error/message"));
        self.cost("limit", sample.pointer("/limit/type"));
    }

    fn read_scores(&mut self, sample: &Json) {
        let attached = Attachments(sample.get("attachments").unwrap_or(&Json::Null));
        let scores = sample.get("scores").and_then(Json::as_object);
        let scores = scores.into_iter().flatten();
        let single = sample
            .get("score")
            .or(sample.pointer("/sample_score/score"));
        let single = single.filter(|score| score.is_object());
        let single = single.map(|score| ("score", score));
        for (name, score) in scores
            .map(|(name, score)| (name.as_str(), score))
            .chain(single)
        {
            let mut told = |what: &str, value: Option<&Json>| {
                let Some(value) = value.filter(|value| !value.is_null()) else {
                    return;
                };
                let text = json::plain(value);
                let text = attached.text(&text);
                let is_empty = text.is_empty() || text == "{}";
                if !is_empty {
                    self.scored.push((format!("{name}{what}"), cut(text)));
                }
            };
            told("", score.get("value"));
            told(", answer", score.get("answer"));
            told(", explanation", score.get("explanation"));
            told(", metadata", score.get("metadata"));
        }
    }
}

/// Shortens a text to [`LONGEST`] characters, and adds the number of omitted characters.
fn cut(text: &str) -> String {
    let kept: String = text.chars().take(LONGEST).collect();
    match text.chars().count() - kept.chars().count() {
        0 => kept,
        more => format!("{kept}\n… and {more} more characters"),
    }
}

/// Returns the number of pictures in a message.
fn pictures(message: &Json) -> usize {
    let parts = message.get("content").and_then(Json::as_array);
    let is_picture = |part: &&Json| part.get("image").is_some() || part.get("image_url").is_some();
    parts.map_or(0, |parts| parts.iter().filter(is_picture).count())
}

/// Collects the texts in nested lists.
fn texts(value: &Json) -> Vec<&str> {
    match value {
        Json::String(text) => vec![text],
        Json::Array(values) => values.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Formats numbers of tokens: `100 in, 12 out, 8 of them reasoning`.
fn tokens(usage: &Json) -> Option<String> {
    let count = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| usage.get(key));
        found.filter(|count| count.is_number())
    };
    let reasoning = usage.pointer("/completion_tokens_details/reasoning_tokens");
    let known = [
        (count(&["input_tokens", "prompt_tokens"]), "in"),
        (count(&["input_tokens_cache_read"]), "of them from a cache"),
        (count(&["output_tokens", "completion_tokens"]), "out"),
        (
            count(&["reasoning_tokens"]).or(reasoning),
            "of them reasoning",
        ),
    ];
    let words: Vec<String> = known
        .into_iter()
        .filter_map(|(count, name)| Some(format!("{} {name}", count?)))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Returns the trace of a sample; `None` if the format does not support traces. `line` is the line
/// of the record, as passed by the reader.
///
/// # Errors
/// If the log cannot be read, or the line contains another sample.
pub fn trace(
    format: &str,
    path: &Path,
    line: u64,
    sample_id: &str,
) -> Result<Option<Trace>, String> {
    let bytes = match format {
        inspect::FORMAT => inspect::sample_text(path, line)?,
        "lm-eval" | "lmms-eval" => lm_eval::text_of(path, line)?,
        evalscope::FORMAT => {
            let sample = evalscope::sample(path, line, sample_id)?;
            return Ok(Some(Trace::of(&sample)));
        }
        _ => return Ok(None),
    };
    let sample: Json = parsed(&bytes)?;
    let id = sample.get("id").or(sample.get("doc_id")).map(json::plain);
    if id.as_deref() != Some(sample_id) {
        return Err(CHANGED.to_owned());
    }
    Ok(Some(Trace::of(&sample)))
}

/// Parses the trace in a line of Eyechart's own format.
///
/// # Errors
/// If the line is not JSON.
pub fn trace_of_line(line: &[u8]) -> Result<Trace, String> {
    Ok(Trace::of(&parsed(line)?))
}

fn parsed(text: &[u8]) -> Result<Json, String> {
    json::check_values(text)?;
    let text: Cow<'_, [u8]> = json::without_nan(text);
    serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
