//! Finds rows in documents that are not plain lists of rows. There can be texts next to a list,
//! columns as members, members with the rows of a model or ability, or deeply nested rows.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value as Json};

use super::names::{NAMES, SAMPLES, is_alike, is_usual};
use super::stream::{COLUMNS, DATA};
use base::config::ColumnMap;

/// Minimum number of rows, and of columns.
const FEW: usize = 2;
/// Fields of samples that do not occur next to a list of samples.
const OF_SAMPLES: [&str; 6] = [
    "response",
    "sample_id",
    "question",
    "target",
    "parsed",
    "image",
];
/// Maximum depth of objects searched for rows.
const DEEP: usize = 3;
/// Maximum length in bytes of a text next to the rows.
const SHORT: usize = 200;

/// Returns only the short texts of a document, with the objects that contain them.
pub fn texts(document: &Json) -> Option<Json> {
    match document {
        Json::String(text) if text.len() <= SHORT => Some(document.clone()),
        Json::Object(members) => {
            let members = members.iter();
            let members = members.filter_map(|(name, value)| Some((name.clone(), texts(value)?)));
            let members: Map<String, Json> = members.collect();
            (!members.is_empty()).then_some(Json::Object(members))
        }
        _ => None,
    }
}

/// Returns the rows of a document whose members are columns. A column is a list, or an object with
/// numbers as keys (written by pandas); all columns have the same length. A single text is repeated
/// in each row. `None` for other documents.
pub fn rows_of_columns(document: &Json) -> Option<Vec<Json>> {
    let members = document.as_object()?;
    let is_grid = members.contains_key(COLUMNS) && members.contains_key(DATA);
    // A document with these members is a single sample with lists, such as boxes.
    let is_of_sample = |name: &str| SAMPLES.iter().any(|known| is_alike(name, known));
    let mut single = members
        .iter()
        .filter(|(_, value)| value.is_u64() || value.is_string());
    if is_grid || single.any(|(name, _)| is_of_sample(name)) {
        return None;
    }
    let columns: Vec<(&String, Vec<&Json>)> = members
        .iter()
        .filter_map(|(name, value)| Some((name, cells(value)?)))
        .collect();
    let mut lengths = BTreeMap::<usize, usize>::new();
    for (_, cells) in &columns {
        *lengths.entry(cells.len()).or_default() += 1;
    }
    let (&length, _) = (lengths.iter()).max_by_key(|(length, count)| (**count, **length))?;
    let mut columns = columns;
    columns.retain(|(_, cells)| cells.len() == length);
    if columns.len() < FEW || length < FEW {
        return None;
    }
    let fixed = members.iter().filter(|(_, value)| value.is_string());
    let fixed = fixed.map(|(name, value)| (name.clone(), value.clone()));
    let fixed: Map<String, Json> = fixed.collect();
    let row = |at: usize| {
        let cells = columns.iter().filter_map(|(name, cells)| {
            let cell = cells.get(at).copied()?;
            Some(((*name).clone(), cell.clone()))
        });
        let mut row: Map<String, Json> = cells.collect();
        row.extend(fixed.clone());
        Json::Object(row)
    };
    Some((0..length).map(row).collect())
}

/// Returns the rows of a document whose members each contain the rows of a model or ability. The
/// rows form a list, an object with sample ids as keys, or columns. The names of member and sample
/// become columns. `None` for other documents.
pub fn rows_of_groups(document: &Json) -> Option<Vec<Json>> {
    let members = document.as_object()?.iter();
    let members = members.filter(|(_, value)| value.is_object() || value.is_array());
    let group = |(name, value)| Some((name, rows_of_group(value)?));
    let groups: Vec<(&String, Vec<Json>)> = members.map(group).collect::<Option<_>>()?;
    let keys = |rows: &[Json]| -> HashSet<String> {
        let first = rows.first().and_then(Json::as_object);
        first
            .map(|row| row.keys().cloned().collect())
            .unwrap_or_default()
    };
    let first = keys(&groups.first()?.1);
    let is_alike = |(name, rows): &(&String, Vec<Json>)| {
        let keys = keys(rows);
        !is_usual(name) && 2 * keys.intersection(&first).count() > keys.len().max(first.len())
    };
    if groups.len() < FEW || !groups.iter().all(is_alike) {
        return None;
    }
    let rows = groups.into_iter().flat_map(|(name, rows)| {
        rows.into_iter().map(|mut row| {
            if let Json::Object(row) = &mut row {
                row.insert(ColumnMap::GROUP.to_owned(), Json::String(name.clone()));
            }
            row
        })
    });
    Some(rows.collect())
}

