//! Shows the differences between two pictures.

use std::path::{Path, PathBuf};

use image::imageops::replace;
use image::{Rgb, RgbImage};

use crate::stored;

/// Background colour; the next constant is the gap between the pictures in pixels.
const GROUND: Rgb<u8> = Rgb([96, 96, 96]);
const GAP: u32 = 8;
/// Colour of differing pixels.
const MARK: Rgb<u8> = Rgb([255, 0, 200]);

/// Writes the new picture and a comparison with the old one below the build folder. Returns a
/// message with the paths.
pub fn keep(name: &str, golden: Option<&RgbImage>, shown: &RgbImage) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    let new = folder.join(format!("{name}.png"));
    stored::write(&new, shown);
    let Some(golden) = golden else {
        return format!("{name}: no picture yet; the new one is {}", new.display());
    };
    let beside: PathBuf = folder.join(format!("{name}.difference.png"));
    stored::write(&beside, &side_by_side(golden, shown));
    let (count, first) = count(golden, shown);
    format!(
        "{name}: {count} pixels differ, the first at {first:?}\n    now           {}\n    was, now, new {}",
        new.display(),
        beside.display()
    )
}

/// Number of differing pixels, and the first of them.
fn count(golden: &RgbImage, shown: &RgbImage) -> (usize, (u32, u32)) {
    let differs =
        |(x, y): &(u32, u32)| golden.get_pixel_checked(*x, *y) != shown.get_pixel_checked(*x, *y);
    let (width, height) = (
        golden.width().max(shown.width()),
        golden.height().max(shown.height()),
    );
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let all: Vec<_> = places.filter(differs).collect();
    (all.len(), all.first().copied().unwrap_or_default())
}

/// Old picture, new picture, and the new picture in grey with marked differences.
fn side_by_side(golden: &RgbImage, shown: &RgbImage) -> RgbImage {
    let (width, height) = (
        golden.width().max(shown.width()),
        golden.height().max(shown.height()),
    );
    let mut picture = RgbImage::from_pixel(3 * width + 4 * GAP, height + 2 * GAP, GROUND);
    let marked = RgbImage::from_fn(width, height, |x, y| {
        let new = shown.get_pixel_checked(x, y);
        match new {
            Some(pixel) if new == golden.get_pixel_checked(x, y) => {
                let [red, green, blue] = pixel.0.map(|part| part / 6);
                Rgb([32 + red + green + blue; 3])
            }
            _ => MARK,
        }
    });
    for (at, part) in [golden, shown, &marked].into_iter().enumerate() {
        let left = GAP + at as u32 * (width + GAP);
        replace(&mut picture, part, i64::from(left), i64::from(GAP));
    }
    picture
}

#[test]
fn what_differs_is_marked() {
    let old = RgbImage::from_pixel(20, 10, Rgb([10, 20, 30]));
    let mut new = old.clone();
    new.put_pixel(3, 4, Rgb([200, 20, 30]));
    assert_eq!(count(&old, &new), (1, (3, 4)));
    assert_eq!(count(&old, &old).0, 0);
    let picture = side_by_side(&old, &new);
    let marked: Vec<_> = picture
        .enumerate_pixels()
        .filter(|(.., pixel)| **pixel == MARK)
        .map(|(x, y, _)| (x, y))
        .collect();
    assert_eq!(marked, [(3 * GAP + 2 * 20 + 3, GAP + 4)]);
    let larger = RgbImage::from_pixel(20, 12, Rgb([10, 20, 30]));
    assert_eq!(count(&old, &larger), (40, (0, 10)));
    let told = keep("a test of its own", Some(&old), &new);
    assert!(told.contains("1 pixels differ"), "{told}");
}
