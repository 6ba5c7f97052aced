//! Tracks the samples of a run in progress, and their ready questions.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::ask::AnsweredQuestion;
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer};
use crate::item::JournalEntry;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::question::Unaskable;

/// The samples of a run. A new one begins when no started sample has a ready question.
pub(super) struct Samples {
    plan: Arc<Plan>,
    /// Samples that have not begun, in order.
    next: VecDeque<usize>,
    open: HashMap<usize, ActiveSample>,
    ready: VecDeque<(usize, Ask)>,
    ended: Vec<CompletedChain>,
    /// Number of samples that were skipped.
    passed: usize,
}

/// Whether a sample may begin.
pub(super) enum Begin {
    Now,
    /// The sample waits for the samples in progress. If there are none, it is skipped.
    Later,
    /// The sample is skipped.
    Never,
}

/// A sample with questions ready or in flight.
struct ActiveSample {
    fold: Box<dyn Fold>,
    /// Number of questions ready or in flight.
    count: usize,
    parts: Vec<(Arc<JournalEntry>, bool)>,
    silence: Option<MissingAnswer>,
}

/// Why a part of a chain has no answer.
pub(super) enum MissingAnswer {
    Failed(Kind),
    Unaskable(Unaskable),
}

/// A chain whose questions are all answered or failed.
pub(super) struct CompletedChain {
    pub(super) sample: usize,
    /// The fold, which combines the answers.
    pub(super) fold: Box<dyn Fold>,
    /// Answers of its parts; true if known before this start.
    pub(super) parts: Vec<(Arc<JournalEntry>, bool)>,
    /// Why the last part without an answer has none.
    pub(super) silence: Option<MissingAnswer>,
}

impl Samples {
    /// Returns the samples of a plan, none of which has begun. Those with `is_first` begin before
    /// the others.
    pub(super) fn new(plan: &Arc<Plan>, is_first: impl Fn(usize) -> bool) -> Self {
        let all = 0..plan.samples.len();
        let (mut next, rest): (VecDeque<_>, VecDeque<_>) = all.partition(|it| is_first(*it));
        next.extend(rest);
        Self {
            next,
            plan: Arc::clone(plan),
            open: HashMap::new(),
            ready: VecDeque::new(),
            ended: Vec::new(),
            passed: 0,
        }
    }

    /// Returns the next question and its sample; `None` if none is ready at the moment.
    pub(super) fn next(&mut self, begin: impl Fn(usize) -> Begin) -> Option<(usize, Ask)> {
        while self.ready.is_empty() {
            let sample = *self.next.front()?;
            if self.plan.is_beside(sample) {
                // It began, or was skipped, with the first sample of its batch.
                self.next.pop_front();
                continue;
            }
            let begins = begin(sample);
            if matches!(begins, Begin::Later) && !self.open.is_empty() {
                return None;
            }
            self.next.pop_front();
            match begins {
                Begin::Now => {}
                Begin::Later => {
                    self.passed += 1 + self.plan.batch_mates(sample).len();
                    continue;
                }
                Begin::Never => continue,
            }
            for (place, fold) in self.plan.begin(sample) {
                let open = ActiveSample {
                    fold,
                    // Other samples of its batch wait for its answer.
                    count: usize::from(place != sample),
                    parts: Vec::new(),
                    silence: None,
                };
                self.open.insert(place, open);
            }
            self.go_on(sample);
        }
        self.ready.pop_front()
    }

    /// Passes an answer to its sample, and to the other samples of its batch.
    pub(super) fn receive(&mut self, answered: &AnsweredQuestion) {
        let AnsweredQuestion {
            sample, path, said, ..
        } = answered;
        self.take_one(*sample, path, said, answered.kept);
        for other in self.plan.batch_mates(*sample) {
            // Only the first sample pays for the answer.
            let said = JudgedAnswer {
                done: Arc::new(said.done.shared_copy()),
                ..said.clone()
            };
            self.take_one(other, path, &said, answered.kept);
        }
    }

    fn take_one(&mut self, sample: usize, path: &AskPath, said: &JudgedAnswer, kept: bool) {
        let kind = said.judged.kind;
        let Some(open) = self.open.get_mut(&sample) else {
            return;
        };
        if matches!(path, AskPath::Part(_)) {
            open.parts.push((Arc::clone(&said.done), kept));
            if !kind.is_answer() {
                open.silence = Some(MissingAnswer::Failed(kind));
            }
        }
        open.fold.receive(path, kind.is_answer().then_some(said));
        open.count -= 1;
        self.go_on(sample);
    }

    /// Records that a question cannot be asked.
    pub(super) fn pass(&mut self, sample: usize, path: &AskPath, why: &Unaskable) {
        let others = self.plan.batch_mates(sample);
        for place in [sample].into_iter().chain(others) {
            let Some(open) = self.open.get_mut(&place) else {
                continue;
            };
            if matches!(path, AskPath::Part(_)) {
                open.silence = Some(MissingAnswer::Unaskable(why.clone()));
            }
            open.fold.receive(path, None);
            open.count -= 1;
            self.go_on(place);
        }
    }

    /// Ends a sample that began but is not asked, and the samples that share its answer.
    pub(super) fn skip(&mut self, sample: usize) {
        self.open.remove(&sample);
        for other in self.plan.batch_mates(sample) {
            self.open.remove(&other);
        }
    }

    /// Number of samples skipped because they might not begin.
    pub(super) const fn passed(&self) -> usize {
        self.passed
    }

    /// Returns true if a started sample has ended.
    pub(super) fn is_over(&self, sample: usize) -> bool {
        !self.open.contains_key(&sample)
    }

    /// Returns the chains that ended since the last call.
    pub(super) fn ended(&mut self) -> Vec<CompletedChain> {
        std::mem::take(&mut self.ended)
    }

    /// Queues the ready questions of a sample; without any, the sample ends.
    fn go_on(&mut self, sample: usize) {
        let Some(open) = self.open.get_mut(&sample) else {
            return;
        };
        let asks = open.fold.ready();
        open.count += asks.len();
        // First in the queue: new samples may wait for memory that this sample releases when it
        // ends.
        for ask in asks.into_iter().rev() {
            self.ready.push_front((sample, ask));
        }
        if open.count > 0 {
            return;
        }
        let Some(open) = self.open.remove(&sample) else {
            return;
        };
        let whole = CompletedChain {
            sample,
            fold: open.fold,
            parts: open.parts,
            silence: open.silence,
        };
        // Without parts there is nothing to combine.
        if !whole.parts.is_empty() || whole.silence.is_some() {
            self.ended.push(whole);
        }
    }
}
