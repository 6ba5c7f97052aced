//! Draws the models' answers side by side, and earlier answers.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value as Json;

use super::super::state::{
    AnswerStage, EarlierAnswer, PlaygroundModel, PlaygroundView, StreamedAnswer,
};
use crate::action::Action;
use crate::frame_output::ScrollState;
use crate::keymap::ViewId;
use crate::screen::live::trouble;
use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::prose::{rows_of, rows_of_all};
use ask::SessionError;
use ask::{Estimate, Kind, StepResult};
use base::format::{first_words, significant, visible, visible_lines};

/// Minimum width of an answer's column, in cells.
const COLUMN: u16 = 26;
/// Maximum height of the list of earlier answers, in rows.
const EARLIER: u16 = 6;
/// Maximum number of tokens with probabilities.
const TOKENS: usize = 40;

/// Draws the answers. Returns the scroll position, limited to the longest answer.
pub fn render(
    view: &PlaygroundView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> ScrollState {
    let mut most = 0;
    let earlier = u16::try_from(view.earlier.len()).unwrap_or(u16::MAX);
    let earlier = earlier.min(EARLIER).min(area.height / 3);
    let low = if earlier > 0 { earlier + 1 } else { 0 };
    let [above, below] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(low)]).areas(area);
    for AnswerColumn { place, head, lines } in columns(view, shared, above) {
        let head_rows = rows_of_all(&head, place.width).min(place.height);
        let [fixed, moving] =
            Layout::vertical([Constraint::Length(head_rows), Constraint::Fill(1)]).areas(place);
        frame.render_widget(Paragraph::new(head).wrap(Wrap { trim: false }), fixed);
        // Stop scrolling at the end of each answer, so that a short answer stays visible.
        let hidden = rows_of_all(&lines, moving.width).saturating_sub(moving.height);
        let scrolled = u16::try_from(view.scrolled).unwrap_or(u16::MAX).min(hidden);
        most = most.max(hidden);
        let text = Paragraph::new(lines).wrap(Wrap { trim: false });
        frame.render_widget(text.scroll((scrolled, 0)), moving);
    }
    if earlier > 0 {
        let head = Line::styled("earlier", shared.theme.header());
        let lines = view.earlier.iter().take(earlier.into());
        let lines = lines.map(|one| line_of(shared, one, below.width));
        let lines: Vec<Line<'_>> = std::iter::once(head).chain(lines).collect();
        frame.render_widget(Paragraph::new(lines), below);
    }
    ScrollState::At(view.scrolled.min(most.into()))
}

/// An answer on screen. The head stays visible while the lines scroll.
struct AnswerColumn {
    place: Rect,
    head: Vec<Line<'static>>,
    lines: Vec<Line<'static>>,
}

/// Returns the answers of the models. For a single model, the log's answer comes first.
fn columns(view: &PlaygroundView, shared: &AppState, area: Rect) -> Vec<AnswerColumn> {
    let logged = logged(view, shared);
    let count = view.models.len() + usize::from(logged.is_some());
    let mut places = grid(area, count).into_iter();
    let mut columns = Vec::new();
    if let Some((head, lines)) = logged
        && let Some(place) = places.next()
    {
        columns.push(AnswerColumn { place, head, lines });
    }
    let estimates = view
        .preview
        .as_ref()
        .map(|preview| preview.estimates.as_slice());
    for (at, (model, place)) in view.models.iter().zip(places).enumerate() {
        let estimate = estimates.and_then(|all| all.get(at));
        let (head, lines) = match &model.stage {
            AnswerStage::Idle => (idle(shared, model, estimate), Vec::new()),
            AnswerStage::Asked(spoken) => (
                header_lines(shared, model, spoken, place),
                response_lines(shared, spoken, place),
            ),
        };
        columns.push(AnswerColumn { place, head, lines });
    }
    columns
}

