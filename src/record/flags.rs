//! Bit flags of a prediction.

/// Flag: the harness's rule could not parse the answer.
pub const INVALID: u16 = 1;
/// Flag: Eyechart's strict rules could not parse the answer.
pub const STRICT_INVALID: u16 = 2;
/// Flag: the two rules cannot be compared. The score comes from the log
/// only, or an answer has no score.
pub const UNCOMPARED: u16 = 4;
/// Flag: the model gave no answer: the response is empty, or there is neither a response nor a score.
pub const UNANSWERED: u16 = 32;
/// Flag: the log states the metric of the score.
pub const NAMED_METRIC: u16 = 64;
/// Flag: the parsed number is below its target.
pub const BELOW_TARGET: u16 = 128;
/// Flag: the sample has no target to compare an answer with.
pub const NO_TARGET: u16 = 256;
/// Flag: the run stopped asking once its comparison was clear, so that the answers decided how many
/// samples there are.
pub const UNTIL_CLEAR: u16 = 512;
