//! History of visited places: back and forward, with all cursors restored.

use std::collections::HashSet;

use super::{App, StoredView};
use crate::effect::Effect;
use crate::frame_output::Pane;
use crate::keymap::ViewId;
use crate::saved_views::SavedViewChange;
use crate::screen::{FingerprintView, ReliabilityView, SubgroupsView};
use crate::shared::{ListSource, Look, OtherOrder, SubgroupBins};
use crate::widget::heat_grid::HeatGridState;
use crate::widget::table::TableState;
use base::format::counted;
use engine::{Samples, SortedSamples};
use record::{Generation, Row, RowMap};
use workspace::Lens;
use workspace::answered::GroupBy;

/// Maximum number of places in the history.
const LONGEST: usize = 200;
/// Minimum width of the screen, in columns, at which samples of several models open side by side.
const MATRIX: u16 = 100;

/// A place in the history: view, lens and cursors.
#[derive(Clone, Debug)]
pub struct Visit {
    /// View on screen.
    pub view: ViewId,
    /// Lens of the view.
    pub lens: Lens,
    /// Look of the sample list.
    pub look: Look,
    /// Special sort order of the sample list; `None` if a column sorts it.
    pub other: Option<OtherOrder>,
    /// True if the order is reversed.
    pub reverse: bool,
    /// Grouping of the sample list.
    pub group: Option<GroupBy>,
    /// Cursors of all views.
    pub cursors: Cursors,
}

/// Cursors of all views, to restore a place.
#[derive(Clone, Debug, Default)]
pub struct Cursors {
    /// Cursor of the fingerprint.
    pub cell: HeatGridState,
    /// Contents of the fingerprint's cells.
    pub fingerprint: FingerprintView,
    /// Tag and bins that split the ability into subgroups.
    pub cut: SubgroupBins,
    /// Cursor of the subgroups.
    pub subgroups: SubgroupsView,
    /// Cursor of the sample list.
    pub samples: TableState,
    /// Prediction under the cursor of the sample list, because row numbers can change in between.
    pub sample: Option<Row>,
    /// Cursor of the reliability table.
    pub reliability: ReliabilityView,
}

/// Places before and after the current one.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Places for `back`, nearest last.
    pub before: Vec<Visit>,
    /// Places for `forward`, nearest last.
    pub after: Vec<Visit>,
}

impl App {
    /// Goes to another view, and adds the current place to the history.
    pub fn go(&mut self, view: ViewId) -> Vec<Effect> {
        if view == self.shared.view {
            return Vec::new();
        }
        if !self.views.can_open(&self.shared, view) {
            return self.notify("published scores have no samples; 0 shows the other benchmarks");
        }
        self.untouched = false;
        self.remember();
        self.carry(view);
        let before = self.shared.view;
        if matches!(
            before,
            ViewId::Samples | ViewId::Sample | ViewId::Playground
        ) {
            self.listed_for.clone_from(&self.shared.picked);
        }
        if view == ViewId::Samples && self.opens_matrix() {
            self.set_look(Look::Matrix);
        }
        if view == ViewId::Samples && !self.walks_list() {
            self.shared.list.table = TableState::default();
        }
        self.show(view)
    }

    /// Returns true if the samples open as a matrix. This requires several selected models and no
    /// model in the lens. A list that the user left with the same selection stays a list.
    fn opens_matrix(&self) -> bool {
        let shared = &self.shared;
        shared.list.look == Look::List
            && shared.picked.len() > 1
            && shared.picked != self.listed_for
            && shared.lens.model.is_none()
            && self.drawn.screen.width >= MATRIX
    }

    /// Returns true if a sample of the lens's list is on screen, so that the list must keep its
    /// cursor.
    fn walks_list(&self) -> bool {
        let shared = &self.shared;
        let asked = shared.list.answers.as_ref().map(|(asked, _)| asked);
        matches!(shared.view, ViewId::Sample | ViewId::Playground)
            && asked == Some(&shared.samples_query())
    }