/// Returns head and text of the log's answer, if only one model was asked.
fn logged(
    view: &PlaygroundView,
    shared: &AppState,
) -> Option<(Vec<Line<'static>>, Vec<Line<'static>>)> {
    let theme = &shared.theme;
    let [only] = view.models.as_slice() else {
        return None;
    };
    let AnswerStage::Asked(_) = &only.stage else {
        return None;
    };
    let preview = view.preview.as_ref()?;
    let (before, said) = (preview.before.as_ref()?, preview.said.as_deref()?);
    let head = Line::from(vec![
        Span::styled("in the log ", theme.dim()),
        Span::styled(visible(&before.model).into_owned(), theme.accent()),
    ]);
    let verdict = match before.right {
        Some(right) => {
            let (sign, style) = theme.verdict(right);
            let word = if right { "right" } else { "wrong" };
            Line::styled(format!("{sign} {word}"), style)
        }
        None => Line::styled("? no score", theme.warning()),
    };
    let text = paragraphs(said, theme.text());
    let lines = std::iter::once(Line::default()).chain(text);
    Some((vec![head, verdict], lines.collect()))
}

/// Returns the areas of `count` answers. They are side by side, or in several rows if they would be
/// too narrow.
fn grid(area: Rect, count: usize) -> Vec<Rect> {
    let fit = usize::from((area.width / COLUMN).max(1));
    let columns = fit.min(count).max(1);
    let rows = Layout::vertical(vec![Constraint::Fill(1); count.div_ceil(columns)]);
    let row = |row: &Rect| {
        let columns = Layout::horizontal(vec![Constraint::Fill(1); columns]);
        columns.spacing(2).split(*row).to_vec()
    };
    rows.split(area).iter().flat_map(row).take(count).collect()
}

/// Returns the name of the model and its endpoint.
fn head(shared: &AppState, model: &PlaygroundModel, name: &str) -> Line<'static> {
    let theme = &shared.theme;
    let asked = &model.asked;
    let name = if name.is_empty() { &asked.model } else { name };
    let mut spans = Vec::new();
    if !name.is_empty() && *name != asked.endpoint {
        spans.push(Span::styled(format!("{} ", visible(name)), theme.accent()));
        spans.push(Span::styled(client_of(&asked.endpoint), theme.dim()));
    } else {
        spans.push(Span::styled(client_of(&asked.endpoint), theme.accent()));
    }
    Line::from(spans)
}

/// Returns an endpoint for display, without secrets in its address.
fn client_of(endpoint: &str) -> String {
    visible(&ask::client::without_secrets(endpoint)).into_owned()
}

/// Returns the estimated size and cost of a request that has not been sent.
fn idle(
    shared: &AppState,
    model: &PlaygroundModel,
    estimate: Option<&Result<Estimate, SessionError>>,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let mut lines = vec![head(shared, model, "")];
    match estimate {
        Some(Ok(estimate)) => {
            let told = visible(&estimate.to_string()).into_owned();
            lines.push(Line::styled(told, theme.dim()));
        }
        Some(Err(why)) => {
            let told = visible(&trouble(why)).into_owned();
            lines.push(Line::styled(told, theme.error()));
            return lines;
        }
        None => {}
    }
    let key = shared.key(ViewId::Playground, Action::Ask);
    lines.push(Line::from(vec![
        Span::styled(key, theme.accent()),
        Span::styled(" asks", theme.dim()),
    ]));
    lines
}

/// Minimum height of an answer to show details above it, in rows.
const LOW: u16 = 8;

/// Returns the lines with model and result, which do not scroll.
fn header_lines(
    shared: &AppState,
    model: &PlaygroundModel,
    spoken: &StreamedAnswer,
    place: Rect,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let mut lines = vec![
        head(shared, model, &spoken.model),
        verdict(shared, spoken, place.height < LOW),
    ];
    if place.height >= LOW {
        lines.extend(answer_details(spoken, place.width, theme.dim()));
    }
    let width = place.width;
    for line in &mut lines {
        if rows_of(line, width) > 1 && place.height < LOW {
            let style = line.spans.first().map_or(theme.text(), |span| span.style);
            *line = Line::styled(fit(&line.to_string(), width).into_owned(), style);
        }
    }
    lines
}

