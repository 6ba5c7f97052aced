//! All text of a sample as one scrollable text, for previews and low screens.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::answer_groups::AnswerGroups;
use super::answers::AnswerPair;
use super::text::{LOW, question_lines, verdict};
use crate::screen::labels::{hidden_line, verdict_line};
use crate::shared::AppState;
use crate::widget::prose::{LIMIT, rows_of_all};
use crate::widget::theme::Theme;
use base::format::visible_lines;
use media::Letter;
use workspace::page::Detail;

/// Maximum number of lines of a response that are shown.
const RESPONSE: usize = 200;

/// Draws question, scores, all models' answers and the response, starting at line `from`. Returns
/// the first visible line, which can be less than `from` so that the text fills the area.
pub fn draw(
    shared: &AppState,
    answers: &AnswerPair<'_>,
    from: usize,
    frame: &mut Frame<'_>,
    area: Rect,
) -> usize {
    let [text, edge] = Layout::horizontal([Fill(1), Length(1)]).areas(area);
    let lines = preview_lines(shared, answers, text);
    let rows = rows_of_all(&lines, text.width);
    let most = rows.saturating_sub(text.height);
    let offset = u16::try_from(from).unwrap_or(u16::MAX).min(most);
    let prose = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(prose.scroll((offset, 0)), text);
    let ends = [
        (offset > 0, "↑", edge.y),
        (offset < most, "↓", edge.bottom().saturating_sub(1)),
    ];
    for (_, sign, y) in ends.into_iter().filter(|(is_cut, ..)| *is_cut) {
        let place = Rect {
            y,
            height: 1,
            ..edge
        }
        .intersection(edge);
        frame.render_widget(Line::styled(sign, shared.theme.dim()), place);
    }
    usize::from(offset)
}

/// Returns the lines of a preview. In a low area the score comes first.
fn preview_lines(shared: &AppState, answers: &AnswerPair<'_>, area: Rect) -> Vec<Line<'static>> {
    let groups = AnswerGroups::of(shared, answers.first.list.row.0);
    let shown = (!answers.blind).then_some(&groups);
    let whole = Rect {
        height: u16::MAX,
        ..area
    };
    let mut asked = question_lines(shared, answers.first, shown, whole);
    asked.splice(1..1, verdict_line(shared, answers.first));
    if answers.blind {
        asked.push(hidden_line(shared));
        return asked;
    }
    let letter = answers.second.map(|_| Letter::A);
    let mut scored = verdict(shared, answers.first, letter);
    if area.height < LOW && scored.len() > 1 {
        let score = scored.remove(1);
        if let Some(first) = scored.first_mut() {
            first.push_span(Span::raw("  "));
            first.spans.extend(score.spans);
        }
        // Omit the id, which the list already shows.
        asked.splice(..1, scored.drain(..1));
    }
    let second = answers.second.into_iter();
    let second = second.flat_map(|second| verdict(shared, second, Some(Letter::B)));
    let mut lines: Vec<Line<'static>> = asked.into_iter().chain(scored).chain(second).collect();
    lines.push(Line::default());
    lines.extend(groups.lines(shared, area.width));
    let both = [Some(answers.first), answers.second];
    for detail in both.into_iter().flatten() {
        lines.push(Line::default());
        lines.extend(response_lines(&shared.theme, detail));
    }
    lines
}

/// Returns the lines of a response; the part that was parsed as the answer is underlined.
fn response_lines(theme: &Theme, detail: &Detail) -> Vec<Line<'static>> {
    let whole = detail.record.response.as_deref().unwrap_or_default();
    // Limit the length, because a model can write a very long line.
    let response = &whole[..whole.floor_char_boundary(LIMIT)];
    let text = visible_lines(response);
    if text.is_empty() {
        return vec![Line::styled("(no response)", theme.dim())];
    }
    let mark = mark_of(detail, response, &text).unwrap_or_default();
    let marked = theme.accent().add_modifier(Modifier::UNDERLINED);
    let mut start = 0;
    let lines = text.split_inclusive('\n').take(RESPONSE).map(|line| {
        let inside = |at: usize| line.floor_char_boundary(at.saturating_sub(start).min(line.len()));
        let (from, to) = (inside(mark.start), inside(mark.end));
        let parts = [
            (0..from, theme.text()),
            (from..to, marked),
            (to..line.len(), theme.text()),
        ];
        start += line.len();
        let parts = parts.into_iter().filter_map(|(part, style)| {
            let text = line.get(part)?.trim_end_matches('\n').to_owned();
            (!text.is_empty()).then(|| Span::styled(text, style))
        });
        parts.collect::<Line<'_>>()
    });
    let mut lines: Vec<Line<'static>> = lines.collect();
    if start < text.len() || response.len() < whole.len() {
        lines.push(Line::styled("…", theme.dim()));
    }
    lines
}

/// Returns the byte range of the text that was parsed as the answer. The range refers to the raw
/// response, so it is valid only if no character before its end was replaced.
pub fn mark_of(detail: &Detail, response: &str, text: &str) -> Option<Range<usize>> {
    let mark = detail.reading.as_ref()?.span.clone()?;
    let before = response.get(..mark.end)?;
    text.starts_with(before).then_some(mark)
}
