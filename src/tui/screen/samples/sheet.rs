//! Draws the samples as a sheet of pictures, each in a frame with the signs of its answers.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{FrameOutput, ScrollState, ViewArea};
use crate::screen::part::moved;
use crate::shared::{AppState, Tiles};
use base::format::{compact, counted, visible};
use record::Row;
use workspace::answered::{GroupBy, GroupName};

use super::shelves::Shelves;
use super::tile::{Tile, draw_tiles};

/// Widths of a frame. The keys `+` and `-` select the next and previous width.
const WIDTHS: [u16; 5] = [14, 20, 28, 40, 60];
/// Index of a frame's width in a low strip, and in a tall strip.
const STRIP: [usize; 2] = [1, 2];
/// Minimum height of a tall strip, in rows.
const HIGH: u16 = 14;
/// Default height of a picture, in percent of its width.
const USUAL: u32 = 75;
/// Maximum number of samples that are searched for a decoded picture.
const FIRST: usize = 24;

/// State of the sheet.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Index of the selected frame width.
    size: usize,
    /// Index of the first visible line of frames.
    top: usize,
    /// Number of frames per line in the last frame drawn.
    columns: usize,
    /// Number of complete lines in the last frame drawn.
    lines: usize,
    /// True to crop each picture to its boxes.
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

/// Size of the frames, and number of frames per line.
struct Grid {
    width: u16,
    height: u16,
    columns: usize,
}

impl Grid {
    fn of(shared: &AppState, area: Rect, size: usize) -> Self {
        let headed = !shared.list.groups.is_empty();
        let width = WIDTHS.get(size).copied().unwrap_or(WIDTHS[0]);
        let width = width.min(area.width.max(4));
        // A cell is twice as high as wide.
        let ideal = u32::from(width.saturating_sub(2)) * shape(shared) / 200;
        let ideal = u16::try_from(ideal).unwrap_or(u16::MAX).saturating_add(2);
        let ideal = ideal.clamp(5, 200);
        let room = area.height.saturating_sub(u16::from(headed));
        let lines = ((room + ideal / 2) / ideal).max(1);
        let columns = ((area.width + 1) / (width + 1)).max(1);
        // Distribute the remaining space over the frames.
        Self {
            width: ((area.width + 1) / columns).saturating_sub(1).max(4),
            height: (room / lines).max(3),
            columns: usize::from(columns),
        }
    }
}

/// Returns the lines of frames for the list. Each sample has one frame.
fn shelves(tiles: &Tiles, columns: usize) -> Shelves {
    Shelves::of(&tiles.groups, tiles.len(), columns)
}

/// Returns the height of the list's first decoded picture, in percent of its width.
pub fn shape(shared: &AppState) -> u32 {
    let first = shared.list.rows.iter().take(FIRST);
    let mut sizes = first.filter_map(|row| {
        let thumbnail = shared.fetched.thumbnails.peek(row)?.as_ref().ok()?;
        let (width, height) = shared
            .pictures
            .form_of_source(thumbnail.source.as_ref()?)?
            .size;
        height.saturating_mul(100).checked_div(width)
    });
    sizes.next().unwrap_or(USUAL).clamp(50, 125)
}

/// Returns the distance between two frames on screen. A row counts as two columns.
const fn distance(a: Rect, b: Rect) -> u16 {
    2 * a.y.abs_diff(b.y) + a.x.abs_diff(b.x)
}

/// Returns the heading of a group: `answer beach   34 answers, 62 % right`.
fn heading(shared: &AppState, group: usize, begins: bool) -> Line<'static> {
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
    /// Draws the visible frames. Pictures near the cursor are requested first. All pictures
    /// together share the byte budget of one picture.
    pub fn draw(self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        let area = room.area;
        let grid = Grid::of(shared, area, self.size);
        let list = &shared.list;
        let samples = shared.tiles();
        let shelves = shelves(&samples, grid.columns);
        let selected = samples.tile_of(list.table.selected);
        let cursor = shelves.line_of(selected);
        let top = shelves.top(self.top, cursor, grid.height, area.height);
        let layout = shelves.layout(area, top, (grid.width, grid.height));
        for (group, place, begins) in &layout.headings {
            frame.render_widget(heading(shared, *group, *begins), *place);
        }
        let tile = |(at, place): &(usize, Rect)| {
            let is_selected = *at == selected;
            let first = samples.first(*at);
            let shown = if is_selected {
                list.table.selected
            } else {
                first
            };
            let answers = samples.answers(*at).iter();
            Some(Tile {
                row: *list.rows.get(shown)?,
                answers: answers
                    .filter_map(|at| list.rows.get(*at).copied())
                    .collect(),
                is_selected,
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
    pub fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let list = &shared.list;
        let samples = shared.tiles();
        let (at, count) = (samples.tile_of(list.table.selected), samples.len());
        let end = count.saturating_sub(1);
        let page = isize::try_from(self.lines).unwrap_or(1);
        let beside = |lines: isize| shelves(&samples, self.columns).neighbour(at, lines);
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
        Reply::with(Change::Select(samples.first(row)))
    }

    /// Returns the list position of the sample at a screen position.
    pub fn sample_at(self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Option<usize> {
        let grid = Grid::of(shared, area, self.size);
        let samples = shared.tiles();
        let layout =
            shelves(&samples, grid.columns).layout(area, self.top, (grid.width, grid.height));
        let is_there = |(_, place): &(usize, Rect)| place.contains(Position { x, y });
        let at = layout.frames.into_iter().find(is_there)?.0;
        let here = shared.list.table.selected;
        let is_selected = at == samples.tile_of(here);
        (at < samples.len()).then(|| if is_selected { here } else { samples.first(at) })
    }

    /// Returns the list positions of the group under the cursor. Without groups, returns the whole
    /// list.
    pub fn group(shared: &AppState) -> Range<usize> {
        let list = &shared.list;
        Shelves::of(&list.groups, list.rows.len(), 1).group_of(list.table.selected)
    }
}

/// Draws the first samples of the list in one line of frames. Each sample has one frame.
pub fn draw_strip(shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
    let size = STRIP[usize::from(room.area.height >= HIGH)];
    let grid = Grid::of(shared, room.area, size);
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
            answers: vec![*row],
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
