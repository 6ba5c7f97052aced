//! Creates unusual variants of a row.

use serde_json::{Map, Value, json};

/// A changed row.
pub struct Change {
    /// Description of the change.
    pub what: String,
    /// New text of the row; empty if the row is removed.
    pub text: String,
}

impl Change {
    fn new(what: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            text: text.into(),
        }
    }
}

/// Placeholder for a bare `NaN`, which is not valid JSON.
const NAN: &str = "@@NaN@@";

/// Returns changes of a row: of each member if it is a JSON object, otherwise of its text.
pub fn of(row: &str) -> Vec<Change> {
    let mut changes = of_text(row);
    match serde_json::from_str(row) {
        Ok(Value::Object(object)) => changes.extend(of_object(&object)),
        _ => changes.extend(of_cells(row)),
    }
    changes
}

fn of_text(row: &str) -> Vec<Change> {
    let cut = |at: usize| &row[..row.floor_char_boundary(at)];
    let mut changes = vec![
        Change::new("cut in the middle", cut(row.len() / 2)),
        Change::new("cut before its end", cut(row.len().saturating_sub(2))),
        Change::new("cut at its start", cut(3)),
        Change::new("twice", format!("{row}\u{0}{row}")),
    ];
    if row.starts_with('{') {
        let texts = ["{}", "[]", "null", "\"text\"", "17", "{\"a\""];
        changes.extend(texts.map(|text| Change::new(format!("as {text}"), text)));
    }
    changes
}

fn of_object(object: &Map<String, Value>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |what: String, object: Map<String, Value>| {
        let text = Value::Object(object).to_string();
        changes.push(Change::new(
            what,
            text.replace(&format!("\"{NAN}\""), "NaN"),
        ));
    };
    let reversed = object.iter().rev();
    add(
        "in reverse order".to_owned(),
        reversed
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    );
    for extra in [
        json!(1.0),
        json!({"score": 1.0}),
        json!("text"),
        json!(null),
    ] {
        let mut more = object.clone();
        more.insert("zz_extra".to_owned(), extra.clone());
        add(format!("with another member {extra}"), more);
    }
    for (key, value) in object {
        let mut without = object.clone();
        without.shift_remove(key);
        add(format!("without `{key}`"), without);
        for odd in odd_values() {
            let mut odd_one = object.clone();
            odd_one[key] = odd.clone();
            add(format!("`{key}` as {odd}"), odd_one);
        }
        for inner in value.as_object().into_iter().flat_map(Map::keys) {
            let mut without = object.clone();
            without[key].as_object_mut().unwrap().shift_remove(inner);
            add(format!("without `{key}.{inner}`"), without);
            for odd in odd_values() {
                let mut odd_one = object.clone();
                odd_one[key][inner] = odd.clone();
                add(format!("`{key}.{inner}` as {odd}"), odd_one);
            }
        }
    }
    changes
}

fn odd_values() -> [Value; 8] {
    [
        json!(null),
        json!([]),
        json!({}),
        json!("odd"),
        json!(12345.5),
        json!(true),
        json!(1e308),
        json!(NAN),
    ]
}

/// Changes of the cells between commas or tabs. Quotes are part of a cell.
fn of_cells(row: &str) -> Vec<Change> {
    let delimiter = if row.contains('\t') { "\t" } else { "," };
    let cells: Vec<&str> = row.split(delimiter).collect();
    let mut changes = vec![
        Change::new("with another cell", format!("{row}{delimiter}more")),
        Change::new("with an open quote", format!("\"{row}")),
    ];
    for at in 0..cells.len() {
        for odd in ["", "odd", "\"open", "1e308", "NaN"] {
            let mut odd_one = cells.clone();
            odd_one[at] = odd;
            changes.push(Change::new(
                format!("cell {at} as {odd}"),
                odd_one.join(delimiter),
            ));
        }
        let mut fewer = cells.clone();
        fewer.remove(at);
        changes.push(Change::new(
            format!("without cell {at}"),
            fewer.join(delimiter),
        ));
    }
    changes
}
