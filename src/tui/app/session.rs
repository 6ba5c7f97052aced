//! Sessions: restores view, lens and cursors when the same logs are opened again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use analysis::parse_splits;
use record::{Ability, ItemKey, PredictionKey, Scoring, Table, Value};
use workspace::filter;
use workspace::page::Sort;

use super::App;
use crate::keymap::ViewId;
use crate::screen::Cells;
use crate::widget::theme::Theme;

/// Version of the file format. Other versions are ignored.
const VERSION: u32 = 1;

/// Where the session is stored, and options that override it.
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

/// A session as stored. It contains only names, because row numbers may change.
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
    /// Content of the fingerprint's cells.
    cells: Cells,
    cursors: CursorPositions,
    /// The prediction under the cursor of the sample list.
    sample: Option<StoredSample>,
}

/// Cursor positions: row and column, or row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct CursorPositions {
    fingerprint: [usize; 2],
    subgroups: usize,
    samples: usize,
    reliability: usize,
}

/// Returns the view to restore. A view of one sample is replaced by its list.
const fn lasting(view: ViewId) -> ViewId {
    match view {
        ViewId::Playground => ViewId::Samples,
        ViewId::Flip => ViewId::Live,
        view => view,
    }
}

impl SessionOptions {
    /// Returns the file of the models that the user asked last, for all logs.
    pub(crate) fn models_file(&self) -> PathBuf {
        self.file.with_file_name("recent-models.toml")
    }
}

impl Session {
    /// Loads the stored session of these logs, and restores what needs no table: theme and
    /// filter history. The rest waits in `app` until reading is done.
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
            cursors: CursorPositions {
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

    /// Reads the session of some paths. Returns `None` if the file is missing, broken, of
    /// another version or for other paths.
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
                "{}: the saved session is of another version or other paths",
                file.display()
            );
            return None;
        }
        Some(session)
    }

    /// Returns the session as TOML, or `None` if it cannot be written as TOML, for example a
    /// path that is not UTF-8.
    pub fn text(&self) -> Option<String> {
        toml::to_string(self).ok()
    }

    /// Restores everything that still exists in the table. A filter of the command line takes
    /// precedence over the stored lens.
    pub fn take_up(self, app: &mut App) {
        let known = NameLookup(&app.shared.table);
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
        let about = app.views.get(app.shared.view).about();
        about.breadth.widen(&mut app.shared.lens);
        app.shared.notice = Some("session restored; --fresh starts anew".to_owned());
    }

    fn take_up_lens(&self, app: &mut App) {
        let known = NameLookup(&app.shared.table);
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

/// Restores tag and bins of the subgroups view.
fn take_up_split(app: &mut App, tag: Option<&str>, bins: Option<String>) {
    app.shared.cut.tag = tag.map(str::to_owned);
    if bins.as_deref() == Some("") {
        app.shared.cut.bins_text = bins;
        return;
    }
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

fn take_up_cursors(
    app: &mut App,
    places: &CursorPositions,
    cells: Cells,
    sample: Option<StoredSample>,
) {
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

/// Tests whether a table contains a name, in records or in printed scores.
struct NameLookup<'a>(&'a Table);

impl NameLookup<'_> {
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

/// A prediction in the session file: by identity, because row numbers may change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct StoredSample {
    id: String,
    benchmark: String,
    ability: String,
    model: String,
    #[serde(default)]
    split: String,
    #[serde(default)]
    condition: BTreeMap<String, StoredValue>,
}

/// Value of a condition in the session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Flag(bool),
    Number(f64),
    Text(String),
}

impl From<PredictionKey> for StoredSample {
    fn from(PredictionKey { item, model }: PredictionKey) -> Self {
        let condition = item.condition.into_iter();
        let condition = condition.map(|(name, value)| match value {
            Value::Flag(flag) => (name, StoredValue::Flag(flag)),
            Value::Number(number) => (name, StoredValue::Number(number)),
            Value::Text(text) => (name, StoredValue::Text(text)),
        });
        Self {
            id: item.sample_id,
            benchmark: item.ability.benchmark,
            ability: item.ability.name,
            model,
            split: item.split,
            condition: condition.collect(),
        }
    }
}

impl From<StoredSample> for PredictionKey {
    fn from(kept: StoredSample) -> Self {
        let condition = kept.condition.into_iter();
        let condition = condition.map(|(name, value)| match value {
            StoredValue::Flag(flag) => (name, Value::Flag(flag)),
            StoredValue::Number(number) => (name, Value::Number(number)),
            StoredValue::Text(text) => (name, Value::Text(text)),
        });
        Self {
            item: ItemKey {
                sample_id: kept.id,
                split: kept.split,
                ability: Ability {
                    benchmark: kept.benchmark,
                    name: kept.ability,
                },
                condition: condition.collect(),
            },
            model: kept.model,
        }
    }
}
