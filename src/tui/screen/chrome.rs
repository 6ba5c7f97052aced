//! What every screen shares: views and counts on top, the trail, and keys at the bottom.

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::app::{App, Loading};
use crate::keymap::View;
use crate::widget::line::{KeyHint, KeyLine, Piece, StatusLine, Trail, ViewLine, ViewTab, gauge};
use format::{compact, counted, visible};

use super::VIEWS;

const TABS: [ViewTab<'static>; 7] = [
    ViewTab {
        key: "1",
        title: "Fingerprint",
    },
    ViewTab {
        key: "2",
        title: "Subgroups",
    },
    ViewTab {
        key: "3",
        title: "Samples",
    },
    ViewTab {
        key: "4",
        title: "Compare",
    },
    ViewTab {
        key: "5",
        title: "Reliability",
    },
    ViewTab {
        key: "6",
        title: "Live",
    },
    ViewTab {
        key: "7",
        title: "Audit",
    },
];

/// Where the screen's own part lies.
pub fn body(screen: Rect) -> Rect {
    let height = screen.height.saturating_sub(4);
    let margin = u16::from(screen.width > 40);
    Rect {
        x: screen.x + margin,
        y: screen.y + 2.min(screen.height),
        width: screen.width.saturating_sub(2 * margin),
        height,
    }
}

fn line(screen: Rect, y: u16) -> Rect {
    Rect {
        y: screen.y + y.min(screen.height.saturating_sub(1)),
        height: 1.min(screen.height),
        ..screen
    }
}

/// Draws the lines around a screen; gives the place of the screen's own part.
pub fn render(app: &App, frame: &mut Frame<'_>) -> Rect {
    let screen = frame.area();
    let counts = counts(app);
    frame.render_widget(tabs(app, &counts), line(screen, 0));
    let models = app.models().len();
    let is_open = !app.table.is_empty() || !app.table.published().is_empty();
    let lens = if is_open {
        app.lens.steps(models)
    } else {
        Vec::new()
    };
    let steps: Vec<String> = lens
        .iter()
        .map(|step| visible(step).into_owned())
        .chain(super::audit::check_words(app))
        .collect();
    let steps: Vec<&str> = steps
        .iter()
        .map(String::as_str)
        .filter(|step| !step.is_empty())
        .collect();
    let place = place(app);
    frame.render_widget(
        Trail {
            theme: &app.theme,
            steps: &steps,
            right: &place,
        },
        line(screen, 1),
    );
    if screen.height > 4 {
        frame.render_widget(status(app), line(screen, screen.height - 2));
        render_keys(app, frame, line(screen, screen.height - 1));
    }
    body(screen)
}

fn tabs<'a>(app: &'a App, counts: &'a str) -> ViewLine<'a> {
    let view = if app.view == View::Sample && app.audit.is_checking() {
        View::Audit
    } else if app.view == View::Sample {
        View::Samples
    } else {
        app.view
    };
    let current = VIEWS
        .iter()
        .position(|known| *known == view)
        .unwrap_or_default();
    ViewLine {
        theme: &app.theme,
        name: "eyechart",
        tabs: &TABS,
        current,
        right: counts,
    }
}

/// The view whose tab lies at a place.
pub fn view_at(app: &App, screen: Rect, x: u16, y: u16) -> Option<View> {
    let counts = counts(app);
    let at = tabs(app, &counts).view_at(line(screen, 0), x, y)?;
    VIEWS.get(at).copied()
}

fn counts(app: &App) -> String {
    let published = app.table.published().len();
    match (app.table.len(), published) {
        (0, 0) => String::new(),
        (0, printed) => format!("{} printed scores", compact(printed as u64)),
        (answers, _) => format!("{} answers", compact(answers as u64)),
    }
}

/// Where the lens's benchmark stands among those that are open.
fn place(app: &App) -> String {
    let open = &app.answers.benchmarks;
    let at = open.iter().position(|name| *name == app.lens.benchmark);
    match at {
        Some(at) if open.len() > 1 => format!("benchmark {} of {}  b next", at + 1, open.len()),
        _ => String::new(),
    }
}

fn status(app: &App) -> StatusLineOwned<'_> {
    StatusLineOwned { app }
}

/// The status line with the texts that it owns.
struct StatusLineOwned<'a> {
    app: &'a App,
}

