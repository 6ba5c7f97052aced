//! Lays out the frames of a sheet in lines. Groups of frames have headings.

use ratatui::layout::Rect;

use workspace::answered::Group;

/// A group of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shelf {
    /// List position of the group's first frame.
    first: usize,
    /// Index of the group's first line.
    line: usize,
    /// Number of frames in the group.
    count: usize,
}

/// The lines of frames of all groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelves {
    groups: Vec<Shelf>,
    columns: usize,
    /// True if groups have headings.
    headed: bool,
}

/// A line of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShelfLine {
    /// Index of the line's group.
    pub group: usize,
    /// List position of the line's first frame.
    pub first: usize,
    /// Number of frames in the line.
    pub count: usize,
    /// True for the first line of a group.
    pub begins: bool,
}

/// Positions of frames and headings on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetLayout {
    /// List positions and areas of the frames.
    pub frames: Vec<(usize, Rect)>,
    /// Headings: index of the group, area, and true if the group starts there.
    pub headings: Vec<(usize, Rect, bool)>,
    /// Number of completely visible lines.
    pub lines: usize,
}

impl Shelves {
    /// Arranges `total` samples in lines of `columns` frames, with or without groups.
    pub fn of(groups: &[Group], total: usize, columns: usize) -> Self {
        let columns = columns.max(1);
        let headed = !groups.is_empty();
        let counts = groups.iter().map(|group| group.count);
        let counts = counts.chain((!headed).then_some(total));
        let (mut first, mut line) = (0, 0);
        let part = |count: usize| {
            let part = Shelf { first, line, count };
            first += count;
            line += count.div_ceil(columns);
            part
        };
        Self {
            groups: counts.map(part).collect(),
            columns,
            headed,
        }
    }

    /// Returns the group of a sample, with its index.
    fn shelf_of(&self, at: usize) -> Option<(usize, Shelf)> {
        let behind = self.groups.partition_point(|part| part.first <= at);
        let group = behind.checked_sub(1)?;
        Some((group, *self.groups.get(group)?))
    }

    /// Returns the list positions of a sample's group.
    pub fn group_of(&self, at: usize) -> std::ops::Range<usize> {
        let part = self.shelf_of(at).map(|(_, part)| part);
        part.map_or(0..0, |part| part.first..part.first + part.count)
    }

    /// Returns the index of a sample's line.
    pub fn line_of(&self, at: usize) -> usize {
        let part = self.shelf_of(at).map(|(_, part)| part);
        part.map_or(0, |part| part.line + (at - part.first) / self.columns)
    }

    /// Returns the line with this index.
    pub fn line(&self, line: usize) -> Option<ShelfLine> {
        let behind = self.groups.partition_point(|part| part.line <= line);
        let group = behind.checked_sub(1)?;
        let part = self.groups.get(group)?;
        let before = (line - part.line) * self.columns;
        let count = part.count.checked_sub(before).filter(|count| *count > 0)?;
        Some(ShelfLine {
            group,
            first: part.first + before,
            count: count.min(self.columns),
            begins: before == 0,
        })
    }

    /// Returns the sample in the line `lines` below the line of another sample, or above it if
    /// negative. It is in the same column if possible. Returns the same sample if the line does not
    /// exist.
    pub fn neighbour(&self, at: usize, lines: isize) -> usize {
        let Some((_, part)) = self.shelf_of(at) else {
            return at;
        };
        let column = (at - part.first) % self.columns;
        let last = self.groups.last().map_or(0, |last| {
            (last.line + last.count.div_ceil(self.columns)).saturating_sub(1)
        });
        let wanted = self.line_of(at).saturating_add_signed(lines).min(last);
        let is_other = wanted != self.line_of(at);
        match self.line(wanted).filter(|_| is_other) {
            Some(line) => line.first + column.min(line.count - 1),
            None => at,
        }
    }

    /// Returns the screen rows of a line, including its heading.
    fn rows(&self, line: ShelfLine, is_first: bool, height: u16) -> u16 {
        height + u16::from(self.headed && (is_first || line.begins))
    }

    /// Returns the first visible line of frames of this height. It stays the same, unless the
    /// cursor's line would be hidden.
    pub fn top(&self, before: usize, cursor: usize, height: u16, room: u16) -> usize {
        let most = usize::from(room / height.max(1));
        let mut top = before.min(cursor).max((cursor + 1).saturating_sub(most));
        while top < cursor {
            let lines = (top..=cursor).filter_map(|at| Some((at == top, self.line(at)?)));
            let taken: u16 = lines
                .map(|(first, line)| self.rows(line, first, height))
                .sum();
            if taken <= room {
                break;
            }
            top += 1;
        }
        top
    }

