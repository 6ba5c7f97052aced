//! Finds model names that may be different spellings of one model.

use std::collections::BTreeMap;

/// Words that one of the two spellings can omit.
const OPTIONAL: [&str; 4] = ["instruct", "it", "chat", "hf"];

/// Two model names that may belong to one model.
pub type Pair = [String; 2];

/// Returns pairs of names that consist of the same words in any order. Each input is a name and the
/// catalog's name of the model, if known. Names of two different catalog models and the pairs in
/// `apart` are excluded.
pub fn alike<'a>(
    names: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    apart: &[Pair],
) -> Vec<Pair> {
    type NamedModel<'a> = (&'a str, Option<&'a str>);
    let mut by_words: BTreeMap<Vec<String>, Vec<NamedModel<'a>>> = BTreeMap::new();
    for (name, model) in names {
        let known = by_words.entry(words(name)).or_default();
        if !known.iter().any(|(known, _)| *known == name) {
            known.push((name, model));
        }
    }
    let is_apart = |(one, a): NamedModel<'_>, (other, b): NamedModel<'_>| {
        let told = |pair: &Pair| {
            let [first, second] = pair;
            (first == one && second == other) || (first == other && second == one)
        };
        let differ = a.zip(b).is_some_and(|(a, b)| a != b);
        differ || apart.iter().any(told)
    };
    let pairs = by_words.into_values().flat_map(|names| {
        let first = names.first().copied();
        let others = names.into_iter().skip(1);
        others.filter_map(move |other| Some((first?, other)))
    });
    pairs
        .filter(|(one, other)| !is_apart(*one, *other))
        .map(|((one, _), (other, _))| [one.to_owned(), other.to_owned()])
        .collect()
}

/// Returns the words and numbers of a name, sorted. Omits the organisation prefix and the optional
/// words.
fn words(name: &str) -> Vec<String> {
    let bare = name.rsplit_once('/').map_or(name, |(_, bare)| bare);
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for c in bare.to_lowercase().chars() {
        let kind = if c.is_numeric() {
            Some(true)
        } else {
            c.is_alphanumeric().then_some(false)
        };
        match (kind, words.last_mut()) {
            (Some(_), Some(word)) if kind == before => word.push(c),
            (Some(_), _) => words.push(c.to_string()),
            (None, _) => {}
        }
        before = kind;
    }
    words.retain(|word| !OPTIONAL.contains(&word.as_str()));
    words.sort();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_in_another_order_are_asked_for_and_other_sizes_are_not() {
        let pairs =
            |names: &[&str], apart: &[Pair]| alike(names.iter().map(|name| (*name, None)), apart);
        let opus = ["Claude Opus 4.1", "Claude 4.1 Opus"];
        let pair = opus.map(str::to_owned);
        assert_eq!(pairs(&opus, &[]), [pair.clone()]);
        assert!(pairs(&opus, &[pair]).is_empty(), "it was answered");
        let alike = ["Qwen/Qwen2.5-VL-7B-Instruct", "qwen2_5_vl_7b"];
        assert_eq!(pairs(&alike, &[]).len(), 1);
        for apart in [
            ["Qwen2.5-VL-7B", "Qwen2.5-VL-72B"],
            ["a", "b"],
            ["GPT-4", "GPT-4o"],
        ] {
            assert!(pairs(&apart, &[]).is_empty(), "{apart:?}");
        }
    }

    #[test]
    fn a_table_that_has_both_tells_them_apart() {
        let found = |a, b| alike([("x 1", a), ("1 x", b)].into_iter(), &[]).len();
        assert_eq!(found(Some("x 1"), Some("1 x")), 0);
        assert_eq!(found(Some("x 1"), None), 1);
        assert_eq!(
            found(Some("x 1"), Some("x 1")),
            1,
            "one model that is not joined yet"
        );
    }
}
