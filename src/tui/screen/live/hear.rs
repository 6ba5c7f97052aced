//! Handles events of the rerun worker.

use crate::change::Change;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::shared::AppState;
use ask::SessionError;
use ask::worker::{PreparedRuns, RerunEvent, RunResults};

use super::field::FormField;
use super::form::{begin, request_form_data, usual};
use super::open::answer_page;
use super::state::{LiveStage, LiveView};
use super::trouble::trouble;

impl LiveView {
    /// Handles an event of the rerun worker.
    pub fn receive(&mut self, shared: &AppState, event: RerunEvent) -> Vec<Change> {
        match event {
            RerunEvent::Servers(servers) => {
                // The samples that can be asked depend on the server that is now selected.
                if self.set_servers(servers) {
                    return request_form_data(self, shared)
                        .map(Change::Do)
                        .into_iter()
                        .collect();
                }
            }
            RerunEvent::FormLoaded(ticket, looked) => {
                if ticket == self.form_ticket {
                    self.form_data = *looked;
                }
            }
            RerunEvent::Counted(ticket, counted) => {
                if matches!(self.stage, LiveStage::Counting) && ticket == self.ticket {
                    return Vec::from_iter(self.counted_out(counted));
                }
            }
            RerunEvent::Event(column, event) => {
                if let LiveStage::Asked(runs) = &mut self.stage {
                    runs.handle_event(column, event);
                }
            }
            RerunEvent::Ended(ended) => return self.end(shared, ended),
            // The playground handles these events.
            RerunEvent::Previewed(..) | RerunEvent::Tried(..) | RerunEvent::PromptSaved(_) => {}
        }
        Vec::new()
    }

    /// Stores the request counts. A continued run without remaining requests is shown at once.
    fn counted_out(&mut self, counted: Result<Box<PreparedRuns>, SessionError>) -> Option<Change> {
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
        if let Some(alone) = self.stage.counted_alone()
            && alone.begun.is_some()
            && alone.requests(self.choice) == 0
        {
            return begin(self);
        }
        let fields = self.fields();
        if !fields.contains(&self.field) {
            self.field = fields.first().copied().unwrap_or(FormField::Endpoint);
        }
        None
    }

    /// Ends all runs, and opens their logs in addition to the open logs.
    fn end(&mut self, shared: &AppState, ended: Result<RunResults, SessionError>) -> Vec<Change> {
        let LiveStage::Asked(runs) = &mut self.stage else {
            return Vec::new();
        };
        runs.is_over = true;
        self.run = None;
        let ended = match ended {
            Ok(ended) => ended,
            Err(why) => {
                let why = trouble(&why);
                for (_, progress) in &mut runs.columns {
                    progress.fail(why.clone());
                }
                runs.told = vec![why];
                return Vec::new();
            }
        };
        runs.told = ended.comparisons;
        let columns = ended.columns.into_iter().enumerate();
        let folders = columns.filter_map(|(at, ended)| runs.end(at, ended));
        let mut changes: Vec<Change> = folders
            .map(|folder| Effect::OpenLog(folder).into())
            .collect();
        let Some(progress) = runs.alone() else {
            return changes;
        };
        if shared.view != ViewId::Live {
            changes.push(Change::Say(format!(
                "the rerun is done: {} answers, 6 shows them",
                progress.summary.total()
            )));
        } else if progress.plan.samples.len() == 1 {
            let label = &progress.plan.asking.label;
            changes.extend(answer_page(progress, label, 0).map(Change::pop_up));
        }
        changes
    }
}
