//! Reads what people write into one cell: options, accepted answers, error messages.

use serde_json::Value as Json;

use super::row::LETTERS;

/// Signs between options in one text, most reliable first.
const SEPARATORS: [char; 4] = ['\n', '|', ';', ','];
/// Beginnings, in lower case, of texts that a script stores instead of an answer.
#[rustfmt::skip]
const FAILURES: [&str; 16] = [
    "error:", "error code", "error calling", "api error", "apierror", "api_error", "exception:",
    "traceback (most recent call", "request failed", "failed to obtain answer", "http error", "httperror",
    "connectionerror", "timeouterror", "ratelimiterror", "badrequesterror",
];
/// Number of characters of a text that are compared with them.
const LOOKED_AT: usize = 40;

/// Returns the options in a text: `A. cat B. dog`, or separated by lines or one of [`SEPARATORS`].
/// `None` for fewer than two.
pub fn listed(text: &str) -> Option<Json> {
    let lettered = lettered(text);
    let separated = || {
        let separator = SEPARATORS
            .into_iter()
            .find(|sign| text.trim().contains(*sign))?;
        let parts = text
            .trim()
            .split(separator)
            .map(|part| part.trim().to_owned());
        Some(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>())
    };
    let options = lettered.or_else(separated)?;
    (2..=LETTERS.len())
        .contains(&options.len())
        .then(|| Json::from(options))
}

/// Returns the texts of options that follow their letters, beginning with A: `(A) cat (B) dog`.
fn lettered(text: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut rest = after_letter(text.trim_start(), 'A')?;
    for letter in LETTERS.chars().skip(1) {
        let mut places = rest
            .char_indices()
            .filter(|(_, sign)| sign.is_whitespace() || *sign == ',');
        let next = places.find_map(|(at, sign)| {
            let next = after_letter(rest[at + sign.len_utf8()..].trim_start(), letter)?;
            Some((
                rest[..at]
                    .trim_matches([' ', '\n', '\r', ',', ';'])
                    .to_owned(),
                next,
            ))
        });
        let Some((option, next)) = next else { break };
        texts.push(option);
        rest = next;
    }
    texts.push(rest.trim().to_owned());
    (texts.len() > 1).then_some(texts)
}

/// Returns the text after the letter of an option: `cat` for `(A) cat`, `A. cat` and `A: cat`.
fn after_letter(text: &str, letter: char) -> Option<&str> {
    let rest = text
        .strip_prefix('(')
        .unwrap_or(text)
        .strip_prefix(letter)?;
    rest.strip_prefix([')', '.', ':'])
}

/// Returns the accepted answers in a target, such as `cat|cats`; `None` for a single one.
pub fn alternatives(target: &str, separator: &str) -> Option<Vec<String>> {
    let parts = target.split(separator).map(|part| part.trim().to_owned());
    let parts: Vec<String> = parts.collect();
    (parts.len() > 1 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// True for an error message in place of an answer.
pub fn is_failure(text: &str) -> bool {
    let start = text.trim_start().chars().take(LOOKED_AT);
    let start = start.collect::<String>().to_lowercase();
    FAILURES.iter().any(|known| start.starts_with(known))
}
