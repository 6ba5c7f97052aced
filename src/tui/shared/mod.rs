//! State shared by all views: table, lens, answers and selections.
//!
//! Views and popups only read it. They return changes, which the app applies.

mod answers;
mod even_bins;
mod large;
mod list;
mod pair;
mod record_cache;
mod tiles;
mod verdicts;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use crate::widget::heat_grid::HeatGridState;
use crate::widget::theme::{ColorDepth, Theme};
use analysis::Split;
use base::config::Prices;
use base::format::visible;
use base::job::Failure;
use engine::{Order, Samples, Scope, Splits};
use record::benchmark::Bins;
use record::{Generation, Row, Table};
use workspace::Lens;
use workspace::answered::GroupBy;
use workspace::columns::UnmappedTable;
use workspace::filter::filter_for_samples;
use workspace::follow::PollResult;
use workspace::load::{Progress, Request};
use workspace::page::Sort;

use super::action::Action;
use super::change::DrillDown;
use super::effect::{Effect, ask};
use super::frame_output::{Pane, PreviewPosition, ScrollState};
use super::keymap::{Keymap, ViewId};
use super::links::FileLinks;
use super::memo::Memo;
use super::meter::Meter;
use super::picture::Pictures;
use super::saved_views::SavedViews;

pub use answers::{Answers, PairComparison, same_column};
use even_bins::EvenBins;
pub use large::LargeState;
pub use list::{ColumnChoice, ListColumn, ListSource, Look, OtherOrder, SampleList, SecondModel};
pub use pair::MOST_PICKED;
pub use record_cache::{FrameNeeds, RecordCache};
pub use tiles::Tiles;
pub use verdicts::{Verdicts, key_of};

/// Progress of loading.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Loading {
    /// No progress reported yet.
    #[default]
    Starting,
    /// Progress so far.
    Running(Progress),
    /// All logs are read.
    Done,
    /// Reading ended early.
    Failed(Failure),
}

impl Loading {
    /// Returns true if reading has ended.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }
}

/// State of growing logs.
#[derive(Clone, Debug, Default)]
pub struct GrowthState {
    /// Predictions per second while logs grow.
    pub rate: Option<f64>,
    /// Result and cost of the last store check.
    pub last_poll: Option<PollResult>,
    /// True if cursors stay on their items. This starts when a complete table is replaced for the
    /// first time.
    pub followed: bool,
    /// Lens and order of the current list of samples.
    pub list: Option<(Lens, Sort, Option<OtherOrder>, bool)>,
}

/// Tag and bins that split an ability into subgroups.
#[derive(Clone, Debug, Default)]
pub struct SubgroupBins {
    /// Preferred tag. An ability without this tag uses its first tag.
    pub tag: Option<String>,
    /// The user's bins.
    pub bins: Option<Bins>,
    /// The user's bins as written on the command line. Empty for the default bins; `None` if the
    /// program chooses bins with enough samples.
    pub bins_text: Option<String>,
}

