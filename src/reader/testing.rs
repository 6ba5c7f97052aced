//! Test helpers: a sink that stores everything, and functions that plan and read units.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{Context, Reader, Sink, Unit, find};
use record::{Problem, PublishedScore, Record};

/// Sink that stores everything it receives.
#[derive(Default)]
pub struct CollectingSink {
    /// Records with their lines.
    pub records: Vec<(Record, u64)>,
    /// Problems, formatted as `file:line: what`.
    pub problems: Vec<String>,
    /// Published scores, in the order in which they were received.
    pub figures: Vec<PublishedScore>,
    /// Total number of bytes reported as processed.
    pub bytes: u64,
}

impl Sink for CollectingSink {
    fn record(&mut self, record: Record, line: u64) {
        self.records.push((record, line));
    }

    fn problem(&mut self, problem: Problem) {
        let name = problem
            .file
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let line = problem.line.unwrap_or_default();
        self.problems
            .push(format!("{name}:{line}: {}", problem.what));
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.bytes += bytes;
        ControlFlow::Continue(())
    }

    fn published(&mut self, published: PublishedScore, _line: u64) {
        self.figures.push(published);
    }
}

/// Returns the path of a file or folder below `tests/fixtures`.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(path)
}

/// Returns the units that a reader plans for a path.
pub fn units(reader: &dyn Reader, path: &Path) -> Vec<Unit> {
    let mut files = find(&[path.to_path_buf()]).0;
    reader.plan(&mut files, &Context::default())
}

/// Reads everything below a path, except superseded units.
pub fn read_all(reader: &dyn Reader, path: &Path) -> CollectingSink {
    let mut collected = CollectingSink::default();
    for unit in units(reader, path).iter().filter(|unit| !unit.superseded) {
        reader.read(unit, &Context::default(), &mut collected);
    }
    collected
}

/// Returns damaged bytes: some are replaced, removed or inserted, or the end is cut off.
pub fn damaged(bytes: &[u8], hits: &[(proptest::sample::Index, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, kind, byte) in hits {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match kind % 8 {
            0..=4 => bytes[at] = *byte,
            5 => drop(bytes.remove(at)),
            6 => bytes.insert(at, *byte),
            _ => bytes.truncate(at),
        }
    }
    bytes
}
