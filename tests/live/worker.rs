//! Tests the rerun worker with the commands that the terminal UI sends. It must behave like the
//! command line.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

use eyechart::ask::worker::{
    Continuation, ExamForm, Form, FormData, PreparedRun, PreparedRuns, RerunCommand, RerunEvent,
    RerunWorker,
};
use eyechart::ask::{
    Choice, Event, Exam, ExamOrder, ExamSet, Examiner, JOURNAL, PreviousRun, Protocol, RerunError,
    RunSpec, Sample, SessionError,
};
use eyechart::base::config::{EndpointSettings, Settings};
use eyechart::record::Table;
use eyechart::workspace::Lens;
use eyechart::workspace::load::{Request, load};

use super::log::{Log, lines};
use super::server::Server;

const SAMPLES: usize = 24;

/// A worker on a log, with its messages.
pub struct WorkerSession {
    pub worker: RerunWorker,
    pub events: Receiver<RerunEvent>,
    pub table: Table,
    pub request: Request,
}

impl WorkerSession {
    /// A worker with the endpoint `t`.
    pub fn new(log: &Log, address: String) -> Self {
        Self::with(
            log,
            EndpointSettings {
                url: address,
                model: Some("seer".to_owned()),
                ..EndpointSettings::default()
            },
        )
    }

    /// A worker with these settings of the endpoint `t`.
    pub fn with(log: &Log, own: EndpointSettings) -> Self {
        let settings = Settings {
            endpoints: [("t".to_owned(), own)].into(),
            ..Settings::default()
        };
        let request = Request {
            paths: vec![log.path("corners.eyechart.jsonl")],
            ..Request::default()
        };
        let (sender, events) = channel();
        let on_event = Box::new(move |event| drop(sender.send(event)));
        Self {
            worker: RerunWorker::start(settings, on_event).unwrap(),
            events,
            table: load(&request, &mut |_| ControlFlow::Continue(())),
            request,
        }
    }

    fn form(&self, endpoint: &str, model: &str) -> Box<Form> {
        Box::new(Form {
            ticket: 1,
            columns: vec![RunSpec {
                model: Some(model.to_owned()).filter(|model| !model.is_empty()),
                ..RunSpec::new(endpoint.to_owned(), Protocol::Vanilla, Vec::new())
            }],
            rows: None,
            lens: Lens {
                benchmark: "corners".to_owned(),
                ..Lens::default()
            },
            limit: SAMPLES,
            controls: false,
            until_clear: false,
            table: self.table.clone(),
            request: self.request.clone(),
        })
    }

    fn looked(&mut self) -> FormData {
        self.worker.command(RerunCommand::Look(self.form("t", "")));
        match self.events.recv().unwrap() {
            RerunEvent::FormLoaded(1, looked) => *looked,
            other => panic!("{other:?}"),
        }
    }

    fn counted_all(&mut self, command: RerunCommand) -> Result<Box<PreparedRuns>, SessionError> {
        self.worker.command(command);
        match self.events.recv().unwrap() {
            RerunEvent::Counted(1, counted) => counted,
            other => panic!("{other:?}"),
        }
    }

    fn counted(&mut self, command: RerunCommand) -> Result<PreparedRun, SessionError> {
        let counted = self.counted_all(command)?;
        Ok(counted.alone().unwrap().clone())
    }

