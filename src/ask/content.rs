//! Adapts a sample's content to a moved picture: rotated, mirrored, cropped or scaled.

use super::alike::{are_fractions, is_maybe_same, is_scaled, numbers, windows};
use super::crop::within;
use super::direction::{
    self, ExpectedAnswer, Frame, QuestionText, RewrittenText, Signs, StatedScale, TransformRefusal,
    Unit,
};
use super::question_facts::{expected_answer, stated_scale, target_boxes};
use media::{Orientation, Region, Turn};
use record::{Content, Role, Target};
use scorer::boxes::same;

/// Size assumed for a picture that was not opened; no coordinate exceeds it.
pub const ANY: (u32, u32) = (1_000_000, 1_000_000);

/// Whether direction words change with the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TurnWords {
    /// Direction words change. If a change is uncertain, the sample is left out.
    #[default]
    On,
    /// Direction words stay unchanged; only boxes and coordinates move.
    Off,
}

/// A move of a picture: rotation or mirroring, then crop, then scaling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    by: Orientation,
    region: Region,
    size: (u32, u32),
    new_size: (u32, u32),
}

impl Move {
    /// Returns a rotation or mirroring; `size` is the picture's size before it.
    pub const fn by(by: Orientation, size: (u32, u32)) -> Self {
        Self {
            by,
            region: Region::WHOLE,
            size,
            new_size: by.size(size),
        }
    }

    /// Returns a clockwise rotation; `size` is the picture's size before it.
    pub const fn turned(turn: Turn, size: (u32, u32)) -> Self {
        Self::by(Orientation::turned(turn), size)
    }

    /// Returns a crop that is enlarged to the original size.
    pub const fn zoomed(region: Region, size: (u32, u32)) -> Self {
        Self {
            region,
            ..Self::by(Orientation::UPRIGHT, size)
        }
    }

    /// Adds a scaling to a new size.
    #[must_use]
    pub const fn scaled(self, new_size: (u32, u32)) -> Self {
        Self { new_size, ..self }
    }

    fn is_none(self) -> bool {
        self.by.is_upright() && self.region == Region::WHOLE && self.size == self.new_size
    }

    /// Moves a box in fractions.
    fn place(&self, corners: [f64; 4]) -> [f64; 4] {
        within(self.by.corners(corners), self.region)
    }

    /// Moves a box in fractions or pixels; corners up to 1 count as fractions.
    fn corners(&self, corners: [f64; 4]) -> [f64; 4] {
        self.corners_in(
            if are_fractions(corners) {
                Unit::To(1.0)
            } else {
                Unit::Pixel
            },
            corners,
        )
    }

    /// Moves a box in this unit.
    fn corners_in(&self, unit: Unit, [x0, y0, x1, y1]: [f64; 4]) -> [f64; 4] {
        let (width, height) = unit.sides(self.size);
        let [x0, y0, x1, y1] = self.place([x0 / width, y0 / height, x1 / width, y1 / height]);
        let (width, height) = unit.sides(self.new_size);
        [x0 * width, y0 * height, x1 * width, y1 * height]
    }
}

/// Converts a box to fractions of a picture of this size; also returns true if it was in pixels.
pub fn fractions(corners: [f64; 4], (width, height): (u32, u32)) -> ([f64; 4], bool) {
    if are_fractions(corners) {
        return (corners, false);
    }
    let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let [x0, y0, x1, y1] = corners;
    ([x0 / width, y0 / height, x1 / width, y1 / height], true)
}

/// The content for a moved picture, and its changed texts.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedContent {
    /// The content to ask about the moved picture.
    pub content: Content,
    /// Question, options and target, with their changes marked.
    pub rewritten: direction::RewrittenQuestion,
}

