//! The flip view: the log's picture and the pictures that a rerun sent, each with its answer.

mod draw;
#[cfg(test)]
mod tests;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::action::Action;
use crate::change::{Change, Reply, SampleRows};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, ViewArea};
use crate::screen::part::moved;
use crate::shared::{AppState, ListSource};
use crate::view::{Breadth, View, ViewInfo};
use engine::{Query, Show};
use record::{Row, RowMap};

const ABOUT: ViewInfo = ViewInfo {
    tab: None,
    opened_by: None,
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: true,
    help: "A sample that was asked again: the log's picture and answer first, then each picture as it was sent with the \
           new answer. n and p go to the next and the previous sample of the list, Enter opens the page of the answer \
           under the cursor.",
};

/// State of the flip view: rerun samples, and the sample on screen.
#[derive(Debug, Default)]
pub struct FlipView {
    /// Answers to each sample, as rows of the table. The log's answer is first.
    samples: Vec<Vec<u32>>,
    /// Name of the rerun's model.
    run: String,
    /// Index of the sample on screen.
    at: usize,
    /// Index of the answer under the cursor.
    column: usize,
    /// Scroll offset of the answers, in rows.
    scrolled: u16,
}

/// Samples to open in the flip view.
#[derive(Clone, Debug)]
pub struct Flips {
    /// Answers to each sample, as rows of the table. The log's answer is first.
    pub samples: Vec<Vec<u32>>,
    /// Name of the rerun's model. Answers of other models are from the log.
    pub run: String,
    /// Index of the sample to show.
    pub at: usize,
}

impl FlipView {
    /// Opens rerun samples at `flips.at`.
    pub fn begin(&mut self, flips: Flips) {
        *self = Self {
            samples: flips.samples,
            run: flips.run,
            at: flips.at,
            ..Self::default()
        };
    }

    /// Returns the answers to the sample on screen.
    fn here(&self) -> &[u32] {
        self.samples
            .get(self.at)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Moves `by` samples forward, or backward if `by` is negative.
    fn step(&mut self, shared: &AppState, by: isize) -> Reply {
        let last = self.samples.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.column = self.column.min(self.here().len().saturating_sub(1));
        self.scrolled = 0;
        let effects = self.ask(shared).into_iter();
        effects.map(Change::Do).collect::<Vec<_>>().into()
    }

    /// Opens the answer under the cursor, in a list of all answers.
    fn open(&self) -> Reply {
        let before: usize = self.samples.iter().take(self.at).map(Vec::len).sum();
        let rows = SampleRows {
            list: self.samples.concat(),
            of: ListSource::Flagged,
            at: before + self.column,
            second: None,
        };
        Reply::with(Change::OpenRows(Box::new(rows)))
    }
}

impl View for FlipView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        draw::draw(self, shared, frame, room)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let count = self.here().len();
        match action {
            Action::Left => self.column = self.column.saturating_sub(1),
            Action::Right => self.column = (self.column + 1).min(count.saturating_sub(1)),
            Action::NextSample => return self.step(shared, 1),
            Action::PreviousSample => return self.step(shared, -1),
            Action::Open if count > 0 => return self.open(),
            other => match moved(usize::from(self.scrolled), usize::from(u16::MAX), 10, other) {
                Some(at) => self.scrolled = u16::try_from(at).unwrap_or(0),
                None => return Reply::PassOn,
            },
        }
        Reply::DONE
    }

    fn click(&mut self, _: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let at = draw::columns(self, area)
            .into_iter()
            .find(|(_, place)| place.contains(Position { x, y }));
        match at {
            Some((column, _)) if column == self.column => self.open().changes(),
            Some((column, _)) => {
                self.column = column;
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        let next = self.samples.get(self.at + 1).into_iter().flatten();
        let rows = self.here().iter().chain(next);
        let missing = rows.filter(|row| !shared.fetched.details.contains(row));
        let query = |row: &u32| engine::Detail {
            row: Row(*row),
            scoring: shared.lens.scoring,
            with_maps: true,
        };
        missing.map(|row| ask(query(row))).collect()
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let row = Row(*self.here().get(self.column)?);
        Some(Show::only(row, shared.lens.scoring, &shared.table).into())
    }

    fn renumber(&mut self, moved: &RowMap) {
        for rows in &mut self.samples {
            let kept = rows.iter().filter_map(|row| moved.row(Row(*row)));
            *rows = kept.map(|Row(row)| row).collect();
        }
        self.samples.retain(|rows| !rows.is_empty());
        self.at = self.at.min(self.samples.len().saturating_sub(1));
        self.column = self.column.min(self.here().len().saturating_sub(1));
    }
}
