//! What a run has cost so far, and what it may cost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::budget::{Budget, Share};
use super::item::Done;
use super::journal::{Journal, Probed};
use super::kind::Kind;
use client::Class;
use config::Price;

/// Requests whose mean cost is trusted more than the estimate. Until so many are answered, no more are on their way where
/// money is bounded: what they cost is a guess.
const TELLING: u64 = 5;

/// What has been paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Tokens read and written.
    pub tokens: [u64; 2],
    /// Requests whose tokens the server told.
    pub counted: u64,
    /// Requests that may have to be paid for, and whose tokens are not known.
    pub uncounted: u64,
}

impl Cost {
    /// What a question took; nothing for an answer of another run.
    #[must_use]
    pub fn of(done: &Done) -> Self {
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

    /// This and some more.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        let [read, written] = self.tokens;
        Self {
            tokens: [read + more.tokens[0], written + more.tokens[1]],
            counted: self.counted + more.counted,
            uncounted: self.uncounted + more.uncounted,
        }
    }

    /// What it costs; a request of unknown length is taken to be like the others.
    #[must_use]
    pub fn money(&self, price: Price) -> f64 {
        let [read, written] = self.tokens.map(real);
        let known = price.cost(read, written);
        let each = known / real(self.counted.max(1));
        known + each * real(self.uncounted)
    }
}

impl From<Probed> for Cost {
    fn from(probed: Probed) -> Self {
        Self {
            tokens: [probed.prompt_tokens, probed.completion_tokens],
            counted: 0,
            uncounted: 0,
        }
    }
}

/// Whether a question without token counts may have to be paid for.
fn may_be_billed(done: &Done) -> bool {
    match done.kind() {
        Some(Kind::Failed(class)) => matches!(
            class,
            Class::Transport | Class::Time | Class::Protocol | Class::Overlong
        ),
        kind => kind.is_some(),
    }
}

/// What a run has cost so far, and what it may cost.
#[derive(Debug, Default)]
pub struct Spending {
    price: Option<Price>,
    /// The most that may be spent, and this run's place in it.
    budget: Option<(Arc<Budget>, usize)>,
    /// What a request costs by the estimate.
    estimated: f64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What questions took.
    asked: Cost,
    /// What requests beside them took.
    probed: Probed,
    /// Requests that are left of samples that have begun.
    open: HashMap<usize, usize>,
}

impl State {
    /// All that was paid.
    fn cost(&self) -> Cost {
        self.asked.and(self.probed.into())
    }

    /// Requests that are left of all samples that have begun.
    fn left(&self) -> usize {
        self.open.values().sum()
    }

    /// Questions of which it is known, or never will be, what they took.
    const fn told(&self) -> u64 {
        self.asked.counted + self.asked.uncounted
    }
}

impl Spending {
    /// At a price, with the most that may be spent, by other runs too if they share it, and earlier starts of the run
    /// included; `estimated` is what a request is taken to cost as long as few are answered.
    #[must_use]
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

    /// With what earlier starts of the run have cost.
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

    /// Changes what was paid or has begun, and tells the budget of it.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state();
        let changed = change(&mut state);
        if let (Some((budget, place)), Some(price)) = (&self.budget, self.price) {
            budget.set(*place, self.share(&state, price, 0));
        }
        changed
    }

    /// What of a budget is this run's, with some more requests.
    fn share(&self, state: &State, price: Price, more: usize) -> Share {
        let each = self.each(state, price);
        let untold = match state.asked.counted {
            0 => each * real(state.asked.uncounted),
            _ => 0.0,
        };
        Share {
            spent: state.cost().money(price) + untold,
            likely: each * real((state.left() + more) as u64),
        }
    }

    /// Adds what requests beside the questions took.
    pub(super) fn probed(&self, probed: Probed) {
        self.change(|state| state.probed = state.probed.and(probed));
    }

    /// Adds what was paid; gives all of it.
    pub(super) fn pay(&self, cost: Cost) -> Cost {
        self.change(|state| {
            state.asked = state.asked.and(cost);
            state.cost()
        })
    }

    /// Everything that was paid.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.state().cost()
    }

    /// The most that may be spent, and what was by all runs that share it, if both are known.
    #[must_use]
    pub fn bound(&self) -> Option<(f64, f64)> {
        let (budget, _) = self.budget.as_ref()?;
        self.price.map(|_| (budget.most(), budget.spent()))
    }

    /// Returns true if so many requests beside the questions are likely to cost no more than is left.
    pub(super) fn affords(&self, requests: u64) -> bool {
        let (Some(price), Some((budget, _))) = (self.price, &self.budget) else {
            return true;
        };
        let each = self.each(&self.state(), price);
        budget.spent() + each * real(requests) <= budget.most()
    }

    /// Begins a sample that takes so many requests, unless it is likely to cost more than is left beside what was
    /// begun, or what a request costs is to be seen first. What takes none may always begin, and so may one sample.
    pub(super) fn begin(&self, sample: usize, requests: usize) -> bool {
        let mut state = self.state();
        if requests > 0
            && let (Some(price), Some((budget, place))) = (self.price, &self.budget)
        {
            let left = state.left();
            let is_guess = state.told() < TELLING && (left + requests) as u64 > TELLING;
            if left > 0 && is_guess || !budget.take(*place, self.share(&state, price, requests)) {
                return false;
            }
        }
        state.open.insert(sample, requests);
        true
    }

    /// Takes that a question of a sample is answered.
    pub(super) fn answered(&self, sample: usize) {
        self.change(|state| {
            if let Some(left) = state.open.get_mut(&sample) {
                *left = left.saturating_sub(1);
            }
        });
    }

    /// Takes that nothing more is asked about a sample.
    pub(super) fn end(&self, sample: usize) {
        self.change(|state| state.open.remove(&sample));
    }

    /// What a request is likely to cost: as the others did. Of few answers, no less than the estimate, and than requests
    /// beside the questions took.
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

    fn done(outcome: &str, tokens: Option<u64>) -> Done {
        Done {
            outcome: outcome.to_owned(),
            attempts: 1,
            prompt_tokens: tokens,
            completion_tokens: tokens,
            ..Done::default()
        }
    }

    #[test]
    fn what_is_paid_for_is_counted() {
        let paid = Cost::of(&done("ok", Some(10)));
        assert_eq!(paid.money(PRICE), 30.0);
        let silent = paid.and(Cost::of(&done("ok", None)));
        assert_eq!(silent.uncounted, 1);
        assert_eq!(silent.money(PRICE), 60.0, "like the others");
        assert_eq!(Cost::of(&done("failed:rate", None)), Cost::default());
        assert_eq!(Cost::of(&done("failed:time", None)).uncounted, 1);
        let reused = Done {
            reused: Some("run".to_owned()),
            ..done("ok", Some(10))
        };
        assert_eq!(Cost::of(&reused), Cost::default());
        let probed = Probed {
            requests: 3,
            prompt_tokens: 5,
            completion_tokens: 1,
        };
        assert_eq!(Cost::from(probed).money(PRICE), 7.0);
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
        spending.probed(Probed {
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
        assert!(other.begin(1, 2), "3 are paid, 90 are likely");
        assert_eq!(other.bound(), Some((100.0, 3.0)), "what both have spent");
    }
}
