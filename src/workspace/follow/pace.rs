//! Decides when to build new tables, and measures how fast logs grow.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Minimum time between two tables.
const BETWEEN: Duration = Duration::from_millis(250);
/// Minimum pause after a table, as a multiple of the time to build it.
const PAUSES: u32 = 4;
/// Time span over which the rate is measured.
const WINDOW: Duration = Duration::from_secs(4);
/// Time without growth after which a log is at rest.
const REST: Duration = Duration::from_secs(2);
/// Time without changes after which changed files are read again.
const QUIET: Duration = Duration::from_secs(1);
/// Maximum wait for files that keep changing.
const RESTLESS: Duration = Duration::from_secs(5);

/// Time of the next table, and rate of growth.
#[derive(Debug)]
pub struct Pace {
    /// Earliest time of the next table.
    pub next: Instant,
    /// Recently added rows: time and number.
    came: VecDeque<(Instant, u32)>,
    growing: bool,
}

impl Pace {
    /// Creates a pace without growth.
    pub fn new() -> Self {
        Self {
            next: Instant::now(),
            came: VecDeque::new(),
            growing: false,
        }
    }

    /// Records how long a table took to build.
    pub fn made(&mut self, took: Duration) {
        self.next = Instant::now() + BETWEEN.max(took * PAUSES);
    }

    /// Records new rows.
    pub fn count(&mut self, rows: usize) {
        if rows == 0 {
            return;
        }
        let now = Instant::now();
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.growing = true;
        self.came.push_back((now, rows));
        while self.came.front().is_some_and(|(at, _)| now - *at > WINDOW) {
            self.came.pop_front();
        }
    }

    /// Returns the rows per second. The first entry marks the start; its rows are not counted.
    pub fn rate(&self) -> f64 {
        let (Some((first, _)), Some((last, _))) = (self.came.front(), self.came.back()) else {
            return 0.0;
        };
        let rows: u32 = self.came.iter().skip(1).map(|(_, rows)| rows).sum();
        let seconds = (*last - *first).as_secs_f64();
        if seconds > 0.0 {
            f64::from(rows) / seconds
        } else {
            0.0
        }
    }

    /// Returns when the logs count as at rest if no rows arrive; `None` if they are at rest.
    pub fn rest_due(&self) -> Option<Instant> {
        let (last, _) = self.came.back().filter(|_| self.growing)?;
        Some(*last + REST)
    }

    /// Records that the logs are at rest, and forgets the recent rows.
    pub fn rest(&mut self) {
        self.growing = false;
        self.came.clear();
    }
}

/// Timing of changed files that must be read again as a whole.
#[derive(Clone, Copy, Debug)]
pub struct PendingReread {
    since: Instant,
    last: Instant,
}

impl Default for PendingReread {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            since: now,
            last: now,
        }
    }
}

impl PendingReread {
    /// Records another change.
    pub fn again(self) -> Self {
        Self {
            last: Instant::now(),
            ..self
        }
    }

    /// Returns the time at which to read the files.
    pub fn due(self) -> Instant {
        (self.last + QUIET).min(self.since + RESTLESS)
    }
}
