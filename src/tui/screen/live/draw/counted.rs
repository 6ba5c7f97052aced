//! Draws the request count and the cost estimate before a run is confirmed.

use ratatui::text::{Line, Span};

use crate::screen::live::LiveView;
use crate::screen::live::trouble;
use crate::shared::AppState;
use crate::widget::theme::Theme;
use ask::worker::{PreparedRun, PreparedRuns};
use ask::{ChangedWords, Choice, Estimate};
use base::config::KeySource;
use base::format::{compact, counted, significant, visible, whole};

/// Lines that are always shown, and lines that are shown in pages.
type PagedLines = (Vec<Line<'static>>, Vec<Line<'static>>);

/// Lists examples of questions whose words change with the picture, and marks the changes. `column`
/// is the name of the run, if there are several.
fn changed(shared: &AppState, words: &ChangedWords, column: Option<&str>) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    if words.samples == 0 {
        return Vec::new();
    }
    let column = column.map_or_else(String::new, |name| format!("{}: ", visible(name)));
    let samples = counted(words.samples as u64, "sample");
    let head = format!("{column}words changed to fit the turned pictures, {samples}:");
    let marked = words.examples.iter().map(|example| {
        let target = example
            .target
            .iter()
            .map(|(before, after)| format!("target ‹{before} → {after}›"));
        let lines = example.marked.lines().map(str::to_owned).chain(target);
        let lines: Vec<String> = lines.filter(|line| line.contains('‹')).collect();
        let words = format!(
            "{} {}: {}",
            example.sample_id,
            example.step,
            lines.join("   ")
        );
        in_marks(&visible(&words), theme)
    });
    std::iter::once(Line::styled(head, theme.text()))
        .chain(marked)
        .collect()
}

/// Highlights the marked parts of a text.
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

/// Returns the request count and the start key, followed by warnings, excluded questions and
/// changed words.
pub fn lines(live: &LiveView, shared: &AppState, counted: &PreparedRuns) -> PagedLines {
    let (lines, details) = match counted.alone() {
        Some(alone) => only(live, shared, alone),
        None => all(shared, counted, live.choice),
    };
    let remark = |words: &String| Line::styled(visible(words).into_owned(), shared.theme.warning());
    (
        lines,
        counted.notes.iter().map(remark).chain(details).collect(),
    )
}

/// Returns the lines of a single run.
fn only(live: &LiveView, shared: &AppState, told: &PreparedRun) -> PagedLines {
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
                    "{} of this run missing from the open logs",
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
    let model = visible(&told.plan.asking.model).into_owned();
    let asks = if told.estimate.is_here {
        format!(" asks {model} {}", counted(requests as u64, "question"))
    } else {
        format!(
            " sends {} to {model} at {}{}",
            counted(requests as u64, "request"),
            visible(&told.address),
            with_key(told.key.as_ref())
        )
    };
    lines.push(Line::from(vec![
        Span::styled("r", theme.accent()),
        Span::styled(asks, theme.header()),
    ]));
    if let Some(file) = &told.address_in {
        lines.push(Line::styled(
            format!(
                "The address comes only from {}. Check it: questions, pictures and key go there.",
                visible(&base::format::path(file))
            ),
            theme.warning(),
        ));
    }
    lines.push(Line::from(vec![
        Span::styled("x", theme.accent()),
        Span::styled(
            format!(
                " goes back; {}. The new run will be named {}.",
                sent(told.has_listed_models),
                visible(&told.plan.asking.label)
            ),
            theme.dim(),
        ),
    ]));
    if all > 0 && requests == 0 {
        lines.push(Line::styled(
            "All answers are already known; no request is needed.",
            theme.dim(),
        ));
    }
    let excluded = told.plan.unfit.iter().map(|(why, count)| {
        let left = counted(*count as u64, "sample");
        Line::styled(format!("excluded, {why}: {left}"), theme.warning())
    });
    let mut details: Vec<Line<'static>> = excluded.collect();
    details.extend(unaskable(told, theme));
    details.extend(changed(shared, &told.changed, None));
    (lines, with_blank_lines(details))
}

