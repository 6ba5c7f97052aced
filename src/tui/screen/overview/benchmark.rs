//! The benchmark under the cursor of the overview: models, logs and abilities.

use ratatui::Frame;
use ratatui::layout::Constraint::Fill;
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Facts;
use crate::popup::short;
use crate::screen::names::SharedEnds;
use crate::shared::AppState;
use crate::widget::{self, fit, fit_end};
use analysis::AverageRank;
use base::format::{counted, visible};
use record::Source;
use workspace::overview::BenchmarkSummary;

/// Draws a benchmark: its models by average rank, its logs below, and its abilities by mean
/// score on the right.
pub fn draw_benchmark(
    shared: &AppState,
    opened: &BenchmarkSummary,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = &shared.theme;
    let benchmark = opened.benchmark.as_str();
    let [left, right] = Layout::horizontal([Fill(1), Fill(1)])
        .spacing(3)
        .areas(area);
    let row = |name: &str, number: String, width: u16| {
        let name = visible(name).into_owned();
        let room = width.min(48).saturating_sub(8);
        let name = fit(&name, room).into_owned();
        let gap = " ".repeat(usize::from(room.saturating_sub(widget::width(&name))));
        Line::from(vec![
            Span::styled(format!("{name}{gap}"), theme.text()),
            Span::styled(format!("{number:>7}"), theme.dim()),
        ])
    };
    let ranks = shared.answers.average_ranks.iter();
    let ranks: Vec<&AverageRank> = ranks.filter(|rank| rank.benchmark == benchmark).collect();
    let has_none = !ranks.is_empty() && ranks.iter().all(|rank| rank.value.is_none());
    let title = if has_none {
        "models (no average rank: none has all abilities)"
    } else {
        "models by average rank"
    };
    let models = ranks.iter().map(|rank| {
        let number = rank
            .value
            .map_or("–".to_owned(), |rank| format!("{rank:.1}"));
        row(&rank.model, number, left.width)
    });
    let Facts { means, others, .. } = Facts::of(shared, benchmark);
    let of_share = |(name, mean): &(String, f64)| row(name, format!("{mean:.2}"), right.width);
    let mut abilities: Vec<Line<'_>> = means.iter().map(of_share).collect();
    let heading = (!others.is_empty() && !means.is_empty()).then_some(abilities.len());
    if heading.is_some() {
        abilities.push(Line::styled("in other units", theme.dim()));
    }
    let metrics = others
        .iter()
        .map(|(_, _, metric)| widget::width(&visible(metric)));
    let metrics = metrics.max().unwrap_or_default() + 1;
    abilities.extend(others.iter().map(|(name, mean, metric)| {
        let room = right.width.min(48).saturating_sub(metrics);
        let mut line = row(name, short(*mean), room);
        line.push_span(Span::styled(format!(" {}", visible(metric)), theme.dim()));
        line
    }));
    // Without lines below it, a title is useless.
    if area.height < 2 {
        return;
    }
    let models = TitledList::new(title, models.collect());
    let mut below = models.lines(shared, left.height);
    let room = usize::from(left.height).saturating_sub(below.len() + 1);
    if room > 1 && !opened.logs.is_empty() {
        let height = u16::try_from(room).unwrap_or(u16::MAX);
        below.push(Line::default());
        below.extend(logs(shared, opened, left.width).lines(shared, height));
    }
    frame.render_widget(Paragraph::new(below), left);
    if !abilities.is_empty() {
        let abilities = TitledList {
            heading,
            ..TitledList::new("abilities by mean score of all models", abilities)
        };
        frame.render_widget(Paragraph::new(abilities.lines(shared, right.height)), right);
    }
}

/// A list with a title; only the lines that fit are shown.
struct TitledList {
    title: String,
    lines: Vec<Line<'static>>,
    /// Index of a heading among the lines, which is not counted as an entry.
    heading: Option<usize>,
}

impl TitledList {
    fn new(title: &str, lines: Vec<Line<'static>>) -> Self {
        Self {
            title: title.to_owned(),
            lines,
            heading: None,
        }
    }

    /// Returns title and lines. If the lines exceed the height, the last visible line contains the
    /// number of hidden lines.
    fn lines(self, shared: &AppState, height: u16) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        let most = usize::from(height.saturating_sub(1));
        let hides = self.lines.len() > most;
        let shown = if hides { most.saturating_sub(1) } else { most };
        let hidden = self.lines.len().saturating_sub(shown);
        let heading = self.heading.filter(|at| *at >= shown);
        let hidden = hidden - usize::from(heading.is_some());
        let title = Line::styled(self.title, theme.header());
        let mut lines = vec![title];
        lines.extend(self.lines.into_iter().take(shown));
        if hides && most > 0 {
            let words = format!("… and {hidden} more");
            lines.push(Line::styled(words, theme.dim()));
        }
        lines
    }
}

