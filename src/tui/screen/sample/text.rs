//! What was asked, what would have been right, and what each model said.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::shared::Shared;
use format::{fixed, significant, visible, visible_lines};
use media::Letter;
use record::Value;
use widget::prose::{Prose, ProseState, wrap};
use widget::theme::Theme;
use workspace::page::{Detail, OtherRule};

use super::answers::Answers;
use crate::drawn::Scrolled;
use crate::screen::labels::{hidden_line, verdict_line};

/// The rows that a model's answer needs at least.
const LEAST: u16 = 5;

/// Draws the text beside the picture.
pub fn draw(
    shared: &Shared,
    answers: &Answers<'_>,
    scrolled: &ProseState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> Scrolled {
    let mut asked = asked(&shared.theme, answers.first);
    asked.splice(1..1, verdict_line(shared, answers.first));
    if answers.blind {
        asked.push(hidden_line(shared));
        frame.render_widget(Paragraph::new(asked).wrap(Wrap { trim: false }), area);
        return Scrolled::Nothing;
    }
    let count = 1 + u16::from(answers.second.is_some());
    let rows = rows_of(&asked, area.width).min(area.height.saturating_sub(count * LEAST));
    let [top, bottom] =
        Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(asked).wrap(Wrap { trim: false }), top);
    let mut state = scrolled.clone();
    let Some(second) = answers.second else {
        let letter = (!answers.marked().is_empty()).then_some(Letter::A);
        answer(shared, (answers.first, letter), &mut state, frame, bottom);
        return Scrolled::Text(state);
    };
    // The second answer follows the first, which takes what it needs but no more than half.
    let most = bottom.height.div_ceil(2);
    let head = verdict(&shared.theme, answers.first, Some(Letter::A));
    let needed = rows_of(&head, bottom.width) + said_rows(answers.first, bottom.width) + 1;
    let [upper, lower] =
        Layout::vertical([Constraint::Length(needed.min(most)), Constraint::Fill(1)]).areas(bottom);
    let (a, b) = ((answers.first, Some(Letter::A)), (second, Some(Letter::B)));
    answer(shared, a, &mut state, frame, upper);
    answer(shared, b, &mut state.clone(), frame, lower);
    Scrolled::Text(state)
}

/// Rows that lines take at a width.
pub fn rows_of(lines: &[Line<'_>], width: u16) -> u16 {
    let wrapped = lines
        .iter()
        .map(|line| wrap(&line.to_string(), width).count().max(1));
    u16::try_from(wrapped.sum::<usize>()).unwrap_or(u16::MAX)
}

/// Rows that a response takes, of a screen at most.
fn said_rows(detail: &Detail, width: u16) -> u16 {
    let response = visible_lines(detail.record.response.as_deref().unwrap_or_default());
    let lines = wrap(&response, width.saturating_sub(1)).take(100).count();
    u16::try_from(lines).unwrap_or(u16::MAX).max(1)
}

/// One model's answer: how it scored, what was read, what it said.
fn answer(
    shared: &Shared,
    (detail, letter): (&Detail, Option<Letter>),
    scrolled: &mut ProseState,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let head = verdict(&shared.theme, detail, letter);
    let head_rows = rows_of(&head, area.width).min(area.height);
    let [top, bottom] =
        Layout::vertical([Constraint::Length(head_rows), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(head).wrap(Wrap { trim: false }), top);
    let response = detail.record.response.as_deref().unwrap_or_default();
    let text = visible_lines(response);
    // A mark is a range of the raw text: it stands only where nothing was replaced before it.
    let mark = detail
        .reading
        .as_ref()
        .and_then(|reading| reading.span.clone());
    let mark = mark.filter(|mark| {
        response
            .get(..mark.end)
            .is_some_and(|part| text.starts_with(part))
    });
    let (shown, style) = if text.is_empty() {
        ("(no response)", shared.theme.dim())
    } else {
        (text.as_ref(), shared.theme.text())
    };
    let prose = Prose {
        theme: &shared.theme,
        text: shown,
        mark,
        style,
    };
    frame.render_stateful_widget(prose, bottom, scrolled);
}

/// Everything that does not depend on the model.
fn asked(theme: &Theme, detail: &Detail) -> Vec<Line<'static>> {
    let list = &detail.list;
    let condition = format!("  {}  {}", visible(&list.ability), visible(&list.condition));
    let mut lines = vec![Line::from(vec![
        Span::styled(visible(&list.sample_id).into_owned(), theme.header()),
        Span::styled(condition.trim_end().to_owned(), theme.dim()),
    ])];
    lines.extend(
        visible_lines(&list.question)
            .lines()
            .map(|line| Line::styled(line.to_owned(), theme.text())),
    );
    lines.extend(choices(theme, detail));
    lines.push(field(
        theme.dim(),
        "target",
        Span::styled(visible(&list.target).into_owned(), theme.target()),
    ));
    let tag = |(name, value): (&String, &Value)| match value {
        Value::Number(number) => format!("{name} {}", significant(*number, 4)),
        other => format!("{name} {other}"),
    };
    let tags: Vec<String> = detail.record.content.tags.iter().map(tag).collect();
    if !tags.is_empty() {
        lines.push(field(
            theme.dim(),
            "tags",
            Span::styled(visible(&tags.join("  ")).into_owned(), theme.dim()),
        ));
    }
    lines.push(Line::default());
    lines
}

fn choices(theme: &Theme, detail: &Detail) -> Vec<Line<'static>> {
    let target = &detail.list.target;
    let choices = detail.record.content.choices.iter();
    let line = choices.map(|choice| {
        let is_target = choice.letter == *target || choice.text == *target;
        let (sign, style) = if is_target {
            ("✓", theme.target())
        } else {
            (" ", theme.text())
        };
        let (letter, text) = (visible(&choice.letter), visible(&choice.text));
        Line::styled(format!("{sign} {letter}. {text}"), style)
    });
    line.collect()
}

