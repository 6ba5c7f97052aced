//! Carries out a run for the command line: connection, plan, progress bar and outcome.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::run_progress::RunProgress;
use super::stderr::stderr;
use super::{Failure, Status};
use crate::cli::{Again, Live, TemperatureArg};
use ask::client::Class;
use ask::{
    self, BatchSummary, ChangedWords, Choice, ConnectError, ConnectOptions, Connection, Control,
    Cost, CountedSession, Estimate, Event, FinishedRun, JournalError, ModelListError, ProbeUsage,
    Protocol, ReadyRun, RequestUsage, RerunError, RunLocation, RunOutput, RunResult, RunSpec,
    Sample, SessionError, SessionResult, StopReason, Summary, Temperature,
};
use base::config::Settings;
use base::file::{FileError, Inputs};
use base::format::{counted, visible};
use record::Table;

/// Returns true if an earlier run in the folder is continued, which is always so for batches.
pub const fn continues_run(again: Again) -> bool {
    again.resume || again.batch
}

/// How a run starts.
#[derive(Clone, Copy)]
pub struct RunStart<'a> {
    /// Folder of the run.
    pub folder: &'a Path,
    /// Options to resume an earlier run in the folder.
    pub again: Again,
}

impl<'a> RunStart<'a> {
    /// Starts in a folder.
    pub const fn new(folder: &'a Path, again: Again) -> Self {
        Self { folder, again }
    }

    /// Returns the location of the run, new or continued.
    pub fn location(self) -> RunLocation {
        RunLocation::In {
            folder: self.folder.to_path_buf(),
            resume: continues_run(self.again),
        }
    }
}

/// The remaining requests of a run, and the user's choices about them.
#[derive(Clone, Copy)]
pub struct Remainder {
    /// Estimated requests, tokens and cost.
    pub estimate: Estimate,
    /// Treatment of earlier answers and failures.
    pub choice: Choice,
}

/// Opens the endpoint for a run. `questions` is the expected number of requests, from which the
/// default limit of billable requests follows.
pub fn connection(
    args: &Live,
    settings: &Settings,
    questions: usize,
    start: RunStart<'_>,
) -> Result<Connection, Failure> {
    let again = start.again;
    let usual = ConnectOptions::for_questions(questions);
    let wishes = ConnectOptions {
        key_env: args.how.key_env.clone(),
        at_once: args.how.concurrency.map(usize::from),
        most_billed: args.how.max_attempts.or(usual.most_billed),
        whole_answers: args.how.no_stream,
        tells_words: false,
        batch: again
            .batch
            .then(|| (start.folder.to_path_buf(), failures(again).failures())),
    };
    ask::connect(&args.endpoint, settings, &wishes).map_err(|error| run_failure(&error.into()))
}

/// Returns the choice for failed requests. No stored answers are used.
pub const fn failures(again: Again) -> Choice {
    Choice {
        reuse: false,
        retry_failed: again.retry_failed,
    }
}

/// Returns the choices for the remaining requests. A batch retries failed requests, because their
/// answers may have arrived.
pub const fn choice(again: Again) -> Choice {
    Choice {
        reuse: false,
        retry_failed: again.retry_failed || again.batch,
    }
}

/// Requests the server's list of models, except in a dry run or batch. If it has one model,
/// `--model` is optional.
pub fn list_models(args: &Live, connection: &mut Connection, again: Again) -> Result<(), Failure> {
    if again.dry_run || again.batch {
        return Ok(());
    }
    let looked = connection.list_models();
    looked.map_err(|error| run_failure(&error.into()))?;
    if let (Some(name), None) = (connection.only_model(), &args.model) {
        writeln!(stderr(), "the model is {}", visible(name))?;
    }
    Ok(())
}

/// Checks that a run does not overwrite an input. A resumed run can rewrite its own log in the same
/// folder.
pub fn check_not_input(inputs: &Inputs, file: &Path, again: Again) -> Result<(), Failure> {
    match inputs.refuse(file) {
        Err(FileError::IsRead { input, .. })
            if continues_run(again) && same_folder(&input, file) =>
        {
            Ok(())
        }
        refused => Ok(refused?),
    }
}

fn same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.parent().and_then(|folder| folder.canonicalize().ok());
    real(a).is_some_and(|folder| real(b) == Some(folder))
}

/// Refuses `--shard` for commands that need the answers to all questions.
pub fn no_shard(args: &Live) -> Result<(), Failure> {
    match args.how.shard {
        None => Ok(()),
        Some(_) => Err(Failure::usage(
            "--shard works only with rerun, and with exam without --adaptive",
        )),
    }
}

