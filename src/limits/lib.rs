//! Every bound on what the program takes in: its name, default, setting and message.
//!
//! A bound keeps memory and time finite whatever a file or a server sends. The setting is a whole number under the
//! name of the bound in the section `limits` of the config file, for example `line = 128000000`. It is set once,
//! before anything is read; a bound that is looked up before that has its default.

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

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Bytes of one line or one cell of a log.
    Line,
    /// Levels of folders below an opened one.
    Depth,
    /// Bytes of the file of a picture.
    Picture,
    /// Pixels along a side of a picture.
    PictureSide,
    /// Pixels of a picture.
    PicturePixels,
    /// Bytes of a decoded picture.
    PictureDecoded,
    /// Pixels kept of a map of pixels, such as a mask or depth; larger ones are thinned out.
    MapPixels,
    /// Bytes of the stream of one answer, everything beside its words included.
    Stream,
    /// Bytes of one event of a stream.
    Event,
    /// Events of the stream of one answer.
    Events,
    /// Bytes of a response that does not come as a stream.
    Body,
    /// Bytes of an answer's text, tool calls included.
    Answer,
    /// Bytes of an answer's reasoning.
    Reasoning,
    /// Bytes of an answer's log probabilities, as the server spells them.
    Logprobs,
    /// Bytes of a server's list of models.
    Models,
    /// Seconds of waiting that a server may ask for before another attempt.
    RetryAfter,
    /// Seconds until a server's rate budget is refilled; what says more is taken to be misread.
    RateReset,
    /// Seconds that the command may take which prints a key.
    KeyCommand,
    /// Bytes that the command may print which prints a key.
    KeyOutput,
    /// Bytes of one cell of a table; the rest of the cell is left out.
    Cell,
    /// Bytes of the first line of a table.
    Header,
    /// Bytes of a JSON document that has to be read as a whole.
    Document,
    /// Values of one JSON document or line that is parsed as a whole.
    Values,
    /// Values of all results documents whose content is kept while logs are looked for.
    Results,
    /// Unpacked bytes of one member of an archive.
    Member,
    /// Members of one archive.
    Members,
    /// Unpacked bytes of a workbook.
    Workbook,
    /// Bytes that any packed file may unpack to, besides a multiple of its size.
    Unpacked,
    /// Bytes of a table of aggregates beside a log.
    Aggregate,
    /// Bytes of the status file of a run.
    Status,
    /// Bytes of a table that are looked at to tell its columns.
    Example,
    /// Files that are looked at below the opened paths.
    Files,
    /// Bytes of the beginnings of files that are kept in memory; those of further files are read again.
    Heads,
    /// Folders that are watched for changes.
    Folders,
    /// Bytes that are read of one pipe.
    Pipe,
    /// Bytes of a log in another encoding than UTF-8 after it is decoded.
    Decoded,
    /// Bytes of logs that are read before their turn.
    Ahead,
    /// Bytes of one log's text that are kept in memory and not in a temporary file.
    Text,
    /// Problems that are kept of one log; further ones are counted.
    Problems,
    /// Problems that are kept of all logs; further ones are counted.
    AllProblems,
    /// Thousandths of the rows of one log that may be left out before its scores lose their ranks.
    LeftOut,
    /// Samples of one log that are named because they ask something else than in the log before.
    Conflicts,
    /// Different tags of a table.
    Tags,
    /// Different metrics of a table beside those that rank.
    Metrics,
    /// Bytes of the different texts of all tags.
    TagTexts,
    /// Bytes of the id of a sample.
    Id,
    /// Bytes of questions and targets that can be searched; those of further samples are shown and not found.
    Texts,
    /// Bytes of the ids of all samples.
    Ids,
    /// Predictions of a published data set that is read whole; of a larger one sums are read, and some predictions.
    WholeSet,
    /// Predictions of a larger data set that are read at once.
    LensRows,
    /// Bytes of one file of verdicts.
    VerdictFile,
    /// Bytes of one line of a file of verdicts.
    VerdictLine,
    /// Bytes of one answer that rules look at; the rest is kept and shown.
    Scored,
    /// Samples that one report shows.
    ReportSamples,
    /// Bytes of the pictures in one report.
    ReportPictures,
    /// Bytes of the files that were fetched from stores and are kept.
    Cache,
    /// Bytes from which an object of a store is fetched in parts, where it is read so.
    WholeObject,
    /// Models of one ability of which each pair is tested.
    TestedModels,
    /// Pairs of models that one answer lists; those of further abilities are left out.
    Pairs,
    /// Bytes of one page of a store's listing.
    Listing,
    /// Bytes of a journal, a manifest or another file of a store that is read as a whole.
    StoreFile,
    /// Bytes of an object whose length its store does not tell before.
    Unmeasured,
    /// Bytes of the answer to one query of a database.
    QueryAnswer,
    /// Seconds that a database may take for one query.
    QueryTime,
    /// Answers of models that are loaded from a database.
    DatabaseRows,
    /// Groups of samples of which a database gives sums; beyond them samples are joined to fewer groups.
    DatabaseGroups,
}

/// The numbers of the config file.
static SET: OnceLock<BTreeMap<Limit, u64>> = OnceLock::new();

/// Sets bounds for the rest of the run. Only the first call does anything.
pub fn set(numbers: BTreeMap<Limit, u64>) {
    // A second call finds the bounds of the first, with which files may have been read already.
    let _ = SET.set(numbers);
}

impl Limit {
    /// All bounds.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.limit)
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// The name of the setting.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The number without a setting.
    #[must_use]
    pub const fn default(self) -> u64 {
        self.entry().default
    }

    /// The number that holds in this run.
    #[must_use]
    pub fn get(self) -> u64 {
        let set = SET.get().and_then(|numbers| numbers.get(&self));
        set.copied().unwrap_or_else(|| self.default())
    }

    /// The number that holds in this run, for comparison with lengths in memory.
    #[must_use]
    pub fn length(self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// The bytes of a file, if they are no more than the bound; no pipe or device is read.
    ///
    /// # Errors
    /// It is no file, is longer, or cannot be read.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), self.get());
        let file = platform::file::open(path)?;
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(self.message()));
        }
        Ok(bytes)
    }

    /// What is said where something is beyond the bound, with the setting that moves it.
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
