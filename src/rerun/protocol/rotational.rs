//! The picture at four rotations (`TDBench`'s `RotationalEval`): a model that sees answers all four alike.

use crate::step::{Change, Step};
use crate::summary::Summary;
use format::fixed;
use media::Turn;

/// 0, 90, 180 and 270 degrees clockwise.
pub fn steps() -> Vec<Step> {
    let step =
        |turn: Turn| Step::labelled("rotation", f64::from(turn.degrees()), Change::Turn(turn));
    Turn::EACH.map(step).into()
}

/// RE, VE and MA as `TDBench` has them, over the samples with a score at all four rotations.
pub fn finding(found: &Summary) -> Vec<String> {
    let (_, n) = found.always_right();
    if n == 0 {
        return vec!["no sample has a score at all four rotations yet".to_owned()];
    }
    let ve = fixed(found.mean_of_steps(), 3);
    vec![
        format!(
            "right at all four (RE): {}; mean of four (VE): {ve}; wrong at all four (MA): {}",
            found.always_share(true),
            found.always_share(false)
        ),
        patterns(found),
    ]
}

/// `1111 12, 1101 5, ...`, the most frequent first.
fn patterns(found: &Summary) -> String {
    let mut counts: Vec<(&String, &usize)> = found.patterns.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let words = counts
        .iter()
        .map(|(pattern, count)| format!("{pattern} {count}"));
    format!("patterns: {}", words.collect::<Vec<_>>().join("  "))
}
