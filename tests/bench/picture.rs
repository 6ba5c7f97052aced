//! Benchmarks the time from the request for a picture to its bytes on the terminal. The baseline is
//! decoding and scaling alone.
//!
//! `cargo bench --bench picture` generates a photo of 1600 x 1067 pixels with smooth colours and
//! grain, which compresses badly. It displays the photo in two sizes with every protocol. Each
//! round runs every variant once, so that a busy machine slows all of them. Prints medians. Only
//! `cargo bench` measures; if started otherwise, the program ends at once.

use std::io::{Write as _, stdout};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use eyechart::media::{Overlay, Source, Stroke, Turn, Unit};
use eyechart::tui::graphics::{
    Bandwidth, ColorDepth, Protocol, Reply, Request, Terminal, TerminalPicture, Worker,
};
use image::imageops::FilterType;
use image::{DynamicImage, Rgb, RgbImage};
use ratatui::backend::TestBackend;

/// Number of rounds.
const ROUNDS: usize = 5;
/// A frame at 60 Hz, in milliseconds.
const FRAME: f64 = 16.7;
/// Time limit for one picture.
const PATIENCE: Duration = Duration::from_mins(1);
/// Protocols that are measured.
const PROTOCOLS: [Protocol; 4] = [
    Protocol::Blocks,
    Protocol::Kitty,
    Protocol::Iterm2,
    Protocol::Sixel,
];

fn main() -> Result<()> {
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("photo.jpg");
    photo().save(&file)?;
    let mut out = stdout().lock();
    writeln!(out, "{:<44} {:>10} {:>10}", "median of rounds", "ms", "kB")?;
    for area in [(42, 20), (108, 54)] {
        for protocol in PROTOCOLS {
            for bandwidth in [Bandwidth::Full, Bandwidth::Auto, Bandwidth::Low] {
                measure(&mut out, &file, protocol, bandwidth, area)?;
            }
        }
        peer(&mut out, &file, area)?;
    }
    Ok(())
}

/// Measures the first picture (read, decode, draw, encode), the next box on it (draw, encode), and
/// the frame that displays it.
fn measure(
    out: &mut impl std::io::Write,
    file: &Path,
    protocol: Protocol,
    bandwidth: Bandwidth,
    area: (u16, u16),
) -> Result<()> {
    let (mut first, mut again, mut frame, mut bytes) = (vec![], vec![], vec![], 0);
    for _ in 0..ROUNDS {
        let (worker, replies) = studio(protocol)?;
        let whole = request(file, area, bandwidth, 0.1);
        first.push(timed(|| shown(&worker, &replies, whole))?.0);
        let (took, drawn) = timed(|| {
            let other = request(file, area, bandwidth, 0.2);
            shown(&worker, &replies, other)
        })?;
        again.push(took);
        bytes = drawn.bytes();
        let mut screen = ratatui::Terminal::new(TestBackend::new(120, 60))?;
        let (took, ()) = timed(|| {
            screen.draw(|frame| drawn.draw((0, 0), frame.buffer_mut()))?;
            Ok(())
        })?;
        frame.push(took);
    }
    let name = format!("{} {bandwidth} {}x{}", protocol.name(), area.0, area.1);
    let ready = median(frame);
    line(out, &format!("{name}: first"), median(first), bytes)?;
    line(out, &format!("{name}: other boxes"), median(again), bytes)?;
    let verdict = if ready < FRAME { "" } else { " (too slow)" };
    line(
        out,
        &format!("{name}: frame when ready{verdict}"),
        ready,
        bytes,
    )
}

/// Times decoding and scaling to the pixels of an area with the `image` crate alone.
fn peer(out: &mut impl std::io::Write, file: &Path, area: (u16, u16)) -> Result<()> {
    let cell = Terminal::assumed(Protocol::Kitty, ColorDepth::True).cell;
    let side = |cells: u16, pixels: u16| u32::from(cells) * u32::from(pixels);
    let (width, height) = (side(area.0, cell.0), side(area.1, cell.1));
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let scale = || Ok(image::open(file)?.resize(width, height, FilterType::Triangle));
        times.push(timed(scale)?.0);
    }
    let name = format!("image alone, decode and scale {}x{}", area.0, area.1);
    line(out, &name, median(times), 0)
}

fn studio(protocol: Protocol) -> Result<(Worker, Receiver<Reply>)> {
    let (send, replies) = channel();
    let mut terminal = Terminal::assumed(protocol, ColorDepth::True);
    terminal.remote = true;
    // After the round the receiver is gone.
    let worker = Worker::start(terminal, Box::new(move |reply| drop(send.send(reply))))?;
    Ok((worker, replies))
}

fn request(file: &Path, area: (u16, u16), bandwidth: Bandwidth, left: f64) -> Request {
    Request {
        key: left.to_bits(),
        source: Source::Path {
            reference: file.display().to_string(),
            roots: file.parent().map(Path::to_path_buf).into_iter().collect(),
        },
        area,
        layers: Vec::new(),
        overlays: vec![Overlay {
            xyxy: [left, 0.2, left + 0.4, 0.7],
            unit: Unit::Fraction,
            color: [0, 158, 115],
            style: Stroke::Solid,
            width: 3,
            letter: None,
            number: None,
        }],
        region: None,
        turn: Turn::NONE,
        budget: bandwidth.budget(true),
    }
}

fn shown(worker: &Worker, replies: &Receiver<Reply>, request: Request) -> Result<TerminalPicture> {
    worker.show(vec![request]);
    match replies.recv_timeout(PATIENCE).context("no picture")? {
        Reply::Shown { drawn, .. } => Ok(drawn),
        Reply::Failed { sentence, .. } => bail!(sentence),
    }
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let begun = Instant::now();
    let made = work()?;
    Ok((begun.elapsed().as_secs_f64() * 1e3, made))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn line(out: &mut impl std::io::Write, name: &str, milliseconds: f64, bytes: usize) -> Result<()> {
    writeln!(out, "{name:<44} {milliseconds:>10.2} {:>10}", bytes / 1000)?;
    Ok(())
}

/// Smooth colours with grain.
fn photo() -> DynamicImage {
    let grain = |x: u32, y: u32| {
        (x * 7919 + y * 104_729)
            .wrapping_mul(2_654_435_761)
            .to_le_bytes()
    };
    let wave = |at: u32, length: f64| (f64::from(at) / length).sin() * 50.0 + 110.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "10 to 210"
    )]
    let pixel = |x: u32, y: u32| {
        let [_, _, a, b] = grain(x, y);
        let base = [wave(x, 140.0), wave(y, 90.0), wave(x + y, 200.0)].map(|shade| shade as u8);
        let [red, green, blue] = base;
        Rgb([red + a % 24, green + b % 24, blue + (a ^ b) % 24])
    };
    DynamicImage::ImageRgb8(RgbImage::from_fn(1600, 1067, pixel))
}
