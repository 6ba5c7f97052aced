//! A view with its lens and cursors, as stored in sessions and saved views.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use analysis::parse_splits;
use record::{Ability, ItemKey, PredictionKey, Scoring, Table, Value};
use workspace::filter;
use workspace::page::Sort;

use super::App;
use crate::keymap::ViewId;
use crate::screen::Cells;
use crate::shared::{Look, OtherOrder};

/// A view in stored form. It contains names only, because row numbers can change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredView {
    view: String,
    /// Benchmark of the lens.
    pub benchmark: String,
    ability: Option<String>,
    model: Option<String>,
    versus: Option<String>,
    split: Option<String>,
    bin: Option<String>,
    filter: String,
    step: String,
    scoring: String,
    picked: Vec<String>,
    /// Models of the comparison.
    compared: Option<[String; 2]>,
    /// Look of the sample list.
    look: Look,
    sort: String,
    /// Tag that sorts the list, if no column does.
    sort_tag: Option<String>,
    reverse: bool,
    tag: Option<String>,
    bins: Option<String>,
    /// Content of the fingerprint's cells.
    cells: Cells,
    cursors: CursorPositions,
    /// The prediction under the cursor of the sample list.
    sample: Option<StoredSample>,
}

/// Cursor positions: row and column in grids, row in lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct CursorPositions {
    fingerprint: [usize; 2],
    subgroups: usize,
    samples: usize,
    reliability: usize,
}

/// Returns the view to restore. The view of a single sample is restored as the list of samples.
const fn lasting(view: ViewId) -> ViewId {
    match view {
        ViewId::Playground => ViewId::Samples,
        ViewId::Flip => ViewId::Live,
        view => view,
    }
}

impl StoredView {
    /// Creates the stored form of the view on screen.
    pub fn from_app(app: &App) -> Self {
        let shared = &app.shared;
        let (lens, list) = (&shared.lens, &shared.list);
        let sort_tag = match &list.other {
            Some(OtherOrder::Tag(name)) => Some(name.clone()),
            Some(OtherOrder::Like(_)) | None => None,
        };
        let compared = (shared.view == ViewId::Compare).then(|| shared.compared());
        Self {
            view: lasting(shared.view).name().to_owned(),
            benchmark: lens.benchmark.clone(),
            ability: lens.ability.clone(),
            model: lens.model.clone(),
            versus: lens.versus.clone(),
            split: lens.bin.as_ref().map(|(split, _)| split.text.clone()),
            bin: lens.bin.as_ref().map(|(_, bin)| bin.clone()),
            filter: lens.filter.clone(),
            step: lens.step.clone(),
            scoring: lens.scoring.name().to_owned(),
            picked: shared.picked.clone(),
            compared: compared.flatten(),
            look: list.look,
            sort: list.sort.name().to_owned(),
            sort_tag,
            reverse: list.reverse,
            tag: shared.cut.tag.clone(),
            bins: shared.cut.bins_text.clone(),
            cells: app.views.fingerprint.cells,
            cursors: CursorPositions {
                fingerprint: [shared.cell.row, shared.cell.column],
                subgroups: app.views.subgroups.dots.selected,
                samples: list.table.selected,
                reliability: app.views.reliability.table.selected,
            },
            sample: app
                .row_under_cursor()
                .map(|row| shared.table.key(row).into()),
        }
    }

    /// Returns true if the table contains the benchmark.
    pub fn is_of(&self, table: &Table) -> bool {
        NameLookup(table).benchmark(&self.benchmark)
    }

    /// Restores everything that still exists in the table, if it contains the benchmark. With
    /// `keeps_filter`, keeps the current filter and ignores the stored lens and cursors.
    pub fn restore(self, app: &mut App, keeps_filter: bool) {
        let known = NameLookup(&app.shared.table);
        if !known.benchmark(&self.benchmark) {
            return;
        }
        let picked = self.picked.iter().filter(|name| known.model(name));
        let compared = self.compared.clone();
        let compared = compared.filter(|models| models.iter().all(|name| known.model(name)));
        app.shared.picked = picked.cloned().collect();
        let list = &mut app.shared.list;
        let sort = Sort::ALL.into_iter().find(|sort| sort.name() == self.sort);
        list.sort = sort.unwrap_or(list.sort);
        list.reverse = self.reverse;
        list.look = self.look;
        list.other = self.sort_tag.clone().map(OtherOrder::Tag);
        if let Some(models) = compared {
            app.shared.compare(models);
        }
        let view = ViewId::ALL
            .into_iter()
            .find(|view| view.name() == self.view);
        app.shared.view = view.unwrap_or(app.shared.view);
        app.shared.lens.benchmark.clone_from(&self.benchmark);
        if !keeps_filter {
            self.restore_lens(app);
        }
        restore_split(app, self.tag.as_deref(), self.bins);
        if !keeps_filter {
            restore_cursors(app, &self.cursors, self.cells, self.sample);
        }
        let about = app.views.get(app.shared.view).about();
        about.breadth.widen(&mut app.shared.lens);
    }

    /// Returns the names of the parts of this view that are missing in a restored view.
    pub fn missing_in(&self, restored: &Self) -> Vec<&'static str> {
        let parts = [
            ("ability", self.ability != restored.ability),
            ("model", self.model != restored.model),
            ("second model", self.versus != restored.versus),
            ("subgroup", self.bin != restored.bin),
            ("filter", self.filter != restored.filter),
            ("step", self.step != restored.step),
            ("selected models", self.picked != restored.picked),
            ("compared models", self.compared != restored.compared),
        ];
        let missing = parts.into_iter().filter(|(_, is_missing)| *is_missing);
        missing.map(|(part, _)| part).collect()
    }

    fn restore_lens(&self, app: &mut App) {
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
        let scoring = app.shared.lens.scoring;
        let holds = |text: &str| filter::select(text, &app.shared.table, scoring).is_ok();
        let versus = self.versus.clone().filter(|name| known.model(name));
        let lens = &mut app.shared.lens;
        if holds(&self.filter) {
            lens.filter.clone_from(&self.filter);
        }
        if holds(&self.step) {
            lens.step.clone_from(&self.step);
        }
        lens.versus = versus;
        (
            app.shared.lens.ability,
            app.shared.lens.model,
            app.shared.lens.bin,
        ) = (ability, model, bin);
    }
}

/// Restores tag and bins of the subgroups view.
fn restore_split(app: &mut App, tag: Option<&str>, bins: Option<String>) {
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

fn restore_cursors(
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

/// Looks up names in a table, in records and in published scores.
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

/// A prediction in stored form, identified by names because row numbers can change.
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

/// Value of a condition in stored form.
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
