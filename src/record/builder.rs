//! Builds a table row by row. Finds or creates the items; the last of several duplicate predictions
//! counts.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

use base::limits::Limit;

use super::automatic::{BoxFacts, OptionFacts};
use super::benchmark::MetricRange;
use super::direction::{Basis, Direction};
use super::growing::{ItemColumns, PredictionColumns};
use super::index::{Index, split_at};
use super::names::Names;
use super::source::{RecordPosition, Source};
use super::usage::{Usage, Usages};
use super::{
    Ability, AbilityGroup, AbilityId, Content, Detections, DroppedValues, Facts, ItemId, Labels,
    ModelId, PublishedScore, RequestFingerprint, Row, Rule, Target,
};

/// One prediction, without its item.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// Model that answered.
    pub model: ModelId,
    /// Metric code of the harness score.
    pub metric: u16,
    /// Metric code of the strict score.
    pub strict_metric: u16,
    /// Score by the harness's rule; `NaN` excludes the prediction.
    pub score: f64,
    /// Score by Eyechart's strict rules; `NaN` excludes the prediction.
    pub strict: f64,
    /// Second score by the harness's rule; `NaN` if there is none.
    pub second: f64,
    /// Second score by Eyechart's strict rules; `NaN` if there is none.
    pub strict_second: f64,
    /// Combination of [`super::INVALID`], [`super::STRICT_INVALID`], [`super::UNCOMPARED`] and
    /// [`super::ReadingComparison`].
    pub flags: u16,
    /// Scoring rule of the harness that wrote the log.
    pub rule: Rule,
    /// Fingerprint of the request.
    pub asked: RequestFingerprint,
    /// Hash of the extracted answer, to compare repeated answers. 0 without an answer, or if
    /// answers are not repeated.
    pub answer: u32,
    /// Position of the prediction's record in its log.
    pub place: RecordPosition,
}

impl Prediction {
    /// Creates a prediction with one score that serves as harness score and as strict score.
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
            asked: RequestFingerprint::default(),
            answer: 0,
            place: RecordPosition::default(),
        }
    }
}

/// Identifies an item within a table: a sample under a condition.
#[derive(Clone, Copy, Debug)]
pub struct ItemCode<'a> {
    /// Code of the ability.
    pub ability: AbilityId,
    /// Code of the condition.
    pub condition: u16,
    /// Split of the data set; empty if there is none. Different splits can use the same ids.
    pub split: &'a str,
    /// Sample id from the harness.
    pub id: &'a str,
}

/// Result of looking up an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Row number of the item.
    pub id: ItemId,
    /// True if the lookup created the item. Its content must then be set with
    /// [`TableBuilder::describe`].
    pub new: bool,
    /// Fingerprint of the request in the first record of the item.
    pub asked: RequestFingerprint,
}

/// A second prediction for the same sample, model and condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Position of the earlier prediction, which is replaced.
    pub earlier: RecordPosition,
}

/// A table under construction.
#[derive(Clone, Debug, Default)]
pub struct TableBuilder {
    pub(super) predictions: PredictionColumns,
    pub(super) items: ItemColumns,
    pub(super) names: Names,
    pub(super) sources: Vec<Source>,
    pub(super) published: Vec<PublishedScore>,
    pub(super) detections: HashMap<u32, Arc<Detections>>,
    /// Differing parts of the request compared with the first record of the item, by prediction
    /// row.
    pub(super) request_changes: HashMap<u32, RequestFingerprint>,
    pub(super) usages: Usages,
    pub(super) index: Index,
}

impl TableBuilder {
    /// Returns the number of predictions.
    pub fn len(&self) -> usize {
        self.predictions.item.len()
    }

    /// True if there are no predictions yet.
    pub fn is_empty(&self) -> bool {
        self.predictions.item.is_empty()
    }

    /// Returns the code of a model, adding it if needed; `None` if there are too many models.
    pub fn model(&mut self, name: &str) -> Option<ModelId> {
        u16::try_from(self.names.models.code(name))
            .ok()
            .map(ModelId)
    }

