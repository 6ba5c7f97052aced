//! Draws the lines around every screen: tabs and counts at the top, the trail below them, and keys
//! at the bottom.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Clear;

use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::{AppState, Loading, Look};
use crate::widget::line::{KeyHint, KeyLine, Piece, StatusLine, Trail, ViewLine, ViewTab, gauge};
use base::format::{compact, counted, visible, whole};
use workspace::load::{Progress, fetching};

use super::Views;
use super::labels::{check_progress, judging_first};
use super::place::place;
use super::{samples, subgroups};

/// Index of the trail's step that names the models.
const MODELS: usize = 2;

/// Returns the area of the view.
fn body(screen: Rect) -> Rect {
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

/// Draws the lines around a view. Returns the view's area.
pub fn draw(shared: &AppState, views: &Views, frame: &mut Frame<'_>) -> Rect {
    let screen = frame.area();
    with_tabs(shared, views, |tabs| {
        frame.render_widget(tabs, line(screen, 0));
    });
    with_trail(shared, screen.width, |trail| {
        frame.render_widget(trail, line(screen, 1));
    });
    if screen.height > 4 {
        draw_status(shared, views, frame, line(screen, screen.height - 2));
        render_keys(shared, views, frame, line(screen, screen.height - 1));
    }
    body(screen)
}

/// Builds the trail and passes it to `use_it`. The trail borrows local texts, so it cannot be
/// returned.
fn with_trail<T>(shared: &AppState, columns: u16, use_it: impl FnOnce(Trail<'_>) -> T) -> T {
    let models = shared.models().len();
    let mut lens = match shared.view {
        _ if shared.is_empty() => Vec::new(),
        ViewId::Overview => {
            let filter = &shared.lens.filter;
            let filter = (!filter.is_empty()).then(|| format!("/ {filter}"));
            ["Benchmarks".to_owned()]
                .into_iter()
                .chain(filter)
                .collect()
        }
        ViewId::Compare if shared.compared().is_some() => shared.lens.steps(2),
        _ => shared.lens.steps(models),
    };
    let shown = match shared.view {
        ViewId::Samples if shared.list.look == Look::Matrix => samples::models_words(shared),
        ViewId::Subgroups => subgroups::models_words(shared),
        _ => None,
    };
    if let (Some(words), Some(step)) = (shown, lens.get_mut(MODELS)) {
        *step = words;
    }
    let steps: Vec<String> = lens
        .iter()
        .map(|step| visible(step).into_owned())
        .chain(check_progress(shared))
        .collect();
    let steps: Vec<&str> = steps
        .iter()
        .map(String::as_str)
        .filter(|step| !step.is_empty())
        .collect();
    use_it(Trail {
        theme: &shared.theme,
        steps: &steps,
        right: &place(shared, &steps, columns),
    })
}

/// Returns the index of the trail's step at a screen position.
pub fn step_at(shared: &AppState, screen: Rect, (x, y): (u16, u16)) -> Option<usize> {
    let step = with_trail(shared, screen.width, |trail| {
        trail.step_at(line(screen, 1), x, y)
    });
    // The overview's trail is short: its last step is the filter.
    step.filter(|at| shared.view != ViewId::Overview || *at == 0)
}

/// Builds the line of tabs and passes it to `use_it`. The line borrows local texts, so it cannot be
/// returned.
fn with_tabs<T>(shared: &AppState, views: &Views, use_it: impl FnOnce(ViewLine<'_>) -> T) -> T {
    let current = match shared.view {
        ViewId::Sample if shared.list.is_check() => ViewId::Audit,
        ViewId::Sample | ViewId::Playground => ViewId::Samples,
        ViewId::Flip => ViewId::Live,
        view => view,
    };
    let tab = |(view, [key, title, short]): (ViewId, [&'static str; 3])| ViewTab {
        key,
        title,
        short,
        is_enabled: views.can_open(shared, view),
    };
    let tabs: Vec<ViewTab<'_>> = views.tabs().map(tab).collect();
    use_it(ViewLine {
        theme: &shared.theme,
        name: "eyechart",
        tabs: &tabs,
        current: views
            .tabs()
            .position(|(id, _)| id == current)
            .unwrap_or(usize::MAX),
        right: &counts(shared),
    })
}

/// Returns the view whose tab is at a screen position.
pub fn view_at(
    shared: &AppState,
    views: &Views,
    screen: Rect,
    (x, y): (u16, u16),
) -> Option<ViewId> {
    let at = with_tabs(shared, views, |tabs| tabs.view_at(line(screen, 0), x, y))?;
    views.tabs().nth(at).map(|(id, _)| id)
}

fn counts(shared: &AppState) -> String {
    let published = shared.table.published().len();
    if let Some(large) = &shared.large {
        let all = format!("{} answers, sums only", compact(large.n));
        return match shared.table.len() {
            0 => all,
            read => format!("{all}; {} read", compact(read as u64)),
        };
    }
    match (shared.table.len(), published) {
        (0, 0) => String::new(),
        (0, printed) => counted(printed as u64, "published score"),
        (answers, _) => counted(answers as u64, "answer"),
    }
}

/// Counts last lines of logs that are possibly still being written. They are not problems yet.
fn pending(shared: &AppState) -> u64 {
    let sources = shared.table.sources().iter();
    let problems = sources.flat_map(|source| &source.problems);
    problems.filter(|problem| problem.pending).count() as u64
}

fn draw_status(shared: &AppState, views: &Views, frame: &mut Frame<'_>, area: Rect) {
    let theme = &shared.theme;
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    if let Some(notice) = &shared.notice {
        pieces.push(Piece::new(visible(notice).into_owned(), theme.accent()));
    }
    if shared.verdicts.judging && shared.is_judging() {
        let key = shared.key(shared.view, Action::ToggleJudging);
        let words = format!("judging labels, {key} ends it");
        pieces.push(Piece::new(words, theme.warning()));
    }
    if let Some(file) = shared.writing.last() {
        let words = format!("writing {} …", file.display());
        pieces.push(Piece::new(visible(&words).into_owned(), theme.accent()));
    }
    let others = ViewId::ALL.into_iter().filter(|id| *id != shared.view);
    let asking = others.filter_map(|id| views.get(id).background());
    pieces.extend(asking.map(|words| Piece::new(words, theme.accent())));
    let sources = shared.table.sources().iter();
    let problems: u64 = sources.map(record::Source::problem_count).sum();
    let problems = problems.saturating_sub(pending(shared));
    if problems > 0 {
        pieces.push(Piece::new(
            format!("{} (P)", counted(problems, "problem")),
            theme.warning(),
        ));
    }
    if shared.lens.scoring == record::Scoring::Strict {
        pieces.push(Piece::new("strict scoring", theme.warning()));
    }
    pieces.extend(views.get(shared.view).status(shared));
    let right = match &shared.loading {
        Loading::Running(Progress {
            fetch: Some(fetch), ..
        }) => {
            let store::Progress {
                bytes,
                all_bytes,
                all_objects,
                ..
            } = fetch.progress;
            let mut words = format!("fetching {}", fetching(&shared.request, fetch));
            if all_objects > 0 {
                let bytes = format!(", {} of {}", megabytes(bytes), megabytes(all_bytes));
                words.push_str(&bytes);
            }
            Some(Piece::new(visible(&words).into_owned(), theme.dim()))
        }
        Loading::Running(progress) => {
            let part = progress.done * 100 / progress.total.max(1);
            let part = usize::try_from(part).unwrap_or(100);
            let words = format!("reading {}", gauge(part, 100, 18));
            Some(Piece::new(words, theme.dim()))
        }
        Loading::Starting => Some(Piece::new("looking for logs", theme.dim())),
        Loading::Failed(failure) => {
            let words = format!("reading failed: {}", visible(&failure.why));
            Some(Piece::new(words, theme.error()))
        }
        Loading::Done => shared.growth.rate.map(|rate| growing(shared, rate)),
    };
    let line = StatusLine {
        theme,
        pieces: &pieces,
        right,
    };
    frame.render_widget(line, area);
}

/// Formats bytes: `12.3 MB`.
fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}

/// Returns `growing, 1,000 answers/s`, which explains why numbers change without user input.
fn growing(shared: &AppState, rate: f64) -> Piece<'static> {
    let text = match rate.round() {
        rate if rate >= 1.0 => {
            let rate = counted(rounded(whole(rate)), "answer");
            format!("▲ growing, {rate}/s")
        }
        _ => "▲ growing".to_owned(),
    };
    Piece::new(text, shared.theme.accent())
}

/// Rounds a rate to two digits, so that the number on screen changes rarely.
fn rounded(rate: u64) -> u64 {
    let unit = 10_u64.pow(rate.checked_ilog10().unwrap_or_default().saturating_sub(1));
    (rate + unit / 2) / unit * unit
}

/// Returns the entries of the key line, and true if judging keys come first. Omits keys that have
/// no effect now.
fn key_rows<'a>(shared: &'a AppState, views: &Views) -> (Vec<(String, &'a str)>, bool) {
    let mut rows = shared.keymap.line(shared.view);
    let view = views.get(shared.view);
    rows.retain(|(_, word)| !view.key_word(word).is_empty());
    let judging = judging_first(shared, &mut rows);
    (rows, judging)
}

/// Returns the hints of the key line.
fn hints<'a>(
    views: &Views,
    shared: &AppState,
    rows: &'a [(String, &'a str)],
    judging: bool,
) -> Vec<KeyHint<'a>> {
    let view = views.get(shared.view);
    let hint = |(keys, words): &'a (String, &'a str)| KeyHint {
        keys,
        words: view.key_word(words),
        pinned: matches!(*words, "help" | "quit") || (*words == "move" && !judging),
    };
    rows.iter().map(hint).collect()
}

