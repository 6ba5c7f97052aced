//! Definitions of the automatic tags.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of a method is not general over the lifetime of its sample"
)]

use super::language::LANGUAGES;
use super::{AutomaticTag, Subject, flag, named, number, of_picture, words};
use crate::FinishReason;

/// All automatic tags, in display order.
pub static AUTOMATIC_TAGS: [AutomaticTag; 38] = [
    named(
        "auto.kind",
        "the kind of question is \"{}\"",
        || &words::KINDS,
        |sample| sample.question().map(words::kind),
    ),
    number(
        "auto.question_words",
        "the question has {} words",
        |sample| to_number(words::count(sample.question()?)),
    ),
    flag(
        "auto.negation",
        [
            "the question has a negation",
            "the question has no negation",
        ],
        |sample| sample.question().map(words::has_negation),
    ),
    flag(
        "auto.numbers",
        ["the question has a number", "the question has no number"],
        |sample| sample.question().map(words::has_number),
    ),
    flag(
        "auto.direction_words",
        [
            "the question has a direction word",
            "the question has no direction word",
        ],
        |sample| sample.question().map(words::has_direction),
    ),
    named(
        "auto.language",
        "the question is in {}",
        || &LANGUAGES,
        |sample| sample.language(),
    ),
    number("auto.options", "the question has {} options", |sample| {
        sample.options().map(|options| options.count.into())
    }),
    number(
        "auto.option_length",
        "the options have {} characters on average",
        |sample| {
            let options = sample.options()?;
            Some(f64::from(options.length) / f64::from(options.count))
        },
    ),
    number(
        "auto.right_option",
        "the right option is number {}",
        |sample| {
            let right = sample.options()?.right;
            (right > 0).then(|| right.into())
        },
    ),
    number(
        "auto.target_frequency",
        "the share of samples with the same target is {}",
        |sample| sample.target_frequency(),
    ),
    number("auto.count", "the number to count is {}", |sample| {
        let is_count = |count: &f64| *count >= 0.0 && count.fract() == 0.0;
        sample.number_of_kind("how many").filter(is_count)
    })
    .unless("count"),
    number("auto.depth", "the distance to estimate is {}", |sample| {
        sample.number_of_kind("how far")
    })
    .unless("depth_m"),
    number("auto.pictures", "the sample has {} pictures", |sample| {
        sample.picture_count().map(f64::from)
    }),
    number("auto.boxes", "the sample has {} target boxes", |sample| {
        sample.boxes().map(|boxes| boxes.count.into())
    }),
    number(
        "auto.box_area",
        "target boxes cover {} of the picture on average",
        |sample| sample.boxes()?.share(),
    )
    .sized()
    .unless("box_area"),
    number(
        "auto.box_pixels",
        "target boxes have {} square pixels on average",
        |sample| sample.boxes()?.pixels(),
    )
    .sized(),
    named(
        "auto.box_place",
        "the target box is at the {}",
        || &PLACES,
        |sample| Some(place(sample.boxes()?.center()?)),
    )
    .sized(),
    number(
        "auto.box_aspect",
        "the target box is {} times as wide as high",
        |sample| sample.boxes()?.aspect(),
    )
    .sized(),
    flag(
        "auto.box_at_edge",
        [
            "a target box touches the edge of the picture",
            "no target box touches the edge of the picture",
        ],
        |sample| sample.boxes()?.is_at_edge(),
    )
    .sized(),
    number(
        "auto.box_overlap",
        "target boxes overlap with an IoU of {}",
        |sample| sample.boxes().map(|boxes| boxes.overlap),
    ),
    number(
        "auto.mask_area",
        "target masks cover {} of the picture on average",
        |sample| sample.mask_share(),
    )
    .sized()
    .unless("mask_area"),
    number(
        "auto.mask_pixels",
        "target masks have {} square pixels on average",
        |sample| sample.mask_pixels(),
    ),
    of_picture(
        "auto.picture_pixels",
        "the picture has {} pixels",
        |picture| picture.pixels,
    ),
    of_picture(
        "auto.picture_aspect",
        "the picture is {} times as wide as high",
        |picture| picture.aspect,
    ),
    of_picture(
        "auto.brightness",
        "the picture's brightness is {}",
        |picture| picture.brightness,
    ),
    of_picture("auto.contrast", "the picture's contrast is {}", |picture| {
        picture.contrast
    }),
    of_picture(
        "auto.colourfulness",
        "the picture's colourfulness is {}",
        |picture| picture.colourfulness,
    ),
    of_picture(
        "auto.sharpness",
        "the picture's sharpness is {}",
        |picture| picture.sharpness,
    ),
    of_picture("auto.edges", "edges cover {} of the picture", |picture| {
        picture.edges
    }),
    of_picture(
        "auto.letters",
        "letter-like shapes cover {} of the picture",
        |picture| picture.letters,
    ),
    of_picture(
        "auto.bits_per_pixel",
        "the picture's file has {} bits per pixel",
        |picture| picture.bits_per_pixel,
    ),
    flag(
        "auto.grey",
        ["the picture has no colours", "the picture has colours"],
        |sample| sample.picture().map(|picture| picture.is_grey),
    )
    .of(Subject::Picture),
    number(
        "auto.same_picture",
        "number of samples whose picture looks the same: {}",
        |sample| sample.same_picture(),
    )
    .of(Subject::Picture),
    number("auto.answer_words", "the answer has {} words", |sample| {
        Some(sample.answer?.words.into())
    })
    .of(Subject::Answer),
    number(
        "auto.chosen_option",
        "the chosen option is number {}",
        |sample| {
            let chosen = sample.answer?.chosen;
            (chosen > 0).then(|| chosen.into())
        },
    )
    .of(Subject::Answer)
    .choice(),
    flag(
        "auto.hedging",
        ["the answer hedges", "the answer does not hedge"],
        |sample| Some(sample.answer?.hedges),
    )
    .of(Subject::Answer),
    flag(
        "auto.refusal",
        ["the answer is a refusal", "the answer is not a refusal"],
        |sample| Some(sample.answer?.refuses),
    )
    .of(Subject::Answer),
    named(
        "auto.finish_reason",
        "the finish reason is \"{}\"",
        || &FinishReason::NAMES,
        |sample| Some(sample.answer?.finish_reason? as usize),
    )
    .of(Subject::Answer),
];

/// Names of the nine parts of a picture, row by row.
const PLACES: [&str; 9] = [
    "top left",
    "top",
    "top right",
    "left",
    "centre",
    "right",
    "bottom left",
    "bottom",
    "bottom right",
];

/// Returns the part of the picture that contains a point, as an index into [`PLACES`].
fn place([x, y]: [f64; 2]) -> usize {
    let third = |at: f64| {
        let edges = [1.0 / 3.0, 2.0 / 3.0];
        edges.iter().filter(|edge| at >= **edge).count()
    };
    3 * third(y) + third(x)
}

fn to_number(count: usize) -> Option<f64> {
    u32::try_from(count).ok().map(f64::from)
}
