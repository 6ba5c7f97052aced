//! One question as it is sent, and the record that its answer will complete.

use std::sync::Arc;

use thiserror::Error;

use super::asking::Asking;
use super::chain::SubQuestion;
use super::changed::Changed;
use super::direction::Doubt;
use super::kind::unanswered;
use super::logged::{Generation, VERSION, messages};
use super::prompt::wording;
use super::sample::Sample;
use super::step::{Change, Step};
use client::{Part, Picture, Request, Turn as Message};
use media::{MissingPicture, Opened, Orientation, Source, Turn};
use record::{ImageRef, Origin, Record, Value};

/// The condition of a turned picture.
const ROTATION: &str = "rotation";

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
        let edited = step.edited.as_deref();
        let mut first = sources.first().map(Opened::new).transpose()?;
        let stored = first
            .as_ref()
            .map(|first| (first.size(), first.orientation()));
        let (size, orientation) = stored.unwrap_or(((1, 1), Orientation::UPRIGHT));
        let words = asking.turn_words;
        let mut changed = Changed::upright(&asked.content, orientation, size)?;
        changed.change(change, words)?;
        for edit in edited.iter().flat_map(|edited| &edited.edits) {
            changed.edit(*edit, words)?;
        }
        let (mut pictures, mut made) = (Vec::new(), Vec::new());
        for (at, source) in sources.iter().enumerate() {
            let edits = if at == 0 {
                &changed.first
            } else {
                &changed.others
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
            let turns = messages(sent, &pictures, &changed.moves)?;
            (turns, format!("{}/{VERSION}", sample.format))
        } else {
            let words = wording(sample, step, &changed.content);
            let parts = pictures.iter().cloned().map(Part::Picture);
            let parts = parts.chain([Part::Text(words.text)]).collect();
            (vec![Message::user(parts)], words.version)
        };
        let system = match edited {
            // Other words leave the log's system prompt as it is.
            Some(edited) => {
                let sent = asked.content.sent.as_deref();
                edited.system_or(sent.and_then(|sent| sent.system.clone()))
            }
            None => logged.and_then(|sent| sent.system.clone()),
        };
        let mut record = unanswered(asked);
        record.model.clone_from(&asking.label);
        record.origin = log_picture(&sample.record).map(|picture| {
            Box::new(Origin {
                log_picture: Some(picture),
                ..Origin::default()
            })
        });
        record.condition.clone_from(&sample.record.condition);
        record.condition.extend(step.labels.clone());
        if let Some(degrees) = degrees(sample, step) {
            let degrees = Value::Number(f64::from(degrees));
            record.condition.insert(ROTATION.to_owned(), degrees);
        }
        record.content = changed.content;
        // How the log asked is no word of how this question is asked.
        record.content.sent = None;
        record.content.images = pictures.iter().map(|picture| image_of(picture)).collect();
        let mut sampling = asking.sampling.clone();
        let generation = Generation::of(&sample.record.content);
        sampling.temperature = asking
            .temperature
            .of(step.temperature.or(generation.temperature));
        generation.fill(&mut sampling, asking.bounds_length);
        if let Some(edited) = edited {
            edited.fill(&mut sampling, asking.bounds_length);
        }
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

/// What tells the first picture of the log, whatever becomes of it when it is asked about: that of the first log, where a
/// rerun is asked again.
pub fn log_picture(record: &Record) -> Option<u64> {
    let told = record.origin.as_ref().and_then(|it| it.log_picture);
    told.or_else(|| {
        let hash = match record.content.images.first()? {
            ImageRef::Path(text) | ImageRef::Inline(text) | ImageRef::Url(text) => {
                blake3::hash(text.as_bytes())
            }
            ImageRef::Cell { file, offset, .. } => {
                blake3::hash(format!("{}\u{1f}{offset}", file.display()).as_bytes())
            }
        };
        let (first, _) = hash.as_bytes().split_first_chunk()?;
        Some(u64::from_le_bytes(*first))
    })
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
