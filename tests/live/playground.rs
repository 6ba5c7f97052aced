//! Tests asking about one sample with an edited prompt, and using the saved prompt on all samples.

use std::fs;
use std::path::PathBuf;

use eyechart::ask::client::RequestEvent;
use eyechart::ask::worker::{ModelChoice, RerunCommand, RerunEvent, Trial, TrialEvent};
use eyechart::ask::{Event, JOURNAL, PictureEdit, QuestionEdit, TurnWords};
use eyechart::base::config::EndpointSettings;
use serde_json::json;

use super::log::{Log, lines, sample};
use super::server::Server;
use super::worker::WorkerSession;

const SAMPLES: usize = 16;

fn setup(variant: &str) -> (Log, Server) {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "prices = [1.0, 2.0]");
    fs::write(log.path("brief.toml"), variant).unwrap();
    (log, server)
}

#[test]
fn a_kept_variant_is_asked_of_all_samples_and_goes_on_as_it_was() {
    let variant = "prompt = \"\"\"\nLook twice. {question}\n{options}\"\"\"\ntemperature = 0.5\nmax_tokens = 32\nseed = 5\n\
        stop = [\"###\"]\nlogprobs = true\npicture = [\"turn 90\", \"flip\"]\n\n[extra]\nreasoning_effort = \"high\"\n";
    let (log, server) = setup(variant);
    let found = log.found(&["--protocol", "file:brief.toml"]);
    // A model that locates perfectly does so at any rotation.
    assert_eq!(found["found"]["steps"][0]["right"], SAMPLES, "{found}");
    assert_eq!(server.count("none"), SAMPLES);
    let last = server.seen.lock().unwrap().last.clone();
    for (name, value) in [
        ("temperature", json!(0.5)),
        ("max_tokens", json!(32)),
        ("seed", json!(5)),
        ("stop", json!(["###"])),
        ("logprobs", json!(true)),
        ("top_logprobs", json!(5)),
        ("reasoning_effort", json!("high")),
    ] {
        assert_eq!(last[name], value, "{name}");
    }
    let words = last["messages"][0]["content"][1]["text"].as_str().unwrap();
    assert!(words.starts_with("Look twice. In which corner"), "{words}");
    let records = log.records();
    assert_eq!(records.len(), SAMPLES);
    assert!(
        records
            .iter()
            .all(|record| record["condition"]["variant"] == "brief")
    );

    let again = log.found(&["--protocol", "file:brief.toml", "--resume"]);
    assert_eq!(again["found"]["steps"][0]["right"], SAMPLES);
    assert_eq!(server.count("none"), SAMPLES, "nothing is asked twice");
    fs::write(log.path("brief.toml"), "picture = ['blank']").unwrap();
    let other = log.rerun(&["--protocol", "file:brief.toml", "--resume"]);
    assert!(
        other.code != 0 && other.err.contains("belongs to another run"),
        "{}",
        other.err
    );
}

#[test]
fn what_is_hidden_is_not_seen() {
    for (picture, _) in [("blank", 0), ("mask 0 0 1 1", 1)] {
        let (log, _server) = setup(&format!("picture = [\"{picture}\"]\n"));
        let found = log.found(&["--protocol", "file:brief.toml"]);
        let guessed = (0..SAMPLES).filter(|at| sample(*at).0 == 0).count();
        assert_eq!(found["found"]["steps"][0]["right"], guessed, "{picture}");
    }
}

#[test]
fn a_variant_that_fits_nothing_or_is_none_is_refused_before_anything_is_sent() {
    for (variant, code, part) in [
        (
            "picture = ['crop 0 0 0.5 0.5']",
            1,
            "a position in the whole picture",
        ),
        ("picture = ['swirl']", 2, "`swirl` is not a picture edit"),
        ("prompt = 'Look.'", 2, "no placeholder {question}"),
    ] {
        let (log, server) = setup(variant);
        let refused = log.rerun(&["--protocol", "file:brief.toml"]);
        assert_eq!(refused.code, code, "{}", refused.err);
        assert!(refused.err.contains(part), "{}", refused.err);
        assert_eq!(server.count("none"), 0);
    }
}

