//! The sample's pictures with boxes and maps drawn on them, and what is drawn ahead.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::App;
use crate::picture::{Pictures, Ready};
use crate::widget::picture::Placeholder;
use crate::widget::text::{fit, width};
use format::visible;
use graphics::{Drawn, Request};
use media::Unit;
use workspace::page::Detail;
use workspace::picture::{self, Layers, Marked};
use workspace::sample_panel::{SamplePanel, caption, sample_panels};

use super::legend::Legend;
use super::viewpoint::Viewpoint;
use super::{Answers, answers_at};

/// How one picture is to be shown.
struct Shot {
    panel: SamplePanel,
    area: Rect,
    view: Viewpoint,
}

impl Shot {
    /// Where the picture stands, and the line of its caption.
    fn areas(&self) -> (Rect, Rect) {
        let caption = Constraint::Length(u16::from(!self.panel.caption.is_empty()));
        let [caption, picture] = Layout::vertical([caption, Constraint::Fill(1)]).areas(self.area);
        (picture, caption)
    }

    fn request(&self, budget: Option<usize>) -> Request {
        let (area, _) = self.areas();
        let mut request = Request {
            key: 0,
            source: self.panel.source.clone(),
            area: (area.width, area.height),
            overlays: self.panel.overlays.clone(),
            layers: self.panel.maps.clone(),
            region: self.view.region,
            turn: self.view.turn,
            budget,
        };
        request.key = Pictures::key(&request);
        request
    }
}

/// The pictures of a sample, where they stand above the legend.
fn shots(
    app: &App,
    answers: &Answers,
    marked: &[Marked],
    area: Rect,
    (layers, view): (Layers, Viewpoint),
) -> Vec<Shot> {
    let sources = picture::sources(&app.table, &answers.first);
    let surfaces = answers.surfaces();
    let panels = sample_panels(sources, marked, &surfaces, layers, answers.models());
    let (area, _) = above_legend(app, answers, marked, area);
    let areas = arranged(area, panels.len(), !surfaces.is_empty());
    let shot = |(panel, area)| Shot { panel, area, view };
    panels.into_iter().zip(areas).map(shot).collect()
}

/// Places of so many pictures: side by side, and where they belong together in two rows once they are more
/// than two or the room is high.
fn arranged(area: Rect, count: usize, together: bool) -> Vec<Rect> {
    let side_by_side = |area: Rect, count: usize| {
        let columns = Layout::horizontal(vec![Constraint::Fill(1); count]);
        columns.spacing(1).split(area).to_vec()
    };
    // A cell is about twice as high as it is wide.
    let is_high = area.width < 3 * area.height;
    if !together || count < 2 || count == 2 && !is_high {
        return side_by_side(area, count);
    }
    // Both rows alike, so that pictures can be compared.
    let half = Constraint::Length(area.height / 2);
    let [upper, lower] = Layout::vertical([half, half]).areas(area);
    let columns = count.div_ceil(2);
    let mut places = side_by_side(upper, columns);
    places.extend(side_by_side(lower, columns));
    places
}

/// Room for the pictures, and for the legend.
fn above_legend(app: &App, answers: &Answers, marked: &[Marked], area: Rect) -> (Rect, Rect) {
    let lines = legend(app, answers, marked).lines(area.width);
    let rows = super::text::rows_of(&lines, area.width).clamp(1, (area.height / 3).max(1));
    let [pictures, legend] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
    (pictures, legend)
}

fn legend<'a>(app: &'a App, answers: &'a Answers, marked: &'a [Marked]) -> Legend<'a> {
    Legend {
        theme: &app.theme,
        depth: app.depth,
        known: marked,
        surfaces: answers.surfaces(),
        layers: app.sample.layers,
        models: answers.models(),
    }
}

/// Draws the pictures of the sample on screen and the legend.
pub fn render(app: &mut App, answers: &Answers, frame: &mut Frame<'_>, area: Rect) {
    let marked = answers.marked();
    let state = (app.sample.layers, app.sample.view);
    for shot in shots(app, answers, &marked, area, state) {
        draw_one(app, &shot, frame);
    }
    let size = size_words(app, &answers.first);
    let (_, below) = above_legend(app, answers, &marked, area);
    let lines = legend(app, answers, &marked).lines(area.width);
    // Which line is whose matters more than the size.
    let first = lines.first().map_or(0, Line::width);
    let fits = first + usize::from(width(&size)) < usize::from(below.width);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), below);
    if fits {
        let size = Span::styled(size, app.theme.dim());
        let line = Rect { height: 1, ..below };
        frame.render_widget(Line::from(size).right_aligned(), line);
    }
}

