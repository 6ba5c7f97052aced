//! Cost of a run so far, and its limit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::budget::{Budget, Share};
use super::item::JournalEntry;
use super::journal::{Journal, ProbeUsage};
use super::kind::Kind;
use crate::client::Class;
use base::config::Price;

/// Number of answered requests after which their mean cost replaces the estimate.
///
/// Before that, runs that share a cost limit have at most this many requests in flight together,
/// but at least one each.
const TELLING: u64 = 5;

/// Tokens and requests to pay for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Prompt and completion tokens, as reported.
    pub tokens: [u64; 2],
    /// Number of requests with reported tokens.
    pub counted: u64,
    /// Requests that may be billed, without reported tokens.
    pub uncounted: u64,
}

impl Cost {
    /// Returns the cost of a question; none for a reused answer.
    pub fn of(done: &JournalEntry) -> Self {
        if done.reused.is_some() || done.attempts == 0 {
            return Self::default();
        }
        match (done.prompt_tokens, done.completion_tokens) {
            (None, None) => Self {
                uncounted: u64::from(may_be_billed(done)),
                ..Self::default()
            },
            (read, written) => Self {
                tokens: [read, written].map(Option::unwrap_or_default),
                counted: 1,
                uncounted: 0,
            },
        }
    }

    /// Returns the sum of two costs.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        let [read, written] = self.tokens;
        Self {
            tokens: [
                read.saturating_add(more.tokens[0]),
                written.saturating_add(more.tokens[1]),
            ],
            counted: self.counted + more.counted,
            uncounted: self.uncounted + more.uncounted,
        }
    }

    /// Returns the price. Requests without reported tokens count as average; `None` if no request
    /// reported any, so that the price is unknown.
    pub fn money(&self, price: Price) -> Option<f64> {
        let is_known = self.counted > 0 || self.uncounted == 0;
        is_known.then(|| self.at_least(price))
    }

    /// Returns the price; requests without reported tokens are free if no request reported any.
    fn at_least(&self, price: Price) -> f64 {
        let [read, written] = self.tokens.map(real);
        let known = price.cost(read, written);
        let each = known / real(self.counted.max(1));
        known + each * real(self.uncounted)
    }
}

impl From<ProbeUsage> for Cost {
    fn from(probed: ProbeUsage) -> Self {
        Self {
            tokens: [probed.prompt_tokens, probed.completion_tokens],
            counted: 0,
            uncounted: 0,
        }
    }
}

/// Returns true if a question without token counts may be billed.
fn may_be_billed(done: &JournalEntry) -> bool {
    match done.kind() {
        Some(Kind::Failed(class)) => matches!(
            class,
            Class::Transport | Class::Time | Class::Protocol | Class::Overlong
        ),
        kind => kind.is_some(),
    }
}

/// Cost of a run so far, with an optional limit.
#[derive(Debug, Default)]
pub struct Spending {
    price: Option<Price>,
    /// The shared budget, and the index of this run in it.
    budget: Option<(Arc<Budget>, usize)>,
    /// Estimated cost of a request.
    estimated: f64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Cost of the questions so far.
    asked: Cost,
    /// Cost of vision probes so far.
    probed: ProbeUsage,
    /// Remaining requests of each sample in progress.
    open: HashMap<usize, usize>,
}

impl State {
    /// Returns the cost of questions and vision probes.
    fn cost(&self) -> Cost {
        self.asked.and(self.probed.into())
    }

    /// Returns the remaining requests of all samples in progress.
    fn left(&self) -> usize {
        self.open.values().sum()
    }

    /// Number of finished questions, with or without reported tokens.
    const fn finished_count(&self) -> u64 {
        self.asked.counted + self.asked.uncounted
    }
}

impl Spending {
    /// Starts counting. `estimated` is the assumed cost per request until enough are answered. The
    /// `budget` may be shared with other runs.
    pub fn new(price: Option<Price>, budget: Option<Arc<Budget>>, estimated: f64) -> Self {
        Self {
            price,
            budget: budget.map(|budget| {
                let place = budget.join();
                (budget, place)
            }),
            estimated,
            state: Mutex::default(),
        }
    }

    /// Adds the cost of earlier starts of the run.
    #[must_use]
    pub fn paid(self, journal: &Journal) -> Self {
        self.probed(journal.probed());
        for done in journal.all() {
            self.pay(Cost::of(done));
        }
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and updates the budget.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state();
        let changed = change(&mut state);
        if let (Some((budget, place)), Some(price)) = (&self.budget, self.price) {
            budget.set(*place, self.share(&state, price, 0));
        }
        changed
    }

