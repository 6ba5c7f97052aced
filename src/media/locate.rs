//! Resolves picture paths from logs within allowed folders.
//!
//! Logs are not trusted: a path in a log must not make the program show or upload a file outside
//! the user's folders. So `..`, absolute paths and symbolic links are resolved first. The resulting
//! canonical path must be within a canonical root.

use std::path::{Component, Path, PathBuf};

use base::limits::Limit;

use super::missing::{MissingPicture, short};
use super::spelling;

/// Returns the canonical path of `reference` in the first of `roots` that contains it.
///
/// If no root contains it, other spellings are tried. Then the longest suffix that exists within a
/// root is used, for absolute paths from other machines.
///
/// # Errors
/// [`MissingPicture::Outside`] if the file exists outside all roots, [`MissingPicture::Unreadable`]
/// if it cannot be downloaded, otherwise [`MissingPicture::NotFound`] with the searched folders.
pub fn locate(reference: &str, roots: &[PathBuf]) -> Result<PathBuf, MissingPicture> {
    if reference.trim().is_empty() {
        return Err(MissingPicture::Empty);
    }
    let mut search = Search::default();
    let mut found = search.look(reference, roots);
    // If the path points to a file outside the roots, do not search further.
    if found.is_none() && !search.leads_out {
        let spellings = spelling::others(reference);
        found = spellings
            .iter()
            .find_map(|spelling| search.look(spelling, roots));
        if found.is_none() && !search.leads_out {
            let mut all = std::iter::once(reference).chain(spellings.iter().map(String::as_str));
            found = all.find_map(|spelling| {
                let tails = spelling::tails(spelling);
                tails.iter().find_map(|tail| search.look(tail, roots))
            });
        }
    }
    found.ok_or_else(|| search.why_not(reference, roots))
}

/// Search of a picture, with the reasons why no file was found.
#[derive(Default)]
struct Search {
    leads_out: bool,
    /// True for a path on a network share.
    is_share: bool,
    failed: Option<String>,
}

impl Search {
    /// Looks up a path in each root and returns the first match.
    fn look(&mut self, reference: &str, roots: &[PathBuf]) -> Option<PathBuf> {
        // Even a check for a file on a network share would contact the server of the share.
        if reference.starts_with(r"\\") || reference.starts_with("//") {
            self.is_share = true;
            return None;
        }
        for root in roots {
            match look_in(root, reference) {
                Lookup::Inside(path) => return Some(path),
                Lookup::Outside => self.leads_out = true,
                Lookup::Failed(why) => self.failed = Some(why),
                Lookup::Nothing => {}
            }
        }
        None
    }

    fn why_not(self, reference: &str, roots: &[PathBuf]) -> MissingPicture {
        let name = short(reference);
        if self.leads_out || self.is_share {
            return MissingPicture::Outside { path: name };
        }
        if let Some(why) = self.failed {
            return MissingPicture::Unreadable { name, why };
        }
        MissingPicture::NotFound {
            reference: name,
            tried: roots.to_vec(),
        }
    }
}

/// The result of looking up a name in a folder.
enum Lookup {
    Inside(PathBuf),
    Outside,
    /// The file could not be downloaded from its store; contains the reason.
    Failed(String),
    Nothing,
}

fn look_in(root: &Path, reference: &str) -> Lookup {
    let here = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let Ok(root) = here.canonicalize() else {
        return Lookup::Nothing;
    };
    if let Some(why) = not_fetched(&root, reference) {
        return Lookup::Failed(why);
    }
    if let Some(found) = plain(&root, reference) {
        return found;
    }
    // If `reference` is absolute, it replaces the root. The check below still applies.
    let Ok(real) = root.join(reference).canonicalize() else {
        return Lookup::Nothing;
    };
    if !real.starts_with(&root) {
        return Lookup::Outside;
    }
    // Accept only regular files: reading a pipe or a device would block.
    if real.is_file() {
        Lookup::Inside(real)
    } else {
        Lookup::Nothing
    }
}

/// Resolves a path without links or `..` below a canonical root; `None` for other paths.
///
/// The result is canonical, because the root is.
fn plain(root: &Path, reference: &str) -> Option<Lookup> {
    let mut path = root.to_path_buf();
    let mut is_file = false;
    for part in Path::new(reference).components() {
        let Component::Normal(name) = part else {
            return None;
        };
        path.push(name);
        let kind = path.symlink_metadata().ok()?.file_type();
        if kind.is_symlink() {
            return None;
        }
        // Accept only regular files: reading a pipe or a device would block.
        is_file = kind.is_file();
    }
    is_file.then_some(Lookup::Inside(path))
}

