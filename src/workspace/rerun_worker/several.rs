//! Several forms at once: a run each, on the same samples and at the same time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use analysis::sentence;
use config::Settings;
use job::FOR_GOOD;
use record::{Scoring, Table};
use rerun::{
    Choice, Connection, Control, Ended, Event, OnEvent, Place, PreviousRuns, Protocol, Ready,
    Reran, RerunError, Sample, TurnWords, Wanted, Wishes, blocking, connect, model_named, together,
};

use super::work::{self, against, mask, picked_by};
use super::{CountedAll, EndedAll, Form, Launch, RerunEvent, WorkerError};
use crate::asked::{journals, places, unfit};
use crate::hash::with_hashes;
use crate::load::{Request, load};
use crate::side_by_side::{column_label, each_pair, telling, with_runs};

/// Columns that wait for the user's word.
pub(super) struct Columns {
    launches: Vec<(String, Launch)>,
    excluded: Vec<(String, usize)>,
    request: Request,
    scoring: Scoring,
}

/// What several forms would ask, on the samples that each of them can ask.
pub(super) fn counted(forms: Vec<Form>, settings: &Settings) -> Result<Columns, WorkerError> {
    let names = names(&forms, settings);
    let ways: Vec<(Protocol, TurnWords)> = forms
        .iter()
        .map(|form| (form.protocol.clone(), form.turn_words))
        .collect();
    let ways: Vec<(&Protocol, TurnWords)> = ways
        .iter()
        .map(|(protocol, words)| (protocol, *words))
        .collect();
    let connections = connections(&forms, settings)?;
    let models: Vec<Option<String>> = forms
        .iter()
        .zip(&connections)
        .map(|(form, connection)| {
            let model = Some(form.model.as_str()).filter(|model| !model.is_empty());
            connection.model_for(model).map(str::to_owned)
        })
        .collect();
    let mut columns = Columns {
        launches: Vec::new(),
        excluded: Vec::new(),
        request: forms
            .first()
            .map(|form| form.request.clone())
            .unwrap_or_default(),
        scoring: forms
            .first()
            .map(|form| form.lens.scoring)
            .unwrap_or_default(),
    };
    for ((form, connection), name) in forms.into_iter().zip(connections).zip(names) {
        let (samples, excluded) = samples(&form, &ways, settings)?;
        columns.excluded = excluded;
        let launch = launch(&form, connection, (samples, &name), &models, settings)?;
        columns.launches.push((name, launch));
    }
    Ok(columns)
}

/// What the columns are called.
fn names(forms: &[Form], settings: &Settings) -> Vec<String> {
    let parts = |form: &Form| {
        let named = Some(form.model.as_str()).filter(|model| !model.is_empty());
        let temperature = match form.temperature {
            rerun::Temperature::Usual => "usual temperature".to_owned(),
            rerun::Temperature::Unsent => "server's temperature".to_owned(),
            rerun::Temperature::At(temperature) => format!("temperature {temperature}"),
        };
        let endpoint = client_name(&form.endpoint);
        let model = model_named(&form.endpoint, named, settings);
        // An encoder of the program is one model, which its endpoint names.
        let model = model.filter(|model| !endpoint.ends_with(&format!(":{model}")));
        [
            endpoint,
            model.unwrap_or_default(),
            form.protocol.name(),
            temperature,
        ]
    };
    let parts: Vec<[String; 4]> = forms.iter().map(parts).collect();
    telling(&parts)
}

/// An endpoint without its scheme, and without what may be secret.
fn client_name(endpoint: &str) -> String {
    let bare = endpoint
        .split_once("://")
        .map_or(endpoint, |(_, bare)| bare);
    bare.rsplit_once('@')
        .map_or(bare, |(_, host)| host)
        .to_owned()
}

/// The connection of each form; those of one endpoint share it, with all that bounds its requests.
fn connections(forms: &[Form], settings: &Settings) -> Result<Vec<Connection>, WorkerError> {
    let mut known: BTreeMap<&str, Connection> = BTreeMap::new();
    for form in forms {
        if known.contains_key(form.endpoint.as_str()) {
            continue;
        }
        let same = forms.iter().filter(|other| other.endpoint == form.endpoint);
        let steps: usize = same.map(|form| form.protocol.steps().len()).sum();
        let wishes = Wishes::for_questions(steps.saturating_mul(form.limit));
        let mut connection =
            connect(&form.endpoint, settings, &wishes).map_err(RerunError::from)?;
        connection.look().map_err(RerunError::from)?;
        known.insert(&form.endpoint, connection);
    }
    let of = |form: &Form| known.get(form.endpoint.as_str()).cloned();
    Ok(forms.iter().filter_map(of).collect())
}

/// Samples, and why some are left out of all columns, and how many.
type Samples = (Vec<Sample>, Vec<(String, usize)>);

