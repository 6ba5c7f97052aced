//! Writes messages to stderr with visible control characters.

use std::io::{self, StderrLock, Write};

use base::format::visible_lines;

/// Locks stderr for messages. Control characters are made visible, because names and texts may be
/// hostile.
pub fn stderr() -> MessageWriter {
    MessageWriter(io::stderr().lock())
}

/// Writer returned by [`stderr`].
#[derive(Debug)]
pub struct MessageWriter(StderrLock<'static>);

impl Write for MessageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(visible_lines(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
