//! Automatic tags: computed properties of samples and predictions. Samples are described by their
//! question, options, target, boxes and first picture; predictions by their answer.
//!
//! A tag is computed for all items or rows on first use. No file is read: tags of pictures and
//! answers have values only after the caller set their facts. [`AUTOMATIC_TAGS`] defines all tags.

mod answer;
mod definitions;
mod facts;
mod language;
mod sample;
#[cfg(test)]
mod tests;
mod words;

use std::sync::OnceLock;

use base::picture_facts::PictureFacts;

use self::sample::{Sample, Samples};
use super::tag_values::Cells;
use super::tags::Tag;
use super::{Key, Table, TagValue};

pub use self::answer::{AnswerFacts, FinishReason};
pub use self::definitions::AUTOMATIC_TAGS;
pub use self::facts::{BoxFacts, OptionFacts, right_choice};

/// Names of the values of a flag, indexed by `bool`.
const FLAGS: [&str; 2] = ["false", "true"];

/// Definition of an automatic tag.
#[derive(Debug)]
pub struct AutomaticTag {
    /// Name of the tag; starts with `auto.`.
    pub name: &'static str,
    /// Log tag with the same meaning. If the log has this tag, the subgroup search skips the
    /// automatic tag.
    pub own: Option<&'static str>,
    /// Subject that the tag describes.
    pub subject: Subject,
    /// True if the tag needs the picture's size, which is measured if the log does not contain it.
    pub needs_size: bool,
    /// True if the tag reveals the chosen option. With a known target, such a tag determines the
    /// score.
    pub is_choice: bool,
    form: Form,
}

/// Subject of an automatic tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A sample, described by the content of its log.
    Sample,
    /// The first picture of a sample, described by its pixels ([`Table::set_picture_facts`]).
    Picture,
    /// The answer of a prediction, described by its text ([`Table::set_answer_facts`]).
    Answer,
}

/// Value type of an automatic tag, with a sentence that describes the samples with a given value.
#[derive(Debug)]
enum Form {
    /// Numbers; `{}` in the sentence stands for the number.
    Number(&'static str, fn(&Sample<'_>) -> Option<f64>),
    /// Names, as an index into a list; `{}` in the sentence stands for the name.
    Name(
        &'static str,
        fn() -> &'static [&'static str],
        fn(&Sample<'_>) -> Option<usize>,
    ),
    /// Numbers computed from the first picture; `{}` in the sentence stands for the number.
    OfPicture(&'static str, fn(&PictureFacts) -> f64),
    /// True or false; the sentences describe true and false, in this order.
    Flag([&'static str; 2], fn(&Sample<'_>) -> Option<bool>),
}

