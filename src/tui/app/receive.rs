//! Receives changes of the open logs. Updates scores, and keeps each cursor on the same item.

use super::App;
use crate::effect::{Effect, ask};
use crate::keymap::ViewId;
use crate::popup::{NameQuestion, NameQuestions, Popup, columns_asked};
use crate::screen::CompareView;
use crate::shared::{ListSource, Loading};
use analysis::without_direction;
use ask::worker::RerunEvent;
use base::job::Failure;
use record::{Row, RowMap};
use workspace::columns::{UnmappedTable, still_unknown};
use workspace::doubtful::{answered, doubtful};
use workspace::follow::PollResult;
use workspace::open::{Change, Event, Replacement};

/// The item under a cursor, used to find it again after a change.
type CursorItem<T> = Option<T>;

impl App {
    /// Receives an event of the workspace.
    pub fn receive(&mut self, event: Event) -> Vec<Effect> {
        self.dirty = true;
        let shared = &mut self.shared;
        match event {
            Event::Opened(request) => {
                let right = std::mem::take(&mut shared.request.right);
                shared.request = *request;
                shared.request.right.extend(right);
            }
            Event::Progress(progress) => {
                if !shared.loading.is_over() {
                    shared.loading = Loading::Running(progress);
                }
            }
            Event::Table(new) => {
                let mut paths = self.shared.request.paths.iter();
                // A store's logs can bring new verdict files.
                let came = new.change == Change::Whole && paths.any(|path| store::is_address(path));
                let mut effects = self.receive_table(*new);
                effects.extend(came.then_some(Effect::ReadVerdicts));
                return effects;
            }
            // The event loop handles this event; a new table follows.
            Event::Large(_) => {}
            Event::Resting => shared.growth.rate = None,
            Event::Polled(result) => return self.receive_poll(result),
            Event::Unmapped(tables) => {
                shared.unknown_tables.clone_from(&tables);
                return self.ask_for_columns(tables);
            }
            Event::Verdicts(news) => return self.receive_news(news),
            Event::ReaderFailed(failure) => return self.receive_failure(failure),
            Event::WriterFailed(failure) => {
                shared.notice = Some(failure.to_string());
                shared.verdicts.trouble = Some(failure.to_string());
            }
        }
        Vec::new()
    }

    /// Receives the result of checking a store. New files can include verdict files, which are read
    /// again.
    fn receive_poll(&mut self, result: PollResult) -> Vec<Effect> {
        let shared = &mut self.shared;
        if let Some(why) = result.trouble.as_ref().filter(|_| result.is_news) {
            let words = format!("{why}; the rows read so far stay");
            shared.notice = Some(words);
        }
        let came = result.fetched > 0;
        shared.growth.last_poll = Some(result);
        came.then_some(Effect::ReadVerdicts).into_iter().collect()
    }

    /// Receives an event of the rerun worker.
    pub fn receive_live(&mut self, event: RerunEvent) -> Vec<Effect> {
        self.dirty = true;
        let playground = &mut self.views.playground;
        let changes = match event {
            RerunEvent::Previewed(ticket, told) => {
                playground.previewed(ticket, told);
                Vec::new()
            }
            RerunEvent::Tried(ticket, model, told) => {
                playground.tried(ticket, model, told);
                Vec::new()
            }
            RerunEvent::PromptSaved(told) => playground.receive_saved(told),
            event => self.views.live.receive(&self.shared, event),
        };
        self.apply(changes)
    }

    /// Opens a popup for each table with unknown columns.
    pub fn ask_for_columns(&mut self, tables: Vec<UnmappedTable>) -> Vec<Effect> {
        let asked = columns_asked(tables).into_iter().rev();
        self.popups.extend(asked.map(Popup::from));
        self.ask_popup()
    }

    /// Opens the popups for tables with unknown columns again.
    pub(super) fn name_columns(&mut self) -> Vec<Effect> {
        let tables = still_unknown(&self.shared.table, &self.shared.unknown_tables);
        let tables: Vec<UnmappedTable> = tables.cloned().collect();
        if tables.is_empty() {
            self.notify("no open table has unknown columns");
            return Vec::new();
        }
        self.ask_for_columns(tables)
    }

    /// Asks the user whether similar model names are the same model, and which direction unknown
    /// metrics have.
    fn ask_of_names(&mut self) {
        // With a popup open, the user's next key could become an answer by accident. After `not
        // now`, do not ask again.
        if !self.popups.is_empty() || self.shared.asked_names {
            return;
        }
        let (table, large) = (&self.shared.table, &self.shared.large);
        let answered = || match large {
            Some(large) => large.answered.clone(),
            None => answered(table),
        };
        let pairs = doubtful(table, &answered, &self.shared.request.joins);
        let unclear = pairs.into_iter().map(NameQuestion::Names);
        let metrics = without_direction(table, self.shared.lens.scoring).into_iter();
        let unclear: Vec<NameQuestion> = unclear
            .chain(metrics.map(NameQuestion::Direction))
            .collect();
        self.shared.asked_names = !unclear.is_empty();
        self.popups
            .extend(NameQuestions::new(unclear).map(Popup::from));
    }

