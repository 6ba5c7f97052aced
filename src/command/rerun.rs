//! `eyechart rerun`: a live model is asked again what the logs asked.

use std::collections::BTreeMap;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use indicatif::ProgressStyle;

use super::input::Opened;
use super::reuse::offer;
use super::{Failure, Status, input, live, output};
use cli::Rerun;
use client::News;
use format::visible;
use job::FOR_GOOD;
use record::Table;
use rerun::{
    self, Connection, Control, Ended, Estimate, Event, Finished, Head, Journal, Plan, Protocol,
    Run, Stored, Summary,
};
use workspace::asked::{asked, free_label};
use workspace::hash::hashes;

/// Runs the command.
pub fn run(args: &Rerun) -> Result<Status, Failure> {
    let protocol = Protocol::parse(&args.protocol).map_err(Failure::usage)?;
    let opened = input::open(&args.input)?;
    let table = opened.table();
    let samples = samples(args, &opened, &protocol)?;
    let questions = samples.len() * protocol.steps().len();
    let mut connection = live::connection(&args.live, &opened.named.settings, questions)?;
    if !args.dry_run {
        live::look(&mut connection, args.live.model.is_none())?;
    }
    let model = live::model(&args.live, &connection)?;
    let label = free_label(table, &model);
    let plan = Plan::new(
        samples,
        protocol,
        live::asking(&args.live, &connection, (model, label), args.seed),
    )
    .for_model(&*connection.endpoint);
    if plan.is_empty() {
        return Err(nothing(&plan));
    }
    let price = connection.price(&plan.asking.model);
    let estimate = Estimate::new(&plan, &*connection.endpoint, price);
    if args.dry_run {
        offer(args, &plan, &connection)?;
        output::print(&counted(&plan, estimate), args.format)?;
        return Ok(Status::Done);
    }
    writeln!(stderr().lock(), "{estimate}")?;
    ask(args, table, plan, connection, estimate)
}

fn samples(
    args: &Rerun,
    opened: &Opened,
    protocol: &Protocol,
) -> Result<Vec<rerun::Sample>, Failure> {
    let held = opened.rows(&args.lens)?;
    let selection = held.selection(&FOR_GOOD);
    if let Some(name) = args
        .against
        .as_ref()
        .filter(|name| held.table.names().models.find(name.as_str()).is_none())
    {
        return Err(Failure::usage(format!(
            "no model `{name}` in the logs to compare with"
        )));
    }
    // A model of the same name is the one to compare with: did it get worse?
    let against = args.against.as_deref().or(args.live.model.as_deref());
    let here = rerun::Builtin::named(&args.live.endpoint);
    let against = against.or(here.as_ref().map(rerun::Builtin::name));
    let limit = args.limit.unwrap_or(usize::MAX);
    let (samples, lost) = asked(selection, protocol, against, limit);
    if lost > 0 {
        writeln!(
            stderr().lock(),
            "{lost} samples could not be fetched from their logs any more"
        )?;
    }
    Ok(samples)
}

/// What would be asked.
pub const fn counted(plan: &Plan, estimate: Estimate) -> report::Rerun<'_> {
    report::Rerun {
        plan,
        estimate,
        summary: None,
        unasked: 0,
        log: None,
    }
}

pub fn nothing(plan: &Plan) -> Failure {
    let why = plan.unfit_words();
    Failure::new(format!(
        "no sample can be asked under `{}`",
        plan.protocol.name()
    ))
    .hint(why.as_deref().unwrap_or("the filter lets none pass"))
}

/// Where a run stands, and whether it goes on with what is there.
pub struct Place<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Go on.
    pub resume: bool,
    /// Ask again what failed.
    pub retry_failed: bool,
    /// Answers of earlier runs that are taken, by key.
    pub stored: BTreeMap<String, Stored>,
    /// Its records show the samples' own pictures: they lie in the folder, and are sent as they are.
    pub has_pictures: bool,
}

/// Asks, and writes the new run.
pub fn carry_out(
    plan: &Arc<Plan>,
    connection: Connection,
    head: Head,
    place: Place<'_>,
) -> Result<(Ended, PathBuf), Failure> {
    let mut journal =
        Journal::open(place.folder, head, place.resume).map_err(|error| journal_failure(&error))?;
    journal.lend(place.stored);
    let model = Arc::from(connection.endpoint);
    let run = Run::new(Arc::clone(plan), model, journal, place.retry_failed);
    let mut ended = watched(&run)?;
    if place.has_pictures {
        for one in &mut ended.finished {
            *one = Arc::new(with_own_pictures(plan, one));
        }
    }
    let log = rerun::write(place.folder, &run.head(), &ended.finished)
        .map_err(|error| Failure::new(format!("{}: {error}", place.folder.display())))?;
    Ok((ended, log))
}

