//! Retry policy: one table with the consequence of each class of failure.

use super::class::Class;

/// The consequence of one class of failure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The class of failure that the rule is for.
    pub class: Class,
    /// Maximum attempts, including the first.
    pub attempts: u32,
    /// The wait before the next attempt.
    pub wait: Wait,
    /// What happens after the last failed attempt.
    pub after: Fallback,
}

/// The wait before another attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wait {
    /// The next attempt follows at once.
    No,
    /// Seconds before the second attempt, the third and so on; the last value repeats.
    Seconds(&'static [f64]),
    /// The server's requested wait plus up to a tenth. If the server requests no wait: `min(most,
    /// base * 2^k)` seconds with full jitter, at least `least`.
    BackOff {
        /// Upper bound of the first wait, in seconds.
        base: f64,
        /// Maximum of that bound, in seconds.
        most: f64,
        /// Minimum wait in seconds.
        least: f64,
    },
}

/// What happens when no attempt is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// The sample fails; the others continue.
    Fail,
    /// The sample fails; several failures in a row open the circuit.
    Count,
    /// The server is probed. If it is up, the sample fails; otherwise the circuit opens.
    Probe,
    /// The circuit opens; the sample waits and is tried again.
    Pause,
    /// The run stops: further requests would fail too. Those in flight are dropped.
    Stop,
    /// The run begins no more requests. Those in flight finish, because they may be billed.
    Finish,
}

/// Waits about a minute over six attempts: the time that a server needs to load a model.
const BACK_OFF: Wait = Wait::BackOff {
    base: 2.0,
    most: 30.0,
    least: 0.0,
};

const fn rule(class: Class, attempts: u32, wait: Wait, after: Fallback) -> Rule {
    Rule {
        class,
        attempts,
        wait,
        after,
    }
}

/// The policy for every class. A server's `x-should-retry` overrides the number of attempts.
pub const POLICY: [Rule; 19] = [
    rule(
        Class::Endpoint,
        3,
        Wait::Seconds(&[0.5, 1.0]),
        Fallback::Pause,
    ),
    rule(Class::Config, 1, Wait::No, Fallback::Stop),
    rule(Class::Trust, 1, Wait::No, Fallback::Stop),
    rule(Class::Model, 1, Wait::No, Fallback::Stop),
    rule(Class::Vision, 1, Wait::No, Fallback::Stop),
    rule(Class::Money, 1, Wait::No, Fallback::Stop),
    rule(Class::Attempts, 1, Wait::No, Fallback::Finish),
    rule(
        Class::Rate,
        8,
        Wait::BackOff {
            base: 1.0,
            most: 60.0,
            least: 0.5,
        },
        Fallback::Fail,
    ),
    rule(Class::Busy, 6, BACK_OFF, Fallback::Count),
    rule(Class::Server, 2, Wait::Seconds(&[1.0]), Fallback::Probe),
    rule(Class::Transport, 3, BACK_OFF, Fallback::Count),
    rule(Class::Time, 2, Wait::No, Fallback::Count),
    rule(Class::Protocol, 2, Wait::Seconds(&[1.0]), Fallback::Fail),
    rule(Class::Overlong, 1, Wait::No, Fallback::Fail),
    rule(Class::Request, 1, Wait::No, Fallback::Fail),
    rule(Class::TooLong, 1, Wait::No, Fallback::Fail),
    rule(Class::TooLarge, 1, Wait::No, Fallback::Fail),
    rule(Class::Refused, 1, Wait::No, Fallback::Fail),
    rule(Class::Cancelled, 1, Wait::No, Fallback::Stop),
];

/// Returns the rule of a class.
pub fn rule_of(class: Class) -> Rule {
    let known = POLICY.into_iter().find(|rule| rule.class == class);
    known.unwrap_or(rule(class, 1, Wait::No, Fallback::Fail))
}

impl Wait {
    /// Returns the seconds to wait after failure number `failed`, from 1. `told` is the wait that
    /// the server requests; `chance` is uniform in 0 to 1.
    pub fn seconds(self, failed: u32, told: Option<f64>, chance: f64) -> f64 {
        let back = failed.saturating_sub(1);
        match (self, told) {
            (Self::No, _) => 0.0,
            (Self::Seconds(list), _) => {
                let at = usize::try_from(back).unwrap_or(usize::MAX);
                list.get(at).or(list.last()).copied().unwrap_or_default()
            }
            (Self::BackOff { .. }, Some(told)) => told * (1.0 + 0.1 * chance),
            (Self::BackOff { base, most, least }, None) => {
                let bound = (base * 2_f64.powi(i32::try_from(back).unwrap_or(i32::MAX))).min(most);
                (bound * chance).max(least)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_rule() {
        for class in Class::ALL {
            assert_eq!(
                POLICY.iter().filter(|rule| rule.class == class).count(),
                1,
                "{class}"
            );
        }
    }

    #[test]
    fn waits_grow_up_to_their_bound_and_heed_the_server() {
        let rate = rule_of(Class::Rate).wait;
        assert_eq!(rate.seconds(1, Some(2.0), 1.0), 2.2);
        assert_eq!(rate.seconds(1, Some(2.0), 0.0), 2.0);
        assert_eq!(rate.seconds(1, None, 1.0), 1.0);
        assert_eq!(rate.seconds(4, None, 1.0), 8.0);
        assert_eq!(rate.seconds(400, None, 1.0), 60.0);
        assert_eq!(rate.seconds(4, None, 0.0), 0.5, "the floor");
        let endpoint = rule_of(Class::Endpoint).wait;
        assert_eq!(
            [1, 2, 3].map(|k| endpoint.seconds(k, None, 0.3)),
            [0.5, 1.0, 1.0]
        );
        let busy = rule_of(Class::Busy).wait;
        let whole: f64 = (1..6).map(|k| busy.seconds(k, None, 1.0)).sum();
        assert_eq!(whole, 60.0, "at most: a model loads meanwhile");
    }
}
