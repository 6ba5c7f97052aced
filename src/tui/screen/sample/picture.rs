//! Draws the sample's pictures with boxes and maps, and prefetches pictures for the next key.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::frame_output::{ViewArea, uncovered_part};
use crate::graphics::Request;
use crate::picture::{FramePictures, PictureResult, Pictures};
use crate::shared::AppState;
use crate::view::Explanation;
use crate::widget::picture::Placeholder;
use crate::widget::prose::rows_of_all;
use crate::widget::{fit, width};
use base::format::visible;
use media::{DAMAGED, PictureInfo, Unit};
use workspace::frame::frame_words;
use workspace::page::Detail;
use workspace::picture::{self, Layers, MarkedBox};
use workspace::sample_panel::{SamplePanel, caption, sample_panels};

use super::answers::AnswerPair;
use super::legend::Legend;
use super::viewpoint::{SIDE_BY_SIDE, Viewpoint};

/// Minimum columns and rows of a picture.
const SMALLEST: (u16, u16) = (6, 3);

/// Minimum height of the area for a strip below the picture, in rows.
const STRIP: u16 = 14;

/// A picture to draw: panel, area and viewpoint.
#[derive(Clone)]
struct Shot {
    panel: SamplePanel,
    area: Rect,
    view: Viewpoint,
    /// True for the picture in the strip that is also shown large above it.
    is_current: bool,
}

impl Shot {
    /// Splits the area into picture and caption.
    fn areas(&self) -> (Rect, Rect) {
        let caption = Constraint::Length(u16::from(!self.panel.caption.is_empty()));
        let [caption, picture] = Layout::vertical([caption, Constraint::Fill(1)]).areas(self.area);
        (picture, caption)
    }

    /// Moves the picture out of the area covered by popups, because text over a picture would leave
    /// fragments of it.
    fn without_covered(&self, covered: Option<Rect>) -> Self {
        let area = covered.map_or(self.area, |covered| uncovered_part(self.area, covered));
        Self {
            area,
            ..self.clone()
        }
    }

    fn request(&self, budget: Option<usize>, area: Rect) -> Request {
        Pictures::keyed(Request {
            key: 0,
            source: self.panel.source.clone(),
            area: (area.width, area.height),
            overlays: self.panel.overlays.clone(),
            layers: self.panel.maps.clone(),
            region: self.view.region,
            turn: self.view.turn,
            budget,
        })
    }
}

/// Pictures of a sample, with the user's choice of layers and viewpoint.
#[derive(Clone, Copy)]
pub struct SamplePictures<'a> {
    /// Answers to the sample.
    pub answers: AnswerPair<'a>,
    /// Visible layers.
    pub layers: Layers,
    /// Visible part of the pictures, and their rotation.
    pub view: Viewpoint,
}

impl SamplePictures<'_> {
    /// Returns the pictures with their areas above the legend.
    fn shots(&self, shared: &AppState, marked: &[MarkedBox], area: Rect) -> Vec<Shot> {
        let (answers, view) = (&self.answers, self.view);
        let sources = picture::sources(&shared.table, answers.first);
        let surfaces = answers.surfaces();
        let panels = sample_panels(sources, marked, &surfaces, self.layers, answers.models());
        let (area, _) = self.above_legend(shared, marked, area);
        let walks = view.picture.is_some() || panels.len() > SIDE_BY_SIDE;
        if walks && panels.len() > 1 && !has_maps_beside(answers) {
            return with_strip(&panels, view, area);
        }
        let areas = arranged(area, panels.len(), !surfaces.is_empty());
        let shot = |(panel, area)| Shot {
            panel,
            area,
            view,
            is_current: false,
        };
        panels.into_iter().zip(areas).map(shot).collect()
    }

    /// Splits the area for the pictures and the legend.
    fn above_legend(&self, shared: &AppState, marked: &[MarkedBox], area: Rect) -> (Rect, Rect) {
        let lines = legend(shared, &self.answers, marked, self.layers).lines(area.width);
        let rows = rows_of_all(&lines, area.width).clamp(1, (area.height / 3).max(1));
        let [pictures, legend] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
        (pictures, legend)
    }

    /// Draws the pictures and the legend.
    pub fn draw(
        &self,
        shared: &AppState,
        shown: &mut FramePictures,
        frame: &mut Frame<'_>,
        room: ViewArea,
    ) {
        let marked = self.answers.marked();
        for shot in self.shots(shared, &marked, room.area) {
            shown.areas.push(shot.area);
            let covered = room.covered.filter(|_| shared.pictures.are_fragile());
            draw_one(shared, &shot.without_covered(covered), shown, frame);
        }
        let size = size_words(shared, shown, self.answers.first);
        let (_, below) = self.above_legend(shared, &marked, room.area);
        let lines = legend(shared, &self.answers, &marked, self.layers).lines(room.area.width);
        // The legend is more important than the text about the picture's size.
        let first = lines.first().map_or(0, Line::width);
        let fits = first + usize::from(width(&size)) < usize::from(below.width);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), below);
        if fits {
            let size = Span::styled(size, shared.theme.dim());
            let line = Rect { height: 1, ..below };
            frame.render_widget(Line::from(size).right_aligned(), line);
        }
    }

    /// Prefetches pictures for the next key: first other layers of this sample, then its
    /// neighbours.
    pub fn prefetch(&self, shared: &AppState, area: Rect, shown: &mut FramePictures) {
        let budget = shared.pictures.budget();
        let mut ahead = |step, layers, view| {
            let Some(Ok(answers)) = AnswerPair::at(shared, step) else {
                return;
            };
            let next = SamplePictures {
                answers,
                layers,
                view,
            };
            for shot in next.shots(shared, &answers.marked(), area) {
                let (area, _) = shot.areas();
                shared.pictures.prefetch(shot.request(budget, area), shown);
            }
        };
        if let Some(at) = self.view.picture {
            let picture = Some(at + 1);
            ahead(
                0,
                self.layers,
                Viewpoint {
                    picture,
                    ..self.view
                },
            );
        }
        ahead(1, self.layers, Viewpoint::default());
        for other in Layers::EACH {
            ahead(0, other, self.view);
        }
        ahead(-1, self.layers, Viewpoint::default());
        ahead(2, self.layers, Viewpoint::default());
    }
}

