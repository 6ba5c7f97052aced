//! Reads the masks in COCO files: run lengths, compressed or not, and polygons.
//!
//! Polygons are drawn pixel by pixel, as in `maskApi.c` (`rleFrPoly`) of `pycocotools` 2.0.

use serde::Deserialize;

use super::value::Number;
use record::Rle;

/// Number of steps per pixel along an outline.
const SCALE: f64 = 5.0;
/// Maximum number of steps per file, which take about a second.
const STEPS: u64 = 100_000_000;
/// Additional steps for each byte of a mask. This is more than an outline inside its picture needs.
const STEPS_PER_BYTE: u64 = 1_000;
/// Bytes charged to the budget for a box.
const BOX: u64 = 64;

/// Content of the field `segmentation`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Segmentation<'a> {
    Runs {
        size: [u32; 2],
        #[serde(borrow)]
        counts: Counts<'a>,
    },
    Polygons(Vec<Vec<Number>>),
}

/// Run lengths, as packed text or as a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Counts<'a> {
    Packed(#[serde(borrow)] std::borrow::Cow<'a, str>),
    List(Vec<u32>),
}

/// Height and width of a picture in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureSize {
    /// Height in pixels; 0 if it is unknown.
    pub height: u32,
    /// Width in pixels; 0 if it is unknown.
    pub width: u32,
}

impl PictureSize {
    /// Returns width and height, in this order.
    pub fn lengths(self) -> [f64; 2] {
        [self.width, self.height].map(f64::from)
    }

    /// Returns the number of pixels.
    ///
    /// # Errors
    /// If the size is unknown or too large.
    fn pixels(self) -> Result<u32, String> {
        let Self { height, width } = self;
        let pixels = height.checked_mul(width).ok_or_else(|| {
            format!("a picture of {width} x {height} pixels is too large for a mask")
        })?;
        if pixels == 0 {
            return Err("its picture has no `height` and `width`".to_owned());
        }
        Ok(pixels)
    }
}

/// Draws the masks of one file. The number of steps is limited.
#[derive(Debug)]
pub struct MaskReader {
    steps_left: u64,
}

impl Default for MaskReader {
    fn default() -> Self {
        Self { steps_left: STEPS }
    }
}

impl MaskReader {
    /// Parses the field `segmentation` and draws its mask for a picture of this size.
    ///
    /// # Errors
    /// If it is neither run lengths nor polygons, or does not fit into the picture.
    pub fn read(&mut self, segmentation: &str, size: PictureSize) -> Result<Rle, String> {
        self.allow(segmentation.len() as u64);
        let parsed: Segmentation<'_> = serde_json::from_str(segmentation)
            .map_err(|_| "`segmentation` is neither run lengths nor polygons".to_owned())?;
        match parsed {
            Segmentation::Runs {
                size: [height, width],
                counts,
            } => {
                let pixels = PictureSize { height, width }.pixels()?;
                let runs = match counts {
                    Counts::List(runs) => runs,
                    Counts::Packed(text) => unpack(&text)?,
                };
                let all: u64 = runs.iter().map(|run| u64::from(*run)).sum();
                if all > u64::from(pixels) {
                    return Err(format!(
                        "its run lengths cover {all} pixels, but its size is {pixels} pixels"
                    ));
                }
                Ok(Rle {
                    height,
                    width,
                    runs,
                })
            }
            Segmentation::Polygons(polygons) => self.polygons(&polygons, size),
        }
    }

    /// Draws the mask of a box, `[x, y, width, height]`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn rectangle(
        &mut self,
        [x, y, width, height]: [f64; 4],
        size: PictureSize,
    ) -> Result<Rle, String> {
        self.allow(BOX);
        let (right, bottom) = (x + width, y + height);
        self.polygon(&[x, y, x, bottom, right, bottom, right, y], size)
    }

    const fn allow(&mut self, bytes: u64) {
        let more = STEPS_PER_BYTE.saturating_mul(bytes);
        self.steps_left = self.steps_left.saturating_add(more);
    }

    fn polygons(&mut self, polygons: &[Vec<Number>], size: PictureSize) -> Result<Rle, String> {
        // pycocotools rejects a list whose first polygon has too few corners.
        if polygons.first().is_some_and(|first| first.len() <= 4) {
            return Err("a polygon has fewer than three points".to_owned());
        }
        let mut mask: Option<Rle> = None;
        for polygon in polygons {
            let numbers: Vec<f64> = polygon.iter().map(|Number(value)| *value).collect();
            let drawn = self.polygon(&numbers, size)?;
            mask = Some(match mask {
                Some(mask) => mask.merged(&drawn),
                None => drawn,
            });
        }
        mask.ok_or_else(|| "`segmentation` is empty".to_owned())
    }

    /// Draws a polygon, given as a flat list of x and y coordinates.
    fn polygon(&mut self, numbers: &[f64], size: PictureSize) -> Result<Rle, String> {
        let pixels = size.pixels()?;
        let (points, _) = numbers.as_chunks::<2>();
        let mut starts = Vec::with_capacity(points.len() + 1);
        for point in points {
            starts.push(Corner::new(*point)?);
        }
        let first = starts.first().copied();
        starts.extend(first);
        let mut crossings = Vec::new();
        let mut before: Option<Corner> = None;
        for pair in starts.windows(2) {
            let &[from, to] = pair else { continue };
            let steps = from.steps(to);
            let left = self.steps_left.checked_sub(steps.unsigned_abs() + 1);
            self.steps_left = left.ok_or("the polygons of the file are too long")?;
            for step in 0..=steps {
                let at = from.towards(to, step);
                if let Some(before) = before {
                    crossings.extend(at.crossing(before, size));
                }
                before = Some(at);
            }
        }
        crossings.push(pixels);
        crossings.sort_unstable();
        Ok(Rle {
            height: size.height,
            width: size.width,
            runs: between(&crossings),
        })
    }
}

