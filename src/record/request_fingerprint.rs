//! Fingerprint of a record's request, to compare two records of one item and list their
//! differences.

/// Fingerprint of a request: one 16-bit hash each for question, options, target and picture. A hash
/// of 0 means that the part is taken from the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestFingerprint(u64);

impl RequestFingerprint {
    /// Names of the parts, lowest bits first.
    pub const PARTS: [&'static str; 4] = ["question", "options", "target", "picture"];
    const BITS: usize = 16;
    /// Bit mask of the first part.
    const PART: u64 = 0xffff;

    /// Fingerprint of a rerun that repeats the log's request unchanged.
    pub const AS_LOGGED: Self = Self(0);

    /// Builds a fingerprint from one hash per part, in the order of [`Self::PARTS`].
    pub fn new(hashes: [u64; Self::PARTS.len()]) -> Self {
        // 0 has a special meaning (as in the log), so a hash of 0 becomes 1.
        let lane = |(at, hash): (usize, u64)| (hash & Self::PART).max(1) << (at * Self::BITS);
        Self(hashes.into_iter().enumerate().map(lane).sum())
    }

    /// Marks the picture as the log's own. The fingerprint then no longer depends on the picture's
    /// file name.
    #[must_use]
    pub const fn with_logged_picture(self) -> Self {
        Self(self.0 & !(Self::PART << ((Self::PARTS.len() - 1) * Self::BITS)))
    }

    /// Returns the bits in which two requests differ. Ignores parts that either request takes from
    /// the log.
    #[must_use]
    pub fn known_differences(self, other: Self) -> Self {
        let (mine, its) = (self.parts(), other.parts());
        let known = mine.into_iter().zip(its).zip(0..);
        let kept = known.filter(|((mine, its), _)| *mine && *its);
        let bits: u64 = kept
            .map(|(_, at): (_, usize)| Self::PART << (at * Self::BITS))
            .sum();
        Self(self.differences(other).0 & bits)
    }

    /// Returns the bits in which two fingerprints differ; no bits are set if they are equal.
    #[must_use]
    pub const fn differences(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Returns the union of the bits of two fingerprints.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if no bit is set.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns whether each part has a bit set, in the order of [`Self::PARTS`].
    pub fn parts(self) -> [bool; Self::PARTS.len()] {
        std::array::from_fn(|at| self.0 >> (at * Self::BITS) & Self::PART != 0)
    }

    /// Joins the names of all parts with a bit set, for example `question and picture`.
    pub fn words(self) -> String {
        let parts = Self::PARTS.into_iter().zip(self.parts());
        let named: Vec<&str> = parts
            .filter_map(|(name, has)| has.then_some(name))
            .collect();
        named.join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::RequestFingerprint;

    #[test]
    fn parts_that_differ_are_told() {
        let [one, other] = [[7, 0xffff_0001, 3, 4], [7, 1, 3, 5]].map(RequestFingerprint::new);
        assert_eq!(one.differences(other).parts(), [false, false, false, true]);
        assert!(one.differences(one).is_none());
    }

    #[test]
    fn what_asks_as_its_log_differs_from_nothing() {
        let known = RequestFingerprint::new([1, 2, 3, 4]);
        assert!(
            RequestFingerprint::AS_LOGGED
                .known_differences(known)
                .is_none()
                && known
                    .known_differences(RequestFingerprint::AS_LOGGED)
                    .is_none()
        );
        assert!(
            !known
                .known_differences(RequestFingerprint::new([0; 4]))
                .is_none()
        );
    }

    #[test]
    fn the_logs_own_picture_may_have_any_name() {
        let [log, turned] = [[1, 2, 3, 4], [1, 2, 3, 9]].map(RequestFingerprint::new);
        assert_eq!(log.known_differences(turned).words(), "picture");
        let turned = turned.with_logged_picture();
        assert!(log.known_differences(turned).is_none() && turned.known_differences(log).is_none());
        let other = RequestFingerprint::new([7, 2, 3, 9]).with_logged_picture();
        assert_eq!(log.known_differences(other).words(), "question");
    }

    #[test]
    fn two_that_differ_from_a_third_alike_are_the_same() {
        let [first, one, other] =
            [[1, 2, 3, 4], [9, 2, 3, 4], [9, 2, 3, 4]].map(RequestFingerprint::new);
        assert!(
            first
                .differences(one)
                .differences(first.differences(other))
                .is_none()
        );
    }
}
