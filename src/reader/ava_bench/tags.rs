//! Numeric tags from the ground truth. The harness groups its scores by these tags.
//!
//! The evaluators (`counting/vqa_accuracy.py`, `abs_depth/eval.py`, `ocr/eval.py`) compute their
//! bins from these numbers. Parsing therefore reproduces the quirks of the evaluators.

use record::{Labels, Value};

/// Adds the numeric tag of a sample, derived from its ground truth.
pub fn add(ability: &str, truth: &str, tags: &mut Labels) {
    let (name, value) = match ability {
        "counting" => ("count", count(truth)),
        "absolute_depth" => ("depth_m", middle(truth)),
        "ocr" => ("text_length", length(truth)),
        "localization" => ("box_area", box_area(truth)),
        _ => return,
    };
    if let Some(value) = value {
        tags.entry(name.to_owned()).or_insert(Value::Number(value));
    }
}

fn count(truth: &str) -> Option<f64> {
    let words = [
        "none", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten",
    ];
    let text = truth.trim().to_lowercase();
    let named = words
        .iter()
        .position(|word| *word == text)
        .map(|at| at.saturating_sub(1));
    named
        .map(|number| f64::from(u8::try_from(number).unwrap_or_default()))
        .or_else(|| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
}

/// Returns the mean of the last two whole numbers in a text, or the only number. A decimal number
/// counts as two whole numbers.
fn middle(truth: &str) -> Option<f64> {
    let joined = without_thousands(truth);
    let numbers: Vec<f64> = joined
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.parse().ok())
        .collect();
    match numbers.as_slice() {
        [] => None,
        [one] => Some(*one),
        [.., a, b] => Some(f64::midpoint(*a, *b)),
    }
}

/// Removes thousands separators: `1,005` is one number, `5-10` are two.
fn without_thousands(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let keep = |(at, c): (usize, char)| {
        (c != ',' || !digit(at.checked_sub(1)) || !digit(Some(at + 1))).then_some(c)
    };
    text.char_indices().filter_map(keep).collect()
}

fn length(truth: &str) -> Option<f64> {
    let characters = truth
        .replace(['\n', '\t'], " ")
        .trim()
        .to_lowercase()
        .chars()
        .count();
    u32::try_from(characters).ok().map(f64::from)
}

/// Returns the area of a box as a fraction of the picture. The box is given in fractions.
fn box_area(truth: &str) -> Option<f64> {
    let parts = truth.trim().trim_matches(['[', ']', '(', ')']).split(',');
    let corners: Vec<f64> = parts.filter_map(|part| part.trim().parse().ok()).collect();
    match *corners.as_slice() {
        [x0, y0, x1, y1] if corners.iter().all(|c| (0.0..=1.0).contains(c)) => {
            Some((x1 - x0).abs() * (y1 - y0).abs())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{box_area, count, middle};

    #[test]
    fn numbers_are_read_as_the_evaluators_read_them() {
        assert_eq!(count("five"), Some(5.0));
        assert_eq!(count("1,005"), Some(1005.0));
        assert_eq!(middle("5-10 m"), Some(7.5));
        assert_eq!(middle("3.5"), Some(4.0));
        assert_eq!(middle("1,005"), Some(1005.0));
        assert_eq!(middle("near"), None);
        assert_eq!(
            box_area("[0.1, 0.1, 0.6, 0.3]").map(|area| (area * 1e9).round()),
            Some(1e8)
        );
        assert_eq!(box_area("[10, 10, 60, 30]"), None);
    }
}
