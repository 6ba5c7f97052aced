//! The command line as plain data; only `command` interprets it.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod across;
mod examples;
mod judge;

use std::path::PathBuf;

pub use across::{Against, Columns, ItemOrder, Items, Matrix, Models, Trend};
pub use judge::Judge;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Inspect benchmark runs of vision models.
#[derive(Debug, Parser)]
#[command(
    name = "eyechart",
    version,
    about,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = examples::UI
)]
pub struct Cli {
    /// What to do; without one, the terminal UI opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The terminal UI's arguments.
    #[command(flatten)]
    pub view: View,
}

/// Sub-commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Scores, ranks, subgroups and reliability without the UI
    #[command(after_help = examples::REPORT)]
    Report(Report),
    /// Two models, or two filters, side by side: is the difference real, and where
    #[command(after_help = examples::COMPARE)]
    Compare(Compare),
    /// The sample list, one row a prediction
    #[command(after_help = examples::SAMPLES)]
    Samples(Samples),
    /// One sample as a card in the scrollback, picture included
    #[command(after_help = examples::SHOW)]
    Show(Show),
    /// Label audit: verdicts, error rate with its bound, scores and ranks without the flagged samples
    #[command(after_help = examples::VERDICTS)]
    Verdicts(Verdicts),
    /// Read everything and list each problem with file and line
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Write all logs into one file that opens again
    #[command(after_help = examples::CONVERT)]
    Convert(Convert),
    /// What the ranks rest on: tie groups, flips that change first place, what one ability or data set decides
    #[command(after_help = examples::RANKS)]
    Ranks(Ranks),
    /// Everything that is open in one matrix: models against abilities or benchmarks, mean score beside mean rank
    #[command(after_help = examples::MATRIX)]
    Matrix(Matrix),
    /// Every pair of models: who is better, by how much, on how many samples, and whether that is sure
    #[command(after_help = examples::WINS)]
    Wins(Ranks),
    /// Difficulty and discrimination of each sample over the models: dead and broken samples
    #[command(after_help = examples::ITEMS)]
    Items(Items),
    /// Score against the size or the date of models, family by family
    #[command(after_help = examples::TREND)]
    Trend(Trend),
    /// What is known of the models: spellings, family, size, date, with the source
    #[command(after_help = examples::MODELS)]
    Models(Models),
    /// What this terminal can show, and why
    #[command(after_help = examples::DOCTOR)]
    Doctor(Doctor),
    /// A script that completes this command line in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// The manual page
    #[command(after_help = examples::MAN)]
    Man(ManPages),
    /// Subgroups over one or two tags that depart from the rest of their ability
    #[command(after_help = examples::SLICES)]
    Slices(Slices),
    /// Where the harness's scores and Eyechart's own rule disagree: how often, why, and what it does to the ranks
    #[command(after_help = examples::SCORERS)]
    Scorers(Scorers),
    /// Do two sets of runs rank the models alike, and how few samples keep the ranking
    #[command(after_help = examples::AGREE)]
    Agree(Agree),
    /// Make benchmark items with known answers
    #[command(after_help = examples::GENERATE)]
    Generate(Generate),
    /// Ask a live model again what the logs asked, under a protocol
    #[command(after_help = examples::RERUN)]
    Rerun(Rerun),
    /// Put a fresh exam to a live model, and show it beside small encoders and chance
    #[command(after_help = examples::EXAM)]
    Exam(Exam),
    /// Have a model judge free answers, and measure it against the other rules
    #[command(after_help = examples::JUDGE)]
    Judge(Judge),
    /// A page of the manual, such as filters, keys or formats; without one, the list of pages
    #[command(after_help = examples::HELP)]
    Help(Help),
}

/// What to open.
#[derive(Clone, Debug, Default, Args)]
pub struct Input {
    /// Files, folders or globs of logs; without one, `sample_runs` is opened
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// A folder with data sets and pictures (repeatable)
    #[arg(long, value_name = "DIR")]
    pub data: Vec<PathBuf>,
    /// The ability of AVA-Bench logs whose folder and wording tell none; `tag:KEY` takes that of Inspect, lmms-eval
    /// and lm-eval samples from a tag, such as a key of their metadata
    #[arg(long, value_name = "NAME")]
    pub ability: Option<String>,
    /// Which runs are read: 'latest' of each model and data set, 'all', or those with ID in their name or path; else
    /// all but repetitions of the same experiment
    #[arg(
        long,
        value_name = "latest|all|ID",
        default_value = "",
        hide_default_value = true
    )]
    pub runs: String,
    /// From which score on an answer counts as right, such as 'giou=0.7' (repeatable); without it, what is usual for
    /// the metric
    #[arg(long, value_name = "METRIC=SCORE", value_parser = right_from)]
    pub right: Vec<(String, f64)>,
    /// The file that verdicts on labels go to; without it, one beside the logs
    #[arg(long, value_name = "FILE")]
    pub verdicts: Option<PathBuf>,
    /// Follow links that lead out of the folders that are opened
    #[arg(long)]
    pub follow_links: bool,
}

