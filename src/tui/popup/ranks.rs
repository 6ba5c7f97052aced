//! Popup with the data on which the ranks are based: the ability under the cursor, and the
//! average ranks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::screen::instead;
use crate::shared::AppState;
use crate::widget::ranking::Ranking;
use analysis::sensitivity::{AbilityRanks, CriticalDifference, LeaveOneOut, Sensitivity, letters};
use analysis::{Origin, Score};
use base::format::wrap;
use base::format::{fixed, visible};
use engine::Query;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, open};

/// Returns the query: all models and abilities of the benchmark, under the lens's filter.
fn query(shared: &AppState) -> engine::Ranks {
    engine::Ranks {
        scope: shared.scope(&shared.lens.whole()),
    }
}

fn known(shared: &AppState) -> Option<&Sensitivity> {
    let (asked, found) = shared.answers.ranks.as_ref()?;
    (*asked == query(shared)).then_some(&**found)
}

/// State of the rank popup: its scroll position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranks {
    /// Index of the first visible line.
    offset: usize,
}

impl Overlay for Ranks {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let width = screen.width.saturating_sub(6).min(110);
        let lines = match known(shared) {
            None => {
                let words = instead(shared, query(shared), "resampling …");
                vec![Line::styled(words, shared.theme.dim())]
            }
            Some(found) => lines(shared, found, width),
        };
        let tall = lines
            .iter()
            .map(|line| wrap(&line.to_string(), width).count().max(1));
        let tall = u16::try_from(tall.sum::<usize>()).unwrap_or(u16::MAX);
        let height = screen.height.saturating_sub(4).min(tall);
        let title = "certainty of the ranks";
        let inner = open(shared, frame, title, (width, height));
        // Long lines are wrapped, so allow scrolling by another half screen.
        let last = lines.len().saturating_sub(usize::from(inner.height));
        let most = if last > 0 {
            last + usize::from(inner.height) / 2
        } else {
            0
        };
        let offset = self.offset.min(most.min(lines.len().saturating_sub(1)));
        let is_cut = offset < last;
        let rest: Vec<Line<'_>> = lines.into_iter().skip(offset).collect();
        frame.render_widget(Paragraph::new(rest).wrap(Wrap { trim: false }), inner);
        if let (true, Some(corner)) = (is_cut, inner.rows().next_back()) {
            let sign = Line::styled("↓", shared.theme.accent()).right_aligned();
            frame.render_widget(sign, corner);
        }
        (inner, ScrollState::At(offset))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.offset)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![MOVE, ("←→", "ability"), CLOSE]
    }

    /// Left and right are passed to the view below, where they select the ability.
    fn act(&mut self, _: &AppState, action: Action) -> Reply {
        match action {
            Action::Left | Action::Right | Action::CopyCommand => Reply::PassOn,
            _ => Reply::with(Change::Close),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(query(shared).into())
    }

    fn is_known(&self, shared: &AppState) -> bool {
        known(shared).is_some()
    }
}

fn lines(shared: &AppState, found: &Sensitivity, width: u16) -> Vec<Line<'static>> {
    let ability = shared
        .lens
        .ability
        .clone()
        .or_else(|| shared.ability_under_cursor());
    let mut lines = Vec::new();
    let of_lens = |row: &&AbilityRanks| {
        row.benchmark == shared.lens.benchmark && Some(&row.ability) == ability.as_ref()
    };
    for row in found.abilities.iter().filter(of_lens) {
        lines.extend(of_ability(shared, row));
        lines.extend(changes(shared, found, Some(&row.ability)));
        lines.push(Line::default());
    }
    let critical = found
        .critical
        .iter()
        .find(|row| row.benchmark == shared.lens.benchmark);
    if let Some(critical) = critical {
        lines.extend(of_averages(shared, critical, width));
        lines.extend(changes(shared, found, None));
    }
    lines
}

