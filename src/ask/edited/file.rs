//! Reads and writes the TOML file of an edited question.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::{PictureEdit, PictureEditError, QuestionEdit};
use crate::template::{Template, TemplateError};

/// The TOML fields of the file.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    prompt: Option<String>,
    system: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stop: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    logprobs: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    picture: Vec<String>,
    // TOML tables must come last.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    extra: Map<String, Json>,
}

/// Why a file is not a valid edited question.
#[derive(Debug, Error)]
pub enum QuestionEditError {
    /// The file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// The text is not TOML or has an unknown field.
    #[error("{name}: {why}")]
    Toml {
        /// Name of the edited question.
        name: String,
        /// The TOML parser's message, with the position.
        why: String,
    },
    /// The prompt is not a valid template for other samples.
    #[error(transparent)]
    Words(#[from] TemplateError),
    /// An edit of the picture is invalid.
    #[error("{name}: {why}")]
    Picture {
        /// Name of the edited question.
        name: String,
        /// The edit that cannot be parsed.
        why: PictureEditError,
    },
    /// A number is out of range.
    #[error("{name}: {what}")]
    Number {
        /// Name of the edited question.
        name: String,
        /// The number and its range.
        what: &'static str,
    },
}

impl QuestionEdit {
    /// Reads an edited question from a file.
    ///
    /// # Errors
    /// The file cannot be read or is invalid.
    pub fn open(path: &Path) -> Result<Self, QuestionEditError> {
        let text = fs::read_to_string(path).map_err(|why| QuestionEditError::Unreadable {
            path: path.to_path_buf(),
            why,
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::read(&name, &text)
    }

    /// Parses the text of a file with this name.
    ///
    /// # Errors
    /// The text is not TOML, has an unknown field, or a value is invalid.
    pub fn read(name: &str, text: &str) -> Result<Self, QuestionEditError> {
        Self::with_words(name, text, Template::new)
    }

    /// Parses the text saved with a run, whose prompt may fit one sample only.
    pub(crate) fn restored(name: &str, text: &str) -> Result<Self, QuestionEditError> {
        Self::with_words(name, text, Template::free)
    }

    fn with_words(
        name: &str,
        text: &str,
        words: impl FnOnce(&str, &str) -> Result<Template, TemplateError>,
    ) -> Result<Self, QuestionEditError> {
        let name = name.to_owned();
        let file: File = toml::from_str(text).map_err(|error| QuestionEditError::Toml {
            name: name.clone(),
            why: error.to_string().trim_end().to_owned(),
        })?;
        let number = |what| QuestionEditError::Number {
            name: name.clone(),
            what,
        };
        if file
            .temperature
            .is_some_and(|temperature| !(0.0..=2.0).contains(&temperature))
        {
            return Err(number("temperature must be a number from 0 to 2"));
        }
        if file.max_tokens == Some(0) {
            return Err(number("max_tokens must be a whole number from 1"));
        }
        let words = file.prompt.map(|text| words(&name, &text));
        let edits: Result<Vec<PictureEdit>, _> =
            file.picture.iter().map(|edit| edit.parse()).collect();
        Ok(Self {
            words: words.transpose()?.map(Arc::new),
            system: file.system,
            temperature: file.temperature,
            max_tokens: file.max_tokens,
            seed: file.seed,
            stop: file.stop,
            logprobs: file.logprobs,
            extra: file.extra,
            edits: edits.map_err(|why| QuestionEditError::Picture {
                name: name.clone(),
                why,
            })?,
            name,
        })
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// The prompt fits one sample only, or an extra field has no TOML form, for example null.
    pub fn text(&self) -> Result<String, QuestionEditError> {
        if let Some(words) = &self.words {
            // A prompt for one sample is not a protocol.
            Template::new(&self.name, words.text())?;
        }
        self.to_run_text()
    }

    /// Returns the text to save with a run; its prompt may fit one sample only.
    pub(crate) fn to_run_text(&self) -> Result<String, QuestionEditError> {
        let words = self.words.as_ref();
        let file = File {
            prompt: words.map(|words| words.text().to_owned()),
            system: self.system.clone(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            seed: self.seed,
            stop: self.stop.clone(),
            logprobs: self.logprobs,
            picture: self.edits.iter().map(ToString::to_string).collect(),
            extra: self.extra.clone(),
        };
        toml::to_string_pretty(&file).map_err(|error| QuestionEditError::Toml {
            name: self.name.clone(),
            why: error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "prompt = \"\"\"\n{question}\nOne word.\"\"\"\nsystem = \"Be brief.\"\ntemperature = 0.7\nmax_tokens = 64\n\
        seed = 3\nstop = [\"\\n\"]\nlogprobs = true\npicture = [\"turn 90\", \"mask 0 0 0.5 0.5\", \"noise 20 seed 1\"]\n\n[extra]\ntop_k = 1\n";

    #[test]
    fn a_file_leads_to_a_question_and_back() {
        let edited = QuestionEdit::read("brief", TEXT).unwrap();
        assert_eq!(
            edited.words.as_ref().unwrap().text(),
            "{question}\nOne word."
        );
        assert_eq!(
            (edited.temperature, edited.max_tokens, edited.seed),
            (Some(0.7), Some(64), Some(3))
        );
        assert_eq!((edited.edits.len(), edited.logprobs), (3, true));
        assert_eq!(edited.extra["top_k"], 1);
        let text = edited.text().unwrap();
        assert_eq!(
            QuestionEdit::read("brief", &text).unwrap(),
            edited,
            "{text}"
        );
        let plain = QuestionEdit::read("plain", "").unwrap();
        assert!(plain.is_plain() && plain.text().unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_in_a_file_is_said() {
        for (text, part) in [
            ("promt = 'x'", "unknown field `promt`"),
            ("prompt = 'Look.'", "no placeholder {question}"),
            (
                "prompt = '{question} {answer}'",
                "unknown placeholder {answer}",
            ),
            ("temperature = 3", "0 to 2"),
            ("max_tokens = 0", "from 1"),
            ("picture = ['swirl']", "`swirl` is not a picture edit"),
        ] {
            let error = QuestionEdit::read("odd", text).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains("odd"), "{error}");
        }
        let missing = QuestionEdit::open(Path::new("/no/such/file.toml")).unwrap_err();
        assert!(missing.to_string().starts_with("/no/such/file.toml"));
    }

    #[test]
    fn words_for_one_sample_alone_are_not_kept() {
        let edited = QuestionEdit {
            name: "one".to_owned(),
            words: Some(Arc::new(Template::free("one", "Count the cups.").unwrap())),
            ..QuestionEdit::default()
        };
        assert!(
            edited
                .text()
                .unwrap_err()
                .to_string()
                .contains("{question}")
        );
        let kept = edited.to_run_text().unwrap();
        assert_eq!(QuestionEdit::restored("one", &kept).unwrap(), edited);
    }
}
