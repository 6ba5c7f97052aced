//! Draws the samples as a sheet of pictures, each in a frame with the model's verdict.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::graphics::Request;
use crate::picture::{FramePictures, PictureResult, Pictures};
use crate::screen::part::moved;
use crate::screen::sample::sign;
use crate::shared::Shared;
use crate::widget::{fit, fit_end, width};
use base::format::{compact, counted, visible};
use media::{Source, Turn};
use record::Row;
use workspace::answered::{GroupBy, GroupName};
use workspace::page::list_row;
use workspace::picture::{MarkedBox, Meaning};
use workspace::thumbnail::Thumbnail;

use super::list::{answer_words, target, telling};
use super::shelves::Shelves;

/// Widths of a frame for `+` and `-`.
const WIDTHS: [u16; 5] = [14, 20, 28, 40, 60];
/// Index of the width of frames in a strip.
const STRIP: usize = 1;
/// Minimum bytes for a useful picture.
const LEAST: usize = 2_000;

/// State of the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Index of the current width.
    size: usize,
    /// Index of the first visible line.
    top: usize,
    /// Frames per line when it was last drawn.
    columns: usize,
    /// Complete lines on screen when it was last drawn.
    lines: usize,
    /// True to show only the boxes' part of each picture.
    boxes: bool,
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            size: 2,
            top: 0,
            columns: 1,
            lines: 1,
            boxes: false,
        }
    }
}

/// Size of the frames, and their number per line.
struct Grid {
    width: u16,
    height: u16,
    columns: usize,
}

impl Grid {
    fn of(area: Rect, size: usize, headed: bool) -> Self {
        let width = WIDTHS.get(size).copied().unwrap_or(WIDTHS[0]);
        let width = width.min(area.width.max(4));
        // Most pictures are wider than high, and a cell is twice as high as wide.
        let ideal = ((width - 2) * 3 / 8 + 2).max(5);
        let room = area.height.saturating_sub(u16::from(headed));
        let lines = ((room + ideal / 2) / ideal).max(1);
        let columns = ((area.width + 1) / (width + 1)).max(1);
        // The remaining space enlarges the frames.
        Self {
            width: ((area.width + 1) / columns).saturating_sub(1).max(4),
            height: (room / lines).max(3),
            columns: usize::from(columns),
        }
    }
}

/// Returns the lines of frames of the list.
fn shelves(shared: &Shared, columns: usize) -> Shelves {
    let list = &shared.list;
    Shelves::of(&list.groups, list.rows.len(), columns)
}

/// Returns the distance of two frames on screen.
const fn distance(a: Rect, b: Rect) -> u16 {
    2 * a.y.abs_diff(b.y) + a.x.abs_diff(b.x)
}

/// Returns `answer beach   34 answers, 62 % right`.
fn heading(shared: &Shared, group: usize, begins: bool) -> Line<'static> {
    let theme = &shared.theme;
    let list = &shared.list;
    let Some(of) = list.groups.get(group) else {
        return Line::default();
    };
    let by = list.grouped.as_ref().map_or("", GroupBy::words);
    let name = match &of.name {
        GroupName::Value(name) => visible(name).into_owned(),
        GroupName::Nothing if by == "answer" => "could not be read".to_owned(),
        GroupName::Nothing => "none".to_owned(),
        GroupName::Others(more) => format!("{} smaller groups", compact(*more as u64)),
    };
    let more = if begins { "" } else { " …" };
    let mut said = counted(of.count as u64, "answer");
    if let Some(share) = (of.right * 100).checked_div(of.judged) {
        said = format!("{said}, {share} % right");
    }
    Line::from(vec![
        Span::styled(format!("{} ", visible(by)), theme.dim()),
        Span::styled(name, theme.accent().add_modifier(Modifier::BOLD)),
        Span::styled(format!("{more}  {said}"), theme.dim()),
    ])
}

