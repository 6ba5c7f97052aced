//! Eyechart's own rules, alike for every log: what an answer is, and what it scores.
//!
//! A response is read as a person reads it: thinking is cut off, then an answer tag, `\boxed{…}` or a key of JSON
//! is opened, then 'the answer is …' is looked for, and only then the whole text. What is read there depends on the
//! form of the answer: [`choice`], [`numbers`], [`boxes_read`], [`colors`], [`text`]. Two answers of which none is
//! said to be the one are no answer. Unreadable answers score 0 (`GIoU` -1), or stay out of the mean where a metric
//! has no worst value.

mod akin;
mod boxes_read;
mod choice;
mod colors;
mod directions;
mod glyphs;
mod labels;
mod lists;
mod mentions;
mod number_text;
mod number_words;
mod numbers;
mod options;
mod page;
mod phrases;
mod place;
mod polarity;
mod refusal;
mod synonyms;
mod tags;
mod text;
mod texts;
mod units;
mod unread;
mod verdict;
mod written;
mod yes_no;

use std::borrow::Cow;

use super::{Answer, Outcome, Reading, boxes, color, similarity};
use benchmark::{AnswerForm, Metric};
use page::Page;
use record::{Choice, Content, Record, Target};
pub use unread::Unread;
pub use written::{WrittenBox, box_of, boxes_in, stated_scale};

/// Keys of JSON under which an option stands, the plainest first.
const CHOICE_KEYS: &[&str] = &[
    "final_answer",
    "finalanswer",
    "answer",
    "correct_answer",
    "correct_option",
    "selected_option",
    "choice",
    "selected_choice",
    "option",
    "selection",
    "selected",
    "answer_choice",
    "answer_letter",
    "letter",
    "prediction",
    "predicted_answer",
    "ans",
    "response",
    "output",
    "result",
    "label",
    "value",
    "class",
];

/// Keys of JSON under which a number stands.
const NUMBER_KEYS: &[&str] = &[
    "final_answer",
    "answer",
    "count",
    "total",
    "total_count",
    "number",
    "distance",
    "depth",
    "distance_m",
    "depth_m",
    "distance_meters",
    "depth_meters",
    "distance_in_meters",
    "depth_in_meters",
    "estimated_distance",
    "estimated_depth",
    "prediction",
    "value",
    "estimate",
    "response",
    "output",
    "result",
];

/// The score under `metric`, and the answer in the form that it compares.
pub(super) fn judge(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let options = options_for(record, metric);
    let reading = read_with(record, metric, &options).ok();
    let answer = reading.as_ref().map(|reading| &reading.answer);
    let outcome = match metric {
        Metric::Accuracy => accuracy(record, &options, answer),
        Metric::Anls => anls(record, answer),
        Metric::MaeOverGt => mae_over_gt(record, answer),
        Metric::Giou | Metric::Iou | Metric::Centroid => overlap(record, metric, answer),
        Metric::Ciede2000 => color_difference(record, answer),
    };
    let outcome = outcome.unwrap_or_else(Outcome::left_out);
    (outcome.with_invalid(answer.is_none()), reading)
}

/// The answer in the form that `metric` compares, or why there is none.
pub(super) fn explain(record: &Record, metric: Metric) -> Result<Reading, Unread> {
    read_with(record, metric, &options_for(record, metric))
}

/// Returns true if a response begins with a refusal in words, its thinking cut off.
pub(super) fn refuses(response: &str) -> bool {
    place::find(response, CHOICE_KEYS)
        .is_ok_and(|place| refusal::is_refusal(&Page::new(response, place.range, &place.tags)))
}

/// The same, for a sample with these options.
fn read_with(record: &Record, metric: Metric, options: &[Choice]) -> Result<Reading, Unread> {
    let response = record.response.as_deref().ok_or(Unread::Empty)?;
    read_as(
        form(record, metric, options),
        response,
        record,
        metric,
        options,
    )
    .map_err(|why| {
        let refused = why == Unread::Nothing && refuses(response);
        if refused { Unread::Refused } else { why }
    })
}

/// The same for a form of answer.
fn read_as(
    form: AnswerForm,
    response: &str,
    record: &Record,
    metric: Metric,
    options: &[Choice],
) -> Result<Reading, Unread> {
    match form {
        AnswerForm::Choice => read_choice(response, options),
        AnswerForm::Number => read_number(response, &asked(record)),
        AnswerForm::Box => read_box(response, &record.content),
        AnswerForm::Color => read_color(response),
        AnswerForm::Text if metric == Metric::Accuracy && asks_yes_no(record) => {
            read_yes_no(response)
        }
        AnswerForm::Text => read_text(response),
    }
}

