//! Content and pictures of a question after the changes of a step.

use super::alike::are_fractions;
use super::boxes::{objects, spoken_of};
use super::content::{Move, TurnWords, fractions, moved};
use super::crop::{around, union};
use super::direction::TransformRefusal;
use super::edited::PictureEdit;
use super::question::Unaskable;
use super::step::{Change, Step};
use super::twin::Keys;
use media::{Edit, Orientation, Overlay, Region, Stroke, Turn, Unit, shrunk};
use record::Content;

/// Line width of drawn boxes in pixels.
const WIDTH: u32 = 3;
/// Colour of a box without a colour in the log.
const COLOR: [u8; 3] = [230, 40, 40];

/// A move of a picture, with the content before it.
#[derive(Clone, Debug)]
pub struct ContentMove {
    /// The content before the move.
    pub before: Content,
    /// The move from `before` to the next content.
    pub by: Move,
    /// Whether direction words change with the picture.
    pub words: TurnWords,
}

/// Changed content, and the edits of its pictures.
#[derive(Clone, Debug)]
pub struct EditedContent {
    /// The content to ask about the changed picture.
    pub content: Content,
    /// Edits of the first picture.
    pub first: Vec<Edit>,
    /// Edits of the other pictures.
    pub others: Vec<Edit>,
    /// Moves of the first picture, starting from its stored form.
    pub moves: Vec<ContentMove>,
    /// For twins: the keys that may be wrong on the changed picture.
    pub keys: Option<Keys>,
    /// Current width and height of the first picture.
    size: (u32, u32),
}

impl EditedContent {
    /// Returns the content for the upright picture. Boxes are moved, because they are annotated on
    /// stored pixels. `size` is that of the stored first picture.
    ///
    /// # Errors
    /// A number may be a position that cannot be moved.
    pub fn upright(
        content: &Content,
        orientation: Orientation,
        size: (u32, u32),
    ) -> Result<Self, Unaskable> {
        let mut changed = Self {
            content: content.clone(),
            first: Vec::new(),
            others: Vec::new(),
            moves: Vec::new(),
            keys: None,
            size,
        };
        if !orientation.is_upright() {
            // People ask about the upright picture, so direction words stay.
            changed.shift(Move::by(orientation, size), TurnWords::Off)?;
            changed.size = orientation.size(size);
        }
        Ok(changed)
    }

    /// Returns the content that a step asks. `change` is the step's change for this sample.
    ///
    /// # Errors
    /// The step changes nothing, or a word or number may be a position that cannot be moved.
    pub fn at(mut self, change: Change, step: &Step, words: TurnWords) -> Result<Self, Unaskable> {
        self.change(change, words)?;
        for edit in step.edited.iter().flat_map(|edited| &edited.edits) {
            self.edit(*edit, words)?;
        }
        Ok(self)
    }

    /// Moves the content and the keys of twins to the size in which the first picture is sent.
    ///
    /// # Errors
    /// A number may be a position that cannot be moved.
    pub fn sent_at(mut self, size: (u32, u32)) -> Result<Self, Unaskable> {
        if size != self.size {
            let by = Move::by(Orientation::UPRIGHT, self.size).scaled(size);
            self.shift(by, TurnWords::Off)?;
            self.keys = self.keys.take().map(|keys| keys.scaled(by)).transpose()?;
            self.size = size;
        }
        Ok(self)
    }

    /// Moves the content with the picture.
    fn shift(&mut self, by: Move, words: TurnWords) -> Result<(), Unaskable> {
        let after = moved(&self.content, by, words)?.content;
        let before = std::mem::replace(&mut self.content, after);
        self.moves.push(ContentMove { before, by, words });
        Ok(())
    }

    /// Adds an edit of every picture.
    fn every(&mut self, edit: Edit) {
        self.others.push(edit.clone());
        self.first.push(edit);
    }

    /// Applies a protocol's change to content and pictures.
    ///
    /// # Errors
    /// The words do not fit the changed picture, or nothing would change.
    pub fn change(&mut self, change: Change, words: TurnWords) -> Result<(), Unaskable> {
        match change {
            Change::None | Change::Turn(Turn::NONE) => {}
            Change::Blank => self.every(Edit::Blank),
            Change::Turn(turn) => self.turn(turn, words)?,
            Change::Mirror(by) => {
                self.keys = Some(Keys::new(&self.content, self.size, words)?);
                self.shift(Move::by(by, self.size), words)?;
                if by == Orientation::FLIPPED {
                    self.every(Edit::Turn(Turn::EACH[2]));
                }
                self.every(Edit::Mirror);
            }
            // Boxes and crops apply to the first picture only.
            Change::Boxes => self.first.push(Edit::Boxes(overlays(&self.content))),
            Change::Crop(share) => {
                let region = region(&self.content, share, self.size)?.ok_or(Unaskable::Same)?;
                self.shift(Move::zoomed(region, self.size), words)?;
                self.first.push(Edit::Zoom(region));
            }
        }
        Ok(())
    }

    fn turn(&mut self, turn: Turn, words: TurnWords) -> Result<(), Unaskable> {
        self.shift(Move::turned(turn, self.size), words)?;
        self.size = Orientation::turned(turn).size(self.size);
        self.every(Edit::Turn(turn));
        Ok(())
    }

