//! Checks which config files are used, and whether they can be read.

use base::config::Settings;
use report::Finding;
use tui::keymap::Keymap;

/// Returns findings about config files. `variable` returns a variable's value, empty if unset.
pub fn findings(variable: impl Fn(&str) -> String) -> Vec<Finding> {
    let settings = Settings::read();
    let mut found = vec![config_file(
        settings.as_ref().err().map(ToString::to_string),
    )];
    let settings = settings.unwrap_or_default();
    found.extend(keymap_file(settings.keymap.as_deref()));
    found.push(state());
    found.push(match variable("EYECHART_LOG").as_str() {
        "" => Finding::new("log", "none; EYECHART_LOG=FILE writes one"),
        path => Finding::new("log", path),
    });
    found.push(match base::config::sample_runs(&settings) {
        Some(folder) => Finding::new("sample runs", folder.display().to_string()),
        None => Finding::new("sample runs", "not found")
            .better("sample_runs = \"FOLDER\" in config.toml"),
    });
    found
}

fn config_file(error: Option<String>) -> Finding {
    match (error, Settings::file()) {
        (Some(error), _) => {
            Finding::new("config", error).better("correct it: every command stops with this error")
        }
        (None, Some(path)) if path.exists() => Finding::new("config", path.display().to_string()),
        (None, Some(path)) => Finding::new(
            "config",
            format!("{} (missing: default settings are used)", path.display()),
        ),
        (None, None) => Finding::new("config", "no config folder: default settings are used"),
    }
}

fn keymap_file(text: Option<&str>) -> Option<Finding> {
    let path = Settings::keymap_file()?.display().to_string();
    Some(match text.map(Keymap::with_user) {
        None => Finding::new("keymap", format!("{path} (missing: default keys are used)")),
        Some(Ok(_)) => Finding::new("keymap", path),
        Some(Err(error)) => Finding::new("keymap", format!("{path}: {error}"))
            .better("the UI does not start until the file is corrected"),
    })
}

fn state() -> Finding {
    match base::config::state_folder() {
        Some(folder) => Finding::new("sessions", folder.join("sessions").display().to_string()),
        None => {
            Finding::new("sessions", "no state folder set").better("export EYECHART_STATE=FOLDER")
        }
    }
}
