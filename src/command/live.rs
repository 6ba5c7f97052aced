//! From the command line to a run: what is wanted, the bar, and how it ended.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::stderr::stderr;
use super::watch::Watch;
use super::{Failure, Status};
use cli::{Again, Live, TemperatureArg};
use client::Class;
use config::{Price, Settings};
use file::{FileError, Inputs};
use format::{counted, visible};
use rerun::{
    self, BatchTold, ChangedWords, Choice, ConnectError, Connection, Control, Cost, Ended,
    Estimate, JournalError, LookError, Place, Plan, Probed, Protocol, Ready, Reran, RerunError,
    Sample, Sent, StopReason, Summary, Temperature, Unaskable, Wanted, Wishes,
};

/// Returns true if what a folder holds is taken up: a batch always is.
pub const fn goes_on(again: Again) -> bool {
    again.resume || again.batch
}

/// The endpoint that is named, with a bound on what so many questions may cost, for a run in a folder.
pub fn connection(
    args: &Live,
    settings: &Settings,
    questions: usize,
    (folder, again): (&Path, Again),
) -> Result<Connection, Failure> {
    let usual = Wishes::for_questions(questions);
    let wishes = Wishes {
        key_env: args.how.key_env.clone(),
        at_once: args.how.concurrency.map(usize::from),
        most_billed: args.how.max_attempts.or(usual.most_billed),
        whole_answers: args.how.no_stream,
        tells_words: false,
        batch: again
            .batch
            .then(|| (folder.to_path_buf(), again.retry_failed)),
    };
    rerun::connect(&args.endpoint, settings, &wishes).map_err(|error| failure(error.into()))
}

/// Asks the server for its models, if it is asked anything; the only one of a server needs no name.
pub fn look(args: &Live, connection: &mut Connection, again: Again) -> Result<(), Failure> {
    if again.dry_run || again.batch {
        return Ok(());
    }
    connection.look().map_err(|error| failure(error.into()))?;
    if let (Some(name), None) = (connection.only_model(), &args.model) {
        writeln!(stderr(), "the model is {}", visible(name))?;
    }
    Ok(())
}

/// Passes if a file that a run writes into its folder is none of those that are read. A run that goes on has read what
/// it wrote before, and writes it anew.
pub fn spare(inputs: &Inputs, file: &Path, resume: bool) -> Result<(), Failure> {
    match inputs.refuse(file) {
        Err(FileError::IsRead { input, .. }) if resume && same_folder(&input, file) => Ok(()),
        refused => Ok(refused?),
    }
}

fn same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.parent().and_then(|folder| folder.canonicalize().ok());
    real(a).is_some_and(|folder| real(b) == Some(folder))
}

/// Passes if no part is asked: some questions depend on all answers.
pub fn no_shard(args: &Live) -> Result<(), Failure> {
    match args.how.shard {
        None => Ok(()),
        Some(_) => Err(Failure::usage(
            "--shard is for rerun, and for exam without --adaptive",
        )),
    }
}

/// What the command line wants of a run.
pub fn wanted(args: &Live, protocol: Protocol, samples: Vec<Sample>) -> Wanted {
    Wanted {
        model: args.model.clone(),
        max_tokens: args.how.max_tokens,
        max_cost: args.how.max_cost,
        shard: args
            .how
            .shard
            .as_deref()
            .and_then(|shard| shard.parse().ok()),
        temperature: match args.how.temperature {
            None => Temperature::Usual,
            Some(TemperatureArg::AsUsual) => Temperature::Unsent,
            Some(TemperatureArg::At(temperature)) => Temperature::At(temperature),
        },
        ..Wanted::new(args.endpoint.clone(), protocol, samples)
    }
}

/// Plans and counts what is wanted; `label` names the model in the new run.
pub fn ready(
    connection: Connection,
    wanted: Wanted,
    label: impl FnOnce(&str) -> String,
) -> Result<Ready, Failure> {
    Ready::new(connection, wanted, label).map_err(failure)
}

/// Questions whose changed words are listed before anything is sent.
const CHANGED_LISTED: usize = 200;

/// What would be asked.
pub fn planned(ready: &Ready, estimate: Estimate) -> report::Rerun<'_> {
    report::Rerun {
        plan: &ready.plan,
        estimate,
        summary: None,
        cost: Cost::default(),
        probed: Probed::default(),
        sent: Sent::default(),
        price: ready.price,
        unasked: 0,
        doubts: Vec::new(),
        changed: ready.plan.changed_words(CHANGED_LISTED),
        damaged: 0,
        log: None,
    }
}

