//! Why no answer could be read.

use std::fmt;

/// Why a response holds no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no response, or nothing in the place where the answer belongs.
    Empty,
    /// The model was still thinking when it stopped.
    Unfinished,
    /// The model says that it will not or cannot answer.
    Refused,
    /// Two answers stand there, and nothing says which one is meant.
    Two,
    /// The response ends within the answer.
    Cut,
    /// The numbers of a box do not tell what they count in.
    Scale,
    /// Nothing in the response is an answer of the form that is asked for.
    Nothing,
}

impl Unread {
    /// The reason in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Empty => "the response is empty",
            Self::Unfinished => "its thinking does not end",
            Self::Refused => "it is a refusal",
            Self::Two => "it gives more than one answer",
            Self::Cut => "it is cut off within the answer",
            Self::Scale => "the scale of its box is in doubt",
            Self::Nothing => "it gives no answer of this form",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
