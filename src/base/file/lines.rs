//! Reads files of lines that still grow, and skips damaged lines.

use std::fmt::Display;

use super::check::{CheckResult, Part, parts};

/// Message for a line whose check field does not match.
const CHANGED: &str = "it was changed: its checksum does not match";
/// Message for a last line without line break.
const TORN: &str = "the last line is cut short";

/// A line, or a part of a line, that cannot be parsed. The other lines are still read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Line number, counted from 1.
    pub line: u64,
    /// The error, as one sentence without a full stop.
    pub what: String,
}

/// Parses every line of a text. Returns the entries and the bad lines.
pub fn read_lines<T, E: Display>(
    text: &[u8],
    parse: impl FnMut(&[u8]) -> Result<T, E>,
) -> (Vec<T>, Vec<BadLine>) {
    let mut reader = LineReader::default();
    let entries = reader.parse(text, parse);
    let bad = reader.problems().cloned().collect();
    (entries, bad)
}

/// Read position in a growing file, and its bad lines.
#[derive(Clone, Debug, Default)]
pub struct LineReader {
    /// Number of bytes read so far: complete lines, plus complete entries of an unfinished last
    /// line.
    done: u64,
    lines: u64,
    bad: Vec<BadLine>,
    /// Error of an unfinished last line, which another program may still be writing.
    torn: Option<BadLine>,
}

impl LineReader {
    /// Returns the number of bytes read so far; the next text must start at this offset.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Returns the bad lines found so far.
    pub fn problems(&self) -> impl Iterator<Item = &BadLine> {
        self.bad.iter().chain(&self.torn)
    }

    /// Reports why the rest of the file is not read.
    pub fn report_unread_rest(&mut self, what: String) {
        let line = self.lines + 1;
        self.torn = Some(BadLine { line, what });
    }

    /// Parses text that starts at offset [`LineReader::done`], and returns its entries. An
    /// unfinished last line is parsed again in the next call.
    pub fn parse<T, E: Display>(
        &mut self,
        text: &[u8],
        mut parse: impl FnMut(&[u8]) -> Result<T, E>,
    ) -> Vec<T> {
        let mut entries = Vec::new();
        self.torn = None;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let has_end = line.ends_with(b"\n");
            let mut read = |part: Part| match part.proof {
                CheckResult::Failed => Err(CHANGED.to_owned()),
                CheckResult::Whole | CheckResult::Absent => {
                    let text = line.get(part.start..part.end).unwrap_or_default();
                    parse(text).map_err(|error| error.to_string())
                }
            };
            let read: Vec<(Part, Result<T, String>)> = parts(line)
                .into_iter()
                .map(|part| (part, read(part)))
                .collect();
            let whole = read.iter().rposition(|(_, entry)| entry.is_ok());
            let usable = if has_end {
                read.len()
            } else {
                whole.map_or(0, |last| last + 1)
            };
            let is_torn = usable < read.len();
            let mut end = 0;
            let number = self.lines + 1;
            for (part, entry) in read.into_iter().take(usable) {
                end = part.end;
                match entry {
                    Ok(entry) => entries.push(entry),
                    Err(what) => self.bad.push(BadLine { line: number, what }),
                }
            }
            if is_torn {
                let what = TORN.to_owned();
                self.torn = Some(BadLine { line: number, what });
                self.done += end as u64;
                return entries;
            }
            self.done += line.len() as u64;
            // A complete entry without line break is counted as a line when its line break arrives.
            self.lines += u64::from(has_end);
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::check::stamped;

    /// Builds a stamped line with a number and a text of varying length.
    fn line(number: usize) -> Vec<u8> {
        let object = serde_json::json!({"n": number, "text": "ä\"}{".repeat(number % 7)});
        let mut line = stamped(object.to_string().as_bytes());
        line.push(b'\n');
        line
    }

    fn parse(line: &[u8]) -> Result<u64, String> {
        let json: serde_json::Value =
            serde_json::from_slice(line).map_err(|error| error.to_string())?;
        json["n"].as_u64().ok_or_else(|| "no number".to_owned())
    }

    #[test]
    fn half_a_line_waits_and_what_is_whole_in_it_is_read_once() {
        let (one, two, three) = (line(1), line(2), line(3));
        let mut reader = LineReader::default();
        let merged = [&one[..9], &two[..two.len() - 1], &three[..7]].concat();
        assert_eq!(reader.parse(&merged, parse), [2]);
        let said = |reader: &LineReader| -> Vec<(u64, bool)> {
            let problems = reader.problems();
            problems.map(|bad| (bad.line, bad.what == TORN)).collect()
        };
        assert_eq!(said(&reader), [(1, false), (1, true)]);
        let left = [&three[..7], b"\n", &one].concat();
        assert_eq!(reader.done() as usize, merged.len() - 7);
        assert_eq!(reader.parse(&left, parse), [1]);
        assert_eq!(said(&reader), [(1, false), (1, false)]);
    }

    #[test]
    fn lines_of_earlier_versions_have_no_check() {
        let (entries, bad) = read_lines(b"{\"n\":1}\n\n{\"n\":2}", parse);
        assert_eq!((entries, bad), (vec![1, 2], Vec::new()));
    }

    proptest! {
        /// If one byte is changed, lost or doubled, every other line is still read.
        #[test]
        fn damage_stays_in_its_line(
            count in 2..9_usize,
            share in 0.0..1.0_f64,
            byte in any::<u8>(),
            how in 0..3_u8,
        ) {
            let lines: Vec<Vec<u8>> = (0..count).map(line).collect();
            let mut text = lines.concat();
            let at = (text.len() as f64 * share) as usize;
            match how {
                0 => text[at] = byte,
                1 => drop(text.remove(at)),
                _ => text.insert(at, byte),
            }
            let mut end = 0;
            let hit = lines.iter().position(|line| {
                end += line.len();
                at < end
            });
            let (entries, bad) = read_lines(&text, parse);
            let others = (0..count).filter(|number| Some(*number) != hit);
            for number in others {
                let times = entries.iter().filter(|entry| **entry == number as u64).count();
                prop_assert_eq!(times, 1, "{} {:?}", number, bad);
            }
            // A missing entry must be reported.
            prop_assert!(entries.len() == count || !bad.is_empty());
            prop_assert!(entries.len() >= count - 1 && entries.len() <= count);
        }

        /// A text read in pieces of any size gives the same entries as the whole text.
        #[test]
        fn pieces_are_read_as_the_whole(cuts in proptest::collection::vec(0.0..1.0_f64, 0..6), torn in any::<bool>()) {
            let mut text = (0..5).map(line).collect::<Vec<_>>().concat();
            if torn {
                let half = line(9);
                text.splice(40..40, half[..half.len() / 2].iter().copied());
            }
            let whole = read_lines(&text, parse);
            let mut ends: Vec<usize> = cuts.iter().map(|cut| (text.len() as f64 * cut) as usize).collect();
            ends.push(text.len());
            ends.sort_unstable();
            let mut reader = LineReader::default();
            let mut entries = Vec::new();
            for end in ends {
                let from = reader.done() as usize;
                entries.extend(reader.parse(&text[from..end.max(from)], parse));
            }
            prop_assert_eq!(entries, whole.0);
            prop_assert_eq!(reader.problems().cloned().collect::<Vec<_>>(), whole.1);
        }
    }
}
