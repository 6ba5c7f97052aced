//! Questions about a scene, with their answers.

use std::fmt::Display;

use super::reach;
use super::render::{Truth, picture, truth};
use super::scene::{Scene, SceneElement};
use super::thing::Kind;
use super::{ASKED, CLOSE_UP, DenseScenes, Style};
use crate::item::{Options, place_of};
use crate::set::{Page, Picture};
use crate::{Item, Rng};
use image::DynamicImage;
use media::{Raster, Superpixels, Values};
use record::{
    Content, Detections, ImageRef, LabelledBox, MapKind, MapValues, Mask, PixelMap, Role, Target,
    TrueBox, Value,
};

/// Name of the benchmark in items and logs.
pub const BENCHMARK: &str = "exam-scenes";
/// The task of naming a single object.
pub const CLASSIFICATION: &str = "classification";
/// The tasks; their names are the abilities.
pub const TASKS: [&str; 6] = [
    CLASSIFICATION,
    "detection",
    "segmentation",
    "grouping",
    "depth",
    "normals",
];
/// Name and version of the generator; changes whenever a scene is drawn differently.
pub(super) const GENERATOR: &str = "eyechart-scenes-3";
/// Labels of pixels that belong to no object.
const ROOM: [&str; 2] = ["wall", "floor"];
/// Number of options of a classification.
const OPTIONS: usize = 4;
/// Depth maps contain millimeters; scenes are in meters.
const MILLIMETERS: f64 = 1_000.0;
/// Half the side, in pixels, of a square that must lie in the object; a group starts at its centre.
const AROUND: usize = 4;

