//! `eyechart check`: lists every problem with file and line.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::input::{ResolvedInput, reached};
use super::output::Origin;
use super::stderr::stderr;
use super::{Failure, Status, output};
use crate::cli::{Check, Format};
use base::config::Settings;
use base::format::visible_lines;
use record::{Problem, Source, Table};
use report::Problems;
use workspace::columns::{needed, unmapped};
use workspace::load::{LoadedData, PartialTables, open_any};
use workspace::verdicts::Ledger;

/// Lists the problems of logs and of verdict files; with `--strict`, exit code 3 if there are any.
pub fn run(args: &Check) -> Result<Status, Failure> {
    let named = ResolvedInput::of(&args.input)?;
    let mut go_on = |_| ControlFlow::Continue(());
    let (table, sources) = match open_any(&named.request, PartialTables::Skip, &mut go_on) {
        LoadedData::Whole(table, _) => {
            let sources = table.sources().to_vec();
            (table, sources)
        }
        LoadedData::Large(set) => (set.names.clone(), set.checked(&mut go_on)),
    };
    reached(&table)?;
    let mut problems = Problems { sources };
    problems.sources.extend(of_verdicts(&named));
    let origin = Origin::new(&named, None, &table);
    output::write(&problems, &args.output, &origin)?;
    if args.output.format.unwrap_or_default() == Format::Table {
        suggest_columns(&table)?;
        writeln!(stderr(), "{}", problems.headline())?;
    }
    Ok(if args.strict && problems.count() > 0 {
        Status::Problems
    } else {
        Status::Done
    })
}

/// Returns each verdict file that has problems, as a source.
fn of_verdicts(named: &ResolvedInput) -> Vec<Source> {
    let mut files: BTreeMap<PathBuf, Vec<Problem>> = BTreeMap::new();
    for problem in Ledger::open(&named.audit(None)).problems() {
        files.entry(problem.file.clone()).or_default().push(problem);
    }
    let source = |(path, problems)| Source {
        path,
        format: "verdicts",
        problems,
        ..Source::default()
    };
    files.into_iter().map(source).collect()
}

/// Prints a config section for each table with unknown columns, ready to paste.
fn suggest_columns(table: &Table) -> Result<(), Failure> {
    let mut out = stderr();
    let mut printed = Vec::new();
    let mut tables = unmapped(table);
    // The first config section that fits a table is used, so sections with more columns come first.
    tables.sort_by_key(|table| Reverse(table.guess.named().count()));
    for table in tables {
        // One section serves all tables with the same columns.
        if printed.contains(&table.guess) {
            continue;
        }
        let file = Settings::file().unwrap_or_default();
        let path = base::format::path(&table.path);
        writeln!(
            out,
            "\n# {}: guessed meaning of its columns. {}",
            visible_lines(&path),
            needed(&table.guess),
        )?;
        for doubt in table.doubts(&table.guess) {
            writeln!(out, "# {}", visible_lines(&doubt))?;
        }
        writeln!(
            out,
            "# Correct it and add it to {}:\n{}",
            file.display(),
            visible_lines(&table.guess.section()),
        )?;
        printed.push(table.guess);
    }
    Ok(())
}
