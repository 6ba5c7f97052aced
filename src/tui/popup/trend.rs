//! Popup with scores against the size or date of models, with a line through each family.

use std::rc::Rc;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::memo::Memo;
use crate::shared::AppState;
use crate::widget::Spacing;
use crate::widget::scatter::{Scatter, ScatterPoint};
use analysis::{Trend, TrendAxis, TrendPoint, trends};
use base::format::{fixed, significant, visible};
use engine::Query;
use record::Generation;
use record::benchmark::Direction;

use super::part::{CLOSE, KeyLabel, Overlay, open, screen_less};

/// State of the popup: the chart on screen, and the model under the cursor.
#[derive(Clone, Debug, Default)]
pub struct TrendChart {
    found: Memo<Source, Vec<Trend>>,
    against: TrendAxis,
    /// Index of the chart. The benchmark's mean is first, followed by its abilities and published
    /// totals.
    chart: usize,
    /// Index of the point under the cursor.
    point: usize,
}

/// Cache key of the charts: count of received answers, table, benchmark, and x axis.
type Source = (u64, Generation, String, TrendAxis);

/// Returns the title: `tdbench, mean over its abilities`.
fn title(trend: &Trend) -> String {
    let what = trend
        .ability
        .as_deref()
        .unwrap_or("mean over its abilities");
    let split = trend.split.as_ref().map(|split| format!(" ({split})"));
    let paper = if trend.is_printed { ", published" } else { "" };
    let words = format!(
        "{}, {what}{}{paper}",
        trend.benchmark,
        split.unwrap_or_default()
    );
    visible(&words).into_owned()
}

/// Describes the model under the cursor.
fn described(shared: &AppState, point: &TrendPoint) -> String {
    let mut words = vec![point.model.clone()];
    words.extend(point.family.clone().filter(|family| *family != point.model));
    if let Some(facts) = shared.table.names().facts(&point.model) {
        let active = facts
            .active_parameters
            .map(|size| format!(" ({size} active)"));
        words.extend(
            facts
                .parameters
                .map(|size| format!("{size} B{}", active.unwrap_or_default())),
        );
        words.extend(facts.released.map(|day| day.to_string()));
    }
    let ci = point
        .ci
        .map(|ci| format!(" [{}, {}]", fixed(Some(ci.low), 3), fixed(Some(ci.high), 3)));
    words.push(format!(
        "{}{}",
        significant(point.score, 3),
        ci.unwrap_or_default()
    ));
    visible(&words.join(", ")).into_owned()
}

/// Returns a summary such as `Spearman's correlation 0.41 over 30 models; not shown, size, date or
/// step unknown (5): ...`.
fn summary(trend: &Trend) -> String {
    let rho = trend.rho.map_or_else(String::new, |rho| {
        format!(
            "Spearman's correlation {} over {} models",
            fixed(Some(rho), 2),
            trend.points.len()
        )
    });
    let unplaced = (!trend.unplaced.is_empty()).then(|| {
        format!(
            "not shown, size, date or step unknown ({}): {}",
            trend.unplaced.len(),
            trend.unplaced.join(", ")
        )
    });
    let parts = [Some(rho).filter(|rho| !rho.is_empty()), unplaced];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    visible(&words).into_owned()
}

impl TrendChart {
    /// Returns the charts of the lens's benchmark.
    fn found(&self, shared: &AppState) -> Rc<Vec<Trend>> {
        let (answers, table) = (shared.answers.revision, shared.table.generation());
        let source = (answers, table, shared.lens.benchmark.clone(), self.against);
        self.found.of(source, |(_, _, benchmark, against)| {
            let (scores, names) = (&shared.answers.scores, shared.table.names());
            // An error is possible only if the axis is another score. This axis is size or date.
            let mut all = trends(scores, names, &(*against).into()).unwrap_or_default();
            all.retain(|trend| trend.benchmark == *benchmark);
            all
        })
    }

