//! Finds samples that no step can ask about a changed picture, before anything is sent.

use std::borrow::Cow;

use rayon::prelude::*;

use super::alike::numbers;
use super::asking::Asking;
use super::changed::EditedContent;
use super::content::ANY;
use super::logged::messages;
use super::plan::Plan;
use super::question::{Unaskable, turn_of};
use super::sample::Sample;
use super::step::{Change, Step};
use media::{OpenedPicture, Orientation};
use record::{Content, SentPart, Target};

/// Maximum number of pictures opened; further samples are checked when they are asked.
const MOST_OPENED: usize = 5_000;

impl Plan {
    /// Returns why each sample cannot be asked; `None` if it can. A sample is excluded if all steps
    /// that move its picture fail; for rotations and twins, if one of these steps fails. Opens
    /// pictures if their size matters.
    pub(super) fn unmovable(&self) -> Vec<Option<Cow<'static, str>>> {
        if !self.steps.iter().any(moves) {
            return vec![None; self.samples.len()];
        }
        let mut opened = 0;
        let depends: Vec<(bool, bool)> = self
            .samples
            .iter()
            .map(|sample| {
                let depends = depends_on_size(sample, &self.steps);
                let opens = depends && opened < MOST_OPENED;
                opened += usize::from(opens);
                (depends, opens)
            })
            .collect();
        let pairs = self.samples.par_iter().zip(depends);
        pairs
            .map(|(sample, (depends, opens))| {
                let picture = if opens {
                    Some(OpenedPicture::new(sample.pictures.first()?).ok()?)
                } else if depends || self.knows_words(sample) {
                    return None;
                } else {
                    None
                };
                let why = |step: &Step| why(sample, step, &self.asking, picture.as_ref());
                let mut moving = self.steps.iter().filter(|step| moves(step)).map(why);
                if self.protocol.moves_every_picture() {
                    return moving.flatten().next();
                }
                // One step that can be asked is enough.
                moving
                    .try_fold(None, |_, why| why.map(Some))
                    .unwrap_or_default()
            })
            .collect()
    }

    /// Returns true if the words of a sample were already checked, and its log
    /// has no other messages.
    fn knows_words(&self, sample: &Sample) -> bool {
        let sent = sample.record.content.sent.as_deref();
        self.protocol.moves_every_picture() && sent.is_none_or(|sent| sent.messages.is_empty())
    }
}

/// Returns true if a step moves the picture.
fn moves(step: &Step) -> bool {
    let edited = step.edited.iter().any(|edited| !edited.edits.is_empty());
    edited
        || matches!(
            step.change,
            Change::Turn(_) | Change::Mirror(_) | Change::Crop(_)
        )
}

/// Returns true if the picture's size decides whether a sample can be asked: numbers may be
/// coordinates, or a crop is shown.
fn depends_on_size(sample: &Sample, steps: &[Step]) -> bool {
    let content = &sample.record.content;
    let crops = |step: &Step| matches!(step.change, Change::Crop(_));
    steps.iter().any(crops) || has_places(content)
}

fn has_places(content: &Content) -> bool {
    let is_place = |text: &str| numbers(text).len() > 1;
    let target = match &content.target {
        Some(Target::Box(_)) => true,
        Some(Target::Text(text)) => is_place(text),
        _ => false,
    };
    let sent = content.sent.iter().flat_map(|sent| &sent.messages);
    let mut parts = sent.flat_map(|message| &message.parts);
    target
        || is_place(&content.question)
        || content.choices.iter().any(|choice| is_place(&choice.text))
        || parts.any(|part| matches!(part, SentPart::Text(text) if is_place(text)))
}

