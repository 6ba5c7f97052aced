//! Tests the sample screen with real pictures: content, timing, and bytes sent.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::Terminal as Screen;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Color;

use super::app::App;
use super::frame_output::FrameOutput;
use super::keymap::ViewId;
use super::popup::outer;
use super::tests::{opened, press, screen};
use crate::graphics::{Bandwidth, ColorDepth, Protocol, Reply, Terminal, Worker};
use media::Letter;
use workspace::picture::{Layers, Meaning};

const PATIENCE: Duration = Duration::from_secs(20);

/// An app on a simulated terminal, with its picture worker.
struct Bench {
    app: App,
    worker: Worker,
    replies: Receiver<Reply>,
    size: (u16, u16),
}

impl Bench {
    fn new(folder: &str, protocol: Protocol, size: (u16, u16)) -> Self {
        let mut app = opened(folder);
        let terminal = Terminal::assumed(protocol, ColorDepth::True);
        app.shared.pictures.set_terminal(&terminal);
        let (send, replies) = channel();
        let worker = Worker::start(terminal, Box::new(move |reply| drop(send.send(reply))));
        Self {
            app,
            worker: worker.unwrap(),
            replies,
            size,
        }
    }

    /// Opens localization by all models, with the first answer on screen.
    fn localization(protocol: Protocol, size: (u16, u16)) -> Self {
        let mut bench = Self::new("tests/fixtures/ava_bench", protocol, size);
        press(&mut bench.app, "3");
        let effects = bench.app.set_filter(
            "ability:localization (sample:location_00000 or sample:location_00001)".to_owned(),
        );
        super::tests::settle(&mut bench.app, effects);
        press(&mut bench.app, "enter");
        bench
    }

    /// Draws one frame like the event loop. Returns the screen and the number of pending
    /// pictures.
    fn frame(&mut self) -> (Buffer, usize) {
        self.app.dirty = false;
        let mut screen = Screen::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        let mut drawn = FrameOutput::default();
        screen.draw(|frame| drawn = self.app.draw(frame)).unwrap();
        let (wanted, ahead) = self.app.after_frame(drawn, 0, Duration::ZERO);
        let (missing, all) = (wanted.len(), wanted.len() + ahead.len());
        if missing > 0 {
            self.worker.show(wanted);
        }
        self.worker.prefetch(ahead);
        for _ in 0..all {
            let reply = self.replies.recv_timeout(PATIENCE).unwrap();
            self.app.shared.pictures.receive(reply);
        }
        (screen.backend().buffer().clone(), missing)
    }

    /// Draws frames until nothing changes.
    fn settled(&mut self) -> Buffer {
        self.frame();
        self.frame();
        self.frame().0
    }
}

/// Returns the picture as text: a letter for the box of each half block, `.` for the background.
fn signs(buffer: &Buffer) -> String {
    let meanings = [
        (Meaning::Target, 'T'),
        (Meaning::Reference, 'R'),
        (Meaning::Model(Letter::A), 'a'),
        (Meaning::Model(Letter::B), 'b'),
    ];
    let of = |color: Color| {
        let same = |(meaning, _): &&(Meaning, char)| {
            let [red, green, blue] = meaning.color();
            color == Color::Rgb(red, green, blue)
        };
        meanings.iter().find(same).map_or('.', |(_, sign)| *sign)
    };
    // A character on the screen's background colour is not part of the picture.
    let screen = [Color::Reset, buffer[(0, buffer.area.height - 1)].bg];
    let mut rows = Vec::new();
    for y in 2..buffer.area.height - 3 {
        let row: String = (0..buffer.area.width)
            .filter_map(|x| buffer.cell((x, y)))
            .filter(|cell| matches!(cell.symbol(), "▀" | "A" | "B") && !screen.contains(&cell.bg))
            .map(|cell| match (cell.symbol(), of(cell.fg), of(cell.bg)) {
                ("▀", '.', lower) => lower,
                ("▀", upper, _) => upper,
                (letter, ..) => letter.chars().next().unwrap(),
            })
            .collect();
        rows.push(row);
    }
    rows.join("\n")
}

fn text(buffer: &Buffer) -> String {
    let row = |y| {
        (0..buffer.area.width)
            .filter_map(|x| buffer.cell((x, y)))
            .map(ratatui::buffer::Cell::symbol)
            .collect::<String>()
    };
    (0..buffer.area.height)
        .map(|y| row(y) + "\n")
        .collect::<String>()
}

