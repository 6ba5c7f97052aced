//! Work of the rerun worker's threads.

use std::fs::DirEntry;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use crate::{
    Choice, Column, ConnectOptions, Control, CountedSession, Event, FinishedColumn, JOURNAL,
    PreviousRuns, ReadyRun, RerunError, RunLocation, RunSpec, SessionError, SessionResult,
    SessionSpec, blocking, column_names, connect, protocol_of,
};
use analysis::Selection;
use base::config::Settings;
use base::file::FileBatch;
use record::Table;

use super::{
    Continuation, EndedRun, ExamForm, Form, FormData, Launch, RerunEvent, ResumeProgress,
    RunResults,
};
use crate::asked::{asked, asked_before, count, journals, known, places};
use crate::exams::draw_exam;
use workspace::filter::{FilterError, picking};

/// Number of samples whose questions are previewed.
const SHOWN: usize = 5;

/// Returns the samples of a form, and previous runs on them.
pub(super) fn form_data(form: &Form, settings: &Settings) -> FormData {
    let table = &form.table;
    let runs = PreviousRuns::new(journals(&form.request, &[])).runs;
    let firsts = runs.iter().map(|run| run.head.samples.first());
    let known = known(table, &firsts.flatten().map(String::as_str).collect());
    let previous = runs.into_iter().filter(|run| {
        let first = run.head.samples.first();
        first.is_some_and(|name| known.contains(name))
    });
    let previous = previous.collect();
    let first = form.columns.first();
    let asks_first = first.and_then(|spec| crate::asks_first(&spec.endpoint, settings));
    let (Ok(mask), Some(first)) = (mask(form), first) else {
        return FormData {
            asks_first,
            previous,
            ..FormData::default()
        };
    };
    let session = form.session(&mask, settings);
    let column = session.columns.first();
    // A model that is not in the logs is reported when the requests are counted.
    let against = column.and_then(|column| session.reference(column, settings).ok().flatten());
    let (selection, against) = (session.selection, against.as_deref());
    let way = (&first.protocol, first.turn_words);
    let (shown, _) = asked(selection, &[way], against, SHOWN.min(form.limit));
    FormData {
        samples: count(selection, &first.protocol, against),
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
pub(super) fn counted(form: &Form, settings: &Settings) -> Result<Launch, SessionError> {
    let mask = mask(form)?;
    let session = form.session(&mask, settings).count(settings)?;
    Ok(Launch {
        session: session.alive()?,
        begun: None,
        address_in: None,
        exam: None,
    })
}

/// Draws an exam, with its pictures in a temporary folder, and counts its requests.
pub(super) fn exam(form: &ExamForm, settings: &Settings) -> Result<Launch, SessionError> {
    let unknown = || SessionError::NoExam(form.order.set.clone());
    let exam = draw_exam(&form.order).ok_or_else(unknown)?;
    let pictures = tempfile::tempdir().map_err(SessionError::Exam)?;
    exam.write(pictures.path()).map_err(SessionError::Exam)?;
    let wanted = RunSpec {
        samples: exam.samples(pictures.path()),
        protocol: exam.protocol(),
        own_pictures: true,
        ..form.column.clone()
    };
    let most = wanted.protocol.requests(&wanted.samples).high;
    let wishes = ConnectOptions::for_questions(most);
    let connection = connect(&wanted.endpoint, settings, &wishes);
    let mut connection = connection.map_err(RerunError::from)?;
    connection.list_models().map_err(RerunError::from)?;
    // An exam is a log of its own, so its model can have the same name as another log's.
    let ready = ReadyRun::new(connection, wanted, str::to_owned)?;
    let place = RunLocation::Below(places(&form.request));
    let mut session = CountedSession::single(ready, place, &Table::default());
    session.notes = exam.precision();
    Ok(Launch {
        session,
        begun: None,
        address_in: None,
        exam: Some(pictures),
    })
}

impl Form {
    /// Describes the session; `mask` holds a flag per prediction.
    fn session<'a>(&'a self, mask: &'a [bool], settings: &Settings) -> SessionSpec<'a> {
        let names = column_names(&self.columns, settings);
        let columns = self.columns.iter().zip(names).map(|(spec, name)| Column {
            name,
            ..Column::alone(spec.clone(), places(&self.request))
        });
        let selection = self.lens.selection(&self.table, mask);
        SessionSpec {
            filter: self.lens.expression(&self.table),
            picked_by: picked_by(self),
            limit: self.limit,
            controls: self.controls,
            usual_reference: self.lens.model.clone(),
            until_clear: self.until_clear,
            ..SessionSpec::new(columns.collect(), selection, &self.request)
        }
    }
}

/// Returns the part of the lens that selects samples by outcome.
fn picked_by(form: &Form) -> Option<String> {
    if form.rows.is_some() {
        return None;
    }
    let texts = [&form.lens.filter, &form.lens.step];
    let terms: Vec<String> = texts.into_iter().filter_map(|text| picking(text)).collect();
    (!terms.is_empty()).then(|| terms.join(" and "))
}

/// Prepares the remaining questions of a previous run.
pub(super) fn again(again: &Continuation, settings: &Settings) -> Result<Launch, SessionError> {
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
        session: CountedSession::single(
            ReadyRun::again(previous, samples, settings)?,
            RunLocation::In {
                folder: previous.folder.clone(),
                resume: true,
            },
            &again.table,
        ),
        begun: Some(ResumeProgress {
            run: head.run.clone(),
            answered: previous.answered,
            failed: previous.failed,
            unasked: previous.unasked,
            lost,
        }),
        exam: None,
    })
}