/// Builds the request for a run from the command line.
pub fn wanted(args: &Live, protocol: Protocol, samples: Vec<Sample>) -> RunSpec {
    RunSpec {
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
        ..RunSpec::new(args.endpoint.clone(), protocol, samples)
    }
}

/// Plans a run and counts its requests; `label` returns the model's name in the new log.
pub fn ready(
    connection: Connection,
    wanted: RunSpec,
    label: impl FnOnce(&str) -> String,
) -> Result<ReadyRun, Failure> {
    ReadyRun::new(connection, wanted, label).map_err(|error| run_failure(&error))
}

/// Maximum number of listed questions whose words change.
const CHANGED_LISTED: usize = 200;

/// Returns the planned run, without results.
pub fn planned(ready: &ReadyRun, estimate: Estimate) -> report::Rerun<'_> {
    report::Rerun {
        plan: &ready.plan,
        estimate,
        summary: None,
        cost: Cost::default(),
        probed: ProbeUsage::default(),
        sent: RequestUsage::default(),
        price: ready.price,
        unasked: 0,
        doubts: Vec::new(),
        changed: ready.plan.changed_words(CHANGED_LISTED),
        damaged: 0,
        log: None,
    }
}

/// Estimates the remaining requests. Requests that earlier runs in the folder finished are not
/// counted.
pub fn estimate_remaining(ready: &mut ReadyRun, start: RunStart<'_>) -> Result<Remainder, Failure> {
    let again = start.again;
    let choice = choice(again);
    if continues_run(again) {
        let taken = ready.restore(start.folder, choice.failures());
        taken.map_err(|error| run_failure(&error))?;
    }
    let estimate = ready.estimate_remaining(choice);
    Ok(Remainder { estimate, choice })
}

/// Asks all columns of a session, with a progress bar on a terminal, until done or interrupted.
/// Writes their logs.
pub fn carry_out(session: CountedSession, choice: Choice) -> Result<SessionResult, Failure> {
    let watch = Arc::new(RunProgress::new(&session));
    let watching = Arc::clone(&watch);
    let on_event = Arc::new(move |at: usize, event: Event| watching.handle_event(at, event));
    let result = ask::blocking(async {
        let control = Control::default();
        control.stop_on_interrupt();
        session.execute(choice, &control, on_event).await
    });
    watch.end();
    result?.map_err(|error| failure(&error))
}

/// Sends the remaining requests of a run without source logs.
pub fn ask_alone(
    ready: ReadyRun,
    location: RunLocation,
    choice: Choice,
) -> Result<FinishedRun, Failure> {
    let session = CountedSession::single(ready, location, &Table::default());
    only(carry_out(session, choice)?)
}

/// Returns the run of a session with one column.
pub fn only(mut result: SessionResult) -> Result<FinishedRun, Failure> {
    match result.columns.pop().map(|column| column.run) {
        Some(Ok(run)) => Ok(run),
        Some(Err(why)) => Err(failure(&why)),
        None => Err(Failure::new("the run could not start")),
    }
}

/// Prints the estimate and sends the remaining requests of a run without source logs.
pub fn ask(ready: ReadyRun, start: RunStart<'_>, left: Remainder) -> Result<FinishedRun, Failure> {
    writeln!(stderr(), "{}", left.estimate)?;
    ask_alone(ready, start.location(), left.choice)
}

/// Returns the results of a run as a document.
pub fn document(run: &FinishedRun) -> report::Rerun<'_> {
    let ended = &run.output.ended;
    let damaged = ended.unasked.iter().filter(|(_, why)| why.is_damaged());
    report::Rerun {
        plan: &run.plan,
        estimate: run.estimate,
        summary: Some(run.plan.summary(&ended.finished)),
        cost: ended.cost,
        probed: ended.probed,
        sent: ended.sent,
        price: run.price,
        unasked: ended.unasked.len(),
        doubts: reasons(ended),
        changed: ChangedWords::default(),
        damaged: damaged.count(),
        log: Some(base::format::path(&run.output.log)),
    }
}

/// Returns why questions could not be asked, with counts; damaged pictures are counted separately.
fn reasons(ended: &RunResult) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    for (_, why) in ended.unasked.iter().filter(|(_, why)| !why.is_damaged()) {
        *counts.entry(why.reason()).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// Reports how a run ended and returns the status.
pub fn finished(reran: &RunOutput, summary: Option<&Summary>) -> Result<Status, Failure> {
    let ended = &reran.ended;
    let waits = match &reran.batch {
        Some(told) => batch(told)?,
        None => false,
    };
    let kinds = || summary.into_iter().flat_map(|summary| &summary.kinds);
    match &ended.stopped {
        Some(why @ StopReason::Cost { .. }) => {
            let hint = "--resume with a larger --max-cost continues the run";
            writeln!(stderr(), "{why}\nhint: {hint}")?;
            return Ok(Status::Partial);
        }
        Some(why @ StopReason::Clear { .. }) => writeln!(stderr(), "{why}")?,
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
            "hint: --resume --retry-failed asks failed questions again"
        )?;
        return Ok(Status::Partial);
    }
    Ok(Status::Done)
}

