//! How often a load tells how far it is.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::{Event, Progress};
use record::TableBuilder;

/// Between two looks at a growing table.
pub const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Decides when to tell what.
#[derive(Default)]
pub struct Pace {
    done: u64,
    total: u64,
    told: Option<Instant>,
    shown: usize,
}

impl Pace {
    /// Of so many bytes.
    pub fn of(total: u64) -> Self {
        Self {
            total,
            ..Self::default()
        }
    }

    /// More bytes are done: tells it, and shows the table, if it is time.
    pub fn step(
        &mut self,
        builder: &TableBuilder,
        bytes: u64,
        partial: bool,
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
        if partial && builder.len() > self.shown + self.shown / 2 {
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
