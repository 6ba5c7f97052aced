//! The state: what is loaded, the lens, the answers, and what each screen remembers.

use std::path::PathBuf;

use ratatui::layout::Rect;

use analysis::scorers::ScorerAudit;
use analysis::sensitivity::Sensitivity;
use analysis::slices::Slices;
use analysis::{AverageRank, Comparison, Reliability, Score, Split, Subgroup};
use config::{ColumnMap, Prices};
use engine::{
    Detail, Order as SampleOrder, Query, Reliability as ReliabilityQuery, Samples, Scope, Scores,
    Splits,
};
use job::Failure;
use record::{Row, Table};
use verdict::Entry;
use workspace::Lens;
use workspace::load::{Progress, Request};
use workspace::page::Sort;
use workspace::rerun_worker::RerunCommand;

use super::history::{Cursors, History};
use super::keymap::{Keymap, View};
use super::meter::Meter;
use super::picture::Pictures;
use super::popup::Popup;
use super::receive::GrowthState;
use super::screen::{
    self, AuditState, CompareState, FingerprintState, LiveState, ReliabilityState, SampleState,
    SamplesState, SubgroupsState, second_row,
};
use super::session::Session;
use super::theme::{ColorDepth, Theme};

/// What the outside has to do.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Answer a query aside.
    Ask(Box<Query>),
    /// Keep a verdict.
    Keep(Box<Entry>),
    /// Look for verdicts of others.
    ReadVerdicts,
    /// Remember what a table's columns are, and open everything anew.
    MapColumns(Box<ColumnMap>),
    /// Open one more log, or one that has changed.
    OpenLog(PathBuf),
    /// A command to the rerun worker.
    Live(RerunCommand),
    /// Put a text on the clipboard.
    Copy(String),
    /// Forget what the terminal shows and draw anew.
    Redraw,
    /// Go to the shell.
    Suspend,
    /// Leave.
    Quit,
}

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

/// What is known of the table under the lens.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Scores of all benchmarks.
    pub scores: Vec<Score>,
    /// Average ranks.
    pub average_ranks: Vec<AverageRank>,
    /// Benchmarks in the order in which they are shown.
    pub benchmarks: Vec<String>,
    /// Subgroups of the lens's ability.
    pub subgroups: Vec<Subgroup>,
    /// Reliability in the lens's benchmark.
    pub reliability: Vec<Reliability>,
    /// Two models of the lens's benchmark side by side.
    pub comparison: Option<Compared>,
    /// Subgroups that depart, and the query that they answer.
    pub slices: Option<(engine::Slices, Box<Slices>)>,
    /// What the ranks rest on, and the query that it answers.
    pub ranks: Option<(engine::Ranks, Box<Sensitivity>)>,
    /// Where the two rules disagree, and the query that it answers.
    pub scorers: Option<(engine::Scorers, Box<ScorerAudit>)>,
    /// Rows that the lens holds.
    pub samples: Vec<u32>,
    /// Splits that tell the samples of one ability apart.
    pub splits: Vec<Split>,
    /// The benchmark and ability that the splits are of.
    pub splits_of: Option<(String, String)>,
}

/// Two models side by side.
#[derive(Clone, Debug)]
pub struct Compared {
    /// A and B.
    pub models: [String; 2],
    /// What is said of them.
    pub comparison: Box<Comparison>,
    /// True if more draws are to come.
    pub quick: bool,
}

/// The state.
pub struct App {
    /// What was opened.
    pub request: Request,
    /// What is loaded.
    pub table: Table,
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
    /// The view.
    pub view: View,
    /// Where the user has been.
    pub history: History,
    /// What is taken up again when everything is read, unless the user is faster.
    pub session: Option<Session>,
    /// Cursors that are put back when the view's answer comes.
    pub awaited: Option<Cursors>,
    /// The view's popups, the topmost last.
    pub popups: Vec<Popup>,
    /// Where the content of the topmost popup was drawn.
    pub popup_place: Rect,
    /// Filters that were typed, the latest last.
    pub filters: Vec<String>,
    /// A word to the user, until the next key.
    pub notice: Option<String>,
    /// Models that were picked, at most three.
    pub picked: Vec<String>,
    /// Order of the sample list.
    pub sort: Sort,
    /// The other way round.
    pub reverse: bool,
    /// The fingerprint's cursor.
    pub fingerprint: FingerprintState,
    /// The subgroups' cursor.
    pub subgroups: SubgroupsState,
    /// The list's cursor.
    pub samples: SamplesState,
    /// The sample on screen.
    pub sample: SampleState,
    /// The reliability table's cursor.
    pub reliability: ReliabilityState,
    /// The comparison.
    pub compare: CompareState,
    /// The live model.
    pub live: LiveState,
    /// The label audit.
    pub audit: AuditState,
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
    /// True if something changed since the last drawing.
    pub dirty: bool,
}