fn of_ability(shared: &AppState, row: &AbilityRanks) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let mut lines = vec![Line::from(vec![
        Span::styled(visible(&row.ability).into_owned(), theme.accent()),
        Span::styled(
            format!(
                "  {} {}",
                visible(&record::benchmark::metric_words(&row.metric)),
                row.direction.arrow()
            ),
            theme.header(),
        ),
    ])];
    lines.extend(row.models.iter().map(|model| of_model(shared, model)));
    let grouped = row.models.iter().any(|model| !model.tie_groups.is_empty());
    let sampled = |model: &&Score| model.origin == Origin::Samples && model.score.is_some();
    let words = match (&row.lead, row.models.iter().filter(sampled).count()) {
        (Some(lead), _) => format!("first place  {}", lead.sentence()),
        (None, 0) => "no samples to resample: these scores are published".to_owned(),
        (None, 1) => "first place  no other model to compare with".to_owned(),
        (None, _) => {
            "first place  a metric of the whole set: no samples can be left out".to_owned()
        }
    };
    lines.push(Line::styled(visible(&words).into_owned(), theme.text()));
    if grouped {
        let words =
            "a letter is a tie group: no clear difference from its best model; groups may overlap";
        lines.push(Line::styled(words, theme.dim()));
    }
    lines
}

/// Formats a model's line: `  1 [1-2] a  0.674  SigLIP-2`.
fn of_model(shared: &AppState, model: &Score) -> Line<'static> {
    let theme = &shared.theme;
    let rank = model
        .rank
        .map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let ranks = model
        .rank_ci
        .map_or_else(String::new, |(low, high)| format!("[{low}-{high}]"));
    let group = letters(&model.tie_groups);
    Line::from(vec![
        Span::styled(format!("{rank:>3} "), theme.text()),
        Span::styled(format!("{ranks:<7}"), theme.dim()),
        Span::styled(format!("{group:<3}"), theme.accent()),
        Span::styled(format!("{:>8}  ", fixed(model.score, 3)), theme.text()),
        Span::styled(visible(&model.model).into_owned(), theme.text()),
        Span::styled(
            model
                .why_not_ranked()
                .map_or_else(String::new, |why| format!("  {why}")),
            theme.warning(),
        ),
    ])
}

fn of_averages(shared: &AppState, critical: &CriticalDifference, width: u16) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let rows: Vec<(String, f64)> = (critical.models.iter())
        .map(|(model, rank)| (visible(model).into_owned(), *rank))
        .collect();
    let ranking = Ranking {
        theme,
        rows: &rows,
        difference: critical.difference,
    };
    let mut lines = vec![
        Line::from(vec![
            Span::styled("average rank", theme.accent()),
            Span::styled("  among models that have every ability", theme.dim()),
        ]),
        Line::styled(critical.sentence(), theme.dim()),
    ];
    lines.extend(ranking.lines(width));
    let words = "━ spans the models without a clear difference";
    lines.push(Line::styled(words, theme.dim()));
    lines
}

/// Lists how the order of models changes if an ability or a data set is left out.
fn changes(shared: &AppState, found: &Sensitivity, ability: Option<&String>) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let of_order = |row: &&LeaveOneOut| {
        row.benchmark == shared.lens.benchmark && row.ability.as_ref() == ability
    };
    let rows: Vec<&LeaveOneOut> = found.without.iter().filter(of_order).collect();
    let changed = rows.iter().filter(|row| !row.swaps.is_empty());
    let line = |row: &&LeaveOneOut| {
        let pairs = row
            .swaps
            .iter()
            .map(|(better, worse)| format!("{better} and {worse}"));
        let (what, name) = &row.left_out;
        let text = format!("{what} {name}: {}", pairs.collect::<Vec<_>>().join(", "));
        Line::from(vec![
            Span::styled("  without ", theme.dim()),
            Span::styled(visible(&text).into_owned(), theme.text()),
        ])
    };
    let lines: Vec<Line<'static>> = changed.map(line).collect();
    let words = match (rows.len(), lines.len()) {
        (0, _) => return Vec::new(),
        (tried, 0) => {
            format!("none of {tried} abilities or data sets changes the order when left out")
        }
        (tried, some) => {
            format!("{some} of {tried} abilities or data sets change the order when left out:")
        }
    };
    let mut all = vec![Line::styled(words, theme.dim())];
    all.extend(lines);
    all
}