/// State shared by all views.
pub struct AppState {
    /// Open logs and how to read them.
    pub request: Request,
    /// True once the user was asked about unclear names.
    pub asked_names: bool,
    /// Tables with unknown columns, as found when the logs were read.
    pub unknown_tables: Vec<UnmappedTable>,
    /// The loaded table.
    pub table: Table,
    /// State of a data set that does not fit in memory.
    pub large: Option<LargeState>,
    /// Token prices of models.
    pub prices: Prices,
    /// Progress of loading.
    pub loading: Loading,
    /// State of growing logs.
    pub growth: GrowthState,
    /// Lens: the filter and selection of all views.
    pub lens: Lens,
    /// Latest answers to queries.
    pub answers: Answers,
    /// The view on screen.
    pub view: ViewId,
    /// History of filters, newest last.
    pub filters: Vec<String>,
    /// Views that the user saved under a name.
    pub saved: SavedViews,
    /// Files whose names on screen are links.
    pub links: FileLinks,
    /// Files that are being written in the background.
    pub writing: Vec<PathBuf>,
    /// Notice to the user, cleared by the next key.
    pub notice: Option<String>,
    /// Selected models, at most three.
    pub picked: Vec<String>,
    /// Predictions selected in a list.
    pub marked: BTreeSet<u32>,
    /// Cursor of the fingerprint. Other views start with its model and ability.
    pub cell: HeatGridState,
    /// Ability to which the comparison's cursor will move when the comparison arrives.
    pub carried: Option<String>,
    /// Tag and bins that split the ability.
    pub cut: SubgroupBins,
    /// Bins that the program chose for the current split.
    even: Memo<(Generation, [String; 3]), Option<EvenBins>>,
    /// The list of samples.
    pub list: SampleList,
    /// Tiles of the list, cached for its revision.
    pub(super) tiles: Memo<u64, Tiles>,
    /// The pane that receives the arrow keys.
    pub pane: Pane,
    /// Scroll position of the preview.
    pub preview: PreviewPosition,
    /// Cache of records loaded from their logs.
    pub fetched: RecordCache,
    /// The second model, whose answer is shown next to the first.
    pub second: SecondModel,
    /// Models chosen for comparison, and the selected models at that time.
    pub pair: Option<([String; 2], Vec<String>)>,
    /// Verdicts on labels.
    pub verdicts: Verdicts,
    /// Cache of ready and requested pictures.
    pub pictures: Pictures,
    /// Counter of bytes written to the terminal.
    pub meter: Meter,
    /// Key bindings.
    pub keymap: Keymap,
    /// Colours of the screen.
    pub theme: Theme,
    /// Colour depth of the terminal.
    pub depth: ColorDepth,
}

impl AppState {
    /// Creates the state before anything is read.
    pub fn new(theme: &Theme, depth: ColorDepth, lens: Lens) -> Self {
        Self {
            request: Request::default(),
            asked_names: false,
            unknown_tables: Vec::new(),
            table: Table::default(),
            large: None,
            prices: Prices::default(),
            loading: Loading::default(),
            growth: GrowthState::default(),
            lens,
            answers: Answers::default(),
            view: ViewId::Fingerprint,
            filters: Vec::new(),
            saved: SavedViews::default(),
            links: FileLinks::default(),
            writing: Vec::new(),
            notice: None,
            picked: Vec::new(),
            marked: BTreeSet::new(),
            cell: HeatGridState::default(),
            carried: None,
            cut: SubgroupBins::default(),
            even: Memo::default(),
            list: SampleList {
                sort: Sort::Worst,
                ..SampleList::default()
            },
            tiles: Memo::default(),
            pane: Pane::default(),
            preview: PreviewPosition::default(),
            fetched: RecordCache::default(),
            second: SecondModel::default(),
            pair: None,
            verdicts: Verdicts {
                author: "anonymous".to_owned(),
                ..Verdicts::default()
            },
            pictures: Pictures::default(),
            meter: Meter::default(),
            keymap: Keymap::default(),
            theme: theme.clone().at_depth(depth),
            depth,
        }
    }

    /// Stores the scroll position of a shared list or grid after drawing.
    pub fn keep(&mut self, scrolled: &ScrollState) {
        match scrolled {
            ScrollState::Samples(table) => self.list.table = *table,
            ScrollState::Cell(cell) => self.cell = *cell,
            _ => {}
        }
    }

    /// Returns true if reading has ended.
    pub const fn is_loaded(&self) -> bool {
        self.loading.is_over()
    }

    /// Returns the base name for output files about the screen. Empty if the screen shows all
    /// benchmarks.
    pub fn file_stem(&self) -> &str {
        match self.view {
            ViewId::Overview => "",
            _ => &self.lens.benchmark,
        }
    }

