//! Sessions: restores view, lens and cursors when the same logs are opened again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::App;
use super::stored_view::StoredView;
use crate::widget::theme::Theme;

/// Version of the file format. Other versions are ignored.
const VERSION: u32 = 1;

/// File of the session, and options that override its content.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Session file.
    pub file: PathBuf,
    /// Logs that the session belongs to.
    pub paths: Vec<PathBuf>,
    /// True to ignore the stored session.
    pub fresh: bool,
    /// True if the theme was set on the command line.
    pub theme_is_named: bool,
}

/// A session as stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    version: u32,
    paths: Vec<PathBuf>,
    theme: Option<String>,
    filters: Vec<String>,
    #[serde(flatten)]
    shown: StoredView,
}

impl SessionOptions {
    /// Returns the path of the list of recently asked models, which all logs share.
    pub(crate) fn models_file(&self) -> PathBuf {
        self.file.with_file_name("recent-models.toml")
    }

    /// Returns the path of the saved views, which all logs share.
    pub(crate) fn views_file(&self) -> PathBuf {
        self.file.with_file_name("views.toml")
    }
}

impl Session {
    /// Loads the stored session of these logs, and restores theme and filter history. The rest is
    /// stored in `app` until reading is done.
    pub fn begin_kept(app: &mut App, keep: Option<&SessionOptions>) {
        let Some(keep) = keep.filter(|keep| !keep.fresh) else {
            return;
        };
        app.session = Self::read(&keep.file, &keep.paths);
        let Some(session) = &app.session else {
            return;
        };
        let theme = session.theme.as_deref().filter(|_| !keep.theme_is_named);
        if let Some(theme) = theme.and_then(Theme::named) {
            app.shared.theme = theme.at_depth(app.shared.depth);
        }
        app.shared.filters.clone_from(&session.filters);
    }

    /// Creates the session of an app. The theme is stored only if it differs from the settings.
    pub fn of(app: &App, paths: &[PathBuf], usual_theme: &str) -> Self {
        let name = app.shared.theme.name();
        Self {
            version: VERSION,
            paths: paths.to_vec(),
            theme: (name != usual_theme).then(|| name.to_owned()),
            filters: app.shared.filters.clone(),
            shown: StoredView::from_app(app),
        }
    }

    /// Reads the session of these paths. Returns `None` if the file is missing, broken, of another
    /// version or for other paths.
    pub fn read(file: &Path, paths: &[PathBuf]) -> Option<Self> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return None,
            Err(why) => {
                tracing::warn!("{}: {why}", file.display());
                return None;
            }
        };
        let session: Self = match toml::from_str(&text) {
            Ok(session) => session,
            Err(why) => {
                tracing::warn!(
                    "{}: the saved session cannot be read: {}",
                    file.display(),
                    why.message()
                );
                return None;
            }
        };
        if session.version != VERSION || session.paths != paths {
            tracing::warn!(
                "{}: not restored, because it was saved by another version or for other paths",
                file.display()
            );
            return None;
        }
        Some(session)
    }

    /// Returns the session as TOML. Returns `None` if that is impossible, for example for a path
    /// that is not UTF-8.
    pub fn text(&self) -> Option<String> {
        toml::to_string(self).ok()
    }

    /// Restores everything that still exists in the table. A filter from the command line takes
    /// precedence over the stored lens.
    pub fn restore(self, app: &mut App) {
        if self.shown.is_of(&app.shared.table) {
            let is_filtered = !app.shared.lens.filter.is_empty();
            self.shown.restore(app, is_filtered);
            app.shared.notice = Some("session restored; --fresh starts a new one".to_owned());
        }
    }
}