/// Returns the screen's text without the line that contains the file's path.
fn body(buffer: &Buffer) -> String {
    let text = text(buffer);
    let rows = usize::from(buffer.area.height) - 2;
    text.lines().take(rows).collect::<Vec<_>>().join("\n")
}

#[test]
fn two_models_boxes_look_like_this_in_half_blocks() {
    let mut bench = Bench::localization(Protocol::Blocks, (80, 24));
    press(&mut bench.app, "c");
    let buffer = bench.settled();
    insta::assert_snapshot!("sample_boxes_80x24", signs(&buffer));
    insta::assert_snapshot!("sample_two_models_80x24", body(&buffer));
    press(&mut bench.app, "]");
    insta::assert_snapshot!("sample_boxes_turned_80x24", signs(&bench.settled()));
}

#[test]
fn a_sample_looks_like_this() {
    for (width, height) in [(60, 24), (120, 36), (200, 60)] {
        let mut bench = Bench::localization(Protocol::Blocks, (width, height));
        let name = format!("sample_{width}x{height}");
        insta::assert_snapshot!(name, body(&bench.settled()));
    }
}

#[test]
fn the_next_sample_and_every_layer_are_there_in_the_first_frame() {
    let mut bench = Bench::localization(Protocol::Kitty, (120, 36));
    bench.settled();
    press(&mut bench.app, "n");
    assert_eq!(bench.frame().1, 0, "the next sample");
    bench.settled();
    press(&mut bench.app, "c");
    bench.settled();
    for layers in [Layers::First, Layers::Second, Layers::Target, Layers::All] {
        press(&mut bench.app, "v");
        assert_eq!(bench.app.views.sample.layers, layers);
        assert_eq!(bench.frame().1, 0, "{layers:?}");
    }
    press(&mut bench.app, "o");
    assert_eq!(bench.frame().1, 0, "no boxes");
}

#[test]
fn whoever_steps_through_different_pictures_waits_for_none_but_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = String::new();
    for at in 0..6 {
        fs::write(
            folder.path().join(format!("{at}.pgm")),
            image_of(40 + at, 40),
        )
        .unwrap();
        let record = format!(
            r#"{{"sample_id": "{at}", "model": "m", "benchmark": "b", "ability": "a", "question": "q", "target": "A", "image": "{at}.pgm", "response": "A", "metric": "accuracy", "score": 1}}"#
        );
        log += &(record + "\n");
    }
    fs::write(folder.path().join("m.eyechart.jsonl"), log).unwrap();
    let mut bench = Bench::new(path(folder.path()), Protocol::Kitty, (100, 30));
    press(&mut bench.app, "3 enter");
    assert_eq!(bench.frame().1, 1);
    bench.settled();
    for at in 1..6 {
        press(&mut bench.app, "n");
        assert_eq!(bench.frame().1, 0, "sample {at}");
        bench.settled();
    }
}

#[test]
fn the_picture_stays_while_another_view_of_it_is_drawn() {
    let mut bench = Bench::localization(Protocol::Blocks, (80, 24));
    let whole = signs(&bench.settled());
    press(&mut bench.app, "+");
    let (first, missing) = bench.frame();
    assert_eq!((signs(&first), missing), (whole.clone(), 1));
    assert_ne!(signs(&bench.frame().0), whole);
}

#[test]
fn arrows_pan_within_a_part_and_step_through_the_list_otherwise() {
    let mut bench = Bench::localization(Protocol::Blocks, (80, 24));
    bench.settled();
    press(&mut bench.app, "+ left up");
    assert_eq!(bench.app.shared.list.table.selected, 0);
    assert_eq!(
        bench.app.views.sample.view.region,
        Some([0.125, 0.125, 0.625, 0.625])
    );
    press(&mut bench.app, "n");
    assert_eq!(bench.app.views.sample.view.region, None, "whole again");
    press(&mut bench.app, "left");
    assert_eq!(bench.app.shared.list.table.selected, 0);
}

#[test]
fn the_zoom_goes_from_box_to_box() {
    let mut bench = Bench::localization(Protocol::Blocks, (80, 24));
    press(&mut bench.app, "c");
    bench.settled();
    let mut regions = Vec::new();
    for _ in 0..4 {
        press(&mut bench.app, "z");
        regions.push(bench.app.views.sample.view.region);
        bench.settled();
    }
    assert!(regions[..3].iter().all(Option::is_some), "{regions:?}");
    assert_eq!(regions[3], None);
    let [x0, _, x1, _] = regions[0].unwrap();
    assert!(x0 < 0.37 && 0.54 < x1, "the target and more around it");
}

