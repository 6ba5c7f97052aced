//! Tests pictures and paths as written by other programs.

use std::fs;
use std::path::{Path, PathBuf};

use eyechart::media::{MissingPicture, Source, load};

use crate::support::fixture;

/// Resolves a path in the given folders.
fn picture(reference: &str, roots: &[&Path]) -> Result<eyechart::media::Picture, MissingPicture> {
    load(&Source::Path {
        reference: reference.to_owned(),
        roots: roots.iter().map(|root| PathBuf::from(*root)).collect(),
    })
}

/// Colours at the centres of the four quarters.
fn quarters(name: &str) -> [[u8; 3]; 4] {
    let pixels = picture(name, &[&fixture("field/pictures")])
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .pixels;
    let (width, height) = pixels.dimensions();
    let places = [(1, 1), (3, 1), (1, 3), (3, 3)];
    places.map(|(x, y)| {
        let [red, green, blue, _] = pixels.get_pixel(x * width / 4, y * height / 4).0;
        [red, green, blue]
    })
}

fn assert_colors(name: &str, expected: [[u8; 3]; 4]) {
    let found = quarters(name);
    let is_near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= 3;
    let all = found.as_flattened().iter().zip(expected.as_flattened());
    assert!(all.clone().all(is_near), "{name}: {found:?}");
}

const QUARTERS: [[u8; 3]; 4] = [[220, 30, 30], [30, 200, 30], [30, 30, 220], [235; 3]];

#[test]
fn colors_survive_every_supported_format() {
    for name in [
        "cmyk.jpg",
        "progressive.jpg",
        "upper.JPG",
        "png_named.jpg",
        "palette.png",
        "animated.png",
        "lossless.webp",
        "animated.webp",
        "still.gif",
        "animated.gif",
    ] {
        assert_colors(name, QUARTERS);
    }
    assert_colors("la.png", [[87; 3], [130; 3], [52; 3], [235; 3]]);
    assert_colors("gray16.png", [[0; 3], [255; 3], [0; 3], [255; 3]]);
    assert_colors("onebit.png", [[255; 3], [255; 3], [0; 3], [255; 3]]);
    // Transparent pixels are blended with white.
    let on_white = |color: [u8; 3], alpha: u16| {
        color.map(|it| {
            let mixed = (u16::from(it) * alpha + 255 * (255 - alpha)) / 255;
            u8::try_from(mixed).expect("a byte")
        })
    };
    let [red, green, blue, white] = QUARTERS;
    for (name, [top, bottom]) in [("rgba.png", [66, 194]), ("palette_alpha.png", [80, 208])] {
        let expected = [
            on_white(red, top),
            on_white(green, top),
            on_white(blue, bottom),
            on_white(white, bottom),
        ];
        assert_colors(name, expected);
    }
}

#[test]
fn other_formats_are_named() {
    for (name, format) in [
        ("packed.tiff", "TIFF"),
        ("quadrants.avif", "AVIF"),
        ("quadrants.jp2", "JPEG 2000"),
        ("quadrants.ico", "ICO"),
    ] {
        let error = picture(name, &[&fixture("field/pictures")]).expect_err(name);
        let sentence = format!(
            "{name} cannot be decoded: {format} is not supported; convert it to PNG, JPEG, GIF, WebP, BMP or PNM"
        );
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn paths_of_other_systems_are_found_beside_the_log_and_below_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let [logs, data] = ["logs", "data"].map(|name| folder.path().join(name));
    let from = fixture("field/pictures/palette.png");
    for path in [
        "logs/images/plain.png",
        "logs/images/a b.png",
        "logs/images/100%.png",
        "logs/images/%41.png",
        "logs/images/a#1.png",
        "logs/images/what?.png",
        "logs/images/deep/x+y.png",
        "logs/images/K\u{e4}se.png",
        "data/val/other.png",
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::copy(&from, path).expect("a picture");
    }
    for reference in [
        r"images\plain.png",
        r"images\deep\x+y.png",
        r".\images\plain.png",
        "images/a%20b.png",
        "images/a b.png",
        "images/100%.png",
        "images/%41.png",
        "images/a#1.png",
        "images/what?.png",
        "file://images/plain.png",
        "file:///data/images/plain.png",
        "images/../images/plain.png",
        "images/K\u{e4}se.png",
        "images/Ka\u{308}se.png",
        "/mnt/nas/eval/in/images/plain.png",
        r"C:\Users\x\images\plain.png",
        "/data/local-files/?d=images/plain.png",
        "/mnt/nas/coco/val/other.png",
        r"D:\coco\val\other.png",
        r"\\server\share\images\plain.png",
        r"images\\plain.png",
        "FILE:///C:/x/images/a%20b.png",
        "C:/Users/x/images/a%20b.png",
    ] {
        let found = picture(reference, &[&logs, &data]);
        assert!(found.is_ok(), "{reference}: {:?}", found.err());
    }
    // Missing pictures stay missing, and paths outside the folders are refused.
    let none = picture("/mnt/nas/eval/none.png", &[&logs]);
    assert!(matches!(none, Err(MissingPicture::NotFound { .. })));
    for reference in [r"..\data\val\other.png", "%2e%2e/data/val/other.png"] {
        let outside = picture(reference, &[&logs]);
        assert!(
            matches!(outside, Err(MissingPicture::Outside { .. })),
            "{reference}"
        );
    }
}
