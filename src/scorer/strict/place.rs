//! Finds the part of a response that contains the answer: cuts off thinking, and opens tags, LaTeX
//! boxes and JSON keys.

use std::ops::Range;

use super::read_failure::ReadFailure;
use super::step::Step;
use super::tags::{Tag, tags};

/// Names of elements that contain a model's thinking.
const THINKING: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "analysis",
    "scratchpad",
    "reflection",
    "seed:think",
    "summary",
    "caption",
    "observation",
    "rationale",
    "explanation",
    "cot",
    "thinking_process",
];

/// Names of elements that contain the answer.
const ANSWER: &[&str] = &[
    "answer",
    "final_answer",
    "conclusion",
    "solution",
    "ans",
    "begin_of_box",
    "response",
    "final",
    "output",
    "result",
    "choice",
    "option",
    "finalanswer",
];

/// Place of the answer, and the steps by which it was found.
#[derive(Debug)]
pub(super) struct AnswerPlace {
    /// Byte range in the response.
    pub range: Range<usize>,
    /// Steps so far: what was opened or cut off.
    pub steps: Vec<Step>,
    /// All tags of the response, in order.
    pub tags: Vec<Tag>,
}

/// Finds the place of the answer. `keys` are the JSON keys that can contain it, most specific
/// first.
pub(super) fn find(response: &str, keys: &[&str]) -> Result<AnswerPlace, ReadFailure> {
    let mut place = AnswerPlace {
        range: 0..response.len(),
        steps: Vec::new(),
        tags: tags(response),
    };
    if response.trim().is_empty() {
        return Err(ReadFailure::Empty);
    }
    place.cut_thinking(response)?;
    place.cut_turns(response);
    place.leave_string(response);
    place.open(response, Step::AnswerTag, |place| place.element(response))?;
    place.open(response, Step::Boxed, |place| {
        last_boxed(response, place.range.clone())
    })?;
    for _ in 0..3 {
        let range = place.range.clone();
        if !response
            .get(range.clone())
            .is_some_and(|text| text.contains('{'))
        {
            break;
        }
        place.open(response, Step::JsonKey, |place| {
            value(response, place.range.clone(), keys)
        })?;
        if place.range == range {
            break;
        }
    }
    Ok(place)
}

impl AnswerPlace {
    /// Narrows the range to the one that `inner` returns; fails if that range is empty.
    fn open(
        &mut self,
        response: &str,
        step: Step,
        inner: impl Fn(&Self) -> Option<Range<usize>>,
    ) -> Result<(), ReadFailure> {
        if let Some(range) = inner(self) {
            let text = response.get(range.clone()).unwrap_or_default();
            if matches!(text.trim().trim_matches('"'), "" | "null" | "None")
                && !text.contains("None")
            {
                return Err(ReadFailure::Empty);
            }
            if range != self.range {
                self.steps.push(step);
            }
            self.range = range;
        }
        Ok(())
    }

    /// Cuts off thinking: the answer is the text after it, or else the text before it.
    fn cut_thinking(&mut self, response: &str) -> Result<(), ReadFailure> {
        const FINAL: &str = "<|channel|>final<|message|>";
        if let Some(at) = response.rfind(FINAL) {
            self.cut(at + FINAL.len()..response.len());
            return Ok(());
        }
        if response.contains("<|channel|>analysis") {
            return Err(ReadFailure::Unfinished);
        }
        if let Some(at) = response.rfind("assistantfinal") {
            self.cut(at + "assistantfinal".len()..response.len());
            return Ok(());
        }
        let thinks = |tag: &&Tag| THINKING.contains(&tag.name.as_str());
        let closed = self
            .tags
            .iter()
            .filter(thinks)
            .rfind(|tag| tag.closing)
            .map_or(0, |tag| tag.span.end);
        let opened = self
            .tags
            .iter()
            .filter(thinks)
            .find(|tag| !tag.closing && tag.span.start >= closed);
        let first = self.tags.iter().find(thinks).map(|tag| tag.span.start);
        let Some(first) = first else { return Ok(()) };
        let end = opened.map_or(response.len(), |tag| tag.span.start);
        if self.says(response, closed..end) {
            self.cut(closed..end);
            return Ok(());
        }
        // The start of an answer element ends thinking that is not closed.
        let answer = opened.and_then(|opened| {
            self.tags.iter().rfind(|tag| {
                !tag.closing
                    && tag.span.start > opened.span.start
                    && ANSWER.contains(&tag.name.as_str())
            })
        });
        if let Some(start) = answer.map(|tag| tag.span.start) {
            self.cut(start..response.len());
        } else if self.says(response, 0..first) && opened.is_none() {
            self.cut(0..first);
        } else {
            return Err(if opened.is_some() {
                ReadFailure::Unfinished
            } else {
                ReadFailure::Empty
            });
        }
        Ok(())
    }

