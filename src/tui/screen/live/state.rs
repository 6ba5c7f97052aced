//! State of the live view: form, request count and progress.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::widget::table::TableState;
use ask::worker::{FormData, PreparedRun, PreparedRuns};
use ask::{Choice, PreviousRun, Protocol, Temperature, Template, TurnWords};
use base::config::{EndpointSettings, Settings};

use super::field::FormField;
use super::progress::{Progress, ResultList};
use super::several::ParallelRuns;
use super::ticked::TickedValues;

/// Default endpoint, which needs no server.
const ENDPOINT: &str = "builtin:hog";
/// Default number of samples.
const LIMIT: usize = 25;
/// Default wording.
const WORDS: &str = "{question}\n{options}\nAnswer with the letter only.";

/// Stage of a rerun.
#[derive(Clone, Debug, Default)]
pub enum LiveStage {
    /// The user edits the form.
    #[default]
    Form,
    /// The server is contacted and requests are counted.
    Counting,
    /// One run is ready, waiting for confirmation.
    Counted(Box<PreparedRun>),
    /// One run is in progress.
    Running(Box<Progress>),
    /// One run is over.
    Over(Box<Progress>),
    /// Parallel runs are ready, waiting for confirmation.
    CountedAll(Box<PreparedRuns>),
    /// Parallel runs are in progress or over.
    Several(Box<ParallelRuns>),
}

impl LiveStage {
    /// Returns the counts of all runs that wait for confirmation.
    pub fn counted(&self) -> Vec<&PreparedRun> {
        match self {
            Self::Counted(counted) => vec![counted],
            Self::CountedAll(all) => all.columns.iter().map(|(_, counted)| counted).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns true if earlier runs answered some of the counted questions.
    pub fn has_stored(&self) -> bool {
        self.counted().iter().any(|counted| counted.stored.0 > 0)
    }
}

/// State of the live view.
#[derive(Clone, Debug)]
pub struct LiveView {
    /// Endpoints of the settings file.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// Selected endpoint.
    pub endpoint: String,
    /// Selected model; empty for the endpoint's default.
    pub model: String,
    /// Selected protocol as text.
    pub protocol: String,
    /// Protocols saved in the playground.
    pub kept: Vec<String>,
    /// Wordings of the protocol `prompt`.
    pub words: Vec<String>,
    /// Sampling temperature.
    pub temperature: Temperature,
    /// Whether direction words rotate with the pictures.
    pub turn_words: TurnWords,
    /// Ticked values, to be run in parallel.
    pub ticked: TickedValues,
    /// Maximum number of samples.
    pub limit: usize,
    /// True to add as many samples that the log has right, if the lens selects samples by
    /// outcome.
    pub controls: bool,
    /// Model to compare with; `None` for the lens's model, or else the first that answered.
    pub against: Option<String>,
    /// A single prediction to ask about, instead of the lens's samples.
    pub row: Option<u32>,
    /// Field under the cursor.
    pub field: FormField,
    /// Folder of the earlier run under the cursor, if the cursor is not on a field.
    pub run: Option<PathBuf>,
    /// Stage of the rerun.
    pub stage: LiveStage,
    /// Decisions to confirm before sending.
    pub choice: Choice,
    /// Number of the last request to count.
    pub ticket: u64,
    /// Number of the last query for available samples.
    pub looks: u64,
    /// Available samples and earlier runs.
    pub looked: FormData,
    /// Page of the request count on screen.
    pub told_page: usize,
    /// Error message for the user.
    pub trouble: Option<String>,
    /// Current list of samples.
    pub listed: ResultList,
    /// Cursor in that list.
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
            ticked: TickedValues::default(),
            limit: LIMIT,
            controls: false,
            against: None,
            row: None,
            field: FormField::default(),
            run: None,
            stage: LiveStage::default(),
            choice: Choice::default(),
            ticket: 0,
            looks: 0,
            looked: FormData::default(),
            told_page: 0,
            trouble: None,
            listed: ResultList::default(),
            table: TableState::default(),
        }
    }
}

impl LiveView {
    /// Stores the endpoints of the settings file.
    pub fn know(&mut self, settings: &Settings) {
        self.endpoints.clone_from(&settings.endpoints);
        // A server of the config file comes before one that a variable happens to name.
        let is_configured = |(name, _): &(&String, _)| !settings.from_environment.contains(*name);
        let configured = settings.endpoints.iter().find(is_configured);
        if let Some((name, own)) = configured.or_else(|| settings.endpoints.first_key_value()) {
            self.endpoint.clone_from(name);
            self.model = own.model.clone().unwrap_or_default();
        }
    }

    /// Returns the model that the settings file sets for an endpoint.
    pub fn model_of(&self, endpoint: &str) -> Option<String> {
        self.endpoints.get(endpoint)?.model.clone()
    }

    /// Parses the selected protocol.
    ///
    /// # Errors
    /// The protocol or a wording is invalid; the text is a message for the user.
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

    /// Returns true while a run is in progress.
    pub fn is_asking(&self) -> bool {
        match &self.stage {
            LiveStage::Running(_) => true,
            LiveStage::Several(several) => !several.is_over,
            _ => false,
        }
    }

    /// Returns the earlier run under the cursor.
    pub fn earlier(&self) -> Option<&PreviousRun> {
        let folder = self.run.as_ref()?;
        let mut runs = self.looked.previous.iter();
        runs.find(|run| run.folder == *folder)
    }
}
