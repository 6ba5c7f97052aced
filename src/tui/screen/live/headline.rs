//! Summarises a run in one number, the same as in its result file.

use analysis::metric::Interval;
use ask::{Protocol, StepScore, Summary};
use base::format::fixed;

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

/// Returns the headline of a run. For rotations it is the mean of all four over samples scored
/// at each, for a conversation the last answer, else the mean of the steps.
pub fn headline(protocol: &Protocol, found: &Summary) -> Option<Headline> {
    let last = found.steps.len().checked_sub(1)?;
    match protocol {
        Protocol::Rotational => rotations(found),
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
