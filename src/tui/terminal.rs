//! Takes the terminal over and gives it back, whatever happens in between.

use std::io::{self, BufWriter, Stdout, stdout};
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

/// The screen.
pub type Screen = Terminal<CrosstermBackend<Counting<BufWriter<Stdout>>>>;
/// Bytes that are written at once: a frame of words, or a piece of a picture.
const AT_ONCE: usize = 1 << 14;

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
    Terminal::new(CrosstermBackend::new(Counting::new(out, meter.clone())))
}
