//! Protects CSV cells from being read as spreadsheet formulas.

use std::borrow::Cow;

/// Adds an apostrophe to text that starts like a formula and is not a number. [`plain_cell`]
/// removes the apostrophe.
pub fn harmless_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the original text of a cell written by [`harmless_cell`].
pub fn plain_cell(text: &str) -> &str {
    text.strip_prefix('\'')
        .filter(|text| is_formula(text))
        .unwrap_or(text)
}

/// First characters of formulas, including full-width characters and those of older spreadsheets.
const STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '|', '＝', '＋', '－', '＠'];

/// Returns true if the text is not a number, but starts like a formula after leading apostrophes.
fn is_formula(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.starts_with(STARTS) && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_shown_and_found_again() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-3 apples", "'-3 apples"),
            ("'=1", "''=1"),
            ("＝1+1", "'＝1+1"),
            ("|=cmd", "'|=cmd"),
            ("-3.5", "-3.5"),
            ("+1e9", "+1e9"),
            ("'tis", "'tis"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(harmless_cell(text), cell);
            assert_eq!(plain_cell(cell), text);
        }
    }
}
