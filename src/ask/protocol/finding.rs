//! Formats the findings of a protocol: every share with its interval and n.

use crate::figures::Figure;
use crate::kind::Kind;
use crate::summary::Summary;
use crate::tally::{LogComparison, StepScore, share};
use base::format::{counted, fixed, probability};
use record::benchmark::{Direction, Metric};

/// Significance level of the tests.
const ALPHA: f64 = 0.05;

/// Formats a share without an interval, for dependent answers.
pub(super) fn mean(part: usize, whole: usize) -> String {
    fixed(share(part, whole), 3)
}

/// Returns `accuracy 0.500 [...] of 96`, the number of questions without an answer, and the
/// unreadable answers that the metric scores anyway.
pub(super) fn right(step: &StepScore) -> String {
    let failed = match step.failed() {
        0 => String::new(),
        failed => format!(
            ", not counting {}",
            counted(failed as u64, "failed request")
        ),
    };
    let kinds = kinds(step);
    if step.unscored > 0 {
        let readable = match step.readable.scored {
            0 => "no answer could be read".to_owned(),
            n => format!(
                "accuracy of the readable answers {}, n {n}",
                mean(step.readable.right, n)
            ),
        };
        return format!(
            "no accuracy: {}, {} of these without a score{failed}; {readable}",
            kinds.join(", "),
            step.unscored
        );
    }
    let right = format!("accuracy {}{failed}", step.all.answers);
    if kinds.is_empty() {
        return right;
    }
    if step.readable.scored == 0 {
        return format!(
            "{right}; {}, scored by the metric's rule; no answer could be read",
            kinds.join(", ")
        );
    }
    format!(
        "{right}; {}, scored by the metric's rule; accuracy of the readable answers {}, n {}",
        kinds.join(", "),
        mean(step.readable.right, step.readable.scored),
        step.readable.scored
    )
}

/// Counts the unreadable answers by kind.
fn kinds(step: &StepScore) -> Vec<String> {
    let kinds = step
        .kinds
        .iter()
        .filter(|(kind, _)| kind.is_answer() && **kind != Kind::Ok);
    kinds
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect()
}

/// Compares a step with the log: `now better than the log: +0.120, p = 0.031, n 96`.
/// Adds the result without unreadable answers if it differs. Nothing is tested if
/// samples were picked by their outcome.
pub(super) fn against_log(step: &StepScore, what: &str) -> Option<String> {
    if let Some(filter) = &step.picked_by {
        return picked(step, filter);
    }
    if let Some(cut) = step.cut() {
        return Some(format!("no comparison with the log: {cut}"));
    }
    if step.until_clear {
        let why = "no test against the log: the answers decided when the run stopped";
        return (step.all.compared > 0).then(|| why.to_owned());
    }
    let (how, words) = verdict(&step.all)?;
    let all = format!("{what} {words}");
    match verdict(&step.readable) {
        Some((other, words)) if other != how => Some(format!(
            "{all}; but among the readable answers alone, {words}"
        )),
        None if step.readable.compared == 0 && step.unread() > 0 => {
            Some(format!("{all}; none of these answers could be read"))
        }
        _ => Some(all),
    }
}

/// Compares a metric with the log: `better than the log: +0.120, p = 0.031, n 96`; `None` if the
/// log does not have it.
pub(super) fn figure_against_log(name: &str, figure: &Figure) -> Option<String> {
    let (change, p) = (figure.change()?, figure.p_value()?);
    let n = figure.compared();
    let direction = Metric::from_name(name).map_or(Direction::Higher, Metric::direction);
    let how = match change {
        _ if p >= ALPHA => "not clearly different from the log",
        change if (change > 0.0) == (direction == Direction::Higher) => "better than the log",
        _ => "worse than the log",
    };
    Some(format!("{how}: {}", moved(change, p, n)))
}

fn verdict(against: &LogComparison) -> Option<(&'static str, String)> {
    let (change, p) = (against.change()?, against.p_value()?);
    let how = match change {
        _ if p >= ALPHA => "not clearly different from the log",
        change if change > 0.0 => "better than the log",
        _ => "worse than the log",
    };
    Some((
        how,
        format!("{how}: {}", moved(change, p, against.compared)),
    ))
}

