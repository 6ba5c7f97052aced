//! Previews one edited sample, and asks one or several models.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    Asking, Choice, ConnectOptions, Control, Estimate, OnEvent, PictureRules, Plan, Protocol,
    Question, QuestionEdit, ReadyRun, RerunError, RunLocation, RunResult, RunSpec, Sample,
    SessionError, blocking, connect, model_named,
};
use analysis::Selection;
use base::config::Settings;
use base::file::Inputs;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use media::{PictureLimits, Source};

use super::{ModelChoice, Preview, PreviewQuestion, RerunEvent, Trial, TrialEvent};
use crate::asked::{asked, free_label, playgrounds, variants};
use workspace::hash::with_hashes;
use workspace::load::Request;

/// Returns the request and cost of a trial, without sending it.
pub(super) fn previewed(trial: &Trial, settings: &Settings) -> Result<Box<Preview>, SessionError> {
    let sample = sample(trial)?;
    let (before, said) = (sample.before.clone(), sample.record.response.clone());
    let asking = Asking {
        turn_words: trial.turn_words,
        pictures: first_rules(trial, settings),
        ..Asking::default()
    };
    let plan = Plan::new(vec![sample.clone()], protocol(trial), asking);
    let question = plan.question(0).ok_or_else(|| nothing(&plan))?;
    let estimate = |asked: &ModelChoice| estimate(trial, asked, &sample, settings);
    Ok(Box::new(Preview {
        question: question.map(shown),
        before,
        said,
        estimates: trial.models.iter().map(estimate).collect(),
    }))
}

/// Returns the limits of pictures at the first model's endpoint; no limits if it is not configured,
/// which its estimate reports.
fn first_rules(trial: &Trial, settings: &Settings) -> PictureRules {
    let connected = |asked: &ModelChoice| connect(&asked.endpoint, settings, &wishes()).ok();
    let connection = trial.models.first().and_then(connected);
    connection.map_or_else(PictureRules::default, |connection| {
        connection.picture_rules(PictureLimits::default())
    })
}

/// Converts a question for display.
fn shown(question: Question) -> PreviewQuestion {
    let request = question.request;
    // Pictures stay in memory until the question is sent.
    let picture = |picture: &Arc<crate::client::Picture>| {
        let bytes = STANDARD.encode(&**picture.bytes().ok()?);
        Some((Source::Inline(bytes), picture.size))
    };
    PreviewQuestion {
        words: request.text(),
        pictures: request.pictures().filter_map(picture).collect(),
        temperature: request.sampling.temperature,
        max_tokens: request.sampling.max_tokens,
        system: request.system,
        content: question.record.content,
    }
}

fn estimate(
    trial: &Trial,
    asked: &ModelChoice,
    sample: &Sample,
    settings: &Settings,
) -> Result<Estimate, SessionError> {
    let connection = connect(&asked.endpoint, settings, &wishes()).map_err(RerunError::from)?;
    let named = Some(asked.model.as_str()).filter(|model| !model.is_empty());
    let model = model_named(&asked.endpoint, named, settings).unwrap_or_default();
    let asking = Asking {
        turn_words: trial.turn_words,
        sampling: connection.sampling(),
        pictures: connection.picture_rules(PictureLimits::default()),
        ..Asking::default()
    };
    let endpoint = &*connection.endpoint;
    let plan = Plan::new(vec![sample.clone()], protocol(trial), asking).for_model(endpoint);
    if plan.is_empty() {
        return Err(nothing(&plan).into());
    }
    Ok(Estimate::new(&plan, endpoint, connection.price(&model)))
}

fn nothing(plan: &Plan) -> RerunError {
    RerunError::Nothing {
        protocol: plan.protocol.name(),
        why: plan.unfit_words(),
    }
}

/// Asks one model of a trial, and sends events.
pub(super) fn tried(
    trial: &Trial,
    model: usize,
    settings: &Settings,
    control: Control,
    events: &Sender<RerunEvent>,
) {
    // The receiver is gone after the user has quit.
    let ended = ended(trial, model, settings, control, events);
    drop(events.send(RerunEvent::Tried(
        trial.ticket,
        model,
        TrialEvent::Ended(ended),
    )));
}

