//! Parser of server-sent events.
//!
//! By hand because the usual crates drop an event whose final blank line is missing, which cut-off answers need, and
//! do not bound a line.

/// Maximum length of a line; the rest is dropped.
const LONGEST: usize = 16_000_000;

/// An incomplete line, and the data of an incomplete event.
#[derive(Debug, Default)]
pub struct Splitter {
    rest: Vec<u8>,
    data: String,
}

impl Splitter {
    /// Returns the data of every completed event. Comments, event names and ids are ignored.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        self.rest.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = memchr::memchr(b'\n', &self.rest) {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.line(line.trim_ascii_end(), &mut events);
        }
        self.rest.truncate(LONGEST);
        events
    }

    /// Returns the data of an event whose last line or blank line is missing.
    pub fn finish(mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.rest);
        self.line(rest.trim_ascii_end(), &mut Vec::new());
        Some(self.data).filter(|data| !data.is_empty())
    }

    fn line(&mut self, line: &[u8], events: &mut Vec<String>) {
        if line.is_empty() {
            if !self.data.is_empty() {
                events.push(std::mem::take(&mut self.data));
            }
            return;
        }
        let Some(data) = line.strip_prefix(b"data:") else {
            return;
        };
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(&String::from_utf8_lossy(
            data.strip_prefix(b" ").unwrap_or(data),
        ));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = ": ping\r\nevent: x\ndata: {\"a\": \"größer\"}\r\n\r\ndata: one\ndata:two\n\n\n: OPENROUTER\n\ndata: [DONE]\n\n";

    #[test]
    fn an_event_without_its_blank_line_is_not_lost() {
        let mut splitter = Splitter::default();
        assert!(splitter.push(b"data: {\"x\"").is_empty());
        assert_eq!(splitter.finish().as_deref(), Some("{\"x\""));
    }

    proptest! {
        #[test]
        fn the_pieces_in_which_bytes_come_do_not_matter(cuts in prop::collection::vec(1..9_usize, 0..60)) {
            let mut splitter = Splitter::default();
            let (mut rest, mut events) = (STREAM.as_bytes(), Vec::new());
            for cut in cuts {
                let (piece, more) = rest.split_at(cut.min(rest.len()));
                events.extend(splitter.push(piece));
                rest = more;
            }
            events.extend(splitter.push(rest));
            prop_assert_eq!(events, ["{\"a\": \"größer\"}", "one\ntwo", "[DONE]"]);
        }
    }
}
