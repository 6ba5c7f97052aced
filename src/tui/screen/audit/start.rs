//! The audit screen without verdicts: an introduction, and the key to start.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::AuditView;
use crate::action::Action;
use crate::frame_output::FrameOutput;
use crate::keymap::ViewId;
use crate::screen::MIN_HEIGHT_BELOW;
use crate::screen::part::draw_text;
use crate::shared::AppState;
use crate::widget::fit;
use analysis::audit::Findings;
use base::format::{compact, visible};
use record::Ability;

/// Width of the introduction, in cells.
const WORDS: u16 = 78;
/// Width between the introduction and the list of abilities, in cells; part of [`WORDS`].
const GAP: u16 = 2;
/// Width of the list of abilities next to the introduction, in cells.
const ABILITIES: u16 = 36;

/// Number of rows of the introduction, if no line is wrapped.
const ROWS: u16 = 16;

/// Returns the area below the introduction and the list of abilities.
pub fn below(audit: &AuditView, shared: &AppState, area: Rect) -> Rect {
    let is_wide = area.width >= WORDS + ABILITIES;
    let sizes = audit.findings.as_ref().filter(|_| is_wide);
    let sizes = sizes.map_or(0, |found| sizes_of(shared, found).count());
    let taken = ROWS.max(u16::try_from(sizes).unwrap_or(u16::MAX).saturating_add(4));
    Rect {
        y: area.y.saturating_add(taken),
        height: area.height.saturating_sub(taken),
        ..area
    }
}

/// Draws the introduction, with the size and content of the next spot check.
pub fn draw(
    audit: &AuditView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> FrameOutput {
    let theme = &shared.theme;
    if shared.is_published_only(&shared.lens.benchmark) {
        let text = "Published scores have no samples to judge; b goes to the next benchmark.";
        return draw_text(shared, text, frame, area);
    }
    let text = |text: &str| Line::styled(text.to_owned(), theme.text());
    let dim = |text: String| Line::styled(text, theme.dim());
    let key = |action| shared.key(ViewId::Audit, action);
    let sample = |action| shared.key(ViewId::Sample, action);
    let size = audit.offered(shared);
    let of = shared.lens_words();
    let mut lines = vec![
        Line::default(),
        Line::styled("How many labels are wrong?", theme.header()),
        Line::default(),
        text("A spot check draws samples at random, spread over abilities and data sets."),
        text("You judge each label with one key; the models' answers stay hidden."),
        text("The result: the label error rate, and which ranks depend on wrong labels."),
        Line::default(),
        Line::from(vec![
            Span::styled(format!("  {}  ", key(Action::SpotCheck)), theme.accent()),
            Span::styled(format!("draw {size} samples of {of}"), theme.text()),
            Span::styled(
                format!(
                    "   {} {} more or fewer   {} ability",
                    key(Action::LargerCheck),
                    key(Action::SmallerCheck),
                    key(Action::NextAbility)
                ),
                theme.dim(),
            ),
        ]),
        Line::default(),
        dim(format!(
            "In the lists, {} turns on the keys that judge a sample:",
            sample(Action::ToggleJudging)
        )),
        dim(format!(
            "{} ok   {} wrong label   {} ambiguous   {} bad image   {} note   {} undo",
            sample(Action::JudgeOk),
            sample(Action::JudgeWrongLabel),
            sample(Action::JudgeAmbiguous),
            sample(Action::JudgeBadImage),
            sample(Action::Note),
            sample(Action::UndoVerdict)
        )),
        Line::default(),
        dim(format!(
            "Your verdicts are saved in {} (author: {})",
            visible(&shared.verdicts.place),
            visible(&shared.verdicts.author)
        )),
    ];
    if below(audit, shared, area).height < MIN_HEIGHT_BELOW {
        let sort = shared.key(ViewId::Samples, Action::SortNext);
        let words = format!("To see likely label errors, sort Samples by suspect ({sort}).");
        lines.push(dim(words));
    }
    let [left, right] = if area.width >= WORDS + ABILITIES {
        let sides = [
            Constraint::Length(WORDS - GAP),
            Constraint::Length(GAP),
            Constraint::Fill(1),
        ];
        let [left, _, right] = Layout::horizontal(sides).areas(area);
        [left, right]
    } else {
        [area, Rect::default()]
    };
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), left);
    if let Some(found) = &audit.findings {
        frame.render_widget(Paragraph::new(sizes(shared, found, right)), right);
    }
    FrameOutput::default()
}

/// Returns the name and number of samples of each ability of the benchmark.
fn sizes_of<'a>(
    shared: &'a AppState,
    found: &'a Findings,
) -> impl Iterator<Item = &'a (Ability, u64)> {
    let sizes = found.audit.sizes.iter();
    sizes.filter(|(name, _)| name.benchmark == shared.lens.benchmark)
}

/// Lists the number of available samples per ability; the lens's ability is highlighted.
fn sizes(shared: &AppState, found: &Findings, area: Rect) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let own = &shared.lens.ability;
    let sizes = sizes_of(shared, found);
    let width = usize::from(area.width.min(ABILITIES));
    let line = |name: &str, number: &str, style: Style| {
        let room = width.saturating_sub(number.len() + 1);
        let name = fit(name, u16::try_from(room).unwrap_or(u16::MAX)).into_owned();
        let gap = width.saturating_sub(usize::from(crate::widget::width(&name)) + number.len());
        Line::styled(format!("{name}{}{number}", " ".repeat(gap)), style)
    };
    let mut lines = vec![
        Line::default(),
        line("ability", "samples", theme.header()),
        Line::default(),
    ];
    lines.extend(sizes.map(|(name, size)| {
        let is_meant = own.as_ref().is_none_or(|own| *own == name.name);
        let style = if is_meant { theme.text() } else { theme.dim() };
        line(&visible(&name.name), &compact(*size), style)
    }));
    let most = usize::from(area.height);
    if most > 0 && lines.len() > most {
        let hidden = lines.len() - (most - 1);
        lines.truncate(most - 1);
        lines.push(Line::styled(format!("… and {hidden} more"), theme.dim()));
    }
    lines
}