/// Replaces the test for samples picked by outcome: wrong answers improve by chance alone
/// (regression to the mean).
fn picked(step: &StepScore, filter: &str) -> Option<String> {
    let against = &step.all;
    if against.compared == 0 {
        return None;
    }
    let wrong = against.compared - against.was_right;
    let mut words = format!(
        "no test against the log: {filter} selected the samples by their outcome, and such scores regress to the mean; \
         {} of {wrong} samples that were wrong in the log are right now",
        against.now_right
    );
    if against.was_right > 0 {
        let right = against.was_right;
        words.extend([format!(
            ", {} of {right} samples that were right are wrong now",
            against.now_wrong
        )]);
    } else {
        words.push_str("; --controls also asks as many samples that were right");
    }
    Some(words)
}

/// Formats a change: `+0.120, p = 0.031, n 96`.
fn moved(change: f64, p: f64, n: usize) -> String {
    format!("{change:+.3}, {}, n {n}", p_words(p))
}

fn p_words(p: f64) -> String {
    match probability(p) {
        small if small.starts_with('<') => format!("p {small}"),
        p => format!("p = {p}"),
    }
}

/// Compares two steps on the samples with a score at every step: `crop=0.5 is better than crop=0:
/// +0.040, p = 0.020, n 96`.
pub(super) fn between(found: &Summary, first: usize, second: usize) -> Option<String> {
    if let Some(cut) = [first, second]
        .into_iter()
        .find_map(|at| found.steps.get(at)?.cut())
    {
        return Some(format!("no comparison of the steps: {cut}"));
    }
    let (only_first, only_second) = found.between(first, second);
    let (_, n) = found.always_right();
    let change = share(only_second, n)? - share(only_first, n)?;
    let p = found.p_between(first, second);
    let name = |at: usize| found.steps.get(at).map(|step| step.name.clone());
    let how = match change {
        _ if p >= ALPHA => "is not clearly different from",
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

/// Returns mean, lowest and highest share of all steps; for a single step, its share.
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
        "accuracy: mean {mean:.3}, lowest {:.3} ({}), highest {:.3} ({}), spread {:.3}",
        low.0,
        low.1,
        high.0,
        high.1,
        high.0 - low.0
    ))
}

/// Reports samples that are right at some steps and wrong at others, and answers that differ.
pub(super) fn flips(found: &Summary, what: &str) -> Vec<String> {
    let mut words = Vec::new();
    if found.always_right().1 > 0 {
        words.push(format!(
            "right in one {what} and wrong in another: {}; right in all: {}; wrong in all: {}",
            found.mixed_share(),
            found.always_right_share(),
            found.always_wrong_share()
        ));
    }
    words.extend(differing(found));
    words
}

/// Reports the samples whose parsed answers differ between the steps.
pub(super) fn differing(found: &Summary) -> Option<String> {
    let share = || format!("samples whose answers differ: {}", found.changed_share());
    (found.answered > 0).then(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Class;

    #[test]
    fn cut_answers_are_named_by_their_step_if_it_has_a_name() {
        let mut step = StepScore::default();
        step.kinds.insert(Kind::Cut, 2);
        let words = |step: &StepScore| step.cut().unwrap();
        let end = "were cut at the token limit; allow more tokens";
        assert_eq!(words(&step), format!("2 of 2 answers {end}"));
        step.name = "rotation=90".to_owned();
        assert_eq!(words(&step), format!("2 of 2 answers (rotation=90) {end}"));
    }

    #[test]
    fn failed_requests_are_named_beside_the_share() {
        let mut step = StepScore::new(String::new(), None);
        step.all.answers = [(true, 0), (true, 1)].into_iter().collect();
        step.kinds.insert(Kind::Ok, 2);
        assert!(!right(&step).contains("failed"));
        step.kinds.insert(Kind::Failed(Class::Rate), 3);
        let words = right(&step);
        assert!(
            words.contains(" of 2, not counting 3 failed requests"),
            "{words}"
        );
    }

    #[test]
    fn answers_without_a_score_leave_no_share_right() {
        let mut step = StepScore::new(String::new(), None);
        step.all.answers = [(true, 0), (true, 1)].into_iter().collect();
        (step.all.scored, step.all.right) = (2, 2);
        (step.readable.scored, step.readable.right) = (2, 2);
        step.kinds = [(Kind::Ok, 2), (Kind::Cut, 3)].into();
        step.unscored = 3;
        assert_eq!((step.share(), step.interval()), (None, None));
        assert_eq!(
            right(&step),
            "no accuracy: 3 cut, 3 of these without a score; accuracy of the readable answers 1.000, n 2"
        );
    }
}
