//! Replaces symbols on the screen by ASCII characters, for terminals without UTF-8.

use ratatui::buffer::Buffer;
use unicode_normalization::UnicodeNormalization;

/// Substitute for a symbol without a similar ASCII character.
const UNKNOWN: char = '?';
/// Kitty's Unicode placeholder for a cell of a picture.
const PICTURE: char = '\u{10eeee}';

/// Returns true if the locale supports only ASCII: `C`, `POSIX`, or a character set other than
/// UTF-8.
///
/// The locale is the first non-empty value of `LC_ALL`, `LC_CTYPE` and `LANG`. If all are empty,
/// UTF-8 is assumed. `variable` reads an environment variable.
pub fn is_promised(variable: impl Fn(&str) -> Option<String>) -> bool {
    let settings = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let mut settings = settings.filter_map(|name| variable(name).filter(|value| !value.is_empty()));
    settings.next().is_some_and(|locale| {
        let (name, charset) = locale.split_once('.').unwrap_or((&locale, ""));
        let charset = charset.split('@').next().unwrap_or_default();
        let is_utf_8 = charset.replace('-', "").eq_ignore_ascii_case("utf8");
        match charset {
            "" => matches!(name, "C" | "POSIX"),
            _ => !is_utf_8,
        }
    })
}

/// Replaces every symbol that is not ASCII, except pictures.
pub fn replace(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        let is_picture = symbol.contains(['\x1b', PICTURE]);
        if !symbol.is_ascii() && !is_picture {
            let sign = symbol.chars().next().map_or(UNKNOWN, of);
            cell.set_char(sign);
        }
    }
}

/// Returns the ASCII character that looks most similar.
#[expect(clippy::match_same_arms, reason = "similar characters stand together")]
fn of(sign: char) -> char {
    match sign {
        '═' => '=',
        '║' | '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '╵' | '╷' | '╹' | '╻' => {
            '|'
        }
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '╴' | '╶' | '╸' | '╺' => {
            '-'
        }
        '\u{2500}'..='\u{257f}' => '+',
        '▀' => '"',
        '▁'..='▄' => '_',
        '▅'..='▋' | '■' | '▨' => '#',
        '▌'..='▏' | '▐' => '|',
        '░' => '.',
        '▒' => ':',
        '▓' => '%',
        '●' | '◆' | '★' | '•' => '*',
        '○' | '◇' => 'o',
        '▸' | '▶' | '►' | '▷' | '→' | '›' | '»' | '≥' => '>',
        '◂' | '◀' | '◄' | '◁' | '←' | '‹' | '«' | '≤' | '↵' => '<',
        '▲' | '▴' | '△' | '↑' => '^',
        '▼' | '▾' | '▽' | '↓' => 'v',
        '⇄' | '↔' | '≡' => '=',
        '≠' => '!',
        '≈' | '±' | '∼' => '~',
        '✓' => '+',
        '✗' | '×' => 'x',
        '°' => '*',
        '½' => 'h',
        '·' | '…' => '.',
        '\u{2010}'..='\u{2015}' | '−' => '-',
        '‘' | '’' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '\u{2800}'..='\u{28ff}' => dots(sign),
        other => letter(other),
    }
}

/// Returns an ASCII character that resembles a braille pattern of eight dots.
fn dots(sign: char) -> char {
    // Bits of the dots in the upper two rows; the remaining bits are the lower two rows.
    const UPPER: u32 = 0b0001_1011;
    let bits = u32::from(sign) - 0x2800;
    match (bits & UPPER > 0, bits & !UPPER > 0) {
        (false, false) => ' ',
        (true, false) => '\'',
        (false, true) => '.',
        (true, true) => ':',
    }
}

/// Returns a letter without its diacritics.
fn letter(sign: char) -> char {
    let plain = sign.nfkd().next().filter(char::is_ascii);
    plain.unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn replaced(text: &str) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
        buffer.set_string(0, 0, text, Style::new());
        replace(&mut buffer);
        let symbols = buffer.content.iter().map(ratatui::buffer::Cell::symbol);
        symbols.collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn lines_arrows_and_letters_have_their_like() {
        assert_eq!(replaced("┌─┬─┐│a│ ▸ ↑ ✓ ✗ …"), "+-+-+|a| > ^ + x .");
        assert_eq!(replaced("é 0.674 ±.008 ≤ 3"), "e 0.674 ~.008 < 3");
        assert_eq!(replaced("⠀⠁⡀⣿"), " '.:");
    }

    /// A wide character still takes two columns.
    #[test]
    fn other_scripts_keep_their_place() {
        assert_eq!(replaced("选a"), "? a");
    }

    #[test]
    fn pictures_stay() {
        for symbol in ["\x1b_Ga=T;é\x1b\\", "\u{10eeee}\u{305}"] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
            buffer.content[0].set_symbol(symbol);
            replace(&mut buffer);
            assert_eq!(buffer.content[0].symbol(), symbol);
        }
    }

    #[test]
    fn the_first_setting_that_is_made_counts() {
        let promised = |pairs: &[(&str, &str)]| {
            is_promised(|name| {
                let found = pairs.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(promised(&[("LANG", "C")]));
        assert!(promised(&[("LC_ALL", "POSIX"), ("LANG", "de_DE.UTF-8")]));
        assert!(promised(&[("LANG", "de_DE.ISO-8859-1@euro")]));
        assert!(!promised(&[]));
        assert!(!promised(&[("LC_ALL", ""), ("LANG", "C.UTF-8")]));
        assert!(!promised(&[("LC_CTYPE", "en_US.utf8"), ("LANG", "C")]));
        assert!(!promised(&[("LANG", "de_DE")]));
    }
}