    /// Lays out the frames that fit, starting at line `top`.
    pub fn layout(&self, area: Rect, top: usize, (width, height): (u16, u16)) -> SheetLayout {
        let mut layout = SheetLayout::default();
        let mut y = area.y;
        let mut at = top;
        while let Some(line) = self.line(at) {
            let head = self.rows(line, at == top, height) - height;
            let left = area.bottom().saturating_sub(y + head);
            // Show a line that is cut at the bottom if enough of it is visible.
            let is_worth_it = left >= 4 && 2 * left >= height;
            if left < height && !is_worth_it && at > top {
                break;
            }
            if head > 0 {
                let heading = Rect {
                    y,
                    height: 1,
                    ..area
                };
                layout
                    .headings
                    .push((line.group, heading.intersection(area), line.begins));
            }
            for column in 0..line.count {
                let along = u16::try_from(column).unwrap_or(u16::MAX);
                let frame = Rect {
                    x: area.x.saturating_add(along.saturating_mul(width + 1)),
                    y: y + head,
                    width,
                    height: height.min(left),
                };
                layout
                    .frames
                    .push((line.first + column, frame.intersection(area)));
            }
            layout.lines += usize::from(left >= height);
            y += head + height;
            at += 1;
            if y >= area.bottom() {
                break;
            }
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use workspace::answered::GroupName;

    fn group(count: usize) -> Group {
        Group {
            name: GroupName::Nothing,
            count,
            judged: 0,
            right: 0,
        }
    }

    #[test]
    fn each_group_begins_a_line() {
        let shelves = Shelves::of(&[group(4), group(1), group(3)], 8, 3);
        let lines: Vec<(usize, usize, usize, bool)> = (0..)
            .map_while(|line| shelves.line(line))
            .map(|line| (line.group, line.first, line.count, line.begins))
            .collect();
        let expected = [
            (0, 0, 3, true),
            (0, 3, 1, false),
            (1, 4, 1, true),
            (2, 5, 3, true),
        ];
        assert_eq!(lines, expected);
        let of: Vec<usize> = (0..8).map(|at| shelves.line_of(at)).collect();
        assert_eq!(of, [0, 0, 0, 1, 2, 3, 3, 3]);
        assert_eq!(shelves.group_of(6), 5..8);
    }

    #[test]
    fn the_cursor_goes_up_and_down_over_short_lines() {
        let shelves = Shelves::of(&[group(4), group(1), group(3)], 8, 3);
        let steps = |at: usize| [shelves.neighbour(at, -1), shelves.neighbour(at, 1)];
        assert_eq!(steps(2), [2, 3]);
        assert_eq!(steps(3), [0, 4]);
        assert_eq!(steps(7), [4, 7]);
        assert_eq!(shelves.neighbour(0, 100), 5);
        let plain = Shelves::of(&[], 8, 3);
        assert_eq!(
            [
                plain.neighbour(4, 1),
                plain.neighbour(5, 1),
                plain.neighbour(7, 1)
            ],
            [7, 7, 7]
        );
        assert_eq!(Shelves::of(&[], 0, 3).neighbour(0, 1), 0);
    }

    #[test]
    fn whatever_is_on_the_screen_the_cursor_is_and_nothing_lies_outside() {
        let groups: Vec<Group> = [7, 1, 1, 30, 2].map(group).to_vec();
        for groups in [groups.as_slice(), &[]] {
            for (width, height) in [(20, 5), (80, 24), (31, 17)] {
                let area = Rect::new(3, 2, width, height);
                let size = (9, 6.min(height));
                let shelves = Shelves::of(groups, 41, usize::from((width + 1) / 10));
                let mut top = 0;
                for at in (0..41).chain((0..41).rev()) {
                    let line = shelves.line_of(at);
                    top = shelves.top(top, line, size.1, area.height);
                    let layout = shelves.layout(area, top, size);
                    let own = layout.frames.iter().find(|(place, _)| *place == at);
                    let (_, own) = own.unwrap_or_else(|| panic!("{at} of {area}"));
                    assert!(own.height > 2, "{own} {area}");
                    for (one, frame) in &layout.frames {
                        assert_eq!(frame.intersection(area), *frame);
                        let meets = |(other, place): &(usize, Rect)| {
                            other != one && place.intersects(*frame)
                        };
                        assert!(!layout.frames.iter().any(meets));
                        let headed = |(_, place, _): &(usize, Rect, bool)| place.intersects(*frame);
                        assert!(!layout.headings.iter().any(headed));
                    }
                    assert_eq!(layout.headings.is_empty(), groups.is_empty());
                }
            }
        }
    }
}
