//! Contact sheets: pictures in a grid, each with its question and answer.

use image::imageops::{FilterType, overlay, resize};
use image::{Rgb, RgbImage};

use super::typeface::Typeface;
use super::{Item, Page, Picture};

/// Pictures per row, and number of rows.
const COLUMNS: u32 = 4;
const ROWS: u32 = 5;
/// Side of a picture and width of its text, in pixels.
const SIDE: u32 = 300;
/// Gap between cells and at the edges, in pixels.
const GAP: u32 = 10;
/// Height of a line of text, in pixels.
const LINE: u32 = 17;
/// Maximum number of lines of text below a picture.
const LINES: u32 = 8;

/// A sheet with items of one ability, filled one by one.
#[derive(Clone, Debug)]
pub struct ContactSheet {
    pixels: RgbImage,
    filled: u32,
    answers: bool,
}

impl ContactSheet {
    /// Creates an empty sheet; `answers` prints the answers below the questions.
    pub fn new(answers: bool) -> Self {
        let (width, height) = cell();
        let size = (COLUMNS * width + GAP, ROWS * height + GAP);
        Self {
            pixels: RgbImage::from_pixel(size.0, size.1, Rgb([255; 3])),
            filled: 0,
            answers,
        }
    }

    /// Returns true if the sheet is full.
    pub const fn is_full(&self) -> bool {
        self.filled >= COLUMNS * ROWS
    }

    /// Adds an item with its picture of the page, unless the sheet is full.
    pub fn add(&mut self, item: &Item, page: &Page) {
        let of_item = |picture: &&Picture| Some(picture.path.as_str()) == item.picture();
        let (false, Some(picture)) = (self.is_full(), page.pictures.iter().find(of_item)) else {
            return;
        };
        let (width, height) = cell();
        let x = GAP + self.filled % COLUMNS * width;
        let y = GAP + self.filled / COLUMNS * height;
        let pixels = fitted(&picture.pixels);
        overlay(&mut self.pixels, &pixels, i64::from(x), i64::from(y));
        for (line, text) in (0..LINES).zip(wrapped(&self.words(item))) {
            #[expect(clippy::cast_precision_loss, reason = "pixels of a sheet")]
            let at = (x as f32, (y + SIDE + 4 + line * LINE) as f32);
            let size = f32::from(u16::try_from(LINE).unwrap_or(u16::MAX));
            Typeface::Text.draw(&mut self.pixels, &text, at, size, Rgb([0; 3]));
        }
        self.filled += 1;
    }

    /// Finishes the sheet as a picture with this path.
    pub fn picture(self, path: String) -> Picture {
        Picture {
            path,
            pixels: self.pixels,
        }
    }

    fn words(&self, item: &Item) -> Vec<String> {
        let mut words = vec![format!("{} {}", item.id, item.content.question)];
        let options = item.content.choices.iter();
        words.extend(options.map(|choice| format!("{}: {}", choice.letter, choice.text)));
        if let (true, Some(target)) = (self.answers, &item.content.target) {
            words.push(format!("= {target}"));
        }
        words
    }
}

const fn cell() -> (u32, u32) {
    (SIDE + GAP, SIDE + GAP + LINES * LINE)
}

/// A picture scaled to fit a square of [`SIDE`].
fn fitted(pixels: &RgbImage) -> RgbImage {
    let longest = pixels.width().max(pixels.height()).max(1);
    let scaled = |length: u32| (length * SIDE / longest).max(1);
    let size = (scaled(pixels.width()), scaled(pixels.height()));
    resize(pixels, size.0, size.1, FilterType::Triangle)
}

/// Wraps texts to the width of a picture.
fn wrapped(texts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let fits = |line: &str| Typeface::Text.extent(line, 17.0).0 < 296.0;
    for text in texts {
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if !line.is_empty() && !fits(&longer) {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Content, ImageRef};

    #[test]
    fn a_sheet_fills_and_takes_no_more() {
        let page = Page {
            pictures: vec![Picture {
                path: "a.png".to_owned(),
                pixels: RgbImage::new(60, 30),
            }],
            ..Page::default()
        };
        let item = Item {
            content: Content {
                question: "What is it, and why does it take so many words to ask?".to_owned(),
                images: vec![ImageRef::Path("a.png".to_owned())],
                ..Content::default()
            },
            ..Item::default()
        };
        let mut sheet = ContactSheet::new(true);
        for _ in 0..COLUMNS * ROWS {
            assert!(!sheet.is_full());
            sheet.add(&item, &page);
        }
        assert!(sheet.is_full());
        let before = sheet.clone().picture(String::new()).pixels;
        sheet.add(&item, &page);
        assert_eq!(sheet.picture(String::new()).pixels, before);
    }

    #[test]
    fn lines_are_as_wide_as_a_picture() {
        let text = "word ".repeat(40);
        let lines = wrapped(&[text, "b".to_owned()]);
        assert!(lines.len() > 3);
        assert_eq!(lines.last().map(String::as_str), Some("b"));
    }
}