/// Lists the logs of a benchmark: path without the shared parts, rows, problems.
fn logs(shared: &AppState, opened: &BenchmarkSummary, width: u16) -> TitledList {
    let theme = &shared.theme;
    let sources = shared.table.sources();
    let sources = opened.logs.iter().filter_map(|at| sources.get(*at));
    let paths: Vec<(String, &Source)> = sources
        .map(|source| {
            let path = base::format::path(&source.path);
            (visible(&path).into_owned(), source)
        })
        .collect();
    let ends = SharedEnds::new(paths.iter().map(|(path, _)| path.as_str()));
    let line = |(path, source): &(String, &Source)| {
        let rows = counted(source.rows, "row");
        let problems = match source.problem_count() {
            0 => String::new(),
            count => format!("  {}", counted(count, "problem")),
        };
        let taken = widget::width(&rows) + widget::width(&problems) + 2;
        let path = ends.cut(path);
        let path = fit_end(path, width.saturating_sub(taken)).into_owned();
        Line::from(vec![
            Span::styled(path, theme.text()),
            Span::styled(format!("  {rows}"), theme.dim()),
            Span::styled(problems, theme.warning()),
        ])
    };
    let title = ends.pattern().map_or_else(
        || "logs".to_owned(),
        |all| format!("logs {}", fit_end(&all, width.saturating_sub(5))),
    );
    TitledList::new(&title, paths.iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{opened, press, screen};

    #[test]
    fn hidden_things_are_counted_without_the_heading_among_them() {
        let app = opened("tests/fixtures/none");
        let lines = |count: usize| (0..count).map(|at| Line::from(at.to_string())).collect();
        let words = |heading: Option<usize>, height: u16| -> Vec<String> {
            let list = TitledList {
                heading,
                ..TitledList::new("t", lines(15))
            };
            let shown = list.lines(&app.shared, height).into_iter();
            shown.map(|line| line.to_string()).collect()
        };
        // Fourteen abilities and a heading: six abilities are visible, and eight are hidden.
        assert_eq!(words(Some(10), 8)[6..], ["5", "… and 8 more"]);
        assert_eq!(words(Some(2), 8)[6..], ["5", "… and 9 more"]);
        assert_eq!(words(None, 8)[7], "… and 9 more");
        assert_eq!(words(Some(10), 16).len(), 16, "all fit");
        assert_eq!(words(Some(10), 1), ["t"]);
    }

    #[test]
    fn logs_are_named_by_what_differs_in_their_paths() {
        let folder = tempfile::tempdir().unwrap();
        for model in ["clip", "siglip"] {
            let line = format!(
                r#"{{"benchmark":"b","model":"{model}","ability":"ocr","sample_id":"1","target":"A","response":"A"}}"#
            );
            let name = format!("run-of-today-{model}.eyechart.jsonl");
            std::fs::write(folder.path().join(name), line).unwrap();
        }
        let mut app = opened(folder.path().to_str().unwrap());
        press(&mut app, "0");
        let shown = screen(&mut app, 120, 40);
        assert!(shown.contains("run-of-today-*.eyechart.jsonl"), "{shown}");
        assert!(shown.contains(" clip  1 row"), "{shown}");
        assert!(shown.contains(" siglip  1 row"), "{shown}");
    }

    #[test]
    fn a_filter_and_the_lack_of_an_average_rank_are_told() {
        let folder = tempfile::tempdir().unwrap();
        for (model, ability) in [("clip", "ocr"), ("siglip", "counting")] {
            let line = format!(
                r#"{{"benchmark":"b","model":"{model}","ability":"{ability}","sample_id":"1","target":"A","response":"A"}}"#
            );
            let name = format!("{model}.eyechart.jsonl");
            std::fs::write(folder.path().join(name), line).unwrap();
        }
        let mut app = opened(folder.path().to_str().unwrap());
        press(&mut app, "0");
        let shown = screen(&mut app, 120, 40);
        assert!(
            shown.contains("no average rank: none has all abilities"),
            "{shown}"
        );
        assert!(!shown.contains("the filter applies"), "{shown}");
        press(&mut app, "/ m o d e l : c l i p enter");
        let shown = screen(&mut app, 120, 40);
        assert!(shown.contains("/ model:clip"), "{shown}");
        assert!(
            shown.contains("the filter applies to all but samples and problems"),
            "{shown}"
        );
        assert!(shown.contains("models by average rank"), "{shown}");
    }
}
