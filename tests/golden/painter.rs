//! Draws a terminal's screen as a picture.

use std::collections::HashMap;

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};
use image::{Rgb, RgbImage};
use vt100::{Cell, Color, Screen};

use crate::signs;

/// Default text and background colours.
const TEXT: Rgb<u8> = Rgb([208, 208, 208]);
const GROUND: Rgb<u8> = Rgb([0, 0, 0]);
/// The first sixteen terminal colours, as in xterm.
const NUMBERED: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Coverage of each pixel by a character, from 0 to 1, row by row.
pub struct Mask {
    pub width: u32,
    pub height: u32,
    pub cover: Vec<f32>,
}

impl Mask {
    pub fn empty(width: u32, height: u32) -> Self {
        let cover = vec![0.0; (width * height) as usize];
        Self {
            width,
            height,
            cover,
        }
    }

    /// Raises the coverage of a pixel to at least `cover`. Pixels outside the mask are ignored.
    pub fn add(&mut self, x: i32, y: i32, cover: f32) {
        let inside = |at: i32, size: u32| u32::try_from(at).ok().filter(|at| *at < size);
        if let (Some(x), Some(y)) = (inside(x, self.width), inside(y, self.height)) {
            let pixel = &mut self.cover[(y * self.width + x) as usize];
            *pixel = pixel.max(cover);
        }
    }

    fn at(&self, x: i32, y: i32) -> f32 {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        let at = || (y as u32 * self.width + x as u32) as usize;
        if inside { self.cover[at()] } else { 0.0 }
    }

    /// The character in bold.
    fn bold(&self) -> Self {
        self.mapped(|x, y| self.at(x, y).max(self.at(x - 1, y) * 0.45))
    }

    /// The character slanted to the right above a base line.
    fn italic(&self, base: i32) -> Self {
        self.mapped(|x, y| self.at(x - (base - y).div_euclid(5), y))
    }

    fn mapped(&self, pixel: impl Fn(i32, i32) -> f32) -> Self {
        let mut mask = Self::empty(self.width, self.height);
        for y in 0..self.height as i32 {
            for x in 0..self.width as i32 {
                mask.add(x, y, pixel(x, y));
            }
        }
        mask
    }
}

/// Draws screens with cells of a fixed size.
pub struct Painter {
    width: u32,
    height: u32,
    base: f32,
    /// Number of coverage steps.
    steps: f32,
    faces: Vec<FontRef<'static>>,
    masks: HashMap<(char, u32), Mask>,
}

impl Painter {
    /// Creates a painter for cells of a width in pixels. Fewer steps of anti-aliasing give smaller
    /// files.
    pub fn new(width: u32, steps: u8) -> Self {
        let faces = [
            epaint_default_fonts::HACK_REGULAR,
            epaint_default_fonts::UBUNTU_LIGHT,
        ];
        let faces = faces.map(|bytes| FontRef::try_from_slice(bytes).unwrap());
        let scaled = faces[0].as_scaled(scale(&faces[0], 'M', width as f32));
        let (height, base) = (scaled.height().ceil() as u32, scaled.ascent().round());
        Self {
            width,
            height,
            base,
            steps: f32::from(steps),
            faces: Vec::from(faces),
            masks: HashMap::new(),
        }
    }

