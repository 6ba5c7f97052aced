//! A model's answer, independent of the server's API.

use serde_json::Value as Json;

use super::class::Class;
use super::failure::Failure;

/// A complete answer of a model to one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text of the response; may be empty.
    pub text: String,
    /// The reasoning text, if the server returns it.
    pub reasoning: String,
    /// The refusal text (`refusal` of `OpenAI`'s API), if the server returns it.
    pub refusal: Option<String>,
    /// The names of functions that the model called instead of answering.
    pub tools: Vec<String>,
    /// The finish reason as the server spells it.
    pub finish_reason: Option<String>,
    /// Token counts reported by the server.
    pub usage: Usage,
    /// The model that answered, as named by the server.
    pub model: Option<String>,
    /// The server's fingerprint of its build (`system_fingerprint`).
    pub fingerprint: Option<String>,
    /// Token log probabilities in the server's format, if they were requested.
    pub logprobs: Option<Json>,
    /// The server's id of the request.
    pub request_id: Option<String>,
    /// Names of the request fields that were left out because the server refuses them.
    pub dropped: Vec<&'static str>,
}

/// Token counts of an answer; `None` if the server does not report them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens, pictures included.
    pub prompt: Option<u64>,
    /// Completion tokens, including reasoning where the server counts it.
    pub completion: Option<u64>,
}

/// How an answer ended, and whether it has text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Regular end, with text.
    Whole,
    /// The model, or a filter in front of it, refused.
    Refused,
    /// Function calls without text.
    ToolCall,
    /// Reasoning without text.
    ReasoningOnly,
    /// Neither text, reasoning nor calls.
    Empty,
    /// A length limit was reached.
    Cut,
}

/// Prefixes of the finish reasons of a refusal or a content filter. Evaluation harnesses count such
/// answers too, so they are not failures.
const FILTERED: [&str; 10] = [
    "content_filter",
    "refusal",
    "safety",
    "sensitive",
    "recitation",
    "prohibited_content",
    "blocklist",
    "image_safety",
    "guardrail_intervened",
    "error_toxic",
];
/// Finish reasons of an answer that reached a length limit.
const CUT: [&str; 6] = [
    "length",
    "max_tokens",
    "max_output_tokens",
    "model_length",
    "model_context_window_exceeded",
    "error_limit",
];
/// Finish reasons of a server that is overloaded or lost its connection.
const BUSY: [&str; 4] = [
    "network_error",
    "upstream_error",
    "timeout",
    "insufficient_system_resource",
];
/// Other finish reasons of an aborted answer.
const BROKEN: [&str; 6] = [
    "abort",
    "aborted",
    "cancelled",
    "canceled",
    "failed",
    "user_cancel",
];

/// Normalizes a finish reason: lower case, with underscores.
fn plain(reason: &str) -> String {
    reason.trim().to_lowercase().replace(['-', ' '], "_")
}

/// Returns the failure that a finish reason stands for, if any. Text before
/// an error is not an answer.
pub(super) fn broken_by(reason: &str) -> Option<Failure> {
    let word = plain(reason);
    let class = match word.as_str() {
        word if BUSY.contains(&word) => Class::Busy,
        word if word.ends_with("error") || BROKEN.contains(&word) => Class::Server,
        _ => return None,
    };
    let what = format!("the answer ended with the finish reason `{reason}`");
    Some(Failure {
        status: Some(200),
        ..Failure::new(class, what)
    })
}

impl Answer {
    /// Classifies the end of the answer by finish reason, refusal, text, calls and reasoning.
    pub fn ending(&self) -> Ending {
        let reason = plain(self.finish_reason.as_deref().unwrap_or_default());
        let reason = reason.as_str();
        let refused = FILTERED.iter().any(|word| reason.starts_with(word));
        match reason {
            _ if refused || self.refusal.is_some() => Ending::Refused,
            _ if CUT.contains(&reason) => Ending::Cut,
            _ if !self.text.trim().is_empty() => Ending::Whole,
            "tool_calls" | "function_call" | "tool_use" => Ending::ToolCall,
            _ if !self.tools.is_empty() => Ending::ToolCall,
            _ if !self.reasoning.trim().is_empty() => Ending::ReasoningOnly,
            _ => Ending::Empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_empty_and_cut_are_told_apart() {
        let ending = |text: &str, reason: &str| {
            let answer = Answer {
                text: text.to_owned(),
                finish_reason: Some(reason.to_owned()),
                ..Answer::default()
            };
            answer.ending()
        };
        assert_eq!(ending("A", "stop"), Ending::Whole);
        assert_eq!(ending("A", "a word that nobody knows yet"), Ending::Whole);
        assert_eq!(ending(" \n", "stop"), Ending::Empty);
        assert_eq!(ending("A", "length"), Ending::Cut);
        assert_eq!(ending("", "length"), Ending::Cut);
        assert_eq!(ending("", "content_filter"), Ending::Refused);
        assert_eq!(ending("I would rather", "refusal"), Ending::Refused);
        for filtered in ["content_filter: RECITATION", "SAFETY", "sensitive"] {
            assert_eq!(ending("A", filtered), Ending::Refused, "{filtered}");
        }
        for cut in ["MAX_TOKENS", "model_length"] {
            assert_eq!(ending("A", cut), Ending::Cut, "{cut}");
        }
    }

    #[test]
    fn what_has_no_text_is_told_apart_by_what_came_instead() {
        let silent = |tools: &[&str], reasoning: &str, reason: &str| Answer {
            tools: tools.iter().map(|name| (*name).to_owned()).collect(),
            reasoning: reasoning.to_owned(),
            finish_reason: Some(reason.to_owned()),
            ..Answer::default()
        };
        let ending = |tools: &[&str], reasoning: &str, reason: &str| {
            silent(tools, reasoning, reason).ending()
        };
        assert_eq!(ending(&["zoom"], "", "stop"), Ending::ToolCall);
        assert_eq!(ending(&[], "", "tool_calls"), Ending::ToolCall);
        assert_eq!(ending(&["zoom"], "Hm", "tool_use"), Ending::ToolCall);
        assert_eq!(ending(&[], "It is a cat.", "stop"), Ending::ReasoningOnly);
        assert_eq!(ending(&[], "It is a c", "length"), Ending::Cut);
        assert_eq!(ending(&[], " ", "stop"), Ending::Empty);
        let spoken = Answer {
            text: "B".to_owned(),
            ..silent(&["zoom"], "Hm", "tool_calls")
        };
        assert_eq!(spoken.ending(), Ending::Whole);
    }
}
