use std::collections::HashMap;
use std::sync::Arc;

use super::{AUTOMATIC_TAGS, PictureFacts};
use crate::{
    Ability, AnswerFacts, Choice, Content, Detections, FinishReason, ImageRef, ItemId, Labels,
    Prediction, RequestFingerprint, Shapes, Table, TableBuilder, Target, TrueBox, Value,
};

/// Returns a table with one item per content, all of the same ability.
fn table(contents: &[Content]) -> Table {
    let mut builder = TableBuilder::default();
    add(&mut builder, contents, 0);
    builder.finish()
}

fn add(builder: &mut TableBuilder, contents: &[Content], first: usize) {
    let ability = Ability {
        benchmark: "b".to_owned(),
        name: "a".to_owned(),
    };
    let ability = builder.ability(&ability).unwrap();
    let condition = builder.condition(&Labels::new()).unwrap();
    let (metric, model) = (
        builder.metric("accuracy").unwrap(),
        builder.model("m").unwrap(),
    );
    for (at, content) in contents.iter().enumerate() {
        let id = format!("s{}", first + at);
        let item = builder.item(ability, condition, &id, RequestFingerprint::default());
        let target = match content.target {
            Some(Target::Number(number)) => number,
            _ => f64::NAN,
        };
        builder.describe(content, None, target);
        builder.push(item.id, &Prediction::scored(model, metric, 1.0), &[]);
    }
}

fn content(question: &str, target: &str) -> Content {
    Content {
        question: question.to_owned(),
        target: Some(Target::Text(target.to_owned())),
        ..Content::default()
    }
}

fn with_options(target: &str, options: &[&str]) -> Content {
    let choices = options.iter().enumerate().map(|(at, text)| Choice {
        letter: Choice::letters(at),
        text: (*text).to_owned(),
    });
    Content {
        choices: choices.collect(),
        ..content("Which is it?", target)
    }
}

/// Returns the tag's value of each item as text; empty for items without a value.
fn values(table: &Table, name: &str) -> Vec<String> {
    let tag = table.tag(name).unwrap();
    let text = |item: usize| tag.text(item).map(str::to_owned);
    let number = |item: usize| tag.number(item).map(|number| number.to_string());
    let items = 0..table.sample_of().len();
    let values = items.map(|item| text(item).or_else(|| number(item)).unwrap_or_default());
    values.collect()
}

#[test]
fn questions_have_tags_by_their_words() {
    let table = table(&[
        content("How many dogs sit left of the 2 cars?", "3"),
        content("Is the car not red?", "yes"),
        content("", "yes"),
    ]);
    for (name, expected) in [
        ("auto.kind", ["how many", "yes or no", ""]),
        ("auto.question_words", ["9", "5", ""]),
        ("auto.negation", ["false", "true", ""]),
        ("auto.numbers", ["true", "false", ""]),
        ("auto.direction_words", ["true", "false", ""]),
        ("auto.count", ["3", "", ""]),
        ("auto.options", ["", "", ""]),
    ] {
        assert_eq!(values(&table, name), expected, "{name}");
    }
    assert!(table.tag("auto.nothing").is_none());
}

#[test]
fn several_pictures_are_counted() {
    let with = |count: usize| Content {
        images: vec![ImageRef::Path("a.png".to_owned()); count],
        ..content("Is it?", "yes")
    };
    let table = table(&[with(1), with(3), with(0), with(2)]);
    assert_eq!(values(&table, "auto.pictures"), ["", "3", "", "2"]);
    let counts = [0, 1].map(|item| table.picture_count(ItemId(item)));
    assert_eq!(counts, [None, Some(3)]);
}

