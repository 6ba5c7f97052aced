//! Assigns each item its class and split.

use super::Split;
use crate::Rng;

/// One in this many items is a test item.
const TEST: usize = 5;

/// Classes and splits of one ability's items, in random order.
///
/// Class counts differ by at most one, and a fifth of each class is in the test split.
#[derive(Clone, Debug)]
pub struct Schedule {
    order: Vec<usize>,
    classes: usize,
}

impl Schedule {
    /// Creates a schedule of `items` items in `classes` classes.
    pub fn new(items: usize, classes: usize, mut rng: Rng) -> Self {
        let mut order: Vec<usize> = (0..items).collect();
        rng.shuffle(&mut order);
        Self {
            order,
            classes: classes.max(1),
        }
    }

    fn rank(&self, item: usize) -> usize {
        self.order.get(item).copied().unwrap_or(item)
    }

    /// Class of the item with this number.
    pub fn class(&self, item: usize) -> usize {
        self.rank(item) % self.classes
    }

    /// Split of the item with this number.
    pub fn split(&self, item: usize) -> Split {
        let rank = self.rank(item);
        // Along diagonals, so that all classes reach the test split evenly.
        match (rank / self.classes + rank % self.classes) % TEST {
            0 => Split::Test,
            _ => Split::Train,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_splits_are_balanced() {
        for (items, classes) in [(200, 40), (250, 7), (100, 9), (300, 14), (60, 2)] {
            let schedule = Schedule::new(items, classes, Rng::new(4, &[]));
            let mut counts = vec![[0_usize; 2]; classes];
            for item in 0..items {
                counts[schedule.class(item)][usize::from(schedule.split(item) == Split::Test)] += 1;
            }
            let tests: usize = counts.iter().map(|[_, test]| test).sum();
            assert!(tests.abs_diff(items / 5) <= 4, "{tests} of {items}");
            for [train, test] in counts {
                assert!((train + test).abs_diff(items / classes) <= 1);
                assert!(test >= 1 && train > 2 * test, "{train} {test}");
            }
        }
    }

    #[test]
    fn numbers_do_not_tell_the_class() {
        let schedule = Schedule::new(400, 2, Rng::new(9, &[]));
        let repeats = (1..400).filter(|&at| schedule.class(at) == schedule.class(at - 1));
        assert!((150..250).contains(&repeats.count()));
    }
}
