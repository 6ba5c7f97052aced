//! Tests a chain of two dependent questions that is killed between them and resumed.

mod room;

use std::path::Path;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::client::{
    Answer, AskOutcome, Class, Dialect, Failure, Part, Request, RequestEvent, Turn,
};
use crate::item::Failures;
use crate::journal::{Head, Journal, PreviousRun, PreviousRuns};
use crate::kind::Kind;
use crate::model::Model;
use crate::plan::Plan;
use crate::protocol::Protocol;
use crate::run::{Control, Event, Run, RunResult, StopReason};
use record::{Choice, Content, Record, Target};

/// A chain of two questions: the second depends on the first answer.
#[derive(Debug)]
struct Halves;

/// A sample of a [`Halves`] chain, in progress.
struct Half {
    sample: Arc<Sample>,
    asking: Arc<Asking>,
    said: [Option<JudgedAnswer>; 2],
    asked: usize,
}

const PATHS: [&str; 2] = ["half", "half/quarter"];

impl Chain for Halves {
    fn bound(&self, _sample: &Sample) -> RequestRange {
        RequestRange {
            low: 1,
            likely: 2,
            high: 2,
        }
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        Box::new(Half {
            sample: Arc::clone(sample),
            asking: Arc::clone(asking),
            said: [None, None],
            asked: 0,
        })
    }
}

impl Fold for Half {
    fn ready(&mut self) -> Vec<Ask> {
        let known = self.said.iter().flatten().count();
        if self.asked > known || self.asked == 2 || self.asked < known {
            return Vec::new();
        }
        self.asked += 1;
        let words = |text: String| Turn::user(vec![Part::Text(text)]);
        let id = &self.sample.record.sample_id;
        let mut turns = vec![words(format!("which half of {id}?"))];
        if let Some(first) = &self.said[0] {
            turns.push(Turn::assistant(&first.done.text));
            turns.push(words(format!("which quarter of {}?", first.done.text)));
        }
        let question = Question {
            request: Request {
                model: self.asking.model.clone(),
                system: None,
                turns,
                sampling: self.asking.sampling.clone(),
                schema: None,
            },
            record: self.sample.record.clone(),
            version: "halves-1".to_owned(),
            repeat: 0,
            made: Vec::new(),
            before: None,
            part: None,
            keys: None,
        };
        let path = AskPath::Part(PATHS[known].to_owned());
        vec![Ask::new(path, move || Ok(question))]
    }

    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>) {
        let place = PATHS
            .iter()
            .position(|known| *path == AskPath::Part((*known).to_owned()));
        self.said[place.unwrap()] = said.cloned();
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        let [Some(first), Some(second)] = &self.said else {
            return None;
        };
        let mut record = self.sample.record.clone();
        record.response = Some(format!("{}{}", first.done.text, second.done.text));
        Some(Outcome {
            step: 0,
            record,
            judged: second.judged.clone(),
            pictures: Vec::new(),
            unread: BTreeMap::new(),
        })
    }
}

/// Answers A for even samples and B for odd ones; second questions get the other letter.
#[derive(Debug, Default)]
struct Fake {
    asked: Mutex<Vec<String>>,
    /// What happens to second questions.
    second: Second,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Second {
    #[default]
    Answered,
    /// Hangs until it is stopped.
    Hangs,
    Stops,
    Fails,
}

impl Model for Fake {
    fn address(&self) -> String {
        "fake".to_owned()
    }

    fn width(&self) -> usize {
        2
    }

    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn key(&self, question: &Question) -> String {
        let Question {
            version, repeat, ..
        } = question;
        question
            .request
            .key(Dialect::OpenAi, "fake", version, *repeat)
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        _on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(async move {
            let text = question.request.text();
            self.asked.lock().unwrap().push(text.clone());
            let letter = match text.rsplit_once("quarter of ") {
                Some(_) if self.second == Second::Hangs => std::future::pending().await,
                Some(_) if self.second == Second::Stops => {
                    cancel.cancelled().await;
                    let outcome = Err(Failure::new(Class::Cancelled, "stopped"));
                    return AskOutcome {
                        outcome,
                        attempts: 0,
                        place: None,
                    };
                }
                Some(_) if self.second == Second::Fails => {
                    let outcome = Err(Failure::new(Class::Server, "broken"));
                    return AskOutcome {
                        outcome,
                        attempts: 1,
                        place: None,
                    };
                }
                Some((_, first)) if first.starts_with('A') => "B",
                Some(_) => "A",
                None if text.contains(['0', '2', '4']) => "A",
                None => "B",
            };
            let outcome = Ok(Answer {
                text: letter.to_owned(),
                ..Answer::default()
            });
            AskOutcome {
                outcome,
                attempts: 1,
                place: None,
            }
        })
    }
}

const SAMPLES: usize = 5;

fn plan() -> Arc<Plan> {
    plan_of(SAMPLES, Arc::new(Halves))
}

fn plan_of(samples: usize, chain: Arc<dyn Chain>) -> Arc<Plan> {
    let choice = |letter: &str| Choice {
        letter: letter.to_owned(),
        text: format!("half {letter}"),
    };
    let sample = |at: usize| Sample {
        record: Record {
            sample_id: format!("s{at}"),
            content: Content {
                question: "Where?".to_owned(),
                choices: vec![choice("A"), choice("B")],
                target: Some(Target::Text("B".to_owned())),
                ..Content::default()
            },
            ..Record::default()
        },
        pictures: Vec::new(),
        format: "eyechart".to_owned(),
        before: None,
        turned: std::collections::BTreeMap::new(),
    };
    let asking = Asking {
        model: "m".to_owned(),
        ..Asking::default()
    };
    let plan = Plan::new(
        (0..samples).map(sample).collect(),
        Protocol::Vanilla,
        asking,
    );
    Arc::new(Plan { chain, ..plan })
}

/// Runs in a folder. If the model hangs or stops, the run is dropped or stopped once all first
/// questions are answered.
fn run(
    folder: &Path,
    plan: &Arc<Plan>,
    model: &Arc<Fake>,
    failures: Failures,
) -> Option<RunResult> {
    let journal = Journal::open(folder, Head::new(plan, "fake")).unwrap();
    let asked = Arc::clone(model) as Arc<dyn Model>;
    let run = Run::new(Arc::clone(plan), asked, journal, failures);
    let parts = Arc::new(Semaphore::new(0));
    let counted = Arc::clone(&parts);
    let (control, stops) = (Control::default(), model.second == Second::Stops);
    let stop = control.clone();
    let on_event = Arc::new(move |event| {
        if matches!(event, Event::Part { .. }) {
            counted.add_permits(1);
        }
        if counted.available_permits() == SAMPLES && stops {
            stop.stop();
        }
    });
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async {
        let all = parts.acquire_many(SAMPLES as u32);
        tokio::select! {
            ended = Arc::new(run).execute(control, on_event) => Some(ended),
            _ = all, if model.second == Second::Hangs => None,
        }
    });
    // Aborts everything still in progress.
    drop(runtime);
    ended
}

