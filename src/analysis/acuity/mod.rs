//! Estimates the acuity of models in exams with levels: the level at which the rate of right
//! answers is halfway between chance and its maximum.

mod change;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rayon::prelude::*;

use super::{Group, LEVEL, Selection, groups};
use crate::metric::acuity::{LEVELS, Posterior, Psychometric, Trials};
use record::benchmark::RightThreshold;
use record::{Row, Table, TagColumn};

pub use change::{
    AcuityChange, ChangeDirection, ItemChanges, PooledChange, acuity_changes, pooled_change,
};

/// Tag with an item's level, 1 to 10.
pub const LEVEL_TAG: &str = "level";
/// Tag with the name and seed of the generator that made an item.
const GENERATOR_TAG: &str = "generator";
/// Tag with an item's chance level: the probability that a blind guess is right.
pub const CHANCE_TAG: &str = "chance";

/// Acuity of one model in one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Acuity {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability that the exam tests.
    pub ability: String,
    /// Model that took the exam.
    pub model: String,
    /// Metric of the scores that are counted as right or wrong.
    pub metric: String,
    /// Threshold, in words, at which a graded score counts as right; `None` for scores of 0
    /// and 1.
    pub rule: Option<String>,
    /// Number of answers; repeats of an item are not counted.
    pub n: u64,
    /// Mean probability that a blind guess is right.
    pub chance: f64,
    /// Threshold in levels and its 95 % interval.
    pub found: crate::metric::acuity::Acuity,
    /// Psychometric curve that the threshold is read from.
    pub curve: Psychometric,
    /// Right answers and all answers, by level.
    pub levels: BTreeMap<u8, (u64, u64)>,
    /// One-sided p value of the worst inversion: a harder level with more right answers than the
    /// next easier one. Multiplied by the number of pairs of levels; `None` with fewer than two
    /// levels.
    pub inversion: Option<f64>,
    /// Posterior distribution of the threshold, for comparisons.
    pub posterior: Posterior,
    /// Two answers near the threshold: a right answer at the hardest level up to it, and a wrong
    /// answer at the easiest level above it. If no such answer exists, the nearest answer on the
    /// other side of the threshold is used.
    pub around: [Option<Row>; 2],
    /// Whether each generated item was answered right, by a key that is the same in every exam.
    pub items: BTreeMap<u64, bool>,
}

/// Returns the acuity of every model in every ability whose items have a level and a chance;
/// empty for other benchmarks.
pub fn acuities(selection: Selection<'_>) -> Vec<Acuity> {
    let (Some(levels), Some(chances)) = (
        selection.table.tag(LEVEL_TAG),
        selection.table.tag(CHANCE_TAG),
    ) else {
        return Vec::new();
    };
    let groups = groups(selection);
    let ranked = groups.par_iter().filter(|group| !group.is_further_filter);
    ranked
        .flat_map_iter(|group| of_group(selection, group, levels, chances))
        .collect()
}

/// Numbers of right and of wrong answers, by level and by the bits of the chance (floats cannot be
/// keys).
type TrialCounts = BTreeMap<(u8, u64), (u64, u64)>;

fn of_group(
    selection: Selection<'_>,
    group: &Group,
    levels: TagColumn<'_>,
    chances: TagColumn<'_>,
) -> Vec<Acuity> {
    if !selection.ticket.is_wanted() {
        return Vec::new();
    }
    let table = selection.table;
    let right = RightThreshold::in_exam(&group.name.name, &group.metric);
    let (scores, seconds) = (
        table.scores(selection.scoring),
        table.seconds(selection.scoring),
    );
    let mut models: BTreeMap<u16, (TrialCounts, Vec<Answer>)> = BTreeMap::new();
    // Repeated answers to an item are not independent: only the first counts.
    let mut taken: BTreeSet<(u16, u32)> = BTreeSet::new();
    for &row in &group.rows {
        let at = row as usize;
        let item = table.item_of()[at];
        let (Some(level), Some(chance)) = (
            levels.number(item as usize).and_then(whole_level),
            chances.number(item as usize),
        ) else {
            continue;
        };
        let second = seconds.get(at).copied().unwrap_or(f64::NAN);
        // An answer without a score could not be read and counts as wrong. A truncated answer with
        // a score counts by its score, as in all other results.
        let is_right = right.judge(scores[at], second) == Some(true);
        let model = table.model_of()[at];
        if !taken.insert((model, item)) {
            continue;
        }
        let (counts, answers) = models.entry(model).or_default();
        answers.push((level, Row(row), is_right));
        let count = counts.entry((level, chance.to_bits())).or_default();
        if is_right {
            count.0 += 1;
        } else {
            count.1 += 1;
        }
    }
    let names = table.names().models.values();
    let of_model = |(model, (counts, answers)): (u16, (TrialCounts, Vec<Answer>))| {
        let found = acuity(&counts);
        Some(Acuity {
            benchmark: group.name.benchmark.clone(),
            ability: group.name.name.clone(),
            model: names.get(usize::from(model))?.clone(),
            metric: group.metric.clone(),
            rule: right.words(),
            around: around(found.found.threshold, &answers),
            items: items(table, &answers),
            ..found
        })
    };
    models.into_iter().filter_map(of_model).collect()
}