#[test]
fn on_a_bounded_line_words_come_before_pictures() {
    let mut bench = Bench::localization(Protocol::Blocks, (80, 24));
    bench.app.shared.pictures.bandwidth = Bandwidth::Low;
    bench.settled();
    press(&mut bench.app, "n");
    bench.app.shared.pictures.words_first = true;
    let (words, _) = bench.frame();
    assert!(!text(&words).contains('▀') && text(&words).contains("target"));
    assert!(bench.app.dirty, "the picture follows");
    let (whole, _) = bench.frame();
    assert!(text(&whole).contains('▀'));
    assert!(bench.app.dirty, "its cost is told");
    let (told, _) = bench.frame();
    assert!(text(&told).contains("picture 0 B"), "{}", text(&told));
    assert!(!bench.app.dirty, "and then nothing moves");
}

#[test]
fn whatever_keeps_a_picture_from_the_screen_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("logs");
    fs::create_dir(&root).unwrap();
    fs::write(folder.path().join("outside.png"), "x").unwrap();
    fs::write(root.join("broken.png"), b"\x89PNG\r\n\x1a\nnothing more").unwrap();
    fs::write(root.join("drawing.svg"), "<svg/>").unwrap();
    let images = [
        (
            "https://example.org/a.png",
            "was not downloaded",
            "--fetch-images",
        ),
        ("none.png", "not found in", "--data DIR"),
        (
            "../outside.png",
            "outside the picture folders",
            "--data DIR",
        ),
        ("broken.png", "cannot be decoded", ""),
        ("drawing.svg", "SVG is not supported", ""),
        ("data:image/png;base64,!!", "not base64", ""),
    ];
    let record = |(at, (image, ..)): (usize, &(&str, &str, &str))| {
        format!(
            r#"{{"sample_id": "{at}", "model": "m", "benchmark": "b", "ability": "a", "question": "q", "target": "A", "image": "{image}", "response": "A", "metric": "accuracy", "score": 1}}"#
        ) + "\n"
    };
    let log: String = images.iter().enumerate().map(record).collect();
    fs::write(root.join("m.eyechart.jsonl"), log).unwrap();
    let mut bench = Bench::new(path(&root), Protocol::Blocks, (100, 30));
    bench.app.shared.list.sort = workspace::page::Sort::Sample;
    press(&mut bench.app, "3 enter");
    assert_eq!(bench.app.shared.view, ViewId::Sample);
    for (image, why, hint) in images {
        // Long sentences are wrapped between words.
        let words = text(&bench.settled())
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let said = |part: &str| part.split(' ').all(|word| words.contains(word));
        assert!(said(why) && said(hint), "{image}: {words}");
        press(&mut bench.app, "n");
    }
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[test]
fn pictures_that_are_off_say_so() {
    let mut bench = Bench::localization(Protocol::Off, (100, 30));
    let shown = screen(&mut bench.app, 100, 30);
    assert!(shown.contains("pictures are off"), "{shown}");
}

#[test]
fn several_pictures_stand_side_by_side_and_boxes_lie_on_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let white = image_of(40, 40);
    fs::write(folder.path().join("a.pgm"), &white).unwrap();
    fs::write(folder.path().join("b.pgm"), &white).unwrap();
    let record = r#"{"sample_id": "1", "model": "m", "benchmark": "b", "ability": "a", "question": "q", "target": "A", "images": ["a.pgm", "b.pgm"], "boxes": [{"label": "mug", "role": "reference", "xyxy": [0.0, 0.0, 1.0, 1.0]}], "response": "A", "metric": "accuracy", "score": 1}"#;
    fs::write(
        folder.path().join("m.eyechart.jsonl"),
        record.to_owned() + "\n",
    )
    .unwrap();
    let mut bench = Bench::new(path(folder.path()), Protocol::Blocks, (100, 30));
    press(&mut bench.app, "3 enter");
    let buffer = bench.settled();
    assert!(text(&buffer).contains("── mug"));
    let rows = signs(&buffer);
    let row = rows.lines().find(|row| row.contains('R')).unwrap();
    let (left, right) = row.split_at(row.len() / 2);
    assert!(left.contains('R') && !right.contains('R'), "{rows}");
}

/// Opens a sample with these picture files, which must exist.
fn of_pictures(folder: &Path, names: &[&str], size: (u16, u16)) -> Bench {
    let images = serde_json::to_string(names).unwrap();
    let record = format!(
        "{{\"sample_id\": \"1\", \"model\": \"m\", \"benchmark\": \"b\", \"ability\": \"a\", \"question\": \"q\", \
         \"target\": \"A\", \"images\": {images}, \"response\": \"A\", \"metric\": \"accuracy\", \"score\": 1, \
         \"boxes\": [{{\"label\": \"mug\", \"role\": \"reference\", \"xyxy\": [0, 0, 0.5, 1]}}]}}\n"
    );
    fs::write(folder.join("m.eyechart.jsonl"), record).unwrap();
    let mut bench = Bench::new(path(folder), Protocol::Blocks, size);
    press(&mut bench.app, "3");
    bench
}

