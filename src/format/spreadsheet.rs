//! Cells of CSV files that spreadsheets would take for formulas.

use std::borrow::Cow;

/// The text as a spreadsheet shows it instead of computing it: what begins like a formula and is no number gets an
/// apostrophe in front. [`plain_cell`] takes it away again.
#[must_use]
pub fn harmless_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text of a cell that [`harmless_cell`] wrote.
#[must_use]
pub fn plain_cell(text: &str) -> &str {
    text.strip_prefix('\'')
        .filter(|text| is_formula(text))
        .unwrap_or(text)
}

/// What a formula begins with, in full width too, and what older spreadsheets take for one.
const STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '|', '＝', '＋', '－', '＠'];

/// Returns true for what begins like a formula and is no number, also behind apostrophes.
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
