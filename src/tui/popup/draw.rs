//! Draws the topmost popup.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph, Wrap};

use crate::app::App;
use crate::guide::{TOUR, words};
use crate::screen;
use crate::widget::line_edit::{LineEdit, LineInput};
use crate::widget::popup::{KeyList, Popup as Frame_};
use crate::widget::prose::{Prose, ProseState, wrap};
use format::visible;

use super::{Popup, filter, palette};

/// The lowest screen whose help also says how pictures are shown.
const ROOMY: u16 = 30;

/// Draws the topmost popup, if there is one; the line for words to find also draws what is below it.
pub fn render(app: &mut App, frame: &mut Frame<'_>) {
    let Some(mut popup) = app.popups.pop() else {
        return;
    };
    if matches!(popup, Popup::Find(_)) {
        render(app, frame);
    }
    match &mut popup {
        Popup::Help(state) => help(app, state, frame),
        Popup::Palette(typing) => palette::render(app, typing, frame),
        Popup::Filter(typing) => filter::render(app, typing, frame),
        Popup::Find(line) => find(app, line, frame),
        Popup::Note(line) => one_line(app, "note", line, frame),
        Popup::RightLabel(line) => one_line(app, "what the label should be", line, frame),
        Popup::Field(name, line) => one_line(app, name, line, frame),
        Popup::Words(editor) => screen::draw_words(app, editor, frame),
        Popup::Tour(at) => tour(app, *at, frame),
        Popup::Slices(state) => super::slices::draw(app, state, frame),
        Popup::Columns(asked) => super::columns::draw(app, asked, frame),
        Popup::Ranks { offset } => super::ranks::draw(app, offset, frame),
        Popup::Scorers(state) => super::scorers::draw(app, state, frame),
        Popup::Text { title, text, state } => {
            let title = format!("{title}  (/ finds, n N go on)");
            let screen = frame.area();
            let width = screen.width.saturating_sub(8);
            let lines = wrap(text, width).count().max(1);
            let rows = u16::try_from(lines).unwrap_or(u16::MAX);
            let height = rows.min(screen.height.saturating_sub(6));
            let inner = open(app, frame, &title, width, height);
            let prose = Prose {
                theme: &app.theme,
                text,
                mark: None,
                style: app.theme.text(),
            };
            frame.render_stateful_widget(prose, inner, state);
        }
    }
    app.popups.push(popup);
}

/// Draws the frame of a popup; gives the place of its content.
pub fn open(app: &mut App, frame: &mut Frame<'_>, title: &str, width: u16, height: u16) -> Rect {
    let popup = Frame_ {
        theme: &app.theme,
        title,
        width,
        height,
    };
    let inner = popup.inner(frame.area());
    frame.render_widget(popup, frame.area());
    app.popup_place = inner;
    inner
}

/// The words to find and where they stand, on the status line.
fn find(app: &mut App, line: &LineEdit, frame: &mut Frame<'_>) {
    let told = app
        .text_on_screen()
        .map(|(text, state)| state.search.told(&text));
    let screen = frame.area();
    let place = Rect {
        y: screen.y + screen.height.saturating_sub(2),
        height: screen.height.min(1),
        ..screen
    };
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(50)]).areas(place);
    app.popup_place = place;
    frame.render_widget(Clear, place);
    frame.buffer_mut().set_style(place, app.theme.screen());
    let input = LineInput {
        theme: &app.theme,
        sign: " find",
        line,
        wrong: None,
    };
    frame.render_widget(input, left);
    let told = format!(
        "{}   ↓↑ next, previous   Esc stops ",
        told.unwrap_or_default()
    );
    let told = Line::styled(told, app.theme.dim());
    frame.render_widget(told.right_aligned(), right);
}

fn one_line(app: &mut App, title: &str, line: &LineEdit, frame: &mut Frame<'_>) {
    let width = frame.area().width.saturating_sub(8);
    let inner = open(app, frame, title, width, 1);
    let input = LineInput {
        theme: &app.theme,
        sign: "",
        line,
        wrong: None,
    };
    frame.render_widget(input, inner);
}

fn help(app: &mut App, state: &mut crate::widget::popup::KeyListState, frame: &mut Frame<'_>) {
    let rows: Vec<(String, String)> = app
        .keymap
        .keys_for(app.view)
        .map(|bind| (bind.keys_text(), bind.help.clone()))
        .collect();
    let items: Vec<(&str, &str)> = rows
        .iter()
        .map(|(keys, help)| (keys.as_str(), help.as_str()))
        .collect();
    let theme = app.theme.clone();
    let list = KeyList {
        theme: &theme,
        items: &items,
    };
    let (width, height) = list.size(frame.area());
    let words = Prose {
        theme: &theme,
        text: words(app.view),
        mark: None,
        style: theme.text(),
    };
    let tall = words.height(width, frame.area().height);
    let shows = visible(&app.pictures.how).into_owned();
    let told = if shows.is_empty() || frame.area().height < ROOMY {
        0
    } else {
        3
    };
    let height = tall + 1 + height.saturating_add(told);
    let inner = open(app, frame, app.view.name(), width, height);
    let [top, _, middle, bottom] = Layout::vertical([
        Constraint::Length(tall),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(told),
    ])
    .areas(inner);
    frame.render_stateful_widget(words, top, &mut ProseState::default());
    frame.render_stateful_widget(list, middle, state);
    let shows = Paragraph::new(format!("\npictures: {shows}"));
    let shows = shows.style(theme.dim()).wrap(Wrap { trim: true });
    frame.render_widget(shows, bottom);
}

/// A stop of the tour stands at the bottom, so that what it tells of stays in sight.
fn tour(app: &App, at: usize, frame: &mut Frame<'_>) {
    let Some(stop) = TOUR.get(at) else {
        return;
    };
    let screen = frame.area();
    let text = Prose {
        theme: &app.theme,
        text: stop.text,
        mark: None,
        style: app.theme.text(),
    };
    let width = 72.min(screen.width.saturating_sub(6));
    let tall = text.height(width, screen.height);
    let low = Rect {
        y: screen.bottom().saturating_sub(tall + 5).max(screen.y),
        height: (tall + 4).min(screen.height),
        ..screen
    };
    let popup = Frame_ {
        theme: &app.theme,
        title: &format!("{} of {}: {}", at + 1, TOUR.len(), stop.title),
        width,
        height: tall + 1,
    };
    let inner = popup.inner(low);
    frame.render_widget(popup, low);
    let [top, keys] =
        Layout::vertical([Constraint::Length(tall), Constraint::Length(1)]).areas(inner);
    frame.render_stateful_widget(text, top, &mut ProseState::default());
    let words = if at + 1 == TOUR.len() {
        "Enter ends   ← back"
    } else {
        "Enter next   ← back   Esc ends"
    };
    frame.render_widget(Line::styled(words, app.theme.accent()), keys);
}
