use std::collections::{BTreeMap, BTreeSet};

use super::*;
use record::Target;

fn items(exam: &LevelledExam) -> Vec<(Item, image::RgbImage)> {
    let page = |number| {
        let mut page = exam.page(number);
        (page.items.remove(0), page.pictures.remove(0).pixels)
    };
    (0..exam.pages()).map(page).collect()
}

fn number(item: &Item, tag: &str) -> f64 {
    item.content.tags[tag].number().unwrap()
}

#[test]
fn an_item_is_the_same_whatever_else_is_asked() {
    let (few, many) = (LevelledExam::new(14 * 10, 5), LevelledExam::new(14 * 40, 5));
    let pages = (0..few.pages()).step_by(5);
    let few: Vec<Item> = pages
        .map(|number| few.page(number).items.remove(0))
        .collect();
    let many = (0..many.pages()).map(|number| many.items(number).remove(0));
    let many: BTreeMap<String, Item> = many.map(|item| (item.id.clone(), item)).collect();
    assert!(few.len() >= 28);
    for item in &few {
        assert_eq!(many.get(&item.id), Some(item), "{}", item.id);
    }
    let places = vec![ItemAddress {
        ability: 12,
        level: 4,
        number: 3,
    }];
    let (item, pixels) = items(&LevelledExam::of_places(places, 5)).remove(0);
    let same = LevelledExam::new(14 * 40, 5).whole().of(&["texture"]);
    let (other, others) = items(&same)
        .into_iter()
        .find(|(other, _)| other.id == item.id)
        .unwrap();
    assert_eq!((item, pixels), (other, others));
}

#[test]
fn every_ability_has_as_many_items_of_each_level() {
    let exam = LevelledExam::new(14 * 20, 3);
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for place in &exam.places {
        let name = ABILITIES[place.ability].name.to_owned();
        *counts.entry((name, place.level.to_string())).or_default() += 1;
    }
    assert_eq!(counts.len(), 140);
    assert!(counts.values().all(|count| *count == 2), "{counts:?}");
    let some = LevelledExam::at(14 * 6, &[1, 5, 9], 3);
    let levels: BTreeSet<u8> = some.places.iter().map(|place| place.level).collect();
    assert_eq!(levels, BTreeSet::from([1, 5, 9]));
}

#[test]
fn an_item_tells_its_level_its_quantity_and_its_generator() {
    for (item, pixels) in items(&LevelledExam::new(14 * 10, 8)) {
        let dial = LevelledExam::dial(&item.ability).unwrap();
        let level = number(&item, "level");
        assert_eq!(item.content.tags["dial"], dial.name.into());
        let expected = dial.quantity(level as u8);
        assert!(
            (number(&item, dial.name) - expected).abs() < 1e-9,
            "{}",
            item.id
        );
        assert_eq!(
            Some(number(&item, "chance")),
            LevelledExam::chance(&item.ability)
        );
        let generator = item.content.tags["generator"].to_string();
        assert!(generator.contains(&GENERATOR[..8]) && generator.ends_with("seed 8"));
        assert_eq!(pixels.dimensions(), (512, 512));
        let choices = item.content.choices.len();
        if choices > 0 {
            assert_eq!(number(&item, "chance"), 1.0 / choices as f64, "{}", item.id);
        }
    }
}

#[test]
fn quantities_go_one_way_and_differ() {
    for ability in &ABILITIES {
        let quantities: Vec<f64> = (1..=LEVELS)
            .map(|level| ability.dial.quantity(level))
            .collect();
        let (rising, falling) = (
            quantities.is_sorted_by(|a, b| a < b),
            quantities.is_sorted_by(|a, b| a > b),
        );
        assert!(rising || falling, "{}: {quantities:?}", ability.name);
    }
}

#[test]
fn answers_have_the_form_of_their_ability() {
    for (item, _) in items(&LevelledExam::new(14 * 20, 9)) {
        let content = &item.content;
        for labelled in &content.boxes {
            let [x0, y0, x1, y1] = labelled.xyxy;
            let is_inside = x0 >= 0.0 && y0 >= 0.0 && x1 <= 512.0 && y1 <= 512.0;
            assert!(is_inside && x0 < x1 && y0 < y1, "{} {labelled:?}", item.id);
        }
        match (item.ability.as_str(), content.target.as_ref().unwrap()) {
            ("counting", Target::Number(count)) => {
                let fewest = number(&item, "fewest");
                assert!((fewest..fewest + 8.0).contains(count), "{}", item.id);
            }
            ("absolute_depth", Target::Number(depth)) => {
                assert!((0.3..=65.0).contains(depth), "{depth}");
            }
            ("localization", Target::Box([x0, y0, x1, y1])) => {
                let long = (x1 - x0).max(y1 - y0);
                let wanted = number(&item, "object_px");
                assert!((long - wanted).abs() <= 1.0, "{} {long} {wanted}", item.id);
            }
            ("color", Target::Color(channels)) => {
                assert!(
                    channels
                        .iter()
                        .all(|channel| (20.0..=235.0).contains(channel))
                );
            }
            ("ocr", Target::Text(text)) => assert_eq!(text.len(), 6),
            (ability, Target::Text(_)) => {
                let options = if matches!(ability, "spatial" | "relative_depth") {
                    2
                } else {
                    4
                };
                assert_eq!(content.choices.len(), options, "{ability}");
            }
            (ability, target) => panic!("{ability} {target}"),
        }
    }
}

/// Only the boxes are pure red or blue, and they are at the item's coordinates.
#[test]
fn boxes_are_drawn_where_they_are_said_to_be() {
    let exam = LevelledExam::new(14 * 10, 4);
    let bare = items(&exam.clone().without_boxes());
    for ((item, pixels), (_, without)) in items(&exam).into_iter().zip(bare) {
        for (name, pure) in [("red", [255, 0, 0]), ("blue", [0, 0, 255])] {
            let mut named = item.content.boxes.iter();
            let named = named.find(|one| one.color.as_deref() == Some(name));
            let holds = |pixels: &image::RgbImage| pixels.pixels().any(|pixel| pixel.0 == pure);
            assert_eq!(holds(&pixels), named.is_some(), "{}", item.id);
            assert!(!holds(&without), "{}", item.id);
            if let Some(labelled) = named {
                let [x0, y0, ..] = labelled.xyxy.map(|at| at as u32);
                assert_eq!(pixels.get_pixel(x0, y0).0, pure, "{}", item.id);
            }
        }
    }
}

#[test]
fn the_right_answer_of_a_relation_follows_from_the_boxes() {
    for (item, _) in items(&LevelledExam::new(14 * 60, 6).of(&["spatial"])) {
        let middle = |at: usize| {
            let [x0, y0, x1, y1] = item.content.boxes[at].xyxy;
            ((x0 + x1) / 2.0, (y0 + y1) / 2.0)
        };
        let (red, blue) = (middle(0), middle(1));
        let gap = match item.content.tags["axis"].to_string().as_str() {
            "horizontal" => blue.0 - red.0,
            _ => blue.1 - red.1,
        };
        assert!(
            (gap.abs() - number(&item, "offset_px")).abs() < 1e-9,
            "{}",
            item.id
        );
        // The first option is the red box.
        let question = &item.content.question;
        let is_forward = question.contains("right") || question.contains("down");
        let expected = if (gap < 0.0) == is_forward { "A" } else { "B" };
        assert_eq!(item.content.target, Some(Target::Text(expected.to_owned())));
    }
}
