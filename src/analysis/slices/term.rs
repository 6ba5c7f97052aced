//! Creates a filter term that selects exactly the items of a bin.

use std::fmt::Write as _;

use crate::ItemBins;

/// Names that have another meaning in filters, so that tags need the prefix `tag.`.
pub const TAKEN: [&str; 41] = [
    "answer",
    "ability",
    "and",
    "beats",
    "benchmark",
    "cause",
    "correct",
    "disagree",
    "disagreement",
    "discrimination",
    "family",
    "group",
    "hard",
    "ids",
    "invalid",
    "loses",
    "metric",
    "model",
    "not",
    "open",
    "or",
    "parameters",
    "question",
    "released",
    "resolution",
    "response",
    "right",
    "run",
    "sample",
    "sample_id",
    "score",
    "scorers",
    "source",
    "split",
    "table",
    "target",
    "thinking",
    "ties",
    "verdict",
    "wrong",
    "flagged",
];

/// Numeric property that a filter can refer to.
#[derive(Clone, Copy, Debug)]
pub enum Number<'a> {
    /// Tag, written `tag.name`.
    Tag(&'a str),
    /// Condition, written `name`.
    Condition(&'a str),
}

/// Returns a range term for each bin of a number. The ends are the shortest numbers between the
/// values of neighbouring bins; the first and last bin have an open end.
pub fn of_numbers(number: Number<'_>, binned: &ItemBins, values: &[f64]) -> Vec<Option<String>> {
    let key = match number {
        Number::Tag(name) => key(name, true),
        Number::Condition(name) => key(name, false),
    };
    let Some(key) = key else {
        return vec![None; binned.labels.len()];
    };
    let mut ends: Vec<Option<(f64, f64)>> = vec![None; binned.labels.len()];
    let mut outside: Vec<f64> = Vec::new();
    for (item, &value) in (0..).zip(values).filter(|(_, value)| !value.is_nan()) {
        let bin = binned
            .bin(item)
            .and_then(|bin| ends.get_mut(usize::from(bin)));
        match bin {
            Some(Some((low, high))) => (*low, *high) = (low.min(value), high.max(value)),
            Some(none) => *none = Some((value, value)),
            None => outside.push(value),
        }
    }
    let term = |&(low, high): &(f64, f64)| {
        let others = ends.iter().flatten().flat_map(|(low, high)| [*low, *high]);
        let others = || others.clone().chain(outside.iter().copied());
        let below = others()
            .filter(|other| *other < low)
            .fold(f64::NEG_INFINITY, f64::max);
        let above = others()
            .filter(|other| *other > high)
            .fold(f64::INFINITY, f64::min);
        if low >= high {
            return format!("{key}:{low}");
        }
        let from = shortest(low, |number| number > below && number <= low, f64::floor);
        let to = shortest(high, |number| number < above && number >= high, f64::ceil);
        match (below.is_finite(), above.is_finite()) {
            (false, false) => format!("{key}:{low}..{high}"),
            (false, true) => format!("{key}:..{to}"),
            (true, false) => format!("{key}:{from}.."),
            (true, true) => format!("{key}:{from}..{to}"),
        }
    };
    ends.iter().map(|ends| ends.as_ref().map(term)).collect()
}

/// Describes the value of a range term: `5`, `5 to 8`, `at most 5` or `at least 5`.
pub fn range_in_words(range: &str) -> String {
    match range.split_once("..") {
        None => range.to_owned(),
        Some(("", high)) => format!("at most {high}"),
        Some((low, "")) => format!("at least {low}"),
        Some((low, high)) => format!("{low} to {high}"),
    }
}

/// Returns the allowed number with the fewest decimals, rounded from `exact`.
fn shortest(exact: f64, is_allowed: impl Fn(f64) -> bool, round: fn(f64) -> f64) -> String {
    let with = |decimals: usize| {
        let scale = 10_f64.powi(i32::try_from(decimals).unwrap_or_default());
        let text = format!("{:.decimals$}", round(exact * scale) / scale);
        let allowed = text.parse().is_ok_and(&is_allowed);
        allowed.then_some(text)
    };
    (0..=15).find_map(with).unwrap_or_else(|| exact.to_string())
}

/// Returns a term for each name; `None` if no filter can express it.
pub fn of_names(name: &str, names: &[String]) -> Vec<Option<String>> {
    let key = key(name, false);
    let term = |value: &String| {
        let key = key.as_ref()?;
        let alike = names
            .iter()
            .filter(|other| other.eq_ignore_ascii_case(value))
            .count();
        (!value.is_empty()).then(|| format!("{key}{}", comparison(value, alike > 1)))
    };
    names.iter().map(term).collect()
}

/// Returns `:value`, quoted if needed, or a regular expression if other names differ only in case
/// (`ambiguous`).
fn comparison(value: &str, ambiguous: bool) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_quotable = |c: char| !c.is_control() && !matches!(c, '"' | '\\');
    if ambiguous || !value.chars().all(is_quotable) {
        let mut pattern = String::from("~\"^");
        for c in value.chars() {
            if is_plain(c) && c != '.' {
                pattern.push(c);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(pattern, "\\x{{{:X}}}", u32::from(c));
            }
        }
        pattern + "$\""
    } else if value.chars().all(is_plain) {
        format!(":{value}")
    } else {
        format!("=\"{value}\"")
    }
}

