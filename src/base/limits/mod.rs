//! Limits on all input of the program: name, default, setting and message of each.
//!
//! Limits keep memory and time finite whatever a file or server sends. They are set as whole
//! numbers in the section `limits` of the config file, for example `line = 128000000`. Settings
//! apply once, before anything is read; until then every limit has its default.

mod entries;
mod unit;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;

use entries::{ENTRIES, Entry};
use unit::Number;
pub use unit::Unit;

/// A limit. Each variant names the unit and the quantity whose maximum it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Bytes of one line or one cell of a log.
    Line,
    /// Levels of folders below an opened folder.
    Depth,
    /// Bytes of a picture file.
    Picture,
    /// Pixels along a side of a picture.
    PictureSide,
    /// Pixels of a picture.
    PicturePixels,
    /// Bytes of a decoded picture.
    PictureDecoded,
    /// Pixels kept of a pixel map (mask, depth); larger maps are downsampled.
    MapPixels,
    /// Bytes of the stream of one answer, protocol overhead included.
    Stream,
    /// Bytes of one event of a stream.
    Event,
    /// Events of the stream of one answer.
    Events,
    /// Bytes of a response that is not a stream.
    Body,
    /// Bytes of an answer's text, tool calls included.
    Answer,
    /// Bytes of an answer's reasoning.
    Reasoning,
    /// Bytes of an answer's log probabilities, as sent by the server.
    Logprobs,
    /// Bytes of a server's list of models.
    Models,
    /// Seconds that a server may ask to wait before a retry.
    RetryAfter,
    /// Seconds until a server's rate limit resets; larger values are ignored.
    RateReset,
    /// Seconds that the command for an API key may run.
    KeyCommand,
    /// Bytes of the output of the command for an API key.
    KeyOutput,
    /// Bytes of one cell of a table; the rest of the cell is left out.
    Cell,
    /// Bytes of the first line of a table.
    Header,
    /// Bytes of a JSON document that must be read as a whole.
    Document,
    /// Values of one JSON document or line that is parsed as a whole.
    Values,
    /// Values of all results documents kept in memory while logs are searched.
    Results,
    /// Unpacked bytes of one member of an archive.
    Member,
    /// Members of one archive.
    Members,
    /// Unpacked bytes of a workbook.
    Workbook,
    /// Bytes that a compressed file may unpack to, in addition to a multiple of its size.
    Unpacked,
    /// Bytes of a table of aggregates that belongs to a log.
    Aggregate,
    /// Bytes of the status file of a run.
    Status,
    /// Bytes of a table that are read to detect its columns.
    Example,
    /// Files that are examined below the opened paths.
    Files,
    /// Bytes of file beginnings kept in memory; for further files they are read again.
    Heads,
    /// Folders that are watched for changes.
    Folders,
    /// Bytes read from one pipe.
    Pipe,
    /// Bytes of a log after decoding from another encoding to UTF-8.
    Decoded,
    /// Bytes of logs that are read ahead.
    Ahead,
    /// Bytes of one log's text kept in memory; larger texts go to a temporary file.
    Text,
    /// Problems stored per log; further ones are only counted.
    Problems,
    /// Problems stored for all logs; further ones are only counted.
    AllProblems,
    /// Thousandths of a log's rows that may be skipped before its scores are no longer ranked.
    LeftOut,
    /// Samples of one log listed because their request differs from that in an earlier log.
    Conflicts,
    /// Distinct tags of a table.
    Tags,
    /// Distinct further metrics of a table, which do not rank.
    Metrics,
    /// Bytes of the distinct texts of all tags.
    TagTexts,
    /// Bytes of the id of a sample.
    Id,
    /// Bytes of searchable questions and targets; texts of further
    /// samples are shown but not searchable.
    Texts,
    /// Bytes of the ids of all samples.
    Ids,
    /// Predictions of a published data set that is read completely; larger sets
    /// are read as sums and some predictions.
    WholeSet,
    /// Predictions of a larger data set that are loaded at once.
    LensRows,
    /// Bytes of one file of a published data set; larger files are neither hashed nor read.
    SetFile,
    /// Bytes of one file of verdicts.
    VerdictFile,
    /// Bytes of one line of a file of verdicts.
    VerdictLine,
    /// Bytes of one answer that scoring rules read; the rest is stored and shown.
    Scored,
    /// Samples shown in one report.
    ReportSamples,
    /// Bytes of the pictures in one report.
    ReportPictures,
    /// Bytes of all sources of a report that is verified; further ones are not hashed.
    Hashed,
    /// Bytes of the cache of downloaded files.
    Cache,
    /// Bytes from which an object of a store is downloaded in parts, where partial reads are used.
    WholeObject,
    /// Models per ability for which every pair is tested.
    TestedModels,
    /// Pairs of models in one result; pairs of further abilities are left out.
    Pairs,
    /// Bytes of one page of a store's listing.
    Listing,
    /// Bytes of a journal, manifest or other file of a store that is read as a whole.
    StoreFile,
    /// Seconds without a byte from a store, after which a request is retried.
    StoreSilence,
    /// Retries of a request to a store without progress.
    StoreRetries,
    /// Bytes of an object whose length is unknown before the download.
    Unmeasured,
    /// Bytes of a database's response to one query.
    QueryAnswer,
    /// Seconds that a database query may take.
    QueryTime,
    /// Predictions loaded from a database.
    DatabaseRows,
    /// Groups of samples for which a database computes sums; beyond this,
    /// samples are merged into fewer groups.
    DatabaseGroups,
}

/// Limits set in the config file.
static SET: OnceLock<BTreeMap<Limit, u64>> = OnceLock::new();

/// Sets limits for the rest of the run. Only the first call has an effect.
pub fn set(numbers: BTreeMap<Limit, u64>) {
    // Ignore a second call: files may have been read with the first limits.
    let _ = SET.set(numbers);
}

impl Limit {
    /// Returns all limits, in the order of declaration.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.limit)
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// Returns the name of the setting.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the value that applies without a setting.
    #[must_use]
    pub const fn default(self) -> u64 {
        self.entry().default
    }

    /// Returns the value that applies in this run.
    #[must_use]
    pub fn get(self) -> u64 {
        let set = SET.get().and_then(|numbers| numbers.get(&self));
        set.copied().unwrap_or_else(|| self.default())
    }

    /// Returns the value that applies in this run as `usize`, to compare with lengths in memory.
    #[must_use]
    pub fn length(self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// Reads a file that is at most this many bytes long.
    ///
    /// # Errors
    /// If it is a pipe or device, is longer, or cannot be read.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), self.get());
        let file = crate::platform::file::open(path)?;
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(self.message()));
        }
        Ok(bytes)
    }

    /// Returns the message for input beyond the limit, with the setting that changes it.
    #[must_use]
    pub fn message(self) -> String {
        let number = Number(self.get(), self.entry().unit);
        let Entry { of, name, .. } = self.entry();
        format!("more than {number} {of} (limits.{name} in the config file)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_stands_at_its_place_under_its_own_name() {
        for (place, limit) in Limit::all().enumerate() {
            assert_eq!(limit as usize, place);
            let named = format!("{limit:?}").to_lowercase();
            assert_eq!(limit.name().replace('_', ""), named);
        }
    }

    #[test]
    fn the_message_names_number_and_setting() {
        let message = Limit::Line.message();
        assert_eq!(
            message,
            "more than 64 MiB in one line or cell of a log (limits.line in the config file)"
        );
    }
}