    /// Returns true if there are neither samples nor published scores.
    pub fn is_empty(&self) -> bool {
        self.large.is_none() && self.table.is_empty() && self.table.published().is_empty()
    }

    /// Returns true if the sample on screen belongs to the spot check.
    pub fn is_checking_here(&self) -> bool {
        self.list.is_check() && self.view == ViewId::Sample
    }

    /// Returns true if the samples view shows a matrix of all answers or the confusion matrix.
    pub fn shows_matrix(&self) -> bool {
        self.view == ViewId::Samples && matches!(self.list.look, Look::Matrix | Look::Confusion)
    }

    /// Returns the selected predictions in list order; without a selection, the whole list.
    pub fn chosen(&self) -> Vec<u32> {
        if self.marked.is_empty() {
            return self.list.rows.clone();
        }
        let rows = self.list.rows.iter().copied();
        rows.filter(|row| self.marked.contains(row)).collect()
    }

    /// Returns a lens that selects the samples of the selected predictions. Without a selection,
    /// returns the current lens. Returns `None` if the selection is too large for a filter.
    pub fn chosen_lens(&self) -> Option<Lens> {
        let ids = self.marked.iter();
        let ids = ids.map(|row| self.table.sample_id(self.table.item(Row(*row))));
        let ids: BTreeSet<&str> = ids.collect();
        if ids.is_empty() {
            return Some(self.lens.clone());
        }
        Some(Lens {
            step: filter_for_samples(&ids)?,
            ..self.lens.clone()
        })
    }

    /// Returns true if the samples view is on screen with this look.
    pub fn shows(&self, look: Look) -> bool {
        self.view == ViewId::Samples && self.list.look == look
    }

    /// Describes the part of the benchmark that the lens selects: `counting, / correct:false`.
    pub fn lens_words(&self) -> String {
        let mut steps = self.lens.steps(0).split_off(1);
        if self.lens.model.is_none() {
            // Remove the step that contains the number of models.
            steps.remove(1);
        }
        visible(&steps.join(", ")).into_owned()
    }

    /// Returns true if keys give verdicts here: always in a spot check, otherwise only if judging
    /// is on.
    pub fn is_judging(&self) -> bool {
        let has_samples = matches!(self.view, ViewId::Sample | ViewId::Samples);
        let has_samples = has_samples && !self.shows(Look::Confusion);
        self.is_checking_here() || self.verdicts.judging && has_samples
    }

    /// Returns the tiles of the list: each sample once per group.
    pub fn tiles(&self) -> Rc<Tiles> {
        let list = &self.list;
        let make = |_: &u64| Tiles::new(&self.table, &list.rows, &list.groups);
        self.tiles.of(list.revision, make)
    }

    /// Returns true if the models' answers to this row's sample are hidden.
    pub fn is_blind(&self, row: u32) -> bool {
        self.list.is_check() && self.verdicts.revealed != Some(row)
    }

    /// Returns the first key of an action in a view; empty if the action has no key.
    pub fn key(&self, view: ViewId, action: Action) -> String {
        let mut binds = self.keymap.keys_for(view);
        let bind = binds.find(|bind| bind.action == action);
        let key = bind.and_then(|bind| bind.keys.first());
        key.map(ToString::to_string).unwrap_or_default()
    }

    /// Returns the models of the lens's benchmark, best average rank first.
    pub fn models(&self) -> Vec<String> {
        let ranks = self.answers.average_ranks.iter();
        let ranks = ranks.filter(|rank| rank.benchmark == self.lens.benchmark);
        let mut known = HashSet::new();
        let new = ranks.filter(|rank| known.insert(&rank.model));
        new.map(|rank| rank.model.clone()).collect()
    }

