//! Performs actions that are the same in every view.

use super::App;
use crate::action::Action;
use crate::change::{Change, SearchStep};
use crate::effect::Effect;
use crate::frame_output::Pane;
use crate::keymap::ViewId;
use crate::order::OutputKind;
use crate::popup::{
    FilterTyping, GroupPicker, Help, JumpPicker, LinePurpose, ListColumns, MatrixGrid, Palette,
    PictureMap, Popup, Ranks, RunPicker, Scorers, SliceTable, TagPicker, Text, TrendChart,
    TypedLine,
};
use crate::shared::{Look, OtherOrder};
use crate::view::Breadth;
use crate::widget::heat_grid::HeatGridState;
use crate::widget::table::TableState;
use crate::widget::theme::Theme;
use analysis::{Origin, Score, direction_in, right_in};
use base::format::visible;
use engine::Ask as _;
use record::benchmark::{Direction, Metric, RightThreshold};
use workspace::page::Sort;

impl App {
    /// Performs an action that works everywhere; returns `None` for actions of a view.
    pub(super) fn act_everywhere(&mut self, action: Action) -> Option<Vec<Effect>> {
        if let Some(view) = self.views.opened_by(action) {
            return Some(self.go(view));
        }
        Some(match action {
            Action::Quit => self.quit(),
            Action::Redraw => vec![Effect::Redraw],
            Action::LookAgain => self.look_at_stores(),
            Action::Suspend => vec![Effect::Suspend],
            Action::Back => self.back(),
            Action::Forward => self.forward(),
            Action::Help => {
                let explained = self.view().explain(&self.shared);
                self.pop_up(Help::new(self.view().about().help, explained))
            }
            Action::Tour => self.tour(0),
            Action::Palette => self.pop_up(Palette::default()),
            Action::Filter => self.open_filter(),
            Action::Find => self.find(SearchStep::Open),
            Action::NextMatch => self.find(SearchStep::By(1)),
            Action::PreviousMatch => self.find(SearchStep::By(-1)),
            Action::Problems => self.pop_up(Text::problems(&self.shared.table)),
            Action::NameColumns => self.name_columns(),
            Action::Sources => self.pop_up(RunPicker::new(&self.shared)),
            Action::ListColumns => self.pop_up(ListColumns::default()),
            Action::GroupSamples => self.pop_up(GroupPicker::new(&self.shared)),
            Action::ConfusionMatrix => {
                self.set_look(Look::Confusion);
                let mut effects = self.go(ViewId::Samples);
                // Abilities have different answers, so that their common matrix says little.
                if self.shared.lens.ability.is_none() {
                    self.choose_ability(self.ability_of_classes());
                    effects.extend(self.refresh());
                }
                effects
            }
            Action::PictureMap => self.pop_up(PictureMap::default()),
            Action::FindSlices => self.pop_up(SliceTable::default()),
            Action::RankBasis => self.pop_up(Ranks::default()),
            Action::WinMatrix => self.open_wins(),
            Action::AcrossBenchmarks => self.pop_up(MatrixGrid::default()),
            Action::SizeAndDate => self.pop_up(TrendChart::default()),
            Action::ScorerAudit => self.pop_up(Scorers::default()),
            Action::ClearFilter => self.clear_filter(),
            Action::NextPane => {
                self.next_pane();
                Vec::new()
            }
            Action::NextView => self.turn_view(1),
            Action::PreviousView => self.turn_view(self.views.tabs().count() - 1),
            Action::AskAgain => self.ask_again(),
            Action::Playground => self.play(),
            Action::NextBenchmark => self.turn_benchmark(1),
            Action::PreviousBenchmark => self.turn_benchmark(-1),
            Action::NextModel => self.turn_model(1),
            Action::PreviousModel => self.turn_model(-1),
            Action::NextAbility => self.turn_ability(1),
            Action::PreviousAbility => self.turn_ability(-1),
            Action::ToggleScoring => self.toggle_scoring(),
            Action::NextTheme => self.next_theme(),
            Action::SortNext => self.sort_next(),
            Action::ReverseSort => self.reverse_sort(),
            Action::NextTag => self.turn_split(1),
            Action::PreviousTag => self.turn_split(-1),
            Action::NextBins => self.next_bins(),
            Action::ChooseTag => self.pop_up(TagPicker::new(&self.shared)),
            Action::Jump => self.pop_up(JumpPicker::new(&self.shared)),
            Action::SaveView => self.pop_up(TypedLine::new(LinePurpose::ViewName, "")),
            Action::CopyCommand => self.copy_command(),
            Action::CopyTable => self.copy_table(),
            Action::Report => self.ask_for_file(OutputKind::Report),
            Action::Export => self.ask_for_file(OutputKind::Export),
            Action::OnlySelected => self.only_selected(),
            Action::MoreLikeThis => self.more_like_this(),
            Action::ToggleJudging => self.toggle_judging(),
            Action::RaiseThreshold => self.turn_threshold(1.0),
            Action::LowerThreshold => self.turn_threshold(-1.0),
            _ => return None,
        })
    }

