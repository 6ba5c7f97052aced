//! Content of a sample: question, options, target, pictures, boxes, tags.

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};

use super::{Labels, PixelMap};

/// The part of a sample that does not depend on the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Question text from the log, without the harness's boilerplate where it is recognised.
    pub question: String,
    /// Options in the order in which the prompt lists them.
    pub choices: Vec<Choice>,
    /// Annotated answer; `None` if the log has none.
    pub target: Option<Target>,
    /// Pictures in the order in which the model received them, followed by pictures of few-shot
    /// examples.
    pub images: Vec<ImageRef>,
    /// Boxes drawn, or to be drawn, on the first picture.
    pub boxes: Vec<LabelledBox>,
    /// Pixel maps of the first picture, such as masks and depth.
    pub maps: Vec<PixelMap>,
    /// Tag values by name, such as `dataset`, `box_area`, `depth_m` or `count`.
    pub tags: Labels,
    /// The request sent to the model, if the log contains it.
    pub sent: Option<Box<Sent>>,
}

/// The request sent to the model, as far as the log contains it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// System prompt; `None` if there was none.
    pub system: Option<String>,
    /// Messages before the final answer; empty if the log does not contain them.
    pub messages: Vec<SentMessage>,
    /// Number of lines of the hint that precedes the question; 0 without a hint.
    pub hint_lines: usize,
    /// Generation settings, as a JSON object in the harness's own format.
    pub generation: Option<String>,
    /// For a converted log: the original log format, whose harness composed the prompt.
    pub harness: Option<String>,
}

impl Sent {
    /// Adds a message with a chat role. `None` if a rerun cannot reproduce the role.
    pub fn with(mut self, role: &str, parts: Vec<SentPart>) -> Option<Self> {
        match role {
            "system" | "developer" if self.messages.is_empty() && self.system.is_none() => {
                let text = |part| match part {
                    SentPart::Text(text) => Some(text),
                    SentPart::Picture(_) => None,
                };
                let texts: Option<Vec<String>> = parts.into_iter().map(text).collect();
                self.system = Some(texts?.join("\n"));
            }
            "user" | "assistant" => self.messages.push(SentMessage {
                by_model: role == "assistant",
                parts,
            }),
            _ => return None,
        }
        Some(self)
    }

    /// True if the last message is a prompt.
    pub fn ends_with_prompt(&self) -> bool {
        self.messages.last().is_some_and(|last| !last.by_model)
    }
}

/// A message of the conversation: a prompt or an earlier answer of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentMessage {
    /// True for an earlier answer of the model.
    pub by_model: bool,
    /// Texts and pictures of the message, in order.
    pub parts: Vec<SentPart>,
}

/// A part of a message: text or a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SentPart {
    /// Text of the part.
    Text(String),
    /// A picture, as an index into [`Content::images`].
    Picture(usize),
}

/// One option of a multiple-choice question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// Label of the option: `A`, `B`, ...
    pub letter: String,
    /// Text of the option.
    pub text: String,
}

impl Choice {
    /// Returns the label of the option at an index, counted from 0: A to Z, then AA, AB and so on.
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

/// Annotated answer of a sample, by type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// An option letter, an option's text, or free text.
    Text(String),
    /// A number in the ability's own unit.
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

/// Location of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImageRef {
    /// A path from the log, relative to the reader's picture folders.
    Path(String),
    /// A `data:` URL or bare base64.
    Inline(String),
    /// An `http` or `https` URL; downloaded only if the user allows it.
    Url(String),
    /// Base64 text inside a larger file, `length` bytes starting at `offset`.
    Cell {
        /// Data set file that contains the text.
        #[serde(serialize_with = "lossy")]
        file: PathBuf,
        /// Offset of the base64 text in bytes.
        offset: u64,
        /// Length of the base64 text in bytes.
        length: u64,
    },
}

/// Serializes a path as text; invalid Unicode is replaced.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&base::format::path(path))
}

/// A box with a label and a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledBox {
    /// Label drawn next to the box; can be empty.
    pub label: String,
    /// What the box represents.
    pub role: Role,
    /// `[x0, y0, x1, y1]` in pixels, or as fractions if no value exceeds 1. Like annotations, the
    /// box refers to the stored picture, before its EXIF orientation is applied.
    pub xyxy: [f64; 4],
    /// Colour name from the log, for example `red`.
    pub color: Option<String>,
    /// Line number of the box in the response, if the response contains many boxes.
    pub number: Option<u16>,
}

impl LabelledBox {
    /// Creates a box without colour and number.
    pub fn new(label: impl Into<String>, role: Role, xyxy: [f64; 4]) -> Self {
        Self {
            label: label.into(),
            role,
            xyxy,
            color: None,
            number: None,
        }
    }
}

/// What a box or map represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// Ground truth: the annotation.
    Target,
    /// A box to which the question refers.
    Reference,
    /// The model's answer.
    Prediction,
}

/// Parses width and height of a picture, written as `640x480`, `640 x 480` or `[640, 480]`.
#[must_use]
pub fn picture_sides(size: &str) -> Option<[f64; 2]> {
    let mut numbers = size
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let sides = [numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?];
    numbers.next().is_none().then_some(sides)
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
