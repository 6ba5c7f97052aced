//! Progress of a column: counts, lists of its samples, and reasons for delays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::RequestEvent;
use crate::item::StepResult;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::protocol::Protocol;
use crate::run::{Event, RunResult};
use crate::spending::Cost;
use crate::summary::Summary;
use crate::tally::StepScore;
use analysis::metric::Interval;
use base::config::Price;
use base::format::{counted, fixed};

/// Minimum silence of the server that is reported.
const SILENCE: Duration = Duration::from_secs(3);

base::named_enum! {
    /// A list of a run's samples.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ResultList {
        /// Samples that changed between right and wrong.
        #[default]
        Flips = "flips",
        /// Samples that are wrong in the log and right in this run.
        NowRight = "now right",
        /// Samples that are right in the log and wrong in this run.
        NowWrong = "now wrong",
        /// Samples with a result that has no score, failures included.
        Unscored = "no score",
        /// All samples with a result.
        All = "all",
    }
}

/// State of one run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The planned questions.
    pub plan: Arc<Plan>,
    /// Price of tokens, if it is known.
    pub price: Option<Price>,
    /// Scores so far.
    pub summary: Summary,
    /// Indices of samples per list, in order of arrival.
    pub lists: [Vec<usize>; 5],
    seen: [BTreeSet<usize>; 5],
    /// Latest answers of each sample, by step.
    pub answers: BTreeMap<usize, Vec<Option<Arc<StepResult>>>>,
    /// Number of questions that could not be asked, and the reason for the last one.
    pub unasked: (usize, Option<String>),
    /// Start time of the run.
    pub begun: Instant,
    /// Elapsed time; constant after the end.
    pub took: Duration,
    /// True while sending is paused.
    pub paused: bool,
    /// True after the user stopped the run.
    pub stopping: bool,
    /// True while a vision probe checks whether the server uses pictures.
    pub is_probing: bool,
    /// Warnings, one sentence each and none twice.
    pub warnings: Vec<String>,
    /// Time since the server's last response, if it is long.
    pub silent: Option<Duration>,
    /// Cost so far, including earlier starts.
    pub cost: Cost,
    /// Reason for waiting for the endpoint.
    pub waits: Option<String>,
    /// Reason of the first failed request.
    pub failure: Option<String>,
    /// Folder of the new run.
    pub folder: Option<PathBuf>,
    /// Reason of an early end.
    pub stopped: Option<String>,
}

impl Progress {
    /// Creates the state of a run that starts now.
    pub fn new(plan: &Arc<Plan>, price: Option<Price>) -> Self {
        Self {
            summary: plan.summary(&[]),
            plan: Arc::clone(plan),
            price,
            lists: Default::default(),
            seen: Default::default(),
            answers: BTreeMap::new(),
            unasked: (0, None),
            begun: Instant::now(),
            took: Duration::ZERO,
            paused: false,
            stopping: false,
            is_probing: false,
            warnings: Vec::new(),
            silent: None,
            cost: Cost::default(),
            waits: None,
            failure: None,
            folder: None,
            stopped: None,
        }
    }