/// Level, prediction, and whether the prediction is right.
type Answer = (u8, Row, bool);

/// Returns [`Acuity::items`]. The key of an item is a hash of its generator tag (name and seed) and
/// its id.
fn items(table: &Table, answers: &[Answer]) -> BTreeMap<u64, bool> {
    let Some(generators) = table.tag(GENERATOR_TAG) else {
        return BTreeMap::new();
    };
    let item = |(_, row, is_right): &Answer| {
        let item = table.item(*row);
        let mut hasher = DefaultHasher::new();
        let generator = generators.text(item.0 as usize)?;
        (generator, table.sample_id(item)).hash(&mut hasher);
        Some((hasher.finish(), *is_right))
    };
    answers.iter().filter_map(item).collect()
}

/// Picks the two answers for [`Acuity::around`].
fn around(threshold: f64, answers: &[Answer]) -> [Option<Row>; 2] {
    let nearest = |wanted: bool| {
        let alike = answers.iter().filter(|(_, _, right)| *right == wanted);
        // Prefers answers on the expected side of the threshold, then answers near the threshold.
        let order = |(level, _, _): &&Answer| {
            let beyond = if wanted {
                f64::from(*level) - threshold
            } else {
                threshold - f64::from(*level)
            };
            (beyond > 0.0, beyond.abs())
        };
        let first = alike.min_by(|one, other| {
            let ((is_beyond, far), (is_other, other)) = (order(one), order(other));
            is_beyond.cmp(&is_other).then(far.total_cmp(&other))
        });
        first.map(|(_, row, _)| *row)
    };
    [nearest(true), nearest(false)]
}

/// Converts a tag to a level; `None` unless it is a whole number from 1 to 10.
fn whole_level(level: f64) -> Option<u8> {
    (1..=LEVELS).find(|known| (f64::from(*known) - level).abs() < 1e-9)
}

/// Computes the acuity from counts; names stay empty.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn acuity(counts: &TrialCounts) -> Acuity {
    let trials: Vec<Trials> = counts
        .iter()
        .map(|(&(level, chance), &(right, wrong))| Trials {
            level,
            chance: f64::from_bits(chance),
            right,
            wrong,
        })
        .collect();
    let mut levels: BTreeMap<u8, (u64, u64)> = BTreeMap::new();
    let (mut n, mut chance) = (0, 0.0);
    for trials in &trials {
        let answers = trials.right + trials.wrong;
        let level = levels.entry(trials.level).or_default();
        *level = (level.0 + trials.right, level.1 + answers);
        n += answers;
        chance += trials.chance * answers as f64;
    }
    let posterior = Posterior::of(&trials);
    Acuity {
        benchmark: String::new(),
        ability: String::new(),
        model: String::new(),
        metric: String::new(),
        rule: None,
        n,
        chance: chance / n.max(1) as f64,
        found: posterior.acuity(LEVEL),
        curve: posterior.curve(),
        inversion: inversion(&levels),
        levels,
        posterior,
        around: [None, None],
        items: BTreeMap::new(),
    }
}

