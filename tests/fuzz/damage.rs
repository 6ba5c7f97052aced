//! Damages texts and bytes.

use super::dice::Dice;

/// Values that are difficult for readers.
pub const TOKENS: [&str; 44] = [
    "null",
    "true",
    "NaN",
    "-Infinity",
    "1e999",
    "-1e999",
    "1e-400",
    "-0",
    "0",
    "-1",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1.7976931348623157e308",
    "999999999999999999999999999999999999",
    "0.1e",
    "\"\"",
    "[]",
    "{}",
    "[[[[",
    "{\"a\":",
    "]",
    "}",
    "\"",
    "\\",
    ",",
    ":",
    "\n",
    "\r\n",
    "\t",
    "\\u0000",
    "\\ud800",
    "\u{1b}]0;t\u{7}",
    "\u{202e}",
    "\u{feff}",
    "\u{0}",
    "é",
    "🦀",
    "[0,0,1,1]",
    "(1, 2)",
    "A. B. C.",
    "1,234",
    "twenty-one",
];
/// Maximum length of a text after repetitions.
const LONGEST: usize = 400_000;
/// Nesting depths of values.
const DEPTHS: [usize; 4] = [3, 130, 3_000, 100_000];

/// Damages a text at one to four places.
pub fn text(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=dice.below(4) {
        once(dice, &mut bytes);
    }
    bytes
}

/// Damages a text at one place.
pub fn place(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    once(dice, &mut bytes);
    bytes
}

/// Damages bytes without regard to lines or values: only bit flips, cuts and copies.
pub fn bytes(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=dice.below(6) {
        match dice.below(9) {
            8 => varint(dice, &mut bytes),
            0..=3 => set(dice, &mut bytes),
            4 => integer(dice, &mut bytes),
            5 => copy(dice, &mut bytes),
            6 => cut(dice, &mut bytes),
            _ => truncate(dice, &mut bytes),
        }
    }
    bytes
}

fn once(dice: &mut Dice, bytes: &mut Vec<u8>) {
    match dice.below(16) {
        0 | 1 => set(dice, bytes),
        2 => cut(dice, bytes),
        3 => copy(dice, bytes),
        4 => truncate(dice, bytes),
        5 | 6 => insert(dice, bytes),
        7 => lines(dice, bytes),
        8..=10 => value(dice, bytes, u8::is_ascii_digit),
        11 | 12 => value(dice, bytes, |byte| !b"\"\n{}[]:,".contains(byte)),
        13 => nest(dice, bytes),
        14 => repeat(dice, bytes),
        _ => swap(dice, bytes),
    }
}

fn set(dice: &mut Dice, bytes: &mut [u8]) {
    let (at, byte, is_bit) = (dice.below(bytes.len()), dice.byte(), dice.one_in(2));
    if let Some(found) = bytes.get_mut(at) {
        *found = if is_bit {
            *found ^ (1 << (byte % 8))
        } else {
            byte
        };
    }
}

/// Overwrites 1, 2, 4 or 8 bytes with a number.
fn integer(dice: &mut Dice, bytes: &mut [u8]) {
    let width = 1_usize << dice.below(4);
    let number = [
        0,
        1,
        0x7f,
        0xff,
        0xffff,
        0x7fff_ffff,
        0xffff_ffff,
        u64::MAX >> 1,
        u64::MAX,
    ][dice.below(9)];
    let at = dice.below(bytes.len());
    for (found, byte) in bytes
        .iter_mut()
        .skip(at)
        .take(width)
        .zip(number.to_le_bytes())
    {
        *found = byte;
    }
}

/// Replaces one byte by a large varint, which has seven bits per byte, as in Thrift and Protocol
/// Buffers.
fn varint(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let long = 1 + dice.below(9);
    let at = dice.below(bytes.len());
    let end = bytes.len().min(at + 1);
    let number = std::iter::repeat_n(0xff, long).chain([dice.byte() & 0x0f]);
    bytes.splice(at..end, number);
}

fn cut(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let stretch = dice.stretch(bytes.len());
    bytes.drain(stretch);
}

fn copy(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let piece = bytes[dice.stretch(bytes.len())].to_vec();
    let at = dice.below(bytes.len() + 1);
    bytes.splice(at..at, piece);
}

fn truncate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    bytes.truncate(dice.below(bytes.len() + 1));
}

fn insert(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let at = dice.below(bytes.len() + 1);
    bytes.splice(at..at, dice.pick(&TOKENS).bytes());
}

/// Duplicates, moves or removes a line.
fn lines(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let (from, to) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(3) {
        _ if lines.is_empty() => {}
        0 => {
            let line = lines[from];
            lines.splice(to..to, std::iter::repeat_n(line, 1 + dice.below(20)));
        }
        1 => lines.swap(from, to),
        _ => drop(lines.remove(from)),
    }
    *bytes = lines.concat();
}

/// Replaces a number, a word or a quoted text.
fn value(dice: &mut Dice, bytes: &mut Vec<u8>, belongs: impl Fn(&u8) -> bool) {
    let start = dice.below(bytes.len());
    let Some(start) = bytes
        .iter()
        .skip(start)
        .position(&belongs)
        .map(|at| start + at)
    else {
        return;
    };
    let first = bytes[..start].iter().rposition(|byte| !belongs(byte));
    let mut first = first.map_or(0, |at| at + 1);
    let last = bytes[start..].iter().position(|byte| !belongs(byte));
    let mut last = last.map_or(bytes.len(), |at| start + at);
    let quoted = first > 0 && bytes[first - 1] == b'"' && bytes.get(last) == Some(&b'"');
    if quoted && dice.one_in(2) {
        (first, last) = (first - 1, last + 1);
    }
    bytes.splice(first..last, dice.pick(&TOKENS).bytes());
}

fn nest(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let (at, depth) = (
        dice.below(bytes.len() + 1),
        DEPTHS[dice.below(DEPTHS.len())],
    );
    let opening = dice.pick(&["[", "{\"a\":", "(", "<a>", "not "]);
    bytes.splice(at..at, opening.repeat(depth).into_bytes());
}

fn repeat(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let stretch = dice.stretch(bytes.len());
    let piece = bytes[stretch.clone()].to_vec();
    let most = LONGEST / piece.len().max(1);
    let times = dice.below(most.min(20_000) + 1);
    bytes.splice(stretch, piece.repeat(times));
}

fn swap(dice: &mut Dice, bytes: &mut [u8]) {
    let (a, b) = (dice.below(bytes.len()), dice.below(bytes.len()));
    if !bytes.is_empty() {
        bytes.swap(a, b);
    }
}
