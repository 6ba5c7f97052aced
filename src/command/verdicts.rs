//! `eyechart verdicts`: the label audit.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, stderr, stdin, stdout};
use std::path::Path;

use super::output::Origin;
use super::{Failure, Status, input, output};
use analysis::Selection;
use analysis::audit::{Asked, judged_by, spot_check};
use cli::Verdicts;
use format::{counted, visible};
use report::{LabelAudit, SpotCheck};
use verdict::{Book, Entry, parse_lines};
use workspace::corrected::audited;
use workspace::page::list_row;
use workspace::verdicts::Ledger;

/// Runs the command.
pub fn run(args: &Verdicts) -> Result<Status, Failure> {
    let asked = input::audit(&args.input, args.author.as_deref())?;
    let mut ledger = Ledger::open(&asked);
    if let Some(from) = &args.import {
        return import(from, &mut ledger);
    }
    let table = input::read(&args.input)?;
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    match args.spot_check {
        Some(size) => {
            let list = drawn(selection, ledger.book(), &asked.author, (size, args.seed));
            output::write(&list, &args.output, &origin)?;
        }
        None => {
            output::write(&document(args, selection, &ledger), &args.output, &origin)?;
        }
    }
    Ok(Status::Done)
}

/// A spot check: samples that the author has not judged.
fn drawn(
    selection: Selection<'_>,
    book: &Book,
    author: &str,
    (size, seed): (usize, u64),
) -> SpotCheck {
    let audited = judged_by(selection.table, book, author);
    let rows = spot_check(selection, &audited, size, seed);
    let row = |row| list_row(selection.table, row, selection.scoring);
    SpotCheck {
        seed,
        rows: rows.into_iter().map(row).collect(),
    }
}

fn document(args: &Verdicts, selection: Selection<'_>, ledger: &Ledger) -> LabelAudit {
    let asked = Asked {
        author: args.author.clone(),
        drop_ambiguous: args.drop_ambiguous,
        intervals: true,
    };
    LabelAudit {
        author: args.author.clone(),
        findings: audited(selection, ledger.book(), &asked),
        files: ledger
            .files()
            .map(|path| path.display().to_string())
            .collect(),
        problems: ledger.problems(),
    }
}

/// Appends what is not there yet; acknowledges each entry once it is on the disk.
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
                keep(&entry, &text, ledger)?;
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

/// The lines of every entry that the ledger's files have.
fn lines_of(ledger: &Ledger) -> Result<HashSet<Vec<u8>>, Failure> {
    let mut known = HashSet::new();
    for path in ledger.files() {
        let (entries, _) = parse_lines(&std::fs::read(path)?);
        known.extend(entries.iter().filter_map(|entry| entry.line().ok()));
    }
    Ok(known)
}

fn keep(entry: &Entry, text: &[u8], ledger: &mut Ledger) -> Result<(), Failure> {
    if let Some(told) = ledger.append(entry).map_err(Failure::new)? {
        writeln!(stderr().lock(), "{}", visible(&told))?;
    }
    let mut out = stdout().lock();
    out.write_all(text)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}
