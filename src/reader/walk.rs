//! Walks through the folders below the user's paths. A folder is visited only once, even if several
//! links lead to it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use base::limits::Limit;
use base::platform::file::{FileId, identity};
use walkdir::{DirEntry, WalkDir};

use super::file_name::can_be_log;
use record::Problem;

/// Names of skipped folders: pictures, files of batch requests, and folders of development tools.
const SKIPPED: [&str; 5] = [
    "images",
    "eyechart-batch",
    ".git",
    "node_modules",
    "__pycache__",
];

/// Which links to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// Links whose target is below one of the user's paths.
    #[default]
    Inside,
    /// All links.
    All,
}

/// Skipped paths: the first path, and the number of paths.
type SkippedPaths = Option<(PathBuf, u64)>;

/// A walk through several paths. Folders that were visited are not visited again.
#[derive(Debug)]
pub struct Walk {
    links: Links,
    /// Canonical paths of the files and folders given by the user.
    roots: Vec<PathBuf>,
    /// Identities of all folders visited so far.
    passed: HashSet<FileId>,
    outside: SkippedPaths,
    deeper: SkippedPaths,
}

impl Walk {
    /// Creates a walk over these paths.
    pub fn new(paths: &[PathBuf], links: Links) -> Self {
        let roots = paths.iter().filter_map(|path| path.canonicalize().ok());
        Self {
            links,
            roots: roots.collect(),
            passed: HashSet::new(),
            outside: None,
            deeper: None,
        }
    }

    /// Passes everything below a path to `take`, sorted by name. If the path is a file, passes the
    /// file. Stops and returns true when `take` returns true.
    pub fn below(
        &mut self,
        root: &Path,
        take: &mut dyn FnMut(walkdir::Result<DirEntry>) -> bool,
    ) -> bool {
        let mut entries = WalkDir::new(root)
            .follow_links(true)
            // Visit one level below the limit, to report what is skipped.
            .max_depth(Limit::Depth.length().saturating_add(1))
            .sort_by_file_name()
            .into_iter();
        while let Some(entry) = entries.next() {
            if let Ok(found) = &entry
                && !self.is_wanted(found)
            {
                if found.file_type().is_dir() {
                    entries.skip_current_dir();
                }
                continue;
            }
            if take(entry) {
                return true;
            }
        }
        false
    }

    /// Returns one problem per kind of skipped path.
    pub fn left_out(&self) -> impl Iterator<Item = Problem> {
        let outside = self.outside.as_ref().map(|(path, count)| {
            let what = format!(
                "{} out of the opened folder {} not followed (this is the first); --follow-links follows links",
                base::format::counted(*count, "link"),
                if *count == 1 { "is" } else { "are" },
            );
            Problem::file(path, what)
        });
        let deeper = self.deeper.as_ref().map(|(path, count)| {
            let what = format!(
                "{}: left out, {} in all",
                Limit::Depth.message(),
                base::format::counted(*count, "path")
            );
            Problem::file(path, what)
        });
        outside.into_iter().chain(deeper)
    }

    /// True for a file that can be a log, and for a folder that can contain logs and is visited for
    /// the first time.
    fn is_wanted(&mut self, entry: &DirEntry) -> bool {
        let (path, is_folder) = (entry.path(), entry.file_type().is_dir());
        if entry.depth() > 0 {
            let can_matter = if is_folder {
                can_hold_logs(path)
            } else {
                can_be_log(path)
            };
            if entry.depth() > Limit::Depth.length() {
                if can_matter {
                    add(&mut self.deeper, path);
                }
                return false;
            }
            if is_folder && !can_matter {
                return false;
            }
            if entry.path_is_symlink() && !self.is_followed(path) {
                if can_matter {
                    add(&mut self.outside, path);
                }
                return false;
            }
        }
        // A folder without identity cannot be read. The error is reported when the folder is read.
        let folder = is_folder.then(|| identity(path).ok()).flatten();
        folder.is_none_or(|folder| self.passed.insert(folder))
    }

    fn is_followed(&self, link: &Path) -> bool {
        let inside = || {
            let target = link.canonicalize().ok();
            target.is_some_and(|target| self.roots.iter().any(|root| target.starts_with(root)))
        };
        self.links == Links::All || inside()
    }
}

fn add(left_out: &mut SkippedPaths, path: &Path) {
    let (_, count) = left_out.get_or_insert_with(|| (path.to_path_buf(), 0));
    *count += 1;
}

/// True unless the name of a folder is one of those that are skipped.
pub fn can_hold_logs(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    !SKIPPED.iter().any(|skipped| name == *skipped)
}
