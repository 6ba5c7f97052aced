//! Decides how often a load reports progress.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::{Event, PartialTables, Progress};
use record::TableBuilder;

/// Minimum time between two reports.
pub const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Timing of progress reports and partial tables.
#[derive(Default)]
pub struct Pace {
    pub partial: PartialTables,
    done: u64,
    total: u64,
    told: Option<Instant>,
    shown: usize,
}

impl Pace {
    /// Creates a pace for a load of `total` bytes.
    pub fn of(total: u64) -> Self {
        Self {
            total,
            ..Self::default()
        }
    }

    /// Counts processed bytes. When due, reports progress and the table so far.
    pub fn step(
        &mut self,
        builder: &TableBuilder,
        bytes: u64,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.done += bytes;
        if self
            .told
            .is_some_and(|told| told.elapsed() < BETWEEN_PROGRESS)
        {
            return ControlFlow::Continue(());
        }
        self.told = Some(Instant::now());
        if self.partial == PartialTables::Send && builder.len() > self.shown + self.shown / 2 {
            self.shown = builder.len();
            on_event(Event::Partial(builder.snapshot()))?;
        }
        on_event(Event::Progress(Progress {
            done: self.done,
            total: self.total,
            records: builder.len(),
            fetch: None,
        }))
    }
}