/// What is left to be asked, after what earlier starts in the folder have settled.
pub fn left(
    ready: &mut Ready,
    folder: &Path,
    again: Again,
    reuse: bool,
) -> Result<(Estimate, Choice), Failure> {
    let choice = Choice {
        reuse,
        // A batch is asked what became of it: what failed may have come since.
        retry_failed: again.retry_failed || again.batch,
    };
    if goes_on(again) {
        let taken = ready.take_up(folder, choice.retry_failed);
        taken.map_err(failure)?;
    }
    Ok((ready.left(choice), choice))
}

/// Asks with a bar on a terminal's stderr until all is asked or the user interrupts it, and writes the new run.
pub fn carry_out(
    ready: Ready,
    folder: &Path,
    resume: bool,
    choice: Choice,
    sources: Vec<(String, Option<String>)>,
) -> Result<Reran, Failure> {
    let watch = Arc::new(Watch::new(&[(&ready.plan, ready.price)]));
    let watching = Arc::clone(&watch);
    let on_event = Arc::new(move |event| watching.hear(0, event));
    let place = Place::In {
        folder: folder.to_path_buf(),
        resume,
    };
    let control = Control::default();
    let reran = rerun::blocking(async {
        control.stop_on_interrupt();
        ready.run(place, choice, sources, control, on_event).await
    });
    watch.end();
    reran?.map_err(failure)
}

/// What is known of a run beforehand.
pub struct Known {
    plan: Arc<Plan>,
    estimate: Estimate,
    /// What its tokens cost.
    price: Option<Price>,
}

impl Known {
    /// Of a run of which so much is left.
    pub fn of(ready: &Ready, estimate: Estimate) -> Self {
        Self {
            plan: Arc::clone(&ready.plan),
            estimate,
            price: ready.price,
        }
    }

    /// With what came of it.
    pub fn asked(self, reran: Reran) -> Asked {
        Asked {
            plan: self.plan,
            estimate: self.estimate,
            price: self.price,
            reran,
        }
    }
}

/// A run that was estimated and carried out.
pub struct Asked {
    /// What was asked.
    pub plan: Arc<Plan>,
    /// What came of it.
    pub reran: Reran,
    estimate: Estimate,
    /// What its tokens cost.
    price: Option<Price>,
}

/// Tells the estimate, and asks what is left.
pub fn ask(
    ready: Ready,
    folder: &Path,
    again: Again,
    (estimate, choice): (Estimate, Choice),
    sources: Vec<(String, Option<String>)>,
) -> Result<Asked, Failure> {
    writeln!(stderr(), "{estimate}")?;
    let known = Known::of(&ready, estimate);
    let reran = carry_out(ready, folder, goes_on(again), choice, sources)?;
    Ok(known.asked(reran))
}

impl Asked {
    /// What was found.
    pub fn found(&self) -> report::Rerun<'_> {
        let ended = &self.reran.ended;
        let damaged = ended.unasked.iter().filter(|(_, why)| why.is_damaged());
        report::Rerun {
            plan: &self.plan,
            estimate: self.estimate,
            summary: Some(self.plan.summary(&ended.finished)),
            cost: ended.cost,
            probed: ended.probed,
            sent: ended.sent,
            price: self.price,
            unasked: ended.unasked.len(),
            doubts: doubts(ended),
            changed: ChangedWords::default(),
            damaged: damaged.count(),
            log: Some(format::path(&self.reran.log)),
        }
    }
}

/// Why questions could not be said of their changed pictures, and how many.
fn doubts(ended: &Ended) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for (_, why) in &ended.unasked {
        if let Unaskable::Doubt(doubt) = why {
            *counts.entry(doubt.to_string()).or_default() += 1;
        }
    }
    counts.into_iter().collect()
}

