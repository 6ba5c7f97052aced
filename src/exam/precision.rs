//! Predicts the precision of an exam's results, and the number of questions for more precision.

use std::collections::BTreeMap;

use super::Item;
use analysis::metric::acuity::{PlannedQuestions, expected_width};
use analysis::metric::{needed_for_reach, wilson_of_share};
use analysis::{CHANCE_TAG, LEVEL_TAG};
use base::format::{compact, whole};
use record::Value;

/// Confidence level of the intervals.
const LEVEL: f64 = 0.95;
/// Interval lengths of acuity, in levels, for which the required number of questions is computed.
const WIDTHS: [f64; 2] = [2.0, 1.0];
/// Half-width of a share's interval for which the required number of questions is computed.
const REACH: f64 = 0.05;
/// Multiples of the number of questions for which the precision is computed.
const MULTIPLES: [f64; 4] = [0.25, 1.0, 4.0, 16.0];

/// Returns sentences on the precision of an exam with these items: the expected interval length of
/// acuity, if they have levels, and of a share of right answers. Empty without items.
pub fn precision(items: &[Item]) -> Vec<String> {
    let mut abilities: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items {
        abilities.entry(&item.ability).or_default().push(item);
    }
    let count = abilities.len();
    if count == 0 {
        return Vec::new();
    }
    let plans: Option<Vec<Plan>> = abilities.values().map(|items| plan(items)).collect();
    let acuity = plans.map(|plans| acuity_words(&plans, items.len()));
    let share = share_words(items.len() / count);
    acuity.into_iter().chain(share).collect()
}

/// Number of questions of an ability, by level and by the bits of the chance level.
type Plan = BTreeMap<(u8, u64), f64>;

/// Returns the plan of an ability; `None` if an item has no level.
fn plan(items: &[&Item]) -> Option<Plan> {
    let mut plan = Plan::new();
    for item in items {
        let tag = |name: &str| item.content.tags.get(name).and_then(Value::number);
        let level = tag(LEVEL_TAG)?;
        let level = (1..=10).find(|known| (f64::from(*known) - level).abs() < 0.5)?;
        *plan.entry((level, tag(CHANCE_TAG)?.to_bits())).or_default() += 1.0;
    }
    Some(plan)
}

/// Returns the mean expected length of the intervals if each plan asks `times` as many questions.
fn mean_width(plans: &[Plan], times: f64) -> f64 {
    let mut known: BTreeMap<Vec<(u8, u64, u64)>, f64> = BTreeMap::new();
    let widths = plans.iter().map(|plan| {
        let key = plan
            .iter()
            .map(|((level, chance), count)| (*level, *chance, count.to_bits()));
        let planned = || {
            let planned = plan
                .iter()
                .map(|((level, chance), count)| PlannedQuestions {
                    level: *level,
                    chance: f64::from_bits(*chance),
                    count: count * times,
                });
            expected_width(&planned.collect::<Vec<_>>())
        };
        *known.entry(key.collect()).or_insert_with(planned)
    });
    let (sum, count) = widths.fold((0.0, 0.0), |(sum, count), width| (sum + width, count + 1.0));
    sum / count
}

fn acuity_words(plans: &[Plan], questions: usize) -> String {
    let widths = MULTIPLES.map(|times| mean_width(plans, times));
    let [_, now, ..] = widths;
    let needed = WIDTHS.iter().filter_map(|wanted| {
        let times = times_needed(&widths, *wanted)?;
        let count = f64::from(u32::try_from(questions).ok()?) * times;
        let unit = if *wanted > 1.0 { "levels" } else { "level" };
        Some(format!("; about {} for {wanted} {unit}", rounded(count)))
    });
    format!(
        "expected precision: 95 % intervals of acuity are about {now:.1} levels wide with these {} questions{}",
        compact(questions as u64),
        needed.collect::<String>()
    )
}

/// Interpolates the multiple of the questions at which the width is `wanted`; `None` outside the
/// computed range.
fn times_needed(widths: &[f64; MULTIPLES.len()], wanted: f64) -> Option<f64> {
    let points = || widths.iter().zip(MULTIPLES);
    let mut pairs = points().zip(points().skip(1));
    let ((wide, few), (narrow, many)) =
        pairs.find(|((wide, _), (narrow, _))| **wide >= wanted && **narrow <= wanted)?;
    let share = if wide > narrow {
        (wide.ln() - wanted.ln()) / (wide.ln() - narrow.ln())
    } else {
        0.0
    };
    Some(few * (many / few).powf(share))
}

/// Rounds a count of questions to two digits.
fn rounded(count: f64) -> String {
    let unit = 10_f64.powf((count.max(10.0).log10()).floor() - 1.0);
    compact(whole((count / unit).ceil() * unit))
}

/// Describes the precision of a share of 0.5 in one ability with `each` questions.
fn share_words(each: usize) -> Option<String> {
    let n = f64::from(u32::try_from(each).ok()?);
    let interval = wilson_of_share(0.5, n, LEVEL)?;
    let needed = needed_for_reach(0.5, REACH, LEVEL)?;
    Some(format!(
        "expected precision: accuracy of an ability ±{:.2} with {} questions; ±{REACH} needs {} questions",
        (interval.high - interval.low) / 2.0,
        compact(each as u64),
        compact(needed)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_set::TestSet;
    use crate::training_set::TrainingSet;

    fn items(training_set: TrainingSet, count: usize) -> Vec<Item> {
        TestSet::new(training_set, &[], Some(count), 5)
            .ok()
            .unwrap()
            .items()
    }

    #[test]
    fn an_exam_with_levels_says_how_long_its_intervals_are() {
        let words = precision(&items(TrainingSet::Exam, 560));
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(
            words[0].contains("with these 560 questions; about "),
            "{words:?}"
        );
        assert!(words[0].ends_with(" for 1 level"), "{words:?}");
        // Wilson's interval of a half at n 40 has a half-width of .1480; 381 questions for .05.
        assert!(words[1].contains("±0.15 with 40 questions"), "{words:?}");
        assert!(words[1].ends_with("±0.05 needs 381 questions"), "{words:?}");
    }

    #[test]
    fn sets_without_levels_have_shares_only() {
        let words = precision(&items(TrainingSet::Gepbench, 24));
        assert_eq!(words.len(), 1, "{words:?}");
        assert!(precision(&[]).is_empty());
    }

    #[test]
    fn a_multiple_is_interpolated_between_the_computed_ones() {
        let widths = [8.0, 4.0, 2.0, 1.0];
        assert_eq!(times_needed(&widths, 2.0), Some(4.0));
        assert_eq!(times_needed(&widths, 0.2), None);
        let between = times_needed(&widths, 8.0_f64.sqrt()).unwrap();
        assert!((between - 2.0).abs() < 1e-9, "{between}");
    }
}
