//! Fills a table row by row: finds or makes the item, and lets the last of equal predictions count.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

use limits::Limit;

use super::index::Index;
use super::names::Names;
use super::source::{Place, Source};
use super::tags::GrowingTags;
use super::texts::Texts;
use super::{
    Ability, AbilityGroup, AbilityId, Asked, Content, Detections, Facts, ItemId, Labels, LeftOut,
    ModelId, Published, Row, Rule, Target,
};

/// What a prediction adds to its item.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Which model answered.
    pub model: ModelId,
    /// Metric code of the score as the harness scores.
    pub metric: u16,
    /// Metric code of the score by Eyechart's own rules.
    pub strict_metric: u16,
    /// Score as the harness scores; `NaN`: left out.
    pub score: f64,
    /// Score by Eyechart's own rules.
    pub strict: f64,
    /// Second score, as the harness scores.
    pub second: f64,
    /// Second score by Eyechart's own rules.
    pub strict_second: f64,
    /// [`super::INVALID`], [`super::STRICT_INVALID`], [`super::UNCOMPARED`] and [`super::Readings`].
    pub flags: u8,
    /// How the writer of its log scores it.
    pub rule: Rule,
    /// What its record asks.
    pub asked: Asked,
    /// A hash of what was read in its answer, by which repeats are compared; 0: nothing, or there are no repeats.
    pub answer: u32,
    /// Where the record stands.
    pub place: Place,
}

/// An item that was found or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its row.
    pub id: ItemId,
    /// It was made just now: its content is still to be told.
    pub new: bool,
    /// What its first record asks.
    pub asked: Asked,
}

/// The same sample, model and condition came a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Where the earlier one stands, which no longer counts.
    pub earlier: Place,
}

/// Columns of predictions.
#[derive(Clone, Debug, Default)]
pub(super) struct PredictionColumns {
    pub item: Vec<u32>,
    pub model: Vec<u16>,
    pub metric: Vec<u16>,
    /// Empty while it equals `metric`.
    pub strict_metric: Vec<u16>,
    pub score: Vec<f64>,
    /// Empty while it equals `score`.
    pub strict: Vec<f64>,
    /// Empty while no row has one.
    pub second: Vec<f64>,
    /// Empty while it equals `second`.
    pub strict_second: Vec<f64>,
    pub flags: Vec<u8>,
    /// Empty while no log states one.
    pub rule: Vec<Rule>,
    pub unit: Vec<u32>,
    pub offset: Vec<u64>,
    pub length: Vec<u32>,
    pub line: Vec<u32>,
    /// Empty while no prediction is one of several repeats.
    pub answer: Vec<u32>,
    /// Further scores by metric code, each as long as its last row needs.
    pub beside: BTreeMap<u16, Vec<f64>>,
}

/// Columns of items.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemColumns {
    pub sample: Vec<u32>,
    pub ability: Vec<u16>,
    pub condition: Vec<u16>,
    pub cluster: Vec<u32>,
    pub target: Vec<f64>,
    pub ids: Texts,
    pub questions: Texts,
    pub targets: Texts,
    pub tags: GrowingTags,
    /// Items whose question and target are not kept.
    pub texts_left_out: u64,
}

/// A table that is still being filled.
#[derive(Clone, Debug, Default)]
pub struct TableBuilder {
    pub(super) predictions: PredictionColumns,
    pub(super) items: ItemColumns,
    pub(super) names: Names,
    pub(super) sources: Vec<Source>,
    pub(super) published: Vec<Published>,
    pub(super) detections: HashMap<u32, Arc<Detections>>,
    /// By row, where a record asks something else than the first one of its item: the bits that differ.
    pub(super) asked_else: HashMap<u32, Asked>,
    pub(super) index: Index,
}

