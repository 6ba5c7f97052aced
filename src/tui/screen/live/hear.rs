//! Handles events of the rerun worker.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::change::Change;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::shared::Shared;
use ask::client::RequestEvent;
use ask::worker::{PreparedRun, RerunEvent, WorkerError};
use ask::{Event, RunResult};
use base::format::visible;

use super::field::FormField;
use super::form::{begin, look, usual};
use super::open::told;
use super::progress::{PictureSupport, Progress};
use super::state::{LiveStage, LiveView};
use super::trouble::trouble;

/// Minimum silence of the server before a notice is shown.
const SILENCE: Duration = Duration::from_secs(3);

impl LiveView {
    /// Handles an event of the rerun worker.
    pub fn receive(&mut self, shared: &Shared, event: RerunEvent) -> Vec<Change> {
        match event {
            RerunEvent::Servers(servers) => {
                // The form says what it sends to the selected server.
                if self.take_servers(servers) {
                    return look(self, shared).map(Change::Do).into_iter().collect();
                }
            }
            RerunEvent::Looked(ticket, looked) => {
                if ticket == self.looks {
                    self.looked = *looked;
                }
            }
            RerunEvent::Counted(ticket, counted) => {
                if matches!(self.stage, LiveStage::Counting) && ticket == self.ticket {
                    let known = counted.as_ref().ok();
                    let trouble = known.and_then(|counted| counted.troubles.first());
                    let trouble = trouble.map(|what| Change::Say(visible(what).into_owned()));
                    let begun = self.counted_out(shared, counted);
                    return trouble.into_iter().chain(begun).collect();
                }
            }
            RerunEvent::CountedAll(ticket, counted) => {
                if matches!(self.stage, LiveStage::Counting) && ticket == self.ticket {
                    self.counted_all(counted);
                }
            }
            RerunEvent::EventOf(column, event) => {
                if let LiveStage::Several(several) = &mut self.stage {
                    several.hear(column, event);
                }
            }
            RerunEvent::EndedAll(ended) => return self.end_all(ended),
            RerunEvent::Event(event) => {
                if let LiveStage::Running(progress) = &mut self.stage {
                    progress.hear(event);
                }
            }
            RerunEvent::Ended(ended) => return self.end(shared, ended),
            // Handled by the playground.
            RerunEvent::Previewed(..) | RerunEvent::Tried(..) | RerunEvent::Kept(_) => {}
        }
        Vec::new()
    }

    /// Stores the request count. A run without remaining requests is shown at once.
    fn counted_out(
        &mut self,
        shared: &Shared,
        counted: Result<Box<PreparedRun>, WorkerError>,
    ) -> Option<Change> {
        let counted = match counted {
            Ok(counted) => counted,
            Err(why) => {
                self.stage = LiveStage::Form;
                self.trouble = Some(trouble(&why));
                return None;
            }
        };
        (self.trouble, self.run) = (None, None);
        self.stage = LiveStage::Counted(counted);
        self.choice = usual(self);
        let LiveStage::Counted(counted) = &self.stage else {
            return None;
        };
        if counted.begun.is_some() && counted.requests(self.choice) == 0 {
            return begin(self, shared);
        }
        let fields = self.fields();
        if !fields.contains(&self.field) {
            self.field = fields.first().copied().unwrap_or(FormField::Endpoint);
        }
        None
    }

    /// Ends a run and opens its log with the others. Without a running run, ends the attempt to
    /// start several.
    fn end(
        &mut self,
        shared: &Shared,
        ended: Result<(PathBuf, Arc<RunResult>), WorkerError>,
    ) -> Vec<Change> {
        let mut progress = match std::mem::take(&mut self.stage) {
            LiveStage::Running(progress) => progress,
            other => {
                self.stage = other;
                let failed = ended.err();
                return failed.map_or_else(Vec::new, |why| self.end_all(Err(why)));
            }
        };
        let folder = progress.end(ended);
        let opened = folder.map(|folder| Effect::OpenLog(folder).into());
        let mut changes: Vec<Change> = opened.into_iter().collect();
        if shared.view != ViewId::Live {
            changes.push(Change::Say(format!(
                "the rerun is done: {} answers, 6 shows them",
                progress.summary.total()
            )));
        } else if progress.counted.plan.samples.len() == 1 {
            let label = &progress.counted.plan.asking.label;
            changes.extend(told(&progress, label, 0).map(Change::pop_up));
        }
        self.run = None;
        self.stage = LiveStage::Over(progress);
        changes
    }
}

impl Progress {
    /// Handles an event of this run.
    pub fn hear(&mut self, event: Event) {
        self.took = self.begun.elapsed();
        self.silent = None;
        if self.sight == PictureSupport::Testing && !matches!(event, Event::Silent(_)) {
            self.sight = PictureSupport::Unknown;
        }
        match event {
            Event::Silent(since) => self.silent = Some(since).filter(|since| *since >= SILENCE),
            Event::Probing => self.sight = PictureSupport::Testing,
            Event::Paid(cost) => self.cost = cost,
            Event::Finished(one) => {
                self.waits = None;
                self.take(one);
            }
            Event::Unasked(_, why) => self.unasked = (self.unasked.0 + 1, Some(why.to_string())),
            Event::News(RequestEvent::Paused(why)) => self.waits = Some(why),
            Event::News(RequestEvent::Waits(wait, class)) if wait.as_secs() > 0 => {
                self.waits = Some(format!("{class}: retry in {} s", wait.as_secs()));
            }
            Event::News(RequestEvent::Resumed) => self.waits = None,
            Event::News(RequestEvent::Dropped(dropped)) if !self.dropped.contains(&dropped) => {
                self.dropped.push(dropped);
            }
            Event::Sightless => self.sight = PictureSupport::Missing,
            Event::Damaged { lines, .. } => {
                let first = lines.first();
                let first = first.map(|bad| format!("line {}: {}", bad.line, bad.what));
                self.damaged = (lines.len(), first.unwrap_or_default());
            }
            Event::News(_) | Event::Part { .. } => {}
        }
    }
}
