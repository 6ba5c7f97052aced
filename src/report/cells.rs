//! Formats numbers, intervals and ranks as cell texts, and intervals as JSON.

use serde_json::{Value as Json, json};

use analysis::AverageRank;
use analysis::metric::Interval;
use base::format::{compact, fixed, significant};

/// An interval as JSON: a list of its ends, or null.
pub fn pair(interval: Option<Interval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

/// Numbers of a model's tie groups: `1`, or `1,2` for two groups.
pub fn tie_group(groups: &[u32]) -> Option<String> {
    let numbers: Vec<String> = groups.iter().map(ToString::to_string).collect();
    (!numbers.is_empty()).then(|| numbers.join(","))
}

/// Possible ranks such as `1-3`; empty if unknown.
pub fn ranks_text(ranks: Option<(u32, u32)>) -> String {
    ranks.map_or_else(String::new, |(low, high)| format!("{low}-{high}"))
}

/// A rank, with `=` if it does not clearly differ from another model's.
pub fn rank_text(rank: u32, is_tied: bool) -> String {
    format!("{rank}{}", if is_tied { "=" } else { "" })
}

/// An average rank, with `=` if it does not clearly differ from another model's.
pub fn average_text(rank: &AverageRank) -> String {
    format!(
        "{}{}",
        fixed(rank.value, 2),
        if rank.tied { "=" } else { "" }
    )
}

/// An interval such as `[0.6123, 0.6934]`.
pub fn interval(interval: Option<Interval>) -> String {
    interval_to(4, interval)
}

/// An interval with this many decimals; a dash if there is none.
pub fn interval_to(decimals: usize, interval: Option<Interval>) -> String {
    let end = |end| number_to(decimals, Some(end));
    interval.map_or_else(
        || "–".to_owned(),
        |it| format!("[{}, {}]", end(it.low), end(it.high)),
    )
}

/// Four decimals, or as many as a large number needs.
pub fn number(value: Option<f64>) -> String {
    number_to(4, value)
}

fn number_to(decimals: usize, value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() >= 100.0 => significant(value, 5),
        value => fixed(value, decimals),
    }
}

/// A count; a dash for 0.
pub fn count(n: u64) -> String {
    if n == 0 { "–".to_owned() } else { compact(n) }
}

/// The ends of an interval with this many decimals, after a space: ` [0.61, 0.69]`; empty if there
/// is none.
pub fn ends_note(decimals: usize, ends: Option<(f64, f64)>) -> String {
    ends.map_or_else(String::new, |(low, high)| {
        let [low, high] = [low, high].map(|end| fixed(Some(end), decimals));
        format!(" [{low}, {high}]")
    })
}

/// A title with the number of rows, if only the first `most` of `all` are shown. `hint` is a note
/// on how to see all rows.
pub fn cut_title(name: &str, most: usize, all: usize, hint: &str) -> String {
    if all > most {
        format!("{name} ({most} of {all}{hint})")
    } else {
        name.to_owned()
    }
}
