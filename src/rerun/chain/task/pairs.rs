//! Pairs of superpixels, drawn as the harness draws them.

use rand_mt::Mt;

/// The harness's seed.
const SEED: u32 = 25;

/// The first `wanted` pairs of numbers from 1 to `count`: the numbers are shuffled again and again, and neighbours in
/// the shuffled row are pairs; of an odd row the last is paired with the first. Shuffles are those of numpy's
/// `RandomState(25)`. Nothing of fewer than two numbers.
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

/// Shuffles as numpy's legacy generator: from the end, each with one at or before it, drawn by throwing away what is
/// too large under a mask of bits.
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
        // The first pairs of three pictures in its logs: of 42, 41 and 42 superpixels.
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
