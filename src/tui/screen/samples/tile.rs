//! Draws the frames of a sheet: a sample's picture, signs for its answers, and its target.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use crate::frame_output::{FrameOutput, ViewArea};
use crate::graphics::Request;
use crate::picture::{FramePictures, PictureResult, Pictures};
use crate::screen::labels::label_sign;
use crate::screen::sample::sign;
use crate::shared::AppState;
use crate::widget::{fit, fit_end, width};
use base::format::{counted, visible};
use media::{Source, Turn};
use record::Row;
use workspace::page::{ListRow, list_row};
use workspace::picture::{MarkedBox, Meaning};
use workspace::thumbnail::Thumbnail;

use super::list::{answer_words, target, telling};

/// Maximum number of answers for which a frame shows a sign each.
const SIGNS: usize = 8;
/// Width of the arrow from target to answer, in cells.
const ARROW: u16 = 3;
/// Minimum size in bytes of a useful picture.
const LEAST: usize = 2_000;

/// A sample's frame on screen.
pub struct Tile {
    /// Prediction whose boxes are drawn.
    pub row: u32,
    /// All predictions of the list for the sample.
    pub answers: Vec<u32>,
    /// True for the sample under the cursor.
    pub is_selected: bool,
    /// Area of the frame.
    pub place: Rect,
}

/// A picture of a sample, and the surrounding area that popups should not cover.
pub struct Thumb {
    /// Prediction whose boxes are drawn.
    pub row: u32,
    /// Area of the picture.
    pub area: Rect,
    /// Area of the picture including its surroundings.
    pub place: Rect,
}

/// Draws frames with their pictures, which share the byte budget of one picture.
pub fn draw_tiles(
    shared: &AppState,
    tiles: &[Tile],
    boxes: bool,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let thumb = |tile: &Tile| Thumb {
        row: tile.row,
        area: draw_frame(shared, tile, frame),
        place: tile.place,
    };
    let thumbs: Vec<Thumb> = tiles.iter().map(thumb).collect();
    draw_thumbs(shared, &thumbs, boxes, frame, room)
}

/// Draws pictures without frames, which share the byte budget of one picture.
pub fn draw_thumbs(
    shared: &AppState,
    thumbs: &[Thumb],
    boxes: bool,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let budget = shared.pictures.budget();
    let budget = budget.map(|bytes| (bytes / thumbs.len().max(1)).max(LEAST));
    let mut drawn = FrameOutput::default();
    for Thumb { row, area, place } in thumbs {
        let thumbnail = shared.fetched.thumbnails.peek(row);
        let shot = Shot {
            row: *row,
            area: *area,
            boxes,
            budget,
        };
        drawn.pictures.areas.push(*area);
        let is_free = |covered: Rect| !covered.intersects(*place);
        if room.covered.is_none_or(is_free) || !shared.pictures.are_fragile() {
            shot.draw(shared, thumbnail, &mut drawn.pictures, frame);
        }
    }
    let rows: Vec<u32> = thumbs.iter().map(|thumb| thumb.row).collect();
    drawn.wanted.briefs.clone_from(&rows);
    drawn.wanted.thumbnails = rows;
    drawn
}

/// Draws the frame of a sample: signs and id above, target below. If there is only one answer, the
/// answer is also below. Returns the inner area.
fn draw_frame(shared: &AppState, tile: &Tile, frame: &mut Frame<'_>) -> Rect {
    let theme = &shared.theme;
    let area = tile.place;
    let list = list_row(&shared.table, Row(tile.row), shared.lens.scoring);
    let room = area.width.saturating_sub(2);
    let mut block = Block::bordered().border_style(theme.border());
    let mut text = theme.text();
    if tile.is_selected {
        block = block
            .border_type(BorderType::Thick)
            .border_style(theme.accent());
        text = theme
            .accent()
            .add_modifier(Modifier::REVERSED | Modifier::BOLD);
    }
    let mut heading = signs(shared, &tile.answers);
    if tile.answers.iter().any(|row| shared.marked.contains(row)) {
        heading.insert(0, Span::styled("● ", theme.accent()));
    }
    heading.push(Span::raw(" "));
    let taken: u16 = heading.iter().map(|span| width(&span.content)).sum();
    let id = telling(shared, &list.sample_id);
    let id = visible(&id);
    let id = fit_end(&id, room.saturating_sub(taken)).into_owned();
    let taken = taken + width(&id);
    heading.push(Span::styled(id, text));
    let block = block
        .title_top(Line::from(heading))
        .title_bottom(foot(shared, tile, &list, room));
    let pictures = shared.table.picture_count(shared.table.item(Row(tile.row)));
    let pictures = pictures.map(|count| counted(count.into(), "picture"));
    // The id is more important than the number of pictures.
    let pictures = pictures.filter(|it| taken + width(it) < room);
    let block = match pictures {
        Some(words) => block.title_top(Line::styled(words, theme.dim()).right_aligned()),
        None => block,
    };
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// Returns the caption, preceded by the sign of the verdict on the label.
fn foot(shared: &AppState, tile: &Tile, list: &ListRow, room: u16) -> Line<'static> {
    let mut sign = label_sign(shared, tile.row);
    if !sign.content.is_empty() {
        sign.content = format!("{} ", sign.content).into();
    }
    let words = caption(
        shared,
        tile,
        list,
        room.saturating_sub(width(&sign.content)),
    );
    Line::from(vec![sign, Span::styled(words, shared.theme.text())])
}

