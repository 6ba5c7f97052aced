//! What all views see: the table, the lens, the answers, and what one view leaves for the others.
//!
//! Views and popups borrow it to read. What they want changed they return as a
//! change, which the app makes.

mod answers;
mod fetched;
mod large;
mod list;
mod verdicts;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use analysis::Split;
use benchmark::Bins;
use config::Prices;
use engine::{Order, Samples, Scope, Splits};
use job::Failure;
use record::{Row, Table};
use widget::heat_grid::HeatGridState;
use widget::theme::{ColorDepth, Theme};
use workspace::Lens;
use workspace::filter::samples_named;
use workspace::follow::Looked;
use workspace::load::{Progress, Request};
use workspace::page::Sort;

use super::action::Action;
use super::change::Drill;
use super::drawn::Scrolled;
use super::effect::{Effect, ask};
use super::keymap::{Keymap, ViewId};
use super::meter::Meter;
use super::picture::Pictures;

pub use answers::{Answers, Compared, same_column};
pub use fetched::{Fetched, Wanted};
pub use large::LargeState;
pub use list::{ColumnChoice, ListColumn, ListOf, Look, SampleList, Second};
pub use verdicts::{Verdicts, key_of};

/// How far loading is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Loading {
    /// Nothing was heard yet.
    #[default]
    Starting,
    /// So far.
    Running(Progress),
    /// Everything is read.
    Done,
    /// Reading ended early.
    Failed(Failure),
}

impl Loading {
    /// Returns true if nothing more is to come.
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }
}

/// What is known of logs that grow.
#[derive(Clone, Debug, Default)]
pub struct GrowthState {
    /// Predictions a second while they grow.
    pub rate: Option<f64>,
    /// What looks at the store have cost.
    pub looked: Option<Looked>,
    /// True if lists follow what was under their cursor: since the first time that a whole table was replaced.
    pub followed: bool,
    /// What the list of samples was asked by.
    pub list: Option<(Lens, Sort, bool)>,
}

/// How an ability is cut into subgroups.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// The tag that is wanted; where an ability lacks it, its first.
    pub tag: Option<String>,
    /// The user's bins.
    pub bins: Option<Bins>,
    /// The user's bins as the command line writes them.
    pub bins_text: Option<String>,
}

/// What all views see.
pub struct Shared {
    /// What was opened.
    pub request: Request,
    /// It was asked what names mean.
    pub asked_names: bool,
    /// What is loaded.
    pub table: Table,
    /// What is known of predictions that are not all in memory.
    pub large: Option<LargeState>,
    /// What the tokens of models cost.
    pub prices: Prices,
    /// How far loading is.
    pub loading: Loading,
    /// Logs that grow.
    pub growth: GrowthState,
    /// What is looked at.
    pub lens: Lens,
    /// What is known.
    pub answers: Answers,
    /// The view on screen.
    pub view: ViewId,
    /// Filters that were typed, the latest last.
    pub filters: Vec<String>,
    /// Files that are being written.
    pub writing: Vec<PathBuf>,
    /// A word to the user, until the next key.
    pub notice: Option<String>,
    /// Models that were selected, at most three.
    pub picked: Vec<String>,
    /// Predictions that were selected in a list.
    pub marked: BTreeSet<u32>,
    /// The cell under the fingerprint's cursor: other views begin with its model and its ability.
    pub cell: HeatGridState,
    /// The ability and the model on which the next view opens, once its answer comes.
    pub carried: Option<(String, String)>,
    /// How the ability is cut into subgroups.
    pub cut: Cut,
    /// The list of samples.
    pub list: SampleList,
    /// Records that were fetched from their logs.
    pub fetched: Fetched,
    /// The model whose answer stands beside the first one's.
    pub second: Second,
    /// Models that were chosen to be compared, and what was selected in the fingerprint then.
    pub pair: Option<([String; 2], Vec<String>)>,
    /// What people say of labels.
    pub verdicts: Verdicts,
    /// Pictures that are ready or asked for.
    pub pictures: Pictures,
    /// Bytes that went to the terminal.
    pub meter: Meter,
    /// Keys.
    pub keymap: Keymap,
    /// Colours.
    pub theme: Theme,
    /// How many colours the terminal has.
    pub depth: ColorDepth,
}

