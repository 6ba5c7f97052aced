//! Converts the enums of the command line to the enums of other crates.

use crate::cli::{self, ForeignFormat, Format};
#[cfg(feature = "exam")]
use crate::cli::{ExamSet, Noise, Trainer};
#[cfg(feature = "exam")]
use exam::{gepbench, trainer::TrainerFormat, training_set::TrainingSet};
use reader::annotations::Tool;
use workspace::export::folder::Layout;

/// Converts the format of a document.
pub const fn format(format: Format) -> ::report::Format {
    match format {
        Format::Table => ::report::Format::Table,
        Format::Json => ::report::Format::Json,
        Format::Jsonl => ::report::Format::Jsonl,
        Format::Csv => ::report::Format::Csv,
        Format::Markdown => ::report::Format::Markdown,
        Format::Html => ::report::Format::Html,
        Format::Arrow => ::report::Format::Arrow,
    }
}

/// Converts the format of another program.
pub const fn layout(format: ForeignFormat) -> Layout {
    match format {
        ForeignFormat::Eee => Layout::EveryEvalEver,
        ForeignFormat::Hf => Layout::HuggingFace,
        ForeignFormat::Inspect => Layout::Inspect,
    }
}

/// Converts the annotation tool.
pub const fn tool(tool: cli::Tool) -> Tool {
    match tool {
        cli::Tool::LabelStudio => Tool::LabelStudio,
        cli::Tool::Coco => Tool::Coco,
        cli::Tool::FiftyOne => Tool::FiftyOne,
    }
}

/// Converts the question set of an exam.
#[cfg(feature = "exam")]
pub const fn exam_set(set: ExamSet) -> TrainingSet {
    match set {
        ExamSet::Exam => TrainingSet::Exam,
        ExamSet::Gepbench => TrainingSet::Gepbench,
        ExamSet::Topdown => TrainingSet::TopDown,
        ExamSet::Scenes => TrainingSet::Scenes,
    }
}

/// Converts the noise on the figures of `GePBench`.
#[cfg(feature = "exam")]
pub const fn noise(noise: Noise) -> gepbench::Noise {
    match noise {
        Noise::Some => gepbench::Noise::Some,
        Noise::None => gepbench::Noise::None,
        Noise::All => gepbench::Noise::All,
        Noise::Both => gepbench::Noise::Both,
    }
}

/// Converts the format of training data.
#[cfg(feature = "exam")]
pub const fn trainer(format: Trainer) -> TrainerFormat {
    match format {
        Trainer::Llava => TrainerFormat::Llava,
        Trainer::Webdataset => TrainerFormat::WebDataset,
    }
}
