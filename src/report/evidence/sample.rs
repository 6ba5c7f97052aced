//! Builds the card of a sample: pictures with boxes, question, target, and all models' answers.

use analysis::AnsweredSample;
use base::format::{first_words, fixed};
use media::{Thumbnail, thumbnail};
use record::{Row, Scoring, Table};
use workspace::brief::{Brief, brief, with_option};
use workspace::page::{Detail, ListRow, answers_to, list_row, pictured};
use workspace::picture::{Layers, MarkedBox, marked, sources};
use workspace::sample_panel::{SamplePanel, caption, maps_with_letters, sample_panels};

use super::Commands;
use crate::SideBySide;
use crate::html::{Card, CardAnswer, CardOption, CardPicture, VerdictMark};

/// Longer side of a picture in pixels.
const SIDE: u32 = 256;
/// Maximum number of pictures of a sample in full size; with more, each is half as large.
const LARGE: usize = 4;
/// Maximum number of characters of an answer.
const LONGEST: usize = 160;
/// Maximum number of characters of a box's name.
const LABEL: usize = 24;
/// Maximum number of boxes in the legend.
const BOXES: usize = 6;
/// Maximum number of characters of a question.
const QUESTION: usize = 1_200;
/// Maximum number of different answers; the rest is counted.
const ANSWERS: usize = 24;

/// Two compared models, whose boxes are drawn.
pub struct Sides([String; 2]);

impl Sides {
    /// The models of a comparison; `None` if its sides are filters.
    pub fn of(comparison: Option<&SideBySide>, commands: &Commands) -> Option<Self> {
        let SideBySide { a, b, .. } = comparison?;
        let are_models = commands.is_model(a) && commands.is_model(b);
        are_models.then(|| Self([a.clone(), b.clone()]))
    }
}

/// The parsed answer; a response that could not be parsed is in quotes.
pub fn answer_text(brief: &Brief) -> String {
    match &brief.answer {
        Some(answer) => answer.clone(),
        None if brief.said.is_empty() => "(no response)".to_owned(),
        None => format!("“{}”", brief.said),
    }
}

/// Mark of a prediction; an invalid prediction counts as unread.
pub const fn mark(list: &ListRow) -> VerdictMark {
    match (list.invalid, list.correct) {
        (true, _) => VerdictMark::Unread,
        (_, Some(true)) => VerdictMark::Right,
        (_, Some(false)) => VerdictMark::Wrong,
        (_, None) => VerdictMark::None,
    }
}

/// Card of a sample; the caller sets its id and command.
pub fn card(
    table: &Table,
    scoring: Scoring,
    sample: &AnsweredSample,
    sides: Option<&Sides>,
) -> Card {
    let mut card = Card {
        title: table.sample_id(sample.item).to_owned(),
        ..Card::default()
    };
    let Some((first, second)) = drawn(table, scoring, sample, sides) else {
        return card;
    };
    card.answers = answers(table, scoring, first);
    match pictured(table, first, scoring) {
        Err(why) => card.missing.push(why),
        Ok(detail) => {
            let second = second.and_then(|row| pictured(table, row, scoring).ok());
            describe(&mut card, table, &detail);
            show(&mut card, table, &detail, second.as_ref());
        }
    }
    card
}

/// Predictions whose boxes are drawn: those of the two compared models, otherwise the worst
/// prediction.
fn drawn(
    table: &Table,
    scoring: Scoring,
    sample: &AnsweredSample,
    sides: Option<&Sides>,
) -> Option<(Row, Option<Row>)> {
    if let Some(Sides([first, second])) = sides {
        let answer = |name: &String| {
            let is_its = |row: &Row| table.names().model(table.model(*row)) == name;
            sample.answers().find(is_its)
        };
        if let (Some(a), b) = (answer(first), answer(second)) {
            return Some((a, b));
        }
    }
    let badness = |row: &Row| {
        let list = list_row(table, *row, scoring);
        (list.correct != Some(false), !list.invalid)
    };
    let worst = sample.answers().min_by_key(badness)?;
    Some((worst, None))
}

fn describe(card: &mut Card, table: &Table, detail: &Detail) {
    let content = &detail.record.content;
    card.about.clone_from(&detail.list.condition);
    card.question = first_lines(&detail.list.question);
    card.options = content
        .choices
        .iter()
        .map(|choice| CardOption {
            letter: choice.letter.clone(),
            text: choice.text.clone(),
            is_target: choice.letter == detail.list.target,
        })
        .collect();
    let target = table.target(table.item(detail.list.row));
    card.target = first_words(&with_option(content, target), LONGEST);
}