    /// Describes when answers with graded scores count as correct: `right: ANLS ≥ 0.5, MAE/GT exact
    /// when rounded`.
    pub fn right(&self) -> Option<String> {
        let shown = |score: &&analysis::Score| {
            score.headline
                && score.origin == analysis::Origin::Samples
                && score.benchmark == self.lens.benchmark
                && self
                    .lens
                    .ability
                    .as_ref()
                    .is_none_or(|ability| *ability == score.ability)
        };
        let mut words: Vec<String> = Vec::new();
        for score in self.answers.scores.iter().filter(shown) {
            let right = analysis::right_in(&self.table, &score.ability, &score.metric);
            let Some(from) = right.and_then(record::benchmark::RightThreshold::words) else {
                continue;
            };
            let metric = record::benchmark::metric_symbol(&score.metric);
            let rule = format!("{} {from}", base::format::visible(&metric));
            if !words.contains(&rule) {
                words.push(rule);
            }
        }
        (!words.is_empty()).then(|| format!("right if {}", words.join(", ")))
    }

    /// Returns true if a benchmark has only published scores and no samples.
    pub fn is_published_only(&self, benchmark: &str) -> bool {
        let mut opened = self.answers.opened.iter();
        let opened = opened.find(|opened| opened.benchmark == benchmark);
        opened.is_some_and(|opened| opened.printed > 0 && opened.items + opened.answers == 0)
    }

    /// Returns the models of [`AppState::models`] that have samples.
    pub fn answered(&self) -> Vec<String> {
        let mut models = self.models();
        let names = &self.table.names().models;
        models.retain(|model| names.find(model.as_str()).is_some());
        models
    }

    /// Returns the model with which the samples on screen are compared: the other model of the
    /// comparison or of the lens.
    pub fn versus(&self) -> Option<&str> {
        if self.view != ViewId::Compare {
            return self.lens.versus.as_deref();
        }
        let [_, b] = self.compared()?;
        let mut known = self
            .table
            .names()
            .models
            .values()
            .iter()
            .map(String::as_str);
        known.find(|name| *name == b)
    }

    /// Returns the models for charts: the selected models, otherwise the lens's model, otherwise
    /// the model under the fingerprint's cursor.
    pub fn charted(&self) -> Vec<String> {
        let models = self.models();
        let picked = self.picked.iter().filter(|model| models.contains(model));
        let picked: Vec<String> = picked.cloned().collect();
        if !picked.is_empty() {
            return picked;
        }
        let cursor = models.get(self.cell.row).or(models.first());
        let model = self.lens.model.clone().or_else(|| cursor.cloned());
        model.into_iter().collect()
    }

    /// Returns the ranked abilities of the lens's benchmark, in the order of the papers.
    pub fn abilities(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let scores = self.answers.scores.iter();
        for score in scores.filter(|score| score.benchmark == self.lens.benchmark && score.counts())
        {
            if names.last() != Some(&score.ability) && !names.contains(&score.ability) {
                names.push(score.ability.clone());
            }
        }
        names
    }

    /// Returns the ability under the fingerprint's cursor.
    pub fn ability_under_cursor(&self) -> Option<String> {
        let shown = self.answers.columns(&self.lens.benchmark);
        let column = shown.get(self.cell.column).or(shown.first());
        column.map(|score| score.ability.clone())
    }

    /// Moves the fingerprint's cursor to an ability, if it has a column.
    pub fn point_at_ability(&mut self, ability: &str) {
        let columns = self.answers.columns(&self.lens.benchmark);
        let column = columns.iter().position(|score| score.ability == ability);
        self.cell.column = column.unwrap_or(self.cell.column);
    }

    /// Returns the index of the current split: the split of the preferred tag, otherwise the first
    /// split.
    pub fn split_index(&self) -> usize {
        let is_wanted = |split: &Split| {
            let tag = split.parts.first().map(|part| &part.name);
            tag.is_some() && tag == self.cut.tag.as_ref()
        };
        self.answers.splits.iter().position(is_wanted).unwrap_or(0)
    }