#[test]
fn many_pictures_are_walked_above_a_strip_and_counted_in_list_and_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let names = [0, 1, 2, 3, 4, 5].map(|at| format!("clip_{}.5s.pgm", 2 * at));
    for name in &names {
        fs::write(folder.path().join(name), image_of(40, 40)).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut bench = of_pictures(folder.path(), &names, (100, 40));
    screen(&mut bench.app, 80, 24);
    let list = screen(&mut bench.app, 80, 24);
    assert!(list.contains("pictures"), "{list}");
    press(&mut bench.app, "v");
    screen(&mut bench.app, 80, 24);
    let sheet = screen(&mut bench.app, 80, 24);
    assert!(sheet.contains("6 pictures"), "{sheet}");
    press(&mut bench.app, "enter");
    let first = words(&bench.settled());
    assert!(
        first.contains("1 of 6, 0.5 s") && first.contains("( ) step through 6 pictures"),
        "{first}"
    );
    // The strip of frames already contains the next frame.
    assert!(first.contains("2.5 s"), "{first}");
    press(&mut bench.app, ") )");
    let third = words(&bench.settled());
    assert!(third.contains("3 of 6, 4.5 s"), "{third}");
    // Only the first picture has a box.
    assert!(!signs(&bench.settled()).contains('R'));
    press(&mut bench.app, "( ( (");
    assert!(words(&bench.settled()).contains("6 of 6, 10.5 s"));
    press(&mut bench.app, ")");
    assert!(signs(&bench.settled()).contains('R'));
}

#[test]
fn an_animation_is_shown_as_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for shade in [0, 100, 200] {
        let pixels = image::RgbaImage::from_pixel(40, 40, image::Rgba([shade, shade, shade, 255]));
        let delay = image::Delay::from_numer_denom_ms(750, 1);
        encoder
            .encode_frame(image::Frame::from_parts(pixels, 0, 0, delay))
            .unwrap();
    }
    drop(encoder);
    fs::write(folder.path().join("a.gif"), bytes).unwrap();
    let mut bench = of_pictures(folder.path(), &["a.gif"], (100, 30));
    press(&mut bench.app, "enter");
    let buffer = bench.settled();
    let shown = words(&buffer);
    for caption in ["1 of 3, 0 s", "2 of 3, 0.75 s", "3 of 3, 1.5 s"] {
        assert!(shown.contains(caption), "{caption}\n{shown}");
    }
    let has = |shade: u8| {
        let cells = buffer.content().iter().filter(|cell| cell.symbol() == "▀");
        cells
            .into_iter()
            .any(|cell| cell.fg == Color::Rgb(shade, shade, shade))
    };
    assert!(has(100) && has(200), "{shown}");
}

/// Returns a white picture in PGM format.
fn image_of(width: usize, height: usize) -> Vec<u8> {
    let mut bytes = format!("P5 {width} {height} 255\n").into_bytes();
    bytes.resize(bytes.len() + width * height, u8::MAX);
    bytes
}

/// Opens a dense ability of the model `near`, with its sample on screen.
fn dense(ability: &str, size: (u16, u16)) -> Bench {
    let mut bench = Bench::new("tests/fixtures/maps", Protocol::Blocks, size);
    press(&mut bench.app, "3");
    let effects = bench
        .app
        .set_filter(format!("ability:{ability} model:near"));
    super::tests::settle(&mut bench.app, effects);
    press(&mut bench.app, "enter");
    bench
}

/// Returns the text on the screen, without half blocks.
fn words(buffer: &Buffer) -> String {
    let text = screen_text(buffer);
    text.replace('▀', " ")
}

