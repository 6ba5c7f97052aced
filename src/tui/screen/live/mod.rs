//! The live view asks a model again. It shows the form, the request count, the progress of the
//! rerun, changed answers, and earlier runs to continue.

mod command;
mod draw;
mod field;
mod form;
mod hear;
mod open;
mod several;
mod state;
mod ticked;
mod trouble;

#[cfg(test)]
mod tests;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::effect::Effect;
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, View, ViewInfo};
use crate::widget::table::TableState;
use ask::ResultList;
use ask::worker::RerunCommand;
use engine::Query;
use record::{Row, RowMap};

use super::part::{click_again, move_cursor};
use several::ParallelRuns;
use state::LiveStage;

pub use state::LiveView;
pub use trouble::trouble;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["6", "Rerun", "Rerun"]),
    opened_by: Some(Action::ViewLive),
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: false,
    help: "Send the log's questions to a live model again: did it get worse, is it robust to \
           rotation, does it look at the picture at all? No question is sent before you have seen \
           the number of requests and the cost. Every answer is saved when it arrives. Enter on a \
           stopped run below the form continues it. The result opens next to the log.",
};

impl LiveView {
    /// Starts a new form for one prediction, or for the samples of the lens.
    pub fn begin_with(&mut self, row: Option<u32>) {
        self.row = row;
        if row.is_some() {
            self.exam = None;
            // The form for a single sample does not have this field.
            if self.field == field::FormField::Questions {
                self.field = field::FormField::default();
            }
        }
        if !self.is_asking() {
            self.stage = LiveStage::Form;
        }
        self.trouble = None;
    }

    /// Switches to another list of samples.
    fn turn_list(&mut self, step: usize) {
        let mut lists = ResultList::ALL.iter();
        let at = lists.position(|known| *known == self.listed).unwrap_or(0);
        self.listed = ResultList::ALL[(at + step) % ResultList::ALL.len()];
        self.table = TableState::default();
    }

    /// Performs an action on the samples of a single run.
    fn act_alone(&mut self, shared: &AppState, action: Action) -> Reply {
        let Some(progress) = self.stage.alone() else {
            return Reply::PassOn;
        };
        match action {
            Action::Open => return Vec::from_iter(open::open(self, shared)).into(),
            Action::Left => self.turn_list(ResultList::ALL.len() - 1),
            Action::Right => self.turn_list(1),
            other => {
                let count = progress.list(self.listed).len();
                return move_cursor(&mut self.table.selected, count, 10, other);
            }
        }
        Reply::DONE
    }
}

impl View for LiveView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        draw::draw(self, shared, frame, room.area)
    }

    /// Returns the samples of the lens, while the form is on screen and asks about them.
    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let is_form = matches!(self.stage, LiveStage::Form);
        let is_of_lens = self.row.is_none() && self.exam.is_none();
        shared.lens_samples().filter(|_| is_form && is_of_lens)
    }

    fn samples_from(&self, _: &AppState) -> u16 {
        u16::MAX
    }

    fn free_area(&self, shared: &AppState, area: Rect) -> Rect {
        draw::below(self, shared, area)
    }

    fn keep(&mut self, scrolled: ScrollState) {
        match (scrolled, &mut self.stage) {
            (ScrollState::Table(table), LiveStage::Asked(runs)) if runs.alone().is_none() => {
                runs.table = table;
            }
            (ScrollState::Table(table), _) => self.table = table,
            _ => {}
        }
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match (&mut self.stage, action) {
            (_, Action::CopyCommand) => command::copy(self, shared).into(),
            (LiveStage::Counting, Action::Stop) => {
                self.stage = LiveStage::Form;
                Reply::DONE
            }
            (LiveStage::Form | LiveStage::Counted(_), _) => form::act(self, shared, action),
            (LiveStage::Asked(_), _) => several::act(self, shared, action),
            _ => Reply::PassOn,
        }
    }

    fn key_word<'a>(&self, word: &'a str) -> &'a str {
        let is_form = self.stage.is_form();
        let runs = match &self.stage {
            LiveStage::Asked(runs) => Some(&**runs),
            _ => None,
        };
        let is_paused = runs.is_some_and(|runs| runs.is_paused() && !runs.is_over);
        let has_pages =
            |runs: &ParallelRuns| runs.alone().is_none() && runs.is_over && !runs.told.is_empty();
        let told = runs.is_some_and(has_pages);
        match word {
            // An exam asks a single model, so nothing can be ticked.
            "pause" if is_form && self.run.is_none() && self.exam.is_some() => "",
            "pause" if is_form && self.run.is_none() => "tick",
            "pause" if is_paused => "continue",
            "pause" if told => "page",
            "pause" | "rerun" if self.is_asking() == (word == "rerun") => "",
            "rerun" | "change, open" if matches!(self.stage, LiveStage::Counting) => "",
            "stop" if matches!(self.stage, LiveStage::Counting) => "cancel",
            "stop" if matches!(self.stage, LiveStage::Counted(_)) => "back",
            "stop" if !self.is_asking() => "",
            "pane" if !is_form => "",
            "change, open" if is_form && self.run.is_some() => "continue it",
            "change, open" if is_form => "change",
            "change, open" => "open",
            _ => word,
        }
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        if let LiveStage::Asked(runs) = &mut self.stage
            && runs.alone().is_none()
        {
            return runs.click(shared, area, (x, y));
        }
        if let Some(row) = draw::row_at(self, area, (x, y)) {
            return form::click(self, shared, row);
        }
        let row = draw::sample_at(self, shared, area, x, y);
        if click_again(&mut self.table.selected, row) {
            return Vec::from_iter(open::open(self, shared));
        }
        Vec::new()
    }

    /// Queries the samples that can be asked about.
    fn refresh(&mut self, shared: &AppState) -> Vec<Effect> {
        form::request_form_data(self, shared).into_iter().collect()
    }

    /// Looks for model servers on this machine when the form opens.
    fn enter(&self) -> Vec<Effect> {
        let is_form = matches!(self.stage, LiveStage::Form);
        Vec::from_iter(is_form.then_some(Effect::Live(RerunCommand::FindServers)))
    }

    /// Returns `None`, because the view copies its own command without showing it.
    fn query(&self, _: &AppState) -> Option<Query> {
        None
    }

    fn renumber(&mut self, moved: &RowMap) {
        let row = self.row.and_then(|row| moved.row(Row(row)));
        self.row = row.map(|Row(row)| row);
    }

    fn background(&self) -> Option<String> {
        draw::status(self)
    }
}
