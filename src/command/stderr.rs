//! What is told on stderr: the one place where it reaches the terminal.

use std::io::{self, Stderr, Write};

use format::visible_lines;

/// Writes to stderr. Control characters become visible: names and words may be a stranger's.
pub const fn stderr() -> Told {
    Told
}

/// The writer of [`stderr`].
#[derive(Clone, Copy, Debug)]
pub struct Told;

impl Told {
    fn out() -> Stderr {
        io::stderr()
    }
}

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        Self::out().write_all(visible_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::out().flush()
    }
}
