//! A model's answer, independent of the server's API.

use serde_json::Value as Json;

/// A complete answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The response text.
    pub text: String,
    /// The reasoning text, if the server returns it.
    pub reasoning: String,
    /// The refusal text, if the server returns it.
    pub refusal: Option<String>,
    /// The finish reason in the server's own word.
    pub finish_reason: Option<String>,
    /// Token counts.
    pub usage: Usage,
    /// The model that answered, as named by the server.
    pub model: Option<String>,
    /// The server's fingerprint of its build.
    pub fingerprint: Option<String>,
    /// Token log probabilities in the server's format, if they were requested.
    pub logprobs: Option<Json>,
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// Token counts of an answer; `None` where the server does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Prompt tokens, pictures included.
    pub prompt: Option<u64>,
    /// Completion tokens.
    pub completion: Option<u64>,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It ended by itself, with text.
    Whole,
    /// The model, or a filter in front of it, refused.
    Refused,
    /// It ended by itself, without text.
    Empty,
    /// It hit a length limit.
    Cut,
}

impl Answer {
    /// How the answer ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        let reason = self.finish_reason.as_deref().unwrap_or_default();
        let refused = matches!(reason, "content_filter" | "refusal" | "safety" | "SAFETY");
        match reason {
            _ if refused || self.refusal.is_some() => Ending::Refused,
            "length" | "max_tokens" | "model_context_window_exceeded" | "MAX_TOKENS" => Ending::Cut,
            _ if self.text.trim().is_empty() => Ending::Empty,
            _ => Ending::Whole,
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
    }
}
