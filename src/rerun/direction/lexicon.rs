//! The words of direction, and the words beside them that tell what they say.

use media::Orientation;

/// A list of words.
macro_rules! words {
    ($($word:literal)*) => { &[$($word),*] };
}

/// A side of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Up.
    Top,
    /// Right.
    Right,
    /// Down.
    Bottom,
}

impl Side {
    /// The sides clockwise from the left, which is the order in which families of words have them.
    const CLOCKWISE: [Self; 4] = [Self::Left, Self::Top, Self::Right, Self::Bottom];

    /// Where what lies at this side lies after a move.
    #[must_use]
    pub fn after(self, by: Orientation) -> Self {
        let edge = match self {
            Self::Left => [0.0, 0.5, 0.0, 0.5],
            Self::Top => [0.5, 0.0, 0.5, 0.0],
            Self::Right => [1.0, 0.5, 1.0, 0.5],
            Self::Bottom => [0.5, 1.0, 0.5, 1.0],
        };
        match by.corners(edge) {
            [x, ..] if x < 0.25 => Self::Left,
            [x, ..] if x > 0.75 => Self::Right,
            [_, y, ..] if y < 0.25 => Self::Top,
            _ => Self::Bottom,
        }
    }

    /// Returns true for left and right.
    #[must_use]
    pub const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    /// The word of a family for this side.
    #[must_use]
    pub fn word(self, family: Family) -> &'static str {
        let at = Self::CLOCKWISE.iter().position(|side| *side == self);
        family.words()[at.unwrap_or_default()]
    }
}

/// Words of one kind for the four sides: those that one sentence takes in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The side itself, or beside a noun.
    Plain,
    /// The part of a picture.
    Part,
    /// The way in which something moves or points.
    Way,
    /// The relation of one thing to another, as an answer of one word.
    Relation,
    /// The relation, before the other thing.
    Of,
    /// The relation with its article, before the other thing.
    ToTheOf,
    /// The relation without the other thing.
    ToThe,
    /// The place, as what stands to a side.
    ToTheEnd,
    /// The place in the picture.
    At,
    /// The outermost.
    Most,
    /// The outermost, in other words.
    UpperMost,
    /// Towards a side.
    Wards,
    /// Towards a side, as an adjective.
    Ward,
}

impl Family {
    /// All of them; of equal words the first counts.
    pub const ALL: [Self; 13] = [
        Self::Plain,
        Self::Part,
        Self::Way,
        Self::Relation,
        Self::Of,
        Self::ToTheOf,
        Self::ToThe,
        Self::ToTheEnd,
        Self::At,
        Self::Most,
        Self::UpperMost,
        Self::Wards,
        Self::Ward,
    ];

    /// Its words, clockwise from the left.
    #[must_use]
    pub const fn words(self) -> [&'static str; 4] {
        match self {
            Self::Plain => ["left", "top", "right", "bottom"],
            Self::Part => ["left", "upper", "right", "lower"],
            Self::Way => ["left", "up", "right", "down"],
            Self::Relation => ["left", "above", "right", "below"],
            Self::Of => ["left of", "above", "right of", "below"],
            Self::ToTheOf => ["to the left of", "above", "to the right of", "below"],
            Self::ToThe => ["to the left", "above", "to the right", "below"],
            Self::ToTheEnd => ["to the left", "at the top", "to the right", "at the bottom"],
            Self::At => ["on the left", "at the top", "on the right", "at the bottom"],
            Self::Most => ["leftmost", "topmost", "rightmost", "bottommost"],
            Self::UpperMost => ["leftmost", "uppermost", "rightmost", "lowermost"],
            Self::Wards => ["leftwards", "upwards", "rightwards", "downwards"],
            Self::Ward => ["leftward", "upward", "rightward", "downward"],
        }
    }
}

/// The side and the family of one word.
#[must_use]
pub fn single(word: &str) -> Option<(Side, Family)> {
    Family::ALL.into_iter().find_map(|family| {
        let at = family.words().iter().position(|known| *known == word)?;
        Some((Side::CLOCKWISE[at], family))
    })
}