/// Returns the action of the key at a position of the key line.
pub fn action_at(
    shared: &AppState,
    views: &Views,
    screen: Rect,
    (x, y): (u16, u16),
) -> Option<Action> {
    if screen.height <= 4 || y + 1 != screen.bottom() {
        return None;
    }
    let (rows, judging) = key_rows(shared, views);
    let keys = KeyLine {
        theme: &shared.theme,
        hints: &hints(views, shared, &rows, judging),
    };
    let (at, column) = keys.hint_at(line(screen, screen.height - 1), x)?;
    let (_, word) = rows.get(at)?;
    shared.keymap.action_at(shared.view, word, column)
}

fn render_keys(shared: &AppState, views: &Views, frame: &mut Frame<'_>, area: Rect) {
    let (rows, judging) = key_rows(shared, views);
    let hints = hints(views, shared, &rows, judging);
    frame.render_widget(
        KeyLine {
            theme: &shared.theme,
            hints: &hints,
        },
        area,
    );
}

/// Draws the screen behind a popup in the dim colour, except pictures.
pub fn dim_ground(shared: &AppState, frame: &mut Frame<'_>) {
    let style = shared.theme.screen().patch(shared.theme.dim());
    let pictures = &shared.pictures.areas;
    let buffer = frame.buffer_mut();
    for position in buffer.area.positions() {
        let is_picture = pictures.iter().any(|area| area.contains(position));
        if let Some(cell) = buffer.cell_mut(position).filter(|_| !is_picture) {
            cell.set_style(Style::reset().patch(style));
        }
    }
}

/// Draws the keys of a popup over the view's keys, which have no effect while the popup is open. If
/// the popup has no keys, the view's keys stay.
pub fn draw_keys(shared: &AppState, keys: &[(&'static str, &'static str)], frame: &mut Frame<'_>) {
    let screen = frame.area();
    let area = line(screen, screen.height.saturating_sub(1));
    if screen.height <= 4 || keys.is_empty() {
        return;
    }
    let hint = |(keys, words): &(&'static str, &'static str)| KeyHint {
        keys,
        words,
        pinned: true,
    };
    let hints: Vec<KeyHint<'_>> = keys.iter().map(hint).collect();
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, shared.theme.screen());
    frame.render_widget(
        KeyLine {
            theme: &shared.theme,
            hints: &hints,
        },
        area,
    );
}