    /// Replaces the table and sends the queries of the screen again.
    fn receive_table(&mut self, new: Replacement) -> Vec<Effect> {
        self.renumber(&new.moved);
        // Include decisions that the user made since the table was opened.
        let right = &self.shared.request.right;
        self.shared.table = if new.table.names().right == *right {
            new.table
        } else {
            new.table.with_right(right.clone())
        };
        let replaces_whole = self.shared.loading.is_over();
        match new.change {
            Change::Part => {}
            // Queries in progress are repeated when their answers arrive.
            Change::Judged => {
                // Filters by verdict now select other samples.
                let popup = self.ask_popup_again();
                let is_sample = self.shows(ViewId::Sample);
                let mut effects = if is_sample {
                    self.ask_view()
                } else {
                    Vec::new()
                };
                effects.extend(popup);
                return effects;
            }
            Change::Whole => {
                self.shared.loading = Loading::Done;
                // Records of a log that was still being read can now be loaded.
                self.shared.fetched.clear();
                self.ask_of_names();
            }
            Change::Grown(rate) => self.shared.growth.rate = Some(rate),
        }
        let answers = &mut self.shared.answers;
        answers.splits_of = None;
        answers.clear_failures();
        if replaces_whole {
            self.shared.growth.followed = true;
            return self.ask_all_grown(new.change);
        }
        (answers.slices, answers.ranks) = (None, None);
        (answers.scorers, answers.wins, answers.map) = (None, None, None);
        if new.change == Change::Whole
            && let Some(session) = self.session.take()
        {
            session.restore(self);
            self.untouched = false;
        }
        let mut effects = self.ask_all();
        effects.extend(self.ask_live());
        effects
    }

    /// Handles a failure that ended reading; the rows read so far stay.
    fn receive_failure(&mut self, failure: Failure) -> Vec<Effect> {
        self.shared.notice = Some(failure.to_string());
        self.shared.growth.rate = None;
        self.shared.loading = Loading::Failed(failure);
        self.ask_all()
    }

    fn ask_live(&mut self) -> Vec<Effect> {
        match self.shared.view {
            ViewId::Live => self.refresh(),
            _ => Vec::new(),
        }
    }

    /// Sends the queries of the screen again after a complete table was replaced. Omits the quick
    /// query for scores, because scores are already on screen.
    fn ask_all_grown(&mut self, change: Change) -> Vec<Effect> {
        let popup = self.ask_popup_again();
        let mut effects = vec![ask(self.scores_query())];
        match self.shared.view {
            ViewId::Compare => {
                // Keep comparing the same two models, whatever their new ranks are.
                if let Some(models) = self.shared.compared() {
                    self.shared.pair = Some((models, self.shared.picked.clone()));
                }
                effects.extend(CompareView::question(&self.shared));
            }
            ViewId::Samples if self.shared.list.of != ListSource::Lens => {}
            ViewId::Live if change == Change::Whole => effects.extend(self.ask_live()),
            _ => effects.extend(self.ask_view()),
        }
        effects.extend(popup);
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// Sends the query of the topmost popup again. The popup shows its old answer until the new
    /// answer arrives. Discards answers for closed popups.
    fn ask_popup_again(&mut self) -> Option<Effect> {
        let answers = &mut self.shared.answers;
        let (slices, ranks) = (answers.slices.take(), answers.ranks.take());
        let (scorers, wins) = (answers.scorers.take(), answers.wins.take());
        let map = answers.map.take();
        let popup = self.popups.last()?;
        match popup {
            Popup::Slices(_) => answers.slices = slices,
            Popup::Ranks(_) => answers.ranks = ranks,
            Popup::Scorers(_) => answers.scorers = scorers,
            Popup::Wins(_) => answers.wins = wins,
            Popup::Map(_) => answers.map = map,
            _ => {}
        }
        popup.overlay().query(&self.shared).map(ask)
    }

    /// Updates all stored row numbers after the table changed.
    fn renumber(&mut self, moved: &RowMap) {
        if *moved == RowMap::Nowhere {
            return;
        }
        self.shared.list.renumber(moved);
        self.shared.fetched.clear();
        let answers = &mut self.shared.answers;
        (answers.matrix, answers.confusion, answers.map) = (None, None, None);
        let marked = std::mem::take(&mut self.shared.marked).into_iter();
        let kept = marked.filter_map(|row| moved.row(Row(row)).map(|Row(row)| row));
        self.shared.marked = kept.collect();
        self.shared.verdicts.renumber(moved);
        for view in ViewId::ALL {
            self.views.get_mut(view).renumber(moved);
        }
        self.renumber_cursors(moved);
    }

    /// Returns the sample under the cursor if the next list has the same lens and order.
    pub(super) fn hold_sample(&mut self) -> CursorItem<Row> {
        let shared = &mut self.shared;
        let list = &shared.list;
        let order = (list.sort, list.other.clone(), list.reverse);
        let list = Some((shared.lens.clone(), order.0, order.1, order.2));
        let same = shared.growth.list == list;
        shared.growth.list = list;
        let is_held = same && shared.growth.followed && self.awaited.is_none();
        self.row_under_cursor().filter(|_| is_held)
    }

    /// Moves the cursor back to a sample, and keeps it on the same screen line.
    pub(super) fn keep_sample(&mut self, held: CursorItem<Row>) {
        let Some(Row(row)) = held else { return };
        let list = &mut self.shared.list;
        if let Some(at) = list.rows.iter().position(|known| *known == row) {
            let line = list.table.selected.saturating_sub(list.table.offset);
            list.table.selected = at;
            list.table.offset = at.saturating_sub(line);
        }
    }

    /// Returns the model under the fingerprint's cursor.
    pub(super) fn hold_model(&self) -> CursorItem<String> {
        let model = self.shared.models().into_iter().nth(self.shared.cell.row);
        model.filter(|_| self.shared.growth.followed)
    }

    /// Moves the fingerprint's cursor back to a model.
    pub(super) fn keep_model(&mut self, held: CursorItem<String>) {
        let Some(model) = held else { return };
        let mut models = self.shared.models().into_iter();
        if let Some(row) = models.position(|known| known == model) {
            self.shared.cell.row = row;
        }
    }
}
