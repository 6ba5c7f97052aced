//! State of the live view: form, request count and progress.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::recent_models::RecentModels;
use crate::widget::table::TableState;
use ask::client::completed;
use ask::worker::{FormData, ModelChoice, PreparedRun, PreparedRuns};
use ask::{
    Choice, ExamOrder, ExamSet, LocalServer, PreviousRun, Progress, Protocol, ResultList, SCHEME,
    Temperature, Template, TurnWords, exam_sets, local_model,
};
use base::config::{EndpointSettings, Settings};

use super::field::FormField;
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
    /// The user fills in the form.
    #[default]
    Form,
    /// The server is contacted and requests are counted.
    Counting,
    /// The requests are counted, and the user must confirm.
    Counted(Box<PreparedRuns>),
    /// The runs are in progress or over.
    Asked(Box<ParallelRuns>),
}

impl LiveStage {
    /// Returns the counts of all runs that wait for confirmation.
    pub fn counted(&self) -> Vec<&PreparedRun> {
        match self {
            Self::Counted(all) => all.columns.iter().map(|(_, counted)| counted).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns true if the form is on screen, with or without a request count.
    pub const fn is_form(&self) -> bool {
        matches!(self, Self::Form | Self::Counted(_))
    }

    /// Returns the count of a single run that waits for confirmation.
    pub fn counted_alone(&self) -> Option<&PreparedRun> {
        match self {
            Self::Counted(all) => all.alone(),
            _ => None,
        }
    }

    /// Returns the state of a single run in progress or over.
    pub fn alone(&self) -> Option<&Progress> {
        match self {
            Self::Asked(runs) => runs.alone(),
            _ => None,
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
    /// Endpoints of the settings file, by name.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// Model servers found on this machine; `None` until the usual ports were checked.
    pub servers: Option<Vec<LocalServer>>,
    /// Models that the user asked most recently.
    pub recent: RecentModels,
    /// Selected endpoint: a name from the settings, an address, or `builtin:NAME`.
    pub endpoint: String,
    /// True if the endpoint was chosen, by the user or because a server was found.
    pub is_endpoint_chosen: bool,
    /// Selected model; empty for the endpoint's default.
    pub model: String,
    /// Selected protocol as text.
    pub protocol: String,
    /// Protocols saved in the playground.
    pub kept: Vec<String>,
    /// Wordings of the protocol `prompt`.
    pub words: Vec<String>,
    /// Sets of generated questions that an exam can ask.
    pub sets: Vec<ExamSet>,
    /// The exam to ask instead of the log's samples.
    pub exam: Option<ExamOrder>,
    /// Sampling temperature.
    pub temperature: Temperature,
    /// System prompt, which replaces the log's system prompt; empty to keep it.
    pub system: String,
    /// Token limit of an answer; `None` for the endpoint's setting.
    pub max_tokens: Option<u32>,
    /// Sampling seed; `None` to send none.
    pub seed: Option<u64>,
    /// Whether direction words are changed to fit rotated pictures.
    pub turn_words: TurnWords,
    /// Ticked values, whose combinations run in parallel.
    pub ticked: TickedValues,
    /// Maximum number of samples.
    pub limit: usize,
    /// True to add an equal number of samples that are right in the log. Applies if the lens
    /// selects samples by outcome.
    pub controls: bool,
    /// True to stop two ticked combinations once it is clear which one is better.
    pub until_clear: bool,
    /// Model to compare with; `None` for the lens's model, or else the first model that answered.
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
    /// Number of the last request to count. Replies to earlier requests are ignored.
    pub ticket: u64,
    /// Number of the last query for available samples. Replies to earlier queries are ignored.
    pub form_ticket: u64,
    /// Available samples and earlier runs.
    pub form_data: FormData,
    /// Page of the request count on screen.
    pub count_page: usize,
    /// Error message for the user.
    pub trouble: Option<String>,
    /// List of samples on screen.
    pub listed: ResultList,
    /// Cursor in the list of samples.
    pub table: TableState,
}

impl Default for LiveView {
    fn default() -> Self {
        Self {
            endpoints: BTreeMap::new(),
            servers: None,
            recent: RecentModels::default(),
            endpoint: ENDPOINT.to_owned(),
            is_endpoint_chosen: false,
            model: String::new(),
            protocol: "vanilla".to_owned(),
            kept: Vec::new(),
            words: vec![WORDS.to_owned()],
            sets: Vec::new(),
            exam: None,
            temperature: Temperature::default(),
            system: String::new(),
            max_tokens: None,
            seed: None,
            turn_words: TurnWords::default(),
            ticked: TickedValues::default(),
            limit: LIMIT,
            controls: false,
            until_clear: false,
            against: None,
            row: None,
            field: FormField::default(),
            run: None,
            stage: LiveStage::default(),
            choice: Choice::default(),
            ticket: 0,
            form_ticket: 0,
            form_data: FormData::default(),
            count_page: 0,
            trouble: None,
            listed: ResultList::default(),
            table: TableState::default(),
        }
    }
}

impl LiveView {
    /// Stores the endpoints of the settings file. Also stores the question sets for exams.
    pub fn set_settings(&mut self, settings: &Settings) {
        self.sets = exam_sets();
        self.endpoints.clone_from(&settings.endpoints);
        // Prefer a server from the config file over a server from an environment variable.
        let is_configured = |(name, _): &(&String, _)| !settings.from_environment.contains(*name);
        let configured = settings.endpoints.iter().find(is_configured);
        if let Some((name, own)) = configured.or_else(|| settings.endpoints.first_key_value()) {
            self.endpoint.clone_from(name);
            self.model = own.model.clone().unwrap_or_default();
        }
    }

    /// Stores the recently asked models, and selects the newest.
    pub fn recall(&mut self, mut recent: RecentModels) {
        recent.retain(|endpoint| {
            let is_known = self.endpoints.contains_key(endpoint);
            is_known || local_model(endpoint).is_some() || completed(endpoint).is_some()
        });
        self.recent = recent;
        if let Some(last) = self.recent.all().first() {
            self.endpoint.clone_from(&last.endpoint);
            self.model.clone_from(&last.model);
        }
    }

    /// Stores the model servers found on this machine. If no other model is known, selects the
    /// first one and returns true.
    pub fn set_servers(&mut self, servers: Vec<LocalServer>) -> bool {
        let is_first = self.servers.is_none() && !self.is_endpoint_chosen;
        let is_untouched = self.endpoints.is_empty() && self.recent.all().is_empty();
        let is_free = is_first && is_untouched && matches!(self.stage, LiveStage::Form);
        let first = servers.first().map(|server| server.address.clone());
        self.servers = Some(servers);
        let first = first.filter(|_| is_free);
        if let Some(address) = &first {
            self.set(FormField::Endpoint, address);
        }
        first.is_some()
    }

    /// Selects the lens's model if it answers within the program, unless an endpoint was chosen.
    pub fn propose(&mut self, model: &str) {
        let endpoint = format!("{SCHEME}{model}");
        if !self.is_endpoint_chosen && local_model(&endpoint).is_some() {
            self.set(FormField::Endpoint, &endpoint);
            self.is_endpoint_chosen = false;
        }
    }

    /// Returns additional models that are not in the settings file: recently asked models, and
    /// models of servers on this machine.
    pub fn offered(&self) -> Vec<ModelChoice> {
        let servers = self.servers.iter().flatten().map(|server| ModelChoice {
            endpoint: server.address.clone(),
            model: server.models.first().cloned().unwrap_or_default(),
        });
        let mut offered: Vec<ModelChoice> = Vec::new();
        for model in self.recent.all().iter().cloned().chain(servers) {
            let mut known = offered.iter().map(|known| &known.endpoint);
            if !known.any(|endpoint| *endpoint == model.endpoint) {
                offered.push(model);
            }
        }
        offered.retain(|model| !self.endpoints.contains_key(&model.endpoint));
        offered
    }

    /// Returns the default model of an endpoint.
    pub fn model_of(&self, endpoint: &str) -> Option<String> {
        if let Some(own) = self.endpoints.get(endpoint) {
            return own.model.clone();
        }
        let offered = self.offered().into_iter();
        let mut offered = offered.filter(|model| model.endpoint == endpoint);
        offered.next().map(|model| model.model)
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

    /// Returns the set of the chosen exam, and the number of its questions; `None` without an exam.
    pub fn exam_set(&self) -> Option<(ExamSet, usize)> {
        let order = self.exam.as_ref()?;
        let set = self.sets.iter().find(|set| set.name == order.set)?;
        Some((*set, order.each * set.abilities))
    }

    /// Chooses an exam of the default length, and clears all ticks. `None` chooses the log's
    /// samples instead.
    pub fn choose_exam(&mut self, set: Option<ExamSet>) {
        self.exam = set.map(|set| ExamOrder {
            set: set.name.to_owned(),
            each: set.each,
        });
        if self.exam.is_some() {
            self.ticked = TickedValues::default();
        }
    }

    /// Returns the number of finished questions and of all questions; `None` if no run is in
    /// progress.
    pub fn in_progress(&self) -> Option<[u64; 2]> {
        let LiveStage::Asked(runs) = &self.stage else {
            return None;
        };
        let (done, all) = runs.done();
        (!runs.is_over).then_some([done as u64, all as u64])
    }

    /// Returns true while a run is in progress.
    pub fn is_asking(&self) -> bool {
        matches!(&self.stage, LiveStage::Asked(runs) if !runs.is_over)
    }

    /// Returns the earlier run under the cursor.
    pub fn earlier(&self) -> Option<&PreviousRun> {
        let folder = self.run.as_ref()?;
        let mut runs = self.form_data.previous.iter();
        runs.find(|run| run.folder == *folder)
    }
}