fn trial(session: &WorkerSession, endpoints: &[&str], edited: QuestionEdit) -> Box<Trial> {
    let asked = |endpoint: &&str| ModelChoice {
        endpoint: (*endpoint).to_owned(),
        model: "seer".to_owned(),
    };
    Box::new(Trial {
        ticket: 7,
        row: 0,
        scoring: Default::default(),
        edited,
        turn_words: TurnWords::On,
        models: endpoints.iter().map(asked).collect(),
        table: session.table.clone(),
        request: session.request.clone(),
    })
}

/// Answer of each of two models, true if text arrived before the end, and the folders of the runs.
fn tried(
    session: &mut WorkerSession,
    trial: Box<Trial>,
) -> Vec<(bool, Option<String>, Option<PathBuf>)> {
    let mut said = vec![(false, None, None); trial.models.len()];
    session.worker.command(RerunCommand::Try(trial));
    while said.iter().any(|(_, _, folder)| folder.is_none()) {
        match session.events.recv().unwrap() {
            RerunEvent::Tried(
                7,
                model,
                TrialEvent::Event(Event::News(RequestEvent::Said { .. })),
            ) => {
                said[model].0 = true;
            }
            RerunEvent::Tried(7, model, TrialEvent::Event(Event::Finished(one))) => {
                said[model].1 = Some(one.done.text.clone());
            }
            RerunEvent::Tried(7, model, TrialEvent::Ended(ended)) => {
                said[model].2 = Some(ended.unwrap().0);
            }
            _ => {}
        }
    }
    said
}

#[test]
fn one_sample_is_asked_of_two_models_at_once_and_each_answer_is_kept() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    let mut session = WorkerSession::new(&log, server.base("none"));
    let drip = server.base("drip");
    let edited = QuestionEdit {
        edits: vec![PictureEdit::Blank],
        ..QuestionEdit::default()
    };
    let all = trial(&session, &["t", &drip], edited);
    let said = tried(&mut session, all);
    assert_eq!((server.count("none"), server.count("drip")), (1, 1));
    assert!(said[1].0, "words are told as they come");
    assert_eq!(said[0].1.as_deref(), Some("A"), "nothing is to be seen");
    for (_, text, folder) in said {
        let folder = folder.unwrap();
        assert_eq!(folder.parent().unwrap().file_name().unwrap(), "playground");
        let kept = lines(&folder.join(JOURNAL));
        let done: Vec<_> = kept.iter().filter(|line| line["line"] == "done").collect();
        assert_eq!((done.len(), done[0]["text"].as_str()), (1, text.as_deref()));
    }
}

#[test]
fn a_look_shows_pictures_within_the_limits_of_the_first_endpoint() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    let mut session = WorkerSession::with(
        &log,
        EndpointSettings {
            url: server.base("none"),
            max_side: Some(12),
            ..EndpointSettings::default()
        },
    );
    for (endpoints, size) in [(&["t"][..], (12, 8)), (&["nowhere", "t"], (24, 16))] {
        let looked = trial(&session, endpoints, QuestionEdit::default());
        session.worker.command(RerunCommand::Preview(looked));
        let RerunEvent::Previewed(7, Ok(preview)) = session.events.recv().unwrap() else {
            panic!("it can be asked");
        };
        assert_eq!(preview.question.unwrap().pictures[0].1, size);
    }
}

#[test]
fn a_look_at_what_would_be_asked_sends_nothing() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    let mut session = WorkerSession::new(&log, server.base("none"));
    let edited = QuestionEdit {
        edits: PictureEdit::list("turn 90; downscale 0.5").unwrap(),
        ..QuestionEdit::default()
    };
    let looked = trial(&session, &["t", "nowhere"], edited);
    session.worker.command(RerunCommand::Preview(looked));
    let RerunEvent::Previewed(7, Ok(preview)) = session.events.recv().unwrap() else {
        panic!("it can be asked");
    };
    let question = preview.question.unwrap();
    assert_eq!(
        question.pictures[0].1,
        (8, 12),
        "24 x 16, turned and halved"
    );
    assert!(question.words.contains("In which corner"));
    assert!(preview.estimates[0].is_ok() && preview.estimates[1].is_err());
    assert_eq!(server.count("none"), 0);
}
