use std::collections::{BTreeMap, BTreeSet};

use image::RgbImage;

use super::*;
use record::Target;

/// Number of items: enough for every class in both splits, and quick to draw.
const COUNT: usize = 14 * 40;

fn items(exam: &Exam) -> Vec<(Item, RgbImage)> {
    let page = |number| {
        let mut page = exam.page(number);
        (page.items.remove(0), page.pictures.remove(0).pixels)
    };
    (0..exam.pages()).map(page).collect()
}

fn is_test(item: &Item) -> bool {
    item.content.tags["split"] == Value::Text("test".to_owned())
}

/// The answer as text; for multiple choice the text of the right option.
fn answer(item: &Item) -> String {
    let target = item.content.target.as_ref().unwrap();
    let choice = item.content.choices.iter();
    choice
        .filter(|choice| Target::Text(choice.letter.clone()) == *target)
        .map(|choice| choice.text.clone())
        .next()
        .unwrap_or_else(|| target.to_string())
}

#[test]
fn items_are_spread_over_abilities_and_splits() {
    let exam = Exam::new(COUNT, 3);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for ability in Exam::abilities() {
        let (train, test) = (
            exam.clone().only(ability, Split::Train).pages(),
            exam.clone().only(ability, Split::Test).pages(),
        );
        assert_eq!(train + test, 40, "{ability}");
        assert!((6..=11).contains(&test), "{ability} {test}");
        counts.insert(ability, test);
    }
    assert_eq!(counts.len(), 14);
}

#[test]
fn a_page_depends_on_seed_and_number_alone() {
    let (exam, other) = (Exam::new(14 * 4, 5), Exam::new(14 * 4, 6));
    let mut differ = 0;
    for number in (0..exam.pages()).rev().step_by(3) {
        let (page, again) = (exam.page(number), Exam::new(14 * 4, 5).page(number));
        assert_eq!(page.items, again.items);
        assert_eq!(page.pictures[0].pixels, again.pictures[0].pixels);
        differ += usize::from(other.page(number).pictures[0].pixels != page.pictures[0].pixels);
    }
    assert!(differ > 10);
}

/// A subset holds the same items as the full set.
#[test]
fn a_part_is_a_part_of_the_whole() {
    let exam = Exam::new(14 * 5, 5);
    let whole: Vec<Item> = (0..exam.pages())
        .map(|number| exam.page(number).items.remove(0))
        .collect();
    let part = exam.clone().only("ocr", Split::Train);
    let wanted = whole
        .iter()
        .filter(|item| item.ability == "ocr" && !is_test(item));
    let found: Vec<Item> = (0..part.pages())
        .map(|number| part.page(number).items.remove(0))
        .collect();
    assert!(wanted.eq(found.iter()));
}

/// No test picture is in the training set, no path or id reveals the answer, and the letters of
/// right answers are balanced.
#[test]
fn nothing_leaks() {
    let items = items(&Exam::new(COUNT, 11));
    let mut known: BTreeSet<&[u8]> = BTreeSet::new();
    let mut letters: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for (item, pixels) in &items {
        assert!(
            known.insert(pixels.as_raw()),
            "{} was there before",
            item.id
        );
        let answer = answer(item).to_lowercase();
        let path = item.picture().unwrap();
        let expected = format!(
            "images/{}/{}.png",
            item.ability,
            &item.id[item.id.len() - 4..]
        );
        assert_eq!(path, expected);
        // Paths and ids contain only the ability and a number.
        let said = item.content.question.to_lowercase();
        // These questions name the object, the box colours or the views.
        let named = matches!(
            item.ability.as_str(),
            "localization" | "relative_depth" | "orientation"
        );
        let told = answer.len() > 3 && said.contains(&answer) && !named;
        assert!(!told, "{said} tells {answer}");
        if let (Some(Target::Text(letter)), false) =
            (&item.content.target, item.content.choices.is_empty())
        {
            let counts = letters.entry(&item.ability).or_default();
            *counts.entry(letter.clone()).or_default() += 1;
        }
    }
    for (ability, counts) in letters {
        let most = counts.values().max().unwrap();
        // Exactly balanced, except for abilities with two separate groups of options.
        let expected = 40.0 / counts.len() as f64;
        assert!(
            *most as f64 <= expected + 3.0 * expected.sqrt(),
            "{ability}: {counts:?}"
        );
    }
}

/// Every class is in both splits, and no answer dominates.
#[test]
fn classes_are_in_both_splits() {
    let exam = Exam::new(14 * 200, 2);
    for (at, ability) in ABILITIES.iter().enumerate() {
        let schedule = &exam.schedules[at];
        for class in 0..ability.classes {
            let of_class = |split| {
                (0..200).any(|item| schedule.class(item) == class && schedule.split(item) == split)
            };
            assert!(
                of_class(Split::Train) && of_class(Split::Test),
                "{} {class}",
                ability.name
            );
        }
    }
}

