//! Draws pairs of superpixels as the harness does.

use rand_mt::Mt;

/// Random seed of the harness.
const SEED: u32 = 25;

/// Returns the first `wanted` pairs of numbers from 1 to `count`. The numbers are shuffled
/// repeatedly, and neighbours in the shuffled list become pairs. In a list of odd length, the last
/// is paired with the first. Shuffles equal those of numpy's `RandomState(25)`. Returns nothing for
/// fewer than two numbers.
pub(super) fn pairs(count: u32, wanted: usize) -> Vec<[u32; 2]> {
    let mut random = Mt::new(SEED);
    let mut row: Vec<u32> = (1..=count).collect();
    let mut pairs = Vec::new();
    while count > 1 && pairs.len() < wanted {
        shuffle(&mut row, &mut random);
        let (whole, rest) = row.as_chunks::<2>();
        pairs.extend(whole);
        if let ([last], Some(first)) = (rest, row.first()) {
            pairs.push([*last, *first]);
        }
    }
    pairs.truncate(wanted);
    pairs
}

/// Shuffles like numpy's legacy generator: from the end, with indices drawn by
/// rejection under a bit mask.
fn shuffle(row: &mut [u32], random: &mut Mt) {
    for last in (1..row.len()).rev() {
        let most = u32::try_from(last).unwrap_or(u32::MAX);
        let mask = u32::MAX >> most.leading_zeros();
        let drawn = loop {
            let drawn = random.next_u32() & mask;
            if drawn <= most {
                break drawn;
            }
        };
        row.swap(last, drawn as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_that_the_harness_wrote() {
        // The first pairs of three pictures in the harness's logs, with 42, 41 and 42 superpixels.
        assert_eq!(pairs(42, 60)[..2], [[38, 31], [15, 12]]);
        assert_eq!(pairs(41, 60)[..2], [[19, 12], [36, 11]]);
        assert_eq!(pairs(42, 60).len(), 60);
    }

    #[test]
    fn an_odd_row_closes_on_itself() {
        let drawn = pairs(3, 2);
        assert_eq!(drawn[1][1], drawn[0][0]);
        assert!(pairs(1, 5).is_empty() && pairs(0, 5).is_empty());
    }
}
