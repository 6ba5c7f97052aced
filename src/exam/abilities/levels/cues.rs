//! Tests that no single cue reveals answers: models that see one cue only are at chance in every
//! ability.

use std::collections::BTreeMap;

use super::*;
use crate::set::Shades;
use rayon::prelude::*;
use record::benchmark::{RightThreshold, metric_of};
use record::{Record, Target};
use scorer::judge;

/// Default items per ability; the environment variable `EYECHART_CUES=240` raises it.
const ITEMS: usize = 64;
/// Default rich items of each ability that is not in [`RICH_ITEMS`].
const FEW: usize = 20;
/// Default rich items of abilities in which light, shadow or grain could reveal something. These
/// are shadows and the ground's grain for depth, light areas for scenes, the light on the object
/// for orientation, and shades for species.
const RICH_ITEMS: [(&str, usize); 4] = [
    ("relative_depth", 48),
    ("scene_recognition", 48),
    ("fine_grained", 28),
    ("orientation", 28),
];
/// Number of nearest neighbours that vote.
const VOTES: usize = 7;
/// Two-sided simultaneous 95 % for fourteen abilities and eighteen cues: the normal quantile of .05
/// / 2 / 252.
const Z: f64 = 3.73;

/// Items per ability: the first half is for training, the second for testing.
fn item_count() -> usize {
    let named = std::env::var("EYECHART_CUES");
    named.map_or(ITEMS, |named| named.parse().unwrap())
}