impl App {
    /// An empty state.
    pub fn new(theme: &Theme, depth: ColorDepth, lens: Lens) -> Self {
        Self {
            request: Request::default(),
            table: Table::default(),
            prices: Prices::default(),
            loading: Loading::default(),
            growth: GrowthState::default(),
            lens,
            answers: Answers::default(),
            view: View::Fingerprint,
            history: History::default(),
            session: None,
            awaited: None,
            popups: Vec::new(),
            popup_place: Rect::ZERO,
            filters: Vec::new(),
            notice: None,
            picked: Vec::new(),
            sort: Sort::Worst,
            reverse: false,
            fingerprint: FingerprintState::default(),
            subgroups: SubgroupsState::default(),
            samples: SamplesState::default(),
            sample: SampleState::default(),
            reliability: ReliabilityState::default(),
            compare: CompareState::default(),
            live: LiveState::default(),
            audit: AuditState::default(),
            pictures: Pictures::default(),
            meter: Meter::default(),
            keymap: Keymap::default(),
            theme: theme.clone().at_depth(depth),
            depth,
            dirty: true,
        }
    }

    /// Takes the splits that tell an ability's samples apart.
    pub fn receive_splits(&mut self, of: (String, String), splits: Vec<Split>) -> Vec<Effect> {
        self.answers.splits = splits;
        self.answers.splits_of = Some(of);
        self.ask_view()
    }

    /// The splits of the lens's ability, where they are not known yet.
    pub fn ask_splits(&self) -> Option<Effect> {
        let ability = self.lens.ability.clone().unwrap_or_default();
        let of = (self.lens.benchmark.clone(), ability);
        let known = self.answers.splits_of.as_ref() == Some(&of);
        let (benchmark, ability) = of;
        (!known).then(|| ask(Splits { benchmark, ability }))
    }

    /// Everything that depends on table, filter or scoring: scores at once, which ask for their intervals
    /// when they come.
    pub fn ask_all(&self) -> Vec<Effect> {
        let mut effects = vec![self.ask_scores(true)];
        effects.extend(self.ask_view());
        effects.extend(
            self.popups
                .last()
                .and_then(|popup| popup.unanswered(self))
                .map(ask),
        );
        effects.extend(self.ask_list_of_sample());
        effects
    }

    /// Scores of all benchmarks, with their intervals or, quickly, without.
    pub fn ask_scores(&self, quick: bool) -> Effect {
        let scope = Scope {
            filter: self.lens.filter.clone(),
            scoring: self.lens.scoring,
        };
        ask(Scores { scope, quick })
    }

    /// What a lens holds.
    pub fn scope(&self, lens: &Lens) -> Scope {
        Scope::of(lens, &self.table)
    }

    /// Returns true if something on screen waits for the answer to a query.
    pub fn awaits(&self, query: &Query) -> bool {
        let popup = self.popups.last();
        match query {
            Query::Slices(_) => matches!(popup, Some(Popup::Slices(_))),
            Query::Ranks(_) => matches!(popup, Some(Popup::Ranks { .. })),
            Query::Scorers(_) => matches!(popup, Some(Popup::Scorers(_))),
            Query::Count(_) | Query::Completion(_) => matches!(popup, Some(Popup::Filter(_))),
            Query::Compare(_) => self.view == View::Compare,
            Query::Subgroups(_) => self.view == View::Subgroups,
            Query::Reliability(_) => self.view == View::Reliability,
            Query::Audit(_) => self.view == View::Audit,
            _ => true,
        }
    }

    /// What the current view shows.
    pub fn ask_view(&self) -> Vec<Effect> {
        match self.view {
            View::Fingerprint | View::Live => Vec::new(),
            View::Subgroups => self.ask_subgroups(),
            View::Samples => vec![self.ask_samples()],
            View::Sample => self.ask_details(),
            View::Compare => screen::ask_comparison(self, true).into_iter().collect(),
            View::Audit => screen::ask_audit(self),
            View::Reliability => vec![ask(self.reliability_query())],
        }
    }

