//! The overview: one line per open benchmark.

mod benchmark;

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length, Max};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::frame_output::{FrameOutput, ScrollSlot, ScrollState, ViewArea};
use crate::keymap::ViewId;
use crate::popup::short;
use crate::shared::{AppState, ListSource};
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::line::Piece;
use crate::widget::table::{Column, ColumnWidth, ItemRows, Rows, Table, TableCell, TableState};
use crate::widget::{self, fit};
use analysis::Score;
use base::format::{compact, counted, visible};
use engine::{Query, Report};
use record::Kind;
use record::benchmark::Direction;
use report::Grid;
use workspace::Lens;
use workspace::overview::BenchmarkSummary;
use workspace::page::Sort;

use super::fingerprint::share;
use super::part::{click_again, grid_of, move_cursor};
use super::samples::draw_strip;
use benchmark::draw_benchmark;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["0", "Overview", "Overview"]),
    opened_by: Some(Action::ViewOverview),
    breadth: Breadth::Benchmark,
    needs_ability: false,
    keeps_versus: false,
    help: "One line per open benchmark. The best model has the best average rank; tied: none is clearly \
           the best. The best and the \
           worst ability have the highest and the lowest mean score over all models, among \
           abilities scored from 0 to 1; abilities in other units are listed below. Enter opens \
           the benchmark; 0 returns here.",
};

/// State of the overview.
#[derive(Clone, Copy, Debug, Default)]
pub struct OverviewView {
    table: TableState,
}

fn cells(shared: &AppState, opened: &BenchmarkSummary) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let text = |text: String, style| TableCell::visible(&text, style);
    let facts = Facts::of(shared, &opened.benchmark);
    let problems = match opened.problems {
        0 => String::new(),
        count => compact(count),
    };
    let ability = |found: Option<&(String, f64)>| match found {
        Some((name, score)) => format!("{} {name}", short(*score)),
        None => "–".to_owned(),
    };
    vec![
        text(opened.benchmark.clone(), theme.text()),
        text(compact(facts.models), theme.text()),
        text(samples(opened), theme.text()),
        match &facts.leader {
            Leader::Model(name) => text(name.clone(), theme.accent()),
            Leader::Tied => text("tied".to_owned(), theme.dim()),
            Leader::Unranked => text("–".to_owned(), theme.dim()),
        },
        text(ability(facts.means.first()), theme.text()),
        text(ability(facts.worst()), theme.text()),
        text(problems, theme.warning()),
    ]
}

/// Returns the number of samples. If no samples are loaded, returns the number of answers that are
/// not loaded, or of published scores.
fn samples(opened: &BenchmarkSummary) -> String {
    match opened.items {
        0 if opened.answers > 0 => format!("{} answers", compact(opened.answers)),
        0 => format!("{} published", compact(opened.printed)),
        items => compact(items),
    }
}

/// The model with the best average rank of a benchmark.
enum Leader {
    /// This model's interval overlaps no other model's interval.
    Model(String),
    /// The best model does not clearly differ from another model.
    Tied,
    /// A single model, or no average ranks.
    Unranked,
}

/// Summary of a benchmark's scores.
struct Facts {
    models: u64,
    leader: Leader,
    /// Mean score of each ability over the models, best first.
    means: Vec<(String, f64)>,
    /// Abilities whose scores are not between 0 and 1, each with mean score and metric.
    others: Vec<(String, f64, String)>,
}

impl Facts {
    fn of(shared: &AppState, benchmark: &str) -> Self {
        let scores = shared.answers.scores.iter();
        let scores: Vec<&Score> = scores
            .filter(|score| score.benchmark == benchmark)
            .collect();
        let mut models: Vec<&str> = scores
            .iter()
            .filter(|score| score.kind == Kind::Model && score.headline)
            .map(|score| score.model.as_str())
            .collect();
        models.sort_unstable();
        models.dedup();
        let ranks = shared.answers.average_ranks.iter();
        let mut ranks = ranks.filter(|rank| rank.benchmark == benchmark);
        let leader = match ranks.find(|rank| rank.value.is_some()) {
            Some(rank) if models.len() > 1 && rank.tied => Leader::Tied,
            Some(rank) if models.len() > 1 => Leader::Model(rank.model.clone()),
            _ => Leader::Unranked,
        };
        let mut means: Vec<(String, f64)> = Vec::new();
        let of_ability = scores.chunk_by(|a, b| a.ability == b.ability);
        let mut others: Vec<(String, f64, String)> = Vec::new();
        for group in of_ability {
            let counting = || group.iter().filter(|score| is_counting(score));
            let Some(first) = counting().next() else {
                continue;
            };
            if let Some(mean) = mean(counting().filter(|score| share(score).is_some())) {
                means.push((first.ability.clone(), mean));
            } else if let Some(mean) = mean(counting()) {
                let arrow = first.direction.map_or("", Direction::arrow);
                let metric = format!(
                    "{} {arrow}",
                    record::benchmark::metric_symbol(&first.metric)
                );
                others.push((first.ability.clone(), mean, metric));
            }
        }
        means.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Self {
            models: models.len() as u64,
            leader,
            means,
            others,
        }
    }

