//! One question as it is sent, and the record that its answer will complete.

use std::sync::Arc;

use thiserror::Error;

use super::asking::Asking;
use super::boxes::{objects, spoken_of};
use super::chain::SubQuestion;
use super::content::{Move, TurnWords, fractions, moved, upright};
use super::crop::{around, union};
use super::direction::Doubt;
use super::kind::unanswered;
use super::logged::{Generation, VERSION, messages};
use super::prompt::wording;
use super::sample::Sample;
use super::step::{Change, Step};
use client::{Part, Picture, Request, Turn as Message};
use media::{
    Edit, MissingPicture, Opened, Orientation, Overlay, Region, Source, Stroke, Turn, Unit,
};
use record::{Content, ImageRef, Record, Value};

/// The condition of a turned picture.
const ROTATION: &str = "rotation";
/// Width of a drawn box in pixels.
const WIDTH: u32 = 3;
/// The colour of a box whose own the log does not name.
const COLOR: [u8; 3] = [230, 40, 40];

/// A question that is ready to be sent.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is sent.
    pub request: Request,
    /// The record without its answer: content, condition and pictures as the model sees them.
    pub record: Record,
    /// Whose wording it is.
    pub version: String,
    /// Which repeat.
    pub repeat: u32,
    /// How pictures were written that are not sent as their files are, such as `PNG`.
    pub made: Vec<String>,
    /// What it asks of a picture, where it is a part of a chain and somebody may know the answer.
    pub part: Option<Arc<dyn SubQuestion>>,
}

