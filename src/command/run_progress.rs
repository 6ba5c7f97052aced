//! Progress bar of a run: counts, speed, cost, and why the run waits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::output;
use super::stderr::stderr;
use ask::{CountedSession, Event, Progress, Summary};
use base::format::{significant, visible};

/// Layout of the bar: `[bar] 120 of 400 done, 3.6 a second, about 79 s left; ...`.
const TEMPLATE: &str = "{bar:20} {pos} of {len} done{pace}; {msg}";
/// Interval between redraws without events.
const TICK: Duration = Duration::from_millis(500);

/// Progress bar for one run, or several runs in parallel.
pub struct RunProgress {
    bar: ProgressBar,
    runs: Mutex<Vec<Progress>>,
}

impl RunProgress {
    /// Creates a bar for the columns that can start.
    pub fn new(session: &CountedSession) -> Self {
        let runs = session.ready();
        let runs: Vec<Progress> = runs.map(|it| Progress::new(&it.plan, it.price)).collect();
        let all: usize = runs.iter().map(|run| run.plan.len()).sum();
        let bar = output::bar(Some(all as u64));
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.with_key("pace", pace));
        }
        bar.set_message("0 answered");
        bar.enable_steady_tick(TICK);
        Self {
            bar,
            runs: Mutex::new(runs),
        }
    }

    /// Updates the bar after an event. `run` is the index of the run that sent the event.
    pub fn handle_event(&self, run: usize, event: Event) {
        let is_done = matches!(event, Event::Finished(_) | Event::Unasked(..));
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let mut warnings = Vec::new();
        if let Some(run) = runs.get_mut(run) {
            let known = run.warnings.len();
            run.handle_event(event);
            warnings = run.warnings.get(known..).unwrap_or_default().to_vec();
        }
        let words = message(&runs);
        drop(runs);
        if !warnings.is_empty() {
            self.bar.suspend(|| warn(&warnings));
        }
        self.bar.set_message(visible(&words).into_owned());
        if is_done {
            self.bar.inc(1);
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn warn(warnings: &[String]) {
    for warning in warnings {
        // Without stderr there is no place for the warning.
        drop(writeln!(stderr(), "warning: {}", visible(warning)));
    }
}

/// Formats the state of all runs: `118 answered, 2 failed (rate), 3 now right, 5 now wrong, cost
/// 0.12; waiting: rate: retry in 5 s`.
fn message(runs: &[Progress]) -> String {
    let sum = |count: fn(&Summary) -> usize| runs.iter().map(|run| count(&run.summary)).sum();
    let answered: usize = sum(|found| {
        let answers = found.kinds.iter().filter(|(kind, _)| kind.is_answer());
        answers.map(|(_, count)| count).sum()
    });
    let mut words = format!("{answered} answered");
    let mut failures = BTreeMap::new();
    for (class, count) in runs.iter().flat_map(|run| run.summary.failures()) {
        *failures.entry(class).or_insert(0) += count;
    }
    for (class, count) in failures {
        // Writing to a `String` cannot fail.
        let _ = write!(words, ", {count} failed ({class})");
    }
    let (now_right, now_wrong): (usize, usize) =
        (sum(|found| found.now_right), sum(|found| found.now_wrong));
    if now_right > 0 {
        let _ = write!(words, ", {now_right} now right");
    }
    if now_wrong > 0 {
        let _ = write!(words, ", {now_wrong} now wrong");
    }
    let cost: f64 = runs.iter().filter_map(Progress::paid).sum();
    if cost > 0.0 {
        let _ = write!(words, ", cost {}", significant(cost, 3));
    }
    // Show a wait only if all unfinished runs wait.
    let open = runs.iter().filter(|run| run.done() < run.plan.len());
    let held: Option<Vec<String>> = open.map(Progress::held).collect();
    if let Some(held) = held.unwrap_or_default().first() {
        let _ = write!(words, "; {held}");
    }
    words
}

/// Formats the speed: `, 3.6 a second, about 79 s left`; nothing before the first answer.
fn pace(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    if state.pos() == 0 {
        return;
    }
    let rate = significant(state.per_sec(), 2);
    let left = time(state.eta());
    // Writing to the bar's text cannot fail.
    let _ = write!(out, ", {rate} a second, about {left} left");
}

/// Formats a duration: `79 s`, `12 min`, `3 h`.
fn time(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=119 => format!("{seconds} s"),
        seconds @ 120..=7_199 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ask::client::Class;
    use ask::{Asking, Cost, Kind, Plan, Protocol};
    use base::config::Price;

    fn run() -> Progress {
        let plan = Plan::new(Vec::new(), Protocol::Vanilla, Asking::default());
        let price = Price {
            input: 1e6,
            output: 1e6,
        };
        Progress::new(&Arc::new(plan), Some(price))
    }

    #[test]
    fn the_bar_reads_in_words() {
        let mut one = run();
        let kinds = &mut one.summary.kinds;
        kinds.insert(Kind::Ok, 110);
        kinds.insert(Kind::Unreadable, 8);
        assert_eq!(message(&[one.clone()]), "118 answered");
        one.summary.kinds.insert(Kind::Failed(Class::Rate), 2);
        (one.summary.now_right, one.summary.now_wrong) = (3, 1);
        one.cost = Cost {
            tokens: [2, 1],
            counted: 1,
            uncounted: 0,
        };
        let mut other = run();
        other.cost = one.cost;
        assert_eq!(
            message(&[one, other]),
            "118 answered, 2 failed (rate), 3 now right, 1 now wrong, cost 6",
            "of all runs"
        );
    }

    #[test]
    fn what_is_left_is_told_in_the_unit_that_fits() {
        let left = [79, 720, 9_000].map(|seconds| time(Duration::from_secs(seconds)));
        assert_eq!(left, ["79 s", "12 min", "2 h"]);
    }
}