#[test]
fn options_have_tags_and_targets_a_frequency() {
    let table = table(&[
        with_options("B", &["red", "green"]),
        with_options("A", &["Green", "blue", "black and white"]),
        with_options("A", &["red", "green"]),
        content("How far is it?", "2.5"),
    ]);
    for (name, expected) in [
        ("auto.options", ["2", "3", "2", ""]),
        ("auto.option_length", ["4", "8", "4", ""]),
        ("auto.right_option", ["2", "1", "1", ""]),
        ("auto.target_frequency", ["0.5", "0.5", "0.25", "0.25"]),
        ("auto.depth", ["", "", "", "2.5"]),
    ] {
        assert_eq!(values(&table, name), expected, "{name}");
    }
}

#[test]
fn target_boxes_have_tags() {
    let boxed = |corners| Content {
        target: Some(Target::Box(corners)),
        tags: Labels::from([("picture_size".to_owned(), Value::from("200x100"))]),
        ..Content::default()
    };
    let table = table(&[
        boxed([0.0, 0.0, 50.0, 20.0]),
        boxed([80.0, 40.0, 120.0, 60.0]),
        boxed([180.0, 40.0, 196.0, 60.0]),
        content("Is it?", "yes"),
    ]);
    for (name, expected) in [
        ("auto.boxes", ["1", "1", "1", ""]),
        ("auto.box_area", ["0.05", "0.04", "0.016", ""]),
        ("auto.box_pixels", ["1000", "800", "320", ""]),
        ("auto.box_place", ["top left", "centre", "right", ""]),
        ("auto.box_aspect", ["2.5", "2", "0.8", ""]),
        ("auto.box_at_edge", ["true", "false", "false", ""]),
        ("auto.box_overlap", ["", "", "", ""]),
    ] {
        let found = values(&table, name);
        let is_near = |(found, expected): (&String, &str)| match expected.parse::<f64>() {
            Ok(number) => (found.parse::<f64>().unwrap() - number).abs() < 1e-9,
            Err(_) => found == expected,
        };
        assert!(found.iter().zip(expected).all(is_near), "{name}: {found:?}");
    }
}

#[test]
fn pictures_have_tags_once_their_facts_are_set() {
    let plain = content("Is it?", "yes");
    let table = table(&[plain.clone(), plain.clone(), plain.clone(), plain]);
    assert!(table.tag("auto.brightness").is_none());
    assert!(table.automatic_tag("auto.brightness").is_some());
    let facts = |brightness, hash| PictureFacts {
        pixels: 20_000.0,
        aspect: 2.0,
        brightness,
        contrast: 0.1,
        colourfulness: 30.0,
        sharpness: 90.0,
        edges: f64::NAN,
        letters: 0.125,
        bits_per_pixel: 1.5,
        is_grey: hash == 8,
        hash,
    };
    let known = vec![(0, facts(0.25, 7)), (1, facts(0.5, 7)), (3, facts(0.75, 8))];
    table.clone().set_picture_facts(known);
    for (name, expected) in [
        ("auto.brightness", ["0.25", "0.5", "", "0.75"]),
        ("auto.picture_pixels", ["20000", "20000", "", "20000"]),
        ("auto.edges", ["", "", "", ""]),
        ("auto.grey", ["false", "false", "", "true"]),
        ("auto.same_picture", ["2", "2", "", "1"]),
    ] {
        assert_eq!(values(&table, name), expected, "{name}");
    }
}

#[test]
fn a_measured_picture_tells_what_fraction_a_box_covers() {
    let boxed = Content {
        target: Some(Target::Box([0.0, 0.0, 50.0, 20.0])),
        ..Content::default()
    };
    let table = table(&[boxed, content("Is it?", "yes")]);
    assert!(table.lacks_picture_sizes());
    assert_eq!(values(&table, "auto.box_area"), ["", ""]);
    assert_eq!(values(&table, "auto.box_pixels"), ["1000", ""]);
    let facts = PictureFacts {
        pixels: 20_000.0,
        aspect: 2.0,
        ..PictureFacts::default()
    };
    table.set_picture_facts(vec![(0, facts)]);
    assert_eq!(values(&table, "auto.box_area"), ["0.05", ""]);
    assert_eq!(values(&table, "auto.box_place"), ["top left", ""]);
}

