//! A sink that keeps everything, and units of files, for the tests of readers.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::{Context, Reader, Sink, Unit, find};
use record::{Problem, Published, Record};

/// What a reader found.
#[derive(Default)]
pub struct Heap {
    /// Records and their lines.
    pub records: Vec<(Record, u64)>,
    /// Problems as `file:line: what`.
    pub problems: Vec<String>,
    /// Figures.
    pub figures: Vec<Published>,
    /// Bytes that were told.
    pub bytes: u64,
}

impl Sink for Heap {
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

    fn published(&mut self, published: Published, _line: u64) {
        self.figures.push(published);
    }
}

/// A file or folder under `tests/fixtures`.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(path)
}

/// The units of a reader below a path.
pub fn units(reader: &dyn Reader, path: &Path) -> Vec<Unit> {
    let mut files = find(&[path.to_path_buf()]).0;
    reader.plan(&mut files, &Context::default())
}

/// Everything that counts below a path.
pub fn heap(reader: &dyn Reader, path: &Path) -> Heap {
    let mut heap = Heap::default();
    for unit in units(reader, path).iter().filter(|unit| !unit.superseded) {
        reader.read(unit, &Context::default(), &mut heap);
    }
    heap
}

/// Bytes with a few of them replaced, taken away or doubled.
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