impl TableBuilder {
    /// Number of predictions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.predictions.item.len()
    }

    /// Returns true if there is no prediction yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.predictions.item.is_empty()
    }

    /// The code of a model; `None` when there are too many.
    pub fn model(&mut self, name: &str) -> Option<ModelId> {
        u16::try_from(self.names.models.code(name))
            .ok()
            .map(ModelId)
    }

    /// The code of a model, or of one of its runs; `None` when there are too many.
    pub fn run_of(&mut self, model: &str, run: Option<&str>) -> Option<ModelId> {
        let Some(run) = run else {
            return self.model(model);
        };
        let name = self.names.name_run(model, run);
        self.model(&name)
    }

    /// The name of a run, for scores that its harness printed.
    pub fn name_run(&mut self, model: &str, run: &str) -> String {
        self.names.name_run(model, run)
    }

    /// Returns true if something is known of a model beside its answers.
    #[must_use]
    pub fn is_known(&self, model: &str) -> bool {
        self.names.facts.contains_key(model)
    }

    /// Keeps from which score on an answer counts as right, by metric.
    pub fn right_from(&mut self, right: BTreeMap<String, f64>) {
        self.names.right = right;
    }

    /// Keeps which abilities count as one.
    pub fn group(&mut self, groups: Vec<AbilityGroup>) {
        self.names.groups = groups;
    }

    /// Keeps what is known of a model.
    pub fn know(&mut self, model: &str, facts: Facts) {
        self.names.facts.insert(model.to_owned(), facts);
    }

    /// Keeps another spelling of a model's name.
    pub fn spell(&mut self, model: &str, spelling: &str) {
        let spellings = self.names.spellings.entry(model.to_owned()).or_default();
        spellings.insert(spelling.to_owned());
    }

    /// The code of a metric; `None` when there are too many.
    pub fn metric(&mut self, name: &str) -> Option<u16> {
        u16::try_from(self.names.metrics.code(name)).ok()
    }

    /// The code of an ability; `None` when there are too many.
    pub fn ability(&mut self, ability: &Ability) -> Option<AbilityId> {
        u16::try_from(self.names.abilities.code(ability))
            .ok()
            .map(AbilityId)
    }

    /// The code of a condition; `None` when there are too many.
    pub fn condition(&mut self, labels: &Labels) -> Option<u16> {
        u16::try_from(self.names.condition(labels)).ok()
    }

    /// Adds a log; its index goes into [`Place::unit`].
    pub fn source(&mut self, source: Source) -> u32 {
        self.sources.push(source);
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }

    /// A log that was added.
    ///
    /// # Panics
    /// It was not.
    pub fn source_mut(&mut self, unit: u32) -> &mut Source {
        &mut self.sources[unit as usize]
    }

    /// The name of an ability.
    ///
    /// # Panics
    /// This builder did not give the code.
    #[must_use]
    pub fn ability_name(&self, AbilityId(code): AbilityId) -> &str {
        &self.names.abilities.values()[usize::from(code)].name
    }

    /// The name of a model's code.
    #[must_use]
    pub fn model_name(&self, id: ModelId) -> &str {
        self.names.model(id)
    }

    /// The logs so far.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The plain name of a model's code, and its run if it stands for one of several.
    #[must_use]
    pub fn plain_model(&self, id: ModelId) -> (&str, Option<&str>) {
        self.names.plain(self.names.model(id))
    }

    /// Where the record of a prediction stands, if there is one.
    #[must_use]
    pub fn place_of(&self, item: ItemId, model: ModelId) -> Option<Place> {
        let row = self.index.rows.get(model, item)?;
        Some(self.predictions.place(Row(row)))
    }

    /// The printed scores so far.
    pub const fn published_mut(&mut self) -> &mut Vec<Published> {
        &mut self.published
    }

    /// Adds a printed score.
    pub fn publish(&mut self, published: Published) {
        self.published.push(published);
    }

    /// What is not kept because a bound is reached.
    #[must_use]
    pub const fn left_out(&self) -> LeftOut {
        self.items.left_out()
    }

    /// Returns what is wrong with a sample's id for which there is no room; one sentence.
    #[must_use]
    pub fn no_room_for(&self, id: &str) -> Option<String> {
        let ids = self.items.ids.bytes() + id.len();
        let checks = [(id.len(), Limit::Id), (ids, Limit::Ids)];
        let beyond = checks
            .iter()
            .find(|(length, limit)| *length > limit.length());
        beyond.map(|(_, limit)| limit.message())
    }

    /// Finds the item of a sample under a condition, or makes it. A new item's content must be told
    /// with [`Self::describe`] before the next one is made.
    pub fn item(&mut self, ability: AbilityId, condition: u16, id: &str, asked: Asked) -> Item {
        let (items, index) = (&self.items, &mut self.index);
        // Logs list samples in the same order: the item after the last one is mostly meant.
        let next = index.last_item.wrapping_add(1);
        if items.is(next, ability, condition, id) {
            index.last_item = next;
            return index.known(next);
        }
        let hash = index.hasher.hash_one((ability.0, condition, id));
        let same = |&row: &u32| items.is(row, ability, condition, id);
        if let Some(&row) = index.by_key.find(hash, same) {
            index.last_item = row;
            return index.known(row);
        }
        let row = u32::try_from(items.ids.len()).unwrap_or(u32::MAX);
        index.last_item = row;
        let hasher = &index.hasher;
        index.by_key.insert_unique(hash, row, |&row| {
            let at = row as usize;
            hasher.hash_one((items.ability[at], items.condition[at], items.ids.get(at)))
        });
        let sample = self.sample(ability, id, row);
        self.items.sample.push(sample);
        self.items.ability.push(ability.0);
        self.items.condition.push(condition);
        self.index.asked.push(asked);
        self.items.ids.push(id);
        Item {
            id: ItemId(row),
            new: true,
            asked,
        }
    }

    /// The sample to which a new item belongs: that of the same id under another condition, or a new one.
    fn sample(&mut self, ability: AbilityId, id: &str, row: u32) -> u32 {
        let (items, index) = (&self.items, &mut self.index);
        let hasher = &index.hasher;
        let hash = hasher.hash_one((ability.0, id));
        let same = |&other: &u32| {
            items.ability.get(other as usize) == Some(&ability.0)
                && items.ids.get(other as usize) == id
        };
        if let Some(&first) = index.by_sample.find(hash, same) {
            return items.sample[first as usize];
        }
        index.by_sample.insert_unique(hash, row, |&other| {
            let at = other as usize;
            hasher.hash_one((items.ability[at], items.ids.get(at)))
        });
        index.samples += 1;
        index.samples - 1
    }

    /// Tells the content of the item that was made last. `image` identifies its first picture;
    /// samples that share one are resampled together.
    pub fn describe(&mut self, content: &Content, image: Option<u64>, target: f64) {
        let row = self.items.questions.len();
        let cluster = self.cluster(row, image);
        self.items.cluster.push(cluster);
        self.items.target.push(target);
        let shown = content.target.as_ref().map(Target::to_string);
        let (mut question, mut shown) = (content.question.as_str(), shown.unwrap_or_default());
        if self.items.texts_with(question.len() + shown.len()) > Limit::Texts.length() {
            (question, shown) = ("", String::new());
            self.items.texts_left_out += 1;
        }
        self.items.questions.push(question);
        self.items.targets.push(&shown);
        self.items.tags.push(row, &content.tags);
    }

    /// Items of one sample, and items that show the same picture, form one cluster.
    fn cluster(&mut self, row: usize, image: Option<u64>) -> u32 {
        let sample = self.items.sample[row];
        if row > 0 && self.items.sample[row - 1] == sample {
            return self.items.cluster[row - 1];
        }
        let index = &mut self.index;
        let key = index.hasher.hash_one(match image {
            Some(image) => (0_u8, image),
            None => (1, u64::from(sample)),
        });
        // A rotated picture has a path of its own: the sample's first item decides.
        let by_sample = index.hasher.hash_one((2_u8, u64::from(sample)));
        for hash in [by_sample, key] {
            if let Some(&(_, cluster)) = index.clusters.find(hash, |&(known, _)| known == hash) {
                return cluster;
            }
        }
        let cluster = index.next_cluster;
        index.next_cluster += 1;
        for hash in [by_sample, key] {
            index
                .clusters
                .insert_unique(hash, (hash, cluster), |&(known, _)| known);
        }
        cluster
    }

    /// Adds a prediction. If its sample, condition and model were there before, the new one takes
    /// the row of the earlier one, which is told.
    ///
    /// `beside` are its further scores by metric code.
    pub fn push(
        &mut self,
        item: ItemId,
        prediction: &Prediction,
        beside: &[(u16, f64)],
    ) -> Option<Duplicate> {
        let next = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let row = self.index.rows.insert(prediction.model, item, next);
        self.mark(row, item, prediction.asked);
        let columns = &mut self.predictions;
        columns.set_beside(row as usize, beside);
        if row == next {
            columns.push(item, prediction);
            return None;
        }
        let earlier = columns.place(Row(row));
        columns.replace(row as usize, prediction);
        Some(Duplicate { earlier })
    }

    /// Keeps what a record asks otherwise than the first one of its item.
    fn mark(&mut self, row: u32, ItemId(item): ItemId, asked: Asked) {
        let apart = asked.beside(self.index.asked[item as usize]);
        if apart.is_none() {
            self.asked_else.remove(&row);
        } else {
            self.asked_else.insert(row, apart);
        }
    }

    /// Keeps the boxes of a prediction that was pushed.
    pub fn keep(&mut self, item: ItemId, model: ModelId, detections: Detections) {
        let row = self.index.rows.insert(model, item, u32::MAX);
        self.detections.insert(row, Arc::new(detections));
    }
}

