//! What was asked: question, options, target, pictures, boxes, tags.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

use super::{Labels, PixelMap};

/// Everything about a sample that does not depend on the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// The question as the log has it, without harness boilerplate where the two can be told apart.
    pub question: String,
    /// The options in their printed order.
    pub choices: Vec<Choice>,
    /// The annotated answer.
    pub target: Option<Target>,
    /// The pictures in the order in which the model saw them.
    pub images: Vec<ImageRef>,
    /// Boxes drawn or to be drawn on the first picture.
    pub boxes: Vec<LabelledBox>,
    /// Maps of the first picture.
    pub maps: Vec<PixelMap>,
    /// Measured quantities and groupings: dataset, `box_area`, `depth_m`, count and so on.
    pub tags: Labels,
    /// How it was asked, as far as the log tells.
    pub sent: Option<Box<Sent>>,
}

/// How a question was asked, as far as its log tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// The system prompt.
    pub system: Option<String>,
    /// The messages before the answer that counts; none where the log does not hold them.
    pub messages: Vec<SentMessage>,
    /// Lines of the hint that stands before the question; 0: none.
    pub hint_lines: usize,
    /// How answers were drawn: an object of JSON in the words of the harness.
    pub generation: Option<String>,
    /// The format of the log that this is a copy of, whose harness put the question into its own words.
    pub harness: Option<String>,
}

/// A message that a model was sent, or an earlier answer of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentMessage {
    /// It is an earlier answer of the model's.
    pub by_model: bool,
    /// What it holds, in order.
    pub parts: Vec<SentPart>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SentPart {
    /// Text.
    Text(String),
    /// A picture, by its place among the sample's.
    Picture(usize),
}

/// One option of a multiple-choice question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// `A`, `B`, ...
    pub letter: String,
    /// The option's text.
    pub text: String,
}

impl Choice {
    /// The letters of the option at a place of a list: A to Z, then AA, AB and so on.
    #[must_use]
    pub fn letters(mut place: usize) -> String {
        let mut letters = Vec::new();
        loop {
            letters.extend(('A'..='Z').nth(place % 26));
            match (place / 26).checked_sub(1) {
                Some(rest) => place = rest,
                None => break,
            }
        }
        letters.iter().rev().collect()
    }
}

/// The annotated answer of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// An option letter, an option's text, or free text.
    Text(String),
    /// A number, in the ability's own unit.
    Number(f64),
    /// `[x0, y0, x1, y1]`, in pixels or as fractions of the image.
    Box([f64; 4]),
    /// `[r, g, b]`, 0 to 255.
    Color([f64; 3]),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Box([x0, y0, x1, y1]) => write!(f, "[{x0}, {y0}, {x1}, {y1}]"),
            Self::Color([r, g, b]) => write!(f, "[{r}, {g}, {b}]"),
        }
    }
}

/// Where a picture is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageRef {
    /// A path as the log writes it, relative to the folders that its reader names.
    Path(String),
    /// A `data:` URL or bare base64.
    Inline(String),
    /// An `http` or `https` address; not fetched unless the user says so.
    Url(String),
    /// Base64 text in a larger file: `length` bytes from `offset`.
    Cell {
        /// The data set file.
        #[serde(serialize_with = "lossy")]
        file: PathBuf,
        /// First byte of the base64 text.
        offset: u64,
        /// Number of bytes.
        length: u64,
    },
}

/// Writes a path as a text; what is no text of it is replaced.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format::path(path))
}

/// A box with a meaning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledBox {
    /// Name beside the box; may be empty.
    pub label: String,
    /// What the box stands for.
    pub role: Role,
    /// `[x0, y0, x1, y1]`, in pixels, or as fractions when no value exceeds 1; of the picture as it is stored, before
    /// its EXIF orientation is applied, which is how annotations are made.
    pub xyxy: [f64; 4],
    /// The log's own name of the box's colour, such as `red`.
    pub color: Option<String>,
    /// The number of its line in the response, where boxes are many.
    pub number: Option<u16>,
}

/// What a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The annotated answer.
    Target,
    /// A box that the question speaks of.
    Reference,
    /// A model's answer.
    Prediction,
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn letters_go_on_behind_z() {
        let letters = [0, 25, 26, 27, 51, 52, 701, 702].map(Choice::letters);
        assert_eq!(letters, ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
    }
}