    /// Returns this run's share of the budget, with `more` requests.
    fn share(&self, state: &State, price: Price, more: usize) -> Share {
        let each = self.each(state, price);
        let untold = match state.asked.counted {
            0 => each * real(state.asked.uncounted),
            _ => 0.0,
        };
        Share {
            spent: state.cost().at_least(price) + untold,
            likely: each * real((state.left() + more) as u64),
        }
    }

    /// Adds the requests of a vision probe.
    pub(super) fn probed(&self, probed: ProbeUsage) {
        self.change(|state| state.probed = state.probed.and(probed));
    }

    /// Adds a cost; returns the total.
    pub(super) fn pay(&self, cost: Cost) -> Cost {
        self.change(|state| {
            state.asked = state.asked.and(cost);
            state.cost()
        })
    }

    /// Returns the cost so far, of questions and vision probes.
    pub fn cost(&self) -> Cost {
        self.state().cost()
    }

    /// Returns the limit and the amount spent by all runs that share it;
    /// `None` without limit or price.
    pub fn bound(&self) -> Option<(f64, f64)> {
        let (budget, _) = self.budget.as_ref()?;
        self.price.map(|_| (budget.most(), budget.spent()))
    }

    /// Returns true if this many additional requests likely fit into the budget.
    pub(super) fn affords(&self, requests: u64) -> bool {
        let (Some(price), Some((budget, _))) = (self.price, &self.budget) else {
            return true;
        };
        let each = self.each(&self.state(), price);
        budget.spent() + each * real(requests) <= budget.most()
    }

    /// Begins a sample with this many remaining requests; returns false if it may not begin. It
    /// must likely fit into the budget. While the cost per request is a guess, it must also not add
    /// too many requests to those of other samples. Without remaining requests, it always begins.
    pub(super) fn begin(&self, sample: usize, requests: usize) -> bool {
        let mut state = self.state();
        if requests > 0
            && let (Some(price), Some((budget, place))) = (self.price, &self.budget)
        {
            let left = state.left();
            let most = TELLING / budget.runs().max(1);
            let is_guess = state.finished_count() < TELLING && (left + requests) as u64 > most;
            if left > 0 && is_guess || !budget.try_set(*place, self.share(&state, price, requests))
            {
                return false;
            }
        }
        state.open.insert(sample, requests);
        true
    }

    /// Records that a question of a sample is answered.
    pub(super) fn answered(&self, sample: usize) {
        self.change(|state| {
            if let Some(left) = state.open.get_mut(&sample) {
                *left = left.saturating_sub(1);
            }
        });
    }

    /// Records that a sample has ended.
    pub(super) fn end(&self, sample: usize) {
        self.change(|state| state.open.remove(&sample));
    }

