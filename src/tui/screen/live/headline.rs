//! What the answers of a run come to in one number, as its own result has it.

use format::fixed;
use metric::Interval;
use rerun::{Protocol, StepScore, Summary};

/// One number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline {
    /// The share of right answers.
    pub right: f64,
    /// Its 95 % interval; none of a mean over answers that hang together.
    pub interval: Option<Interval>,
    /// What it is the share of, where each sample is asked several times.
    pub what: Option<String>,
}

/// The number of a run: of rotations the mean of all four over the samples with a score at each, of a conversation the last
/// answer, of other steps their mean.
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
    let re = fixed(found.always_share(true).value(), 3);
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
