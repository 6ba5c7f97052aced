//! Whether a piece of a text stands for itself or is part of a longer word or number.

use std::ops::Range;

/// Whether neither end of `range` cuts a word, a decimal number or a number with hyphens.
pub(super) fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default().chars().rev();
    let after = text.get(range.end..).unwrap_or_default().chars();
    let piece = text.get(range.clone()).unwrap_or_default();
    let first = piece.chars().next();
    let last = piece.chars().next_back();
    !continues(first, before) && !continues(last, after)
}

/// Whether the piece goes on beyond its `edge`: letter on letter, or a digit, a mark such as the point of `3.5`,
/// and a digit again.
fn continues(edge: Option<char>, mut beyond: impl Iterator<Item = char>) -> bool {
    let (Some(edge), Some(next)) = (edge, beyond.next()) else {
        return false;
    };
    let within_number =
        matches!(next, '.' | ',' | '-') && beyond.next().is_some_and(char::is_numeric);
    (is_word(edge) && is_word(next)) || (edge.is_numeric() && within_number)
}

/// Letters, digits and the underscore.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::stands_alone;

    #[test]
    fn words_and_numbers_are_not_cut() {
        let alone = |text: &str, piece: &str| {
            let start = text.find(piece).unwrap_or_default();
            stands_alone(text, &(start..start + piece.len()))
        };
        assert!(
            alone("a cat.", "cat")
                && alone("(B)", "B")
                && alone("It is 3.", "3")
                && alone("étage", "étage")
        );
        assert!(!alone("cats", "cat") && !alone("a_B", "B") && !alone("3.5", "3"));
        assert!(!alone("737-200", "200") && !alone("1,234", "234") && !alone("étage", "tage"));
    }
}