fn fake(second: Second) -> Arc<Fake> {
    Arc::new(Fake {
        second,
        ..Fake::default()
    })
}

fn responses(ended: &RunResult) -> Vec<String> {
    let records = ended
        .finished
        .iter()
        .map(|one| one.record.as_ref().unwrap());
    records
        .map(|record| record.response.clone().unwrap())
        .collect()
}

fn lines(folder: &Path, kind: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("run.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .filter(|line: &serde_json::Value| line["line"] == kind)
        .collect()
}

#[test]
fn a_chain_that_was_killed_goes_on_and_no_answer_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, plan) = (folder.path(), plan());
    let killed = run(folder, &plan, &fake(Second::Hangs), Failures::Keep);
    assert!(killed.is_none(), "it hangs");
    let done = lines(folder, "done");
    assert_eq!(done.len(), SAMPLES);
    assert!(
        done.iter()
            .all(|line| line["path"] == "half" && line["step"] == "")
    );
    let left = PreviousRun::read(folder).unwrap();
    assert_eq!((left.answered, left.pending()), (SAMPLES, SAMPLES));

    let model = fake(Second::Answered);
    let ended = run(folder, &plan, &model, Failures::Keep).unwrap();
    assert_eq!(responses(&ended), ["AB", "BA", "AB", "BA", "AB"]);
    let asked = model.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), SAMPLES, "{asked:?}");
    assert!(
        asked.iter().all(|text| text.contains("quarter")),
        "{asked:?}"
    );
    let rights: Vec<_> = ended
        .finished
        .iter()
        .map(|one| one.judged.right.unwrap())
        .collect();
    assert_eq!(rights, [true, false, true, false, true]);
    assert_eq!(lines(folder, "ended").len(), SAMPLES);
    assert_eq!(PreviousRun::read(folder).unwrap().pending(), 0);

    let model = fake(Second::Fails);
    let again = run(folder, &plan, &model, Failures::Keep).unwrap();
    assert_eq!(responses(&again), responses(&ended));
    assert!(model.asked.lock().unwrap().is_empty() && again.finished.iter().all(|one| one.kept));
    assert_eq!(lines(folder, "ended").len(), SAMPLES);
}

#[test]
fn a_stop_leaves_no_half_of_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, plan) = (folder.path(), plan());
    let stopped = run(folder, &plan, &fake(Second::Stops), Failures::Keep).unwrap();
    assert!(stopped.finished.is_empty());
    assert!(matches!(stopped.stopped, Some(StopReason::ByUser)));
    assert_eq!(lines(folder, "done").len(), SAMPLES);
    let ended = run(folder, &plan, &fake(Second::Answered), Failures::Keep).unwrap();
    assert_eq!(
        (responses(&ended).len(), ended.stopped.is_none()),
        (SAMPLES, true)
    );
}

#[test]
fn a_part_that_failed_leaves_its_sample_without_a_result_until_it_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, plan) = (folder.path(), plan());
    let ended = run(folder, &plan, &fake(Second::Fails), Failures::Keep).unwrap();
    let failed = Kind::Failed(Class::Server);
    assert!(
        ended
            .finished
            .iter()
            .all(|one| one.judged.kind == failed && one.record.is_none())
    );
    assert!(lines(folder, "ended").is_empty());
    let model = fake(Second::Answered);
    let ended = run(folder, &plan, &model, Failures::Retry).unwrap();
    assert_eq!(responses(&ended)[1], "BA");
    assert_eq!(model.asked.lock().unwrap().len(), SAMPLES);
}

#[test]
fn answers_of_a_previous_chain_are_offered_as_far_as_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, plan) = (folder.path(), plan());
    let model = fake(Second::Hangs);
    let stored = || {
        let previous = PreviousRuns::new(vec![folder.to_path_buf()]);
        previous
            .stored(&plan, "fake", &|question| model.key(question))
            .len()
    };
    run(folder, &plan, &model, Failures::Keep);
    assert_eq!(stored(), SAMPLES);
    run(folder, &plan, &fake(Second::Answered), Failures::Keep);
    assert_eq!(stored(), 2 * SAMPLES);
}

#[test]
fn bounds_add_up() {
    let bound = plan().requests();
    assert_eq!(
        [bound.low, bound.likely, bound.high],
        [SAMPLES, 2 * SAMPLES, 2 * SAMPLES]
    );
}
