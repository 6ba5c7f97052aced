//! Provenance of a report: the command that reproduces it, and the hashes of its sources.

use std::ffi::OsString;

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, appendix, html};
use engine::{CommandLine, Scope};
use record::Source;
use workspace::hash::hashes;

/// Command, settings and source hashes of a document.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The command as separate words, starting with the program's name.
    pub words: Vec<String>,
    /// The command as a quoted shell line.
    pub command: String,
    /// Filter, scoring rules and version.
    pub about: Vec<String>,
    /// The files that were read.
    pub sources: Vec<Source>,
    /// BLAKE3 hash of each file in hexadecimal; `None` if it cannot be read.
    pub hashes: Vec<Option<String>>,
}

impl Provenance {
    /// Provenance of a command, with its scope if it has one. Reads every log again for the hashes.
    pub fn of(command: &CommandLine, scope: Option<&Scope>, sources: &[Source]) -> Self {
        let mut about = Vec::new();
        if let Some(scope) = scope {
            about.push(match scope.filter.as_str() {
                "" => "all samples".to_owned(),
                filter => format!("only {filter}"),
            });
            about.push(format!("scored by the {} rules", scope.scoring.name()));
        }
        about.push(format!("Eyechart {}", env!("CARGO_PKG_VERSION")));
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        Self {
            words: command.words().iter().map(text).collect(),
            command: command.to_string(),
            about,
            sources: sources.to_vec(),
            hashes: hashes(sources),
        }
    }

    /// Number of digits in a short hash.
    const SHOWN: usize = 16;

    /// Source files with their hashes.
    pub fn hashed(&self) -> impl Iterator<Item = (&Source, Option<&str>)> {
        let hashes = self.hashes.iter().map(Option::as_deref);
        self.sources.iter().zip(hashes)
    }

    /// Shortens a hash for display; a dash for a missing hash.
    pub fn short(hash: Option<&str>) -> &str {
        let hash = hash.unwrap_or("–");
        hash.get(..Self::SHOWN).unwrap_or(hash)
    }

    /// A document's page, followed by problems, sources and the command.
    pub fn page(&self, document: &impl Document) -> html::Page {
        let mut page = document.page();
        page.about.extend(self.about.iter().cloned());
        page.blocks.extend(appendix::blocks(self));
        page
    }

    /// A document's tables, followed by hashes and the command.
    pub fn grids(&self, document: &impl Document) -> Vec<Grid> {
        let hashes = Columns::<(&Source, Option<&str>)>::new()
            .words("path", |(source, _)| base::format::path(&source.path))
            .text("BLAKE3", |(_, hash)| Self::short(*hash))
            .grid("Hashes", self.hashed());
        let mut again = Grid::new("To reproduce this report", &["command", "of"]);
        again.push([self.command.as_str(), &self.about.join(", ")]);
        let mut grids = document.grids();
        grids.extend([hashes, again]);
        grids
    }

    /// A document's JSON with the command's words, and a hash in each source.
    pub fn json(&self, document: &impl Document) -> Json {
        let mut json = document.json();
        if let Some(fields) = json.as_object_mut() {
            let paths = self.sources.iter();
            let paths = paths.map(|source| json!({"path": base::format::path(&source.path)}));
            let paths: Vec<Json> = paths.collect();
            let sources = fields.entry("sources").or_insert_with(|| json!(paths));
            let sources = sources.as_array_mut().into_iter().flatten();
            for (source, hash) in sources.zip(&self.hashes) {
                if let Some(source) = source.as_object_mut() {
                    source.insert("blake3".to_owned(), json!(hash));
                }
            }
            fields.insert("command".to_owned(), json!(self.words));
        }
        json
    }
}
