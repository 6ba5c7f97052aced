//! Draws the sample's text: question, target, and each model's answer.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::shared::AppState;
use crate::widget::prose::{Prose, ProseState, rows_of_all};
use crate::widget::theme::Theme;
use crate::widget::{fit, width};
use base::format::wrap;
use base::format::{compact, counted, fixed, significant, visible, visible_lines};
use media::Letter;
use record::benchmark::metric_symbol;
use record::{FinishReason, Target, Value};
use workspace::brief::with_option;
use workspace::page::{Detail, OtherRule};

use super::answer_groups::{AnswerGroups, swatch};
use super::answers::AnswerPair;
use super::difference::difference;
use super::preview_text;
use crate::frame_output::ScrollState;
use crate::screen::labels::{hidden_line, verdict_line};

/// Minimum number of rows of a model's answer.
const LEAST: u16 = 5;
/// Height below which the whole text scrolls and starts with the score, in rows.
pub const LOW: u16 = 10;
/// Maximum width of a target or answer in JSON, in cells.
const LONG: u16 = 160;

/// Draws the text next to the picture.
pub fn draw(
    shared: &AppState,
    answers: &AnswerPair<'_>,
    scrolled: &ProseState,
    frame: &mut Frame<'_>,
    area: Rect,
) -> ScrollState {
    let mut state = scrolled.clone();
    if area.height < LOW {
        state.offset = preview_text::draw(shared, answers, state.offset, frame, area);
        return ScrollState::Text(state);
    }
    let groups = AnswerGroups::of(shared, answers.first.list.row.0);
    let shown = (!answers.blind).then_some(&groups);
    let answer_rows = match (answers.blind, answers.second) {
        (true, _) => 1,
        (false, None) => LEAST,
        (false, Some(_)) => 2 * LEAST,
    };
    let judged = verdict_line(shared, answers.first);
    let most = area.height.saturating_sub(answer_rows);
    let room = Rect {
        height: most.saturating_sub(judged.is_some().into()),
        ..area
    };
    let mut asked = question_lines(shared, answers.first, shown, room);
    asked.splice(1..1, judged);
    let rows = rows_of_all(&asked, area.width);
    // A cut target would be misleading, so a text that is too long scrolls.
    if rows > most {
        state.offset = preview_text::draw(shared, answers, state.offset, frame, area);
        return ScrollState::Text(state);
    }
    if answers.blind {
        asked.push(hidden_line(shared));
        frame.render_widget(Paragraph::new(asked).wrap(Wrap { trim: false }), area);
        return ScrollState::Nothing;
    }
    let [top, bottom] = Layout::vertical([Length(rows), Fill(1)]).areas(area);
    frame.render_widget(Paragraph::new(asked).wrap(Wrap { trim: false }), top);
    let bottom = with_everyone(shared, answers, &groups, frame, bottom);
    let Some(second) = answers.second else {
        let letter = (!answers.marked().is_empty()).then_some(Letter::A);
        let only = ModelAnswer {
            detail: answers.first,
            letter,
        };
        only.draw(shared, &mut state, frame, bottom);
        return ScrollState::Text(state);
    };
    // The second answer follows the first answer, which gets at most half of the space.
    let most = bottom.height.div_ceil(2);
    let head = verdict(shared, answers.first, Some(Letter::A));
    let needed = rows_of_all(&head, bottom.width) + response_rows(answers.first, bottom.width) + 1;
    let [upper, lower] = Layout::vertical([Length(needed.min(most)), Fill(1)]).areas(bottom);
    let a = ModelAnswer {
        detail: answers.first,
        letter: Some(Letter::A),
    };
    let b = ModelAnswer {
        detail: second,
        letter: Some(Letter::B),
    };
    a.draw(shared, &mut state, frame, upper);
    b.draw(shared, &mut state.clone(), frame, lower);
    ScrollState::Text(state)
}

