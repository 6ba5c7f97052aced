//! Prepares the maps of a sample for display: annotation, prediction and their difference, with
//! colour keys. Maps are read and coloured when the sample is loaded, never while the screen is
//! drawn.

mod judge;
mod paint;

use std::path::PathBuf;
use std::sync::Arc;

use super::picture::{Meaning, source_of};
use analysis::metric::dense::IGNORED;
use media::{self, Layer, Letter, Ramp, Raster, Source, Values};
use record::{MapKind, MapValues, PixelMap, Record, Role};

/// Role of a map over a sample's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapRole {
    /// The annotation.
    Target,
    /// The model's answer.
    Prediction,
    /// Difference between the annotation and the model's answer.
    Error,
}

/// A coloured map, or the reason why it is not drawn.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Role of the map.
    pub what: MapRole,
    /// Kind of its values.
    pub kind: MapKind,
    /// The coloured map, or the reason why there is none. Texts come from logs, and their control
    /// characters are not replaced.
    pub shown: Result<PaintedMap, String>,
}

/// Layers, colour key and metrics of a coloured map.
#[derive(Clone, Debug)]
pub struct PaintedMap {
    /// Source file, used as background if the map hides the sample's own picture.
    pub ground: Option<Source>,
    /// Layers for an answer of the first model and of the second model. They are equal if the map
    /// does not use the colours of models.
    layers: [Arc<Layer>; 2],
    /// Meaning of the colours.
    pub key: Key,
    /// Metrics of this picture by name; a value is `None` if undefined.
    pub figures: Vec<(&'static str, Option<f64>)>,
}

/// Meaning of a map's colours.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A mask with this number of pixels.
    Pixels(usize),
    /// Named colours with their shares of the picture, the largest share first.
    Parts(Vec<Part>),
    /// A colour scale from low to high values.
    Scale {
        /// Measured quantity and its unit.
        what: &'static str,
        /// Value of the first colour.
        low: f64,
        /// Value of the last colour.
        high: f64,
        /// Colours of the scale.
        ramp: &'static Ramp,
    },
    /// Values in the unit of the annotation, with the annotation's colours.
    Fitted,
    /// Red, green and blue stand for right, up and out of the picture.
    Axes,
}

/// A colour of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Name of the class in the log. Control characters are not replaced.
    pub name: String,
    /// Share of the picture's pixels, from 0 to 1.
    pub share: f64,
}

impl Surface {
    /// Returns the meaning of the map if it belongs to the model with this letter.
    pub const fn meaning(&self, letter: Letter) -> Meaning {
        match self.what {
            MapRole::Target => Meaning::Target,
            MapRole::Prediction => Meaning::Model(letter),
            MapRole::Error => Meaning::Error(letter),
        }
    }

    /// Returns true if the map is shown next to the picture, not on it.
    pub const fn is_next_to_picture(&self) -> bool {
        !matches!(self.kind, MapKind::Mask)
    }

    /// Returns the approximate size in memory, in bytes.
    pub fn held(&self) -> usize {
        let layers = self.shown.iter().flat_map(|shown| &shown.layers);
        layers.map(|layer| layer.held()).sum()
    }
}

impl PaintedMap {
    /// Returns the layer of the map if it belongs to the model with this letter.
    pub fn layer(&self, letter: Letter) -> &Arc<Layer> {
        let [first, second] = &self.layers;
        match letter {
            Letter::A => first,
            Letter::B => second,
        }
    }
}

/// Reads and colours the maps of a record. Paths are relative to `roots`.
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
        let shown = read.map(|read| read.shown(MapRole::Target, map, None, range));
        surfaces.push(surface(MapRole::Target, map.kind, shown));
    }
    if let (Some(map), Some(read)) = (prediction, found) {
        let ground = read.as_ref().ok().and_then(|read| read.ground.clone());
        let shown = read.map(|read| read.shown(MapRole::Prediction, map, fitted, range));
        surfaces.push(surface(MapRole::Prediction, map.kind, shown));
        if let Some(pair) = pair {
            let (layer, key) = paint::error(&pair);
            let layer = Arc::new(layer);
            let shown = PaintedMap {
                ground,
                layers: [Arc::clone(&layer), layer],
                key,
                figures: pair.figures,
            };
            surfaces.push(surface(MapRole::Error, map.kind, Ok(shown)));
        }
    }
    surfaces
}

fn surface(what: MapRole, kind: MapKind, shown: Result<PaintedMap, String>) -> Surface {
    Surface { what, kind, shown }
}

struct MapRaster {
    raster: Raster,
    ground: Option<Source>,
}

impl MapRaster {
    /// Colours the map. `fitted` replaces its values; `range` is the range of the annotation.
    fn shown(
        self,
        what: MapRole,
        map: &PixelMap,
        fitted: Option<&Raster>,
        range: Option<(f64, f64)>,
    ) -> PaintedMap {
        let raster = fitted.unwrap_or(&self.raster);
        let range = match what {
            // Without fitting, the units may differ, so use the prediction's own range.
            MapRole::Prediction if fitted.is_none() => paint::range(raster),
            _ => range,
        };
        let letters = [Letter::A, Letter::B];
        let layers = if matches!(
            (&raster.values, what),
            (Values::Mask(_), MapRole::Prediction)
        ) {
            letters.map(|letter| Arc::new(paint::map(raster, Meaning::Model(letter), range)))
        } else {
            let layer = Arc::new(paint::map(raster, Meaning::Target, range));
            [Arc::clone(&layer), layer]
        };
        PaintedMap {
            ground: self.ground,
            layers,
            key: paint::key(raster, &map.names, fitted, range),
            figures: Vec::new(),
        }
    }
}

/// Reads a map. In annotated depth, the value 0 means that depth was not measured.
fn read(map: &PixelMap, roots: &[PathBuf]) -> Result<MapRaster, String> {
    match &map.values {
        MapValues::Nowhere(why) => Err(why.clone()),
        MapValues::Runs { width, runs } => Raster::of_runs(*width, runs)
            .map(|raster| MapRaster {
                raster,
                ground: None,
            })
            .ok_or_else(|| "its runs do not fill whole rows".to_owned()),
        MapValues::Picture(reference)
        | MapValues::Segments {
            picture: reference, ..
        } => {
            let source = source_of(reference, roots);
            let raster = Raster::load(&source, kind(map.kind));
            let mut raster = raster.map_err(|missing| missing.to_string())?;
            if let (Values::Labels(ids), MapValues::Segments { classes, .. }) =
                (&mut raster.values, &map.values)
            {
                let class = |id: &u32| classes.get(id).copied().unwrap_or(u32::from(IGNORED));
                for id in ids.iter_mut() {
                    *id = class(id);
                }
            }
            if let (Values::Depth(values), Role::Target) = (&mut raster.values, map.role) {
                for value in values.iter_mut().filter(|value| **value <= 0.0) {
                    *value = f64::NAN;
                }
            }
            Ok(MapRaster {
                raster,
                ground: Some(source),
            })
        }
    }
}

/// Converts to the kind used by `media`.
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