    /// The splits come first: which subgroups there are depends on them.
    fn ask_subgroups(&self) -> Vec<Effect> {
        if let Some(splits) = self.ask_splits() {
            return vec![splits];
        }
        self.subgroups_query().map(ask).into_iter().collect()
    }

    /// The query of the subgroups view.
    pub fn subgroups_query(&self) -> Option<engine::Subgroups> {
        let lens = Lens {
            model: None,
            bin: None,
            ..self.lens.clone()
        };
        Some(engine::Subgroups {
            scope: self.scope(&lens),
            by: Some(self.split()?.text),
            all: false,
        })
    }

    /// The query of the reliability view.
    pub fn reliability_query(&self) -> ReliabilityQuery {
        ReliabilityQuery {
            scope: self.scope(&self.lens.whole()),
        }
    }

    /// The rows that the lens holds.
    pub fn ask_samples(&self) -> Effect {
        ask(self.samples_query())
    }

    /// The query of the sample list.
    pub fn samples_query(&self) -> Samples {
        let versus = self.lens.versus.as_ref();
        Samples {
            scope: self.scope(&self.lens),
            order: SampleOrder::new(self.sort, self.reverse, versus),
            limit: None,
        }
    }

    /// The sample on screen and its neighbours, so that they are ready before they are asked for.
    fn ask_details(&self) -> Vec<Effect> {
        let at = self.samples.table.selected;
        let near = [at, at + 1, at.wrapping_sub(1), at + 2];
        let rows = near
            .into_iter()
            .filter_map(|at| self.answers.samples.get(at))
            .map(|&row| Row(row));
        let rows = rows.flat_map(|row| [Some(row), second_row(self, row.0)]);
        let missing = rows
            .flatten()
            .filter(|row| !self.sample.details.contains(&row.0));
        missing
            .map(|row| {
                ask(Detail {
                    row,
                    scoring: self.lens.scoring,
                    with_maps: true,
                })
            })
            .collect()
    }

    /// Which of the known splits is shown: that of the wanted tag, else the first.
    pub fn split_index(&self) -> usize {
        let is_wanted = |split: &Split| {
            let tag = split.parts.first().map(|part| &part.name);
            tag.is_some() && tag == self.subgroups.tag.as_ref()
        };
        let known = self.answers.splits.iter().position(is_wanted);
        known.unwrap_or_default()
    }

    /// The split of the subgroups view.
    pub fn split(&self) -> Option<Split> {
        let known = &self.answers.splits;
        let mut split = known.get(self.split_index())?.clone();
        for part in &mut split.parts {
            part.bins.clone_from(&self.subgroups.bins);
        }
        if let Some(bins) = &self.subgroups.bins_text {
            split.text = format!("{}:{bins}", split.text);
        }
        Some(split)
    }

    /// The models of the lens's benchmark, best average rank first.
    pub fn models(&self) -> Vec<String> {
        let ranks = self
            .answers
            .average_ranks
            .iter()
            .filter(|rank| rank.benchmark == self.lens.benchmark);
        ranks.map(|rank| rank.model.clone()).collect()
    }

    /// The abilities of the lens's benchmark that rank, in the papers' order.
    pub fn abilities(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let scores = self
            .answers
            .scores
            .iter()
            .filter(|score| score.benchmark == self.lens.benchmark && score.counts());
        for score in scores {
            if names.last() != Some(&score.ability) && !names.contains(&score.ability) {
                names.push(score.ability.clone());
            }
        }
        names
    }

    /// The models that charts show: those that were picked, else the lens's, else the one under the
    /// fingerprint's cursor.
    pub fn charted(&self) -> Vec<String> {
        let models = self.models();
        let picked: Vec<String> = self
            .picked
            .iter()
            .filter(|model| models.contains(model))
            .cloned()
            .collect();
        if !picked.is_empty() {
            return picked;
        }
        let cursor = models.get(self.fingerprint.grid.row).or(models.first());
        self.lens
            .model
            .clone()
            .or_else(|| cursor.cloned())
            .into_iter()
            .collect()
    }
}

/// An effect that asks.
pub fn ask(query: impl Into<Query>) -> Effect {
    Effect::Ask(Box::new(query.into()))
}
