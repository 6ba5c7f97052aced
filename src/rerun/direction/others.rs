//! Words that say a direction or a place without naming one of the four sides.

use super::context::Context;
use super::lexicon::{PICTURES, is_one};
use super::passage::Passage;
use super::sense::{Sense, like};
use media::Orientation;

/// `horizontal` and its like, by pairs.
const AXES: [[&str; 2]; 2] = [["horizontal", "vertical"], ["horizontally", "vertically"]];
/// Things that are called horizontal or vertical.
const NAMED: &[&str] = &[
    "stabilizer",
    "stabilizers",
    "stabiliser",
    "take",
    "takeoff",
    "farming",
    "blinds",
    "blind",
    "integration",
    "fin",
    "tail",
];
/// Points of the compass.
const COMPASS: &[&str] = &[
    "north",
    "south",
    "east",
    "west",
    "northern",
    "southern",
    "eastern",
    "western",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
    "northward",
    "southward",
    "eastward",
    "westward",
    "northwards",
    "southwards",
    "eastwards",
    "westwards",
    "northbound",
    "southbound",
    "eastbound",
    "westbound",
    "ne",
    "nw",
    "sw",
];
/// Ordinals.
const ORDINALS: &[&str] = &[
    "first", "second", "third", "fourth", "fifth", "sixth", "last", "1st", "2nd", "3rd", "4th",
    "5th", "middle", "each",
];
/// Directions in languages whose words are not turned.
const FOREIGN: &[&str] = &[
    "gauche",
    "droite",
    "izquierda",
    "derecha",
    "arriba",
    "abajo",
    "rechts",
    "oben",
    "unten",
    "esquerda",
    "direita",
    "sinistra",
    "destra",
    "слева",
    "справа",
    "сверху",
    "снизу",
    "왼쪽",
    "오른쪽",
];

/// The sense of a word that is none of the four sides; `None`: it has nothing to do with directions. `follows`: the
/// word before it has just been turned.
pub fn sense(
    passage: &Passage<'_>,
    at: usize,
    context: &Context,
    by: Orientation,
    follows: bool,
) -> Option<Sense> {
    let word = passage.word(at);
    let next = passage.after(at, 1);
    let back = passage.before(at, 1);
    let asks_of_picture = || context.has(&["image", "picture", "photo", "photograph"]);
    if let Some(pair) = AXES.into_iter().find(|pair| is_one(word, pair)) {
        return by.is_sideways().then(|| {
            if is_one(next, NAMED) {
                return Sense::Stays;
            }
            let other = pair[usize::from(word == pair[0])];
            Sense::Turns(passage.range(at), like(passage.written(at), other))
        });
    }
    if is_one(word, &["row", "column", "rows", "columns"]) {
        return lines(passage, at, by, follows);
    }
    let doubt = match () {
        () if is_one(word, COMPASS) => {
            is_compass(passage, at, context).then_some("a point of the compass")
        }
        () if is_one(word, &["o'clock"]) && context.has(&["direction", "position"]) => {
            Some("a direction of the clock")
        }
        () if is_one(
            word,
            &["clockwise", "counterclockwise", "anticlockwise", "counter"],
        ) && by.is_mirrored() =>
        {
            Some("a sense of rotation")
        }
        () if is_one(
            word,
            &[
                "rotated", "rotation", "rotate", "tilted", "upright", "flipped", "mirrored",
                "inverted",
            ],
        ) && asks_of_picture()
            && is_about_picture(passage, at) =>
        {
            Some("how the picture itself lies")
        }
        () if word == "upright" => Some("how something stands in the picture"),
        () if word == "coordinate" && is_one(back, &["x", "y"]) => Some("a single coordinate"),
        () if is_one(word, &["width", "height"])
            && by.is_sideways()
            && next == "of"
            && passage
                .nouns_of(at + 1)
                .iter()
                .any(|noun| is_one(noun, PICTURES)) =>
        {
            Some("width or height of the picture")
        }
        () if is_one(word, FOREIGN)
            || word.contains(['左', '右', '上', '下']) && has_foreign_side(word) =>
        {
            Some("a direction in a language that is not turned")
        }
        () => None,
    };
    doubt.map(Sense::Doubt)
}

/// Rows become columns beside a word that was turned; a count of them is none of a turned picture.
fn lines(passage: &Passage<'_>, at: usize, by: Orientation, follows: bool) -> Option<Sense> {
    if !by.is_sideways() && follows {
        return None;
    }
    let word = passage.word(at);
    let back = passage.before(at, 1);
    if follows {
        let other = match word {
            "row" => "column",
            "column" => "row",
            "rows" => "columns",
            _ => "rows",
        };
        return Some(Sense::Turns(
            passage.range(at),
            like(passage.written(at), other),
        ));
    }
    let numbered = is_one(back, ORDINALS)
        || passage
            .after(at, 1)
            .starts_with(|sign: char| sign.is_ascii_digit());
    let counted = is_one(back, &["many", "which", "what", "same"]) && by.is_sideways();
    (numbered || counted).then_some(Sense::Doubt("rows or columns by their number"))
}

/// A point of the compass; a name such as South Park is none.
fn is_compass(passage: &Passage<'_>, at: usize, context: &Context) -> bool {
    let written = passage.written(at);
    if is_one(passage.word(at), &["ne", "nw", "sw"]) {
        return written == written.to_uppercase()
            && context.has(&["direction", "north", "compass"]);
    }
    let is_name = written.starts_with(char::is_uppercase)
        && at > 0
        && passage.gap_before(at).trim().is_empty()
        && !context.has(&["direction", "compass"]);
    !is_name
}

/// `Is the image rotated?`, but not `the wheel is rotated`.
fn is_about_picture(passage: &Passage<'_>, at: usize) -> bool {
    let near = (at.saturating_sub(5)..(at + 6).min(passage.len())).map(|near| passage.word(near));
    near.into_iter()
        .any(|word| is_one(word, &["image", "picture", "photo", "photograph"]))
}

/// Compounds of a side in Chinese or Japanese.
fn has_foreign_side(word: &str) -> bool {
    const SIDES: [&str; 16] = [
        "左边",
        "右边",
        "左侧",
        "右侧",
        "左上",
        "右上",
        "左下",
        "右下",
        "上方",
        "下方",
        "上面的",
        "上边",
        "下边",
        "左",
        "右",
        "左方",
    ];
    SIDES.iter().any(|side| word.contains(side))
}