/// Returns a sign for each answer, sorted by model. If there are many answers, returns the number
/// of right answers.
fn signs(shared: &AppState, answers: &[u32]) -> Vec<Span<'static>> {
    let table = &shared.table;
    let mut answers: Vec<u32> = answers.to_vec();
    answers.retain(|row| !shared.is_blind(*row));
    answers.sort_by_key(|row| (table.model(Row(*row)), *row));
    let rows = answers.iter();
    let rows = rows.map(|row| list_row(table, Row(*row), shared.lens.scoring));
    if answers.len() > SIGNS {
        let right = rows.filter(|row| row.correct == Some(true)).count();
        let (sign, style) = shared.theme.verdict(true);
        let words = format!("{sign}{right} of {}", answers.len());
        return vec![Span::styled(words, style)];
    }
    let signs = rows.map(|row| sign(&shared.theme, &row));
    signs
        .map(|(sign, style)| Span::styled(sign, style))
        .collect()
}

/// Returns the target. If there is a single answer and it is not hidden, adds the answer.
fn caption(shared: &AppState, tile: &Tile, list: &ListRow, room: u16) -> String {
    let target = visible(target(shared, list)).into_owned();
    if tile.answers.len() > 1 || shared.is_blind(tile.row) {
        return fit(&target, room).into_owned();
    }
    let (answer, _) = answer_words(shared, list, Style::new());
    let answer = visible(&answer).into_owned();
    let most = room.saturating_sub(ARROW);
    let of_target = most.saturating_sub(width(&answer)).max(most / 2);
    let words = format!("{} → {answer}", fit(&target, of_target));
    fit(&words, room).into_owned()
}

/// A picture to draw, with its frame.
struct Shot {
    row: u32,
    area: Rect,
    boxes: bool,
    budget: Option<usize>,
}

impl Shot {
    fn draw(
        &self,
        shared: &AppState,
        thumbnail: Option<&Result<Thumbnail, String>>,
        shown: &mut FramePictures,
        frame: &mut Frame<'_>,
    ) {
        let instead = |words: &str, frame: &mut Frame<'_>| {
            let line = Line::styled(visible(words).into_owned(), shared.theme.dim());
            let text = Paragraph::new(line).wrap(Wrap { trim: true });
            frame.render_widget(text, self.area);
        };
        let thumbnail = match thumbnail {
            None => return,
            Some(Err(why)) => return instead(why, frame),
            Some(Ok(thumbnail)) => thumbnail,
        };
        let Some(source) = &thumbnail.source else {
            let item = shared.table.item(Row(self.row));
            return instead(shared.table.question(item), frame);
        };
        if shared.pictures.are_off() {
            return instead(&source.name(), frame);
        }
        let blind = shared.is_blind(self.row);
        let is_seen = |marked: &&MarkedBox| !blind || !matches!(marked.meaning, Meaning::Model(_));
        let marked: Vec<&MarkedBox> = thumbnail.marked.iter().filter(is_seen).collect();
        let request = self.request(shared, source, &marked);
        match shared.pictures.show(request, shown) {
            Some(PictureResult::Drawn(drawn, _)) => drawn.draw_in(self.area, frame.buffer_mut()),
            Some(PictureResult::Missing(why, _)) => instead(why, frame),
            None => {}
        }
    }

    fn request(&self, shared: &AppState, source: &Source, marked: &[&MarkedBox]) -> Request {
        let region = self.boxes.then(|| region(shared, source, marked)).flatten();
        let overlays = marked.iter().map(|marked| marked.overlay.clone());
        Pictures::keyed(Request {
            key: 0,
            source: source.clone(),
            area: (self.area.width, self.area.height),
            overlays: overlays.collect(),
            layers: Vec::new(),
            region,
            turn: Turn::NONE,
            budget: self.budget,
        })
    }
}

/// Returns the part of a picture around its boxes, with a margin, as fractions. Returns `None`
/// without boxes, or until the picture is decoded.
fn region(shared: &AppState, source: &Source, marked: &[&MarkedBox]) -> Option<[f64; 4]> {
    let form = shared.pictures.form_of_source(source)?;
    let around = |all: Option<[f64; 4]>, marked: &&MarkedBox| {
        let [a, b, c, d] = marked.overlay.upright(form.size, form.orientation);
        let [x0, y0, x1, y1] = [a.min(c), b.min(d), a.max(c), b.max(d)];
        Some(match all {
            None => [x0, y0, x1, y1],
            Some([left, top, right, bottom]) => {
                [left.min(x0), top.min(y0), right.max(x1), bottom.max(y1)]
            }
        })
    };
    let [x0, y0, x1, y1] = marked.iter().fold(None, around)?;
    let (width, height) = ((x1 - x0).max(0.02) * 0.2, (y1 - y0).max(0.02) * 0.2);
    Some([
        (x0 - width).max(0.0),
        (y0 - height).max(0.0),
        (x1 + width).min(1.0),
        (y1 + height).min(1.0),
    ])
}
