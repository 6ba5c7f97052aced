//! Bit flags of a prediction.

/// Flag: the harness's rule could not parse the answer.
pub const INVALID: u16 = 1;
/// Flag: Eyechart's strict rules could not parse the answer.
pub const STRICT_INVALID: u16 = 2;
/// Flag: scores by the two rules cannot be compared. The score comes only from the log, or one of
/// the answers has no score.
pub const UNCOMPARED: u16 = 4;
/// Flag: the model gave no answer. The response is empty, or both response and score are missing.
pub const UNANSWERED: u16 = 32;
/// Flag: the log names the metric of the score.
pub const NAMED_METRIC: u16 = 64;
/// Flag: the parsed number is below its target.
pub const BELOW_TARGET: u16 = 128;
/// Flag: the sample has no target.
pub const NO_TARGET: u16 = 256;
/// Flag: the run stopped once its comparison was clear, so its number of samples depends on the
/// answers.
pub const UNTIL_CLEAR: u16 = 512;
/// Flag: the token limit of a rerun or an exam cut the answer.
pub const CUT: u16 = 1024;
