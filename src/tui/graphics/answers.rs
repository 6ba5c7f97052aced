//! Parses the terminal's answers to the query for picture protocols.
//!
//! Environment variables are passed over SSH and inherited by other terminals. Therefore only an
//! answer of the terminal selects a protocol.

use super::query::PictureUse;

/// Maximum length of a terminal's name, in characters; the rest is cut off.
const NAME: usize = 60;
/// Name prefixes of terminals with kitty's protocol but without its Unicode placeholders.
const NO_PLACEHOLDERS: [&str; 5] = ["WezTerm", "Konsole", "iTerm2", "Warp", "xterm.js"];
/// Name prefixes of terminals that show iTerm2's images better than sixels.
const ITERM2_FIRST: [&str; 2] = ["iTerm2", "WezTerm"];
/// Name prefixes of other terminals with iTerm2's images.
const ITERM2: [&str; 2] = ["mintty", "Warp"];
/// Device attribute (DA1 parameter) for sixel.
const SIXEL: &str = "4";

/// Capabilities found in a terminal's answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, not states"
)]
pub(super) struct Answers {
    /// True if the terminal answered any query.
    pub(super) any: bool,
    /// True if kitty's graphics protocol is supported.
    pub(super) kitty: bool,
    /// True if the device attributes list sixel.
    pub(super) sixel: bool,
    /// True if iTerm2's capabilities list `F` (files).
    pub(super) files: bool,
    /// Width and height of a cell in pixels, neither zero.
    pub(super) cell: Option<(u16, u16)>,
    /// Name and version in printable ASCII, cut to a maximum length.
    pub(super) name: Option<String>,
}

/// The best protocol, by the reason for choosing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BestProtocol {
    /// The kitty query was answered.
    Kitty,
    /// The terminal's name is known to support iTerm2's images.
    Iterm2ByName,
    /// iTerm2's capabilities list files.
    Iterm2ByFiles,
    /// The device attributes list sixel.
    Sixel,
}

impl Answers {
    /// Parses one complete answer.
    pub(super) fn add(&mut self, answer: &[u8]) {
        self.any = true;
        let text = String::from_utf8_lossy(answer);
        let text = text.trim_end_matches("\x1b\\").trim_end_matches('\x07');
        if let Some(name) = text.strip_prefix("\x1bP>|") {
            let letters = name.chars().filter(|c| c.is_ascii_graphic() || *c == ' ');
            let name: String = letters.take(NAME).collect();
            self.name = Some(name).filter(|name| !name.trim().is_empty());
        } else if let Some(codes) = text.strip_prefix("\x1b]1337;Capabilities=") {
            self.files |= has_files(codes);
        } else if text == "\x1b_Gi=31;OK" {
            self.kitty = true;
        } else if let Some(attributes) = text.strip_prefix("\x1b[?") {
            let attributes = attributes.strip_suffix('c').unwrap_or_default();
            self.sixel |= attributes.split(';').any(|one| one == SIXEL);
        } else if let Some(size) = text.strip_prefix("\x1b[6;") {
            let size = size.strip_suffix('t').unwrap_or_default();
            let size = size.split_once(';').map(|(height, width)| [width, height]);
            if let Some([Ok(width @ 1..), Ok(height @ 1..)]) = size.map(|size| size.map(str::parse))
            {
                self.cell = Some((width, height));
            }
        }
    }

    /// Returns the best protocol that the answers allow; `None` for no pixel protocol.
    pub(super) fn best(&self, wanted: PictureUse) -> Option<BestProtocol> {
        let name = self.name.as_deref().unwrap_or_default();
        let is_one_of = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
        let has_kitty = self.kitty && (wanted == PictureUse::Once || !is_one_of(&NO_PLACEHOLDERS));
        match () {
            // Scaling a picture needs the cell size.
            () if self.cell.is_none() => None,
            () if has_kitty => Some(BestProtocol::Kitty),
            () if is_one_of(&ITERM2_FIRST) => Some(BestProtocol::Iterm2ByName),
            () if self.sixel => Some(BestProtocol::Sixel),
            () if is_one_of(&ITERM2) => Some(BestProtocol::Iterm2ByName),
            () if self.files => Some(BestProtocol::Iterm2ByFiles),
            () => None,
        }
    }
}

/// Returns true if iTerm2's capabilities contain the code `F`. A code is a capital letter
/// followed by small letters and digits.
fn has_files(codes: &str) -> bool {
    let mut codes = codes.chars().peekable();
    while let Some(letter) = codes.next() {
        let is_alone = !codes.peek().is_some_and(char::is_ascii_lowercase);
        if letter == 'F' && is_alone {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(all: &[&str]) -> Answers {
        let mut answers = Answers::default();
        for one in all {
            answers.add(one.as_bytes());
        }
        answers
    }

    #[test]
    fn each_answer_is_read() {
        assert!(answers(&["\x1b_Gi=31;OK\x1b\\"]).kitty);
        assert!(!answers(&["\x1b_Gi=31;ENOTSUPPORTED:\x1b\\"]).kitty);
        for attributes in ["\x1b[?62;4;22c", "\x1b[?1;2;4c", "\x1b[?4c"] {
            assert!(answers(&[attributes]).sixel, "{attributes:?}");
        }
        for attributes in ["\x1b[?62;1;2;24;42c", "\x1b[?1;2c", "\x1b[?64;44c"] {
            assert!(!answers(&[attributes]).sixel, "{attributes:?}");
        }
        assert_eq!(answers(&["\x1b[6;20;10t"]).cell, Some((10, 20)));
        assert_eq!(answers(&["\x1b[6;0;0t"]).cell, None);
        assert_eq!(answers(&["\x1b[4;720;1200t"]).cell, None);
        let named = answers(&["\x1bP>|WezTerm 20240203\x1b\\"]);
        assert_eq!(named.name.as_deref(), Some("WezTerm 20240203"));
        assert!(answers(&["\x1b[0n"]).any && !answers(&[]).any);
    }

    #[test]
    fn a_file_is_a_code_of_its_own() {
        for (codes, has) in [
            ("T3LrMSc7UUw9Ts3BFGsGoSyHNoSxF", true),
            ("F", true),
            ("T2Fx", false),
            ("", false),
        ] {
            for end in ["\x07", "\x1b\\"] {
                let answer = format!("\x1b]1337;Capabilities={codes}{end}");
                assert_eq!(answers(&[&answer]).files, has, "{answer:?}");
            }
        }
    }

    #[test]
    fn a_name_is_short_and_plain() {
        let long = format!("\x1bP>|\u{202e}a\tb{}\x1b\\", "c".repeat(500));
        let name = answers(&[&long]).name.unwrap();
        assert!(name.starts_with("abc") && name.len() == NAME, "{name}");
    }
}
