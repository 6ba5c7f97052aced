//! The maps of a sample as they are shown: annotation, prediction, and where the two differ, with what their
//! colours mean. Read from files and painted when the sample is fetched, never while a screen is drawn.

mod judge;
mod paint;

use std::path::PathBuf;
use std::sync::Arc;

use super::picture::{Meaning, source_of};
use media::{self, Layer, Letter, Ramp, Raster, Source, Values};
use record::{MapKind, MapValues, PixelMap, Record, Role};

/// What a map over a sample's picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The annotation.
    Target,
    /// The model's answer.
    Prediction,
    /// Where the two differ.
    Error,
}

/// A map of a sample, painted, or why it is not drawn.
#[derive(Clone, Debug)]
pub struct Surface {
    /// What it is.
    pub what: What,
    /// What its values stand for.
    pub kind: MapKind,
    /// The colours, or in a few words why there are none; text from logs, not neutralised.
    pub shown: Result<Shown, String>,
}

/// A painted map.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The file that it was read from, on which it lies where it hides the sample's own picture.
    pub ground: Option<Source>,
    /// As the answer of the first model and of the second; the same where models differ in no colour.
    layers: [Arc<Layer>; 2],
    /// What the colours mean.
    pub key: Key,
    /// Figures of this one picture, by the names of the metrics.
    pub figures: Vec<(&'static str, Option<f64>)>,
}

/// What the colours of a map mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A mask of so many pixels.
    Pixels(usize),
    /// Colours with their names and their shares of the picture, the largest first.
    Parts(Vec<Part>),
    /// Values from low to high.
    Scale {
        /// What is measured, and in what.
        what: &'static str,
        /// The value of the first colour.
        low: f64,
        /// The value of the last colour.
        high: f64,
        /// The colours.
        ramp: &'static Ramp,
    },
    /// Values brought to the annotation's unit, in its colours.
    Fitted,
    /// Red, green and blue stand for right, up and out of the picture.
    Axes,
}

/// A colour of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// What has it; text from logs, not neutralised.
    pub name: String,
    /// Its share of the picture's pixels.
    pub share: f64,
}

impl Surface {
    /// What it stands for as the answer of the model with a letter.
    #[must_use]
    pub const fn meaning(&self, letter: Letter) -> Meaning {
        match self.what {
            What::Target => Meaning::Target,
            What::Prediction => Meaning::Model(letter),
            What::Error => Meaning::Error(letter),
        }
    }

    /// Whether it stands beside the sample's picture and not on it.
    #[must_use]
    pub const fn stands_beside(&self) -> bool {
        !matches!(self.kind, MapKind::Mask)
    }

    /// About how many bytes of memory it holds.
    #[must_use]
    pub fn held(&self) -> usize {
        let layers = self.shown.iter().flat_map(|shown| &shown.layers);
        layers.map(|layer| layer.held()).sum()
    }
}

impl Shown {
    /// The colours as the answer of the model with a letter.
    #[must_use]
    pub fn layer(&self, letter: Letter) -> &Arc<Layer> {
        let [first, second] = &self.layers;
        match letter {
            Letter::A => first,
            Letter::B => second,
        }
    }
}

/// The maps of a record, its picture paths relative to `roots`.
#[must_use]
pub fn surfaces(record: &Record, roots: &[PathBuf]) -> Vec<Surface> {
    let maps = &record.content.maps;
    let of = |role| maps.iter().find(|map| map.role == role);
    let (target, prediction) = (of(Role::Target), of(Role::Prediction));
    let truth = target.map(|map| read(map, roots));
    let found = prediction.map(|map| read(map, roots));
    let pair = match (target, prediction, &truth, &found) {
        (Some(target), Some(prediction), Some(Ok(truth)), Some(Ok(found)))
            if target.kind == prediction.kind =>
        {
            judge::compare(&truth.raster, &found.raster)
        }
        _ => None,
    };
    let fitted = pair.as_ref().and_then(|pair| pair.fitted.as_ref());
    let range = truth
        .as_ref()
        .and_then(|truth| paint::range(&truth.as_ref().ok()?.raster));
    let mut surfaces = Vec::new();
    if let (Some(map), Some(read)) = (target, truth) {
        let shown = read.map(|read| read.shown(What::Target, map, None, range));
        surfaces.push(surface(What::Target, map.kind, shown));
    }
    if let (Some(map), Some(read)) = (prediction, found) {
        let ground = read.as_ref().ok().and_then(|read| read.ground.clone());
        let shown = read.map(|read| read.shown(What::Prediction, map, fitted, range));
        surfaces.push(surface(What::Prediction, map.kind, shown));
        if let Some(pair) = pair {
            let (layer, key) = paint::error(&pair);
            let layer = Arc::new(layer);
            let shown = Shown {
                ground,
                layers: [Arc::clone(&layer), layer],
                key,
                figures: pair.figures,
            };
            surfaces.push(surface(What::Error, map.kind, Ok(shown)));
        }
    }
    surfaces
}

fn surface(what: What, kind: MapKind, shown: Result<Shown, String>) -> Surface {
    Surface { what, kind, shown }
}

/// A map that was read.
struct Read {
    raster: Raster,
    ground: Option<Source>,
}

impl Read {
    /// In colours; `fitted` replaces the values, `range` is that of the annotation.
    fn shown(
        self,
        what: What,
        map: &PixelMap,
        fitted: Option<&Raster>,
        range: Option<(f64, f64)>,
    ) -> Shown {
        let raster = fitted.unwrap_or(&self.raster);
        let range = match what {
            // Without a fit the two need not even have the same unit.
            What::Prediction if fitted.is_none() => paint::range(raster),
            _ => range,
        };
        let letters = [Letter::A, Letter::B];
        let layers = if matches!((&raster.values, what), (Values::Mask(_), What::Prediction)) {
            letters.map(|letter| Arc::new(paint::map(raster, Meaning::Model(letter), range)))
        } else {
            let layer = Arc::new(paint::map(raster, Meaning::Target, range));
            [Arc::clone(&layer), layer]
        };
        Shown {
            ground: self.ground,
            layers,
            key: paint::key(raster, &map.names, fitted.is_some(), range),
            figures: Vec::new(),
        }
    }
}

/// Reads a map; in annotated depth, 0 is what was not measured.
fn read(map: &PixelMap, roots: &[PathBuf]) -> Result<Read, String> {
    match &map.values {
        MapValues::Nowhere(why) => Err(why.clone()),
        MapValues::Runs { width, runs } => Raster::of_runs(*width, runs)
            .map(|raster| Read {
                raster,
                ground: None,
            })
            .ok_or_else(|| "its runs do not fill whole rows".to_owned()),
        MapValues::Picture(reference) => {
            let source = source_of(reference, roots);
            let raster = Raster::load(&source, kind(map.kind));
            let mut raster = raster.map_err(|missing| missing.to_string())?;
            if let (Values::Depth(values), Role::Target) = (&mut raster.values, map.role) {
                for value in values.iter_mut().filter(|value| **value <= 0.0) {
                    *value = f64::NAN;
                }
            }
            Ok(Read {
                raster,
                ground: Some(source),
            })
        }
    }
}

/// The same kind in the words of `media`.
const fn kind(kind: MapKind) -> media::MapKind {
    match kind {
        MapKind::Mask => media::MapKind::Mask,
        MapKind::Labels => media::MapKind::Labels,
        MapKind::Depth => media::MapKind::Depth,
        MapKind::Normals => media::MapKind::Normals,
    }
}

#[cfg(test)]
mod tests;