    /// Width and height of a cell in pixels.
    pub fn cell(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Draws a screen.
    pub fn draw(&mut self, screen: &Screen) -> RgbImage {
        let (rows, columns) = screen.size();
        let (rows, columns) = (u32::from(rows.get()), u32::from(columns.get()));
        let mut picture = RgbImage::from_pixel(columns * self.width, rows * self.height, GROUND);
        for row in 0..rows {
            for column in 0..columns {
                let cell = screen.cell(row as u16, column as u16).unwrap();
                if !cell.is_wide_continuation() {
                    self.draw_cell(&mut picture, (column, row), cell);
                }
            }
        }
        picture
    }

    /// Draws text in a colour; the position is in cells.
    pub fn write(&mut self, picture: &mut RgbImage, at: (u32, u32), words: &str, color: Rgb<u8>) {
        for (column, sign) in words.chars().enumerate() {
            let corner = ((at.0 + column as u32) * self.width, at.1 * self.height);
            self.draw_sign(picture, corner, (sign, 1), Mask::bold, color);
        }
    }

    fn draw_cell(&mut self, picture: &mut RgbImage, at: (u32, u32), cell: &Cell) {
        let corner = (at.0 * self.width, at.1 * self.height);
        let cells = 1 + u32::from(cell.is_wide());
        let mut text = color(cell.fgcolor(), TEXT);
        let mut ground = color(cell.bgcolor(), GROUND);
        if cell.inverse() {
            (text, ground) = (ground, text);
        }
        if cell.dim() {
            text = blend(ground, text, 0.5);
        }
        for y in corner.1..corner.1 + self.height {
            for x in corner.0..(corner.0 + cells * self.width).min(picture.width()) {
                picture.put_pixel(x, y, ground);
            }
        }
        let base = self.base as i32;
        let formed = |mask: &Mask| {
            let mask = mask.mapped(|x, y| mask.at(x, y));
            let mask = if cell.bold() { mask.bold() } else { mask };
            if cell.italic() {
                mask.italic(base)
            } else {
                mask
            }
        };
        for sign in cell.contents().chars() {
            self.draw_sign(picture, corner, (sign, cells), formed, text);
        }
        if cell.underline() {
            let y = (corner.1 + self.base as u32 + 1).min(corner.1 + self.height - 1);
            for x in corner.0..(corner.0 + cells * self.width).min(picture.width()) {
                picture.put_pixel(x, y, text);
            }
        }
    }

    /// Draws a character that is `cells` wide.
    fn draw_sign(
        &mut self,
        picture: &mut RgbImage,
        corner: (u32, u32),
        (sign, cells): (char, u32),
        formed: impl Fn(&Mask) -> Mask,
        color: Rgb<u8>,
    ) {
        if sign == ' ' {
            return;
        }
        if !self.masks.contains_key(&(sign, cells)) {
            let mask = self.mask(sign, cells);
            self.masks.insert((sign, cells), mask);
        }
        let mask = formed(&self.masks[&(sign, cells)]);
        for (at, cover) in (0..).zip(&mask.cover) {
            let (x, y) = (corner.0 + at % mask.width, corner.1 + at / mask.width);
            let cover = (cover * self.steps).round() / self.steps;
            if let Some(pixel) = picture.get_pixel_mut_checked(x, y) {
                *pixel = blend(*pixel, color, cover);
            }
        }
    }

    /// Coverage of a character. Lines, blocks and dots are drawn by geometry, so that neighbouring
    /// cells join. Other characters use the first font that has the glyph.
    fn mask(&self, sign: char, cells: u32) -> Mask {
        let mut mask = Mask::empty(cells * self.width, self.height);
        if signs::draw(sign, &mut mask) {
            return mask;
        }
        let face = self.faces.iter().find(|face| face.glyph_id(sign).0 != 0);
        let Some(face) = face else {
            signs::frame(&mut mask);
            return mask;
        };
        let scale = scale(face, sign, mask.width as f32);
        let place = point(0.0, self.base);
        let glyph = face.glyph_id(sign).with_scale_and_position(scale, place);
        if let Some(outline) = face.outline_glyph(glyph) {
            let bounds = outline.px_bounds();
            let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
            outline.draw(|x, y, cover| {
                mask.add(left + x as i32, top + y as i32, cover.clamp(0.0, 1.0));
            });
        }
        mask
    }
}

/// Scale at which the glyph has this width.
fn scale(face: &FontRef<'_>, sign: char, width: f32) -> PxScale {
    let advance = face.h_advance_unscaled(face.glyph_id(sign)).max(1.0);
    PxScale::from(width * face.height_unscaled() / advance)
}

fn color(color: Color, otherwise: Rgb<u8>) -> Rgb<u8> {
    match color {
        Color::Default => otherwise,
        Color::Rgb(red, green, blue) => Rgb([red, green, blue]),
        Color::Idx(at @ 0..16) => Rgb(NUMBERED[usize::from(at)]),
        Color::Idx(at @ 16..232) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let at = at - 16;
            Rgb([at / 36, at / 6 % 6, at % 6].map(level))
        }
        Color::Idx(at) => Rgb([8 + 10 * (at - 232); 3]),
    }
}