/// Returns true if a word is in a list.
#[must_use]
pub fn is_one(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

/// What shows the scene: a side of it is a side of the picture.
pub const PICTURES: &[&str] = words![
    "image" "images" "picture" "pictures" "photo" "photos" "photograph" "figure" "frame" "screen" "scene"
    "view" "canvas" "screenshot" "snapshot" "map" "diagram" "illustration" "drawing" "painting" "plot"
    "chart" "graph" "grid" "quadrant" "display" "img" "shot"
];
/// Parts that a picture has, and what a direction picks among several.
pub const PARTS: &[&str] = words![
    "half" "halves" "part" "parts" "portion" "third" "quarter" "edge" "edges" "side" "sides" "border"
    "borders" "corner" "corners" "area" "areas" "region" "regions" "section" "sections" "end" "ends" "panel"
    "panels" "quadrant" "quadrants" "center" "centre" "middle" "margin" "one" "ones" "object" "objects"
    "shape" "shapes" "box" "boxes" "square" "squares" "circle" "circles" "triangle" "triangles" "dot" "dots"
    "cell" "cells" "row" "rows" "column" "columns" "direction" "position" "most" "zone" "segment" "sector"
    "subfigure" "subplot" "rectangle" "line" "lines" "point" "points" "item" "items"
];
/// After `top` and `bottom`: parts of things, clothes, ranks. These go with the thing, not with the picture.
pub const OF_THINGS: &[&str] = words![
    "shelf" "shelves" "drawer" "drawers" "button" "buttons" "floor" "floors" "storey" "story" "bunk" "bunks"
    "layer" "layers" "deck" "decks" "bun" "lip" "teeth" "tooth" "jaw" "step" "stair" "stairs" "rung" "hat"
    "hats" "coat" "body" "arm" "arms" "leg" "legs" "back" "lid" "eyelid" "level" "levels" "speed" "score"
    "scores" "team" "teams" "player" "players" "quality" "brand" "brands" "notch" "secret" "gear" "load"
    "class" "ten" "five" "three" "model" "models" "rank" "ranked" "result" "results" "choice" "priority"
    "dollar" "case" "garment" "tier" "berth" "abdomen" "torso" "chest" "limb" "limbs" "thigh" "price"
    "prices" "number" "value" "values" "temperature" "resolution" "cost" "bound" "limit" "clothes"
    "clothing" "outfit" "rated" "heavy"
];
/// A thing whose top is its own, whichever way the picture is turned.
pub const TALL: &[&str] = words![
    "mountain" "hill" "building" "tower" "tree" "stairs" "staircase" "ladder" "pole" "cake" "pizza" "bottle"
    "glass" "cup" "mug" "bowl" "list" "head" "hat" "pile" "stack" "fridge" "refrigerator" "slide" "ramp"
    "page" "class" "form" "table" "lamp" "roof" "wall" "sea" "ocean" "pool" "lake" "sign" "poster" "letter"
    "door" "cabinet" "bookshelf" "shelf" "monitor" "tv" "clock" "bag" "box"
];
/// What has a left and a right of its own.
pub const SIDED: &[&str] = words![
    "hand" "hands" "arm" "arms" "leg" "legs" "foot" "feet" "eye" "eyes" "ear" "ears" "shoulder" "knee"
    "wrist" "elbow" "finger" "thumb" "cheek" "hip" "ankle" "wing" "paw" "shoe" "sock" "glove" "lung"
    "kidney" "hemisphere" "brain" "ventricle" "atrium" "breast" "headlight" "mirror" "blinker" "fist" "palm"
    "toe" "hoof" "tusk" "horn" "nostril" "eyebrow" "sleeve" "pocket" "boot" "mitten" "earring" "handed"
    "footed" "winger" "fielder" "turn" "turns" "brachial" "lobe"
];
/// What has sides of its own, so that `left of it` may be either.
pub const FACED: &[&str] = words![
    "man" "woman" "person" "boy" "girl" "child" "player" "people" "lady" "guy" "car" "truck" "bus" "vehicle"
    "train" "plane" "airplane" "aircraft" "boat" "ship" "bike" "bicycle" "motorcycle" "dog" "cat" "horse"
    "cow" "bird" "animal" "driver" "face" "body" "head" "chair" "couch" "sofa" "bed"
];
/// What moves, points or looks in a direction of the picture.
pub const MOTIONS: &[&str] = words![
    "move" "moves" "moved" "moving" "go" "goes" "going" "head" "heads" "heading" "headed" "point" "points"
    "pointing" "pointed" "face" "faces" "facing" "faced" "travel" "travels" "traveling" "travelling" "drive"
    "drives" "driving" "drift" "drifts" "drifting" "slide" "slides" "sliding" "shift" "shifts" "shifted"
    "shifting" "scroll" "walk" "walks" "walking" "run" "runs" "running" "fly" "flies" "flying" "look"
    "looks" "looking" "swim" "swims" "swimming" "sail" "sailing" "arrow" "lean" "leans" "leaning" "towards"
    "toward" "direction" "displaced" "swipe" "drag" "pan" "pans" "panning"
];
/// Turning to a side is turning from one's own way: it goes with the thing.
pub const STEERING: &[&str] = words![
    "turn" "turns" "turning" "turned" "veer" "veers" "veering" "steer" "steering" "bear" "make" "makes"
    "making" "take" "taking" "bends" "bending" "curves" "curving"
];
/// Before `up` and `down` as ways of moving on a plane; looking up is no such way.
pub const PLANE_MOTIONS: &[&str] = words![
    "move" "moves" "moved" "moving" "head" "heads" "heading" "headed" "point" "points" "pointing" "travel"
    "travels" "traveling" "travelling" "drift" "drifts" "drifting" "shift" "shifts" "shifted" "shifting"
    "arrow" "direction" "drive" "drives" "driving" "sail" "sailing" "slid" "go" "goes" "going" "facing"
];
/// After `go up` and its like: a thing whose up and down are its own.
pub const SLOPES: &[&str] = words![
    "stairs" "staircase" "steps" "hill" "mountain" "ladder" "street" "road" "slope" "escalator" "tree"
    "wall" "ramp" "slide" "aisle" "hallway" "path" "river" "track" "trail" "driveway" "elevator" "court"
    "field"
];
/// Before `right`, or behind it: it means correct.
pub const ANSWERS: &[&str] = words![
    "answer" "answers" "option" "options" "choice" "choices" "letter" "statement" "caption" "description"
    "response" "category" "label" "order" "time" "way" "word" "words" "number" "thing" "place" "size" "term"
    "name" "tool" "amount" "person"
];
/// Before a preposition, `right` says `just`.
pub const JUST: &[&str] = words![
    "next" "behind" "before" "after" "beside" "under" "underneath" "over" "at" "in" "into" "by" "between"
    "near" "through" "now" "here" "there" "away" "outside" "inside" "around" "across" "along" "against"
    "this" "then" "off" "past" "from" "on" "within" "beneath" "where" "as" "when"
];
/// What stands above or below in the words themselves.
pub const SAID: &[&str] = words![
    "option" "options" "choice" "choices" "question" "questions" "answers" "answer" "text" "instruction"
    "instructions" "list" "table" "statement" "statements" "sentence" "paragraph" "description" "following"
    "passage" "context" "format" "example" "examples" "mentioned" "listed" "shown" "given" "described"
    "provided" "see" "stated" "depicted" "displayed" "defined" "classes" "categories" "labels" "candidates"
    "presented" "terms" "words"
];
/// What is high or low by a scale, not in a picture.
pub const SCALES: &[&str] = words![
    "average" "zero" "horizon" "ground" "sea" "par" "freezing" "water" "all" "board" "normal" "poverty"
    "the"
];
