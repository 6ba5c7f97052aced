//! `left` and `right`: a direction in the picture, a side of somebody, what remains, or what is correct.

use super::lexicon::{
    ANSWERS, FACED, Family, JUST, MOTIONS, PARTS, PICTURES, PLANE_MOTIONS, SIDED, STEERING, is_one,
    single,
};
use super::sense::{Around, Sense};

/// Forms of `be` and `have`, and what else stands before `left` as a verb.
const HELPERS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "has",
    "have",
    "had",
    "remain",
    "remains",
    "remained",
    "who",
    "he",
    "she",
    "they",
    "it",
    "we",
    "you",
    "i",
    "nothing",
    "anything",
    "something",
    "everything",
    "got",
    "still",
    "just",
    "already",
    "never",
    "ever",
    "much",
    "many",
    "any",
    "there",
    "people",
    "time",
    "that",
];
/// Before `left of the picture`, where it may say what remains.
const HELPERS_OF: &[&str] = &[
    "what",
    "is",
    "are",
    "was",
    "were",
    "be",
    "much",
    "nothing",
    "anything",
    "something",
    "everything",
    "remains",
    "that",
    "there",
];
/// Before a side of a picture: where along that side something lies.
const ALONG: &[&str] = &["center", "centre", "middle", "mid", "central"];
/// After `left` as a verb or a participle.
const REMAINS: &[&str] = &[
    "over",
    "overs",
    "behind",
    "out",
    "alone",
    "unattended",
    "empty",
    "blank",
    "open",
    "off",
    "untouched",
    "unfinished",
    "uneaten",
    "unused",
    "intact",
    "vacant",
    "idle",
    "by",
    "uncovered",
    "unlocked",
    "until",
    "after",
    "for",
];
/// Before `left` as a participle, in one word with `is`.
const REMAINING: &[&str] = &[
    "what's", "who's", "there's", "that's", "it's", "he's", "she's", "how's",
];
/// What a question asks for when its answers are sides of somebody.
const BODILY: &[&str] = &[
    "hand", "hands", "foot", "feet", "leg", "arm", "eye", "ear", "shoulder", "knee", "lane",
    "wing", "handed", "lung",
];
/// Places that have things within their sides.
const SPACES: &[&str] = &[
    "street", "road", "river", "room", "table", "field", "court", "hall", "building", "stage",
    "path", "track", "lot", "garden", "yard", "wall", "shelf", "desk", "sign", "page", "kitchen",
    "counter", "bed", "pitch", "runway", "bridge", "highway", "railway",
];
/// Between `to the` and a side.
const NEARER: &[&str] = &[
    "immediate",
    "direct",
    "near",
    "extreme",
    "lower",
    "upper",
    "far",
];
/// After `right`, whatever stands before it.
const NO_SIDE: &[&str] = &[
    "angle",
    "angles",
    "angled",
    "triangle",
    "triangles",
    "click",
    "clicking",
    "clicked",
    "whale",
    "holder",
    "minded",
];
/// Before `right`, where it means correct or a claim.
const CORRECT: &[&str] = &[
    "all", "human", "civil", "get", "gets", "it", "that's", "alright", "copy", "exactly", "quite",
    "not",
];
/// Choosing.
const CHOOSING: &[&str] = &["choose", "pick", "select", "find", "identify", "guess"];