impl Shared {
    /// What views see before anything is read.
    pub fn new(theme: &Theme, depth: ColorDepth, lens: Lens) -> Self {
        Self {
            request: Request::default(),
            asked_names: false,
            table: Table::default(),
            large: None,
            prices: Prices::default(),
            loading: Loading::default(),
            growth: GrowthState::default(),
            lens,
            answers: Answers::default(),
            view: ViewId::Fingerprint,
            filters: Vec::new(),
            writing: Vec::new(),
            notice: None,
            picked: Vec::new(),
            marked: BTreeSet::new(),
            cell: HeatGridState::default(),
            carried: None,
            cut: Cut::default(),
            list: SampleList::default(),
            fetched: Fetched::default(),
            second: Second::default(),
            pair: None,
            verdicts: Verdicts::default(),
            pictures: Pictures::default(),
            meter: Meter::default(),
            keymap: Keymap::default(),
            theme: theme.clone().at_depth(depth),
            depth,
        }
    }

    /// Takes back how far what is shared was scrolled when it was drawn.
    pub fn keep(&mut self, scrolled: &Scrolled) {
        match scrolled {
            Scrolled::Samples(table) => self.list.table = *table,
            Scrolled::Cell(cell) => self.cell = *cell,
            _ => {}
        }
    }

    /// Returns true if nothing more is to come.
    pub const fn is_loaded(&self) -> bool {
        self.loading.is_over()
    }

    /// What a file is called after that holds what is looked at; empty where that is everything.
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

    /// Returns true if the sample on screen is one of the spot check.
    pub fn is_checking_here(&self) -> bool {
        self.list.is_check() && self.view == ViewId::Sample
    }

    /// Returns true if the samples on screen are a matrix, of everybody's answers or of targets and answers.
    pub fn shows_matrix(&self) -> bool {
        self.view == ViewId::Samples && matches!(self.list.look, Look::Matrix | Look::Confusion)
    }

    /// The answers that are chosen: those that were selected, in the order of the list, else the whole list.
    pub fn chosen(&self) -> Vec<u32> {
        if self.marked.is_empty() {
            return self.list.rows.clone();
        }
        let rows = self.list.rows.iter().copied();
        let mut chosen: Vec<u32> = rows.filter(|row| self.marked.contains(row)).collect();
        let listed: HashSet<u32> = chosen.iter().copied().collect();
        let others = self.marked.iter().filter(|row| !listed.contains(row));
        chosen.extend(others);
        chosen
    }

    /// The lens of what is chosen: the samples of the answers that were selected, else what it holds. `None` where so
    /// many are selected that no filter can name them.
    pub fn chosen_lens(&self) -> Option<Lens> {
        let ids = self.marked.iter();
        let ids = ids.map(|row| self.table.sample_id(self.table.item(Row(*row))));
        let ids: BTreeSet<&str> = ids.collect();
        if ids.is_empty() {
            return Some(self.lens.clone());
        }
        Some(Lens {
            step: samples_named(&ids)?,
            ..self.lens.clone()
        })
    }

    /// Returns true if keys judge labels here: always in a spot check, elsewhere once that was asked for.
    pub fn is_judging(&self) -> bool {
        let has_samples =
            matches!(self.view, ViewId::Sample | ViewId::Samples) && !self.shows_matrix();
        self.is_checking_here() || self.verdicts.judging && has_samples
    }

    /// Returns true if what the models said of the sample in a row is hidden for now.
    pub fn is_blind(&self, row: u32) -> bool {
        self.list.is_check() && self.verdicts.revealed != Some(row)
    }

    /// The first key of an action in a view.
    pub fn key(&self, view: ViewId, action: Action) -> String {
        let mut binds = self.keymap.keys_for(view);
        let bind = binds.find(|bind| bind.action == action);
        let key = bind.and_then(|bind| bind.keys.first());
        key.map(ToString::to_string).unwrap_or_default()
    }

    /// The models of the lens's benchmark, best average rank first.
    pub fn models(&self) -> Vec<String> {
        let ranks = self.answers.average_ranks.iter();
        let ranks = ranks.filter(|rank| rank.benchmark == self.lens.benchmark);
        let mut known = HashSet::new();
        let new = ranks.filter(|rank| known.insert(&rank.model));
        new.map(|rank| rank.model.clone()).collect()
    }