/// Moves a content with its picture: boxes, coordinates and direction words. Maps are removed.
///
/// # Errors
/// A word or number may be a position that cannot be moved.
pub fn moved(
    content: &Content,
    by: Move,
    turn_words: TurnWords,
) -> Result<MovedContent, TransformRefusal> {
    let turns = turn_words == TurnWords::On;
    if turns && by.region != Region::WHOLE && names_picture_position(content) {
        return Err(TransformRefusal("a position in the whole picture"));
    }
    let stated = stated_scale(content);
    let rewritten = move_texts(content, stated, by, turn_words)?;
    let target = target_in(content, stated, by)?;
    let mut content = content.clone();
    for labelled in &mut content.boxes {
        labelled.xyxy = match target {
            Some((unit, corners))
                if labelled.role == Role::Target && same(labelled.xyxy, corners) =>
            {
                by.corners_in(unit, corners)
            }
            _ => by.corners(labelled.xyxy),
        };
    }
    match &mut content.target {
        Some(Target::Box(corners)) => {
            if let Some((unit, _)) = target {
                *corners = by.corners_in(unit, *corners);
            }
        }
        Some(Target::Text(text)) => {
            if let Some(rewritten) = &rewritten.target {
                text.clone_from(&rewritten.text);
            }
        }
        _ => {}
    }
    content.question.clone_from(&rewritten.question.text);
    for (choice, rewritten) in content.choices.iter_mut().zip(&rewritten.choices) {
        choice.text.clone_from(&rewritten.text);
    }
    if !by.is_none() {
        content.maps.clear();
    }
    Ok(MovedContent { content, rewritten })
}

/// Returns the box of a target and its unit; `None` if it is not a box or does not move.
fn target_in(
    content: &Content,
    stated: StatedScale,
    by: Move,
) -> Result<Option<(Unit, [f64; 4])>, TransformRefusal> {
    const OUTSIDE: TransformRefusal = TransformRefusal("a box outside the visible part");
    let unit = |corners: [f64; 4], per_side: Option<f64>| {
        let signs = Signs {
            percent: per_side.and_then(|most| (most < 101.0).then_some(true)),
            ..Signs::default()
        };
        direction::unit(&corners, signs, stated, by.size)
    };
    if by.is_none() {
        return Ok(None);
    }
    match &content.target {
        Some(Target::Box(corners)) => {
            let unit = unit(*corners, None)?;
            let [x0, y0, x1, y1] = by.corners_in(unit, *corners);
            let has_area = scorer::boxes::area(*corners).abs() > 0.0;
            let is_shown = scorer::boxes::area([x0, y0, x1, y1]).abs() > 0.0;
            if is_shown || !has_area {
                Ok(Some((unit, *corners)))
            } else {
                Err(OUTSIDE)
            }
        }
        // `move_texts` checks whether a text can be moved.
        Some(Target::Text(text)) => {
            let Some(found) = scorer::box_of(text) else {
                return Ok(None);
            };
            // The log has the same box in another form: with width and height, or y first.
            let written = windows(&numbers(text));
            let is_written = |known| written.iter().any(|it| is_maybe_same(*it, known));
            let is_as_read = |known| is_scaled(found.corners, known);
            if target_boxes(content).any(is_written) && !target_boxes(content).any(is_as_read) {
                return Err(TransformRefusal("boxes in an unsupported format"));
            }
            let unit = unit(found.corners, found.per_side).ok();
            Ok(unit.map(|unit| (unit, found.corners)))
        }
        _ => Ok(None),
    }
}

/// Moves a text that belongs to a content, for example a message of its log.
///
/// # Errors
/// A word or number may be a position that cannot be moved.
pub fn text_moved(
    text: &str,
    content: &Content,
    by: Move,
    turn_words: TurnWords,
) -> Result<String, TransformRefusal> {
    let alone = Content {
        question: text.to_owned(),
        boxes: content.boxes.clone(),
        ..Content::default()
    };
    let rewritten = move_texts(&alone, stated_scale(content), by, turn_words)?;
    let rewritten = rewritten.question.text;
    // An earlier answer that is a box of numbers only, and that was not rewritten.
    let is_box = || !text.contains(char::is_alphabetic) && scorer::box_of(text).is_some();
    if !by.is_none()
        && rewritten == text
        && is_box()
        && expected_answer(content) == ExpectedAnswer::Box
    {
        return Err(TransformRefusal("a box in an unsupported format"));
    }
    Ok(rewritten)
}

