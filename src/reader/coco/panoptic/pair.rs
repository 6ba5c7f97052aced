//! Compares the predicted and annotated segments of one picture.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::document::{Classes, Entry, Segment};
use super::segments::{Areas, Segments, VOID};
use crate::coco::value::Number;
use record::{
    Detections, ImageRef, MapKind, MapValues, Overlap, PixelMap, PredictedBox, Role, ShapeKind,
    Shapes, TrueBox,
};

/// Segments match if their `IoU` is greater than this.
const MATCHED: f64 = 0.5;
/// An unmatched segment is not counted if its share of unlabelled or crowd pixels is greater than
/// this.
const UNCOUNTED: f64 = 0.5;

/// Predicted and annotated segments of one picture.
pub struct Pair<'a> {
    /// The predicted segments; `None` if the picture has no prediction.
    pub found: Option<&'a Entry>,
    /// The annotated segments.
    pub truth: &'a Entry,
    /// Folders of the predicted PNGs, and of the annotated PNGs.
    pub folders: &'a [Vec<PathBuf>; 2],
}

impl Pair<'_> {
    /// Returns the predicted and annotated segments as detections.
    ///
    /// # Errors
    /// If a PNG cannot be read or does not match its list of segments.
    pub fn detections(&self, classes: &Classes) -> Result<Detections, String> {
        let [of_found, of_truth] = self.folders;
        let truth = Segments::read(&self.truth.file_name, of_truth)?;
        let (entries, found) = match self.found {
            None => (&[][..], Segments::void(&truth)),
            Some(entry) => (
                entry.segments_info.as_slice(),
                Segments::read(&entry.file_name, of_found)?,
            ),
        };
        if found.width != truth.width || found.ids.len() != truth.ids.len() {
            return Err("the PNGs have different sizes".to_owned());
        }
        let areas = Areas::of(&found, &truth);
        listed(entries, &found, &areas)?;
        once(&self.truth.segments_info)?;
        let annotated = self.annotated(&truth, &areas, classes)?;
        let index = Index::new(&self.truth.segments_info, &annotated, &areas);
        let mut detections = Detections {
            classes: Arc::clone(&classes.names),
            things: Arc::clone(&classes.things),
            ..Detections::default()
        };
        let mut overlaps = Vec::new();
        for segment in entries {
            let class = classes.code(&segment.category_id)?;
            let at = u32::try_from(detections.found.len()).unwrap_or(u32::MAX);
            let own = index.overlaps(segment.id);
            let is_match = |(truth, value): &(u32, f64)| {
                let truth = annotated.get(*truth as usize);
                *value > MATCHED && truth.is_some_and(|it| it.class == class && !it.crowd)
            };
            if !own.iter().any(is_match) && index.is_uncounted(segment.id, class) {
                continue;
            }
            overlaps.extend(own.into_iter().map(|(truth, value)| Overlap {
                found: at,
                truth,
                value,
            }));
            detections.found.push(PredictedBox {
                class,
                xywh: found.boxes.get(&segment.id).copied().unwrap_or_default(),
                score: 1.0,
            });
            detections.areas.push(areas.found(segment.id));
        }
        detections.shapes = Shapes::Overlaps {
            kind: ShapeKind::Segments,
            overlaps,
        };
        detections.truth = annotated;
        Ok(detections)
    }

    /// Returns the annotated and the predicted segments as class maps.
    ///
    /// # Errors
    /// If a class is unknown.
    pub fn maps(&self, classes: &Classes) -> Result<Vec<PixelMap>, String> {
        let [of_found, of_truth] = self.folders;
        let found = self.found.map(|entry| (Role::Prediction, entry, of_found));
        let all = [(Role::Target, self.truth, of_truth)]
            .into_iter()
            .chain(found);
        let maps = all.map(|(role, entry, folders)| {
            let class = |segment: &Segment| Ok((segment.id, classes.code(&segment.category_id)?));
            let codes = entry.segments_info.iter().map(class);
            Ok(PixelMap {
                role,
                kind: MapKind::Labels,
                values: MapValues::Segments {
                    picture: ImageRef::Path(reference(&entry.file_name, folders)),
                    classes: codes.collect::<Result<_, String>>()?,
                },
                names: Arc::clone(&classes.names),
            })
        });
        let mut maps: Vec<PixelMap> = maps.collect::<Result<_, String>>()?;
        if let [truth, found] = maps.as_mut_slice()
            && let MapValues::Segments { picture, .. } = &found.values
            && matches!(&truth.values, MapValues::Segments { picture: own, .. } if own == picture)
        {
            // Both PNGs lie next to their JSON files, in different folders, so their relative paths
            // are equal.
            let why = "its PNG has the name of the predicted one";
            truth.values = MapValues::Nowhere(why.to_owned());
        }
        Ok(maps)
    }

    /// Returns the annotated segments as objects with boxes.
    fn annotated(
        &self,
        drawn: &Segments,
        areas: &Areas,
        classes: &Classes,
    ) -> Result<Vec<TrueBox>, String> {
        let segments = self.truth.segments_info.iter();
        let truth = segments.map(|segment| {
            let bbox = segment.bbox.map(|bbox| bbox.map(|Number(value)| value));
            let drawn = drawn.boxes.get(&segment.id).copied();
            Ok(TrueBox {
                class: classes.code(&segment.category_id)?,
                xywh: bbox.or(drawn).unwrap_or_default(),
                area: segment
                    .area
                    .map_or(areas.truth(segment.id), |Number(area)| area),
                crowd: segment.iscrowd.is_some_and(|flag| flag.0),
                id: i64::from(segment.id),
            })
        });
        truth.collect()
    }
}

