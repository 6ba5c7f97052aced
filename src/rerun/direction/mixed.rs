//! Words for above and below that are not turned, beside words that are: of `left of`, `above` and `beneath`, the first two
//! become others and the last stays, though it meant a place in the picture like them.

use std::sync::LazyLock;

use regex::Regex;

use super::unsure::is_upset;
use super::{Doubt, Said};
use media::Orientation;

/// Words that say above or below, or that one thing lies on another or covers it. Alone they stay: what is under a table is
/// under it whichever way the picture is turned.
const LYING: &str = r"(?:beneath|underneath|under|over|atop|on\s+top\s+of|overhead)";
/// Words of direction that are turned, as they stand in a list beside those.
const TURNED: &str =
    r"(?:above|below|left|right|top|bottom|upper|lower|up|down|upwards?|downwards?)";
/// What joins the parts of such a list.
const JOINS: &str = r"[^.?!\n]{0,40}(?:\bor\b|\band\b|\bbut\b|[,/|;])[^.?!\n]{0,25}";

/// A word that lies or covers.
static HOLDS: LazyLock<Option<Regex>> = LazyLock::new(|| ready(&format!(r"\b{LYING}\b")));
/// It is the answer itself: `Under the plate`, `it is directly over it`.
static SAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ready(&format!(
        r"^\W*(?:(?:it|they|he|she)(?:\s+is|\s+are|['’]s|['’]re)\s+)?(?:directly\s+|just\s+|right\s+|slightly\s+)?{LYING}\b"
    ))
});
/// It stands in one list with a word that is turned.
static LISTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ready(&format!(
        r"\b{TURNED}\b{JOINS}\b{LYING}\b|\b{LYING}\b{JOINS}\b{TURNED}\b"
    ))
});

fn ready(pattern: &str) -> Option<Regex> {
    Regex::new(&format!("(?i){pattern}")).ok()
}

fn is_in(form: &LazyLock<Option<Regex>>, text: &str) -> bool {
    form.as_ref().is_some_and(|form| form.is_match(text))
}

/// Why a question cannot be said of a picture in which up is another side than before, with its options before and after
/// and its target, if that is none of them.
pub(super) fn mixed(
    question: (&str, &Said),
    options: &[(&str, &Said)],
    target: Option<&str>,
    by: Orientation,
) -> Result<(), Doubt> {
    const WHY: Doubt = Doubt("above or below in words that may not say a place in the picture");
    if !is_upset(by) {
        return Ok(());
    }
    let lying = |(text, _): &&(&str, &Said)| is_in(&HOLDS, text);
    let count = options.iter().filter(lying).count();
    let differs = count > 0 && count < options.len();
    let turned = options.iter().any(|(_, said)| said.changes > 0);
    let (text, said) = question;
    let is_listed = said.changes > 0 && is_in(&LISTED, text);
    let is_answer = said.changes > 0 && target.is_some_and(|target| is_in(&SAYS, target));
    if differs && turned || is_listed || is_answer {
        return Err(WHY);
    }
    Ok(())
}