/// Which predictions, and by whose rules.
#[derive(Clone, Debug, Default, Args)]
pub struct Lens {
    /// Only predictions that pass, such as 'ability:counting score<0.5'; published scores by benchmark, ability, model,
    /// metric, split, group and table, such as 'group:open'
    #[arg(
        long,
        value_name = "EXPR",
        default_value = "",
        hide_default_value = true
    )]
    pub filter: String,
    /// Whose rules score: the harness's own, or Eyechart's
    #[arg(long, value_enum, default_value_t)]
    pub scoring: Rules,
}

/// Whose rules score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// The rules of the harness that wrote the log
    #[default]
    Harness,
    /// Eyechart's own
    Strict,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    #[default]
    On,
    /// Off
    Off,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    #[default]
    Table,
    /// One JSON document
    Json,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
    /// One page with tables and charts that needs nothing else
    Html,
}

/// How and where an answer is written.
#[derive(Clone, Debug, Default, Args)]
pub struct Output {
    /// How to write it; told by the ending of `--out`, else a table
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The file to write: .html, .md, .csv, .json or .jsonl
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of the terminal UI.
#[derive(Clone, Debug, Args)]
pub struct View {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// The lens to begin with.
    #[command(flatten)]
    pub lens: Lens,
    /// How pictures are shown
    #[arg(long, value_name = "HOW", value_enum)]
    pub images: Option<Images>,
    /// The name under which verdicts are kept
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// How many bytes a picture may cost: 60 kB over SSH (auto), 20 kB (low), any number (full)
    #[arg(long, value_name = "HOW", value_enum)]
    pub bandwidth: Option<Bandwidth>,
    /// Colours: dark, light, deuteranopia, tritanopia, high-contrast or monochrome
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Begin anew, not where these logs were left
    #[arg(long)]
    pub fresh: bool,
    /// Show the logs as they are now, whatever is added to them
    #[arg(long)]
    pub no_follow: bool,
}

impl View {
    /// What opens where nothing else is said.
    #[must_use]
    pub fn of(input: Input) -> Self {
        Self {
            input,
            lens: Lens::default(),
            images: None,
            author: None,
            bandwidth: None,
            theme: None,
            fresh: false,
            no_follow: false,
        }
    }
}

/// How pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Images {
    /// The best that the terminal answers for
    #[default]
    Auto,
    /// The kitty graphics protocol
    Kitty,
    /// Sixel
    Sixel,
    /// iTerm2's inline images
    Iterm2,
    /// Half blocks, which every terminal can show
    Blocks,
    /// No pictures
    Off,
}

/// How many bytes a picture may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Bandwidth {
    /// Bounded over SSH
    #[default]
    Auto,
    /// As few as still show something
    Low,
    /// As many as the screen has pixels for
    Full,
}

/// Arguments of `report`.
#[derive(Clone, Debug, Args)]
pub struct Report {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Share of the samples that most models answered which all ranked models must have answered; the model that
    /// lacks most is left unranked while it is smaller (0.8 unless set)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// Make the report in FILE (.json) again, and tell what has changed since
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub verify: Option<PathBuf>,
    /// What to split by: tags or conditions, 'a*b' crossed, with bins '`box_area:0,0.1,0.5`', '`depth_m:log:5`',
    /// ':quantile:4', ':width:6'
    #[arg(long, value_name = "SPEC")]
    pub by: Option<String>,
    /// Which metrics subgroups carry
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metrics,
    /// Two models, or two filters, that are compared as `compare` does
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pub compare: Vec<String>,
    /// How many of the worst samples of each ability an HTML page shows with their pictures (4 unless set); 0: none, and no
    /// answers side by side
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

impl Report {
    /// The whole report of what is there.
    #[must_use]
    pub fn of(input: Input, format: Option<Format>) -> Self {
        Self {
            input,
            lens: Lens::default(),
            coverage: None,
            verify: None,
            by: None,
            metric: Metrics::default(),
            compare: Vec::new(),
            samples: None,
            output: Output { format, out: None },
        }
    }
}

/// Which metrics are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Metrics {
    /// The one that ranks
    #[default]
    Headline,
    /// All of them
    All,
}

