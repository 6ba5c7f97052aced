//! Table of the limits: name, default, unit and message of each.

use serde::Deserialize;

use super::Unit;

/// Properties of one limit.
pub struct Entry {
    /// The limit that this entry describes.
    pub limit: Limit,
    /// Name of the limit's setting in the config file.
    pub name: &'static str,
    /// Value used without a setting.
    pub default: u64,
    /// Unit of the value.
    pub unit: Unit,
    /// Rest of the message after "more than N".
    pub of: &'static str,
}

/// Declares [`Limit`] and [`ENTRIES`] from one row per limit: its variant, the name of its
/// setting, default, unit and message.
macro_rules! limits {
    ($($(#[$doc:meta])+ $limit:ident $name:ident = $default:literal $(<< $shift:literal)?, $unit:ident, $of:literal;)*) => {
        /// A limit on input or time. The comment of each variant gives the unit and what is
        /// limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Limit {
            $($(#[$doc])+ $limit,)*
        }

        /// All limits, in the order of [`Limit`].
        pub const ENTRIES: &[Entry] = &[$(Entry {
            limit: Limit::$limit,
            name: stringify!($name),
            default: $default $(<< $shift)?,
            unit: Unit::$unit,
            of: $of,
        },)*];
    };
}

limits! {
    /// Bytes of one line or one cell of a log.
    Line line = 64 << 20, Bytes, "in one line or cell of a log";
    /// Levels of folders below an opened folder that are searched.
    Depth depth = 24, Count, "levels of folders";
    /// Bytes of a picture file.
    Picture picture = 256 << 20, Bytes, "in a picture file";
    /// Pixels along a side of a picture.
    PictureSide picture_side = 65_535, Pixels, "along a side of a picture";
    /// Pixels of a picture.
    PicturePixels picture_pixels = 64_000_000, Pixels, "in a picture";
    /// Bytes of a decoded picture.
    PictureDecoded picture_decoded = 256 << 20, Bytes, "of a decoded picture";
    /// Pixels stored of a pixel map (mask, depth); larger maps are downsampled.
    MapPixels map_pixels = 1_500_000, Pixels, "in a pixel map";
    /// Bytes of the stream of one answer, protocol overhead included.
    Stream stream = 256 << 20, Bytes, "in the stream of one answer";
    /// Bytes of one event of a stream.
    Event event = 4 << 20, Bytes, "in one event of a stream";
    /// Events of the stream of one answer.
    Events events = 1_000_000, Count, "events in the stream of one answer";
    /// Bytes of a response that is not a stream.
    Body body = 8 << 20, Bytes, "in an answer that is not streamed";
    /// Bytes of an answer's text, tool calls included.
    Answer answer = 4 << 20, Bytes, "of text and tool calls in one answer";
    /// Bytes of an answer's reasoning.
    Reasoning reasoning = 16 << 20, Bytes, "of reasoning in one answer";
    /// Bytes of an answer's log probabilities, as sent by the server.
    Logprobs logprobs = 8 << 20, Bytes, "of log probabilities in one answer";
    /// Bytes of a server's list of models.
    Models models = 8 << 20, Bytes, "in a server's list of models";
    /// Seconds that a server can ask to wait before a retry.
    RetryAfter retry_after = 3_600, Seconds, "of waiting before one attempt";
    /// Seconds until a server's rate limit resets; larger values are ignored.
    RateReset rate_reset = 120, Seconds, "of waiting for a rate limit";
    /// Seconds that the command for an API key may run.
    KeyCommand key_command = 60, Seconds, "of waiting for the key command";
    /// Bytes of the output of the command for an API key.
    KeyOutput key_output = 64 << 10, Bytes, "of output from the key command";
    /// Bytes of one cell of a table; the rest of the cell is not read.
    Cell cell = 1 << 20, Bytes, "in one cell of a table";
    /// Bytes of the first line of a table.
    Header header = 1 << 20, Bytes, "in the header of a table";
    /// Bytes of a JSON document that must be read as a whole.
    Document document = 256 << 20, Bytes, "in one JSON document";
    /// Values of one JSON document or line that is parsed as a whole.
    Values values = 1_000_000, Count, "values in one JSON document or line";
    /// Values of all results documents kept in memory while logs are searched.
    Results results = 8_000_000, Count, "values in all results documents together";
    /// Unpacked bytes of one member of an archive.
    Member member = 64 << 20, Bytes, "in one member of an archive";
    /// Members of one archive.
    Members members = 500_000, Count, "members in one archive";
    /// Unpacked bytes of a workbook.
    Workbook workbook = 512 << 20, Bytes, "in an unpacked workbook";
    /// Bytes that a compressed file may unpack to, beyond 500 times its size.
    Unpacked unpacked = 64 << 20, Bytes, "unpacked, beyond 500 times the size";
    /// Bytes of a table of aggregate scores that belongs to a log.
    Aggregate aggregate = 256 << 10, Bytes, "in a table of aggregates";
    /// Bytes of the status file of a run.
    Status status = 16 << 20, Bytes, "in a status file";
    /// Bytes read from a table to detect its columns.
    Example example = 8 << 20, Bytes, "in the first record of a table";
    /// Files that are examined below the opened paths.
    Files files = 1_000_000, Count, "files";
    /// Bytes of cached beginnings of files; the beginnings of further files are read again.
    Heads heads = 64 << 20, Bytes, "in the cached beginnings of files";
    /// Folders that are watched for changes.
    Folders folders = 2_000, Count, "watched folders";
    /// Bytes read from one pipe.
    Pipe pipe = 4 << 30, Bytes, "in one pipe";
    /// Bytes of a log after decoding from another encoding to UTF-8.
    Decoded decoded = 4 << 30, Bytes, "in one log that is not UTF-8";
    /// Bytes of logs that are read before they are parsed.
    Ahead ahead = 64 << 20, Bytes, "of logs read ahead";
    /// Bytes of one log's text kept in memory; larger texts go to a temporary file.
    Text text = 32 << 20, Bytes, "of the text of one log in memory";
    /// Problems stored per log; further problems are only counted.
    Problems problems = 10_000, Count, "problems of one log";
    /// Problems stored for all logs; further problems are only counted.
    AllProblems all_problems = 100_000, Count, "problems of all logs";
    /// Skipped rows of a log, in thousandths of its rows, above which its scores are not ranked.
    LeftOut left_out = 20, Count, "thousandths of a log's rows left out";
    /// Listed samples per log whose request differs from the request in an earlier log.
    Conflicts conflicts = 20, Count, "samples that differ from an earlier log";
    /// Distinct tags of a table.
    Tags tags = 2_000, Count, "different tags";
    /// Distinct metrics of a table, in addition to the metrics that rank.
    Metrics metrics = 200, Count, "different additional metrics";
    /// Bytes of the distinct texts of all tags.
    TagTexts tag_texts = 64 << 20, Bytes, "in the texts of tags";
    /// Bytes of the id of a sample.
    Id id = 4 << 10, Bytes, "in the id of a sample";
    /// Bytes of searchable questions and targets. Texts of further samples are shown, but cannot be
    /// searched.
    Texts texts = 256 << 20, Bytes, "in all questions and targets";
    /// Bytes of the ids of all samples.
    Ids ids = 512 << 20, Bytes, "in the ids of all samples";
    /// Predictions of a published data set that is read completely. For a larger set, sums and some
    /// predictions are read.
    WholeSet whole_set = 2_000_000, Count, "predictions in a data set that is fully read";
    /// Predictions of a larger data set that are loaded at once.
    LensRows lens_rows = 5_000_000, Count, "predictions of a large data set to read at once";
    /// Bytes of one file of a published data set; larger files are neither hashed nor read.
    SetFile set_file = 4 << 30, Bytes, "in one file of a published data set";
    /// Bytes of one file of verdicts.
    VerdictFile verdict_file = 64 << 20, Bytes, "in one verdict file";
    /// Bytes of one line of a file of verdicts.
    VerdictLine verdict_line = 64 << 10, Bytes, "in one line of a verdict file";
    /// Bytes of an answer that scoring rules read; the rest is only stored and shown.
    Scored scored = 1 << 20, Bytes, "in one scored answer";
    /// Samples shown in one report.
    ReportSamples report_samples = 500, Count, "samples in one report";
    /// Bytes of a report with pictures. Above the limit, pictures are reduced or left out.
    ReportPictures report_pictures = 4_900_000, Bytes, "in one report with pictures";
    /// Total bytes of the sources of a report to verify; further sources are not hashed.
    Hashed hashed = 64 << 30, Bytes, "in the sources of a report to verify";
    /// Bytes of the cache of downloaded files.
    Cache cache = 20 << 30, Bytes, "in the cache of files from stores";
    /// Minimum bytes of a store's object that is downloaded in parts, if its format allows that.
    WholeObject whole_object = 1 << 20, Bytes, "in an object of a store, to fetch it in parts";
    /// Models per ability up to which every pair of models is tested.
    TestedModels tested_models = 2_000, Count, "models of one ability";
    /// Pairs of models in one result. Abilities whose pairs exceed the limit are left out.
    Pairs pairs = 300_000, Count, "pairs of models";
    /// Bytes of one page of a store's listing.
    Listing listing = 64 << 20, Bytes, "in one page of a store's listing";
    /// Bytes of a journal, manifest or other file in a store that is read as a whole.
    StoreFile store_file = 512 << 20, Bytes, "in a journal or a manifest of a store";
    /// Seconds without a byte from a store before a request is retried.
    StoreSilence store_silence = 30, Seconds, "without a byte from a store";
    /// Consecutive retries without progress of a request to a store.
    StoreRetries store_retries = 7, Count, "retries of a request to a store";
    /// Bytes of an object whose length is not known before the download.
    Unmeasured unmeasured = 2 << 30, Bytes, "in an object of unknown length";
    /// Bytes of a database's response to one query.
    QueryAnswer query_answer = 1 << 30, Bytes, "in the answer to one database query";
    /// Seconds that a database query may take.
    QueryTime query_time = 300, Seconds, "for one database query";
    /// Predictions loaded from a database.
    DatabaseRows database_rows = 5_000_000, Count, "answers to load from a database";
    /// Groups of samples for which a database computes sums. Above the limit, samples are merged
    /// into fewer groups.
    DatabaseGroups database_groups = 4_000_000, Count, "sums of groups of samples to load from a database";
}
