//! Fingerprints of requests, computed part by part. The fingerprint of a line's raw JSON, in any
//! notation, equals the fingerprint of its parsed content.

use std::borrow::Cow;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::line::{images, target};
use super::raw::{Field, RawLine, text};
use record::{Choice, Content, ImageRef, Origin, RequestFingerprint, Target};

/// Returns the fingerprint of a request. `origin` is the origin of the answer. Pictures are
/// compared by file name, because folders differ between machines.
pub fn asked(
    content: &Content,
    origin: Option<&Origin>,
    hasher: &impl BuildHasher,
) -> RequestFingerprint {
    under(origin, || {
        let target = content.target.as_ref().map(Target::to_string);
        RequestFingerprint::new([
            hasher.hash_one(content.question.as_str()),
            of_options(content, hasher),
            hasher.hash_one(target.as_deref().unwrap_or_default()),
            of_pictures(&content.images, hasher),
        ])
    })
}

/// Returns the fingerprint of the request in a line. `known` is the target, if it was already
/// parsed.
pub(super) fn asked_raw(
    raw: &RawLine<'_>,
    known: Option<Target>,
    origin: Option<&Origin>,
    hasher: &impl BuildHasher,
) -> RequestFingerprint {
    under(origin, || {
        let question = raw.question.and_then(text).unwrap_or_default();
        RequestFingerprint::new([
            hasher.hash_one(&*question),
            of_raw_options(raw.choices, hasher),
            hasher.hash_one(&*target_words(raw.target, known)),
            of_raw_pictures(raw, hasher),
        ])
    })
}

/// Marks the parts of the request that were taken from the original log, according to the answer's
/// origin.
fn under(
    origin: Option<&Origin>,
    asked: impl FnOnce() -> RequestFingerprint,
) -> RequestFingerprint {
    match origin {
        Some(origin) if origin.as_logged => RequestFingerprint::AS_LOGGED,
        Some(origin) if origin.picture_as_logged => asked().with_logged_picture(),
        _ => asked(),
    }
}

/// Returns the target as text, borrowed if possible. Empty without a target.
fn target_words(field: Field<'_>, known: Option<Target>) -> Cow<'_, str> {
    match field {
        None => Cow::Borrowed(""),
        Some(raw) if raw.starts_with('"') => text(raw).unwrap_or_default(),
        raw => {
            let target = known.or_else(|| target(raw).ok().flatten());
            Cow::Owned(target.map(|target| target.to_string()).unwrap_or_default())
        }
    }
}

fn of_options(content: &Content, hasher: &impl BuildHasher) -> u64 {
    let mut state = hasher.build_hasher();
    for choice in &content.choices {
        option(&choice.letter, &choice.text, &mut state);
    }
    state.finish()
}

fn option(letter: &str, words: &str, state: &mut impl Hasher) {
    letter.hash(state);
    words.hash(state);
}

/// Hashes the options of a line while parsing them.
fn of_raw_options(field: Field<'_>, hasher: &impl BuildHasher) -> u64 {
    let mut state = hasher.build_hasher();
    if let Some(raw) = field {
        let mut json = serde_json::Deserializer::from_str(raw);
        // Invalid options are reported as a problem of the line, so ignore the error here.
        drop(Options(&mut state).deserialize(&mut json));
    }
    state.finish()
}

/// Adds parsed options to a hash.
struct Options<'a, H>(&'a mut H);

/// A key, borrowed from the line if it contains no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, H: Hasher> DeserializeSeed<'de> for Options<'_, H> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de, H: Hasher> Visitor<'de> for Options<'_, H> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list or an object of options")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((Key(letter), words)) = map.next_entry::<Key<'de>, &'de RawValue>()? {
            option(&letter, &words_of(words.get()), self.0);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut at = 0;
        while let Some(words) = list.next_element::<&'de RawValue>()? {
            option(&Choice::letters(at), &words_of(words.get()), self.0);
            at += 1;
        }
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// Returns the text of an option; other values than strings become compact JSON.
fn words_of(raw: &str) -> Cow<'_, str> {
    if raw.starts_with('"') {
        return text(raw).unwrap_or_default();
    }
    let value = serde_json::from_str::<serde_json::Value>(raw);
    Cow::Owned(value.map(|value| value.to_string()).unwrap_or_default())
}

fn of_pictures(pictures: &[ImageRef], hasher: &impl BuildHasher) -> u64 {
    of_names(pictures.iter().map(name_of), hasher)
}

