//! Position of a log in a run folder: `RUN/KIND/MODEL/NAME.ending`, as EvalScope and OpenCompass
//! write it.

use std::path::{Component, Path, PathBuf};

/// Run, model and name of a log, as far as its path contains them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFile {
    /// Folder of the run; the file's own folder if the path has another structure.
    pub run: PathBuf,
    /// Folder of the model; `None` if the path has another structure.
    pub model: Option<String>,
    /// File name without its ending. A name with `/` was written as folders.
    pub name: String,
}

impl RunFile {
    /// Splits a path at the last folder with the name `kind`.
    #[must_use]
    pub fn new(path: &Path, kind: &str) -> Self {
        let parts: Vec<_> = path.components().map(Component::as_os_str).collect();
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let at = parts.iter().rposition(|part| *part == kind);
        match at.map(|at| (at, parts.get(at + 1..).unwrap_or_default())) {
            Some((at, [model, name @ ..])) if !name.is_empty() => Self {
                run: parts.iter().take(at).collect(),
                model: Some(model.to_string_lossy().into_owned()),
                name: text(name.iter().collect::<PathBuf>().with_extension("")),
            },
            _ => Self {
                run: path.parent().unwrap_or(Path::new("")).to_owned(),
                model: None,
                name: text(path.file_stem().unwrap_or_default().into()),
            },
        }
    }

    /// Returns the start of the run, if its folder is named by it (`20260131_235959`).
    #[must_use]
    pub fn time(&self) -> Option<&str> {
        let name = self.run.file_name()?.to_str()?;
        let (day, time) = name.split_once('_')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (day.len() == 8 && time.len() == 6 && is_number(day) && is_number(time)).then_some(name)
    }
}

/// Returns the folders in which pictures of a log are searched: those from `KIND` up to the folder
/// in which the harness ran, which contains `outputs/RUN/KIND/MODEL`.
#[must_use]
pub fn picture_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(2).take(4);
    let above = above.filter(|path| !path.as_os_str().is_empty());
    above.map(Path::to_path_buf).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_and_model_are_the_folders_around_the_kind() {
        let file = RunFile::new(
            Path::new("/reviews/outputs/20261125_225242/reviews/m-7b/a b/c.d.jsonl"),
            "reviews",
        );
        assert_eq!(file.run, Path::new("/reviews/outputs/20261125_225242"));
        assert_eq!(
            (file.model.as_deref(), file.name.as_str()),
            (Some("m-7b"), "a b/c.d")
        );
        assert_eq!(file.time(), Some("20261125_225242"));
        let flat = RunFile::new(Path::new("/x/reviews/a_b.jsonl"), "reviews");
        assert_eq!(
            (
                flat.run.as_path(),
                flat.model.as_deref(),
                flat.name.as_str()
            ),
            (Path::new("/x/reviews"), None, "a_b")
        );
        assert_eq!(flat.time(), None);
    }
}
