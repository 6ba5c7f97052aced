//! `eyechart rerun`: asks a live model the questions of the logs again.

use std::io::Write;

use super::columns::{self, Column};
use super::input::LoadedInput;
use super::live::RunStart;
use super::reuse::offer;
use super::stderr::stderr;
use super::{Failure, Status, input, live, output, remote_run, side_by_side};
use crate::cli::Rerun;
use analysis::Selection;
use ask::asked::{asked, controls, free_label};
use ask::{Protocol, RunSpec, Sample, TurnWords, model_named};
use base::format::counted;
use base::job::FOR_GOOD;
use workspace::filter::{picking, select_without_outcome};
use workspace::hash::with_hashes;

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
    let columns = columns::of(args)?;
    match <[Column; 1]>::try_from(columns) {
        Ok([_]) if args.until_clear => Err(Failure::usage(
            "--until-clear compares two columns: name two endpoints, models or protocols",
        )),
        Ok([column]) if args.variants.is_none() => alone(args, &column),
        Ok(one) => side_by_side::run(args, one.into()),
        Err(several) => side_by_side::run(args, several),
    }
}

/// Runs a single column.
fn alone(args: &Rerun, column: &Column) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let table = opened.table();
    let against = against(args, column, &opened)?;
    let ways = [column.way()];
    let samples = samples(args, &opened, &ways, against.as_deref())?;
    let questions = column.protocol.requests(&samples).high;
    let start = RunStart {
        reuse: args.reuse,
        ..RunStart::new(&args.out, args.again)
    };
    let settings = &opened.named.settings;
    let mut connection = live::connection(&column.live, settings, questions, start)?;
    live::look(&column.live, &mut connection, args.again)?;
    let label = |model: &str| free_label(table, model);
    let spec = run_spec(args, column, samples, against);
    let mut ready = live::ready(connection, spec, label)?;
    let inputs = opened.inputs();
    if !args.again.dry_run {
        live::spare(&inputs, &args.out.join(ask::FILE), args.again)?;
    }
    offer(args, &args.out, None, &mut ready)?;
    let left = live::left(&mut ready, start)?;
    if args.again.dry_run {
        output::print(&live::planned(&ready, left.estimate), args.format)?;
        return Ok(Status::Done);
    }
    let asked = live::ask(ready, start, left, with_hashes(table.sources()))?;
    let document = asked.document();
    output::print(&document, args.format)?;
    live::finished(&asked.reran, document.summary.as_ref())
}

/// Builds the request for a column's run on some samples. Its answers are compared with those of
/// the model `against`.
pub fn run_spec(
    args: &Rerun,
    column: &Column,
    samples: Vec<Sample>,
    against: Option<String>,
) -> RunSpec {
    RunSpec {
        against,
        seed: column.seed,
        system: column.system.clone(),
        sends_damaged: args.send_damaged,
        turn_words: column.turn_words,
        picked_by: picked_by(args),
        ..live::wanted(&column.live, column.protocol.clone(), samples)
    }
}

/// Model of the logs to compare with: the one of `--against`, else one with the same name, to see
/// whether it got worse.
pub fn against(
    args: &Rerun,
    column: &Column,
    opened: &LoadedInput,
) -> Result<Option<String>, Failure> {
    let is_known = |name: &String| opened.table().names().models.find(name.as_str()).is_some();
    match args.against.as_ref().or(column.record.as_ref()) {
        Some(name) if !is_known(name) => Err(Failure::usage(format!(
            "no model `{name}` in the logs to compare with"
        ))),
        Some(name) => Ok(Some(name.clone())),
        None => {
            let live = &column.live;
            let named = model_named(
                &live.endpoint,
                live.model.as_deref(),
                &opened.named.settings,
            );
            Ok(named.filter(is_known))
        }
    }
}

/// Samples that can be asked in all the given ways.
pub fn samples(
    args: &Rerun,
    opened: &LoadedInput,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&str>,
) -> Result<Vec<Sample>, Failure> {
    let held = opened.rows(&args.lens)?;
    let selection = held.selection(&FOR_GOOD);
    let limit = args.limit.unwrap_or(usize::MAX);
    let (samples, lost) = asked(selection, ways, against, limit);
    if lost > 0 {
        writeln!(
            stderr(),
            "{lost} samples could no longer be read from their logs"
        )?;
    }
    if !args.controls {
        return Ok(samples);
    }
    let mask = select_without_outcome(&args.lens.filter, selection.table, selection.scoring)
        .map_err(Failure::usage)?;
    let all = Selection {
        mask: Some(&mask),
        ..selection
    };
    let controls = controls(all, ways, against, &samples);
    let count = counted(controls.len() as u64, "sample");
    let is_wrong = |sample: &&Sample| sample.before.as_ref().and_then(|it| it.right) == Some(false);
    let wrong = samples.iter().filter(is_wrong).count();
    let fewer = if controls.len() < wrong {
        format!(", not {wrong}: there are no more")
    } else {
        String::new()
    };
    writeln!(
        stderr(),
        "controls: {count} that are right in the log{fewer}"
    )?;
    Ok(samples.into_iter().chain(controls).collect())
}

/// The part of the filter that selects samples by their outcome, if any.
pub fn picked_by(args: &Rerun) -> Option<String> {
    picking(&args.lens.filter)
}