/// Start of a question, with its line breaks.
fn first_lines(text: &str) -> String {
    let mut shown: String = text.chars().take(QUESTION).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

fn show(card: &mut Card, table: &Table, detail: &Detail, second: Option<&Detail>) {
    let boxes = marked(detail, second);
    let models = models(detail, second);
    for found in pictures(table, [Some(detail), second], SIDE) {
        match found {
            Ok(picture) => card.pictures.push(picture),
            Err(missing) => card.missing.push(missing),
        }
    }
    for marked in &boxes {
        let legend = (marked.overlay.color, legend(marked, models));
        if card.legend.len() < BOXES && !card.legend.contains(&legend) {
            card.legend.push(legend);
        }
    }
}

fn models<'a>(detail: &'a Detail, second: Option<&'a Detail>) -> [&'a str; 2] {
    [
        detail.list.model.as_str(),
        second.map_or("", |second| second.list.model.as_str()),
    ]
}

/// Pictures of a sample within a square of `side` pixels, with the boxes and maps of one or two
/// predictions; for a missing picture, one sentence. Empty without a first prediction.
pub fn pictures(
    table: &Table,
    [first, second]: [Option<&Detail>; 2],
    side: u32,
) -> Vec<Result<CardPicture, String>> {
    let Some(detail) = first else {
        return Vec::new();
    };
    let panels = sample_panels(
        sources(table, detail),
        &marked(detail, second),
        &maps_with_letters(detail, second),
        Layers::All,
        models(detail, second),
    );
    let side = if panels.len() > LARGE { side / 2 } else { side };
    let picture = |panel: SamplePanel| {
        let found = thumbnail(&panel.source, &panel.overlays, &panel.maps, side);
        found
            .map(|found| picture(found, panel.caption))
            .map_err(|missing| missing.to_string())
    };
    panels.into_iter().map(picture).collect()
}

fn picture(found: Thumbnail, mut caption: String) -> CardPicture {
    if found.form.is_damaged {
        let damaged = "damaged: shown as far as it could be read";
        caption = if caption.is_empty() {
            damaged.to_owned()
        } else {
            format!("{caption}; {damaged}")
        };
    }
    CardPicture {
        encoded: Some(found.encoded),
        caption,
    }
}

/// Meaning of a box, with its name in the log.
fn legend(marked: &MarkedBox, models: [&str; 2]) -> String {
    let words = caption(marked.meaning, models);
    if marked.label.is_empty() {
        words
    } else {
        format!("{words}: {}", first_words(&marked.label, LABEL))
    }
}

/// All models' answers, grouped by equal answers, right ones first.
fn answers(table: &Table, scoring: Scoring, row: Row) -> Vec<CardAnswer> {
    let mut groups: Vec<CardAnswer> = Vec::new();
    for row in answers_to(table, row) {
        let list = list_row(table, row, scoring);
        let words = match brief(table, row, scoring) {
            Ok(brief) => first_words(&answer_text(&brief), LONGEST),
            Err(why) => why,
        };
        let answer = CardAnswer {
            mark: mark(&list),
            words,
            score: score(&list),
            models: vec![list.model],
        };
        let same = |known: &&mut CardAnswer| {
            (known.mark, &known.words, &known.score) == (answer.mark, &answer.words, &answer.score)
        };
        match groups.iter_mut().find(same) {
            Some(known) => known.models.extend(answer.models),
            None => groups.push(answer),
        }
    }
    groups.sort_by(|a, b| {
        let by_models = || b.models.len().cmp(&a.models.len());
        a.mark.cmp(&b.mark).then_with(by_models)
    });
    let more: usize = groups
        .iter()
        .skip(ANSWERS)
        .map(|one| one.models.len())
        .sum();
    groups.truncate(ANSWERS);
    if more > 0 {
        groups.push(CardAnswer {
            words: format!("{more} more"),
            ..CardAnswer::default()
        });
    }
    groups
}

/// A graded score; empty for 0, 1 and no score.
fn score(list: &ListRow) -> String {
    match list.score {
        Some(score) if score != 0.0 && score.to_bits() != 1.0_f64.to_bits() => {
            fixed(Some(score), 3)
        }
        _ => String::new(),
    }
}