fn blend(under: Rgb<u8>, over: Rgb<u8>, cover: f32) -> Rgb<u8> {
    let part = |at: usize| {
        let (under, over) = (f32::from(under.0[at]), f32::from(over.0[at]));
        (under * (1.0 - cover) + over * cover).round() as u8
    };
    Rgb([part(0), part(1), part(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bytes: &str) -> (RgbImage, (u32, u32)) {
        let mut parser = vt100::Parser::new(2.try_into().unwrap(), 8.try_into().unwrap(), 0);
        parser.process(bytes.as_bytes());
        let mut painter = Painter::new(8, 8);
        (painter.draw(parser.screen()), painter.cell())
    }

    fn colors(picture: &RgbImage, cell: (u32, u32), column: u32) -> Vec<Rgb<u8>> {
        let place = (column * cell.0, 0, cell.0, cell.1);
        let view = image::imageops::crop_imm(picture, place.0, place.1, place.2, place.3);
        view.to_image().pixels().copied().collect()
    }

    #[test]
    fn colours_and_attributes_are_seen() {
        let (red, blue) = (Rgb([200, 0, 0]), Rgb([0, 0, 200]));
        let words =
            "\x1b[38;2;200;0;0;48;2;0;0;200mM\x1b[7mM\x1b[27;1mM\x1b[22;2mM\x1b[22;4mM\x1b[24;3mM";
        let (picture, cell) = drawn(words);
        let seen: Vec<_> = (0..6).map(|at| colors(&picture, cell, at)).collect();
        assert!(seen[0].contains(&red) && seen[0][0] == blue);
        assert_eq!(seen[1][0], red);
        assert!(!seen[3].contains(&red));
        for (at, one) in seen.iter().enumerate() {
            assert!(seen.iter().skip(at + 1).all(|other| other != one), "{at}");
        }
        assert_eq!(color(Color::Idx(9), TEXT), Rgb([255, 0, 0]));
        assert_eq!(color(Color::Idx(196), TEXT), Rgb([255, 0, 0]));
        assert_eq!(color(Color::Idx(255), TEXT), Rgb([238; 3]));
    }

    #[test]
    fn every_sign_is_a_picture_of_its_own() {
        let signs = "aé≥▲●✓✗█▀▌░─│┌╭⣿⠁日";
        let mut known = Vec::new();
        for sign in signs.chars() {
            let (picture, cell) = drawn(&sign.to_string());
            let pixels = colors(&picture, cell, 0);
            assert!(pixels.iter().any(|pixel| *pixel != GROUND), "{sign}");
            assert!(!known.contains(&pixels), "{sign}");
            known.push(pixels);
        }
    }

    #[test]
    fn lines_meet_at_the_edges_of_cells() {
        let (picture, cell) = drawn("┌──┐\r\n└──┘");
        let row = |y: u32| (0..4 * cell.0).map(move |x| (x, y));
        let is_drawn = |(x, y): (u32, u32)| *picture.get_pixel(x, y) != GROUND;
        let longest = (0..cell.1).map(|y| row(y).filter(|at| is_drawn(*at)).count());
        assert!(longest.max().unwrap() >= 3 * cell.0 as usize);
        let column = |x: u32| (0..2 * cell.1).map(move |y| (x, y));
        let longest = (0..cell.0).map(|x| column(x).filter(|at| is_drawn(*at)).count());
        assert!(longest.max().unwrap() >= cell.1 as usize);
    }
}
