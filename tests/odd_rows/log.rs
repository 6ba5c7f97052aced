//! Logs with rows to change: a copy of the log's folder, and the rows of one file in the folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::change::{self, Change};

/// Placeholder for the rows in a document.
const ROWS: &str = "@@rows@@";

/// Number of rows that are changed per log.
const CHANGED: usize = 3;

/// A log in its own folder.
pub struct Log {
    folder: TempDir,
    name: String,
    file: PathBuf,
    /// Text before, between and after the rows.
    around: [String; 3],
    rows: Vec<String>,
    /// Line number of the first row, from 1.
    first: usize,
    is_document: bool,
}

impl Log {
    /// The files below a folder for which `wanted` is true, each with a copy of the folder.
    pub fn all_below(home: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<Self> {
        let mut files = Vec::new();
        walk(home, &mut files);
        files.sort();
        let logs = files.iter().filter(|file| wanted(file));
        logs.map(|file| {
            let folder = TempDir::new().unwrap();
            // The name of the folder may be the name of a benchmark or a model.
            let copy = folder.path().join(home.file_name().unwrap());
            for file in files.iter().filter(|file| !is_picture(file)) {
                let to = copy.join(file.strip_prefix(home).unwrap());
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(file, to).unwrap();
            }
            let inner = file.strip_prefix(home).unwrap();
            Self::new(folder, copy.join(inner), &fs::read_to_string(file).unwrap())
        })
        .collect()
    }

    /// A log with this text.
    pub fn of_text(name: &str, text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join(name);
        Self::new(folder, file, text)
    }

    fn new(folder: TempDir, file: PathBuf, text: &str) -> Self {
        let name = file
            .strip_prefix(folder.path())
            .unwrap()
            .display()
            .to_string();
        let elements = file.extension().filter(|ending| *ending == "json");
        let elements = elements.and_then(|_| document(text));
        let is_document = elements.is_some();
        let (around, rows, first) = elements.unwrap_or_else(|| lines(text));
        let log = Self {
            folder,
            name,
            file,
            around,
            rows,
            first,
            is_document,
        };
        log.restore();
        log
    }

    /// Folder to open.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Relative path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Path of the file with the rows.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Text of a row.
    pub fn row(&self, row: usize) -> &str {
        &self.rows[row]
    }

    /// Indices of the rows to change: the first, a middle one and the last.
    pub fn rows_to_change(&self) -> Vec<usize> {
        let last = self.rows.len() - 1;
        let mut rows = vec![0, last, last / 2];
        rows.sort_unstable();
        rows.dedup();
        rows.truncate(CHANGED);
        rows
    }

    /// Changes of a row, except those that would break the brackets of a document.
    pub fn changes(&self, row: usize) -> Vec<Change> {
        let mut changes = change::of(&self.rows[row]);
        if self.is_document {
            let is_whole = |text: &str| {
                let text = text.replace('\u{0}', ",").replace("NaN", "null");
                serde_json::from_str::<Value>(&format!("[{text}]")).is_ok()
            };
            changes.retain(|change| is_whole(&change.text));
        }
        changes
    }

    /// Line number at which a row starts, from 1.
    pub fn lines(&self, row: usize) -> u64 {
        let before: usize = self.rows[..row]
            .iter()
            .map(|row| row.matches('\n').count() + 1)
            .sum();
        (self.first + before) as u64
    }

    /// Writes the file with one changed row.
    pub fn write(&self, row: usize, change: &Change) {
        let [_, between, _] = &self.around;
        let mut rows = self.rows.clone();
        rows[row] = change.text.replace('\u{0}', between);
        self.put(&rows);
    }

    /// Writes the original file.
    pub fn restore(&self) {
        self.put(&self.rows);
    }

    fn put(&self, rows: &[String]) {
        let [before, between, behind] = &self.around;
        let text = format!("{before}{}{behind}", rows.join(between));
        fs::create_dir_all(self.file.parent().unwrap()).unwrap();
        fs::write(&self.file, text).unwrap();
    }
}

/// Rows in a text of lines, without the header of a table.
fn lines(text: &str) -> Rows {
    let mut rows: Vec<String> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    let header = (!text.starts_with('{')).then(|| rows.remove(0) + "\n");
    let first = 1 + usize::from(header.is_some());
    let around = [header.unwrap_or_default(), "\n".to_owned(), "\n".to_owned()];
    (around, rows, first)
}

/// Text around the rows, the rows, and the line number of the first row.
type Rows = ([String; 3], Vec<String>, usize);

/// Elements of a document, one per line: of the list that it is, or of the list under `data` or
/// `samples`. `None` for other documents.
fn document(text: &str) -> Option<Rows> {
    let text = text.replace("NaN", "null");
    let mut document: Value = serde_json::from_str(&text).ok()?;
    let key = ["data", "samples"]
        .into_iter()
        .find(|key| document[*key].is_array());
    let list = match key {
        Some(key) => document[key].take(),
        None => document.take(),
    };
    let Value::Array(elements) = list else {
        return None;
    };
    let rows = elements.iter().map(Value::to_string).collect();
    match key {
        Some(key) => document[key] = ROWS.into(),
        None => document = ROWS.into(),
    }
    // The document without its list is written on one line.
    let whole = document.to_string();
    let (before, behind) = whole.split_once(&format!("\"{ROWS}\""))?;
    let around = [
        format!("{before}[\n"),
        ",\n".to_owned(),
        format!("\n]{behind}\n"),
    ];
    Some((around, rows, 2))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            walk(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

fn is_picture(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "png" || ending == "jpg")
}
