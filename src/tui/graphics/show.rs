//! Prints one picture at the cursor, to stay in the scrollback.
//!
//! Kitty and iTerm2 pictures are printed by `viuer`, under these conditions:
//! - The terminal has just answered, because `viuer` waits forever without an answer. It runs on a
//!   thread with a deadline.
//! - The terminal is in raw mode; otherwise its reply would be echoed into the picture.
//! - The process is not inside tmux.
//!
//! That thread and the query lock standard output, so the caller must not hold its lock. Sixel,
//! half blocks and terminals that `viuer` cannot detect are handled here. Nothing is written to a
//! pipe, to keep escape sequences out of files.

use std::io::{self, Write};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use image::{DynamicImage, RgbaImage};

use media::{DAMAGED, Layer, Overlay, Picture, Turn};

use super::bandwidth::Bandwidth;
use super::depth::ColorDepth;
use super::draw::draw;
use super::environment::Environment;
use super::images::Images;
use super::probe::{Protocol, Terminal, probe_for};
use super::query::PictureUse;
use super::terminal_picture::TerminalPicture;
use super::view::{View, in_blocks, in_pixels};

/// Deadline for the terminal's answers to queries.
const ANSWER: Duration = Duration::from_millis(600);
/// Deadline for the terminal to accept a picture.
const SWALLOW: Duration = Duration::from_secs(10);
/// Maximum pixels sent to a remote terminal.
const REMOTE_PIXELS: f64 = 400_000.0;

/// A picture to print, with boxes and maps.
#[derive(Clone, Copy)]
pub struct PrintedPicture<'a> {
    /// Decoded picture.
    pub picture: &'a Picture,
    /// Boxes drawn on the picture, in stored coordinates.
    pub overlays: &'a [Overlay],
    /// Maps drawn over the picture, below the boxes.
    pub layers: &'a [Arc<Layer>],
    /// Maximum columns and rows.
    pub area: (u16, u16),
}

/// Prints a picture at the cursor. Leaves the cursor at the start of the line below. Prints a
/// warning after a damaged picture.
///
/// Writes nothing if standard output is not a terminal. The caller must not hold the lock of
/// standard output, which other threads need until this returns.
///
/// # Errors
/// Writing fails, or the terminal does not accept the picture within the deadline.
pub fn print_in_scrollback(
    printed: PrintedPicture<'_>,
    choice: Images,
    out: &mut io::Stdout,
) -> io::Result<()> {
    let around = Environment::read();
    if choice == Images::Off || !around.is_terminal {
        return Ok(());
    }
    out.flush()?;
    let terminal = ask(choice, around)?;
    let picture = printed.picture;
    let view = View {
        area: printed.area,
        overlays: printed.overlays,
        layers: printed.layers,
        region: None,
        turn: Turn::NONE,
        orientation: picture.form.orientation,
        budget: Bandwidth::Auto.budget(around.remote),
    };
    let form = picture.form;
    let picture = &picture.pixels;
    match terminal.protocol {
        _ if is_for_viuer(&terminal) => {
            let view = View {
                area: capped(view.area, &terminal),
                ..view
            };
            if let Some(shown) = in_pixels(&terminal, picture, view) {
                print_with_viuer(shown, &terminal)?;
                out.write_all(b"\r")?;
            }
        }
        Protocol::Sixel | Protocol::Iterm2 => {
            print_sequence(&terminal, picture, view, around.depth, out)?;
        }
        _ => print_blocks(&terminal, picture, view, around.depth, out)?,
    }
    if form.is_damaged {
        writeln!(out, "{DAMAGED}")?;
    }
    out.flush()
}

/// Queries the terminal in raw mode, but only if the answer can change the protocol.
fn ask(choice: Images, around: Environment) -> io::Result<Terminal> {
    let choice = match choice {
        // In a multiplexer only sixel could work, and sixel is not detected without a query.
        Images::Auto | Images::Kitty | Images::Iterm2 if around.multiplexer.is_some() => {
            Images::Blocks
        }
        other => other,
    };
    let _raw = around.can_ask.then(RawMode::enter).transpose()?;
    Ok(probe_for(PictureUse::Once, choice, around, ANSWER).0)
}

/// Returns true if `viuer` can print the picture. `viuer` queries the terminal again, waits forever
/// without an answer, and prints its own half blocks if the protocol is missing. It detects iTerm2
/// only by environment variables, which SSH does not pass on.
fn is_for_viuer(terminal: &Terminal) -> bool {
    match terminal.protocol {
        Protocol::Kitty => terminal.answers.kitty,
        Protocol::Iterm2 => viuer::is_iterm_supported(),
        Protocol::Off | Protocol::Blocks | Protocol::Sixel => false,
    }
}

