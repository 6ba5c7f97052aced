//! Writes documents to stdout or to a file.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::input::{LoadedInput, ResolvedInput};
use super::{Failure, Status, named};
use crate::cli::{Common, Format, Lens, Output};
use base::file::WholeFile;
use engine::{CommandLine, Scope};
use record::Table;
use report::{self, Document, Provenance, says_origin};

/// Width of a terminal that does not report its size, in cells.
const USUAL_WIDTH: u16 = 80;

/// Time between two updates of a progress bar.
const PROGRESS: Duration = Duration::from_millis(100);

/// Input of a document, which its provenance describes.
pub struct Origin<'a> {
    named: &'a ResolvedInput,
    lens: Option<&'a Lens>,
    table: &'a Table,
}

impl<'a> Origin<'a> {
    /// Creates the origin from a loaded table and the lens, if the command has one.
    pub const fn new(named: &'a ResolvedInput, lens: Option<&'a Lens>, table: &'a Table) -> Self {
        Self { named, lens, table }
    }

    /// Creates the origin from opened data and a lens.
    pub fn of(opened: &'a LoadedInput, lens: &'a Lens) -> Self {
        Self::new(&opened.named, Some(lens), opened.table())
    }

    /// Returns the command as typed, with the default input made explicit, and the hashes of all
    /// logs.
    fn provenance(&self) -> Provenance {
        let mut words: Vec<OsString> = vec!["eyechart".into()];
        words.extend(wild::args_os().skip(1));
        if self.named.is_usual {
            words.extend(self.named.request.paths.iter().map(OsString::from));
        }
        let command = words.into_iter().collect::<CommandLine>();
        let scope = self.lens.map(Scope::from);
        Provenance::of(&command, scope.as_ref(), self.table.sources())
    }
}

/// Prints a document, or writes it to the file of `--out`. JSON and HTML contain the provenance,
/// which requires reading every log again to hash it.
pub fn write(
    document: &impl Document,
    output: &Output,
    origin: &Origin<'_>,
) -> Result<(), Failure> {
    write_as(document, format(output)?, output, origin)
}

impl Common {
    /// Writes a document, and returns [`Status::Done`].
    pub(super) fn write(
        &self,
        document: &impl Document,
        opened: &LoadedInput,
    ) -> Result<Status, Failure> {
        self.write_tables(true, document, opened)
    }

    /// Writes a document, as text with all tables or only the first screen, and returns
    /// [`Status::Done`]. Other formats always contain everything.
    pub(super) fn write_tables(
        &self,
        wants_all: bool,
        document: &impl Document,
        opened: &LoadedInput,
    ) -> Result<Status, Failure> {
        let format = match format(&self.output)? {
            report::Format::Table if !wants_all => report::Format::Brief,
            other => other,
        };
        let origin = Origin::of(opened, &self.lens);
        write_as(document, format, &self.output, &origin)?;
        Ok(Status::Done)
    }
}

pub fn write_as(
    document: &impl Document,
    format: report::Format,
    output: &Output,
    origin: &Origin<'_>,
) -> Result<(), Failure> {
    let handed_on = says_origin(format, output.file());
    let provenance = handed_on.then(|| origin.provenance());
    if let Some(file) = output.file() {
        let out = WholeFile::create(file, &origin.named.inputs(origin.table))?;
        let written = report::write_file(document, format, provenance.as_ref(), out);
        return Ok(written?);
    }
    let Some(provenance) = provenance else {
        return print_as(document, format);
    };
    let mut out = BufWriter::new(stdout().lock());
    report::write_with(&provenance, document, format, &mut out)?;
    Ok(out.flush()?)
}

/// Writes bytes to stdout, or to the file of `--out`.
pub fn write_bytes(
    file: Option<&Path>,
    origin: &Origin<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let Some(file) = file else {
        let mut out = BufWriter::new(stdout().lock());
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    let mut out = WholeFile::create(file, &origin.named.inputs(origin.table))?;
    write(&mut out)?;
    Ok(out.commit()?)
}

/// Returns the output format: as requested, else by the file's extension, else a table.
pub fn format(output: &Output) -> Result<report::Format, Failure> {
    match (output.format, output.file()) {
        (Some(format), _) => Ok(named::format(format)),
        (None, None) => Ok(report::Format::default()),
        (None, Some(file)) => report::Format::of(file).map_err(|error| {
            Failure::usage(error).hint("--format sets the format for any file ending")
        }),
    }
}

/// Creates a progress bar on stderr, visible on a terminal only. `None` means an unknown length.
pub fn bar(length: Option<u64>) -> ProgressBar {
    let target = if stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    ProgressBar::with_draw_target(length, target)
}

/// Shows how many records were read for pictures or answers while `work` runs, if stderr is a terminal.
pub fn with_progress<T>(work: impl FnOnce() -> T) -> T {
    let bar = bar(None);
    if bar.is_hidden() {
        return work();
    }
    let (stop, stopped) = mpsc::channel::<()>();
    let shown = bar.clone();
    let watch = move || {
        // The loop ends when the sender is dropped, even by a panic.
        while stopped.recv_timeout(PROGRESS) == Err(RecvTimeoutError::Timeout) {
            if let Some([done, all]) = workspace::progress::progress() {
                shown.set_length(all as u64);
                shown.set_position(done as u64);
            }
        }
    };
    let found = thread::scope(|scope| {
        scope.spawn(watch);
        let found = work();
        drop(stop);
        found
    });
    bar.finish_and_clear();
    found
}

/// Prints a document without provenance.
pub fn print(document: &impl Document, format: Format) -> Result<(), Failure> {
    print_as(document, named::format(format))
}

fn print_as(document: &impl Document, format: report::Format) -> Result<(), Failure> {
    let is_terminal = stdout().is_terminal();
    if format == report::Format::Arrow && is_terminal {
        let what = "--format arrow writes binary data, which a terminal cannot show";
        return Err(Failure::usage(what).hint("name a file with --out, or pipe it"));
    }
    let columns = is_terminal.then(|| {
        let size = crossterm::terminal::size().ok();
        let columns = size.map(|(columns, _)| columns).filter(|it| *it > 0);
        usize::from(columns.unwrap_or(USUAL_WIDTH))
    });
    let mut out = BufWriter::new(stdout().lock());
    report::write(document, format, columns, &mut out)?;
    Ok(out.flush()?)
}
