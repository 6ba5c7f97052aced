//! Keys and answers in, a changed state and effects out. Synchronous, and without input or output.

use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind};

use analysis::benchmarks;
use benchmark::Bins;
use engine::{Answer, Query, QueryError};
use record::{Generation, Row};
use workspace::page::Sort;

use super::action::Action;
use super::app::{App, Compared, Effect, ask};
use super::keymap::View;
use super::picture::Cost;
use super::popup::Popup;
use super::screen;
use super::theme::Theme;
use super::widget::table::TableState;

/// The bins through which the subgroups view cycles, and how the command line writes them.
const BINS: [(Option<Bins>, Option<&str>); 4] = [
    (None, None),
    (Some(Bins::Quantile(4)), Some("quantile:4")),
    (Some(Bins::Width(6)), Some("width:6")),
    (Some(Bins::Log(5)), Some("log:5")),
];

impl App {
    /// A key was pressed.
    pub fn on_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.dirty = true;
        self.notice = None;
        self.awaited = None;
        self.session = None;
        if let Some(effects) = self.tour_key(key.code) {
            return effects;
        }
        if let Some(effects) = self.type_key(key).or_else(|| self.read_key(key)) {
            return effects;
        }
        match self.keymap.lookup(self.view, key) {
            // A key that is held hides once.
            Some(Action::ToggleOverlays) if key.kind == KeyEventKind::Repeat => Vec::new(),
            Some(action) => self.act(action),
            None => Vec::new(),
        }
    }

    /// Does what an action says.
    pub fn act(&mut self, action: Action) -> Vec<Effect> {
        if let Some(effects) = self.act_on_popup(action) {
            return effects;
        }
        match action {
            Action::Quit => vec![Effect::Quit],
            Action::Redraw => vec![Effect::Redraw],
            Action::Suspend => vec![Effect::Suspend],
            Action::Back => self.back(),
            Action::Help => self.pop_up(Popup::help()),
            Action::Tour => self.tour(0),
            Action::Palette => self.pop_up(Popup::palette()),
            Action::Filter => {
                self.popups.push(Popup::filter(&self.lens.filter));
                self.typed()
            }
            Action::Find => self.find(),
            Action::NextMatch => self.step_match(1),
            Action::PreviousMatch => self.step_match(-1),
            Action::Forward => self.forward(),
            Action::Problems => self.pop_up(Popup::problems(&self.table)),
            Action::Sources => self.pop_up(Popup::sources(&self.table)),
            Action::FindSlices => self.pop_up(Popup::Slices(TableState::default())),
            Action::RankBasis => self.pop_up(Popup::Ranks { offset: 0 }),
            Action::ScorerAudit => self.pop_up(Popup::Scorers(TableState::default())),
            Action::ClearFilter => self.set_filter(String::new()),
            Action::NextView => self.turn_view(1),
            Action::PreviousView => self.turn_view(screen::VIEWS.len() - 1),
            Action::ViewFingerprint => self.go(View::Fingerprint),
            Action::ViewSubgroups => self.go(View::Subgroups),
            Action::ViewSamples => self.go(View::Samples),
            Action::ViewCompare => self.go(View::Compare),
            Action::ViewReliability => self.go(View::Reliability),
            Action::ViewLive => self.go(View::Live),
            Action::ViewAudit => self.go(View::Audit),
            Action::AskAgain => screen::ask_again(self),
            Action::NextBenchmark => self.turn_benchmark(1),
            Action::PreviousBenchmark => self.turn_benchmark(-1),
            Action::NextModel => self.turn_model(1),
            Action::PreviousModel => self.turn_model(-1),
            Action::NextAbility => self.turn_ability(1),
            Action::PreviousAbility => self.turn_ability(-1),
            Action::ToggleScoring => self.toggle_scoring(),
            Action::NextTheme => self.next_theme(),
            Action::SortNext => self.sort_next(),
            Action::ReverseSort => {
                self.reverse = !self.reverse;
                self.refresh()
            }
            Action::NextTag | Action::PreviousTag
                if self.view == View::Compare && self.lens.ability.is_none() =>
            {
                screen::update(self, action)
            }
            Action::NextTag => self.turn_split(1),
            Action::PreviousTag => self.turn_split(-1),
            Action::NextBins => self.next_bins(),
            Action::CopyCommand => self.copy_command(),
            other => screen::update(self, other),
        }
    }

    /// A frame was drawn: what it cost, and whether another one has to follow it.
    pub fn after_frame(&mut self, bytes: u64, took: Duration) {
        if self.pictures.waits() {
            self.pictures.words_first = false;
            self.dirty = true;
        } else if self.pictures.fresh() > 0 && self.pictures.budget().is_some() {
            // The status line says what the picture cost.
            self.pictures.cost = Some(Cost { bytes, took });
            self.dirty = true;
        }
    }

    /// Takes the answer to a query that was computed from a table of this generation. That of another one is dropped,
    /// and the query asked again; records were asked for again when this table came.
    pub fn receive_answer(
        &mut self,
        query: Query,
        generation: Generation,
        answer: Result<Answer, QueryError>,
    ) -> Vec<Effect> {
        if generation != self.table.generation() {
            return match query {
                Query::Detail(_) => Vec::new(),
                query => vec![ask(query)],
            };
        }
        self.dirty = true;
        match (query, answer) {
            (Query::Scores(asked), Ok(Answer::Scores(found))) => {
                let held = self.hold_model();
                self.answers.scores = found.scores;
                self.answers.average_ranks = found.average_ranks;
                self.answers.benchmarks = benchmarks(&self.table);
                self.keep_model(held);
                return self.after_scores(asked.quick);
            }
            (Query::Splits(asked), Ok(Answer::Splits(splits))) => {
                return self.receive_splits((asked.benchmark, asked.ability), splits);
            }
            (_, Ok(Answer::Subgroups(subgroups))) => {
                self.answers.subgroups = subgroups;
                self.put_awaited();
            }
            (_, Ok(Answer::Reliability(reliability))) => {
                self.answers.reliability = reliability;
                self.put_awaited();
            }
            (Query::Compare(asked), Ok(Answer::Compare(found))) => {
                self.answers.comparison = Some(Compared {
                    models: found.names,
                    comparison: Box::new(found.comparison),
                    quick: asked.quick,
                });
                let sharper = asked.quick && self.loading.is_over();
                let more = sharper.then(|| screen::ask_comparison(self, false));
                return more.flatten().into_iter().collect();
            }
            (Query::Slices(asked), Ok(Answer::Slices(found))) => {
                self.answers.slices = Some((asked, Box::new(found.found)));
            }
            (Query::Ranks(asked), Ok(Answer::Ranks(found))) => {
                self.answers.ranks = Some((asked, Box::new(found)));
            }
            (Query::Scorers(asked), Ok(Answer::Scorers(found))) => {
                self.answers.scorers = Some((asked, Box::new(found.found)));
            }
            (_, Ok(Answer::Samples(samples))) => return self.receive_samples(samples),
            (Query::Detail(asked), Ok(Answer::Detail(detail))) => {
                self.sample.receive(asked.row, *detail);
            }
            (_, Ok(Answer::Audit(findings))) => self.audit.findings = Some(findings),
            (_, Ok(Answer::SpotCheck(rows))) => {
                let rows = rows.into_iter().map(|Row(row)| row).collect();
                return screen::receive_check(self, rows);
            }
            (query, answer) => self.receive_typed(query, answer),
        }
        Vec::new()
    }

    /// Takes what is known of a filter that is being typed, and what is wrong with any.
    fn receive_typed(&mut self, query: Query, answer: Result<Answer, QueryError>) {
        match (query, answer, self.popups.last_mut()) {
            (_, Ok(Answer::Count(count)), Some(Popup::Filter(typing))) => {
                typing.count = Some(Ok(count));
            }
            (_, Err(QueryError::Filter(error)), Some(Popup::Filter(typing))) => {
                typing.count = Some(Err(error));
            }
            (
                Query::Completion(asked),
                Ok(Answer::Completion(found)),
                Some(Popup::Filter(typing)),
            ) => typing.offer(asked.text, asked.cursor, found),
            (_, Err(QueryError::Failed(failure)), _) => self.notice = Some(failure.to_string()),
            // A name may be in a log that is not read yet.
            (_, Err(error), _) if self.loading.is_over() => {
                self.notice = Some(match error {
                    QueryError::Filter(error) => error.what,
                    error => error.to_string(),
                });
            }
            _ => {}
        }
    }

    /// Scores have come: what is to be asked next.
    fn after_scores(&mut self, quick: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self.answers.benchmarks.contains(&self.lens.benchmark) {
            self.lens.benchmark = self.answers.benchmarks.first().cloned().unwrap_or_default();
            effects.extend(self.ask_view());
        }
        if self.view == View::Compare && screen::is_comparison_stale(self) {
            effects.extend(self.ask_view());
        }
        if quick && self.loading.is_over() {
            effects.push(self.ask_scores(false));
        }
        effects
    }

    /// Asks again for what the view shows.
    pub fn refresh(&mut self) -> Vec<Effect> {
        self.dirty = true;
        if self.view == View::Live {
            return screen::look_live(self);
        }
        self.ask_view()
    }

    /// Asks again for what the view shows, and for the list of a sample: the lens holds other samples now.
    pub fn look_again(&mut self) -> Vec<Effect> {
        let mut effects = self.refresh();
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// Goes to a view without a way back.
    pub fn show(&mut self, view: View) -> Vec<Effect> {
        self.view = view;
        if !matches!(view, View::Samples | View::Sample) {
            self.end_versus();
        }
        if view == View::Subgroups && self.lens.ability.is_none() {
            self.lens.ability = screen::fingerprint_ability(self);
        }
        let mut effects = self.refresh();
        effects.extend((view == View::Audit).then_some(Effect::ReadVerdicts));
        effects
    }

    /// The lens no longer compares its model with another one.
    fn end_versus(&mut self) {
        self.lens.versus = None;
        if self.sort == Sort::Gap {
            self.sort = Sort::Worst;
        }
    }

    fn turn_view(&mut self, step: usize) -> Vec<Effect> {
        let view = if self.view == View::Sample {
            View::Samples
        } else {
            self.view
        };
        let at = screen::VIEWS
            .iter()
            .position(|known| *known == view)
            .unwrap_or_default();
        let next = screen::VIEWS
            .get((at + step) % screen::VIEWS.len())
            .copied();
        next.map(|view| self.go(view)).unwrap_or_default()
    }

    fn turn_benchmark(&mut self, step: isize) -> Vec<Effect> {
        let next = turned(&self.answers.benchmarks, Some(&self.lens.benchmark), step);
        if let Some(benchmark) = next {
            self.lens = workspace::Lens {
                benchmark,
                ..self.lens.whole()
            };
            self.fingerprint.grid = super::widget::heat_grid::HeatGridState::default();
        }
        if self.view == View::Subgroups {
            self.lens.ability = screen::fingerprint_ability(self);
        }
        self.look_again()
    }

    fn turn_model(&mut self, step: isize) -> Vec<Effect> {
        if self.view == View::Compare {
            return screen::turn_sides(self, step);
        }
        self.end_versus();
        self.lens.model = turned_or_all(&self.models(), self.lens.model.as_ref(), step);
        self.look_again()
    }

    fn turn_ability(&mut self, step: isize) -> Vec<Effect> {
        let abilities = self.abilities();
        self.lens.bin = None;
        self.lens.ability = match self.view {
            View::Subgroups => turned(&abilities, self.lens.ability.as_ref(), step),
            _ => turned_or_all(&abilities, self.lens.ability.as_ref(), step),
        };
        self.look_again()
    }

    fn turn_split(&mut self, step: isize) -> Vec<Effect> {
        let count = self.answers.splits.len().max(1);
        let next = wrapped(self.split_index(), step, count);
        let split = self.answers.splits.get(next);
        self.subgroups.tag = split
            .and_then(|split| split.parts.first())
            .map(|part| part.name.clone());
        self.refresh()
    }

    fn next_bins(&mut self) -> Vec<Effect> {
        let at = BINS
            .iter()
            .position(|(bins, _)| *bins == self.subgroups.bins)
            .unwrap_or_default();
        if let Some((bins, text)) = BINS.get((at + 1) % BINS.len()) {
            self.subgroups.bins.clone_from(bins);
            self.subgroups.bins_text = text.map(str::to_owned);
        }
        self.refresh()
    }

    fn toggle_scoring(&mut self) -> Vec<Effect> {
        self.lens.scoring = self.lens.scoring.other();
        self.sample.details.clear();
        self.notice = Some(format!("scored by the {} rules", self.lens.scoring.name()));
        self.ask_all()
    }

    fn next_theme(&mut self) -> Vec<Effect> {
        let at = Theme::NAMES
            .iter()
            .position(|name| *name == self.theme.name())
            .unwrap_or_default();
        let next = Theme::NAMES
            .get((at + 1) % Theme::NAMES.len())
            .and_then(|name| Theme::named(name));
        if let Some(theme) = next {
            self.notice = Some(format!("theme {}", theme.name()));
            self.theme = theme.at_depth(self.depth);
        }
        Vec::new()
    }

    fn sort_next(&mut self) -> Vec<Effect> {
        let at = Sort::ALL
            .iter()
            .position(|sort| *sort == self.sort)
            .unwrap_or_default();
        if let Some(sort) = Sort::ALL.get((at + 1) % Sort::ALL.len()) {
            self.sort = *sort;
            self.notice = Some(format!("sorted by {}", sort.name()));
        }
        self.refresh()
    }

    /// Puts another filter on the lens.
    pub fn set_filter(&mut self, filter: String) -> Vec<Effect> {
        if filter == self.lens.filter {
            return Vec::new();
        }
        self.lens.filter = filter;
        if self.view != View::Sample {
            self.samples.table = TableState::default();
        }
        self.ask_all()
    }
}

/// The next of a list, around its end.
fn turned(list: &[String], current: Option<&String>, step: isize) -> Option<String> {
    let at = list.iter().position(|name| Some(name) == current);
    let next = at.map_or(0, |at| wrapped(at, step, list.len().max(1)));
    list.get(next).cloned()
}

/// The next of a list, where none of them (all) stands before the first.
fn turned_or_all(list: &[String], current: Option<&String>, step: isize) -> Option<String> {
    let at = list
        .iter()
        .position(|name| Some(name) == current)
        .map_or(0, |at| at + 1);
    let next = wrapped(at, step, list.len() + 1);
    next.checked_sub(1).and_then(|at| list.get(at)).cloned()
}

fn wrapped(at: usize, step: isize, count: usize) -> usize {
    let whole = count.max(1);
    (at + whole).saturating_add_signed(step) % whole
}