    /// Cuts off further turns that the model invented: 'B', and then 'Question: ... Answer: C'.
    fn cut_turns(&mut self, response: &str) {
        const TURNS: [&str; 8] = [
            "\nQuestion:",
            "\nUSER:",
            "\nUser:",
            "\nHuman:",
            "\nQ:",
            "###Human:",
            "### Human:",
            "### User:",
        ];
        let text = response.get(self.range.clone()).unwrap_or_default();
        if !text.contains(['\n', '#']) {
            return;
        }
        let begins = |turn: &&str| {
            let at = text.find(*turn)?;
            let (before, after) = text.split_at(at);
            let before = before.trim();
            // 'Sure!' or a description can precede a repeated question, and is not an answer.
            let leads = before.is_empty() || before.ends_with(['!', ':']);
            let is_short = before.split_whitespace().count() <= 3;
            let answers = is_short || before.to_lowercase().contains("answer");
            (after.contains('?') && !leads && answers).then_some(at)
        };
        if let Some(at) = TURNS.iter().filter_map(begins).min() {
            self.steps.push(Step::TurnRemoved);
            self.range.end = self.range.start + at;
        }
    }

    /// If the thinking was inside a JSON string, cuts the range at the end of that string.
    fn leave_string(&mut self, response: &str) {
        let rest = response.get(self.range.clone()).unwrap_or_default();
        let is_within = self.range.start > 0 && response.trim_start().starts_with('{');
        if !is_within || rest.contains('{') {
            return;
        }
        let mut ends = rest.match_indices('"').map(|(at, _)| at);
        let is_end = |at: &usize| {
            !is_escaping(&rest[..*at]) && rest[at + 1..].trim_start().starts_with(['}', ','])
        };
        if let Some(end) = ends.find(is_end) {
            self.range = trimmed(response, self.range.start..self.range.start + end);
        }
    }

    fn cut(&mut self, range: Range<usize>) {
        self.steps.push(Step::ThinkingRemoved);
        self.range = range;
    }

    /// Returns true if a part of the response contains more than tags and white space.
    fn says(&self, response: &str, range: Range<usize>) -> bool {
        let mut at = range.start;
        let within = self
            .tags
            .iter()
            .filter(|tag| tag.span.start >= range.start && tag.span.end <= range.end);
        for tag in within {
            if !blank(response, at..tag.span.start) {
                return true;
            }
            at = tag.span.end;
        }
        !blank(response, at..range.end)
    }

    /// Returns the content of the last answer element; an unclosed element extends to the end.
    fn element(&self, _response: &str) -> Option<Range<usize>> {
        let within =
            |tag: &&Tag| tag.span.start >= self.range.start && tag.span.end <= self.range.end;
        let (at, open) = self
            .tags
            .iter()
            .enumerate()
            .filter(|(_, tag)| within(tag))
            .rfind(|(_, tag)| !tag.closing && ANSWER.contains(&tag.name.as_str()))?;
        let ends = |tag: &&Tag| tag.name == open.name && tag.closing || tag.name == "end_of_box";
        let close = self.tags.iter().skip(at + 1).filter(within).find(ends);
        Some(open.span.end..close.map_or(self.range.end, |tag| tag.span.start))
    }
}

fn blank(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_none_or(|text| text.trim().is_empty())
}

