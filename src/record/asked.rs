//! Whether two records of one item ask the same, and if not, what differs.

/// What a record asks, so far as it takes to tell it from another: sixteen bits for each part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked(u64);

impl Asked {
    /// The parts, in the order of their bits.
    pub const PARTS: [&'static str; 4] = ["question", "options", "target", "picture"];
    const BITS: usize = 16;
    /// The bits of the first part.
    const PART: u64 = 0xffff;

    /// What asks the same as its log does, whatever that is: a rerun as the log asked.
    pub const AS_LOGGED: Self = Self(0);

    /// From a hash of each part.
    #[must_use]
    pub fn new(hashes: [u64; Self::PARTS.len()]) -> Self {
        // A part without bits would be one that is as the log has it.
        let lane = |(at, hash): (usize, u64)| (hash & Self::PART).max(1) << (at * Self::BITS);
        Self(hashes.into_iter().enumerate().map(lane).sum())
    }

    /// The same with the picture that the log has, whatever it is called now.
    #[must_use]
    pub const fn with_logged_picture(self) -> Self {
        Self(self.0 & !(Self::PART << ((Self::PARTS.len() - 1) * Self::BITS)))
    }

    /// The bits in which what one record asks differs from what another asks: none of a part that either asks as its log
    /// does.
    #[must_use]
    pub fn beside(self, other: Self) -> Self {
        let (mine, its) = (self.parts(), other.parts());
        let known = mine.into_iter().zip(its).zip(0..);
        let kept = known.filter(|((mine, its), _)| *mine && *its);
        let bits: u64 = kept
            .map(|(_, at): (_, usize)| Self::PART << (at * Self::BITS))
            .sum();
        Self(self.apart(other).0 & bits)
    }

    /// The bits in which two records differ: none where they ask the same.
    #[must_use]
    pub const fn apart(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The bits of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether these are no bits at all.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Which parts have bits.
    #[must_use]
    pub fn parts(self) -> [bool; Self::PARTS.len()] {
        std::array::from_fn(|at| self.0 >> (at * Self::BITS) & Self::PART != 0)
    }

    /// The names of the parts that have bits: `question and picture`.
    #[must_use]
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
    use super::Asked;

    #[test]
    fn parts_that_differ_are_told() {
        let [one, other] = [[7, 0xffff_0001, 3, 4], [7, 1, 3, 5]].map(Asked::new);
        assert_eq!(one.apart(other).parts(), [false, false, false, true]);
        assert!(one.apart(one).is_none());
    }

    #[test]
    fn what_asks_as_its_log_differs_from_nothing() {
        let known = Asked::new([1, 2, 3, 4]);
        assert!(
            Asked::AS_LOGGED.beside(known).is_none() && known.beside(Asked::AS_LOGGED).is_none()
        );
        assert!(!known.beside(Asked::new([0; 4])).is_none());
    }

    #[test]
    fn the_logs_own_picture_may_have_any_name() {
        let [log, turned] = [[1, 2, 3, 4], [1, 2, 3, 9]].map(Asked::new);
        assert_eq!(log.beside(turned).words(), "picture");
        let turned = turned.with_logged_picture();
        assert!(log.beside(turned).is_none() && turned.beside(log).is_none());
        let other = Asked::new([7, 2, 3, 9]).with_logged_picture();
        assert_eq!(log.beside(other).words(), "question");
    }

    #[test]
    fn two_that_differ_from_a_third_alike_are_the_same() {
        let [first, one, other] = [[1, 2, 3, 4], [9, 2, 3, 4], [9, 2, 3, 4]].map(Asked::new);
        assert!(first.apart(one).apart(first.apart(other)).is_none());
    }
}
