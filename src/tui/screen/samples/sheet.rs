//! The samples as a sheet of pictures, each in a frame that says how the model did.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::drawn::{Drawn, Room, Scrolled};
use crate::picture::{Pictures, Ready, Shown};
use crate::screen::part::moved;
use crate::screen::sample::sign;
use crate::shared::Shared;
use format::visible;
use graphics::Request;
use media::{Source, Turn};
use record::Row;
use widget::{fit, fit_end, width};
use workspace::page::list_row;
use workspace::picture::{Marked, Meaning};
use workspace::thumbnail::Thumbnail;

use super::list::{answer_words, target, telling};

/// Widths of a frame that `+` and `-` choose from.
const WIDTHS: [u16; 5] = [14, 20, 28, 40, 60];
/// Bytes below which no picture is worth sending.
const LEAST: usize = 2_000;

/// How the sheet stands.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Which of the widths.
    size: usize,
    /// The first line of frames in sight.
    top: usize,
    /// Frames in a line, when it was last drawn.
    columns: usize,
    /// Lines of frames on a screen, when it was last drawn.
    lines: usize,
    /// True if boxes are shown alone.
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

/// Where frames stand.
struct Grid {
    width: u16,
    height: u16,
    columns: usize,
    lines: usize,
}

impl Grid {
    fn of(area: Rect, size: usize) -> Self {
        let width = WIDTHS.get(size).copied().unwrap_or(WIDTHS[0]);
        let width = width.min(area.width.max(4));
        // Pictures are mostly wider than high, and a cell is twice as high as wide.
        let ideal = ((width - 2) * 3 / 8 + 2).max(5);
        let lines = ((area.height + ideal / 2) / ideal).max(1);
        let columns = ((area.width + 1) / (width + 1)).max(1);
        // What is left over makes the frames larger.
        Self {
            width: ((area.width + 1) / columns).saturating_sub(1).max(4),
            height: (area.height / lines).max(3),
            columns: usize::from(columns),
            lines: usize::from(lines),
        }
    }

    /// Where a frame stands, counted from the first in sight.
    fn place(&self, area: Rect, at: usize) -> Rect {
        let (line, column) = (at / self.columns, at % self.columns);
        let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        Rect {
            x: area.x + narrow(column).saturating_mul(self.width + 1),
            y: area.y + narrow(line).saturating_mul(self.height),
            width: self.width,
            height: self.height,
        }
        .intersection(area)
    }

    /// How far two frames lie from each other.
    const fn distance(&self, a: usize, b: usize) -> usize {
        let lines = (a / self.columns).abs_diff(b / self.columns);
        lines * 2 + (a % self.columns).abs_diff(b % self.columns)
    }
}

impl Sheet {
    /// Draws the frames in sight. Pictures come from the cursor outward, and share what one picture may cost.
    pub fn draw(self, shared: &Shared, frame: &mut Frame<'_>, room: Room) -> Drawn {
        let area = room.area;
        let grid = Grid::of(area, self.size);
        let selected = shared.list.table.selected;
        let line = selected / grid.columns;
        let top = self.top.clamp((line + 1).saturating_sub(grid.lines), line);
        let first = top * grid.columns;
        let count = grid.columns * grid.lines;
        let rows = shared.list.rows.iter().enumerate().skip(first).take(count);
        let mut seen: Vec<(usize, u32)> = rows.map(|(at, row)| (at, *row)).collect();
        seen.sort_by_key(|(at, _)| grid.distance(*at, selected));
        let budget = shared.pictures.budget();
        let budget = budget.map(|bytes| (bytes / seen.len().max(1)).max(LEAST));
        let mut drawn = Drawn::default();
        for (at, row) in &seen {
            let place = grid.place(area, at - first);
            let inner = draw_frame(shared, *row, *at == selected, frame, place);
            let thumbnail = shared.fetched.thumbnails.peek(row);
            let shot = Shot {
                row: *row,
                area: inner,
                boxes: self.boxes,
                budget,
            };
            drawn.pictures.areas.push(inner);
            let is_free = |covered: Rect| !covered.intersects(place);
            if room.covered.is_none_or(is_free) || !shared.pictures.are_fragile() {
                shot.draw(shared, thumbnail, &mut drawn.pictures, frame);
            }
        }
        let rows: Vec<u32> = seen.into_iter().map(|(_, row)| row).collect();
        drawn.wanted.briefs.clone_from(&rows);
        drawn.wanted.thumbnails = rows;
        drawn.view = Scrolled::Sheet(Self {
            top,
            columns: grid.columns,
            lines: grid.lines,
            ..self
        });
        drawn
    }

