//! Takes the terminal over and gives it back, whatever happens in between.

use std::io::{self, BufWriter, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::{panic, thread};

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture,
};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::meter::{Counting, Meter};

/// The screen. It is never dropped: [`leave`] shows the cursor again, and `Terminal` would do that once more and panic where
/// neither the terminal nor the place for errors is there any longer.
pub type Screen = ManuallyDrop<Terminal<CrosstermBackend<Counting<BufWriter<Stdout>>>>>;
/// Bytes that are written at once: a frame of words, or a piece of a picture.
const AT_ONCE: usize = 1 << 14;

/// Cells of the largest window that is drawn: each takes memory, and no screen has more.
const MOST_CELLS: u32 = 2_000_000;

/// Returns true if the window is no larger than what is drawn.
pub fn has_room(screen: &Screen) -> io::Result<bool> {
    let size = screen.size()?;
    Ok(u32::from(size.width) * u32::from(size.height) <= MOST_CELLS)
}

/// Raw mode and the alternate screen. Terminals are not asked to tell when a key comes up: some of them then send Enter, Tab
/// and Esc twice, once for each way.
pub fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableFocusChange,
        EnableBracketedPaste
    )
}

/// The terminal as it was.
pub fn leave() -> io::Result<()> {
    let told = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableFocusChange,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    disable_raw_mode().and(told)
}

/// Gives the terminal back before a panic of this thread is told. One of another thread ends no more than its work,
/// and is told by the loop.
pub fn install_panic_hook() {
    let (told, own) = (panic::take_hook(), thread::current().id());
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != own {
            return tracing::error!("{info}");
        }
        // Nothing better can be done when the terminal is gone too.
        let _ = leave();
        told(info);
    }));
}

/// Blanks the screen, so that the next frame is drawn whole. `Terminal::clear` would ask where the cursor is, and
/// wait for an answer that the thread that reads keys takes.
pub fn blank(screen: &mut Screen) -> io::Result<()> {
    execute!(screen.backend_mut(), Clear(ClearType::All))?;
    screen.swap_buffers();
    Ok(())
}

/// A screen to draw on whose bytes are counted.
pub fn screen(meter: &Meter) -> io::Result<Screen> {
    let out = BufWriter::with_capacity(AT_ONCE, stdout());
    let backend = CrosstermBackend::new(Counting::new(out, meter.clone()));
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

    /// The terminal is given back before a panic is told; one of another thread leaves it as it is.
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
        // Linux ends the stream by an error.
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