    /// Returns the ability with the worst mean score, if there are several.
    fn worst(&self) -> Option<&(String, f64)> {
        self.means.last().filter(|_| self.means.len() > 1)
    }
}

/// Returns the mean of some scores; `None` without scores.
#[expect(clippy::cast_precision_loss, reason = "a number of models")]
fn mean<'a>(scores: impl Iterator<Item = &'a &'a Score>) -> Option<f64> {
    let values: Vec<f64> = scores.filter_map(|score| score.score).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns true if a score is a model's headline score.
fn is_counting(score: &Score) -> bool {
    score.counts() && score.kind == Kind::Model
}

const COLUMNS: [Column<'static>; 7] = [
    Column::text("benchmark", ColumnWidth::Share(4)),
    Column::number("models", 6),
    Column::number("samples", 15),
    Column::text("best model", ColumnWidth::Share(4))
        .from(56)
        .keeping_ends(),
    Column::text("best ability", ColumnWidth::Share(5))
        .keeping_ends()
        .from(90),
    Column::text("worst ability", ColumnWidth::Share(5))
        .keeping_ends()
        .from(76),
    Column::number("problems", 8).from(100),
];

/// Minimum and maximum height of the strip with pictures of the worst answers, in rows.
const STRIP: [u16; 2] = [9, 18];
/// Minimum height below the table to show this strip, in rows.
const WITH_STRIP: u16 = 17;

/// Draws one sentence about the program, and the key of the tour.
fn draw_about(shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
    let theme = &shared.theme;
    let tour = shared.key(shared.view, Action::Tour);
    let tour = format!("{tour}: one-minute tour");
    let words = fit(ABOUT_PROGRAM, area.width);
    let room = usize::from(area.width.saturating_sub(widget::width(&words)));
    let mut line = Line::styled(words, theme.dim());
    if room > usize::from(widget::width(&tour)) + 2 {
        line.push_span(Span::styled(format!("{tour:>room$}"), theme.accent()));
    }
    frame.render_widget(line, area);
}

/// Text that describes the program in one sentence.
const ABOUT_PROGRAM: &str =
    "How vision models rank, how sure that is, and the samples behind each number.";

/// Builds the table and passes it to `use_it`. The table borrows its rows, so it cannot be
/// returned.
fn with_table<T>(shared: &AppState, use_it: impl FnOnce(Table<'_, dyn Rows + '_>) -> T) -> T {
    let rows: &dyn Rows = &ItemRows::new(&shared.answers.opened, |it| cells(shared, it));
    use_it(Table::new(&shared.theme, &COLUMNS, rows))
}

impl OverviewView {
    /// Returns the benchmark under the cursor.
    pub fn benchmark(self, shared: &AppState) -> Option<String> {
        let opened = shared.answers.opened.get(self.table.selected);
        opened.map(|opened| opened.benchmark.clone())
    }

    /// Moves the cursor to the benchmark of the lens.
    pub fn go_to(&mut self, shared: &AppState) {
        let mut opened = shared.answers.opened.iter();
        let at = opened.position(|opened| opened.benchmark == shared.lens.benchmark);
        self.table.selected = at.unwrap_or(self.table.selected);
    }

    /// Opens the benchmark under the cursor.
    fn open(self, shared: &AppState) -> Vec<Change> {
        let benchmark = self.benchmark(shared).map(Change::Benchmark);
        benchmark.into_iter().collect()
    }
}

