//! Writes documents to files, and makes whole reports for a file.

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::{Document, Format, Provenance, Summary};
use base::config::Prices;
use base::file::{Inputs, WholeFile};
use base::job::Ticket;
use engine::{Ask as _, Engine, QueryError, Report};
use workspace::load::Request;

/// File endings with their formats.
const ENDINGS: [(&str, Format); 8] = [
    ("html", Format::Html),
    ("htm", Format::Html),
    ("md", Format::Markdown),
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("jsonl", Format::Jsonl),
    ("txt", Format::Table),
    ("arrows", Format::Arrow),
];

impl Format {
    /// The format for a file's ending.
    ///
    /// # Errors
    /// The ending is unknown.
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

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum MakeError {
    /// The file's ending is unknown.
    #[error("{0}: the file must end in .html, .md, .csv, .json, .jsonl, .txt or .arrows")]
    Ending(String),
    /// The query failed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file is one of the inputs, or cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Returns true if a document in this format includes its provenance. JSON does so in files only.
pub const fn says_origin(format: Format, file: Option<&Path>) -> bool {
    match format {
        Format::Html | Format::Markdown => true,
        Format::Json => file.is_some(),
        Format::Table | Format::Brief | Format::Jsonl | Format::Csv | Format::Arrow => false,
    }
}

/// Writes a document to a file in one step.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(
    document: &impl Document,
    format: Format,
    provenance: Option<&Provenance>,
    mut out: WholeFile,
) -> io::Result<()> {
    let sink: &mut dyn Write = &mut out;
    match provenance {
        Some(provenance) => super::write_with(provenance, document, format, sink)?,
        None => super::write(document, format, None, sink)?,
    }
    Ok(out.commit()?)
}

/// Inputs for making a report file.
pub struct ReportJob<'a> {
    /// What the report contains: scope, scores and comparison.
    pub query: &'a Report,
    /// Request that loaded the data, for the commands in the report.
    pub request: &'a Request,
    /// Token prices, for the cost section.
    pub prices: &'a Prices,
    /// Files that are not overwritten.
    pub inputs: &'a Inputs,
}

/// Makes a report file, identical to that of the equivalent command.
///
/// # Errors
/// The file's ending is unknown, the query fails or is cancelled, or the file is an input or cannot
/// be written.
pub fn make(
    engine: &dyn Engine,
    job: &ReportJob<'_>,
    path: &Path,
    ticket: &Ticket,
) -> Result<(), MakeError> {
    let ReportJob {
        query,
        request,
        prices,
        inputs,
    } = *job;
    let format = Format::of(path)?;
    inputs.refuse(path).map_err(io::Error::from)?;
    let mut summary = Summary::of(engine, query, prices, ticket)?;
    if format == Format::Html {
        summary = summary.with_evidence(engine, query, request, ticket)?;
    }
    if !ticket.is_wanted() {
        return Err(QueryError::Stopped.into());
    }
    let command = query.command(request);
    let command = command.map(|command| command.option("--out", path));
    let provenance = command
        .filter(|_| says_origin(format, Some(path)))
        .map(|command| {
            let sources = engine.table().sources();
            Provenance::of(&command, Some(&query.scope), sources)
        });
    let out = WholeFile::create(path, inputs).map_err(io::Error::from)?;
    write_file(&summary, format, provenance.as_ref(), out)?;
    Ok(())
}
