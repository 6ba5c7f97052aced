//! Adds score and maps to grouping samples.

use analysis::metric::dense::mask_iou;
use record::{PixelMap, Record, Role, Rule};

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
    let pair = [
        (&masks.truth, Role::Target),
        (&masks.found, Role::Prediction),
    ];
    let maps = pair.map(|(mask, role)| Some(PixelMap::of_mask(mask.as_ref()?, role)));
    record.content.maps.extend(maps.into_iter().flatten());
}
