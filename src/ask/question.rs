//! Builds the request of one question and the record for its answer.

use std::io;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::asking::{Asking, MAX_TOKENS, max_tokens_at};
use super::chain::SubQuestion;
use super::changed::EditedContent;
use super::direction::TransformRefusal;
use super::item::JournalEntry;
use super::kind::{AnswerGrade, Kind, unanswered};
use super::logged::{Generation, VERSION, messages};
use super::marks::{sent_pictures, woven};
use super::picture_rules::RequestPictures;
use super::prompt::wording;
use super::sample::Sample;
use super::step::{Change, Step};
use super::twin::Keys;
use crate::client::{Picture, Request, Turn as Message};
use base::file::ContentStore;
use base::format::pattern;
use media::{MissingPicture, OpenedPicture, Orientation, Source, Turn};
use record::{ImageRef, Origin, ROTATION, Record, Rule, SentPart, Value};
use regex::Regex;

/// A question that is ready to be sent.
#[derive(Clone, Debug)]
pub struct Question {
    /// The request to send, with encoded pictures.
    pub request: Request,
    /// The record without its answer: content, condition and pictures as the model sees them.
    pub record: Record,
    /// Source and version of the wording.
    pub version: String,
    /// Number of the repeat, from 0.
    pub repeat: u32,
    /// Encoding of the pictures that are not sent as their files are, for example `PNG`.
    pub made: Vec<String>,
    /// For self-check: the earlier answer, kept if the model only confirms it.
    pub before: Option<String>,
    /// For chains: the sub-question, which may be answered from reference data.
    pub part: Option<Arc<dyn SubQuestion>>,
    /// For twins: the keys that may be wrong on the changed picture.
    pub keys: Option<Box<Keys>>,
}

