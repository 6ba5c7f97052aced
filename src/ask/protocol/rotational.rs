//! Protocol `rotational`: shows the picture at four rotations, as in `TDBench`'s `RotationalEval`.

use crate::step::{Change, Step};
use crate::summary::Summary;
use base::format::fixed;
use media::Turn;

/// One step each for 0, 90, 180 and 270 degrees clockwise.
pub fn steps() -> Vec<Step> {
    let step =
        |turn: Turn| Step::labelled("rotation", f64::from(turn.degrees()), Change::Turn(turn));
    Turn::EACH.map(step).into()
}

/// Reports RE, VE and MA as defined by `TDBench`, over the samples with a
/// score at all four rotations.
pub fn finding(found: &Summary) -> Vec<String> {
    let (_, n) = found.always_right();
    if n == 0 {
        return vec!["no sample has a score at all four rotations yet".to_owned()];
    }
    let ve = fixed(found.mean_of_steps(), 3);
    vec![
        format!(
            "right at all four (RE): {}; mean of four (VE): {ve}; wrong at all four (MA): {}",
            found.always_right_share(),
            found.always_wrong_share()
        ),
        patterns(found),
    ]
}

/// Formats the patterns of right and wrong, most frequent first: `1111 12, 1101 5, ...`.
fn patterns(found: &Summary) -> String {
    let mut counts: Vec<(&String, &usize)> = found.patterns.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let words = counts
        .iter()
        .map(|(pattern, count)| format!("{pattern} {count}"));
    format!("patterns: {}", words.collect::<Vec<_>>().join("  "))
}