fn with_own_pictures(plan: &Plan, one: &Finished) -> Finished {
    let mut one = one.clone();
    if let (Some(record), Some((sample, _))) = (&mut one.record, plan.at(one.item)) {
        let images = sample.record.content.images.clone();
        Arc::make_mut(record).content.images = images;
    }
    one
}

/// Asks, writes the new run, and tells what was found.
fn ask(
    args: &Rerun,
    table: &Table,
    plan: Plan,
    connection: Connection,
    estimate: Estimate,
) -> Result<Status, Failure> {
    let head = Head::new(&plan, &connection.endpoint.address());
    let sources = table
        .sources()
        .iter()
        .map(|source| source.path.display().to_string());
    let head = Head {
        sources: sources.zip(hashes(table.sources())).collect(),
        against: args.against.clone(),
        ..head.at(&args.live.endpoint)
    };
    let stored = offer(args, &plan, &connection)?;
    if !args.resume {
        live::see(&connection, &plan)?;
    }
    let plan = Arc::new(plan);
    let place = Place {
        folder: &args.out,
        resume: args.resume,
        retry_failed: args.retry_failed,
        stored: if args.reuse { stored } else { BTreeMap::new() },
        has_pictures: false,
    };
    let (ended, log) = carry_out(&plan, connection, head, place)?;
    let summary = Summary::new(&plan, &ended.finished);
    let document = report::Rerun {
        plan: &plan,
        estimate,
        summary: Some(summary.clone()),
        unasked: ended.unasked.len(),
        log: Some(log.display().to_string()),
    };
    output::print(&document, args.format)?;
    finished(ended, &summary)
}

/// How a run ended.
pub fn finished(ended: Ended, summary: &Summary) -> Result<Status, Failure> {
    let answered = summary.kinds.keys().any(|kind| kind.is_answer());
    let failed = summary.failures().map(|(_, count)| count).sum::<usize>();
    match ended.stopped {
        Some(why) => Err(Failure::new(why).hint("--resume goes on where it stopped")),
        None if !answered => Err(no_answer(&ended)),
        None => {
            if failed > 0 {
                writeln!(
                    stderr().lock(),
                    "hint: --resume --retry-failed asks again what failed"
                )?;
            }
            Ok(Status::Done)
        }
    }
}

fn journal_failure(error: &rerun::JournalError) -> Failure {
    let failure = Failure::new(error);
    match error {
        rerun::JournalError::Exists(_) => {
            failure.hint("--resume goes on with it; or name another --out")
        }
        rerun::JournalError::Other { .. } => failure.hint("name another --out"),
        _ => failure,
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

/// Runs with a bar on a terminal's stderr.
fn watched(run: &Arc<Run>) -> Result<Ended, Failure> {
    let bar = output::bar(Some(run.plan().len() as u64));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {per_sec} {eta} {msg}") {
        bar.set_style(style);
    }
    let seen = Mutex::new(Summary::new(run.plan(), &[]));
    let watching = bar.clone();
    let on_event = Arc::new(move |event: Event| match event {
        Event::Finished(one) => {
            if let Ok(mut seen) = seen.lock() {
                seen.add(&one);
                watching.set_message(words(&seen));
            }
            watching.inc(1);
        }
        Event::Unasked(..) => watching.inc(1),
        Event::News(News::Paused(why)) => {
            watching.set_message(format!("paused: {}", visible(&why)));
        }
        Event::News(News::Waits(wait, class)) => {
            watching.set_message(format!("{class}: waits {:.0} s", wait.as_secs_f64()));
        }
        Event::News(_) => {}
    });
    let control = Control::default();
    let ended = rerun::blocking(async {
        rerun::stop_on_interrupt(control.clone());
        Arc::clone(run).go(control, on_event).await
    });
    bar.finish_and_clear();
    Ok(ended?)
}

/// `+3 -1, 2 failed:rate`.
fn words(seen: &Summary) -> String {
    let mut words = vec![format!("+{} -{}", seen.now_right, seen.now_wrong)];
    words.extend(
        seen.failures()
            .map(|(class, count)| format!("{count} {class}")),
    );
    words.join(", ")
}
