//! The samples of a run that are being asked, and their questions that are ready.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use crate::chain::{Ask, AskPath, Fold, Said};
use crate::item::Done;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::question::Unaskable;

/// The samples of a run: a new one begins when no question of those that have begun is ready.
pub(super) struct Samples {
    plan: Arc<Plan>,
    next: Range<usize>,
    open: HashMap<usize, Open>,
    ready: VecDeque<(usize, Ask)>,
    ended: Vec<Whole>,
    /// Samples that were not begun.
    passed: usize,
}

/// A sample that has begun.
struct Open {
    fold: Box<dyn Fold>,
    /// Questions that are ready or on their way.
    count: usize,
    parts: Vec<(Arc<Done>, bool)>,
    silence: Option<Silence>,
}

/// Why a part of a chain has no answer.
pub(super) enum Silence {
    Failed(Kind),
    Unaskable(Unaskable),
}

/// A chain that has come to its end.
pub(super) struct Whole {
    pub(super) sample: usize,
    /// What can be put together from them.
    pub(super) fold: Box<dyn Fold>,
    /// The answers of its parts, and whether each was known before this start.
    pub(super) parts: Vec<(Arc<Done>, bool)>,
    /// Why the last part without an answer has none.
    pub(super) silence: Option<Silence>,
}

impl Samples {
    /// The samples of a plan, of which none has begun.
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        Self {
            next: 0..plan.samples.len(),
            plan: Arc::clone(plan),
            open: HashMap::new(),
            ready: VecDeque::new(),
            ended: Vec::new(),
            passed: 0,
        }
    }

    /// The next question, and its sample; `None`: none is ready, though answers may make some so. Samples that may not
    /// `begin` wait for those that have begun; where none has, they are passed over.
    pub(super) fn next(&mut self, begin: impl Fn(usize) -> bool) -> Option<(usize, Ask)> {
        while self.ready.is_empty() {
            let sample = self.next.start;
            if sample >= self.next.end {
                return None;
            }
            if self.plan.is_beside(sample) {
                // It has begun with another, or was passed over with it.
                self.next.start += 1;
                continue;
            }
            let begins = begin(sample);
            if !begins && !self.open.is_empty() {
                return None;
            }
            self.next.start += 1;
            if !begins {
                self.passed += 1 + self.plan.beside(sample).len();
                continue;
            }
            for (place, fold) in self.plan.begin(sample) {
                let open = Open {
                    fold,
                    // The others of its batch wait for what is said to it.
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

    /// Takes an answer; `kept`: it was known before this start.
    pub(super) fn take(&mut self, sample: usize, path: &AskPath, said: &Said, kept: bool) {
        self.take_one(sample, path, said, kept);
        for other in self.plan.beside(sample) {
            // It was paid for once.
            let said = Said {
                done: Arc::new(said.done.beside()),
                ..said.clone()
            };
            self.take_one(other, path, &said, kept);
        }
    }

    fn take_one(&mut self, sample: usize, path: &AskPath, said: &Said, kept: bool) {
        let kind = said.judged.kind;
        let Some(open) = self.open.get_mut(&sample) else {
            return;
        };
        if matches!(path, AskPath::Part(_)) {
            open.parts.push((Arc::clone(&said.done), kept));
            if !kind.is_answer() {
                open.silence = Some(Silence::Failed(kind));
            }
        }
        open.fold.take(path, kind.is_answer().then_some(said));
        open.count -= 1;
        self.go_on(sample);
    }

    /// Takes that a question cannot be asked.
    pub(super) fn pass(&mut self, sample: usize, path: &AskPath, why: &Unaskable) {
        let others = self.plan.beside(sample);
        for place in [sample].into_iter().chain(others) {
            let Some(open) = self.open.get_mut(&place) else {
                continue;
            };
            if matches!(path, AskPath::Part(_)) {
                open.silence = Some(Silence::Unaskable(why.clone()));
            }
            open.fold.take(path, None);
            open.count -= 1;
            self.go_on(place);
        }
    }

    /// Samples that were not begun, because they might not.
    pub(super) const fn passed(&self) -> usize {
        self.passed
    }

    /// Returns true if nothing more is asked about a sample that has begun.
    pub(super) fn is_over(&self, sample: usize) -> bool {
        !self.open.contains_key(&sample)
    }

    /// Chains that have come to their end since this was asked last.
    pub(super) fn ended(&mut self) -> Vec<Whole> {
        std::mem::take(&mut self.ended)
    }

    /// Lines up what is ready of a sample; without a question it is at its end.
    fn go_on(&mut self, sample: usize) {
        let Some(open) = self.open.get_mut(&sample) else {
            return;
        };
        let asks = open.fold.ready();
        open.count += asks.len();
        // Before those of samples that have only begun: these may wait for room that this one gives back at its end.
        for ask in asks.into_iter().rev() {
            self.ready.push_front((sample, ask));
        }
        if open.count > 0 {
            return;
        }
        let Some(open) = self.open.remove(&sample) else {
            return;
        };
        let whole = Whole {
            sample,
            fold: open.fold,
            parts: open.parts,
            silence: open.silence,
        };
        // Without parts there is nothing to put together.
        if !whole.parts.is_empty() || whole.silence.is_some() {
            self.ended.push(whole);
        }
    }
}