    /// Applies an edit of the user.
    ///
    /// # Errors
    /// The words do not fit the edited picture.
    pub fn edit(&mut self, edit: PictureEdit, words: TurnWords) -> Result<(), Unaskable> {
        let size = self.size;
        match edit {
            PictureEdit::Turn(turn) => self.turn(turn, words)?,
            PictureEdit::Flip => {
                self.shift(Move::by(Orientation::MIRRORED, size), words)?;
                self.every(Edit::Mirror);
            }
            PictureEdit::Crop(region) => {
                let region = region.snapped(size);
                let [_, _, width, height] = region.whole_pixels(size);
                self.shift(Move::zoomed(region, size).scaled((width, height)), words)?;
                self.size = (width, height);
                self.first.push(Edit::Crop(region));
            }
            PictureEdit::Mask(region) => self.first.push(Edit::Mask(region)),
            PictureEdit::Blank => self.every(Edit::Blank),
            PictureEdit::Downscale(share) => {
                let smaller = shrunk(size, share);
                let by = Move::by(Orientation::UPRIGHT, size).scaled(smaller);
                self.shift(by, words)?;
                self.size = smaller;
                self.every(Edit::Shrink(share));
            }
            PictureEdit::Noise(noise) => self.every(Edit::Noise(noise)),
        }
        Ok(())
    }
}

/// Returns the region in which the objects take `share` of the area; `None` if it is the whole
/// picture.
fn region(
    content: &Content,
    share: f64,
    size: (u32, u32),
) -> Result<Option<Region>, TransformRefusal> {
    let boxes = objects(content).into_iter();
    let boxes: Vec<[f64; 4]> = boxes.map(|corners| fractions(corners, size).0).collect();
    // Some annotations exceed the border by one pixel.
    let ends = [size.0, size.1].map(|side| 1.0 + 1.0 / f64::from(side.max(1)));
    let is_beyond = |corners: &[f64; 4]| {
        let mut pairs = corners.iter().zip(ends.into_iter().cycle());
        pairs.any(|(corner, end)| *corner > end)
    };
    if boxes.iter().any(is_beyond) {
        return Err(TransformRefusal("a box outside the picture"));
    }
    Ok(union(&boxes).and_then(|object| around(object, share)))
}

fn overlays(content: &Content) -> Vec<Overlay> {
    let overlay = |known: &record::LabelledBox| Overlay {
        number: None,
        xyxy: known.xyxy,
        unit: if are_fractions(known.xyxy) {
            Unit::Fraction
        } else {
            Unit::Pixel
        },
        color: known
            .color
            .as_deref()
            .and_then(media::color_named)
            .unwrap_or(COLOR),
        style: Stroke::Solid,
        width: WIDTH,
        letter: None,
    };
    spoken_of(content).map(overlay).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Choice, LabelledBox, Role, Target};

    fn content() -> Content {
        Content {
            question: "Where is the cup at [20, 10, 60, 30]?".to_owned(),
            choices: vec![Choice {
                letter: "A".to_owned(),
                text: "top left".to_owned(),
            }],
            target: Some(Target::Box([20.0, 10.0, 60.0, 30.0])),
            boxes: vec![LabelledBox {
                number: None,
                label: String::new(),
                role: Role::Reference,
                xyxy: [20.0, 10.0, 60.0, 30.0],
                color: None,
            }],
            ..Content::default()
        }
    }

    /// Returns a picture of 100 x 50 pixels after some edits.
    fn edited(edits: &str) -> EditedContent {
        let mut changed =
            EditedContent::upright(&content(), Orientation::UPRIGHT, (100, 50)).unwrap();
        for edit in PictureEdit::list(edits).unwrap() {
            changed.edit(edit, TurnWords::On).unwrap();
        }
        changed
    }

    /// Returns the corners of the question's box in whole pixels.
    fn corners(changed: &EditedContent) -> [i64; 4] {
        changed.content.boxes[0]
            .xyxy
            .map(|corner| corner.round() as i64)
    }

    #[test]
    fn boxes_and_options_move_with_each_edit() {
        let flipped = edited("flip");
        assert_eq!(corners(&flipped), [40, 10, 80, 30]);
        assert_eq!(
            flipped.content.question,
            "Where is the cup at [40, 10, 80, 30]?"
        );
        assert_eq!(flipped.content.choices[0].text, "top right");
        let cut = edited("crop 0.1 0 0.9 1");
        assert_eq!((corners(&cut), cut.size), ([10, 10, 50, 30], (80, 50)));
        let Some(Target::Box(target)) = cut.content.target else {
            panic!("a box stays one");
        };
        assert_eq!(target.map(f64::round), [10.0, 10.0, 50.0, 30.0]);
        assert_eq!(corners(&edited("downscale 0.5")), [10, 5, 30, 15]);
        // Edits that undo each other leave the box in place.
        let back = edited("turn 90; flip; flip; turn 270");
        assert_eq!((corners(&back), back.size), ([20, 10, 60, 30], (100, 50)));
        assert_eq!(back.first.len(), 4);
    }

    #[test]
    fn what_hides_moves_nothing_and_a_box_is_of_the_first_picture() {
        let hidden = edited("mask 0 0 0.5 0.5; noise 10; blank");
        assert_eq!(hidden.content, content());
        assert_eq!((hidden.first.len(), hidden.others.len()), (3, 2));
        assert!(hidden.moves.is_empty());
    }
}
