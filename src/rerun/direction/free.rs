//! An answer in free words, which says a direction as its question does: of `left or right of the cup`, which becomes
//! `above or below the cup`, the answer `left` becomes `above`, and not `top`.

use super::lexicon::{Side, single};
use super::passage::Passage;
use super::sense::like;
use super::{Doubt, Edit, Said};

/// Words beside a direction that say nothing of it.
const BESIDE: &[&str] = &["to", "the", "of", "on", "at", "side"];

/// The only side that a text names.
fn side_of(text: &str) -> Option<Side> {
    let passage = Passage::new(text);
    let mut sides = (0..passage.len()).filter_map(|at| single(passage.word(at)));
    let (side, _) = sides.next()?;
    sides.all(|(other, _)| other == side).then_some(side)
}

/// The direction of a text that names one, and nothing else but what stands beside it.
fn answer(text: &str) -> Option<Side> {
    let passage = Passage::new(text);
    let is_beside = |word: &str| BESIDE.contains(&word) || single(word).is_some();
    let says_only = (0..passage.len()).all(|at| is_beside(passage.word(at)));
    side_of(text).filter(|_| says_only)
}

/// Makes an answer `new`, which was `old`, say a direction in the words in which its question says it now. `edits` are
/// those of the question's words.
///
/// # Errors
/// The question says that direction in several ways, of which the answer is none.
pub fn as_the_question_says(
    question: &str,
    edits: &[Edit],
    old: &str,
    new: &mut Said,
) -> Result<(), Doubt> {
    let (Some(before), Some(after)) = (answer(old), answer(&new.text)) else {
        return Ok(());
    };
    if before.is_across() == after.is_across() {
        return Ok(());
    }
    let said_before = |edit: &&Edit| question.get(edit.0.clone()).and_then(side_of) == Some(before);
    let mut ways: Vec<&str> = edits
        .iter()
        .filter(said_before)
        .map(|(_, new)| new.as_str())
        .collect();
    ways.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
    let way = match ways.as_slice() {
        [] => return Ok(()),
        [way] => *way,
        several
            if several
                .iter()
                .any(|way| way.eq_ignore_ascii_case(&new.text)) =>
        {
            return Ok(());
        }
        _ => return Err(Doubt("a direction that the question says in several ways")),
    };
    // The answer `left` to `on the left or right` is `top`, and not `at the top`.
    let is_alone = Passage::new(old).len() == 1;
    let place = way.strip_prefix("at the ").or(way.strip_prefix("on the "));
    let way = place.filter(|_| is_alone).unwrap_or(way);
    let bare = old.trim().trim_end_matches('.');
    let Some(start) = old.find(bare).filter(|_| !bare.is_empty()) else {
        return Ok(());
    };
    let said = like(bare, &way.to_lowercase());
    let text = [&old[..start], &said, &old[start + bare.len()..]].concat();
    new.marked = format!("‹{old} → {text}›");
    new.changes = 1;
    new.text = text;
    Ok(())
}
