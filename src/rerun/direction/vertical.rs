//! `top`, `bottom`, `upper`, `lower`, `above`, `below`, `up` and `down`.

use super::lexicon::{
    Family, OF_THINGS, PARTS, PICTURES, PLANE_MOTIONS, SAID, SCALES, SLOPES, TALL, is_one, single,
};
use super::sense::{Around, Sense};

/// Clothes and furniture before `top` and `bottom`.
const WORN: &[&str] = &[
    "tank",
    "crop",
    "halter",
    "tube",
    "pajama",
    "pyjama",
    "bikini",
    "tree",
    "table",
    "desk",
    "counter",
    "roll",
    "big",
    "mountain",
    "hill",
    "roof",
    "roofs",
    "flat",
    "hard",
    "soft",
    "screw",
    "rock",
    "river",
    "cook",
    "stove",
    "lap",
    "tree",
    "sleeveless",
    "striped",
];
/// Prepositions of places.
const PLACES: &[&str] = &[
    "at", "near", "in", "to", "toward", "towards", "along", "around", "by", "on",
];
/// What is seen from.
const SEEN: &[&str] = &[
    "view",
    "viewed",
    "seen",
    "looking",
    "look",
    "taken",
    "photographed",
    "captured",
    "shot",
    "views",
    "image",
];
/// Before a thing.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their", "another",
    "each", "or", "and",
];
/// Before `up` and `down`, or behind them.
const UP_OBJECTS: &[&str] = &["arrow", "arrows"];

/// The sense of one of these words.
pub fn sense(around: &Around<'_>) -> Sense {
    match around.word() {
        "top" | "bottom" => ends(around),
        "upper" | "lower" => halves(around),
        "above" | "below" => relation(around),
        _ => ways(around),
    }
}

/// Whether a single word, or one of a list, says a direction.
fn alone(around: &Around<'_>, family: Family) -> Sense {
    if around.context.has_other_than(around.word()) || around.context.asks_where() {
        around.direction(family, 0, 0)
    } else {
        Sense::Doubt("a single word that may say a direction")
    }
}

fn ends(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = back == "the" && is_one(around.back(2), PLACES);
    match () {
        () if is_one(next, &["down", "up", "view", "views"]) => Sense::Stays,
        () if is_one(back, WORN) || back.ends_with("'s") || is_one(back, &["her", "his"]) => {
            Sense::Stays
        }
        () if is_one(next, &["to", "or", "and"]) && single(around.next(2)).is_some() => at(around),
        () if back == "on" && around.word() == "top" => Sense::Stays,
        () if is_one(next, OF_THINGS) || digits(next) => Sense::Stays,
        () if next == "of" => of(around),
        () if back == "the"
            && around.back(2) == "from"
            && next != "of"
            && is_one(around.back(3), SEEN) =>
        {
            Sense::Stays
        }
        () if is_one(next, PARTS) || is_one(next, PICTURES) => at(around),
        () if around.is_alone() || around.is_listed() => alone(around, Family::Plain),
        () if is_place && !around.has_object() => at(around),
        () if back == "the" && around.back(2) == "from" => around.direction(Family::Plain, 0, 0),
        () if is_one(back, PLACES) && !around.has_object() => around.direction(Family::Plain, 0, 0),
        () if back == "to" && single(around.back(2)).is_some() => {
            around.direction(Family::Plain, 0, 0)
        }
        () if around.has_object() && around.context.has_other_than(around.word()) => {
            around.direction(Family::Plain, 0, 0)
        }
        () => Sense::Doubt("the top or bottom of a thing"),
    }
}

/// `at the top` becomes `on the right`.
fn at(around: &Around<'_>) -> Sense {
    let is_at = around.back(1) == "the" && around.back(2) == "at";
    if is_at && (around.next(1) == "of" || !around.has_object()) {
        around.direction(Family::At, 2, 0)
    } else {
        around.direction(Family::Plain, 0, 0)
    }
}

fn of(around: &Around<'_>) -> Sense {
    let nouns = around.nouns_of(1);
    if nouns.iter().any(|noun| is_one(noun, PICTURES)) {
        at(around)
    } else if nouns.iter().any(|noun| is_one(noun, TALL)) {
        Sense::Stays
    } else {
        Sense::Doubt("the top or bottom of a thing")
    }
}

fn halves(around: &Around<'_>) -> Sense {
    let next = around.next(1);
    let paired = is_one(next, &["and", "or"]) && single(around.next(2)).is_some();
    let noun = if paired { around.next(3) } else { next };
    match () {
        () if is_one(noun, OF_THINGS) || is_one(next, &["level", "levels", "case"]) => Sense::Stays,
        () if is_one(noun, PARTS) || is_one(noun, PICTURES) => around.direction(Family::Part, 0, 0),
        () if around.is_alone() || around.is_listed() => alone(around, Family::Part),
        () => Sense::Doubt("a word that may say a direction"),
    }
}

