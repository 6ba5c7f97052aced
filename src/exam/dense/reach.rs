//! Computes how much of an object a group can cover when it grows superpixel by superpixel.

use std::collections::{BTreeMap, BTreeSet};

use media::{Superpixels, Touch};
use record::Mask;

/// Minimum IoU of an object and its perfectly grown group; other objects are not asked about.
pub(super) const GOOD: f64 = 0.6;

/// Result of growing a group with right answers only.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GrownGroup {
    /// Superpixels of the grown group; it may start in any of them.
    pub(super) members: BTreeSet<u32>,
    /// IoU of the group with the object.
    pub(super) iou: f64,
}

/// Returns the best group: connected superpixels that lie mostly in the object, grown as in
/// fm-vision-evals (appendix D).
pub(super) fn best(regions: &Superpixels, thing: &Mask) -> GrownGroup {
    let mut counts: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
    for (number, is_thing) in regions.numbers().iter().zip(&thing.pixels) {
        let [inside, all] = counts.entry(*number).or_default();
        *inside += f64::from(u8::from(*is_thing));
        *all += 1.0;
    }
    let belongs = |number: u32| {
        counts
            .get(&number)
            .is_some_and(|[inside, all]| 2.0 * inside > *all)
    };
    let mut near: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let touching = regions.neighbours(Touch::Corner).into_iter();
    for [a, b] in touching.filter(|pair| pair.iter().all(|one| belongs(*one))) {
        near.entry(a).or_default().push(b);
        near.entry(b).or_default().push(a);
    }
    let whole: f64 = counts.values().map(|[inside, _]| inside).sum();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let mut best = GrownGroup::default();
    for start in counts.keys().copied().filter(|number| belongs(*number)) {
        if !seen.insert(start) {
            continue;
        }
        let (mut members, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(next) = open.pop() {
            for other in near.get(&next).into_iter().flatten() {
                if seen.insert(*other) {
                    members.insert(*other);
                    open.push(*other);
                }
            }
        }
        let sums = members.iter().filter_map(|number| counts.get(number));
        let [inside, all] = sums.fold([0.0, 0.0], |[inside, all], one| {
            [inside + one[0], all + one[1]]
        });
        let iou = inside / (all + whole - inside);
        if iou > best.iou {
            best = GrownGroup { members, iou };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    #[test]
    fn of_a_thing_in_two_pieces_the_larger_one_is_reached() {
        // A white bar with a black gap that is wider than a superpixel.
        let is_thing = |x: u32, y: u32| (20..76).contains(&y) && (x < 60 || (90..110).contains(&x));
        let picture = RgbaImage::from_fn(120, 96, |x, y| {
            let shade = if is_thing(x, y) { 255 } else { 0 };
            Rgba([shade, shade, shade, 255])
        });
        let thing = Mask {
            width: 120,
            pixels: (0..96)
                .flat_map(|y| (0..120).map(move |x| is_thing(x, y)))
                .collect(),
        };
        let regions = Superpixels::slic(&picture, 100, 1.0);
        let found = best(&regions, &thing);
        let at = |x, y| found.members.contains(&regions.at(x, y).unwrap());
        assert!(at(30, 48) && !at(100, 48), "{found:?}");
        assert!((0.5..0.85).contains(&found.iou), "{}", found.iou);
    }
}
