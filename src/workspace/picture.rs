//! Finds the pictures of a sample, and what to draw on them. Meanings differ by colour and line
//! style; models differ also by letter.

use std::path::PathBuf;
use std::sync::Arc;

use super::page::Detail;
use media::{FrameTime, Letter, Overlay, Source, Stroke, Unit, color_named, frame_times};
use record::{ImageRef, LabelledBox, Record, Role, Row, Table, Target};

/// Line width of boxes in pixels, on terminals with pixel graphics.
const WIDTH: u32 = 3;

/// Returns the folders to search for a prediction's pictures.
pub(super) fn roots(table: &Table, row: Row) -> Vec<PathBuf> {
    let source = table.sources().get(table.place(row).unit as usize);
    source
        .map(|source| source.image_roots.clone())
        .unwrap_or_default()
}

/// Returns the pictures of a sample, in the order in which the model saw them. For a single
/// animation, returns its frames.
pub fn sources(table: &Table, detail: &Detail) -> Vec<Source> {
    let roots = roots(table, detail.list.row);
    let images = detail.record.content.images.iter();
    let sources: Vec<Source> = images.map(|image| source_of(image, &roots)).collect();
    let Some(whole) = sources.first().filter(|_| !detail.frames.is_empty()) else {
        return sources;
    };
    let whole = Arc::new(whole.clone());
    let frame = |time: &FrameTime| Source::Frame {
        of: Arc::clone(&whole),
        at: time.at,
        ms: time.ms,
    };
    detail.frames.iter().map(frame).collect()
}

/// Returns the number of pictures in [`sources`].
pub fn source_count(detail: &Detail) -> usize {
    match detail.record.content.images.len() {
        1.. if !detail.frames.is_empty() => detail.frames.len(),
        images => images,
    }
}

/// Returns the frames of a record's picture, if its only picture is an animation. Reads only files
/// that may be animations.
pub(super) fn frames(record: &Record, roots: &[PathBuf]) -> Vec<FrameTime> {
    let [image] = record.content.images.as_slice() else {
        return Vec::new();
    };
    let may_move = match image {
        ImageRef::Path(name) | ImageRef::Url(name) => {
            let ending = name.rsplit('.').next().unwrap_or_default();
            ["gif", "webp"]
                .iter()
                .any(|it| ending.eq_ignore_ascii_case(it))
        }
        // Base64 of the first bytes of GIF and RIFF files.
        ImageRef::Inline(text) => {
            let data = text.rsplit(',').next().unwrap_or(text).trim_start();
            data.starts_with("R0lGOD") || data.starts_with("UklGR")
        }
        ImageRef::Cell { .. } => false,
    };
    if !may_move {
        return Vec::new();
    }
    // A missing file is reported when it is shown.
    let bytes = source_of(image, roots).read().unwrap_or_default();
    frame_times(&bytes)
}

/// Returns the source of a picture in a record; paths are relative to `roots`.
pub(super) fn source_of(image: &ImageRef, roots: &[PathBuf]) -> Source {
    match image {
        ImageRef::Path(reference) => Source::Path {
            reference: reference.clone(),
            roots: roots.to_vec(),
        },
        ImageRef::Inline(text) => Source::Inline(text.clone()),
        ImageRef::Url(url) => Source::Url(url.clone()),
        ImageRef::Cell {
            file,
            offset,
            length,
        } => Source::Cell {
            file: file.clone(),
            offset: *offset,
            length: *length,
        },
    }
}

/// Tags and conditions that describe the picture in the form in which the model got it.
const SEEN: [&str; 6] = [
    "image_size",
    "input_size",
    "resize",
    "padding",
    "crop",
    "image_detail",
];

/// Describes the picture in the form in which the model got it, for example `input_size 448x448
/// padding black`. `None` if the log does not state that.
pub fn seen(detail: &Detail) -> Option<String> {
    let record = &detail.record;
    let said = SEEN.into_iter().filter_map(|name| {
        let value = record.condition.get(name);
        let value = value.or_else(|| record.content.tags.get(name))?;
        Some(format!("{name} {value}"))
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("  "))
}

/// Layers drawn over a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layers {
    /// All layers except maps of errors, which hide the others.
    #[default]
    All,
    /// Target, references and the first model.
    First,
    /// Target, references and the second model.
    Second,
    /// Target and references.
    Target,
    /// Difference between the map of a model and the target.
    Error(Letter),
    /// No layers.
    None,
}

/// Layers that exist for a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AvailableLayers {
    /// True if the second model answered.
    pub second: bool,
    /// True if the first model's answer is a map that is shown next to the picture.
    pub beside: bool,
    /// For each model, true if its map can be compared with the target's map.
    pub errors: [bool; 2],
}