/// Draws all models' answers at the bottom. They get the space that the other texts leave, but at
/// least half of the area. Returns the area above.
fn with_everyone(
    shared: &AppState,
    answers: &AnswerPair<'_>,
    groups: &AnswerGroups<'_>,
    frame: &mut Frame<'_>,
    area: Rect,
) -> Rect {
    let lines = groups.lines(shared, area.width);
    let needed = |detail: &Detail| {
        let head = verdict(shared, detail, Some(Letter::A));
        rows_of_all(&head, area.width) + response_rows(detail, area.width)
    };
    let second = answers.second.map_or(0, |second| needed(second) + 1);
    let needed = needed(answers.first) + second + 1;
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let most = area.height.saturating_sub(needed).max(area.height / 2);
    let rows = wanted.min(most);
    // Without lines below it, a heading is useless.
    if rows < 2 {
        return area;
    }
    let above = needed.min(area.height.saturating_sub(rows));
    let [above, below] = Layout::vertical([Length(above), Length(rows)]).areas(area);
    let hidden = lines.len() - usize::from(rows);
    let mut lines: Vec<Line<'_>> = lines.into_iter().take(rows.into()).collect();
    // Use every available line for an answer. The heading contains the number of hidden answers.
    if let (1.., Some(heading)) = (hidden, lines.first_mut()) {
        let words = format!("   … and {hidden} more");
        heading.push_span(Span::styled(words, shared.theme.dim()));
    }
    frame.render_widget(Paragraph::new(lines), below);
    above
}

/// Returns the number of rows of a response, limited to 100.
fn response_rows(detail: &Detail, width: u16) -> u16 {
    let response = visible_lines(detail.record.response.as_deref().unwrap_or_default());
    let lines = wrap(&response, width.saturating_sub(1)).take(100).count();
    u16::try_from(lines).unwrap_or(u16::MAX).max(1)
}

/// One model's answer.
struct ModelAnswer<'a> {
    detail: &'a Detail,
    /// Letter of the model, if letters are shown.
    letter: Option<Letter>,
}

impl ModelAnswer<'_> {
    /// Draws the verdict, the parsed answer and the response.
    fn draw(
        &self,
        shared: &AppState,
        scrolled: &mut ProseState,
        frame: &mut Frame<'_>,
        area: Rect,
    ) {
        let detail = self.detail;
        let head = verdict(shared, detail, self.letter);
        let head_rows = rows_of_all(&head, area.width).min(area.height);
        let [top, bottom] = Layout::vertical([Length(head_rows), Fill(1)]).areas(area);
        frame.render_widget(Paragraph::new(head).wrap(Wrap { trim: false }), top);
        let response = detail.record.response.as_deref().unwrap_or_default();
        let text = visible_lines(response);
        let mark = preview_text::mark_of(detail, response, &text);
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
}