/// Returns why a step cannot ask a sample. Without its picture, its size is [`ANY`].
fn why(
    sample: &Sample,
    step: &Step,
    asking: &Asking,
    picture: Option<&OpenedPicture>,
) -> Option<Cow<'static, str>> {
    let change = match step.change {
        // The log may have its own rotated picture.
        Change::Turn(_) => Change::Turn(turn_of(sample, step, asking)?),
        change => change,
    };
    let content = &sample.record.content;
    let size = picture.map_or(ANY, OpenedPicture::size);
    let orientation = picture.map_or(Orientation::UPRIGHT, OpenedPicture::orientation);
    let asked = || {
        let upright = EditedContent::upright(content, orientation, size)?;
        let changed = upright.at(change, step, asking.turn_words)?;
        if let (Some(sent), None) = (&content.sent, &step.wording) {
            messages(sent, &[], &changed.moves)?;
        }
        Ok(())
    };
    match asked() {
        Err(Unaskable::Transform(refusal)) => Some(Cow::Borrowed(refusal.0)),
        Err(Unaskable::Same) => Some(Cow::Borrowed("an object that already fills the picture")),
        Ok(()) | Err(Unaskable::Picture(_) | Unaskable::Part(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;
    use crate::content::TurnWords;
    use crate::protocol::Protocol;
    use media::{Raster, Source, Values};
    use record::{LabelledBox, Record, Role};

    /// Returns a sample with a picture of 96 x 48 pixels.
    fn sample(folder: &Path, question: &str, target: Target) -> Sample {
        let raster = Raster {
            width: 96,
            height: 48,
            values: Values::Labels(vec![0; 96 * 48]),
        };
        let path = folder.join("a.png");
        std::fs::write(&path, raster.png().unwrap().bytes).unwrap();
        Sample {
            record: Record {
                sample_id: question.to_owned(),
                content: Content {
                    question: question.to_owned(),
                    target: Some(target),
                    ..Content::default()
                },
                ..Record::default()
            },
            pictures: vec![Source::Path {
                reference: "a.png".to_owned(),
                roots: vec![folder.to_path_buf()],
            }],
            format: "eyechart".to_owned(),
            before: None,
            turned: BTreeMap::new(),
        }
    }

    fn plan(protocol: Protocol, words: TurnWords, samples: Vec<Sample>) -> Plan {
        let asking = Asking {
            turn_words: words,
            ..Asking::default()
        };
        Plan::new(samples, protocol, asking)
    }

    #[test]
    fn what_cannot_be_turned_is_known_before_it_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let text = |text: &str| Target::Text(text.to_owned());
        let samples = || {
            [
                ("Where is the cat?", text("[10, 10, 20, 20]")),
                ("Where is the dog?", text("[10, 10, 20, 60]")),
                ("Where is the cow?", Target::Box([10.0, 10.0, 20.0, 60.0])),
                ("Is the cup where x is from 10 to 50?", text("yes")),
                ("What color is it?", text("red")),
            ]
            .map(|(question, target)| sample(folder.path(), question, target))
            .to_vec()
        };
        for words in [TurnWords::On, TurnWords::Off] {
            let plan = plan(Protocol::Rotational, words, samples());
            assert_eq!(plan.samples.len(), 2);
            let mut unfit = plan.unfit_words().unwrap();
            unfit.retain(|sign| sign != ',');
            assert!(
                unfit.contains("2 have a box outside the picture"),
                "{unfit}"
            );
            assert!(unfit.contains("1 has a position along one axis"), "{unfit}");
        }
        let plan = plan(Protocol::Vanilla, TurnWords::On, samples());
        assert_eq!(plan.samples.len(), 5, "no picture is moved");
    }

    #[test]
    fn what_cannot_be_cropped_is_known_before_it_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let sample = |corners: [f64; 4]| {
            let mut sample = sample(folder.path(), "What is it?", Target::Number(1.0));
            sample.record.content.boxes = vec![LabelledBox {
                number: None,
                label: String::new(),
                role: Role::Reference,
                xyxy: corners,
                color: None,
            }];
            sample
        };
        let samples = vec![
            sample([10.0, 10.0, 20.0, 20.0]),
            sample([10.0, 10.0, 20.0, 60.0]),
            sample([0.0, 0.0, 96.0, 48.0]),
        ];
        let plan = plan(Protocol::Crop, TurnWords::On, samples);
        assert_eq!(plan.samples.len(), 1);
        let unfit = plan.unfit_words().unwrap();
        assert!(unfit.contains("1 has a box outside the picture"), "{unfit}");
        assert!(
            unfit.contains("an object that already fills the picture"),
            "{unfit}"
        );
    }
}
