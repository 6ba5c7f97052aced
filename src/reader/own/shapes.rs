//! Shapes, areas and LVIS data of a detection sample, stored as members of `detections`.
//!
//! Masks and keypoints are stored as overlaps, which are sufficient to compute all metrics.

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use record::{Detections, Federation, Frequency, Overlap, ShapeKind, Shapes};

/// Parses the members and adds them to the detections. `None` if a member has another structure.
pub fn read(members: &Map<String, Json>, detections: &mut Detections) -> Option<()> {
    fn list<'a, T: Deserialize<'a>>(members: &'a Map<String, Json>, key: &str) -> Option<Vec<T>> {
        let list = members.get(key).map(Vec::deserialize);
        list.transpose().ok().map(Option::unwrap_or_default)
    }
    detections.areas = list(members, "areas")?;
    detections.ignored = list(members, "ignored")?;
    detections.things = list::<bool>(members, "things")?.into();
    if let Some(name) = members.get("shapes") {
        let mut kinds = ShapeKind::ALL.into_iter();
        let kind = kinds.find(|kind| name == kind.name())?;
        let overlap = |(found, truth, value)| Overlap {
            found,
            truth,
            value,
        };
        let overlaps = list(members, "overlaps")?.into_iter().map(overlap);
        let mut overlaps: Vec<Overlap> = overlaps.collect();
        overlaps.sort_by_key(|overlap| (overlap.found, overlap.truth));
        detections.shapes = Shapes::Overlaps { kind, overlaps };
    }
    if members.contains_key("frequencies") {
        let frequencies: Vec<String> = list(members, "frequencies")?;
        let frequencies = frequencies.iter().map(|name| Frequency::from_name(name));
        detections.federation = Some(Federation {
            frequencies: frequencies.collect(),
            not_exhaustive: list(members, "not_exhaustive")?,
        });
    }
    Some(())
}

/// Adds members for everything that plain boxes do not contain.
pub fn write(detections: &Detections, members: &mut Json) {
    if !detections.areas.is_empty() {
        members["areas"] = json!(detections.areas);
    }
    if !detections.ignored.is_empty() {
        members["ignored"] = json!(detections.ignored);
    }
    if !detections.things.is_empty() {
        members["things"] = json!(*detections.things);
    }
    if let Shapes::Overlaps { kind, overlaps } = &detections.shapes {
        members["shapes"] = json!(kind.name());
        let overlaps = overlaps
            .iter()
            .map(|it| json!([it.found, it.truth, it.value]));
        members["overlaps"] = overlaps.collect();
    }
    if let Some(federation) = &detections.federation {
        let name = |group: &Option<Frequency>| group.map_or("", Frequency::name);
        let frequencies = federation.frequencies.iter().map(name);
        members["frequencies"] = frequencies.collect();
        members["not_exhaustive"] = json!(federation.not_exhaustive);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::metadata::write_detections;

    #[test]
    fn members_are_read_as_they_were_written() {
        let overlaps = [(0, 1, 0.123_456_789_012_345_67), (2, 0, 1.0)];
        let overlaps = overlaps.map(|(found, truth, value)| Overlap {
            found,
            truth,
            value,
        });
        let detections = Detections {
            shapes: Shapes::Overlaps {
                kind: ShapeKind::Keypoints,
                overlaps: overlaps.to_vec(),
            },
            areas: vec![0.5, 2.0],
            ignored: vec![1],
            things: [true, false].into(),
            federation: Some(Federation {
                frequencies: [Some(Frequency::Rare), None].into(),
                not_exhaustive: vec![1],
            }),
            ..Detections::default()
        };
        let Json::Object(members) = write_detections(&detections) else {
            panic!("an object");
        };
        let mut again = Detections::default();
        assert_eq!(read(&members, &mut again), Some(()));
        assert_eq!(again, detections);
        let wrong = json!({"shapes": "circles"});
        assert_eq!(read(wrong.as_object().unwrap(), &mut again), None);
    }
}
