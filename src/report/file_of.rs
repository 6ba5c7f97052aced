//! Documents on their way into a file, and whole reports made for one.

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::{Document, Format, Provenance, Summary};
use config::Prices;
use engine::{Ask as _, Engine, QueryError, Report};
use file::{Inputs, WholeFile};
use job::Ticket;
use workspace::load::Request;

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

impl Format {
    /// The format that a file's ending tells.
    ///
    /// # Errors
    /// It tells none.
    pub fn of(path: &Path) -> Result<Self, MakeError> {
        let ending = path.extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_lowercase());
        let known = ENDINGS
            .iter()
            .find(|(known, _)| ending.as_deref() == Some(known));
        let known = known.map(|(_, format)| *format);
        known.ok_or_else(|| MakeError::Ending(path.display().to_string()))
    }
}

/// Why a file was not made.
#[derive(Debug, Error)]
pub enum MakeError {
    /// The ending names no format.
    #[error("{0}: the file must end in .html, .md, .csv, .json, .jsonl or .txt")]
    Ending(String),
    /// There is nothing to write.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file is one of the inputs, or the system does not let it be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Returns true if a document of this format says where it comes from, on its way into a file or elsewhere.
#[must_use]
pub const fn says_origin(format: Format, is_file: bool) -> bool {
    match format {
        Format::Html | Format::Markdown => true,
        Format::Json => is_file,
        Format::Table | Format::Jsonl | Format::Csv => false,
    }
}

/// Writes a document into a whole file, which is none of the inputs.
///
/// # Errors
/// The file is one of the inputs, or the system does not let it be written.
pub fn write_file(
    document: &impl Document,
    format: Format,
    provenance: Option<&Provenance>,
    (path, inputs): (&Path, &Inputs),
) -> io::Result<()> {
    let mut out = WholeFile::create(path, inputs)?;
    let sink: &mut dyn Write = &mut out;
    match provenance {
        Some(provenance) => super::write_with(provenance, document, format, sink)?,
        None => super::write(document, format, None, sink)?,
    }
    Ok(out.commit()?)
}

/// Makes the report of a query as a file, byte by byte as the command that asks the same makes it.
///
/// # Errors
/// The file's ending tells no format, the query asks for something that there is not, nobody waits any more, the file is
/// one of the inputs, or the system does not let it be written.
pub fn make(
    engine: &dyn Engine,
    query: &Report,
    (opened, prices): (&Request, &Prices),
    (path, inputs): (&Path, &Inputs),
    ticket: &Ticket,
) -> Result<(), MakeError> {
    let format = Format::of(path)?;
    inputs.refuse(path).map_err(io::Error::from)?;
    let summary = Summary::of(engine, query, prices, ticket)?;
    let summary = summary.with_evidence(engine, query, (opened, format), ticket)?;
    if !ticket.is_wanted() {
        return Err(QueryError::Stopped.into());
    }
    let command = query.command(opened);
    let command = command.map(|command| command.option("--out", path));
    let provenance = command
        .filter(|_| says_origin(format, true))
        .map(|command| {
            let sources = engine.table().sources();
            Provenance::of(&command, Some(&query.scope), sources)
        });
    write_file(&summary, format, provenance.as_ref(), (path, inputs))?;
    Ok(())
}
