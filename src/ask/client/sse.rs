//! Incremental parser of server-sent events.
//!
//! Written by hand because the usual crates drop an event without its final blank line, which
//! truncated answers need. They also do not limit the size of an event.

use base::limits::Limit;

/// Parser state: an incomplete line, and the data of an incomplete event.
#[derive(Debug)]
pub struct Splitter {
    rest: Vec<u8>,
    /// Bytes of `rest` that contain no line break.
    searched: usize,
    data: String,
    /// True after the first line; only the first line may start with a byte order mark.
    has_begun: bool,
    /// Maximum bytes of an event.
    most: usize,
}

impl Splitter {
    /// Returns a parser that accepts events up to [`Limit::Event`].
    pub fn new() -> Self {
        Self::up_to(Limit::Event.length())
    }

    fn up_to(most: usize) -> Self {
        Self {
            rest: Vec::new(),
            searched: 0,
            data: String::new(),
            has_begun: false,
            most,
        }
    }

    /// Returns the data of every completed event. Comments, event names and ids are ignored.
    ///
    /// # Errors
    /// An event or a line exceeds the limit.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, Limit> {
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let (mut start, mut searched) = (0, self.searched);
        let mut events = Vec::new();
        while let Some(found) = memchr::memchr(b'\n', rest.get(searched..).unwrap_or_default()) {
            let end = searched + found;
            let line = rest.get(start..end).unwrap_or_default();
            events.extend(self.line(line)?);
            (start, searched) = (end + 1, end + 1);
        }
        self.rest = rest.get(start..).unwrap_or_default().to_vec();
        self.searched = self.rest.len();
        if self.rest.len() > self.most {
            return Err(Limit::Event);
        }
        Ok(events)
    }

    /// Returns the data of an event whose last line break or blank line is missing.
    ///
    /// # Errors
    /// The event exceeds the limit.
    pub fn finish(mut self) -> Result<Option<String>, Limit> {
        let rest = std::mem::take(&mut self.rest);
        let event = self.line(&rest)?;
        Ok(event.or_else(|| Some(self.data).filter(|data| !data.is_empty())))
    }

    /// Processes a line; returns the event that it completes.
    fn line(&mut self, line: &[u8]) -> Result<Option<String>, Limit> {
        let line = line.trim_ascii_end();
        let mark: &[u8] = if self.has_begun { b"" } else { b"\xef\xbb\xbf" };
        let line = line.strip_prefix(mark).unwrap_or(line);
        self.has_begun = true;
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return Ok(Some(data).filter(|data| !data.is_empty()));
        }
        if self.data.len() + line.len() > self.most {
            return Err(Limit::Event);
        }
        // Some servers report an error in a field named `error`.
        let data = line.strip_prefix(b"data:");
        let Some(data) = data.or_else(|| line.strip_prefix(b"error:")) else {
            return Ok(None);
        };
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(&String::from_utf8_lossy(
            data.strip_prefix(b" ").unwrap_or(data),
        ));
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = ": ping\r\nevent: x\ndata: {\"a\": \"größer\"}\r\n\r\ndata: one\ndata:two\n\n\n: OPENROUTER\n\ndata: [DONE]\n\n";

    #[test]
    fn an_event_without_its_blank_line_is_not_lost() {
        let mut splitter = Splitter::new();
        assert_eq!(splitter.push(b"data: {\"x\""), Ok(vec![]));
        assert_eq!(splitter.finish(), Ok(Some("{\"x\"".to_owned())));
    }

    #[test]
    fn an_error_in_a_field_of_its_own_is_an_event() {
        let events = Splitter::new().push(b"event: error\nerror: {\"code\":500}\n\n");
        assert_eq!(events.unwrap(), [r#"{"code":500}"#]);
    }

    #[test]
    fn a_byte_order_mark_hides_no_event() {
        let mut splitter = Splitter::new();
        let events = splitter.push("\u{feff}data: a\n\ndata: \u{feff}b\n\n".as_bytes());
        assert_eq!(events.unwrap(), ["a", "\u{feff}b"]);
    }

    #[test]
    fn neither_a_line_nor_an_event_grows_beyond_its_bound() {
        let endless: [&[u8]; 3] = [b"x", b"data: abc\n", b"data: x"];
        for part in endless {
            let mut splitter = Splitter::up_to(100);
            let pushed = (0..1_000).find_map(|_| splitter.push(part).err());
            assert_eq!(pushed, Some(Limit::Event));
            assert!(splitter.rest.len() + splitter.data.len() <= 200);
        }
        // The limit applies to one event, not to their sum.
        let mut splitter = Splitter::up_to(100);
        for _ in 0..1_000 {
            assert_eq!(
                splitter.push(b"data: abc\n\n").map(|events| events.len()),
                Ok(1)
            );
        }
        let comments: Vec<u8> = b": ping\n".repeat(1_000);
        assert_eq!(splitter.push(&comments), Ok(vec![]));
    }

    proptest! {
        #[test]
        fn the_pieces_in_which_bytes_come_do_not_matter(cuts in prop::collection::vec(1..9_usize, 0..60)) {
            let mut splitter = Splitter::new();
            let (mut rest, mut events) = (STREAM.as_bytes(), Vec::new());
            for cut in cuts {
                let (piece, more) = rest.split_at(cut.min(rest.len()));
                events.extend(splitter.push(piece).unwrap());
                rest = more;
            }
            events.extend(splitter.push(rest).unwrap());
            prop_assert_eq!(events, ["{\"a\": \"größer\"}", "one\ntwo", "[DONE]"]);
        }
    }
}
