//! Reads the answer of each form from a response.

use std::ops::Range;

use super::numbers::{NumberKind, Quantity};
use super::page::Page;
use super::place::AnswerPlace;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::{
    asked, boxes_read, choice, colors, doubt, free, keys, numbers, place, refusal, rest, scale,
    sets, target_box, text, units, wrapping, yes_no,
};
use crate::{Answer, Reading};
use record::{Choice, Record, Target};

/// Finds the place of the answer and splits it into pieces; fails for a refusal.
fn find_answer(response: &str, keys: &[&str]) -> Result<(AnswerPlace, Page), ReadFailure> {
    let place = place::find(response, keys)?;
    let page = Page::new(response, place.range.clone(), &place.tags);
    if refusal::is_refusal(&page) {
        return Err(ReadFailure::Refused);
    }
    Ok((place, page))
}

/// Reads the option that a response chooses.
pub(super) fn read_choice(
    response: &str,
    options: &[Choice],
    question: &str,
) -> Result<Reading, ReadFailure> {
    let reading = |option: usize, span: Range<usize>, steps: Vec<Step>| {
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
    let (place, page) = find_answer(response, keys::CHOICE)?;
    let asked_options = choice::Options::of(options, question);
    let chosen = asked_options.read(&page)?;
    if chosen.rule == Step::OwnText && doubt::is_cut(&page, chosen.pieces.end) {
        return Err(ReadFailure::Cut);
    }
    let is_open = !is_opened(&place.steps) && is_option_open(&page, &chosen, &asked_options);
    if is_open || doubt::is_retracted(&page, chosen.pieces.end) {
        return Err(ReadFailure::Two);
    }
    // Example: `{"answer": "B", "text": "dog"}`, where A is a dog.
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

/// Returns true if an option is not stated as the answer, and the words around it leave it open.
fn is_option_open(
    page: &Page,
    chosen: &choice::OptionMatch,
    options: &choice::Options<'_>,
) -> bool {
    let is_text = matches!(
        chosen.rule,
        Step::OwnText | Step::Synonym | Step::NumberOfOption
    );
    let is_weak = is_text || matches!(chosen.rule, Step::OnlyLabel | Step::LeadingLabel);
    is_weak
        && (rest::is_doubtful(page, &chosen.pieces, options.asked())
            || is_text && rest::is_unreal(page, &chosen.pieces))
}

/// Reads the options that a response chooses, for a question with several right options.
pub(super) fn read_set(response: &str, options: &[Choice]) -> Result<Reading, ReadFailure> {
    let (place, page) = find_answer(response, keys::CHOICE)?;
    let (chosen, pieces, rule) = choice::Options::of(options, "").read_set(&page)?;
    let answer = Answer::Choice(sets::written(options, &chosen));
    Ok(build_reading(answer, page.span(&pieces), place.steps, rule))
}

/// Returns the only option whose text equals the response, ignoring case and outer white space;
/// `None` if the response is a label.
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

/// Reads the number in a response.
pub(super) fn read_number(response: &str, asked: &NumberKind) -> Result<Reading, ReadFailure> {
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
    let is_open = !matches!(rule, Step::StatedNumber | Step::Total | Step::ZeroByWord)
        && !is_opened(&place.steps)
        && (rest::is_number_open(&page, &pieces, asked)
            || rest::is_doubtful(&page, &pieces, &asked.asked));
    if is_open || doubt::is_retracted(&page, pieces.end) {
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

/// Reads the box in a response, in the unit of the target.
pub(super) fn read_box(
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

/// Reads the colour in a response.
pub(super) fn read_color(response: &str, question: &str) -> Result<Reading, ReadFailure> {
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

/// Reads a yes or no from a response.
pub(super) fn read_yes_no(response: &str, question: &str) -> Result<Reading, ReadFailure> {
    let (place, page) = find_answer(response, keys::CHOICE)?;
    let (yes, pieces, rule) = yes_no::read_page(&page, question)?;
    let asked = Page::of(question);
    let asked = asked::content(&asked, 0..asked.len());
    if !is_opened(&place.steps)
        && (rest::is_doubtful(&page, &pieces, &asked)
            || rule == Step::YesNoInSentence && rest::is_unreal(&page, &pieces))
    {
        return Err(ReadFailure::Two);
    }
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

/// Reads the text in a response.
pub(super) fn read_text(response: &str, question: &str) -> Result<Reading, ReadFailure> {
    let (place, page) = find_answer(response, text::KEYS)?;
    read_text_at(response, &place, &page, question)
}

/// Reads the text at a place that is not a refusal; `page` holds the pieces of the place.
fn read_text_at(
    response: &str,
    place: &AnswerPlace,
    page: &Page,
    question: &str,
) -> Result<Reading, ReadFailure> {
    if refusal::lacks_text(page) {
        return Err(ReadFailure::Refused);
    }
    let (text, span, rule) = text::read(response, place, page, &Page::of(question))?;
    let is_quoted = response
        .get(..span.start)
        .is_some_and(|before| before.ends_with(['"', '“', '«', '\'', '`', '*', '\n']));
    let comments = || {
        let part = Page::of(&text);
        rest::is_comment(&part, 0..part.len())
    };
    if !is_quoted && !is_opened(&place.steps) && comments() {
        return Err(ReadFailure::Nothing);
    }
    Ok(build_reading(
        Answer::Text(text),
        Some(span),
        place.steps.clone(),
        rule,
    ))
}

/// Reads the response to a question whose target is a word or phrase.
pub(super) fn read_free(response: &str, record: &Record) -> Result<Reading, ReadFailure> {
    let content = &record.content;
    let (place, page) = find_answer(response, text::KEYS)?;
    let text = read_text_at(response, &place, &page, &content.question);
    let Some(Target::Text(target)) = &content.target else {
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

/// Returns true if the answer was found in a tag, LaTeX box or JSON key.
fn is_opened(steps: &[Step]) -> bool {
    let opened = [Step::AnswerTag, Step::Boxed, Step::JsonKey];
    steps.iter().any(|step| opened.contains(step))
}

fn build_reading(
    answer: Answer,
    span: Option<Range<usize>>,
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

/// Returns the kind of number that a question asks for; distances are in metres unless stated
/// otherwise.
pub(super) fn number_kind(record: &Record) -> NumberKind {
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
    NumberKind {
        unit,
        quantity,
        counted: asked::counted(&words),
        asked: asked::content(&words, 0..words.len()),
    }
}
