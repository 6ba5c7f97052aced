//! What is taken up again when the same logs are opened: where the user was, and how it was looked at.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use analysis::parse_splits;
use record::{Scoring, Table};
use workspace::filter;
use workspace::page::Sort;

use super::App;
use super::kept_sample::KeptSample;
use crate::keymap::ViewId;
use crate::screen::Cells;
use widget::theme::Theme;

/// The form of the file. Another one is not read.
const VERSION: u32 = 1;

/// Where a session is kept, and what overrules it.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    /// The file.
    pub file: PathBuf,
    /// The paths that it belongs to.
    pub paths: Vec<PathBuf>,
    /// Begin anew, whatever the file says.
    pub fresh: bool,
    /// The theme was named on the command line.
    pub theme_is_named: bool,
}

/// A session, as it is written. All of it is names, so that logs may change in between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    version: u32,
    paths: Vec<PathBuf>,
    theme: Option<String>,
    view: String,
    benchmark: String,
    ability: Option<String>,
    model: Option<String>,
    split: Option<String>,
    bin: Option<String>,
    filter: String,
    scoring: String,
    picked: Vec<String>,
    sort: String,
    reverse: bool,
    tag: Option<String>,
    bins: Option<String>,
    filters: Vec<String>,
    /// What the cells of the fingerprint say.
    cells: Cells,
    cursors: Places,
    /// What the cursor of the sample list was on, wherever that stands now.
    sample: Option<KeptSample>,
}

/// Rows and columns of cursors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Places {
    fingerprint: [usize; 2],
    subgroups: usize,
    samples: usize,
    reliability: usize,
}

/// The view that is taken up again: what stood on one sample alone begins with its list.
const fn lasting(view: ViewId) -> ViewId {
    match view {
        ViewId::Playground => ViewId::Samples,
        ViewId::Flip => ViewId::Live,
        view => view,
    }
}

impl Session {
    /// What was kept of these logs, until everything is read.
    pub fn begin_kept(app: &mut App, keep: Option<&Keep>) {
        let Some(keep) = keep.filter(|keep| !keep.fresh) else {
            return;
        };
        app.session = Self::read(&keep.file, &keep.paths);
        if let Some(session) = app.session.clone() {
            session.begin(app, keep.theme_is_named);
        }
    }

    /// The session of a state. A theme counts only if it is not the usual one of the settings.
    pub fn of(app: &App, paths: &[PathBuf], usual_theme: &str) -> Self {
        let lens = &app.shared.lens;
        let name = app.shared.theme.name();
        let tag = app.shared.cut.tag.clone();
        Self {
            version: VERSION,
            paths: paths.to_vec(),
            theme: (name != usual_theme).then(|| name.to_owned()),
            view: lasting(app.shared.view).name().to_owned(),
            benchmark: lens.benchmark.clone(),
            ability: lens.ability.clone(),
            model: lens.model.clone(),
            split: lens.bin.as_ref().map(|(split, _)| split.text.clone()),
            bin: lens.bin.as_ref().map(|(_, bin)| bin.clone()),
            filter: lens.filter.clone(),
            scoring: lens.scoring.name().to_owned(),
            picked: app.shared.picked.clone(),
            sort: app.shared.list.sort.name().to_owned(),
            reverse: app.shared.list.reverse,
            tag,
            bins: app.shared.cut.bins_text.clone(),
            filters: app.shared.filters.clone(),
            cells: app.views.fingerprint.cells,
            cursors: Places {
                fingerprint: [app.shared.cell.row, app.shared.cell.column],
                subgroups: app.views.subgroups.dots.selected,
                samples: app.shared.list.table.selected,
                reliability: app.views.reliability.table.selected,
            },
            sample: app
                .row_under_cursor()
                .map(|row| app.shared.table.key(row).into()),
        }
    }