fn print_with_viuer(shown: RgbaImage, terminal: &Terminal) -> io::Result<()> {
    let config = viuer::Config {
        absolute_offset: false,
        transparent: true,
        truecolor: true,
        width: Some(shown.width().div_ceil(u32::from(terminal.cell.0))),
        height: Some(shown.height().div_ceil(u32::from(terminal.cell.1))),
        use_kitty: terminal.protocol == Protocol::Kitty,
        use_iterm: terminal.protocol == Protocol::Iterm2,
        ..viuer::Config::default()
    };
    let _raw = RawMode::enter()?;
    let (done, wait) = mpsc::channel();
    thread::Builder::new()
        .name("viuer".to_owned())
        .spawn(move || {
            let printed = viuer::print(&DynamicImage::ImageRgba8(shown), &config);
            drop(done.send(printed.map(drop).map_err(|error| error.to_string())));
        })?;
    match wait.recv_timeout(SWALLOW) {
        Ok(printed) => printed.map_err(io::Error::other),
        Err(_) => Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the terminal did not accept the picture in time",
        )),
    }
}

/// Prints a picture that is a single sequence. Scrolls first, because a sixel on the last line
/// would scroll its own top out of the screen.
fn print_sequence(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
    depth: ColorDepth,
    out: &mut dyn Write,
) -> io::Result<()> {
    let drawn = draw(terminal, picture, view).filter(TerminalPicture::is_fragile);
    let Some(drawn) = drawn else {
        return print_blocks(terminal, picture, view, depth, out);
    };
    let rows = drawn.size().1;
    let room = "\n".repeat(usize::from(rows));
    let sequence = drawn.first_symbol();
    write!(out, "{room}\x1b[{rows}A\x1b7{sequence}\x1b8\x1b[{rows}B\r")
}

/// Reduces the area over a connection, because `viuer` sends every pixel. Keeps the aspect ratio.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "smaller than it was, and not negative"
)]
fn capped((columns, rows): (u16, u16), terminal: &Terminal) -> (u16, u16) {
    if !terminal.remote {
        return (columns, rows);
    }
    let side = |cells: u16, pixels: u16| f64::from(cells) * f64::from(pixels);
    let all = side(columns, terminal.cell.0) * side(rows, terminal.cell.1);
    let shrink = (REMOTE_PIXELS / all.max(1.0)).sqrt().min(1.0);
    let fewer = |cells: u16| (f64::from(cells) * shrink) as u16;
    (fewer(columns), fewer(rows))
}

fn print_blocks(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
    depth: ColorDepth,
    out: &mut dyn Write,
) -> io::Result<()> {
    match in_blocks(terminal, picture, view) {
        Some((blocks, _)) => out.write_all(blocks.to_ansi(depth).as_bytes()),
        None => Ok(()),
    }
}

/// Guard that keeps the terminal in raw mode until it is dropped.
struct RawMode;

impl RawMode {
    fn enter() -> io::Result<Self> {
        enable_raw_mode().map(|()| Self)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        // Ignore the error: it occurs only if the terminal is gone.
        drop(disable_raw_mode());
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use media::Orientation;

    fn around() -> Environment {
        Environment {
            can_ask: false,
            is_terminal: true,
            is_plain: false,
            multiplexer: None,
            hint: None,
            remote: false,
            depth: ColorDepth::True,
        }
    }

    fn view(area: (u16, u16)) -> View<'static> {
        View {
            area,
            overlays: &[],
            layers: &[],
            region: None,
            turn: Turn::NONE,
            orientation: Orientation::UPRIGHT,
            budget: None,
        }
    }

    #[test]
    fn half_blocks_fit_the_columns_and_rows() {
        let terminal = Terminal::unasked(Protocol::Blocks, "", around());
        let picture = RgbaImage::from_pixel(100, 100, Rgba([255, 0, 0, 255]));
        let mut out = Vec::new();
        print_blocks(
            &terminal,
            &picture,
            view((40, 3)),
            ColorDepth::True,
            &mut out,
        )
        .unwrap();
        let line = "\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m▀▀▀▀▀▀\x1b[0m\n";
        assert_eq!(String::from_utf8(out).unwrap(), line.repeat(3));
    }

    #[test]
    fn a_sequence_too_long_for_tmux_becomes_half_blocks() {
        let mut terminal = Terminal::assumed(Protocol::Iterm2, ColorDepth::True);
        terminal.multiplexed = true;
        // Use noise, because it cannot be compressed.
        let mut noise = 1_u32;
        let picture = RgbaImage::from_fn(800, 800, |_, _| {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            let [red, green, blue, _] = noise.to_le_bytes();
            Rgba([red, green, blue, 255])
        });
        let mut out = Vec::new();
        let area = view((80, 40));
        print_sequence(&terminal, &picture, area, ColorDepth::None, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains('\x1b') && text.lines().count() == 40);
    }

    #[test]
    fn iterm2_that_the_environment_does_not_name_is_printed_all_the_same() {
        let terminal = Terminal::assumed(Protocol::Iterm2, ColorDepth::True);
        let picture = RgbaImage::from_pixel(40, 40, Rgba([255, 0, 0, 255]));
        let mut out = Vec::new();
        print_sequence(
            &terminal,
            &picture,
            view((4, 4)),
            ColorDepth::True,
            &mut out,
        )
        .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\x1b]1337;File=inline=1;"), "{text:?}");
    }

    #[test]
    fn no_room_prints_nothing() {
        let terminal = Terminal::unasked(Protocol::Blocks, "", around());
        let mut out = Vec::new();
        print_blocks(
            &terminal,
            &RgbaImage::new(4, 4),
            view((0, 4)),
            ColorDepth::True,
            &mut out,
        )
        .unwrap();
        assert!(out.is_empty());
    }
}