impl ItemColumns {
    /// What is not kept because a bound is reached.
    pub const fn left_out(&self) -> LeftOut {
        LeftOut {
            texts: self.texts_left_out,
            ..self.tags.left_out()
        }
    }

    /// Bytes of all questions and targets with so many more.
    const fn texts_with(&self, more: usize) -> usize {
        self.questions.bytes() + self.targets.bytes() + more
    }

    /// Returns true if a row is the item of this key.
    fn is(&self, row: u32, ability: AbilityId, condition: u16, id: &str) -> bool {
        let row = row as usize;
        self.ability.get(row) == Some(&ability.0)
            && self.condition.get(row) == Some(&condition)
            && self.ids.get(row) == id
    }
}

impl PredictionColumns {
    fn push(&mut self, item: ItemId, prediction: &Prediction) {
        let rows = self.item.len();
        self.item.push(item.0);
        self.model.push(prediction.model.0);
        if !self.strict_metric.is_empty() || prediction.metric != prediction.strict_metric {
            let shared = &self.metric[self.strict_metric.len()..rows];
            self.strict_metric.extend_from_slice(shared);
            self.strict_metric.push(prediction.strict_metric);
        }
        self.metric.push(prediction.metric);
        self.flags.push(prediction.flags);
        if !self.rule.is_empty() || prediction.rule != Rule::Unstated {
            self.rule.resize(rows, Rule::Unstated);
            self.rule.push(prediction.rule);
        }
        if !self.answer.is_empty() || prediction.answer != 0 {
            self.answer.resize(rows, 0);
            self.answer.push(prediction.answer);
        }
        self.unit.push(prediction.place.unit);
        self.offset.push(prediction.place.offset);
        self.length.push(prediction.place.length);
        self.line.push(prediction.place.line);
        if !self.strict.is_empty() || differs(prediction.score, prediction.strict) {
            let shared = &self.score[self.strict.len()..rows];
            self.strict.extend_from_slice(shared);
            self.strict.push(prediction.strict);
        }
        self.score.push(prediction.score);
        if !self.strict_second.is_empty() || differs(prediction.second, prediction.strict_second) {
            let shared = self
                .second
                .get(self.strict_second.len()..rows)
                .unwrap_or_default();
            self.strict_second.extend_from_slice(shared);
            self.strict_second.resize(rows, f64::NAN);
            self.strict_second.push(prediction.strict_second);
        }
        if !self.second.is_empty() || !prediction.second.is_nan() {
            self.second.resize(rows, f64::NAN);
            self.second.push(prediction.second);
        }
    }

