//! Computes the average normalised Levenshtein similarity (ANLS) of two texts, as in the paper
//! and as in the harness.

use rapidfuzz::distance::levenshtein;

use super::python;

/// Computes `1 - Lev(p, g) / max(|p|, |g|)` over Unicode characters, 0 to 1: the equation of the
/// AVA-Bench paper (Table 1), without threshold and case-sensitive. Two empty texts give 1.
pub fn anls_strict(prediction: &str, target: &str) -> f64 {
    let longest = prediction.chars().count().max(target.chars().count());
    1.0 - normalised(distance(prediction, target), longest)
}

/// Computes ANLS of the Python package `anls` 0.0.2 with its threshold of 0.5, which AVA-Bench's
/// `ocr/eval.py` calls. White space is collapsed, case is ignored, and the result is 0 if half of
/// the characters or more differ.
///
/// Lengths are those of the upper-cased texts, so `ß` counts as two characters.
pub fn anls_harness(prediction: &str, target: &str) -> f64 {
    let prediction = collapsed(prediction);
    let target = collapsed(target);
    let longest = upper_length(&prediction).max(upper_length(&target));
    let differing = normalised(distance(&prediction, &target), longest);
    if differing < 0.5 {
        1.0 - differing
    } else {
        0.0
    }
}

/// Computes the Levenshtein distance in Unicode characters.
fn distance(a: &str, b: &str) -> usize {
    levenshtein::distance(a.chars(), b.chars())
}

/// Divides a distance by the longest length; 0 for two empty texts.
#[expect(
    clippy::cast_precision_loss,
    reason = "a text of 2^53 characters does not fit in memory"
)]
pub(super) fn normalised(distance: usize, longest: usize) -> f64 {
    if longest == 0 {
        0.0
    } else {
        distance as f64 / longest as f64
    }
}

/// Lower-cases a text and collapses its white space.
pub(super) fn collapsed(text: &str) -> String {
    python::split(&text.to_lowercase())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the number of characters of the upper-cased text.
pub(super) fn upper_length(text: &str) -> usize {
    text.chars()
        .map(|character| character.to_uppercase().count())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{anls_harness, anls_strict};

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn strict_keeps_case_and_counts_characters() {
        assert!(near(anls_strict("STOP", "stop"), 0.0));
        assert!(near(anls_strict("naïve", "naive"), 0.8));
        assert!(near(anls_strict("OPEN", "OPEN 24 HRS"), 4.0 / 11.0));
        assert!(near(anls_strict("", ""), 1.0));
        assert!(near(anls_strict("", "a"), 0.0));
    }

    #[test]
    fn harness_ignores_case_and_has_a_threshold() {
        assert!(near(anls_harness("STOP ", "stop"), 1.0));
        assert!(near(anls_harness("a \n b", "A B"), 1.0));
        assert!(near(anls_harness("lxbrary", "library"), 1.0 - 1.0 / 7.0));
        // Exactly half of the characters differ, which already gives 0.
        assert!(near(anls_harness("ST", "STOP"), 0.0));
        assert!(near(anls_harness("", ""), 1.0));
        // One edit; the length counts `ß` as two characters.
        assert!(near(anls_harness("ßa", "ßb"), 1.0 - 1.0 / 3.0));
    }
}
