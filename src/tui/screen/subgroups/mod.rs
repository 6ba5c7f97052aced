//! The subgroups view: one ability, split by a tag.

mod bins;
mod curve;
mod head;
mod models;
mod places;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, ScrollSlot, ScrollState, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::curve::{CurvePoint, FEW};
use crate::widget::dot_plot::{Dot, DotPlot, DotPlotState, DotRow, Reference};
use crate::widget::line::Piece;
use analysis::Subgroup;
use base::format::{compact, counted, fixed, visible};
use engine::Query;
use report::{Align, Grid};
use workspace::Lens;

use super::THREE_PANES;
use super::part::{click_again, draw_text, instead, move_cursor};
use bins::{BinOrder, Rows, bins, split_text};
use head::{by, words};
use places::Places;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["2", "Subgroups", "Groups"]),
    opened_by: Some(Action::ViewSubgroups),
    breadth: Breadth::Ability,
    needs_ability: true,
    keeps_versus: false,
    help: "One ability, split by a tag of its samples: box size, count, depth, data set. Each bin has its score, \
           interval and n, so that you see where a model fails; the table below has all models. t takes another \
           tag, ; lists all, a comma sorts the worst first, Enter opens the samples of a bin.",
};

/// State of the subgroups view.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubgroupsView {
    /// Cursor of the chart.
    pub dots: DotPlotState,
    /// Order of the bins.
    order: BinOrder,
}

/// Returns text about the models in the chart, for the trail: the name of a single model, or `2 of
/// 6 models`.
pub fn models_words(shared: &AppState) -> Option<String> {
    match charted(shared).as_slice() {
        [] => None,
        [model] => Some(model.clone()),
        models => {
            let all = counted(shared.models().len() as u64, "model");
            Some(format!("{} of {all}", models.len()))
        }
    }
}

/// Returns the models in the chart that answered this ability. If none did, returns another model.
fn charted(shared: &AppState) -> Vec<String> {
    let answered: Vec<&String> = shared
        .answers
        .subgroups
        .iter()
        .map(|group| &group.model)
        .collect();
    let mut models = shared.charted();
    models.retain(|model| answered.contains(&model));
    if models.is_empty() {
        models.extend(
            shared
                .models()
                .into_iter()
                .find(|model| answered.contains(&model)),
        );
    }
    models
}

/// Returns the message shown if there are no subgroups.
fn why_empty(view: &SubgroupsView, shared: &AppState, split: &str) -> String {
    let ability = shared
        .lens
        .ability
        .as_deref()
        .map(visible)
        .unwrap_or_default();
    if shared.table.is_empty() {
        "Published scores have no samples to split.".to_owned()
    } else if split.is_empty() {
        format!(
            "No tag splits the samples of {ability}. f searches tags computed from their pictures \
             too; a goes to the next ability."
        )
    } else {
        let waiting = format!("Splitting {ability} by {} …", visible(split));
        match view.query(shared) {
            Some(query) => instead(shared, query, &waiting),
            None => waiting,
        }
    }
}

fn draw_dots(
    shared: &AppState,
    bins: &Rows<'_>,
    models: &[String],
    heading: &str,
    state: &mut DotPlotState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let dot = |group: Option<&Subgroup>| match group {
        None => Dot {
            text: "–".into(),
            ..Dot::default()
        },
        Some(group) => Dot {
            value: group.score,
            interval: group.ci.map(|ci| (ci.low, ci.high)),
            text: fixed(group.score, 3).into(),
            note: format!("n {}", compact(group.n)).into(),
        },
    };
    let row = |(label, cells): &(&str, Vec<Option<&Subgroup>>)| DotRow {
        label: visible(label).into_owned().into(),
        dots: cells.iter().copied().map(dot).collect(),
    };
    let rows: Vec<DotRow<'_>> = bins.iter().map(row).collect();
    let overall = overall(shared, models, bins);
    let of = if models.len() > 1 { "A " } else { "" };
    let words = overall
        .map(|value| format!("{of}overall {}", fixed(Some(value), 3)))
        .unwrap_or_default();
    let reference = overall.map(|value| Reference {
        value,
        label: &words,
    });
    let [label, _] = by(shared);
    let label = visible(&label);
    let chart = DotPlot {
        theme: &shared.theme,
        label: &label,
        heading,
        rows: &rows,
        range: range(bins, overall),
        reference,
    };
    frame.render_stateful_widget(chart, area, state);
}