/// Returns the path of a PNG relative to the folder of its JSON file. The path is `NAME/000001.png`
/// if the PNG is in the first of `folders`, otherwise only the file name.
fn reference(name: &str, folders: &[PathBuf]) -> String {
    let own = folders.first().filter(|folder| folder.join(name).is_file());
    let own = own.and_then(|folder| folder.file_name());
    own.map_or_else(
        || name.to_owned(),
        |own| format!("{}/{name}", own.to_string_lossy()),
    )
}

/// Annotated segments of a picture, indexed by id and class. A linear search would be too slow for
/// pictures with one segment per pixel.
struct Index<'a> {
    areas: &'a Areas,
    truth: &'a [TrueBox],
    /// Index in `truth` by segment id.
    places: HashMap<u32, u32>,
    /// Crowd segment of each class. If there are several, the last one is used, as in panopticapi.
    crowds: HashMap<u32, u32>,
}

impl<'a> Index<'a> {
    fn new(segments: &[Segment], truth: &'a [TrueBox], areas: &'a Areas) -> Self {
        let crowds = segments.iter().zip(truth).filter(|(_, it)| it.crowd);
        Self {
            areas,
            truth,
            places: segments.iter().map(|it| it.id).zip(0..).collect(),
            crowds: crowds.map(|(it, truth)| (truth.class, it.id)).collect(),
        }
    }

    /// Returns each annotated segment, except crowds, that overlaps a predicted segment: its index
    /// and `IoU`.
    fn overlaps(&self, found: u32) -> Vec<(u32, f64)> {
        let areas = self.areas;
        let overlap = |segment: &u32| {
            let index = *self.places.get(segment)?;
            let truth = self.truth.get(index as usize)?;
            let shared = areas.shared(*segment, found);
            let union = areas.found(found) + truth.area - shared - areas.shared(VOID, found);
            (!truth.crowd && union > 0.0).then(|| (index, (shared / union).min(1.0)))
        };
        let touched = areas.touched(found).iter();
        let mut overlaps: Vec<(u32, f64)> = touched.filter_map(overlap).collect();
        overlaps.sort_by_key(|(index, _)| *index);
        overlaps
    }

    /// True if more than half of a predicted segment is unlabelled, or belongs to a crowd of its
    /// class.
    fn is_uncounted(&self, found: u32, class: u32) -> bool {
        let areas = self.areas;
        let crowd = self.crowds.get(&class);
        let crowd = crowd.map_or(0.0, |crowd| areas.shared(*crowd, found));
        (areas.shared(VOID, found) + crowd) / areas.found(found) > UNCOUNTED
    }
}

/// Returns the ids of the segments. A repeated id is an error, because the segment would be counted
/// twice.
fn once(entries: &[Segment]) -> Result<BTreeSet<u32>, String> {
    let mut known = BTreeSet::new();
    match entries.iter().find(|segment| !known.insert(segment.id)) {
        Some(twice) => Err(format!("segment {} is listed twice", twice.id)),
        None => Ok(known),
    }
}

/// Checks that a PNG and its JSON file contain the same segments, and each segment only once.
fn listed(entries: &[Segment], found: &Segments, areas: &Areas) -> Result<(), String> {
    let known = once(entries)?;
    let mut drawn = found.boxes.keys().filter(|id| **id != VOID);
    if let Some(id) = drawn.find(|id| !known.contains(*id)) {
        return Err(format!("segment {id} of the PNG is not in `segments_info`"));
    }
    match known.iter().find(|id| areas.found(**id) == 0.0) {
        Some(id) => Err(format!("segment {id} of `segments_info` is not in the PNG")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    /// Comparing all pairs of segments would take 2.5 billion steps.
    #[test]
    fn a_picture_can_have_a_segment_for_each_pixel() {
        const COUNT: u32 = 50_000;
        let segments = |first: u32| Segments {
            width: 250,
            ids: (first..first + COUNT).collect(),
            boxes: BTreeMap::new(),
        };
        let (found, truth) = (segments(1), segments(100_001));
        let areas = Areas::of(&found, &truth);
        let entry = |id: &u32| serde_json::from_value(json!({"id": id, "category_id": 1})).unwrap();
        let entries: Vec<Segment> = truth.ids.iter().map(entry).collect();
        let annotated = |id: &u32| TrueBox {
            class: 0,
            xywh: [0.0; 4],
            area: 1.0,
            crowd: false,
            id: i64::from(*id),
        };
        let annotated: Vec<TrueBox> = truth.ids.iter().map(annotated).collect();
        let index = Index::new(&entries, &annotated, &areas);
        for (at, found) in (0..).zip(&found.ids) {
            assert_eq!(index.overlaps(*found), [(at, 1.0)]);
            assert!(!index.is_uncounted(*found, 0));
        }
    }
}
