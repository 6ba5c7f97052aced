//! Settings merged from the config file, the environment and the flags.

mod columns;
mod endpoint;
mod groups;
mod joins;
mod logging;
mod metrics;
mod price;
mod score_columns;
mod settings;
mod state;

use std::path::{Path, PathBuf};

pub use columns::{ColumnMap, is_within, parts, remember_columns, remembered_columns};
pub use endpoint::{EndpointSettings, KeyError, KeySource, proxies};
pub use groups::GroupSettings;
pub use joins::{Decision, Joins};
pub use logging::start_logging;
pub use metrics::{MetricFacts, MetricSettings};
pub use price::{Price, Prices};
pub use score_columns::RowKind;
pub use settings::{Settings, SettingsError};
pub use state::{session_file, state_folder, whole_paths, write_whole};

/// Name of the folder with sample runs, opened when no path is given.
const SAMPLE_RUNS: &str = "sample_runs";
/// Folder for the files of packages that the operating system installs.
const SYSTEM_SHARE: &str = "/usr/share/eyechart";

/// Returns the author of the user's verdicts.
/// Tries the flag, the config file, `EYECHART_AUTHOR`, the system's user name, and then
/// `anonymous`.
pub fn author(named: Option<&str>, settings: &Settings) -> String {
    let variable = |name: &&str| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    let given = named.map(str::to_owned).or_else(|| settings.author.clone());
    let told = || {
        ["EYECHART_AUTHOR", "USER", "LOGNAME"]
            .iter()
            .find_map(variable)
    };
    given
        .or_else(told)
        .unwrap_or_else(|| "anonymous".to_owned())
}

/// Finds the folder of sample runs.
/// Searches the working directory, then the folders of the installed program, then the settings.
pub fn sample_runs(settings: &Settings) -> Option<PathBuf> {
    let program = std::env::current_exe().ok();
    let installed = program.as_deref().map(installed_sample_runs);
    std::iter::once(PathBuf::from(SAMPLE_RUNS))
        .chain(installed.into_iter().flatten())
        .chain(settings.sample_runs.clone())
        .find(|path| path.is_dir())
}

/// Returns folders that can contain the sample runs of an installed program, best first.
///
/// These are the folder of the program and the share folder of its installation prefix; the same
/// folders of the target, if the program is a symbolic link; and the system's share folder.
fn installed_sample_runs(program: &Path) -> Vec<PathBuf> {
    let linked = program.canonicalize().ok();
    let programs = [Some(program), linked.as_deref()].into_iter().flatten();
    let mut folders = Vec::new();
    for folder in programs.filter_map(Path::parent) {
        folders.push(folder.join(SAMPLE_RUNS));
        let prefix = folder.parent();
        folders.extend(prefix.map(|prefix| prefix.join("share/eyechart").join(SAMPLE_RUNS)));
    }
    folders.push(Path::new(SYSTEM_SHARE).join(SAMPLE_RUNS));
    folders
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns the first candidate folder that exists, relative to `root`.
    fn found(root: &Path, program: &str) -> Option<PathBuf> {
        let folders = installed_sample_runs(&root.join(program));
        let within = folders.iter().filter_map(|folder| {
            let whole = folder.canonicalize().ok()?;
            Some(whole.strip_prefix(root).ok()?.to_path_buf())
        });
        within.into_iter().next()
    }

    #[test]
    fn an_installed_program_finds_the_sample_runs_of_its_prefix() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("env/bin")).unwrap();
        fs::write(root.join("env/bin/eyechart"), "").unwrap();
        assert_eq!(found(&root, "env/bin/eyechart"), None);
        let shared = Path::new("env/share/eyechart/sample_runs");
        fs::create_dir_all(root.join(shared)).unwrap();
        assert_eq!(found(&root, "env/bin/eyechart").unwrap(), shared);
        let beside = Path::new("env/bin/sample_runs");
        fs::create_dir(root.join(beside)).unwrap();
        assert_eq!(found(&root, "env/bin/eyechart").unwrap(), beside);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_program_leads_to_the_sample_runs_of_its_prefix() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let shared = Path::new("env/share/eyechart/sample_runs");
        for made in ["env/bin", "home/bin"]
            .map(Path::new)
            .iter()
            .chain([&shared])
        {
            fs::create_dir_all(root.join(made)).unwrap();
        }
        fs::write(root.join("env/bin/eyechart"), "").unwrap();
        let link = root.join("home/bin/eyechart");
        std::os::unix::fs::symlink(root.join("env/bin/eyechart"), link).unwrap();
        assert_eq!(found(&root, "home/bin/eyechart").unwrap(), shared);
    }

    #[test]
    fn the_share_folder_of_the_system_comes_last() {
        let folders = installed_sample_runs(Path::new("tools/eyechart"));
        assert_eq!(folders[0], Path::new("tools/sample_runs"));
        let last = Path::new("/usr/share/eyechart/sample_runs");
        assert_eq!(folders.last().unwrap(), last);
    }
}