/// Returns the ends of the axis. It covers all scores, and the intervals of bins with enough
/// samples. Returns `None` if every bin has few samples.
fn range(bins: &Rows<'_>, overall: Option<f64>) -> Option<(f64, f64)> {
    let groups = || bins.iter().flat_map(|(_, cells)| cells).flatten();
    let intervals = groups().filter(|group| group.n >= FEW);
    let intervals = intervals.filter_map(|group| group.ci);
    let ends: Vec<f64> = intervals.flat_map(|ci| [ci.low, ci.high]).collect();
    if ends.is_empty() {
        return None;
    }
    let values = groups().filter_map(|group| group.score).chain(overall);
    let values = values.chain(ends).filter(|value| value.is_finite());
    Some(
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        }),
    )
}

/// Returns the first model's score for the whole ability. Its metric is the metric of the bins,
/// which can differ from the ranking metric.
fn overall(shared: &AppState, models: &[String], bins: &Rows<'_>) -> Option<f64> {
    let model = models.first()?;
    let group = bins.iter().flat_map(|(_, cells)| cells).flatten().next()?;
    let same = |score: &&analysis::Score| {
        score.metric == group.metric
            && score.benchmark == shared.lens.benchmark
            && score.model == *model
            && Some(&score.ability) == shared.lens.ability.as_ref()
    };
    shared
        .answers
        .scores
        .iter()
        .find(same)
        .and_then(|score| score.score)
}

/// Splits the area into head and chart.
fn parts(area: Rect) -> [Rect; 2] {
    Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area)
}

impl SubgroupsView {
    /// Opens the samples of the bin under the cursor.
    fn open(&self, shared: &AppState) -> Vec<Change> {
        Vec::from_iter(self.drill_down(shared).map(Change::from))
    }
}

