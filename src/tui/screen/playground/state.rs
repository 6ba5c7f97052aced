//! State of the playground: sample, edits, models and answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ask::worker::{ModelChoice, Preview};
use ask::{Cost, QuestionEdit, StepResult, TurnWords};
use base::config::{EndpointSettings, Price, Settings};

use super::field::EditField;
use super::pencil::Pencil;

/// Maximum number of earlier answers.
const EARLIER: usize = 100;

/// State of the playground.
#[derive(Debug, Default)]
pub struct PlaygroundView {
    /// Endpoints of the settings file.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// Additional models to choose from: recently asked models, and models of servers on this
    /// machine.
    pub offered: Vec<ModelChoice>,
    /// Prediction whose sample the models are asked about.
    pub row: Option<u32>,
    /// Edits of the question.
    pub edited: QuestionEdit,
    /// Whether direction words are changed to fit the rotated picture.
    pub turn_words: TurnWords,
    /// Models to ask, with their latest answers.
    pub models: Vec<PlaygroundModel>,
    /// Field under the cursor.
    pub field: EditField,
    /// Box that the user draws.
    pub pencil: Option<Pencil>,
    /// Number of the last preview query. Replies to earlier queries are ignored.
    pub previews: u64,
    /// Preview of the request.
    pub preview: Option<Preview>,
    /// Number of the last trial. Events of earlier trials are ignored.
    pub trial: u64,
    /// Earlier answers, newest first.
    pub earlier: Vec<EarlierAnswer>,
    /// Scroll offset of the answers, in rows.
    pub scrolled: usize,
    /// Error message about the value that the user typed.
    pub trouble: Option<String>,
    /// Reason why the edited question cannot be asked.
    pub refused: Option<String>,
    /// File of the saved question. `None` if the question was not saved, or has changed since.
    pub kept: Option<PathBuf>,
}

/// A model with its latest answer.
#[derive(Clone, Debug, Default)]
pub struct PlaygroundModel {
    /// Endpoint and model to ask.
    pub asked: ModelChoice,
    /// Stage of the answer.
    pub stage: AnswerStage,
}

/// Stage of an answer.
#[derive(Clone, Debug, Default)]
pub enum AnswerStage {
    /// Not requested yet.
    #[default]
    Idle,
    /// Requested; the answer may be incomplete.
    Asked(Box<StreamedAnswer>),
}

/// An answer of a model, which can still be incomplete.
#[derive(Clone, Debug)]
pub struct StreamedAnswer {
    /// Name of the model in the request; empty until it is known.
    pub model: String,
    /// Price of the model's tokens.
    pub price: Option<Price>,
    /// Short description of the edits.
    pub question: String,
    /// Text so far.
    pub text: String,
    /// Reasoning so far.
    pub reasoning: String,
    /// Time of the request.
    pub begun: Instant,
    /// Duration so far, or total.
    pub took: Duration,
    /// Time until the first text arrived.
    pub first: Option<Duration>,
    /// Reason why the request waits.
    pub waits: Option<String>,
    /// Warnings about request fields that the server rejects.
    pub dropped: Vec<String>,
    /// Cost of the request.
    pub cost: Cost,
    /// The complete answer; `None` until it has arrived.
    pub finished: Option<Arc<StepResult>>,
    /// Error message of a failed request.
    pub trouble: Option<String>,
    /// True if no more text will arrive.
    pub is_over: bool,
    /// Folder of the recorded answer.
    pub folder: Option<PathBuf>,
}

impl StreamedAnswer {
    /// Creates an answer for a request that starts now.
    pub fn new(model: &str, question: String) -> Self {
        Self {
            model: model.to_owned(),
            price: None,
            question,
            text: String::new(),
            reasoning: String::new(),
            begun: Instant::now(),
            took: Duration::ZERO,
            first: None,
            waits: None,
            dropped: Vec::new(),
            cost: Cost::default(),
            finished: None,
            trouble: None,
            is_over: false,
            folder: None,
        }
    }