/// Where graded scores are cut into right and wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// Where the metric usually is.
    Usual,
    /// At a score.
    At(f64),
}

fn threshold(text: &str) -> Result<Cut, String> {
    match (text, text.parse::<f64>()) {
        ("usual", _) => Ok(Cut::Usual),
        (_, Ok(score)) if score.is_finite() => Ok(Cut::At(score)),
        _ => Err("a number, or `usual`".to_owned()),
    }
}

/// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// A model, or a filter expression such as 'boxes:true'
    #[arg(value_name = "A")]
    pub a: String,
    /// The other model, or another filter expression
    #[arg(value_name = "B")]
    pub b: String,
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// What to split by, as `report` does
    #[arg(long, value_name = "SPEC")]
    pub by: Option<String>,
    /// Split this ability alone; p values of abilities stay adjusted over all of them
    #[arg(long, value_name = "ABILITY")]
    pub within: Option<String>,
    /// Which metrics are compared
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metrics,
    /// From which graded score on an answer counts as right, in the metric's own unit; usual: as is usual for it
    #[arg(long, value_name = "SCORE|usual", allow_negative_numbers = true, value_parser = threshold)]
    pub threshold: Option<Cut>,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `samples`.
#[derive(Clone, Debug, Args)]
pub struct Samples {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// In which order: log, score (worst first), sample, model, suspect (likely label errors first), hard (most models
    /// wrong first), discrimination (better models worse first), or family, parameters, released of the model; a
    /// leading '-' turns it round; gap:MODEL, the farthest from that
    /// model's score first
    #[arg(
        long,
        value_name = "KEY",
        default_value = "log",
        allow_hyphen_values = true
    )]
    pub sort: String,
    /// At most so many rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `show`.
#[derive(Clone, Debug, Args)]
pub struct Show {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// The harness's id of the sample
    #[arg(long, value_name = "ID")]
    pub sample: String,
    /// Only this model's answer
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// How pictures are shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub images: Images,
}

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub struct Check {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Exit with 3 if there is any problem
    #[arg(long)]
    pub strict: bool,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `doctor`.
#[derive(Clone, Debug, Args)]
pub struct Doctor {
    /// How to write it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `completions`.
#[derive(Clone, Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell that can complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
    /// Elvish
    Elvish,
    /// `PowerShell`
    Powershell,
}

/// Arguments of `man`.
#[derive(Clone, Debug, Args)]
pub struct ManPages {
    /// Write a page for every command into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Arguments of `help`.
#[derive(Clone, Debug, Args)]
pub struct Help {
    /// The page; or a command, for its options
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}

/// Arguments of `convert`.
#[derive(Clone, Debug, Args)]
pub struct Convert {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// The file to write: .parquet, .arrow, .jsonl or .csv
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Arguments of `agree`.
#[derive(Clone, Debug, Args)]
pub struct Agree {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// The two sets of runs, each a filter such as 'prompt:short', or scoring:harness, scoring:strict
    #[arg(
        long,
        num_args = 2,
        value_names = ["EXPR", "EXPR"],
        allow_hyphen_values = true,
        required_unless_present = "subset",
        conflicts_with = "subset"
    )]
    pub between: Vec<String>,
    /// The part of a model's name by which it is found again in the other set, such as '^[^_]+'
    #[arg(long, value_name = "REGEX", conflicts_with = "subset")]
    pub name: Option<String>,
    /// Instead of two sets: the smallest random subset of samples that keeps the ranking
    #[arg(long)]
    pub subset: bool,
    /// The tau-b that 19 of 20 random subsets must keep
    #[arg(long, value_name = "TAU", default_value_t = 0.9, requires = "subset")]
    pub threshold: f64,
    /// Random draws at each size
    #[arg(long, value_name = "N", default_value_t = 200, requires = "subset")]
    pub draws: u16,
    /// Seed of the draws
    #[arg(
        long,
        value_name = "S",
        default_value_t = 20_261_121,
        requires = "subset"
    )]
    pub seed: u64,
    /// Write the subset's samples: .jsonl, else one id a line; the filter ids:FILE selects them
    #[arg(long, value_name = "FILE", requires = "subset")]
    pub ids: Option<PathBuf>,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `slices`.
