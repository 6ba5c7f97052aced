//! Decides whether numbers may describe a known box, in any unit or order.

use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;
use scorer::boxes::ordered;

/// Matches a number that is not part of a name like `x1`.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[^\w.])[-+]?(\d+(?:\.\d+)?|\.\d+)"));

/// Returns true if all corners are at most 1, so the box is in fractions of its picture.
pub fn are_fractions(corners: [f64; 4]) -> bool {
    corners.iter().all(|corner| corner.abs() <= 1.0)
}

/// Returns the numbers in a text, without their signs.
pub fn numbers(text: &str) -> Vec<f64> {
    let found = NUMBER.captures_iter(text);
    found
        .filter_map(|found| found.get(1)?.as_str().parse().ok())
        .collect()
}

/// Returns all runs of four consecutive numbers.
pub fn windows(numbers: &[f64]) -> Vec<[f64; 4]> {
    let four = numbers.windows(4);
    four.filter_map(|four| four.try_into().ok()).collect()
}

/// Returns true if four numbers may be the corners of a known box, in any order and unit.
pub fn is_maybe_same([a, b, c, d]: [f64; 4], known: [f64; 4]) -> bool {
    let known = ordered(known);
    [
        [a, b, c, d],
        [b, a, d, c],
        // All x, then all y.
        [a, c, b, d],
        [c, a, d, b],
        // Width and height instead of the second corner, y first or not.
        [a, b, a + c, b + d],
        [b, a, b + d, a + c],
        [b, a, b + c, a + d],
        // Centre, width and height.
        [a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0],
        [b - d / 2.0, a - c / 2.0, b + d / 2.0, a + c / 2.0],
    ]
    .into_iter()
    .any(|corners| is_scaled(ordered(corners), known))
}

/// Returns true if a point may be the middle of a box. Also true if their units differ, since that
/// cannot be checked.
pub fn is_maybe_in_the_middle([x, y]: [f64; 2], known: [f64; 4]) -> bool {
    let [x0, y0, x1, y1] = ordered(known);
    let in_fractions = are_fractions(known);
    if in_fractions != (x <= 1.0 && y <= 1.0) {
        return true;
    }
    let near = |at: f64, from: f64, to: f64| {
        let slack = 0.1 * (to - from) + if in_fractions { 0.01 } else { 1.0 };
        (at - f64::midpoint(from, to)).abs() <= slack
    };
    near(x, x0, x1) && near(y, y0, y1)
}

/// Returns true if two boxes may be the same in different units. Each axis may have its own factor.
pub fn is_scaled(one: [f64; 4], other: [f64; 4]) -> bool {
    let (one, other) = (ordered(one), ordered(other));
    let unit = |corners: [f64; 4]| if are_fractions(corners) { 0.01 } else { 1.0 };
    let near = |a: f64, b: f64, by: f64| (a - b).abs() <= by;
    if are_fractions(one) && are_fractions(other) {
        return one.iter().zip(other).all(|(a, b)| near(*a, b, 0.011));
    }
    [0, 1].into_iter().all(|axis| {
        let ([low, high], [known_low, known_high]) =
            ([one[axis], one[axis + 2]], [other[axis], other[axis + 2]]);
        if high <= 0.0 || known_high <= 0.0 {
            return near(high, known_high, 1.0);
        }
        let factor = known_high / high;
        // Each number is rounded in its own unit.
        let by = 0.01 * known_high + 0.6 * factor * unit(one) + 0.6 * unit(other);
        near(low * factor, known_low, by)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_none_of_names() {
        assert_eq!(numbers("x1=10, y1: .5 [20%]"), [10.0, 0.5, 20.0]);
        assert_eq!(numbers("12.5,7"), [12.5, 7.0]);
        assert_eq!(windows(&[1.0, 2.0, 3.0]), Vec::<[f64; 4]>::new());
    }

    #[test]
    fn another_box_is_none() {
        let known = [100.0, 60.0, 180.0, 130.0];
        for other in [
            [10.0, 20.0, 40.0, 190.0],
            [0.1, 0.1, 0.2, 0.3],
            [300.0, 250.0, 340.0, 290.0],
        ] {
            assert!(!is_maybe_same(other, known), "{other:?}");
        }
        assert!(is_maybe_same([0.25, 0.3, 0.45, 0.65], known));
        assert!(is_maybe_same(known, [0.25, 0.3, 0.45, 0.65]));
    }
}
