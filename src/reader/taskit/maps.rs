//! Builds the pixel maps of a record, and summaries of its answers.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value as Json};

use record::{ImageRef, MapKind, MapValues, PixelMap, Role};

/// Names of the 133 classes in COCO's panoptic annotations, with things before stuff. Labels in the
/// ground truth of segmentation are indices into this list.
const CLASSES: &str = include_str!("coco_classes.txt");
/// Reason why a prediction for superpixels cannot be drawn.
const NOWHERE: &str = "the log lists superpixels by number only; no file has their positions";
/// Keys of predicted maps that are complete pictures, by kind.
const PICTURES: [(MapKind, &str); 2] = [
    (MapKind::Depth, "depth_image"),
    (MapKind::Normals, "normal_image"),
];

static NAMES: LazyLock<Arc<[String]>> =
    LazyLock::new(|| CLASSES.lines().map(str::to_owned).collect());

/// Returns the kind of the ground truth map in an ability; `None` if there is no such map.
pub fn kind(ability: &str) -> Option<MapKind> {
    Some(match ability {
        "segmentation" => MapKind::Labels,
        "depth" => MapKind::Depth,
        "normals" => MapKind::Normals,
        _ => return None,
    })
}

/// Returns the ground truth map and, if the log contains it, the predicted map.
pub fn maps(kind: MapKind, record: &Map<String, Json>, truth: Option<&str>) -> Vec<PixelMap> {
    let names = match kind {
        MapKind::Labels => NAMES.clone(),
        _ => Arc::default(),
    };
    let map = |role, values| PixelMap {
        role,
        kind,
        values,
        names: names.clone(),
    };
    let picture = |path: &str| MapValues::Picture(ImageRef::Path(path.to_owned()));
    let key = PICTURES.iter().find(|(known, _)| *known == kind);
    let found = key.and_then(|(_, key)| record.get(*key)?.as_str());
    let found = found.map_or_else(|| MapValues::Nowhere(NOWHERE.to_owned()), picture);
    let truth = truth.map(|path| map(Role::Target, picture(path)));
    truth
        .into_iter()
        .chain([map(Role::Prediction, found)])
        .collect()
}

/// Summarises an answer, for example `63 superpixels: 26 grass-merged, 18 sky-other-merged`. For
/// depth and normals, counts the ordered pairs.
pub fn summary(kind: MapKind, record: &Map<String, Json>) -> Option<String> {
    match kind {
        MapKind::Labels => {
            let numbered = record.iter().filter(|(key, _)| key.parse::<u32>().is_ok());
            let labels: Vec<&str> = numbered.filter_map(|(_, label)| label.as_str()).collect();
            Some(format!("{} superpixels: {}", labels.len(), counts(&labels)))
        }
        MapKind::Depth => {
            let orders = record.get("depth_orders")?.as_array()?.iter();
            let nearer = orders.filter_map(|order| order.get("depth_order")?.get(0)?.as_str());
            let nearer: Vec<&str> = nearer.collect();
            Some(format!(
                "nearer in {} pairs: {}",
                nearer.len(),
                counts(&nearer)
            ))
        }
        MapKind::Normals => {
            let orders = record.get("normal_orders")?.as_array()?;
            let axis = |key: &str| {
                let told: Vec<&str> = orders
                    .iter()
                    .filter_map(|it| it.get(key)?.as_str())
                    .collect();
                format!("more to the {key}: {}", counts(&told))
                    .replace("to the up", "up")
                    .replace("to the out", "out")
            };
            let told = ["right", "up", "out"].map(axis).join("; ");
            Some(format!("{} pairs. {told}", orders.len()))
        }
        MapKind::Mask => None,
    }
}

/// Counts equal words; the most frequent words come first.
fn counts(words: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told = counts.iter().map(|(word, count)| format!("{count} {word}"));
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Json) -> Map<String, Json> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn superpixels_are_said_in_words_and_pictures_are_maps() {
        let pairs = object(json!({"depth_orders": [], "file_name": "a"}));
        let found = maps(MapKind::Depth, &pairs, Some("gt/a.png"));
        let roles: Vec<Role> = found.iter().map(|map| map.role).collect();
        assert_eq!(roles, [Role::Target, Role::Prediction]);
        assert!(matches!(found[1].values, MapValues::Nowhere(_)));
        let dense = object(json!({"depth_image": "out/a.png"}));
        let path = ImageRef::Path("out/a.png".to_owned());
        assert_eq!(
            maps(MapKind::Depth, &dense, None)[0].values,
            MapValues::Picture(path)
        );
        assert_eq!(NAMES.len(), 133);
    }

    #[test]
    fn answers_are_counted() {
        let labels = object(
            json!({"1": "car", "2": "road", "10": "car", "file_name": "a", "coordinates": []}),
        );
        let words = summary(MapKind::Labels, &labels).unwrap();
        assert_eq!(words, "3 superpixels: 2 car, 1 road");
        let orders = object(json!({"depth_orders": [{"depth_order": ["red", "blue"]}]}));
        assert_eq!(
            summary(MapKind::Depth, &orders).unwrap(),
            "nearer in 1 pairs: 1 red"
        );
        let orders =
            object(json!({"normal_orders": [{"right": "red", "up": "equal", "out": "blue"}]}));
        assert_eq!(
            summary(MapKind::Normals, &orders).unwrap(),
            "1 pairs. more to the right: 1 red; more up: 1 equal; more out: 1 blue"
        );
        assert_eq!(summary(MapKind::Normals, &Map::new()), None);
    }
}
