//! What was counted, before the user says so.

use ratatui::text::{Line, Span};

use crate::screen::live::LiveView;
use crate::shared::Shared;
use format::{counted, visible};
use rerun::ChangedWords;
use widget::theme::Theme;
use workspace::rerun_worker::Counted;

/// Lines of questions whose words change.
const MOST_LINES: usize = 8;

/// The words that change with their pictures, marked.
fn changed(shared: &Shared, words: &ChangedWords) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    if words.samples == 0 {
        return Vec::new();
    }
    let samples = counted(words.samples as u64, "sample");
    let head = format!("words that turn with their pictures, of {samples}:");
    let marked = words.examples.iter().flat_map(|example| {
        let target = example
            .target
            .iter()
            .map(|(before, after)| format!("target ‹{before} → {after}›"));
        let lines = example.marked.lines().map(str::to_owned).chain(target);
        lines
            .filter(|line| line.contains('‹'))
            .map(|line| format!("{}: {line}", example.step))
    });
    let marked = marked
        .take(MOST_LINES)
        .map(|line| in_marks(&visible(&line), theme));
    std::iter::once(Line::styled(head, theme.text()))
        .chain(marked)
        .collect()
}

/// A line of which the marked parts stand out.
fn in_marks(line: &str, theme: &Theme) -> Line<'static> {
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some((before, (inside, after))) = rest
        .split_once('‹')
        .and_then(|(before, rest)| Some((before, rest.split_once('›')?)))
    {
        spans.push(Span::styled(before.to_owned(), theme.dim()));
        spans.push(Span::styled(inside.to_owned(), theme.accent()));
        rest = after;
    }
    spans.push(Span::styled(rest.to_owned(), theme.dim()));
    Line::from(spans)
}

/// What it takes, what is excluded, and the key that begins.
pub fn lines(live: &LiveView, shared: &Shared, told: &Counted) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let requests = told.requests(live.choice);
    let all = told.plan.len();
    let mut lines = Vec::new();
    if let Some(begun) = &told.begun {
        lines.push(Line::styled(
            format!(
                "{} of {all} answered, {} failed, {} could not be asked",
                begun.answered, begun.failed, begun.unasked
            ),
            theme.text(),
        ));
        if begun.lost > 0 {
            lines.push(Line::styled(
                format!(
                    "{} of it are not in the logs that are open",
                    counted(begun.lost as u64, "sample")
                ),
                theme.warning(),
            ));
        }
    }
    lines.push(Line::styled(
        told.estimate.of_some(requests).to_string(),
        theme.text(),
    ));
    lines.extend(told.plan.unfit.iter().map(|(why, count)| {
        let left = counted(*count as u64, "sample");
        Line::styled(format!("excluded, {why}: {left}"), theme.warning())
    }));
    lines.extend(changed(shared, &told.changed));
    if told.estimate.unaskable > 0.0 {
        let share = told.estimate.unaskable * 100.0;
        let words = format!(
            "about {share:.0} % cannot be asked: a picture is missing or damaged, or nothing would change"
        );
        lines.push(Line::styled(words, theme.warning()));
    }
    lines.push(Line::default());
    let model = visible(&told.plan.asking.model).into_owned();
    let asks = if told.estimate.is_here {
        format!(" asks {model} {}", counted(requests as u64, "question"))
    } else {
        format!(
            " sends {} to {model} at {}",
            counted(requests as u64, "request"),
            visible(&told.address)
        )
    };
    lines.push(Line::from(vec![
        Span::styled("r", theme.accent()),
        Span::styled(asks, theme.header()),
    ]));
    lines.push(Line::from(vec![
        Span::styled("x", theme.accent()),
        Span::styled(
            format!(
                " goes back; nothing was sent yet. The new run is to be called {}.",
                visible(&told.plan.asking.label)
            ),
            theme.dim(),
        ),
    ]));
    if all > 0 && requests == 0 {
        lines.push(Line::styled("Every answer is known.", theme.dim()));
    }
    lines
}
