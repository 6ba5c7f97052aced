//! Tests that a model that sees everything is right under every protocol, rotation, crop and scale.
//! If it were not, the question or the target would not match the picture. A constant answer is
//! right only at one of four rotations.

use image::{Rgb, RgbImage};
use serde_json::{Value as Json, json};

use super::log::{CORNERS, Log, lines, run};
use super::server::Server;

/// Number of samples of each of the three abilities.
const SAMPLES: usize = 12;
/// Size of a picture. Protocols also make smaller and larger pictures.
const SIDES: (u32, u32) = (240, 160);
/// Colours of blocks.
const RED: Rgb<u8> = Rgb([220, 20, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);

fn fill(picture: &mut RgbImage, [x0, y0, x1, y1]: [u32; 4], ink: Rgb<u8>) {
    for (x, y) in (x0..x1).flat_map(|x| (y0..y1).map(move |y| (x, y))) {
        picture.put_pixel(x, y, ink);
    }
}

/// A grey picture with a shade that no other picture has.
fn plain(at: usize) -> RgbImage {
    let shade = u8::try_from(120 + at * 3).unwrap();
    RgbImage::from_pixel(SIDES.0, SIDES.1, Rgb([shade; 3]))
}

fn row(name: &str, (picture, field): (RgbImage, [u32; 4]), own: Json) -> (Json, RgbImage) {
    let mut line = json!({
        "sample_id": name, "benchmark": "seen", "model": "old", "image": format!("{name}.png"), "response": "none",
        "boxes": [{"label": "field", "role": "reference", "xyxy": field}],
    });
    let fields = line.as_object_mut().unwrap();
    fields.extend(own.as_object().unwrap().clone());
    (line, picture)
}

/// Corner of the red block in a question, and the block's pixels.
pub fn corner(at: usize) -> (usize, [u32; 4]) {
    let corner = at * 5 % 4;
    let (dx, dy) = (at as u32 % 5, at as u32 % 3);
    let x = [20, 180, 180, 20][corner] + dx;
    let y = [16, 16, 110, 110][corner] + dy;
    (corner, [x, y, x + 24 + dx, y + 20 + dy])
}

/// Position of an area in the whole picture, or in the central field to which protocols crop.
fn placed(area: [u32; 4], is_small: bool) -> [u32; 4] {
    let [x0, y0, x1, y1] = area;
    let (x, y) = (|x: u32| 96 + x / 5, |y: u32| 64 + y / 5);
    if is_small {
        [x(x0), y(y0), x(x1), y(y1)]
    } else {
        area
    }
}

/// Questions about the box of a block, about its corner, and about the number of blocks.
fn log(is_small: bool) -> Log {
    let mut rows = Vec::new();
    let field = placed([12, 8, 228, 152], is_small);
    for at in 0..SAMPLES {
        let mut picture = plain(at);
        let (corner, area) = corner(at);
        let area = placed(area, is_small);
        fill(&mut picture, area, RED);
        let letter = ["A", "B", "C", "D"][corner];
        rows.push(row(
            &format!("corner-{at:02}"),
            (picture.clone(), field),
            json!({"ability": "location", "question": "In which corner is the red block?", "choices": CORNERS, "target": letter}),
        ));
        rows.push(row(
            &format!("box-{at:02}"),
            (picture, field),
            json!({
                "ability": "localization", "target": area, "metric": "giou",
                "question": "Give the bounding box of the red block as [x0, y0, x1, y1] in pixels of the 240 x 160 image.",
            }),
        ));
        let mut picture = plain(at + SAMPLES);
        let count = 1 + at % 6;
        for block in 0..count as u32 {
            let (x, y) = (24 + 62 * (block % 3), 20 + 66 * (block / 3));
            fill(&mut picture, placed([x, y, x + 30, y + 30], is_small), BLUE);
        }
        rows.push(row(
            &format!("count-{at:02}"),
            (picture, field),
            json!({"ability": "counting", "question": "How many blue blocks are there?", "target": count}),
        ));
    }
    Log::of(&rows)
}

/// All answers of the new run.
fn answers(log: &Log) -> Vec<Json> {
    let listed = run(&mut log.command(&["samples", "out", "--format", "json"]));
    let mut listed: Json = serde_json::from_str(&listed.out).unwrap();
    serde_json::from_value(listed["samples"].take()).unwrap()
}

/// Returns true for the answer of a model that sees everything. Boxes must be exact to one pixel.
/// In an enlarged picture, whose edges are blurred, they must be exact to one and a half pixels.
fn is_perfect(answer: &Json) -> bool {
    let corners = |name: &str| -> Vec<f64> {
        let text = answer[name].as_str().unwrap_or_default();
        serde_json::from_str(text).unwrap_or_default()
    };
    let score = answer["score"].as_f64();
    match answer["ability"].as_str() {
        Some("localization") => {
            let (target, said) = (corners("target"), corners("parsed"));
            let mut pairs = target.iter().zip(&said);
            said.len() == 4 && pairs.all(|(a, b)| (a - b).abs() <= 1.5)
        }
        Some("counting") => score == Some(0.0),
        _ => score == Some(1.0),
    }
}

#[test]
fn a_perfect_model_is_perfect_under_every_protocol() {
    let words = "Look at the picture.\n{question}\n{options}";
    let protocols: [(&[&str], usize); 9] = [
        (&["--protocol", "vanilla"], 1),
        (&["--protocol", "rotational"], 4),
        (
            &[
                "--protocol",
                "rotational",
                "--turn-words",
                "off",
                "--filter",
                "not ability:location",
            ],
            4,
        ),
        (
            &["--protocol", "crop", "--filter", "not ability:location"],
            4,
        ),
        (
            &["--protocol", "twin", "--filter", "not ability:counting"],
            3,
        ),
        (&["--protocol", "no-boxes"], 1),
        (&["--protocol", "repeat:2"], 2),
        (&["--protocol", "effort:low,high"], 2),
        (&["--protocol", "prompt:words.txt"], 1),
    ];
    for (arguments, steps) in protocols {
        let is_small = arguments.contains(&"crop");
        let (log, server) = (log(is_small), Server::new());
        log.config(&server.base("perfect"), "");
        std::fs::write(log.path("words.txt"), words).unwrap();
        log.found(arguments);
        let answers = answers(&log);
        let abilities = if arguments.contains(&"--filter") {
            2
        } else {
            3
        };
        assert_eq!(answers.len(), steps * abilities * SAMPLES, "{arguments:?}");
        let missed: Vec<&Json> = answers.iter().filter(|one| !is_perfect(one)).collect();
        assert!(
            missed.is_empty(),
            "{arguments:?} {} missed: {}",
            missed.len(),
            missed[0]
        );
    }
}

#[test]
fn who_always_says_the_same_is_right_at_no_four_turns() {
    let (log, server) = (log(false), Server::new());
    log.config(&server.base("constant"), "");
    log.found(&["--protocol", "rotational", "--filter", "ability:location"]);
    let report = run(&mut log.command(&["report", "out", "--format", "json"]));
    let report: Json = serde_json::from_str(&report.out).unwrap();
    let reliability = &report["reliability"][0];
    assert_eq!(reliability["re"], 0.0);
    let ve: f64 = ["0", "90", "180", "270"]
        .iter()
        .map(|at| reliability["ve"][*at].as_f64().unwrap())
        .sum();
    assert!((ve - 1.0).abs() < 1e-9, "right at one turn of four: {ve}");
    assert_eq!(
        lines(&log.path("out/rerun.eyechart.jsonl")).len(),
        4 * SAMPLES
    );
}

#[test]
fn keys_known_by_heart_are_found_and_the_report_agrees() {
    for (base, kept, verdict) in [("memorised", 8, "likely"), ("perfect", 0, "no_sign")] {
        let (log, server) = (log(false), Server::new());
        log.config(&server.base(base), "");
        let found = log.found(&["--protocol", "twin"]);
        // Mirroring does not change the number of blocks.
        assert_eq!(
            found["unfit"],
            json!([{"why": "the same right answer when mirrored", "samples": SAMPLES}])
        );
        assert_eq!(server.count(base), 3 * 2 * SAMPLES);
        let memory = &found["found"]["memory"][0];
        assert_eq!(memory["n"], 2 * SAMPLES);
        assert_eq!(memory["kept_on_both"], kept, "{memory}");
        // A third of the questions about corners, and a third of those about boxes.
        assert_eq!(memory["share"].as_f64(), Some(f64::from(kept) / 24.0));
        assert_eq!(memory["verdict"], verdict, "{memory}");
        assert_eq!(found["found"]["steps"][0]["right"], 2 * SAMPLES);
        let report = run(&mut log.command(&["report", "out", "--format", "json"]));
        let report: Json = serde_json::from_str(&report.out).unwrap();
        let reported = &report["memory"][0];
        for name in [
            "benchmark",
            "model",
            "n",
            "kept_on_both",
            "share",
            "verdict",
        ] {
            assert_eq!(reported[name], memory[name], "{name}");
        }
        let p = |row: &Json| row["p_value"].as_f64().unwrap();
        assert!(
            (p(reported) - p(memory)).abs() < 1e-9,
            "{reported} {memory}"
        );
    }
}
