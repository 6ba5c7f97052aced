//! Documents on their way to stdout or into a file.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::input::{Named, Opened};
use super::{Failure, named};
use cli::{Format, Lens, Output};
use engine::{CommandLine, Scope};
use record::Table;
use report::{self, Document, Provenance};
use workspace::hash::hashes;

/// Widest text of a table on a terminal; a pipe gets everything.
const WIDEST: usize = 60;
/// File endings and what they mean.
const ENDINGS: [(&str, Format); 7] = [
    ("html", Format::Html),
    ("htm", Format::Html),
    ("md", Format::Markdown),
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("jsonl", Format::Jsonl),
    ("txt", Format::Table),
];

/// What a document is made of.
pub struct Origin<'a> {
    named: &'a Named,
    lens: Option<&'a Lens>,
    table: &'a Table,
}

impl<'a> Origin<'a> {
    /// A table that was read through a lens, if the command knows one.
    pub const fn new(named: &'a Named, lens: Option<&'a Lens>, table: &'a Table) -> Self {
        Self { named, lens, table }
    }

    /// What was opened, through a lens.
    pub fn of(opened: &'a Opened, lens: &'a Lens) -> Self {
        Self::new(&opened.named, Some(lens), opened.table())
    }

    /// The command as it was typed, what was opened without being named included, and the hashes of all logs.
    fn provenance(&self) -> Provenance {
        let mut words: Vec<OsString> = vec!["eyechart".into()];
        words.extend(wild::args_os().skip(1));
        if self.named.is_usual {
            words.extend(self.named.request.paths.iter().map(OsString::from));
        }
        let mut about = Vec::new();
        if let Some(lens) = self.lens {
            about.push(match lens.filter.as_str() {
                "" => "all samples".to_owned(),
                filter => format!("only {filter}"),
            });
            let scoring = Scope::from(lens).scoring;
            about.push(format!("scored by the {} rules", scoring.name()));
        }
        about.push(format!("Eyechart {}", env!("CARGO_PKG_VERSION")));
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        Provenance {
            words: words.iter().map(text).collect(),
            command: words.into_iter().collect::<CommandLine>().to_string(),
            about,
            sources: self.table.sources().to_vec(),
            hashes: hashes(self.table.sources()),
        }
    }
}

/// Prints a document, or writes it into the file that the user names. What is handed on says where it comes
/// from; that reads every log once more, so that nothing else does.
pub fn write(
    document: &impl Document,
    output: &Output,
    origin: &Origin<'_>,
) -> Result<(), Failure> {
    let format = format(output)?;
    let handed_on = match format {
        Format::Html | Format::Markdown => true,
        Format::Json => output.out.is_some(),
        _ => false,
    };
    if !handed_on && output.out.is_none() {
        return print(document, format);
    }
    let provenance = handed_on.then(|| origin.provenance());
    let write = |out: &mut dyn Write| match &provenance {
        Some(provenance) => report::write_with(provenance, document, named::format(format), out),
        None => report::write(document, named::format(format), None, out),
    };
    match &output.out {
        None => {
            let mut out = BufWriter::new(stdout().lock());
            write(&mut out)?;
            Ok(out.flush()?)
        }
        Some(file) => write_file(file, origin.named, write),
    }
}

/// The format: as named, else as the file's ending tells, else a table.
fn format(output: &Output) -> Result<Format, Failure> {
    let (None, Some(file)) = (output.format, &output.out) else {
        return Ok(output.format.unwrap_or_default());
    };
    let ending = file
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let known = ENDINGS
        .iter()
        .find(|(known, _)| ending.as_deref() == Some(known));
    known.map(|(_, format)| *format).ok_or_else(|| {
        Failure::usage(format!(
            "{}: the file must end in .html, .md, .csv, .json, .jsonl or .txt",
            file.display()
        ))
        .hint("--format names a format whatever the ending")
    })
}

/// A progress bar on standard error, which only a terminal shows; `None`: the end is not known.
pub fn bar(length: Option<u64>) -> ProgressBar {
    let target = if stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    ProgressBar::with_draw_target(length, target)
}

/// Prints a document that names no source.
pub fn print(document: &impl Document, format: Format) -> Result<(), Failure> {
    let widest = stdout().is_terminal().then_some(WIDEST);
    let mut out = BufWriter::new(stdout().lock());
    report::write(document, named::format(format), widest, &mut out)?;
    Ok(out.flush()?)
}

/// Writes aside and puts the file in its place when it is whole. A file that is read stays as it is.
fn write_file(
    file: &Path,
    named: &Named,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if let Ok(real) = fs::canonicalize(file)
        && is_read(&real, named)
    {
        return Err(Failure::new(format!(
            "{} is one of the files that are read; it stays as it is",
            file.display()
        )));
    }
    let failed =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", file.display()));
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let aside = platform::file::temporary_in(folder).map_err(|error| failed(&error.kind()))?;
    let mut out = BufWriter::new(&aside);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    aside.persist(file).map_err(|error| failed(&error.error))?;
    Ok(())
}

/// Returns true if a file is a log or belongs to one.
fn is_read(real: &PathBuf, named: &Named) -> bool {
    let (files, _) = reader::find(&named.request.paths);
    files.iter().any(|file| file.real == *real)
}