/// Returns a line with duration, tokens and cost, and a line with the edits.
fn answer_details(spoken: &StreamedAnswer, width: u16, style: Style) -> [Line<'static>; 2] {
    let question = fit(&visible(&spoken.question), width).into_owned();
    [
        Line::styled(figures(spoken), style),
        Line::styled(question, style),
    ]
}

/// Returns the lines of the response. On a low screen, the details follow it.
fn response_lines(shared: &AppState, spoken: &StreamedAnswer, place: Rect) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let is_low = place.height < LOW;
    let dropped = spoken.dropped.iter();
    let dropped = dropped.map(|words| Line::styled(visible(words).into_owned(), theme.warning()));
    let mut lines: Vec<Line<'static>> = dropped.collect();
    if let Some(trouble) = &spoken.trouble {
        lines.push(Line::styled(visible(trouble).into_owned(), theme.error()));
    }
    if !spoken.text.is_empty() {
        if !is_low {
            lines.push(Line::default());
        }
        lines.extend(paragraphs(&spoken.text, theme.text()));
    }
    if !spoken.reasoning.trim().is_empty() {
        if !is_low || !spoken.text.is_empty() {
            lines.push(Line::default());
        }
        if !is_low {
            lines.push(Line::styled("reasoning", theme.header()));
        }
        lines.extend(paragraphs(&spoken.reasoning, theme.dim()));
    }
    let logprobs = spoken
        .finished
        .as_ref()
        .and_then(|one| one.done.logprobs.as_ref());
    let tokens = logprobs.map(tokens).unwrap_or_default();
    if !tokens.is_empty() {
        lines.push(Line::default());
        lines.push(Line::styled(
            "tokens and their probabilities",
            theme.header(),
        ));
        let token = |(said, others): (String, String)| {
            Line::from(vec![
                Span::styled(said, theme.text()),
                Span::styled(others, theme.dim()),
            ])
        };
        lines.extend(tokens.into_iter().map(token));
    }
    if is_low {
        lines.push(Line::default());
        lines.extend(answer_details(spoken, place.width, theme.dim()));
    }
    lines
}

fn paragraphs(text: &str, style: Style) -> Vec<Line<'static>> {
    let text = visible_lines(text).into_owned();
    let lines = text
        .lines()
        .map(|line| Line::styled(line.to_owned(), style));
    lines.collect()
}

/// Returns the verdict with the parsed answer, or the progress of the request.
fn verdict(shared: &AppState, spoken: &StreamedAnswer, is_low: bool) -> Line<'static> {
    let theme = &shared.theme;
    if let Some(one) = &spoken.finished {
        let (sign, style, words) = judged(shared, one);
        let words = fit(&visible(&words), u16::MAX).into_owned();
        return Line::styled(format!("{sign} {words}"), style);
    }
    let words = match (&spoken.waits, spoken.is_over) {
        (_, true) => "no answer".to_owned(),
        (Some(waits), false) => visible(waits).into_owned(),
        // A taller screen shows the seconds in the line below.
        (None, false) if is_low => format!("asking, {} s", spoken.so_far().as_secs()),
        (None, false) => "asking …".to_owned(),
    };
    Line::styled(words, theme.warning())
}

