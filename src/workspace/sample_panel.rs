//! Builds the pictures that show a sample: its own pictures, and maps next to them.

use std::sync::Arc;

use super::frame::place_words;
use super::page::Detail;
use super::picture::{Layers, MarkedBox, Meaning};
use super::surface::{MapRole, PaintedMap, Surface};
use media::{Layer, Letter, Overlay, Source};

/// Maximum number of pictures if maps are shown next to the sample's picture.
const MOST: usize = 4;

/// One of the pictures that show a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplePanel {
    /// Caption, if several pictures are shown; otherwise empty.
    pub caption: String,
    /// Source of the picture.
    pub source: Source,
    /// Boxes on the picture.
    pub overlays: Vec<Overlay>,
    /// Maps on the picture. Boxes are drawn over them.
    pub maps: Vec<Arc<Layer>>,
}

/// Returns the maps of one or two answers, each with the letter of its model. Annotations are
/// included once. Maps of errors come last.
pub fn maps_with_letters<'a>(
    first: &'a Detail,
    second: Option<&'a Detail>,
) -> Vec<(Letter, &'a Surface)> {
    let first = first.surfaces.iter().map(|surface| (Letter::A, surface));
    let second = second.into_iter().flat_map(|second| &second.surfaces);
    let answers = second.filter(|surface| surface.what != MapRole::Target);
    let mut all: Vec<_> = first
        .chain(answers.map(|surface| (Letter::B, surface)))
        .collect();
    all.sort_by_key(|(_, surface)| surface.what == MapRole::Error);
    all
}

/// Returns all pictures of a sample. If there are several, their captions contain their positions.
///
/// The first picture has boxes and masks. Maps next to it are all shown, or only the map selected
/// by `layers`. `models` contains the names for the letters A and B.
pub fn sample_panels(
    sources: Vec<Source>,
    marked: &[MarkedBox],
    surfaces: &[(Letter, &Surface)],
    layers: Layers,
    models: [&str; 2],
) -> Vec<SamplePanel> {
    let maps: Vec<MapDrawing<'_>> = (surfaces.iter())
        .filter_map(|(letter, surface)| MapDrawing::of(*letter, surface))
        .collect();
    let own = sources.first().cloned();
    let beside = maps.iter().filter(|map| map.beside && map.stands(layers));
    let beside: Vec<SamplePanel> = beside
        .filter_map(|map| map.panel(own.as_ref(), models))
        .collect();
    let count = sources.len();
    let mut panels: Vec<SamplePanel> = sources.into_iter().map(bare).collect();
    if count > 1 {
        for (panel, place) in panels.iter_mut().zip(1..) {
            panel.caption = place_words(&panel.source, place, count);
        }
    }
    if let Some(first) = panels.first_mut() {
        let shown = marked.iter().filter(|marked| layers.show(marked.meaning));
        first.overlays = shown.map(|marked| marked.overlay.clone()).collect();
        let on_it = maps
            .iter()
            .filter(|map| !map.beside && layers.show(map.meaning));
        first.maps = on_it.map(|map| Arc::clone(map.layer)).collect();
    }
    if layers != Layers::All && !beside.is_empty() {
        return beside;
    }
    if !beside.is_empty() {
        panels.truncate(1);
        for own in &mut panels {
            "picture".clone_into(&mut own.caption);
        }
        panels.extend(beside);
        panels.truncate(MOST);
    }
    panels
}

/// A map to draw.
struct MapDrawing<'a> {
    meaning: Meaning,
    beside: bool,
    layer: &'a Arc<Layer>,
    shown: &'a PaintedMap,
}

impl<'a> MapDrawing<'a> {
    fn of(letter: Letter, surface: &'a Surface) -> Option<Self> {
        let shown = surface.shown.as_ref().ok()?;
        Some(Self {
            meaning: surface.meaning(letter),
            beside: surface.is_next_to_picture(),
            layer: shown.layer(letter),
            shown,
        })
    }

    /// Returns true if the map is shown: next to the picture, or instead of it.
    fn stands(&self, layers: Layers) -> bool {
        layers == Layers::All || layers.is_alone(self.meaning)
    }

    /// Returns the panel of the map. If the map hides the picture below it, it is drawn on the
    /// map's own file. Otherwise it is drawn on the picture of the sample.
    fn panel(&self, own: Option<&Source>, models: [&str; 2]) -> Option<SamplePanel> {
        let ground = self.shown.ground.as_ref().filter(|_| self.layer.hides());
        Some(SamplePanel {
            caption: caption(self.meaning, models),
            maps: vec![Arc::clone(self.layer)],
            ..bare(ground.or(own)?.clone())
        })
    }
}

fn bare(source: Source) -> SamplePanel {
    SamplePanel {
        caption: String::new(),
        source,
        overlays: Vec::new(),
        maps: Vec::new(),
    }
}

/// Returns the caption for a box or map. Control characters in the model's name are not replaced.
pub fn caption(meaning: Meaning, [first, second]: [&str; 2]) -> String {
    let named = |letter: Letter| {
        let name = if letter == Letter::A { first } else { second };
        format!("{} {name}", letter.sign())
    };
    match meaning {
        Meaning::Target => "target".to_owned(),
        Meaning::Reference => "in the question".to_owned(),
        Meaning::Model(letter) => named(letter),
        Meaning::Error(letter) => format!("error of {}", named(letter)),
    }
}
