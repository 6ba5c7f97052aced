//! Automatic tags: properties of samples that are computed from their question, options, target,
//! boxes and first picture, for logs without tags of their own.
//!
//! Each tag is computed for all items when it is first used. Nothing is read again: tags of pictures
//! have values once their facts were set. [`AUTOMATIC_TAGS`] defines them all.

mod facts;
mod words;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use base::picture_facts::PictureFacts;

use super::tag_values::Cells;
use super::tags::Tag;
use super::{ItemId, Key, Row, Table, TagValue};

pub use self::facts::{BoxFacts, OptionFacts, right_choice};

/// Every automatic tag, in the order in which they are listed.
pub static AUTOMATIC_TAGS: [AutomaticTag; 29] = [
    named(
        "auto.kind",
        "the kind of question is \"{}\"",
        &words::KINDS,
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
        target_frequency,
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
        sample.all.table.picture_count(sample.id()).map(f64::from)
    }),
    number("auto.boxes", "the sample has {} target boxes", |sample| {
        sample.boxes().map(|boxes| boxes.count.into())
    }),
    number(
        "auto.box_area",
        "target boxes cover {} of the picture on average",
        |sample| sample.boxes().map(|boxes| boxes.area),
    )
    .unless("box_area"),
    number(
        "auto.box_pixels",
        "target boxes have {} square pixels on average",
        |sample| sample.boxes().map(|boxes| boxes.pixels),
    ),
    named(
        "auto.box_place",
        "the target box is at the {}",
        &PLACES,
        |sample| sample.boxes().and_then(|boxes| place(boxes.center)),
    ),
    number(
        "auto.box_aspect",
        "the target box is {} times as wide as high",
        |sample| sample.boxes().map(|boxes| boxes.aspect),
    ),
    flag(
        "auto.box_at_edge",
        [
            "a target box touches the edge of the picture",
            "no target box touches the edge of the picture",
        ],
        |sample| sample.boxes()?.is_at_edge(),
    ),
    number(
        "auto.box_overlap",
        "target boxes overlap with an IoU of {}",
        |sample| sample.boxes().map(|boxes| boxes.overlap),
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
        "auto.bits_per_pixel",
        "the picture's file has {} bits per pixel",
        |picture| picture.bits_per_pixel,
    ),
    AutomaticTag {
        is_of_picture: true,
        ..flag(
            "auto.grey",
            ["the picture has no colours", "the picture has colours"],
            |sample| sample.picture().map(|picture| picture.is_grey),
        )
    },
    AutomaticTag {
        is_of_picture: true,
        ..number(
            "auto.same_picture",
            "{} samples have a picture that looks the same",
            same_picture,
        )
    },
];

/// Names of flags, indexed by their value.
const FLAGS: [&str; 2] = ["false", "true"];

/// Parts of a picture, row by row.
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

/// Definition of an automatic tag.
#[derive(Debug)]
pub struct AutomaticTag {
    /// Name of the tag, which begins with `auto.`.
    pub name: &'static str,
    /// Tag of a log that holds the same values. The automatic tag is not searched beside it.
    pub own: Option<&'static str>,
    /// Whether it is computed from pixels ([`Table::set_picture_facts`]).
    pub is_of_picture: bool,
    form: Form,
}

/// Values of an automatic tag, with sentences that hold for samples with a value.
#[derive(Debug)]
enum Form {
    /// Numbers; the sentence has `{}` in place of the number.
    Number(&'static str, fn(&Sample<'_>) -> Option<f64>),
    /// Names by index; the sentence has `{}` in place of the name.
    Name(
        &'static str,
        &'static [&'static str],
        fn(&Sample<'_>) -> Option<usize>,
    ),
    /// Numbers of the first picture; the sentence has `{}` in place of the number.
    OfPicture(&'static str, fn(&PictureFacts) -> f64),
    /// True or false; the first sentence holds if true.
    Flag([&'static str; 2], fn(&Sample<'_>) -> Option<bool>),
}