/// Reports the state of a batch; returns true while requests are pending.
fn batch(told: &BatchSummary) -> Result<bool, Failure> {
    let mut out = stderr();
    for problem in &told.problems {
        writeln!(out, "warning: {}", visible(problem))?;
    }
    if told.unknown > 0 {
        let answers = counted(told.unknown as u64, "answer");
        writeln!(
            out,
            "warning: {answers} in the batch files left out: their custom_id belongs to no question of this run"
        )?;
    }
    for file in &told.files {
        writeln!(out, "written: {}", visible(&file.display().to_string()))?;
    }
    if told.waiting > 0 {
        let waiting = counted(told.waiting as u64, "request");
        writeln!(
            out,
            "{waiting} without an answer yet, {} of them written now\nhint: run the files as a batch, put its output and error files next to them as .jsonl, and run the same command again",
            told.written
        )?;
    }
    Ok(told.waiting > 0)
}

/// Returns advice after a run has stopped.
fn after(why: &StopReason) -> &'static str {
    match why {
        StopReason::Endpoint(failure) if failure.class == Class::Model => {
            "check that the server knows the name in --model and that the address ends as its API needs, such as in /v1; --resume continues"
        }
        StopReason::Endpoint(failure) if failure.class == Class::Vision => {
            "choose a model that accepts pictures, or start the server with its vision part (llama.cpp: --mmproj); --resume continues"
        }
        StopReason::Endpoint(failure) if is_redirect(failure.status) => {
            "give that address with --endpoint in a new run"
        }
        StopReason::Endpoint(failure) if failure.class == Class::Config => {
            "the key comes from OPENAI_API_KEY, --key-env or the config file; --resume continues"
        }
        _ => "--resume continues where it stopped",
    }
}

fn is_redirect(status: Option<u16>) -> bool {
    status.is_some_and(|status| (300..400).contains(&status))
}

fn no_answer(ended: &RunResult) -> Failure {
    let failed = ended
        .finished
        .iter()
        .find_map(|one| one.done.message.clone());
    let unasked = ended.unasked.first().map(|(_, why)| why.to_string());
    Failure::new(
        failed
            .or(unasked)
            .unwrap_or_else(|| "no answer was received".to_owned()),
    )
}

/// Converts an error of a session; adds advice for the command line.
pub fn failure(error: &SessionError) -> Failure {
    match error {
        SessionError::Rerun(error) => run_failure(error),
        SessionError::Column { name, why } => failure(why).of(name),
        SessionError::Filter(_)
        | SessionError::NoReference(_)
        | SessionError::NotTwo
        | SessionError::Picked(_) => Failure::usage(error),
        _ => Failure::new(error),
    }
}

/// Converts the error of a run that could not start; adds advice for the command line.
pub fn run_failure(error: &RerunError) -> Failure {
    match error {
        RerunError::Connect(
            ConnectError::Unknown { .. } | ConnectError::Endpoint(_) | ConnectError::NoBatch(_),
        ) => Failure::usage(error),
        RerunError::Look(ModelListError::Failed(failure)) => {
            let hint = match failure.class {
                Class::Trust => {
                    "this machine does not trust the certificate of the server at that address"
                }
                Class::Overlong => "a larger limit can be set under [limits] in the config file",
                _ if is_redirect(failure.status) => "give that address with --endpoint",
                Class::Config => "the key comes from OPENAI_API_KEY, --key-env or the config file",
                _ => "check that the server is running and has this address",
            };
            Failure::new(failure).hint(hint)
        }
        RerunError::NoModel { .. } => Failure::usage(error)
            .hint("--model NAME, or `model` of the endpoint in the config file"),
        RerunError::NoPrice(_) => Failure::usage(error)
            .hint("--max-cost needs `prices` of the endpoint, or of the model, in the config file"),
        RerunError::OneModel(_) => Failure::usage(format!("{error}: leave --model out")),
        RerunError::Nothing { why, .. } => {
            Failure::new(error).hint(why.as_deref().unwrap_or("no sample matches the filter"))
        }
        RerunError::Journal(JournalError::Exists(_)) => {
            Failure::new(error).hint("--resume continues it; or choose another --out")
        }
        RerunError::Journal(JournalError::Other { .. } | JournalError::NoJournal(_)) => {
            Failure::new(error).hint("choose another --out")
        }
        _ => Failure::new(error),
    }
}
