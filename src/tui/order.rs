//! Writes reports and exports requested in the UI, in the background.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use base::config::Prices;
use base::file::Inputs;
use base::job::{FOR_GOOD, Ticket};
use engine::{Engine, Scope};
use report::{Format, ReportJob};
use workspace::export::check_ending;
use workspace::load::Request;

/// Maximum number of file names to try if the default name exists.
const TRIES: u32 = 1_000;

/// Kind of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Report on the samples on screen.
    Report,
    /// Samples of the lens.
    Export,
}

/// A command of the palette: `report FILE` or `export FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Kind of the file.
    pub content: OutputKind,
    /// File name as typed; empty for a default name in the working folder.
    pub name: String,
}

impl Order {
    /// Parses a command; returns `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, name) = text.trim_start().split_once(' ')?;
        let content = match word {
            "report" => OutputKind::Report,
            "export" => OutputKind::Export,
            _ => return None,
        };
        let name = name.trim().to_owned();
        Some(Self { content, name })
    }

    /// Creates an order for a file with a default name.
    pub const fn unnamed(content: OutputKind) -> Self {
        Self {
            content,
            name: String::new(),
        }
    }

    /// Returns the command's word in the palette.
    pub const fn word(content: OutputKind) -> &'static str {
        match content {
            OutputKind::Report => "report",
            OutputKind::Export => "export",
        }
    }

    /// Returns the path, with a leading `~` replaced by the home folder.
    fn path(&self) -> PathBuf {
        let home = std::env::home_dir();
        match (self.name.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(&self.name),
        }
    }

    /// Returns the target file. If the user typed no name, makes a default name from `of`.
    ///
    /// # Errors
    /// The name cannot be used; the text is a message for the user.
    pub fn file(&self, of: &str) -> Result<Target, String> {
        if self.name.is_empty() {
            return Ok(Target {
                path: usual_name(self.content, of),
                is_usual: true,
            });
        }
        let path = self.path();
        let checked = match self.content {
            OutputKind::Report => Format::of(&path).err().map(|error| error.to_string()),
            OutputKind::Export => check_ending(&path).err().map(|error| error.to_string()),
        };
        if let Some(why) = checked {
            return Err(why);
        }
        Ok(Target {
            path,
            is_usual: false,
        })
    }
}

/// An output file, with a typed or default name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Path of the file.
    pub path: PathBuf,
    /// True for a default name. If the file exists, a number is added to the name.
    pub is_usual: bool,
}

/// Returns a default name: `exam-report.html`, `exam-samples.csv`.
fn usual_name(content: OutputKind, of: &str) -> PathBuf {
    let plain = |c: char| {
        if c.is_alphanumeric() || matches!(c, '-' | '_') {
            c
        } else {
            '-'
        }
    };
    let mut stem: String = of.chars().map(plain).take(60).collect();
    if stem.trim_matches('-').is_empty() {
        "eyechart".clone_into(&mut stem);
    }
    PathBuf::from(match content {
        OutputKind::Report => format!("{stem}-report.html"),
        OutputKind::Export => format!("{stem}-samples.csv"),
    })
}

/// A file to be written: content and target.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteJob {
    /// Report or export to write.
    pub what: OutputContent,
    /// File to write to.
    pub target: Target,
}

/// The query whose result is written.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputContent {
    /// The report query.
    Report(Box<engine::Report>),
    /// The scope whose records are exported.
    Export(Scope),
}

/// Inputs for writing a file, in addition to the engine.
pub struct WriteSources {
    /// Logs that are open, and how they were read.
    pub request: Request,
    /// Prices by model name.
    pub prices: Prices,
    /// Files that no output may overwrite.
    pub inputs: Inputs,
}

/// Result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteResult {
    /// Path as requested.
    pub ordered: PathBuf,
    /// The file, if it was written.
    pub file: Option<PathBuf>,
    /// Message for the user: name and size, or the reason of the failure.
    pub words: String,
}

/// Writes a file on a separate thread, and passes the result to `tell`. The thread also collects
/// `sources`.
pub fn write_aside(
    writing: WriteJob,
    engine: Box<dyn Engine + Send>,
    sources: impl FnOnce(&dyn Engine) -> WriteSources + Send + 'static,
    tell: impl FnOnce(WriteResult) + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        let made = || write(&writing, &*engine, &sources(&*engine), &FOR_GOOD);
        let written = base::job::caught("writing", made).unwrap_or_else(|failure| WriteResult {
            ordered: writing.target.path.clone(),
            file: None,
            words: failure.to_string(),
        });
        // Drop the engine early, because it can hold the last copy of an old table.
        drop(engine);
        tell(written);
    };
    let thread = thread::Builder::new().name("writing".to_owned());
    thread.spawn(work).map(drop)
}

