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

use std::path::PathBuf;

pub use columns::{ColumnMap, is_within, remember_columns, remembered_columns};
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
/// Tries the working directory, the executable's folder, its share folder, and then the settings.
pub fn sample_runs(settings: &Settings) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| {
        let folder = exe.parent()?.to_path_buf();
        let share = folder.parent()?.join("share/eyechart");
        Some([folder.join(SAMPLE_RUNS), share.join(SAMPLE_RUNS)])
    });
    std::iter::once(PathBuf::from(SAMPLE_RUNS))
        .chain(beside.into_iter().flatten())
        .chain(settings.sample_runs.clone())
        .find(|path| path.is_dir())
}
