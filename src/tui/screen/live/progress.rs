//! A run on its way, and the lists of its samples.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use format::counted;
use rerun::{Cost, Finished, Kind, Summary};
use workspace::rerun_worker::Counted;

use super::headline::{Headline, headline};

/// Which samples a run lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// Those that flipped.
    #[default]
    Flips,
    /// Wrong in the log, right now.
    NowRight,
    /// Right in the log, wrong now.
    NowWrong,
    /// Those with an answer that has no score.
    Unscored,
    /// Every one.
    All,
}

impl Listed {
    /// Every list, in order.
    pub const ALL: [Self; 5] = [
        Self::Flips,
        Self::NowRight,
        Self::NowWrong,
        Self::Unscored,
        Self::All,
    ];

    /// Its name on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flips => "flips",
            Self::NowRight => "now right",
            Self::NowWrong => "now wrong",
            Self::Unscored => "no score",
            Self::All => "all",
        }
    }
}

/// What is known of whether a server looks at pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Nothing that is to be told.
    #[default]
    Untold,
    /// It is being found out.
    Tried,
    /// It counts no tokens for pictures, and may not look at them.
    Missing,
}

/// A run on its way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is asked.
    pub counted: Counted,
    /// What was found so far.
    pub summary: Summary,
    /// Samples by list, as they came.
    pub lists: [Vec<usize>; 5],
    seen: [BTreeSet<usize>; 5],
    /// The latest answers of each sample, by step.
    pub answers: BTreeMap<usize, Vec<Option<Arc<Finished>>>>,
    /// Questions that could not be asked, and why the last one.
    pub unasked: (usize, Option<String>),
    /// When it began.
    pub begun: Instant,
    /// How long it has been running; stands still when it is over.
    pub took: Duration,
    /// Whether it is held.
    pub paused: bool,
    /// Whether it was told to stop.
    pub stopping: bool,
    /// Whether the server looks at pictures.
    pub sight: Sight,
    /// Lines of the journal that cannot be used, and what is wrong with the first.
    pub damaged: (usize, String),
    /// For how long nothing has come from the server.
    pub silent: Option<Duration>,
    /// What the run has taken so far, its earlier starts included.
    pub cost: Cost,
    /// Why the endpoint is waited for.
    pub waits: Option<String>,
    /// Why the first question that failed did.
    pub failure: Option<String>,
    /// The folder of the new run.
    pub folder: Option<PathBuf>,
    /// Why it ended early.
    pub stopped: Option<String>,
}

impl Progress {
    /// A run that begins now.
    pub fn new(counted: Counted) -> Self {
        Self {
            summary: counted.plan.summary(&[]),
            counted,
            lists: Default::default(),
            seen: Default::default(),
            answers: BTreeMap::new(),
            unasked: (0, None),
            begun: Instant::now(),
            took: Duration::ZERO,
            paused: false,
            stopping: false,
            sight: Sight::default(),
            damaged: (0, String::new()),
            silent: None,
            cost: Cost::default(),
            waits: None,
            failure: None,
            folder: None,
            stopped: None,
        }
    }

    /// Takes one answer.
    pub fn take(&mut self, one: Arc<Finished>) {
        self.summary.add(&one);
        let steps = self.counted.plan.steps.len().max(1);
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

    /// The samples of a list.
    pub fn list(&self, listed: Listed) -> &[usize] {
        let at = Listed::ALL.iter().position(|known| *known == listed);
        at.and_then(|at| self.lists.get(at))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// What holds it up, if anything does.
    pub fn held(&self) -> Option<String> {
        match (&self.waits, self.silent) {
            (Some(why), _) => Some(format!("waiting: {why}")),
            (None, Some(since)) => {
                let since = counted(since.as_secs(), "second");
                let beside = match self.sight {
                    Sight::Tried => "; it is sent test pictures",
                    Sight::Untold | Sight::Missing => "",
                };
                Some(format!("no word from the server for {since}{beside}"))
            }
            (None, None) => (self.sight == Sight::Tried)
                .then(|| "the server is sent test pictures: does it look at them?".to_owned()),
        }
    }

    /// What it has cost so far, where tokens have a price and some were paid for.
    pub fn paid(&self) -> Option<f64> {
        let paid = self.counted.price.map(|price| self.cost.money(price));
        paid.filter(|paid| *paid > 0.0)
    }

    /// What its answers come to in one number.
    pub fn headline(&self) -> Option<Headline> {
        headline(&self.counted.plan.protocol, &self.summary)
    }

    /// Questions that are done, one way or another.
    pub fn done(&self) -> usize {
        self.summary.total() + self.unasked.0
    }
}

/// Why something failed, with its class before it, once.
pub fn with_class(class: &str, why: &str) -> String {
    match why.strip_prefix(class) {
        _ if why.is_empty() => class.to_owned(),
        Some(rest) if rest.starts_with(':') => why.to_owned(),
        _ => format!("{class}: {why}"),
    }
}