/// Name of a cue, and its features of an item.
type Cue = (&'static str, fn(&CueInput) -> Vec<f64>);

/// Item, pixels and file size, from which cues are computed.
struct CueInput {
    item: Item,
    pixels: image::RgbImage,
    bytes: f64,
}

const CUES: [Cue; 18] = [
    ("place of the red box", |seen| {
        red(&seen.item).map_or_else(Vec::new, middle)
    }),
    ("mean colour in the red box", |seen| {
        red(&seen.item).map_or_else(Vec::new, |corners| means_within(&seen.pixels, corners))
    }),
    ("words of the question", |seen| words(&seen.item)),
    ("places of boxes", |seen| corners(seen, middle)),
    ("sizes of boxes", |seen| {
        corners(seen, |[x0, y0, x1, y1]| vec![x1 - x0, y1 - y0])
    }),
    ("lowest edges of boxes", |seen| {
        corners(seen, |[_, _, _, y1]| vec![y1])
    }),
    ("mean colour", |seen| {
        means_within(&seen.pixels, [0.0, 0.0, 512.0, 512.0])
    }),
    ("number of colours", |seen| vec![colors(seen)]),
    ("one column of pixels", column),
    ("size of the file", |seen| vec![seen.bytes]),
    ("length of the question", |seen| {
        vec![seen.item.content.question.len() as f64]
    }),
    ("lengths of the options", |seen| {
        let choices = seen.item.content.choices.iter();
        choices.map(|choice| choice.text.len() as f64).collect()
    }),
    ("words of the options", |seen| {
        let choices = seen.item.content.choices.iter();
        let texts: Vec<&str> = choices.map(|choice| choice.text.as_str()).collect();
        counts_of(&texts.join(" "))
    }),
    ("one row of pixels", row),
    ("statistics of pixels", statistics),
    ("roughness of pixels", roughness),
    ("light of the quarters", |seen| {
        let quarters = [(0.0, 0.0), (256.0, 0.0), (0.0, 256.0), (256.0, 256.0)];
        let light = |(x, y): (f64, f64)| {
            let means = means_within(&seen.pixels, [x, y, x + 256.0, y + 256.0]);
            means.iter().sum::<f64>()
        };
        quarters.map(light).to_vec()
    }),
    ("shade below the boxes", |seen| {
        corners(seen, |[x0, _, x1, y1]| {
            let low = y1.min(512.0 - STRIP);
            vec![x0, low, x1, low + STRIP]
        })
        .chunks_exact(4)
        .flat_map(|strip| means_within(&seen.pixels, [strip[0], strip[1], strip[2], strip[3]]))
        .collect()
    }),
];

/// Height in pixels of the strip in which an object's shadow would lie.
const STRIP: f64 = 12.0;

/// Cues computed from pixels, which a rich drawing may change.
fn of_pixels() -> impl Iterator<Item = Cue> {
    let names = ["colour", "pixels", "file", "light", "shade"];
    let known = CUES.into_iter();
    known.filter(move |(name, _)| names.iter().any(|part| name.contains(part)))
}

fn corners(seen: &CueInput, of: fn([f64; 4]) -> Vec<f64>) -> Vec<f64> {
    seen.item
        .content
        .boxes
        .iter()
        .flat_map(|one| of(one.xyxy))
        .collect()
}

fn middle([x0, y0, x1, y1]: [f64; 4]) -> Vec<f64> {
    vec![x0 + x1, y0 + y1]
}

/// Corners of the red box.
fn red(item: &Item) -> Option<[f64; 4]> {
    let mut boxes = item.content.boxes.iter();
    let red = boxes.find(|one| one.color.as_deref() == Some("red"))?;
    Some(red.xyxy)
}

/// Mean red, green and blue of a region.
fn means_within(pixels: &image::RgbImage, corners: [f64; 4]) -> Vec<f64> {
    let [x0, y0, x1, y1] = corners.map(|at| at as u32);
    let region = image::imageops::crop_imm(pixels, x0, y0, x1 - x0, y1 - y0).to_image();
    let n = region.pixels().len() as f64;
    let sum = |channel: usize| {
        let values = region.pixels().map(|pixel| f64::from(pixel.0[channel]));
        values.sum::<f64>() / n
    };
    (0..3).map(sum).collect()
}

/// Word counts of the question, hashed into 61 features.
fn words(item: &Item) -> Vec<f64> {
    counts_of(&item.content.question)
}

fn counts_of(text: &str) -> Vec<f64> {
    let mut counts = vec![0.0; 61];
    for word in text.split_whitespace() {
        let bytes = word.bytes().map(usize::from);
        counts[bytes.fold(7, |sum, byte| (sum * 31 + byte) % 61)] += 1.0;
    }
    counts
}

/// Number of distinct colours, with 8 steps per channel.
fn colors(seen: &CueInput) -> f64 {
    let colors = seen
        .pixels
        .pixels()
        .map(|pixel| pixel.0.map(|channel| channel / 32));
    colors.collect::<std::collections::BTreeSet<_>>().len() as f64
}

/// Lightness along the middle column, at 16 points.
fn column(seen: &CueInput) -> Vec<f64> {
    (0..16)
        .map(|at| {
            let pixel = seen.pixels.get_pixel(256, 16 + 32 * at).0;
            pixel.iter().map(|channel| f64::from(*channel)).sum()
        })
        .collect()
}

/// Lightness along the middle row, at 16 points.
fn row(seen: &CueInput) -> Vec<f64> {
    (0..16)
        .map(|at| {
            let pixel = seen.pixels.get_pixel(16 + 32 * at, 256).0;
            pixel.iter().map(|channel| f64::from(*channel)).sum()
        })
        .collect()
}

/// Lightness of each pixel: the sum of its channels.
fn lightness(seen: &CueInput) -> Vec<f64> {
    let light = |pixel: &image::Rgb<u8>| pixel.0.iter().map(|part| f64::from(*part)).sum::<f64>();
    seen.pixels.pixels().map(light).collect()
}

/// Mean difference in lightness between neighbours, along rows and columns.
fn roughness(seen: &CueInput) -> Vec<f64> {
    let values = lightness(seen);
    let steps = |apart: usize| {
        let pairs = values.iter().zip(&values[apart..]);
        pairs.map(|(one, other)| (one - other).abs()).sum::<f64>() / values.len() as f64
    };
    vec![steps(1), steps(seen.pixels.width() as usize)]
}

/// Statistics of lightness: mean, spread, skew, and the shares of dark and bright pixels.
fn statistics(seen: &CueInput) -> Vec<f64> {
    let values = lightness(seen);
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power: i32| {
        values
            .iter()
            .map(|value| (value - mean).powi(power))
            .sum::<f64>()
            / n
    };
    let spread = moment(2).sqrt().max(1e-9);
    let share =
        |is_in: fn(f64) -> bool| values.iter().filter(|value| is_in(**value)).count() as f64 / n;
    vec![
        mean,
        spread,
        moment(3) / spread.powi(3),
        share(|value| value < 192.0),
        share(|value| value > 573.0),
    ]
}

fn seen(ability: &str) -> Vec<CueInput> {
    let exam = LevelledExam::new(14 * item_count(), 47);
    all_seen(&exam.whole().of(&[ability]))
}

fn all_seen(exam: &LevelledExam) -> Vec<CueInput> {
    let one = |number: usize| {
        let mut page = exam.page(number);
        let picture = page.pictures.remove(0);
        let bytes = picture.png(Shades::Gradual).unwrap().len() as f64;
        CueInput {
            item: page.items.remove(0),
            pixels: picture.pixels,
            bytes,
        }
    };
    (0..exam.pages()).into_par_iter().map(one).collect()
}

/// The answer as text; for multiple choice the text of the right option.
fn answer(item: &Item) -> String {
    match item.content.target.as_ref().unwrap() {
        Target::Text(letter) => {
            let mut choices = item.content.choices.iter();
            let right = choices.find(|choice| choice.letter == *letter);
            right.map_or_else(|| letter.clone(), |choice| choice.text.clone())
        }
        Target::Number(number) => number.to_string(),
        Target::Box(corners) => format!("{corners:?}"),
        Target::Color(channels) => format!("{channels:?}"),
    }
}

fn is_right(item: &Item, response: &str) -> bool {
    let record = Record {
        response: Some(response.to_owned()),
        ..item.clone().record()
    };
    let metric = metric_of(&item.ability, &item.content);
    let outcome = judge(&record).strict.outcome;
    let (score, second) = (
        outcome.score.unwrap_or(f64::NAN),
        outcome.second.unwrap_or(f64::NAN),
    );
    RightThreshold::in_exam(&item.ability, metric.name()).judge(score, second) == Some(true)
}

/// Predicts an item's answer by a vote of the nearest items of the first half, among its own
/// options.
fn guessed(all: &[CueInput], features: &[Vec<f64>], at: usize) -> String {
    let own = &features[at];
    let mut near: Vec<(f64, usize)> = (0..all.len() / 2)
        .filter(|other| features[*other].len() == own.len())
        .map(|other| {
            let parts = features[other].iter().zip(own);
            (parts.map(|(a, b)| (a - b).powi(2)).sum(), other)
        })
        .collect();
    near.sort_by(|one, other| one.0.total_cmp(&other.0));
    let choices = &all[at].item.content.choices;
    let offered = |text: &String| choices.is_empty() || choices.iter().any(|one| one.text == *text);
    let answers = near
        .iter()
        .map(|(_, other)| answer(&all[*other].item))
        .filter(offered);
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    let answers: Vec<String> = answers.take(VOTES).collect();
    for answer in &answers {
        *votes.entry(answer.clone()).or_default() += 1;
    }
    // The nearest answer wins a tie.
    let most = votes.values().copied().max().unwrap_or(0);
    let best = answers.into_iter().find(|answer| votes[answer] == most);
    best.unwrap_or_default()
}

/// Share of the second half that a cue model answers correctly, and its distance from chance in
/// standard errors.
fn excess(ability: &Ability, all: &[CueInput], features: &[Vec<f64>]) -> (f64, f64) {
    let asked = all.len() / 2..all.len();
    let n = asked.len() as f64;
    let right = asked
        .into_par_iter()
        .filter(|at| is_right(&all[*at].item, &guessed(all, features, *at)))
        .count();
    let chance = ability.chance.max(0.005);
    let share = right as f64 / n;
    (
        share,
        (share - chance) / (chance * (1.0 - chance) / n).sqrt(),
    )
}

/// Scales all features to a similar spread.
fn scaled(mut features: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let most = features.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..most {
        let values: Vec<f64> = features
            .iter()
            .filter_map(|one| one.get(at).copied())
            .collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let spread = values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
            / n;
        for one in &mut features {
            if let Some(value) = one.get_mut(at) {
                *value = (*value - mean) / spread.sqrt().max(1e-9);
            }
        }
    }
    features
}

/// Names of the cues whose models are above chance.
fn above_chance(
    ability: &Ability,
    all: &[CueInput],
    cues: impl Iterator<Item = Cue>,
) -> Vec<String> {
    let mut above = Vec::new();
    for (name, cue) in cues {
        let is_content = matches!(
            (ability.name, name),
            // A column or row shows the scene or texture itself, and the mean in the box is the
            // colour itself.
            (
                "scene_recognition" | "texture" | "color",
                "one column of pixels" | "one row of pixels"
            ) | ("color", "mean colour in the red box")
                // A street has more edges than a desert: roughness is part of what a scene looks
                // like.
                | ("scene_recognition", "roughness of pixels")
        );
        let features = scaled(all.iter().map(cue).collect());
        if is_content || features.iter().all(Vec::is_empty) {
            continue;
        }
        let (share, z) = excess(ability, all, &features);
        println!(
            "{:20} {name:24} {share:.3} (chance {:.3}) z {z:.2}",
            ability.name, ability.chance
        );
        if z > Z {
            above.push(format!("{} by {name}: {share:.3}, z {z:.1}", ability.name));
        }
    }
    above
}

#[test]
fn a_model_on_one_cue_alone_is_at_chance() {
    let above = ABILITIES
        .iter()
        .flat_map(|ability| above_chance(ability, &seen(ability.name), CUES.into_iter()));
    let above: Vec<String> = above.collect();
    assert!(above.is_empty(), "{above:#?}");
}

/// Light, shadow and grain reveal no answer either. Questions and boxes equal those of plain items.
#[test]
fn a_model_on_one_cue_of_a_rich_drawing_is_at_chance() {
    let is_longer = std::env::var_os("EYECHART_CUES").is_some();
    let items = |name: &str| {
        let usual = RICH_ITEMS.iter().find(|(known, _)| *known == name);
        if is_longer {
            item_count()
        } else {
            usual.map_or(FEW, |(_, items)| *items)
        }
    };
    let mut above = Vec::new();
    for ability in &ABILITIES {
        let exam = LevelledExam::new(14 * items(ability.name), 59).whole();
        let all = all_seen(&exam.of(&[ability.name]).in_style(Style::Rich));
        above.extend(above_chance(ability, &all, of_pixels()));
    }
    assert!(above.is_empty(), "{above:#?}");
}

/// At the first level two objects are so far apart that one box reveals on which side the other
/// fits. The direction in the question makes this worthless.
#[test]
fn no_place_tells_the_answer_of_space_at_its_first_level() {
    let ability = ABILITIES.iter().find(|known| known.name == "spatial");
    let ability = ability.unwrap();
    let exam = LevelledExam::at(14 * 6 * item_count(), &[1], 53);
    let all = all_seen(&exam.whole().of(&["spatial"]));
    for (name, cue) in CUES {
        if !name.contains("box") {
            continue;
        }
        let features = scaled(all.iter().map(cue).collect());
        let (share, z) = excess(ability, &all, &features);
        println!("level 1 {name:24} {share:.3} z {z:.2}");
        assert!(z < Z, "{name}: {share:.3}, z {z:.1}");
    }
}

/// The letter, option or answer that was right most often so far is not right more often later.
#[test]
fn what_was_right_before_is_not_right_more_often() {
    for ability in &ABILITIES {
        let exam = LevelledExam::new(14 * item_count(), 43)
            .whole()
            .of(&[ability.name]);
        let items: Vec<Item> = (0..exam.pages())
            .into_par_iter()
            .map(|number| exam.items(number).remove(0))
            .collect();
        let (known, asked) = items.split_at(item_count() / 2);
        let mut shares: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for item in known {
            let right = answer(item);
            for choice in &item.content.choices {
                let entry = shares.entry(choice.text.clone()).or_default();
                entry.0 += f64::from(u8::from(choice.text == right));
                entry.1 += 1.0;
            }
        }
        let share = |text: &str| {
            let (right, offered) = shares.get(text).copied().unwrap_or((0.0, 1.0));
            right / offered
        };
        let constant = |item: &Item| {
            let choices = item.content.choices.iter();
            let best = choices.max_by(|a, b| share(&a.text).total_cmp(&share(&b.text)));
            best.map(|choice| choice.text.clone())
        };
        let best = |item: &Item| {
            constant(item)
                .or_else(|| best_constant(known))
                .unwrap_or_default()
        };
        let right = asked
            .iter()
            .filter(|item| is_right(item, &best(item)))
            .count();
        let (n, chance) = (asked.len() as f64, ability.chance.max(0.005));
        let z = (right as f64 / n - chance) / (chance * (1.0 - chance) / n).sqrt();
        assert!(z < Z, "{}: {right} of {n}, z {z:.1}", ability.name);
    }
}

/// The answer that is right most often if it is given to every item.
fn best_constant(known: &[Item]) -> Option<String> {
    let answers: Vec<String> = known.iter().map(answer).collect();
    let right = |answer: &&String| known.iter().filter(|item| is_right(item, answer)).count();
    answers.iter().max_by_key(right).cloned()
}
