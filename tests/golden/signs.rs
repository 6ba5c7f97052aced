//! Draws lines, blocks, dots and ticks by geometry, so that they fill their cells and join.

use crate::painter::Mask;

/// Draws a character. Returns false if the character is none of these.
pub fn draw(sign: char, mask: &mut Mask) -> bool {
    match sign {
        '▀'..='▟' => block(sign, mask),
        '\u{2800}'..='\u{28ff}' => braille(sign as u32 - 0x2800, mask),
        '✓' => tick(mask),
        '✗' => cross(mask),
        '╭' | '╮' | '╯' | '╰' => arc(sign, mask),
        '═' | '║' => double(sign, mask),
        _ => return dashes(sign, mask) || arms(sign, mask),
    }
    true
}

/// Draws an empty frame, for a character without a glyph.
pub fn frame(mask: &mut Mask) {
    let (right, bottom) = (mask.width as i32 - 2, mask.height as i32 - 3);
    for x in 1..=right {
        mask.add(x, 2, 1.0);
        mask.add(x, bottom, 1.0);
    }
    for y in 2..=bottom {
        mask.add(1, y, 1.0);
        mask.add(right, y, 1.0);
    }
}

/// Fills a part of the cell; edges are fractions of its width and height.
fn fill(mask: &mut Mask, x: (f32, f32), y: (f32, f32)) {
    let (width, height) = (mask.width as f32, mask.height as f32);
    let edge = |at: f32, size: f32| (at * size).round() as i32;
    rectangle(
        mask,
        edge(x.0, width)..edge(x.1, width),
        edge(y.0, height)..edge(y.1, height),
    );
}

fn rectangle(mask: &mut Mask, x: std::ops::Range<i32>, y: std::ops::Range<i32>) {
    for y in y {
        for x in x.clone() {
            mask.add(x, y, 1.0);
        }
    }
}

fn block(sign: char, mask: &mut Mask) {
    let whole = (0.0, 1.0);
    let eighths = |count: u32| count as f32 / 8.0;
    match sign {
        '▀' => fill(mask, whole, (0.0, 0.5)),
        '▁'..='█' => fill(mask, whole, (1.0 - eighths(sign as u32 - 0x2580), 1.0)),
        '▉'..='▏' => fill(mask, (0.0, eighths(0x2590 - sign as u32)), whole),
        '▐' => fill(mask, (0.5, 1.0), whole),
        '░' | '▒' | '▓' => {
            let cover = (sign as u32 - 0x2590) as f32 / 4.0;
            mask.cover.fill(cover);
        }
        '▔' => fill(mask, whole, (0.0, eighths(1))),
        '▕' => fill(mask, (eighths(7), 1.0), whole),
        _ => {
            // Upper left, upper right, lower left, lower right.
            const QUARTERS: [u8; 10] = [
                0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111,
            ];
            let quarters = QUARTERS[(sign as u32 - 0x2596) as usize];
            for (at, bit) in [0b1000, 0b0100, 0b0010, 0b0001].into_iter().enumerate() {
                if quarters & bit != 0 {
                    let (x, y) = ((at % 2) as f32 / 2.0, (at / 2) as f32 / 2.0);
                    fill(mask, (x, x + 0.5), (y, y + 0.5));
                }
            }
        }
    }
}

/// Draws dots in two columns and four rows.
fn braille(dots: u32, mask: &mut Mask) {
    const PLACES: [(u32, u32); 8] = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
        (0, 3),
        (1, 3),
    ];
    let size = ((mask.width + 2) / 4).max(1) as i32;
    let place = |at: u32, parts: u32, whole: u32| {
        ((2 * at + 1) * whole).div_ceil(2 * parts) as i32 - size.div_euclid(2) - size % 2
    };
    for (bit, (column, row)) in PLACES.into_iter().enumerate() {
        if dots & (1 << bit) != 0 {
            let (x, y) = (place(column, 2, mask.width), place(row, 4, mask.height));
            rectangle(mask, x..x + size, y..y + size);
        }
    }
}

/// Covers the pixels within a distance of `half` from a curve. `distance` returns the distance of a
/// point from the curve.
fn stroke(mask: &mut Mask, half: f32, distance: impl Fn(f32, f32) -> f32) {
    for y in 0..mask.height as i32 {
        for x in 0..mask.width as i32 {
            let far = distance(x as f32 + 0.5, y as f32 + 0.5);
            mask.add(x, y, (half + 0.5 - far).clamp(0.0, 1.0));
        }
    }
}

