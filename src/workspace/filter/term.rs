//! Builds filter terms that select exactly the given names and numbers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use super::keys::is_taken;
use super::{Filter, parse};

/// A term that selects no sample.
pub const NOTHING: &str = "not model~.";

/// Returns the filter key of a tag or a condition.
pub fn tag_key(name: &str) -> String {
    if is_taken(name) {
        format!("tag.{name}")
    } else {
        name.to_owned()
    }
}

/// Builds a term such as `model=siglip2`, which matches this name but no other known name. Returns
/// `NOTHING` for an unknown name. Uses a regular expression if names differ only in case, or
/// contain backslashes.
pub fn is(key: &str, name: &str, known: &[String]) -> String {
    if !known.iter().any(|other| other == name) {
        return NOTHING.to_owned();
    }
    let has_twin = known
        .iter()
        .any(|other| other != name && other.eq_ignore_ascii_case(name));
    term(key, name, has_twin)
}

/// Known names, indexed to build terms for many of them.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    names: HashSet<String>,
    /// Number of names that differ only in case, by the name in lower case.
    alike: HashMap<String, usize>,
}

impl KnownNames {
    /// Indexes the names.
    pub fn new<'a>(known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found = Self::default();
        for name in known {
            if found.names.insert(name.to_owned()) {
                *found.alike.entry(name.to_ascii_lowercase()).or_default() += 1;
            }
        }
        found
    }

    /// Builds the same term as the function [`is`].
    pub fn is(&self, key: &str, name: &str) -> String {
        if !self.names.contains(name) {
            return NOTHING.to_owned();
        }
        let alike = self.alike.get(&name.to_ascii_lowercase());
        term(key, name, alike.is_some_and(|count| *count > 1))
    }
}

/// Builds a term for one name. `has_twin` is true if another name differs only in case.
fn term(key: &str, name: &str, has_twin: bool) -> String {
    let key = word(key, is_key);
    if has_twin || name.ends_with('\\') || name.contains("\\\"") {
        let pattern = regex::escape(name).replace(r"\\", r"\x5c");
        return format!("{key}~{}", quoted(&format!("^{pattern}$")));
    }
    format!("{key}={}", word(name, is_value))
}

/// Builds terms for a range of numbers, for example `count>=6 count<11`.
pub fn is_within(key: &str, bounds: (Bound<f64>, Bound<f64>)) -> String {
    let key = word(key, is_key);
    match bounds {
        (Included(low), Included(high)) if low >= high => format!("{key}={low}"),
        (Included(low), Included(high)) => format!("{key}:{low}..{high}"),
        (low, high) => {
            let low = match low {
                Included(low) => Some(format!("{key}>={low}")),
                Excluded(low) => Some(format!("{key}>{low}")),
                Unbounded => None,
            };
            let high = match high {
                Included(high) => Some(format!("{key}<={high}")),
                Excluded(high) => Some(format!("{key}<{high}")),
                Unbounded => None,
            };
            [low, high]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ")
        }
    }
}

/// Maximum number of samples that get one term each.
const MOST_TERMS: usize = 200;
/// Maximum length in bytes of an expression that selects samples.
const LONGEST: usize = 60 << 10;

/// Builds terms that select samples by id: one term per sample, or one pattern for many. `None` if
/// they are too long for a filter.
pub fn filter_for_samples(ids: &BTreeSet<&str>) -> Option<String> {
    let has_odd = |id: &&str| id.ends_with('\\') || id.contains("\\\"");
    let text = if ids.len() <= MOST_TERMS && !ids.iter().any(has_odd) {
        let terms = ids
            .iter()
            .map(|id| format!("sample={}", word(id, is_value)));
        terms.collect::<Vec<_>>().join(" or ")
    } else {
        let escaped = ids
            .iter()
            .map(|id| regex::escape(id).replace(r"\\", r"\x5c"));
        let pattern = escaped.collect::<Vec<_>>().join("|");
        format!("sample~{}", quoted(&format!("^(?:{pattern})$")))
    };
    (text.len() < LONGEST).then_some(text)
}

