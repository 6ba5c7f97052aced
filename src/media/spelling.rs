//! Other spellings of a picture path: separators of another operating system, `file:` addresses,
//! percent escapes, Unicode forms.
//!
//! A path is first looked up as written. Other spellings are tried only if no file is found. They
//! are tried in the same folders and under the same rules.

use unicode_normalization::UnicodeNormalization as _;

/// Maximum number of path components for which suffixes are tried.
const MOST_PARTS: usize = 32;

/// Returns the other spellings of a path, likeliest first, without duplicates.
pub fn others(reference: &str) -> Vec<String> {
    let steps: [fn(&str) -> Option<String>; 6] = [
        with_slashes,
        without_address,
        decoded,
        with_slashes,
        composed,
        decomposed,
    ];
    let mut found = vec![reference.to_owned()];
    for step in steps {
        let more: Vec<String> = found.iter().filter_map(|text| step(text)).collect();
        for spelling in more {
            if !spelling.is_empty() && !found.contains(&spelling) {
                found.push(spelling);
            }
        }
    }
    found.split_off(1)
}

/// Returns the suffixes of an absolute path from another machine, longest first. Empty for a
/// relative path.
pub fn tails(path: &str) -> Vec<String> {
    let path = path.replace('\\', "/");
    let is_absolute = path.starts_with('/') || has_drive(&path);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if !is_absolute || parts.len() > MOST_PARTS {
        return Vec::new();
    }
    let first = usize::from(has_drive(&path));
    (first..parts.len())
        .filter_map(|at| Some(parts.get(at..)?.join("/")))
        .collect()
}

/// Returns true for a path with a drive letter, for example `C:/pictures`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

/// Returns the path in a `file:` address or in an address of Label Studio's local files.
fn without_address(reference: &str) -> Option<String> {
    if let Some((before, named)) = reference.split_once("?d=")
        && before.ends_with("local-files/")
    {
        let path = named.split('&').next().unwrap_or_default();
        return Some(path.to_owned());
    }
    let rest = strip_scheme(reference)?;
    let rest = match rest.strip_prefix("//") {
        Some(rest) => rest
            .strip_prefix("localhost/")
            .map_or_else(|| rest.to_owned(), |path| format!("/{path}")),
        None => rest.to_owned(),
    };
    // Example: `file:///C:/a.png`
    let drive = rest.strip_prefix('/').filter(|path| has_drive(path));
    Some(drive.map_or_else(|| rest.clone(), str::to_owned))
}

fn strip_scheme(reference: &str) -> Option<&str> {
    let scheme = reference.get(..5)?;
    (scheme.eq_ignore_ascii_case("file:")).then(|| reference.get(5..))?
}

/// Decodes percent escapes; `None` if there are none or the result is not UTF-8.
fn decoded(path: &str) -> Option<String> {
    if !path.contains('%') {
        return None;
    }
    let bytes = path.as_bytes();
    let digit = |at: usize| {
        let byte = char::from(*bytes.get(at)?);
        byte.to_digit(16)
    };
    let (mut found, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%').then(|| digit(at + 1).zip(digit(at + 2)));
        if let Some((high, low)) = escaped.flatten() {
            found.push(u8::try_from(high * 16 + low).ok()?);
            at += 3;
        } else {
            found.push(byte);
            at += 1;
        }
    }
    String::from_utf8(found).ok()
}

fn with_slashes(path: &str) -> Option<String> {
    path.contains('\\').then(|| path.replace('\\', "/"))
}

fn composed(path: &str) -> Option<String> {
    (!path.is_ascii()).then(|| path.nfc().collect())
}

fn decomposed(path: &str) -> Option<String> {
    (!path.is_ascii()).then(|| path.nfd().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_path_has_no_other_spelling() {
        for path in [
            "images/1.png",
            "a b.png",
            "a#1.png",
            "what?.png",
            "100%.png",
            "",
        ] {
            assert_eq!(others(path), [""; 0], "{path}");
        }
    }

    #[test]
    fn paths_of_other_systems_and_addresses_are_spelt_anew() {
        for (path, expected) in [
            (r"images\a.png", "images/a.png"),
            ("images/a%20b.png", "images/a b.png"),
            ("file://images/a.png", "images/a.png"),
            ("file:///data/a%20b.png", "/data/a b.png"),
            ("FILE://localhost/data/a.png", "/data/a.png"),
            ("file:///C:/x/a.png", "C:/x/a.png"),
            (r"file:///C:\x\a.png", "C:/x/a.png"),
            (
                "/data/local-files/?d=images/a%20b.png&x=1",
                "images/a b.png",
            ),
            ("K\u{e4}se.png", "Ka\u{308}se.png"),
            ("Ka\u{308}se.png", "K\u{e4}se.png"),
            ("K%C3%A4se.png", "Ka\u{308}se.png"),
        ] {
            let others = others(path);
            assert!(others.iter().any(|it| it == expected), "{path}: {others:?}");
        }
        assert_eq!(others("%ff.png"), [""; 0], "no text");
    }

    #[test]
    fn the_longest_end_of_a_foreign_path_comes_first() {
        assert_eq!(tails("/mnt/x/a.png"), ["mnt/x/a.png", "x/a.png", "a.png"]);
        assert_eq!(tails(r"C:\x\a.png"), ["x/a.png", "a.png"]);
        assert_eq!(tails("/mnt/../x/./a.png"), ["x/a.png", "a.png"]);
        assert_eq!(
            tails("images/a.png"),
            [""; 0],
            "it begins in no root folder"
        );
        assert_eq!(tails(&"/x".repeat(100)), [""; 0]);
        assert_eq!(tails("/../../.."), [""; 0]);
    }
}