/// Writes a file; stops when the ticket is cancelled.
pub fn write(
    writing: &WriteJob,
    engine: &dyn Engine,
    sources: &WriteSources,
    ticket: &Ticket,
) -> WriteResult {
    let path = free(&writing.target);
    let inputs = &sources.inputs;
    let made = match &writing.what {
        OutputContent::Report(query) => {
            let job = ReportJob {
                query,
                request: &sources.request,
                prices: &sources.prices,
                inputs,
            };
            let made = report::make(engine, &job, &path, ticket);
            made.map(|()| 0).map_err(|error| error.to_string())
        }
        OutputContent::Export(scope) => engine::export(
            engine,
            scope,
            engine::ExportTarget {
                path: &path,
                inputs,
            },
            ticket,
        )
        .map_err(|error| error.to_string())
        .and_then(|left_out| match left_out.problems.first() {
            Some(problem) => Err(format!("{}: {}", problem.place(), problem.what)),
            None => Ok(left_out.lost),
        }),
    };
    let is_written = made.is_ok();
    let words = match made {
        Ok(lost) => success_message(&path, writing.target.is_usual, lost),
        Err(why) => format!("not written: {why}"),
    };
    WriteResult {
        ordered: writing.target.path.clone(),
        file: is_written.then_some(path),
        words,
    }
}

/// Returns the path. For a default name, returns the first path that does not exist yet.
fn free(target: &Target) -> PathBuf {
    let path = &target.path;
    if !target.is_usual || fs::symlink_metadata(path).is_err() {
        return path.clone();
    }
    let part = |part: Option<&std::ffi::OsStr>| {
        let part = part.map(std::ffi::OsStr::to_string_lossy);
        part.unwrap_or_default().into_owned()
    };
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    let numbered = |number: u32| path.with_file_name(format!("{stem}-{number}.{ending}"));
    let mut names = (2..TRIES).map(numbered);
    let free = names.find(|name| fs::symlink_metadata(name).is_err());
    free.unwrap_or_else(|| path.clone())
}

/// Returns a message such as `report.html written, 312 kB`.
fn success_message(path: &Path, is_usual: bool, lost: u64) -> String {
    let bytes = fs::metadata(path).map_or(0, |meta| meta.len());
    let size = match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    };
    let folder = std::env::current_dir().ok().filter(|_| is_usual);
    let folder = folder.map_or_else(String::new, |folder| format!(", in {}", folder.display()));
    let lost = match lost {
        0 => String::new(),
        lost => {
            format!(", without {lost} records whose logs could not be read again")
        }
    };
    format!("{} written, {size}{folder}{lost}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_word_and_a_name() {
        let parsed = |text: &str| Order::parse(text).map(|order| (order.content, order.name));
        let named = |content, name: &str| Some((content, name.to_owned()));
        assert_eq!(
            parsed("report a b.html"),
            named(OutputKind::Report, "a b.html")
        );
        assert_eq!(parsed("export "), named(OutputKind::Export, ""));
        for other in ["report", "reports x", "help filters", ""] {
            assert_eq!(parsed(other), None, "{other}");
        }
    }

    #[test]
    fn a_usual_name_is_a_plain_file_name() {
        let name = |of: &str| usual_name(OutputKind::Report, of).display().to_string();
        assert_eq!(name("AVA-Bench"), "AVA-Bench-report.html");
        assert_eq!(name("../a b/\u{1b}"), "---a-b---report.html");
        assert_eq!(name("/"), "eyechart-report.html");
        let samples = usual_name(OutputKind::Export, "");
        assert_eq!(samples.display().to_string(), "eyechart-samples.csv");
    }

    #[test]
    fn the_ending_has_to_tell_a_format() {
        let file = |text: &str| Order::parse(text).unwrap().file("x");
        assert!(file("report a.html").is_ok() && file("export a.parquet").is_ok());
        let why = file("report a.doc").unwrap_err();
        assert!(why.contains("must end in .html, .md"), "{why}");
        let why = file("export a.html").unwrap_err();
        assert!(why.contains("must end in .parquet"), "{why}");
    }

    #[test]
    fn a_name_that_nobody_chose_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = |is_usual| Target {
            path: folder.path().join("a-report.html"),
            is_usual,
        };
        assert_eq!(free(&target(true)), target(true).path);
        fs::write(target(true).path, "mine").unwrap();
        assert_eq!(free(&target(true)), folder.path().join("a-report-2.html"));
        assert_eq!(free(&target(false)), target(false).path);
    }
}