fn rows_of_group(value: &Json) -> Option<Vec<Json>> {
    let keyed = |(key, row): (String, &Json)| {
        let mut row = row.as_object().filter(|row| !row.is_empty())?.clone();
        row.insert(ColumnMap::KEY.to_owned(), Json::String(key));
        Some(Json::Object(row))
    };
    let numbered = |rows: &[Json]| {
        let rows = (1_u64..).zip(rows);
        rows.map(|(number, row)| keyed((number.to_string(), row)))
            .collect::<Option<Vec<_>>>()
    };
    let members = match value {
        Json::Array(rows) if !rows.is_empty() => return numbered(rows),
        Json::Object(members) if !members.is_empty() => members,
        _ => return None,
    };
    if let Some(rows) = rows_of_columns(value) {
        return numbered(&rows);
    }
    let is_rows = |list: &&Vec<Json>| !list.is_empty() && list.iter().all(Json::is_object);
    let lists = members.values().filter_map(Json::as_array).filter(is_rows);
    let is_sample = |(name, value): (&String, &Json)| {
        let fields = NAMES.iter().filter(|(field, _)| OF_SAMPLES.contains(field));
        let mut names = fields.flat_map(|(_, names)| *names);
        !value.is_array() && names.any(|known| is_alike(name, known))
    };
    match lists.collect::<Vec<_>>()[..] {
        [rows] if !members.iter().any(is_sample) => numbered(rows),
        _ if members.keys().any(|name| is_usual(name)) => None,
        _ => {
            let rows = members.iter().map(|(key, row)| keyed((key.clone(), row)));
            rows.collect()
        }
    }
}

/// Returns the rows of the longest list of objects, columns or groups inside a document. Adds the
/// texts around them to each row.
pub fn rows_inside(document: &Json) -> Option<Vec<Json>> {
    fn rows(value: &Json, depth: usize) -> Option<Vec<Json>> {
        match value {
            Json::Array(rows) if rows.len() >= FEW && rows.iter().all(Json::is_object) => {
                Some(rows.clone())
            }
            Json::Object(members) if depth > 0 => {
                let found = rows_of_columns(value).or_else(|| rows_of_groups(value));
                let inside = || {
                    let all = members.values().filter_map(|value| rows(value, depth - 1));
                    all.max_by_key(Vec::len)
                };
                found.or_else(inside)
            }
            _ => None,
        }
    }
    let members = document
        .as_object()?
        .values()
        .filter(|value| value.is_object());
    let found = members
        .filter_map(|value| rows(value, DEEP))
        .max_by_key(Vec::len);
    let mut found = found?;
    if let Some(texts) = texts(document) {
        for row in found.iter_mut().filter_map(Json::as_object_mut) {
            row.insert(ColumnMap::BESIDE.to_owned(), texts.clone());
        }
    }
    Some(found)
}

/// Returns the rows of a document, by [`rows_of_columns`], [`rows_of_groups`] or [`rows_inside`].
pub fn rows_of(document: &Json) -> Option<Vec<Json>> {
    let found = rows_of_columns(document).or_else(|| rows_of_groups(document));
    found.or_else(|| rows_inside(document))
}

