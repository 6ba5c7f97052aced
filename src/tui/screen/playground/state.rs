//! What the playground remembers: the sample, what is edited, whom to ask, and what they said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use config::{EndpointSettings, Price, Settings};
use rerun::{Cost, Edited, Finished, TurnWords};
use workspace::rerun_worker::{Asked, Previewed};

use super::field::Field;
use super::pencil::Pencil;

/// Earlier answers that are kept.
const EARLIER: usize = 100;

/// The playground.
#[derive(Debug, Default)]
pub struct PlaygroundView {
    /// Endpoints of the config file.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// The prediction whose sample is asked.
    pub row: Option<u32>,
    /// What is edited.
    pub edited: Edited,
    /// Whether options and targets that are a direction turn with the picture.
    pub turn_words: TurnWords,
    /// Whom to ask, and what they said last.
    pub models: Vec<Answering>,
    /// The row of the form under the cursor.
    pub field: Field,
    /// The box that is being drawn.
    pub pencil: Option<Pencil>,
    /// The last look at what would be asked.
    pub previews: u64,
    /// What would be asked.
    pub preview: Option<Previewed>,
    /// The last trial.
    pub trial: u64,
    /// What was said to earlier questions, the newest first.
    pub earlier: Vec<Earlier>,
    /// Rows of the answers that are scrolled past.
    pub scrolled: usize,
    /// What is wrong with what was typed.
    pub trouble: Option<String>,
    /// Why the question cannot be asked as it is edited.
    pub refused: Option<String>,
    /// Where the question was kept as it is now.
    pub kept: Option<PathBuf>,
}

/// A model that is asked, and what it says.
#[derive(Clone, Debug, Default)]
pub struct Answering {
    /// Whom to ask.
    pub asked: Asked,
    /// How far it is.
    pub stage: Stage,
}

/// How far an answer is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// Nothing was asked.
    #[default]
    Idle,
    /// It is on its way, or here.
    Asked(Box<Spoken>),
}

/// What a model says.
#[derive(Clone, Debug)]
pub struct Spoken {
    /// The model as it is asked for, once that is known.
    pub model: String,
    /// What its tokens cost.
    pub price: Option<Price>,
    /// What was edited of the question, in a few words.
    pub question: String,
    /// The words so far.
    pub text: String,
    /// The reasoning so far.
    pub reasoning: String,
    /// When it was asked.
    pub begun: Instant,
    /// How long it took, or has taken so far.
    pub took: Duration,
    /// Seconds until the first words came.
    pub first: Option<Duration>,
    /// What is waited for.
    pub waits: Option<String>,
    /// What it cost.
    pub cost: Cost,
    /// The answer, once it is whole.
    pub finished: Option<Arc<Finished>>,
    /// Why there is none.
    pub trouble: Option<String>,
    /// True if nothing more comes.
    pub is_over: bool,
    /// Where it was written.
    pub folder: Option<PathBuf>,
}

impl Spoken {
    /// A question that is asked now.
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
            cost: Cost::default(),
            finished: None,
            trouble: None,
            is_over: false,
            folder: None,
        }
    }

    /// How long it took, or has taken until now.
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
pub struct Earlier {
    /// Who answered.
    pub model: String,
    /// What was edited.
    pub question: String,
    /// The answer.
    pub finished: Arc<Finished>,
}

impl PlaygroundView {
    /// Takes the endpoints of the config file.
    pub fn know(&mut self, settings: &Settings) {
        self.endpoints.clone_from(&settings.endpoints);
    }

    /// Begins with the sample of a prediction. What was edited before stays edited; `usual` is asked where nobody was
    /// named yet.
    pub fn begin(&mut self, row: u32, usual: Asked) {
        if self.models.is_empty() {
            self.models.push(Answering {
                asked: usual,
                stage: Stage::Idle,
            });
        }
        self.go_to(row);
    }

    /// Another sample: what was said of the one before is put aside.
    pub fn go_to(&mut self, row: u32) {
        if self.row != Some(row) {
            self.earlier.clear();
            self.preview = None;
            for model in &mut self.models {
                model.stage = Stage::Idle;
            }
            self.trial += 1;
        }
        self.row = Some(row);
        (self.pencil, self.trouble, self.refused) = (None, None, None);
        self.scrolled = 0;
    }

    /// Returns true if an answer is on its way.
    pub fn is_asking(&self) -> bool {
        let mut models = self.models.iter();
        models.any(|model| matches!(&model.stage, Stage::Asked(spoken) if !spoken.is_over))
    }

    /// Puts the answers aside that are here.
    pub fn put_aside(&mut self) {
        for model in &mut self.models {
            let Stage::Asked(spoken) = std::mem::take(&mut model.stage) else {
                continue;
            };
            let spoken = *spoken;
            if let Some(finished) = spoken.finished {
                let earlier = Earlier {
                    model: spoken.model,
                    question: spoken.question,
                    finished,
                };
                self.earlier.insert(0, earlier);
            }
        }
        self.earlier.truncate(EARLIER);
    }

    /// What is edited, in a few words.
    pub fn summary(&self) -> String {
        let edited = &self.edited;
        let mut parts: Vec<String> = edited.edits.iter().map(ToString::to_string).collect();
        let told = [
            (edited.words.is_some(), "own words".to_owned()),
            (edited.system.is_some(), "own system prompt".to_owned()),
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
            (!edited.stop.is_empty(), "own stop".to_owned()),
            (!edited.extra.is_empty(), "own fields".to_owned()),
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