/// Joins terms and a user's filter by *and*.
pub fn all_of(mut terms: Vec<String>, filter: &str) -> String {
    let filter = filter.trim();
    let first = filter.split(|c: char| !c.is_alphanumeric()).next();
    let joins = first.is_some_and(|word| ["and", "or"].contains(&word.to_lowercase().as_str()));
    let loose = joins || matches!(parse(filter), Ok(Some(Filter::Or(_, _))));
    match filter {
        "" => {}
        filter if loose && !terms.is_empty() => terms.push(format!("({filter})")),
        filter => terms.push(filter.to_owned()),
    }
    terms.join(" ")
}

fn word(text: &str, is_bare: impl Fn(&str) -> bool) -> String {
    if is_bare(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn is_key(text: &str) -> bool {
    is_value(text)
        && !text.contains([':', '=', '<', '>', '~', '!'])
        && !["and", "or", "not"].contains(&text.to_lowercase().as_str())
}

fn is_value(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"'))
}

#[cfg(test)]
mod tests {
    use std::ops::Bound::{Excluded, Included, Unbounded};

    use super::{KnownNames, NOTHING, all_of, filter_for_samples, is, is_within, tag_key};
    use crate::filter::parse;

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let known = ["DINO", "dino", "siglip2", "a \"b\"", "C:\\", "", "x"].map(str::to_owned);
        assert_eq!(is("model", "clip", &known), NOTHING);
        assert_eq!(is("model", "siglip2", &known), "model=siglip2");
        assert_eq!(is("model", "a \"b\"", &known), r#"model="a \"b\"""#);
        assert_eq!(is("model", "dino", &known), r#"model~"^dino$""#);
        assert_eq!(is("model", "C:\\", &known), r#"model~"^C:\x5c$""#);
        assert_eq!(is("my tag", "", &known), r#""my tag"="""#);
        assert_eq!(is(&tag_key("score"), "x", &known), "tag.score=x");
        assert_eq!(is("or", "x", &known), "\"or\"=x");
    }

    #[test]
    fn an_index_of_names_builds_the_same_terms() {
        let known = ["dino", "DINO", "siglip2", "siglip2", "C:\\", "a \"b\""].map(str::to_owned);
        let index = KnownNames::new(known.iter().map(String::as_str));
        for name in known.iter().map(String::as_str).chain(["clip", "Siglip2"]) {
            assert_eq!(index.is("model", name), is("model", name, &known), "{name}");
        }
    }

    #[test]
    fn bounds_are_half_open_where_the_bin_is() {
        assert_eq!(
            is_within("x", (Included(0.1), Excluded(0.2))),
            "x>=0.1 x<0.2"
        );
        assert_eq!(is_within("x", (Included(0.1), Included(0.2))), "x:0.1..0.2");
        assert_eq!(is_within("x", (Included(3.0), Included(3.0))), "x=3");
        assert_eq!(is_within("x", (Unbounded, Included(5.0))), "x<=5");
    }

    #[test]
    fn samples_are_named_one_by_one_or_by_a_pattern() {
        let named = |ids: &[&str]| filter_for_samples(&ids.iter().copied().collect());
        assert_eq!(named(&["b", "a 1"]).unwrap(), "sample=\"a 1\" or sample=b");
        assert_eq!(
            named(&["a.b", "c\\"]).unwrap(),
            "sample~\"^(?:a\\.b|c\\x5c)$\""
        );
        let ids =
            |count: usize| -> Vec<String> { (0..count).map(|at| format!("id-{at}")).collect() };
        let of = |ids: &[String]| filter_for_samples(&ids.iter().map(String::as_str).collect());
        let many = of(&ids(1_000)).unwrap();
        assert!(many.starts_with("sample~") && parse(&many).is_ok());
        assert_eq!(of(&ids(20_000)), None);
    }

    #[test]
    fn an_or_stays_together() {
        let terms = || vec!["model=a".to_owned()];
        assert_eq!(all_of(terms(), "b or c"), "model=a (b or c)");
        assert_eq!(all_of(terms(), "b c"), "model=a b c");
        assert_eq!(all_of(Vec::new(), "b or c"), "b or c");
        assert_eq!(all_of(terms(), "and:x"), "model=a (and:x)");
        assert_eq!(all_of(terms(), "  "), "model=a");
    }
}