/// Why a question cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unaskable {
    /// A picture is missing or broken.
    #[error(transparent)]
    Picture(#[from] MissingPicture),
    /// The step would change nothing.
    #[error("the object already fills the picture")]
    Same,
    /// A part of a chain has nothing to ask about.
    #[error("{0}")]
    Part(&'static str),
    /// Words or numbers do not fit the changed picture.
    #[error(transparent)]
    Transform(#[from] TransformRefusal),
}

impl Unaskable {
    /// Returns the message without the names of pictures, for grouping questions by reason.
    pub fn reason(&self) -> String {
        match self {
            Self::Picture(missing) => missing.reason(),
            other => other.to_string(),
        }
    }

    /// Returns true if a picture is damaged and could be sent on request.
    pub const fn is_damaged(&self) -> bool {
        matches!(self, Self::Picture(MissingPicture::Damaged { .. }))
    }
}

impl Question {
    /// Builds the question that a step asks about a sample. Opens and edits its pictures.
    ///
    /// # Errors
    /// A picture is missing, the step would change nothing, or the words do
    /// not fit the changed picture.
    pub fn new(sample: &Sample, step: &Step, asking: &Asking) -> Result<Self, Unaskable> {
        let own = own_version(sample, step);
        let (asked, sources) = own.unwrap_or((&sample.record, &sample.pictures));
        let change = match step.change {
            _ if own.is_some() => Change::None,
            Change::Turn(_) => Change::Turn(turn_of(sample, step, asking).unwrap_or_default()),
            change => change,
        };
        let edited = step.edited.as_deref();
        let first = sources.first().map(OpenedPicture::new).transpose()?;
        let stored = first.as_ref();
        let orientation = stored.map_or(Orientation::UPRIGHT, OpenedPicture::orientation);
        let size = stored.map_or((1, 1), OpenedPicture::size);
        let upright = EditedContent::upright(&asked.content, orientation, size)?;
        let changed = upright.at(change, step, asking.turn_words)?;
        let logged = asked.content.sent.as_deref();
        let logged = logged.filter(|sent| step.wording.is_none() && !sent.messages.is_empty());
        let count = sources.len();
        let pictures = RequestPictures {
            sources,
            first,
            count: logged.map_or(count, |sent| sent_pictures(&sent.messages, count)),
        };
        let (pictures, made) = pictures.encoded(&changed, asking)?;
        let changed = match pictures.first() {
            Some(first) => changed.sent_at(first.size)?,
            None => changed,
        };
        let (turns, version) = if let Some(sent) = logged {
            let turns = messages(sent, &pictures, &changed.moves)?;
            (turns, format!("{}/{VERSION}", sample.format))
        } else {
            let words = wording(sample, step, &changed.content);
            let parts = (0..pictures.len()).map(SentPart::Picture);
            let parts: Vec<SentPart> = parts.chain([SentPart::Text(words.text)]).collect();
            (vec![Message::user(woven(&parts, &pictures))], words.version)
        };
        let system = match edited {
            // An edited prompt keeps the log's system prompt.
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
        // The log's messages do not describe this request.
        record.content.sent = None;
        record.content.images = pictures.iter().map(|picture| image_of(picture)).collect();
        let mut sampling = asking.sampling.clone();
        let generation = Generation::of(&sample.record.content);
        sampling.temperature = asking
            .temperature
            .of(step.temperature.or(generation.temperature));
        sampling.effort = step.effort.clone().or(sampling.effort);
        if let Some(effort) = &sampling.effort
            && sampling.max_tokens == Some(MAX_TOKENS)
            && !asking.bounds_length
        {
            sampling.max_tokens = Some(max_tokens_at(effort));
        }
        generation.fill(&mut sampling, asking);
        if let Some(edited) = edited {
            edited.fill(&mut sampling, asking);
        }
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
            before: None,
            part: None,
            keys: changed.keys.map(Box::new),
        })
    }

    /// Judges an answer and adds it to the record; no record without an answer.
    pub fn judged(self, done: &JournalEntry) -> (AnswerGrade, Option<Record>) {
        let (judged, mut record) = done.judged(self.record.clone());
        if let (Some(keys), Some(record)) = (&self.keys, &mut record) {
            keys.score(record, &self.record, done);
        }
        let is_read = judged.kind != Kind::Unreadable;
        let kept = self.before.filter(|_| affirms(&done.text, is_read));
        match (kept, judged.kind) {
            (Some(before), Kind::Ok | Kind::Unreadable) => kept_answer(self.record, before, done),
            _ => (judged, record),
        }
    }
}

/// Scores the earlier answer; the record's response is the new text.
fn kept_answer(
    record: Record,
    before: String,
    done: &JournalEntry,
) -> (AnswerGrade, Option<Record>) {
    let earlier = JournalEntry {
        text: before,
        ..done.clone()
    };
    let (judged, record) = earlier.judged(record);
    let record = record.map(|record| Record {
        response: Some(done.text.clone()),
        parsed: Some(judged.read.clone().unwrap_or_default()),
        metric: record.metric.clone().or_else(|| {
            let metric = scorer::judge(&record).harness.metric;
            Some(metric.into_owned())
        }),
        stored: record
            .stored
            .or_else(|| scorer::judge(&record).harness.outcome.score),
        // No rule can parse a confirmation.
        rule: Rule::Unstated,
        ..record
    });
    (judged, record)
}

/// Returns true if a reply to "are you sure" only confirms: `Yes, I am sure.` A plain yes counts if
/// it is not itself a readable answer.
fn affirms(text: &str, is_read: bool) -> bool {
    static SURE: LazyLock<Regex> = LazyLock::new(|| {
        let sure = r"(?i)^\W*((yes|yeah|yep|correct|absolutely|certainly)\W+)?(i\s*('|’)?\s*a?m\s+)?((very|quite|absolutely|completely)\s+)?(sure|certain|confident)\W*$";
        pattern(sure)
    });
    let is_sure = SURE.is_match(text);
    let word = text.trim_matches(|sign: char| !sign.is_alphanumeric());
    let is_yes = ["yes", "yeah", "yep"].contains(&word.to_lowercase().as_str());
    is_sure || !is_read && is_yes
}

/// Returns a hash that identifies the log's first picture, however it is edited. For a rerun of a
/// rerun, it is the first log's picture. `None` without a picture.
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

/// Returns the reference to a picture that is saved with the run.
fn image_of(picture: &Picture) -> ImageRef {
    ImageRef::Path(kept_as(picture))
}

/// Returns the path of a saved picture in the run's folder: `images/DIGEST.png` or `.jpg`.
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

/// Saves a picture with a run: as a hard link if a file of the log has the same bytes. Afterwards,
/// the picture can be freed once it was sent.
///
/// # Errors
/// The run's folder cannot be written.
pub fn keep_picture(files: &ContentStore, picture: &Picture) -> io::Result<()> {
    let name = kept_as(picture);
    let bytes = picture.bytes()?;
    files.keep(&name, &bytes, picture.file.as_deref())?;
    picture.keep_at(files.path(&name));
    Ok(())
}

/// Returns the log's own rotated version of a sample, if it has one.
fn own_version<'a>(sample: &'a Sample, step: &Step) -> Option<(&'a Record, &'a Vec<Source>)> {
    let own = sample.turned.get(&degrees(sample, step)?)?;
    Some((&own.record, &own.pictures))
}

