//! The command line as plain data, which the rest of the crate interprets.

mod across;
#[cfg(feature = "exam")]
mod exam;
mod examples;
mod failures;
mod gate;
#[cfg(feature = "exam")]
mod generate;
mod health;
mod input;
mod judge;
mod mcp;
mod report;
mod studies;
mod ui;

use std::path::PathBuf;

pub use across::{Checkpoints, Columns, ItemOrder, Items, Matrix, Models, Spread, Trend};
#[cfg(feature = "exam")]
pub use exam::{Exam, ExamSet, Levels, Trainer};
pub use failures::Failures;
pub use gate::{FailOn, Gate, GateBy, GateFormat};
#[cfg(feature = "exam")]
pub use generate::{
    Drawing, ExamItems, Generate, Generated, Gepbench, ItemSet, Noise, SampleRuns, Scenes, Sheets,
    Side,
};
pub use health::Health;
pub use input::{Common, Format, Input, Lens, Output, Rules, Switch};
pub use judge::Judge;
pub use mcp::Mcp;
pub use report::{Compare, Metrics, Report, Samples, Show, ThresholdArg};
pub use studies::{Agree, Ranks, Scorers, SearchedOutcome, Slices, Tool, Verdicts};
pub use ui::{Bandwidth, Images, View};

use input::on_this_machine;
use studies::share;

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
    /// Compare two models or two filters on the same samples, with paired tests
    #[command(after_help = examples::COMPARE)]
    Compare(Compare),
    /// Decide whether a candidate is worse than a base by more than a margin
    ///
    /// Exit codes: 0 pass, 5 worse, 6 cannot tell; 1 to 4 as for the other commands. `eyechart help
    /// gate` explains the decision.
    #[command(after_help = examples::GATE)]
    Gate(Gate),
    /// The sample list, one row per prediction
    #[command(after_help = examples::SAMPLES)]
    Samples(Samples),
    /// Print one sample as a card, with its picture
    #[command(after_help = examples::SHOW)]
    Show(Show),
    /// Label audit: verdicts, error rate with interval, scores and ranks without flagged samples
    #[command(after_help = examples::VERDICTS)]
    Verdicts(Verdicts),
    /// Read everything and list each problem with file and line
    #[command(after_help = examples::CHECK)]
    Check(Check),
    /// Write all logs into one file that Eyechart can open, or in another program's format
    #[command(after_help = examples::CONVERT)]
    Convert(Convert),
    /// Write all logs into a shared data set in a folder, a store or a database
    #[command(after_help = examples::PUBLISH)]
    Publish(Publish),
    /// How stable the ranks are: tie groups, flips that change first place, effect of each ability
    /// and data set
    #[command(after_help = examples::RANKS)]
    Ranks(Ranks),
    /// All open logs in one matrix: models by abilities or benchmarks, with mean score and mean
    /// rank
    #[command(after_help = examples::MATRIX)]
    Matrix(Matrix),
    /// Every pair of models: which one is better, by how much, on how many samples, and whether the
    /// difference is clear
    #[command(after_help = examples::WINS)]
    Wins(Ranks),
    /// Difficulty and discrimination of each sample, to find broken samples
    #[command(after_help = examples::ITEMS)]
    Items(Items),
    /// Faults of a benchmark: questions that need no picture, duplicates, wrong labels, answer cues
    #[command(after_help = examples::HEALTH)]
    Health(Health),
    /// Groups of wrong samples that look alike, and a map of all samples
    #[command(after_help = examples::FAILURES)]
    Failures(Failures),
    /// Score against model size, release date or another score, by family
    #[command(after_help = examples::TREND)]
    Trend(Trend),
    /// How much scores vary over prompts, noise, splits, or settings in the names of models
    #[command(after_help = examples::SPREAD)]
    Spread(Spread),
    /// Scores of a model's checkpoints over training, and the steps that are clearly better or worse
    #[command(after_help = examples::CHECKPOINTS)]
    Checkpoints(Checkpoints),
    /// Facts about the models: spellings, family, size, release date, with the source
    #[command(after_help = examples::MODELS)]
    Models(Models),
    /// What this terminal can show, and why
    #[command(after_help = examples::DOCTOR)]
    Doctor(Doctor),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print the man page, or write a man page for every command
    #[command(after_help = examples::MAN)]
    Man(ManPages),
    /// Subgroups over one or two tags that differ from the rest of their ability
    #[command(after_help = examples::SLICES)]
    Slices(Slices),
    /// Where the harness's scores and Eyechart's own rule disagree: how often, why, and the effect
    /// on ranks
    #[command(after_help = examples::SCORERS)]
    Scorers(Scorers),
    /// Compare the rankings of two sets of runs, or find how few samples keep the ranking
    #[command(after_help = examples::AGREE)]
    Agree(Agree),
    /// Make benchmark items with known answers
    #[cfg(feature = "exam")]
    #[command(after_help = examples::GENERATE)]
    Generate(Generate),
    /// Ask a live model the questions of the logs again, under a protocol
    #[command(after_help = examples::RERUN)]
    Rerun(Rerun),
    /// Give a live model a fresh exam, and compare it with small encoders and chance
    #[cfg(feature = "exam")]
    #[command(after_help = examples::EXAM)]
    Exam(Exam),
    /// Let a model judge free-form answers, and compare it with the other rules
    #[command(after_help = examples::JUDGE)]
    Judge(Judge),
    /// Merge the parts of a run that was split over several machines (--shard)
    #[command(after_help = examples::JOIN)]
    Join(Join),
    /// Let an assistant ask about logs: a server of the Model Context Protocol on standard input
    /// and output
    #[command(after_help = examples::MCP)]
    Mcp(Mcp),
    /// List or clear the local copies of logs from stores
    #[command(after_help = examples::CACHE)]
    Cache(Cache),
    /// A page of the manual, such as filters, keys or formats; without a topic, the list of pages
    #[command(after_help = examples::HELP)]
    Help(Help),
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

