//! `eyechart publish`: writes all logs as a data set that Eyechart can open.

use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::stderr::stderr;
use super::{Failure, Status, input, output};
use crate::cli::Publish;
use base::format::{counted, visible};
use store::Address;
use workspace::database::{self, Database};
use workspace::load::shown;
use workspace::publish::{
    Bucket, Folder, PictureCopies, PublicationResult, PublishError, Target, publish,
};

/// Publishes to a folder, a store or a database.
pub fn run(args: &Publish) -> Result<Status, Failure> {
    check_no_overlap(&args.to, &args.input.paths)?;
    let to = Destination::open(args)?;
    let opened = input::open(&args.input)?;
    let bar = output::bar(Some(opened.table().len() as u64));
    let told = |done| bar.set_position(done);
    let published = match &to {
        Destination::Files(target) => {
            let pictures = if args.pictures {
                PictureCopies::Write
            } else {
                PictureCopies::Skip
            };
            publish(opened.table(), &**target, pictures, &told)
        }
        Destination::Database(database) => database::publish(opened.table(), database, &told),
    };
    bar.finish_and_clear();
    let published = published.map_err(Failure::from)?;
    print_result(&published, &to, &shown(&args.to))?;
    input::mention(&opened, 0);
    Ok(if published.missing > 0 {
        Status::Partial
    } else {
        Status::Done
    })
}

/// Destination of a data set.
enum Destination {
    Files(Box<dyn Target>),
    Database(Database),
}

impl Destination {
    fn open(args: &Publish) -> Result<Self, Failure> {
        let wrong = |why: &dyn Display| Failure::usage(format!("{}: {why}", shown(&args.to)));
        let address = match Address::of(&args.to) {
            None => return Ok(Self::Files(Box::new(Folder::new(&args.to)))),
            Some(address) => address.map_err(|why| wrong(&why))?,
        };
        match Database::of(&address) {
            None => Ok(Self::Files(Box::new(Bucket::open(&address)?))),
            Some(_) if args.pictures => {
                let what = wrong(&"a database cannot store pictures");
                Err(what.hint("leave out --pictures, or publish to a folder or a bucket"))
            }
            Some(database) => Ok(Self::Database(database.map_err(|why| wrong(&why))?)),
        }
    }

    /// Returns two nouns for the report: the unit that is written, and the object that the version
    /// number counts.
    const fn words(&self) -> (&'static str, &'static str) {
        match self {
            Self::Files(_) => ("file", "manifest"),
            Self::Database(_) => ("insert", "state"),
        }
    }
}

/// Fails if the data set is inside the logs or the logs inside it: later runs would read both.
fn check_no_overlap(to: &Path, paths: &[PathBuf]) -> Result<(), Failure> {
    let together = if let Some(Ok(to)) = Address::of(to) {
        let overlaps = |path: &Address| {
            let same = path.whole() == to.whole();
            same && (path.below(&to.key).is_some() || to.below(&path.key).is_some())
        };
        let is_together = |path: &&PathBuf| {
            let path = Address::of(path).and_then(Result::ok);
            path.is_some_and(|path| overlaps(&path))
        };
        paths.iter().find(is_together)
    } else {
        let to = real(to);
        let is_together = |path: &&PathBuf| {
            let path = path.canonicalize();
            path.is_ok_and(|path| to.starts_with(&path) || path.starts_with(&to))
        };
        paths.iter().find(is_together)
    };
    match together {
        None => Ok(()),
        Some(path) => {
            let [to, path] = [to, path].map(|path| visible(&shown(path)).into_owned());
            let what = format!(
                "{to} and {path} overlap: the next run would read the published copy and the logs"
            );
            Err(Failure::usage(what).hint("choose a target outside the folder of the logs"))
        }
    }
}

/// Returns the canonical path; missing folders are appended to the nearest existing ancestor.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = path.ancestors().find_map(|folder| {
        let rest = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(rest))
    });
    real.unwrap_or(path)
}

/// Prints what was published.
fn print_result(
    published: &PublicationResult,
    to: &Destination,
    place: &str,
) -> Result<(), Failure> {
    let (one, number) = to.words();
    let mut out = stderr();
    let PublicationResult {
        runs,
        changed,
        n,
        all,
        files,
        bytes,
        missing,
        manifest,
    } = *published;
    let written = format!("{} and {bytes} bytes written", counted(files, one));
    writeln!(
        out,
        "{} with {}: {changed} new or changed, {written}",
        counted(runs, "run"),
        counted(n, "answer"),
    )?;
    writeln!(
        out,
        "{} now contains {} ({number} {manifest})",
        visible(place),
        counted(all, "answer"),
    )?;
    if missing > 0 {
        let missing = counted(missing, "picture");
        writeln!(
            out,
            "{missing} not found at the paths in the logs; `--data DIR` adds folders to search"
        )?;
    }
    Ok(())
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::File(error) => error.into(),
            PublishError::System(error) => error.into(),
            other => Self::new(other),
        }
    }
}
