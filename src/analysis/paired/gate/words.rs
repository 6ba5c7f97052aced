//! Describes the result of a gate in sentences.

use super::{Gate, GateRow, GateVerdict, Margin};
use crate::metric::{MIN_CLUSTERS, RequiredSamples};
use crate::paired::sentence::{DECIMALS, interval, signed};
use base::format::{compact, counted, fixed};
use record::benchmark::{Direction, metric_words};

/// Maximum number of ability names in a sentence.
const NAMES: usize = 6;

/// Describes the overall decision in one or two sentences; `base` and `candidate` name the sides.
pub fn gate_sentences(gate: &Gate, base: &str, candidate: &str) -> Vec<String> {
    let all = gate.rows.len();
    let names = |verdict| {
        let rows: Vec<String> = gate.rows_with(verdict).map(GateRow::name).collect();
        let first = rows.get(..NAMES).unwrap_or(&rows).join(", ");
        match rows.len().saturating_sub(NAMES) {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    };
    let count = |verdict| gate.rows_with(verdict).count();
    let mut lines = Vec::new();
    let by = common_margin(gate);
    let (worse, unsure) = (count(GateVerdict::Worse), count(GateVerdict::CannotTell));
    match gate.rows.as_slice() {
        [] => lines.push(format!(
            "Cannot tell: {base} has no scored sample to compare {candidate} with."
        )),
        [row] => {
            let sentence = gate_sentence(row, base, candidate);
            lines.push(format!("{}: {sentence}", row.verdict.title()));
        }
        _ if worse > 0 => lines.push(format!(
            "Worse: {candidate} is worse than {base} by more than {by} in {worse} of {all} decisions: {}.",
            names(GateVerdict::Worse)
        )),
        _ if unsure == 0 => lines.push(format!(
            "Pass: {candidate} is not worse than {base} by {by} in any of {all} decisions."
        )),
        _ => lines.push(format!(
            "Cannot tell whether {candidate} is worse than {base} by {by} in {unsure} of {all} decisions: {}.",
            names(GateVerdict::CannotTell)
        )),
    }
    if all > 1 && worse > 0 && unsure > 0 {
        lines.push(format!(
            "Cannot tell in {unsure} of {all}: {}.",
            names(GateVerdict::CannotTell)
        ));
    }
    lines
}

/// Returns the common margin of all rows as written, or "the margin" if they differ.
fn common_margin(gate: &Gate) -> String {
    let margins = || gate.rows.iter().map(|row| row.worse_by);
    match margins().next().flatten() {
        Some(first) if margins().all(|other| other == Some(first)) => first.to_string(),
        _ => "the margin".to_owned(),
    }
}

/// Describes a row in one sentence.
pub fn gate_sentence(row: &GateRow, base: &str, candidate: &str) -> String {
    let name = row.name();
    if let Some(why) = &row.why_not {
        let of = match &row.refused {
            Some(ability) if row.abilities.len() > 1 => format!("{ability}: "),
            _ => String::new(),
        };
        let verb = match row.abilities.as_slice() {
            [_] => "is",
            _ => "are",
        };
        return format!("{name} {verb} not tested: {of}{why}.");
    }
    let (Some(change), Some(worse_by)) = (row.change, row.worse_by) else {
        return format!("{base} and {candidate} have no sample in common in {name}.");
    };
    let margin = margin(worse_by, row.margin);
    let less = match row.direction {
        Direction::Higher => "",
        Direction::Lower => " (less is better)",
    };
    let numbers = format!(
        "{} {}{less}{}, n {}",
        metric_words(&row.metric),
        signed(change),
        interval(row.ci, 1.0),
        compact(row.n)
    );
    match row.verdict {
        GateVerdict::Pass => {
            format!("{candidate} is not worse than {base} by {margin} in {name}: {numbers}.")
        }
        GateVerdict::Worse => {
            format!("{candidate} is worse than {base} by more than {margin} in {name}: {numbers}.")
        }
        GateVerdict::CannotTell => format!(
            "it is unclear whether {candidate} is worse than {base} by {margin} in {name}: {numbers}; {}.",
            unsure(row)
        ),
    }
}

/// Explains why a row is undecided, and what would decide it.
fn unsure(row: &GateRow) -> String {
    let Some(gain) = row.gain_interval() else {
        return match (row.n == row.equal, row.clusters) {
            (true, _) => "all their scores are equal, which gives no interval".to_owned(),
            (_, pictures) if pictures < MIN_CLUSTERS as u64 => format!(
                "{} {} too few for an interval; at least {MIN_CLUSTERS} are needed",
                counted(pictures, "picture"),
                if pictures == 1 { "is" } else { "are" }
            ),
            _ => "there is no interval".to_owned(),
        };
    };
    if row.p_adjusted.is_some() {
        return "worse by its own test, but not after adjustment over all rows".to_owned();
    }
    let RequiredSamples {
        if_equal,
        if_as_seen,
    } = row.required;
    let needed = match (if_equal, if_as_seen) {
        (Some(samples), _) if samples > row.n => {
            format!(
                "about {} samples decide it if both are equal",
                compact(samples)
            )
        }
        (_, Some(samples)) if samples > row.n => format!(
            "about {} samples decide it if the difference stays the same",
            compact(samples)
        ),
        _ => "no number of samples is known to decide it".to_owned(),
    };
    if gain.high < 0.0 {
        return format!("it is worse, but perhaps by less than the margin; {needed}");
    }
    needed
}

/// Formats a tolerated loss: `1pp`, or `2% (0.013)`.
fn margin(worse_by: Margin, in_unit: Option<f64>) -> String {
    match worse_by {
        Margin::OfBase(_) => format!("{worse_by} ({})", fixed(in_unit, DECIMALS)),
        Margin::Points(_) | Margin::Plain(_) => worse_by.to_string(),
    }
}
