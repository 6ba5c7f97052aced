//! Computes which byte ranges of an object are missing, and how to request them.

use std::collections::BTreeMap;
use std::ops::Range;

/// Maximum gap in bytes between two ranges that share a request.
const NEAR: u64 = 128 << 10;

/// Returns the ranges of `places` that are not in `here`, sorted. Ranges that are close together
/// are merged.
pub fn missing(places: &[Range<u64>], here: &BTreeMap<u64, u64>, length: u64) -> Vec<Range<u64>> {
    let mut lacking: Vec<Range<u64>> = Vec::new();
    for place in places {
        let (mut at, end) = (place.start, place.end.min(length));
        while at < end {
            let known = here.range(..=at).next_back();
            if let Some((_, &known)) = known.filter(|(_, known)| **known > at) {
                at = known;
            } else {
                let next = gap_end(here, at, end);
                lacking.push(at..next);
                at = next;
            }
        }
    }
    lacking.sort_by_key(|place| place.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for place in lacking {
        match joined.last_mut() {
            // Merge only if no cached part lies between them.
            Some(last)
                if place.start <= last.end.saturating_add(NEAR)
                    && gap_end(here, last.end, place.start.max(last.end))
                        >= place.start.max(last.end) =>
            {
                last.end = last.end.max(place.end);
            }
            _ => joined.push(place),
        }
    }
    joined
}

/// Returns the end of a gap: the start of the next cached part, at most `end`.
pub fn gap_end(here: &BTreeMap<u64, u64>, at: u64, end: u64) -> u64 {
    let next = here.range(at..).next();
    next.map_or(end, |(&next, _)| next.min(end))
}

/// Splits a range into pieces of at most `most` bytes.
pub fn pieces(place: &Range<u64>, most: u64) -> Vec<Range<u64>> {
    let (mut at, mut pieces) = (place.start, Vec::new());
    while at < place.end {
        let end = at.saturating_add(most).min(place.end);
        pieces.push(at..end);
        at = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one range as an array.
    fn one(from: u64, to: u64) -> [Range<u64>; 1] {
        [Range {
            start: from,
            end: to,
        }]
    }

    #[test]
    fn near_places_are_one_and_what_is_here_is_not_asked_for() {
        let here = BTreeMap::from([(0, 100), (1_000, 2_000)]);
        let asked = |places: &[Range<u64>]| missing(places, &here, 10_000_000);
        assert_eq!(asked(&one(0, 100)), []);
        assert_eq!(asked(&[50..150, 200..300]), one(100, 300));
        assert_eq!(asked(&one(0, 3_000)), [100..1_000, 2_000..3_000]);
        assert_eq!(asked(&[900..950, 2_100..2_200]), [900..950, 2_100..2_200]);
        let far = 1_000_000 + NEAR;
        assert_eq!(
            asked(&[5_000..5_001, far..far + 1]),
            [5_000..5_001, far..far + 1]
        );
        assert_eq!(missing(&one(5, 50), &BTreeMap::new(), 20), one(5, 20));
        assert_eq!(asked(&[5_000..6_000, 5_500..5_600]), one(5_000, 6_000));
    }

    #[test]
    fn a_large_place_is_asked_for_in_pieces() {
        assert_eq!(pieces(&(5..25), 10), [5..15, 15..25]);
        assert_eq!(pieces(&(5..5), 10), []);
    }
}
