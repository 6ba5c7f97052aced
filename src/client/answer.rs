//! What a model said, whatever the server that carried it.

use serde_json::Value as Json;

/// One answer, whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What the model said.
    pub text: String,
    /// What it thought, where the server tells.
    pub reasoning: String,
    /// Why it would not say it, where the server tells.
    pub refusal: Option<String>,
    /// Why it stopped, in the server's own word.
    pub finish_reason: Option<String>,
    /// Tokens.
    pub usage: Usage,
    /// The model that answered, by the server's word.
    pub model: Option<String>,
    /// The server's own mark of its build.
    pub fingerprint: Option<String>,
    /// Probabilities of its tokens, as the server spells them, where they were asked for.
    pub logprobs: Option<Json>,
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// Tokens of an answer; `None` where the server does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// What was read, pictures included.
    pub prompt: Option<u64>,
    /// What was written.
    pub completion: Option<u64>,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By itself, with words.
    Whole,
    /// The model, or a filter before it, would not answer.
    Refused,
    /// By itself, without a word.
    Empty,
    /// By a limit on its length.
    Cut,
}

impl Answer {
    /// How it ended.
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