/// Returns a symbol, its style, and the parsed answer.
fn judged(shared: &AppState, one: &StepResult) -> (&'static str, Style, String) {
    let theme = &shared.theme;
    let read = one.judged.read.clone().unwrap_or_default();
    let read = first_words(&read, 40);
    match (one.judged.kind, one.judged.right) {
        (Kind::Ok, Some(right)) => {
            let (sign, style) = theme.verdict(right);
            let word = if right { "right" } else { "wrong" };
            (sign, style, format!("{word}: {read}"))
        }
        (Kind::Ok, None) => ("?", theme.warning(), format!("no score: {read}")),
        (Kind::Failed(class), _) => ("!", theme.error(), format!("failed: {class}")),
        (kind, _) => ("?", theme.warning(), kind.to_string()),
    }
}

/// Returns duration, tokens and cost.
fn figures(spoken: &StreamedAnswer) -> String {
    let mut parts = vec![format!("{:.1} s", spoken.so_far().as_secs_f64())];
    if let Some(first) = spoken.first {
        parts.push(format!("first word {:.1} s", first.as_secs_f64()));
    }
    let [read, written] = spoken.cost.tokens;
    if spoken.cost.counted > 0 {
        parts.push(format!("{read} tokens read, {written} written"));
    }
    let price = spoken.price.filter(|_| spoken.finished.is_some());
    if let Some(money) = price.and_then(|price| spoken.cost.money(price)) {
        parts.push(format!("cost {}", significant(money, 3)));
    }
    parts.join(", ")
}

/// Returns each token with its probability, and the most likely alternatives.
fn tokens(logprobs: &Json) -> Vec<(String, String)> {
    let share = |token: &Json| {
        let logprob = token.get("logprob").and_then(Json::as_f64)?;
        Some(format!("{:.1} %", 100.0 * logprob.exp()))
    };
    let word = |token: &Json| {
        let text = token.get("token").and_then(Json::as_str)?;
        // Format the token as JSON, because it can be a space or a line break.
        Some(visible(&Json::from(text).to_string()).into_owned())
    };
    let one = |token: &Json| {
        let said = format!("{} {}", word(token)?, share(token)?);
        let own = token.get("token");
        let others = token.get("top_logprobs").and_then(Json::as_array);
        let others = others.into_iter().flatten();
        let others = others.filter(|other| other.get("token") != own);
        let others =
            others.filter_map(|other| Some(format!("   {} {}", word(other)?, share(other)?)));
        Some((said, others.collect::<String>()))
    };
    let all = logprobs.as_array().into_iter().flatten();
    all.filter_map(one).take(TOKENS).collect()
}

/// Returns an earlier answer in one line.
fn line_of(shared: &AppState, one: &EarlierAnswer, width: u16) -> Line<'static> {
    let (sign, style, words) = judged(shared, &one.finished);
    let text = format!(" {}: {words}  {}", one.model, one.question);
    let text = fit(&visible(&text), width.saturating_sub(1)).into_owned();
    Line::from(vec![
        Span::styled(sign, style),
        Span::styled(text, shared.theme.dim()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_stand_beside_each_token() {
        let logprobs = serde_json::json!([
            {"token": "B", "logprob": -0.105_360_5, "top_logprobs": [
                {"token": "B", "logprob": -0.105_360_5}, {"token": "\n", "logprob": -2.302}]},
            {"token": "\u{1b}[2J", "logprob": 0.0},
            {"odd": 1},
        ]);
        let tokens = tokens(&logprobs);
        assert_eq!(tokens.len(), 2);
        assert_eq!(
            tokens[0],
            ("\"B\" 90.0 %".to_owned(), "   \"\\n\" 10.0 %".to_owned())
        );
        assert!(!tokens[1].0.contains('\u{1b}'));
    }

    #[test]
    fn answers_stand_side_by_side_while_they_have_room() {
        let area = Rect::new(0, 0, 60, 20);
        let places = grid(area, 3);
        assert_eq!(places.len(), 3);
        assert_eq!((places[0].y, places[1].y, places[2].y), (0, 0, 10));
        assert!(grid(Rect::new(0, 0, 5, 1), 2).len() == 2 && grid(area, 0).is_empty());
    }
}
