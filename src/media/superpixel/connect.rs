//! Makes regions connected. Separated pieces become regions of their own, and small pieces are
//! merged with a neighbour.

use super::cluster::Clusters;
use super::{real, whole};

/// Minimum size of a region, as a share of the mean size.
const LEAST: f64 = 0.5;
/// Maximum size of a region, as a multiple of the mean size.
const MOST: f64 = 3.0;

/// Returns the region number of each pixel. Regions are numbered from 0 in row order.
pub(super) fn connected(clusters: &Clusters, size: [usize; 2]) -> Vec<u32> {
    let pixels = clusters.numbers.len();
    let usual = real(pixels) / f64::from(clusters.count.max(1));
    let (least, most) = (whole(LEAST * usual), whole(MOST * usual).max(1));
    let mut regions: Vec<Option<u32>> = vec![None; pixels];
    let mut next = 0;
    for start in 0..pixels {
        if regions[start].is_some() {
            continue;
        }
        let (piece, beside) = grown(&clusters.numbers, &mut regions, size, start, next, most);
        if piece.len() < least {
            for place in piece {
                regions[place] = Some(beside);
            }
        } else {
            next += 1;
        }
    }
    regions.into_iter().map(Option::unwrap_or_default).collect()
}

/// Collects at most `most` connected pixels of a cluster and assigns them to region `number`. Also
/// returns an adjacent region; 0 if there is none.
fn grown(
    numbers: &[u32],
    regions: &mut [Option<u32>],
    [rows, columns]: [usize; 2],
    start: usize,
    number: u32,
    most: usize,
) -> (Vec<usize>, u32) {
    let mut piece = vec![start];
    regions[start] = Some(number);
    let (mut seen, mut beside) = (0, 0);
    while seen < piece.len() && piece.len() < most {
        let (row, column) = (piece[seen] / columns, piece[seen] % columns);
        let near = [
            (column + 1 < columns).then(|| piece[seen] + 1),
            column.checked_sub(1).map(|_| piece[seen] - 1),
            (row + 1 < rows).then(|| piece[seen] + columns),
            row.checked_sub(1).map(|_| piece[seen] - columns),
        ];
        for place in near.into_iter().flatten() {
            match regions[place] {
                None if numbers[place] == numbers[start] => {
                    regions[place] = Some(number);
                    piece.push(place);
                    if piece.len() >= most {
                        break;
                    }
                }
                Some(other) if other != number => beside = other,
                _ => {}
            }
        }
        seen += 1;
    }
    (piece, beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pieces_join_a_neighbour_and_large_ones_stand_alone() {
        let numbers = vec![
            0, 0, 0, 1, 1, 1, //
            0, 0, 1, 1, 1, 1, //
            0, 0, 0, 1, 0, 1, //
            0, 0, 0, 1, 1, 1,
        ];
        let clusters = Clusters { numbers, count: 2 };
        let regions = connected(&clusters, [4, 6]);
        assert_eq!(
            regions[2 * 6 + 4],
            regions[3],
            "the single pixel has joined"
        );
        assert_eq!(regions.iter().max(), Some(&1));
    }
}
