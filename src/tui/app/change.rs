//! Applies the changes requested by views and popups.

use super::App;
use crate::change::{Change, DrillDown, SampleRows};
use crate::effect::Effect;
use crate::frame_output::Pane;
use crate::keymap::ViewId;
use crate::popup::Popup;
use crate::screen::SampleTab;
use crate::shared::{ListColumn, ListSource, Loading, Look, MOST_PICKED, OtherOrder};
use crate::widget::heat_grid::HeatGridState;
use crate::widget::table::TableState;
use base::config::{ColumnMap, Decision};
use workspace::Lens;
use workspace::answered::GroupBy;
use workspace::outline::outline;

/// Maximum number of earlier filters in the history.
const KEPT: usize = 50;

impl App {
    /// Applies changes in order. Returns effects for the event loop.
    pub fn apply(&mut self, changes: Vec<Change>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for change in changes {
            effects.extend(self.change(change));
        }
        effects
    }

    fn change(&mut self, change: Change) -> Vec<Effect> {
        let shared = &mut self.shared;
        match change {
            Change::Do(effect) => return vec![effect],
            Change::Act(action) => return self.act(action),
            Change::Refresh => return self.refresh(),
            Change::Show(at) => return self.show_sample(at),
            Change::OpenSample => return self.open_sample(),
            Change::OpenRows(rows) => return self.open_rows(*rows),
            Change::OpenFlips(flips) => {
                self.views.flip.begin(*flips);
                return self.go(ViewId::Flip);
            }
            Change::OpenLens(drill) => return self.open_lens(*drill),
            Change::Benchmark(name) => return self.open_benchmark(name),
            Change::Narrow(lens) => return self.narrow(lens),
            Change::Filter(text) => return self.take_filter(text),
            Change::SaveView(name) => return self.save_view(&name),
            Change::SavedView(name) => return self.go_to_saved(&name),
            Change::PopUp(popup) => return self.pop_up(*popup),
            Change::Tour(at) => return self.tour(at),
            Change::Find(step) => return self.find(step),
            Change::Write(order) => return self.write(&order),
            Change::Judge(judging) => return self.judge(judging),
            Change::Columns(map) => return self.take_columns(*map),
            Change::Runs(chosen) => {
                shared.loading = Loading::Starting;
                return vec![Effect::ChooseRuns(chosen)];
            }
            Change::Cut(ability, metric, steps) => {
                return self.move_threshold(&ability.name, &metric, steps);
            }
            Change::Decide(decision) => return self.add_decision(decision),
            Change::Pair(models) => {
                shared.compare(models);
                return self.refresh();
            }
            Change::Tag(name) => return self.split_by(name),
            Change::LiveField(name, text) => {
                let changes = self.views.live.set_field(shared, name, &text);
                return self.apply(changes);
            }
            Change::LiveProtocol(protocol) => self.views.live.select_saved_protocol(protocol),
            Change::UsedModel(model) => self.views.live.recent.add(model),
            Change::PlaygroundField(name, text) => {
                let changes = self.views.playground.set_field(shared, name, &text);
                return self.apply(changes);
            }
            Change::KeepVariant(name) => {
                let changes = self.views.playground.keep_as(shared, &name);
                return self.apply(changes);
            }
            Change::LiveWords(words, done) => {
                self.views.live.set_wordings(words);
                if done {
                    self.views.live.end_words();
                }
            }
            Change::Say(words) => shared.notice = Some(words),
            Change::Cell(cell) => shared.cell = cell,
            Change::Second(second) => shared.second = second,
            Change::Select(row) => shared.list.table.selected = row,
            Change::SortBy(column) => return self.sort_by(&column),
            Change::ListColumns(choice) => shared.list.columns = *choice,
            Change::Look(look) => self.set_look(look),
            Change::Group(by) => return self.group(by),
            Change::MarkAll(rows) => self.mark_all(rows),
            Change::Mark(row) => self.mark(row),
            Change::Pick(model) => self.pick(model),
            Change::Bandwidth => self.next_bandwidth(),
            Change::Close => {
                self.popups.pop();
                return self.ask_popup();
            }
        }
        Vec::new()
    }

    fn pick(&mut self, model: String) {
        let picked = &mut self.shared.picked;
        if let Some(at) = picked.iter().position(|known| *known == model) {
            picked.remove(at);
        } else if picked.len() < MOST_PICKED {
            picked.push(model);
        } else {
            self.shared.notice = Some("at most three models can be selected".to_owned());
        }
    }

    fn sort_by(&mut self, column: &ListColumn) -> Vec<Effect> {
        let list = &mut self.shared.list;
        let before = (list.sort, list.other.clone());
        match (column, column.sort()) {
            (ListColumn::Tag(name), _) => list.other = Some(OtherOrder::Tag(name.clone())),
            (_, Some(sort)) => (list.sort, list.other) = (sort, None),
            (_, None) => {
                return self.notify("the list cannot be sorted by this column");
            }
        }
        list.reverse = before == (list.sort, list.other.clone()) && !list.reverse;
        self.refresh()
    }

    /// Groups the samples by another key, and moves the cursor to the top.
    fn group(&mut self, by: Option<GroupBy>) -> Vec<Effect> {
        if by.is_some() {
            self.set_look(Look::Sheet);
        }
        let list = &mut self.shared.list;
        list.group = by;
        list.table = TableState::default();
        self.refresh()
    }

    /// Changes how samples are shown. Clears the selection if the new look does not show the same
    /// predictions; only list and sheet do.
    pub(super) fn set_look(&mut self, look: Look) {
        let shared = &mut self.shared;
        let before = std::mem::replace(&mut shared.list.look, look);
        let is_list = |look| matches!(look, Look::List | Look::Sheet);
        let is_visible = before == look || is_list(before) && is_list(look);
        if is_visible || shared.marked.is_empty() {
            return;
        }
        let count = base::format::counted(shared.marked.len() as u64, "answer");
        shared.marked.clear();
        shared.list.anchor = None;
        shared.notice = Some(format!("{count} deselected"));
    }

