//! The user's own wordings: text with placeholders for the question and its options.

use std::ops::Range;

use thiserror::Error;

use record::Content;

/// Names of the placeholders that can be used in braces.
const PLACES: [&str; 4] = ["question", "options", "letters", "hint"];

/// A wording with placeholders in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Name of the wording in conditions.
    pub name: String,
    text: String,
}

/// Why a wording is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// The placeholder for the question is missing.
    #[error("{0} has no placeholder {{question}}")]
    NoQuestion(String),
    /// A placeholder in braces is unknown.
    #[error(
        "{name}: unknown placeholder {{{place}}}; known are {{question}}, {{options}}, {{letters}}, {{hint}}"
    )]
    NoSuchPlace {
        /// Name of the wording.
        name: String,
        /// The unknown name in braces.
        place: String,
    },
}

impl Template {
    /// Returns a wording. Braces around anything but a lower-case word are plain text.
    ///
    /// # Errors
    /// The placeholder for the question is missing, or a placeholder is unknown.
    pub fn new(name: &str, text: &str) -> Result<Self, TemplateError> {
        if !places(text).any(|place| place == "question") {
            // An unknown placeholder is the more helpful error.
            Self::free(name, text)?;
            return Err(TemplateError::NoQuestion(name.to_owned()));
        }
        Self::free(name, text)
    }

    /// Returns a wording that may lack the question: a follow-up message, or
    /// text for one sample only.
    ///
    /// # Errors
    /// A placeholder in braces is unknown.
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

    /// Returns a built-in wording, without checks.
    pub(crate) fn fixed(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Returns the placeholders in a text: byte range with braces, and whether the name is known.
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

    /// The text with its placeholders.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Fills the placeholders with a sample's content.
    pub fn fill(&self, content: &Content) -> String {
        let (hint, question) = split_hint(content);
        let letters = content.choices.iter().map(|choice| choice.letter.as_str());
        let letters = letters.collect::<Vec<_>>().join(", ");
        let options = options(content);
        let mut filled = String::new();
        let mut rest = self.text.as_str();
        // One pass, so braces in the question itself are not filled.
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

    /// Returns name and hash, which distinguish wordings of the same name.
    pub fn version(&self) -> String {
        let digest = blake3::hash(self.text.as_bytes()).to_hex();
        format!(
            "user/{}@{}",
            self.name,
            digest.get(..12).unwrap_or_default()
        )
    }
}

/// Formats the options as `A. text`, one per line.
pub fn options(content: &Content) -> String {
    let lines = content.choices.iter();
    let lines = lines.map(|choice| format!("{}. {}", choice.letter, choice.text));
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits off the hint that the `VLMEvalKit` reader puts before the question.
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

/// Returns the text before the next placeholder, its name, and the text after it.
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
        assert!(error("{question} {answer}").contains("unknown placeholder {answer}"));
        assert!(error("{answer}").contains("unknown placeholder {answer}"));
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
