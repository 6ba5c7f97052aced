//! One sample: its picture with boxes and maps drawn on it, what was asked, and what one or two models said.

mod legend;
mod picture;
mod scale;
mod second;
mod status;
mod text;
mod update;
mod viewpoint;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::app::App;
use crate::widget::prose::ProseState;
use format::{visible, visible_lines};
use media::{Letter, PictureCache};
use record::{ImageRef, Row};
use workspace::page::{Detail, list_row};
use workspace::picture::{Known, Layers, Marked, Meaning, marked, sources};
use workspace::sample_panel::meant;
use workspace::surface::{Surface, What};

pub use second::{Second, row as second_row};
pub use status::pieces as status;
pub use update::update;
pub use viewpoint::Viewpoint;

/// Bytes of fetched records and their painted maps that are kept.
const KEPT: usize = 48 << 20;
/// The narrowest screen with the text beside the picture.
const WIDE: u16 = 70;
/// The widest column of text that is pleasant to read.
const READABLE: u16 = 100;

/// The sample on screen.
pub struct SampleState {
    /// Records that were fetched, by prediction.
    pub details: PictureCache<u32, Result<Detail, String>>,
    /// How far the response is scrolled.
    pub response: ProseState,
    /// What is drawn over the picture.
    pub layers: Layers,
    /// What was drawn over it before the key that hides it went down.
    pub before_hold: Option<Layers>,
    /// What of the picture is shown, and which way up.
    pub view: Viewpoint,
    /// The model whose answer stands beside the first one's.
    pub second: Second,
}

impl Default for SampleState {
    fn default() -> Self {
        Self {
            details: PictureCache::new(KEPT),
            response: ProseState::default(),
            layers: Layers::default(),
            before_hold: None,
            view: Viewpoint::default(),
            second: Second::default(),
        }
    }
}

impl SampleState {
    /// Takes a record that was fetched.
    pub fn receive(&mut self, Row(row): Row, detail: Result<Detail, String>) {
        let bytes = detail.as_ref().map_or(64, held);
        self.details.insert(row, detail, bytes);
    }

    /// The whole picture, upright, and the beginning of the response.
    pub fn reset_view(&mut self) {
        self.view = Viewpoint::default();
        self.response.restart();
    }
}

/// About how many bytes a record holds.
fn held(detail: &Detail) -> usize {
    let inline = |image: &ImageRef| match image {
        ImageRef::Inline(text) => text.len(),
        _ => 0,
    };
    let pictures: usize = detail.record.content.images.iter().map(inline).sum();
    let response = detail.record.response.as_ref().map_or(0, String::len);
    let maps: usize = detail.surfaces.iter().map(Surface::held).sum();
    pictures + maps + response + 2 * detail.list.question.len() + 1024
}

/// What one or two models answered to one sample.
pub struct Answers {
    first: Detail,
    second: Option<Detail>,
    /// Whether what the models said is hidden for now.
    blind: bool,
}

impl Answers {
    /// Everything that can be drawn over the picture.
    fn marked(&self) -> Vec<Marked> {
        let mut all = marked(&self.first, self.second.as_ref());
        all.retain(|marked| !self.blind || !matches!(marked.meaning, Meaning::Model(_)));
        all
    }

    /// Every map of the picture that is known, drawn or not.
    fn surfaces(&self) -> Vec<(Letter, &Surface)> {
        let mut all = meant(&self.first, self.second.as_ref());
        all.retain(|(_, surface)| !self.blind || surface.what == What::Target);
        all
    }

    /// The models of the letters A and B.
    fn models(&self) -> [&str; 2] {
        let second = self.second.as_ref();
        [
            &self.first.list.model,
            second.map_or("", |second| &second.list.model),
        ]
    }

    /// What there is to flicker between.
    fn known(&self) -> Known {
        let surfaces = self.surfaces();
        let is_drawn = |what, letter| {
            let mut found = surfaces
                .iter()
                .filter(|(it, surface)| *it == letter && surface.what == what);
            found.any(|(_, surface)| surface.shown.is_ok())
        };
        let beside = surfaces.iter().any(|(_, surface)| surface.stands_beside());
        Known {
            second: self.second.is_some(),
            beside: beside && is_drawn(What::Prediction, Letter::A),
            errors: [Letter::A, Letter::B].map(|letter| is_drawn(What::Error, letter)),
        }
    }
}

fn row_at(app: &App, step: isize) -> Option<u32> {
    let at = app.samples.table.selected.checked_add_signed(step)?;
    app.answers.samples.get(at).copied()
}

/// The answers to the sample so many steps away, once they were fetched.
fn answers_at(app: &mut App, step: isize) -> Option<Result<Answers, String>> {
    let row = row_at(app, step)?;
    let first = match app.sample.details.get(&row)? {
        Ok(first) => first.clone(),
        Err(why) => return Some(Err(why.clone())),
    };
    let second = second::detail(app, row);
    let blind = app.audit.is_blind(Row(row));
    Some(Ok(Answers {
        first,
        second,
        blind,
    }))
}

/// Draws the screen.
pub fn render(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if row_at(app, 0).is_none() {
        return super::say(
            app,
            "No sample passes; F drops the filter, Esc walks back.",
            frame,
            area,
        );
    }
    let answers = match answers_at(app, 0) {
        Some(Ok(answers)) => answers,
        Some(Err(why)) => {
            let text = Line::styled(visible(&why).into_owned(), app.theme.error());
            return frame.render_widget(Paragraph::new(text), area);
        }
        None => return,
    };
    if sources(&app.table, &answers.first).is_empty() {
        let [note, words] =
            Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(Rect {
                width: area.width.min(READABLE),
                ..area
            });
        let text = Line::styled("the log names no picture", app.theme.dim());
        frame.render_widget(Paragraph::new(text), note);
        return text::render(app, &answers, frame, words);
    }
    let [left, right] = parts(area);
    picture::render(app, &answers, frame, left);
    text::render(app, &answers, frame, right);
    picture::look_ahead(app, &answers, left);
}

/// Where the picture stands and where the text: beside it, or below where that is too narrow.
fn parts(area: Rect) -> [Rect; 2] {
    if area.width < WIDE {
        return Layout::vertical([Constraint::Percentage(50), Constraint::Fill(1)]).areas(area);
    }
    let most = Constraint::Max(READABLE.min(area.width * 45 / 100));
    Layout::horizontal([Constraint::Fill(1), most])
        .spacing(2)
        .areas(area)
}

/// File and line of the sample on screen.
pub fn place(app: &App) -> Option<String> {
    let row = row_at(app, 0)?;
    Some(list_row(&app.table, Row(row), app.lens.scoring).place)
}

/// The response as it is shown, for what is looked for in it.
pub fn response(app: &mut App) -> Option<String> {
    let row = row_at(app, 0)?;
    let Some(Ok(detail)) = app.sample.details.get(&row) else {
        return None;
    };
    let response = detail.record.response.as_deref().unwrap_or_default();
    Some(visible_lines(response).into_owned())
}
