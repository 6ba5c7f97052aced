//! Tests the pictures in requests, for files that are damaged or rotated by EXIF.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value as Json, json};

use super::log::{Log, Output, run};
use super::several::shade;
use super::wire::{Script, Wire, good, one_model};

/// Position of the block in the stored picture: left, top, right, bottom.
const BLOCK: [u32; 4] = [8, 16, 24, 24];

/// A white JPEG with a black block and an EXIF orientation.
fn stored(code: u8) -> Vec<u8> {
    let [x0, y0, x1, y1] = BLOCK;
    let pixels = RgbImage::from_fn(48, 32, |x, y| {
        let inside = (x0..x1).contains(&x) && (y0..y1).contains(&y);
        Rgb([if inside { 0 } else { 255 }; 3])
    });
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let mut jpeg = bytes.into_inner();
    let mut exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00".to_vec();
    exif[29] = code;
    jpeg.splice(2..2, exif);
    jpeg
}

/// A log with one question per picture.
fn log(pictures: &[(&str, Vec<u8>)]) -> Log {
    let log = Log::new(0);
    let mut lines = String::new();
    for (name, bytes) in pictures {
        std::fs::write(log.path(name), bytes).unwrap();
        let line = json!({
            "sample_id": name, "benchmark": "blocks", "ability": "color", "model": "old", "image": name,
            "question": "What is at [8, 16, 24, 24]?", "choices": ["black", "white"], "target": "A", "response": "B",
            "boxes": [{"label": "block", "role": "reference", "xyxy": BLOCK}],
        });
        lines.push_str(&format!("{line}\n"));
    }
    std::fs::write(log.path("corners.eyechart.jsonl"), lines).unwrap();
    log
}

fn wire() -> Wire {
    Wire::new(Script {
        chat: good,
        models: one_model,
    })
}

fn asked(log: &Log, wire: &Wire, arguments: &[&str]) -> Output {
    log.config(&format!("http://{}/v1", wire.address), "");
    log.patient();
    run(log.asking(arguments).args(["--format", "json"]))
}

fn picture(log: &Log, record: &Json) -> RgbImage {
    let name = record["image"].as_str().unwrap();
    let bytes = std::fs::read(log.path("out").join(name)).unwrap();
    let decoded = media(&bytes);
    // The sent picture is upright for every program, even without EXIF support.
    let ignorant = image::load_from_memory(&bytes).unwrap().into_rgb8();
    assert_eq!(decoded, ignorant, "{name}");
    decoded
}

fn media(bytes: &[u8]) -> RgbImage {
    let decoded = eyechart::media::decode(bytes, "sent").unwrap();
    image::DynamicImage::ImageRgba8(decoded.pixels).into_rgb8()
}

/// Left, top, right and bottom edge of the dark area.
fn dark(picture: &RgbImage) -> [f64; 4] {
    let dark = picture.enumerate_pixels().filter(|(_, _, pixel)| {
        let [red, green, blue] = pixel.0;
        red < 100 && green < 100 && blue < 100
    });
    let bounds = dark.fold([u32::MAX, u32::MAX, 0, 0], |[x0, y0, x1, y1], (x, y, _)| {
        [x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)]
    });
    bounds.map(f64::from)
}

fn corners(record: &Json) -> [f64; 4] {
    let list = record["boxes"][0]["xyxy"].as_array().unwrap();
    [0, 1, 2, 3].map(|at| list[at].as_f64().unwrap())
}

