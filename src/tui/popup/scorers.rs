//! Where the two rules disagree, reason by reason; a row opens its samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::{App, Effect as ToDo};
use crate::keymap::View;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use analysis::scorers::{AbilityAudit, Effect, Place, Reason, ScorerAudit};
use engine::Scorers;
use format::{compact, fixed, visible};
use workspace::Lens;
use workspace::page::Sort;

use super::Popup;
use super::draw::open as open_frame;

/// Rows of what the choice of the rule does to an ability's models.
const MODELS: usize = 6;

/// What is asked: all models and abilities of the benchmark, under the lens's filter.
pub fn query(app: &App) -> Scorers {
    Scorers {
        scope: app.scope(&app.lens.whole()),
        examples: 0,
        quick: true,
    }
}

/// The answer, if it is known.
pub fn known(app: &App) -> Option<&ScorerAudit> {
    let (asked, found) = app.answers.scorers.as_ref()?;
    (*asked == query(app)).then_some(&**found)
}

/// An ability, and one reason for which its rules disagree; none where they agree.
type Entry<'a> = (&'a AbilityAudit, Option<&'a Reason>);

/// The rows: those of the lens's ability, if it has one.
fn entries<'a>(app: &App, found: &'a ScorerAudit) -> Vec<Entry<'a>> {
    let wanted = app.lens.ability.as_ref();
    let is_shown = |ability: &&AbilityAudit| {
        ability.benchmark == app.lens.benchmark
            && wanted.is_none_or(|name| *name == ability.ability)
    };
    let of_ability = |ability: &'a AbilityAudit| {
        let reasons: Vec<Entry<'a>> = (ability.reasons.iter())
            .map(|reason| (ability, Some(reason)))
            .collect();
        if reasons.is_empty() {
            vec![(ability, None)]
        } else {
            reasons
        }
    };
    (found.abilities.iter())
        .filter(is_shown)
        .flat_map(of_ability)
        .collect()
}

struct List<'a> {
    app: &'a App,
    entries: &'a [Entry<'a>],
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.entries.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.app.theme;
        let Some((ability, reason)) = self.entries.get(row) else {
            return Vec::new();
        };
        let cell = |text: String, style| TableCell {
            text: text.into(),
            style,
        };
        let name = cell(visible(&ability.ability).into_owned(), theme.text());
        let Some(reason) = reason else {
            let why = if ability.n == 0 {
                "not compared"
            } else {
                "agree"
            };
            let n = compact(ability.n.max(ability.uncompared));
            return vec![
                name,
                cell(why.to_owned(), theme.dim()),
                cell(n, theme.dim()),
            ];
        };
        let interval = reason.share.ci.map_or_else(
            || "–".to_owned(),
            |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
        );
        let alone = |count: u64| {
            if count == 0 {
                "·".to_owned()
            } else {
                compact(count)
            }
        };
        vec![
            name,
            cell(reason.class.name().to_owned(), theme.warning()),
            cell(compact(reason.share.count), theme.text()),
            cell(fixed(reason.share.share, 3), theme.accent()),
            cell(interval, theme.dim()),
            cell(alone(reason.right_by_harness), theme.text()),
            cell(alone(reason.right_by_strict), theme.text()),
        ]
    }
}

fn columns() -> [Column<'static>; 7] {
    [
        Column::text("ability", ColumnWidth::Share(2)),
        Column::text("scorers:", ColumnWidth::Fixed(20)),
        Column::number("n", 6),
        Column::number("share", 6),
        Column::number("95 %", 16).from(84),
        Column::number("✓ harness", 9),
        Column::number("✓ strict", 8),
    ]
}

/// Draws the list, or what stands in its place.
pub fn draw(app: &mut App, state: &mut TableState, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let (width, height) = (
        screen.width.saturating_sub(6).min(120),
        screen.height.saturating_sub(4).min(44),
    );
    let title = "where the harness's scores and the strict rule disagree";
    let inner = open_frame(app, frame, title, width, height);
    let Some(found) = known(app) else {
        let line = Line::styled("reading every answer by both rules", app.theme.dim());
        return frame.render_widget(line, inner);
    };
    let entries = entries(app, found);
    if entries.is_empty() {
        let words = "There are no samples here: printed scores cannot be scored again.";
        return frame.render_widget(Line::styled(words, app.theme.dim()), inner);
    }
    let foot_rows = u16::try_from(MODELS + 6).unwrap_or(u16::MAX);
    let [table, foot] = Layout::vertical([
        Constraint::Min(4),
        Constraint::Length(foot_rows.min(inner.height / 2)),
    ])
    .areas(inner);
    let list = List {
        app,
        entries: &entries,
    };
    let widget = Table {
        theme: &app.theme,
        columns: &columns(),
        rows: &list,
        sorted: None,
    };
    frame.render_stateful_widget(widget, table, state);
    if let Some(entry) = entries.get(state.selected) {
        detail(app, entry, frame, foot);
    }
}