impl View for SubgroupsView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let models = charted(shared);
        let bins = bins(shared, &models, self.order);
        let Some((label, cells)) = bins.get(self.dots.selected) else {
            return Vec::new();
        };
        let theme = &shared.theme;
        let [split, _] = by(shared);
        let words = format!("a bin of {split}: the samples whose value is in this bin");
        let mut explained = vec![Explanation::new(*label, theme.text(), words)];
        for (at, (model, group)) in models.iter().zip(cells).enumerate() {
            let Some(group) = group else {
                continue;
            };
            let sign = format!("● {}", fixed(group.score, 3));
            let metric = record::benchmark::metric_words(&group.metric);
            let n = compact(group.n);
            let words = format!("{metric} of {model} in that bin, over n {n} samples");
            explained.push(Explanation::new(sign, theme.series(at), words));
        }
        let interval = cells.iter().flatten().find_map(|group| group.ci);
        if interval.is_some() {
            let words =
                "95 % interval of a score; bins whose intervals overlap much may not differ";
            explained.push(Explanation::new("├──┤", theme.series(0), words));
        }
        let lone = cells.iter().flatten().find(|group| group.ci.is_none());
        if let Some(group) = lone {
            let words = "a score over too few samples for an interval";
            let sign = format!("○ n {}", compact(group.n));
            explained.push(Explanation::new(sign, theme.dim(), words));
        }
        if let Some(value) = overall(shared, &models, &bins) {
            let sign = format!("┊ {}", fixed(Some(value), 3));
            let words = "the score of the first model over the whole ability";
            explained.push(Explanation::new(sign, theme.reference(), words));
        }
        explained
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let models = charted(shared);
        let mut state = self.dots;
        let bins = bins(shared, &models, self.order);
        let [split, _] = by(shared);
        if bins.is_empty() {
            let text = why_empty(self, shared, &split);
            return draw_text(shared, &text, frame, room.area);
        }
        let first = bins.iter().flat_map(|(_, cells)| cells).flatten().next();
        let heading = first
            .map(|group| {
                format!(
                    "{} {}",
                    record::benchmark::metric_words(&group.metric),
                    group.direction.arrow()
                )
            })
            .unwrap_or_default();
        let [head, chart] = parts(room.area);
        let text = words(shared, &models, self.order, head.width);
        frame.render_widget(Line::styled(text, shared.theme.dim()), head);
        let places = Places::below_head(shared, chart, &models, &bins);
        draw_dots(
            shared,
            &bins,
            &models,
            &heading,
            &mut state,
            frame,
            places.dots,
        );
        models::draw(
            shared,
            &models,
            (state.selected, self.order),
            frame,
            places.models,
        );
        if !places.curve.is_empty() {
            let points = |model| curve::points(&bins, model);
            let points: Vec<Vec<CurvePoint>> = (0..models.len()).map(points).collect();
            curve::draw(
                shared,
                &split,
                &heading,
                &models,
                &points,
                frame,
                places.curve,
            );
        }
        ScrollState::DotPlot(state).into()
    }

    fn samples_from(&self, _: &AppState) -> u16 {
        THREE_PANES
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::DotPlot(&mut self.dots)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match action {
            Action::Left => Reply::with(Change::Act(Action::PreviousTag)),
            Action::Right => Reply::with(Change::Act(Action::NextTag)),
            Action::Open => self.open(shared).into(),
            Action::SortNext => {
                self.order = self.order.other();
                self.dots.selected = 0;
                Reply::DONE
            }
            other => {
                let count = bins(shared, &charted(shared), self.order).len();
                move_cursor(&mut self.dots.selected, count, 10, other)
            }
        }
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let models = charted(shared);
        let row = |(label, cells): &(&str, Vec<Option<&Subgroup>>)| DotRow {
            label: (*label).to_owned().into(),
            dots: vec![Dot::default(); cells.len()],
        };
        let bins = bins(shared, &models, self.order);
        let rows: Vec<DotRow<'_>> = bins.iter().map(row).collect();
        let chart = DotPlot {
            theme: &shared.theme,
            label: "",
            heading: "",
            rows: &rows,
            range: None,
            reference: None,
        };
        let [_, below] = parts(area);
        let places = Places::below_head(shared, below, &models, &bins);
        let row = chart.row_at(places.dots, &self.dots, x, y);
        if click_again(&mut self.dots.selected, row) {
            return self.open(shared);
        }
        Vec::new()
    }

    /// Queries the splits first, because the subgroups depend on them.
    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        if let Some(splits) = shared.ask_splits() {
            return vec![splits];
        }
        self.query(shared).map(ask).into_iter().collect()
    }

    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let models = charted(shared);
        let bins = bins(shared, &models, self.order);
        let (label, _) = bins.get(self.dots.selected)?;
        Some(DrillDown::new(Lens {
            bin: Some((shared.split()?, (*label).to_owned())),
            model: models.first().cloned(),
            ..shared.lens.clone()
        }))
    }

    /// Returns the table of bins, with score, interval and n of every model in the chart.
    fn grid(&self, shared: &AppState, _: Rect) -> Option<Grid> {
        let models = charted(shared);
        let numbers = models.iter().flat_map(|model| {
            let name = visible(model);
            [name.into_owned(), "95 %".to_owned(), "n".to_owned()].map(|name| (name, Align::Right))
        });
        let by = (visible(&split_text(shared)).into_owned(), Align::Left);
        let mut grid = Grid {
            columns: std::iter::once(by).chain(numbers).collect(),
            ..Grid::default()
        };
        for (label, cells) in bins(shared, &models, self.order) {
            let mut row = vec![label.to_owned()];
            for group in cells {
                let ci = group.and_then(|group| group.ci);
                let ci =
                    ci.map(|ci| format!("{}–{}", fixed(Some(ci.low), 3), fixed(Some(ci.high), 3)));
                row.push(fixed(group.and_then(|group| group.score), 3));
                row.push(ci.unwrap_or_else(|| "–".to_owned()));
                row.push(group.map_or_else(|| "–".to_owned(), |group| compact(group.n)));
            }
            grid.push(row.iter().map(String::as_str));
        }
        Some(grid)
    }

    fn status(&self, shared: &AppState) -> Vec<Piece<'static>> {
        let names = models::ends(&models::all(shared, &charted(shared))).words();
        Vec::from_iter(names.map(|words| Piece::new(words, shared.theme.dim())))
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let lens = Lens {
            model: None,
            bin: None,
            ..shared.lens.clone()
        };
        let query = engine::Subgroups {
            scope: shared.scope(&lens),
            by: Some(shared.split()?.text),
            all: false,
        };
        Some(query.into())
    }
}