/// Corner of an outline, in fifths of a pixel.
#[derive(Clone, Copy, Debug)]
struct Corner {
    x: i64,
    y: i64,
}

impl Corner {
    /// Scales and rounds a point.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the number is rounded as in C, and far smaller than the type"
    )]
    fn new(point: [f64; 2]) -> Result<Self, String> {
        let [x, y] = point.map(|value| SCALE * value + 0.5);
        let most = f64::from(i32::MAX);
        if x.abs() > most || y.abs() > most {
            return Err("a coordinate of a polygon is too large".to_owned());
        }
        Ok(Self {
            x: x as i64,
            y: y as i64,
        })
    }

    /// Returns the number of steps from this corner to another.
    const fn steps(self, to: Self) -> i64 {
        let (dx, dy) = ((to.x - self.x).abs(), (to.y - self.y).abs());
        if dx >= dy { dx } else { dy }
    }

    /// Returns the point on the line to another corner after the given number of steps.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "corners are below 2^32; rounded as in C"
    )]
    fn towards(self, to: Self, step: i64) -> Self {
        let (dx, dy) = ((to.x - self.x).abs(), (to.y - self.y).abs());
        let is_flat = dx >= dy;
        let is_flipped = if is_flat {
            self.x > to.x
        } else {
            self.y > to.y
        };
        let (start, end, done) = if is_flipped {
            (to, self, self.steps(to) - step)
        } else {
            (self, to, step)
        };
        let between = |from: i64, to: i64, length: i64| {
            let slope = (to - from) as f64 / length as f64;
            (from as f64 + slope * done as f64 + 0.5) as i64
        };
        if is_flat {
            Self {
                x: start.x + done,
                y: between(start.y, end.y, dx),
            }
        } else {
            Self {
                x: between(start.x, end.x, dy),
                y: start.y + done,
            }
        }
    }

    /// Returns the pixel at which an outline crosses the middle of a column between two points.
    /// Pixels are counted column by column.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "within the picture, whose pixels are counted in the type"
    )]
    fn crossing(self, before: Self, size: PictureSize) -> Option<u32> {
        if self.x == before.x {
            return None;
        }
        let pixel = |at: i64| (at as f64 + 0.5) / SCALE - 0.5;
        let x = pixel(if self.x < before.x {
            self.x
        } else {
            self.x - 1
        });
        if x.floor() < x || x < 0.0 || x > f64::from(size.width) - 1.0 {
            return None;
        }
        let y = pixel(if self.y < before.y { self.y } else { before.y });
        let y = y.clamp(0.0, f64::from(size.height)).ceil();
        Some(x as u32 * size.height + y as u32)
    }
}

/// Returns the run lengths between sorted pixels. Two equal pixels cancel each other.
fn between(crossings: &[u32]) -> Vec<u32> {
    let mut before = 0;
    let lengths = crossings.iter().map(|at| {
        let length = at - before;
        before = *at;
        length
    });
    let mut lengths = lengths.collect::<Vec<_>>().into_iter();
    let mut runs: Vec<u32> = lengths.next().into_iter().collect();
    while let Some(length) = lengths.next() {
        if length > 0 {
            runs.push(length);
        } else if let (Some(last), Some(next)) = (runs.last_mut(), lengths.next()) {
            *last += next;
        }
    }
    runs
}

/// Unpacks run lengths (`rleFrString`). A character holds 5 bits, lowest bits first. From the
/// fourth run on, the difference from the run two positions earlier is stored.
///
/// # Errors
/// If a character is not allowed, or a run is negative or too long.
fn unpack(text: &str) -> Result<Vec<u32>, String> {
    let wrong = || "its packed run lengths are damaged".to_owned();
    let mut runs: Vec<u32> = Vec::new();
    let mut bytes = text.bytes();
    while let Some(first) = bytes.next() {
        let (mut value, mut shift, mut byte) = (0_i64, 0_u32, first);
        loop {
            let bits = byte.checked_sub(48).filter(|bits| *bits < 64);
            let bits = i64::from(bits.ok_or_else(wrong)?);
            value |= (bits & 0x1f) << shift;
            shift += 5;
            if bits & 0x20 == 0 {
                if bits & 0x10 != 0 {
                    value |= -1 << shift;
                }
                break;
            }
            if shift > 40 {
                return Err(wrong());
            }
            byte = bytes.next().ok_or_else(wrong)?;
        }
        if let Some(earlier) = runs.len().checked_sub(2).filter(|_| runs.len() > 2) {
            value += runs.get(earlier).map_or(0, |run| i64::from(*run));
        }
        runs.push(u32::try_from(value).map_err(|_| wrong())?);
    }
    Ok(runs)
}
