//! Adds score and maps to grouping samples.

use std::sync::Arc;

use analysis::metric::dense::mask_iou;
use record::{MapKind, MapValues, Mask, PixelMap, Record, Role, Rule};

/// Adds score, maps and a description to a record that holds masks.
pub fn describe(record: &mut Record) {
    let Some(masks) = &record.masks else {
        return;
    };
    let pair = masks.truth.as_ref().zip(masks.found.as_ref());
    record.rule = Rule::Precomputed;
    record.stored = pair.and_then(|(truth, found)| mask_iou(&found.pixels, &truth.pixels));
    if let Some(found) = &masks.found {
        record.response = Some(format!("a mask of {} pixels", found.area()));
    }
    let target = masks.truth.as_ref().map(|mask| map(mask, Role::Target));
    let found = masks.found.as_ref().map(|mask| map(mask, Role::Prediction));
    record.content.maps.extend(target.into_iter().chain(found));
}

/// Returns the map of a mask.
pub(super) fn map(mask: &Mask, role: Role) -> PixelMap {
    PixelMap {
        role,
        kind: MapKind::Mask,
        values: MapValues::Runs {
            width: u32::try_from(mask.width).unwrap_or(u32::MAX),
            runs: mask.runs(),
        },
        names: Arc::default(),
    }
}