impl Launch {
    /// Asks until all requests are done or the session is stopped.
    pub(super) fn execute(
        mut self,
        choice: Choice,
        control: &Control,
        events: &Sender<RerunEvent>,
    ) -> Result<RunResults, SessionError> {
        if let Some(drawn) = &self.exam {
            self.session
                .prepare_folder(|folder| copy_tree(drawn.path(), folder))?;
        }
        let columns = self.session.columns.iter();
        let living: Vec<bool> = columns.map(|column| column.run.is_ok()).collect();
        let events = events.clone();
        let on_event = Arc::new(move |at: usize, event: Event| {
            // The receiver is gone after the user has quit.
            drop(events.send(RerunEvent::Event(at, event)));
        });
        let result = blocking(self.session.execute(choice, control, on_event));
        let result = result.map_err(RerunError::from)??;
        let comparisons = comparisons(&result);
        let columns = result.columns.into_iter().zip(living);
        let columns = columns.filter(|(_, is_living)| *is_living);
        let ended = |column: FinishedColumn| -> EndedRun {
            let output = column.run?.output;
            Ok((output.folder, Arc::new(output.ended)))
        };
        Ok(RunResults {
            columns: columns.map(|(column, _)| ended(column)).collect(),
            comparisons,
        })
    }
}

/// Copies the files of a folder to another one. Folders come before files, so that an exam's items
/// come after the pictures that they name.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let entries: Vec<DirEntry> = std::fs::read_dir(from)?.collect::<io::Result<_>>()?;
    let (folders, files): (Vec<DirEntry>, Vec<DirEntry>) =
        entries.into_iter().partition(|entry| entry.path().is_dir());
    for folder in folders {
        copy_tree(&folder.path(), &to.join(folder.file_name()))?;
    }
    let batch = FileBatch::default();
    for file in files {
        batch.write(&to.join(file.file_name()), &std::fs::read(file.path())?)?;
    }
    Ok(batch.settle()?)
}

/// Returns the comparisons between the columns, as sentences.
fn comparisons(result: &SessionResult) -> Vec<String> {
    if result.columns.len() < 2 {
        return Vec::new();
    }
    match result.compared() {
        Ok(None) => Vec::new(),
        Ok(Some(compared)) => compared.comparison.sentences(),
        Err(error) => vec![error.to_string()],
    }
}

/// Returns one flag per prediction: true if its sample is selected.
fn mask(form: &Form) -> Result<Vec<bool>, FilterError> {
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
