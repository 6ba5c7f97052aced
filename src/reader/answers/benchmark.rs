//! Benchmarks whose label files can be read.

use record::Rule;

/// Benchmark with labels in a separate file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    Pope,
    TextVqa,
    ScienceQa,
    Gqa,
    MmVet,
    VqaV2,
    OkVqa,
}

impl Benchmark {
    /// Returns the benchmark's name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pope => "pope",
            Self::TextVqa => "textvqa",
            Self::ScienceQa => "scienceqa",
            Self::Gqa => "gqa",
            Self::MmVet => "mm-vet",
            Self::VqaV2 => "vqa-v2",
            Self::OkVqa => "ok-vqa",
        }
    }

    /// Returns the scoring rule of the benchmark's evaluator. The evaluator of MM-Vet is a judge
    /// model, so its stored scores are used.
    pub const fn rule(self) -> Rule {
        match self {
            Self::Pope => Rule::Pope,
            Self::TextVqa | Self::VqaV2 | Self::OkVqa => Rule::VqaAccuracy,
            Self::ScienceQa => Rule::ScienceQa,
            Self::Gqa => Rule::Gqa,
            Self::MmVet => Rule::Stored,
        }
    }

    /// Returns the name of the headline metric.
    pub const fn metric(self) -> &'static str {
        match self {
            Self::MmVet => "score",
            _ => "accuracy",
        }
    }
}