/// Distance of a point from a line segment.
fn from_line(at: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (along, to) = ((b.0 - a.0, b.1 - a.1), (at.0 - a.0, at.1 - a.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let part = ((to.0 * along.0 + to.1 * along.1) / length).clamp(0.0, 1.0);
    (to.0 - part * along.0).hypot(to.1 - part * along.1)
}

/// Draws lines between points, given as fractions of width and height.
fn strokes(mask: &mut Mask, lines: &[[(f32, f32); 2]]) {
    let (width, height) = (mask.width as f32, mask.height as f32);
    for [a, b] in lines {
        let [a, b] = [a, b].map(|at| (at.0 * width, at.1 * height));
        stroke(mask, width / 14.0, |x, y| from_line((x, y), a, b));
    }
}

fn tick(mask: &mut Mask) {
    let bend = (0.38, 0.74);
    strokes(mask, &[[(0.08, 0.56), bend], [bend, (0.92, 0.26)]]);
}

fn cross(mask: &mut Mask) {
    let (left, right, top, bottom) = (0.12, 0.88, 0.32, 0.74);
    strokes(
        mask,
        &[
            [(left, top), (right, bottom)],
            [(right, top), (left, bottom)],
        ],
    );
}

/// Width of a light line in pixels.
fn light(mask: &Mask) -> i32 {
    (mask.width / 8).max(1) as i32
}

fn middle(size: u32, thick: i32) -> i32 {
    (size as i32 - thick) / 2
}

/// Draws a round corner.
fn arc(sign: char, mask: &mut Mask) {
    let thick = light(mask);
    let half = thick as f32 / 2.0;
    let x = middle(mask.width, thick) as f32 + half;
    let y = middle(mask.height, thick) as f32 + half;
    let (to_right, to_bottom) = (matches!(sign, '╭' | '╰'), matches!(sign, '╭' | '╮'));
    let radius = x;
    let side = |is: bool| if is { 1.0 } else { -1.0 };
    let center = (x + side(to_right) * radius, y + side(to_bottom) * radius);
    stroke(mask, half, |px, py| {
        let inside = ((px < center.0) == to_right) && ((py < center.1) == to_bottom);
        if inside {
            ((px - center.0).hypot(py - center.1) - radius).abs()
        } else if (px < center.0) == to_right {
            (px - x).abs()
        } else if (py < center.1) == to_bottom {
            (py - y).abs()
        } else {
            f32::MAX
        }
    });
}

fn double(sign: char, mask: &mut Mask) {
    let (thick, gap) = (light(mask), (mask.width / 5).max(1) as i32);
    let (width, height) = (mask.width as i32, mask.height as i32);
    for aside in [-gap, gap] {
        if sign == '═' {
            let y = middle(mask.height, thick) + aside;
            rectangle(mask, 0..width, y..y + thick);
        } else {
            let x = middle(mask.width, thick) + aside;
            rectangle(mask, x..x + thick, 0..height);
        }
    }
}

/// Draws a dashed line. Returns false for other characters.
fn dashes(sign: char, mask: &mut Mask) -> bool {
    let (count, is_heavy, is_upright) = match sign {
        '┄' => (3, false, false),
        '┅' => (3, true, false),
        '┆' => (3, false, true),
        '┇' => (3, true, true),
        '┈' => (4, false, false),
        '┉' => (4, true, false),
        '┊' => (4, false, true),
        '┋' => (4, true, true),
        '╌' => (2, false, false),
        '╍' => (2, true, false),
        '╎' => (2, false, true),
        '╏' => (2, true, true),
        _ => return false,
    };
    let thick = light(mask) * (1 + i32::from(is_heavy));
    let (along, across) = if is_upright {
        (mask.height, mask.width)
    } else {
        (mask.width, mask.height)
    };
    let start = middle(across, thick);
    for at in 0..count {
        let from = at * along as i32 / count;
        let to =
            ((at + 1) * along as i32 / count - (along as i32 / (3 * count)).max(1)).max(from + 1);
        if is_upright {
            rectangle(mask, start..start + thick, from..to);
        } else {
            rectangle(mask, from..to, start..start + thick);
        }
    }
    true
}

/// Draws lines from the centre of the cell to its edges. Returns false for other characters.
fn arms(sign: char, mask: &mut Mask) -> bool {
    // Left, up, right, down: 0 none, 1 light, 2 heavy.
    let [left, up, right, down] = match sign {
        '─' => [1, 0, 1, 0],
        '━' => [2, 0, 2, 0],
        '│' => [0, 1, 0, 1],
        '┃' => [0, 2, 0, 2],
        '┌' => [0, 0, 1, 1],
        '┏' => [0, 0, 2, 2],
        '┐' => [1, 0, 0, 1],
        '┓' => [2, 0, 0, 2],
        '└' => [0, 1, 1, 0],
        '┗' => [0, 2, 2, 0],
        '┘' => [1, 1, 0, 0],
        '┛' => [2, 2, 0, 0],
        '├' => [0, 1, 1, 1],
        '┣' => [0, 2, 2, 2],
        '┤' => [1, 1, 0, 1],
        '┫' => [2, 2, 0, 2],
        '┬' => [1, 0, 1, 1],
        '┳' => [2, 0, 2, 2],
        '┴' => [1, 1, 1, 0],
        '┻' => [2, 2, 2, 0],
        '┼' => [1, 1, 1, 1],
        '╋' => [2, 2, 2, 2],
        '╴' => [1, 0, 0, 0],
        '╵' => [0, 1, 0, 0],
        '╶' => [0, 0, 1, 0],
        '╷' => [0, 0, 0, 1],
        '╸' => [2, 0, 0, 0],
        '╹' => [0, 2, 0, 0],
        '╺' => [0, 0, 2, 0],
        '╻' => [0, 0, 0, 2],
        _ => return false,
    };
    let unit = light(mask);
    let (width, height) = (mask.width as i32, mask.height as i32);
    // A line extends past the centre by half the width of the crossing line.
    let reach = |a: i32, b: i32| a.max(b).max(1) * unit;
    let (x, y) = (
        |thick: i32| middle(mask.width, thick),
        |thick: i32| middle(mask.height, thick),
    );
    let across = (reach(up, down), reach(left, right));
    let (from_x, to_x) = (x(across.0), x(across.0) + across.0);
    let (from_y, to_y) = (y(across.1), y(across.1) + across.1);
    let rows = |weight: i32| y(weight * unit)..y(weight * unit) + weight * unit;
    let columns = |weight: i32| x(weight * unit)..x(weight * unit) + weight * unit;
    let parts = [
        (0..to_x, rows(left), left),
        (from_x..width, rows(right), right),
        (columns(up), 0..to_y, up),
        (columns(down), from_y..height, down),
    ];
    for (x, y, weight) in parts {
        if weight > 0 {
            rectangle(mask, x, y);
        }
    }
    true
}
