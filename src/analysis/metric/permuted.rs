//! Tests by permutation whether a correlation is lower than chance explains.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{pearson, real};

/// Maximum number of assignments that are enumerated.
const MOST_WAYS: u64 = 20_000;
/// Relative difference below which sums are equal up to rounding.
const ROUNDING: f64 = 1e-12;

/// Computes the correlation of two lists of equal length, and its one-sided p value: the
/// probability of a correlation this low or lower if the values are paired at random. `None` if the
/// correlation is undefined.
///
/// The p value is exact if the first list has only two distinct values, for example right and
/// wrong, and the values can be assigned in few ways. Otherwise Student's t with two degrees of
/// freedom less than values is used; it has the same first four moments.
///
/// Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any
/// populations. II. The correlation coefficient test", Supplement to the JRSS 4 (1937).
pub fn correlation_with_p_less(first: &[f64], second: &[f64]) -> Option<(f64, f64)> {
    let correlation = pearson(first, second).ok()?;
    Some((correlation, p_less(correlation, first, second)?))
}

fn p_less(correlation: f64, first: &[f64], second: &[f64]) -> Option<f64> {
    let highest = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = first.iter().copied().fold(f64::INFINITY, f64::min);
    #[expect(clippy::float_cmp, reason = "compares the values themselves")]
    let is_high = |value: f64| value == highest;
    #[expect(clippy::float_cmp, reason = "compares the values themselves")]
    let are_two = first
        .iter()
        .all(|value| is_high(*value) || *value == lowest);
    let chosen = first.iter().filter(|value| is_high(**value)).count();
    let all = ways(second.len(), chosen);
    if are_two && all <= MOST_WAYS {
        let pairs = first.iter().zip(second);
        let seen: f64 = pairs
            .filter(|(own, _)| is_high(**own))
            .map(|(_, other)| other)
            .sum();
        let size: f64 = second.iter().map(|value| value.abs()).sum();
        let low = count(second, chosen, seen + ROUNDING * size);
        return Some(real(low) / real(all));
    }
    let freedom = real(first.len() as u64) - 2.0;
    let law = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let rest = (1.0 - correlation * correlation).max(0.0);
    if rest <= ROUNDING {
        return Some(if correlation > 0.0 { 1.0 } else { 0.0 });
    }
    Some(law.cdf(correlation * (freedom / rest).sqrt()))
}

/// Returns the number of ways to choose `chosen` of `all`; stops just above [`MOST_WAYS`].
fn ways(all: usize, chosen: usize) -> u64 {
    let fewer = chosen.min(all - chosen) as u64;
    let mut ways = 1_u64;
    for at in 0..fewer {
        ways = ways * (all as u64 - at) / (at + 1);
        if ways > MOST_WAYS {
            break;
        }
    }
    ways
}

/// Counts the ways to choose `chosen` values with a sum of at most `most`.
fn count(values: &[f64], chosen: usize, most: f64) -> u64 {
    fn walk(values: &[f64], chosen: usize, sum: f64, most: f64, found: &mut u64) {
        if chosen == 0 {
            *found += u64::from(sum <= most);
            return;
        }
        for (at, value) in values.iter().enumerate() {
            if values.len() - at < chosen {
                break;
            }
            walk(&values[at + 1..], chosen - 1, sum + value, most, found);
        }
    }
    let mut found = 0;
    walk(values, chosen, 0.0, most, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_right_of_five_by_hand() {
        // `0.1 + 0.2` is the lowest of ten sums, `0.1 + 0.3` the second.
        let others = [0.1, 0.2, 0.3, 0.5, 0.9];
        let p = |own: [f64; 5]| correlation_with_p_less(&own, &others).unwrap().1;
        assert!((p([1.0, 1.0, 0.0, 0.0, 0.0]) - 0.1).abs() < 1e-12);
        assert!((p([1.0, 0.0, 1.0, 0.0, 0.0]) - 0.2).abs() < 1e-12);
        assert!((p([0.0, 0.0, 0.0, 1.0, 1.0]) - 1.0).abs() < 1e-12);
        assert_eq!(correlation_with_p_less(&[1.0; 5], &others), None);
    }

    /// Reference: `scipy.stats.pearsonr(..., alternative="less")`.
    #[test]
    fn graded_values_get_students_test() {
        let found = correlation_with_p_less(&[0.1, 0.4, 0.3, 0.9, 0.7], &[0.8, 0.6, 0.9, 0.2, 0.4]);
        assert!(
            (found.unwrap().1 - 0.009_874_565_617_3).abs() < 1e-9,
            "{found:?}"
        );
    }

    #[test]
    fn chance_is_found_as_often_as_it_says() {
        let mut normals = crate::metric::normal::Normals::new(8);
        let mut found = 0;
        for _ in 0..4_000 {
            let own: Vec<f64> = (0..12)
                .map(|_| f64::from(u8::from(normals.draw() > 0.2)))
                .collect();
            let others: Vec<f64> = (0..12).map(|_| normals.draw()).collect();
            let p = correlation_with_p_less(&own, &others);
            found += u32::from(p.is_some_and(|(_, p)| p <= 0.05));
        }
        assert!((150..=225).contains(&found), "{found} of 4,000 at 5 %");
    }
}
