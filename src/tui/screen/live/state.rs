//! What the live view remembers: the form, what was counted, how far the run is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::config::{EndpointSettings, Settings};
use crate::rerun::{Choice, Earlier, Finished, Protocol, Summary, Temperature, Template};
use crate::tui::asker::{Counted, Looked};
use crate::tui::widget::table::TableState;

use super::field::Field;

/// The endpoint of a user who has set none: it needs no server.
const ENDPOINT: &str = "builtin:hog";
/// Samples of a run until the user says otherwise.
const LIMIT: usize = 25;
/// Words of one's own to begin with.
const WORDS: &str = "{question}\n{options}\nAnswer with the letter only.";

/// How far a run is.
#[derive(Clone, Debug, Default)]
pub enum Stage {
    /// The form is being filled in.
    #[default]
    Form,
    /// The server is looked for and questions are counted.
    Counting,
    /// Everything is known but the user's word.
    Counted(Box<Counted>),
    /// Questions are asked.
    Running(Box<Progress>),
    /// It is over.
    Over(Box<Progress>),
}

/// Which samples a run lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// Those that flipped.
    #[default]
    Flips,
    /// Wrong in the log, right now.
    NowRight,
    /// Right in the log, wrong now.
    NowWrong,
    /// Those with an answer that has no score.
    Unscored,
    /// Every one.
    All,
}

impl Listed {
    /// Every list, in order.
    pub const ALL: [Self; 5] = [
        Self::Flips,
        Self::NowRight,
        Self::NowWrong,
        Self::Unscored,
        Self::All,
    ];

    /// Its name on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flips => "flips",
            Self::NowRight => "now right",
            Self::NowWrong => "now wrong",
            Self::Unscored => "no score",
            Self::All => "all",
        }
    }
}

/// A run on its way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is asked.
    pub counted: Counted,
    /// What was found so far.
    pub summary: Summary,
    /// Samples by list, as they came.
    pub lists: [Vec<usize>; 5],
    seen: [BTreeSet<usize>; 5],
    /// The latest answers of each sample, by step.
    pub answers: BTreeMap<usize, Vec<Option<Arc<Finished>>>>,
    /// Questions that could not be asked, and why the last one.
    pub unasked: (usize, Option<String>),
    /// When it began.
    pub begun: Instant,
    /// How long it has been running; stands still when it is over.
    pub took: Duration,
    /// Whether it is held.
    pub paused: bool,
    /// Whether it was told to stop.
    pub stopping: bool,
    /// Why the endpoint is waited for.
    pub waits: Option<String>,
    /// The folder of the new run.
    pub folder: Option<PathBuf>,
    /// Why it ended early.
    pub stopped: Option<String>,
}

impl Progress {
    /// A run that begins now.
    pub fn new(counted: Counted) -> Self {
        Self {
            summary: Summary::new(&counted.plan, &[]),
            counted,
            lists: Default::default(),
            seen: Default::default(),
            answers: BTreeMap::new(),
            unasked: (0, None),
            begun: Instant::now(),
            took: Duration::ZERO,
            paused: false,
            stopping: false,
            waits: None,
            folder: None,
            stopped: None,
        }
    }

    /// Takes one answer.
    pub fn take(&mut self, one: Arc<Finished>) {
        self.summary.add(&one);
        let steps = self.counted.plan.steps.len().max(1);
        let sample = one.item / steps;
        let flip = one.flip();
        let belongs = [
            flip.is_some(),
            flip == Some(true),
            flip == Some(false),
            one.judged.right.is_none(),
            true,
        ];
        for ((list, seen), belongs) in self.lists.iter_mut().zip(&mut self.seen).zip(belongs) {
            if belongs && seen.insert(sample) {
                list.push(sample);
            }
        }
        let answers = self
            .answers
            .entry(sample)
            .or_insert_with(|| vec![None; steps]);
        if let Some(answer) = answers.get_mut(one.item % steps) {
            *answer = Some(one);
        }
    }

    /// The samples of a list.
    pub fn list(&self, listed: Listed) -> &[usize] {
        let at = Listed::ALL.iter().position(|known| *known == listed);
        at.and_then(|at| self.lists.get(at))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Questions that are done, one way or another.
    pub fn done(&self) -> usize {
        self.summary.total() + self.unasked.0
    }
}

/// The live view.
#[derive(Clone, Debug)]
pub struct LiveState {
    /// Endpoints of the config file.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// The endpoint.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol's text.
    pub protocol: String,
    /// The wordings of the user's own protocol.
    pub words: Vec<String>,
    /// The temperature.
    pub temperature: Temperature,
    /// At most so many samples.
    pub limit: usize,
    /// Whose answers the new ones are compared with; `None`: the lens's model, else whoever answered first.
    pub against: Option<String>,
    /// One prediction that was chosen instead of what the lens holds.
    pub row: Option<u32>,
    /// The row under the cursor.
    pub field: Field,
    /// The earlier run under the cursor, by its folder, instead of a row of the form.
    pub run: Option<PathBuf>,
    /// How far it is.
    pub stage: Stage,
    /// What is decided before anything is sent.
    pub choice: Choice,
    /// The last order to count.
    pub ticket: u64,
    /// The last order to look.
    pub looks: u64,
    /// What there is to be asked.
    pub looked: Looked,
    /// What is wrong.
    pub trouble: Option<String>,
    /// Which samples are listed.
    pub listed: Listed,
    /// The cursor in that list.
    pub table: TableState,
}

impl Default for LiveState {
    fn default() -> Self {
        Self {
            endpoints: BTreeMap::new(),
            endpoint: ENDPOINT.to_owned(),
            model: String::new(),
            protocol: "vanilla".to_owned(),
            words: vec![WORDS.to_owned()],
            temperature: Temperature::default(),
            limit: LIMIT,
            against: None,
            row: None,
            field: Field::default(),
            run: None,
            stage: Stage::default(),
            choice: Choice::default(),
            ticket: 0,
            looks: 0,
            looked: Looked::default(),
            trouble: None,
            listed: Listed::default(),
            table: TableState::default(),
        }
    }
}

impl LiveState {
    /// Takes the endpoints of the config file.
    pub fn know(&mut self, settings: &Settings) {
        self.endpoints.clone_from(&settings.endpoints);
        if let Some((name, own)) = settings.endpoints.first_key_value() {
            self.endpoint.clone_from(name);
            self.model = own.model.clone().unwrap_or_default();
        }
    }

    /// The model that the config file names for an endpoint.
    pub fn model_of(&self, endpoint: &str) -> Option<String> {
        self.endpoints.get(endpoint)?.model.clone()
    }

    /// The protocol that is meant.
    ///
    /// # Errors
    /// One sentence.
    pub fn protocol(&self) -> Result<Protocol, String> {
        if self.protocol != "prompt" {
            return Protocol::parse(&self.protocol).map_err(|error| error.to_string());
        }
        let template = |(at, text): (usize, &String)| {
            Template::new(&format!("words {}", at + 1), text).map(Arc::new)
        };
        let templates: Result<Vec<_>, _> = self.words.iter().enumerate().map(template).collect();
        templates
            .map(Protocol::Prompts)
            .map_err(|error| error.to_string())
    }

    /// The earlier run under the cursor.
    pub fn earlier(&self) -> Option<&Earlier> {
        let folder = self.run.as_ref()?;
        let mut runs = self.looked.earlier.iter();
        runs.find(|run| run.folder == *folder)
    }
}