    /// Returns the code of a model, or of one of its runs, adding it if needed; `None` if there are
    /// too many.
    pub fn run_of(&mut self, model: &str, run: Option<&str>) -> Option<ModelId> {
        let Some(run) = run else {
            return self.model(model);
        };
        let name = self.names.name_run(model, run);
        self.model(&name)
    }

    /// Registers a run and returns its name, for scores published by its harness.
    pub fn name_run(&mut self, model: &str, run: &str) -> String {
        self.names.name_run(model, run)
    }

    /// True if facts about the model, such as family or release date, are stored.
    pub fn is_known(&self, model: &str) -> bool {
        self.names.facts.contains_key(model)
    }

    /// Sets the score thresholds for right answers, by metric.
    pub fn right_from(&mut self, right: BTreeMap<String, f64>) {
        self.names.right = right;
    }

    /// Returns the name of a metric; empty for an unknown code.
    pub fn metric_name(&self, code: u16) -> &str {
        let names = self.names.metrics.values();
        names.get(usize::from(code)).map_or("", String::as_str)
    }

    /// Records the direction of a metric. Returns false if a source of equal or higher priority
    /// already recorded the other direction.
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

    /// Sets the ranges of metrics given by the user.
    pub fn state_ranges(&mut self, ranges: BTreeMap<String, MetricRange>) {
        self.names.ranges = ranges;
    }

    /// Returns the range of valid scores of a metric; see [`Names::range_of`].
    pub fn range_of(&self, metric: &str) -> Option<MetricRange> {
        self.names.range_of(metric)
    }

    /// Sets the groups of abilities that count as one ability.
    pub fn group(&mut self, groups: Vec<AbilityGroup>) {
        self.names.groups = groups;
    }

    /// Stores the facts about a model.
    pub fn set_facts(&mut self, model: &str, facts: Facts) {
        self.names.facts.insert(model.to_owned(), facts);
    }

    /// Adds an alternative spelling of a model's name.
    pub fn add_spelling(&mut self, model: &str, spelling: &str) {
        let spellings = self.names.spellings.entry(model.to_owned()).or_default();
        spellings.insert(spelling.to_owned());
    }

    /// Returns the code of a metric, adding it if needed; `None` if there are too many.
    pub fn metric(&mut self, name: &str) -> Option<u16> {
        u16::try_from(self.names.metrics.code(name)).ok()
    }

    /// Returns the code of an ability, adding it if needed; `None` if there are too many.
    pub fn ability(&mut self, ability: &Ability) -> Option<AbilityId> {
        u16::try_from(self.names.abilities.code(ability))
            .ok()
            .map(AbilityId)
    }

    /// Returns the code of a condition, adding it if needed; `None` if there are too many.
    pub fn condition(&mut self, labels: &Labels) -> Option<u16> {
        u16::try_from(self.names.condition(labels)).ok()
    }

