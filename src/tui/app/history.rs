//! Where the user has been: the way back, and forward again, with every cursor where it was.

use super::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::screen::{FingerprintView, ReliabilityView, SubgroupsView};
use crate::shared::{Cut, ListOf, Look};
use engine::{Listed, Samples};
use record::{Generation, Moved, Row};
use widget::heat_grid::HeatGridState;
use widget::table::TableState;
use workspace::Lens;

/// Places that are remembered at most.
const LONGEST: usize = 200;

/// A place to come back to.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The view.
    pub view: ViewId,
    /// The lens that it had.
    pub lens: Lens,
    /// How samples were shown.
    pub look: Look,
    /// Its cursors.
    pub cursors: Cursors,
}

/// The cursors of all views.
#[derive(Clone, Debug, Default)]
pub struct Cursors {
    /// The fingerprint's.
    pub cell: HeatGridState,
    /// What its cells say.
    pub fingerprint: FingerprintView,
    /// How the ability is cut.
    pub cut: Cut,
    /// The subgroups'.
    pub subgroups: SubgroupsView,
    /// The sample list's.
    pub samples: TableState,
    /// The prediction under the sample list's, which may be elsewhere in the list that comes.
    pub sample: Option<Row>,
    /// The reliability table's.
    pub reliability: ReliabilityView,
}

/// The places before and after the one on screen.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Where `back` leads, the nearest last.
    pub before: Vec<Visit>,
    /// Where `forward` leads, the nearest last.
    pub after: Vec<Visit>,
}

impl App {
    /// Goes to a view; `back` leads to this one.
    pub fn go(&mut self, view: ViewId) -> Vec<Effect> {
        if view == self.shared.view {
            return Vec::new();
        }
        self.untouched = false;
        self.remember();
        self.carry(view);
        self.show(view)
    }

    /// The ability and the model that the cursor is on.
    fn under_cursor(&self) -> Option<(String, String)> {
        let shared = &self.shared;
        match shared.view {
            ViewId::Fingerprint => {
                let model = shared.models().into_iter().nth(shared.cell.row);
                Some((shared.ability_under_cursor()?, model.unwrap_or_default()))
            }
            ViewId::Samples | ViewId::Sample => {
                let table = &shared.table;
                let row = Row(shared.list.here()?);
                let ability = table.ability(table.item(row))?.name.clone();
                Some((ability, table.names().model(table.model(row)).to_owned()))
            }
            ViewId::Compare => Some((self.views.compare.ability(shared)?, String::new())),
            _ => None,
        }
    }

    /// A view opens on what the cursor of the one before was on.
    fn carry(&mut self, view: ViewId) {
        let Some((ability, model)) = self.under_cursor() else {
            return;
        };
        let shared = &mut self.shared;
        match view {
            ViewId::Fingerprint => {
                let columns = shared.answers.columns(&shared.lens.benchmark);
                let column = columns.iter().position(|score| score.ability == ability);
                let row = shared.models().iter().position(|known| *known == model);
                shared.cell.column = column.unwrap_or(shared.cell.column);
                shared.cell.row = row.unwrap_or(shared.cell.row);
            }
            // What was selected may be of several abilities.
            ViewId::Live if !shared.lens.step.is_empty() => {}
            ViewId::Subgroups | ViewId::Audit | ViewId::Live if shared.lens.ability.is_none() => {
                shared.lens.ability = Some(ability);
            }
            ViewId::Compare | ViewId::Samples if shared.view != ViewId::Sample => {
                shared.carried = Some((ability, model));
            }
            _ => {}
        }
    }

    /// Puts the cursor of the comparison on the ability that was carried there.
    pub(super) fn put_carried_ability(&mut self) {
        if let Some((ability, _)) = self.shared.carried.take() {
            self.views.compare.go_to(&self.shared, &ability);
        }
    }

    /// Puts the cursor of the list on the first sample of what was carried there.
    fn put_carried_sample(&mut self) {
        let Some((ability, model)) = self.shared.carried.take() else {
            return;
        };
        let table = &self.shared.table;
        let is_it = |row: &u32| {
            let of = table.ability(table.item(Row(*row)));
            let is_models = || table.names().model(table.model(Row(*row))) == model;
            of.is_some_and(|of| of.name == ability) && (model.is_empty() || is_models())
        };
        let list = &mut self.shared.list;
        let at = list.rows.iter().position(is_it);
        list.table.selected = at.unwrap_or(list.table.selected);
    }

    /// Remembers this place as the one that `back` leads to.
    pub fn remember(&mut self) {
        let here = self.visit();
        self.history.before.push(here);
        self.history.after.clear();
        let extra = self.history.before.len().saturating_sub(LONGEST);
        self.history.before.drain(..extra);
    }

    /// Goes back to where the user was; at the beginning, takes the filter away, then the rest of the lens.
    pub fn back(&mut self) -> Vec<Effect> {
        if let Some(visit) = self.history.before.pop() {
            let here = self.visit();
            self.history.after.push(here);
            return self.return_to(visit);
        }
        if !self.shared.lens.filter.is_empty() {
            return self.set_filter(String::new());
        }
        self.shared.lens = self.shared.lens.whole();
        self.refresh()
    }