    /// Checks the stores of the open logs for changes.
    fn look_at_stores(&mut self) -> Vec<Effect> {
        let mut paths = self.shared.request.paths.iter();
        if paths.any(|path| store::is_address(path)) {
            return vec![Effect::CheckAddresses];
        }
        self.notify("no store is open; files are followed as they grow")
    }

    fn open_filter(&mut self) -> Vec<Effect> {
        let mut typing = FilterTyping::new(&self.shared.lens.filter);
        let asked = typing.typed(&self.shared);
        self.popups.push(typing.into());
        self.apply(asked)
    }

    /// Asks the last-used model about the sample on screen. Without such a model, opens the live
    /// view for that sample, the selected samples, or the samples of the lens.
    fn ask_again(&mut self) -> Vec<Effect> {
        let here = self.shared.list.here();
        let here = here.filter(|_| self.shows(ViewId::Sample));
        let last = self.views.live.recent.all().first().cloned();
        if let (Some(row), Some(last)) = (here, last) {
            return self.ask_at_once(row, last);
        }
        let mut effects = Vec::new();
        if here.is_none() && !self.shared.marked.is_empty() {
            effects = self.only_selected();
            if !self.shared.marked.is_empty() {
                return effects;
            }
        }
        self.views.live.begin_with(here);
        effects.extend(self.go(ViewId::Live));
        effects
    }

    /// Narrows the lens to the selected samples, for reruns, exports and commands.
    fn only_selected(&mut self) -> Vec<Effect> {
        if self.shared.marked.is_empty() {
            return self.notify("nothing is selected; Space selects");
        }
        let Some(lens) = self.shared.chosen_lens() else {
            return self.notify("too many samples are selected for a filter; / narrows the list");
        };
        self.shared.marked.clear();
        self.apply(vec![Change::Narrow(lens)])
    }

    /// Turns judging on or off. While judging is on, the status line and the key line show it.
    fn toggle_judging(&mut self) -> Vec<Effect> {
        let judging = &mut self.shared.verdicts.judging;
        *judging = !*judging;
        self.shared.notice = (!*judging).then(|| "judging is off".to_owned());
        Vec::new()
    }

    /// Copies the equivalent command of this screen, and shows the command.
    fn copy_command(&mut self) -> Vec<Effect> {
        let popup = self.popups.last();
        let of_popup = popup.and_then(|popup| popup.overlay().query(&self.shared));
        let query = of_popup.or_else(|| self.view().query(&self.shared));
        let command = query.and_then(|query| query.command(&self.shared.request));
        let Some(command) = command else {
            return self.notify("nothing to copy here");
        };
        let text = command.to_string();
        self.popups.push(Text::copied(text.clone()).into());
        vec![Effect::Copy(text)]
    }