/// Defines a numeric tag.
const fn number(
    name: &'static str,
    sentence: &'static str,
    value: fn(&Sample<'_>) -> Option<f64>,
) -> AutomaticTag {
    tag(name, Form::Number(sentence, value))
}

/// Defines a numeric tag of the first picture.
const fn of_picture(
    name: &'static str,
    sentence: &'static str,
    value: fn(&PictureFacts) -> f64,
) -> AutomaticTag {
    AutomaticTag {
        is_of_picture: true,
        ..tag(name, Form::OfPicture(sentence, value))
    }
}

const fn tag(name: &'static str, form: Form) -> AutomaticTag {
    AutomaticTag {
        name,
        own: None,
        is_of_picture: false,
        form,
    }
}

/// Defines a tag whose values are names.
const fn named(
    name: &'static str,
    sentence: &'static str,
    names: &'static [&'static str],
    value: fn(&Sample<'_>) -> Option<usize>,
) -> AutomaticTag {
    tag(name, Form::Name(sentence, names, value))
}

/// Defines a tag that is true or false.
const fn flag(
    name: &'static str,
    sentences: [&'static str; 2],
    value: fn(&Sample<'_>) -> Option<bool>,
) -> AutomaticTag {
    tag(name, Form::Flag(sentences, value))
}

impl AutomaticTag {
    const fn unless(mut self, own: &'static str) -> Self {
        self.own = Some(own);
        self
    }

    /// Returns what holds for samples with this value: `the question has 5 to 8 words`.
    #[must_use]
    pub fn sentence(&self, value: &str) -> String {
        match self.form {
            Form::Number(sentence, _) | Form::OfPicture(sentence, _) | Form::Name(sentence, ..) => {
                sentence.replace("{}", value)
            }
            Form::Flag([yes, no], _) => if value == "true" { yes } else { no }.to_owned(),
        }
    }

    /// Returns its sentence without a value: `the question has … words`.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self.form {
            Form::Flag([yes, _], _) => yes.to_owned(),
            Form::Number(..) | Form::OfPicture(..) | Form::Name(..) => self.sentence("…"),
        }
    }

    /// Computes the tag for all items of a table.
    fn column(&self, table: &Table) -> Tag {
        let samples = Samples {
            table,
            detections: OnceCell::new(),
            frequencies: OnceCell::new(),
            looks: OnceCell::new(),
        };
        let items = table.sample_of().len();
        let sample = |item| Sample {
            all: &samples,
            item,
        };
        let coded = |names: &[&str], code: &dyn Fn(&Sample<'_>) -> Option<usize>| {
            let mut key = Key::default();
            for name in names {
                key.code(*name);
            }
            let code = |item| code(&sample(item)).and_then(|code| u32::try_from(code).ok());
            Tag::Text(key, cells(items, code))
        };
        let numbers = |value: &dyn Fn(&Sample<'_>) -> Option<f64>| {
            let known = |number: &f64| number.is_finite();
            Tag::Number(cells(items, |item| value(&sample(item)).filter(known)))
        };
        match self.form {
            Form::Number(_, value) => numbers(&value),
            Form::OfPicture(_, value) => numbers(&|sample| sample.picture().map(|it| value(&it))),
            Form::Name(_, names, value) => coded(names, &value),
            Form::Flag(_, value) => coded(&FLAGS, &|sample: &Sample<'_>| {
                value(sample).map(usize::from)
            }),
        }
    }
}

/// Stores the values of all items.
fn cells<T: TagValue>(items: usize, value: impl Fn(usize) -> Option<T>) -> Cells<T> {
    let mut cells = Cells::new();
    for item in 0..items {
        if let Some(value) = value(item) {
            cells.push(item, value);
        }
    }
    cells.finish(items)
}

/// Values of the automatic tags of a table, each computed on first use.
#[derive(Debug)]
pub struct AutomaticColumns {
    columns: Vec<OnceLock<Tag>>,
    /// Facts about the first picture of items, ascending; unset until pictures were read.
    pictures: OnceLock<Vec<(u32, PictureFacts)>>,
}

impl Default for AutomaticColumns {
    fn default() -> Self {
        Self {
            columns: AUTOMATIC_TAGS.iter().map(|_| OnceLock::new()).collect(),
            pictures: OnceLock::new(),
        }
    }
}