/// Returns true if maps are shown next to the first picture, instead of further pictures.
pub fn has_maps_beside(answers: &AnswerPair<'_>) -> bool {
    let surfaces = answers.surfaces();
    surfaces
        .iter()
        .any(|(_, surface)| surface.is_next_to_picture())
}

/// Arranges one large picture above a numbered strip of pictures.
fn with_strip(panels: &[SamplePanel], view: Viewpoint, area: Rect) -> Vec<Shot> {
    let last = panels.len().saturating_sub(1);
    let current = view.picture.unwrap_or_default().min(last);
    let rows = if area.height < STRIP {
        0
    } else {
        (area.height / 4).clamp(4, 9)
    };
    let [above, strip] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area);
    let mut shots: Vec<Shot> = Vec::new();
    shots.extend(panels.get(current).map(|panel| Shot {
        panel: panel.clone(),
        area: above,
        view,
        is_current: false,
    }));
    if rows == 0 {
        return shots;
    }
    // A cell is about twice as high as wide, and most pictures are wider than high.
    let width = (rows - 1) * 3;
    let room = usize::from((strip.width + 1) / (width + 1)).max(1);
    let first = current
        .saturating_sub(room / 2)
        .min(panels.len().saturating_sub(room));
    let near = panels.iter().zip(1..).skip(first).take(room);
    let places = (0..).map(|at: u16| Rect {
        x: strip.x.saturating_add(at.saturating_mul(width + 1)),
        width: width.min(strip.width),
        ..strip
    });
    let tile = |((panel, place), area): ((&SamplePanel, usize), Rect)| Shot {
        panel: SamplePanel {
            caption: frame_words(&panel.source).unwrap_or_else(|| place.to_string()),
            source: panel.source.clone(),
            overlays: Vec::new(),
            maps: Vec::new(),
        },
        area,
        view: Viewpoint {
            turn: view.turn,
            ..Viewpoint::default()
        },
        is_current: place == current + 1,
    };
    shots.extend(near.zip(places).map(tile));
    shots
}

/// Arranges pictures side by side. Related pictures get two rows if there are more than two, or if
/// the area is tall.
fn arranged(area: Rect, count: usize, together: bool) -> Vec<Rect> {
    let side_by_side = |area: Rect, count: usize| {
        let columns = Layout::horizontal(vec![Constraint::Fill(1); count]);
        columns.spacing(1).split(area).to_vec()
    };
    // A cell is about twice as high as wide.
    let is_high = area.width < 3 * area.height;
    if !together || count < 2 || count == 2 && !is_high {
        return side_by_side(area, count);
    }
    // Both rows have equal height, so that pictures can be compared.
    let half = Constraint::Length(area.height / 2);
    let [upper, lower] = Layout::vertical([half, half]).areas(area);
    let columns = count.div_ceil(2);
    let mut places = side_by_side(upper, columns);
    places.extend(side_by_side(lower, columns));
    places
}