/// How a run ended.
pub fn finished(reran: &Reran, summary: Option<&Summary>) -> Result<Status, Failure> {
    let ended = &reran.ended;
    let waits = match &reran.batch {
        Some(told) => batch(told)?,
        None => false,
    };
    let kinds = || summary.into_iter().flat_map(|summary| &summary.kinds);
    match &ended.stopped {
        Some(why @ StopReason::Cost { .. }) => {
            let hint = "--resume with a larger --max-cost goes on";
            writeln!(stderr(), "{why}\nhint: {hint}")?;
            return Ok(Status::Partial);
        }
        Some(why) => return Err(Failure::new(why).hint(after(why))),
        None => {}
    }
    if waits {
        return Ok(Status::Partial);
    }
    if !kinds().any(|(kind, _)| kind.is_answer()) {
        return Err(no_answer(ended));
    }
    if kinds().any(|(kind, _)| !kind.is_answer()) {
        writeln!(
            stderr(),
            "hint: --resume --retry-failed asks again what failed"
        )?;
        return Ok(Status::Partial);
    }
    Ok(Status::Done)
}

/// Tells what became of a batch; returns true if requests wait for their answers.
fn batch(told: &BatchTold) -> Result<bool, Failure> {
    let mut out = stderr();
    for problem in &told.problems {
        writeln!(out, "warning: {}", visible(problem))?;
    }
    if told.unknown > 0 {
        let answers = counted(told.unknown as u64, "answer");
        writeln!(
            out,
            "warning: {answers} of the batch files with a custom_id that no question of this run has: left out"
        )?;
    }
    for file in &told.files {
        writeln!(out, "written: {}", visible(&file.display().to_string()))?;
    }
    if told.waiting > 0 {
        let waiting = counted(told.waiting as u64, "request");
        writeln!(
            out,
            "{waiting} without an answer yet, of which {} were written now\nhint: run the files as a batch, put its files of answers and of errors beside them as .jsonl, and give the same command again",
            told.written
        )?;
    }
    Ok(told.waiting > 0)
}

/// What can be done when a run has stopped.
fn after(why: &StopReason) -> &'static str {
    match why {
        StopReason::Endpoint(failure) if failure.class == Class::Model => {
            "is --model a name that the server knows, and does the address end as its questions want it, such as in /v1? --resume goes on"
        }
        StopReason::Endpoint(failure) if failure.class == Class::Vision => {
            "name a model that takes pictures, or start the server with its vision part (llama.cpp: --mmproj); --resume goes on"
        }
        StopReason::Endpoint(failure) if failure.class == Class::Config => {
            "the key comes from OPENAI_API_KEY, --key-env or the config file; --resume goes on"
        }
        _ => "--resume goes on where it stopped",
    }
}

fn no_answer(ended: &Ended) -> Failure {
    let failed = ended
        .finished
        .iter()
        .find_map(|one| one.done.message.clone());
    let unasked = ended.unasked.first().map(|(_, why)| why.to_string());
    Failure::new(
        failed
            .or(unasked)
            .unwrap_or_else(|| "there is no answer".to_owned()),
    )
}

/// Why there is no run, with what can be done about it on the command line.
pub fn failure(error: RerunError) -> Failure {
    match error {
        RerunError::Connect(
            ConnectError::Unknown { .. } | ConnectError::Endpoint(_) | ConnectError::NoBatch(_),
        ) => Failure::usage(error),
        RerunError::Look(LookError::Failed(failure)) => {
            let hint = match failure.class {
                Class::Trust => {
                    "the certificate is not one that this machine trusts for that address"
                }
                Class::Overlong => "a larger bound can be set under [limits] in the config file",
                Class::Config => "the key comes from OPENAI_API_KEY, --key-env or the config file",
                _ => "is the server running, and is this its address?",
            };
            Failure::new(failure).hint(hint)
        }
        RerunError::NoModel { .. } => Failure::usage(error)
            .hint("--model NAME, or `model` of the endpoint in the config file"),
        RerunError::NoPrice(_) => Failure::usage(error)
            .hint("--max-cost needs `prices` of the endpoint, or of the model, in the config file"),
        RerunError::OneModel(_) => Failure::usage(format!("{error}: leave --model out")),
        RerunError::Nothing { ref why, .. } => {
            let why = why.clone();
            Failure::new(error).hint(why.as_deref().unwrap_or("the filter lets none pass"))
        }
        RerunError::Journal(JournalError::Exists(_)) => {
            Failure::new(error).hint("--resume goes on with it; or name another --out")
        }
        RerunError::Journal(JournalError::Other { .. } | JournalError::NoJournal(_)) => {
            Failure::new(error).hint("name another --out")
        }
        _ => Failure::new(error),
    }
}
