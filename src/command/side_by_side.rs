//! `eyechart rerun` with several endpoints, models or protocols: one run each, on the same samples
//! and in parallel.

use std::io::Write;
use std::sync::Arc;

use super::live::{carry_out, document};
use super::rerun::{choice, folder, planned};
use super::stderr::stderr;
use super::{Failure, Status, live, output};
use crate::cli::Rerun;
use ask::{Column, CountedSession, FinishedColumn, RunOutput, SessionResult, StopReason};
use base::format::visible;
use base::job::FOR_GOOD;
use engine::{Ask as _, Memory, Scope, Scores};
use report::{RerunColumn, RerunColumns};
use workspace::filter::is;

/// Runs all columns, then prints their scores and paired comparisons.
pub fn run(args: &Rerun, columns: &[Column], session: CountedSession) -> Result<Status, Failure> {
    let mut report = RerunColumns {
        excluded: session.excluded.clone(),
        picked_by: session.picked_by.clone(),
        dry_run: args.again.dry_run,
        ..RerunColumns::default()
    };
    if args.again.dry_run {
        let columns = columns.iter().map(shown).zip(&session.columns);
        report.columns = columns
            .map(|(column, counted)| RerunColumn {
                run: counted.run.as_ref().ok().map(|ready| planned(args, ready)),
                ..column
            })
            .collect();
        output::print(&report, args.format)?;
        return Ok(Status::Done);
    }
    for column in &session.columns {
        let words = match &column.run {
            Ok(ready) => ready.estimate_remaining(choice(args)).to_string(),
            Err(why) => why.to_string(),
        };
        let line = format!("{}: {words}", column.name);
        writeln!(stderr(), "{}", visible(&line))?;
    }
    let result = carry_out(session, choice(args))?;
    let columns = columns.iter().map(shown).zip(&result.columns);
    report.columns = columns
        .map(|(column, ended)| RerunColumn {
            run: ended.run.as_ref().ok().map(document),
            stopped: stopped(ended),
            ..column
        })
        .collect();
    compare(args, &mut report, &result)?;
    let status = status(&report, &result.columns);
    output::print(&report, args.format)?;
    status
}

/// Describes a column for the report, without results.
fn shown(column: &Column) -> RerunColumn<'static> {
    let folder = folder(column).map(|folder| folder.display().to_string());
    RerunColumn {
        name: column.name.clone(),
        endpoint: ask::client::without_secrets(&column.spec.endpoint),
        folder: folder.unwrap_or_default(),
        run: None,
        stopped: None,
    }
}

/// Returns the joint status of the columns: done, partial, or the first error if all columns
/// failed.
fn status(report: &RerunColumns<'_>, ended: &[FinishedColumn]) -> Result<Status, Failure> {
    let (mut all_done, mut first, mut some) = (true, None, false);
    for (column, ended) in report.columns.iter().zip(ended) {
        let status = match &ended.run {
            Err(why) => Err(live::failure(why)),
            Ok(run) if is_interrupted(&run.output) => {
                return Err(
                    Failure::new(StopReason::ByUser).hint("--resume continues where it stopped")
                );
            }
            Ok(run) => {
                let summary = column.run.as_ref().and_then(|run| run.summary.as_ref());
                live::finished(&run.output, summary)
            }
        };
        all_done &= matches!(status, Ok(Status::Done));
        match status {
            Ok(_) => some = true,
            Err(failure) => {
                let failure = failure.of(&ended.name);
                writeln!(stderr(), "{}", visible(&failure.to_string()))?;
                first = first.or(Some(failure));
            }
        }
    }
    match first {
        Some(failure) if !some => Err(failure),
        _ if all_done => Ok(Status::Done),
        _ => Ok(Status::Partial),
    }
}

fn is_interrupted(output: &RunOutput) -> bool {
    matches!(output.ended.stopped, Some(StopReason::ByUser))
}

/// Returns the reason why a column is incomplete; `None` if it is complete.
fn stopped(ended: &FinishedColumn) -> Option<String> {
    match &ended.run {
        Ok(run) => run.output.ended.stopped.as_ref().map(ToString::to_string),
        Err(why) => Some(why.to_string()),
    }
}

/// Adds the scores of the new runs and the comparison of the columns.
fn compare(
    args: &Rerun,
    report: &mut RerunColumns<'_>,
    result: &SessionResult,
) -> Result<(), Failure> {
    let compared = result.compared().map_err(|error| live::failure(&error))?;
    let Some(compared) = compared else {
        return Ok(());
    };
    let known = compared.table.names().models.values();
    let runs = result
        .columns
        .iter()
        .filter_map(|column| column.run.as_ref().ok());
    let labels = runs.map(|run| is("model", &run.plan.asking.label, known));
    let scope = Scope {
        filter: labels.collect::<Vec<_>>().join(" or "),
        ..Scope::from(&args.lens)
    };
    let scores = Scores {
        scope,
        quick: false,
    };
    let engine = Memory::new(compared.table, Arc::default());
    report.scores = scores.answer(&engine, &FOR_GOOD)?.scores;
    report.comparison = compared.comparison;
    Ok(())
}
