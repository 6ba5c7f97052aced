//! Interprets cells: missing values of pandas, numbers stored as text, Python lists.

use record::Value;

/// Texts that pandas reads as missing values. The harness uses pandas.
const MISSING: [&str; 18] = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "nan", "null",
];

/// True if the harness reads this text as a missing value.
pub fn is_missing(text: &str) -> bool {
    let text = text.trim();
    text == "n/a" || MISSING.contains(&text)
}

/// Returns the text of a cell; `None` if its value is missing.
pub fn present(cell: Option<&Value>) -> Option<String> {
    cell.map(ToString::to_string)
        .filter(|text| !is_missing(text))
}

/// Returns the number in a cell, which can be stored as text. `None` if it is not finite.
pub fn number(cell: &Value) -> Option<f64> {
    match cell {
        Value::Number(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Flag(flag) => Some(f64::from(u8::from(*flag))),
    }
    .filter(|number| number.is_finite())
}

/// Returns a score: a number, or 1 and 0 for true and false.
pub fn truth(cell: &Value) -> Option<f64> {
    match cell {
        Value::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => number(cell),
        },
        _ => number(cell),
    }
}

/// Returns an index as text. It is `7` for the text `7`, the number 7, and the float `7.0` of
/// pandas.
pub fn index(cell: Option<&Value>) -> Option<String> {
    let text = present(cell)?;
    let text = text.trim();
    let whole = text.split_once('.').filter(|(whole, zeros)| {
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && zeros.bytes().all(|byte| byte == b'0')
    });
    Some(whole.map_or(text, |(whole, _)| whole).to_owned())
}

/// Returns the value of a tag. Texts that look like numbers or booleans are converted.
pub fn tag(cell: &Value) -> Value {
    match cell {
        Value::Text(text) => match text.trim() {
            "True" | "TRUE" | "true" => Value::Flag(true),
            "False" | "FALSE" | "false" => Value::Flag(false),
            trimmed => number(cell).map_or_else(|| Value::from(trimmed), Value::Number),
        },
        other => other.clone(),
    }
}

/// Splits a Python list literal such as `['a.png', 'b.png']`. Any other text becomes a list with
/// one element.
pub fn list(text: &str) -> Vec<String> {
    let text = text.trim();
    let Some(inside) = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
    else {
        return vec![text.to_owned()];
    };
    inside
        .split(',')
        .map(|item| item.trim().trim_matches(['\'', '"']).to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// Parses the four numbers in `[x0, y0, x1, y1]`; `None` for any other text.
pub fn rectangle(text: &str) -> Option<[f64; 4]> {
    let inside = text
        .trim()
        .trim_start_matches(['[', '('])
        .trim_end_matches([']', ')']);
    let numbers: Vec<f64> = inside
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect::<Option<_>>()?;
    numbers
        .try_into()
        .ok()
        .filter(|numbers: &[f64; 4]| numbers.iter().all(|number| number.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_the_same_in_every_format() {
        for cell in [
            Value::Number(7.0),
            Value::from("7"),
            Value::from("7.0"),
            Value::from(" 7 "),
        ] {
            assert_eq!(index(Some(&cell)).as_deref(), Some("7"));
        }
        assert_eq!(index(Some(&Value::from("v1.0"))).as_deref(), Some("v1.0"));
        assert_eq!(index(Some(&Value::Number(7.5))).as_deref(), Some("7.5"));
        assert_eq!(index(Some(&Value::from("nan"))), None);
        assert_eq!(index(None), None);
    }

    #[test]
    fn numbers_flags_and_lists_are_read_out_of_text() {
        assert_eq!(number(&Value::from("0.5")), Some(0.5));
        assert_eq!(number(&Value::from("inf")), None);
        assert_eq!(tag(&Value::from("True")), Value::Flag(true));
        assert_eq!(tag(&Value::from("80m")), Value::from("80m"));
        assert_eq!(list("['a.png', \"b.png\"]"), ["a.png", "b.png"]);
        assert_eq!(list("a, b.png"), ["a, b.png"]);
        assert_eq!(list("[]"), Vec::<String>::new());
    }

    #[test]
    fn a_rectangle_has_four_finite_numbers() {
        assert_eq!(rectangle("[0.6, .25, 0.8, 1]"), Some([0.6, 0.25, 0.8, 1.0]));
        for broken in ["[0.6, 0.2, 0.8]", "0,0,1,nan", "", "A"] {
            assert_eq!(rectangle(broken), None, "{broken}");
        }
    }
}