/// Downloads a picture of an opened store, if it is not on this machine yet. Returns the reason if
/// the download fails.
fn not_fetched(root: &Path, reference: &str) -> Option<String> {
    let mut wanted = root.to_path_buf();
    for part in Path::new(reference).components() {
        match part {
            Component::Normal(name) => wanted.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                wanted.pop();
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let fetched = store::fetch_on_demand(&wanted, Limit::Picture.get())?;
    let why = fetched.err()?;
    Some(format!("{}: {why}", base::format::path(&wanted)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// Test folders: `secret.png` next to the root `logs`, which holds `images/1.png`.
    struct Folders {
        all: TempDir,
        root: PathBuf,
    }

    fn folders() -> Folders {
        let all = tempfile::tempdir().unwrap();
        let root = all.path().join("logs");
        fs::create_dir_all(root.join("images")).unwrap();
        fs::write(root.join("images/1.png"), "1").unwrap();
        fs::write(all.path().join("secret.png"), "s").unwrap();
        Folders { all, root }
    }

    fn is_outside(found: Result<PathBuf, MissingPicture>) -> bool {
        matches!(found, Err(MissingPicture::Outside { .. }))
    }

    #[test]
    fn the_first_folder_that_has_it_counts() {
        let Folders { root, all: _all } = folders();
        let roots = [PathBuf::from("nowhere"), root.clone(), root.join("images")];
        let real = root.join("images/1.png").canonicalize().unwrap();
        assert_eq!(locate("images/1.png", &roots), Ok(real.clone()));
        assert_eq!(locate("1.png", &roots), Ok(real.clone()));
        assert_eq!(locate("images/../images/./1.png", &roots), Ok(real));
    }

    #[test]
    fn dots_must_not_lead_out() {
        let Folders { root, all } = folders();
        assert!(all.path().join("secret.png").exists());
        assert!(is_outside(locate(
            "../secret.png",
            std::slice::from_ref(&root)
        )));
        assert!(is_outside(locate("images/../../secret.png", &[root])));
    }

    #[test]
    fn other_spellings_are_found_where_the_path_as_written_is_not() {
        let Folders { root, all: _all } = folders();
        for name in ["a b.png", "100%.png", "%41.png", "K\u{e4}se.png"] {
            fs::write(root.join("images").join(name), "1").unwrap();
        }
        let roots = [root.clone()];
        for (reference, name) in [
            (r"images\1.png", "1.png"),
            (r".\images\1.png", "1.png"),
            ("images/a%20b.png", "a b.png"),
            ("images/100%.png", "100%.png"),
            ("images/%41.png", "%41.png"),
            ("file://images/1.png", "1.png"),
            ("file:///elsewhere/images/1.png", "1.png"),
            ("/elsewhere/logs/images/1.png", "1.png"),
            (r"C:\Users\x\images\1.png", "1.png"),
            (r"\\nas\logs\images\1.png", "1.png"),
            ("/data/local-files/?d=images/1.png", "1.png"),
            ("images/Ka\u{308}se.png", "K\u{e4}se.png"),
        ] {
            let expected = root.join("images").join(name).canonicalize().unwrap();
            assert_eq!(locate(reference, &roots), Ok(expected), "{reference}");
        }
        // The longest existing suffix is used.
        fs::write(root.join("1.png"), "other").unwrap();
        let found = locate("/elsewhere/images/1.png", &roots).unwrap();
        assert!(found.ends_with("images/1.png"));
    }

    #[test]
    fn no_spelling_leads_out() {
        let Folders { root, all } = folders();
        assert!(all.path().join("secret.png").exists());
        let roots = [root];
        for reference in [
            r"..\secret.png",
            "%2e%2e/secret.png",
            "..%2fsecret.png",
            "file://../secret.png",
            "images/%2e%2e/%2e%2e/secret.png",
            "/data/local-files/?d=../secret.png",
            "%2f%2fserver/share/1.png",
            "file:////server/share/2.png",
        ] {
            assert!(is_outside(locate(reference, &roots)), "{reference}");
        }
        let absolute = all.path().join("secret.png");
        let address = format!("file://{}", absolute.display());
        assert!(is_outside(locate(&address, &roots)));
        let found = locate("/nowhere/../secret.png", &roots);
        assert!(
            matches!(found, Err(MissingPicture::NotFound { .. })),
            "{found:?}"
        );
    }

    #[test]
    fn absolute_paths_must_lie_in_a_folder() {
        let Folders { root, all } = folders();
        let inside = root.join("images/1.png");
        let found = locate(inside.to_str().unwrap(), std::slice::from_ref(&root));
        assert_eq!(found, Ok(inside.canonicalize().unwrap()));
        let outside = all.path().join("secret.png");
        assert!(is_outside(locate(outside.to_str().unwrap(), &[root])));
        assert!(is_outside(locate("//server/share/1.png", &[])));
        assert!(is_outside(locate(r"\\server\share\1.png", &[])));
    }

    #[test]
    fn a_folder_whose_name_merely_begins_alike_is_outside() {
        let Folders { root, all } = folders();
        fs::create_dir(all.path().join("logs2")).unwrap();
        fs::write(all.path().join("logs2/1.png"), "2").unwrap();
        assert!(is_outside(locate("../logs2/1.png", &[root])));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_judged_by_where_they_lead() {
        use std::os::unix::fs::symlink;

        let Folders { root, all } = folders();
        symlink(all.path().join("secret.png"), root.join("out.png")).unwrap();
        symlink(all.path(), root.join("up")).unwrap();
        symlink(root.join("images/1.png"), root.join("in.png")).unwrap();
        symlink(&root, all.path().join("alias")).unwrap();
        let roots = [root.clone()];
        assert!(is_outside(locate("out.png", &roots)));
        assert!(is_outside(locate("up/secret.png", &roots)));
        assert!(locate("in.png", &roots).is_ok());
        assert!(locate("images/1.png", &[all.path().join("alias")]).is_ok());
    }

    #[test]
    fn what_is_no_file_is_not_found() {
        let Folders { root, all: _all } = folders();
        let roots = [root];
        for reference in ["images", "2.png", "a\0b.png", &"x".repeat(100_000)] {
            let found = locate(reference, &roots);
            assert!(
                matches!(found, Err(MissingPicture::NotFound { .. })),
                "{reference:.20}"
            );
        }
        assert_eq!(locate(" ", &roots), Err(MissingPicture::Empty));
    }
}