#[derive(Clone, Debug, Args)]
pub struct Slices {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Only this model; without it, every model
    #[arg(long, value_name = "NAME", conflicts_with = "compare")]
    pub model: Option<String>,
    /// The difference of two models' scores of the same samples
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true)]
    pub compare: Vec<String>,
    /// Share of false findings that is accepted before confirmation
    #[arg(long, value_name = "Q", default_value_t = 0.05)]
    pub q: f64,
    /// Seed of the two halves, one to find and one to confirm
    #[arg(long, value_name = "S", default_value_t = 20_261_121)]
    pub seed: u64,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `verdicts`.
#[derive(Clone, Debug, Args)]
pub struct Verdicts {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Count this person's verdicts alone, and draw spot checks for them
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// Leave ambiguous samples out as well, not only wrong labels and bad images
    #[arg(long)]
    pub drop_ambiguous: bool,
    /// Take over the entries of another file of verdicts ('-': standard input) that are not there yet; each one
    /// that is on the disk is acknowledged by a line
    #[arg(long, value_name = "FILE", conflicts_with = "spot_check")]
    pub import: Option<PathBuf>,
    /// Draw N samples that the author has not judged, spread over abilities and data sets
    #[arg(long, value_name = "N")]
    pub spot_check: Option<usize>,
    /// The seed of the draw
    #[arg(long, value_name = "S", default_value_t = 1, requires = "spot_check")]
    pub seed: u64,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Arguments of `ranks` and `wins`.
#[derive(Clone, Debug, Args)]
pub struct Ranks {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Share of the samples that most models answered which all ranked models must have answered; the model that
    /// lacks most is left unranked while it is smaller (0.8 unless set)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// A number from 0 to 1.
fn right_from(text: &str) -> Result<(String, f64), String> {
    let parts = text
        .split_once('=')
        .map(|(metric, score)| (metric, score.parse::<f64>()));
    match parts {
        Some((metric, Ok(score))) if !metric.is_empty() && score.is_finite() => {
            Ok((metric.to_owned(), score))
        }
        _ => Err("a metric and a score, such as giou=0.7".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(format!("{text} is not between 0 and 1"))
    }
}

/// Arguments of `scorers`.
#[derive(Clone, Debug, Args)]
pub struct Scorers {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Samples that are shown for each reason
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub examples: usize,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

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
    /// Geometric figures, and questions on what exists in them, how often, where, how large and how related
    Gepbench(Gepbench),
    /// The exam: drawn items for the fourteen abilities of AVA-Bench, split into train and test
    Exam(ItemSet),
    /// Ground seen from above, each question at four rotations
    Topdown(ItemSet),
    /// The sample runs: five small encoders' answers to all three benchmarks, with pictures, as logs
    SampleRuns(SampleRuns),
}

/// Arguments of `generate sample-runs`.
#[derive(Clone, Debug, Args)]
pub struct SampleRuns {
    /// The folder to put exam/, exam-topdown/ and gepbench/ into
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Items of the exam, of which a fifth is asked; the others' numbers follow it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
}

/// Arguments of `generate gepbench`.
#[derive(Clone, Debug, Args)]
pub struct Gepbench {
    /// What to make and where.
    #[command(flatten)]
    pub set: ItemSet,
    /// Which figures have noise; the same seed draws the same figures with and without
    #[arg(long, value_enum, default_value_t)]
    pub noise: Noise,
}

/// Which figures have noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Noise {
    /// Every other one, by chance
    #[default]
    Some,
    /// None
    None,
    /// All
    All,
    /// Each figure once without and once with noise; its questions are asked of both
    Both,
}

/// How many items, from which seed, and where to.
#[derive(Clone, Debug, Args)]
pub struct ItemSet {
    /// The folder to make: items.jsonl, and pictures under images/
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How many items (questions)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// The same seed makes the same files, byte for byte
    #[arg(long, value_name = "S", default_value_t = 20_261_121)]
    pub seed: u64,
    /// Also draw sheets to look at: the first 20 items of each ability, with or without the answers
    #[arg(long, value_name = "WITH", value_enum, num_args = 0..=1, default_missing_value = "answers")]
    pub sheets: Option<Sheets>,
}

/// What sheets show beside pictures and questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sheets {
    /// The answers
    Answers,
    /// Nothing, so that somebody can answer
    Blind,
}

/// Arguments of `rerun`.
#[derive(Clone, Debug, Args)]
pub struct Rerun {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which samples.
    #[command(flatten)]
    pub lens: Lens,
    /// At most so many samples, each asked once per step of the protocol
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// How the model is reached.
    #[command(flatten)]
    pub live: Live,
    /// Seed of the server's draws
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// vanilla, rotational, blind, boxes, no-boxes, crop, prompt:FILE,..., repeat:N, effort:LEVEL,...
    #[arg(long, value_name = "P")]
    pub protocol: String,
    /// The folder of the new run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Whether it goes on, and whether anything is sent.
    #[command(flatten)]
    pub again: Again,
    /// Send damaged pictures too, as far as they can be read
    #[arg(long)]
    pub send_damaged: bool,
    /// Whether words of direction turn with the pictures: on leaves out what cannot be turned for certain, and --dry-run
    /// shows what changes
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub turn_words: Switch,
    /// Take answers that earlier runs have to the very same questions, from the folders beside --out and beside the logs
    #[arg(long)]
    pub reuse: bool,
    /// Where the filter picks samples by their outcome: ask as many that the log had right, too
    #[arg(long)]
    pub controls: bool,
    /// Compare with this model's answers in the logs, not with those of the first one
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `exam`.
#[derive(Clone, Debug, Args)]
pub struct Exam {
    /// What is asked
    #[arg(long, value_name = "SET", value_enum, default_value_t)]
    pub set: ExamSet,
    /// Only these abilities
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub ability: Vec<String>,
    /// How many questions; 210, or 48 at four rotations each: ten minutes if one takes three seconds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// The same seed draws the same questions, whoever is asked
    #[arg(long, value_name = "S", default_value_t = 20_261_121)]
    pub seed: u64,
    /// How the model is reached.
    #[command(flatten)]
    pub live: Live,
    /// The folder to make: questions, pictures and everybody's answers
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Whether it goes on, and whether anything is sent.
    #[command(flatten)]
    pub again: Again,
    /// How to write the scores; without it a terminal shows the fingerprint
    #[arg(long, value_enum)]
    pub format: Option<Format>,
}

/// What an exam asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExamSet {
    /// The fourteen abilities of AVA-Bench
    #[default]
    Exam,
    /// Geometric figures
    Gepbench,
    /// Ground seen from above, each question at four rotations
    Topdown,
}

/// Whether a run goes on where it stopped, and whether anything is sent.
#[derive(Clone, Copy, Debug, Args)]
pub struct Again {
    /// Go on in that folder: what is done is not asked again
    #[arg(long)]
    pub resume: bool,
    /// With --resume: ask again what failed
    #[arg(long, requires = "resume")]
    pub retry_failed: bool,
    /// Count requests, tokens and cost, and send nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// How a live model is reached and how its answers are drawn.
#[derive(Clone, Debug, Args)]
pub struct Live {
    /// The base address, such as <http://127.0.0.1:8000/v1>, a name of the config file, or an encoder of this program:
    /// `builtin:pixels`, `builtin:color`, `builtin:hog`, `builtin:gabor`, `builtin:randconv`
    #[arg(long, value_name = "URL|NAME")]
    pub endpoint: String,
    /// The model's name there; the config file may name one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The environment variable that holds the key, instead of `OPENAI_API_KEY`
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// Requests on their way at once; fewer while the server says too many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Temperature: a number, or 'none' to leave it to the server; 0, for repeats 0.7
    #[arg(long, value_name = "T", value_parser = temperature)]
    pub temperature: Option<TemperatureArg>,
    /// Most tokens of an answer
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// Most attempts that may have to be paid for; twice the questions and 20 more
    #[arg(long, value_name = "N")]
    pub max_attempts: Option<u64>,
    /// Take each answer whole instead of word by word
    #[arg(long)]
    pub no_stream: bool,
}

/// At which temperature answers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TemperatureArg {
    /// At the server's own.
    AsUsual,
    /// At this one.
    At(f64),
}

fn temperature(text: &str) -> Result<TemperatureArg, String> {
    match text.parse::<f64>() {
        _ if text == "none" => Ok(TemperatureArg::AsUsual),
        Ok(temperature) if temperature >= 0.0 && temperature.is_finite() => {
            Ok(TemperatureArg::At(temperature))
        }
        _ => Err("a number from 0, or none".to_owned()),
    }
}
