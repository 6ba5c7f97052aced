//! A wording of the user's own: text with places for the question and its options.

use std::ops::Range;

use thiserror::Error;

use record::Content;

/// Names of places.
const PLACES: [&str; 4] = ["question", "options", "letters", "hint"];

/// A wording with places in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name, as conditions have it.
    pub name: String,
    text: String,
}

/// Why a wording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// The question has no place in it.
    #[error("{0} has no place for the {{question}}")]
    NoQuestion(String),
    /// A place that there is not.
    #[error(
        "{name}: there is no {{{place}}}; the places are {{question}}, {{options}}, {{letters}}, {{hint}}"
    )]
    NoSuchPlace {
        /// The wording.
        name: String,
        /// What stands in the braces.
        place: String,
    },
}

impl Template {
    /// A wording; braces around anything else than a word are left alone.
    ///
    /// # Errors
    /// It has no place for the question, or a place that there is not.
    pub fn new(name: &str, text: &str) -> Result<Self, TemplateError> {
        if !places(text).any(|place| place == "question") {
            // A place that there is not is the better reason.
            Self::free(name, text)?;
            return Err(TemplateError::NoQuestion(name.to_owned()));
        }
        Self::free(name, text)
    }

    /// A wording in which the question needs no place: it follows an answer, or is for one sample alone.
    ///
    /// # Errors
    /// It has a place that there is not.
    pub fn free(name: &str, text: &str) -> Result<Self, TemplateError> {
        for place in places(text) {
            if !PLACES.contains(&place) {
                return Err(TemplateError::NoSuchPlace {
                    name: name.to_owned(),
                    place: place.to_owned(),
                });
            }
        }
        Ok(Self::fixed(name, text.trim_end_matches('\n')))
    }

    /// Words of the program's own, with no places or only such as there are.
    pub(crate) fn fixed(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    /// The places in a text, by their bytes with the braces, and whether there is such a place.
    #[must_use]
    pub fn places(text: &str) -> Vec<(Range<usize>, bool)> {
        let mut rest = text;
        let mut found = Vec::new();
        while let Some((_, place, after)) = next_place(rest) {
            let end = text.len() - after.len();
            let start = end - place.len() - 2;
            found.push((start..end, PLACES.contains(&place)));
            rest = after;
        }
        found
    }

    /// Its text, as it was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words for a sample.
    #[must_use]
    pub fn fill(&self, content: &Content) -> String {
        let (hint, question) = split_hint(content);
        let letters = content.choices.iter().map(|choice| choice.letter.as_str());
        let letters = letters.collect::<Vec<_>>().join(", ");
        let options = options(content);
        let mut filled = String::new();
        let mut rest = self.text.as_str();
        // One pass: a question that holds braces itself is not filled again.
        while let Some((start, place, after)) = next_place(rest) {
            filled.push_str(start);
            filled.push_str(match place {
                "question" => question,
                "options" => &options,
                "letters" => &letters,
                _ => hint.unwrap_or_default(),
            });
            rest = after;
        }
        filled + rest
    }

    /// What tells this wording from another of the same name.
    #[must_use]
    pub fn version(&self) -> String {
        let digest = blake3::hash(self.text.as_bytes()).to_hex();
        format!(
            "user/{}@{}",
            self.name,
            digest.get(..12).unwrap_or_default()
        )
    }
}

/// `A. text`, one option a line.
#[must_use]
pub fn options(content: &Content) -> String {
    let lines = content.choices.iter();
    let lines = lines.map(|choice| format!("{}. {}", choice.letter, choice.text));
    lines.collect::<Vec<_>>().join("\n")
}

/// A hint that stands before the question, as the reader of `VLMEvalKit` puts it there, and the question.
#[must_use]
pub fn split_hint(content: &Content) -> (Option<&str>, &str) {
    let question = content.question.as_str();
    let lines = content
        .sent
        .as_ref()
        .map_or(0, |sent| sent.hint_lines)
        .max(1);
    let hinted = question.strip_prefix("Hint: ").and_then(|text| {
        let (at, _) = text.match_indices('\n').nth(lines - 1)?;
        Some((text.get(..at)?, text.get(at + 1..)?))
    });
    hinted.map_or((None, question), |(hint, question)| (Some(hint), question))
}

fn places(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, place, after) = next_place(rest)?;
        rest = after;
        Some(place)
    })
}

/// What stands before the next place, its name, and what stands after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text.get(from..)?.find('{')?;
        let inner = text.get(open + 1..)?;
        let length = inner.find(|c: char| !c.is_ascii_lowercase())?;
        if length > 0 && inner.get(length..)?.starts_with('}') {
            return Some((
                text.get(..open)?,
                inner.get(..length)?,
                inner.get(length + 1..)?,
            ));
        }
        from = open + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Choice;

    fn content(question: &str) -> Content {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Content {
            question: question.to_owned(),
            choices: vec![choice("A", "cat"), choice("B", "dog {question}")],
            ..Content::default()
        }
    }

    #[test]
    fn places_are_filled_once() {
        let template =
            Template::new("t", "{hint}|{question}|{options}|{letters}|{ x } {\n").unwrap();
        assert_eq!(
            template.fill(&content("Hint: look\nWhat {options}?")),
            "look|What {options}?|A. cat\nB. dog {question}|A, B|{ x } {"
        );
        assert_eq!(
            Template::new("t", "{question}")
                .unwrap()
                .fill(&content("q")),
            "q"
        );
    }

    #[test]
    fn a_wording_without_the_question_or_with_an_unknown_place_is_refused() {
        let error = |text: &str| Template::new("t", text).unwrap_err().to_string();
        assert!(error("{options}").contains("{question}"));
        assert!(error("{question} {answer}").contains("no {answer}"));
        assert!(error("{answer}").contains("no {answer}"));
        let free = |text: &str| Template::free("t", text);
        assert!(free("And now? {letters}").is_ok() && free("{answer}").is_err());
    }

    #[test]
    fn another_text_is_another_version() {
        let version = |text: &str| Template::new("t", text).unwrap().version();
        assert_ne!(version("{question}"), version("{question} "));
        assert!(version("{question}").starts_with("user/t@"));
    }
}
