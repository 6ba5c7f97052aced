//! Recognises the layouts of promptfoo's results by their first bytes.

use super::table;

/// Members of an answer that do not occur in prompts and configurations.
const OF_ANSWER: [&[u8]; 4] = [
    b"\"gradingResult\"",
    b"\"response\"",
    b"\"testCase\"",
    b"\"latencyMs\"",
];

/// Layout of a results file; the most complete layout comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// A JSON document with aggregates and answers.
    Document,
    /// One answer per line.
    Lines,
    /// A table with one row per test, and columns for each provider and prompt.
    Table,
}

impl Layout {
    /// Returns the layout of a file by its first bytes; `None` for other files.
    pub fn of(head: &[u8]) -> Option<Self> {
        let find = |text: &[u8]| memchr::memmem::find(head, text);
        let has = |text: &[u8]| find(text).is_some();
        if !head.trim_ascii_start().starts_with(b"{") {
            return table::is_table(head).then_some(Self::Table);
        }
        let first = OF_ANSWER.iter().filter_map(|key| find(key)).min();
        let is_answer = has(b"\"namedScores\"") && has(b"\"latencyMs\"")
            || has(b"\"promptIdx\"") && has(b"\"testIdx\"")
            || has(b"\"provider\":{\"id\":") && has(b"\"prompt\":{\"raw\":");
        match find(b"\"results\"") {
            Some(at) if first.is_none_or(|first| at < first) => {
                let is_old = has(b"\"prompt\"") && has(b"\"vars\"") && has(b"\"success\"");
                let is_ours = has(b"\"evalId\"") || has(b"\"testPassCount\"") || is_old;
                is_ours.then_some(Self::Document)
            }
            _ => is_answer.then_some(Self::Lines),
        }
    }
}

/// True for promptfoo's input: a configuration, a list of tests or a chat prompt.
pub fn is_input(head: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    has(b"\"providers\"") && has(b"\"prompts\"")
        || has(b"\"vars\"") && has(b"\"assert\"")
        || head.trim_ascii_start().starts_with(b"[") && has(b"\"role\"") && has(b"{{")
}
