//! Results of the checks.

use std::fmt;

use base::format::counted;

base::named_enum! {
    /// Check of the soundness of a benchmark.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Check {
        /// Samples can be answered without their picture.
        Blind = "blind",
        /// All models are right.
        AllRight = "all_right",
        /// All models are wrong.
        AllWrong = "all_wrong",
        /// Better models do worse.
        Reversed = "reversed",
        /// The same question about the same picture occurs again.
        Duplicate = "duplicate",
        /// Nearly the same picture occurs under another name.
        DuplicatePicture = "duplicate_picture",
        /// The form of the options reveals the right option.
        OptionCue = "option_cue",
        /// The label is probably wrong.
        Label = "label",
        /// The sample has several right answers.
        Ambiguous = "ambiguous",
    }
}

impl Check {
    /// Returns the check's name for display.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Blind => "answerable without the picture",
            Self::AllRight => "solved by all models",
            Self::AllWrong => "failed by all models",
            Self::Reversed => "better models do worse",
            Self::Duplicate => "duplicate sample",
            Self::DuplicatePicture => "near-duplicate picture",
            Self::OptionCue => "options give the answer away",
            Self::Label => "suspicious label",
            Self::Ambiguous => "several right answers",
        }
    }

    /// Returns true if samples flagged by this check should be left out of a benchmark.
    pub const fn is_fault(self) -> bool {
        !matches!(
            self,
            Self::AllRight | Self::AllWrong | Self::DuplicatePicture
        )
    }
}

/// Result of one check on one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckResult {
    /// Benchmark that was checked.
    pub benchmark: String,
    /// Ability that was checked.
    pub ability: String,
    /// Check that the result belongs to.
    pub check: Check,
    /// Outcome of the check, or why it was not run.
    pub outcome: Outcome,
    /// Number of samples that were checked.
    pub n: usize,
    /// Number of models whose answers were used; 0 if the check reads no answers.
    pub models: usize,
    /// Evidence as a sentence without a full stop; empty without evidence.
    pub evidence: String,
    /// p value of the fault for the whole ability, adjusted over the abilities; `None` if the
    /// check tests single samples or counts.
    pub p_value: Option<f64>,
    /// Codes of the flagged samples, each with the reason, in log order.
    pub samples: Vec<(u32, String)>,
}

/// Outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The check found a fault.
    Found,
    /// The check found no fault.
    Clear,
    /// The check was not run.
    Refused(Refusal),
}

impl Outcome {
    /// Returns the name: `found`, `clear` or `refused`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Clear => "clear",
            Self::Refused(_) => "refused",
        }
    }

    /// Returns [`Self::Found`] if a fault was found, else [`Self::Clear`].
    pub const fn of(is_found: bool) -> Self {
        if is_found { Self::Found } else { Self::Clear }
    }
}

/// Reason why a check was not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer samples than this can be checked.
    FewSamples(usize),
    /// Fewer models than this answered.
    FewModels(usize),
    /// No sample has options and a known right option.
    NoOptions,
    /// Questions are open: their answers do not come from a closed set.
    OpenAnswers,
    /// No picture was read: none is stored locally, or pictures are off.
    NoPictures,
    /// No question could be read from the logs.
    NoQuestions,
    /// No wrong answer was read: none has a comparable text, or there are too many.
    NoAnswers,
    /// Questions and options have too many words to be compared in memory.
    ManyWords,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewSamples(least) => {
                write!(f, "needs {}", counted(*least as u64, "sample"))
            }
            Self::FewModels(least) => {
                write!(f, "needs answers of {}", counted(*least as u64, "model"))
            }
            Self::NoOptions => f.write_str("no options, or the right option is unknown"),
            Self::OpenAnswers => f.write_str("answers are not from a fixed set"),
            Self::NoPictures => f.write_str("no picture was read"),
            Self::NoQuestions => f.write_str("no question could be read"),
            Self::NoAnswers => f.write_str("no wrong answer can be compared"),
            Self::ManyWords => f.write_str("questions and options have too many words"),
        }
    }
}
