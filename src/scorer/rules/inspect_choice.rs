//! Applies Inspect's `choice` scorer for `multiple_choice` with one right option.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use crate::python;
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "inspect_choice",
    words: "the last `ANSWER: X` on its own line, else the last one anywhere",
    source: "inspect_ai, multiple_choice and choice",
    kinds: &[Kind::Options],
    mark,
};

static IN_DOLLARS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\$[\s\x1C-\x1F]*([A-Za-z\d][A-Za-z\d ,]*?)[\s\x1C-\x1F]*\$"));

static IN_STARS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\*\*[\s\x1C-\x1F]*([A-Za-z\d][A-Za-z\d ,]*?)[\s\x1C-\x1F]*\*\*"));

static IN_BRACKETS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(^|[:,])([\s\x1C-\x1F]*)\(([A-Za-z\d])\)"));

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?im)^ANSWER[\s\x1C-\x1F]*:[\s\x1C-\x1F]*([A-Za-z\d ,]+)[\s\x1C-\x1F]*(?:$|\n|\.)")
});

static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)ANSWER[\s\x1C-\x1F]*:[\s\x1C-\x1F]*([A-Za-z\d ,]+)(?:[^\w]|\n|\z|\.)")
});

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let text = IN_DOLLARS.replace_all(question.response(), "$1");
    let text = IN_STARS.replace_all(&text, "$1");
    let text = without_brackets(&text);
    let last = |pattern: &'static Regex| captured(pattern, &text).last();
    let found = last(&LINE).or_else(|| last(&ELSEWHERE)).unwrap_or_default();
    let found = python::strip(found).trim_end_matches('.').to_uppercase();
    let mut tokens = found.split(',').filter(|token| !token.is_empty());
    let token = tokens.next().filter(|_| tokens.next().is_none());
    question.mark(question.letters().find(|letter| Some(*letter) == token))
}

/// Removes the brackets of `(B)` at the start, or after a colon or comma. The closing bracket must
/// be followed by a comma, a full stop, or the end of the line or text.
fn without_brackets(text: &str) -> String {
    let (mut bare, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(captures) = IN_BRACKETS.captures_at(text, at) {
        let Some(whole) = captures.get(0) else {
            break;
        };
        let behind = text.get(whole.end()..).unwrap_or_default();
        let rest = behind.trim_start_matches(python::is_space);
        let spaces = behind.strip_suffix(rest).unwrap_or_default();
        let part = |number| captures.get(number).map_or("", |part| part.as_str());
        bare.push_str(text.get(at..whole.start()).unwrap_or_default());
        if spaces.contains('\n') || rest.is_empty() || rest.starts_with([',', '.']) {
            bare.extend([part(1), part(2), part(3)]);
        } else {
            bare.push_str(whole.as_str());
        }
        at = whole.end();
    }
    bare.push_str(text.get(at..).unwrap_or_default());
    bare
}
