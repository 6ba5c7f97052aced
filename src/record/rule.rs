//! Scoring rules that harnesses apply to their samples.

/// Scoring rule that a harness applies to one sample. The rules are implemented in `scorer`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// The log names no rule. A score in the log counts under every rule; an answer without a score
    /// is scored by Eyechart's strict rules.
    #[default]
    Unstated,
    /// Eyechart's own strict rules.
    Strict,
    /// Multiple choice, matched by letter, then by option text (as in `VLMEvalKit` without a
    /// judge).
    ChoiceMatching,
    /// One box in fractions of the picture; right if its centre is inside the target (grounding of
    /// `TDBench` in `VLMEvalKit`).
    BoxCentroid,
    /// One box in fractions of the picture, scored by `IoU` (grounding of `TDBench` in
    /// `VLMEvalKit`).
    BoxIou,
    /// AVA-Bench's evaluator for the ability of the record.
    AvaBench,
    /// Right if the answer contains any of the targets (`OCRBench`).
    Contained,
    /// Share of annotators with the same answer; three agreeing annotators give the full score (VQA
    /// accuracy).
    VqaAccuracy,
    /// Like [`Self::VqaAccuracy`], for a response that pandas read from a table: `None` and `N/A`
    /// are missing (`TextVQA` in `VLMEvalKit`).
    TableVqaAccuracy,
    /// Right if the number is within 5 % of the target, or if the texts are equal (`ChartQA`).
    Relaxed,
    /// Highest similarity to any target; 0 if it is below one half (`DocVQA`, `InfoVQA`).
    Anls,
    /// Right if the texts are equal, ignoring case (`GQA`, `OCR-VQA`).
    SameText,
    /// Right if the answer extracted by the judge, converted to the question's answer type, equals
    /// the target (`MathVista`, `MathVision`).
    MathVista,
    /// Yes or no: no if the first sentence contains `no`, `No` or `not`, else yes (POPE).
    Pope,
    /// Yes or no, if the word occurs in the first four characters (MME).
    Mme,
    /// The option letter that the answer consists of, starts with or states (`ScienceQA` in
    /// `LLaVA`).
    ScienceQa,
    /// Right if the texts are equal in lower case, ignoring full stops at the end (`GQA` in
    /// `LLaVA`).
    Gqa,
    /// MMMU's own evaluator for options and open questions.
    Mmmu,
    /// Code of the task that Eyechart does not reproduce. The score in the log counts; samples
    /// without a score are skipped.
    Stored,
    /// A value that cannot be recomputed from the log. It counts under every rule; samples without
    /// a value are skipped.
    Precomputed,
}

impl Rule {
    /// All rules that a log can name, with their names.
    const NAMES: [(Self, &str); 19] = [
        (Self::Strict, "strict"),
        (Self::ChoiceMatching, "choice_matching"),
        (Self::BoxCentroid, "box_centroid"),
        (Self::BoxIou, "box_iou"),
        (Self::AvaBench, "ava_bench"),
        (Self::Contained, "contained"),
        (Self::VqaAccuracy, "vqa_accuracy"),
        (Self::TableVqaAccuracy, "table_vqa_accuracy"),
        (Self::Relaxed, "relaxed_accuracy"),
        (Self::Anls, "anls"),
        (Self::SameText, "same_text"),
        (Self::MathVista, "mathvista"),
        (Self::Pope, "pope"),
        (Self::Mme, "mme"),
        (Self::ScienceQa, "scienceqa"),
        (Self::Gqa, "gqa"),
        (Self::Mmmu, "mmmu"),
        (Self::Stored, "stored"),
        (Self::Precomputed, "precomputed"),
    ];

    /// Returns the name used in logs; `None` for [`Self::Unstated`].
    pub fn name(self) -> Option<&'static str> {
        let known = Self::NAMES.iter().find(|(rule, _)| *rule == self);
        known.map(|(_, name)| *name)
    }

    /// Returns the rule with this name in logs; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(_, known)| *known == name);
        known.map(|(rule, _)| *rule)
    }

    /// Describes in a few words what the rule compares.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Unstated | Self::Strict => "Eyechart's rules",
            Self::ChoiceMatching => "letter and option text",
            Self::BoxCentroid => "the centre of a box",
            Self::BoxIou => "the IoU of a box",
            Self::AvaBench => "AVA-Bench's evaluators",
            Self::Contained => "one of the targets in the answer",
            Self::VqaAccuracy | Self::TableVqaAccuracy => "VQA accuracy",
            Self::Relaxed => "relaxed accuracy (5 %)",
            Self::Anls => "ANLS of at least one half",
            Self::SameText => "equal text, ignoring case",
            Self::MathVista => "MathVista's evaluator",
            Self::Pope => "a no in the first sentence (POPE)",
            Self::Mme => "yes or no at the start (MME)",
            Self::ScienceQa => "the letter of the answer (ScienceQA)",
            Self::Gqa => "equal text in lower case (GQA)",
            Self::Mmmu => "MMMU's evaluator",
            Self::Stored | Self::Precomputed => "the task's own code",
        }
    }
}