/// Returns the total rotation in degrees; the log's picture may already be rotated.
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

/// Returns the clockwise rotation by a step; `None` if the log has a rotated picture of its own.
pub fn turn_of(sample: &Sample, step: &Step, asking: &Asking) -> Option<Turn> {
    let Change::Turn(turn) = step.change else {
        return None;
    };
    let spin = asking.spins.get(&sample.record.benchmark);
    own_version(sample, step).is_none().then(|| spin.turn(turn))
}

/// Returns width and height of the first picture when upright; 1 x 1 without a picture.
///
/// # Errors
/// The picture is missing or broken.
pub fn upright_size(sources: &[Source]) -> Result<(u32, u32), Unaskable> {
    let first = sources.first().map(OpenedPicture::new).transpose()?;
    Ok(first.map_or((1, 1), |first| first.orientation().size(first.size())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_kept_counts_as_it_did() {
        let choice = |letter: &str, text: &str| record::Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        let record = Record {
            content: record::Content {
                question: "What?".to_owned(),
                choices: vec![choice("A", "cat"), choice("B", "dog")],
                target: Some(record::Target::Text("B".to_owned())),
                ..record::Content::default()
            },
            rule: Rule::Strict,
            ..Record::default()
        };
        let question = |before: &str| Question {
            request: Request {
                model: String::new(),
                system: None,
                turns: Vec::new(),
                sampling: crate::client::Sampling::default(),
                schema: None,
            },
            record: record.clone(),
            version: String::new(),
            repeat: 0,
            made: Vec::new(),
            before: Some(before.to_owned()),
            part: None,
            keys: None,
        };
        let done = |text: &str| JournalEntry {
            text: text.to_owned(),
            outcome: Kind::Ok.to_string(),
            finish_reason: Some("stop".to_owned()),
            ..JournalEntry::default()
        };
        for (before, said, right) in [
            ("B", "Yes, I am sure.", true),
            ("A", "Yes.", false),
            ("A", "B", true),
            ("B", "No, it is A", false),
        ] {
            let (judged, record) = question(before).judged(&done(said));
            let record = record.unwrap();
            assert_eq!(
                (judged.kind, judged.right),
                (Kind::Ok, Some(right)),
                "{said}"
            );
            assert_eq!(record.response.as_deref(), Some(said));
            let read_again = scorer::judge(&record).harness.outcome.score;
            assert_eq!(read_again, Some(f64::from(u8::from(right))), "{said}");
        }
    }

    #[test]
    fn who_is_sure_says_nothing_new() {
        for text in [
            "Yes, I am sure.",
            "I'm sure.",
            "yes, I’m absolutely certain!",
            "**Sure**",
        ] {
            assert!(affirms(text, true), "{text}");
        }
        for text in ["yes", "Yes.", "Yeah!"] {
            assert!(affirms(text, false) && !affirms(text, true), "{text}");
        }
        for text in [
            "no",
            "B",
            "Yes, I am sure: B",
            "I am not sure.",
            "",
            "Are you sure?",
        ] {
            assert!(!affirms(text, false), "{text}");
        }
    }
}