impl Sheet {
    /// Draws the visible frames. Pictures are requested from the cursor outwards, and share the
    /// byte budget of one picture.
    pub fn draw(self, shared: &Shared, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let area = room.area;
        let grid = Grid::of(area, self.size, !shared.list.groups.is_empty());
        let shelves = shelves(shared, grid.columns);
        let selected = shared.list.table.selected;
        let cursor = shelves.line_of(selected);
        let top = shelves.top(self.top, cursor, grid.height, area.height);
        let layout = shelves.layout(area, top, (grid.width, grid.height));
        for (group, place, begins) in &layout.headings {
            frame.render_widget(heading(shared, *group, *begins), *place);
        }
        let tile = |(at, place): &(usize, Rect)| {
            Some(Tile {
                row: *shared.list.rows.get(*at)?,
                is_selected: *at == selected,
                place: *place,
            })
        };
        let mut tiles: Vec<Tile> = layout.frames.iter().filter_map(tile).collect();
        let here = tiles.iter().find(|tile| tile.is_selected);
        let here = here.map_or(area, |tile| tile.place);
        tiles.sort_by_key(|tile| distance(tile.place, here));
        let mut drawn = draw_tiles(shared, &tiles, self.boxes, frame, room);
        drawn.view = ScrollState::Sheet(Self {
            top,
            columns: grid.columns,
            lines: layout.lines.max(1),
            ..self
        });
        drawn
    }

    /// Performs an action on the sheet.
    pub fn act(&mut self, shared: &Shared, action: Action) -> Reply {
        let list = &shared.list;
        let (at, count) = (list.table.selected, list.rows.len());
        let end = count.saturating_sub(1);
        let page = isize::try_from(self.lines).unwrap_or(1);
        let beside = |lines: isize| shelves(shared, self.columns).beside(at, lines);
        let row = match action {
            Action::ZoomIn => {
                self.size = (self.size + 1).min(WIDTHS.len() - 1);
                return Reply::DONE;
            }
            Action::ZoomOut => {
                self.size = self.size.saturating_sub(1);
                return Reply::DONE;
            }
            Action::ZoomToBox => {
                self.boxes = !self.boxes;
                return Reply::say(if self.boxes {
                    "pictures cut to their boxes"
                } else {
                    "whole pictures"
                });
            }
            Action::Left => at.saturating_sub(1),
            Action::Right => (at + 1).min(end),
            Action::Up => beside(-1),
            Action::Down => beside(1),
            Action::PageUp => beside(-page),
            Action::PageDown => beside(page),
            _ => match moved(at, count, self.columns, action) {
                Some(row) => row,
                None => return Reply::PassOn,
            },
        };
        Reply::with(Change::Select(row))
    }

    /// Returns the sample at a screen position.
    pub fn sample_at(self, shared: &Shared, area: Rect, (x, y): (u16, u16)) -> Option<usize> {
        let grid = Grid::of(area, self.size, !shared.list.groups.is_empty());
        let layout =
            shelves(shared, grid.columns).layout(area, self.top, (grid.width, grid.height));
        let is_there = |(_, place): &(usize, Rect)| place.contains(Position { x, y });
        let at = layout.frames.into_iter().find(is_there)?.0;
        (at < shared.list.rows.len()).then_some(at)
    }

    /// Returns the list positions of the cursor's group; the whole list without groups.
    pub fn group(shared: &Shared) -> Range<usize> {
        shelves(shared, 1).group_of(shared.list.table.selected)
    }
}

/// A sample's frame on screen.
struct Tile {
    row: u32,
    is_selected: bool,
    place: Rect,
}

