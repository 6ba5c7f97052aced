//! Bounds false findings among guesses that are right, by counting those that are wrong.

use super::FALSE_FINDINGS;

/// An answer given without the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// True if it is the annotated answer.
    pub is_right: bool,
    /// Probability that it is right by chance, between 0 and 1, both excluded.
    pub chance: f64,
    /// Confidence; only the order matters. Guesses with 0 or less are never named.
    pub confidence: f64,
}

/// Returns the lowest confidence from which right guesses are, with at most [`FALSE_FINDINGS`] of
/// them by chance; `None` if there is none.
///
/// A guess that is right with probability `c` by chance is wrong `(1 - c) / c` times as often, so
/// each wrong one stands for `c / (1 - c)` that are right by chance; one is added.
///
/// Source: R. F. Barber and E. J. Candès, Annals of Statistics 43 (2015), equation 1.9
/// (knockoff+), with weights for unequal chances.
pub fn lowest_sure(guesses: &[Guess]) -> Option<f64> {
    let mut falling: Vec<&Guess> = guesses.iter().filter(|it| it.confidence > 0.0).collect();
    falling.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut right, mut by_chance, mut lowest) = (0.0, 1.0, None);
    for (at, guess) in falling.iter().enumerate() {
        if guess.is_right {
            right += 1.0;
        } else {
            by_chance += guess.chance / (1.0 - guess.chance);
        }
        // Equal confidences stay together.
        let next = falling.get(at + 1);
        let is_last = next.is_none_or(|next| next.confidence < guess.confidence);
        if is_last && by_chance <= FALSE_FINDINGS * right {
            lowest = Some(guess.confidence);
        }
    }
    lowest
}

#[cfg(test)]
mod tests {
    use super::{Guess, lowest_sure};

    fn guesses(right: usize, wrong: usize, confidence: f64) -> Vec<Guess> {
        let guess = |is_right| Guess {
            is_right,
            chance: 0.25,
            confidence,
        };
        let right = (0..right).map(|_| guess(true));
        right.chain((0..wrong).map(|_| guess(false))).collect()
    }

    #[test]
    fn twenty_right_guesses_are_the_fewest_that_are_named() {
        assert_eq!(lowest_sure(&guesses(19, 0, 2.0)), None);
        assert_eq!(lowest_sure(&guesses(20, 0, 2.0)), Some(2.0));
        assert_eq!(lowest_sure(&guesses(20, 1, 2.0)), None);
        assert_eq!(lowest_sure(&guesses(40, 0, 0.0)), None);
    }

    #[test]
    fn guesses_at_chance_end_the_list() {
        let mut all = guesses(60, 3, 2.0);
        all.extend(guesses(10, 30, 1.0));
        assert_eq!(lowest_sure(&all), Some(2.0));
        all.extend(guesses(400, 0, 0.5));
        assert_eq!(lowest_sure(&all), Some(0.5));
    }
}
