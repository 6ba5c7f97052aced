//! Words for what a protocol found: every share with its interval and its n.

use crate::figures::Figure;
use crate::kind::Kind;
use crate::summary::Summary;
use crate::tally::{Against, StepScore, share};
use benchmark::{Direction, Metric};
use format::{fixed, probability};

/// Below this, flips are called uneven.
const ALPHA: f64 = 0.05;

/// One number of a run beside another.
#[expect(clippy::cast_precision_loss, reason = "counts of answers are small")]
pub(super) const fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// A share without an interval, such as one of answers that hang together.
pub(super) fn mean(part: usize, whole: usize) -> String {
    fixed(share(part, whole), 3)
}

/// `right 0.500 [...] of 96`, with what counts as the metric has it although it could not be read.
pub(super) fn right(step: &StepScore) -> String {
    let right = format!("right {}", step.all.answers);
    let kinds = kinds(step);
    if kinds.is_empty() {
        return right;
    }
    if step.readable.scored == 0 {
        return format!(
            "{right}; {} count as the metric has it: none was read",
            kinds.join(", ")
        );
    }
    format!(
        "{right}; {} count as the metric has it: of the {} that were read, {} right",
        kinds.join(", "),
        step.readable.scored,
        mean(step.readable.right, step.readable.scored)
    )
}

/// Answers that were not read, by their kinds.
fn kinds(step: &StepScore) -> Vec<String> {
    let kinds = step
        .kinds
        .iter()
        .filter(|(kind, _)| kind.is_answer() && **kind != Kind::Ok);
    kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect()
}

/// How a step stands to the log: `now better than the log: +0.120, p = 0.031, n 96`; with and without what could not
/// be read, where these differ. Nothing is tested where the samples were picked by their outcome.
pub(super) fn against_log(step: &StepScore, what: &str) -> Option<String> {
    if let Some(filter) = &step.picked_by {
        return picked(step, filter);
    }
    let (how, words) = verdict(&step.all)?;
    let all = format!("{what} {words}");
    match verdict(&step.readable) {
        Some((other, words)) if other != how => Some(format!(
            "{all}; but of the answers that were read alone, {words}"
        )),
        None if step.readable.compared == 0 && step.unread() > 0 => {
            Some(format!("{all}; no answer of these was read"))
        }
        _ => Some(all),
    }
}

/// How a figure stands to the log: `better than the log: +0.120, p = 0.031, n 96`; nothing where the log does not have it.
pub(super) fn figure_against_log(name: &str, figure: &Figure) -> Option<String> {
    let (change, p) = (figure.change()?, figure.p_value()?);
    let n = figure.compared();
    let direction = Metric::from_name(name).map_or(Direction::Higher, Metric::direction);
    let how = match change {
        _ if p >= ALPHA => "not to be told from the log",
        change if (change > 0.0) == (direction == Direction::Higher) => "better than the log",
        _ => "worse than the log",
    };
    Some(format!("{how}: {}", moved(change, p, n)))
}

fn verdict(against: &Against) -> Option<(&'static str, String)> {
    let (change, p) = (against.change()?, against.p_value()?);
    let how = match change {
        _ if p >= ALPHA => "not to be told from the log",
        change if change > 0.0 => "better than the log",
        _ => "worse than the log",
    };
    Some((
        how,
        format!("{how}: {}", moved(change, p, against.compared)),
    ))
}

/// What is said instead of a test: samples that were picked for being wrong come out better by chance alone.
fn picked(step: &StepScore, filter: &str) -> Option<String> {
    let against = &step.all;
    if against.compared == 0 {
        return None;
    }
    let wrong = against.compared - against.was_right;
    let mut words = format!(
        "no test against the log: {filter} picked the samples by their outcome, and such samples change towards the mean by chance alone; \
         {} of {wrong} that the log had wrong are right now",
        against.now_right
    );
    if against.was_right > 0 {
        let right = against.was_right;
        words.extend([format!(
            ", {} of {right} that it had right are wrong now",
            against.now_wrong
        )]);
    } else {
        words.push_str("; --controls asks as many that it had right");
    }
    Some(words)
}

/// `+0.120, p 0.031, n 96`.
fn moved(change: f64, p: f64, n: usize) -> String {
    format!("{change:+.3}, {}, n {n}", p_words(p))
}

fn p_words(p: f64) -> String {
    match probability(p) {
        small if small.starts_with('<') => format!("p {small}"),
        p => format!("p = {p}"),
    }
}

/// Two steps on the samples with a score at every step: `crop=0.5 is better than crop=0: +0.040, p = 0.020, n 96`.
pub(super) fn between(found: &Summary, first: usize, second: usize) -> Option<String> {
    let (only_first, only_second) = found.between(first, second);
    let (_, n) = found.always_right();
    let change = share(only_second, n)? - share(only_first, n)?;
    let p = found.p_between(first, second);
    let name = |at: usize| found.steps.get(at).map(|step| step.name.clone());
    let how = match change {
        _ if p >= ALPHA => "cannot be told from",
        change if change > 0.0 => "is better than",
        _ => "is worse than",
    };
    Some(format!(
        "{} {how} {}: {}",
        name(second)?,
        name(first)?,
        moved(change, p, n)
    ))
}

/// The steps with the lowest and the highest share, and the mean of all; of one step its share.
pub(super) fn spread(found: &Summary) -> Option<String> {
    let shares: Vec<(f64, &str)> = found
        .steps
        .iter()
        .filter_map(|step| Some((step.share()?, step.name.as_str())))
        .collect();
    let (low, high) = (
        shares.iter().min_by(|a, b| a.0.total_cmp(&b.0))?,
        shares.iter().max_by(|a, b| a.0.total_cmp(&b.0))?,
    );
    if let [step] = found.steps.as_slice() {
        return Some(right(step));
    }
    let count = f64::from(u32::try_from(shares.len()).ok()?);
    let mean = shares.iter().map(|(share, _)| share).sum::<f64>() / count;
    Some(format!(
        "right: mean {mean:.3}, lowest {:.3} ({}), highest {:.3} ({}), spread {:.3}",
        low.0,
        low.1,
        high.0,
        high.1,
        high.0 - low.0
    ))
}

/// Samples that are right at some steps and wrong at others, and answers that were not read alike.
pub(super) fn flips(found: &Summary, what: &str) -> Vec<String> {
    let mut words = Vec::new();
    if found.always_right().1 > 0 {
        words.push(format!(
            "right {what} and wrong at another: {}; right at all: {}; wrong at all: {}",
            found.mixed_share(),
            found.always_share(true),
            found.always_share(false)
        ));
    }
    if found.answered > 0 {
        words.push(format!(
            "answers that were not all read alike: {}",
            found.changed_share()
        ));
    }
    words
}