/// The sense of `left` or `right`.
pub fn sense(around: &Around<'_>) -> Sense {
    let (next, second) = (around.next(1), around.next(2));
    let is_pair = |word: &str| single(word).is_some();
    let to_the_other = is_one(next, &["to", "or", "and"]) && is_pair(second);
    match () {
        () if to_the_other && !is_one(around.back(1), STEERING) => direction(around),
        () if next == "hand" => hand(around),
        () if is_one(around.back(1), REMAINING) && around.word() == "left" => Sense::Stays,
        () if around.is_somebodys() => of_somebody(around),
        () if is_steered(around) => around.own("left and right of what turns"),
        () if is_one(next, SIDED) => {
            let is_whole = is_one(
                next,
                &["handed", "footed", "fielder", "winger", "turn", "turns"],
            );
            let of = around.next(2) == "of";
            if is_whole || of || around.is_hyphen_after() {
                around.own("a side of somebody")
            } else {
                Sense::Doubt("a side that may be somebody's own")
            }
        }
        () if is_one(next, &["lane", "lanes", "bank", "field", "drive"]) => {
            Sense::Doubt("a side of a road")
        }
        () if around.word() == "right" => right(around),
        () => left(around),
    }
}

fn is_steered(around: &Around<'_>) -> bool {
    let backs = [around.back(1), around.back(2), around.back(3)];
    match backs {
        [one, ..] if is_one(one, STEERING) => true,
        ["a" | "sharp" | "slight", two, _] => is_one(two, STEERING),
        ["the", "to", three] => is_one(three, STEERING),
        ["or" | "and", two, three] => single(two).is_some() && is_one(three, STEERING),
        _ => false,
    }
}

fn hand(around: &Around<'_>) -> Sense {
    match around.next(2) {
        word if is_one(word, PARTS) => direction(around),
        "drive" | "man" => Sense::Stays,
        _ if around.is_somebodys() => around.own("a side of somebody"),
        "of" => around.own("a side of somebody"),
        _ => Sense::Doubt("a side that may be somebody's own"),
    }
}

fn of_somebody(around: &Around<'_>) -> Sense {
    if is_one(around.next(1), SIDED) {
        return around.own("a side of somebody");
    }
    Sense::Doubt("the left or right of somebody")
}

fn right(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let knows_left = around.context.has(&["left", "leftmost"]);
    match () {
        () if around.is_tag() || is_one(next, NO_SIDE) || is_one(back, CORRECT) => Sense::Stays,
        () if next == "of" && around.next(2) == "way" => Sense::Stays,
        () if is_one(next, ANSWERS)
            && !(knows_left && is_one(next, &["person", "place", "thing", "number"])) =>
        {
            Sense::Stays
        }
        () if is_one(next, &["above", "below"]) => Sense::Doubt("right above or below"),
        () if is_one(next, JUST)
            && !is_one(back, &["the", "far", "to", "at", "from", "on"])
            && !is_one(back, MOTIONS) =>
        {
            Sense::Stays
        }
        () if next == "one" && !knows_left => {
            if around.sentence().any(|word| is_one(word, CHOOSING)) {
                Sense::Stays
            } else {
                Sense::Doubt("`right` that may mean correct")
            }
        }
        () if is_one(back, &["is", "are", "was", "be", "which", "what"])
            && next.is_empty()
            && !knows_left =>
        {
            Sense::Stays
        }
        () if around.is_alone() && around.context.has(&["wrong", "incorrect", "false"]) => {
            Sense::Stays
        }
        () => plain(around),
    }
}

fn left(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let is_place = is_one(
        back,
        &["the", "to", "at", "from", "far", "upper", "lower", "on"],
    );
    match () {
        () if is_one(next, REMAINS) && !is_place => Sense::Stays,
        () if is_one(next, &["over", "overs"]) => Sense::Stays,
        () if next == "of" && !is_place && around.next(2) == "it" && back == "what" => Sense::Stays,
        () if next == "of" && !is_place && is_one(back, HELPERS_OF) && of_picture(around) => {
            Sense::Doubt("`left of the picture`, which may be what remains of it")
        }
        () if is_one(back, HELPERS) && !is_one(next, &["of", "side"]) => Sense::Stays,
        () if !is_place && is_of_quantity(around) => Sense::Stays,
        () => plain(around),
    }
}

