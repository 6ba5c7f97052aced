//! `eyechart verdicts`: lists, imports and uploads the verdicts of the label audit.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::path::Path;

use super::input::{LoadedInput, RequiredData, ResolvedInput, fetch_verdicts};
use super::queries;
use super::stderr::stderr;
use super::{Failure, Status, named, write_back};
use crate::cli::Verdicts;
use base::format::{counted, visible};
use engine::{Scope, SpotCheck};
use record::verdict::{Entry, parse_lines};
use report::LabelAudit;
use workspace::page::list_row;
use workspace::upload_queue::UploadQueue;
use workspace::verdicts::{Audit, Ledger};

/// Imports verdicts on request, then writes the audit or a spot check.
pub fn run(args: &Verdicts) -> Result<Status, Failure> {
    let named = ResolvedInput::of(&args.common.input)?;
    let audit = named.audit(args.author.as_deref());
    fetch_verdicts(&audit)?;
    let mut ledger = Ledger::open(&audit);
    if let Some(from) = &args.import {
        let imported = import(from, &mut ledger);
        return upload_verdicts(&audit).and(imported);
    }
    let opened = named.open_to(&RequiredData::At(&[Scope::from(&args.common.lens)]))?;
    // Verdict files in a store are downloaded with its logs, so read the verdicts again.
    ledger.refresh();
    if let Some(tool) = args.to {
        return write_back::run(args, named::tool(tool), &opened, ledger.book());
    }
    if let Some(query) = queries::spot_check(args, &audit.author) {
        return args.common.write(&drawn(&query, &opened)?, &opened);
    }
    let document = document(args, &opened, &ledger)?;
    args.common.write_tables(args.long, &document, &opened)
}

/// Uploads verdicts to their store. Prints how many were uploaded, or the error.
pub fn upload_verdicts(audit: &Audit) -> Result<(), Failure> {
    let Some(queue) = UploadQueue::of(audit) else {
        return Ok(());
    };
    let address = queue.address();
    match queue.put() {
        Ok(count) => {
            let count = counted(count, "verdict");
            writeln!(
                stderr(),
                "{count} uploaded to {}",
                visible(&address.to_string())
            )?;
            Ok(())
        }
        Err(why) => {
            let count = counted(queue.waiting(), "verdict");
            let file = audit.own();
            Err(Failure::new(format!(
                "{count} stored in {} but not uploaded: {why}",
                file.display()
            ))
            .hint(
                "the next import or start of the terminal UI with the same --verdicts tries again",
            ))
        }
    }
}

/// Draws a spot check: samples that the author has not judged yet.
fn drawn(query: &SpotCheck, opened: &LoadedInput) -> Result<report::SpotCheck, Failure> {
    let row = |row| list_row(opened.table(), row, query.scope.scoring);
    Ok(report::SpotCheck {
        seed: query.seed,
        rows: opened.ask(query)?.into_iter().map(row).collect(),
    })
}

fn document(args: &Verdicts, opened: &LoadedInput, ledger: &Ledger) -> Result<LabelAudit, Failure> {
    let findings = opened.ask(&engine::Audit::from(args))?;
    Ok(LabelAudit {
        author: args.author.clone(),
        findings: *findings,
        files: ledger.files().map(base::format::path).collect(),
        problems: ledger.problems(),
    })
}

/// Imports entries that the ledger lacks, and prints each entry once it is on disk.
fn import(from: &Path, ledger: &mut Ledger) -> Result<Status, Failure> {
    let mut known = lines_of(ledger)?;
    let mut reader = BufReader::new(open(from)?);
    let (mut line, mut number, mut bad) = (Vec::new(), 0_u64, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        number += 1;
        let (entries, problems) = parse_lines(&line);
        bad.extend(problems.into_iter().map(|bad| (number, bad.what)));
        for entry in entries {
            let text = entry.line().map_err(Failure::new)?;
            if known.insert(text.clone()) {
                store_verdict(&entry, &text, ledger)?;
            }
        }
        line.clear();
    }
    match bad.first() {
        None => Ok(Status::Done),
        Some((number, what)) => {
            let lines = counted(bad.len() as u64, "bad line");
            Err(Failure::new(format!(
                "{}: {lines}; line {number}: {what}",
                from.display()
            )))
        }
    }
}

fn open(from: &Path) -> Result<Box<dyn Read>, Failure> {
    if from == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let file =
        File::open(from).map_err(|error| Failure::new(format!("{}: {error}", from.display())))?;
    Ok(Box::new(file))
}

/// Returns all entries of the ledger's files, as lines.
fn lines_of(ledger: &Ledger) -> Result<HashSet<Vec<u8>>, Failure> {
    let mut known = HashSet::new();
    for path in ledger.files() {
        let (entries, _) = parse_lines(&std::fs::read(path)?);
        known.extend(entries.iter().filter_map(|entry| entry.line().ok()));
    }
    Ok(known)
}

fn store_verdict(entry: &Entry, text: &[u8], ledger: &mut Ledger) -> Result<(), Failure> {
    if let Some(told) = ledger.append(entry).map_err(Failure::new)? {
        writeln!(stderr(), "{}", visible(&told))?;
    }
    let mut out = stdout().lock();
    out.write_all(text)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