    /// Returns the duration so far, or the total of a complete answer.
    pub fn so_far(&self) -> Duration {
        if self.is_over || self.finished.is_some() {
            self.took
        } else {
            self.begun.elapsed()
        }
    }
}

/// An answer to an earlier question.
#[derive(Clone, Debug)]
pub struct EarlierAnswer {
    /// Name of the model.
    pub model: String,
    /// Short description of the edits.
    pub question: String,
    /// The complete answer.
    pub finished: Arc<StepResult>,
}

impl PlaygroundView {
    /// Stores the endpoints of the settings file.
    pub fn set_settings(&mut self, settings: &Settings) {
        self.endpoints.clone_from(&settings.endpoints);
    }

    /// Opens the sample of a prediction, and keeps earlier edits. If no model is selected, selects
    /// `usual`.
    pub fn begin(&mut self, row: u32, usual: ModelChoice) {
        if self.models.is_empty() {
            self.models.push(PlaygroundModel {
                asked: usual,
                stage: AnswerStage::Idle,
            });
        }
        self.go_to(row);
    }

    /// Opens the sample of a prediction with one selected model. Returns true if the question is
    /// unedited.
    pub fn begin_with(&mut self, row: u32, model: ModelChoice) -> bool {
        self.go_to(row);
        if !matches!(self.models.as_slice(), [only] if only.asked == model) {
            self.ask_of(vec![model]);
        }
        let mut fields = EditField::ALL.into_iter();
        !fields.any(|field| self.is_edited(field))
    }

    /// Switches to another sample, and clears the answers to the previous sample.
    pub fn go_to(&mut self, row: u32) {
        if self.row != Some(row) {
            self.earlier.clear();
            self.preview = None;
            for model in &mut self.models {
                model.stage = AnswerStage::Idle;
            }
            self.trial += 1;
        }
        self.row = Some(row);
        (self.pencil, self.trouble, self.refused) = (None, None, None);
        self.scrolled = 0;
    }

    /// Returns true if a request is in progress.
    pub fn is_asking(&self) -> bool {
        let mut models = self.models.iter();
        models.any(|model| matches!(&model.stage, AnswerStage::Asked(spoken) if !spoken.is_over))
    }

    /// Adds the complete answers to the earlier answers.
    pub fn keep_answers(&mut self) {
        for model in &mut self.models {
            let AnswerStage::Asked(spoken) = std::mem::take(&mut model.stage) else {
                continue;
            };
            let spoken = *spoken;
            if let Some(finished) = spoken.finished {
                let earlier = EarlierAnswer {
                    model: spoken.model,
                    question: spoken.question,
                    finished,
                };
                self.earlier.insert(0, earlier);
            }
        }
        self.earlier.truncate(EARLIER);
    }

    /// Returns a short description of the edits.
    pub fn summary(&self) -> String {
        let edited = &self.edited;
        let mut parts: Vec<String> = edited.edits.iter().map(ToString::to_string).collect();
        let told = [
            (edited.words.is_some(), "edited words".to_owned()),
            (edited.system.is_some(), "edited system prompt".to_owned()),
            (
                edited.temperature.is_some(),
                format!("temperature {}", edited.temperature.unwrap_or_default()),
            ),
            (
                edited.max_tokens.is_some(),
                format!("{} tokens", edited.max_tokens.unwrap_or_default()),
            ),
            (
                edited.seed.is_some(),
                format!("seed {}", edited.seed.unwrap_or_default()),
            ),
            (!edited.stop.is_empty(), "edited stop".to_owned()),
            (!edited.extra.is_empty(), "extra fields".to_owned()),
        ];
        parts.extend(
            told.into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, words)| words),
        );
        if parts.is_empty() {
            return "as logged".to_owned();
        }
        parts.join(", ")
    }
}
