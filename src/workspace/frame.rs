//! Names the pictures of a sample that has several: position, and the frame's time or number.

use std::path::Path;
use std::sync::LazyLock;

use base::format::pattern;
use media::Source;
use regex::Regex;

/// Time of a frame in seconds, in the name of its file: `frame_12.5s`, `t=3s`, `0007sec`.
static SECOND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[^0-9a-z.]|frame|t)(\d{1,6}(?:\.\d{1,3})?)\s?s(?:ec|econds?)?(?:$|[^0-9a-z])",
    )
});
/// Number of a frame in the name of its file: `frame_0120`, `frame-3-of-8`.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)frame[-_ ]?(\d{1,9})(?:$|[^0-9.])"));

/// Formats the position of a picture in its sample, from 1, with the time or number of the frame if
/// known: `3 of 8, 12.5 s`, `3 of 8, frame 120`.
pub fn place_words(source: &Source, place: usize, count: usize) -> String {
    let words = format!("{place} of {count}");
    match frame_words(source) {
        Some(frame) if frame != format!("frame {place}") => format!("{words}, {frame}"),
        _ => words,
    }
}

/// Returns the time of a frame, or its number if the time is unknown: `12.5 s`, `frame 120`.
pub fn frame_words(source: &Source) -> Option<String> {
    let name = match source {
        Source::Frame { ms, .. } => return Some(format!("{} s", f64::from(*ms) / 1000.0)),
        Source::Path { reference, .. } | Source::Url(reference) => reference,
        Source::Inline(_) | Source::Cell { .. } => return None,
    };
    // A name from another machine may contain backslashes.
    let name = name.rsplit(['/', '\\']).next()?;
    let stem = Path::new(name).file_stem()?.to_str()?;
    let found = |pattern: &Regex| {
        let number = pattern.captures(stem)?.get(1)?;
        number.as_str().parse::<f64>().ok()
    };
    let second = found(&SECOND).map(|second| format!("{second} s"));
    second.or_else(|| found(&NUMBER).map(|number| format!("frame {number}")))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn words(name: &str) -> Option<String> {
        let (reference, roots) = (name.to_owned(), Vec::new());
        frame_words(&Source::Path { reference, roots })
    }

    #[test]
    fn frames_are_named_by_second_or_number() {
        for (name, expected) in [
            ("clips/a/frame_12.5s.jpg", Some("12.5 s")),
            ("clip-7_t=3s.png", Some("3 s")),
            ("a_0007sec.png", Some("7 s")),
            ("C:\\clips\\video3\\frame-0120.jpg", Some("frame 120")),
            ("frame-3-of-8.jpg", Some("frame 3")),
            ("12345.jpg", None),
            ("dogs2.png", None),
            ("10s/photo.png", None),
        ] {
            assert_eq!(words(name).as_deref(), expected, "{name}");
        }
        assert_eq!(frame_words(&Source::Inline("AAAA".to_owned())), None);
    }

    #[test]
    fn the_place_comes_first_and_nothing_is_said_twice() {
        let path = |name: &str| Source::Path {
            reference: name.to_owned(),
            roots: Vec::new(),
        };
        assert_eq!(place_words(&path("a.png"), 1, 2), "1 of 2");
        assert_eq!(place_words(&path("frame-3-of-8.jpg"), 3, 8), "3 of 8");
        assert_eq!(place_words(&path("frame_90.jpg"), 3, 8), "3 of 8, frame 90");
        let of = Arc::new(path("a.gif"));
        let frame = Source::Frame { of, at: 6, ms: 250 };
        assert_eq!(place_words(&frame, 4, 9), "4 of 9, 0.25 s");
    }
}
