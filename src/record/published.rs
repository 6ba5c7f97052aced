//! Published scores: numbers from a paper, leaderboard or harness, without their samples.

/// One published score of a model or of a reference system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedScore {
    /// Name of the benchmark, for example `ava-bench`.
    pub benchmark: String,
    /// Name of the table that contains the score.
    pub table: String,
    /// Group of the model in the paper, for example `specialist` or `control`.
    pub group: String,
    /// Name of the scored model or reference system.
    pub model: String,
    /// Name of the run, if the model has several.
    pub run: Option<String>,
    /// Name of the ability; `all` and `average` are aggregates from the paper.
    pub ability: String,
    /// Split of the data set, for example easy or hard; `None` if there is none.
    pub split: Option<String>,
    /// Name of the metric, for example `accuracy`.
    pub metric: String,
    /// `Some(true)` if higher is better; `None` if the metric has no direction.
    pub higher_is_better: Option<bool>,
    /// Score as a fraction of 1, or in the metric's own unit.
    pub score: f64,
    /// True if a harness computed the score from samples that are also loaded. Such a score is
    /// displayed but never used in ranks.
    pub by_harness: bool,
    /// Number of samples; 0 if unknown.
    pub n: u64,
}

impl PublishedScore {
    /// True if the score is an aggregate over abilities, computed by the paper.
    pub fn is_aggregate(&self) -> bool {
        Self::names_aggregate(&self.ability)
    }

    /// True if an ability name stands for an aggregate over abilities, computed by the paper.
    pub fn names_aggregate(ability: &str) -> bool {
        matches!(ability, "all" | "average")
    }

    /// Group name of scores that a harness computed from samples that are also loaded.
    pub const HARNESS: &str = "harness";

    /// Returns the kind of the scored system, derived from its group and name.
    pub fn kind(&self) -> Kind {
        let name = self.model.to_lowercase();
        match self.group.as_str() {
            "specialist" if name.ends_with("+ chain") => Kind::SpecialistChain,
            "specialist" => Kind::Specialist,
            "control" if name.starts_with("blind") => Kind::BlindGuess,
            "control" if name.starts_with("oracle") => Kind::OracleChain,
            "control" if name.starts_with("random") || name == "chance" => Kind::Chance,
            "control" if name.starts_with("human") => Kind::Human,
            "control" => Kind::Control,
            _ => Kind::Model,
        }
    }
}

/// Kind of a scored system: a model under test, or a reference that puts scores into perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A model under test; only models of this kind are ranked.
    #[default]
    Model,
    /// A model built for this task.
    Specialist,
    /// A specialist that answers the same chain of questions as the models. The difference from the
    /// plain specialist is the loss caused by the chain.
    SpecialistChain,
    /// The chain of questions with every step answered from the annotations; an upper bound.
    OracleChain,
    /// Human participants in a study.
    Human,
    /// A model that received a blank picture: its score without visual information.
    BlindGuess,
    /// Random guessing.
    Chance,
    /// Another reference system.
    Control,
}

impl Kind {
    /// Returns a label of a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Specialist => "specialist",
            Self::SpecialistChain => "specialist + chain",
            Self::OracleChain => "oracle + chain",
            Self::Human => "human",
            Self::BlindGuess => "blind guess",
            Self::Chance => "chance",
            Self::Control => "control",
        }
    }

    /// Returns a label for narrow columns; empty for a model under test.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Model => "",
            Self::Specialist => "spec",
            Self::SpecialistChain => "s+ch",
            Self::OracleChain => "o+ch",
            Self::Human => "human",
            Self::BlindGuess => "blind",
            Self::Chance => "rand",
            Self::Control => "ctrl",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_group_and_name() {
        let kind = |group: &str, model: &str| {
            let row = PublishedScore {
                group: group.to_owned(),
                model: model.to_owned(),
                ..PublishedScore::default()
            };
            row.kind()
        };
        assert_eq!(kind("mfm", "Blind faith 7B"), Kind::Model);
        assert_eq!(kind("specialist", "DETR"), Kind::Specialist);
        assert_eq!(kind("specialist", "DETR + Chain"), Kind::SpecialistChain);
        assert_eq!(kind("control", "Blind Guess"), Kind::BlindGuess);
        assert_eq!(kind("control", "Oracle + Chain (full)"), Kind::OracleChain);
        assert_eq!(kind("control", "Random guessing"), Kind::Chance);
        assert_eq!(kind("control", "Human"), Kind::Human);
        assert_eq!(kind("control", "Other"), Kind::Control);
    }
}