/// Returns the content of the last `\boxed{…}`, including nested braces.
fn last_boxed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let at = part.rfind("boxed")?;
    // In '\boxed{A} or \boxed{B}', no single box is the answer.
    let mut before = part.get(..at)?.trim_end_matches(['\\', '$', '(', ' ']);
    let joint = ["or", "and", ",", "/"]
        .iter()
        .find_map(|joint| before.strip_suffix(joint));
    before = joint.unwrap_or_default();
    if before
        .trim_end_matches(['\\', '$', ')', ' '])
        .ends_with('}')
        && before.contains("boxed")
    {
        return None;
    }
    let at = at + "boxed".len();
    let rest = part.get(at..)?;
    let open = at + rest.len() - rest.trim_start().len();
    if !part.get(open..)?.starts_with('{') {
        return None;
    }
    let mut depth = 0_usize;
    for (offset, c) in part.get(open..)?.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(range.start + open + 1..range.start + open + offset);
        }
    }
    Some(range.start + open + 1..range.end)
}

/// Returns the value of the most specific JSON key; of repeated keys, the last.
pub(super) fn value(text: &str, range: Range<usize>, keys: &[&str]) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let start = part.find('{')?;
    let mut best: Option<(usize, usize)> = None;
    let mut at = start;
    while let Some(offset) = part.get(at..)?.find(['"', '\'']) {
        let open = at + offset;
        at = open + 1;
        let Some((name, behind)) = key(part, open) else {
            continue;
        };
        at = behind;
        let name = name.to_lowercase().replace([' ', '-'], "_");
        let rank = keys.iter().position(|key| *key == name);
        let Some(rank) = rank else { continue };
        if best.is_none_or(|(other, _)| rank <= other) {
            best = Some((rank, behind));
        }
    }
    let (_, behind) = best?;
    let found = value_at(part, behind);
    Some(range.start + found.start..range.start + found.end)
}

/// Parses a quoted name followed by a colon; returns the name and the start of its value.
fn key(text: &str, open: usize) -> Option<(&str, usize)> {
    let quote = text.as_bytes().get(open)?;
    let inner = text.get(open + 1..)?;
    let length = inner.bytes().take(40).position(|byte| byte == *quote)?;
    let name = inner.get(..length)?;
    let rest = inner.get(length + 1..)?;
    let behind = rest.trim_start().strip_prefix(':')?;
    Some((name, text.len() - behind.trim_start().len()))
}

/// Trims a part of a JSON string: white space, also escaped (`\n`), and escaped quotes around the
/// whole part.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    const SPACES: [&str; 3] = ["\\n", "\\r", "\\t"];
    const QUOTE: &str = "\\\"";
    let Some(mut inner) = text.get(range.clone()) else {
        return range;
    };
    loop {
        let length = inner.len();
        inner = inner.trim();
        for space in SPACES {
            inner = inner.strip_prefix(space).unwrap_or(inner);
            inner = before(inner, space).unwrap_or(inner);
        }
        let quoted = inner.strip_prefix(QUOTE);
        inner = quoted.and_then(|rest| before(rest, QUOTE)).unwrap_or(inner);
        if inner.len() == length {
            let start = (inner.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            return start..start + length;
        }
    }
}

/// Returns the text without an escape at its end; `None` if the backslash is itself escaped.
fn before<'a>(text: &'a str, escape: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(escape)?;
    (!is_escaping(rest)).then_some(rest)
}

/// Returns true if a text ends in a backslash that escapes the next character.
fn is_escaping(text: &str) -> bool {
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\');
    !backslashes.count().is_multiple_of(2)
}

/// Returns the value that starts at `at`, without its quotes.
fn value_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let first = rest.chars().next();
    let end = |close: usize| at + close;
    match first {
        Some(quote @ ('"' | '\'')) => {
            let mut escaped = false;
            for (offset, c) in rest.char_indices().skip(1) {
                if c == quote && !escaped {
                    return trimmed(text, at + 1..end(offset));
                }
                escaped = c == '\\' && !escaped;
            }
            at + 1..text.len()
        }
        Some('[' | '{') => {
            let mut depth = 0_i32;
            for (offset, c) in rest.char_indices() {
                match c {
                    '[' | '{' => depth += 1,
                    ']' | '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return at..end(offset + 1);
                }
            }
            at..text.len()
        }
        _ => at..end(rest.find([',', '}', '\n']).unwrap_or(rest.len())),
    }
}
