//! Tests that rich drawings keep questions, positions, sizes, colours and contrasts.

use super::super::canvas::{Backdrop, Canvas, LENGTH, Light, Look};
use super::*;

use image::RgbImage;

fn light(seed: u64) -> Light {
    Light::new(&mut Rng::new(seed, &[]))
}

fn mean<'a>(pixels: impl Iterator<Item = &'a image::Rgb<u8>>) -> [f64; 3] {
    let (mut sum, mut count) = ([0.0; 3], 0.0_f64);
    for pixel in pixels {
        count += 1.0;
        for (sum, channel) in sum.iter_mut().zip(pixel.0) {
            *sum += f64::from(channel);
        }
    }
    sum.map(|sum| sum / count.max(1.0))
}

/// Pixels that lie entirely inside a disc.
fn within(pixels: &RgbImage, radius: f64) -> impl Iterator<Item = &image::Rgb<u8>> {
    let half = f64::from(pixels.width()) / 2.0;
    let scale = half * 2.0 / LENGTH;
    pixels.enumerate_pixels().filter_map(move |(x, y, pixel)| {
        let (dx, dy) = (f64::from(x) + 0.5 - half, f64::from(y) + 0.5 - half);
        (dx.hypot(dy) < radius * scale - 1.5).then_some(pixel)
    })
}

#[test]
fn a_shape_keeps_its_outline_and_its_mean_colour() {
    const INK: [u8; 3] = [70, 150, 75];
    for (radius, seed) in [(40.0, 1), (12.0, 2), (4.0, 3)] {
        let mut canvas = Canvas::new([225; 3]);
        canvas.look(Look::Upright);
        canvas.disc((LENGTH / 2.0, LENGTH / 2.0), radius, INK);
        for scale in [2, 4] {
            let (plain, rich) = (canvas.pixels_at(scale), canvas.rich_at(scale, &light(seed)));
            // Pixels with little red belong to the disc; they must be the same in both drawings.
            let is_thing = |pixel: &image::Rgb<u8>| pixel.0[0] < 150;
            let other = plain.pixels().zip(rich.pixels());
            let other = other.filter(|(one, other)| is_thing(one) != is_thing(other));
            let rim = 2.0 * std::f64::consts::PI * radius * f64::from(scale);
            assert!((other.count() as f64) < 0.25 * rim, "{radius}");
            let values: std::collections::BTreeSet<_> = within(&rich, radius)
                .collect::<Vec<_>>()
                .into_iter()
                .map(|pixel| pixel.0)
                .collect();
            assert!(values.len() > 20, "{radius} is shaded");
            // The rim belongs to the shape, and its light varies most.
            let kept = mean(rich.pixels().filter(|pixel| is_thing(pixel)));
            let whole = mean(plain.pixels().filter(|pixel| is_thing(pixel)));
            for (kept, whole) in kept.into_iter().zip(whole) {
                assert!((kept - whole).abs() < 4.0, "{radius} {kept} {whole}");
            }
        }
    }
}

#[test]
fn a_sheet_keeps_its_colour_and_has_a_shadow() {
    let mut canvas = Canvas::new([225; 3]);
    canvas.look(Look::Sheet);
    canvas.rect([100.0, 100.0, 140.0, 140.0], [120, 60, 30]);
    let rich = canvas.rich_at(2, &light(4));
    for (x, y, pixel) in rich.enumerate_pixels() {
        if (201..279).contains(&x) && (201..279).contains(&y) {
            assert_eq!(pixel.0, [120, 60, 30], "{x} {y}");
        }
    }
    assert!(
        rich.get_pixel(240, 284).0[0] < 205,
        "a shadow falls downwards"
    );
    assert_eq!(rich.get_pixel(240, 180).0, [225; 3]);
}

