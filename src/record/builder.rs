//! Fills a table row by row: finds or makes the item, and lets the last of equal predictions count.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

use limits::Limit;

use super::direction::{Basis, Direction};
use super::growing::{ItemColumns, PredictionColumns};
use super::index::Index;
use super::names::Names;
use super::source::{Place, Source};
use super::usage::{Usage, Usages};
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
    pub flags: u16,
    /// How the writer of its log scores it.
    pub rule: Rule,
    /// What its record asks.
    pub asked: Asked,
    /// A hash of what was read in its answer, by which repeats are compared; 0: nothing, or there are no repeats.
    pub answer: u32,
    /// Where the record stands.
    pub place: Place,
}

impl Prediction {
    /// A score alone: the same as the harness and as Eyechart scores it, under one metric.
    #[must_use]
    pub fn scored(model: ModelId, metric: u16, score: f64) -> Self {
        Self {
            model,
            metric,
            strict_metric: metric,
            score,
            strict: score,
            second: f64::NAN,
            strict_second: f64::NAN,
            flags: 0,
            rule: Rule::default(),
            asked: Asked::default(),
            answer: 0,
            place: Place::default(),
        }
    }
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
    pub(super) usages: Usages,
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

    /// The name of a metric.
    #[must_use]
    pub fn metric_name(&self, code: u16) -> &str {
        let names = self.names.metrics.values();
        names.get(usize::from(code)).map_or("", String::as_str)
    }

    /// Records the direction of a metric. Returns false if a stronger or earlier statement contradicts it.
    pub fn state_direction(&mut self, metric: &str, direction: Direction, basis: Basis) -> bool {
        let known = self.names.directions.get(metric);
        match known {
            Some((known, by)) if *by <= basis => *known == direction,
            _ => {
                let stated = (direction, basis);
                self.names.directions.insert(metric.to_owned(), stated);
                true
            }
        }
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
        LeftOut {
            metrics: self.predictions.beside_left_out,
            ..self.items.left_out()
        }
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

    /// Where the record of an answer stands; `None`: there is no such answer.
    #[must_use]
    pub fn place(&self, item: ItemId, model: ModelId) -> Option<Place> {
        let row = self.index.rows.get(model, item)?;
        Some(self.predictions.place(Row(row)))
    }

    /// Replaces the scores of an answer that was pushed; its further metrics stay.
    pub fn rescore(&mut self, item: ItemId, prediction: &Prediction) {
        if let Some(row) = self.index.rows.get(prediction.model, item) {
            self.predictions.replace(row as usize, prediction);
        }
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

    /// Keeps what the requests for a prediction took that was pushed; `None`: nobody tells it.
    pub fn spent(&mut self, item: ItemId, model: ModelId, usage: Option<Usage>) {
        if usage.is_none() && self.usages.is_empty() {
            return;
        }
        if let Some(row) = self.index.rows.get(model, item) {
            self.usages.set(row, usage);
        }
    }
}