/// Moves the texts of a question. `stated` is the unit that the texts state for coordinates.
fn move_texts(
    content: &Content,
    stated: StatedScale,
    by: Move,
    turn_words: TurnWords,
) -> Result<direction::RewrittenQuestion, TransformRefusal> {
    let target = match &content.target {
        Some(Target::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    if by.is_none() {
        let choices = content.choices.iter();
        return Ok(direction::RewrittenQuestion {
            question: RewrittenText::unchanged(&content.question),
            choices: choices
                .map(|choice| RewrittenText::unchanged(&choice.text))
                .collect(),
            target: target.map(RewrittenText::unchanged),
            letter_moves: false,
        });
    }
    let place = |corners| by.place(corners);
    // A copy of the target may be in the unit that the question states.
    let is_known = |role: Role| stated == StatedScale::Nothing || role != Role::Target;
    let known = content.boxes.iter().filter(|known| is_known(known.role));
    let known: Vec<[f64; 4]> = known.map(|known| known.xyxy).collect();
    let frame = Frame {
        size: by.size,
        new_size: by.new_size,
        place: &place,
        known: &known,
        stated,
        points: false,
        expected: expected_answer(content),
        exact: false,
    };
    let asked = QuestionText {
        question: &content.question,
        choices: &content.choices,
        target,
    };
    direction::moved(asked, by.by, &frame, turn_words)
}

/// Returns the reason why a question cannot be asked of a rotated picture; `None` if it can. Judges
/// by the text and does not open the picture.
pub fn rotation_refusal(
    content: &Content,
    turn: Turn,
    turn_words: TurnWords,
) -> Option<TransformRefusal> {
    moved(content, Move::turned(turn, ANY), turn_words).err()
}

/// Returns true if a question names a position in the picture, which changes in a crop: a direction
/// without a second object.
pub fn names_picture_position(content: &Content) -> bool {
    const RELATED: [&str; 6] = [
        "respect to",
        "relative",
        "relation to",
        " than ",
        "between",
        " of the centre of",
    ];
    let question = content.question.to_lowercase();
    let is_of_picture = [
        "corner", "image", "picture", "photo", "figure", "quadrant", "frame",
    ]
    .iter()
    .any(|word| question.contains(word));
    if !is_of_picture || RELATED.iter().any(|word| question.contains(word)) {
        return false;
    }
    let choices = content.choices.iter();
    let mut texts: Vec<&str> = choices.map(|choice| choice.text.as_str()).collect();
    texts.push(&content.question);
    if let Some(Target::Text(target)) = &content.target {
        texts.push(target);
    }
    texts.into_iter().any(direction::names_place)
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod forms;
#[cfg(test)]
mod tests {
    use super::*;
    use record::{Choice, LabelledBox};

    fn content() -> Content {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Content {
            question: "On which side is the car at [10, 0, 30, 20]?".to_owned(),
            choices: vec![choice("A", "left side"), choice("B", "right side")],
            target: Some(Target::Text("A".to_owned())),
            boxes: vec![LabelledBox {
                number: None,
                label: String::new(),
                role: Role::Reference,
                xyxy: [10.0, 0.0, 30.0, 20.0],
                color: None,
            }],
            ..Content::default()
        }
    }

    fn turned(content: &Content, turn: Turn) -> Content {
        moved(content, Move::turned(turn, (100, 50)), TurnWords::On)
            .unwrap()
            .content
    }

    #[test]
    fn boxes_and_options_turn_and_the_letter_stays() {
        let after = turned(&content(), Turn::NONE.right());
        assert_eq!(
            after.question,
            "On which side is the car at [30, 10, 50, 30]?"
        );
        assert_eq!(after.boxes[0].xyxy, [30.0, 10.0, 50.0, 30.0]);
        assert_eq!(after.choices[0].text, "top side");
        assert_eq!(after.target, Some(Target::Text("A".to_owned())));
        assert_eq!(turned(&content(), Turn::NONE), content());
    }

    #[test]
    fn options_that_are_the_old_set_stay_and_the_letter_moves() {
        let after = turned(&content(), Turn::EACH[2]);
        assert_eq!(after.choices, content().choices);
        assert_eq!(after.target, Some(Target::Text("B".to_owned())));
    }

    #[test]
    fn a_target_in_words_or_as_a_box_turns() {
        let mut asked = content();
        asked.choices.clear();
        asked.target = Some(Target::Text("on the left".to_owned()));
        let after = turned(&asked, Turn::EACH[2]);
        let right = Target::Text("on the right".to_owned());
        assert_eq!(after.target, Some(right));
        asked.target = Some(Target::Box([0.0, 0.0, 0.25, 0.5]));
        let after = turned(&asked, Turn::EACH[2]);
        assert_eq!(after.target, Some(Target::Box([0.75, 0.5, 1.0, 1.0])));
    }

    #[test]
    fn a_box_that_is_stored_as_text_lies_where_the_thing_lies_after_every_move() {
        let size = (200, 100);
        let stored = "[0.10, 0.20, 0.30, 0.60]";
        let corners = [0.1, 0.2, 0.3, 0.6];
        let asked = Content {
            question: "Where is it? Answer as [x1, y1, x2, y2].".to_owned(),
            target: Some(Target::Text(stored.to_owned())),
            ..Content::default()
        };
        let mirrored = Orientation::MIRRORED;
        let moves = [
            Move::turned(Turn::EACH[1], size),
            Move::turned(Turn::EACH[2], size),
            Move::turned(Turn::EACH[3], size),
            Move::by(mirrored, size),
            Move::zoomed(Region::new([0.0, 0.0, 0.5, 0.8]), size),
            Move::turned(Turn::NONE, size).scaled((400, 50)),
        ];
        for by in moves {
            let after = moved(&asked, by, TurnWords::On).unwrap().content;
            let Some(Target::Text(text)) = after.target else {
                panic!("{by:?}");
            };
            let found = scorer::box_of(&text).unwrap().corners;
            for (found, expected) in found.iter().zip(by.place(corners)) {
                assert!((found - expected).abs() < 1e-4, "{by:?}: {text}");
            }
        }
    }

    #[test]
    fn pixels_scale_with_the_picture() {
        let asked = Content {
            target: Some(Target::Text("[10, 20, 30, 40]".to_owned())),
            ..Content::default()
        };
        let by = Move::turned(Turn::NONE, (100, 50)).scaled((200, 200));
        let after = moved(&asked, by, TurnWords::On).unwrap().content;
        assert_eq!(
            after.target,
            Some(Target::Text("[20, 80, 60, 160]".to_owned()))
        );
    }

    #[test]
    fn a_zoom_moves_boxes_and_leaves_words() {
        let by = Move::zoomed(Region::new([0.0, 0.0, 0.5, 0.5]), (100, 50));
        let after = moved(&content(), by, TurnWords::On).unwrap().content;
        assert_eq!(after.boxes[0].xyxy, [20.0, 0.0, 60.0, 40.0]);
        assert_eq!(
            after.question,
            "On which side is the car at [20, 0, 60, 40]?"
        );
    }

    #[test]
    fn a_place_in_the_whole_picture_is_not_asked_of_a_part() {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        let asked = |question: &str| Content {
            question: question.to_owned(),
            choices: vec![choice("A", "upper left"), choice("B", "lower right")],
            target: Some(Target::Text("A".to_owned())),
            ..Content::default()
        };
        let by = Move::zoomed(Region::new([0.0, 0.0, 0.5, 0.5]), (100, 50));
        let place = asked("Where in the image is the car?");
        assert!(moved(&place, by, TurnWords::On).is_err());
        let relation = asked("Where in the image is the car with respect to the tree?");
        assert!(moved(&relation, by, TurnWords::On).is_ok());
    }

    #[test]
    fn words_stay_where_they_are_switched_off() {
        let by = Move::turned(Turn::EACH[1], (100, 50));
        let after = moved(&content(), by, TurnWords::Off).unwrap().content;
        assert_eq!(
            after.question,
            "On which side is the car at [30, 10, 50, 30]?"
        );
        assert_eq!(after.choices, content().choices);
    }
}
