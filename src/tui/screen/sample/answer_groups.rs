//! Lists all models' answers to the sample on screen, grouped by answer.

use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use crate::shared::AppState;
use crate::widget::line::bar;
use crate::widget::theme::{ColorDepth, Theme};
use crate::widget::{fit, fit_middle, width};
use base::format::{fixed, visible};
use record::Row;
use record::benchmark::{Direction, known_direction, metric_symbol};
use workspace::brief::Brief;
use workspace::page::{ListRow, answers_to, list_row};

/// Maximum width of an answer's text in cells.
const LONGEST: u16 = 36;
/// Width of a score's bar, in cells.
const BAR: u16 = 6;
/// Minimum width of lines to show bars.
const WITH_BARS: u16 = 48;

/// Models that gave the same answer.
struct Group<'a> {
    first: ListRow,
    brief: Option<&'a Brief>,
    models: Vec<String>,
}

/// All models' answers to a sample in groups. Correct answers are first.
pub struct AnswerGroups<'a> {
    groups: Vec<Group<'a>>,
    /// True if scores are shown, because some scores are between 0 and 1.
    graded: bool,
    /// True if scores are also shown as bars.
    has_bars: bool,
}

/// Returns all models' predictions for the sample of `row`.
pub fn rows(shared: &AppState, row: u32) -> Vec<u32> {
    let rows = answers_to(&shared.table, Row(row)).into_iter();
    rows.map(|Row(row)| row).collect()
}

impl<'a> AnswerGroups<'a> {
    /// Groups the answers to the sample of `row`.
    pub fn of(shared: &'a AppState, row: u32) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let (mut graded, mut has_bars) = (false, true);
        for row in rows(shared, row) {
            let list = list_row(&shared.table, Row(row), shared.lens.scoring);
            graded |= list.score.is_some_and(|score| score > 0.0 && score < 1.0);
            has_bars &= is_share(&list.metric, list.score);
            let brief = shared.fetched.briefs.peek(&row);
            let brief = brief.and_then(|brief| brief.as_ref().ok());
            let model = list.model.clone();
            let same = groups.iter_mut().find(|group| {
                let answer = |brief: Option<&'a Brief>| brief.and_then(|it| it.answer.as_deref());
                answer(group.brief).is_some()
                    && answer(group.brief) == answer(brief)
                    && group.first.correct == list.correct
                    && group.first.score == list.score
            });
            match same {
                Some(group) => group.models.push(model),
                None => groups.push(Group {
                    first: list,
                    brief,
                    models: vec![model],
                }),
            }
        }
        let place = |group: &Group<'_>| match (group.first.invalid, group.first.correct) {
            (true, _) => 3,
            (_, Some(true)) => 0,
            (_, None) => 1,
            (_, Some(false)) => 2,
        };
        groups.sort_by(|a, b| {
            let by_models = || b.models.len().cmp(&a.models.len());
            place(a).cmp(&place(b)).then_with(by_models)
        });
        Self {
            groups,
            graded,
            has_bars,
        }
    }

    /// Returns the models that chose an option.
    pub fn who_chose(&self, option: &str) -> Vec<&str> {
        let chose = |group: &&Group<'_>| {
            let answer = group.brief.and_then(|brief| brief.answer.as_deref());
            answer == Some(option)
        };
        let models = self.groups.iter().filter(chose);
        models
            .flat_map(|group| group.models.iter().map(String::as_str))
            .collect()
    }

    /// Returns the number of answers in all groups.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.models.len()).sum()
    }

    /// Returns a heading and a line per answer. Empty if there are fewer than two answers.
    pub fn lines(&self, shared: &AppState, columns: u16) -> Vec<Line<'static>> {
        if self.count() < 2 {
            return Vec::new();
        }
        let theme = &shared.theme;
        let heading = format!("all {} answers", self.count());
        let answers = self.groups.iter().map(|group| width(&answer(group)));
        let most = answers.max().unwrap_or_default();
        let most = most.min(LONGEST).min(columns / 2);
        let line = |group: &Group<'_>| self.line(shared, group, most, columns);
        let mut heading = Line::styled(heading, theme.header());
        let metric = self.groups.first().map(|group| &group.first.metric);
        if let Some(metric) = metric.filter(|_| self.graded) {
            let unit = format!("   {}", visible(&metric_symbol(metric)));
            heading.push_span(Span::styled(unit, theme.dim()));
        }
        std::iter::once(heading)
            .chain(self.groups.iter().map(line))
            .collect()
    }

    fn line(&self, shared: &AppState, group: &Group<'_>, most: u16, columns: u16) -> Line<'static> {
        let theme = &shared.theme;
        let (sign, style) = sign(theme, &group.first);
        let mut spans = vec![Span::styled(format!("{sign} "), style)];
        if self.graded {
            let score = fixed(group.first.score, 3);
            spans.push(Span::styled(format!("{score:>6} "), theme.text()));
            if self.has_bars && columns >= WITH_BARS {
                let share = group.first.score.unwrap_or_default();
                spans.push(Span::styled(bar(share, BAR, " ") + " ", theme.dim()));
            }
        }
        spans.extend(swatch(group.brief.and_then(|it| it.color), shared.depth));
        let text = answer(group);
        let text = fit(&text, most).into_owned();
        let gap = usize::from(most.saturating_sub(width(&text))) + 2;
        spans.push(Span::styled(text, theme.text()));
        let taken: u16 = spans.iter().map(|span| width(&span.content)).sum();
        let models = visible(&group.models.join(", ")).into_owned();
        let room = columns.saturating_sub(taken).saturating_sub(2);
        let models = match group.models.as_slice() {
            [_] => fit_middle(&models, room),
            _ => fit(&models, room),
        };
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(models.into_owned(), theme.dim()));
        Line::from(spans)
    }
}

/// Returns true if a score can be drawn as a bar: higher is better, and it is at most 1.
fn is_share(metric: &str, score: Option<f64>) -> bool {
    known_direction(metric) != Some(Direction::Lower) && score.is_none_or(|score| score <= 1.0)
}

/// Returns the symbol and the style of a prediction.
pub fn sign(theme: &Theme, row: &ListRow) -> (&'static str, Style) {
    match (row.invalid, row.correct) {
        (true, _) => ("?", theme.warning()),
        (_, Some(right)) => theme.verdict(right),
        (_, None) => (" ", theme.text()),
    }
}

/// Returns the answer in a few words. An unparsed response is in quotes.
fn answer(group: &Group<'_>) -> String {
    let Some(brief) = group.brief else {
        return "…".to_owned();
    };
    match &brief.answer {
        Some(answer) => visible(answer).into_owned(),
        None if brief.said.is_empty() => "(no response)".to_owned(),
        None => format!("“{}”", visible(&brief.said)),
    }
}

/// Returns two cells of a colour, and a gap; `None` without a colour.
pub fn swatch(color: Option<[u8; 3]>, depth: ColorDepth) -> Option<Span<'static>> {
    let [red, green, blue] = color?;
    let color = depth.color(Color::Rgb(red, green, blue));
    Some(Span::styled("██ ", Style::new().fg(color)))
}

#[cfg(test)]
mod tests {
    use super::is_share;

    #[test]
    fn errors_and_large_scores_have_no_bars() {
        assert!(is_share("giou", Some(-0.2)) && is_share("own", Some(0.5)));
        assert!(is_share("accuracy", None));
        assert!(!is_share("mae_over_gt", Some(0.1)) && !is_share("own", Some(31.0)));
    }
}