fn field(style: Style, name: &str, value: Span<'static>) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name:<8} "), style), value])
}

/// `✗ A dinov2`, its score, and what was read as the answer.
fn verdict(theme: &Theme, detail: &Detail, letter: Option<Letter>) -> Vec<Line<'static>> {
    let list = &detail.list;
    let (sign, style) = match (list.invalid, list.correct) {
        (true, _) => ("? cannot be read", theme.warning()),
        (_, Some(right)) => theme.verdict(right),
        (_, None) => ("not scored", theme.dim()),
    };
    let letter = letter.map_or_else(String::new, |letter| format!("{} ", letter.sign()));
    let mut lines = vec![
        Line::from(vec![
            Span::styled(format!("{sign} "), style),
            Span::styled(format!("{letter}{}", visible(&list.model)), theme.header()),
        ]),
        field(
            theme.dim(),
            &visible(&list.metric),
            Span::styled(fixed(list.score, 3), style),
        ),
    ];
    if let (Some(from), Some(line)) = (&detail.right, lines.last_mut()) {
        line.push_span(Span::styled(format!("  right: {from}"), theme.dim()));
    }
    let beside = detail.record.beside.iter();
    let beside: Vec<String> = beside
        .map(|(metric, score)| format!("{metric} {}", fixed(Some(*score), 3)))
        .collect();
    if !beside.is_empty() {
        let text = visible(&beside.join("  ")).into_owned();
        lines.push(field(
            theme.dim(),
            "beside",
            Span::styled(text, theme.dim()),
        ));
    }
    if let Some(reading) = &detail.reading {
        let answer = visible(&reading.answer.to_string()).into_owned();
        let answer = Span::styled(answer, theme.prediction());
        let mut line = field(theme.dim(), "read as", answer);
        let by = detail.read_by.map(|by| format!("  by {by}"));
        line.extend(by.map(|by| Span::styled(by, theme.dim())));
        lines.push(line);
        let trace = reading.trace();
        if !trace.is_empty() {
            lines.push(field(
                theme.dim(),
                "read by",
                Span::styled(trace, theme.dim()),
            ));
        }
    } else if let Some(why) = detail.unread {
        lines.push(field(
            theme.dim(),
            "unread",
            Span::styled(why.words(), theme.dim()),
        ));
    }
    lines.extend(
        detail
            .other
            .as_ref()
            .map(|other| by_other_rule(theme, other)),
    );
    lines
}

/// `strict   ✗ accuracy 0.000, read as C: each rule read another answer`.
fn by_other_rule(theme: &Theme, other: &OtherRule) -> Line<'static> {
    let (sign, style) = other
        .correct
        .map_or(("–", theme.dim()), |right| theme.verdict(right));
    let mut line = field(
        theme.dim(),
        other.scoring.name(),
        Span::styled(format!("{sign} "), style),
    );
    line.push_span(Span::styled(
        visible(&other.words()).into_owned(),
        theme.warning(),
    ));
    line
}
