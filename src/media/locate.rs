//! Resolves the picture paths of logs within allowed folders.
//!
//! Logs are not trusted: a path in one must not make the program show, or send to an endpoint, a file that the user
//! did not point at. The canonical path has to lie within a canonical root; `..`, absolute paths and symbolic links
//! are resolved and then checked.

use std::path::{Component, Path, PathBuf};

use limits::Limit;

use super::missing::{MissingPicture, short};

/// The canonical path of `reference` in the first of `roots` that contains it.
///
/// # Errors
/// [`MissingPicture::Outside`] if the file exists but lies in no root, otherwise [`MissingPicture::NotFound`] with
/// the folders that were searched.
pub fn locate(reference: &str, roots: &[PathBuf]) -> Result<PathBuf, MissingPicture> {
    if reference.trim().is_empty() {
        return Err(MissingPicture::Empty);
    }
    let outside = || MissingPicture::Outside {
        path: short(reference),
    };
    // Merely checking a file on a network share would contact its server.
    if reference.starts_with(r"\\") || reference.starts_with("//") {
        return Err(outside());
    }
    let (mut leads_out, mut failed) = (false, None);
    for root in roots {
        match look_in(root, reference) {
            Found::Inside(path) => return Ok(path),
            Found::Outside => leads_out = true,
            Found::Failed(why) => failed = Some(why),
            Found::Nothing => {}
        }
    }
    if leads_out {
        return Err(outside());
    }
    if let Some(why) = failed {
        let name = short(reference);
        return Err(MissingPicture::Unreadable { name, why });
    }
    Err(MissingPicture::NotFound {
        reference: short(reference),
        tried: roots.to_vec(),
    })
}

/// The result of looking up a name in a folder.
enum Found {
    Inside(PathBuf),
    Outside,
    /// A store has it and does not give it.
    Failed(String),
    Nothing,
}

fn look_in(root: &Path, reference: &str) -> Found {
    let here = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let Ok(root) = here.canonicalize() else {
        return Found::Nothing;
    };
    if let Some(why) = not_fetched(&root, reference) {
        return Found::Failed(why);
    }
    if let Some(found) = plain(&root, reference) {
        return found;
    }
    // Joining an absolute path replaces the root: it is checked like any other below.
    let Ok(real) = root.join(reference).canonicalize() else {
        return Found::Nothing;
    };
    if !real.starts_with(&root) {
        return Found::Outside;
    }
    // A pipe or a device in the folder would block the reader.
    if real.is_file() {
        Found::Inside(real)
    } else {
        Found::Nothing
    }
}

/// A name below a canonical root that leads nowhere else, and is therefore canonical as it is; `None` for any other.
fn plain(root: &Path, reference: &str) -> Option<Found> {
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
        // A pipe or a device in the folder would block the reader.
        is_file = kind.is_file();
    }
    is_file.then_some(Found::Inside(path))
}

/// Fetches a picture that lies in an opened store, below a folder that holds copies of it, and is not here yet; gives why
/// it cannot be fetched.
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
    Some(format!("{}: {why}", format::path(&wanted)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// `secret.png` lies beside the root `logs`, which holds `images/1.png`.
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