#[test]
fn answers_have_the_form_of_their_ability() {
    for (item, pixels) in items(&Exam::new(14 * 20, 8)) {
        let content = &item.content;
        let number = |tag: &str| content.tags[tag].number().unwrap();
        match (item.ability.as_str(), content.target.as_ref().unwrap()) {
            ("counting", Target::Number(count)) => {
                assert!((1.0..=40.0).contains(count) && count.fract() == 0.0);
            }
            ("absolute_depth", Target::Number(depth)) => {
                assert!((1.6..=31.0).contains(depth));
                assert_eq!(number("depth_m"), *depth);
            }
            ("localization", Target::Box([x0, y0, x1, y1])) => {
                assert!(
                    0.0 <= *x0 && x0 < x1 && *x1 <= 256.0 && 0.0 <= *y0 && y0 < y1 && *y1 <= 256.0
                );
                assert!((0.002..=0.5).contains(&number("box_area")), "{content:?}");
            }
            ("color", Target::Color(channels)) => {
                let [red, blue] = [[255.0, 0.0, 0.0], [0.0, 0.0, 255.0]];
                for pure in [red, blue] {
                    let apart = channels
                        .iter()
                        .zip(pure)
                        .any(|(one, other): (&f64, f64)| (one - other).abs() > 30.0);
                    assert!(apart, "{channels:?}");
                }
            }
            ("ocr", Target::Text(text)) => assert_eq!(number("text_length"), text.len() as f64),
            (ability, Target::Text(_)) => assert!(content.choices.len() >= 2, "{ability}"),
            (ability, target) => panic!("{ability} {target}"),
        }
        assert_eq!(pixels.dimensions(), (256, 256));
        for labelled in &content.boxes {
            let [x0, y0, x1, y1] = labelled.xyxy;
            assert!(x0 < x1 && y0 < y1, "{} {labelled:?}", item.id);
        }
    }
}

/// Only the drawn boxes are pure red or blue.
#[test]
fn drawn_boxes_stand_where_they_are_said_to() {
    let (exam, mut seen) = (Exam::new(14 * 12, 4), 0);
    let bare = exam.clone().without_boxes();
    for number in 0..exam.pages() {
        let (page, without) = (exam.page(number), bare.page(number));
        for (name, pure) in [("red", [255, 0, 0]), ("blue", [0, 0, 255])] {
            let holds = |page: &Page| {
                page.pictures[0]
                    .pixels
                    .pixels()
                    .any(|pixel| pixel.0 == pure)
            };
            let named = page.items[0]
                .content
                .boxes
                .iter()
                .find(|one| one.color.as_deref() == Some(name));
            assert_eq!(holds(&page), named.is_some(), "{}", page.items[0].id);
            assert!(!holds(&without));
            let Some(labelled) = named else { continue };
            let [x0, y0, ..] = labelled.xyxy.map(|at| at as u32);
            assert_eq!(
                page.pictures[0]
                    .pixels
                    .get_pixel(x0.min(255), y0.min(255))
                    .0,
                pure
            );
            seen += 1;
        }
    }
    assert!(seen > 80);
}

/// Rotating a scene rotates the directional answers and leaves the others.
#[test]
fn top_down_questions_turn_with_the_picture() {
    let scenes = TopDown::new(18, 3);
    for number in 0..scenes.pages() {
        let page = scenes.page(number);
        let [first, second, third, _] = page.items.as_slice() else {
            panic!("four rotations, not {}", page.items.len())
        };
        assert_eq!((&first.id, &first.ability), (&second.id, &second.ability));
        assert_eq!(first.content.question, third.content.question);
        let turned = image::imageops::rotate90(&page.pictures[0].pixels);
        assert_eq!(turned, page.pictures[1].pixels);
        match (first.ability.as_str(), answer(first), answer(third)) {
            ("object_localization" | "spatial_relationship", one, other) => {
                let opposite = one
                    .split(' ')
                    .map(|word| match word {
                        "top" => "bottom",
                        "bottom" => "top",
                        "left" => "right",
                        "right" => "left",
                        "above" => "below",
                        _ => "above",
                    })
                    .collect::<Vec<_>>()
                    .join(" ");
                assert_eq!(other, opposite);
            }
            ("visual_grounding", ..) => {
                let (Some(Target::Box(one)), Some(Target::Box(other))) =
                    (&first.content.target, &third.content.target)
                else {
                    panic!("boxes")
                };
                let [x0, y0, x1, y1] = *one;
                assert_eq!(*other, [256.0 - x1, 256.0 - y1, 256.0 - x0, 256.0 - y0]);
            }
            (ability, one, other) => {
                assert_eq!(one, other, "{ability}");
                assert_eq!(first.content.choices, third.content.choices);
            }
        }
    }
}
