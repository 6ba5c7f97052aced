//! Events of the rerun worker.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::{App, Effect};
use crate::keymap::View;
use client::News;
use rerun::{Ended, Event};
use workspace::rerun_worker::{Counted, RerunEvent, WorkerError};

use super::field::Field;
use super::form::{begin, usual};
use super::progress::Progress;
use super::state::Stage;
use super::trouble::trouble;

/// Takes an event of the rerun worker.
pub fn receive_live(app: &mut App, event: RerunEvent) -> Vec<Effect> {
    app.dirty = true;
    match event {
        RerunEvent::Looked(ticket, looked) => {
            if ticket == app.live.looks {
                app.live.looked = *looked;
            }
            Vec::new()
        }
        RerunEvent::Counted(ticket, counted) => {
            if matches!(app.live.stage, Stage::Counting) && ticket == app.live.ticket {
                return counted_out(app, counted);
            }
            Vec::new()
        }
        RerunEvent::Event(event) => {
            if let Stage::Running(progress) = &mut app.live.stage {
                progress.hear(event);
            }
            Vec::new()
        }
        RerunEvent::Ended(ended) => end(app, ended),
    }
}

/// Everything is counted: what has nothing left to ask is shown at once.
fn counted_out(app: &mut App, counted: Result<Box<Counted>, WorkerError>) -> Vec<Effect> {
    let counted = match counted {
        Ok(counted) => counted,
        Err(why) => {
            app.live.stage = Stage::Form;
            app.live.trouble = Some(trouble(&why));
            return Vec::new();
        }
    };
    (app.live.trouble, app.live.run) = (None, None);
    app.live.stage = Stage::Counted(counted);
    app.live.choice = usual(app);
    let Stage::Counted(counted) = &app.live.stage else {
        return Vec::new();
    };
    if counted.begun.is_some() && counted.requests(app.live.choice) == 0 {
        return begin(app);
    }
    let fields = app.live.fields();
    if !fields.contains(&app.live.field) {
        app.live.field = fields.first().copied().unwrap_or(Field::Endpoint);
    }
    Vec::new()
}

impl Progress {
    fn hear(&mut self, event: Event) {
        self.took = self.begun.elapsed();
        match event {
            Event::Finished(one) => {
                self.waits = None;
                self.take(one);
            }
            Event::Unasked(_, why) => self.unasked = (self.unasked.0 + 1, Some(why.to_string())),
            Event::News(News::Paused(why)) => self.waits = Some(why),
            Event::News(News::Waits(wait, class)) if wait.as_secs() > 0 => {
                self.waits = Some(format!("{class}: waits {} s", wait.as_secs()));
            }
            Event::News(News::Resumed) => self.waits = None,
            Event::Sightless => self.sightless = true,
            Event::News(_) | Event::Part { .. } => {}
        }
    }
}

/// A run is over: its log is opened beside the others.
fn end(app: &mut App, ended: Result<(PathBuf, Arc<Ended>), WorkerError>) -> Vec<Effect> {
    let Stage::Running(mut progress) = std::mem::take(&mut app.live.stage) else {
        return Vec::new();
    };
    progress.took = progress.begun.elapsed();
    progress.waits = None;
    let mut effects = Vec::new();
    match ended {
        Ok((folder, ended)) => {
            progress.summary = progress.counted.plan.summary(&ended.finished);
            progress.stopped = ended.stopped.as_ref().map(ToString::to_string);
            if ended.finished.iter().any(|one| one.record.is_some()) {
                effects.push(Effect::OpenLog(folder.clone()));
            }
            progress.folder = Some(folder);
        }
        Err(why) => progress.stopped = Some(trouble(&why)),
    }
    if app.view != View::Live {
        app.notice = Some(format!(
            "the rerun is over: {} answers, 6 shows them",
            progress.summary.total()
        ));
    }
    app.live.run = None;
    app.live.stage = Stage::Over(progress);
    effects
}