fn legend<'a>(
    shared: &'a AppState,
    answers: &AnswerPair<'a>,
    marked: &'a [MarkedBox],
    layers: Layers,
) -> Legend<'a> {
    Legend {
        theme: &shared.theme,
        depth: shared.depth,
        known: marked,
        surfaces: answers.surfaces(),
        layers,
        models: answers.models(),
    }
}

/// Explains the lines and areas on the picture.
pub fn explain(shared: &AppState, answers: &AnswerPair<'_>, layers: Layers) -> Vec<Explanation> {
    let marked = answers.marked();
    let entries = legend(shared, answers, &marked, layers).entries();
    let explained = entries.into_iter().map(|(sign, words, _)| Explanation {
        sign,
        words: format!("{words}, drawn on the picture; o hides or shows it"),
    });
    explained.collect()
}

/// Returns `1600 x 1067`. If the log contains the size that the model received, appends it.
fn size_words(shared: &AppState, shown: &FramePictures, detail: &Detail) -> String {
    let form = shared.pictures.first_form(shown);
    let size = form.map(|PictureInfo { size, .. }| format!("{} x {}", size.0, size.1));
    let seen = picture::seen(detail).map(|seen| format!("model saw {}", visible(&seen)));
    let words: Vec<String> = size.into_iter().chain(seen).collect();
    words.join(", ")
}

fn draw_one(shared: &AppState, shot: &Shot, shown: &mut FramePictures, frame: &mut Frame<'_>) {
    let name = visible(&shot.panel.source.name()).into_owned();
    let (mut area, above) = shot.areas();
    let caption = fit(&visible(&shot.panel.caption), above.width).into_owned();
    let style = if shot.is_current {
        shared.theme.accent()
    } else {
        shared.theme.dim()
    };
    let caption = Line::styled(caption, style).centered();
    frame.render_widget(Paragraph::new(caption), above);
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return;
    }
    let theme = &shared.theme;
    let budget = shared.pictures.budget();
    let mut request = shot.request(budget, area);
    let form = shared.pictures.form_of(request.key);
    if form.is_some_and(|form| form.is_damaged) && !shared.pictures.are_off() {
        // Text must not cover a picture, so write it in a separate line below.
        let [room, below] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        let words = fit(DAMAGED, below.width).into_owned();
        frame.render_widget(Line::styled(words, theme.warning()).centered(), below);
        area = room;
        request = shot.request(budget, area);
    }
    show(shared, request, &name, shown, frame, area);
}

/// Draws a picture in the middle of an area. If it is missing, draws `name` and the reason.
pub fn show(
    shared: &AppState,
    request: Request,
    name: &str,
    shown: &mut FramePictures,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = &shared.theme;
    let instead = |reason: &str, hint: &str, frame: &mut Frame<'_>| {
        frame.render_widget(
            Placeholder {
                theme,
                reason,
                hint,
            },
            area,
        );
    };
    if shared.pictures.are_off() {
        return instead(name, "pictures are off; --images auto shows them", frame);
    }
    match shared.pictures.show(request, shown) {
        Some(PictureResult::Drawn(drawn, _)) => drawn.draw_in(area, frame.buffer_mut()),
        Some(PictureResult::Missing(why, hint)) => instead(why, hint, frame),
        None => instead(name, "", frame),
    }
}

/// Returns the visible boxes and masks as fractions of the first picture, with names. Boxes in
/// pixels need the picture's size, so they are included only after the picture was drawn.
pub fn boxes(
    shared: &AppState,
    answers: &AnswerPair<'_>,
    layers: Layers,
) -> Vec<([f64; 4], String)> {
    let form = shared.pictures.form_on_screen();
    let models = answers.models();
    let fractions = |marked: &MarkedBox| {
        let what = match marked.label.as_str() {
            "" => caption(marked.meaning, models),
            label => label.to_owned(),
        };
        match (marked.overlay.unit, form) {
            (Unit::Pixel, None) => None,
            (_, form) => {
                let PictureInfo {
                    size, orientation, ..
                } = form.unwrap_or_default();
                Some((marked.overlay.upright(size, orientation), what))
            }
        }
    };
    let marked = answers.marked();
    let shown = marked.iter().filter(|marked| layers.show(marked.meaning));
    let mut boxes: Vec<_> = shown.filter_map(fractions).collect();
    boxes.extend(answers.surfaces().iter().filter_map(|(letter, surface)| {
        let meaning = surface.meaning(*letter);
        let mask = !surface.is_next_to_picture() && layers.show(meaning);
        let shown = surface.shown.as_ref().ok().filter(|_| mask)?;
        let bounds = shown.layer(*letter).bounds()?;
        let bounds = form.unwrap_or_default().orientation.corners(bounds);
        Some((bounds, caption(meaning, models)))
    }));
    boxes
}
