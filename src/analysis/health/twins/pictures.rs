//! Joins pictures that are nearly the same.

use std::collections::HashMap;

use super::super::{SIDE, SmallPicture, real};
use super::Joined;

/// Minimum correlation of the grey values of two pictures that are nearly the same.
const ALIKE: f64 = 0.985;
/// Minimum standard deviation of the grey values of a picture; flatter pictures are not compared.
const FLAT: f64 = 3.0;
/// Minimum difference of neighbouring grey values that is not noise.
const STEP: i32 = 8;
/// Maximum number of pictures with the same quarter of a hash that a picture is compared with.
const MOST_SHARED: usize = 300;

/// Joins pictures whose hashes have an equal quarter and whose grey values agree. Equal pictures
/// are always joined, except flat pictures, which are not compared.
///
/// The hash is a difference hash: one bit for each pair of neighbouring columns in each pair of
/// rows, set if the right column is brighter by at least `STEP`.
pub fn joined(pictures: &[Option<SmallPicture>]) -> Joined {
    let mut joined = Joined::new(pictures.len());
    let mut equal: HashMap<&SmallPicture, usize> = HashMap::new();
    let mut known: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    let levels: Vec<Option<Vec<f64>>> = pictures
        .iter()
        .map(|picture| picture.as_ref().and_then(levels))
        .collect();
    for (at, picture) in pictures.iter().enumerate() {
        let (Some(picture), Some(own)) = (picture, &levels[at]) else {
            continue;
        };
        let first = *equal.entry(picture).or_insert(at);
        if first != at {
            joined.join(first, at);
            continue;
        }
        let quarters = quarters(hash(picture)).into_iter().enumerate();
        for (quarter, bits) in quarters.filter(|(_, bits)| *bits != 0) {
            let others = known.entry((quarter, bits)).or_default();
            for other in others.iter().copied() {
                let is_alike = levels[other]
                    .as_ref()
                    .is_some_and(|it| correlation(own, it) >= ALIKE);
                if is_alike {
                    joined.join(other, at);
                }
            }
            if others.len() < MOST_SHARED {
                others.push(at);
            }
        }
    }
    joined
}

fn hash(picture: &SmallPicture) -> u64 {
    let value = |row: usize, column: usize| {
        let pair = [row, row + 1].map(|row| i32::from(picture[row * SIDE + column]));
        pair[0] + pair[1]
    };
    let cells = (0..SIDE).step_by(2);
    let cells = cells.flat_map(|row| (0..SIDE).step_by(2).map(move |column| (row, column)));
    cells.fold(0, |bits, (row, column)| {
        let is_brighter = value(row, column + 1) - value(row, column) >= STEP;
        bits << 1 | u64::from(is_brighter)
    })
}

fn quarters(bits: u64) -> [u64; 4] {
    [0, 16, 32, 48].map(|shift| bits >> shift & 0xffff)
}

/// Returns the grey values with mean 0 and length 1; `None` for a flat picture.
fn levels(picture: &SmallPicture) -> Option<Vec<f64>> {
    let n = real(picture.len());
    let mean = picture.iter().map(|level| f64::from(*level)).sum::<f64>() / n;
    let centred: Vec<f64> = picture.iter().map(|it| f64::from(*it) - mean).collect();
    let length = centred
        .iter()
        .map(|level| level * level)
        .sum::<f64>()
        .sqrt();
    let is_flat = length < FLAT * n.sqrt();
    (!is_flat).then(|| centred.iter().map(|level| level / length).collect())
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