/// Largest channel difference between two pictures of the same size.
fn differ(a: &RgbImage, b: &RgbImage) -> u8 {
    assert_eq!(a.dimensions(), b.dimensions());
    let pairs = a.as_raw().iter().zip(b.as_raw());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

#[test]
fn pictures_are_sent_upright_and_boxes_lie_on_their_things() {
    let names: Vec<String> = (1..=8).map(|code| format!("{code}.jpg")).collect();
    let pictures: Vec<(&str, Vec<u8>)> = (1..=8)
        .zip(&names)
        .map(|(code, name)| (name.as_str(), stored(code)))
        .collect();
    for (protocol, steps) in [("vanilla", 1), ("rotational", 4)] {
        let (log, wire) = (log(&pictures), wire());
        let output = asked(&log, &wire, &["--protocol", protocol]);
        assert_eq!(output.code, 0, "{}", output.err);
        let records = log.records();
        assert_eq!(records.len(), 8 * steps, "{protocol}");
        for record in &records {
            let name = record["sample_id"].as_str().unwrap();
            let code: u8 = name[..1].parse().unwrap();
            let sent = picture(&log, record);
            let turn = record["condition"]["rotation"].as_f64().unwrap_or_default();
            let upright = media(&stored(code));
            let expected = match turn {
                90.0 => image::imageops::rotate90(&upright),
                180.0 => image::imageops::rotate180(&upright),
                270.0 => image::imageops::rotate270(&upright),
                _ => upright,
            };
            // Fractions of a side are rounded.
            let box_of = corners(record).map(|at| (at * 1e6).round() / 1e6);
            // An unchanged file is sent as it is. A rotated JPEG is encoded again, and the record
            // states this.
            let anew = &record["rerun"]["pictures_sent_as"][0];
            let is_kept = code == 1 && turn == 0.0;
            assert_eq!(anew.is_null(), is_kept, "{name} turned by {turn}: {anew}");
            let most = if is_kept { 0 } else { 12 };
            assert!(differ(&sent, &expected) <= most, "{name} turned by {turn}");
            assert_eq!(box_of, dark(&sent), "{name} turned by {turn}");
            let words = format!("{:?}", box_of.map(|at| at as u32));
            let question = record["question"].as_str().unwrap();
            assert!(question.contains(&words), "{question}: {words}");
        }
    }
}

#[test]
fn boxes_are_drawn_on_the_upright_picture() {
    let names: Vec<String> = (1..=8).map(|code| format!("{code}.jpg")).collect();
    let pictures: Vec<(&str, Vec<u8>)> = (1..=8)
        .zip(&names)
        .map(|(code, name)| (name.as_str(), stored(code)))
        .collect();
    let (log, wire) = (log(&pictures), wire());
    let output = asked(&log, &wire, &["--protocol", "boxes"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let with: Vec<Json> = log
        .records()
        .into_iter()
        .filter(|record| {
            picture(&log, record)
                .pixels()
                .any(|pixel| pixel.0 == [230, 40, 40])
        })
        .collect();
    assert_eq!(with.len(), 8);
    for record in &with {
        let sent = picture(&log, record);
        let [x0, y0, x1, y1] = corners(record).map(|at| at.round() as u32);
        for (x, y) in [(x0, y0), (x1 - 1, y0), (x0, y1 - 1), (x1 - 1, y1 - 1)] {
            assert_eq!(sent.get_pixel(x, y).0, [230, 40, 40], "{record}");
        }
        let middle = sent.get_pixel(u32::midpoint(x0, x1), u32::midpoint(y0, y1));
        assert!(middle[0] < 100, "{record}");
    }
}

/// A picture of noise whose file is truncated to a share of its bytes.
fn cut(format: ImageFormat, share: usize) -> Vec<u8> {
    let noise = RgbImage::from_fn(48, 48, |x, y| {
        let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
        let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
        Rgb([a, b, c])
    });
    let mut bytes = Cursor::new(Vec::new());
    noise.write_to(&mut bytes, format).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.truncate(bytes.len() * share / 100);
    bytes
}

#[test]
fn damaged_pictures_are_counted_and_sent_only_when_that_is_wanted() {
    let pictures = [
        ("whole.png", cut(ImageFormat::Png, 100)),
        ("whole.jpg", cut(ImageFormat::Jpeg, 100)),
        ("cut.png", cut(ImageFormat::Png, 70)),
        ("cut.jpg", cut(ImageFormat::Jpeg, 70)),
    ];
    let json_of = |output: &Output| -> Json {
        assert_eq!(output.code, 0, "{}", output.err);
        serde_json::from_str(&output.out).unwrap()
    };
    let (log, wire) = (log(&pictures), wire());
    let planned = json_of(&asked(&log, &wire, &["--protocol", "vanilla", "--dry-run"]));
    assert_eq!(planned["damaged"], 2, "{planned}");
    let done = json_of(&asked(&log, &wire, &["--protocol", "vanilla"]));
    assert_eq!((&done["damaged"], &done["unasked"]), (&json!(2), &json!(2)));
    let ids = |log: &Log| -> BTreeSet<String> {
        let records = log.records().into_iter();
        let ids = records.map(|record| record["sample_id"].as_str().unwrap().to_owned());
        ids.collect()
    };
    assert_eq!(
        ids(&log),
        ["whole.jpg", "whole.png"].map(str::to_owned).into()
    );
    let text = run(&mut log.asking(&["--protocol", "vanilla", "--resume", "--format", "table"]));
    assert!(text.out.contains("--send-damaged"), "{}", text.out);
    let sent = asked(
        &log,
        &wire,
        &["--protocol", "vanilla", "--resume", "--send-damaged"],
    );
    let sent = json_of(&sent);
    assert_eq!((&sent["damaged"], &sent["unasked"]), (&json!(0), &json!(0)));
    assert_eq!(ids(&log).len(), 4);
    let kept = std::fs::read_dir(log.path("out/images")).unwrap();
    let kept: Vec<Vec<u8>> = kept
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    for (name, bytes) in &pictures {
        assert!(kept.contains(bytes), "{name} was sent as it is");
    }
}

#[test]
fn a_picture_with_a_side_without_end_is_told_and_not_decoded() {
    let png = wide_png(64_000_000);
    assert!(png.len() < 100_000);
    let pictures = [("wide.png", png)];
    let (log, wire) = (log(&pictures), wire());
    let output = asked(&log, &wire, &["--protocol", "vanilla"]);
    assert!(output.err.contains("limits.picture_side"), "{}", output.err);
    let shown = run(&mut log.command(&[
        "show",
        "corners.eyechart.jsonl",
        "--sample",
        "wide.png",
        "--images",
        "blocks",
    ]));
    assert_eq!(shown.code, 0, "{}", shown.err);
    let source = eyechart::media::Source::Path {
        reference: "wide.png".to_owned(),
        roots: vec![Path::new(&log.path("")).to_path_buf()],
    };
    let error = eyechart::media::load(&source).unwrap_err().to_string();
    assert!(error.contains("limits.picture_side"), "{error}");
}

/// A PNG that has one row of black pixels.
fn wide_png(width: u32) -> Vec<u8> {
    let narrow = image::GrayImage::new(8, 1);
    let mut bytes = Cursor::new(Vec::new());
    narrow.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let mut bytes = bytes.into_inner();
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    let sum = checksum(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xEDB8_8320 * (sum & 1))
        })
    })
}