/// Returns the filter key of a tag or condition; `None` if a filter cannot refer to it.
fn key(name: &str, is_measured: bool) -> Option<String> {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || "()\":=<>~!".contains(c);
    if name.is_empty() || name.chars().any(breaks) {
        return None;
    }
    let is_measured = is_measured && !name.starts_with("auto.");
    let prefixed = is_measured || TAKEN.contains(&name) || name.starts_with("tag.");
    Some(if prefixed {
        format!("tag.{name}")
    } else {
        name.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{Number, of_names, of_numbers, range_in_words};
    use crate::bins::cut;
    use record::benchmark::Bins;

    #[test]
    fn bins_become_short_ranges() {
        let values = [1.0, 5.0, 6.0, 10.0, 11.0, 40.0, f64::NAN];
        let bins = cut(&Bins::Ranges(vec![5, 10, 20]), &values);
        let terms = of_numbers(Number::Tag("count"), &bins, &values);
        let found: Vec<&str> = terms.iter().flatten().map(String::as_str).collect();
        assert_eq!(
            found,
            [
                "tag.count:..5",
                "tag.count:6..10",
                "tag.count:11",
                "tag.count:40"
            ]
        );
        let values = [0.05, 0.1003, 0.1999, 0.3, 0.7];
        let bins = cut(&Bins::Edges(vec![0.0, 0.1, 0.2, 0.5]), &values);
        let terms = of_numbers(Number::Tag("box_area"), &bins, &values);
        let found: Vec<&str> = terms.iter().flatten().map(String::as_str).collect();
        assert_eq!(
            found,
            [
                "tag.box_area:0.05",
                "tag.box_area:0.1..0.2",
                "tag.box_area:0.3"
            ]
        );
    }

    #[test]
    fn automatic_tags_need_no_prefix_and_ranges_have_words() {
        let values = [1.0, 5.0, 6.0, 10.0, 21.0];
        let bins = cut(&Bins::Ranges(vec![5, 10]), &values);
        let terms = of_numbers(Number::Tag("auto.options"), &bins, &values);
        let found: Vec<&str> = terms.iter().flatten().map(String::as_str).collect();
        assert_eq!(
            found,
            ["auto.options:..5", "auto.options:6..10", "auto.options:21"]
        );
        let words = ["..5", "6..10", "21", "9.."].map(range_in_words);
        assert_eq!(words, ["at most 5", "6 to 10", "21", "at least 9"]);
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let names = ["LVIS", "two words", "a\"b", "Lvis", ""].map(str::to_owned);
        let terms = of_names("dataset", &names);
        let found: Vec<&str> = terms.iter().flatten().map(String::as_str).collect();
        assert_eq!(
            found,
            [
                "dataset~\"^LVIS$\"",
                "dataset=\"two words\"",
                "dataset~\"^a\\x{22}b$\"",
                "dataset~\"^Lvis$\""
            ]
        );
        assert_eq!(
            of_names("source", &["x".to_owned()]),
            [Some("tag.source:x".to_owned())]
        );
        assert_eq!(of_names("no key", &["x".to_owned()]), [None]);
    }
}
