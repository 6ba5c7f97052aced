//! Describes the result of a comparison in sentences.

use super::{Comparison, Conclusion, FALSE_FINDINGS, MIN_PAIRS, PairedDifference, UnpairedCounts};
use crate::metric::Interval;
use base::format::{compact, counted, fixed};
use record::benchmark::{Direction, metric_words};

/// Number of decimals of a score in a sentence.
pub(super) const DECIMALS: usize = 3;

/// Describes a row in one sentence; `a` and `b` name the sides.
pub fn sentence(row: &PairedDifference, a: &str, b: &str) -> String {
    row_sentence(row, &row.ability.name, a, b)
}

/// Like [`sentence`], but adds the benchmark if another row in `all` has an ability with the same
/// name.
pub fn sentence_among(
    row: &PairedDifference,
    all: &[&PairedDifference],
    a: &str,
    b: &str,
) -> String {
    let (own, name) = (&row.ability.benchmark, &row.ability.name);
    let is_other =
        |other: &&PairedDifference| other.ability.name == *name && other.ability.benchmark != *own;
    if all.iter().any(is_other) {
        return row_sentence(row, &format!("{name} of {own}"), a, b);
    }
    sentence(row, a, b)
}

fn row_sentence(row: &PairedDifference, ability: &str, a: &str, b: &str) -> String {
    let place = match &row.bin {
        None => ability.to_owned(),
        Some((by, bin)) => format!("{ability} ({by} {bin})"),
    };
    if let (Some(why), Some(difference)) = (&row.why_not, row.difference) {
        return format!(
            "{a} and {b} in {place}: {} {}, n {}; not tested: {why}.",
            metric_words(&row.metric),
            signed(difference),
            compact(row.n),
        );
    }
    let (Some(difference), Some(p)) = (row.difference, row.p_value) else {
        return format!("{a} and {b} have no sample in common in {place}.");
    };
    match row.conclusion {
        Conclusion::NotSeparable => {
            let n = compact(row.n);
            let why = not_separable(row, difference, p);
            if row.is_tested() {
                format!(
                    "There is no clear difference between {a} and {b} in {place} at n {n}: {why}."
                )
            } else {
                format!(
                    "Too few samples to test whether {a} and {b} differ in {place} at n {n}: {why}."
                )
            }
        }
        Conclusion::A => format!(
            "{a} is better than {b} in {place}: {}.",
            better(row, difference, 1.0)
        ),
        Conclusion::B => format!(
            "{b} is better than {a} in {place}: {}.",
            better(row, difference, -1.0)
        ),
    }
}

/// Formats a gain from the winner's side: `GIoU +0.031 [0.012, 0.050], n 6,912, p 0.002 (adjusted
/// over 14)`.
fn better(row: &PairedDifference, difference: f64, side: f64) -> String {
    let less = match row.direction {
        Direction::Higher => "",
        Direction::Lower => " (less is better)",
    };
    format!(
        "{} {}{less}{}, n {}, {}",
        metric_words(&row.metric),
        signed(side * difference),
        if row.ci.is_none() && row.n > 1 {
            format!(" {}", without_interval(row))
        } else {
            interval(row.ci, side)
        },
        compact(row.n),
        adjusted(row)
    )
}

/// Formats a result without a clear difference: `-0.020 [-0.090, 0.050]; smallest detectable
/// difference 0.110 (80 % power)`.
fn not_separable(row: &PairedDifference, difference: f64, p: f64) -> String {
    if row.n == row.equal {
        return "all their scores are equal".to_owned();
    }
    let size = format!(
        "{} {}{}",
        metric_words(&row.metric),
        signed(difference),
        interval(row.ci, 1.0)
    );
    if row.p_adjusted.is_none() {
        return format!("{size}; no conclusion below {MIN_PAIRS} samples");
    }
    match row.detectable {
        _ if p < FALSE_FINDINGS => format!("{size}; {} alone, {}", p_text(p), adjusted(row)),
        Some(detectable) if detectable >= 1.0 && row.cells.is_some() && row.right.is_none() => {
            format!("{size}; too few samples to show any difference")
        }
        _ if row.clusters < 2 => format!("{size}; one picture is too few for an interval"),
        None if row.ci.is_none() => format!("{size} {}, {}", without_interval(row), p_text(p)),
        None => size,
        Some(detectable) => format!(
            "{size}; smallest detectable difference {} (80 % power)",
            fixed(Some(detectable), DECIMALS)
        ),
    }
}

/// Returns the reason why a difference has no interval.
const fn without_interval(row: &PairedDifference) -> &'static str {
    if row.n > row.clusters && row.clusters < crate::metric::MIN_CLUSTERS as u64 {
        "on too few images for an interval"
    } else {
        "in every sample"
    }
}

/// Formats a difference with its sign.
pub(super) fn signed(difference: f64) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", fixed(Some(difference), DECIMALS))
}

/// Formats an interval after a space, mirrored for a negative `side`; empty without an interval.
pub(super) fn interval(ci: Option<Interval>, side: f64) -> String {
    let Some(Interval { low, high }) = ci else {
        return String::new();
    };
    let (low, high) = if side < 0.0 {
        (-high, -low)
    } else {
        (low, high)
    };
    let text = |end| fixed(Some(end), DECIMALS);
    format!(" [{}, {}]", text(low), text(high))
}

fn adjusted(row: &PairedDifference) -> String {
    let p = row.p_adjusted.unwrap_or(1.0);
    match row.family {
        1 => p_text(p),
        family => format!("{} (adjusted over {family})", p_text(p)),
    }
}

/// Formats a p value: `p 0.002`, `p < 0.001`.
fn p_text(p: f64) -> String {
    if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p {}", fixed(Some(p), 3))
    }
}

/// Describes how many samples were paired, and how many only one side has, by reason: `224 samples
/// in both (A has 236, B has 227); 12 of A without a score of B; 3 of B that A did not answer.`
pub fn coverage(comparison: &Comparison, a: &str, b: &str) -> String {
    let rows = comparison.abilities.iter().filter(|row| row.headline);
    let pairs: u64 = rows.map(|row| row.n).sum();
    let [own, other] =
        [comparison.only_in_a, comparison.only_in_b].map(|alone| compact(pairs + alone.total));
    let both = match pairs {
        0 => format!("{a} and {b} have no sample in common"),
        pairs => format!("{} in both", counted(pairs, "sample")),
    };
    let both = if own == other && own == compact(pairs) {
        both
    } else {
        format!("{both} ({a} has {own}, {b} has {other})")
    };
    let alone = [(a, b, comparison.only_in_a), (b, a, comparison.only_in_b)];
    let left_out: Vec<String> = alone
        .into_iter()
        .flat_map(|(own, other, dropped)| reasons(own, other, dropped))
        .collect();
    format!("{both}{}.", left_out.concat())
}

/// Formats each reason for missing partners: `; 12 of A without a score of B`.
fn reasons(own: &str, other: &str, dropped: UnpairedCounts) -> Vec<String> {
    let UnpairedCounts {
        total,
        other_condition,
        other_question,
        unscored,
        other_metric,
    } = dropped;
    let unanswered = total - other_condition - other_question - unscored - other_metric;
    let reasons = [
        (unanswered, format!("that {other} did not answer")),
        (unscored, format!("without a score of {other}")),
        (
            other_condition,
            format!("that {other} has under another condition"),
        ),
        (
            other_question,
            format!("that {other} has with another question"),
        ),
        (
            other_metric,
            format!("that {other} scores by another metric"),
        ),
    ];
    let told = reasons.into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, why)| format!("; {} of {own} {why}", compact(count)))
        .collect()
}
