//! Work of the rerun worker's threads.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::{
    Choice, ConnectOptions, Control, JOURNAL, OnEvent, PreviousRuns, Protocol, ReadyRun,
    RerunError, RunLocation, RunResult, RunSpec, Sample, TurnWords, blocking, connect, model_named,
    protocol_of,
};
use analysis::Selection;
use base::config::Settings;
use record::Table;

use super::{Continuation, Form, FormData, Launch, RerunEvent, ResumeProgress, WorkerError};
use crate::asked::{asked, asked_before, controls, count, free_label, journals, known, places};
use workspace::filter::{FilterError, picking, select_without_outcome};
use workspace::hash::with_hashes;

/// Number of samples whose questions are previewed.
const SHOWN: usize = 5;

/// Returns the samples of a form, and previous runs on them.
pub(super) fn looked(form: &Form, settings: &Settings) -> FormData {
    let table = &form.table;
    let runs = PreviousRuns::new(journals(&form.request, &[])).runs;
    let firsts = runs.iter().map(|run| run.head.samples.first());
    let known = known(table, &firsts.flatten().map(String::as_str).collect());
    let previous = runs.into_iter().filter(|run| {
        let first = run.head.samples.first();
        first.is_some_and(|name| known.contains(name))
    });
    let previous = previous.collect();
    let asks_first = crate::asks_first(&form.endpoint, settings);
    let Ok(mask) = mask(form) else {
        return FormData {
            asks_first,
            previous,
            ..FormData::default()
        };
    };
    let selection = form.lens.selection(table, &mask);
    let against = against(form, settings);
    let against = against.as_deref();
    let (shown, _) = asked(selection, &[form.way()], against, SHOWN.min(form.limit));
    FormData {
        samples: count(selection, &form.protocol, against),
        picked: picked_by(form).is_some(),
        shown: shown
            .into_iter()
            .map(|sample| sample.record.content)
            .collect(),
        asks_first,
        previous,
    }
}

/// Counts the requests of a form.
pub(super) fn counted(form: &Form, settings: &Settings) -> Result<Launch, WorkerError> {
    let mask = mask(form)?;
    let selection = form.lens.selection(&form.table, &mask);
    let against = against(form, settings);
    let samples = samples(form, selection, &[form.way()], against.as_deref())?;
    let wishes = ConnectOptions::for_questions(form.protocol.requests(&samples).high);
    let mut connection = connect(&form.endpoint, settings, &wishes).map_err(RerunError::from)?;
    connection.look().map_err(RerunError::from)?;
    let previous = PreviousRuns::new(journals(&form.request, &[]));
    let label = |model: &str| free_label(&form.table, model);
    let ready = ReadyRun::new(connection, run_spec(form, samples, against), label)?;
    Ok(launch(form, ready, &previous))
}

/// Describes a run of a form on these samples. `against` is the model to compare with.
pub(super) fn run_spec(form: &Form, samples: Vec<Sample>, against: Option<String>) -> RunSpec {
    RunSpec {
        model: form.named().map(str::to_owned),
        temperature: form.temperature,
        system: Some(form.system.clone()).filter(|system| !system.is_empty()),
        max_tokens: form.max_tokens,
        seed: form.seed,
        turn_words: form.turn_words,
        picked_by: picked_by(form),
        against,
        ..RunSpec::new(form.endpoint.clone(), form.protocol.clone(), samples)
    }
}

/// Prepares the run of a form for confirmation.
pub(super) fn launch(form: &Form, mut ready: ReadyRun, previous: &PreviousRuns) -> Launch {
    ready.offer(previous);
    Launch {
        ready,
        place: RunLocation::Below(places(&form.request)),
        begun: None,
        address_in: None,
    }
}

/// Returns the samples that all ways can ask; if requested and selected by outcome, with as many
/// controls.
pub(super) fn samples(
    form: &Form,
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&str>,
) -> Result<Vec<Sample>, WorkerError> {
    let (mut samples, _) = asked(selection, ways, against, form.limit);
    if form.controls && picked_by(form).is_some() {
        let text = form.lens.expression(&form.table);
        let mask = select_without_outcome(&text, &form.table, form.lens.scoring)?;
        let all = form.lens.selection(&form.table, &mask);
        let controls = controls(all, ways, against, &samples);
        samples.extend(controls);
    }
    Ok(samples)
}

/// Returns the model to compare with. By default, a model of the same name, which shows whether it
/// got worse.
pub(super) fn against(form: &Form, settings: &Settings) -> Option<String> {
    let same = model_named(&form.endpoint, form.named(), settings);
    let known = &form.table.names().models;
    let same = same.filter(|name| known.find(name.as_str()).is_some());
    let chosen = form.against.clone().or(same);
    chosen.or_else(|| form.lens.model.clone())
}

/// Returns the part of the lens that selects samples by outcome.
pub(super) fn picked_by(form: &Form) -> Option<String> {
    if form.rows.is_some() {
        return None;
    }
    let texts = [&form.lens.filter, &form.lens.step];
    let terms: Vec<String> = texts.into_iter().filter_map(|text| picking(text)).collect();
    (!terms.is_empty()).then(|| terms.join(" and "))
}

/// Prepares the rest of a previous run.
pub(super) fn again(again: &Continuation, settings: &Settings) -> Result<Launch, WorkerError> {
    let previous = &again.previous;
    let head = &previous.head;
    let protocol = protocol_of(head).map_err(RerunError::from)?;
    let (samples, lost) = asked_before(
        Selection::all(&again.table, again.scoring),
        &protocol,
        head.against.as_deref(),
        &head.samples,
    );
    // Names are resolved by the settings; only addresses come from the journal.
    let is_address = crate::is_address(&head.endpoint, settings);
    Ok(Launch {
        address_in: is_address.then(|| previous.folder.join(JOURNAL)),
        ready: ReadyRun::again(previous, samples, settings)?,
        place: RunLocation::In {
            folder: previous.folder.clone(),
            resume: true,
        },
        begun: Some(ResumeProgress {
            run: head.run.clone(),
            answered: previous.answered,
            failed: previous.failed,
            unasked: previous.unasked,
            lost,
        }),
    })
}

impl Launch {
    /// Runs until all requests are done or the run is stopped.
    pub(super) fn go(
        self,
        table: &Table,
        choice: Choice,
        control: Control,
        events: &Sender<RerunEvent>,
    ) -> Result<(PathBuf, Arc<RunResult>), WorkerError> {
        let sources = with_hashes(table.sources());
        let events = events.clone();
        let on_event: OnEvent = Arc::new(move |event| {
            // The receiver is gone after the user has quit.
            drop(events.send(RerunEvent::Event(event)));
        });
        let run = self.ready.start(self.place, choice, sources, &on_event)?;
        let reran = blocking(run.go(control, on_event)).map_err(RerunError::from)??;
        Ok((reran.folder, Arc::new(reran.ended)))
    }
}

/// Returns one flag per prediction: true if its sample is selected.
pub(super) fn mask(form: &Form) -> Result<Vec<bool>, FilterError> {
    let table: &Table = &form.table;
    let Some(rows) = &form.rows else {
        return form.lens.mask(table);
    };
    let mut mask = vec![false; table.len()];
    for &row in rows {
        if let Some(is_in) = mask.get_mut(row as usize) {
            *is_in = true;
        }
    }
    Ok(mask)
}