impl View for OverviewView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let Some(opened) = shared.answers.opened.get(self.table.selected) else {
            return Vec::new();
        };
        let theme = &shared.theme;
        let facts = Facts::of(shared, &opened.benchmark);
        let of = visible(&opened.benchmark).into_owned();
        let mut explained = vec![Explanation::new(
            compact(facts.models),
            theme.text(),
            format!("models with scores in {of}"),
        )];
        match &facts.leader {
            Leader::Model(leader) => {
                let words = format!("has the best average rank over the abilities of {of}");
                explained.push(Explanation::new(leader, theme.accent(), words));
            }
            Leader::Tied => {
                let words = "no clear best model: the intervals of average ranks overlap";
                explained.push(Explanation::new("tied", theme.dim(), words));
            }
            Leader::Unranked => {}
        }
        let mut ability = |found: Option<&(String, f64)>, which: &str| {
            if let Some((name, score)) = found {
                let sign = format!("{} {name}", short(*score));
                let words = format!("the ability with the {which} mean score over all models");
                explained.push(Explanation::new(sign, theme.text(), words));
            }
        };
        ability(facts.means.first(), "best");
        ability(facts.worst(), "worst");
        if opened.problems > 0 {
            let words = "lines and files that could not be read; P lists them";
            explained.push(Explanation::new(
                compact(opened.problems),
                theme.warning(),
                words,
            ));
        }
        explained
    }

    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let opened = shared.answers.opened.get(self.table.selected)?;
        let lens = Lens {
            benchmark: opened.benchmark.clone(),
            ..shared.lens.whole()
        };
        // Do not replace lists from other sources, such as a spot check.
        let is_free = shared.list.of == ListSource::Lens;
        (opened.items > 0 && is_free).then(|| DrillDown {
            sort: Some(Sort::Worst),
            ..DrillDown::new(lens)
        })
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let count = u16::try_from(shared.answers.opened.len()).unwrap_or(u16::MAX);
        let [about, list, words, below] =
            Layout::vertical([Length(2), Max(count.saturating_add(3)), Length(2), Fill(1)])
                .areas(room.area);
        draw_about(shared, frame, about);
        let mut state = self.table;
        with_table(shared, |table| {
            frame.render_stateful_widget(table, list, &mut state);
        });
        let theme = &shared.theme;
        let sources = shared.table.sources().len() as u64;
        let filtered = if shared.lens.filter.is_empty() {
            ". Enter opens one, S: the logs, X: all together."
        } else {
            "; the filter applies to all but samples and problems. Enter opens one, X: all together."
        };
        let told = format!(
            "{} from {}{filtered}",
            counted(shared.answers.opened.len() as u64, "benchmark"),
            counted(sources, "log"),
        );
        let told = Paragraph::new(Line::styled(told, theme.dim())).wrap(Wrap { trim: true });
        frame.render_widget(told, words);
        let mut drawn = FrameOutput::default();
        if let Some(opened) = shared.answers.opened.get(state.selected) {
            let drill = self.drill_down(shared);
            let strip = match drill {
                Some(_) if below.height >= WITH_STRIP => {
                    let [least, most] = STRIP;
                    (below.height - WITH_STRIP).clamp(least, most)
                }
                _ => 0,
            };
            let [facts, title, strip] =
                Layout::vertical([Fill(1), Length(strip.min(1)), Length(strip)]).areas(below);
            draw_benchmark(shared, opened, frame, facts);
            if let Some(drill) = drill.filter(|_| strip.height > 0) {
                let lacking = shared.lacks_samples(&drill);
                let words = format!("worst answers of {}", visible(&opened.benchmark));
                frame.render_widget(Line::styled(words, theme.header()), title);
                if lacking.is_none() {
                    let room = ViewArea {
                        area: strip,
                        ..room
                    };
                    drawn = draw_strip(shared, frame, room);
                }
                drawn.wanted.samples = lacking;
            }
        }
        drawn.view = ScrollState::Table(state);
        drawn
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.table)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let count = shared.answers.opened.len();
        match action {
            Action::Open => self.open(shared).into(),
            Action::NextAbility
            | Action::PreviousAbility
            | Action::NextModel
            | Action::PreviousModel => Reply::say("open a benchmark first"),
            other => move_cursor(&mut self.table.selected, count, 10, other),
        }
    }

    fn key_word<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "ability" | "model" => "",
            _ => word,
        }
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let list = Rect {
            y: area.y + 2,
            height: area.height.saturating_sub(2),
            ..area
        };
        let row = with_table(shared, |table| table.row_at(list, &self.table, x, y));
        if click_again(&mut self.table.selected, row) {
            return self.open(shared);
        }
        Vec::new()
    }

    fn grid(&self, shared: &AppState, _: Rect) -> Option<Grid> {
        Some(with_table(shared, |table| {
            grid_of(table.columns, table.rows, 0..table.rows.total())
        }))
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let lens = Lens {
            benchmark: String::new(),
            ..shared.lens.whole()
        };
        let scope = engine::Scope {
            filter: lens.filter.clone(),
            scoring: lens.scoring,
            ..engine::Scope::default()
        };
        Some(Report::over(&scope).into())
    }

    fn status(&self, shared: &AppState) -> Vec<Piece<'static>> {
        let opened = shared.answers.opened.iter();
        let printed: u64 = opened.map(|opened| opened.printed).sum();
        let words = counted(printed, "published score");
        Vec::from_iter((printed > 0).then(|| Piece::new(words, shared.theme.dim())))
    }
}

/// Returns the view to show first: the overview for several benchmarks, otherwise the fingerprint.
pub fn first_view(shared: &AppState) -> ViewId {
    if shared.answers.opened.len() > 1 {
        ViewId::Overview
    } else {
        ViewId::Fingerprint
    }
}
