//! Implements Eyechart's own rules, which are the same for every log: how an answer is read, and
//! its score.
//!
//! A response is read as a person would read it. Thinking is cut off. Then an answer tag,
//! `\boxed{…}` or a JSON key is opened, then 'the answer is …' is searched, and only then the
//! whole text. The reader depends on the form of the answer: [`choice`], [`numbers`],
//! [`boxes_read`], [`colors`], [`text`]. Two answers without a clear choice count as no answer, and
//! so does an answer that the rest of the response contradicts ([`doubt`]).
//! Unreadable answers score 0 (`GIoU` -1), or are left out of the mean if a metric has no worst
//! value.

mod asked;
mod ballot;
mod boxes_read;
mod boxes_tagged;
mod choice;
mod colors;
mod conclusion;
mod counts;
mod directions;
mod doubt;
mod free;
mod glyphs;
mod keys;
mod labels;
mod lead;
mod lengths;
mod lists;
mod mentioned;
mod mentions;
mod number_cues;
mod number_kind;
mod number_text;
mod number_words;
mod numbers;
mod options;
mod page;
mod phrases;
mod place;
mod polarity;
mod read_failure;
mod refusal;
mod remainder;
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

use std::borrow::Cow;

use super::{Answer, Outcome, Reading};
use numbers::Quantity;
use page::Page;
pub use read_failure::ReadFailure;
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

/// Scores an answer that was read.
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

/// Like [`judge`], but a text target must equal the whole response: harnesses compare texts, and
/// do not search sentences.
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

/// Reads the answer in the form that `metric` compares, or returns the reason why there is none.
pub(super) fn explain(record: &Record, metric: Metric) -> Result<Reading, ReadFailure> {
    read_with(record, metric, &options_for(record, metric))
}

/// Returns true if a response begins with a refusal, after its thinking.
pub(super) fn refuses(response: &str) -> bool {
    place::find(response, keys::CHOICE)
        .is_ok_and(|place| refusal::is_refusal(&Page::new(response, place.range, &place.tags)))
}

/// Reads the answer of a sample with these options.
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

/// Reads the option that a response chooses.
fn read_choice(response: &str, options: &[Choice], question: &str) -> Result<Reading, ReadFailure> {
    let reading = |option: usize, span: std::ops::Range<usize>, steps: Vec<Step>| {
        let letter = options.get(option).map(|option| option.letter.clone());
        Ok(Reading {
            answer: Answer::Choice(letter.unwrap_or_default()),
            span: Some(span).filter(|span| !span.is_empty()),
            steps,
        })
    };
    if let Some(option) = own_text(response, options) {
        let start = response.len() - response.trim_start().len();
        return reading(
            option,
            start..start + response.trim().len(),
            vec![Step::OwnText],
        );
    }
    let place = place::find(response, keys::CHOICE)?;
    let page = Page::new(response, place.range, &place.tags);
    let asked_options = choice::Options::of(options, question);
    let chosen = asked_options.read(&page);
    let chosen = match chosen {
        _ if refusal::is_refusal(&page) => return Err(ReadFailure::Refused),
        Err(why) => return Err(why),
        Ok(chosen) if chosen.rule == Step::OwnText && doubt::is_cut(&page, chosen.pieces.end) => {
            return Err(ReadFailure::Cut);
        }
        Ok(chosen) if doubt::is_retracted(&page, chosen.pieces.end) => {
            return Err(ReadFailure::Two);
        }
        Ok(chosen) => chosen,
    };
    // `{"answer": "B", "text": "dog"}`, where A is a dog.
    if place.steps.contains(&Step::JsonKey) {
        let whole = Page::of(response);
        if asked_options
            .read_text(&whole)
            .is_some_and(|other| other != chosen.option)
        {
            return Err(ReadFailure::Two);
        }
    }
    let mut steps = place.steps;
    steps.push(chosen.rule);
    reading(
        chosen.option,
        page.span(&chosen.pieces).unwrap_or_default(),
        steps,
    )
}

