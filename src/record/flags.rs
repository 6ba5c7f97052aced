//! Flags of a prediction.

/// Flag: the answer could not be read by the harness's rule.
pub const INVALID: u16 = 1;
/// Flag: the answer could not be read by Eyechart's own rule.
pub const STRICT_INVALID: u16 = 2;
/// Flag: only the log knows the score, or it has none for an answer that there is: the rules cannot be compared.
pub const UNCOMPARED: u16 = 4;
/// Flag: the model gave no answer: the response is empty, or there is neither a response nor a score.
pub const UNANSWERED: u16 = 32;
/// Flag: the log names the metric of the score.
pub const NAMED_METRIC: u16 = 64;
/// Flag: the number that was read lies below its target.
pub const BELOW_TARGET: u16 = 128;
/// Flag: the sample has no target with which an answer can be compared.
pub const NO_TARGET: u16 = 256;