    /// When answers of the lens count as right, where their metrics are graded: `right: ANLS ≥ 0.5, MAE/GT exact when rounded`.
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
            let Some(from) = right.and_then(benchmark::Right::words) else {
                continue;
            };
            let metric = benchmark::metric_symbol(&score.metric);
            let rule = format!("{} {from}", format::visible(&metric));
            if !words.contains(&rule) {
                words.push(rule);
            }
        }
        (!words.is_empty()).then(|| format!("right: {}", words.join(", ")))
    }

    /// Returns true if the lens's benchmark has published scores alone, so that there is no sample of it.
    pub fn is_published_only(&self) -> bool {
        let scores = self.answers.scores.iter();
        let mut own = scores.filter(|score| score.benchmark == self.lens.benchmark);
        let published = |score: &analysis::Score| score.origin == analysis::Origin::Published;
        own.next().is_some_and(published) && own.all(published)
    }

    /// Those of them that have samples.
    pub fn answered(&self) -> Vec<String> {
        let mut models = self.models();
        let names = &self.table.names().models;
        models.retain(|model| names.find(model.as_str()).is_some());
        models
    }

    /// The two models that are compared: those chosen for it, else the first two that were selected, else the
    /// lens's model and the best other one.
    pub fn compared(&self) -> Option<[String; 2]> {
        let known = self.answered();
        let chosen = self.pair.as_ref().filter(|(models, picked)| {
            *picked == self.picked && models.iter().all(|model| known.contains(model))
        });
        if let Some((models, _)) = chosen {
            return Some(models.clone());
        }
        let mut wanted: Vec<&String> = self.picked.iter().chain(&self.lens.model).collect();
        wanted.extend(&known);
        wanted.retain(|model| known.contains(model));
        let a = (*wanted.first()?).clone();
        let b = wanted.into_iter().find(|model| **model != a)?.clone();
        Some([a, b])
    }

    /// The model with which the samples on screen are compared: that of the comparison, or of the lens.
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

    /// Returns true if the comparison that is known is one of other models than those that are compared now: ranks
    /// may change while logs are read.
    pub fn is_comparison_stale(&self) -> bool {
        let known = self.answers.comparison.as_ref();
        self.compared() != known.map(|known| known.models.clone())
    }

    /// The models that charts show: those that were selected, else the lens's, else the one under the
    /// fingerprint's cursor.
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

    /// The abilities of the lens's benchmark that rank, in the papers' order.
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

    /// The ability under the fingerprint's cursor.
    pub fn ability_under_cursor(&self) -> Option<String> {
        let shown = self.answers.columns(&self.lens.benchmark);
        let column = shown.get(self.cell.column).or(shown.first());
        column.map(|score| score.ability.clone())
    }

    /// Which of the known splits is shown: that of the wanted tag, else the first.
    pub fn split_index(&self) -> usize {
        let is_wanted = |split: &Split| {
            let tag = split.parts.first().map(|part| &part.name);
            tag.is_some() && tag == self.cut.tag.as_ref()
        };
        self.answers.splits.iter().position(is_wanted).unwrap_or(0)
    }

    /// The split that subgroups are made by.
    pub fn split(&self) -> Option<Split> {
        let mut split = self.answers.splits.get(self.split_index())?.clone();
        for part in &mut split.parts {
            part.bins.clone_from(&self.cut.bins);
        }
        if let Some(bins) = &self.cut.bins_text {
            split.text = format!("{}:{bins}", split.text);
        }
        Some(split)
    }

    /// The splits of the lens's ability, where they are not known yet.
    pub fn ask_splits(&self) -> Option<Effect> {
        let ability = self.lens.ability.clone().unwrap_or_default();
        let of = (self.lens.benchmark.clone(), ability);
        let known = self.answers.splits_of.as_ref() == Some(&of);
        let (benchmark, ability) = of;
        (!known).then(|| ask(Splits { benchmark, ability }))
    }

    /// What a lens holds.
    pub fn scope(&self, lens: &Lens) -> Scope {
        Scope::of(lens, &self.table)
    }

    /// The query of the sample list.
    pub fn samples_query(&self) -> Samples {
        Samples {
            group: self.list.group.clone(),
            ..self.samples_of(&self.lens, None)
        }
    }

    /// The query of a list of what a lens holds, in an order of its own or that of the sample list.
    fn samples_of(&self, lens: &Lens, own: Option<Sort>) -> Samples {
        let versus = lens.versus.as_ref();
        Samples {
            scope: self.scope(lens),
            order: match (own, &self.list.by_tag) {
                (Some(sort), _) => Order::new(sort, false, versus),
                (None, Some(name)) => Order::Tag {
                    name: name.clone(),
                    reverse: self.list.reverse,
                },
                (None, None) => Order::new(self.list.sort, self.list.reverse, versus),
            },
            limit: None,
            group: None,
        }
    }

    /// The query of what stands behind a cursor, unless the list of samples answers it.
    pub fn lacks_samples(&self, drill: &Drill) -> Option<Samples> {
        let asked = (
            self.samples_of(&drill.lens, drill.sort),
            self.table.generation(),
        );
        let is_known = self.list.answers.as_ref() == Some(&asked);
        (!is_known).then_some(asked.0)
    }
}
