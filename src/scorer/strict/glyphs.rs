//! Converts characters to plain characters: full-width, circled, bold or curly forms of a letter
//! become the letter.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::python;

/// Calls `take` with each plain character that replaces the first character of `text` and its
/// combining marks. Returns the number of bytes read.
pub(super) fn plain(text: &str, mut take: impl FnMut(char)) -> usize {
    let mut characters = text.chars();
    let Some(first) = characters.next() else {
        return 0;
    };
    if first.is_ascii() && !characters.clone().next().is_some_and(is_combining_mark) {
        take(first);
        return 1;
    }
    if let Some(replaced) = replaced(first) {
        replaced.chars().for_each(take);
        return first.len_utf8();
    }
    if let Some(letter) = enclosed(first) {
        take(letter);
        return first.len_utf8();
    }
    let marks = characters.take_while(|mark| is_combining_mark(*mark));
    let length = first.len_utf8() + marks.map(char::len_utf8).sum::<usize>();
    let cluster = text.get(..length).unwrap_or_default();
    for character in cluster.nfkc() {
        take(match character {
            '\u{2044}' => '/',
            other => python::ascii_digit(other),
        });
    }
    length
}

/// Replaces quotes, dashes, points and fractions by plain characters; removes invisible characters.
fn replaced(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{200b}'..='\u{200f}'
        | '\u{2060}'..='\u{2064}'
        | '\u{feff}'
        | '\u{ad}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{20e3}'
        | '\u{202a}'..='\u{202e}' => "",
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' | '《' | '》' => {
            "\""
        }
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | '´' => "'",
        '‐' | '‑' | '−' | '－' | '﹣' | '⁃' => "-",
        '–' | '‒' => "–",
        '—' | '―' => "—",
        '。' | '｡' | '٫' => ".",
        '、' | '٬' => ",",
        '【' | '〔' | '［' => "[",
        '】' | '〕' | '］' => "]",
        '〜' | '～' | '≈' | '∼' | '≃' | '≅' => "~",
        '½' => " 1/2",
        '⅓' => " 1/3",
        '⅔' => " 2/3",
        '¼' => " 1/4",
        '¾' => " 3/4",
        '⅕' => " 1/5",
        '⅖' => " 2/5",
        '⅗' => " 3/5",
        '⅘' => " 4/5",
        '⅛' => " 1/8",
        '⅜' => " 3/8",
        '⅝' => " 5/8",
        '⅞' => " 7/8",
        '⁰' => "^0",
        '¹' => "^1",
        '²' => "^2",
        '³' => "^3",
        '⁴' => "^4",
        '⁵' => "^5",
        '⁶' => "^6",
        '⁷' => "^7",
        '⁸' => "^8",
        '⁹' => "^9",
        '⁻' => "^-",
        _ => return None,
    })
}

/// Converts letters in circles, squares and boxes, and numbers in dark circles, which Unicode does
/// not decompose.
fn enclosed(character: char) -> Option<char> {
    let code = u32::from(character);
    let letter = |first: u32| char::from_u32(u32::from('A') + code - first);
    match code {
        0x1_f150..=0x1_f169 => letter(0x1_f150),
        0x1_f170..=0x1_f189 => letter(0x1_f170),
        0x1_f1e6..=0x1_f1ff => letter(0x1_f1e6),
        0x2776..=0x277e => char::from_digit(code - 0x2775, 10),
        _ => None,
    }
}

/// Converts a Cyrillic or Greek capital letter to the Latin letter that looks the same.
pub(super) fn lookalike(character: char) -> char {
    match character {
        'А' | 'Α' => 'A',
        'В' | 'Β' => 'B',
        'С' => 'C',
        'Е' | 'Ε' => 'E',
        'Н' | 'Η' => 'H',
        'І' | 'Ι' => 'I',
        other => other,
    }
}
