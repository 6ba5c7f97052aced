//! Logs that grow under the user's hands: the numbers change, what is looked at stays.

use record::Table;
use workspace::Lens;
use workspace::follow::Growth;
use workspace::page::Sort;

use super::app::{App, Effect, ask};
use super::keymap::View;
use super::popup::Popup;
use super::screen::{self, ListOf};

/// What is known of logs that grow.
#[derive(Clone, Debug, Default)]
pub struct GrowthState {
    /// Predictions a second while they grow.
    pub rate: Option<f64>,
    /// Whether lists follow what was under their cursor: since the first time that a log grew.
    followed: bool,
    /// What the list of samples was asked by.
    list: Option<(Lens, Sort, bool)>,
}

/// What stands under a cursor, by name.
pub type Held<T> = Option<T>;

impl App {
    /// Takes a table that has grown, and asks anew for what is on the screen.
    pub fn receive_growth(&mut self, growth: Growth) -> Vec<Effect> {
        self.dirty = true;
        self.growth.rate = Some(growth.rate);
        self.growth.followed = true;
        if let Some(moved) = &growth.moved {
            self.renumber(moved);
        }
        let verdicts = self.table.verdicts().to_vec();
        self.table = growth.table;
        if growth.moved.is_none() && !verdicts.is_empty() {
            self.table = with_verdicts(self.table.clone(), verdicts);
        }
        self.ask_all_grown()
    }

    /// The logs rest.
    pub fn receive_rest(&mut self) -> Vec<Effect> {
        self.dirty |= self.growth.rate.is_some();
        self.growth.rate = None;
        Vec::new()
    }

    /// What is asked of a table that has grown: no quick answer first, as one is on the screen.
    fn ask_all_grown(&mut self) -> Vec<Effect> {
        self.answers.splits_of = None;
        let popup = self.ask_popup_again();
        let mut effects = vec![self.ask_scores(false)];
        match self.view {
            View::Compare => {
                screen::pin_sides(self);
                effects.extend(screen::ask_comparison(self, false));
            }
            View::Samples if self.audit.list != ListOf::Lens => {}
            _ => effects.extend(self.ask_view()),
        }
        effects.extend(popup);
        if !self.audit.book.is_empty() {
            effects.push(screen::ask_verdicts());
        }
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// What the topmost popup shows stays until the new answer comes; what none shows is forgotten.
    fn ask_popup_again(&mut self) -> Option<Effect> {
        let (slices, ranks) = (self.answers.slices.take(), self.answers.ranks.take());
        let popup = self.popups.last()?;
        let query = popup.query(self);
        match popup {
            Popup::Slices(_) => self.answers.slices = slices,
            Popup::Ranks { .. } => self.answers.ranks = ranks,
            _ => {}
        }
        query.map(ask)
    }

    /// Everything was read anew: each row that is kept goes by its new number.
    fn renumber(&mut self, moved: &[u32]) {
        let new = |row: u32| {
            moved
                .get(row as usize)
                .copied()
                .filter(|row| *row != u32::MAX)
        };
        let at = self.samples.table.selected;
        let gone = self.answers.samples.iter().take(at);
        let gone = gone.filter(|row| new(**row).is_none()).count();
        self.samples.table.selected = at - gone.min(at);
        for rows in [&mut self.answers.samples, &mut self.audit.check] {
            *rows = rows.iter().filter_map(|row| new(*row)).collect();
        }
        self.audit.revealed = self.audit.revealed.and_then(new);
        self.sample.details.clear();
    }

    /// The sample under the cursor, if the list that comes is the same list.
    pub fn hold_sample(&mut self) -> Held<u32> {
        let list = Some((self.lens.clone(), self.sort, self.reverse));
        let same = self.growth.list == list;
        self.growth.list = list;
        let row = self.answers.samples.get(self.samples.table.selected);
        row.copied()
            .filter(|_| same && self.growth.followed && self.awaited.is_none())
    }

    /// Puts the cursor back on a sample, on the same line of the screen.
    pub fn keep_sample(&mut self, held: Held<u32>) {
        let Some(row) = held else { return };
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

/// The table with the verdicts that are known; items that are new have none.
fn with_verdicts(table: Table, mut verdicts: Vec<u8>) -> Table {
    verdicts.resize(table.sample_of().len(), 0);
    table.with_verdicts(verdicts)
}