    /// What an action does on the sheet.
    pub fn act(&mut self, shared: &Shared, action: Action) -> Reply {
        let list = &shared.list;
        let (at, count) = (list.table.selected, list.rows.len());
        let end = count.saturating_sub(1);
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
            Action::Up => at.checked_sub(self.columns).unwrap_or(at),
            Action::Down if at + self.columns <= end => at + self.columns,
            // The last line may be shorter.
            Action::Down if at / self.columns < end / self.columns => end,
            Action::Down => at,
            _ => match moved(at, count, self.columns * self.lines, action) {
                Some(row) => row,
                None => return Reply::PassOn,
            },
        };
        Reply::with(Change::Select(row))
    }

    /// The sample whose frame lies at a place of the screen.
    pub fn sample_at(self, shared: &Shared, area: Rect, (x, y): (u16, u16)) -> Option<usize> {
        let grid = Grid::of(area, self.size);
        let first = self.top * grid.columns;
        let seen = 0..grid.columns * grid.lines;
        let is_there = |at: &usize| grid.place(area, *at).contains(Position { x, y });
        let at = first + seen.into_iter().find(is_there)?;
        (at < shared.list.rows.len()).then_some(at)
    }
}

/// Draws the frame of a sample: above its sign and id, below target and answer. Gives the room within.
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
        .title_top(Line::from(Span::styled(title, text)))
        .title_bottom(Line::from(Span::styled(words, theme.text())));
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
        shown: &mut Shown,
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
        let is_seen = |marked: &&Marked| !blind || !matches!(marked.meaning, Meaning::Model(_));
        let marked: Vec<&Marked> = thumbnail.marked.iter().filter(is_seen).collect();
        let request = self.request(shared, source, &marked);
        match shared.pictures.show(request, shown) {
            Some(Ready::Drawn(drawn, _)) => {
                let (width, height) = drawn.size();
                let x = self.area.x + self.area.width.saturating_sub(width) / 2;
                let y = self.area.y + self.area.height.saturating_sub(height) / 2;
                drawn.draw((x, y), frame.buffer_mut());
            }
            Some(Ready::Missing(why, _)) => instead(why, frame),
            None => {}
        }
    }

    fn request(&self, shared: &Shared, source: &Source, marked: &[&Marked]) -> Request {
        let region = self.boxes.then(|| region(shared, source, marked)).flatten();
        let overlays = marked.iter().map(|marked| marked.overlay.clone());
        let mut request = Request {
            key: 0,
            source: source.clone(),
            area: (self.area.width, self.area.height),
            overlays: overlays.collect(),
            layers: Vec::new(),
            region,
            turn: Turn::NONE,
            budget: self.budget,
        };
        request.key = Pictures::key(&request);
        request
    }
}

/// The part of a picture around its boxes, as fractions, a fifth larger; `None` for a picture without boxes, and as long
/// as it was not decoded.
fn region(shared: &Shared, source: &Source, marked: &[&Marked]) -> Option<[f64; 4]> {
    let form = shared.pictures.form_of_source(source)?;
    let around = |all: Option<[f64; 4]>, marked: &&Marked| {
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