/// Builds the page of a scene: one item per task, with the maps.
pub(super) fn page(
    set: &DenseScenes,
    number: usize,
    scene: &Scene,
    tasks: &[&'static str],
) -> Page {
    let asked = AskedScene::new(set, number, scene);
    let mut page = Page::default();
    for task in tasks {
        let mut item = asked.item(task, &mut page);
        let things = f64::from(u32::try_from(scene.things.len()).unwrap_or(u32::MAX));
        let style = match set.style {
            Style::Rich => "rich",
            Style::Plain => "plain",
        };
        item.content.tags = [
            ("things".to_owned(), Value::Number(things)),
            ("style".to_owned(), style.into()),
            (
                "generator".to_owned(),
                Value::Text(format!("{GENERATOR} seed {}", set.seed)),
            ),
        ]
        .into();
        page.items.push(item);
    }
    page
}

/// Pictures of a scene that the tasks need.
pub(super) fn pictures(
    set: &DenseScenes,
    number: usize,
    scene: &Scene,
    tasks: &[&'static str],
) -> Vec<Picture> {
    let asked = AskedScene::new(set, number, scene);
    let is_close = |task: &&'static str| *task == CLASSIFICATION;
    let mut pictures = Vec::new();
    if !tasks.iter().all(is_close) {
        pictures.push(Picture {
            path: asked.path("png"),
            pixels: picture(scene, &scene.camera, set.side, set.style),
        });
    }
    if tasks.iter().any(is_close) {
        pictures.push(Picture {
            path: asked.path("thing.png"),
            pixels: picture(scene, &scene.close_up(), CLOSE_UP, set.style),
        });
    }
    pictures
}

/// A scene with its questions; its ground truth is computed on first use.
struct AskedScene<'a> {
    set: &'a DenseScenes,
    number: usize,
    scene: &'a Scene,
    truth: std::cell::OnceCell<Truth>,
}

impl<'a> AskedScene<'a> {
    const fn new(set: &'a DenseScenes, number: usize, scene: &'a Scene) -> Self {
        Self {
            set,
            number,
            scene,
            truth: std::cell::OnceCell::new(),
        }
    }

    fn path(&self, ending: impl Display) -> String {
        format!("images/scenes/{:04}.{ending}", self.number)
    }

    fn truth(&self) -> &Truth {
        self.truth
            .get_or_init(|| truth(self.scene, &self.scene.camera, self.set.side))
    }

    fn item(&self, task: &'static str, page: &mut Page) -> Item {
        let mut item = Item {
            id: format!("{task}-{:04}", self.number),
            benchmark: BENCHMARK,
            ability: task.to_owned(),
            content: Content {
                images: vec![ImageRef::Path(self.path("png"))],
                ..Content::default()
            },
            ..Item::default()
        };
        let content = &mut item.content;
        match task {
            CLASSIFICATION => self.classification(content),
            "detection" => {
                content.question = format!(
                    "Where is each thing? The things are of these kinds: {}.",
                    kinds()
                );
                item.detections = Some(self.detections());
            }
            "segmentation" => {
                "What does each pixel show: the wall, the floor, or which kind of thing?"
                    .clone_into(&mut content.question);
                content.maps.push(self.labels(page));
            }
            "grouping" => self.grouping(content),
            "depth" => {
                "How far away is what each pixel shows, along the camera's axis?"
                    .clone_into(&mut content.question);
                let depth = self.truth().depth.iter();
                let depth = depth.map(|meters| meters * MILLIMETERS).collect();
                content
                    .maps
                    .push(self.map(MapKind::Depth, Values::Depth(depth), page));
            }
            _ => {
                "Which way does the surface face that each pixel shows: right, up, out of the picture?"
                    .clone_into(&mut content.question);
                let normals = Values::Normals(self.truth().normals.clone());
                content.maps.push(self.map(MapKind::Normals, normals, page));
            }
        }
        item
    }

    /// Asks what the first object is, in a close-up picture.
    fn classification(&self, content: &mut Content) {
        "What is in the middle of the picture?".clone_into(&mut content.question);
        content.images = vec![ImageRef::Path(self.path("thing.png"))];
        let Some(thing) = self.scene.things.first() else {
            return;
        };
        let mut rng = Rng::new(self.set.seed, &[ASKED, self.number as u64, 0]);
        let others = Kind::ALL.into_iter().filter(|kind| *kind != thing.kind);
        let mut wrong: Vec<String> = others.map(|kind| kind.name().to_owned()).collect();
        rng.shuffle(&mut wrong);
        wrong.truncate(OPTIONS - 1);
        let place = place_of(self.number, OPTIONS, ASKED, self.set.seed);
        let options = Options::placed(thing.kind.name().to_owned(), wrong, place, &mut rng);
        let (choices, target) = options.lettered();
        (content.choices, content.target) = (choices, Some(target));
    }

    fn detections(&self) -> Detections {
        let truth = (0..self.scene.things.len()).filter_map(|at| {
            let [left, top, right, bottom] = self.bounds(at)?;
            let mask = self.mask(at);
            let (width, height) = (right - left, bottom - top);
            #[expect(clippy::cast_precision_loss, reason = "pixels of a picture")]
            let area = mask.area() as f64;
            Some(TrueBox {
                class: self.class(at),
                xywh: [left, top, width, height],
                area,
                crowd: false,
                id: i64::try_from(at).unwrap_or_default() + 1,
            })
        });
        Detections {
            truth: truth.collect(),
            classes: Kind::ALL.map(|kind| kind.name().to_owned()).to_vec().into(),
            ..Detections::default()
        }
    }

    /// Class of an object: the index of its kind among all kinds.
    fn class(&self, at: usize) -> u32 {
        let kind = self.scene.things.get(at).map(|thing| thing.kind);
        let place = Kind::ALL.iter().position(|known| Some(*known) == kind);
        u32::try_from(place.unwrap_or_default()).unwrap_or_default()
    }

    /// Box around the visible part of an object, `[x0, y0, x1, y1]` in pixels.
    fn bounds(&self, at: usize) -> Option<[f64; 4]> {
        let places = self.pixels(at);
        places
            .map(|(x, y)| {
                [
                    f64::from(x),
                    f64::from(y),
                    f64::from(x + 1),
                    f64::from(y + 1),
                ]
            })
            .reduce(|a, b| {
                [
                    a[0].min(b[0]),
                    a[1].min(b[1]),
                    a[2].max(b[2]),
                    a[3].max(b[3]),
                ]
            })
    }

    /// Pixels that show an object.
    fn pixels(&self, at: usize) -> impl Iterator<Item = (u32, u32)> {
        let side = self.set.side;
        let places = (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)));
        let seen = places.zip(&self.truth().what);
        seen.filter_map(move |(place, what)| (*what == SceneElement::Thing(at)).then_some(place))
    }

    fn mask(&self, at: usize) -> Mask {
        let what = self.truth().what.iter();
        Mask {
            width: self.set.side as usize,
            pixels: what.map(|what| *what == SceneElement::Thing(at)).collect(),
        }
    }

    fn labels(&self, page: &mut Page) -> PixelMap {
        let room = u32::try_from(ROOM.len()).unwrap_or_default();
        let code = |what: &SceneElement| match what {
            SceneElement::Wall => 0,
            SceneElement::Floor => 1,
            SceneElement::Thing(at) => room + self.class(*at),
        };
        let labels = self.truth().what.iter().map(code).collect();
        let kinds = Kind::ALL.map(Kind::name);
        let names = ROOM.iter().chain(&kinds).map(|name| (*name).to_owned());
        PixelMap {
            names: names.collect(),
            ..self.map(MapKind::Labels, Values::Labels(labels), page)
        }
    }

    /// Asks which pixels belong to the same object as a point.
    fn grouping(&self, content: &mut Content) {
        "Which pixels belong to the same thing as the marked point?"
            .clone_into(&mut content.question);
        let mut rng = Rng::new(self.set.seed, &[ASKED, self.number as u64, 1]);
        let mut order: Vec<usize> = (0..self.scene.things.len()).collect();
        rng.shuffle(&mut order);
        let drawn = picture(
            self.scene,
            &self.scene.camera,
            self.set.side,
            self.set.style,
        );
        let drawn = DynamicImage::ImageRgb8(drawn).into_rgba8();
        let regions = Superpixels::slic(&drawn, Superpixels::OF_THINGS, Superpixels::SIGMA);
        let mut best: Option<(f64, Mask, (u32, u32))> = None;
        for at in order {
            let mask = self.mask(at);
            let reach = reach::best(&regions, &mask);
            let is_reached = |(x, y): (u32, u32)| {
                let number = regions.at(x, y);
                number.is_some_and(|number| reach.members.contains(&number))
            };
            let inside: Vec<(u32, u32)> = self
                .pixels(at)
                .filter(|place| is_inside(&mask, *place) && is_reached(*place))
                .collect();
            let is_better = best.as_ref().is_none_or(|(iou, ..)| reach.iou > *iou);
            if let (Some(point), true) = (rng.pick(&inside), is_better) {
                best = Some((reach.iou, mask, *point));
            }
            if best.as_ref().is_some_and(|(iou, ..)| *iou >= reach::GOOD) {
                break;
            }
        }
        let Some((_, mask, (x, y))) = best else {
            return;
        };
        let corners = [x, y, x, y].map(f64::from);
        content
            .boxes
            .push(LabelledBox::new("point", Role::Reference, corners));
        content.target = Some(Target::Text(format!("the thing at ({x}, {y})")));
        content.maps.push(PixelMap::of_mask(&mask, Role::Target));
    }

    /// Writes a map to a file next to the picture.
    fn map(&self, kind: MapKind, values: Values, page: &mut Page) -> PixelMap {
        let path = self.path(format_args!("{}.png", kind.name()));
        let raster = Raster {
            width: self.set.side,
            height: self.set.side,
            values,
        };
        if let Some(file) = raster.png() {
            page.files.push((path.clone(), file.bytes));
        }
        PixelMap {
            role: Role::Target,
            kind,
            values: MapValues::Picture(ImageRef::Path(path)),
            names: [].into(),
        }
    }
}

/// Returns true if the square around a pixel belongs to the mask.
fn is_inside(mask: &Mask, (x, y): (u32, u32)) -> bool {
    let (x, y) = (x as usize, y as usize);
    let height = mask.pixels.len() / mask.width;
    let fits = |at: usize, end: usize| at >= AROUND && at + AROUND < end;
    let of = |x: usize, y: usize| mask.pixels[y * mask.width + x];
    fits(x, mask.width)
        && fits(y, height)
        && (y - AROUND..=y + AROUND).all(|y| (x - AROUND..=x + AROUND).all(|x| of(x, y)))
}

/// Names of all kinds of objects, separated by commas.
fn kinds() -> String {
    let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    names.join(", ")
}
