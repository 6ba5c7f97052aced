//! Defines the reasons why no answer could be read.

use std::fmt;

/// Reason why a response has no readable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFailure {
    /// There is no response, or the place of the answer is empty.
    Empty,
    /// The response ends within the model's thinking.
    Unfinished,
    /// The response is a refusal.
    Refused,
    /// There are several answers without a clear choice.
    Two,
    /// The response ends within the answer.
    Cut,
    /// The unit of a box's numbers is ambiguous.
    Scale,
    /// The response contains no answer of the required form.
    Nothing,
}

impl ReadFailure {
    /// Returns the reason as text.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Empty => "the response is empty",
            Self::Unfinished => "the response ends before the thinking is complete",
            Self::Refused => "the response is a refusal",
            Self::Two => "the response contains more than one answer",
            Self::Cut => "the response is cut off within the answer",
            Self::Scale => "the scale of the box is ambiguous",
            Self::Nothing => "the response contains no answer in the expected form",
        }
    }
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
