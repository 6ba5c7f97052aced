//! Facts about the answer of one prediction.

use serde::{Deserialize, Serialize};

base::named_enum! {
    /// Why a model stopped writing. The names are those of the `OpenAI` API.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum FinishReason {
        /// The model finished, or wrote a stop sequence.
        Stop = "stop",
        /// The token limit was reached.
        Length = "length",
        /// A content filter removed or ended the answer.
        ContentFilter = "content_filter",
        /// The model called a tool.
        ToolCalls = "tool_calls",
    }
}

impl FinishReason {
    /// Names of all values, in the order of [`Self::ALL`].
    pub(super) const NAMES: [&'static str; Self::ALL.len()] = {
        let [stop, length, filter, tools] = Self::ALL;
        [stop.name(), length.name(), filter.name(), tools.name()]
    };

    /// Describes how an incomplete answer ended, such as `at the token limit`. `None` if the
    /// answer is complete.
    pub const fn words(self) -> Option<&'static str> {
        match self {
            Self::Stop => None,
            Self::Length => Some("at the token limit"),
            Self::ContentFilter => Some("by a content filter"),
            Self::ToolCalls => Some("by a tool call"),
        }
    }

    /// Parses the finish reason in a log or server response; `None` if it is unknown.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.trim().to_ascii_lowercase().as_str() {
            "stop" | "end_turn" | "stop_sequence" | "eos" | "eos_token" | "end" | "complete"
            | "completed" | "endoftext" => Self::Stop,
            "length"
            | "max_tokens"
            | "max_length"
            | "model_length"
            | "max_output_tokens"
            | "model_context_window_exceeded" => Self::Length,
            "content_filter" | "content_filtered" | "safety" | "recitation" | "refusal"
            | "prohibited_content" | "blocklist" | "image_safety" => Self::ContentFilter,
            "tool_calls" | "tool_use" | "function_call" => Self::ToolCalls,
            _ => return None,
        })
    }
}

/// Facts about the answer of a prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerFacts {
    /// Number of words in the whole response.
    pub words: u32,
    /// Position of the chosen option, counted from 1; 0 if no option was chosen.
    pub chosen: u16,
    /// True if the response expresses uncertainty, as in `it might be` or `I am not sure`.
    pub hedges: bool,
    /// True if the response begins with a refusal.
    pub refuses: bool,
    /// Why the model stopped; `None` if the log does not contain it.
    pub finish_reason: Option<FinishReason>,
}

#[cfg(test)]
mod tests {
    use super::FinishReason;

    #[test]
    fn servers_have_their_own_words_for_one_reason() {
        for (word, expected) in [
            ("stop", Some(FinishReason::Stop)),
            ("end_turn", Some(FinishReason::Stop)),
            ("MAX_TOKENS", Some(FinishReason::Length)),
            ("SAFETY", Some(FinishReason::ContentFilter)),
            ("tool_use", Some(FinishReason::ToolCalls)),
            ("unknown", None),
            ("", None),
        ] {
            assert_eq!(FinishReason::parse(word), expected, "{word}");
        }
        for (at, reason) in FinishReason::ALL.into_iter().enumerate() {
            assert_eq!(FinishReason::parse(reason.name()), Some(reason));
            assert_eq!(FinishReason::NAMES[reason as usize], reason.name());
            assert_eq!(reason as usize, at);
        }
    }
}
