//! What the live view remembers: the form, what was counted, how far the run is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use config::{EndpointSettings, Settings};
use rerun::{Choice, PreviousRun, Protocol, Temperature, Template, TurnWords};
use widget::table::TableState;
use workspace::rerun_worker::{Counted, CountedAll, Looked};

use super::field::Field;
use super::progress::{Listed, Progress};
use super::several::Several;
use super::ticked::Ticked;

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
    /// Everything is known of what is to be asked side by side but the user's word.
    CountedAll(Box<CountedAll>),
    /// Runs side by side, on their way or over.
    Several(Box<Several>),
}

impl Stage {
    /// What was counted, of each column, while nothing is asked yet.
    pub fn counted(&self) -> Vec<&Counted> {
        match self {
            Self::Counted(counted) => vec![counted],
            Self::CountedAll(all) => all.columns.iter().map(|(_, counted)| counted).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns true if earlier runs have answered some of what was counted.
    pub fn has_stored(&self) -> bool {
        self.counted().iter().any(|counted| counted.stored.0 > 0)
    }
}

/// The live view.
#[derive(Clone, Debug)]
pub struct LiveView {
    /// Endpoints of the config file.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// The endpoint.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol's text.
    pub protocol: String,
    /// Protocols that were kept in the playground.
    pub kept: Vec<String>,
    /// The wordings of the user's own protocol.
    pub words: Vec<String>,
    /// The temperature.
    pub temperature: Temperature,
    /// Whether options and targets that are a direction turn with the pictures.
    pub turn_words: TurnWords,
    /// What is asked side by side.
    pub ticked: Ticked,
    /// At most so many samples.
    pub limit: usize,
    /// As many samples that the log had right are asked where the lens picks them by their outcome.
    pub controls: bool,
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
    /// Which page of what was counted is in sight.
    pub told_page: usize,
    /// What is wrong.
    pub trouble: Option<String>,
    /// Which samples are listed.
    pub listed: Listed,
    /// The cursor in that list.
    pub table: TableState,
}

impl Default for LiveView {
    fn default() -> Self {
        Self {
            endpoints: BTreeMap::new(),
            endpoint: ENDPOINT.to_owned(),
            model: String::new(),
            protocol: "vanilla".to_owned(),
            kept: Vec::new(),
            words: vec![WORDS.to_owned()],
            temperature: Temperature::default(),
            turn_words: TurnWords::default(),
            ticked: Ticked::default(),
            limit: LIMIT,
            controls: false,
            against: None,
            row: None,
            field: Field::default(),
            run: None,
            stage: Stage::default(),
            choice: Choice::default(),
            ticket: 0,
            looks: 0,
            looked: Looked::default(),
            told_page: 0,
            trouble: None,
            listed: Listed::default(),
            table: TableState::default(),
        }
    }
}

impl LiveView {
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

    /// Returns true while questions are asked.
    pub fn is_asking(&self) -> bool {
        match &self.stage {
            Stage::Running(_) => true,
            Stage::Several(several) => !several.is_over,
            _ => false,
        }
    }

    /// The earlier run under the cursor.
    pub fn earlier(&self) -> Option<&PreviousRun> {
        let folder = self.run.as_ref()?;
        let mut runs = self.looked.previous.iter();
        runs.find(|run| run.folder == *folder)
    }
}