/// Returns the lines that do not depend on the model: question, options, target and tags.
pub fn question_lines(
    shared: &AppState,
    detail: &Detail,
    groups: Option<&AnswerGroups<'_>>,
    room: Rect,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
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
    let options = choices(theme, detail, groups, room.width);
    let target = with_option(&detail.record.content, &list.target);
    let mut line = field(
        theme.dim(),
        "target",
        Span::styled(folded(&visible(&target)), theme.target()),
    );
    let brief = shared.fetched.briefs.peek(&list.row.0);
    let color = brief.and_then(|brief| brief.as_ref().ok()?.target_color);
    if let Some(swatch) = swatch(color, shared.depth) {
        line.spans.insert(1, swatch);
    }
    let mut below = vec![line];
    let tag = |(name, value): (&String, &Value)| match value {
        Value::Number(number) => format!("{name} {}", significant(*number, 4)),
        other => format!("{name} {other}"),
    };
    let tags: Vec<String> = detail.record.content.tags.iter().map(tag).collect();
    if !tags.is_empty() {
        below.push(field(
            theme.dim(),
            "tags",
            Span::styled(visible(&tags.join("  ")).into_owned(), theme.dim()),
        ));
    }
    below.push(Line::default());
    let rows = |lines: &[Line<'_>]| rows_of_all(lines, room.width);
    let left = room.height.saturating_sub(rows(&lines) + rows(&below));
    lines.extend(folded_options(options, left, room.width, theme));
    lines.extend(below);
    lines
}

/// Returns the lines of the options. If they exceed `rows`, returns only options that are the
/// target or that a model chose.
fn folded_options(
    options: Vec<(bool, Line<'static>)>,
    rows: u16,
    columns: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let (are_named, mut lines): (Vec<bool>, Vec<Line<'_>>) = options.into_iter().unzip();
    let hidden = are_named.iter().filter(|is_named| !**is_named).count();
    if hidden == 0 || rows_of_all(&lines, columns) <= rows {
        return lines;
    }
    let mut are_named = are_named.into_iter();
    lines.retain(|_| are_named.next() == Some(true));
    let words = format!("  … {}", counted(hidden as u64, "other option"));
    lines.push(Line::styled(words, theme.dim()));
    lines
}

/// Returns a line for each option. It marks the target and contains the models that chose the
/// option. The flag is true for the target and for options that a model chose.
fn choices(
    theme: &Theme,
    detail: &Detail,
    groups: Option<&AnswerGroups<'_>>,
    columns: u16,
) -> Vec<(bool, Line<'static>)> {
    let content = &detail.record.content;
    let target = &detail.list.target;
    let choices = content.choices.iter();
    let line = choices.map(|choice| {
        let is_target = choice.letter == *target || choice.text == *target;
        let (sign, style) = if is_target {
            ("✓", theme.target())
        } else {
            (" ", theme.text())
        };
        let (letter, text) = (visible(&choice.letter), visible(&choice.text));
        let option = format!("{sign} {letter}. {text}");
        let who = groups.map(|groups| groups.who_chose(&with_option(content, &choice.letter)));
        let who = who.filter(|who| !who.is_empty());
        let names = who.map(|who| format!("  ← {}", visible(&who.join(", "))));
        let room = columns.saturating_sub(width(&option));
        let names = names.map(|names| fit(&names, room).into_owned());
        let mut line = Line::styled(option, style);
        let is_named = is_target || names.is_some();
        line.extend(names.map(|names| Span::styled(names, theme.dim())));
        (is_named, line)
    });
    line.collect()
}

/// Cuts long JSON, such as the labels of all superpixels, and appends its length. Responses and
/// traces are never cut.
fn folded(text: &str) -> String {
    let is_long = text.starts_with(['[', '{']) && width(text) > LONG;
    if !is_long {
        return text.to_owned();
    }
    let length = compact(text.chars().count() as u64);
    format!("{} {length} characters", fit(text, LONG))
}

fn field(style: Style, name: &str, value: Span<'static>) -> Line<'static> {
    Line::from(vec![Span::styled(format!("{name:<8} "), style), value])
}

/// Returns the verdict line, the score, and the parsed answer. The verdict line is `✗ A dinov2`, or
/// `✗ dinov2` for a question with options.
pub fn verdict(shared: &AppState, detail: &Detail, letter: Option<Letter>) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let list = &detail.list;
    let (sign, style) = match (list.invalid, list.correct) {
        (true, _) => ("? could not be read", theme.warning()),
        (_, Some(right)) => theme.verdict(right),
        (_, None) => (list.without_verdict(), theme.dim()),
    };
    // Options have letters of their own, so omit the model's letter.
    let letter = letter.filter(|_| detail.record.content.choices.is_empty());
    let letter = letter.map_or_else(String::new, |letter| format!("{} ", letter.sign()));
    let mut lines = vec![
        Line::from(vec![
            Span::styled(format!("{sign} "), style),
            Span::styled(format!("{letter}{}", visible(&list.model)), theme.header()),
        ]),
        field(
            theme.dim(),
            &visible(&metric_symbol(&list.metric)),
            Span::styled(fixed(list.score, 3), theme.text()),
        ),
    ];
    if let (Some(from), Some(line)) = (&detail.right, lines.last_mut()) {
        line.push_span(Span::styled(format!("  right if {from}"), theme.dim()));
    }
    let beside = detail.record.beside.iter();
    let beside: Vec<String> = beside
        .map(|(metric, score)| format!("{metric} {}", fixed(Some(*score), 3)))
        .collect();
    if !beside.is_empty() {
        let text = visible(&beside.join("  ")).into_owned();
        lines.push(field(theme.dim(), "also", Span::styled(text, theme.dim())));
    }
    if let Some(reading) = &detail.reading {
        let content = &detail.record.content;
        let text = reading.answer.to_string();
        let answer = folded(&visible(&with_option(content, &text)));
        let answer = Span::styled(answer, theme.prediction());
        let mut line = field(theme.dim(), "parsed", answer);
        let brief = shared.fetched.briefs.peek(&list.row.0);
        let color = brief.and_then(|brief| brief.as_ref().ok()?.color);
        if let Some(swatch) = swatch(color, shared.depth) {
            line.spans.insert(1, swatch);
        }
        let by = detail.read_by.map(|by| format!("  by {by}"));
        line.extend(by.map(|by| Span::styled(by, theme.dim())));
        lines.push(line);
        if let (Some(Target::Text(target)), true) = (&content.target, content.choices.is_empty()) {
            let spans = difference(theme, target, &text);
            lines.extend(spans.map(|spans| {
                let mut line = field(theme.dim(), "differs", Span::default());
                line.extend(spans);
                line
            }));
        }
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
    let ended = detail.record.finish_reason.and_then(FinishReason::words);
    lines.extend(ended.map(|words| {
        let words = Span::styled(words, theme.warning());
        field(theme.dim(), "ended", words)
    }));
    lines.extend(
        detail
            .other
            .as_ref()
            .map(|other| by_other_rule(theme, other)),
    );
    lines.extend(named_rules(shared).filter_map(|rule| by_known_rule(theme, rule, detail)));
    lines
}

/// Returns the rules that the filter contains: `pope` for `scorers:pope`.
fn named_rules(shared: &AppState) -> impl Iterator<Item = &str> {
    let lens = [&shared.lens.filter, &shared.lens.step];
    let terms = lens
        .into_iter()
        .flat_map(|filter| filter.split([' ', '(', ')']));
    terms.filter_map(|term| term.strip_prefix("scorers:"))
}

/// Returns the score under a known rule: `pope     ✗ read as no`. Returns `None` if the rule is
/// unknown or does not apply to the answer.
fn by_known_rule(theme: &Theme, rule: &str, detail: &Detail) -> Option<Line<'static>> {
    let mark = detail.under(rule)?;
    let (sign, style) = theme.verdict(mark.is_right());
    let answer = mark.answer.as_deref();
    let read = answer.map_or_else(
        || "could not be read".to_owned(),
        |it| format!("read as {it}"),
    );
    let mut line = field(theme.dim(), rule, Span::styled(format!("{sign} "), style));
    line.push_span(Span::styled(visible(&read).into_owned(), theme.warning()));
    Some(line)
}

/// Returns the score under the other rule: `strict   ✗ accuracy 0.000, read as C: the rules read
/// different answers`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_json_is_cut_and_prose_is_not() {
        let labels = format!("[{}]", "17, ".repeat(200));
        let short = folded(&labels);
        assert!(short.starts_with("[17, 17"), "{short}");
        assert!(short.ends_with("… 802 characters"), "{short}");
        let prose = "a long answer ".repeat(40);
        assert_eq!(folded(&prose), prose);
        assert_eq!(folded("[1, 2]"), "[1, 2]");
    }
}