/// The row under the cursor in words, and what the rules make of the ability's models.
fn detail(app: &App, (ability, reason): &Entry<'_>, frame: &mut Frame<'_>, area: Rect) {
    let theme = &app.theme;
    let mut lines = vec![Line::styled(
        "─".repeat(usize::from(area.width)),
        theme.border(),
    )];
    if let Some(reason) = reason {
        let models = reason.models.iter();
        let models: Vec<String> = models
            .map(|(model, count)| format!("{model} {}", compact(*count)))
            .collect();
        lines.push(Line::from(vec![
            Span::styled(reason.class.words(), theme.warning()),
            Span::styled("   Enter opens these samples", theme.dim()),
        ]));
        lines.push(Line::styled(
            visible(&models.join(", ")).into_owned(),
            theme.dim(),
        ));
    }
    lines.push(Line::styled(ability.sentence(), theme.text()));
    lines.extend(
        ability
            .models
            .first()
            .map(|first| effect_header(app, first)),
    );
    let moved = |effect: &&Effect| effect.moves();
    let still = |effect: &&Effect| !effect.moves();
    let models = ability.models.iter();
    let ordered = models.clone().filter(moved).chain(models.filter(still));
    lines.extend(ordered.take(MODELS).map(|effect| of_model(app, effect)));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// `harness   strict    rank   mae_over_gt ↓`.
fn effect_header(app: &App, effect: &Effect) -> Line<'static> {
    let metric = |place: Option<&Place>| {
        place.map_or_else(String::new, |p| {
            format!("{} {}", p.metric, p.direction.arrow())
        })
    };
    let (harness, strict) = (
        metric(effect.harness.as_ref()),
        metric(effect.strict.as_ref()),
    );
    let metrics = if harness == strict {
        harness
    } else {
        format!("{harness}, strict {strict}")
    };
    let text = format!("harness   strict    rank   {metrics}");
    Line::styled(visible(&text).into_owned(), app.theme.header())
}

/// `  0.812    0.790  1 → 2    siglip2`.
fn of_model(app: &App, effect: &Effect) -> Line<'static> {
    let theme = &app.theme;
    let score = |place: &Option<Place>| fixed(place.as_ref().and_then(|place| place.score), 3);
    let rank = |place: &Option<Place>| {
        let rank = place.as_ref().and_then(|place| place.rank);
        rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
    };
    let ranks = format!("{:>2} → {:<4}", rank(&effect.harness), rank(&effect.strict));
    let style = if effect.moves() {
        theme.warning()
    } else {
        theme.dim()
    };
    Line::from(vec![
        Span::styled(format!("{:>7}  ", score(&effect.harness)), theme.text()),
        Span::styled(format!("{:>7}  ", score(&effect.strict)), theme.text()),
        Span::styled(ranks, style),
        Span::styled(visible(&effect.model).into_owned(), theme.text()),
    ])
}

/// Opens the samples of the row under the cursor.
pub fn open(app: &mut App) -> Vec<ToDo> {
    let Some(Popup::Scorers(state)) = app.popups.last() else {
        return Vec::new();
    };
    let selected = state.selected;
    let entry = known(app).and_then(|found| {
        let (ability, reason) = *entries(app, found).get(selected)?;
        Some((ability.ability.clone(), reason?.class))
    });
    let Some((ability, class)) = entry else {
        return Vec::new();
    };
    app.popups.pop();
    app.remember();
    let term = format!("scorers:{}", class.name());
    let filter = match app.lens.filter.as_str() {
        "" => term,
        before => format!("({before}) {term}"),
    };
    app.sort = Sort::Log;
    app.reverse = false;
    app.lens = Lens {
        ability: Some(ability),
        filter,
        ..app.lens.whole()
    };
    app.view = View::Samples;
    app.samples.table = TableState::default();
    app.ask_all()
}
