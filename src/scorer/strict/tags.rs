//! Finds tags in all kinds of brackets that models use.

use std::ops::Range;

/// Maximum length of a tag in bytes.
const LONGEST: usize = 200;

/// Names of elements that begin with `<|begin_of_…|>` and end with `<|end_of_…|>`.
const PHASES: [&str; 2] = ["thought", "solution"];

/// Tag, for example `<answer>`, `</think>`, `<|begin_of_box|>`, `◁/think▷` or `[THINK]`.
#[derive(Debug)]
pub(super) struct Tag {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Name in lower case, without brackets, bars and slash.
    pub name: String,
    /// True if the tag closes an element.
    pub closing: bool,
    /// True for a letter in brackets that is not a tag: `<B>`.
    pub is_text: bool,
}

/// Returns all tags of a text, in order.
pub(super) fn tags(text: &str) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(['<', '◁', '['])) {
        at += offset;
        let rest = text.get(at..).unwrap_or_default();
        match tag(rest) {
            Some((length, inner)) => {
                tags.push(named(inner, at..at + length));
                at += length;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    tags
}

/// Reads the tag at the start of a text; returns its length and the text between its brackets.
fn tag(rest: &str) -> Option<(usize, &str)> {
    for (word, inner) in [("[THINK]", "think"), ("[/THINK]", "/think")] {
        if rest.starts_with(word) {
            return Some((word.len(), inner));
        }
    }
    let (open, close) = match rest.chars().next()? {
        '<' => ('<', '>'),
        '◁' => ('◁', '▷'),
        _ => return None,
    };
    let inner = rest.get(open.len_utf8()..)?;
    let first = inner.chars().next()?;
    if !(first.is_alphabetic() || matches!(first, '/' | '|')) {
        return None;
    }
    let end = inner
        .char_indices()
        .take_while(|(at, c)| *at < LONGEST && !matches!(c, '<' | '◁' | '\n'))
        .find(|(_, c)| *c == close)?;
    Some((
        open.len_utf8() + end.0 + close.len_utf8(),
        inner.get(..end.0)?,
    ))
}

fn named(inner: &str, span: Range<usize>) -> Tag {
    let bare = inner.trim_matches(|c: char| c == '|' || c.is_whitespace());
    let ended = bare
        .strip_prefix("end_of_")
        .filter(|name| PHASES.contains(name));
    let begun = bare
        .strip_prefix("begin_of_")
        .filter(|name| PHASES.contains(name));
    let closing = bare.starts_with('/') || ended.is_some();
    let bare = ended.or(begun).unwrap_or(bare);
    let bare = bare.trim_start_matches(['/', '|']);
    let name = bare.split([' ', '=', '/']).next().unwrap_or_default();
    Tag {
        span,
        is_text: !closing && inner.len() <= 2 && inner.chars().all(|c| c.is_ascii_uppercase()),
        name: name.to_lowercase().replace('-', "_"),
        closing,
    }
}
