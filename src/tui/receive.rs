//! What is open has changed: the numbers change, what is looked at stays.

use std::mem::take;

use job::Failure;
use record::{Moved, Row};
use workspace::Lens;
use workspace::open::{Change, Event, Replacement};
use workspace::page::Sort;

use super::app::{App, Effect, Loading, ask};
use super::keymap::View;
use super::popup::Popup;
use super::screen::{self, ListOf};

/// What is known of logs that grow.
#[derive(Clone, Debug, Default)]
pub struct GrowthState {
    /// Predictions a second while they grow.
    pub rate: Option<f64>,
    /// True if lists follow what was under their cursor: since the first time that a whole table was replaced.
    followed: bool,
    /// What the list of samples was asked by.
    list: Option<(Lens, Sort, bool)>,
}

/// What stands under a cursor, by name.
pub type Held<T> = Option<T>;

impl App {
    /// Takes what became of what is open.
    pub fn receive(&mut self, event: Event) -> Vec<Effect> {
        self.dirty = true;
        match event {
            Event::Opened(request) => self.request = *request,
            Event::Progress(progress) => {
                if !self.loading.is_over() {
                    self.loading = Loading::Running(progress);
                }
            }
            Event::Table(new) => return self.receive_table(*new),
            Event::Resting => self.growth.rate = None,
            Event::Unmapped(tables) => self.ask_for_columns(tables),
            Event::Verdicts(news) => return screen::receive_news(self, news),
            Event::ReaderFailed(failure) => return self.receive_failure(failure),
            Event::WriterFailed(failure) => {
                self.notice = Some(failure.to_string());
                self.audit.trouble = Some(failure.to_string());
            }
        }
        Vec::new()
    }

    /// Takes a table in the place of the one before, and asks anew for what is on the screen.
    fn receive_table(&mut self, new: Replacement) -> Vec<Effect> {
        self.renumber(&new.moved);
        self.table = new.table;
        let replaces_whole = self.loading.is_over();
        match new.change {
            Change::Part => {}
            // What was being asked of the table before is asked again when its answer comes.
            Change::Judged if self.view == View::Sample => return self.ask_view(),
            Change::Judged => return Vec::new(),
            Change::Whole => self.loading = Loading::Done,
            Change::Grown(rate) => self.growth.rate = Some(rate),
        }
        self.answers.splits_of = None;
        if replaces_whole {
            self.growth.followed = true;
            return self.ask_all_grown(new.change);
        }
        (self.answers.slices, self.answers.ranks) = (None, None);
        self.answers.scorers = None;
        if let (Change::Whole, Some(session)) = (new.change, self.session.take()) {
            session.take_up(self);
        }
        let mut effects = self.ask_all();
        effects.extend(self.ask_live());
        effects
    }

    /// Reading is over: what was read so far is all that there is.
    fn receive_failure(&mut self, failure: Failure) -> Vec<Effect> {
        self.notice = Some(failure.to_string());
        self.growth.rate = None;
        self.loading = Loading::Failed(failure);
        self.ask_all()
    }

    fn ask_live(&mut self) -> Vec<Effect> {
        match self.view {
            View::Live => screen::look_live(self),
            _ => Vec::new(),
        }
    }

    /// What is asked of a table that took the place of a whole one: no quick answer first, as one is on the screen.
    fn ask_all_grown(&mut self, change: Change) -> Vec<Effect> {
        let popup = self.ask_popup_again();
        let mut effects = vec![self.ask_scores(false)];
        match self.view {
            View::Compare => {
                screen::pin_sides(self);
                effects.extend(screen::ask_comparison(self, false));
            }
            View::Samples if self.audit.list != ListOf::Lens => {}
            View::Live if change == Change::Whole => effects.extend(self.ask_live()),
            _ => effects.extend(self.ask_view()),
        }
        effects.extend(popup);
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// What the topmost popup shows stays until the new answer comes; what none shows is forgotten.
    fn ask_popup_again(&mut self) -> Option<Effect> {
        let (slices, ranks) = (self.answers.slices.take(), self.answers.ranks.take());
        let scorers = self.answers.scorers.take();
        let popup = self.popups.last()?;
        let query = popup.query(self);
        match popup {
            Popup::Slices(_) => self.answers.slices = slices,
            Popup::Ranks { .. } => self.answers.ranks = ranks,
            Popup::Scorers(_) => self.answers.scorers = scorers,
            _ => {}
        }
        query.map(ask)
    }

    /// Rows stand elsewhere: each one that is kept goes by its new number.
    fn renumber(&mut self, moved: &Moved) {
        if *moved == Moved::Nowhere {
            return;
        }
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        let rows = take(&mut self.answers.samples);
        let at = self.samples.table.selected;
        let gone = rows.iter().take(at).filter(|row| new(**row).is_none());
        self.samples.table.selected = at - gone.count().min(at);
        self.answers.samples = rows.into_iter().filter_map(new).collect();
        self.live.row = self.live.row.and_then(new);
        self.audit.renumber(moved);
        self.renumber_cursors(moved);
        // The logs may say something else than they did.
        self.sample.details.clear();
    }

    /// The sample under the cursor, if the list that comes is the same list.
    pub fn hold_sample(&mut self) -> Held<Row> {
        let list = Some((self.lens.clone(), self.sort, self.reverse));
        let same = self.growth.list == list;
        self.growth.list = list;
        self.row_under_cursor()
            .filter(|_| same && self.growth.followed && self.awaited.is_none())
    }

    /// Puts the cursor back on a sample, on the same line of the screen.
    pub fn keep_sample(&mut self, held: Held<Row>) {
        let Some(Row(row)) = held else { return };
        let mut rows = self.answers.samples.iter();
        if let Some(at) = rows.position(|known| *known == row) {
            let table = &mut self.samples.table;
            let line = table.selected.saturating_sub(table.offset);
            table.selected = at;
            table.offset = at.saturating_sub(line);
        }
    }

    /// The model under the fingerprint's cursor.
    pub fn hold_model(&self) -> Held<String> {
        let row = self.fingerprint.grid.row;
        let model = self.models().into_iter().nth(row);
        model.filter(|_| self.growth.followed)
    }

    /// Puts the fingerprint's cursor back on a model.
    pub fn keep_model(&mut self, held: Held<String>) {
        let Some(model) = held else { return };
        if let Some(row) = self.models().iter().position(|known| *known == model) {
            self.fingerprint.grid.row = row;
        }
    }
}