    /// Returns the current split of the subgroups, with the chosen bins.
    pub fn split(&self) -> Option<Split> {
        let mut split = self.answers.splits.get(self.split_index())?.clone();
        if !self.has_bins() {
            return Some(split);
        }
        let (bins, text) = match self.cut.bins_text.as_deref() {
            None => self.even_bins().unzip(),
            Some("") => (None, None),
            Some(text) => (self.cut.bins.clone(), Some(text.to_owned())),
        };
        for part in &mut split.parts {
            part.bins.clone_from(&bins);
        }
        if let Some(text) = text {
            split.text = format!("{}:{text}", split.text);
        }
        Some(split)
    }

    /// Returns the split for a comparison of two models. Tags of answers cannot split it, because
    /// each model has its own answers.
    pub fn split_of_samples(&self) -> Option<Split> {
        self.split()
            .filter(|split| !split.is_of_answers(&self.table))
    }

    /// Returns the query for the splits of the lens's ability, unless they are known.
    pub fn ask_splits(&self) -> Option<Effect> {
        let ability = self.lens.ability.clone().unwrap_or_default();
        let of = (self.lens.benchmark.clone(), ability);
        let known = self.answers.splits_of.as_ref() == Some(&of);
        let (benchmark, ability) = of;
        (!known).then(|| ask(Splits { benchmark, ability }))
    }

    /// Returns the scope of a lens.
    pub fn scope(&self, lens: &Lens) -> Scope {
        Scope::of(lens, &self.table)
    }

    /// Returns the query of the sample list.
    pub fn samples_query(&self) -> Samples {
        Samples {
            group: self.list.group.clone(),
            ..self.samples_of(&self.lens, None)
        }
    }

    /// Returns the query for the samples of a lens. They are sorted by `own`, or in the order of
    /// the sample list.
    fn samples_of(&self, lens: &Lens, own: Option<Sort>) -> Samples {
        let by = |sort, reverse| Order::By { sort, reverse }.versus(lens.versus.as_ref());
        Samples {
            scope: self.scope(lens),
            order: match (own, &self.list.other) {
                (Some(sort), _) => by(sort, false),
                (None, Some(OtherOrder::Tag(name))) => Order::Tag {
                    name: name.clone(),
                    reverse: self.list.reverse,
                },
                // Embeddings are too slow for the samples in the side pane, which change with every
                // cursor move.
                (None, Some(OtherOrder::Like(like))) if *lens == self.lens => {
                    Order::Like(like.clone())
                }
                (None, _) => by(self.list.sort, self.list.reverse),
            },
            limit: None,
            group: None,
        }
    }

    /// Returns true while the list on screen waits for embeddings of its samples.
    pub fn is_comparing(&self) -> bool {
        let is_answered = || {
            let known = self.list.answers.as_ref();
            known.is_some_and(|(asked, _)| *asked == self.samples_query())
        };
        let needs_codes = matches!(self.list.other, Some(OtherOrder::Like(_)))
            || matches!(self.list.group, Some(GroupBy::Look(_)));
        self.view == ViewId::Samples && needs_codes && !is_answered()
    }

    /// Returns all samples of the lens, for a view that lists them. Returns `None` if the list
    /// holds samples from another source, or if the benchmark has no samples.
    pub fn lens_samples(&self) -> Option<DrillDown> {
        let is_free = self.list.of == ListSource::Lens;
        let has_samples = !self.is_published_only(&self.lens.benchmark);
        (is_free && has_samples).then(|| DrillDown::new(self.lens.clone()))
    }

    /// Returns the query for the samples behind a cursor, unless the list already contains
    /// them.
    pub fn lacks_samples(&self, drill: &DrillDown) -> Option<Samples> {
        let asked = (
            self.samples_of(&drill.lens, drill.sort),
            self.table.generation(),
        );
        let is_known = self.list.answers.as_ref() == Some(&asked);
        (!is_known).then_some(asked.0)
    }
}