#[test]
fn masks_have_an_area_without_those_of_crowds() {
    let truth = |area, crowd| TrueBox {
        class: 0,
        xywh: [0.0, 0.0, 10.0, 10.0],
        area,
        crowd,
        id: 1,
    };
    let with = |shapes, truth| {
        let mut builder = TableBuilder::default();
        add(&mut builder, &[Content::default()], 0);
        let detections = Detections {
            truth,
            shapes,
            ..Detections::default()
        };
        let mut table = builder.finish();
        table.detections = Arc::new(HashMap::from([(0, Arc::new(detections))]));
        table
    };
    let all = || vec![truth(30.0, false), truth(90.0, true), truth(50.0, false)];
    let masks = Shapes::Masks {
        truth: Vec::new(),
        found: Vec::new(),
    };
    let table = with(masks, all());
    assert_eq!(values(&table, "auto.mask_pixels"), ["40"]);
    let facts = PictureFacts {
        pixels: 400.0,
        aspect: 1.0,
        ..PictureFacts::default()
    };
    table.set_picture_facts(vec![(0, facts)]);
    assert_eq!(values(&table, "auto.mask_area"), ["0.1"]);
    let boxes = with(Shapes::Boxes, all());
    assert_eq!(values(&boxes, "auto.mask_pixels"), [""]);
}

#[test]
fn answers_have_tags_by_row_once_their_facts_are_set() {
    let table = table(&[
        with_options("A", &["x", "y"]),
        with_options("B", &["x", "y"]),
    ]);
    assert!(table.answer_tag("auto.answer_words").is_none());
    let facts = AnswerFacts {
        words: 3,
        chosen: 2,
        hedges: true,
        refuses: false,
        finish_reason: Some(FinishReason::Length),
    };
    table.set_answer_facts(vec![(1, facts)]);
    for (name, expected) in [
        ("auto.answer_words", "3"),
        ("auto.chosen_option", "2"),
        ("auto.hedging", "true"),
        ("auto.refusal", "false"),
        ("auto.finish_reason", "length"),
    ] {
        assert!(
            table.tag(name).is_none(),
            "{name} has no value for a sample"
        );
        let tag = table.answer_tag(name).unwrap();
        let value = |row: usize| {
            let number = tag.number(row).map(|number| number.to_string());
            tag.text(row).map(str::to_owned).or(number)
        };
        assert_eq!([0, 1].map(value), [None, Some(expected.to_owned())]);
    }
    assert!(table.answer_tag("auto.options").is_none());
}

#[test]
fn a_table_that_grows_computes_its_tags_again() {
    let mut builder = TableBuilder::default();
    add(&mut builder, &[with_options("A", &["x", "y"])], 0);
    let (first, index) = builder.pause();
    assert_eq!(values(&first, "auto.target_frequency"), ["1"]);
    let mut builder = TableBuilder::resume(&first, index);
    add(&mut builder, &[with_options("B", &["x", "y"])], 1);
    let second = builder.finish();
    assert_eq!(values(&second, "auto.right_option"), ["1", "2"]);
    assert_eq!(values(&second, "auto.target_frequency"), ["0.5", "0.5"]);
}

#[test]
fn a_tag_of_the_log_comes_before_an_automatic_one() {
    let mut own = content("Why?", "x");
    own.tags.insert("auto.kind".to_owned(), "theirs".into());
    let table = table(&[own]);
    assert_eq!(values(&table, "auto.kind"), ["theirs"]);
    assert!(table.automatic_tag("auto.kind").is_none());
    assert!(table.automatic_tag("auto.numbers").is_some());
}

#[test]
fn definitions_have_distinct_names_and_sentences_with_their_value() {
    for (at, tag) in AUTOMATIC_TAGS.iter().enumerate() {
        assert!(tag.name.starts_with("auto."), "{tag:?}");
        assert!(
            AUTOMATIC_TAGS[..at]
                .iter()
                .all(|other| other.name != tag.name)
        );
        assert_ne!(tag.sentence("true"), tag.sentence("false"), "{tag:?}");
    }
}