impl AutomaticColumns {
    /// Returns the values of a tag of the table; `None` for an unknown name, and for a tag of
    /// pictures that were not read.
    pub fn tag(&self, name: &str, table: &Table) -> Option<&Tag> {
        let mut columns = AUTOMATIC_TAGS.iter().zip(&self.columns);
        let (tag, column) = columns.find(|(tag, _)| tag.name == name)?;
        let is_known = !tag.is_of_picture || self.pictures.get().is_some();
        is_known.then(|| column.get_or_init(|| tag.column(table)))
    }

    /// Facts about the first picture of items, ascending; `None` until they are set.
    pub fn pictures(&self) -> Option<&[(u32, PictureFacts)]> {
        self.pictures.get().map(Vec::as_slice)
    }

    /// Sets the facts about the first picture of items, ascending, unless they are set.
    pub fn set_pictures(&self, facts: Vec<(u32, PictureFacts)>) {
        self.pictures.get_or_init(|| facts);
    }
}

/// Ability code and hash of a target.
type TargetKey = (u16, u32);

/// All items of a table, with data that is computed for all of them at once.
struct Samples<'a> {
    table: &'a Table,
    /// First row with detections by item.
    detections: OnceCell<HashMap<u32, u32>>,
    /// Number of items of each target, and of each ability.
    frequencies: OnceCell<(HashMap<TargetKey, u32>, HashMap<u16, u32>)>,
    /// Number of samples by the hash of their first picture.
    looks: OnceCell<HashMap<u64, u32>>,
}

/// One item of a table.
struct Sample<'a> {
    all: &'a Samples<'a>,
    item: usize,
}

impl Samples<'_> {
    fn detections(&self) -> &HashMap<u32, u32> {
        self.detections.get_or_init(|| {
            let mut rows: HashMap<u32, u32> = HashMap::new();
            for &row in self.table.detections.keys() {
                let ItemId(item) = self.table.item(Row(row));
                let first = rows.entry(item).or_insert(row);
                *first = row.min(*first);
            }
            rows
        })
    }

    fn target_key(&self, item: usize) -> Option<TargetKey> {
        let sample = Sample { all: self, item };
        let answer = sample.options().map_or(0, |options| options.answer);
        let target = sample.target();
        let hash = match (answer, target) {
            (0, "") => return None,
            (0, target) => facts::text_hash(target),
            (answer, _) => answer,
        };
        Some((*self.table.ability_of().get(item)?, hash))
    }

    fn frequencies(&self) -> &(HashMap<TargetKey, u32>, HashMap<u16, u32>) {
        self.frequencies.get_or_init(|| {
            let (mut targets, mut abilities) = (HashMap::new(), HashMap::new());
            let items = 0..self.table.sample_of().len();
            for key in items.filter_map(|item| self.target_key(item)) {
                *targets.entry(key).or_insert(0) += 1;
                *abilities.entry(key.0).or_insert(0) += 1;
            }
            (targets, abilities)
        })
    }
}

impl Samples<'_> {
    fn looks(&self) -> &HashMap<u64, u32> {
        self.looks.get_or_init(|| {
            let pictures = self.table.picture_facts().unwrap_or_default();
            let samples = self.table.sample_of();
            let of_item = |(item, facts): &(u32, PictureFacts)| {
                Some((facts.hash, *samples.get(*item as usize)?))
            };
            let distinct: HashSet<(u64, u32)> = pictures.iter().filter_map(of_item).collect();
            let mut looks = HashMap::new();
            for (hash, _) in distinct {
                *looks.entry(hash).or_insert(0) += 1;
            }
            looks
        })
    }
}

