//! Groups of abilities that count as one ability.

/// Abilities of a benchmark that count as one ability in average ranks and means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AbilityGroup {
    /// Name of the group, such as `classification`.
    pub name: String,
    /// Name of the benchmark; `None` matches all benchmarks.
    pub benchmark: Option<String>,
    /// Names of the abilities; all splits of an ability belong to the group.
    pub abilities: Vec<String>,
}

impl AbilityGroup {
    /// True if an ability of a benchmark belongs to the group.
    pub fn has(&self, benchmark: &str, ability: &str) -> bool {
        let of_benchmark = self.benchmark.as_ref();
        of_benchmark.is_none_or(|known| known == benchmark)
            && self.abilities.iter().any(|known| known == ability)
    }
}
