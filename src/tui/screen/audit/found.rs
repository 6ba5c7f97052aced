//! Draws the result of an audit: the error rate with its interval at the top, then the flagged
//! samples and their effects.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length, Percentage};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::AppState;
use crate::view::Explanation;
use crate::widget::table::{Column, ColumnWidth, Rows, Table, TableCell, TableState};
use analysis::audit::{Audit, Findings, Rate};
use base::format::{compact, counted, fixed, visible};
use record::verdict::{Entry, Verdict};

use super::{AuditView, panels};
use crate::frame_output::{FrameOutput, ScrollState};
use crate::screen::labels::{sign, verdict_span};
use crate::screen::part::interval;

/// Minimum number of verdicts at which the number of further verdicts is estimated.
const FIRST: u64 = 10;
/// Half-width of the interval for which the number of further verdicts is estimated.
const WANTED: f64 = 0.05;
/// Minimum share of the samples that are in strata with verdicts. Below it, no rate weighted by
/// stratum size is shown.
const COVERED: f64 = 0.9;
/// Minimum width in columns for panels side by side.
const WIDE: u16 = 118;
/// Maximum number of lines above the panels.
const HEAD: u16 = 6;
/// Number of lines, including the title, of the message that no sample is flagged.
const UNFLAGGED: u16 = 3;

/// Draws the error rate, the flagged samples and a panel.
pub fn draw(
    audit: &AuditView,
    shared: &AppState,
    found: &Findings,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    let [head, left, right] = parts(found, area);
    let lines = headline(shared, found, audit.offered(shared), head.width);
    frame.render_widget(Paragraph::new(lines), head);
    if right.is_empty() {
        let [names, body] = Layout::vertical([Length(1), Fill(1)]).areas(left);
        frame.render_widget(panels::names(shared, found, audit.panel), names);
        return match panels::lines(shared, found, audit.panel, body.width) {
            Some(lines) => {
                frame.render_widget(wrapped(lines), body);
                FrameOutput::default()
            }
            None => flagged(shared, found, audit.table, frame, body),
        };
    }
    let panels = (1..panels::COUNT)
        .filter_map(|panel| panels::split_panels(shared, found, panel, right.width));
    frame.render_widget(wrapped(panels.flatten().collect()), right);
    flagged(shared, found, audit.table, frame, left)
}

/// Wraps long lines at words.
fn wrapped(lines: Vec<Line<'_>>) -> Paragraph<'_> {
    Paragraph::new(lines).wrap(Wrap { trim: false })
}

/// Returns the area that is free if no sample is flagged.
pub fn below(found: &Findings, area: Rect) -> Rect {
    let [_, left, _] = parts(found, area);
    Rect {
        y: left.y.saturating_add(UNFLAGGED),
        height: left.height.saturating_sub(UNFLAGGED),
        ..left
    }
}

/// Splits the area into the rate, the flagged samples, and the panel next to them on a wide
/// screen.
fn parts(found: &Findings, area: Rect) -> [Rect; 3] {
    let [head, body] = Layout::vertical([Length(HEAD.min(area.height / 2)), Fill(1)]).areas(area);
    if area.width < WIDE {
        return [head, body, Rect::default()];
    }
    // An empty list needs less space.
    let share = if found.flagged.is_empty() { 25 } else { 45 };
    let [left, right] = Layout::horizontal([Percentage(share), Fill(1)])
        .spacing(3)
        .areas(body);
    [head, left, right]
}

/// How the judged samples of a rate were chosen. Randomly drawn samples represent all samples;
/// samples chosen by hand do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// All judged samples were drawn.
    Drawn,
    /// Some judged samples were not drawn. The rate ignores these.
    DrawnOnly,
    /// No judged sample was drawn.
    ByHand,
}

impl Basis {
    const fn words(self) -> &'static str {
        match self {
            Self::Drawn => "drawn at random",
            Self::DrawnOnly => "drawn at random, others left out",
            Self::ByHand => "selected by hand",
        }
    }

    /// Returns the bound by the rule of three, which replaces the interval if no drawn sample has a
    /// wrong label.
    fn bound(self, rate: &Rate) -> Option<f64> {
        rate.rule_of_three().filter(|_| self != Self::ByHand)
    }
}

/// Returns the audit used for the rate, and how its samples were chosen.
pub fn telling(found: &Findings) -> (&Audit, Basis) {
    match (found.drawn.overall.audited, found.audit.overall.audited) {
        (0, _) => (&found.audit, Basis::ByHand),
        (drawn, all) if drawn < all => (&found.drawn, Basis::DrawnOnly),
        _ => (&found.drawn, Basis::Drawn),
    }
}

/// Returns the rate and its title. The rate is that of the lens's ability, or else of all
/// abilities.
fn rate<'a>(shared: &AppState, audit: &'a Audit) -> (&'a Rate, String) {
    let own = shared.lens.ability.as_ref().and_then(|ability| {
        let mut rates = audit.abilities.iter();
        rates.find(|(name, _)| name.name == *ability && name.benchmark == shared.lens.benchmark)
    });
    match own {
        Some((name, rate)) => (rate, format!("label errors in {}", visible(&name.name))),
        None => (&audit.overall, "label errors".to_owned()),
    }
}

