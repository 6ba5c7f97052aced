//! `eyechart judge`: a model judges free-form answers, and its agreement with people is measured.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::input::LoadedInput;
use super::live::RunStart;
use super::stderr::stderr;
use super::{Failure, Status, input, live, output};
use crate::cli::Judge;
use ask::answer_judge::{asked, log, measured, verdicts};
use ask::label_judge;
use ask::{FinishedRun, Protocol, RunSpec, Sample};
use base::file::Inputs;
use base::job::FOR_GOOD;

/// File name of the log with the judge's scores.
const JUDGED: &str = "judged.eyechart.jsonl";
/// File name of the judge's verdicts on labels.
const VERDICTS: &str = "judged.verdicts.jsonl";

/// Judges answers. With `--labels`, judges the labels of samples instead.
pub fn run(args: &Judge) -> Result<Status, Failure> {
    live::no_shard(&args.live)?;
    if args.labels {
        return labels(args);
    }
    let opened = input::open_lens(&args.input, &args.lens)?;
    let held = opened.rows(&args.lens)?;
    let (asked, others) = asked(held.selection(&FOR_GOOD), args.limit.unwrap_or(usize::MAX));
    if others > 0 {
        writeln!(
            stderr(),
            "{others} answers skipped: no text or no target to compare with"
        )?;
    }
    let samples = asked.iter().map(|asked| asked.sample.clone()).collect();
    let wanted = RunSpec {
        own_pictures: true,
        ..live::wanted(&args.live, Protocol::Vanilla, samples)
    };
    let file = args.out.join(JUDGED);
    let Some((judged, status)) = ask_judge(args, &opened, wanted, &file)? else {
        return Ok(Status::Done);
    };
    let said = verdicts(&judged.output.log, &asked);
    let judge = judged.plan.asking.label.clone();
    let answers = asked.iter().zip(said.iter().copied());
    let text = log(opened.table(), answers, &judge, &args.out);
    base::file::write(&file, text.as_bytes(), &Inputs::none())?;
    let document = report::JudgedAnswers {
        asked: said.len() as u64,
        right: said.iter().filter(|said| **said == Some(true)).count() as u64,
        unread: said.iter().filter(|said| said.is_none()).count() as u64,
        measured: measured(opened.table(), &asked, &said),
        log: file.display().to_string(),
        judge,
    };
    output::print(&document, args.format)?;
    Ok(status)
}

/// Judges the labels of samples and writes verdicts.
fn labels(args: &Judge) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let held = opened.rows(&args.lens)?;
    let limit = args.limit.unwrap_or(usize::MAX);
    let (asked, others) = label_judge::asked(held.selection(&FOR_GOOD), limit);
    if others > 0 {
        let what = "samples skipped: no question, no picture or no annotation to judge";
        writeln!(stderr(), "{others} {what}")?;
    }
    let samples: Vec<Sample> = asked.iter().map(|asked| asked.sample.clone()).collect();
    let wanted = live::wanted(&args.live, Protocol::Vanilla, samples);
    let file = args.out.join(VERDICTS);
    let Some((judged, status)) = ask_judge(args, &opened, wanted, &file)? else {
        return Ok(Status::Done);
    };
    let said = label_judge::verdicts(&judged.plan, &judged.output.ended.finished, &asked);
    let judge = judged.plan.asking.label.clone();
    let lines = label_judge::lines(&asked, &said, &judge);
    base::file::write(&file, &lines, &Inputs::none())?;
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    for verdict in said.iter().flatten() {
        *counts.entry(verdict.name()).or_default() += 1;
    }
    let document = report::JudgedLabels {
        asked: said.len() as u64,
        counts,
        unread: said.iter().filter(|said| said.is_none()).count() as u64,
        measured: label_judge::measured(opened.engine.book(), &asked, &said, &judge),
        file: file.display().to_string(),
        judge,
    };
    output::print(&document, args.format)?;
    Ok(status)
}

/// Sends the questions to the judge; `None` after a dry run. The caller then writes the results to
/// `file`.
fn ask_judge(
    args: &Judge,
    opened: &LoadedInput,
    wanted: RunSpec,
    file: &Path,
) -> Result<Option<(FinishedRun, Status)>, Failure> {
    let start = RunStart::new(&args.out, args.again);
    let (settings, count) = (&opened.named.settings, wanted.samples.len());
    let mut connection = live::connection(&args.live, settings, count, start)?;
    live::list_models(&args.live, &mut connection, args.again)?;
    let mut ready = live::ready(connection, wanted, str::to_owned)?;
    let left = live::estimate_remaining(&mut ready, start)?;
    if args.again.dry_run {
        output::print(&live::planned(&ready, left.estimate), args.format)?;
        return Ok(None);
    }
    let inputs = opened.inputs();
    for written in [file, &args.out.join(ask::FILE)] {
        live::check_not_input(&inputs, written, args.again)?;
    }
    let judged = live::ask(ready, start, left)?;
    let status = live::finished(&judged.output, live::document(&judged).summary.as_ref())?;
    Ok(Some((judged, status)))
}
