//! Recognises logs and verdict files by their names.

use std::path::Path;

/// Extensions of log files, and of files that belong to a log.
const ENDINGS: [&str; 16] = [
    "jsonl", "json", "csv", "tsv", "xlsx", "parquet", "arrow", "feather", "ipc", "txt", "pkl",
    "eval", "log", "lock", "ndjson", "xml",
];

/// Extensions of compressed files.
const PACKED: [&str; 5] = ["gz", "zst", "xz", "bz2", "lz4"];
/// Extensions of archives; a further extension [`PACKED`] can follow.
const ARCHIVES: [&str; 5] = ["zip", "tar", "tgz", "7z", "rar"];
/// Extensions of logs; compressed files of these types are reported.
const PREDICTIONS: [&str; 8] = [
    "jsonl", "ndjson", "json", "csv", "tsv", "xlsx", "parquet", "eval",
];

/// True for the name of a verdict file. Verdict files lie next to logs.
pub fn holds_verdicts(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(record::verdict::ENDING))
}

/// True if a file with this name can be a log or belong to a log.
pub fn can_be_log(path: &Path) -> bool {
    !holds_verdicts(path) && has_ending(path, &ENDINGS)
}

/// True if the file's extension is one of `endings`, ignoring case.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}

/// True for the name of a compressed log.
pub fn is_packed(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    has_ending(path, &PACKED) && stem.is_some_and(|stem| has_ending(stem, &PREDICTIONS))
}

/// True for the name of an archive, such as `run.zip` and `run.tar.gz`.
pub fn is_archive(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    let is_tar = has_ending(path, &PACKED) && stem.is_some_and(|stem| has_ending(stem, &["tar"]));
    is_tar || has_ending(path, &ARCHIVES)
}