impl Layers {
    /// Returns the next layers: all, first model, second model, no model, and the errors of each
    /// model.
    #[must_use]
    pub fn next(self, known: AvailableLayers) -> Self {
        let [first, second] = known.errors;
        let is_there = |layers: &Self| match layers {
            Self::All | Self::Target => true,
            Self::First => known.second || known.beside,
            Self::Second => known.second,
            Self::Error(Letter::A) => first,
            Self::Error(Letter::B) => second && known.second,
            Self::None => false,
        };
        let round = Self::EACH.into_iter().filter(is_there);
        let mut rest = round.skip_while(|layers| *layers != self).skip(1);
        rest.next().unwrap_or_default()
    }

    /// All values in the order in which they are switched; `None` is last.
    pub const EACH: [Self; 7] = [
        Self::All,
        Self::First,
        Self::Second,
        Self::Target,
        Self::Error(Letter::A),
        Self::Error(Letter::B),
        Self::None,
    ];

    /// Returns true if this meaning is the only visible one, for maps that are shown next to the
    /// picture.
    pub(super) const fn is_alone(self, meaning: Meaning) -> bool {
        matches!(
            (self, meaning),
            (Self::First, Meaning::Model(Letter::A))
                | (Self::Second, Meaning::Model(Letter::B))
                | (Self::Target, Meaning::Target)
                | (Self::Error(Letter::A), Meaning::Error(Letter::A))
                | (Self::Error(Letter::B), Meaning::Error(Letter::B))
        )
    }

    /// Returns true if a meaning is visible.
    pub fn show(self, meaning: Meaning) -> bool {
        match (self, meaning) {
            (Self::Error(shown), Meaning::Error(letter)) => shown == letter,
            (Self::Error(_), _) => meaning == Meaning::Reference,
            (Self::First, Meaning::Model(letter)) => letter == Letter::A,
            (Self::Second, Meaning::Model(letter)) => letter == Letter::B,
            (Self::None, _) | (_, Meaning::Error(_)) | (Self::Target, Meaning::Model(_)) => false,
            (Self::All, _) | (_, Meaning::Target | Meaning::Reference) => true,
        }
    }
}

/// Meaning of a box or map over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// The annotated answer.
    Target,
    /// An object that the question refers to.
    Reference,
    /// A model's answer.
    Model(Letter),
    /// Difference between the answer of a model and the annotated answer.
    Error(Letter),
}

impl Meaning {
    /// Returns the default colour as RGB, from Okabe and Ito's palette. A and B have the colours
    /// that comparisons have in the dark theme; other themes use similar colours.
    pub const fn color(self) -> [u8; 3] {
        match self {
            Self::Target => [0, 158, 115],
            Self::Reference => [204, 121, 167],
            Self::Model(Letter::A) => [86, 180, 233],
            Self::Model(Letter::B) => [230, 159, 0],
            Self::Error(_) => [213, 94, 0],
        }
    }

    /// Returns the line style.
    pub const fn stroke(self) -> Stroke {
        match self {
            Self::Target => Stroke::Solid,
            Self::Reference | Self::Error(_) => Stroke::Thin,
            Self::Model(Letter::A) => Stroke::Dashed,
            Self::Model(Letter::B) => Stroke::Dotted,
        }
    }

    const fn letter(self) -> Option<Letter> {
        match self {
            Self::Model(letter) => Some(letter),
            Self::Target | Self::Reference | Self::Error(_) => None,
        }
    }
}

/// A box over a picture, with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedBox {
    /// Meaning of the box.
    pub meaning: Meaning,
    /// Name of the box in the log, possibly empty. Control characters are not replaced.
    pub label: String,
    /// Shape and style of the box.
    pub overlay: Overlay,
}

/// Returns the boxes on the first picture of a sample: boxes of the log, the target, and the
/// answers of one or two models.
pub fn marked(detail: &Detail, second: Option<&Detail>) -> Vec<MarkedBox> {
    let content = &detail.record.content;
    let boxes = content.boxes.iter();
    let mut found: Vec<MarkedBox> = boxes
        .filter_map(|known| labelled(known, Letter::A))
        .collect();
    let has_target = found.iter().any(|marked| marked.meaning == Meaning::Target);
    if let (Some(Target::Box(corners)), false) = (&content.target, has_target) {
        found.extend(of_corners(*corners, Meaning::Target));
    }
    // Both models have the same annotations, so add only the answers of the second model.
    let second_boxes = second
        .into_iter()
        .flat_map(|second| &second.record.content.boxes);
    let answers = second_boxes.filter(|known| known.role == Role::Prediction);
    found.extend(answers.filter_map(|known| labelled(known, Letter::B)));
    for (letter, detail) in [(Letter::A, Some(detail)), (Letter::B, second)] {
        let corners = detail.and_then(|detail| detail.predicted_box);
        found.extend(corners.and_then(|corners| of_corners(corners, Meaning::Model(letter))));
    }
    if second.is_none() {
        without_letters(&mut found);
    }
    found
}