/// Returns the lines above the panels. The counts follow the rate if they fit. Otherwise they start
/// the line about verdicts.
fn headline(shared: &AppState, found: &Findings, size: usize, columns: u16) -> Vec<Line<'static>> {
    let (audit, basis) = telling(found);
    let (rate, name) = rate(shared, audit);
    let needed = Line::from(vec![
        Span::styled(format!("{:<9}", "needed"), shared.theme.dim()),
        Span::styled(needed(rate, audit, basis), shared.theme.text()),
    ]);
    let mut first = rate_line(shared, rate, &name, basis);
    let counts = Span::styled(counts(rate), shared.theme.dim());
    let gap = "   ";
    let mut kinds = kinds_line(shared, rate, &Verdict::SPOKEN);
    if first.width() + gap.len() + counts.width() <= usize::from(columns) {
        first.extend([Span::raw(gap), counts]);
    } else {
        kinds = kinds_line(shared, rate, &[Verdict::Ok, Verdict::BadImage]);
        kinds.spans.splice(1..1, [counts, Span::raw(gap)]);
    }
    vec![
        first,
        needed,
        kinds,
        check_line(shared, size),
        saved_line(shared),
        Line::default(),
    ]
}

/// Explains the rate, its interval and the counts.
pub fn explain(shared: &AppState, found: &Findings) -> Vec<Explanation> {
    let theme = &shared.theme;
    let (audit, basis) = telling(found);
    let (rate, name) = rate(shared, audit);
    let words = format!("{name}: the share of judged samples whose label is wrong");
    let mut explained = vec![Explanation::new(
        fixed(rate.error_rate, 3),
        theme.accent(),
        words,
    )];
    if rate.ci.is_some() {
        let words = match (basis.bound(rate), basis) {
            (Some(_), _) => {
                "no error was found in samples drawn at random: with 95 % confidence the share in \
                 all samples is not above 3 / n (rule of three)"
            }
            (None, Basis::ByHand) => {
                "95 % interval as if the judged samples were drawn at random; they were selected \
                 by hand, so it does not hold for the others"
            }
            (None, _) => {
                "95 % interval of that share in all samples; the judged ones were drawn at random"
            }
        };
        explained.push(Explanation::new(reach(rate, basis), theme.dim(), words));
    }
    for kind in Verdict::SPOKEN {
        let (sign, style) = sign(theme, kind);
        let sign = format!("{sign} {}", rate.count(kind));
        let words = format!("samples with the verdict: {}", kind.words());
        explained.push(Explanation::new(sign, style, words));
    }
    explained
}

/// Formats the error rate with its interval, and text about how the samples were chosen.
fn rate_line(shared: &AppState, rate: &Rate, name: &str, basis: Basis) -> Line<'static> {
    let theme = &shared.theme;
    let reach = format!("  {}  {}", reach(rate, basis), basis.words());
    Line::from(vec![
        Span::styled(format!("{name}  "), theme.header()),
        Span::styled(fixed(rate.error_rate, 3), theme.accent()),
        Span::styled(reach, theme.dim()),
    ])
}

/// Formats the interval of the rate, or its bound if no drawn sample has a wrong label.
fn reach(rate: &Rate, basis: Basis) -> String {
    match basis.bound(rate) {
        Some(bound) => format!("≤ {}", fixed(Some(bound), 3)),
        None => interval(rate.ci),
    }
}

/// Formats the counts: `1 wrong, 1 ambiguous of 3 judged`. Ambiguous samples do not count as
/// errors.
fn counts(rate: &Rate) -> String {
    let (wrong, judged) = (rate.count(Verdict::WrongLabel), compact(rate.audited));
    let ambiguous = match rate.count(Verdict::Ambiguous) {
        0 => String::new(),
        count => format!(", {count} ambiguous"),
    };
    format!("{wrong} wrong{ambiguous} of {judged} judged")
}

fn kinds_line(shared: &AppState, rate: &Rate, shown: &[Verdict]) -> Line<'static> {
    let theme = &shared.theme;
    let mut kinds = vec![Span::styled(format!("{:<9}", "verdicts"), theme.dim())];
    for kind in shown.iter().copied() {
        let (sign, style) = sign(theme, kind);
        let text = format!("{sign} {} {}   ", rate.count(kind), kind.words());
        kinds.push(Span::styled(text, style));
    }
    Line::from(kinds)
}