/// Why a question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unaskable {
    /// Its picture is missing or broken.
    #[error(transparent)]
    Picture(#[from] MissingPicture),
    /// The step would change nothing.
    #[error("the object fills the picture already")]
    Same,
    /// A part of a chain has nothing to ask about.
    #[error("{0}")]
    Part(&'static str),
    /// Its words or numbers cannot be said of the changed picture.
    #[error(transparent)]
    Doubt(#[from] Doubt),
}

impl Unaskable {
    /// Returns true if a picture is damaged, and could be sent if that is wanted.
    #[must_use]
    pub const fn is_damaged(&self) -> bool {
        matches!(self, Self::Picture(MissingPicture::Damaged { .. }))
    }
}

impl Question {
    /// The question that a step asks of a sample. Opens and changes its pictures.
    ///
    /// # Errors
    /// A picture is missing, or the step would change nothing.
    pub fn new(sample: &Sample, step: &Step, asking: &Asking) -> Result<Self, Unaskable> {
        let own = own_version(sample, step);
        let (asked, sources) = own.unwrap_or((&sample.record, &sample.pictures));
        let change = match step.change {
            _ if own.is_some() => Change::None,
            Change::Turn(_) => Change::Turn(turn_of(sample, step, asking).unwrap_or_default()),
            change => change,
        };
        let mut first = sources.first().map(Opened::new).transpose()?;
        let stored = first
            .as_ref()
            .map(|first| (first.size(), first.orientation()));
        let (size, orientation) = stored.unwrap_or(((1, 1), Orientation::UPRIGHT));
        let content = upright(&asked.content, orientation, size)?;
        let changed = changed(&content, orientation.size(size), change, asking.turn_words)?;
        let (mut pictures, mut made) = (Vec::new(), Vec::new());
        for (at, source) in sources.iter().enumerate() {
            let edits = match &changed.edits {
                // What is drawn and shown larger belongs to the first picture; all are turned and blanked.
                edits if at == 0 || matches!(change, Change::Turn(_) | Change::Blank) => {
                    edits.as_slice()
                }
                _ => &[],
            };
            let opened = match first.take() {
                Some(opened) => opened,
                None => Opened::new(source)?,
            };
            let (encoded, how) = opened.encoded(edits, asking.sends_damaged)?;
            made.extend(how.words());
            pictures.push(Arc::new(Picture::new(
                encoded.bytes,
                encoded.mime,
                encoded.size,
            )));
        }
        let logged = asked.content.sent.as_deref();
        let logged = logged.filter(|sent| step.wording.is_none() && !sent.messages.is_empty());
        let (turns, version) = if let Some(sent) = logged {
            let words = asking.turn_words;
            let turns = messages(sent, &pictures, &asked.content, changed.by, words)?;
            (turns, format!("{}/{VERSION}", sample.format))
        } else {
            let words = wording(sample, step, &changed.content);
            let parts = pictures.iter().cloned().map(Part::Picture);
            let parts = parts.chain([Part::Text(words.text)]).collect();
            (vec![Message::user(parts)], words.version)
        };
        let system = logged.and_then(|sent| sent.system.clone());
        let mut record = unanswered(asked);
        record.model.clone_from(&asking.label);
        record.condition.clone_from(&sample.record.condition);
        record.condition.extend(step.labels.clone());
        if let Some(degrees) = degrees(sample, step) {
            let degrees = Value::Number(f64::from(degrees));
            record.condition.insert(ROTATION.to_owned(), degrees);
        }
        record.content = changed.content;
        record.content.images = pictures.iter().map(|picture| image_of(picture)).collect();
        let mut sampling = asking.sampling.clone();
        let generation = Generation::of(&sample.record.content);
        sampling.temperature = asking
            .temperature
            .of(step.temperature.or(generation.temperature));
        generation.fill(&mut sampling, asking.bounds_length);
        sampling.effort = step.effort.clone().or(sampling.effort);
        sampling.seed = step.seed(sampling.seed);
        Ok(Self {
            request: Request {
                model: asking.model.clone(),
                system: asking.system.clone().or(system),
                turns,
                sampling,
                schema: None,
            },
            record,
            version,
            repeat: step.repeat,
            made,
            part: None,
        })
    }
}

/// The path under which a picture is kept beside the run.
fn image_of(picture: &Picture) -> ImageRef {
    ImageRef::Path(kept_as(picture))
}

/// `images/DIGEST.png`.
#[must_use]
pub fn kept_as(picture: &Picture) -> String {
    let ending = if picture.mime == "image/jpeg" {
        "jpg"
    } else {
        "png"
    };
    format!(
        "images/{}.{ending}",
        picture.digest.get(..32).unwrap_or_default()
    )
}

/// The log's own turned version of a sample, where it has one.
fn own_version<'a>(sample: &'a Sample, step: &Step) -> Option<(&'a Record, &'a Vec<Source>)> {
    let own = sample.turned.get(&degrees(sample, step)?)?;
    Some((&own.record, &own.pictures))
}

/// How far the picture is turned in the end: a log's picture may be turned already.
fn degrees(sample: &Sample, step: &Step) -> Option<u16> {
    let Change::Turn(turn) = step.change else {
        return None;
    };
    let label = sample
        .record
        .condition
        .get(ROTATION)
        .and_then(Value::number);
    let before = Turn::EACH
        .into_iter()
        .find(|turn| Some(f64::from(turn.degrees())) == label);
    Some((before.unwrap_or_default().degrees() + turn.degrees()) % 360)
}

/// A content whose picture is to be changed, and how.
struct Changed {
    content: Content,
    edits: Vec<Edit>,
    /// How it is moved.
    by: Option<Move>,
}

/// Changes a content of an upright picture of `size` pixels.
fn changed(
    content: &Content,
    size: (u32, u32),
    change: Change,
    words: TurnWords,
) -> Result<Changed, Unaskable> {
    let plain = |edits| Changed {
        content: content.clone(),
        edits,
        by: None,
    };
    let moved = |by, edit| -> Result<Changed, Unaskable> {
        Ok(Changed {
            content: moved(content, by, words)?.content,
            edits: vec![edit],
            by: Some(by),
        })
    };
    Ok(match change {
        Change::None | Change::Turn(Turn::NONE) => plain(Vec::new()),
        Change::Blank => plain(vec![Edit::Blank]),
        Change::Turn(turn) => moved(Move::turned(turn, size), Edit::Turn(turn))?,
        Change::Boxes => plain(vec![Edit::Boxes(overlays(content))]),
        Change::Crop(share) => {
            let region = region(content, share, size).ok_or(Unaskable::Same)?;
            moved(Move::zoomed(region, size), Edit::Zoom(region))?
        }
    })
}

/// How a step turns a sample's picture, clockwise; nothing where the log has a turned picture of its own.
#[must_use]
pub fn turn_of(sample: &Sample, step: &Step, asking: &Asking) -> Option<Turn> {
    let Change::Turn(turn) = step.change else {
        return None;
    };
    let spin = asking.spins.get(&sample.record.benchmark);
    own_version(sample, step).is_none().then(|| spin.turn(turn))
}

/// Width and height of the first picture upright.
///
/// # Errors
/// It is missing or broken.
pub fn upright_size(sources: &[Source]) -> Result<(u32, u32), Unaskable> {
    let first = sources.first().map(Opened::new).transpose()?;
    Ok(first.map_or((1, 1), |first| first.orientation().size(first.size())))
}

fn region(content: &Content, share: f64, size: (u32, u32)) -> Option<Region> {
    let boxes = objects(content).into_iter();
    let boxes: Vec<[f64; 4]> = boxes.map(|corners| fractions(corners, size).0).collect();
    around(union(&boxes)?, share)
}

fn overlays(content: &Content) -> Vec<Overlay> {
    let overlay = |known: &record::LabelledBox| Overlay {
        number: None,
        xyxy: known.xyxy,
        unit: if known.xyxy.iter().all(|corner| corner.abs() <= 1.0) {
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