    fn chart(&self, frame: &mut Frame<'_>, area: Rect, shared: &AppState, trend: &Trend) {
        let families = trend.families();
        let names: Vec<String> = families
            .iter()
            .map(|name| visible(name).into_owned())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let point = |point: &TrendPoint| ScatterPoint {
            x: point.x,
            y: point.score,
            interval: point.ci.map(|ci| (ci.low, ci.high)),
            series: families
                .iter()
                .position(|name| Some(*name) == point.family.as_deref()),
        };
        let points: Vec<ScatterPoint> = trend.points.iter().map(point).collect();
        let lines: Vec<(String, f64)> = (trend.lines.iter())
            .map(|line| (visible(&line.name).into_owned(), line.score))
            .collect();
        let lines: Vec<(&str, f64)> = lines
            .iter()
            .map(|(name, score)| (name.as_str(), *score))
            .collect();
        let arrow = trend.direction.map_or("", Direction::arrow);
        let chart = Scatter {
            theme: &shared.theme,
            x_label: self.against.label(),
            y_label: &format!(
                "{} {arrow}",
                visible(&record::benchmark::metric_words(&trend.metric))
            ),
            spacing: match self.against {
                TrendAxis::Parameters => Spacing::Log,
                TrendAxis::Released | TrendAxis::Step => Spacing::Linear,
            },
            series: &names,
            points: &points,
            lines: &lines,
            selected: Some(self.point.min(points.len().saturating_sub(1))),
        };
        frame.render_widget(chart, area);
    }
}

impl Overlay for TrendChart {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let found = self.found(shared);
        let at = self.chart.min(found.len().saturating_sub(1));
        // Without points there is nothing to draw.
        let is_empty = found.get(at).is_none_or(|trend| trend.points.is_empty());
        let tall = if is_empty { 8 } else { 44 };
        let (width, height) = screen_less(frame, [4, 2]);
        let size = (width.min(140), height.min(tall));
        let Some(trend) = found.get(at) else {
            let inner = open(shared, frame, "score against size or date", (size.0, 3));
            frame.render_widget(Line::styled("no scores here", shared.theme.dim()), inner);
            return (inner, ScrollState::Nothing);
        };
        let inner = open(shared, frame, &title(trend), size);
        let [top, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(4)]).areas(inner);
        let theme = &shared.theme;
        if trend.points.is_empty() {
            let words = match self.against {
                TrendAxis::Parameters => "no model has a known size: add sizes to models.csv",
                TrendAxis::Released => "no model has a known date: add dates to models.csv",
                TrendAxis::Step => "no model has a known step: add steps to models.csv",
            };
            frame.render_widget(Line::styled(words, theme.warning()), top);
        } else {
            self.chart(frame, top, shared, trend);
        }
        let here = trend
            .points
            .get(self.point.min(trend.points.len().saturating_sub(1)));
        let lines = vec![
            Line::from(
                here.map(|point| described(shared, point))
                    .unwrap_or_default(),
            ),
            Line::styled(summary(trend), theme.dim()),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        let point = self.point.min(trend.points.len().saturating_sub(1));
        (inner, ScrollState::At(point))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.point)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        let other = match self.against {
            TrendAxis::Parameters => "date instead of size",
            TrendAxis::Released => "step instead of date",
            TrendAxis::Step => "size instead of step",
        };
        vec![
            ("↑↓", "model"),
            ("←→", "ability"),
            ("v", other),
            ("b", "benchmark"),
            CLOSE,
        ]
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let last = self.found(shared).len().saturating_sub(1);
        match action {
            Action::Left => self.chart = self.chart.min(last).saturating_sub(1),
            Action::Right => self.chart = (self.chart + 1).min(last),
            Action::ToggleRanks => self.against = self.against.next(),
            Action::NextBenchmark | Action::PreviousBenchmark => {
                (self.chart, self.point) = (0, 0);
                return Reply::PassOn;
            }
            Action::CopyCommand => return Reply::PassOn,
            _ => return Reply::with(Change::Close),
        }
        Reply::DONE
    }

    /// Up moves the cursor right, towards larger and newer models.
    fn move_by(&mut self, step: isize) {
        self.point = self.point.saturating_add_signed(-step);
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let scope = shared.scope(&shared.lens.whole());
        Some(
            engine::Trends {
                scope,
                options: self.against.into(),
            }
            .into(),
        )
    }
}