    /// Adds a log and returns its index, the value for [`RecordPosition::unit`].
    pub fn source(&mut self, source: Source) -> u32 {
        self.index.log_start = u32::try_from(self.items.ids.len()).unwrap_or(u32::MAX);
        self.sources.push(source);
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns a log for editing.
    ///
    /// # Panics
    /// If `unit` is not the index of an added log.
    pub fn source_mut(&mut self, unit: u32) -> &mut Source {
        &mut self.sources[unit as usize]
    }

    /// Returns the name of an ability.
    ///
    /// # Panics
    /// If the code comes from another builder.
    pub fn ability_name(&self, AbilityId(code): AbilityId) -> &str {
        &self.names.abilities.values()[usize::from(code)].name
    }

    /// Returns the name of a model.
    pub fn model_name(&self, id: ModelId) -> &str {
        self.names.model(id)
    }

    /// Returns the logs added so far.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the name of a model without its run. Also returns the run, if the code stands for
    /// one of several runs.
    pub fn plain_model(&self, id: ModelId) -> (&str, Option<&str>) {
        self.names.plain(self.names.model(id))
    }

    /// Returns the position of a prediction's record; `None` if there is no such prediction.
    pub fn place_of(&self, item: ItemId, model: ModelId) -> Option<RecordPosition> {
        let row = self.index.rows.get(model, item)?;
        Some(self.predictions.place(Row(row)))
    }

    /// Returns the published scores added so far, for editing.
    pub const fn published_mut(&mut self) -> &mut Vec<PublishedScore> {
        &mut self.published
    }

    /// Adds a published score.
    pub fn publish(&mut self, published: PublishedScore) {
        self.published.push(published);
    }

    /// Returns the counts of values that were dropped because a limit was reached.
    pub const fn left_out(&self) -> DroppedValues {
        DroppedValues {
            metrics: self.predictions.beside_left_out,
            ..self.items.left_out()
        }
    }

    /// Returns the error message if a sample id would exceed the limit on ids; `None` if the id
    /// fits.
    pub fn no_room_for(&self, id: &str) -> Option<String> {
        let ids = self.items.ids.bytes() + id.len();
        let checks = [(id.len(), Limit::Id), (ids, Limit::Ids)];
        let beyond = checks
            .iter()
            .find(|(length, limit)| *length > limit.length());
        beyond.map(|(_, limit)| limit.message())
    }

    /// Finds or creates the item of a sample without a split; see [`Self::item_of`].
    pub fn item(
        &mut self,
        ability: AbilityId,
        condition: u16,
        id: &str,
        asked: RequestFingerprint,
    ) -> Item {
        let code = ItemCode {
            ability,
            condition,
            split: "",
            id,
        };
        self.item_of(code, asked)
    }

    /// Finds or creates the item of a sample under a condition. The content of a new item must be
    /// set with [`Self::describe`] before the next item is created.
    pub fn item_of(&mut self, code: ItemCode<'_>, asked: RequestFingerprint) -> Item {
        let ItemCode {
            ability,
            condition,
            split,
            id,
        } = code;
        let (items, index) = (&self.items, &mut self.index);
        let split = index.split_number(split);
        // Logs usually list samples in the same order, so the next item is the most likely match.
        let next = index.last_item.wrapping_add(1);
        if items.is(next, ability, condition, id) && split_at(&index.splits, next) == split {
            index.last_item = next;
            return index.known(next);
        }
        let hash = index.hasher.hash_one((ability.0, condition, id));
        let splits = &index.splits;
        let same = |row: &&u32| items.is(**row, ability, condition, id);
        // A later log without splits can contain the samples of an earlier log with splits.
        let start = index.log_start;
        let fit = |row: &u32| match split_at(splits, *row) {
            own if own == split => Some(0),
            own => (*row < start && (own == 0 || split == 0)).then_some(1),
        };
        let known = index.by_key.iter_hash(hash).filter(same);
        let known = known.filter_map(|row| Some((fit(row)?, *row))).min();
        if let Some((_, row)) = known {
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
        let sample = self.sample(code, split, row);
        self.index.keep_split(row, split);
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

    /// Returns the sample number of a new item. An earlier item with the same id and split has
    /// another condition and shares its number; otherwise the number is new.
    fn sample(&mut self, code: ItemCode<'_>, split: u32, row: u32) -> u32 {
        let ItemCode { ability, id, .. } = code;
        let (items, index) = (&self.items, &mut self.index);
        let (hasher, splits) = (&index.hasher, &index.splits);
        let hash = hasher.hash_one((ability.0, split, id));
        let same = |&other: &u32| {
            items.ability.get(other as usize) == Some(&ability.0)
                && split_at(splits, other) == split
                && items.ids.get(other as usize) == id
        };
        if let Some(&first) = index.by_sample.find(hash, same) {
            index.first_item = first;
            return items.sample[first as usize];
        }
        index.first_item = row;
        index.by_sample.insert_unique(hash, row, |&other| {
            let at = other as usize;
            hasher.hash_one((
                items.ability[at],
                split_at(splits, other),
                items.ids.get(at),
            ))
        });
        index.samples += 1;
        index.samples - 1
    }

    /// Sets the content of the last created item. `image` identifies its first picture. Samples
    /// with the same picture are resampled together.
    pub fn describe(&mut self, content: &Content, image: Option<u64>, target: f64) {
        let row = self.items.questions.len();
        let cluster = self.cluster(image);
        self.items.cluster.push(cluster);
        self.items.target.push(target);
        let shown = content.target.as_ref().map(Target::to_string);
        let (mut question, mut shown) = (content.question.as_str(), shown.unwrap_or_default());
        let item = u32::try_from(row).unwrap_or(u32::MAX);
        let options = OptionFacts::new(content, &shown);
        let options = options.map(|options| (item, options));
        self.items.options.extend(options);
        let boxes = BoxFacts::from_content(content).map(|boxes| (item, boxes));
        self.items.boxes.extend(boxes);
        let pictures = Some(content.images.len()).filter(|count| *count > 1);
        let pictures = pictures.map(|count| (item, u16::try_from(count).unwrap_or(u16::MAX)));
        self.items.pictures.extend(pictures);
        if self.items.texts_with(question.len() + shown.len()) > Limit::Texts.length() {
            (question, shown) = ("", String::new());
            self.items.texts_left_out += 1;
        }
        self.items.questions.push(question);
        self.items.targets.push(&shown);
        self.items.tags.push(row, &content.tags);
    }

    /// Returns the cluster of the last created item. Items of one sample and items with the same
    /// picture share a cluster.
    fn cluster(&mut self, image: Option<u64>) -> u32 {
        let index = &mut self.index;
        // Rotated copies of a picture have different paths, so use the cluster of the sample's
        // first item.
        if let Some(&cluster) = self.items.cluster.get(index.first_item as usize) {
            return cluster;
        }
        let hash = image.map(|image| index.hasher.hash_one(image));
        let known = hash.and_then(|hash| index.clusters.find(hash, |&(known, _)| known == hash));
        if let Some(&(_, cluster)) = known {
            return cluster;
        }
        let cluster = index.next_cluster;
        index.next_cluster += 1;
        if let Some(hash) = hash {
            index
                .clusters
                .insert_unique(hash, (hash, cluster), |&(known, _)| known);
        }
        cluster
    }

    /// Adds a prediction. A duplicate (same sample, condition and model) replaces the earlier
    /// prediction; the position of the earlier record is then returned.
    ///
    /// `beside` contains the additional scores, each with its metric code.
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

    /// Replaces the main scores of an existing prediction; its additional scores stay.
    pub fn rescore(&mut self, item: ItemId, prediction: &Prediction) {
        if let Some(row) = self.index.rows.get(prediction.model, item) {
            self.predictions.replace(row as usize, prediction);
        }
    }

    /// Records the parts of a request that differ from the first request of its item.
    fn mark(&mut self, row: u32, ItemId(item): ItemId, asked: RequestFingerprint) {
        let apart = asked.known_differences(self.index.asked[item as usize]);
        if apart.is_none() {
            self.request_changes.remove(&row);
        } else {
            self.request_changes.insert(row, apart);
        }
    }

    /// Stores the boxes of an existing prediction.
    pub fn keep(&mut self, item: ItemId, model: ModelId, detections: Detections) {
        let row = self.index.rows.insert(model, item, u32::MAX);
        self.detections.insert(row, Arc::new(detections));
    }

    /// Stores the usage of an existing prediction; `None` stands for unknown usage.
    pub fn set_usage(&mut self, item: ItemId, model: ModelId, usage: Option<Usage>) {
        if usage.is_none() && self.usages.is_empty() {
            return;
        }
        if let Some(row) = self.index.rows.get(model, item) {
            self.usages.set(row, usage);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_one_sample_and_of_one_picture_share_a_cluster() {
        let mut builder = TableBuilder::default();
        let ability = builder.ability(&Ability::default()).unwrap();
        let samples = [
            (0, "a", Some(1)),
            (0, "b", Some(1)),
            (0, "c", None),
            (0, "d", None),
            // Rotated copies, each with its own picture.
            (1, "a", Some(2)),
            (1, "b", Some(3)),
            (1, "d", Some(1)),
            (1, "e", Some(2)),
        ];
        for (condition, id, image) in samples {
            builder.item(ability, condition, id, RequestFingerprint::default());
            builder.describe(&Content::default(), image, f64::NAN);
        }
        assert_eq!(builder.items.cluster, [0, 0, 1, 2, 0, 0, 2, 3]);
        // Samples without a picture have no entry in the index.
        assert_eq!(builder.index.clusters.len(), 2);
    }
}
