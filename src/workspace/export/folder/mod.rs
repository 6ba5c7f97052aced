//! Writes predictions into a folder, in the formats of other programs.
//!
//! Content that a format cannot hold is counted by reason.

mod every_eval_ever;
mod gaps;
mod groups;
mod hugging_face;
mod inspect;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};

pub use gaps::{FolderGaps, Gap};

use super::ExportError;
use analysis::{Origin, Score, Selection};
use base::file::Inputs;
use reader::own::Metadata;

base::named_enum! {
    /// Format of another program. Its name is the value of `convert --to`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Layout {
        /// Every Eval Ever: an aggregate document and a file of samples for each model.
        EveryEvalEver = "eee",
        /// Hugging Face: `.eval_results/*.yaml` for each model.
        HuggingFace = "hf",
        /// Inspect: an `.eval` log for each task and model.
        Inspect = "inspect",
    }
}

/// Folder that an export writes.
#[derive(Clone, Copy, Debug)]
pub struct FolderTarget<'a> {
    /// Format of the files.
    pub layout: Layout,
    /// Path of the folder, which is created if missing.
    pub folder: &'a Path,
    /// Input files, which must not be overwritten.
    pub inputs: &'a Inputs,
    /// Command line that prints the scores.
    pub command: &'a str,
    /// Time of the export, for formats that require a time.
    pub time: SystemTime,
}

/// Content to export into a folder.
#[derive(Clone, Copy, Debug)]
pub struct FolderContent<'a> {
    /// The predictions.
    pub selection: Selection<'a>,
    /// Scores computed from the predictions.
    pub scores: &'a [Score],
    /// Settings of runs, and published scores.
    pub metadata: &'a [Metadata],
}

/// Writes a folder. Returns counts of the content that its format cannot hold.
///
/// # Errors
/// A file is an input or cannot be written, or the ticket of the selection is stale.
pub fn to_folder(
    content: FolderContent<'_>,
    target: &FolderTarget<'_>,
) -> Result<FolderGaps, ExportError> {
    match target.layout {
        Layout::EveryEvalEver => every_eval_ever::write(content, target),
        Layout::HuggingFace => hugging_face::write(content, target),
        Layout::Inspect => inspect::write(content, target),
    }
}

impl FolderTarget<'_> {
    /// Returns the time of the export.
    fn time(&self) -> DateTime<Utc> {
        self.time.into()
    }

    /// Returns the path of a file in the folder, and creates the folders above it.
    fn path(&self, below: &str) -> Result<PathBuf, ExportError> {
        let path = self.folder.join(below);
        if let Some(above) = path.parent() {
            let created = std::fs::create_dir_all(above);
            let failed = |why| ExportError::Write(format!("{}: {why}", above.display()));
            created.map_err(failed)?;
        }
        Ok(path)
    }
}

impl FolderContent<'_> {
    /// Returns the scores that are computed from samples.
    fn scores_of_samples(&self) -> impl Iterator<Item = &Score> {
        let scores = self.scores.iter();
        scores.filter(|score| score.origin == Origin::Samples)
    }

    /// Returns the settings of a model's runs in a benchmark.
    fn runs(&self, model: &str, benchmark: &str) -> impl Iterator<Item = &Metadata> {
        let is_own = move |one: &&Metadata| match one {
            Metadata::Run(run) => {
                let dataset = run.name.dataset.as_deref();
                run.name.model.as_deref() == Some(model)
                    && dataset.is_none_or(|dataset| dataset == benchmark)
            }
            Metadata::Figure(_) => false,
        };
        self.metadata.iter().filter(is_own)
    }
}