/// Returns the cells of a column: the elements of a list, or the members of an object with numbers
/// as keys, in numeric order. `None` if a list contains objects.
fn cells(column: &Json) -> Option<Vec<&Json>> {
    match column {
        Json::Array(list) => {
            let has_objects = list.iter().any(Json::is_object);
            (!has_objects).then(|| list.iter().collect())
        }
        Json::Object(members) => {
            let cells = members.iter().map(|(key, cell)| {
                let number = key.parse::<u64>().ok().filter(|_| !cell.is_object())?;
                Some((number, cell))
            });
            let cells: BTreeMap<u64, &Json> = cells.collect::<Option<_>>()?;
            Some(cells.into_values().collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{rows_inside, rows_of_columns, rows_of_groups, texts};
    use serde_json::json;

    #[test]
    fn lists_and_numbered_objects_are_columns() {
        let rows = [json!({"q": "a", "p": 1}), json!({"q": "b", "p": [2]})];
        for columns in [
            json!({"q": ["a", "b"], "p": [1, [2]], "classes": ["x"], "acc": 0.5}),
            json!({"q": {"1": "b", "0": "a"}, "p": {"0": 1, "1": [2]}}),
        ] {
            assert_eq!(rows_of_columns(&columns).unwrap(), rows, "{columns}");
        }
        let with_model = json!({"model": "m", "q": ["a", "b"], "p": ["c", "d"]});
        let first = &rows_of_columns(&with_model).unwrap()[0];
        assert_eq!(first, &json!({"q": "a", "p": "c", "model": "m"}));
        for other in [
            json!({"a": [{"x": 1}, {"x": 2}], "b": [{"y": 1}, {"y": 2}]}),
            json!({"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}}),
            json!({"a": [1], "b": [2]}),
            json!({"id": 1, "gt_box": [1, 2, 3, 4], "pred_box": [1, 2, 3, 4]}),
            json!({"columns": ["q"], "index": [0, 1], "data": [["a"], ["b"]]}),
            json!({"a": [1, 2]}),
            json!([1, 2]),
        ] {
            assert_eq!(rows_of_columns(&other), None, "{other}");
        }
    }

    #[test]
    fn members_hold_the_rows_of_a_model_each() {
        let row =
            |key: &str, group: &str| json!({"gt": "a", "pred": "b", "@key": key, "@group": group});
        let one = json!({"gt": "a", "pred": "b"});
        for groups in [
            json!({"A": [one, one], "B": [one]}),
            json!({"A": {"1": one, "2": one}, "B": {"1": one}, "note": "x", "n": 2}),
        ] {
            let expected = [row("1", "A"), row("2", "A"), row("1", "B")];
            assert_eq!(rows_of_groups(&groups).unwrap(), expected, "{groups}");
        }
        let parts = json!({"A": {"acc": 1, "rows": [one, one]}, "B": {"acc": 0, "rows": [one]}});
        assert_eq!(rows_of_groups(&parts).unwrap()[2], row("1", "B"));
        let columns = json!({"gt": ["a", "a"], "pred": ["b", "b"]});
        let found = rows_of_groups(&json!({"A": columns, "B": columns})).unwrap();
        assert_eq!(found[3], row("2", "B"));
        for other in [
            json!({"A": [one, one]}),
            json!({"images": [{"id": 1, "file": "x"}], "objects": [{"id": 1, "box": [], "of": 1}]}),
            json!({"s1": {"gt": {"x": 1}, "pred": {"x": 1}}, "s2": {"gt": {"x": 1}, "pred": {"x": 1}}}),
            json!({"s1": {"gt": "a", "pred": "b"}, "s2": {"gt": "a", "pred": "b"}}),
            json!({"s1": {"gt": "a", "parts": [one]}, "s2": {"gt": "a", "parts": [one]}}),
        ] {
            assert_eq!(rows_of_groups(&other), None, "{other}");
        }
        let deep = json!({"run": {"model": "m", "eval": {"rows": [one, one]}}});
        let found = rows_inside(&deep).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0]["@beside"], json!({"run": {"model": "m"}}));
    }

    #[test]
    fn only_short_texts_beside_rows_are_kept() {
        let document = json!({"acc": 0.5, "config": {"model": "m", "lr": 1}, "list": ["a"]});
        assert_eq!(texts(&document), Some(json!({"config": {"model": "m"}})));
        assert_eq!(texts(&json!({"acc": 0.5})), None);
    }
}