/// The option that a response chooses.
fn read_choice(response: &str, options: &[Choice]) -> Result<Reading, Unread> {
    let reading = |option: usize, span: std::ops::Range<usize>, steps: Vec<&'static str>| {
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
            vec!["an option's own text"],
        );
    }
    let place = place::find(response, CHOICE_KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    let chosen = choice::Options::of(options).read(&page);
    let chosen = match chosen {
        _ if refusal::is_refusal(&page) => return Err(Unread::Refused),
        Err(why) => return Err(why),
        Ok(chosen) => chosen,
    };
    let mut steps = place.steps;
    steps.push(chosen.rule);
    reading(
        chosen.option,
        page.span(&chosen.pieces).unwrap_or_default(),
        steps,
    )
}

/// The only option whose text is the response, letter case and white space at the ends apart, where that is no label.
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

/// The number that a response gives.
fn read_number(response: &str, asked: &numbers::Asked) -> Result<Reading, Unread> {
    let place = place::find(response, NUMBER_KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    let (number, pieces, rule) = numbers::read(&page, asked)?;
    if refusal::is_refusal(&page) {
        return Err(Unread::Refused);
    }
    Ok(found(
        Answer::Number(number),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// The box that a response gives, in the units of the target.
fn read_box(response: &str, content: &Content) -> Result<Reading, Unread> {
    let mut place = place::find(response, boxes_read::KEYS)?;
    let page = Page::new(response, place.range.clone(), &place.tags);
    let read = boxes_read::read(&page, &place)?;
    place.steps.push(read.rule);
    let (corners, scaled) = boxes_read::scaled(
        &read,
        target_corners(content),
        boxes_read::declared(&content.question),
    );
    place.steps.extend(scaled);
    Ok(Reading {
        answer: Answer::Box(corners),
        span: Some(read.span),
        steps: place.steps,
    })
}

/// The colour that a response gives.
fn read_color(response: &str) -> Result<Reading, Unread> {
    let place = place::find(response, colors::KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    let (rgb, pieces, rule) = colors::read(&page)?;
    Ok(found(
        Answer::Color(rgb),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// Yes or no.
fn read_yes_no(response: &str) -> Result<Reading, Unread> {
    let place = place::find(response, CHOICE_KEYS)?;
    let page = Page::new(response, place.range, &place.tags);
    if refusal::is_refusal(&page) {
        return Err(Unread::Refused);
    }
    let (yes, pieces, rule) = yes_no::read_page(&page)?;
    let word = if yes { "yes" } else { "no" };
    Ok(found(
        Answer::Text(word.to_owned()),
        page.span(&pieces),
        place.steps,
        rule,
    ))
}

/// The text that a response gives.
fn read_text(response: &str) -> Result<Reading, Unread> {
    let place = place::find(response, text::KEYS)?;
    let (text, span, rule) = text::read(response, &place)?;
    Ok(found(Answer::Text(text), Some(span), place.steps, rule))
}

fn found(
    answer: Answer,
    span: Option<std::ops::Range<usize>>,
    mut steps: Vec<&'static str>,
    rule: &'static str,
) -> Reading {
    steps.push(rule);
    Reading {
        answer,
        span,
        steps,
    }
}

/// What a question asks of a number: metres where nothing else is said of a distance.
fn asked(record: &Record) -> numbers::Asked {
    let question = record.content.question.as_str();
    let distance = record.ability == "absolute_depth";
    let unit = units::asked(question).or(distance.then_some(1.0));
    let lower = question.to_lowercase();
    let share = ["fraction", "proportion", "between 0 and 1", "from 0 to 1"]
        .iter()
        .any(|word| lower.contains(word));
    numbers::Asked { unit, share }
}

/// Returns true if the target is a yes or a no.
fn asks_yes_no(record: &Record) -> bool {
    matches!(&record.content.target, Some(Target::Text(text)) if yes_no::of_text(text).is_some())
}

/// The options that answers are judged by; none for metrics that compare something else.
fn options_for(record: &Record, metric: Metric) -> Cow<'_, [Choice]> {
    match metric {
        Metric::Accuracy => options::of(&record.content),
        _ => Cow::Borrowed(&[]),
    }
}

/// The options of a sample, listed or in the lines of its question.
pub(super) fn options_of(content: &Content) -> Cow<'_, [Choice]> {
    options::of(content)
}

/// The form of answer: that of the metric, but a number where right or wrong is asked of one.
fn form(record: &Record, metric: Metric, options: &[Choice]) -> AnswerForm {
    let number = matches!(record.content.target, Some(Target::Number(_)));
    match AnswerForm::of(metric, !options.is_empty()) {
        AnswerForm::Text if metric == Metric::Accuracy && number => AnswerForm::Number,
        form => form,
    }
}

/// The target box, in its own units; `None` when the target is none.
pub(super) fn target_box(record: &Record) -> Option<[f64; 4]> {
    target_corners(&record.content)
}

fn target_corners(content: &Content) -> Option<[f64; 4]> {
    match content.target.as_ref()? {
        Target::Box(corners) => Some(*corners),
        Target::Text(text) => match read_box(text, &Content::default()).ok()?.answer {
            Answer::Box(corners) => Some(corners),
            _ => None,
        },
        Target::Number(_) | Target::Color(_) => None,
    }
}

/// 1 for the right option, number (within 1e-9 of its size) or text (case apart), else 0.
fn accuracy(record: &Record, options: &[Choice], answer: Option<&Answer>) -> Option<Outcome> {
    let target = record.content.target.as_ref()?;
    let right = match form(record, Metric::Accuracy, options) {
        AnswerForm::Choice => {
            let option = options::named_by(target, options)?;
            matches!(answer, Some(Answer::Choice(letter)) if *letter == option.letter)
        }
        AnswerForm::Number => {
            let expected = target_number(record, target)?;
            matches!(answer, Some(Answer::Number(number)) if numbers::equal(*number, expected))
        }
        _ => {
            let expected = target_text(target)?;
            let alike = |text: &str| text.to_lowercase() == expected.to_lowercase();
            let meant = yes_no::of_text(&expected);
            matches!(answer, Some(Answer::Text(text)) if alike(text) || meant.is_some() && yes_no::of_text(text) == meant)
        }
    };
    Some(Outcome::judged(right))
}

/// The paper's ANLS.
fn anls(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_text(record.content.target.as_ref()?)?;
    Some(Outcome::scored(match answer {
        Some(Answer::Text(text)) => similarity::anls_strict(text, &expected),
        _ => 0.0,
    }))
}

/// |p - g| / g, left out for g = 0; for counts and distances right or wrong beside it.
fn mae_over_gt(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let expected = target_number(record, record.content.target.as_ref()?)?;
    let (outcome, right) = match answer {
        Some(Answer::Number(number)) => (
            Outcome::relative_error(*number, expected),
            match record.ability.as_str() {
                // Distances are right to the metre, as in AVA-Bench's evaluator.
                "absolute_depth" => {
                    numbers::equal(number.round_ties_even(), expected.round_ties_even())
                }
                _ => numbers::equal(*number, expected),
            },
        ),
        _ => (Outcome::unreadable(None, None), false),
    };
    Some(match record.ability.as_str() {
        "absolute_depth" | "counting" => outcome.with_second(f64::from(u8::from(right))),
        _ => outcome,
    })
}

/// `GIoU` or centroid containment with `IoU` beside it, or `IoU` alone.
fn overlap(record: &Record, metric: Metric, answer: Option<&Answer>) -> Option<Outcome> {
    let target = boxes::ordered(target_box(record)?);
    let prediction = match answer {
        Some(Answer::Box(corners)) => Some(*corners),
        _ => None,
    };
    let iou = prediction.map_or(0.0, |corners| boxes::iou(corners, target));
    Some(match metric {
        Metric::Giou => {
            Outcome::scored(prediction.map_or(-1.0, |corners| boxes::giou(corners, target)))
                .with_second(iou)
        }
        Metric::Centroid => {
            let right = prediction.is_some_and(|corners| boxes::centre_within(corners, target));
            Outcome::judged(right).with_second(iou)
        }
        _ => Outcome::scored(iou),
    })
}

/// `CIEDE2000`.
fn color_difference(record: &Record, answer: Option<&Answer>) -> Option<Outcome> {
    let target = match record.content.target.as_ref()? {
        Target::Color(rgb) => Some(*rgb),
        Target::Text(text) => match read_color(text).ok()?.answer {
            Answer::Color(rgb) => Some(rgb),
            _ => None,
        },
        Target::Number(_) | Target::Box(_) => None,
    }?;
    match answer {
        Some(Answer::Color(rgb)) => Some(Outcome::scored(color::ciede2000(*rgb, target))),
        _ => None,
    }
}

/// The target as a number, read like an answer.
fn target_number(record: &Record, target: &Target) -> Option<f64> {
    match target {
        Target::Number(number) => Some(*number),
        Target::Text(text) => match read_number(text, &asked(record)).ok()?.answer {
            Answer::Number(number) => Some(number),
            _ => None,
        },
        Target::Box(_) | Target::Color(_) => None,
    }
}

/// The target as a text, cleaned like an answer; one that cleaning would empty stays as it is.
fn target_text(target: &Target) -> Option<Cow<'_, str>> {
    match target {
        Target::Text(text) => Some(text::expected(text)),
        Target::Number(number) => Some(Cow::Owned(number.to_string())),
        Target::Box(_) | Target::Color(_) => None,
    }
}

#[cfg(test)]
mod akin_tests;
#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
