//! Reads small YAML files that describe data sets and runs. Supports texts, lists and one level of
//! maps.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::Path;

use crate::open::open;

/// Maximum number of bytes that are read; the thousand class names of `ImageNet` take 30 kB.
const MOST: u64 = 1 << 20;

/// Members of a file by name, each as pairs of key and text. A text is one pair with an empty key.
/// A list has one pair with an empty key per element.
pub type Members = BTreeMap<String, Vec<(String, String)>>;

/// Reads the members of a file; anything beyond [`MOST`] bytes is ignored.
///
/// # Errors
/// If the file cannot be read.
pub fn read(path: &Path) -> io::Result<Members> {
    Ok(members(&text_of(path)?))
}

/// Reads the text of a file; anything beyond [`MOST`] bytes is ignored.
///
/// # Errors
/// If the file cannot be read.
pub fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the members of the map `name` in a text, each with its lines. Empty if there is no such
/// map.
pub fn block(text: &str, name: &str) -> Vec<(String, String)> {
    let is_start = |line: &&str| {
        line.strip_prefix(name)
            .is_some_and(|rest| rest.trim_end() == ":")
    };
    let mut lines = text.lines().skip_while(|line| !is_start(line));
    if lines.next().is_none() {
        return Vec::new();
    }
    let inner = lines.take_while(|line| line.is_empty() || line.starts_with([' ', '-']));
    nested(&inner.collect::<Vec<_>>().join("\n"))
}

/// Returns the members of an indented map, each with its text. The text is the rest of the member's
/// line, and the following lines with deeper indentation. If the text starts on the member's line,
/// its lines are joined by spaces.
pub fn nested(block: &str) -> Vec<(String, String)> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let first = block
        .lines()
        .find(|line| !line.trim().is_empty())
        .map_or(0, depth);
    let mut found: Vec<(String, String)> = Vec::new();
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        let member = line.trim_start().split_once(':');
        match (member, found.last_mut()) {
            (Some((key, rest)), _)
                if depth(line) == first && !line.trim_start().starts_with('-') =>
            {
                found.push((unquoted(key), rest.trim().to_owned()));
            }
            // This line continues the text of the member.
            (_, Some((_, text))) if !text.is_empty() && !text.contains('\n') => {
                text.push(' ');
                text.push_str(line.trim());
            }
            (_, Some((_, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            _ => {}
        }
    }
    found
}

/// Returns the text of a member; empty if the member does not exist.
pub fn text<'a>(members: &'a Members, name: &str) -> &'a str {
    let member = members.get(name).and_then(|pairs| pairs.first());
    member.map_or("", |(_, text)| text)
}

/// Parses a YAML text. Of a block, only the first level is read.
pub fn members(text: &str) -> Members {
    let mut raw: Vec<(&str, String)> = Vec::new();
    // Indentation of the first line of a block.
    let mut first = None;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = without_comment(line).trim_end();
        let is_inner = line.starts_with([' ', '\t', '-', ']', '}']);
        match line.split_once(':') {
            Some((name, rest)) if !is_inner => {
                first = None;
                raw.push((name.trim(), rest.trim().to_owned()));
            }
            _ if line.is_empty() => {}
            _ => {
                let depth = line.len() - line.trim_start().len();
                if let Some((_, body)) = raw.last_mut()
                    && (body.trim_start().starts_with(['[', '{'])
                        || depth <= *first.get_or_insert(depth))
                {
                    body.push('\n');
                    body.push_str(line.trim());
                }
            }
        }
    }
    let pairs = |body: &str| -> Vec<(String, String)> {
        let body = body.trim();
        let inner = body.strip_prefix(['[', '{']);
        let parts = match inner {
            Some(inner) => split(inner.trim_end_matches([']', '}']), ','),
            None => split(body, '\n'),
        };
        let parts = parts.into_iter().map(str::trim);
        parts.filter(|part| !part.is_empty()).map(pair).collect()
    };
    let raw = raw.into_iter();
    raw.map(|(name, body)| (unquoted(name), pairs(&body)))
        .collect()
}

fn pair(part: &str) -> (String, String) {
    let part = part.strip_prefix("- ").unwrap_or(part).trim();
    match part.split_once(':') {
        Some((key, value)) if key.bytes().all(|byte| byte.is_ascii_digit()) => {
            (key.to_owned(), unquoted(value))
        }
        _ => (String::new(), unquoted(part)),
    }
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\''].into_iter().find_map(|quote| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner.replace("''", "'"))
    });
    inner.unwrap_or_else(|| text.to_owned())
}

/// Splits a text at each occurrence of a character that is not inside quotes.
fn split(text: &str, at: char) -> Vec<&str> {
    let (mut quote, mut last) = (None, ' ');
    text.split(|letter| {
        let begins = matches!(last, ' ' | ',' | '\n' | ':');
        if letter != ' ' || begins {
            last = letter;
        }
        match quote {
            Some(open) if letter == open => quote = None,
            None if begins && matches!(letter, '"' | '\'') => quote = Some(letter),
            // Names do not span lines, so the quote was an apostrophe.
            Some(_) if letter == '\n' => quote = None,
            _ => {}
        }
        letter == at && quote.is_none()
    })
    .collect()
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    let quoted = line.contains(['"', '\'']);
    let end = if quoted { None } else { line.find(" #") };
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_every_usual_form() {
        for names in [
            "names:\n  0: cat\n  1: \"a, b\"\n",
            "names:\n- cat\n- a, b\n",
            "names:\n  - cat # an animal\n  - 'a, b'\nval: images\n",
            "names: ['cat', \"a, b\"]",
            "names: {0: cat, 1: 'a, b'}  ",
            "\u{feff}# a comment\nnames: ['cat',\n  'a, b'\n]\nnc: 2",
        ] {
            let members = members(names);
            let found: Vec<&str> = members["names"].iter().map(|(_, it)| it.as_str()).collect();
            assert_eq!(found, ["cat", "a, b"], "{names}");
        }
    }

    #[test]
    fn texts_and_lists_are_members() {
        let members = members("path: ../sets/a # here\ntrain: [x, y]\nval: \"v 1\"\ntest:\nnc: 1");
        assert_eq!(text(&members, "path"), "../sets/a");
        assert_eq!(members["train"].len(), 2);
        assert_eq!(text(&members, "val"), "v 1");
        assert_eq!((text(&members, "test"), text(&members, "absent")), ("", ""));
    }

    #[test]
    fn deeper_levels_are_not_members() {
        let members = members("a:\n\n  b: 1\n  c:\n    d: 2\n  e: 'f'\n");
        let found: Vec<&str> = members["a"].iter().map(|(_, it)| it.as_str()).collect();
        assert_eq!(found, ["b: 1", "c:", "e: 'f'"]);
    }
}
