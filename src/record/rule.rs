//! Which per-sample rule the writer of a log applies.

/// The scoring rule that a log's writer applies to one sample. The rules themselves live in `scorer`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// The log does not say: its score counts under every rule, and an answer without one is read by Eyechart's
    /// own strict rules.
    #[default]
    Unstated,
    /// Eyechart's own strict rules.
    Strict,
    /// A multiple-choice question read by letter, then by option text (`VLMEvalKit`, no judge).
    ChoiceMatching,
    /// One box in fractions; right when its centre lies in the target (`VLMEvalKit`, `TDBench` grounding).
    BoxCentroid,
    /// One box in fractions, scored by `IoU` (`VLMEvalKit`, `TDBench` grounding).
    BoxIou,
    /// The evaluator of the record's ability in AVA-Bench.
    AvaBench,
    /// Right when the answer contains one of the targets (`OCRBench`).
    Contained,
    /// The share of annotators who gave the answer, three being enough (VQA accuracy).
    VqaAccuracy,
    /// Right within 5 % of a number, or when the texts are the same (`ChartQA`).
    Relaxed,
    /// The best similarity to one of the targets, from one half on (`DocVQA`, `InfoVQA`).
    Anls,
    /// Right when the texts are the same but for case (`GQA`, `OCR-VQA`).
    SameText,
    /// Right when what the judge extracted is the target, read as the question asks (`MathVista`).
    MathVista,
    /// A task's own code, of which the log tells only what it gave: its score counts, and a sample without one
    /// is left out.
    Stored,
    /// A figure of something that the log does not hold, or that is no answer to be read: it counts under every
    /// rule, and a sample without one is left out.
    Precomputed,
}

impl Rule {
    /// Every rule that a log can name, and its name there.
    const NAMES: [(Self, &str); 13] = [
        (Self::Strict, "strict"),
        (Self::ChoiceMatching, "choice_matching"),
        (Self::BoxCentroid, "box_centroid"),
        (Self::BoxIou, "box_iou"),
        (Self::AvaBench, "ava_bench"),
        (Self::Contained, "contained"),
        (Self::VqaAccuracy, "vqa_accuracy"),
        (Self::Relaxed, "relaxed_accuracy"),
        (Self::Anls, "anls"),
        (Self::SameText, "same_text"),
        (Self::MathVista, "mathvista"),
        (Self::Stored, "stored"),
        (Self::Precomputed, "precomputed"),
    ];

    /// The name in a log; `None` for a rule that is not stated.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        let known = Self::NAMES.iter().find(|(rule, _)| *rule == self);
        known.map(|(_, name)| *name)
    }

    /// The rule of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(_, known)| *known == name);
        known.map(|(rule, _)| *rule)
    }

    /// What reads a response.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Unstated | Self::Strict => "Eyechart's rules",
            Self::ChoiceMatching => "letter and option text",
            Self::BoxCentroid => "the centre of a box",
            Self::BoxIou => "the IoU of a box",
            Self::AvaBench => "AVA-Bench's evaluators",
            Self::Contained => "one of the targets in the answer",
            Self::VqaAccuracy => "VQA accuracy",
            Self::Relaxed => "relaxed accuracy (5 %)",
            Self::Anls => "ANLS from one half on",
            Self::SameText => "the same text but for case",
            Self::MathVista => "MathVista's evaluator",
            Self::Stored | Self::Precomputed => "the task's own code",
        }
    }
}