    /// Returns the ability and model under the cursor. Without a cursor, returns the lens's ability
    /// and model.
    fn under_cursor(&self) -> Option<(String, String)> {
        let shared = &self.shared;
        match shared.view {
            ViewId::Fingerprint => {
                let model = shared.models().into_iter().nth(shared.cell.row);
                Some((shared.ability_under_cursor()?, model.unwrap_or_default()))
            }
            ViewId::Samples | ViewId::Sample if shared.list.here().is_some() => {
                let table = &shared.table;
                let row = Row(shared.list.here()?);
                let ability = table.ability(table.item(row))?.name.clone();
                Some((ability, table.names().model(table.model(row)).to_owned()))
            }
            ViewId::Compare => Some((self.views.compare.ability(shared)?, String::new())),
            _ => {
                let lens = &shared.lens;
                Some((
                    lens.ability.clone()?,
                    lens.model.clone().unwrap_or_default(),
                ))
            }
        }
    }

    /// Carries benchmark, ability and model under the cursor to the next view. The lens stays the
    /// same, so that a cursor never filters the samples.
    fn carry(&mut self, view: ViewId) {
        if view == ViewId::Overview {
            self.views.overview.go_to(&self.shared);
        } else if self.shows(ViewId::Overview)
            && let Some(benchmark) = self.views.overview.benchmark(&self.shared)
        {
            self.set_benchmark(benchmark);
        }
        let Some((ability, model)) = self.under_cursor() else {
            return;
        };
        let shared = &mut self.shared;
        shared.point_at_ability(&ability);
        let row = shared.models().iter().position(|known| *known == model);
        shared.cell.row = row.unwrap_or(shared.cell.row);
        if view == ViewId::Compare && shared.view == ViewId::Fingerprint {
            shared.compare_first(&model);
        }
        shared.carried = (view == ViewId::Compare).then_some(ability);
    }

    /// Moves the comparison's cursor to the ability carried from the previous view.
    pub(super) fn put_carried_ability(&mut self) {
        if let Some(ability) = self.shared.carried.take() {
            self.views.compare.go_to(&self.shared, &ability);
        }
    }

    /// Adds the current place to the history.
    pub fn remember(&mut self) {
        let here = self.visit();
        self.history.before.push(here);
        self.history.after.clear();
        let extra = self.history.before.len().saturating_sub(LONGEST);
        self.history.before.drain(..extra);
    }

    /// Saves the view on screen under a name.
    pub(super) fn save_view(&mut self, name: &str) -> Vec<Effect> {
        let name = name.trim();
        if name.is_empty() {
            return self.notify("not saved: the name is empty");
        }
        let view = Box::new(StoredView::from_app(self));
        vec![Effect::ChangeViews(SavedViewChange::Save(
            name.to_owned(),
            view,
        ))]
    }

    /// Goes to a saved view. Parts that the open logs do not contain are skipped.
    pub(super) fn go_to_saved(&mut self, name: &str) -> Vec<Effect> {
        let Some(view) = self.shared.saved.get(name).cloned() else {
            return Vec::new();
        };
        self.remember();
        self.shared.pane = Pane::View;
        // Reset the current place, even if the open logs lack parts of the saved view.
        self.shared.lens = Lens::default();
        self.shared.cut = SubgroupBins::default();
        self.shared.list.of = ListSource::Lens;
        self.shared.list.group = None;
        view.clone().restore(self, false);
        let missing = view.missing_in(&StoredView::from_app(self));
        if !missing.is_empty() {
            let missing = missing.join(" and ");
            let words = format!("not in these logs, so left out of the view: {missing}");
            self.shared.notice = Some(words);
        }
        self.ask_all()
    }

    /// Goes back to the previous place. At the start of the history, clears the filter, then the
    /// rest of the lens.
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

