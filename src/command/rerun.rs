//! `eyechart rerun`: asks live models the questions of the logs again, in one column or in several
//! side by side.

use std::io::Write;

use super::input::LoadedInput;
use super::stderr::stderr;
use super::{Failure, Status, columns, input, live, output, remote_run, reuse, side_by_side};
use crate::cli::Rerun;
use ask::{Choice, Column, CountedSession, ReadyRun, RunLocation, SessionSpec, Traffic};
use base::format::visible;
use base::job::FOR_GOOD;
use workspace::filter::picking;

/// Runs one or several columns and writes their logs to `--out`.
pub fn run(args: &Rerun) -> Result<Status, Failure> {
    remote_run::carry_out(&args.out, args.again, |folder| {
        in_folder(&Rerun {
            out: folder.to_path_buf(),
            ..args.clone()
        })
    })
}

fn in_folder(args: &Rerun) -> Result<Status, Failure> {
    let mut wanted = columns::of(args)?;
    let opened = input::open_lens(&args.input, &args.lens)?;
    let settings = &opened.named.settings;
    if args.variants.is_none()
        && wanted.len() == 1
        && let Some(only) = wanted.pop()
    {
        let columns = vec![only.alone(args)];
        let session = counted(args, &opened, columns)?;
        let session = session.alive().map_err(|error| live::failure(&error))?;
        return alone(args, session);
    }
    let columns = columns::placed(args, wanted, settings)?;
    let session = counted(args, &opened, columns.clone())?;
    side_by_side::run(args, &columns, session)
}

/// Counts the session's requests and prints its warnings. Sends no question.
fn counted(
    args: &Rerun,
    opened: &LoadedInput,
    columns: Vec<Column>,
) -> Result<CountedSession, Failure> {
    let folders = columns.iter().filter_map(folder);
    let logs: Vec<_> = folders.map(|folder| folder.join(ask::FILE)).collect();
    let held = opened.rows(&args.lens)?;
    let how = &args.how;
    let selection = held.selection(&FOR_GOOD);
    let spec = SessionSpec {
        filter: args.lens.filter.clone(),
        picked_by: picking(&args.lens.filter),
        limit: args.limit.unwrap_or(usize::MAX),
        controls: args.controls,
        until_clear: args.until_clear,
        folders: reuse::folders(&args.out),
        traffic: Traffic {
            is_silent: args.again.dry_run,
            is_batch: args.again.batch,
            at_once: how.concurrency,
            most_billed: how.max_attempts,
            whole_answers: how.no_stream,
            failures: live::failures(args.again).failures(),
        },
        ..SessionSpec::new(columns, selection, &opened.named.request)
    };
    let session = spec.count(&opened.named.settings);
    let session = session.map_err(|error| live::failure(&error))?;
    if let Some((name, why)) = session.refused() {
        return Err(live::failure(why).of(name));
    }
    for note in &session.notes {
        writeln!(stderr(), "{}", visible(note))?;
    }
    for column in &session.columns {
        if let Ok(ready) = &column.run {
            reuse::offer(args, &column.name, ready)?;
        }
    }
    if !args.again.dry_run {
        let inputs = opened.inputs();
        for log in logs {
            live::check_not_input(&inputs, &log, args.again)?;
        }
    }
    Ok(session)
}

/// Returns the folder of a column's run.
pub fn folder(column: &Column) -> Option<&std::path::Path> {
    match &column.location {
        RunLocation::In { folder, .. } => Some(folder),
        RunLocation::Below(_) => None,
    }
}

/// Returns the user's choices about stored answers and failed requests.
pub const fn choice(args: &Rerun) -> Choice {
    Choice {
        reuse: args.reuse,
        ..live::choice(args.again)
    }
}

/// Returns the planned run, without results.
pub fn planned<'a>(args: &Rerun, ready: &'a ReadyRun) -> report::Rerun<'a> {
    live::planned(ready, ready.estimate_remaining(choice(args)))
}

/// Runs a single column.
fn alone(args: &Rerun, session: CountedSession) -> Result<Status, Failure> {
    let Some(ready) = session.ready().next() else {
        return Err(Failure::new("the run could not start"));
    };
    if args.again.dry_run {
        output::print(&planned(args, ready), args.format)?;
        return Ok(Status::Done);
    }
    writeln!(stderr(), "{}", ready.estimate_remaining(choice(args)))?;
    let run = live::only(live::carry_out(session, choice(args))?)?;
    let document = live::document(&run);
    output::print(&document, args.format)?;
    live::finished(&run.output, document.summary.as_ref())
}