    /// Returns the expected cost of a request: the mean so far. With few answers, at least the
    /// estimate and the mean of the vision probe.
    fn each(&self, state: &State, price: Price) -> f64 {
        let mean = |tokens: [u64; 2], requests: u64| {
            let [read, written] = tokens.map(real);
            price.cost(read, written) / real(requests.max(1))
        };
        let Cost {
            tokens, counted, ..
        } = state.asked;
        let asked = mean(tokens, counted);
        if counted >= TELLING {
            return asked;
        }
        let probed = Cost::from(state.probed).tokens;
        let probed = mean(probed, state.probed.requests);
        self.estimated.max(asked).max(probed)
    }
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a run")]
const fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 1e6,
        output: 2e6,
    };

    fn done(outcome: &str, tokens: Option<u64>) -> JournalEntry {
        JournalEntry {
            outcome: outcome.to_owned(),
            attempts: 1,
            prompt_tokens: tokens,
            completion_tokens: tokens,
            ..JournalEntry::default()
        }
    }

    #[test]
    fn what_is_paid_for_is_counted() {
        let paid = Cost::of(&done("ok", Some(10)));
        assert_eq!(paid.money(PRICE), Some(30.0));
        let silent = paid.and(Cost::of(&done("ok", None)));
        assert_eq!(silent.uncounted, 1);
        assert_eq!(silent.money(PRICE), Some(60.0), "like the others");
        assert_eq!(Cost::of(&done("ok", None)).money(PRICE), None, "unknown");
        assert_eq!(Cost::default().money(PRICE), Some(0.0), "nothing was sent");
        assert_eq!(Cost::of(&done("failed:rate", None)), Cost::default());
        assert_eq!(Cost::of(&done("failed:time", None)).uncounted, 1);
        let reused = JournalEntry {
            reused: Some("run".to_owned()),
            ..done("ok", Some(10))
        };
        assert_eq!(Cost::of(&reused), Cost::default());
        let probed = ProbeUsage {
            requests: 3,
            prompt_tokens: 5,
            completion_tokens: 1,
        };
        assert_eq!(Cost::from(probed).money(PRICE), Some(7.0));
    }

    #[test]
    fn a_sample_begins_only_while_there_is_money_for_all_of_it() {
        let spending = Spending::new(Some(PRICE), Some(Budget::new(100.0)), 30.0);
        assert!(spending.begin(0, 2), "60 of 100");
        assert!(!spending.begin(1, 2), "120 of 100");
        assert!(spending.begin(1, 0), "known already");
        spending.answered(0);
        spending.pay(Cost::of(&done("ok", Some(1))));
        assert!(spending.begin(2, 2), "3 are paid, 30 and 60 are likely");
        for sample in [0, 1, 2] {
            spending.end(sample);
        }
        for _ in 1..TELLING {
            spending.pay(Cost::of(&done("ok", Some(1))));
        }
        assert_eq!(spending.bound(), Some((100.0, 15.0)));
        assert!(spending.begin(3, 28), "the mean of 3 counts now: 84 of 85");
        assert!(!spending.begin(4, 1));
        let free = Spending::new(None, Some(Budget::new(1.0)), 0.0);
        assert!(free.begin(0, 1_000) && free.bound().is_none());
    }

    #[test]
    fn what_requests_beside_the_questions_took_is_heeded() {
        let spending = Spending::new(Some(PRICE), Some(Budget::new(100.0)), 1.0);
        spending.probed(ProbeUsage {
            requests: 3,
            prompt_tokens: 30,
            completion_tokens: 3,
        });
        assert_eq!(spending.bound(), Some((100.0, 36.0)));
        assert!(
            spending.begin(0, 5),
            "60 of 64, as each is likely to cost 12"
        );
        assert!(!spending.begin(1, 1), "72 of 64");
    }

    #[test]
    fn requests_beside_the_questions_are_sent_while_there_is_money_for_them() {
        let spending = |most: f64| Spending::new(Some(PRICE), Some(Budget::new(most)), 0.5);
        assert!(spending(1.5).affords(3) && !spending(1.4).affords(3));
        assert!(Spending::new(None, None, 0.5).affords(3), "no bound");
    }

    #[test]
    fn runs_that_share_a_limit_share_the_requests_of_unknown_cost() {
        let budget = Budget::new(5.0);
        let runs = [(); 2].map(|()| Spending::new(Some(PRICE), Some(Arc::clone(&budget)), 0.1));
        let begun = |run: &Spending| (0..50).filter(|sample| run.begin(*sample, 1)).count();
        assert_eq!(runs.each_ref().map(begun), [2, 2]);
    }

    #[test]
    fn few_are_on_their_way_until_it_is_known_what_one_costs() {
        let spending = Spending::new(Some(PRICE), Some(Budget::new(100.0)), 0.0);
        let begun = (0..50).filter(|sample| spending.begin(*sample, 1));
        assert_eq!(begun.count() as u64, TELLING);
        for sample in 0..5 {
            spending.answered(sample);
            spending.end(sample);
            spending.pay(Cost::of(&done("ok", Some(3))));
        }
        let begun = (5..50).filter(|sample| spending.begin(*sample, 1));
        assert_eq!(begun.count(), 6, "each costs 9, and 45 are spent");
        let chain = Spending::new(Some(PRICE), Some(Budget::new(100.0)), 0.0);
        assert!(chain.begin(0, 40), "one may always begin");
        assert!(!chain.begin(1, 1));
    }

    #[test]
    fn a_server_that_tells_no_tokens_costs_what_was_estimated() {
        let spending = Spending::new(Some(PRICE), Some(Budget::new(100.0)), 30.0);
        for sample in 0..3 {
            assert!(spending.begin(sample, 1));
            spending.pay(Cost::of(&done("ok", None)));
            spending.end(sample);
        }
        assert!(!spending.begin(3, 1), "90 of 100 are spent");
    }

    #[test]
    fn runs_that_share_a_budget_spend_no_more_together() {
        let budget = Budget::new(100.0);
        let run = || Spending::new(Some(PRICE), Some(Arc::clone(&budget)), 30.0);
        let (one, other) = (run(), run());
        assert!(one.begin(0, 2), "60 of 100");
        assert!(!other.begin(0, 2), "120 of 100");
        assert!(other.begin(0, 1), "90 of 100");
        one.pay(Cost::of(&done("ok", Some(1))));
        for _ in 0..2 {
            one.answered(0);
        }
        one.end(0);
        assert!(other.begin(1, 1), "3 are paid, 60 are likely");
        assert_eq!(other.bound(), Some((100.0, 3.0)), "what both have spent");
    }
}