fn name_of(picture: &ImageRef) -> &str {
    match picture {
        ImageRef::Path(path) => file_name(path),
        ImageRef::Inline(text) | ImageRef::Url(text) => text,
        ImageRef::Cell { .. } => "",
    }
}

/// Hashes the pictures of a line. A single path is not copied.
fn of_raw_pictures(raw: &RawLine<'_>, hasher: &impl BuildHasher) -> u64 {
    let one = raw.image.filter(|_| raw.images.is_none());
    let path = one.filter(|raw| raw.starts_with('"')).and_then(text);
    let is_path = |text: &Cow<'_, str>| !text.starts_with("data:") && !text.starts_with("http");
    match path.filter(is_path) {
        Some(path) => of_names(std::iter::once(file_name(&path)), hasher),
        None => of_pictures(&images(raw), hasher),
    }
}

fn of_names<'a>(names: impl Iterator<Item = &'a str>, hasher: &impl BuildHasher) -> u64 {
    let mut state = hasher.build_hasher();
    names.for_each(|name| name.hash(&mut state));
    state.finish()
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::origin::origin;
    use super::super::write::write_item;
    use super::*;
    use record::Record;
    use std::hash::{BuildHasherDefault, DefaultHasher};

    /// Hasher with a fixed seed.
    type Fixed = BuildHasherDefault<DefaultHasher>;

    fn of_line(line: &str) -> RequestFingerprint {
        let raw = RawLine::new(line.as_bytes()).unwrap();
        asked_raw(&raw, None, origin(&raw).as_ref(), &Fixed::default())
    }

    fn of_record(record: &Record) -> RequestFingerprint {
        asked(&record.content, record.origin.as_deref(), &Fixed::default())
    }

    #[test]
    fn however_a_line_is_written_it_asks_the_same() {
        let plain = of_line(
            r#"{"question":"Größe \"x\"?","choices":{"A":"one/two","B":"3"},"target":"A","image":"a/b/c.png"}"#,
        );
        for other in [
            r#"{"question": "Gr\u00f6\u00dfe \u0022x\u0022?", "choices": {"A" : "one\/two", "B": "3"}, "target": "A", "images": ["elsewhere/c.png"]}"#,
            r#"{"question": "Größe \"x\"?", "choices": ["one/two", 3], "target": "A", "image": "c.png"}"#,
        ] {
            assert!(plain.known_differences(of_line(other)).is_none(), "{other}");
        }
        let numbers = [
            r#"{"target":[1,2,3,4]}"#,
            r#"{"target": [1.0, 2.0, 3, 4e0]}"#,
        ]
        .map(of_line);
        assert!(numbers[0].known_differences(numbers[1]).is_none());
        let apart = |line: &str| plain.known_differences(of_line(line)).words();
        assert_eq!(
            apart(
                r#"{"question":"Größe \"x\"?","choices":{"B":"one/two","A":"3"},"target":"B","image":"c.png"}"#
            ),
            "options and target"
        );
    }

    #[test]
    fn a_record_of_another_format_asks_what_its_line_asks() {
        for target in [
            Target::Text("B".to_owned()),
            Target::Number(4.0),
            Target::Box([1.0, 2.5, 3.0, 4.0]),
        ] {
            let record = Record {
                content: Content {
                    question: "Where \\ \"is\" it?\n".to_owned(),
                    choices: vec![Choice {
                        letter: "A".to_owned(),
                        text: "l\teft".to_owned(),
                    }],
                    target: Some(target),
                    images: vec![ImageRef::Path("x/y.png".to_owned())],
                    ..Content::default()
                },
                ..Record::default()
            };
            let line = of_line(&write_item(&record));
            assert!(line.known_differences(of_record(&record)).is_none());
            assert!(line.differences(of_record(&record)).is_none());
        }
        let nothing = of_line("{}");
        assert!(nothing.differences(of_record(&Record::default())).is_none());
    }

    #[test]
    fn what_a_rerun_asks_as_its_log_is_no_other_question() {
        let log = of_line(r#"{"question":"q","image":"0_90.png"}"#);
        let turned =
            r#"{"question":"q","image":"images/f3.png","rerun":{"picture_as_logged":true}}"#;
        assert!(log.known_differences(of_line(turned)).is_none());
        let worded =
            r#"{"question":"other","image":"images/f3.png","rerun":{"picture_as_logged":true}}"#;
        assert_eq!(log.known_differences(of_line(worded)).words(), "question");
        let whole = r#"{"question":"other","rerun":{"as_logged":true}}"#;
        assert!(log.known_differences(of_line(whole)).is_none());
    }
}