/// Reads the options that a response chooses, if several may be right.
fn read_set(response: &str, options: &[Choice]) -> Result<Reading, ReadFailure> {
    let place = place::find(response, keys::CHOICE)?;
    let page = Page::new(response, place.range, &place.tags);
    if refusal::is_refusal(&page) {
        return Err(ReadFailure::Refused);
    }
    let (chosen, pieces, rule) = choice::Options::of(options, "").read_set(&page)?;
    let answer = Answer::Choice(sets::written(options, &chosen));
    Ok(build_reading(answer, page.span(&pieces), place.steps, rule))
}

/// Returns the only option whose text is the response, ignoring case and outer white space,
/// unless the response is a label.
fn own_text(response: &str, options: &[Choice]) -> Option<usize> {
    let response = response.trim();
    if options
        .iter()
        .any(|option| option.letter.eq_ignore_ascii_case(response))
    {
        return None;
    }
    let same = |option: &Choice| {
        option.text.trim() == response
            || option.text.trim().to_lowercase() == response.to_lowercase()
    };
    let longest = options
        .iter()
        .map(|option| option.text.len())
        .max()
        .unwrap_or_default();
    if response.len() > 2 * longest {
        return None;
    }
    let mut found = options
        .iter()
        .enumerate()
        .filter(|(_, option)| same(option))
        .map(|(at, _)| at);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Reads the number that a response gives.
fn read_number(response: &str, asked: &numbers::NumberKind) -> Result<Reading, ReadFailure> {
    let place = place::find(response, keys::NUMBER)?;
    let page = Page::new(response, place.range, &place.tags);
    let (mut number, pieces, rule) = numbers::read(&page, asked)?;
    // Example: `{"distance": 85, "unit": "cm"}`
    let is_bare = numbers::whole(&page).is_some_and(|number| number.unit.is_none());
    if let Some(asked) = asked.unit
        && let Some(unit) = place::value(response, 0..response.len(), &["unit", "units"])
        && let Some((unit, _)) = units::at(&Page::new(response, unit, &[]), 0)
        && is_bare
    {
        number *= unit / asked;
    }
    if refusal::is_refusal(&page) {
        return Err(ReadFailure::Refused);
    }
    if doubt::is_retracted(&page, pieces.end) {
        return Err(ReadFailure::Two);
    }
    if rule != Step::StatedNumber && doubt::is_cut(&page, pieces.end) {
        return Err(ReadFailure::Cut);
    }
    Ok(build_reading(
        Answer::Number(number),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// Reads the box that a response gives, in the units of the target.
fn read_box(
    response: &str,
    frame: scale::BoxContext,
    record: &Record,
) -> Result<Reading, ReadFailure> {
    let mut place = place::find(response, boxes_read::KEYS)?;
    let page = Page::new(response, place.range.clone(), &place.tags);
    let question = Page::of(&record.content.question);
    let asked = asked::content(&question, 0..question.len());
    let mut read = boxes_read::read(&page, &place).or_else(|why| {
        let about = || boxes_read::about(&page, &place, &asked);
        if why == ReadFailure::Two {
            about().ok_or(why)
        } else {
            Err(why)
        }
    })?;
    if read.is_about_other(&page, &asked) {
        return Err(ReadFailure::Nothing);
    }
    if frame.vertical_first {
        read.swap_axes();
    }
    place.steps.push(read.rule);
    let (corners, scaled) = frame.scaled(&read, target_box(record))?;
    place.steps.extend(scaled);
    Ok(Reading {
        answer: Answer::Box(corners),
        span: Some(read.span),
        steps: place.steps,
    })
}

/// Reads the colour that a response gives.
fn read_color(response: &str, question: &str) -> Result<Reading, ReadFailure> {
    let place = place::find(response, colors::KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    let (rgb, pieces, rule) = colors::read(&page, question)?;
    Ok(build_reading(
        Answer::Color(rgb),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// Reads a yes or no.
fn read_yes_no(response: &str, question: &str) -> Result<Reading, ReadFailure> {
    let place = place::find(response, keys::CHOICE)?;
    let page = Page::new(response, place.range, &place.tags);
    if refusal::is_refusal(&page) {
        return Err(ReadFailure::Refused);
    }
    let (yes, pieces, rule) = yes_no::read_page(&page, question)?;
    if doubt::is_retracted(&page, pieces.end) {
        return Err(ReadFailure::Two);
    }
    let word = if yes { "yes" } else { "no" };
    Ok(build_reading(
        Answer::Text(word.to_owned()),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// Reads the text that a response gives.
fn read_text(response: &str, question: &str) -> Result<Reading, ReadFailure> {
    let place = place::find(response, text::KEYS)?;
    let page = Page::new(response, place.range.clone(), &place.tags);
    if refusal::is_refusal(&page) || refusal::lacks_text(&page) {
        return Err(ReadFailure::Refused);
    }
    let (text, span, rule) = text::read(response, &place, &Page::of(question))?;
    Ok(build_reading(
        Answer::Text(text),
        Some(span),
        place.steps,
        rule,
    ))
}

/// Reads the response to a question whose target is a word or a phrase.
fn read_free(response: &str, record: &Record) -> Result<Reading, ReadFailure> {
    let text = read_text(response, &record.content.question);
    let Some(Target::Text(target)) = &record.content.target else {
        return text;
    };
    let expected = wrapping::expected(target);
    if let Ok(text) = &text
        && matches!(&text.answer, Answer::Text(text) if text.to_lowercase() == expected.to_lowercase())
    {
        return Ok(Reading {
            answer: Answer::Text(expected.into_owned()),
            ..text.clone()
        });
    }
    let place = place::find(response, text::KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    if refusal::is_refusal(&page) {
        return Err(ReadFailure::Refused);
    }
    let content = &record.content;
    match free::read(&page, &expected, &content.question, &record.ability)? {
        Some((text, pieces, rule)) => Ok(build_reading(
            Answer::Text(text),
            page.span(&pieces),
            place.steps,
            rule,
        )),
        None => text,
    }
}

fn build_reading(
    answer: Answer,
    span: Option<std::ops::Range<usize>>,
    mut steps: Vec<Step>,
    rule: Step,
) -> Reading {
    steps.push(rule);
    Reading {
        answer,
        span,
        steps,
    }
}

/// Returns what a question asks of a number; distances are in metres unless stated otherwise.
fn number_kind(record: &Record) -> numbers::NumberKind {
    let question = record.content.question.as_str();
    let words = Page::of(question);
    let distance = record.ability == "absolute_depth";
    let unit = units::requested_unit(question).or(distance.then_some(1.0));
    let lower = question.to_lowercase();
    let share = ["fraction", "proportion", "between 0 and 1", "from 0 to 1"]
        .iter()
        .any(|word| lower.contains(word));
    let quantity = match record.ability.as_str() {
        "absolute_depth" if lower.contains("camera") => Quantity::FromCamera,
        "absolute_depth" => Quantity::Distance,
        _ if share => Quantity::Share,
        "counting" => Quantity::Count,
        _ => Quantity::Other,
    };
    numbers::NumberKind {
        unit,
        quantity,
        counted: asked::counted(&words),
        asked: asked::content(&words, 0..words.len()),
    }
}

/// Returns true if the target is a yes or a no.
fn asks_yes_no(record: &Record) -> bool {
    matches!(&record.content.target, Some(Target::Text(text)) if yes_no::of_text(text).is_some())
}

/// Returns the options that answers are judged by; empty for metrics that compare something else.
fn options_for(record: &Record, metric: Metric) -> Cow<'_, [Choice]> {
    match metric {
        Metric::Accuracy => options::of(&record.content),
        _ => Cow::Borrowed(&[]),
    }
}

/// Returns the options of a sample, listed or in the lines of its question.
pub(super) fn options_of(content: &Content) -> Cow<'_, [Choice]> {
    options::of(content)
}

/// Returns the options that the target names, if there are several, for example `A, C`.
fn key_of(record: &Record, options: &[Choice]) -> Option<Vec<usize>> {
    options::key(record.content.target.as_ref()?, options)
}

/// Returns the form of answer: that of the metric, or a number if accuracy compares numbers.
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
mod property_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wordings_tests;
