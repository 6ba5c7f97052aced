//! Compares two-word directions, in which the order of the words does not matter: 'front left' is
//! 'left front'.

use super::page::Page;
use super::synonyms::plain_words;
use record::Choice;

/// Words for the two ends of each axis.
const ENDS: [[&[&str]; 2]; 5] = [
    [&["left"], &["right"]],
    [
        &["above", "upper", "top"],
        &["below", "lower", "bottom", "under"],
    ],
    [&["front"], &["back", "rear"]],
    [&["north"], &["south"]],
    [&["east"], &["west"]],
];

/// Returns the axis of a direction word, and all words for the same end.
fn end(word: &str) -> Option<(usize, &'static [&'static str])> {
    ENDS.iter().enumerate().find_map(|(axis, ends)| {
        let words = ends.iter().find(|words| words.contains(&word))?;
        Some((axis, *words))
    })
}

/// Returns true if two words are ends of different axes.
pub(super) fn is_pair(one: &str, other: &str) -> bool {
    matches!((end(one), end(other)), (Some((one, _)), Some((other, _))) if one != other)
}

/// Returns true if an option is a two-word direction, or if two options are ends of different axes;
/// 'upper left' is then none of the single directions.
pub(super) fn are_pairs(options: &[Choice]) -> bool {
    let texts = options
        .iter()
        .map(|option| plain_words(&option.text.to_lowercase()));
    let mut axis = None;
    texts.into_iter().any(|words| match words.as_slice() {
        [one, other] => is_pair(one, other),
        [one] => {
            let own = end(one).map(|(axis, _)| axis);
            let first = *axis.get_or_insert(own);
            halves(one).is_some() || first.is_some() && own.is_some() && own != first
        }
        _ => false,
    })
}

/// Splits a compound word into its two directions: 'northeast'.
pub(super) fn halves(word: &str) -> Option<[&str; 2]> {
    (1..word.len())
        .filter_map(|at| word.split_at_checked(at))
        .find(|(one, other)| is_pair(one, other))
        .map(|(one, other)| [one, other])
}

/// Returns all pairs of words with the same meaning as a two-word direction, in either order; empty
/// for other words.
pub(super) fn pairs(one: &str, other: &str) -> Vec<[&'static str; 2]> {
    match (end(one), end(other)) {
        (Some((axis, ones)), Some((second, others))) if axis != second => {
            let all = ones
                .iter()
                .flat_map(|one| others.iter().map(|other| [*one, *other]));
            all.flat_map(|[one, other]| [[one, other], [other, one]])
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns true if the word at a piece is half of a two-word direction: 'left' in 'front left'.
pub(super) fn is_half(page: &Page, at: usize) -> bool {
    let beside = |other: usize| is_pair(page.lower(at), page.lower(other));
    let before = at
        .checked_sub(1)
        .map(|mark| mark - usize::from(mark > 0 && page.is(mark, '-')));
    let after = at + 1 + usize::from(page.is(at + 1, '-'));
    before.is_some_and(beside) || beside(after)
}
