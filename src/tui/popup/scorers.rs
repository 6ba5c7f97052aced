//! Popup with the disagreements between the two scoring rules by reason; each row opens its
//! samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::frame_output::ScrollState;
use crate::shared::Shared;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use analysis::scorers::{AbilityAudit, Effect, Reason, RuleRank, ScorerAudit};
use base::format::{compact, fixed, visible};
use engine::Query;
use workspace::Lens;
use workspace::page::Sort;

use super::part::{Overlay, open as open_frame};

/// Maximum number of models in the details.
const MODELS: usize = 6;

/// Returns the query: all models and abilities of the benchmark, under the lens's filter.
fn query(shared: &Shared) -> engine::Scorers {
    engine::Scorers {
        scope: shared.scope(&shared.lens.whole()),
        examples: 0,
        quick: true,
    }
}

fn known(shared: &Shared) -> Option<&ScorerAudit> {
    let (asked, found) = shared.answers.scorers.as_ref()?;
    (*asked == query(shared)).then_some(&**found)
}

/// A row of the list.
#[derive(Clone, Copy)]
struct Entry<'a> {
    ability: &'a AbilityAudit,
    /// One reason for disagreement; `None` if the rules agree.
    reason: Option<&'a Reason>,
}

/// Returns the rows, limited to the lens's ability if it has one.
fn entries<'a>(shared: &Shared, found: &'a ScorerAudit) -> Vec<Entry<'a>> {
    let wanted = shared.lens.ability.as_ref();
    let is_shown = |ability: &&AbilityAudit| {
        ability.benchmark == shared.lens.benchmark
            && wanted.is_none_or(|name| *name == ability.ability)
    };
    let of_ability = |ability: &'a AbilityAudit| {
        let entry = |reason| Entry { ability, reason };
        let reasons: Vec<Entry<'a>> = (ability.reasons.iter())
            .map(|reason| entry(Some(reason)))
            .collect();
        if reasons.is_empty() {
            vec![entry(None)]
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
    shared: &'a Shared,
    entries: &'a [Entry<'a>],
}

impl Rows for List<'_> {
    fn total(&self) -> usize {
        self.entries.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(&Entry { ability, reason }) = self.entries.get(row) else {
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

/// Describes the row under the cursor, and the scores of its models under both rules.
fn detail(shared: &Shared, entry: Entry<'_>, frame: &mut Frame<'_>, area: Rect) {
    let Entry { ability, reason } = entry;
    let theme = &shared.theme;
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
            .map(|first| effect_header(shared, first)),
    );
    let moved = |effect: &&Effect| effect.moves();
    let still = |effect: &&Effect| !effect.moves();
    let models = ability.models.iter();
    let ordered = models.clone().filter(moved).chain(models.filter(still));
    lines.extend(ordered.take(MODELS).map(|effect| of_model(shared, effect)));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// Formats the header: `harness   strict    rank   mae_over_gt ↓`.
fn effect_header(shared: &Shared, effect: &Effect) -> Line<'static> {
    let metric = |place: Option<&RuleRank>| {
        place.map_or_else(String::new, |p| {
            format!(
                "{} {}",
                record::benchmark::metric_symbol(&p.metric),
                p.direction.arrow()
            )
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
    Line::styled(visible(&text).into_owned(), shared.theme.header())
}

/// Formats a model's line: `  0.812    0.790  1 → 2    siglip2`.
fn of_model(shared: &Shared, effect: &Effect) -> Line<'static> {
    let theme = &shared.theme;
    let score = |place: &Option<RuleRank>| fixed(place.as_ref().and_then(|place| place.score), 3);
    let rank = |place: &Option<RuleRank>| {
        let rank = place.as_ref().and_then(|place| place.rank);
        rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
    };
    let ranks = format!("{:>2} → {:<4}", rank(&effect.harness), rank(&effect.strict));
    let style = if effect.moves() {
        theme.warning()
    } else {
        theme.dim()
    };
    let split = effect.split.iter().map(|split| format!(" ({split})"));
    let model = split.fold(effect.model.clone(), |name, split| name + &split);
    Line::from(vec![
        Span::styled(format!("{:>7}  ", score(&effect.harness)), theme.text()),
        Span::styled(format!("{:>7}  ", score(&effect.strict)), theme.text()),
        Span::styled(ranks, style),
        Span::styled(visible(&model).into_owned(), theme.text()),
    ])
}

/// State of the popup: cursor in the list of reasons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scorers(TableState);

impl Scorers {
    /// Opens the samples of the row under the cursor.
    fn open(self, shared: &Shared) -> Option<Change> {
        let entries = entries(shared, known(shared)?);
        let Entry { ability, reason } = *entries.get(self.0.selected)?;
        let term = format!("scorers:{}", reason?.class.name());
        let lens = Lens {
            ability: Some(ability.ability.clone()),
            step: term,
            ..shared.lens.whole()
        };
        Some(Change::OpenLens(Box::new(DrillDown {
            sort: Some(Sort::Log),
            ..DrillDown::new(lens)
        })))
    }
}

impl Overlay for Scorers {
    /// Draws the list, or a message if there is none.
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let size = (
            screen.width.saturating_sub(6).min(120),
            screen.height.saturating_sub(4).min(44),
        );
        let title = "where the harness's scores and the strict rule disagree";
        let inner = open_frame(shared, frame, title, size);
        let mut state = self.0;
        let entries = known(shared).map(|found| entries(shared, found));
        let entries = match entries {
            Some(entries) if !entries.is_empty() => entries,
            other => {
                let words = match other {
                    None => "reading every answer by both rules",
                    Some(_) => {
                        "There are no samples here: published scores cannot be scored again."
                    }
                };
                frame.render_widget(Line::styled(words, shared.theme.dim()), inner);
                return (inner, ScrollState::Table(state));
            }
        };
        let foot_rows = u16::try_from(MODELS + 6).unwrap_or(u16::MAX);
        let [table, foot] = Layout::vertical([
            Constraint::Min(4),
            Constraint::Length(foot_rows.min(inner.height / 2)),
        ])
        .areas(inner);
        let list = List {
            shared,
            entries: &entries,
        };
        let widget = Table {
            theme: &shared.theme,
            columns: &columns(),
            rows: &list,
            sorted: None,
        };
        frame.render_stateful_widget(widget, table, &mut state);
        if let Some(entry) = entries.get(state.selected).copied() {
            detail(shared, entry, frame, foot);
        }
        (inner, ScrollState::Table(state))
    }

    fn keep(&mut self, scrolled: ScrollState) {
        if let ScrollState::Table(state) = scrolled {
            self.0 = state;
        }
    }

    fn act(&mut self, shared: &Shared, action: Action) -> Reply {
        match (action, self.open(shared)) {
            (Action::Open, Some(change)) => vec![Change::Close, change].into(),
            (Action::Open, None) => Reply::DONE,
            (Action::CopyCommand, _) => Reply::PassOn,
            _ => Reply::with(Change::Close),
        }
    }

    fn move_by(&mut self, step: isize) {
        self.0.selected = self.0.selected.saturating_add_signed(step);
    }

    fn query(&self, shared: &Shared) -> Option<Query> {
        Some(query(shared).into())
    }

    fn is_known(&self, shared: &Shared) -> bool {
        known(shared).is_some()
    }
}