fn screen_text(buffer: &Buffer) -> String {
    let row = |y: u16| -> String {
        let cells = (0..buffer.area.width).filter_map(|x| buffer.cell((x, y)));
        cells.map(ratatui::buffer::Cell::symbol).collect()
    };
    (0..buffer.area.height)
        .map(row)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn maps_stand_beside_each_other_and_flicker_in_place() {
    let mut bench = dense("depth", (80, 24));
    let all = words(&bench.settled());
    for caption in ["picture", "target", "A near", "error of A near"] {
        assert!(all.contains(caption), "{caption}\n{all}");
    }
    assert!(
        all.contains("958") && all.contains("fitted to the target's scale"),
        "{all}"
    );
    assert!(all.replace('\u{a0}', " ").contains("delta1 0.976"), "{all}");
    let captions = ["A near", "target", "error of A near"];
    for caption in captions {
        press(&mut bench.app, "v");
        let one = words(&bench.settled());
        let shown = one.lines().nth(2).unwrap_or_default();
        assert!(
            shown.contains(caption) && !shown.contains("picture"),
            "{one}"
        );
    }
    press(&mut bench.app, "v");
    assert_eq!(bench.app.views.sample.layers, Layers::All);
    press(&mut bench.app, "o");
    assert!(!words(&bench.settled()).contains("error of A near"));
}

#[test]
fn masks_lie_on_the_picture_in_their_own_lines() {
    let mut bench = dense("grouping", (80, 24));
    let all = signs(&bench.settled());
    assert!(all.contains('T') && all.contains('a'), "{all}");
    press(&mut bench.app, "v");
    let target = signs(&bench.settled());
    assert!(target.contains('T') && !target.contains('a'), "{target}");
    assert_eq!(bench.app.views.sample.layers, Layers::Target);
    press(&mut bench.app, "v");
    let errors = signs(&bench.settled());
    assert!(!errors.contains('T') && !errors.contains('a'), "{errors}");
    assert!(words(&bench.settled()).contains("extra"));
}

/// Returns a picture of noise in a format, cut to two thirds of its bytes.
fn cut(format: image::ImageFormat) -> Vec<u8> {
    let noise = image::RgbImage::from_fn(60, 60, |x, y| {
        let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
        let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
        image::Rgb([a, b, c])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    noise.write_to(&mut bytes, format).unwrap();
    let mut bytes = bytes.into_inner();
    bytes.truncate(bytes.len() * 2 / 3);
    bytes
}

#[test]
fn a_damaged_picture_is_marked_alike_in_each_format_and_protocol() {
    use image::ImageFormat;
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Bmp] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.picture"), cut(format)).unwrap();
        let line = r#"{"sample_id": "a", "benchmark": "b", "ability": "c", "model": "m", "image": "a.picture", "question": "?", "target": "A", "response": "A", "score": 1}"#;
        fs::write(folder.path().join("log.eyechart.jsonl"), line).unwrap();
        for protocol in [Protocol::Blocks, Protocol::Sixel] {
            let mut bench = Bench::new(folder.path().to_str().unwrap(), protocol, (80, 24));
            press(&mut bench.app, "3");
            press(&mut bench.app, "enter");
            let shown = words(&bench.settled());
            assert!(
                shown.contains("damaged: shown as far as it could be read"),
                "{format:?} {protocol:?}: {shown}"
            );
            assert!(shown.contains("60 x 60"), "{format:?}: {shown}");
        }
    }
}

/// Returns the cells with picture data or placeholders.
fn picture_cells(buffer: &Buffer) -> Vec<(u16, u16)> {
    let all = buffer.area.positions();
    let is_part = |place: &Position| {
        let symbol = buffer.cell(*place).map_or("", |cell| cell.symbol());
        symbol.contains('\u{1b}') || symbol.contains('\u{10eeee}')
    };
    all.filter(is_part)
        .map(|place| (place.x, place.y))
        .collect()
}

#[test]
fn a_picture_stays_visible_beside_a_popup() {
    for protocol in [Protocol::Sixel, Protocol::Kitty] {
        let mut bench = Bench::localization(protocol, (120, 36));
        assert!(!picture_cells(&bench.settled()).is_empty(), "{protocol:?}");
        press(&mut bench.app, ":");
        let cells = picture_cells(&bench.settled());
        let (inner, _) = bench.app.drawn.popups[0];
        let covered = outer(inner);
        assert!(!cells.is_empty(), "{protocol:?}: the picture has gone");
        let below = |(x, y): &(u16, u16)| covered.contains(Position { x: *x, y: *y });
        assert!(!cells.iter().any(below), "{protocol:?}: {covered}");
        press(&mut bench.app, "esc");
        let again = picture_cells(&bench.settled());
        assert!(again.len() >= cells.len(), "{protocol:?}");
    }
}

#[test]
fn a_popup_that_is_opened_before_the_picture_moves_beside_it() {
    let mut bench = Bench::localization(Protocol::Kitty, (120, 36));
    press(&mut bench.app, ":");
    bench.frame();
    assert!(bench.app.dirty, "the popup is where the picture is to be");
}
