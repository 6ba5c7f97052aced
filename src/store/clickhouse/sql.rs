//! Quotes names and texts for SQL.

use std::fmt::Write as _;

/// Quotes a string literal. Any content is safe.
pub fn text(text: &str) -> String {
    quoted(text, '\'')
}

/// Quotes the name of a database, table, column or cluster.
pub fn name(name: &str) -> String {
    quoted(name, '`')
}

/// Quotes a text with escapes that every server version accepts, in literals and in names.
fn quoted(text: &str, mark: char) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(mark);
    for c in text.chars() {
        match c {
            '\\' | '\'' | '`' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0'..='\u{1f}' => {
                // Writing to a `String` cannot fail.
                let _ = write!(quoted, "\\x{:02X}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push(mark);
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_where_it_ends() {
        assert_eq!(text("'; DROP TABLE runs; --"), r"'\'; DROP TABLE runs; --'");
        assert_eq!(text(r"a\' OR 1"), r"'a\\\' OR 1'");
        assert_eq!(text("é\0\n`"), r"'é\x00\n\`'");
        assert_eq!(name("a`b.c"), r"`a\`b.c`");
    }
}
