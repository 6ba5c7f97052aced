//! Sets up the terminal and restores it, even after a panic.

use std::io::{self, BufWriter, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{Command as _, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::meter::{CountingWriter, Meter};
use base::platform::terminal::Guard;

/// The screen. It is never dropped, because [`leave`] already shows the cursor. Dropping `Terminal`
/// would show it a second time, and would panic if both the terminal and standard error are closed.
pub type Screen = ManuallyDrop<Terminal<CrosstermBackend<CountingWriter<BufWriter<Stdout>>>>>;
/// Size of the output buffer in bytes: a frame of text, or a part of a picture.
const AT_ONCE: usize = 1 << 14;

/// Maximum number of cells of a window. Each cell takes memory, and no real screen has more.
const MOST_CELLS: u32 = 2_000_000;

/// Returns true if the window is small enough to draw.
pub fn has_room(screen: &Screen) -> io::Result<bool> {
    let size = screen.size()?;
    Ok(u32::from(size.width) * u32::from(size.height) <= MOST_CELLS)
}

/// Enters raw mode and the alternate screen. Does not request key release events, because some
/// terminals then send Enter, Tab and Esc twice.
pub fn enter() -> io::Result<()> {
    guard(
        Guard::start(&restoring())
            .map_err(|why| {
                // Without the guard, the terminal is not restored after an abort.
                tracing::info!("the terminal will not be restored after a crash: {why}");
            })
            .ok(),
    );
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableFocusChange,
        EnableBracketedPaste
    )
}

/// Leaves raw mode and the alternate screen.
pub fn leave() -> io::Result<()> {
    let told = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableFocusChange,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let restored = disable_raw_mode().and(told);
    guard(None);
    restored
}

/// Replaces the guard that restores the terminal after an abort. The previous guard ends without
/// restoring the terminal.
fn guard(new: Option<Guard>) {
    static GUARD: Mutex<Option<Guard>> = Mutex::new(None);
    let old = std::mem::replace(
        &mut *GUARD.lock().unwrap_or_else(PoisonError::into_inner),
        new,
    );
    if let Some(Err(why)) = old.map(Guard::dismiss) {
        tracing::info!("the process that restores the terminal after a crash has ended: {why}");
    }
}

/// Returns the sequence that restores the terminal like [`leave`], except for raw mode.
fn restoring() -> String {
    let mut text = String::new();
    let written = DisableBracketedPaste
        .write_ansi(&mut text)
        .and_then(|()| DisableFocusChange.write_ansi(&mut text))
        .and_then(|()| DisableMouseCapture.write_ansi(&mut text))
        .and_then(|()| LeaveAlternateScreen.write_ansi(&mut text))
        .and_then(|()| Show.write_ansi(&mut text));
    debug_assert!(written.is_ok(), "a text takes all");
    text
}

/// Installs a panic hook that restores the terminal before a panic of this thread is printed. A
/// panic of another thread is only logged: it ends the work of that thread, and the loop reports
/// it.
pub fn install_panic_hook() {
    let (told, own) = (panic::take_hook(), thread::current().id());
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != own {
            return tracing::error!("{info}");
        }
        // Ignore the error: it occurs only if the terminal is gone.
        let _ = leave();
        told(info);
    }));
}

/// Clears the screen, so that the next frame is drawn completely. `Terminal::clear` is unsuitable:
/// it queries the cursor position, and the thread that reads keys would receive the answer.
pub fn blank(screen: &mut Screen) -> io::Result<()> {
    execute!(screen.backend_mut(), Clear(ClearType::All))?;
    screen.swap_buffers();
    Ok(())
}

/// Creates a screen that counts its bytes.
pub fn screen(meter: &Meter) -> io::Result<Screen> {
    let out = BufWriter::with_capacity(AT_ONCE, stdout());
    let backend = CrosstermBackend::new(CountingWriter::new(out, meter.clone()));
    Terminal::new(backend).map(ManuallyDrop::new)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    #[test]
    #[ignore = "run by the test below, in a terminal of its own"]
    fn panic_in_this_terminal() {
        install_panic_hook();
        enter().unwrap();
        let other = thread::spawn(|| panic!("aside"));
        assert!(other.join().is_err());
        print!("still here");
        panic!("at the screen");
    }

    /// A panic of this thread restores the terminal before it is printed. A panic of another thread
    /// does not restore it.
    #[test]
    fn a_panic_gives_the_terminal_back() {
        let pty = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        let test = "terminal::tests::panic_in_this_terminal";
        command.args([test, "--exact", "--ignored", "--nocapture"]);
        let mut child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut written = Vec::new();
        let mut output = pty.master.try_clone_reader().unwrap();
        // On Linux, reading ends with an error.
        let _ = output.read_to_end(&mut written);
        assert!(!child.wait().unwrap().success());
        let written = String::from_utf8_lossy(&written);
        let marks = [
            "\x1b[?1049h",
            "still here",
            "\x1b[?1000l",
            "\x1b[?1049l",
            "\x1b[?25h",
            "at the screen",
        ];
        let places = marks.map(|mark| written.find(mark));
        assert!(places.iter().all(Option::is_some), "{places:?} {written:?}");
        assert!(places.is_sorted(), "{places:?} {written:?}");
        assert!(!written.contains("aside"), "{written:?}");
    }
}
