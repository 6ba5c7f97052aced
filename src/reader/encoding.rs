//! Detects UTF-16 from the first bytes of a file. Spreadsheets and PowerShell write UTF-16.

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE};

/// Number of bytes to examine if there is no byte order mark.
const LOOKED_AT: usize = 256;

/// An encoding other than UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16, low byte first.
    LittleEndian,
    /// UTF-16, high byte first.
    BigEndian,
}

impl Encoding {
    /// Detects the encoding from the first bytes; `None` for UTF-8 and binary data.
    pub fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\xff\xfe") {
            return Some(Self::LittleEndian);
        }
        if head.starts_with(b"\xfe\xff") {
            return Some(Self::BigEndian);
        }
        let head = head.get(..head.len().min(LOOKED_AT)).unwrap_or_default();
        let (units, _) = head.as_chunks::<2>();
        // A log starts with ASCII text (JSON or a header), so in UTF-16 nearly every second byte is
        // 0.
        let plain = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let is = |low: usize, high: usize| {
            let ascii = |unit: &&[u8; 2]| unit[high] == 0 && plain(unit[low]);
            let count = units.iter().filter(ascii).count();
            let first = units.first().is_some_and(|unit| ascii(&unit));
            units.len() > 1 && first && 2 * count > units.len()
        };
        if is(0, 1) {
            Some(Self::LittleEndian)
        } else if is(1, 0) {
            Some(Self::BigEndian)
        } else {
            None
        }
    }

    /// Returns a decoder that removes the byte order mark.
    pub fn decoder(self) -> Decoder {
        let encoding = match self {
            Self::LittleEndian => UTF_16LE,
            Self::BigEndian => UTF_16BE,
        };
        encoding.new_decoder_with_bom_removal()
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;

    #[test]
    fn other_files_are_not_taken_for_utf_16() {
        let heads: [&[u8]; 6] = [
            b"",
            b"{\"a\": 1}",
            b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
            b"PAR1\x15\x04\x15\x00",
            b"ARROW1\x00\x00\xff\xff\xff\xff",
            b"\x00\x00\x00\x00",
        ];
        for head in heads {
            assert_eq!(Encoding::of(head), None, "{head:?}");
        }
        assert_eq!(
            Encoding::of(b"{\0\"\0a\0\"\0"),
            Some(Encoding::LittleEndian)
        );
        assert_eq!(Encoding::of(b"\0{\0\"\0a\0\""), Some(Encoding::BigEndian));
    }
}