    /// Updates the state after an event of the run.
    pub fn handle_event(&mut self, event: Event) {
        self.took = self.begun.elapsed();
        self.silent = None;
        self.is_probing &= matches!(event, Event::Silent(_));
        match event {
            Event::Silent(since) => self.silent = Some(since).filter(|since| *since >= SILENCE),
            Event::Probing => self.is_probing = true,
            Event::Paid(cost) => self.cost = cost,
            Event::Finished(one) => {
                self.waits = None;
                self.take(one);
            }
            Event::Unasked(_, why) => self.unasked = (self.unasked.0 + 1, Some(why.to_string())),
            Event::News(RequestEvent::Paused(why)) => self.waits = Some(why),
            Event::News(RequestEvent::Waits(wait, class)) if wait.as_secs() > 0 => {
                self.waits = Some(format!("{class}: retry in {} s", wait.as_secs()));
            }
            Event::News(RequestEvent::Resumed) => self.waits = None,
            Event::News(RequestEvent::Dropped(dropped)) => self.warn(dropped.to_string()),
            Event::Sightless => {
                self.warn(
                    "the server counts no tokens for pictures and may ignore them".to_owned(),
                );
            }
            Event::Damaged { journal, lines } => {
                for bad in lines {
                    let place = format!("{}:{}", journal.display(), bad.line);
                    self.warn(format!("{place}: {}; left out", bad.what));
                }
            }
            Event::News(_) | Event::Part { .. } => {}
        }
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Records the end of the run and its folder. Returns true if it has answers.
    pub fn end(&mut self, folder: &Path, ended: &RunResult) -> bool {
        self.rest();
        self.summary = self.plan.summary(&ended.finished);
        self.cost = ended.cost;
        self.stopped = ended.stopped.as_ref().map(ToString::to_string);
        self.folder = Some(folder.to_path_buf());
        ended.finished.iter().any(|one| one.record.is_some())
    }

    /// Records that the run ended without a result, and why.
    pub fn fail(&mut self, why: String) {
        self.rest();
        self.stopped = Some(why);
    }

    fn rest(&mut self) {
        self.took = self.begun.elapsed();
        (self.waits, self.silent) = (None, None);
    }

    /// Adds a result to the summary, the answers and the lists.
    fn take(&mut self, one: Arc<StepResult>) {
        self.summary.add(&one);
        let steps = self.plan.steps.len().max(1);
        let sample = one.item / steps;
        let flip = one.flip();
        if let Kind::Failed(class) = one.judged.kind
            && self.failure.is_none()
        {
            let why = one.done.message.as_deref().unwrap_or_default();
            self.failure = Some(with_class(class.name(), why));
        }
        let belongs = [
            flip.is_some(),
            flip == Some(true),
            flip == Some(false),
            one.judged.right.is_none(),
            true,
        ];
        for ((list, seen), belongs) in self.lists.iter_mut().zip(&mut self.seen).zip(belongs) {
            if belongs && seen.insert(sample) {
                list.push(sample);
            }
        }
        let answers = self
            .answers
            .entry(sample)
            .or_insert_with(|| vec![None; steps]);
        if let Some(answer) = answers.get_mut(one.item % steps) {
            *answer = Some(one);
        }
    }

    /// Returns the samples of a list.
    pub fn list(&self, listed: ResultList) -> &[usize] {
        let at = ResultList::ALL.iter().position(|known| *known == listed);
        at.and_then(|at| self.lists.get(at))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Returns the reason of a delay, if there is one.
    pub fn held(&self) -> Option<String> {
        match (&self.waits, self.silent) {
            (Some(why), _) => Some(format!("waiting: {why}")),
            (None, Some(since)) => {
                let since = counted(since.as_secs(), "second");
                let beside = if self.is_probing {
                    "; sending test pictures"
                } else {
                    ""
                };
                Some(format!("no reply from the server for {since}{beside}"))
            }
            (None, None) => self
                .is_probing
                .then(|| "sending test pictures: does the server use them?".to_owned()),
        }
    }

    /// Returns the price paid so far; `None` if unknown or zero.
    pub fn paid(&self) -> Option<f64> {
        let paid = self.price.and_then(|price| self.cost.money(price));
        paid.filter(|paid| *paid > 0.0)
    }

    /// Returns the headline number of the run.
    pub fn headline(&self) -> Option<Headline> {
        headline(&self.plan.protocol, &self.summary)
    }

    /// Returns the number of finished questions, including those that could not be asked.
    pub fn done(&self) -> usize {
        self.summary.total() + self.unasked.0
    }
}

/// Returns a failure's reason with its class in front, unless it already contains it.
pub fn with_class(class: &str, why: &str) -> String {
    match why.strip_prefix(class) {
        _ if why.is_empty() => class.to_owned(),
        Some(rest) if rest.starts_with(':') => why.to_owned(),
        _ => format!("{class}: {why}"),
    }
}

/// The headline number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// Share of correct answers.
    pub right: f64,
    /// Its 95 % interval; `None` for a mean over dependent answers.
    pub interval: Option<Interval>,
    /// What the share is computed over, if each sample is asked several times.
    pub what: Option<String>,
}

/// Returns the headline of a run.
///
/// For rotations, it is the mean over the four rotations, for samples with a score at all of them.
/// For a conversation, it is the last answer; for twins, the original; otherwise the mean of the
/// steps.
pub fn headline(protocol: &Protocol, found: &Summary) -> Option<Headline> {
    let last = found.steps.len().checked_sub(1)?;
    match protocol {
        Protocol::Rotational => rotations(found),
        Protocol::Twin => of_step(found.steps.first()?, Some("the original".to_owned())),
        Protocol::Follow(_) | Protocol::SelfCheck => {
            of_step(found.steps.last()?, Some("the last answer".to_owned()))
        }
        _ if last == 0 => of_step(found.steps.first()?, None),
        _ => mean(found),
    }
}

fn of_step(step: &StepScore, what: Option<String>) -> Option<Headline> {
    Some(Headline {
        right: step.share()?,
        interval: step.interval(),
        what,
    })
}

fn rotations(found: &Summary) -> Option<Headline> {
    let re = fixed(found.always_right_share().value(), 3);
    Some(Headline {
        right: found.mean_of_steps()?,
        interval: None,
        what: Some(format!("mean of {}, RE {re}", found.steps.len())),
    })
}

fn mean(found: &Summary) -> Option<Headline> {
    let shares: Vec<f64> = found.steps.iter().filter_map(StepScore::share).collect();
    let count = u32::try_from(shares.len())
        .ok()
        .filter(|count| *count > 0)?;
    Some(Headline {
        right: shares.iter().sum::<f64>() / f64::from(count),
        interval: None,
        what: Some(format!("mean of {count}")),
    })
}