impl ratatui::widgets::Widget for StatusLineOwned<'_> {
    fn render(self, area: Rect, buffer: &mut ratatui::buffer::Buffer) {
        let app = self.app;
        let theme = &app.theme;
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        if let Some(notice) = &app.notice {
            pieces.push(Piece::new(visible(notice).into_owned(), theme.accent()));
        }
        let asking = super::live_status(app).filter(|_| app.view != View::Live);
        pieces.extend(asking.map(|words| Piece::new(words, theme.accent())));
        if let (View::Samples | View::Sample, total @ 1..) = (app.view, app.answers.samples.len()) {
            let at = app.samples.table.selected + 1;
            pieces.push(Piece::new(
                format!("{at} of {}", compact(total as u64)),
                theme.dim(),
            ));
        }
        if app.view == View::Sample {
            pieces.extend(super::sample::status(app));
        }
        if let (View::Sample, Some(place)) = (app.view, super::sample::place(app)) {
            pieces.push(Piece::new(visible(&place).into_owned(), theme.dim()));
        }
        if app.view == View::Sample {
            pieces.push(Piece::new(app.pictures.how.as_str(), theme.dim()));
        }
        let problems: u64 = app
            .table
            .sources()
            .iter()
            .map(record::Source::problem_count)
            .sum::<u64>()
            .saturating_sub(super::pending(app));
        if problems > 0 {
            pieces.push(Piece::new(
                format!("{} (P)", counted(problems, "problem")),
                theme.warning(),
            ));
        }
        if app.lens.scoring == record::Scoring::Strict {
            pieces.push(Piece::new("strict scoring", theme.warning()));
        }
        let right = match &app.loading {
            Loading::Running(progress) => {
                let part = usize::try_from(progress.done * 100 / progress.total.max(1))
                    .unwrap_or_default();
                Some(Piece::new(
                    format!("reading {}", gauge(part, 100, 18)),
                    theme.dim(),
                ))
            }
            Loading::Starting => Some(Piece::new("looking for logs", theme.dim())),
            Loading::Failed(failure) => {
                let text = format!("reading failed: {}", visible(&failure.why));
                Some(Piece::new(text, theme.error()))
            }
            Loading::Done => app.growth.rate.map(|rate| growing(app, rate)),
        };
        StatusLine {
            theme,
            pieces: &pieces,
            right,
        }
        .render(area, buffer);
    }
}

/// `growing, 1,000 answers/s`: what the eye needs to know that numbers change by themselves.
fn growing(app: &App, rate: f64) -> Piece<'static> {
    let text = match rate.round() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive rate, which no machine makes that large"
        )]
        whole if whole >= 1.0 => {
            format!("▲ growing, {} answers/s", compact(rounded(whole as u64)))
        }
        _ => "▲ growing".to_owned(),
    };
    Piece::new(text, app.theme.accent())
}

/// Two digits are enough of a rate, and stand still.
fn rounded(rate: u64) -> u64 {
    let unit = 10_u64.pow(rate.checked_ilog10().unwrap_or_default().saturating_sub(1));
    (rate + unit / 2) / unit * unit
}

/// The rows of the key line, and whether the keys that judge stand first.
fn key_rows(app: &App) -> (Vec<(String, &str)>, bool) {
    let mut rows = app.keymap.line(app.view);
    let judging = super::audit::judging_first(app, &mut rows);
    (rows, judging)
}

/// What the key line says.
fn hints<'a>(rows: &'a [(String, &'a str)], judging: bool) -> Vec<KeyHint<'a>> {
    let hint = |(keys, words): &'a (String, &'a str)| KeyHint {
        keys,
        words,
        pinned: matches!(*words, "help" | "quit") || (*words == "move" && !judging),
    };
    rows.iter().map(hint).collect()
}

/// The action whose key lies at a place of the key line.
pub fn action_at(app: &App, screen: Rect, x: u16, y: u16) -> Option<Action> {
    if screen.height <= 4 || y + 1 != screen.bottom() {
        return None;
    }
    let (rows, judging) = key_rows(app);
    let keys = KeyLine {
        theme: &app.theme,
        hints: &hints(&rows, judging),
    };
    let (at, column) = keys.hint_at(line(screen, screen.height - 1), x)?;
    let (_, word) = rows.get(at)?;
    app.keymap.action_at(app.view, word, column)
}

fn render_keys(app: &App, frame: &mut Frame<'_>, area: Rect) {
    let (rows, judging) = key_rows(app);
    let hints = hints(&rows, judging);
    frame.render_widget(
        KeyLine {
            theme: &app.theme,
            hints: &hints,
        },
        area,
    );
}