    /// Queries the data of the view again.
    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        self.dirty = true;
        let view = self.views.get_mut(self.shared.view);
        view.refresh(&self.shared)
    }

    /// Queries the data of the view and the list of a sample again, after a change of the lens.
    pub(super) fn look_again(&mut self) -> Vec<Effect> {
        let mut effects = self.refresh();
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// Shows a view without adding to the history.
    pub(crate) fn show(&mut self, view: ViewId) -> Vec<Effect> {
        self.shared.view = view;
        self.shared.pane = Pane::View;
        let about = self.view().about();
        if !about.keeps_versus {
            self.end_versus();
        }
        about.breadth.widen(&mut self.shared.lens);
        if view == ViewId::Compare {
            self.take_side();
        }
        if self.shared.lens.ability.is_none() {
            self.need_ability();
        }
        let mut effects = self.refresh();
        effects.extend(self.view().enter());
        effects
    }

    /// Sets the ability under the fingerprint's cursor for views that need an ability.
    fn need_ability(&mut self) {
        if self.view().about().needs_ability {
            self.choose_ability(self.shared.ability_under_cursor());
        }
    }

    /// Returns the ability under the fingerprint's cursor if it is scored by accuracy, otherwise the
    /// first one that is. Without such an ability, returns the one under the cursor.
    fn ability_of_classes(&self) -> Option<String> {
        let under = self.shared.ability_under_cursor();
        let columns = self.shared.answers.columns(&self.shared.lens.benchmark);
        let of_classes = || columns.iter().filter(|score| score.metric == "accuracy");
        let is_under = |score: &&&Score| under.as_ref() == Some(&score.ability);
        let found = of_classes().find(is_under).or(of_classes().next());
        found.map(|score| score.ability.clone()).or(under)
    }

    /// Sets the ability, and shows a notice.
    fn choose_ability(&mut self, ability: Option<String>) {
        self.shared.lens.ability = ability;
        if let Some(ability) = &self.shared.lens.ability {
            let key = self.shared.key(self.shared.view, Action::NextAbility);
            let words = format!(
                "shows one ability: {}; {key} for the next",
                visible(ability)
            );
            self.shared.notice = Some(words);
        }
    }

    /// Makes the lens's model one side of the comparison of two models.
    fn take_side(&mut self) {
        let shared = &mut self.shared;
        let Some(model) = shared.lens.model.clone() else {
            return;
        };
        let is_side = |sides: &[String; 2]| sides.contains(&model);
        if !shared.compared().as_ref().is_some_and(is_side) {
            shared.pair = None;
        }
        let sides = shared.compared();
        shared.pair = sides.map(|sides| (sides, shared.picked.clone()));
        shared.lens.model = None;
    }

    /// Removes the comparison with another model from the lens.
    fn end_versus(&mut self) {
        self.shared.lens.versus = None;
        let sort = &mut self.shared.list.sort;
        if *sort == Sort::Gap {
            *sort = Sort::Worst;
        }
    }

    fn reverse_sort(&mut self) -> Vec<Effect> {
        if matches!(self.shared.list.other, Some(OtherOrder::Like(_))) {
            return self.notify("the order by similarity cannot be reversed");
        }
        let reverse = &mut self.shared.list.reverse;
        *reverse = !*reverse;
        self.refresh()
    }

    fn turn_view(&mut self, step: usize) -> Vec<Effect> {
        let tabs: Vec<ViewId> = self.views.tabs().map(|(view, _)| view).collect();
        let view = match self.shared.view {
            ViewId::Sample | ViewId::Playground => ViewId::Samples,
            ViewId::Flip => ViewId::Live,
            view => view,
        };
        let at = tabs.iter().position(|known| *known == view).unwrap_or(0);
        let others = (1..=tabs.len()).map(|steps| tabs[(at + steps * step) % tabs.len()]);
        let mut others = others.filter(|view| self.views.can_open(&self.shared, *view));
        let next = others.next();
        next.map_or_else(Vec::new, |next| self.go(next))
    }

    fn turn_benchmark(&mut self, step: isize) -> Vec<Effect> {
        let next = turned(
            &self.shared.answers.benchmarks,
            Some(&self.shared.lens.benchmark),
            step,
        );
        if let Some(benchmark) = next {
            self.shared.lens = workspace::Lens {
                benchmark,
                ..self.shared.lens.whole()
            };
            self.shared.cell = HeatGridState::default();
        }
        self.views.overview.go_to(&self.shared);
        self.need_ability();
        self.look_again()
    }

    /// Shows the next model; in views of all models, moves the cursor to it.
    fn turn_model(&mut self, step: isize) -> Vec<Effect> {
        let count = self.shared.models().len();
        if self.view().about().breadth == Breadth::Benchmark {
            let cell = &mut self.shared.cell;
            cell.row = wrapped(cell.row, step, count);
            return Vec::new();
        }
        self.end_versus();
        if self.shared.view == ViewId::Subgroups {
            return self.turn_charted(step);
        }
        self.shared.lens.model =
            turned_or_all(&self.shared.models(), self.shared.lens.model.as_ref(), step);
        self.look_again()
    }

    /// Shows the next ability; in views of all abilities, moves the cursor to it.
    fn turn_ability(&mut self, step: isize) -> Vec<Effect> {
        let abilities = self.shared.abilities();
        let about = self.view().about();
        let shows_all = about.breadth == Breadth::Benchmark;
        // Pairs of models use the ability under the cursor until the lens has one.
        let has_pairs = matches!(self.popups.last(), Some(Popup::Wins(_)));
        let follows_cursor = shows_all || has_pairs && self.shared.lens.ability.is_none();
        let cursor = self.shared.ability_under_cursor();
        let cursor = cursor.filter(|_| follows_cursor);
        let from = cursor.as_ref().or(self.shared.lens.ability.as_ref());
        let turn = if shows_all || about.needs_ability {
            turned
        } else {
            turned_or_all
        };
        let ability = turn(&abilities, from, step);
        if let Some(ability) = &ability {
            self.shared.point_at_ability(ability);
        }
        if shows_all {
            return Vec::new();
        }
        self.shared.lens.bin = None;
        self.shared.lens.ability = ability;
        self.look_again()
    }

    fn toggle_scoring(&mut self) -> Vec<Effect> {
        self.shared.lens.scoring = self.shared.lens.scoring.other();
        self.shared.fetched.clear();
        self.shared.notice = Some(format!(
            "scored by the {} rules",
            self.shared.lens.scoring.name()
        ));
        self.ask_all()
    }

    /// Moves the threshold of the ability on screen by `steps`.
    fn turn_threshold(&mut self, steps: f64) -> Vec<Effect> {
        let shared = &self.shared;
        let sample = shared.list.here().filter(|_| self.shows(ViewId::Sample));
        let of_sample = sample.map(|row| {
            let table = &shared.table;
            let code = table.metric_of(shared.lens.scoring)[row as usize];
            table.names().metrics.values()[usize::from(code)].clone()
        });
        let ability = shared
            .lens
            .ability
            .clone()
            .or_else(|| shared.ability_under_cursor());
        let of_ability = || {
            let is_it = |score: &&Score| {
                score.headline
                    && score.origin == Origin::Samples
                    && score.benchmark == shared.lens.benchmark
                    && Some(&score.ability) == ability.as_ref()
            };
            let score = shared.answers.scores.iter().find(is_it);
            score.map(|score| score.metric.clone())
        };
        if let Some(metric) = of_sample.or_else(of_ability) {
            return self.move_threshold(ability.as_deref().unwrap_or_default(), &metric, steps);
        }
        self.notify("published scores have no threshold")
    }

    /// Changes the score from which an answer counts as correct, in every view.
    pub(super) fn move_threshold(&mut self, ability: &str, metric: &str, side: f64) -> Vec<Effect> {
        let shared = &mut self.shared;
        let graded =
            right_in(&shared.table, ability, metric).map(|right| (right.words(), right.start()));
        let from = match graded {
            Some((None, _)) if !shared.table.is_graded(metric) => {
                return self.notify("these answers need no threshold to be right or wrong");
            }
            // The threshold is unknown, so the user starts in the middle.
            None => 0.5,
            Some((_, from)) => from,
        };
        let direction = direction_in(&shared.table, metric).0;
        let steps = if metric == Metric::Ciede2000.name() {
            2.0
        } else {
            20.0
        };
        // Round to whole steps, so that moving up and down again ends at the same threshold.
        let moved = (from * steps + side).round() / steps;
        let least = match direction {
            Direction::Higher => -1.0,
            Direction::Lower => 0.0,
        };
        let moved = moved.max(least);
        let mut right = shared.table.names().right.clone();
        right.insert(metric.to_owned(), moved);
        shared.request.right.clone_from(&right);
        shared.table = std::mem::take(&mut shared.table).with_right(right);
        let words = RightThreshold::from_score(direction, moved).words();
        let words = words.unwrap_or_else(|| format!("≥ {moved}"));
        shared.notice = Some(format!(
            "right if {} {words}, in every view",
            visible(&record::benchmark::metric_words(metric))
        ));
        self.shared.fetched.clear();
        self.ask_all()
    }

    fn next_theme(&mut self) -> Vec<Effect> {
        let at = Theme::NAMES
            .iter()
            .position(|name| *name == self.shared.theme.name())
            .unwrap_or_default();
        let next = Theme::NAMES
            .get((at + 1) % Theme::NAMES.len())
            .and_then(|name| Theme::named(name));
        if let Some(theme) = next {
            self.shared.notice = Some(format!("theme {}", theme.name()));
            self.shared.theme = theme.at_depth(self.shared.depth);
        }
        Vec::new()
    }

    fn sort_next(&mut self) -> Vec<Effect> {
        let at = Sort::ALL
            .iter()
            .position(|sort| *sort == self.shared.list.sort)
            .unwrap_or_default();
        if let Some(sort) = Sort::ALL.get((at + 1) % Sort::ALL.len()) {
            self.shared.list.sort = *sort;
            self.shared.list.other = None;
            self.shared.notice = Some(format!("sorted by {}", sort.name()));
        }
        self.refresh()
    }

    /// Clears the filter and the last drill-down step.
    fn clear_filter(&mut self) -> Vec<Effect> {
        let step = std::mem::take(&mut self.shared.lens.step);
        if step.is_empty() {
            return self.set_filter(String::new());
        }
        self.shared.lens.filter.clear();
        self.ask_all()
    }

    /// Sets the filter of the lens.
    pub fn set_filter(&mut self, filter: String) -> Vec<Effect> {
        if filter == self.shared.lens.filter {
            return Vec::new();
        }
        self.shared.lens.filter = filter;
        if self.shared.view != ViewId::Sample {
            self.shared.list.table = TableState::default();
        }
        self.ask_all()
    }
}

/// Returns the next name of a list; wraps around.
pub(super) fn turned(list: &[String], current: Option<&String>, step: isize) -> Option<String> {
    let at = list.iter().position(|name| Some(name) == current);
    let next = at.map_or(0, |at| wrapped(at, step, list.len().max(1)));
    list.get(next).cloned()
}

/// Returns the next name of a list; wraps around. `None`, which means all, comes before the first
/// name.
fn turned_or_all(list: &[String], current: Option<&String>, step: isize) -> Option<String> {
    let at = list
        .iter()
        .position(|name| Some(name) == current)
        .map_or(0, |at| at + 1);
    let next = wrapped(at, step, list.len() + 1);
    next.checked_sub(1).and_then(|at| list.get(at)).cloned()
}

pub(super) fn wrapped(at: usize, step: isize, count: usize) -> usize {
    let whole = count.max(1);
    (at + whole).saturating_add_signed(step) % whole
}
