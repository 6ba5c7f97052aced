//! Resolves the paths in column maps: column names, members of objects (`a.b`) and elements of
//! lists (`a[0]`). Column names can themselves contain dots and brackets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use serde_json::Value as Json;

use crate::json::plain;
use crate::taskit::python;
use base::config::parts;
use record::Value;

/// Returns the value at a path: a cell, a value inside a cell, or the numbers of several columns as
/// a list.
pub fn reach<'a>(get: &dyn Fn(&str) -> Option<Cow<'a, Json>>, path: &str) -> Option<Cow<'a, Json>> {
    if path.starts_with('[') && parts(path).all(|part| part != path) {
        let number = |part| {
            let text = plain(&*reach(get, part)?);
            text.trim().parse::<f64>().ok().map(Json::from)
        };
        let numbers: Option<Vec<Json>> = parts(path).map(number).collect();
        return Some(Cow::Owned(Json::Array(numbers?)));
    }
    let inside = |(at, _): (usize, &str)| match get(&path[..at])? {
        Cow::Borrowed(cell) => value(cell, &path[at..]),
        Cow::Owned(cell) => owned(&cell, &path[at..]),
    };
    get(path).or_else(|| path.match_indices(['.', '[']).find_map(inside))
}

/// Returns the value at a path in a row.
pub fn cell<'a>(row: &'a Json, path: &str) -> Option<Cow<'a, Json>> {
    reach(&|name| row.get(name).map(Cow::Borrowed), path)
}

/// Returns the value at the rest of a path. The rest is empty or starts with an index or member.
/// Texts that contain lists or objects are parsed.
fn value<'a>(of: &'a Json, rest: &str) -> Option<Cow<'a, Json>> {
    if rest.is_empty() {
        return Some(Cow::Borrowed(of));
    }
    if let Json::String(text) = of {
        return owned(&nested(text)?, rest);
    }
    if let Some(path) = rest.strip_prefix('.') {
        return cell(of, path);
    }
    let (index, rest) = rest.strip_prefix('[')?.split_once(']')?;
    value(of.get(index.parse::<usize>().ok()?)?, rest)
}

fn owned<'a>(of: &Json, rest: &str) -> Option<Cow<'a, Json>> {
    value(of, rest).map(|found| Cow::Owned(found.into_owned()))
}

/// Parses a text that contains a list or an object, in JSON or Python notation.
pub fn nested(text: &str) -> Option<Json> {
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    let parsed = serde_json::from_str(text).ok();
    parsed.or_else(|| python::parse(text).ok())
}

/// Numbers repeated column names: the second column `Score` becomes `Score#2`.
pub fn numbered(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let numbered = |name: String| {
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        match *count {
            1 => name,
            count => format!("{name}#{count}"),
        }
    };
    names.map(numbered).collect()
}

/// Returns the value of a virtual column, which is a part of the table's path. See
/// [`base::config::ColumnMap::OF_PATH`].
pub fn of_path(table: &Path, name: &str) -> Option<String> {
    let part = match name {
        "@file" => table.file_stem(),
        "@folder" => table.parent()?.file_name(),
        "@folder2" => table.parent()?.parent()?.file_name(),
        _ => None,
    };
    part.map(|part| part.to_string_lossy().into_owned())
}

/// Converts a workbook cell to JSON.
pub fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => Json::String(text.clone()),
        Value::Number(number) => (*number).into(),
        Value::Flag(flag) => (*flag).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::{Value as Json, json};

    use super::{cell, of_path};

    #[test]
    fn paths_lead_through_objects_lists_and_texts() {
        let row = json!({
            "a": {"b": [{"c.d": 1}, [2, 3]]}, "a.x": 4, "[m] y": 5,
            "json": "{\"z\": [6]}", "python": "['u', None]", "text": "[note",
        });
        let at = |path: &str| cell(&row, path).map(|found| found.into_owned());
        for (path, value) in [
            ("a.b[0].c.d", json!(1)),
            ("a.b[1][1]", json!(3)),
            ("a.x", json!(4)),
            ("[m] y", json!(5)),
            ("json.z[0]", json!(6)),
            ("python[0]", json!("u")),
            ("python[1]", Json::Null),
        ] {
            assert_eq!(at(path), Some(value), "{path}");
        }
        for nothing in ["a.b[2]", "a.b[x]", "a.b[0", "a..b", "a.b.c", "text[0]", ""] {
            assert_eq!(at(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn file_and_folders_have_names() {
        let table = Path::new("runs/m/set/out.json");
        let names = ["@file", "@folder", "@folder2"].map(|name| of_path(table, name).unwrap());
        assert_eq!(names, ["out", "set", "m"]);
        assert_eq!(of_path(Path::new("out.json"), "@folder2"), None);
    }
}