    /// Goes to where `back` was last used.
    pub fn forward(&mut self) -> Vec<Effect> {
        let Some(visit) = self.history.after.pop() else {
            return Vec::new();
        };
        let here = self.visit();
        self.history.before.push(here);
        self.return_to(visit)
    }

    fn visit(&self) -> Visit {
        Visit {
            view: self.shared.view,
            lens: self.shared.lens.clone(),
            look: self.shared.list.look,
            cursors: self.cursors(),
        }
    }

    /// Every cursor as it is now.
    pub fn cursors(&self) -> Cursors {
        Cursors {
            cell: self.shared.cell,
            fingerprint: self.views.fingerprint.clone(),
            cut: self.shared.cut.clone(),
            subgroups: self.views.subgroups,
            samples: self.shared.list.table,
            sample: self.row_under_cursor(),
            reliability: self.views.reliability,
        }
    }

    /// The prediction under the cursor of the sample list.
    pub fn row_under_cursor(&self) -> Option<Row> {
        self.shared.list.here().map(Row)
    }

    /// Rows stand elsewhere: each cursor that is remembered goes with its prediction.
    pub(super) fn renumber_cursors(&mut self, moved: &Moved) {
        let visits = self.history.before.iter_mut();
        let visits = visits.chain(&mut self.history.after);
        let cursors = visits.map(|visit| &mut visit.cursors);
        for cursors in cursors.chain(&mut self.awaited) {
            cursors.sample = cursors.sample.and_then(|row| moved.row(row));
        }
    }

    /// Puts every cursor where it was, and again when the answers come: until then lists may be too short.
    pub fn restore(&mut self, cursors: Cursors) {
        self.put(cursors.clone());
        self.awaited = Some(cursors);
    }

    fn put(&mut self, cursors: Cursors) {
        self.shared.cell = cursors.cell;
        self.views.fingerprint = cursors.fingerprint;
        self.shared.cut = cursors.cut;
        self.views.subgroups = cursors.subgroups;
        self.shared.list.table = cursors.samples;
        self.views.reliability = cursors.reliability;
    }

    /// The cursors that waited for an answer; a key in between is a newer wish.
    pub fn put_awaited(&mut self) {
        if let Some(cursors) = self.awaited.take() {
            self.put(cursors);
        }
    }

    fn return_to(&mut self, visit: Visit) -> Vec<Effect> {
        let asked_again = visit.lens.filter != self.shared.lens.filter
            || visit.lens.scoring != self.shared.lens.scoring;
        let mut cursors = visit.cursors;
        if visit.lens == self.shared.lens {
            // The same list: its cursor has followed the samples that were looked at.
            cursors.samples = self.shared.list.table;
            cursors.sample = self.row_under_cursor();
        }
        self.shared.lens = visit.lens;
        self.shared.view = visit.view;
        if visit.view == ViewId::Samples {
            self.shared.list.look = visit.look;
        }
        self.restore(cursors);
        if asked_again {
            self.ask_all()
        } else {
            self.look_again()
        }
    }

    /// Takes another list of samples. The sample on screen stays there, or its answer by another model; a list that
    /// the lens has no part in, such as a spot check, is not replaced under it.
    pub(super) fn receive_samples(
        &mut self,
        found: Listed,
        of: (Samples, Generation),
    ) -> Vec<Effect> {
        if self.shows(ViewId::Sample) && self.shared.list.of != ListOf::Lens {
            return Vec::new();
        }
        let shown = self.row_under_cursor();
        let held = self.hold_sample();
        self.shared.list.rows = found.rows;
        self.shared.list.outline = found.outline;
        self.shared.list.grouped.clone_from(&of.0.group);
        self.shared.list.groups = found.groups;
        self.shared.list.of = ListOf::Lens;
        let has_behind = self.view().behind(&self.shared).is_some();
        let is_behind = has_behind && of.0 != self.shared.samples_query();
        self.shared.list.answers = Some(of);
        self.keep_sample(held);
        if is_behind {
            // What stands beside a view begins anew wherever its cursor goes.
            self.shared.list.table = TableState::default();
            return Vec::new();
        }
        self.put_carried_sample();
        let restored = self.awaited.as_ref().map(|cursors| cursors.sample);
        self.put_awaited();
        self.keep_sample(restored.flatten());
        if !self.shows(ViewId::Sample) {
            return Vec::new();
        }
        if let Some(shown) = shown.filter(|_| restored.is_none()) {
            self.stay_at(shown);
        }
        self.ask_view()
    }

    fn stay_at(&mut self, shown: Row) {
        let rows = &self.shared.list.rows;
        let item = self.shared.table.item(shown);
        let same = rows.iter().position(|&row| Row(row) == shown);
        let at = same.or_else(|| {
            rows.iter()
                .position(|&row| self.shared.table.item(Row(row)) == item)
        });
        self.shared.list.table.selected = at.unwrap_or_default();
        if at.is_none() {
            self.views.sample.reset_view();
        }
    }
}
