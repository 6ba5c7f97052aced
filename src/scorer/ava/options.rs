//! Compares options as AVA-Bench does: spatial, fine-grained and action recognition.
//!
//! All three compare tokens of the raw texts. Each has its own leniencies, which are reproduced
//! here.

use std::sync::LazyLock;

use regex::Regex;

use super::normalise;
use crate::{Answer, Reading, python};
use base::format::pattern;

/// Separator between tokens.
static GAP: LazyLock<Regex> = LazyLock::new(|| pattern("[. ]+"));

/// Matches digits at the start of the text.
static LEADING_DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d+"));

/// Applies `spatial_bbox/eval.py`, ignoring case: the first tokens agree, or every window of the
/// response equals the rest of the target. The second condition is always true if the response is
/// shorter than the rest.
pub(super) fn same_place(response: &str, target: &str) -> bool {
    let response = normalise::one_line(response);
    let tokens = lower_tokens(&response);
    let expected = lower_tokens(python::strip(target));
    if tokens.first() == expected.first() {
        return true;
    }
    match expected.get(1..) {
        Some(rest) if !rest.is_empty() => tokens.windows(rest.len()).all(|window| window == rest),
        _ => false,
    }
}

/// Applies `fine_grained/eval.py`: true if the response contains any token of the target, in the
/// same case. A full stop at the end adds an empty token.
pub(super) fn share_token(response: &str, target: &str) -> bool {
    let response = normalise::one_line(response);
    let tokens: Vec<_> = GAP.split(&response).collect();
    GAP.split(python::strip(target))
        .any(|token| tokens.contains(&token))
}

/// Applies `action/eval.py`: true if the leading numbers of both texts agree, or if one text has
/// none and the normalised texts agree.
pub(super) fn same_action(response: &str, target: &str) -> bool {
    let (response, target) = (normalise::action(response), normalise::action(target));
    match (action_id(&response), action_id(&target)) {
        (Some(id), Some(expected)) => id == expected,
        _ => response == target,
    }
}

/// Reads the action number at the start of the response.
pub(super) fn read_action(response: &str) -> Option<Reading> {
    let id = action_id(&normalise::action(response))?;
    let span = response.find(&id).map(|start| start..start + id.len());
    Some(Reading::new(Answer::Choice(id), span))
}

/// Returns the leading digits of an answer, which the harness normalises a second time.
fn action_id(normal: &str) -> Option<String> {
    let again = normalise::action(normal);
    LEADING_DIGITS
        .find(&again)
        .map(|digits| digits.as_str().to_owned())
}

/// Splits a text into tokens in lower case.
fn lower_tokens(text: &str) -> Vec<String> {
    GAP.split(text).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{read_action, same_action, same_place, share_token};

    #[test]
    fn places_match_vacuously() {
        assert!(same_place("a. TO THE LEFT OF", "A. to the left of"));
        // The response has fewer tokens than `left of`, so there is no window that could differ.
        assert!(same_place("B", "A. left of"));
        assert!(same_place("", "B. to the right of"));
        // A single word is a window of one token; an empty text has one empty token.
        assert!(!same_place("", "C. above"));
        assert!(same_place("above", "C. above"));
        assert!(!same_place("it is above", "C. above"));
        assert!(!same_place("B", "A"));
    }

    #[test]
    fn any_common_token_is_right() {
        assert!(share_token("13. Qux bar", "12. Foo bar"));
        assert!(share_token("4.", "55. Sugar Maple."));
        assert!(!share_token("red fox", "4. Red Fox"));
        assert!(!share_token("", "4. Red Fox"));
        assert!(share_token("", "."));
    }

    #[test]
    fn actions_are_told_by_their_number() {
        assert!(same_action("60", "60. washing dishes"));
        assert!(same_action("45) juggling", "45. juggling balls"));
        assert!(!same_action("600. washing dishes", "60. washing dishes"));
        assert!(!same_action("00. archery", "0. archery"));
        assert!(!same_action("washing dishes", "60. washing dishes"));
        assert!(same_action("Riding a bike.", "riding the bike"));
        let reading = read_action("\"45. juggling\"")
            .map(|reading| (reading.answer.to_string(), reading.span));
        assert_eq!(reading, Some(("45".into(), Some(1..3))));
    }
}