/// Removes the letters of numbered boxes. With a single model, the letters have no meaning.
fn without_letters(marked: &mut [MarkedBox]) {
    for overlay in marked.iter_mut().map(|marked| &mut marked.overlay) {
        if overlay.number.is_some() {
            overlay.letter = None;
        }
    }
}

fn labelled(known: &LabelledBox, letter: Letter) -> Option<MarkedBox> {
    let meaning = match known.role {
        Role::Target => Meaning::Target,
        Role::Reference => Meaning::Reference,
        Role::Prediction => Meaning::Model(letter),
    };
    let mut marked = of_corners(known.xyxy, meaning)?;
    marked.label.clone_from(&known.label);
    marked.overlay.number = known.number;
    if let Some(color) = known.color.as_deref().and_then(color_named) {
        marked.overlay.color = color;
    }
    Some(marked)
}

/// Creates a box. Its corners are fractions if none exceeds 1, otherwise pixels.
fn of_corners(xyxy: [f64; 4], meaning: Meaning) -> Option<MarkedBox> {
    let unit = if xyxy.iter().all(|corner| corner.abs() <= 1.0) {
        Unit::Fraction
    } else {
        Unit::Pixel
    };
    let overlay = Overlay {
        xyxy,
        unit,
        color: meaning.color(),
        style: meaning.stroke(),
        width: WIDTH,
        letter: meaning.letter(),
        number: None,
    };
    let is_finite = xyxy.iter().all(|corner| corner.is_finite());
    is_finite.then_some(MarkedBox {
        meaning,
        label: String::new(),
        overlay,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Request, load};
    use crate::page::ListRow;
    use record::{Content, Record, Row};
    use std::ops::ControlFlow;
    use std::path::Path;

    fn detail(content: Content, predicted_box: Option<[f64; 4]>) -> Detail {
        let list = ListRow {
            row: Row(0),
            sample_id: String::new(),
            benchmark: String::new(),
            ability: String::new(),
            split: String::new(),
            model: String::new(),
            condition: String::new(),
            question: String::new(),
            target: String::new(),
            metric: String::new(),
            score: None,
            invalid: false,
            correct: None,
            place: String::new(),
        };
        let record = Record {
            content,
            ..Record::default()
        };
        Detail {
            list,
            record,
            right: None,
            reading: None,
            read_by: None,
            unread: None,
            predicted_box,
            other: None,
            surfaces: Vec::new(),
            frames: Vec::new(),
        }
    }

    fn known(role: Role) -> LabelledBox {
        LabelledBox {
            label: "mug".to_owned(),
            role,
            xyxy: [0.0, 0.0, 40.0, 40.0],
            color: Some("Red".to_owned()),
            number: None,
        }
    }

    fn meanings(marked: &[MarkedBox]) -> Vec<Meaning> {
        marked.iter().map(|marked| marked.meaning).collect()
    }

    #[test]
    fn the_target_is_drawn_once_and_beside_what_the_question_speaks_of() {
        let mut content = Content {
            target: Some(Target::Box([0.1, 0.1, 0.2, 0.2])),
            boxes: vec![known(Role::Reference)],
            ..Content::default()
        };
        let marked = super::marked(&detail(content.clone(), None), None);
        assert_eq!(meanings(&marked), [Meaning::Reference, Meaning::Target]);
        assert_eq!(
            [marked[0].overlay.unit, marked[1].overlay.unit],
            [Unit::Pixel, Unit::Fraction]
        );
        assert_eq!(
            (marked[0].label.as_str(), marked[0].overlay.color),
            ("mug", [230, 40, 40])
        );
        content.boxes = vec![known(Role::Target)];
        let marked = super::marked(&detail(content, None), None);
        assert_eq!(meanings(&marked), [Meaning::Target]);
    }

    #[test]
    fn two_models_differ_in_colour_line_and_letter() {
        let first = detail(Content::default(), Some([0.1, 0.1, 0.2, 0.2]));
        let second = detail(Content::default(), Some([0.3, 0.3, 0.4, f64::NAN]));
        assert_eq!(
            super::marked(&first, Some(&second)).len(),
            1,
            "no number, no box"
        );
        let marked = super::marked(&first, Some(&first));
        let [a, b] = marked.as_slice() else {
            panic!("two boxes")
        };
        assert_ne!(a.overlay.color, b.overlay.color);
        assert_ne!(a.overlay.style, b.overlay.style);
        assert_eq!(
            (a.overlay.letter, b.overlay.letter),
            (Some(Letter::A), Some(Letter::B))
        );
    }

    #[test]
    fn the_second_model_s_own_boxes_are_drawn_and_numbers_lead_to_lines() {
        let boxes = |x: f64| Content {
            boxes: [Role::Target, Role::Prediction]
                .map(|role| LabelledBox {
                    xyxy: [x, 0.0, 40.0, 40.0],
                    color: None,
                    number: (role == Role::Prediction).then_some(3),
                    ..known(role)
                })
                .to_vec(),
            ..Content::default()
        };
        let (first, second) = (detail(boxes(1.0), None), detail(boxes(2.0), None));
        let both = super::marked(&first, Some(&second));
        let [a, b] = [Letter::A, Letter::B].map(Meaning::Model);
        assert_eq!(meanings(&both), [Meaning::Target, a, b]);
        assert_eq!(both[2].overlay.xyxy[0], 2.0);
        let letters: Vec<_> = both
            .iter()
            .map(|it| (it.overlay.letter, it.overlay.number))
            .collect();
        assert_eq!(
            letters[1..],
            [(Some(Letter::A), Some(3)), (Some(Letter::B), Some(3))]
        );
        let alone = super::marked(&first, None);
        assert_eq!(
            (alone[1].overlay.letter, alone[1].overlay.number),
            (None, Some(3))
        );
    }

    #[test]
    fn pictures_are_counted_without_their_places() {
        let path = |name: &str| ImageRef::Path(name.to_owned());
        let request = Request {
            paths: vec![
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/ava_bench"),
            ],
            ..Request::default()
        };
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let frames = [0, 1, 2].map(|at| FrameTime { at, ms: at * 100 });
        for (images, frames) in [
            (vec![], vec![]),
            (vec![path("a.png")], vec![]),
            (vec![path("a.gif")], frames.to_vec()),
            (vec![path("a.png"), path("b.png")], vec![]),
        ] {
            let content = Content {
                images,
                ..Content::default()
            };
            let mut sample = detail(content, None);
            sample.frames = frames;
            let all = sources(&table, &sample);
            assert_eq!(source_count(&sample), all.len());
        }
    }

    #[test]
    fn what_the_model_saw_is_told_in_the_words_of_the_log() {
        let mut seen_small = detail(Content::default(), None);
        assert_eq!(seen(&seen_small), None);
        let record = &mut seen_small.record;
        let value = |text: &str| record::Value::Text(text.to_owned());
        let tags = &mut record.content.tags;
        tags.insert("padding".to_owned(), value("black"));
        tags.insert("count".to_owned(), value("3"));
        let size = ("input_size".to_owned(), value("448x448"));
        record.condition.extend([size]);
        let told = seen(&seen_small);
        assert_eq!(told.as_deref(), Some("input_size 448x448  padding black"));
    }

    #[test]
    fn flickering_goes_through_everything_and_back() {
        let round = |known: AvailableLayers| {
            let mut layers = Layers::All;
            let mut seen = vec![];
            loop {
                seen.push(layers);
                layers = layers.next(known);
                if layers == Layers::All {
                    return seen;
                }
            }
        };
        let two = AvailableLayers {
            second: true,
            ..AvailableLayers::default()
        };
        assert_eq!(
            round(two),
            [Layers::All, Layers::First, Layers::Second, Layers::Target]
        );
        assert_eq!(
            round(AvailableLayers::default()),
            [Layers::All, Layers::Target]
        );
        let depth = AvailableLayers {
            beside: true,
            errors: [true, true],
            second: false,
        };
        assert_eq!(
            round(depth),
            [
                Layers::All,
                Layers::First,
                Layers::Target,
                Layers::Error(Letter::A)
            ]
        );
        assert_eq!(Layers::None.next(two), Layers::All);
        let shown = |layers: Layers| {
            [Letter::A, Letter::B].map(|letter| layers.show(Meaning::Model(letter)))
        };
        assert_eq!(
            [shown(Layers::First), shown(Layers::Second)],
            [[true, false], [false, true]]
        );
        assert!(Layers::Target.show(Meaning::Target) && !Layers::None.show(Meaning::Target));
        let error = Meaning::Error(Letter::A);
        assert!(Layers::Error(Letter::A).show(error) && !Layers::All.show(error));
        assert!(
            !Layers::Error(Letter::B).show(error)
                && !Layers::Error(Letter::A).show(Meaning::Target)
        );
    }
}