/// Draws frames with their pictures, which share the byte budget of one picture.
fn draw_tiles(
    shared: &Shared,
    tiles: &[Tile],
    boxes: bool,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let budget = shared.pictures.budget();
    let budget = budget.map(|bytes| (bytes / tiles.len().max(1)).max(LEAST));
    let mut drawn = FrameOutput::default();
    for Tile {
        row,
        is_selected,
        place,
    } in tiles
    {
        let inner = draw_frame(shared, *row, *is_selected, frame, *place);
        let thumbnail = shared.fetched.thumbnails.peek(row);
        let shot = Shot {
            row: *row,
            area: inner,
            boxes,
            budget,
        };
        drawn.pictures.areas.push(inner);
        let is_free = |covered: Rect| !covered.intersects(*place);
        if room.covered.is_none_or(is_free) || !shared.pictures.are_fragile() {
            shot.draw(shared, thumbnail, &mut drawn.pictures, frame);
        }
    }
    let rows: Vec<u32> = tiles.iter().map(|tile| tile.row).collect();
    drawn.wanted.briefs.clone_from(&rows);
    drawn.wanted.thumbnails = rows;
    drawn
}

/// Draws the first samples of the list in one line of frames, each sample once.
pub fn draw_strip(shared: &Shared, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
    let grid = Grid::of(room.area, STRIP, false);
    let mut seen = Vec::new();
    let mut tiles = Vec::new();
    for row in &shared.list.rows {
        let item = shared.table.item(Row(*row));
        if tiles.len() == grid.columns {
            break;
        }
        if seen.contains(&item) {
            continue;
        }
        seen.push(item);
        let left = (grid.width + 1).saturating_mul(u16::try_from(tiles.len()).unwrap_or(u16::MAX));
        tiles.push(Tile {
            row: *row,
            is_selected: false,
            place: Rect {
                x: room.area.x + left,
                width: grid.width,
                ..room.area
            },
        });
    }
    draw_tiles(shared, &tiles, false, frame, room)
}

/// Draws the frame of a sample: symbol and id above, target and answer below. Returns the inner
/// area.
fn draw_frame(
    shared: &Shared,
    row: u32,
    selected: bool,
    frame: &mut Frame<'_>,
    area: Rect,
) -> Rect {
    let theme = &shared.theme;
    let list = list_row(&shared.table, Row(row), shared.lens.scoring);
    let blind = shared.is_blind(row);
    let (sign, style) = if blind {
        (" ", theme.border())
    } else {
        sign(theme, &list)
    };
    let room = area.width.saturating_sub(2);
    let id = telling(shared, &list.sample_id);
    let mark = if shared.marked.contains(&row) {
        "● "
    } else {
        ""
    };
    let sign = format!("{mark}{sign} ");
    let id = visible(&id);
    let id = fit_end(&id, room.saturating_sub(width(&sign)));
    let title = format!("{sign}{id}");
    let words = if blind {
        visible(target(shared, &list)).into_owned()
    } else {
        let (answer, _) = answer_words(shared, &list, style);
        format!("{} → {}", visible(target(shared, &list)), visible(&answer))
    };
    let words = fit(&words, room).into_owned();
    let mut block = Block::bordered().border_style(style);
    let mut text = Style::new().patch(style);
    if selected {
        block = block.border_type(BorderType::Thick);
        text = text.add_modifier(Modifier::REVERSED | Modifier::BOLD);
    }
    let block = block
        .title_top(Line::from(Span::styled(title.as_str(), text)))
        .title_bottom(Line::from(Span::styled(words, theme.text())));
    let item = shared.table.item(Row(row));
    let pictures = shared
        .table
        .picture_count(item)
        .map(|count| counted(count.into(), "picture"));
    // The id is more important than the number of pictures.
    let pictures = pictures.filter(|it| width(&title) + width(it) < room);
    let block = match pictures {
        Some(words) => block.title_top(Line::styled(words, theme.dim()).right_aligned()),
        None => block,
    };
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// A picture in its frame.
struct Shot {
    row: u32,
    area: Rect,
    boxes: bool,
    budget: Option<usize>,
}

impl Shot {
    fn draw(
        &self,
        shared: &Shared,
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

    fn request(&self, shared: &Shared, source: &Source, marked: &[&MarkedBox]) -> Request {
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

/// Returns the part of a picture around its boxes, a fifth larger, as fractions. `None` without
/// boxes, or if the picture was not decoded yet.
fn region(shared: &Shared, source: &Source, marked: &[&MarkedBox]) -> Option<[f64; 4]> {
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
