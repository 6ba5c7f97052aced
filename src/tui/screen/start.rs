//! The screen without data: why nothing is shown, and suggestions.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length, Max};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::frame_output::FrameOutput;
use crate::shared::AppState;
use crate::widget::theme::Theme;
use base::format::visible;
use workspace::columns::still_unknown;
use workspace::load::shown;

/// Suggested commands, each with its effect.
const COMMANDS: [(&str, &str); 3] = [
    ("eyechart FOLDER", "opens all logs in a folder"),
    ("eyechart check FOLDER", "lists unreadable rows, and why"),
    (
        "eyechart doctor",
        "checks what pictures this terminal can show",
    ),
];

/// Supported formats, each with a description of its files.
const LOGS: [(&str, &str); 7] = [
    ("VLMEvalKit", "run folders with xlsx, tsv or json"),
    ("AVA-Bench", "answer files, a folder per ability"),
    ("Inspect AI", "logs as .eval or .json"),
    (
        "lmms-eval, lm-eval",
        "sample files next to the results file",
    ),
    (
        "COCO, fm-vision-evals",
        "detections; outputs of the six tasks",
    ),
    (
        "*.eyechart.jsonl",
        "one prediction a line, of your own harness",
    ),
    ("*.csv, .parquet, .arrow", "predictions or published scores"),
];

/// Draws the reason and suggestions. While logs are being read, draws a note instead.
pub fn draw(shared: &AppState, frame: &mut Frame<'_>, area: Rect) -> FrameOutput {
    let [_, middle, _] = Layout::horizontal([Fill(1), Max(68), Fill(1)]).areas(area);
    let top = area.height.saturating_sub(17) / 3;
    let [_, middle] = Layout::vertical([Length(top), Fill(1)]).areas(middle);
    let lines = if shared.is_loaded() {
        nothing(shared)
    } else {
        vec![Line::styled(
            "Reading logs; the first scores appear as soon as they are ready.",
            shared.theme.dim(),
        )]
    };
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), middle);
    FrameOutput::default()
}

/// Returns the text for the case that reading has ended and nothing was found.
fn nothing(shared: &AppState) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let sources = shared.table.sources();
    let opened = shared.request.paths.iter().map(|path| shown(path));
    let opened: Vec<String> = opened.collect();
    let title = match (sources.is_empty(), opened.is_empty()) {
        (true, true) => "Nothing is open yet.".to_owned(),
        (true, false) => format!("No log in {}.", visible(&opened.join(", "))),
        (false, _) => "No log in a format that Eyechart reads.".to_owned(),
    };
    let mut lines = vec![Line::styled(title, theme.header())];
    let problem = sources.iter().find_map(|source| source.problems.first());
    if let Some(problem) = problem {
        let text = format!("{}: {}", problem.place(), problem.what);
        lines.push(Line::styled(visible(&text).into_owned(), theme.warning()));
    }
    let mut unknown = still_unknown(&shared.table, &shared.unknown_tables);
    if unknown.next().is_some() {
        let key = shared.key(shared.view, Action::NameColumns);
        lines.push(Line::default());
        lines.push(entry(theme, &key, "opens the form for the columns"));
    }
    lines.push(Line::default());
    lines.extend(COMMANDS.map(|(name, words)| entry(theme, name, words)));
    lines.push(Line::default());
    lines.push(Line::styled("Supported formats", theme.header()));
    lines.extend(LOGS.map(|(name, words)| entry(theme, name, words)));
    lines.push(Line::default());
    lines.push(Line::styled(
        "F2 starts a one-minute tour, ? explains this view, q quits.",
        theme.dim(),
    ));
    lines
}

fn entry(theme: &Theme, name: &str, words: &'static str) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{name:<24}"), theme.accent()),
        Span::styled(words, theme.text()),
    ])
}