    /// Sends the planned requests. Returns true if there was a warning about picture support, and
    /// the number of answers.
    fn went(&mut self, choice: Choice) -> (bool, usize) {
        self.worker.command(RerunCommand::Start(1, choice));
        let mut warned = false;
        loop {
            match self.events.recv().unwrap() {
                RerunEvent::Event(0, event) => warned |= matches!(event, Event::Sightless),
                RerunEvent::Ended(ended) => {
                    let ended = ended.unwrap();
                    assert!(ended.comparisons.is_empty());
                    let (_, run) = ended.columns[0].as_ref().unwrap();
                    return (warned, run.finished.len());
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_server_that_does_not_look_is_told_of_in_the_user_interface_too() {
    for (fault, warns) in [("sightless", true), ("none", false)] {
        let (log, server) = (Log::new(SAMPLES), Server::new());
        let mut session = WorkerSession::new(&log, server.base(fault));
        let counted = session
            .counted(RerunCommand::Count(session.form("t", "")))
            .unwrap();
        assert_eq!(counted.requests(Choice::default()), SAMPLES);
        assert_eq!(session.went(Choice::default()), (warns, SAMPLES));
        assert_eq!(server.count(fault), SAMPLES);

        let looked = session.looked();
        assert_eq!((looked.samples, looked.previous.len()), (SAMPLES, 1));
        let again = Continuation {
            ticket: 1,
            previous: looked.previous[0].clone(),
            table: session.table.clone(),
            scoring: Lens::default().scoring,
        };
        let counted = session
            .counted(RerunCommand::Again(Box::new(again)))
            .unwrap();
        assert_eq!(counted.requests(Choice::default()), 0);
        assert_eq!(session.went(Choice::default()), (false, SAMPLES));
        assert_eq!(server.count(fault), SAMPLES, "all is known");
    }
}

/// The program's examiner. Its exams count how often they are written.
#[derive(Debug)]
struct CountingExaminer;

/// An exam that counts how often it is written.
#[derive(Debug)]
struct CountingExam(Box<dyn Exam>);

/// Number of times that an exam was written.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

impl Examiner for CountingExaminer {
    fn sets(&self) -> Vec<ExamSet> {
        eyechart::exam::examiner::Examiner.sets()
    }

    fn draw(&self, order: &ExamOrder) -> Option<Box<dyn Exam>> {
        let exam = eyechart::exam::examiner::Examiner.draw(order)?;
        Some(Box::new(CountingExam(exam)))
    }
}

impl Exam for CountingExam {
    fn protocol(&self) -> Protocol {
        self.0.protocol()
    }

    fn samples(&self, folder: &Path) -> Vec<Sample> {
        self.0.samples(folder)
    }

    fn precision(&self) -> Vec<String> {
        self.0.precision()
    }

    fn write(&self, folder: &Path) -> std::io::Result<()> {
        WRITTEN.fetch_add(1, Ordering::SeqCst);
        self.0.write(folder)
    }
}

#[test]
fn an_exam_from_the_form_is_drawn_once_asked_and_saved_with_its_pictures() {
    eyechart::ask::register_exams(&CountingExaminer);
    let (log, server) = (Log::new(1), Server::new());
    let mut session = WorkerSession::new(&log, server.base("constant"));
    let form = |set: &str| {
        let form = ExamForm {
            ticket: 1,
            order: ExamOrder {
                set: set.to_owned(),
                each: 1,
            },
            column: RunSpec::new("t".to_owned(), Protocol::Vanilla, Vec::new()),
            request: session.request.clone(),
        };
        RerunCommand::Exam(Box::new(form))
    };
    let (unknown, gepbench) = (form("taste"), form("gepbench"));
    let refused = session.counted_all(unknown).unwrap_err().to_string();
    assert!(refused.contains("no set of questions `taste`"), "{refused}");
    let counted = session.counted_all(gepbench).unwrap();
    assert!(counted.notes[0].starts_with("expected precision"));
    // One question about each of six aspects.
    assert_eq!(counted.alone().unwrap().plan.samples.len(), 6);
    assert_eq!(
        server.count("constant"),
        0,
        "nothing is sent before a confirmation"
    );
    assert_eq!(session.went(Choice::default()), (false, 6));
    assert_eq!(server.count("constant"), 6);
    assert_eq!(WRITTEN.load(Ordering::SeqCst), 1);
    let runs = std::fs::read_dir(log.path("reruns")).unwrap();
    let folders: Vec<_> = runs.map(|entry| entry.unwrap().path()).collect();
    let [folder] = folders.as_slice() else {
        panic!("{folders:?}");
    };
    for name in ["items.jsonl", "chance.scores.csv", JOURNAL] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let records = lines(&folder.join(eyechart::ask::FILE));
    assert_eq!(records.len(), 6);
    for record in records {
        assert_eq!(record["model"], "seer");
        let picture = record["image"].as_str().unwrap();
        assert!(folder.join(picture).is_file(), "{picture}");
    }
}

/// A folder with a stopped run may come from a stranger. The address in it is displayed together
/// with the user's key for it, and contacted only after the user has agreed.
#[test]
fn the_address_of_a_run_in_a_file_hears_nothing_before_the_user_says_so() {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    let mut session = WorkerSession::new(&log, server.base("none"));
    let form = session.form(&server.base("none"), "seer");
    let told = session.counted(RerunCommand::Count(form)).unwrap();
    assert!(told.has_listed_models && told.address_in.is_none());
    session.went(Choice::default());
    // A started run with another person's address, as if that person had shared it.
    let folder = session.looked().previous[0].folder.clone();
    let journal = folder.join("run.jsonl");
    let kept = std::fs::read_to_string(&journal).unwrap();
    let begun: Vec<&str> = kept.lines().take(7).collect();
    std::fs::write(&journal, begun.join("\n") + "\n").unwrap();
    let heard = server.heard();
    // A journal may contain the address without scheme, as people type it. Unusual spellings may be
    // refused.
    let odd = ["HTTP://", "http://me:word@", "//", " http://"];
    for scheme in odd.into_iter().chain(["http://", ""]) {
        let mut previous = PreviousRun::read(&folder).unwrap();
        previous.head.endpoint = server.base("none").replace("http://", scheme);
        let again = Continuation {
            ticket: 1,
            previous,
            table: session.table.clone(),
            scoring: Lens::default().scoring,
        };
        let counted = session.counted(RerunCommand::Again(Box::new(again)));
        assert_eq!(server.heard(), heard, "{scheme:?}");
        if odd.contains(&scheme) {
            continue;
        }
        let counted = counted.unwrap();
        assert!(counted.requests(Choice::default()) > 0);
        assert_eq!(counted.address_in.as_deref(), Some(journal.as_path()));
        assert_eq!((counted.has_listed_models, server.heard()), (false, heard));
    }
    session.went(Choice::default());
    assert!(server.heard() > heard);
}

#[test]
fn an_encoder_is_not_asked_under_the_name_of_another_model() {
    let log = Log::new(1);
    let mut session = WorkerSession::new(&log, "http://127.0.0.1:1/v1".to_owned());
    eyechart::ask::register(&eyechart::exam::builtin::Encoders);
    let form = session.form("builtin:hog", "dinov2");
    let counted = session.counted(RerunCommand::Count(form));
    assert!(matches!(
        counted,
        Err(SessionError::Rerun(RerunError::OneModel(_)))
    ));
    session
        .worker
        .command(RerunCommand::Start(1, Choice::default()));
    let ended = session.events.recv().unwrap();
    assert!(matches!(ended, RerunEvent::Ended(Err(SessionError::Stale))));
}

#[test]
fn a_column_whose_server_is_down_leaves_the_others_alone() {
    let (log, server) = (Log::new(4), Server::new());
    let mut session = WorkerSession::new(&log, server.base("none"));
    let dead = "http://127.0.0.1:9/v1";
    let both = |session: &WorkerSession, endpoints: [(&str, &str); 2]| {
        let [mut one, other] = endpoints.map(|(at, model)| session.form(at, model));
        one.columns.extend(other.columns);
        RerunCommand::Count(one)
    };
    let command = both(&session, [(dead, "x"), ("t", "")]);
    let told = session.counted_all(command).unwrap();
    assert!(told.alone().is_none());
    let names = |list: &[&str]| {
        list.iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let columns: Vec<String> = told.columns.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(columns, names(&["t seer"]));
    assert_eq!(told.dead.len(), 1);
    assert!(told.dead[0].1.to_string().contains("nothing listens"));
    let go = RerunCommand::Start(1, Choice::default());
    session.worker.command(go);
    loop {
        match session.events.recv().unwrap() {
            RerunEvent::Event(0, _) => {}
            RerunEvent::Ended(ended) => {
                let ended = ended.unwrap();
                let (_, run) = ended.columns[0].as_ref().unwrap();
                assert_eq!((ended.columns.len(), run.finished.len()), (1, 4));
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    let command = both(&session, [(dead, "x"), (dead, "y")]);
    let why = session.counted_all(command).unwrap_err();
    assert!(why.to_string().contains("listens"), "{why}");
}
