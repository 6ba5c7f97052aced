//! What is told on stderr: the one place where it reaches the terminal.

use std::io::{self, StderrLock, Write};

use format::visible_lines;

/// Writes to stderr, which is held meanwhile. Control characters become visible: names and words may be a stranger's.
pub fn stderr() -> Told {
    Told(io::stderr().lock())
}

/// The writer of [`stderr`].
#[derive(Debug)]
pub struct Told(StderrLock<'static>);

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(visible_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
