//! Edited questions: changed prompt, picture edits and sampling. A saved edited question is a
//! protocol for any sample.

mod file;
mod picture;

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::asking::Asking;
use super::template::{Template, TemplateError, options, split_hint};
use crate::client::Sampling;
use record::Content;

pub use file::QuestionEditError;
pub use picture::{PictureEdit, PictureEditError};

/// Number of alternative tokens with log probabilities per answer token.
pub const TOP_LOGPROBS: u32 = 5;

/// The edited parts of a question; everything else stays as in the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionEdit {
    /// Name of its file, without extension.
    pub name: String,
    /// The prompt, with placeholders like `{question}`.
    pub words: Option<Arc<Template>>,
    /// The system prompt; empty to remove the log's.
    pub system: Option<String>,
    /// Sampling temperature, 0 to 2; `None` for the default.
    pub temperature: Option<f64>,
    /// Token limit of an answer.
    pub max_tokens: Option<u32>,
    /// Random seed of the server.
    pub seed: Option<u64>,
    /// Stop sequences; empty to keep the log's.
    pub stop: Vec<String>,
    /// True to request log probabilities.
    pub logprobs: bool,
    /// Extra request fields; they override the run's.
    pub extra: Map<String, Json>,
    /// Edits of the pictures, applied in order.
    pub edits: Vec<PictureEdit>,
}

impl QuestionEdit {
    /// Applies the edits to the sampling parameters. A token limit or seed of the run overrides
    /// the file; other settings do not.
    pub(super) fn fill(&self, sampling: &mut Sampling, asking: &Asking) {
        if !asking.bounds_length {
            sampling.max_tokens = self.max_tokens.or(sampling.max_tokens);
        }
        sampling.seed = sampling.seed.or(self.seed);
        if self.logprobs {
            sampling.extra.insert("logprobs".to_owned(), json!(true));
            sampling
                .extra
                .insert("top_logprobs".to_owned(), json!(TOP_LOGPROBS));
        }
        if !self.stop.is_empty() {
            sampling.extra.insert("stop".to_owned(), json!(self.stop));
        }
        sampling.extra.extend(self.extra.clone());
    }

    /// Returns the system prompt to send, given the log's.
    pub(super) fn system_or(&self, logged: Option<String>) -> Option<String> {
        let system = self.system.clone().or(logged);
        system.filter(|system| !system.is_empty())
    }

    /// Returns true if nothing but the name is set.
    pub fn is_plain(&self) -> bool {
        *self
            == Self {
                name: self.name.clone(),
                ..Self::default()
            }
    }

    /// Sets the prompt from a text that was edited for one sample. The sample's question and
    /// options are replaced by placeholders, so the prompt fits other samples.
    ///
    /// # Errors
    /// The text has an unknown placeholder in braces.
    pub fn set_prompt(&mut self, words: &str, content: &Content) -> Result<(), TemplateError> {
        let (_, question) = split_hint(content);
        let options = options(content);
        let mut text = words.to_owned();
        if !options.is_empty() {
            text = text.replacen(&options, "{options}", 1);
        }
        if !question.is_empty() {
            text = text.replacen(question, "{question}", 1);
        }
        self.words = Some(Arc::new(Template::free("words", &text)?));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Choice;

    fn content() -> Content {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Content {
            question: "How many cups?".to_owned(),
            choices: vec![choice("A", "one"), choice("B", "two")],
            ..Content::default()
        }
    }

    #[test]
    fn words_of_one_sample_are_words_for_any() {
        let mut edited = QuestionEdit::default();
        edited
            .set_prompt(
                "Look!\nHow many cups?\nA. one\nB. two\nOne letter.",
                &content(),
            )
            .unwrap();
        let words = edited.words.clone().unwrap();
        assert_eq!(words.text(), "Look!\n{question}\n{options}\nOne letter.");
        assert_eq!(
            words.fill(&content()),
            "Look!\nHow many cups?\nA. one\nB. two\nOne letter."
        );
        edited.set_prompt("Count the cups.", &content()).unwrap();
        assert_eq!(edited.words.clone().unwrap().text(), "Count the cups.");
        assert!(edited.set_prompt("{answer}", &content()).is_err());
    }

    #[test]
    fn what_is_edited_is_sent_unless_the_user_says_otherwise_of_the_run() {
        let edited = QuestionEdit {
            max_tokens: Some(8),
            seed: Some(3),
            stop: vec!["\n".to_owned()],
            logprobs: true,
            ..QuestionEdit::default()
        };
        let usual = || Sampling {
            max_tokens: Some(1024),
            ..Sampling::default()
        };
        let mut sampling = usual();
        let mut asking = Asking::default();
        edited.fill(&mut sampling, &asking);
        assert_eq!((sampling.max_tokens, sampling.seed), (Some(8), Some(3)));
        assert_eq!(sampling.extra["stop"], json!(["\n"]));
        assert_eq!(
            (&sampling.extra["logprobs"], &sampling.extra["top_logprobs"]),
            (&json!(true), &json!(5))
        );
        let mut sampling = Sampling {
            seed: Some(9),
            ..usual()
        };
        asking.bounds_length = true;
        edited.fill(&mut sampling, &asking);
        assert_eq!((sampling.max_tokens, sampling.seed), (Some(1024), Some(9)));
    }

    #[test]
    fn an_empty_system_prompt_is_none() {
        let of = |system: Option<&str>| {
            let edited = QuestionEdit {
                system: system.map(str::to_owned),
                ..QuestionEdit::default()
            };
            edited.system_or(Some("logged".to_owned()))
        };
        assert_eq!(of(None).as_deref(), Some("logged"));
        assert_eq!(of(Some("own")).as_deref(), Some("own"));
        assert_eq!(of(Some("")), None);
    }
}