    /// Goes to the place that `back` left most recently.
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
            other: self.shared.list.other.clone(),
            reverse: self.shared.list.reverse,
            group: self.shared.list.group.clone(),
            cursors: self.cursors(),
        }
    }

    /// Returns the current cursors of all views.
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

    /// Returns the prediction under the cursor of the sample list.
    pub fn row_under_cursor(&self) -> Option<Row> {
        self.shared.list.here().map(Row)
    }

    /// Updates the row numbers of all stored cursors after the table changed.
    pub(super) fn renumber_cursors(&mut self, moved: &RowMap) {
        let visits = self.history.before.iter_mut();
        let visits = visits.chain(&mut self.history.after);
        let cursors = visits.map(|visit| &mut visit.cursors);
        for cursors in cursors.chain(&mut self.awaited) {
            cursors.sample = cursors.sample.and_then(|row| moved.row(row));
        }
    }

    /// Restores the cursors now, and again when the answers arrive: until then the lists can be too
    /// short.
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

    /// Restores the cursors that waited for an answer. A key press before the answer cancels this.
    pub fn put_awaited(&mut self) {
        if let Some(cursors) = self.awaited.take() {
            self.put(cursors);
        }
    }

    fn return_to(&mut self, visit: Visit) -> Vec<Effect> {
        let asked_again = visit.lens.filter != self.shared.lens.filter
            || visit.lens.scoring != self.shared.lens.scoring;
        let mut cursors = visit.cursors;
        // A list sorted by likeness is a separate place in the history. Other sort orders are not
        // restored.
        let is_like = |other: Option<&OtherOrder>| matches!(other, Some(OtherOrder::Like(_)));
        let list = &mut self.shared.list;
        if is_like(list.other.as_ref()) || is_like(visit.other.as_ref()) {
            (list.other, list.reverse) = (visit.other, visit.reverse);
            list.group = visit.group;
        }
        let list = &self.shared.list.answers;
        let query = self.shared.samples_query();
        let is_same = list.as_ref().is_none_or(|(asked, _)| *asked == query);
        if visit.lens == self.shared.lens && is_same {
            // The list is unchanged, so its cursor stays on the last sample that was shown.
            cursors.samples = self.shared.list.table;
            cursors.sample = self.row_under_cursor();
        }
        self.shared.lens = visit.lens;
        self.shared.view = visit.view;
        self.shared.pane = Pane::View;
        // A matrix opens automatically for several models, so the previous look is restored when
        // the user leaves it.
        if visit.view == ViewId::Samples || self.shared.list.look == Look::Matrix {
            self.set_look(visit.look);
        }
        self.restore(cursors);
        if asked_again {
            self.ask_all()
        } else {
            self.look_again()
        }
    }

    /// Receives a new list of samples. If it has only another model's answer to the sample on
    /// screen, shows that answer. While a sample of a fixed list, for example a spot check, is on
    /// screen, that list is not replaced.
    pub(super) fn receive_samples(
        &mut self,
        found: SortedSamples,
        asked: Samples,
        generation: Generation,
    ) -> Vec<Effect> {
        if self.shows(ViewId::Sample) && self.shared.list.of != ListSource::Lens {
            return Vec::new();
        }
        let shown = self.row_under_cursor();
        let held = self.hold_sample();
        self.shared.list.rows = found.rows;
        self.shared.list.revision += 1;
        self.shared.list.outline = found.outline;
        self.shared.list.grouped.clone_from(&asked.group);
        self.shared.list.groups = found.groups;
        self.shared.list.of = ListSource::Lens;
        let has_drill_down = self.view().drill_down(&self.shared).is_some();
        let is_behind = has_drill_down && asked != self.shared.samples_query();
        self.shared.list.answers = Some((asked, generation));
        self.keep_sample(held);
        if is_behind {
            // The samples in the pane next to a view start at the top whenever the view's cursor
            // moves.
            self.shared.list.table = TableState::default();
            self.shared.growth.list = None;
            return Vec::new();
        }
        self.keep_listed_marks();
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

    /// Deselects predictions that are not listed, because keys act only on listed predictions.
    pub(super) fn keep_listed_marks(&mut self) {
        let shared = &mut self.shared;
        let before = shared.marked.len();
        if before > 0 {
            let listed: HashSet<u32> = shared.list.rows.iter().copied().collect();
            shared.marked.retain(|row| listed.contains(row));
        }
        let lost = (before - shared.marked.len()) as u64;
        if lost > 0 {
            let words = format!("{} not listed here: deselected", counted(lost, "answer"));
            shared.notice = Some(words);
        }
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