/// Asks about a wide and a rotated picture, and about two pictures. Limits each side to 24 pixels.
fn within(arguments: &[&str], settings: &str) -> (Log, Wire, Vec<Json>) {
    let (log, wire) = (log(&[("1.jpg", stored(1)), ("6.jpg", stored(6))]), wire());
    shade(1).save(log.path("small.png")).unwrap();
    let file = log.path("corners.eyechart.jsonl");
    let two = json!({
        "sample_id": "two", "benchmark": "blocks", "ability": "color", "model": "old", "images": ["small.png", "1.jpg"],
        "question": "Which is black?", "choices": ["first", "second"], "target": "A", "response": "B",
    });
    let lines = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{lines}{two}\n")).unwrap();
    log.config(&format!("http://{}/v1", wire.address), settings);
    log.patient();
    let output = run(&mut log.asking(arguments));
    assert_eq!(output.code, 0, "{}", output.err);
    let records = log.records();
    (log, wire, records)
}

/// A server that records the media type in each request, and the media type of the picture's bytes.
fn naming_wire(types: &Arc<Mutex<Vec<[String; 2]>>>) -> Wire {
    let types = Arc::clone(types);
    Wire::answering(move |head, body, _| {
        if head.starts_with("GET") {
            return one_model(head);
        }
        let body: Json = serde_json::from_slice(body).unwrap();
        let parts = body["messages"][0]["content"].as_array().unwrap();
        let mut urls = parts
            .iter()
            .filter_map(|it| it["image_url"]["url"].as_str());
        let url = urls.next().unwrap().strip_prefix("data:").unwrap();
        let (stated, data) = url.split_once(";base64,").unwrap();
        let bytes = STANDARD.decode(data).unwrap();
        let format = image::guess_format(&bytes).unwrap();
        let both = [stated, format.to_mime_type()].map(str::to_owned);
        types.lock().unwrap().push(both);
        good(head)
    })
}