/// The contrast between a texture's two colours matches the level.
#[test]
fn contrast_stays_what_the_level_says() {
    let canvas = |share: f64| {
        let mut canvas = Canvas::new([0; 3]);
        canvas.paint(move |x, _| {
            if (x / 8.0).floor() % 2.0 == 0.0 {
                [120; 3]
            } else {
                byte(120.0 * (1.0 + share))
            }
        });
        canvas.backdrop(Backdrop::Even);
        canvas
    };
    fn byte(value: f64) -> [u8; 3] {
        [value.round() as u8; 3]
    }
    for share in [0.5, 0.2, 0.05] {
        let rich = canvas(share).rich_at(2, &light(5));
        let of = |odd: bool| {
            let columns = rich
                .enumerate_pixels()
                .filter(|(x, ..)| (x / 16 % 2 == 1) == odd);
            mean(
                columns
                    .filter(|(x, ..)| (3..13).contains(&(x % 16)))
                    .map(|(.., pixel)| pixel),
            )[0]
        };
        let ratio = of(true) / of(false) - 1.0;
        assert!((ratio - share).abs() < 0.02, "{share} {ratio}");
    }
}

/// Rich and larger drawings have the same questions and answers, and similar brightness.
#[test]
fn the_same_items_are_drawn_plain_or_rich() {
    let exam = LevelledExam::at(14 * 3, &[1, 5, 9], 6).whole();
    for number in 0..exam.pages() {
        let plain = exam.page(number);
        let rich = exam.clone().in_style(Style::Rich).page(number);
        let (one, other) = (&plain.items[0], &rich.items[0]);
        assert_eq!(one.content.question, other.content.question);
        assert_eq!(one.content.target, other.content.target);
        assert_eq!(one.content.choices, other.content.choices);
        assert_eq!(one.content.boxes, other.content.boxes);
        assert_eq!(other.content.tags["style"], "rich".into());
        let (before, after) = (&plain.pictures[0].pixels, &rich.pictures[0].pixels);
        assert_ne!(before, after, "{}", one.id);
        let (before, after) = (mean(before.pixels()), mean(after.pixels()));
        for (before, after) in before.into_iter().zip(after) {
            assert!((before - after).abs() < 9.0, "{} {before} {after}", one.id);
        }
    }
}

/// The patch has exactly the asked colour in every pixel.
#[test]
fn the_colour_that_is_asked_for_is_not_shaded() {
    let exam = LevelledExam::at(14 * 12, &[1, 5, 9], 8)
        .whole()
        .of(&["color"]);
    let exam = exam.in_style(Style::Rich);
    for times in [1, 2] {
        let exam = exam.clone().enlarged(times);
        for number in 0..exam.pages() {
            let page = exam.page(number);
            let content = &page.items[0].content;
            let Some(Target::Color(wanted)) = content.target else {
                panic!("no colour");
            };
            let [x0, y0, x1, y1] = content.boxes[0].xyxy;
            let (x, y) = (f64::midpoint(x0, x1) as u32, f64::midpoint(y0, y1) as u32);
            let pixel = page.pictures[0].pixels.get_pixel(x, y).0.map(f64::from);
            assert_eq!(pixel, wanted, "{}", page.items[0].id);
        }
    }
}

#[test]
fn a_larger_picture_has_its_boxes_larger() {
    let exam = LevelledExam::at(14, &[3], 9).whole();
    for style in [Style::Plain, Style::Rich] {
        let exam = exam.clone().in_style(style);
        for number in 0..exam.pages() {
            let (one, two) = (exam.page(number), exam.clone().enlarged(2).page(number));
            assert_eq!(two.pictures[0].pixels.dimensions(), (1024, 1024));
            let (one, two) = (&one.items[0], &two.items[0]);
            for (small, large) in one.content.boxes.iter().zip(&two.content.boxes) {
                assert_eq!(small.xyxy.map(|at| 2.0 * at), large.xyxy);
            }
            if let (Some(Target::Box(small)), Some(Target::Box(large))) =
                (&one.content.target, &two.content.target)
            {
                assert_eq!(small.map(|at| 2.0 * at), *large);
                assert!(two.content.question.contains("1024 x 1024"));
            }
            let generator = two.content.tags["generator"].to_string();
            assert!(generator.contains("1024 px"), "{generator}");
        }
    }
}
