//! Finds the rows of documents that are no lists of rows: what stands beside a list of rows, and
//! members that are columns.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::names::{SAMPLES, is_alike};
use super::stream::{COLUMNS, DATA};

/// Minimum number of rows, and of columns.
const FEW: usize = 2;
/// Maximum length of a text beside the rows.
const SHORT: usize = 200;

/// Returns the short texts in the members of a document, with the objects around them.
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

/// Returns the rows of a document whose members are columns: lists as long as each other, or
/// objects with the same numbers as keys, as pandas writes them. Single texts are repeated in every
/// row. `None` for other documents.
pub fn rows_of_columns(document: &Json) -> Option<Vec<Json>> {
    let members = document.as_object()?;
    let is_grid = members.contains_key(COLUMNS) && members.contains_key(DATA);
    // A single sample, with boxes or other lists.
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

/// Returns the cells of a column: a list without objects, or the members of an object whose keys
/// are numbers, by number.
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
    use super::{rows_of_columns, texts};
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
    fn only_short_texts_beside_rows_are_kept() {
        let document = json!({"acc": 0.5, "config": {"model": "m", "lr": 1}, "list": ["a"]});
        assert_eq!(texts(&document), Some(json!({"config": {"model": "m"}})));
        assert_eq!(texts(&json!({"acc": 0.5})), None);
    }
}