/// Arguments of `join`.
#[derive(Clone, Debug, Args)]
pub struct Join {
    /// Folders of the runs, each made by `rerun` or `exam` with `--shard I/N`
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder to create for the whole run
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
}

/// Arguments of `cache`.
#[derive(Clone, Debug, Args)]
pub struct Cache {
    /// Remove all copies
    #[arg(long)]
    pub clear: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Arguments of `doctor`.
#[derive(Clone, Debug, Args)]
pub struct Doctor {
    /// Ask this server small questions to see what it supports, instead of checking the terminal: a
    /// base address, or a name from the config file
    #[arg(long, value_name = "URL|NAME")]
    pub endpoint: Option<String>,
    /// Model to ask there; without it the config file's, or the only one that the server lists
    #[arg(long, value_name = "NAME", requires = "endpoint")]
    pub model: Option<String>,
    /// Environment variable with the key, instead of `OPENAI_API_KEY`
    #[arg(long, value_name = "NAME", requires = "endpoint")]
    pub key_env: Option<String>,
    /// Output format
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

/// A shell with a completion script.
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
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: Option<PathBuf>,
}

/// Arguments of `help`.
#[derive(Clone, Debug, Args)]
pub struct Help {
    /// Name of a page, or of a command for its options
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
    /// Format of another program; `--out` is then a folder
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<ForeignFormat>,
    /// The file to write: .parquet, .arrow, .jsonl or .csv; with --to, the folder
    #[arg(long, value_name = "FILE|DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
}

/// Format of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ForeignFormat {
    /// Every Eval Ever: documents and samples
    Eee,
    /// Hugging Face: result files of each model repository
    Hf,
    /// Inspect: .eval logs
    Inspect,
}

/// Arguments of `publish`.
#[derive(Clone, Debug, Args)]
pub struct Publish {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Folder or address of the data set; created if missing
    #[arg(long, value_name = "DIR|ADDRESS")]
    pub to: PathBuf,
    /// Publish the pictures too, each once
    #[arg(long)]
    pub pictures: bool,
}

/// Arguments of `rerun`.
#[derive(Clone, Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Rerun {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which samples.
    #[command(flatten)]
    pub lens: Lens,
    /// Maximum number of samples; each is asked once per step of the protocol
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Base address, such as `http://127.0.0.1:8000/v1`, a name from the config file, or a built-in
    /// encoder: `builtin:pixels`, `builtin:color`, `builtin:hog`, `builtin:gabor`,
    /// `builtin:randconv`. Several are asked side by side, each in its own folder below --out
    #[arg(
        long,
        value_name = "URL|NAME",
        required_unless_present_any = ["variants", "model"]
    )]
    pub endpoint: Vec<String>,
    /// Name of the model at the endpoint; the config file may set it. One for all endpoints, one
    /// for each in the same order, or several of one endpoint. Without an endpoint: `oracle`
    /// answers chains from the annotations, `log:MODEL` from that model's answers in the logs
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    /// How the model is asked.
    #[command(flatten)]
    pub how: How,
    /// System prompt, instead of the log's
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// Seed for sampling on the server; repeats use S, S+1, and so on
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// vanilla, rotational, twin, blind, boxes, no-boxes, crop, prompt:FILE,..., repeat:N,
    /// effort:LEVEL,..., follow:FILE,..., self-check, votes:N, chain:TASK, or `file:PATH` saved by
    /// the playground. Several are asked side by side, each in its own folder below --out
    #[arg(long, value_name = "P", required_unless_present = "variants")]
    pub protocol: Vec<String>,
    /// TOML file of `[[variants]]` to ask side by side: each has a `name`, and any of endpoint,
    /// model, protocol, key-env, system, temperature, max-tokens, seed and turn-words that differ
    /// from the command line
    #[arg(long, value_name = "FILE")]
    pub variants: Option<PathBuf>,
    /// Folder or address of the new run; for several side by side, the folder that contains theirs
    #[arg(long, value_name = "DIR|ADDRESS")]
    pub out: PathBuf,
    /// Options to resume the run, or to send nothing.
    #[command(flatten)]
    pub again: Again,
    /// How large pictures may be.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Send damaged pictures too, as far as they can be read
    #[arg(long)]
    pub send_damaged: bool,
    /// Whether direction words change when pictures are turned; on leaves out questions that cannot
    /// be changed with certainty, and --dry-run shows the changes
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub turn_words: Switch,
    /// Reuse answers of earlier runs to exactly the same questions, from the folders next to --out
    /// and next to the logs
    #[arg(long)]
    pub reuse: bool,
    /// If the filter selects samples by their outcome: also ask as many that are right in the log
    #[arg(long)]
    pub controls: bool,
    /// Stop asking about an ability once it is clear which of two columns is better. This is
    /// checked after every answer; if both columns are equal, at most 1 of 20 runs stops
    #[arg(long, conflicts_with_all = ["controls", "batch", "shard"])]
    pub until_clear: bool,
    /// Compare with this model's answers in the logs; without it, with the model of the same name,
    /// else the first one
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// Output format of the results
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How large the pictures of a request may be. Each replaces the endpoint's setting, and the known
/// limit of a server.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct PictureArgs {
    /// Longest side of a picture in pixels; larger pictures are scaled, and boxes in pixels with
    /// them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_side: Option<u32>,
    /// Maximum number of pixels of a picture
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_pixels: Option<u64>,
    /// Maximum size of a picture file in bytes; larger files become JPEG, then are scaled down
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_bytes: Option<u64>,
    /// Quality of JPEGs that are written, 1 to 100; without it 95
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub quality: Option<u8>,
}