/// The samples that can be asked in all ways.
fn samples(
    form: &Form,
    ways: &[(&Protocol, TurnWords)],
    settings: &Settings,
) -> Result<Samples, WorkerError> {
    let mask = mask(form)?;
    let selection = form.lens.selection(&form.table, &mask);
    let against = against(form, settings);
    let mut samples = work::samples(form, selection, ways, against.as_deref())?;
    let mut excluded: BTreeMap<&str, usize> = BTreeMap::new();
    samples.retain(|sample| {
        let why = unfit(ways, sample);
        if let Some(why) = why {
            *excluded.entry(why).or_default() += 1;
        }
        why.is_none()
    });
    if samples.is_empty() && !excluded.is_empty() {
        let why: Vec<&str> = excluded.into_keys().collect();
        let nothing = RerunError::Nothing {
            protocol: "all columns".to_owned(),
            why: Some(why.join(", ")),
        };
        return Err(nothing.into());
    }
    let excluded = excluded.into_iter();
    let excluded = excluded.map(|(why, count)| (why.to_owned(), count));
    Ok((samples, excluded.collect()))
}

fn launch(
    form: &Form,
    connection: Connection,
    (samples, name): (Vec<Sample>, &str),
    models: &[Option<String>],
    settings: &Settings,
) -> Result<Launch, WorkerError> {
    let wanted = Wanted {
        model: Some(form.model.clone()).filter(|model| !model.is_empty()),
        temperature: form.temperature,
        turn_words: form.turn_words,
        picked_by: picked_by(form),
        against: against(form, settings),
        ..Wanted::new(form.endpoint.clone(), form.protocol.clone(), samples)
    };
    let label = |model: &str| {
        let same = models
            .iter()
            .filter(|other| other.as_deref() == Some(model));
        column_label(&form.table, model, name, same.count() > 1)
    };
    let mut ready = Ready::new(connection, wanted, label)?;
    ready.offer(&PreviousRuns::new(journals(&form.request, &[])));
    Ok(Launch {
        ready,
        place: Place::Below(places(&form.request)),
        begun: None,
    })
}

impl Columns {
    /// What the user is told.
    pub(super) fn counted(&self, ticket: u64) -> CountedAll {
        let columns = self.launches.iter();
        CountedAll {
            columns: columns
                .map(|(name, launch)| (name.clone(), launch.counted(ticket)))
                .collect(),
            excluded: self.excluded.clone(),
        }
    }

    /// Asks all columns until all is asked or they are stopped.
    pub(super) fn go(
        self,
        table: &Table,
        choice: Choice,
        control: &Control,
        events: &Sender<RerunEvent>,
    ) -> Result<EndedAll, WorkerError> {
        let events = Mutex::new(events.clone());
        let told = Arc::new(move |at: usize, event: Event| {
            let events = events.lock().unwrap_or_else(PoisonError::into_inner);
            // The user has left when the events are not received any more.
            drop(events.send(RerunEvent::EventOf(at, event)));
        });
        let sources = with_hashes(table.sources());
        let (mut started, mut labels) = (Vec::new(), Vec::new());
        let mut picked_by = None;
        for (at, (name, launch)) in self.launches.into_iter().enumerate() {
            let asking = Arc::clone(&launch.ready.plan.asking);
            labels.push((asking.label.clone(), name));
            picked_by.clone_from(&asking.picked_by);
            let telling = Arc::clone(&told);
            let on_event: OnEvent = Arc::new(move |event| telling(at, event));
            let run = launch
                .ready
                .start(launch.place, choice, sources.clone(), &on_event)?;
            started.push(run);
        }
        let reran = blocking(together(started, control, told)).map_err(RerunError::from)?;
        let logs = reran.iter().flatten().map(|reran| reran.log.clone());
        let told = match picked_by {
            Some(filter) => vec![format!(
                "nothing is tested between columns: {filter} picked the samples by their outcome"
            )],
            None => sentences(logs.collect(), &labels, &self.request, self.scoring),
        };
        let ended = |reran: Result<Reran, RerunError>| -> Result<(PathBuf, Arc<Ended>), _> {
            let reran = reran?;
            Ok((reran.folder, Arc::new(reran.ended)))
        };
        Ok(EndedAll {
            columns: reran.into_iter().map(ended).collect(),
            told,
        })
    }
}

/// What is told between columns, from their logs; `labels` are the names of their models and of the columns.
fn sentences(
    logs: Vec<PathBuf>,
    labels: &[(String, String)],
    opened: &Request,
    scoring: Scoring,
) -> Vec<String> {
    let table = load(&with_runs(opened, logs), false, &mut |_| {
        ControlFlow::Continue(())
    });
    let models: Vec<String> = labels.iter().map(|(label, _)| label.clone()).collect();
    let pairs = match each_pair(&table, scoring, None, &models, &FOR_GOOD) {
        Ok(pairs) => pairs,
        Err(error) => return vec![error.to_string()],
    };
    let name = |label: &String| {
        let known = labels.iter().find(|(known, _)| known == label);
        known.map_or_else(|| label.clone(), |(_, name)| name.clone())
    };
    let rows = pairs.iter().flat_map(|(models, comparison)| {
        let [a, b] = models.each_ref().map(name);
        let rows = comparison.abilities.iter();
        rows.map(move |row| sentence(row, &a, &b))
    });
    rows.collect()
}
