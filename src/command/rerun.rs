//! `eyechart rerun`: a live model is asked again what the logs asked.

use std::io::{Write, stderr};

use super::input::Opened;
use super::reuse::offer;
use super::{Failure, Status, input, live, output};
use analysis::Selection;
use cli::{Rerun, Switch};
use format::counted;
use job::FOR_GOOD;
use record::Table;
use rerun::{Protocol, Sample, TurnWords, Wanted, model_named};
use workspace::asked::{asked, controls, free_label};
use workspace::filter::{outcome_terms, select_without_outcome};
use workspace::hash::hashes;

/// Runs the command.
pub fn run(args: &Rerun) -> Result<Status, Failure> {
    let protocol = Protocol::parse(&args.protocol).map_err(Failure::usage)?;
    let opened = input::open(&args.input)?;
    let table = opened.table();
    let against = against(args, &opened)?;
    let samples = samples(args, &opened, &protocol, against.as_deref())?;
    let questions = protocol.requests(&samples).high;
    let mut connection = live::connection(
        &args.live,
        &opened.named.settings,
        questions,
        (&args.out, args.again),
    )?;
    live::look(&args.live, &mut connection, args.again)?;
    let wanted = Wanted {
        against,
        seed: args.seed,
        sends_damaged: args.send_damaged,
        turn_words: turn_words(args),
        picked_by: picked_by(args),
        ..live::wanted(&args.live, protocol, samples)
    };
    let mut ready = live::ready(connection, wanted, |model| free_label(table, model))?;
    let inputs = opened.named.inputs();
    if !args.again.dry_run {
        live::spare(
            &inputs,
            &args.out.join(rerun::FILE),
            live::goes_on(args.again),
        )?;
    }
    offer(args, &mut ready)?;
    let (estimate, choice) = live::left(&mut ready, &args.out, args.again, args.reuse)?;
    if args.again.dry_run {
        output::print(&live::planned(&ready, estimate), args.format)?;
        return Ok(Status::Done);
    }
    let left = (estimate, choice);
    let asked = live::ask(ready, &args.out, args.again, left, sources(table))?;
    let document = asked.found();
    output::print(&document, args.format)?;
    live::finished(&asked.reran, document.summary.as_ref())
}

/// The model of the logs to compare with: the named one, else one of the name of the model that is asked: did it get
/// worse?
fn against(args: &Rerun, opened: &Opened) -> Result<Option<String>, Failure> {
    let is_known = |name: &String| opened.table().names().models.find(name.as_str()).is_some();
    match &args.against {
        Some(name) if !is_known(name) => Err(Failure::usage(format!(
            "no model `{name}` in the logs to compare with"
        ))),
        Some(name) => Ok(Some(name.clone())),
        None => {
            let named = model_named(
                &args.live.endpoint,
                args.live.model.as_deref(),
                &opened.named.settings,
            );
            Ok(named.filter(is_known))
        }
    }
}

const fn turn_words(args: &Rerun) -> TurnWords {
    match args.turn_words {
        Switch::On => TurnWords::On,
        Switch::Off => TurnWords::Off,
    }
}

fn samples(
    args: &Rerun,
    opened: &Opened,
    protocol: &Protocol,
    against: Option<&str>,
) -> Result<Vec<Sample>, Failure> {
    let held = opened.rows(&args.lens)?;
    let selection = held.selection(&FOR_GOOD);
    let limit = args.limit.unwrap_or(usize::MAX);
    let (samples, lost) = asked(selection, protocol, turn_words(args), against, limit);
    if lost > 0 {
        writeln!(
            stderr().lock(),
            "{lost} samples could not be fetched from their logs any more"
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
    let controls = controls(all, protocol, turn_words(args), against, &samples);
    let count = counted(controls.len() as u64, "sample");
    writeln!(stderr().lock(), "controls: {count} that the log had right")?;
    Ok(samples.into_iter().chain(controls).collect())
}

/// What of the filter picks samples by their outcome.
fn picked_by(args: &Rerun) -> Option<String> {
    let terms = outcome_terms(&args.lens.filter);
    (!terms.is_empty()).then(|| terms.join(" "))
}

/// The logs, each with its hash.
fn sources(table: &Table) -> Vec<(String, Option<String>)> {
    let paths = table
        .sources()
        .iter()
        .map(|source| format::path(&source.path));
    paths.zip(hashes(table.sources())).collect()
}
