//! The editor of wordings of one's own: several, each with what it makes of a sample's real question.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::{App, Effect};
use crate::popup::{Popup, open};
use crate::widget::text_edit::{TextEdit, TextInput};
use format::visible_lines;
use rerun::Template;

/// Most wordings at once.
const MOST: usize = 9;

/// Wordings that are being typed.
#[derive(Clone, Debug)]
pub struct Editor {
    texts: Vec<TextEdit>,
    at: usize,
    /// The sample whose question is shown.
    sample: usize,
}

impl Editor {
    /// An editor of some wordings.
    pub fn new(words: &[String]) -> Self {
        let texts: Vec<TextEdit> = words.iter().map(|text| TextEdit::new(text)).collect();
        Self {
            texts,
            at: 0,
            sample: 0,
        }
    }

    fn text(&mut self) -> Option<&mut TextEdit> {
        self.texts.get_mut(self.at)
    }

    fn words(&self) -> Vec<String> {
        self.texts.iter().map(TextEdit::text).collect()
    }

    /// A wording more, which begins as a copy of this one.
    fn add(&mut self) {
        if self.texts.len() >= MOST {
            return;
        }
        if let Some(copy) = self.texts.get(self.at).cloned() {
            self.at += 1;
            self.texts.insert(self.at, copy);
        }
    }

    fn remove(&mut self) {
        if self.texts.len() > 1 {
            self.texts.remove(self.at);
            self.at = self.at.min(self.texts.len() - 1);
        }
    }
}

/// A key for the editor.
pub fn type_key(app: &mut App, key: KeyEvent) -> Option<Vec<Effect>> {
    let samples = app.live.looked.shown.len().max(1);
    let Some(Popup::Words(editor)) = app.popups.last_mut() else {
        return None;
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let count = editor.texts.len().max(1);
    match key.code {
        KeyCode::Char('c') if control => return Some(vec![Effect::Quit]),
        KeyCode::Esc => return Some(close(app)),
        KeyCode::Char('n') if control => editor.add(),
        KeyCode::Char('x') if control => editor.remove(),
        KeyCode::Tab => editor.at = (editor.at + 1) % count,
        KeyCode::BackTab => editor.at = (editor.at + count - 1) % count,
        KeyCode::PageDown => editor.sample = (editor.sample + 1) % samples,
        KeyCode::PageUp => editor.sample = (editor.sample + samples - 1) % samples,
        _ => {
            if let Some(text) = editor.text() {
                text.on_key(key);
            }
        }
    }
    keep(app);
    Some(Vec::new())
}

/// Puts a text where the cursor is; false where no wording is being typed.
pub fn paste(app: &mut App, text: &str) -> bool {
    let Some(Popup::Words(editor)) = app.popups.last_mut() else {
        return false;
    };
    if let Some(edit) = editor.text() {
        edit.insert(text);
    }
    keep(app);
    app.dirty = true;
    true
}

/// What is typed counts at once: nothing is lost, however the editor is left.
fn keep(app: &mut App) {
    if let Some(Popup::Words(editor)) = app.popups.last() {
        app.live.words = editor.words();
    }
}

fn close(app: &mut App) -> Vec<Effect> {
    keep(app);
    app.popups.pop();
    app.live.trouble = app.live.protocol().err();
    app.live.stage = super::state::Stage::Form;
    Vec::new()
}

/// Draws the editor: the wording, what is wrong with it, and a question as it would be asked.
pub fn draw(app: &mut App, editor: &Editor, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let title = format!("wording {} of {}", editor.at + 1, editor.texts.len());
    let (width, height) = (
        screen.width.saturating_sub(8),
        screen.height.saturating_sub(6),
    );
    let inner = open(app, frame, &title, width, height);
    let [keys, text, told, shown] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Fill(1),
        Constraint::Length(2),
        Constraint::Fill(1),
    ])
    .areas(inner);
    frame.render_widget(key_lines(app, keys), keys);
    let Some(edit) = editor.texts.get(editor.at) else {
        return;
    };
    let theme = &app.theme;
    let whole = edit.text();
    let style = |known: bool| {
        if known { theme.accent() } else { theme.error() }
    };
    let marks: Vec<_> = Template::places(&whole)
        .into_iter()
        .map(|(range, known)| (range, style(known)))
        .collect();
    let input = TextInput {
        theme,
        text: edit,
        marks: &marks,
    };
    frame.render_widget(input, text);
    let name = format!("wording {}", editor.at + 1);
    match Template::new(&name, &whole) {
        Err(error) => {
            let wrong = Line::styled(error.to_string(), theme.error());
            frame.render_widget(Paragraph::new(wrong).wrap(Wrap { trim: true }), told);
        }
        Ok(template) => asked(app, editor, &template, told, shown, frame),
    }
}

fn key_lines(app: &App, area: Rect) -> Paragraph<'static> {
    let theme = &app.theme;
    let pairs = [
        ("Esc", "done"),
        ("Tab", "next wording"),
        ("^N", "one more"),
        ("^X", "drop it"),
        ("PgDn", "other sample"),
    ];
    let spans = pairs.into_iter().flat_map(|(key, word)| {
        [
            Span::styled(key, theme.accent()),
            Span::styled(format!(" {word}  "), theme.dim()),
        ]
    });
    let places = if area.width > 70 {
        "places: {question} {options} {letters} {hint}"
    } else {
        "{question} {options} {letters} {hint}"
    };
    Paragraph::new(vec![
        Line::from(spans.collect::<Vec<_>>()),
        Line::styled(places, theme.dim()),
    ])
}

/// A question as it would be asked.
fn asked(
    app: &App,
    editor: &Editor,
    template: &Template,
    told: Rect,
    shown: Rect,
    frame: &mut Frame<'_>,
) {
    let theme = &app.theme;
    let contents = &app.live.looked.shown;
    let Some(content) = contents.get(editor.sample) else {
        let line = Line::styled("no sample is selected to show it on", theme.dim());
        return frame.render_widget(line, told);
    };
    let head = format!(
        "sample {} of {} as it is asked",
        editor.sample + 1,
        contents.len()
    );
    let head = vec![Line::default(), Line::styled(head, theme.header())];
    frame.render_widget(Paragraph::new(head), told);
    let text = template.fill(content);
    let text = visible_lines(&text).into_owned();
    let text = Paragraph::new(text).style(theme.text());
    frame.render_widget(text.wrap(Wrap { trim: false }), shown);
}
