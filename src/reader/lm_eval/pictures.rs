//! Finds pictures of lmms-eval documents: the log has none, but a folder may hold them by number.

use std::path::{Path, PathBuf};

use crate::data_url::ENDINGS;
use crate::has_ending;
use record::ImageRef;

/// Folder with a task's pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    /// The folder, and its path relative to the root.
    folder: Option<(PathBuf, String)>,
}

impl Pictures {
    /// Searches `roots` for the folder of a task: `images/<task>`, `<task>/images` or `<task>`.
    pub fn of(task: &str, roots: &[PathBuf]) -> Self {
        let below = [
            format!("images/{task}"),
            format!("{task}/images"),
            task.to_owned(),
        ];
        let places = roots
            .iter()
            .flat_map(|root| below.iter().map(move |below| (root.join(below), below)));
        let mut folders = places.filter(|(folder, _)| folder.is_dir() && is_plain(task));
        let folder = folders.find(|(folder, _)| has_pictures(folder));
        Self {
            folder: folder.map(|(folder, below)| (folder, below.clone())),
        }
    }

    /// Returns the picture of a document.
    pub fn get(&self, id: &str) -> Option<ImageRef> {
        let (folder, below) = self.folder.as_ref().filter(|_| is_plain(id))?;
        let mut names = ENDINGS.iter().map(|ending| format!("{id}.{ending}"));
        let name = names.find(|name| folder.join(name).is_file())?;
        Some(ImageRef::Path(format!("{below}/{name}")))
    }
}

/// True if a name stays inside its folder.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(std::path::Component::Normal(_)), None)
    )
}

fn has_pictures(folder: &Path) -> bool {
    let files = folder.read_dir().into_iter().flatten().flatten();
    let is_picture = |entry: std::fs::DirEntry| has_ending(&entry.path(), &ENDINGS);
    files.take(1000).any(is_picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_by_task_and_number() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("images/pope");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("3.jpg"), "x").unwrap();
        let pictures = Pictures::of("pope", &[root.path().to_owned()]);
        assert_eq!(
            pictures.get("3"),
            Some(ImageRef::Path("images/pope/3.jpg".to_owned()))
        );
        assert_eq!(pictures.get("4"), None);
        assert_eq!(pictures.get("../pope/3"), None);
        assert_eq!(Pictures::of("..", &[folder]).folder, None);
    }
}