    /// Reads the session of some paths. One that is missing, broken, of another form or of other paths is none.
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
                tracing::warn!("{}: a broken session: {}", file.display(), why.message());
                return None;
            }
        };
        if session.version != VERSION || session.paths != paths {
            tracing::warn!(
                "{}: not a session of this version and these paths",
                file.display()
            );
            return None;
        }
        Some(session)
    }

    /// The text to write; `None` where a path is no text that TOML can hold.
    pub fn text(&self) -> Option<String> {
        toml::to_string(self).ok()
    }

    /// What needs no table: theme and earlier filters.
    pub fn begin(&self, app: &mut App, theme_is_named: bool) {
        let theme = self.theme.as_deref().filter(|_| !theme_is_named);
        if let Some(theme) = theme.and_then(Theme::named) {
            app.shared.theme = theme.at_depth(app.shared.depth);
        }
        app.shared.filters.clone_from(&self.filters);
    }

    /// Everything else, as far as it still exists in the table that was read. A filter of the command line is
    /// a lens of its own.
    pub fn take_up(self, app: &mut App) {
        let known = Known(&app.shared.table);
        if !known.benchmark(&self.benchmark) {
            return;
        }
        let picked = self.picked.iter().filter(|name| known.model(name));
        app.shared.picked = picked.cloned().collect();
        let sort = Sort::ALL.into_iter().find(|sort| sort.name() == self.sort);
        app.shared.list.sort = sort.unwrap_or(app.shared.list.sort);
        app.shared.list.reverse = self.reverse;
        let view = ViewId::ALL
            .into_iter()
            .find(|view| view.name() == self.view);
        app.shared.view = view.unwrap_or(app.shared.view);
        app.shared.lens.benchmark.clone_from(&self.benchmark);
        let filtered = !app.shared.lens.filter.is_empty();
        if !filtered {
            self.take_up_lens(app);
        }
        take_up_split(app, self.tag.as_deref(), self.bins);
        if !filtered {
            take_up_cursors(app, &self.cursors, self.cells, self.sample);
        }
        app.shared.notice = Some("where you left off; --fresh begins anew".to_owned());
    }

    fn take_up_lens(&self, app: &mut App) {
        let known = Known(&app.shared.table);
        let ability = self.ability.clone();
        let ability = ability.filter(|name| known.ability(&self.benchmark, name));
        let model = self.model.clone().filter(|name| known.model(name));
        let bin = self.split.as_ref().zip(self.bin.clone());
        let bin = bin.and_then(|(split, bin)| {
            let split = parse_splits(split, &app.shared.table)
                .ok()?
                .into_iter()
                .next()?;
            Some((split, bin))
        });
        if self.scoring == Scoring::Strict.name() {
            app.shared.lens.scoring = Scoring::Strict;
        }
        if filter::select(&self.filter, &app.shared.table, app.shared.lens.scoring).is_ok() {
            app.shared.lens.filter.clone_from(&self.filter);
        }
        (
            app.shared.lens.ability,
            app.shared.lens.model,
            app.shared.lens.bin,
        ) = (ability, model, bin);
    }
}

/// The tag and the bins of the subgroups view.
fn take_up_split(app: &mut App, tag: Option<&str>, bins: Option<String>) {
    app.shared.cut.tag = tag.map(str::to_owned);
    let spec = tag
        .zip(bins.as_deref())
        .map(|(tag, bins)| format!("{tag}:{bins}"));
    let split = spec.and_then(|spec| {
        parse_splits(&spec, &app.shared.table)
            .ok()?
            .into_iter()
            .next()
    });
    if let Some(part) = split.and_then(|split| split.parts.into_iter().next()) {
        app.shared.cut.bins = part.bins;
        app.shared.cut.bins_text = bins;
    }
}

fn take_up_cursors(app: &mut App, places: &Places, cells: Cells, sample: Option<KeptSample>) {
    let mut cursors = app.cursors();
    let [row, column] = places.fingerprint;
    (cursors.cell.row, cursors.cell.column) = (row, column);
    cursors.subgroups.dots.selected = places.subgroups;
    cursors.samples.selected = places.samples;
    cursors.sample = sample.and_then(|kept| app.shared.table.find(&kept.into()));
    cursors.reliability.table.selected = places.reliability;
    cursors.fingerprint.cells = cells;
    app.restore(cursors);
}

/// The names that a table knows, of records and of printed scores.
struct Known<'a>(&'a Table);

impl Known<'_> {
    fn benchmark(&self, name: &str) -> bool {
        let mut abilities = self.0.names().abilities.values().iter();
        let mut printed = self.0.published().iter();
        abilities.any(|known| known.benchmark == name) || printed.any(|row| row.benchmark == name)
    }

    fn ability(&self, benchmark: &str, name: &str) -> bool {
        let mut abilities = self.0.names().abilities.values().iter();
        let mut printed = self.0.published().iter();
        abilities.any(|known| known.benchmark == benchmark && known.name == name)
            || printed.any(|row| row.benchmark == benchmark && row.ability == name)
    }

    fn model(&self, name: &str) -> bool {
        let mut models = self.0.names().models.values().iter();
        models.any(|known| known == name) || self.0.published().iter().any(|row| row.model == name)
    }
}
