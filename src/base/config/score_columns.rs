//! Column maps of published scores: `kind = "published"`, and score columns of wide tables.

use serde::{Deserialize, Serialize};

use super::{ColumnMap, is_within};

/// Content of the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// One prediction per row.
    Samples,
    /// Published scores, one or more per row, without samples.
    Published,
}

/// Matches any text in the name of a score column.
const ANY: char = '*';
/// Prefix of the score columns to leave out.
const NOT: char = '!';

impl ColumnMap {
    /// Returns true if the rows hold published scores.
    pub const fn is_published(&self) -> bool {
        matches!(self.kind, Some(RowKind::Published))
    }

    /// Returns true if the map uses a column, or a value inside the column.
    pub fn reads(&self, column: &str) -> bool {
        let mut paths = self.named().chain(self.score_paths());
        paths.any(|path| is_within(path, column)) || self.score_name(column).is_some()
    }

    /// Returns the score columns that are given by full name or path, without wildcard.
    pub fn score_paths(&self) -> impl Iterator<Item = &str> {
        let is_exact = |name: &&str| !name.contains(ANY) && !name.starts_with(NOT);
        let scores = self.scores.iter().map(String::as_str);
        scores.filter(|_| self.is_published()).filter(is_exact)
    }

    /// Returns the score's name for a column of a wide table; `None` if the column has no score. It
    /// is the name of the column; for a pattern such as `metrics.*`, the name without `metrics.`.
    pub fn score_name<'a>(&self, column: &'a str) -> Option<&'a str> {
        let has_meaning = column == Self::KEY || self.named().any(|name| name == column);
        if has_meaning || !self.is_published() {
            return None;
        }
        let mut left_out = self.scores.iter().filter_map(|name| name.strip_prefix(NOT));
        if left_out.any(|pattern| matches(pattern, column)) {
            return None;
        }
        let mut patterns = self.scores.iter().filter(|name| !name.starts_with(NOT));
        let pattern = patterns.find(|pattern| matches(pattern, column))?;
        let object = pattern.split_once(ANY).and_then(|(start, _)| {
            let dot = start.rfind('.')?;
            Some(dot + 1)
        });
        column.get(object.unwrap_or_default()..)
    }

    /// Returns true if a wide table has a score column, and has all score columns that are given by
    /// full name. A path or pattern may lead into a column whose members are unknown.
    pub(super) fn has_score_columns(&self, columns: &[String]) -> bool {
        let is_known = |path: &str| columns.iter().any(|column| is_within(path, column));
        let into = |name: &String| {
            let start = name.split(ANY).next().unwrap_or_default();
            !name.starts_with(NOT) && is_known(start)
        };
        let has_scores = || {
            let mut columns = columns.iter();
            columns.any(|name| self.score_name(name).is_some()) || self.scores.iter().any(into)
        };
        self.is_published() && self.score_paths().all(is_known) && has_scores()
    }
}

/// Returns true if a text matches a pattern, in which `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once(ANY) else {
        return pattern == text;
    };
    let Some(mut rest) = text.strip_prefix(start) else {
        return false;
    };
    let mut parts: Vec<&str> = pattern.split(ANY).collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else {
            return false;
        };
        rest = behind;
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::{ColumnMap, RowKind, matches};

    fn wide(scores: &[&str]) -> ColumnMap {
        ColumnMap {
            kind: Some(RowKind::Published),
            model: Some("model".to_owned()),
            scores: scores.iter().map(|&name| name.to_owned()).collect(),
            ..ColumnMap::default()
        }
    }

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text) in [
            ("*", ""),
            ("a*", "ab"),
            ("*@*", "r@5"),
            ("a*c*e", "abcde"),
            ("a", "a"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a*", "b"), ("a*a", "a"), ("a*c*e", "ace!"), ("", "a")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn scores_are_named_by_their_columns() {
        let map = wide(&["metrics.*", "!metrics.seed", "acc"]);
        for (column, name) in [
            ("metrics.acc1", Some("acc1")),
            ("metrics.acc.1", Some("acc.1")),
            ("metrics.seed", None),
            ("acc", Some("acc")),
            ("model", None),
            ("other", None),
        ] {
            assert_eq!(map.score_name(column), name, "{column}");
            assert_eq!(map.reads(column), name.is_some() || column == "model");
        }
        for meant in ["model", "@key"] {
            assert_eq!(wide(&["*"]).score_name(meant), None, "it has a meaning");
        }
        let map = wide(&["a.b[0].x", "c.*"]);
        for (column, is_read) in [("a", true), ("a.b", true), ("a.c", false), ("c.d", true)] {
            assert_eq!(map.reads(column), is_read, "{column}");
        }
    }

    #[test]
    fn a_wide_map_fits_tables_with_scores() {
        let columns = ["model", "a.x", "b"].map(str::to_owned);
        for scores in [["a.*", "b"], ["*", "!c"], ["b[0].x", "b.*"]] {
            assert!(wide(&scores).fits(&columns), "{scores:?}");
        }
        for scores in [["a.*", "c"], ["c*", "!b"], ["*", "!*"]] {
            assert!(!wide(&scores).fits(&columns), "{scores:?}");
        }
        let of_samples = ColumnMap {
            kind: None,
            ..wide(&["*"])
        };
        assert!(!of_samples.fits(&columns), "predictions need a response");
    }

    #[test]
    fn the_config_file_names_the_kind() {
        let text = "kind = \"published\"\nscores = [\"*\"]\nscore_names = \"ability\"\n";
        let map: ColumnMap = toml::from_str(text).unwrap();
        assert!(map.is_published());
        assert!(toml::from_str::<ColumnMap>("kind = \"aggregates\"").is_err());
    }
}
