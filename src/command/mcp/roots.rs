//! Paths that an assistant may open.

use std::path::{Path, PathBuf};

use crate::Failure;

/// Files and folders that an assistant may open, including everything below the folders.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Paths as named by the user.
    named: Vec<PathBuf>,
    /// Canonical paths, used for checks.
    real: Vec<PathBuf>,
}

impl Roots {
    /// Creates the roots; paths that do not exist are left out.
    pub fn new(named: Vec<PathBuf>) -> Self {
        let real = named.iter().filter_map(|path| path.canonicalize().ok());
        Self {
            real: real.collect(),
            named,
        }
    }

    /// Returns the paths as named by the user.
    pub fn named(&self) -> &[PathBuf] {
        &self.named
    }

    /// Finds a path relative to the working directory, then relative to each root. A path outside
    /// the roots gets the same error as a missing path, so the error reveals nothing.
    pub fn find(&self, text: &str) -> Result<PathBuf, Failure> {
        let here = Path::new(text).to_path_buf();
        let mut roots = self.named.iter().chain(&self.real);
        let is_looked_at = !is_of_host(text) || roots.any(|root| here.starts_with(root));
        let below = self.named.iter().map(|root| root.join(text));
        let candidates = std::iter::once(here).chain(below);
        let mut candidates = candidates.filter(|_| is_looked_at);
        candidates.find(|path| self.contain(path)).ok_or_else(|| {
            Failure::new("the path does not exist, or is outside the folders of this server")
                .hint("`open` without a path lists what may be opened")
        })
    }

    fn contain(&self, path: &Path) -> bool {
        let real = path.canonicalize();
        real.is_ok_and(|real| self.real.iter().any(|root| real.starts_with(root)))
    }
}

/// Returns true if a path names a host, as `\\host\share` does on Windows. Checking whether it
/// exists would send the user's login to that host.
fn is_of_host(text: &str) -> bool {
    let is_slash = |c: char| matches!(c, '/' | '\\');
    cfg!(windows) && text.chars().take_while(|c| is_slash(*c)).count() > 1
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_paths_below_a_root_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("logs");
        fs::create_dir_all(root.join("one")).unwrap();
        fs::write(folder.path().join("secret"), "x").unwrap();
        fs::create_dir(folder.path().join("logs-of-others")).unwrap();
        let roots = Roots::new(vec![root.clone()]);
        assert_eq!(roots.find("one").unwrap(), root.join("one"));
        assert_eq!(roots.find(root.to_str().unwrap()).unwrap(), root);
        for outside in [
            "",
            "..",
            "one/../..",
            "/",
            "/etc/passwd",
            "../secret",
            "none",
        ] {
            let found = roots.find(outside);
            let is_root = found
                .as_ref()
                .is_ok_and(|path| path.canonicalize().unwrap() == root);
            assert!(found.is_err() || is_root, "{outside}: {found:?}");
        }
        let sibling = folder.path().join("logs-of-others");
        assert!(roots.find(sibling.to_str().unwrap()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("logs");
        fs::create_dir(&root).unwrap();
        std::os::unix::fs::symlink("/etc", root.join("etc")).unwrap();
        let roots = Roots::new(vec![root]);
        assert!(roots.find("etc").is_err() && roots.find("etc/passwd").is_err());
    }
}