fn relation(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let digits = |word: &str| word.starts_with(|sign: char| sign.is_ascii_digit());
    let said = |word: &str| is_one(word, SAID);
    match () {
        () if is_one(back, &["the", "of", "from"]) => Sense::Stays,
        () if digits(next) || is_one(next, SCALES) && next != "the" => Sense::Stays,
        () if next == "the" && is_one(around.next(2), SCALES) => Sense::Stays,
        () if said(next) || is_one(next, PICTURES) => Sense::Stays,
        () if (said(back) || is_one(back, PICTURES)) && !is_one(next, ARTICLES) => Sense::Stays,
        () if is_one(next, &["or", "and"]) && is_scale(around, 3) => Sense::Stays,
        () if is_one(
            back,
            &[
                "shown",
                "given",
                "listed",
                "mentioned",
                "described",
                "provided",
                "see",
                "stated",
                "options",
            ],
        ) =>
        {
            Sense::Stays
        }
        () if back.is_empty() && is_one(next, &["is", "are"]) && !around.is_listed() => {
            Sense::Stays
        }
        () if around.passage.gap(around.at).trim_start().starts_with(':') => Sense::Stays,
        () if is_one(next, &["or", "and"]) && single(around.next(2)).is_some() => {
            around.direction(with_object(around), 0, 0)
        }
        () if around.is_alone() => alone(around, by_options(around)),
        () if around.has_object() => around.direction(with_object(around), 0, 0),
        () if around.is_listed() => alone(around, by_options(around)),
        () if around.context.has_other_than(around.word()) => {
            around.direction(by_options(around), 0, 0)
        }
        () => Sense::Doubt("above or below what is not told"),
    }
}

/// Whether a number or the name of a level stands so many places on, with an article or without.
fn is_scale(around: &Around<'_>, places: usize) -> bool {
    let article = usize::from(around.next(places) == "the");
    let word = around.next(places + article);
    word.starts_with(|sign: char| sign.is_ascii_digit()) || (is_one(word, SCALES) && word != "the")
}

/// The words that the options have for left and right, before a thing.
fn with_object(around: &Around<'_>) -> Family {
    let holds = |words: &str| around.context.option_holds(words);
    let has_article = holds("to the left of") || holds("to the right of");
    if !has_article && (holds("left of") || holds("right of")) {
        Family::Of
    } else {
        Family::ToTheOf
    }
}

/// The words that the options have for left and right.
fn by_options(around: &Around<'_>) -> Family {
    let holds = |words: &str| around.context.option_holds(words);
    match () {
        () if holds("to the left of") || holds("to the right of") => Family::ToTheOf,
        () if holds("left of") || holds("right of") => Family::Of,
        () if holds("to the left") || holds("to the right") => Family::ToThe,
        () if around.context.has_option(&["left", "right"]) || around.is_listed() => {
            Family::Relation
        }
        () => Family::ToThe,
    }
}

fn ways(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let is_side = |word: &str| single(word).is_some();
    match () {
        () if is_one(
            back,
            &["upside", "top", "bottom", "thumbs", "close", "face", "half"],
        ) =>
        {
            Sense::Stays
        }
        () if is_one(
            next,
            &[
                "close", "front", "to", "side", "jacket", "jackets", "for", "until",
            ],
        ) =>
        {
            Sense::Stays
        }
        () if is_one(next, UP_OBJECTS) => around.direction(Family::Way, 0, 0),
        () if around.is_alone() => {
            if around.context.has_other_than(around.word()) || around.context.asks_for_way() {
                around.direction(Family::Way, 0, 0)
            } else {
                Sense::Doubt("a single word that may say a direction")
            }
        }
        () if next == "the" && is_one(around.next(2), SLOPES) => Sense::Stays,
        () if is_one(back, PLANE_MOTIONS) && !around.has_object() => {
            around.direction(Family::Way, 0, 0)
        }
        () if is_one(back, PLANE_MOTIONS) => Sense::Doubt("up or down along something"),
        () if is_one(back, &["or", "and"]) && is_side(around.back(2)) => listed(around),
        () if around.is_listed() => listed(around),
        () => Sense::Stays,
    }
}

/// `moving up or down`, `up, down, left or right`.
fn listed(around: &Around<'_>) -> Sense {
    if around.next(1) == "the" {
        return Sense::Doubt("up or down along something");
    }
    let moves = around
        .sentence()
        .any(|word| is_one(word, PLANE_MOTIONS) || word == "which" || word == "or");
    if moves || around.context.has(&["left", "right"]) {
        around.direction(Family::Way, 0, 0)
    } else {
        Sense::Stays
    }
}