fn ended(
    trial: &Trial,
    model: usize,
    settings: &Settings,
    control: Control,
    events: &Sender<RerunEvent>,
) -> Result<(PathBuf, Arc<RunResult>), SessionError> {
    let asked = trial.models.get(model).cloned().unwrap_or_default();
    let mut connection = connect(&asked.endpoint, settings, &wishes()).map_err(RerunError::from)?;
    let named = Some(asked.model).filter(|model| !model.is_empty());
    if named.is_none() && connection.model.is_none() {
        connection.list_models().map_err(RerunError::from)?;
    }
    let wanted = RunSpec {
        model: named,
        turn_words: trial.turn_words,
        ..RunSpec::new(asked.endpoint, protocol(trial), vec![sample(trial)?])
    };
    let table = &trial.table;
    let ready = ReadyRun::new(connection, wanted, |model| free_label(table, model))?;
    let ticket = trial.ticket;
    let tell = |tried| drop(events.send(RerunEvent::Tried(ticket, model, tried)));
    tell(TrialEvent::Begun {
        model: ready.plan.asking.model.clone(),
        address: ready.address.clone(),
        price: ready.price,
    });
    let sources = with_hashes(table.sources());
    let sender = Mutex::new(events.clone());
    let on_event: OnEvent = Arc::new(move |event| {
        let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
        drop(sender.send(RerunEvent::Tried(ticket, model, TrialEvent::Event(event))));
    });
    let place = RunLocation::Below(playgrounds(&trial.request));
    let run = ready.start(place, Choice::default(), sources, &on_event)?;
    let reran = blocking(run.execute(control, on_event)).map_err(RerunError::from)??;
    Ok((reran.folder, Arc::new(reran.ended)))
}

/// Saves an edited question to a file of its name; returns the path. The same question may be saved
/// again.
pub(super) fn save_question(edited: &QuestionEdit, request: &Request) -> Result<PathBuf, String> {
    let text = edited.text().map_err(|error| error.to_string())?;
    let mut why = "there is no folder for saved questions".to_owned();
    for folder in variants(request) {
        match written(&folder, &edited.name, &text) {
            Ok(path) => return Ok(path),
            Err(error) => why = error,
        }
    }
    Err(why)
}

fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.join(format!("{name}.toml"));
    match std::fs::read_to_string(&path) {
        Ok(known) if known == text => return Ok(path),
        Ok(_) => {
            return Err(format!(
                "{} already exists with different contents: choose another name",
                path.display()
            ));
        }
        Err(_) => {}
    }
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    base::file::write(&path, text.as_bytes(), &Inputs::none()).map_err(|error| failed(&error))?;
    Ok(path)
}

fn protocol(trial: &Trial) -> Protocol {
    Protocol::Edited(Arc::new(trial.edited.clone()))
}

fn wishes() -> ConnectOptions {
    ConnectOptions {
        tells_words: true,
        ..ConnectOptions::for_questions(1)
    }
}

/// Returns the sample of a trial.
fn sample(trial: &Trial) -> Result<Sample, SessionError> {
    let table = &trial.table;
    let mut mask = vec![false; table.len()];
    if let Some(is_in) = mask.get_mut(trial.row as usize) {
        *is_in = true;
    }
    let selection = Selection {
        mask: Some(&mask),
        ..Selection::all(table, trial.scoring)
    };
    let ways = [(&Protocol::Vanilla, trial.turn_words)];
    let (samples, _) = asked(selection, &ways, None, 1);
    samples.into_iter().next().ok_or(SessionError::Gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_question_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = written(&folder.path().join("variants"), "brief", "seed = 1\n").unwrap();
        let again = |text| written(path.parent().unwrap(), "brief", text);
        assert_eq!(again("seed = 1\n").as_ref(), Ok(&path));
        assert!(again("seed = 2\n").unwrap_err().contains("another name"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "seed = 1\n");
    }
}
