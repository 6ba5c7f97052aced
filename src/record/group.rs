//! Abilities that count as one.

/// Abilities of a benchmark whose columns count as one in average ranks and means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbilityGroup {
    /// What they are together.
    pub name: String,
    /// The benchmark; `None`: any.
    pub benchmark: Option<String>,
    /// The abilities; all splits of one belong to the group.
    pub abilities: Vec<String>,
}

impl AbilityGroup {
    /// Returns true if an ability of a benchmark belongs to the group.
    #[must_use]
    pub fn has(&self, benchmark: &str, ability: &str) -> bool {
        let of_benchmark = self.benchmark.as_ref();
        of_benchmark.is_none_or(|known| known == benchmark)
            && self.abilities.iter().any(|known| known == ability)
    }
}
