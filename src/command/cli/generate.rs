//! Arguments of `generate`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Trainer;
use super::input::on_this_machine;

/// Arguments of `generate`.
#[derive(Clone, Debug, Args)]
pub struct Generate {
    /// Which benchmark.
    #[command(subcommand)]
    pub benchmark: Generated,
}

/// A benchmark that can be made.
#[derive(Clone, Debug, Subcommand)]
pub enum Generated {
    /// Geometric figures, with questions about existence, count, location, size and relations
    Gepbench(Gepbench),
    /// The exam: drawn items for the fourteen abilities of AVA-Bench, split into train and test
    Exam(ExamItems),
    /// Ground seen from above, each question at four rotations
    Topdown(ItemSet),
    /// Rooms with objects, annotated pixel by pixel: items for the six tasks of fm-vision-evals and
    /// their chains
    Scenes(Scenes),
    /// The sample runs: five small encoders' answers to all three benchmarks, with pictures, as logs
    SampleRuns(SampleRuns),
}

/// Arguments of `generate sample-runs`.
#[derive(Clone, Debug, Args)]
pub struct SampleRuns {
    /// Folder for exam/, exam-topdown/ and exam-gepbench/
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
    /// Number of items in the exam, a fifth of which is asked; the other sets scale with it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
}

/// Arguments of `generate gepbench`.
#[derive(Clone, Debug, Args)]
pub struct Gepbench {
    /// What to make and where.
    #[command(flatten)]
    pub set: ItemSet,
    /// Which figures have noise; the same seed draws the same figures with and without it
    #[arg(long, value_enum, default_value_t)]
    pub noise: Noise,
}

/// Arguments of `generate exam`.
#[derive(Clone, Debug, Args)]
pub struct ExamItems {
    /// What to make and where.
    #[command(flatten)]
    pub set: ItemSet,
    /// How the pictures are drawn.
    #[command(flatten)]
    pub drawing: Drawing,
}

/// How the pictures of the exam are drawn.
#[derive(Clone, Copy, Debug, Args)]
pub struct Drawing {
    /// Draw the exam with light, shadows and grain; questions, sizes and contrasts stay the same
    #[arg(long)]
    pub rich: bool,
    /// Side of the exam's pictures, in pixels
    #[arg(long, value_name = "PIXELS", value_enum, default_value_t)]
    pub size: Side,
}

/// Side of the pictures of the exam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// 512 pixels
    #[default]
    #[value(name = "512")]
    Usual,
    /// 1,024 pixels
    #[value(name = "1024")]
    Double,
}

impl Side {
    /// Returns the factor by which sides are longer than the default.
    pub const fn times(self) -> u32 {
        match self {
            Self::Usual => 1,
            Self::Double => 2,
        }
    }
}

/// Arguments of `generate scenes`.
#[derive(Clone, Debug, Args)]
pub struct Scenes {
    /// What to make and where.
    #[command(flatten)]
    pub set: ItemSet,
    /// Side of the pictures, in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 512, value_parser = clap::value_parser!(u32).range(128..=2048))]
    pub size: u32,
    /// Draw each object in one colour, without light and patterns; the annotations stay the same
    #[arg(long)]
    pub plain: bool,
}

/// Choice of the figures with noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Noise {
    /// About half of them, at random
    #[default]
    Some,
    /// None
    None,
    /// All
    All,
    /// Each figure once without and once with noise, with the same questions
    Both,
}

/// How many items, from which seed, and where to.
#[derive(Clone, Debug, Args)]
pub struct ItemSet {
    /// Folder to create, with items.jsonl and pictures under images/
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
    /// Number of items (questions)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// The same seed makes the same files, byte for byte
    #[arg(long, value_name = "S", default_value_t = 20_261_121)]
    pub seed: u64,
    /// Also draw overview sheets with the first 20 items of each ability, with or without answers
    #[arg(long, value_name = "WITH", value_enum, num_args = 0..=1, default_missing_value = "answers")]
    pub sheets: Option<Sheets>,
    /// Also write the items in a format for training
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub also: Option<Trainer>,
}

/// Content of sheets next to pictures and questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sheets {
    /// The answers
    Answers,
    /// Nothing, for people to answer
    Blind,
}
