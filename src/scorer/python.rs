//! Reimplements Python text functions that behave differently in Rust, because the harnesses are
//! written in Python.

/// Returns true for white space as defined by `str.split` and `\s`: Unicode white space, and the
/// four ASCII separators U+001C to U+001F.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Behaves like `str.strip()`.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Behaves like `str.split()`: returns the words between runs of white space.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Behaves like `float()` of digits with sign, point and exponent; accepts decimal digits of any
/// script.
///
/// Numbers beyond the range of `f64` give `None`, so that no score becomes infinite.
pub(super) fn float(text: &str) -> Option<f64> {
    let ascii: String = text.chars().map(ascii_digit).collect();
    ascii.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Behaves like `int()` of a text without sign, underscore or white space; returns a float.
pub(super) fn int(text: &str) -> Option<f64> {
    let digits = !text.is_empty() && text.chars().all(is_digit);
    digits.then(|| float(text)).flatten()
}

/// Returns true for characters that `\d` matches: decimal digits of any script (Unicode category
/// Nd).
pub(super) fn is_digit(character: char) -> bool {
    ascii_digit(character).is_ascii_digit()
}

/// Converts a decimal digit of any script to ASCII; other characters stay unchanged.
pub(super) fn ascii_digit(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    let zero = ZEROS
        .partition_point(|zero| *zero <= character)
        .checked_sub(1);
    let offset = zero
        .and_then(|place| ZEROS.get(place))
        .map(|zero| u32::from(character) - u32::from(*zero));
    offset
        .and_then(|offset| char::from_digit(offset, 10))
        .unwrap_or(character)
}

/// Zeros of all decimal digit ranges in Unicode 14, sorted; each is followed by the digits 1 to 9.
const ZEROS: [char; 66] = [
    '0',
    '\u{660}',
    '\u{6f0}',
    '\u{7c0}',
    '\u{966}',
    '\u{9e6}',
    '\u{a66}',
    '\u{ae6}',
    '\u{b66}',
    '\u{be6}',
    '\u{c66}',
    '\u{ce6}',
    '\u{d66}',
    '\u{de6}',
    '\u{e50}',
    '\u{ed0}',
    '\u{f20}',
    '\u{1040}',
    '\u{1090}',
    '\u{17e0}',
    '\u{1810}',
    '\u{1946}',
    '\u{19d0}',
    '\u{1a80}',
    '\u{1a90}',
    '\u{1b50}',
    '\u{1bb0}',
    '\u{1c40}',
    '\u{1c50}',
    '\u{a620}',
    '\u{a8d0}',
    '\u{a900}',
    '\u{a9d0}',
    '\u{a9f0}',
    '\u{aa50}',
    '\u{abf0}',
    '\u{ff10}',
    '\u{104a0}',
    '\u{10d30}',
    '\u{11066}',
    '\u{110f0}',
    '\u{11136}',
    '\u{111d0}',
    '\u{112f0}',
    '\u{11450}',
    '\u{114d0}',
    '\u{11650}',
    '\u{116c0}',
    '\u{11730}',
    '\u{118e0}',
    '\u{11950}',
    '\u{11c50}',
    '\u{11d50}',
    '\u{11da0}',
    '\u{16a60}',
    '\u{16ac0}',
    '\u{16b50}',
    '\u{1d7ce}',
    '\u{1d7d8}',
    '\u{1d7e2}',
    '\u{1d7ec}',
    '\u{1d7f6}',
    '\u{1e140}',
    '\u{1e2f0}',
    '\u{1e950}',
    '\u{1fbf0}',
];

#[cfg(test)]
mod tests {
    use super::{ZEROS, float, int, is_digit, split, strip};

    #[test]
    fn white_space_has_the_ascii_separators() {
        assert_eq!(strip("\u{1f} a\u{a0}b \u{3000}"), "a\u{a0}b");
        assert_eq!(
            split(" a\u{1c}b\u{a0}c ").collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
    }

    #[test]
    fn digits_of_every_script_count() {
        assert!(ZEROS.is_sorted());
        assert_eq!(int("４２"), Some(42.0));
        assert_eq!(float("-٣.٥"), Some(-3.5));
        assert_eq!(int("5.0"), None);
        assert_eq!(int(""), None);
        assert_eq!(float(&"9".repeat(400)), None);
        assert!(!is_digit('²') && !is_digit('x') && is_digit('९'));
    }
}