/// Returns `, with the key in …`, or an empty text without a key.
pub fn with_key(key: Option<&KeySource>) -> String {
    key.map_or_else(String::new, |key| {
        format!(", with {}", visible(&key.to_string()))
    })
}

/// Describes which requests were sent while counting.
const fn sent(has_listed_models: bool) -> &'static str {
    if has_listed_models {
        "only the list of models was requested"
    } else {
        "nothing was sent yet"
    }
}

/// Returns a warning about the share of questions that cannot be asked. Returns `None` if all can
/// be asked.
fn unaskable(told: &PreparedRun, theme: &Theme) -> Option<Line<'static>> {
    let share = told.estimate.unaskable * 100.0;
    let words = format!(
        "about {share:.0} % cannot be asked: a picture is missing, damaged or in an unsupported format, or nothing would change"
    );
    (told.estimate.unaskable > 0.0).then(|| Line::styled(words, theme.warning()))
}

/// Adds an empty line before the lines, if there are lines.
fn with_blank_lines(lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    let empty = (!lines.is_empty()).then(Line::default);
    empty.into_iter().chain(lines).collect()
}

/// Returns the totals of all runs and the start key, followed by each run and its changed words.
fn all(shared: &AppState, all: &PreparedRuns, choice: Choice) -> PagedLines {
    let theme = &shared.theme;
    let estimates = || {
        let columns = all.columns.iter();
        columns.map(|(_, told)| told.estimate.of_some(told.requests(choice)))
    };
    let requests: usize = estimates().map(|told| told.requests).sum();
    let tokens = |of: fn(&Estimate) -> f64| compact(whole(estimates().map(|told| of(&told)).sum()));
    let costs: Vec<f64> = estimates().filter_map(|told| told.cost).collect();
    let unpriced = all.columns.len() - costs.len();
    let cost = match (costs.iter().sum::<f64>(), unpriced) {
        (_, unpriced) if unpriced == all.columns.len() => "no prices are set".to_owned(),
        (cost, 0) => format!("cost about {}", significant(cost, 2)),
        (cost, unpriced) => format!(
            "cost about {}, and {unpriced} without a price",
            significant(cost, 2)
        ),
    };
    let columns = counted(all.columns.len() as u64, "column");
    let lines = vec![
        Line::styled(
            format!(
                "in all {}; about {} tokens read and {} written, {cost}",
                counted(requests as u64, "request"),
                tokens(|told| told.input_tokens),
                tokens(|told| told.output_tokens),
            ),
            theme.text(),
        ),
        Line::from(vec![
            Span::styled("r", theme.accent()),
            Span::styled(
                format!(
                    " asks {columns} side by side, {}",
                    counted(requests as u64, "request")
                ),
                theme.header(),
            ),
        ]),
        Line::from(vec![
            Span::styled("x", theme.accent()),
            Span::styled(
                format!(
                    " goes back; {}",
                    sent(all.columns.iter().any(|(_, told)| told.has_listed_models))
                ),
                theme.dim(),
            ),
        ]),
    ];
    let dead = all.dead.iter().map(|(name, why)| {
        let words = format!("{name} is not asked: {}", trouble(why));
        Line::styled(visible(&words).into_owned(), theme.error())
    });
    let mut details: Vec<Line<'static>> = dead.collect();
    details.extend(all.excluded.iter().map(|(why, count)| {
        let samples = counted(*count as u64, "sample");
        let words = format!("excluded from every column, {why}: {samples}");
        Line::styled(words, theme.warning())
    }));
    let columns = all.columns.iter().zip(estimates());
    details.extend(columns.map(|((name, _), estimate)| {
        let words = format!("{name}: {estimate}");
        Line::styled(visible(&words).into_owned(), theme.text())
    }));
    for (name, told) in &all.columns {
        details.extend(changed(shared, &told.changed, Some(name)));
    }
    (lines, details)
}
