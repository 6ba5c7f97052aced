//! A synthetic scene with complete annotations, for tests of chains.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::TaskChain;
use crate::sample::Sample;
use media::{Raster, Source, Values};
use record::{
    Choice, Content, Detections, ImageRef, LabelledBox, MapKind, MapValues, Mask, Masks, PixelMap,
    PredictedBox, Record, Role, Target, TrueBox,
};

pub(super) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

pub(super) fn source(folder: &Path, name: &str) -> Source {
    Source::Path {
        reference: name.to_owned(),
        roots: vec![folder.to_path_buf()],
    }
}

pub(super) fn map(kind: MapKind, role: Role, name: &str, names: &[&str]) -> PixelMap {
    PixelMap {
        role,
        kind,
        values: MapValues::Picture(ImageRef::Path(name.to_owned())),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
    }
}

pub(super) fn sample(folder: &Path, picture: &str, record: Record) -> Arc<Sample> {
    Arc::new(Sample {
        record,
        pictures: vec![source(folder, picture)],
        format: "taskit".to_owned(),
        before: None,
        turned: BTreeMap::new(),
    })
}

pub(super) const WIDTH: u32 = 96;
pub(super) const HEIGHT: u32 = 72;
/// Left, top, right and bottom of the object in the scene.
pub(super) const THING: [u32; 4] = [22, 18, 58, 50];

pub(super) fn is_thing(x: u32, y: u32) -> bool {
    (THING[0]..THING[2]).contains(&x) && (THING[1]..THING[3]).contains(&y)
}

pub(super) fn pixels<T>(value: impl Fn(u32, u32) -> T) -> Vec<T> {
    let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    places.map(|(x, y)| value(x, y)).collect()
}

pub(super) fn written(folder: &Path, name: &str, values: Values) {
    let raster = Raster {
        width: WIDTH,
        height: HEIGHT,
        values,
    };
    std::fs::write(folder.join(name), raster.png().unwrap().bytes).unwrap();
}

/// Returns a scene of an object before two backgrounds, with all annotations.
pub(super) fn scene(folder: &Path) -> Arc<Sample> {
    let color = |x, y| match () {
        () if is_thing(x, y) => [0.9, -0.8, -0.8],
        () if y < HEIGHT / 2 => [-0.6, 0.1, 0.9],
        () => [-0.7, 0.6, -0.7],
    };
    written(folder, "scene.png", Values::Normals(pixels(color)));
    let label = |x, y| match () {
        () if is_thing(x, y) => 2,
        () => u32::from(y >= HEIGHT / 2),
    };
    written(folder, "labels.png", Values::Labels(pixels(label)));
    let depth = |x, y| {
        if is_thing(x, y) {
            300.0
        } else {
            f64::from(900 + 5 * x - 8 * y)
        }
    };
    written(folder, "depth.png", Values::Depth(pixels(depth)));
    let normal = |x, y| match () {
        () if is_thing(x, y) => [0.8, 0.0, 0.6],
        () if y < HEIGHT / 2 => [0.0, 0.0, 1.0],
        () => [0.0, 1.0, 0.0],
    };
    written(folder, "normals.png", Values::Normals(pixels(normal)));
    let names = ["sky", "ground", "thing"];
    let mask = Mask {
        width: WIDTH as usize,
        pixels: pixels(is_thing),
    };
    let [x0, y0, x1, y1] = THING.map(f64::from);
    let content = Content {
        choices: names
            .iter()
            .zip(["A", "B", "C"])
            .map(|(text, letter)| Choice {
                letter: letter.to_owned(),
                text: (*text).to_owned(),
            })
            .collect(),
        target: Some(Target::Text("C".to_owned())),
        images: vec![ImageRef::Path("scene.png".to_owned())],
        boxes: vec![LabelledBox {
            label: "point".to_owned(),
            role: Role::Reference,
            xyxy: [40.0, 34.0, 40.0, 34.0],
            color: None,
            number: None,
        }],
        maps: vec![
            map(MapKind::Labels, Role::Target, "labels.png", &names),
            map(MapKind::Depth, Role::Target, "depth.png", &[]),
            map(MapKind::Normals, Role::Target, "normals.png", &[]),
        ],
        ..Content::default()
    };
    let detections = Detections {
        classes: ["person", "thing", "dog"]
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
        truth: vec![TrueBox {
            class: 1,
            xywh: [x0, y0, x1 - x0, y1 - y0],
            area: (x1 - x0) * (y1 - y0),
            crowd: false,
            id: 1,
        }],
        found: vec![PredictedBox {
            class: 2,
            xywh: [0.0, 0.0, 20.0, 20.0],
            score: 1.0,
        }],
        ..Detections::default()
    };
    let record = Record {
        benchmark: "scenes".to_owned(),
        ability: "dense".to_owned(),
        sample_id: "s".to_owned(),
        content,
        detections: Some(detections),
        masks: Some(Masks {
            truth: Some(mask),
            found: None,
        }),
        ..Record::default()
    };
    sample(folder, "scene.png", record)
}

/// The six tasks with settings small enough for a test.
pub(super) fn tasks() -> Vec<TaskChain> {
    let names = [
        "classify",
        "detect",
        "segment,segments=60,batch=8",
        "group,segments=60,batch=4",
        "depth,segments=30,pairs=60",
        "normals,segments=30,pairs=60",
    ];
    names.map(|name| TaskChain::parse(name).unwrap()).into()
}
