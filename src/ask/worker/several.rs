//! Runs several forms at the same time on the same samples.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::{
    Choice, ConnectOptions, Connection, Control, Event, OnEvent, PreviousRuns, ReadyRun,
    RerunError, RunOutput, RunResult, Sample, blocking, connect, together,
};
use analysis::{PairedDifference, Selection, sentence_among};
use base::config::Settings;
use record::{Scoring, Table};

use super::work::{self, against, launch, mask, picked_by, run_spec};
use super::{Form, Launch, PreparedRuns, RerunEvent, RunResults, WorkerError};
use crate::asked::{journals, keep_fit};
use crate::side_by_side::{column_label, telling, way_parts, with_runs};
use workspace::each_pair;
use workspace::hash::with_hashes;
use workspace::load::{Request, load};

/// Columns waiting for confirmation.
pub(super) struct Columns {
    launches: Vec<(String, Launch)>,
    dead: Vec<(String, Arc<WorkerError>)>,
    excluded: Vec<(String, usize)>,
    request: Request,
    scoring: Scoring,
}

/// Counts the requests of several forms, on the samples that all can ask.
pub(super) fn counted(forms: &[Form], settings: &Settings) -> Result<Columns, WorkerError> {
    let against = against_each(forms, settings);
    let (samples, excluded) = samples(forms, &against)?;
    let asked: Vec<&Vec<Sample>> = against.iter().map(|model| &samples[model]).collect();
    let connections = connections(forms, &asked, settings);
    let models: Vec<Option<String>> = forms
        .iter()
        .zip(&connections)
        .map(|(form, connection)| {
            let connection = connection.as_ref().ok()?;
            connection.model_for(form.named()).map(str::to_owned)
        })
        .collect();
    // All forms refer to the same open logs.
    let (request, scoring) = forms.first().map_or_else(Default::default, |form| {
        (form.request.clone(), form.lens.scoring)
    });
    let previous = PreviousRuns::new(journals(&request, &[]));
    let (mut launches, mut dead) = (Vec::new(), Vec::new());
    let columns = forms.iter().zip(connections).zip(names(forms, settings));
    for (((form, connection), name), against) in columns.zip(&against) {
        let label = |model: &str| {
            let same = models
                .iter()
                .filter(|other| other.as_deref() == Some(model));
            column_label(&form.table, model, &name, same.count())
        };
        let samples = samples[against].clone();
        let begun = connection.and_then(|connection| {
            let wanted = run_spec(form, samples, against.clone());
            let ready = ReadyRun::new(connection, wanted, label);
            let ready = ready.map_err(|why| Arc::new(WorkerError::from(why)))?;
            Ok(launch(form, ready, &previous))
        });
        match begun {
            Ok(launch) => launches.push((name, launch)),
            Err(why) => dead.push((name, why)),
        }
    }
    if launches.is_empty()
        && let Some((_, why)) = dead.pop()
    {
        return Err(WorkerError::None(why));
    }
    Ok(Columns {
        launches,
        dead,
        excluded,
        request,
        scoring,
    })
}

/// Returns the model to compare each form with. With controls, all forms use the same model, so
/// that they ask the same samples.
fn against_each(forms: &[Form], settings: &Settings) -> Vec<Option<String>> {
    let mut against: Vec<_> = forms.iter().map(|form| against(form, settings)).collect();
    let has_controls = |form: &Form| form.controls && picked_by(form).is_some();
    if let (Some(first), true) = (against.first().cloned(), forms.iter().any(has_controls)) {
        against.fill(first);
    }
    against
}

/// Returns the names of the columns.
fn names(forms: &[Form], settings: &Settings) -> Vec<String> {
    let parts = |form: &Form| {
        let temperature = match form.temperature {
            crate::Temperature::Usual => "usual temperature".to_owned(),
            crate::Temperature::Unsent => "server's temperature".to_owned(),
            crate::Temperature::At(temperature) => format!("temperature {temperature}"),
        };
        let [endpoint, model, protocol] =
            way_parts(&form.endpoint, form.named(), &form.protocol, settings);
        // Omit the model if it has the endpoint's name.
        let model = Some(model).filter(|model| *model != endpoint);
        [endpoint, model.unwrap_or_default(), protocol, temperature]
    };
    let parts: Vec<[String; 4]> = forms.iter().map(parts).collect();
    telling(&parts)
}

/// A connection, or why there is none.
type ConnectionResult = Result<Connection, Arc<WorkerError>>;

/// Connects each form. Forms with the same endpoint share a connection and its limits.
fn connections(
    forms: &[Form],
    samples: &[&Vec<Sample>],
    settings: &Settings,
) -> Vec<ConnectionResult> {
    let mut known: BTreeMap<&str, ConnectionResult> = BTreeMap::new();
    let of = |form: &Form| {
        let all = forms.iter().zip(samples);
        let same = all.filter(|(other, _)| other.endpoint == form.endpoint);
        let questions = same.map(|(form, samples)| form.protocol.requests(samples).high);
        let wishes = ConnectOptions::for_questions(questions.sum());
        let mut connection =
            connect(&form.endpoint, settings, &wishes).map_err(RerunError::from)?;
        connection.look().map_err(RerunError::from)?;
        Ok(connection)
    };
    let each = forms.iter().map(|form| {
        let found = known.entry(form.endpoint.as_str());
        let found = found.or_insert_with(|| of(form).map_err(Arc::<WorkerError>::new));
        found.clone()
    });
    each.collect()
}