impl Sample<'_> {
    fn picture(&self) -> Option<PictureFacts> {
        find(self.all.table.picture_facts()?, self.id())
    }

    fn id(&self) -> ItemId {
        ItemId(u32::try_from(self.item).unwrap_or(u32::MAX))
    }

    fn question(&self) -> Option<&str> {
        let question = self.all.table.question(self.id());
        Some(question).filter(|question| !question.trim().is_empty())
    }

    fn target(&self) -> &str {
        self.all.table.target(self.id()).trim()
    }

    fn options(&self) -> Option<OptionFacts> {
        find(self.all.table.options(), self.id())
    }

    /// Returns the facts of its boxes. Annotations of a detection come first, because the boxes
    /// of its content include marks of other shapes.
    fn boxes(&self) -> Option<BoxFacts> {
        let table = self.all.table;
        let row = self.all.detections().get(&self.id().0);
        let Some(detections) = row.and_then(|row| table.detections(Row(*row))) else {
            return find(table.boxes(), self.id());
        };
        let truth = detections.truth.iter().filter(|truth| !truth.crowd);
        let corners = truth.map(|truth| {
            let [x, y, width, height] = truth.xywh;
            [x, y, x + width, y + height]
        });
        BoxFacts::new(corners.collect(), None)
    }

    /// Returns the target as a number if the question is of this kind.
    fn number_of_kind(&self, kind: &str) -> Option<f64> {
        let own = words::KINDS.get(words::kind(self.question()?));
        if own != Some(&kind) {
            return None;
        }
        let target = self.all.table.target_of().get(self.item).copied();
        target
            .filter(|number| !number.is_nan())
            .or_else(|| self.target().parse().ok())
    }
}

/// Returns the share of the ability's items with a target that have the same target.
fn target_frequency(sample: &Sample<'_>) -> Option<f64> {
    let key = sample.all.target_key(sample.item)?;
    let (targets, abilities) = sample.all.frequencies();
    Some(f64::from(*targets.get(&key)?) / f64::from(*abilities.get(&key.0)?))
}

/// Returns the number of samples, the sample's own included, whose picture has the same hash.
fn same_picture(sample: &Sample<'_>) -> Option<f64> {
    let count = sample.all.looks().get(&sample.picture()?.hash)?;
    Some(f64::from(*count))
}

/// Returns the value of an item in a list that is sorted by item.
fn find<T: Copy>(values: &[(u32, T)], ItemId(item): ItemId) -> Option<T> {
    let at = values
        .binary_search_by_key(&item, |(known, _)| *known)
        .ok()?;
    values.get(at).map(|(_, value)| *value)
}

/// Returns the part of the picture in which a point lies, as an index into [`PLACES`].
fn place([x, y]: [f64; 2]) -> Option<usize> {
    let third = |at: f64| {
        [1.0 / 3.0, 2.0 / 3.0]
            .iter()
            .filter(|edge| at >= **edge)
            .count()
    };
    (!x.is_nan() && !y.is_nan()).then(|| 3 * third(y) + third(x))
}

fn to_number(count: usize) -> Option<f64> {
    u32::try_from(count).ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::{AUTOMATIC_TAGS, PLACES, PictureFacts, place};
    use crate::{
        Ability, Choice, Content, ImageRef, ItemId, Labels, Prediction, RequestFingerprint, Table,
        TableBuilder, Target, Value,
    };

    /// Returns a table with one item per content, all of one ability.
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

    /// Returns the value of each item as text; empty without a value.
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
            content("Is it?", "yes"),
        ]);
        for (name, expected) in [
            ("auto.boxes", ["1", "1", ""]),
            ("auto.box_area", ["0.05", "0.04", ""]),
            ("auto.box_pixels", ["1000", "800", ""]),
            ("auto.box_place", ["top left", "centre", ""]),
            ("auto.box_aspect", ["2.5", "2", ""]),
            ("auto.box_at_edge", ["true", "false", ""]),
            ("auto.box_overlap", ["", "", ""]),
        ] {
            let found = values(&table, name);
            let is_near = |(found, expected): (&String, &str)| match expected.parse::<f64>() {
                Ok(number) => (found.parse::<f64>().unwrap() - number).abs() < 1e-9,
                Err(_) => found == expected,
            };
            assert!(found.iter().zip(expected).all(is_near), "{name}: {found:?}");
        }
        assert_eq!(place([0.9, 0.5]).map(|at| PLACES[at]), Some("right"));
        assert_eq!(place([0.5, f64::NAN]), None);
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
}
