//! Progress bar of a run: progress, speed, cost, and how long the server has been silent.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::output;
use super::stderr::stderr;
use ask::client::RequestEvent;
use ask::{Cost, Event, Plan, Summary};
use base::config::Price;
use base::format::{counted, significant, visible};

/// Layout of the bar: `[bar] 120 of 400 done, 3.6 a second, about 79 s left; ...`.
const TEMPLATE: &str = "{bar:20} {pos} of {len} done{pace}; {msg}{silence}";
/// Interval between redraws without events.
const TICK: Duration = Duration::from_millis(500);
/// Minimum silence of the server that is displayed.
const SILENCE: Duration = Duration::from_secs(3);

/// Progress bar for one run, or several runs in parallel.
pub struct RunProgress {
    bar: ProgressBar,
    state: Mutex<Vec<RunState>>,
    /// Time of the last event from a server.
    last: Arc<Mutex<Instant>>,
}

/// Counts and cost of one run so far.
struct RunState {
    found: Summary,
    cost: Cost,
    price: Option<Price>,
}

impl RunProgress {
    /// Creates a bar for plans with their prices.
    pub fn new(plans: &[(&Plan, Option<Price>)]) -> Self {
        let all: usize = plans.iter().map(|(plan, _)| plan.len()).sum();
        let bar = output::bar(Some(all as u64));
        let last = Arc::new(Mutex::new(Instant::now()));
        let since = Arc::clone(&last);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            let silence = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let since = since.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = out.write_str(&silence(since.elapsed()));
            };
            bar.set_style(style.with_key("silence", silence).with_key("pace", pace));
        }
        bar.set_message("0 answered");
        bar.enable_steady_tick(TICK);
        let states = plans.iter().map(|(plan, price)| RunState {
            found: plan.summary(&[]),
            cost: Cost::default(),
            price: *price,
        });
        Self {
            bar,
            state: Mutex::new(states.collect()),
            last,
        }
    }

    fn state(&self) -> MutexGuard<'_, Vec<RunState>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the bar with an event; `run` is the index of its run.
    pub fn hear(&self, run: usize, event: Event) {
        if !matches!(event, Event::News(RequestEvent::Sent) | Event::Silent(_)) {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
        match event {
            Event::Finished(one) => {
                if let Some(seen) = self.state().get_mut(run) {
                    seen.found.add(&one);
                }
                self.update_message();
                self.bar.inc(1);
            }
            Event::Unasked(..) => self.bar.inc(1),
            Event::Paid(cost) => {
                if let Some(seen) = self.state().get_mut(run) {
                    seen.cost = cost;
                }
                self.update_message();
            }
            Event::Probing => {
                let words = "checking whether the server uses pictures";
                self.bar.set_message(words);
            }
            Event::Sightless => self.bar.suspend(|| {
                let warning =
                    "warning: the server counts no tokens for pictures and may ignore them";
                // Without stderr there is no place for the warning.
                drop(writeln!(stderr(), "{warning}"));
            }),
            Event::Damaged { journal, lines } => self.bar.suspend(|| {
                for bad in lines {
                    let place = format!("{}:{}", journal.display(), bad.line);
                    let warning = format!("warning: {place}: {}; left out", bad.what);
                    // Without stderr there is no place for the warning.
                    drop(writeln!(stderr(), "{}", visible(&warning)));
                }
            }),
            Event::News(RequestEvent::Dropped(dropped)) => self.bar.suspend(|| {
                let warning = format!("warning: {dropped}");
                // Without stderr there is no place for the warning.
                drop(writeln!(stderr(), "{}", visible(&warning)));
            }),
            Event::News(RequestEvent::Paused(why)) => {
                self.bar.set_message(format!("paused: {}", visible(&why)));
            }
            Event::News(RequestEvent::Waits(wait, class)) => {
                let message = format!("{class}: waiting {:.0} s", wait.as_secs_f64());
                self.bar.set_message(message);
            }
            Event::News(_) | Event::Part { .. } | Event::Silent(_) => {}
        }
    }

    fn update_message(&self) {
        let words = message(&self.state());
        self.bar.set_message(words);
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// `118 answered, 2 failed (rate), 3 now right, 5 now wrong, cost 0.12`.
fn message(runs: &[RunState]) -> String {
    let sum = |count: fn(&Summary) -> usize| runs.iter().map(|run| count(&run.found)).sum();
    let answered: usize = sum(|found| {
        let answers = found.kinds.iter().filter(|(kind, _)| kind.is_answer());
        answers.map(|(_, count)| count).sum()
    });
    let mut words = format!("{answered} answered");
    let mut failures = BTreeMap::new();
    for (class, count) in runs.iter().flat_map(|run| run.found.failures()) {
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
    let costs = runs
        .iter()
        .filter_map(|run| Some(run.cost.money(run.price?)));
    let cost: f64 = costs.sum();
    if cost > 0.0 {
        let _ = write!(words, ", cost {}", significant(cost, 3));
    }
    words
}

/// `, 3.6 a second, about 79 s left`; nothing before the first answer.
fn pace(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    if state.pos() == 0 {
        return;
    }
    let rate = significant(state.per_sec(), 2);
    let left = time(state.eta());
    // Writing to the bar's text cannot fail.
    let _ = write!(out, ", {rate} a second, about {left} left");
}

/// `; no reply from the server for 12 s`.
fn silence(since: Duration) -> String {
    if since < SILENCE {
        return String::new();
    }
    let seconds = counted(since.as_secs(), "second");
    format!("; no reply from the server for {seconds}")
}

/// `79 s`, `12 min`, `3 h`.
fn time(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=119 => format!("{seconds} s"),
        seconds @ 120..=7_199 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask::Kind;
    use ask::client::Class;

    #[test]
    fn the_bar_reads_in_words() {
        let mut found = Summary::default();
        found.kinds.insert(Kind::Ok, 110);
        found.kinds.insert(Kind::Unreadable, 8);
        let run = |found: &Summary, cost| RunState {
            found: found.clone(),
            cost,
            price: Some(Price {
                input: 1e6,
                output: 1e6,
            }),
        };
        let one = run(&found, Cost::default());
        assert_eq!(message(&[one]), "118 answered");
        found.kinds.insert(Kind::Failed(Class::Rate), 2);
        (found.now_right, found.now_wrong) = (3, 1);
        let cost = Cost {
            tokens: [2, 1],
            counted: 1,
            uncounted: 0,
        };
        let runs = [run(&found, cost), run(&Summary::default(), cost)];
        assert_eq!(
            message(&runs),
            "118 answered, 2 failed (rate), 3 now right, 1 now wrong, cost 6",
            "of all runs"
        );
    }

    #[test]
    fn silence_is_said_in_seconds() {
        assert_eq!(silence(Duration::from_secs(1)), "");
        assert_eq!(
            silence(Duration::from_millis(37_600)),
            "; no reply from the server for 37 seconds"
        );
    }

    #[test]
    fn what_is_left_is_told_in_the_unit_that_fits() {
        let left = [79, 720, 9_000].map(|seconds| time(Duration::from_secs(seconds)));
        assert_eq!(left, ["79 s", "12 min", "2 h"]);
    }
}
