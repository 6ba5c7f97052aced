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
mod exam;
mod examples;
mod generate;
mod input;
mod judge;
mod report;
mod studies;
mod ui;

use std::path::PathBuf;

pub use across::{Against, Columns, ItemOrder, Items, Matrix, Models, Trend};
pub use exam::{Exam, ExamSet, Levels, Trainer};
pub use generate::{
    Drawing, ExamItems, Generate, Generated, Gepbench, ItemSet, Noise, SampleRuns, Scenes, Sheets,
    Side,
};
pub use input::{Format, Input, Lens, Output, Rules, Switch};
pub use judge::Judge;
pub use report::{Compare, Cut, Metrics, Report, Samples, Show};
pub use studies::{Agree, Ranks, Scorers, Slices, Verdicts};
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
    /// Write all logs into a data set that opens again, in a folder, a store or a database, and that others publish into as well
    #[command(after_help = examples::PUBLISH)]
    Publish(Publish),
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
    /// Put together what several machines asked of one plan, nothing twice
    #[command(after_help = examples::JOIN)]
    Join(Join),
    /// What is kept of the logs that lie in stores, and where
    #[command(after_help = examples::CACHE)]
    Cache(Cache),
    /// A page of the manual, such as filters, keys or formats; without one, the list of pages
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
    /// The folders of the runs, each with `--shard I/N` of `rerun` or `exam`
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// The folder of the whole run, which is made
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
}

/// Arguments of `cache`.
#[derive(Clone, Debug, Args)]
pub struct Cache {
    /// Remove all copies
    #[arg(long)]
    pub clear: bool,
    /// How to write it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
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
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
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
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub out: PathBuf,
}

/// Arguments of `publish`.
#[derive(Clone, Debug, Args)]
pub struct Publish {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// The folder or the address of the data set, which is made if it is not there
    #[arg(long, value_name = "DIR|ADDRESS")]
    pub to: PathBuf,
    /// The pictures too, each once
    #[arg(long)]
    pub pictures: bool,
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
    /// The base address, such as <http://127.0.0.1:8000/v1>, a name of the config file, or an encoder of this program:
    /// `builtin:pixels`, `builtin:color`, `builtin:hog`, `builtin:gabor`, `builtin:randconv`. Several are asked side by
    /// side, each into a folder below --out
    #[arg(
        long,
        value_name = "URL|NAME",
        required_unless_present_any = ["variants", "model"]
    )]
    pub endpoint: Vec<String>,
    /// The model's name there; the config file may name one. One for all endpoints, one for each in their order, or
    /// several of one endpoint. `oracle` answers chains from the annotations, `log:MODEL` from that model's answers in the
    /// logs, without an endpoint
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
    /// How the model is asked.
    #[command(flatten)]
    pub how: How,
    /// A system prompt, instead of the log's
    #[arg(long, value_name = "TEXT")]
    pub system: Option<String>,
    /// Seed of the server's draws; of repeats, the first has S, the second S+1, and so on
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// vanilla, rotational, blind, boxes, no-boxes, crop, prompt:FILE,..., repeat:N, effort:LEVEL,..., follow:FILE,...,
    /// self-check, votes:N, chain:TASK, or `file:PATH` as the playground keeps it. Several are asked side by side, each
    /// into a folder below --out
    #[arg(long, value_name = "P", required_unless_present = "variants")]
    pub protocol: Vec<String>,
    /// A TOML file of `[[variants]]` to be asked side by side: `name`, and endpoint, model, protocol, key-env, system,
    /// temperature, max-tokens, seed or turn-words where they are other than here
    #[arg(long, value_name = "FILE")]
    pub variants: Option<PathBuf>,
    /// The folder of the new run, also in a store; of several side by side, the folder of theirs
    #[arg(long, value_name = "DIR|ADDRESS")]
    pub out: PathBuf,
    /// Whether it goes on, and whether anything is sent.
    #[command(flatten)]
    pub again: Again,
    /// Send damaged pictures too, as far as they can be read
    #[arg(long)]
    pub send_damaged: bool,
    /// Whether options and targets that are a direction turn with the pictures: on leaves out samples with other words of
    /// direction, and --dry-run shows what changes
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub turn_words: Switch,
    /// Take answers that earlier runs have to the very same questions, from the folders beside --out and beside the logs
    #[arg(long)]
    pub reuse: bool,
    /// Where the filter picks samples by their outcome: ask as many that the log had right, too
    #[arg(long)]
    pub controls: bool,
    /// Compare with this model's answers in the logs, not with those of the model of the same name or of the first one
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Whether a run goes on where it stopped, and whether anything is sent.
#[derive(Clone, Copy, Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
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
    /// Write the requests into batch files below the run's folder, and read the answers that are put there
    #[arg(long)]
    pub batch: bool,
}

/// How a live model is reached and asked.
#[derive(Clone, Debug, Args)]
pub struct Live {
    /// The base address, such as <http://127.0.0.1:8000/v1>, a name of the config file, or an encoder of this program:
    /// `builtin:pixels`, `builtin:color`, `builtin:hog`, `builtin:gabor`, `builtin:randconv`
    #[arg(long, value_name = "URL|NAME")]
    pub endpoint: String,
    /// The model's name there; the config file may name one
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// How it is asked.
    #[command(flatten)]
    pub how: How,
}

/// How a live model is asked, wherever it is, how its answers are drawn, and which part of the plan is asked.
#[derive(Clone, Debug, Args)]
pub struct How {
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
    /// The most that the run may cost, in the unit of the prices: no sample begins that is likely to cost more than is
    /// left; earlier starts of the run count
    #[arg(long, value_name = "COST", value_parser = cost)]
    pub max_cost: Option<f64>,
    /// Take each answer whole instead of word by word
    #[arg(long)]
    pub no_stream: bool,
    /// Ask one of N parts of the plan, so that N machines ask all of it side by side; `eyechart join` puts them together
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<String>,
}

/// At which temperature answers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TemperatureArg {
    /// At the server's own.
    AsUsual,
    /// At this one.
    At(f64),
}

fn cost(text: &str) -> Result<f64, String> {
    let cost = text.parse::<f64>().ok();
    let cost = cost.filter(|cost| *cost >= 0.0 && cost.is_finite());
    cost.ok_or_else(|| "a number from 0".to_owned())
}

/// A part of a plan, as it is written.
fn shard(text: &str) -> Result<String, String> {
    let parts = text.split_once('/');
    let numbers =
        parts.and_then(|(part, of)| Some((part.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
    match numbers {
        Some((part, of)) if part >= 1 && part <= of => Ok(format!("{part}/{of}")),
        _ => Err("a part and the number of parts, such as 3/16".to_owned()),
    }
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