    /// Selects predictions, or deselects them if all are already selected.
    fn mark_all(&mut self, rows: Vec<u32>) {
        let shared = &mut self.shared;
        if rows.iter().all(|row| shared.marked.contains(row)) {
            for row in &rows {
                shared.marked.remove(row);
            }
        } else {
            shared.marked.extend(rows);
        }
        self.say_marked();
    }

    fn say_marked(&mut self) {
        let count = self.shared.marked.len() as u64;
        let words = format!("{} selected", base::format::counted(count, "answer"));
        self.shared.notice = Some(words);
    }

    /// Toggles the selection of a prediction.
    fn mark(&mut self, row: u32) {
        let shared = &mut self.shared;
        shared.list.anchor = Some(row);
        if !shared.marked.remove(&row) {
            shared.marked.insert(row);
        }
        self.say_marked();
    }

    fn next_bandwidth(&mut self) {
        let pictures = &mut self.shared.pictures;
        pictures.bandwidth = pictures.bandwidth.next();
        let name = pictures.bandwidth.name();
        self.shared.notice = Some(match pictures.budget() {
            Some(bytes) => format!("bandwidth {name}: at most {} kB per picture", bytes / 1000),
            None => format!("bandwidth {name}: pictures of any size"),
        });
    }

    /// Opens a popup on top, and queries its data.
    pub fn pop_up(&mut self, popup: impl Into<Popup>) -> Vec<Effect> {
        self.popups.push(popup.into());
        self.ask_popup()
    }

    /// Shows the sample at an index of the list.
    pub(super) fn show_sample(&mut self, at: usize) -> Vec<Effect> {
        self.shared.list.table.selected = at;
        self.views.sample.reset_view();
        self.refresh()
    }

    fn open_sample(&mut self) -> Vec<Effect> {
        self.views.sample.reset_view();
        self.views.sample.tab = SampleTab::default();
        self.go(ViewId::Sample)
    }

    fn open_rows(&mut self, rows: SampleRows) -> Vec<Effect> {
        let list = &mut self.shared.list;
        list.outline = outline(&self.shared.table, &rows.list, self.shared.lens.scoring);
        list.groups.clear();
        list.revision += 1;
        list.answers = None;
        (list.rows, list.of, list.table.selected) = (rows.list, rows.of, rows.at);
        self.keep_listed_marks();
        if rows.of == ListSource::Check {
            self.shared.verdicts.revealed = None;
        }
        if let Some(second) = rows.second {
            self.shared.second = second;
        }
        self.open_sample()
    }

    fn open_lens(&mut self, drill: DrillDown) -> Vec<Effect> {
        self.remember();
        let shared = &mut self.shared;
        // A list that is already loaded, for example in the pane next to a view, keeps its cursor.
        if shared.lacks_samples(&drill).is_some() {
            shared.list.table = TableState::default();
        }
        let is_filtered_anew = drill.lens.filter != shared.lens.filter;
        shared.view = ViewId::Samples;
        shared.pane = Pane::View;
        shared.lens = drill.lens;
        if let Some(sort) = drill.sort {
            (shared.list.sort, shared.list.reverse) = (sort, false);
            shared.list.other = None;
        }
        if drill.second {
            shared.second = crate::shared::SecondModel::default();
        }
        if is_filtered_anew {
            return self.ask_all();
        }
        self.refresh()
    }

    /// Shows the fingerprint of a benchmark; `Esc` goes back to the overview.
    fn open_benchmark(&mut self, benchmark: String) -> Vec<Effect> {
        self.remember();
        self.set_benchmark(benchmark);
        self.show(ViewId::Fingerprint)
    }

    /// Sets the lens to a whole benchmark, unless the lens already has this benchmark.
    pub(super) fn set_benchmark(&mut self, benchmark: String) {
        if benchmark != self.shared.lens.benchmark {
            self.shared.lens = Lens {
                benchmark,
                ..self.shared.lens.whole()
            };
            self.shared.cell = HeatGridState::default();
        }
    }

    fn narrow(&mut self, lens: Lens) -> Vec<Effect> {
        if lens == self.shared.lens {
            return Vec::new();
        }
        self.remember();
        let is_filtered_anew = lens.filter != self.shared.lens.filter;
        self.shared.lens = lens;
        self.views.overview.go_to(&self.shared);
        if is_filtered_anew {
            return self.ask_all();
        }
        self.look_again()
    }

    /// Sets the filter and adds it to the history.
    fn take_filter(&mut self, text: String) -> Vec<Effect> {
        if !text.is_empty() {
            let filters = &mut self.shared.filters;
            filters.retain(|known| *known != text);
            filters.push(text.clone());
            let extra = filters.len().saturating_sub(KEPT);
            filters.drain(..extra);
        }
        self.set_filter(text)
    }

    /// Stores a decision about model names for this and later sessions.
    fn add_decision(&mut self, decision: Decision) -> Vec<Effect> {
        if self.shared.request.add_decision(decision.clone()) {
            self.shared.loading = Loading::Starting;
        }
        vec![Effect::SaveDecision(decision)]
    }

    /// Stores the user's choice of the columns' meaning, and reads all sources again.
    fn take_columns(&mut self, map: ColumnMap) -> Vec<Effect> {
        self.popups
            .retain(|popup| !matches!(popup, Popup::Columns(_)));
        self.shared.loading = Loading::Starting;
        vec![Effect::MapColumns(Box::new(map))]
    }
}