/// Options to resume a run, or to send nothing.
#[derive(Clone, Copy, Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Again {
    /// Continue the run in that folder; finished questions are not asked again
    #[arg(long)]
    pub resume: bool,
    /// With --resume: ask failed questions again
    #[arg(long, requires = "resume")]
    pub retry_failed: bool,
    /// Count requests, tokens and cost, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write the requests into batch files in the run's folder, and read the answer files put there
    #[arg(long)]
    pub batch: bool,
}

/// How a live model is reached and asked.
#[derive(Clone, Debug, Args)]
pub struct Live {
    /// Base address, such as `http://127.0.0.1:8000/v1`, a name from the config file, or a built-in
    /// encoder: `builtin:pixels`, `builtin:color`, `builtin:hog`, `builtin:gabor`,
    /// `builtin:randconv`
    #[arg(long, value_name = "URL|NAME")]
    pub endpoint: String,
    /// Name of the model at the endpoint; the config file may set it
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// How it is asked.
    #[command(flatten)]
    pub how: How,
}

/// How a live model is asked: key, sampling, limits, and the part of the plan.
#[derive(Clone, Debug, Args)]
pub struct How {
    /// Environment variable with the key, instead of `OPENAI_API_KEY`
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// Maximum number of concurrent requests, at least one per endpoint; reduced at rate limits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Temperature: a number, or 'none' for the server's default; without it 0.7 for repeats and
    /// votes, else the log's, else 0
    #[arg(long, value_name = "T", value_parser = temperature)]
    pub temperature: Option<TemperatureArg>,
    /// Maximum number of tokens per answer
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// Maximum number of billable attempts (default: twice the questions plus 20)
    #[arg(long, value_name = "N")]
    pub max_attempts: Option<u64>,
    /// Maximum cost of the run, in the unit of the prices: no sample is started that is likely to
    /// exceed it; the cost of earlier starts counts too
    #[arg(long, value_name = "COST", value_parser = cost)]
    pub max_cost: Option<f64>,
    /// Receive each answer whole, not streamed
    #[arg(long)]
    pub no_stream: bool,
    /// Ask only part I of N, so that N machines share one run; `eyechart join` joins the parts
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<String>,
}

/// Sampling temperature of answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TemperatureArg {
    /// The server's default.
    AsUsual,
    /// This temperature.
    At(f64),
}

fn cost(text: &str) -> Result<f64, String> {
    let cost = text.parse::<f64>().ok();
    let cost = cost.filter(|cost| *cost >= 0.0 && cost.is_finite());
    cost.ok_or_else(|| "expected a number, 0 or more".to_owned())
}

/// Checks a part of a plan, such as `1/4`.
fn shard(text: &str) -> Result<String, String> {
    let parts = text.split_once('/');
    let numbers =
        parts.and_then(|(part, of)| Some((part.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
    match numbers {
        Some((part, of)) if part >= 1 && part <= of => Ok(format!("{part}/{of}")),
        _ => Err("expected a part and the number of parts, such as 3/16".to_owned()),
    }
}

fn temperature(text: &str) -> Result<TemperatureArg, String> {
    match text.parse::<f64>() {
        _ if text == "none" => Ok(TemperatureArg::AsUsual),
        Ok(temperature) if temperature >= 0.0 && temperature.is_finite() => {
            Ok(TemperatureArg::At(temperature))
        }
        _ => Err("expected a number, 0 or more, or none".to_owned()),
    }
}