/// `How many slices left on the plate`.
fn is_of_quantity(around: &Around<'_>) -> bool {
    let counts = around
        .sentence()
        .any(|word| is_one(word, &["many", "much"]));
    let goes_on = is_one(around.next(1), &["", "in", "on", "for", "to"]);
    counts
        && goes_on
        && !around.back(1).is_empty()
        && !is_one(around.back(1), MOTIONS)
        && !is_one(around.back(1), &["object", "car", "side"])
}

/// What is no idiom: a direction where something beside it says so.
fn plain(around: &Around<'_>) -> Sense {
    let (back, next) = (around.back(1), around.next(1));
    let knows_other = around.context.has_other_than(around.word());
    match () {
        () if is_one(back, &["look", "looks", "looking", "looked"]) => {
            Sense::Doubt("where somebody looks")
        }
        () if (around.is_alone() || around.is_listed()) && around.context.asks_which(BODILY) => {
            Sense::Doubt("a side that may be somebody's own")
        }
        () if is_of_faced(around) => Sense::Doubt("a side of something that has sides of its own"),
        () if around.is_alone() || around.is_listed() => {
            if knows_other || around.context.asks_where() {
                direction(around)
            } else {
                Sense::Doubt("a single word that may say a direction")
            }
        }
        () if is_one(next, PICTURES) || is_one(next, PARTS) || next == "of" => direction(around),
        () if is_one(back, MOTIONS) || is_one(back, &["to", "far", "at", "from", "on"]) => {
            direction(around)
        }
        () if back == "the"
            && (next.is_empty()
                || around.word() == "left"
                || around.context.has(&["left", "leftmost"])) =>
        {
            direction(around)
        }
        () if back == "the"
            && is_one(
                around.back(2),
                &[
                    "to", "on", "at", "from", "toward", "towards", "in", "of", "near",
                ],
            ) =>
        {
            direction(around)
        }
        () if knows_other && (next.is_empty() || back.is_empty()) => direction(around),
        () => Sense::Doubt("a word that may say a direction"),
    }
}

/// `left side of the man`.
fn is_of_faced(around: &Around<'_>) -> bool {
    is_one(around.next(1), &["side", "part", "end", "half"])
        && around.next(2) == "of"
        && around.nouns_of(2).iter().any(|noun| is_one(noun, FACED))
}

/// The sense of a direction, with the words that belong to it.
fn direction(around: &Around<'_>) -> Sense {
    let has_hand = around.next(1) == "hand";
    let has_of = around.next(1) == "of";
    let article = match (around.back(2), around.back(1)) {
        ("to", "the") => Some("to"),
        ("on", "the") => Some("on"),
        _ => None,
    };
    // `heading to the left`, `faces more to the left`; and a way that is asked for.
    let moves = (3..=5).any(|places| is_one(around.back(places), MOTIONS))
        || (around.is_option() && around.context.asks_for_way());
    let of_picture = has_of && of_picture(around);
    let goes_on = has_of
        || around.next(1).ends_with("ing")
        || matches!(
            around.next(1),
            "" | "or"
                | "and"
                | "in"
                | "with"
                | "from"
                | "when"
                | "is"
                | "are"
                | "have"
                | "has"
                | "was"
                | "were"
                | "that"
                | "who"
                | "than"
                | "be"
                | "for"
        );
    let is_pair = matches!(around.next(1), "or" | "and") && around.next(2) != "in";
    let words = usize::from(has_of) + usize::from(has_hand);
    if let Some(sense) = either_of(around) {
        return sense;
    }
    let is_of_space = has_of && around.nouns_of(1).iter().any(|noun| is_one(noun, SPACES));
    match article {
        _ if around.shares_noun() => around.direction(family(around), 0, 0),
        Some("on") if is_of_space => Sense::Doubt("a side of a place that things stand in"),
        _ if has_of && !of_picture && is_one(around.back(1), NEARER) => {
            Sense::Doubt("a side with an adjective")
        }
        Some("to") if has_of && !of_picture => around.direction(Family::ToTheOf, 2, 1),
        Some("to") if !moves && !has_of && (is_pair || around.is_option()) => {
            around.direction(Family::ToThe, 2, 0)
        }
        Some("to") if !moves && goes_on && !has_of => around.direction(Family::ToTheEnd, 2, 0),
        Some("on") if has_of && !of_picture => around.on_a_side_of(),
        Some("on") if of_picture || (goes_on && !has_of) => around.direction(Family::At, 2, 0),
        // `middle left of the image`, and an option that says `left of the image`.
        _ if of_picture && (is_one(around.back(1), ALONG) || around.back(1).is_empty()) => {
            around.direction(Family::Plain, 0, 0)
        }
        _ if has_of && around.back(1) != "the" && !is_one(around.back(1), &["far", "at"]) => {
            around.direction(Family::Of, 0, words)
        }
        _ if has_hand => around.direction(Family::Plain, 0, 1),
        _ => around.direction(family(around), 0, 0),
    }
}

