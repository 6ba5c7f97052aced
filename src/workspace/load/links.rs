//! Checks links in published data sets. A link that leads out of the opened paths is followed only
//! on request.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::remote::folder;
use reader::Unit;

/// Excludes runs if one of their files is behind a link that leads out of the opened paths.
pub fn leave_out_beyond(units: &mut [Unit], opened: &[PathBuf]) {
    let roots: Vec<PathBuf> = opened
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let mut known: HashMap<PathBuf, bool> = HashMap::new();
    for unit in units.iter_mut().filter(|unit| !unit.is_remote) {
        let Some(link) = link_beyond(unit, &roots, &mut known) else {
            continue;
        };
        unit.problem = Some(format!(
            "{} is a link that leads out of the opened folder; `--follow-links` follows it",
            base::format::visible(&base::format::path(&link))
        ));
        unit.published = None;
    }
}

/// Returns the first file or folder of a run that links out of the opened paths. `known` caches the
/// results.
fn link_beyond(
    unit: &Unit,
    roots: &[PathBuf],
    known: &mut HashMap<PathBuf, bool>,
) -> Option<PathBuf> {
    let (run, folder) = (unit.published.as_ref()?, folder(unit)?);
    for file in run.files() {
        let file = file.below(folder);
        let parent = file.parent().map(Path::to_path_buf);
        for path in parent.into_iter().chain([file]) {
            let leads_out = known.get(&path).copied();
            let leads_out = leads_out.unwrap_or_else(|| leads_out_of(&path, roots));
            known.insert(path.clone(), leads_out);
            if leads_out {
                return Some(path);
            }
        }
    }
    None
}

/// Returns true for a link whose target is outside the opened paths.
fn leads_out_of(path: &Path, roots: &[PathBuf]) -> bool {
    let is_link = path
        .symlink_metadata()
        .is_ok_and(|found| found.file_type().is_symlink());
    is_link
        && path
            .canonicalize()
            .is_ok_and(|real| !roots.iter().any(|root| real.starts_with(root)))
}
