//! `eyechart convert`: all logs in one file that opens again.

use std::io::Write;
use std::path::Path;

use super::input::Opened;
use super::{Failure, Status, input};
use cli::Convert;
use file::WholeFile;
use job::FOR_GOOD;
use reader::own::Told;
use record::Row;
use workspace::export::{self, Form, TableWriter};

/// Runs the command.
pub fn run(args: &Convert) -> Result<Status, Failure> {
    let ending = args
        .out
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_lowercase();
    if !matches!(ending.as_str(), "parquet" | "arrow" | "jsonl" | "csv") {
        return Err(Failure::usage(format!(
            "{}: the file must end in .parquet, .arrow, .jsonl or .csv",
            args.out.display()
        )));
    }
    let opened = input::open(&args.input)?;
    let held = opened.rows(&args.lens)?;
    let selection = held.selection(&FOR_GOOD);
    let folder = args
        .out
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // A half-written file must not be taken for a whole one.
    let mut out = WholeFile::create(&args.out, &opened.named.inputs())?;
    let lost = fill(&ending, &mut out, &opened, selection, folder);
    let lost = lost.map_err(|failure| out.trouble().map_or(failure, Failure::new))?;
    out.commit()?;
    if lost > 0 {
        return Err(Failure::new(format!(
            "{lost} records could not be fetched from their logs any more"
        )));
    }
    Ok(Status::Done)
}

/// Writes everything; gives how many records could not be fetched.
fn fill(
    ending: &str,
    out: &mut WholeFile,
    opened: &Opened,
    selection: analysis::Selection<'_>,
    folder: &Path,
) -> Result<u64, Failure> {
    let mut writer = writer(ending, out, selection)?;
    let mut lost = 0;
    for row in selection.rows() {
        match export::record(opened.table(), Row(row), selection.scoring, folder) {
            Ok(record) => writer.push(&record)?,
            Err(_) => lost += 1,
        }
    }
    for told in export::told(selection) {
        writer.tell(&told)?;
    }
    writer.finish()?;
    Ok(lost)
}

enum Writer<'a> {
    Table(Box<TableWriter<&'a mut WholeFile>>),
    Lines(&'a mut WholeFile),
    Csv(Box<export::CsvWriter<&'a mut WholeFile>>),
}

fn writer<'a>(
    ending: &str,
    file: &'a mut WholeFile,
    selection: analysis::Selection<'_>,
) -> Result<Writer<'a>, Failure> {
    let columns = export::Columns::new(selection);
    let table = |form, file, columns| {
        let writer = TableWriter::new(form, file, columns);
        Ok(Writer::Table(Box::new(writer.map_err(Failure::new)?)))
    };
    match ending {
        "parquet" => table(Form::Parquet, file, columns),
        "arrow" => table(Form::Arrow, file, columns),
        "csv" => {
            let writer = export::CsvWriter::new(file, columns);
            Ok(Writer::Csv(Box::new(writer.map_err(Failure::new)?)))
        }
        _ => Ok(Writer::Lines(file)),
    }
}

impl Writer<'_> {
    fn push(&mut self, record: &record::Record) -> Result<(), Failure> {
        match self {
            Self::Table(writer) => writer.push(record).map_err(Failure::new),
            Self::Csv(writer) => writer.push(record).map_err(Failure::new),
            Self::Lines(out) => Ok(writeln!(out, "{}", reader::own::write_record(record))?),
        }
    }

    fn tell(&mut self, told: &Told) -> Result<(), Failure> {
        match self {
            Self::Table(writer) => writer.push_told(told).map_err(Failure::new),
            Self::Csv(writer) => writer.push_told(told).map_err(Failure::new),
            Self::Lines(out) => Ok(writeln!(out, "{}", reader::own::write_told(told))?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Table(writer) => writer.finish().map_err(Failure::new),
            Self::Csv(writer) => writer.finish().map_err(Failure::new),
            Self::Lines(out) => Ok(out.flush()?),
        }
    }
}