/// `1600 x 1067`, and in which form the model saw it, if the log says so.
fn size_words(app: &mut App, detail: &Detail) -> String {
    let size = app.pictures.first_size();
    let size = size.map(|(width, height)| format!("{width} x {height}"));
    let seen = picture::seen(detail).map(|seen| format!("model saw {}", visible(&seen)));
    let words: Vec<String> = size.into_iter().chain(seen).collect();
    words.join(", ")
}

fn draw_one(app: &mut App, shot: &Shot, frame: &mut Frame<'_>) {
    let name = visible(&shot.panel.source.name()).into_owned();
    let (area, above) = shot.areas();
    let caption = fit(&visible(&shot.panel.caption), above.width).into_owned();
    let caption = Line::styled(caption, app.theme.dim()).centered();
    frame.render_widget(Paragraph::new(caption), above);
    let theme = app.theme.clone();
    let instead = |reason: &str, hint: &str, frame: &mut Frame<'_>| {
        let theme = &theme;
        frame.render_widget(
            Placeholder {
                theme,
                reason,
                hint,
            },
            area,
        );
    };
    if app.pictures.are_off() {
        return instead(&name, "pictures are off; --images auto shows them", frame);
    }
    let covered = !app.popups.is_empty();
    let request = shot.request(app.pictures.budget());
    match app.pictures.show(request) {
        // A picture that something lies over would stay on the screen in pieces.
        Some(Ready::Drawn(drawn, _)) if covered && drawn.is_fragile() => instead(&name, "", frame),
        Some(Ready::Drawn(drawn, _)) => draw_ready(drawn, frame, area),
        Some(Ready::Missing(why, hint)) => instead(why, hint, frame),
        None => instead(&name, "", frame),
    }
}

fn draw_ready(drawn: &Drawn, frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = drawn.size();
    let x = area.x + area.width.saturating_sub(width) / 2;
    let y = area.y + area.height.saturating_sub(height) / 2;
    drawn.draw((x, y), frame.buffer_mut());
}

/// What a key brings next is drawn before it is pressed: other layers of this sample, then its neighbours.
pub fn look_ahead(app: &mut App, answers: &Answers, area: Rect) {
    let mut ahead = Vec::new();
    let budget = app.pictures.budget();
    let marked = answers.marked();
    let view = app.sample.view;
    let neighbour = |app: &mut App, step: isize, ahead: &mut Vec<Request>| {
        let Some(Ok(answers)) = answers_at(app, step) else {
            return;
        };
        let marked = answers.marked();
        let state = (app.sample.layers, Viewpoint::default());
        let shots = shots(app, &answers, &marked, area, state);
        ahead.extend(shots.iter().map(|shot| shot.request(budget)));
    };
    neighbour(app, 1, &mut ahead);
    for layers in Layers::EACH {
        let shots = shots(app, answers, &marked, area, (layers, view));
        ahead.extend(shots.iter().map(|shot| shot.request(budget)));
    }
    neighbour(app, -1, &mut ahead);
    neighbour(app, 2, &mut ahead);
    for request in ahead {
        app.pictures.look_ahead(request);
    }
}

/// The boxes and the masks that are shown, as fractions of the first picture, with what they are; those in pixels
/// once it has been drawn.
pub fn boxes(app: &mut App, answers: &Answers) -> Vec<([f64; 4], String)> {
    let size = app.pictures.first_size();
    let models = answers.models();
    let fractions = |marked: &Marked| {
        let what = match marked.label.as_str() {
            "" => caption(marked.meaning, models),
            label => label.to_owned(),
        };
        match (marked.overlay.unit, size) {
            (Unit::Pixel, None) => None,
            (_, size) => Some((marked.overlay.fractions(size.unwrap_or_default()), what)),
        }
    };
    let marked = answers.marked();
    let layers = app.sample.layers;
    let shown = marked.iter().filter(|marked| layers.show(marked.meaning));
    let mut boxes: Vec<_> = shown.filter_map(fractions).collect();
    boxes.extend(answers.surfaces().iter().filter_map(|(letter, surface)| {
        let meaning = surface.meaning(*letter);
        let mask = !surface.stands_beside() && layers.show(meaning);
        let shown = surface.shown.as_ref().ok().filter(|_| mask)?;
        let bounds = shown.layer(*letter).bounds()?;
        Some((bounds, caption(meaning, models)))
    }));
    boxes
}