/// Samples by the model to compare with, and numbers of excluded samples by reason.
type Samples = (BTreeMap<Option<String>, Vec<Sample>>, Vec<(String, usize)>);

/// Returns the samples that all forms can ask.
fn samples(forms: &[Form], against: &[Option<String>]) -> Result<Samples, WorkerError> {
    let ways: Vec<_> = forms.iter().map(Form::way).collect();
    let (mut found, mut excluded) = (BTreeMap::new(), BTreeMap::new());
    for (form, model) in forms.iter().zip(against) {
        if found.contains_key(model) {
            continue;
        }
        let mask = mask(form)?;
        let selection = form.lens.selection(&form.table, &mask);
        let mut samples = work::samples(form, selection, &ways, model.as_deref())?;
        excluded = keep_fit(&mut samples, &ways);
        if samples.is_empty() && !excluded.is_empty() {
            let why: Vec<&str> = excluded.into_keys().collect();
            let nothing = RerunError::Nothing {
                protocol: "all columns".to_owned(),
                why: Some(why.join(", ")),
            };
            return Err(nothing.into());
        }
        found.insert(model.clone(), samples);
    }
    let excluded = excluded.into_iter();
    let excluded = excluded.map(|(why, count)| (why.to_owned(), count));
    Ok((found, excluded.collect()))
}

impl Columns {
    /// Returns the summary for the user.
    pub(super) fn counted(&self, ticket: u64) -> PreparedRuns {
        let columns = self.launches.iter();
        PreparedRuns {
            columns: columns
                .map(|(name, launch)| (name.clone(), launch.counted(ticket)))
                .collect(),
            dead: self.dead.clone(),
            excluded: self.excluded.clone(),
        }
    }

    /// Runs all columns until they end or are stopped.
    pub(super) fn go(
        self,
        table: &Table,
        choice: Choice,
        control: &Control,
        events: &Sender<RerunEvent>,
    ) -> Result<RunResults, WorkerError> {
        let events = events.clone();
        let told = Arc::new(move |at: usize, event: Event| {
            // The receiver is gone after the user has quit.
            drop(events.send(RerunEvent::EventOf(at, event)));
        });
        let sources = with_hashes(table.sources());
        let (mut started, mut labels) = (Vec::new(), Vec::new());
        // A column that fails to start does not affect the others.
        let mut ended: Vec<Option<Result<RunOutput, RerunError>>> = Vec::new();
        let mut picked_by = None;
        for (at, (name, launch)) in self.launches.into_iter().enumerate() {
            let asking = Arc::clone(&launch.ready.plan.asking);
            labels.push((asking.label.clone(), name));
            picked_by.clone_from(&asking.picked_by);
            let telling = Arc::clone(&told);
            let on_event: OnEvent = Arc::new(move |event| telling(at, event));
            let run = launch
                .ready
                .start(launch.place, choice, sources.clone(), &on_event);
            match run {
                Ok(run) => {
                    started.push((at, run));
                    ended.push(None);
                }
                Err(why) => ended.push(Some(Err(why))),
            }
        }
        let (places, started): (Vec<usize>, Vec<_>) = started.into_iter().unzip();
        let of_place = places.clone();
        let telling = Arc::new(move |at: usize, event| {
            if let Some(place) = of_place.get(at) {
                told(*place, event);
            }
        });
        let over = blocking(together(started, control, telling)).map_err(RerunError::from)?;
        for (place, reran) in places.into_iter().zip(over) {
            if let Some(column) = ended.get_mut(place) {
                *column = Some(reran);
            }
        }
        let reran: Vec<Result<RunOutput, RerunError>> = ended.into_iter().flatten().collect();
        let logs = reran.iter().flatten().map(|reran| reran.log.clone());
        let comparisons = match picked_by {
            Some(filter) => vec![format!(
                "nothing is tested between columns: {filter} picked the samples by their outcome"
            )],
            None => sentences(logs.collect(), &labels, &self.request, self.scoring),
        };
        let ended = |reran: Result<RunOutput, RerunError>| -> Result<(PathBuf, Arc<RunResult>), _> {
            let reran = reran?;
            Ok((reran.folder, Arc::new(reran.ended)))
        };
        Ok(RunResults {
            columns: reran.into_iter().map(ended).collect(),
            comparisons,
        })
    }
}

/// Compares the columns from their logs; `labels` pairs the names of models and columns.
fn sentences(
    logs: Vec<PathBuf>,
    labels: &[(String, String)],
    opened: &Request,
    scoring: Scoring,
) -> Vec<String> {
    let table = load(&with_runs(opened, logs), &mut |_| ControlFlow::Continue(()));
    let models: Vec<String> = labels.iter().map(|(label, _)| label.clone()).collect();
    let pairs = match each_pair(Selection::all(&table, scoring), &models) {
        Ok(pairs) => pairs,
        Err(error) => return vec![error.to_string()],
    };
    let name = |label: &String| {
        let known = labels.iter().find(|(known, _)| known == label);
        known.map_or_else(|| label.clone(), |(_, name)| name.clone())
    };
    let all = pairs.iter().flat_map(|(_, found)| &found.abilities);
    let all: Vec<&PairedDifference> = all.collect();
    let rows = pairs.iter().flat_map(|(models, comparison)| {
        let [a, b] = models.each_ref().map(name);
        let rows = comparison.abilities.iter();
        let all = &all;
        rows.map(move |row| sentence_among(row, all, &a, &b))
    });
    rows.collect()
}