/// Defines a numeric tag.
const fn number(
    name: &'static str,
    sentence: &'static str,
    value: fn(&Sample<'_>) -> Option<f64>,
) -> AutomaticTag {
    tag(name, Form::Number(sentence, value))
}

/// Defines a numeric tag computed from the first picture.
const fn of_picture(
    name: &'static str,
    sentence: &'static str,
    value: fn(&PictureFacts) -> f64,
) -> AutomaticTag {
    tag(name, Form::OfPicture(sentence, value)).of(Subject::Picture)
}

const fn tag(name: &'static str, form: Form) -> AutomaticTag {
    AutomaticTag {
        name,
        own: None,
        subject: Subject::Sample,
        needs_size: false,
        is_choice: false,
        form,
    }
}

/// Defines a tag whose values are names from a list.
const fn named(
    name: &'static str,
    sentence: &'static str,
    names: fn() -> &'static [&'static str],
    value: fn(&Sample<'_>) -> Option<usize>,
) -> AutomaticTag {
    tag(name, Form::Name(sentence, names, value))
}

/// Defines a tag that is true or false.
const fn flag(
    name: &'static str,
    sentences: [&'static str; 2],
    value: fn(&Sample<'_>) -> Option<bool>,
) -> AutomaticTag {
    tag(name, Form::Flag(sentences, value))
}

impl AutomaticTag {
    const fn of(mut self, subject: Subject) -> Self {
        self.subject = subject;
        self
    }

    const fn choice(mut self) -> Self {
        self.is_choice = true;
        self
    }

    const fn sized(mut self) -> Self {
        self.needs_size = true;
        self
    }

    const fn unless(mut self, own: &'static str) -> Self {
        self.own = Some(own);
        self
    }

    /// Returns the description of samples with this value: `the question has 5 to 8 words`.
    #[must_use]
    pub fn sentence(&self, value: &str) -> String {
        match self.form {
            Form::Number(sentence, _) | Form::OfPicture(sentence, _) | Form::Name(sentence, ..) => {
                sentence.replace("{}", value)
            }
            Form::Flag([yes, no], _) => if value == "true" { yes } else { no }.to_owned(),
        }
    }

    /// Returns the description without a value: `the question has … words`.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self.form {
            Form::Flag([yes, _], _) => yes.to_owned(),
            Form::Number(..) | Form::OfPicture(..) | Form::Name(..) => self.sentence("…"),
        }
    }

    /// Computes the tag for all items of a table, or for all rows if it describes answers.
    fn column(&self, table: &Table) -> Tag {
        let samples = Samples::new(table);
        let length = match self.subject {
            Subject::Sample | Subject::Picture => table.sample_of().len(),
            Subject::Answer => table.len(),
        };
        let sample = |at| match self.subject {
            Subject::Sample | Subject::Picture => samples.sample(at),
            Subject::Answer => samples.answer(at),
        };
        let coded = |names: &[&str], code: &dyn Fn(&Sample<'_>) -> Option<usize>| {
            let mut key = Key::default();
            for name in names {
                key.code(*name);
            }
            let code = |at| code(&sample(at)).and_then(|code| u32::try_from(code).ok());
            Tag::Text(key, cells(length, code))
        };
        let numbers = |value: &dyn Fn(&Sample<'_>) -> Option<f64>| {
            let known = |number: &f64| number.is_finite();
            Tag::Number(cells(length, |at| value(&sample(at)).filter(known)))
        };
        match self.form {
            Form::Number(_, value) => numbers(&value),
            Form::OfPicture(_, value) => numbers(&|sample| sample.picture().map(|it| value(&it))),
            Form::Name(_, names, value) => coded(names(), &value),
            Form::Flag(_, value) => coded(&FLAGS, &|sample: &Sample<'_>| {
                value(sample).map(usize::from)
            }),
        }
    }
}

/// Stores the values of all indices below `length`; indices without a value are skipped.
fn cells<T: TagValue>(length: usize, value: impl Fn(usize) -> Option<T>) -> Cells<T> {
    let mut cells = Cells::new();
    for at in 0..length {
        if let Some(value) = value(at) {
            cells.push(at, value);
        }
    }
    cells.finish(length)
}

/// Values of the automatic tags of a table, each computed on first use.
#[derive(Debug)]
pub struct AutomaticColumns {
    /// Columns computed without and with picture facts, in this order. Picture facts supply sizes
    /// that are missing in the log.
    columns: [Vec<OnceLock<Tag>>; 2],
    /// Facts about first pictures, sorted by item; unset until pictures were read.
    pub pictures: OnceLock<Vec<(u32, PictureFacts)>>,
    /// Facts about answers, sorted by row; unset until answers were read.
    pub answers: OnceLock<Vec<(u32, AnswerFacts)>>,
}

impl Default for AutomaticColumns {
    fn default() -> Self {
        Self {
            columns: [(); 2].map(|()| AUTOMATIC_TAGS.iter().map(|_| OnceLock::new()).collect()),
            pictures: OnceLock::new(),
            answers: OnceLock::new(),
        }
    }
}

impl AutomaticColumns {
    /// Returns the subject and values of a tag: one value per item, or per row for a tag of
    /// answers. `None` if the name is unknown, or if the facts that the tag needs are not set.
    pub fn tag(&self, name: &str, table: &Table) -> Option<(Subject, &Tag)> {
        let mut tags = AUTOMATIC_TAGS.iter().enumerate();
        let (at, tag) = tags.find(|(_, tag)| tag.name == name)?;
        let [before, after] = &self.columns;
        let is_measured = tag.needs_size && self.pictures.get().is_some();
        let column = if is_measured { after } else { before }.get(at)?;
        let is_known = match tag.subject {
            Subject::Sample => true,
            Subject::Picture => self.pictures.get().is_some(),
            Subject::Answer => self.answers.get().is_some(),
        };
        is_known.then(|| (tag.subject, column.get_or_init(|| tag.column(table))))
    }
}
