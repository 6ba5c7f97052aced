//! Automatic tags: properties of samples that are computed from their question, options, target,
//! boxes and first picture, and of predictions from their answer, for logs without tags of their
//! own.
//!
//! Each tag is computed for all items or rows when it is first used. Nothing is read again: tags of
//! pictures and answers have values once their facts were set. [`AUTOMATIC_TAGS`] defines them all.

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

/// Names of flags, indexed by their value.
const FLAGS: [&str; 2] = ["false", "true"];

/// Definition of an automatic tag.
#[derive(Debug)]
pub struct AutomaticTag {
    /// Name of the tag, which begins with `auto.`.
    pub name: &'static str,
    /// Tag of a log that holds the same values. The automatic tag is not searched beside it.
    pub own: Option<&'static str>,
    /// What it describes.
    pub subject: Subject,
    /// Whether it needs the size of the picture, which is measured where the log does not tell it.
    pub needs_size: bool,
    /// Whether it is the answer itself: together with what is right, it tells the score.
    pub is_choice: bool,
    form: Form,
}

/// What an automatic tag describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A sample, from what is known once its log is read.
    Sample,
    /// The first picture of a sample, from its pixels ([`Table::set_picture_facts`]).
    Picture,
    /// The answer of a prediction, from its text ([`Table::set_answer_facts`]).
    Answer,
}

/// Values of an automatic tag, with sentences that hold for samples with a value.
#[derive(Debug)]
enum Form {
    /// Numbers; the sentence has `{}` in place of the number.
    Number(&'static str, fn(&Sample<'_>) -> Option<f64>),
    /// Names by index; the sentence has `{}` in place of the name.
    Name(
        &'static str,
        fn() -> &'static [&'static str],
        fn(&Sample<'_>) -> Option<usize>,
    ),
    /// Numbers of the first picture; the sentence has `{}` in place of the number.
    OfPicture(&'static str, fn(&PictureFacts) -> f64),
    /// True or false; the first sentence holds if true.
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

/// Defines a numeric tag of the first picture.
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

/// Defines a tag whose values are names.
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

    /// Returns what holds for samples with this value: `the question has 5 to 8 words`.
    #[must_use]
    pub fn sentence(&self, value: &str) -> String {
        match self.form {
            Form::Number(sentence, _) | Form::OfPicture(sentence, _) | Form::Name(sentence, ..) => {
                sentence.replace("{}", value)
            }
            Form::Flag([yes, no], _) => if value == "true" { yes } else { no }.to_owned(),
        }
    }

    /// Returns its sentence without a value: `the question has … words`.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self.form {
            Form::Flag([yes, _], _) => yes.to_owned(),
            Form::Number(..) | Form::OfPicture(..) | Form::Name(..) => self.sentence("…"),
        }
    }

    /// Computes the tag: for all items of a table, or for all its rows if it describes answers.
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

/// Stores a value for each index below `length` that has one.
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
    /// Before and after pictures were read, which tells the size of more pictures.
    columns: [Vec<OnceLock<Tag>>; 2],
    /// Facts about the first picture of items, ascending; unset until pictures were read.
    pub pictures: OnceLock<Vec<(u32, PictureFacts)>>,
    /// Facts about the answers of rows, ascending; unset until answers were read.
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
    /// Returns a tag of the table with its values. They are those of items, or of rows for a tag of
    /// answers. `None` for an unknown name, and for a tag of pictures or answers that were not
    /// read.
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
