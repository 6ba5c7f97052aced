//! Implements Eyechart's own rules, which are the same for every log: how an answer is read, and
//! its score.
//!
//! A response is read as a person would read it. First, thinking is cut off. Then the answer is
//! searched in an answer tag, `\boxed{…}` or JSON key, then after 'the answer is …', and only then
//! in the whole text. The reader depends on the form of the answer: [`choice`], [`numbers`],
//! [`boxes_read`], [`colors`], [`text`].
//!
//! Two answers without a clear choice count as unreadable. So does an answer that the rest of the
//! response contradicts ([`doubt`]), or that the words around it do not affirm ([`rest`]).
//! Unreadable answers score 0 (`GIoU` -1), or are left out of the mean if the metric has no worst
//! value.

mod asked;
mod ballot;
mod boxes_read;
mod boxes_tagged;
mod choice;
mod colors;
mod conclusion;
mod counts;
mod digits;
mod directions;
mod doubt;
mod free;
mod glyphs;
mod hedging;
mod introduction;
mod keys;
mod labels;
mod lead;
mod lengths;
mod lists;
mod mentioned;
mod mentions;
mod number_cues;
mod number_join;
mod number_kind;
mod number_text;
mod number_words;
mod numbers;
mod options;
mod page;
mod phrases;
mod place;
mod polarity;
mod polarity_cues;
mod read_failure;
mod readers;
mod refusal;
mod remainder;
mod rest;
mod scale;
mod score;
mod sets;
mod step;
mod synonyms;
mod tags;
mod text;
mod texts;
mod units;
mod verdict;
mod wordings;
mod wrapping;
mod written;
mod yes_no;
mod yes_no_sentence;
mod zero;

use std::borrow::Cow;

use super::{Outcome, Reading};
use page::Page;
pub use read_failure::ReadFailure;
use readers::{
    number_kind, read_box, read_choice, read_color, read_free, read_number, read_set, read_text,
    read_yes_no,
};
use record::benchmark::{AnswerForm, Metric};
use record::{Choice, Content, Record, Target};
pub use scale::{BOX_SCALE, BoxScale, IN_DOUBT};
pub use step::Step;
pub use written::{WrittenBox, box_of, boxes_in, stated_scale};

/// Scores a record under `metric`; also returns the answer that was read.
pub(super) fn judge(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let options = options_for(record, metric);
    let reading = read_with(record, metric, &options).ok();
    scored(record, metric, &options, reading)
}

/// Scores an answer; `None` counts as unreadable.
fn scored(
    record: &Record,
    metric: Metric,
    options: &[Choice],
    reading: Option<Reading>,
) -> (Outcome, Option<Reading>) {
    let answer = reading.as_ref().map(|reading| &reading.answer);
    let outcome = score::score(record, metric, options, answer);
    let outcome = outcome.unwrap_or_else(Outcome::without_target);
    (outcome.with_invalid(answer.is_none()), reading)
}

/// Like [`judge`], but a text target must equal the whole response, because the harnesses compare
/// texts without searching sentences.
pub(super) fn judge_literally(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let options = options_for(record, metric);
    let is_text = metric == Metric::Accuracy && form(record, metric, &options) == AnswerForm::Text;
    if !is_text || asks_yes_no(record) {
        return judge(record, metric);
    }
    let response = record.response.as_deref();
    let question = record.content.question.as_str();
    let reading = response.and_then(|response| read_text(response, question).ok());
    scored(record, metric, &options, reading)
}

/// Reads the answer in the form that `metric` compares; fails with the reason if there is none.
pub(super) fn explain(record: &Record, metric: Metric) -> Result<Reading, ReadFailure> {
    read_with(record, metric, &options_for(record, metric))
}

/// Returns true if a response, after its thinking, begins with a refusal.
pub(super) fn refuses(response: &str) -> bool {
    place::find(response, keys::CHOICE)
        .is_ok_and(|place| refusal::is_refusal(&Page::new(response, place.range, &place.tags)))
}

/// Returns true if a response, after its thinking, hedges.
pub(super) fn hedges(response: &str) -> bool {
    place::find(response, &[])
        .is_ok_and(|place| hedging::hedges(&Page::new(response, place.range, &place.tags)))
}

/// Reads the answer to a question with these options.
fn read_with(record: &Record, metric: Metric, options: &[Choice]) -> Result<Reading, ReadFailure> {
    let response = record.response.as_deref().ok_or(ReadFailure::Empty)?;
    read_as(
        form(record, metric, options),
        response,
        record,
        metric,
        options,
    )
    .map_err(|why| {
        let refused = why == ReadFailure::Nothing && refuses(response);
        if refused { ReadFailure::Refused } else { why }
    })
}

/// Reads an answer of a given form.
fn read_as(
    form: AnswerForm,
    response: &str,
    record: &Record,
    metric: Metric,
    options: &[Choice],
) -> Result<Reading, ReadFailure> {
    match form {
        AnswerForm::Choice => match key_of(record, options) {
            Some(_) => read_set(response, options),
            None => read_choice(response, options, &record.content.question),
        },
        AnswerForm::Number => read_number(response, &number_kind(record)),
        AnswerForm::Box => {
            let frame = scale::BoxContext::of(&record.content, &record.condition);
            read_box(response, frame, record)
        }
        AnswerForm::Color => read_color(response, &record.content.question),
        AnswerForm::Text if metric == Metric::Accuracy && asks_yes_no(record) => {
            read_yes_no(response, &record.content.question)
        }
        AnswerForm::Text if metric == Metric::Accuracy => read_free(response, record),
        AnswerForm::Text => read_text(response, &record.content.question),
    }
}

/// Returns true if the target is yes or no.
fn asks_yes_no(record: &Record) -> bool {
    matches!(&record.content.target, Some(Target::Text(text)) if yes_no::of_text(text).is_some())
}

/// Returns the options that answers are compared with; empty for metrics that do not compare
/// options.
fn options_for(record: &Record, metric: Metric) -> Cow<'_, [Choice]> {
    match metric {
        Metric::Accuracy => options::of(&record.content),
        _ => Cow::Borrowed(&[]),
    }
}

/// Returns the options of a sample: the listed options, or the options in its question text.
pub(super) fn options_of(content: &Content) -> Cow<'_, [Choice]> {
    options::of(content)
}

/// Returns the options that the target names, for example `A, C`; `None` unless there are several.
fn key_of(record: &Record, options: &[Choice]) -> Option<Vec<usize>> {
    options::key(record.content.target.as_ref()?, options)
}

/// Returns the form of the answer, which depends on the metric; a number if accuracy compares
/// numbers.
fn form(record: &Record, metric: Metric, options: &[Choice]) -> AnswerForm {
    let number = match &record.content.target {
        Some(Target::Number(_)) => true,
        Some(Target::Text(text)) => numbers::is_plain(text),
        _ => false,
    };
    match AnswerForm::of(metric, options.len()) {
        AnswerForm::Text if metric == Metric::Accuracy && number => AnswerForm::Number,
        form => form,
    }
}

/// Returns the target box, in its own units; `None` if the target is not a box.
pub(super) fn target_box(record: &Record) -> Option<[f64; 4]> {
    match record.content.target.as_ref()? {
        Target::Box(corners) => Some(*corners),
        Target::Text(text) => box_of(text).map(|found| found.corners),
        Target::Number(_) | Target::Color(_) => None,
    }
}

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod doubt_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wordings_tests;