/// Computes [`Acuity::inversion`]: a z test of two shares for each pair of neighbouring levels.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
fn inversion(levels: &BTreeMap<u8, (u64, u64)>) -> Option<f64> {
    use statrs::distribution::{ContinuousCDF as _, Normal};
    let normal = Normal::standard();
    let counts: Vec<(f64, f64)> = levels
        .values()
        .map(|(right, n)| (*right as f64, *n as f64))
        .collect();
    let pairs = counts.len().saturating_sub(1);
    let p = counts.windows(2).map(|pair| match pair {
        [(easy, m), (hard, n)] => {
            // Adds half a right and half a wrong answer to each level, so that no share is 0 or 1.
            let pooled = (easy + hard + 1.0) / (m + n + 2.0);
            let error = (pooled * (1.0 - pooled) * (1.0 / m + 1.0 / n)).sqrt();
            normal.sf((hard / n - easy / m) / error)
        }
        _ => 1.0,
    });
    let least = p.reduce(f64::min)?;
    Some((least * pairs as f64).min(1.0))
}

impl Acuity {
    /// Returns the threshold with its interval as text: `6.3 [5.1, 7.4]`.
    pub fn words(&self) -> String {
        let [low, high] = self
            .found
            .ends()
            .map(crate::metric::acuity::ThresholdPosition::words);
        format!("{} [{low}, {high}]", self.found.reach().words())
    }

    /// Returns the ends of the interval in levels; `None` for an end outside the levels.
    pub fn ends(&self) -> [Option<f64>; 2] {
        self.found
            .ends()
            .map(crate::metric::acuity::ThresholdPosition::level)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn counts(by_level: &[(u8, u64, u64)]) -> TrialCounts {
        let one =
            |&(level, right, wrong): &(u8, u64, u64)| ((level, 0.25_f64.to_bits()), (right, wrong));
        by_level.iter().map(one).collect()
    }

    #[test]
    fn a_model_that_reads_up_to_level_five_has_that_acuity() {
        let by_level: Vec<(u8, u64, u64)> = (1..=10)
            .map(|level| {
                if level <= 5 {
                    (level, 20, 0)
                } else {
                    (level, 5, 15)
                }
            })
            .collect();
        let found = acuity(&counts(&by_level));
        assert_eq!((found.n, found.levels[&7]), (200, (5, 20)));
        assert!((found.chance - 0.25).abs() < 1e-12);
        let level = found.found.reach().level().unwrap();
        assert!((5.0..6.2).contains(&level), "{level}");
        assert!(found.words().starts_with("5."), "{}", found.words());
        assert!(found.inversion.unwrap() > 0.5);
        let [low, high] = found.ends();
        assert!(low.unwrap() < level && level < high.unwrap());
    }

    #[test]
    fn easier_items_that_are_read_less_often_are_an_inversion() {
        let found = acuity(&counts(&[(3, 5, 45), (4, 48, 2)]));
        assert!(found.inversion.unwrap() < 1e-6);
        assert_eq!(acuity(&counts(&[(3, 5, 45)])).inversion, None);
    }

    /// Acuity of a model that answers right up to level `last` and guesses above it; `each` items
    /// per level.
    pub fn upto(last: u8, each: u64) -> Acuity {
        let by_level: Vec<(u8, u64, u64)> = (1..=10)
            .map(|level| {
                let right = if level <= last { each } else { each / 4 };
                (level, right, each - right)
            })
            .collect();
        acuity(&counts(&by_level))
    }

    #[test]
    fn the_answers_at_the_threshold_are_the_last_read_and_the_first_missed() {
        let answers = [
            (2, Row(0), true),
            (5, Row(1), true),
            (5, Row(2), false),
            (6, Row(3), true),
            (6, Row(4), false),
            (9, Row(5), false),
        ];
        assert_eq!(around(5.4, &answers), [Some(Row(1)), Some(Row(4))]);
        // Falls back to the other side of the threshold.
        assert_eq!(around(1.0, &answers), [Some(Row(0)), Some(Row(2))]);
        assert_eq!(around(11.0, &answers), [Some(Row(3)), Some(Row(5))]);
        assert_eq!(around(5.0, &answers[..2]), [Some(Row(1)), None]);
    }

    #[test]
    fn levels_are_whole() {
        assert_eq!(whole_level(10.0), Some(10));
        assert_eq!(
            (whole_level(0.0), whole_level(2.5), whole_level(11.0)),
            (None, None, None)
        );
    }
}