/// Returns true before `of the picture`.
fn of_picture(around: &Around<'_>) -> bool {
    around.nouns_of(1).iter().any(|noun| is_one(noun, PICTURES))
}

/// `on the left or the right of the shelf` becomes `above or below the shelf`.
fn either_of(around: &Around<'_>) -> Option<Sense> {
    let (passage, at) = (around.passage, around.at);
    let is_side = |word: &str| is_one(word, &["left", "right"]);
    let is_joint = |word: &str| is_one(word, &["or", "and"]);
    let has_article = |word: &str| word == "the";
    // From the first to the second.
    let second = (1..=3).find(|places| {
        is_side(around.next(*places))
            && is_joint(around.next(1))
            && (*places == 2 || has_article(around.next(2)))
    });
    if let Some(places) = second
        && around.next(places + 1) == "of"
        && around.next(1) != "of"
        && !passage
            .nouns_of(at + places + 1)
            .iter()
            .any(|noun| is_one(noun, PICTURES))
    {
        let back = match (around.back(2), around.back(1)) {
            ("on" | "to", "the") => 2,
            _ => 0,
        };
        let family = if back == 2 {
            Family::ToThe
        } else {
            Family::Relation
        };
        return Some(around.direction(family, back, 0));
    }
    let article = usize::from(has_article(around.back(1)));
    let is_second = is_joint(around.back(1 + article)) && is_side(around.back(2 + article));
    let is_of_thing =
        around.next(1) == "of" && !around.nouns_of(1).iter().any(|noun| is_one(noun, PICTURES));
    (is_second && is_of_thing && !around.side.after(around.by).is_across())
        .then(|| around.direction(Family::Of, article, 1))
}

/// The words that the options, or the sentence, have for the other two sides.
fn family(around: &Around<'_>) -> Family {
    let context = around.context;
    let has = |words: &[&str]| context.has(words);
    let alone = around.is_alone() || around.is_listed();
    match () {
        () if is_one(around.back(1), MOTIONS)
            && !is_one(around.back(1), &["towards", "toward"]) =>
        {
            Family::Way
        }
        () if is_one(around.back(1), &["or", "and"]) && is_one(around.back(3), MOTIONS) => {
            Family::Way
        }
        () if alone && has(PLANE_MOTIONS) && !has(&["top", "bottom", "above", "below"]) => {
            Family::Way
        }
        () if alone && context.has_option(&["up", "down"]) => Family::Way,
        () if around.is_listed() && has(&["up", "down"]) => Family::Way,
        () if alone
            && (has(&["above", "below"]) || context.relates())
            && !has(&["top", "bottom"]) =>
        {
            Family::Relation
        }
        () if is_one(around.next(1), PARTS)
            && has(&["upper", "lower"])
            && !has(&["top", "bottom"]) =>
        {
            Family::Part
        }
        () => Family::Plain,
    }
}
