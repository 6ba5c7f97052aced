//! The bar of a run: how far it is, how fast, what it costs, and how long the server has said nothing.

use std::fmt::Write as _;
use std::io::{Write as _, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::output;
use client::News;
use config::Price;
use format::{counted, significant, visible};
use rerun::{Cost, Event, Plan, Summary};

/// How the bar reads: `[bar] 120 of 400 done, 3.6 a second, about 79 s left; ...`.
const TEMPLATE: &str = "{bar:20} {pos} of {len} done{pace}; {msg}{silence}";
/// How often the bar is drawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);
/// How long nothing may come before that is said.
const SILENCE: Duration = Duration::from_secs(3);

/// What the bar shows.
pub struct Watch {
    bar: ProgressBar,
    price: Option<Price>,
    state: Mutex<State>,
    /// When something came last.
    last: Arc<Mutex<Instant>>,
}

/// What was seen so far.
struct State {
    seen: Summary,
    cost: Cost,
}

impl Watch {
    /// The bar of a plan at a price.
    pub fn new(plan: &Plan, price: Option<Price>) -> Self {
        let bar = output::bar(Some(plan.len() as u64));
        let last = Arc::new(Mutex::new(Instant::now()));
        let since = Arc::clone(&last);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            let silence = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let since = since.lock().unwrap_or_else(PoisonError::into_inner);
                let _ = out.write_str(&silence(since.elapsed()));
            };
            bar.set_style(style.with_key("silence", silence).with_key("pace", pace));
        }
        bar.enable_steady_tick(TICK);
        Self {
            bar,
            price,
            state: Mutex::new(State {
                seen: plan.summary(&[]),
                cost: Cost::default(),
            }),
            last,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows an event.
    pub fn hear(&self, event: Event) {
        if !matches!(event, Event::News(News::Sent) | Event::Silent(_)) {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
        match event {
            Event::Finished(one) => {
                self.state().seen.add(&one);
                self.say();
                self.bar.inc(1);
            }
            Event::Unasked(..) => self.bar.inc(1),
            Event::Paid(cost) => {
                self.state().cost = cost;
                self.say();
            }
            Event::Sightless => self.bar.suspend(|| {
                let warning =
                    "warning: the server counts no tokens for pictures, and may not look at them";
                // There is nowhere else to say it.
                drop(writeln!(stderr().lock(), "{warning}"));
            }),
            Event::Damaged { journal, lines } => self.bar.suspend(|| {
                for bad in lines {
                    let place = format!("{}:{}", journal.display(), bad.line);
                    let warning = format!("warning: {place}: {}; left out", bad.what);
                    // There is nowhere else to say it.
                    drop(writeln!(stderr().lock(), "{}", visible(&warning)));
                }
            }),
            Event::News(News::Paused(why)) => {
                self.bar.set_message(format!("paused: {}", visible(&why)));
            }
            Event::News(News::Waits(wait, class)) => {
                let message = format!("{class}: waits {:.0} s", wait.as_secs_f64());
                self.bar.set_message(message);
            }
            Event::News(_) | Event::Part { .. } | Event::Silent(_) => {}
        }
    }

    fn say(&self) {
        let words = {
            let state = self.state();
            words(&state.seen, self.price.map(|price| state.cost.money(price)))
        };
        self.bar.set_message(words);
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// `118 answered, 2 failed (rate), 3 right that were wrong, 1 wrong that was right, cost 0.12`.
fn words(seen: &Summary, cost: Option<f64>) -> String {
    let answers = seen.kinds.iter().filter(|(kind, _)| kind.is_answer());
    let answered: usize = answers.map(|(_, count)| count).sum();
    let mut words = format!("{answered} answered");
    for (class, count) in seen.failures() {
        // A text takes every word.
        let _ = write!(words, ", {count} failed ({class})");
    }
    if seen.now_right > 0 {
        let _ = write!(words, ", {} right that were wrong", seen.now_right);
    }
    if seen.now_wrong > 0 {
        let _ = write!(words, ", {} wrong that were right", seen.now_wrong);
    }
    if let Some(cost) = cost.filter(|cost| *cost > 0.0) {
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
    // A text takes every word.
    let _ = write!(out, ", {rate} a second, about {left} left");
}

/// `; no word from the server for 12 s`.
fn silence(since: Duration) -> String {
    if since < SILENCE {
        return String::new();
    }
    let seconds = counted(since.as_secs(), "second");
    format!("; no word from the server for {seconds}")
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
    use client::Class;
    use rerun::Kind;

    #[test]
    fn the_bar_reads_in_words() {
        let mut seen = Summary::default();
        seen.kinds.insert(Kind::Ok, 110);
        seen.kinds.insert(Kind::Unreadable, 8);
        assert_eq!(words(&seen, None), "118 answered");
        seen.kinds.insert(Kind::Failed(Class::Rate), 2);
        (seen.now_right, seen.now_wrong) = (3, 1);
        assert_eq!(
            words(&seen, Some(0.1234)),
            "118 answered, 2 failed (rate), 3 right that were wrong, 1 wrong that were right, cost 0.123"
        );
    }

    #[test]
    fn silence_is_said_in_seconds() {
        assert_eq!(silence(Duration::from_secs(1)), "");
        assert_eq!(
            silence(Duration::from_millis(37_600)),
            "; no word from the server for 37 seconds"
        );
    }

    #[test]
    fn what_is_left_is_told_in_the_unit_that_fits() {
        let left = [79, 720, 9_000].map(|seconds| time(Duration::from_secs(seconds)));
        assert_eq!(left, ["79 s", "12 min", "2 h"]);
    }
}