    fn replace(&mut self, row: usize, prediction: &Prediction) {
        let rows = self.item.len();
        if self.strict.is_empty() && differs(prediction.score, prediction.strict) {
            self.strict.clone_from(&self.score);
        }
        if self.strict_second.is_empty() && differs(prediction.second, prediction.strict_second) {
            self.strict_second.clone_from(&self.second);
            self.strict_second.resize(rows, f64::NAN);
        }
        if self.second.is_empty() && !prediction.second.is_nan() {
            self.second.resize(rows, f64::NAN);
        }
        if self.strict_metric.is_empty() && prediction.metric != prediction.strict_metric {
            self.strict_metric.clone_from(&self.metric);
        }
        set(&mut self.metric, row, prediction.metric);
        set(&mut self.strict_metric, row, prediction.strict_metric);
        if self.rule.is_empty() && prediction.rule != Rule::Unstated {
            self.rule.resize(rows, Rule::Unstated);
        }
        set(&mut self.rule, row, prediction.rule);
        if self.answer.is_empty() && prediction.answer != 0 {
            self.answer.resize(rows, 0);
        }
        set(&mut self.answer, row, prediction.answer);
        set(&mut self.flags, row, prediction.flags);
        set(&mut self.unit, row, prediction.place.unit);
        set(&mut self.offset, row, prediction.place.offset);
        set(&mut self.length, row, prediction.place.length);
        set(&mut self.line, row, prediction.place.line);
        set(&mut self.score, row, prediction.score);
        set(&mut self.strict, row, prediction.strict);
        set(&mut self.second, row, prediction.second);
        set(&mut self.strict_second, row, prediction.strict_second);
    }

    /// Sets the further scores of a row; those that an earlier prediction left there are gone.
    fn set_beside(&mut self, row: usize, scores: &[(u16, f64)]) {
        for column in self.beside.values_mut() {
            set(column, row, f64::NAN);
        }
        for &(metric, score) in scores {
            let column = self.beside.entry(metric).or_default();
            if column.len() <= row {
                column.resize(row + 1, f64::NAN);
            }
            set(column, row, score);
        }
    }

    fn place(&self, Row(row): Row) -> Place {
        let row = row as usize;
        Place {
            unit: self.unit[row],
            offset: self.offset[row],
            length: self.length[row],
            line: self.line[row],
        }
    }
}

/// Returns true if two scores differ; two missing ones do not.
fn differs(a: f64, b: f64) -> bool {
    a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
}

/// Sets a value in a column that may be left empty.
fn set<T>(column: &mut [T], row: usize, value: T) {
    if let Some(cell) = column.get_mut(row) {
        *cell = value;
    }
}
