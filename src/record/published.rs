//! Scores that a paper, a leaderboard or a harness prints, without the samples behind them.

/// One printed number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// Benchmark name.
    pub benchmark: String,
    /// The table that prints it.
    pub table: String,
    /// The paper's own grouping of models.
    pub group: String,
    /// Model name.
    pub model: String,
    /// The run, where the model has several.
    pub run: Option<String>,
    /// Ability; `all` and `average` are the paper's own aggregates.
    pub ability: String,
    /// Easy or hard, a variant of the data set; `None` where the table has no split.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// `Some(true)`: higher is better; `None`: neither is.
    pub higher_is_better: Option<bool>,
    /// The score as a fraction of one, or in the metric's own unit.
    pub score: f64,
    /// A harness's own figure over the samples beside it: shown, never the one that ranks.
    pub by_harness: bool,
    /// Samples behind the score; 0 where that is not told.
    pub n: u64,
}

impl Published {
    /// Whether the row is the paper's own aggregate over abilities.
    #[must_use]
    pub fn is_aggregate(&self) -> bool {
        matches!(self.ability.as_str(), "all" | "average")
    }

    /// The group of figures that a harness computed from samples that are there as well.
    pub const HARNESS: &str = "harness";

    /// What kind of thing was scored, by the paper's group and, within it, by name.
    #[must_use]
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

/// What a score is of: a model under test, or something that shows what its score is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A model under test, the only kind that is ranked.
    #[default]
    Model,
    /// A model made for the task.
    Specialist,
    /// A specialist that answers the same chain of questions as the models under test: the difference to the
    /// specialist is what the chain costs.
    SpecialistChain,
    /// The chain with every question answered from the annotations: the best that the chain allows.
    OracleChain,
    /// People.
    Human,
    /// A model that was shown a blank picture: what is scored without looking.
    BlindGuess,
    /// Guessing at random.
    Chance,
    /// Another control.
    Control,
}

impl Kind {
    /// What it is in a few words.
    #[must_use]
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

    /// In a narrow column.
    #[must_use]
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
            let row = Published {
                group: group.to_owned(),
                model: model.to_owned(),
                ..Published::default()
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