#[test]
fn other_formats_are_sent_as_png_or_refused_by_their_true_name() {
    let fixture = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/field/pictures");
        std::fs::read(folder.join(name)).unwrap()
    };
    let mut bitmap = Cursor::new(Vec::new());
    shade(1).write_to(&mut bitmap, ImageFormat::Bmp).unwrap();
    // File name, content, and the format in the record. The first file has the wrong extension.
    let pictures = [
        ("tiff.png", fixture("packed.tiff"), None),
        ("a.avif", fixture("quadrants.avif"), None),
        ("still.gif", fixture("still.gif"), Some(json!(["PNG"]))),
        (
            "moving.gif",
            fixture("animated.gif"),
            Some(json!(["PNG of the first frame"])),
        ),
        ("a.webp", fixture("lossless.webp"), Some(json!(["PNG"]))),
        ("a.bmp", bitmap.into_inner(), Some(json!(["PNG"]))),
        ("png.jpg", fixture("png_named.jpg"), Some(Json::Null)),
    ];
    let files = pictures.clone().map(|(name, bytes, _)| (name, bytes));
    let types = Arc::default();
    let (log, wire) = (log(&files), naming_wire(&types));
    let output = asked(&log, &wire, &["--protocol", "vanilla"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let png = ["image/png", "image/png"].map(str::to_owned);
    assert_eq!(*types.lock().unwrap(), vec![png; 5]);
    let records = log.records();
    for (name, _, sent_as) in pictures {
        let record = records.iter().find(|record| record["sample_id"] == name);
        let found = record.map(|record| record["rerun"]["pictures_sent_as"].clone());
        assert_eq!(found, sent_as, "{name}");
    }
    let done: Json = serde_json::from_str(&output.out).unwrap();
    let refused = ["AVIF", "TIFF"].map(|format| {
        let why = format!(
            "the picture cannot be decoded: {format} is not supported; convert it to PNG, JPEG, GIF, WebP, BMP or PNM"
        );
        json!({"why": why, "questions": 1})
    });
    assert_eq!(
        (&done["unasked"], &done["doubts"]),
        (&json!(2), &json!(refused))
    );
}

#[test]
fn large_pictures_are_scaled_with_the_boxes_and_the_record_says_so() {
    for (arguments, settings) in [
        (&["--protocol", "vanilla", "--max-side", "24"][..], ""),
        (&["--protocol", "vanilla"], "max_side = 24"),
    ] {
        let (log, _wire, records) = within(arguments, settings);
        assert_eq!(records.len(), 3);
        for record in &records {
            let said = &record["rerun"]["pictures_sent_as"];
            let label = "JPEG of quality 95, scaled from";
            assert_eq!(record["rerun"]["as_logged"], true, "{record}");
            // The block is at [8, 16, 24, 24] of 48 x 32 pixels. In the upright version of the
            // rotated picture, it is at [8, 8, 16, 24] of 32 x 48.
            let (size, corner, expected) = match record["sample_id"].as_str().unwrap() {
                "1.jpg" => (
                    (24, 16),
                    "[4, 8, 12, 12]",
                    json!([format!("{label} 48 x 32 to 24 x 16")]),
                ),
                "6.jpg" => (
                    (16, 24),
                    "[4, 4, 8, 12]",
                    json!([format!("{label} 32 x 48 to 16 x 24")]),
                ),
                _ => {
                    assert_eq!(
                        *said,
                        json!([format!("picture 2: {label} 48 x 32 to 24 x 16")])
                    );
                    continue;
                }
            };
            assert_eq!(*said, expected);
            let sent = picture(&log, record);
            assert_eq!(sent.dimensions(), size);
            assert_eq!(
                corners(record).map(|at| (at * 1e6).round() / 1e6),
                dark(&sent)
            );
            assert_eq!(record["question"], format!("What is at {corner}?"));
        }
    }
}

#[test]
fn a_run_goes_on_only_with_the_same_limits() {
    let start = ["--protocol", "vanilla", "--max-side", "24"];
    let (log, _wire, _) = within(&start, "");
    let again = |more: &[&str]| {
        run(&mut log.asking(&[&["--protocol", "vanilla", "--resume"], more].concat()))
    };
    let same = again(&["--max-side", "24"]);
    assert_eq!(same.code, 0, "{}", same.err);
    for other in [
        &[][..],
        &["--max-side", "20"],
        &["--max-side", "24", "--quality", "80"],
    ] {
        let refused = again(other);
        assert_ne!(refused.code, 0, "{other:?}");
        assert!(refused.err.contains("pictures"), "{}", refused.err);
    }
}
