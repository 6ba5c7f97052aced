//! Handles the rerun worker's events for the playground.

use std::path::PathBuf;

use ask::Event;
use ask::SessionError;
use ask::client::RequestEvent;
use ask::worker::{Preview, TrialEvent};
use base::format::visible;

use super::state::{AnswerStage, PlaygroundView, StreamedAnswer};
use crate::change::Change;
use crate::screen::live::trouble;

impl PlaygroundView {
    /// Stores the preview of the request.
    pub fn previewed(&mut self, ticket: u64, told: Result<Box<Preview>, SessionError>) {
        if ticket != self.previews {
            return;
        }
        match told {
            Ok(preview) => {
                self.refused = preview.question.as_ref().err().map(ToString::to_string);
                // Keep the previous preview on screen until the error is corrected.
                let before = self.preview.take().filter(|_| preview.question.is_err());
                self.preview = Some(match before {
                    Some(before) => Preview {
                        question: before.question,
                        ..*preview
                    },
                    None => *preview,
                });
            }
            Err(why) => self.refused = Some(trouble(&why)),
        }
    }

    /// Handles an event of one model's request.
    pub fn tried(&mut self, ticket: u64, model: usize, told: TrialEvent) {
        let model = self.models.get_mut(model).filter(|_| ticket == self.trial);
        if let Some(AnswerStage::Asked(spoken)) = model.map(|model| &mut model.stage) {
            spoken.handle_event(told);
        }
    }

    /// Handles the result of saving the question.
    pub fn receive_saved(&mut self, told: Result<PathBuf, String>) -> Vec<Change> {
        match told {
            Ok(path) => {
                let words = format!(
                    "saved as {}; view 6 can run it on all samples of the lens",
                    visible(&path.display().to_string())
                );
                let protocol = format!("file:{}", path.display());
                self.kept = Some(path);
                vec![Change::LiveProtocol(protocol), Change::Say(words)]
            }
            Err(why) => vec![Change::Say(format!("not saved: {}", visible(&why)))],
        }
    }
}

impl StreamedAnswer {
    fn handle_event(&mut self, told: TrialEvent) {
        match told {
            TrialEvent::Begun { model, price, .. } => (self.model, self.price) = (model, price),
            TrialEvent::Event(event) => self.happened(event),
            TrialEvent::Ended(ended) => {
                self.took = self.so_far();
                (self.is_over, self.waits) = (true, None);
                match ended {
                    Ok((folder, ended)) => {
                        self.cost = ended.cost;
                        self.folder = Some(folder);
                        let unasked = ended.unasked.first().map(|(_, why)| why.to_string());
                        let stopped = ended.stopped.as_ref().map(ToString::to_string);
                        self.trouble = self.trouble.take().or(unasked).or(stopped);
                    }
                    Err(why) => self.trouble = Some(trouble(&why)),
                }
            }
        }
    }

    fn happened(&mut self, event: Event) {
        self.took = self.so_far();
        match event {
            Event::News(RequestEvent::Said { text, reasoning }) => {
                self.first.get_or_insert(self.took);
                (self.text, self.reasoning, self.waits) = (text, reasoning, None);
            }
            Event::News(RequestEvent::Tried(attempt)) => {
                let [_, first, whole] = attempt.took;
                // The first event of a stream can be empty, so measure the time of the first
                // visible text.
                if attempt.failure.is_some() {
                    self.first = None;
                } else if self.first.is_none() {
                    self.first = first;
                }
                self.took = whole.unwrap_or(self.took);
            }
            Event::News(RequestEvent::Paused(why)) => self.waits = Some(why),
            Event::News(RequestEvent::Waits(wait, class)) if wait.as_secs() > 0 => {
                self.waits = Some(format!("{class}: retry in {} s", wait.as_secs()));
            }
            Event::News(RequestEvent::Resumed) => self.waits = None,
            Event::News(RequestEvent::Dropped(dropped)) => self.dropped.push(dropped.to_string()),
            Event::Paid(cost) => self.cost = cost,
            Event::Finished(one) => {
                let done = &one.done;
                self.text
                    .clone_from(done.refusal.as_ref().unwrap_or(&done.text));
                self.reasoning.clone_from(&done.reasoning);
                self.trouble.clone_from(&done.message);
                self.finished = Some(one);
            }
            Event::Unasked(_, why) => self.trouble = Some(why.to_string()),
            Event::News(_)
            | Event::Part { .. }
            | Event::Silent(_)
            | Event::Damaged { .. }
            | Event::Probing
            | Event::Sightless => {}
        }
    }
}