/// Formats the number of verdicts still needed for a narrower interval, and the rate weighted by
/// stratum size.
fn needed(rate: &Rate, audit: &Audit, basis: Basis) -> String {
    let more = match rate.more_for(WANTED) {
        _ if basis == Basis::ByHand => String::new(),
        _ if rate.audited < FIRST => format!("shown after {FIRST} verdicts"),
        Some(0) => "enough verdicts for ±0.05".to_owned(),
        Some(more) if more == rate.samples - rate.audited => {
            format!("all {} others for ±0.05", compact(more))
        }
        Some(more) => format!("{} for ±0.05", counted(more, "more verdict")),
        None => String::new(),
    };
    let is_overall = rate.audited == audit.overall.audited;
    // Omit the weighted rate if there are no errors: it is 0 too, and its bound would contradict
    // the other bound.
    let is_estimate = basis != Basis::ByHand && basis.bound(rate).is_none();
    let weighted = audit
        .weighted
        .filter(|_| is_overall && is_estimate)
        .filter(|weighted| weighted.covered >= COVERED);
    let weighted = weighted.map(|weighted| {
        let text = (fixed(Some(weighted.error_rate), 3), interval(weighted.ci));
        format!("   weighted by size {} {}", text.0, text.1)
    });
    more + &weighted.unwrap_or_default()
}

fn check_line(shared: &AppState, size: usize) -> Line<'static> {
    let theme = &shared.theme;
    let audit = |action| shared.key(ViewId::Audit, action);
    let (done, all) = (
        shared.verdicts.judged_of_check(&shared.table),
        shared.verdicts.check.len(),
    );
    let (state, what) = if done < all {
        (format!("{done} of {all}   "), "continues".to_owned())
    } else if size == 0 {
        let text = "you have judged every sample";
        return Line::from(vec![
            Span::styled(format!("{:<9}", "check"), theme.dim()),
            Span::styled(text, theme.text()),
        ]);
    } else {
        let drawn = format!(
            "draws {} more   {} {} size",
            size,
            audit(Action::LargerCheck),
            audit(Action::SmallerCheck)
        );
        (
            if all > 0 {
                format!("{all} of {all}   ")
            } else {
                String::new()
            },
            drawn,
        )
    };
    Line::from(vec![
        Span::styled(format!("{:<9}", "check"), theme.dim()),
        Span::styled(state, theme.text()),
        Span::styled(audit(Action::SpotCheck), theme.accent()),
        Span::styled(format!(" {what}"), theme.dim()),
    ])
}

fn saved_line(shared: &AppState) -> Line<'static> {
    let theme = &shared.theme;
    let text = match (&shared.verdicts.trouble, shared.verdicts.unsaved.len()) {
        (Some(why), count) => {
            let text = format!(
                "{} not saved: {}",
                counted(count as u64, "verdict"),
                visible(why)
            );
            return Line::styled(text, theme.error());
        }
        (None, 0) => format!("{:<9}{}", "saved in", visible(&shared.verdicts.place)),
        (None, count) => format!("{:<9}{}", "saving", counted(count as u64, "verdict")),
    };
    Line::styled(text, theme.dim())
}

/// Rows of the flagged samples.
struct FlaggedRows<'a> {
    shared: &'a AppState,
    entries: &'a [Entry],
}

impl FlaggedRows<'_> {
    fn table(&self) -> Table<'_, Self> {
        Table::new(&self.shared.theme, &COLUMNS, self)
    }
}

impl Rows for FlaggedRows<'_> {
    fn total(&self) -> usize {
        self.entries.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let theme = &self.shared.theme;
        let Some(entry) = self.entries.get(row) else {
            return Vec::new();
        };
        let text = TableCell::visible;
        let verdict = verdict_span(self.shared, entry);
        vec![
            TableCell::new(verdict.content, verdict.style),
            text(&entry.sample.sample_id, theme.text()),
            text(&entry.sample.ability, theme.dim()),
            text(&entry.note, theme.text()),
            text(&entry.author, theme.dim()),
        ]
    }
}

const COLUMNS: [Column<'static>; 5] = [
    Column::text("excluded", ColumnWidth::Fixed(13)),
    Column::text("sample", ColumnWidth::Share(4)).keeping_ends(),
    Column::text("ability", ColumnWidth::Share(3))
        .keeping_ends()
        .from(50),
    Column::text("note", ColumnWidth::Share(3)).from(40),
    Column::text("author", ColumnWidth::Share(2)).from(60),
];

fn flagged(
    shared: &AppState,
    found: &Findings,
    mut state: TableState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    if found.flagged.is_empty() {
        let text = "No sample is flagged, so none is excluded.";
        let line = Line::styled(text, shared.theme.dim());
        frame.render_widget(wrapped(vec![line]), area);
        return FrameOutput::default();
    }
    let rows = FlaggedRows {
        shared,
        entries: &found.flagged,
    };
    frame.render_stateful_widget(rows.table(), area, &mut state);
    ScrollState::Table(state).into()
}

/// Returns the flagged sample at a screen position.
pub fn row_at(
    audit: &AuditView,
    shared: &AppState,
    area: Rect,
    (x, y): (u16, u16),
) -> Option<usize> {
    let found = audit.findings.as_ref()?;
    let [_, left, right] = parts(found, area);
    let narrow = right.is_empty();
    let top = u16::from(narrow).min(left.height);
    let area = Rect {
        y: left.y + top,
        height: left.height - top,
        ..left
    };
    let rows = FlaggedRows {
        shared,
        entries: &found.flagged,
    };
    let shown = !narrow || audit.panel == 0;
    let row = rows.table().row_at(area, &audit.table, x, y);
    row.filter(|_| shown)
}
