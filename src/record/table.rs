//! The table: typed columns of predictions, which point at typed columns of items, and the names behind
//! their codes.
//!
//! Columns are dense, without nulls, and shared: a table is cheap to clone, and a column that was never told
//! apart from another one shares its memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use super::builder::TableBuilder;
use super::direction::{Basis, Direction};
use super::generation::Generation;
use super::growing::{ItemColumns, PredictionColumns};
use super::names::Names;
use super::predictions::{Column, Predictions, column};
use super::source::{Place, Source};
use super::span::Span;
use super::tags::{Tag, TagColumn};
use super::texts::Texts;
use super::usage::{Usage, Usages};
use super::{
    Ability, AbilityId, Asked, Detections, Index, ItemId, Labels, LeftOut, ModelId, Published, Row,
    Rule, Scoring, Whole,
};

/// Everything that was read, in one schema. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Table {
    generation: Generation,
    pub(super) predictions: Arc<Predictions>,
    /// By metric code: which scores there are. Told once.
    pub(super) spans: Arc<OnceLock<Vec<Span>>>,
    pub(super) items: Arc<Items>,
    pub(super) names: Arc<Names>,
    pub(super) tags: Arc<BTreeMap<String, Tag>>,
    pub(super) left_out: LeftOut,
    pub(super) texts: Arc<ItemTexts>,
    pub(super) sources: Arc<Vec<Source>>,
    pub(super) published: Arc<Vec<Published>>,
    pub(super) detections: Arc<HashMap<u32, Arc<Detections>>>,
    pub(super) asked_else: Arc<HashMap<u32, Asked>>,
    pub(super) usages: Arc<Usages>,
}

/// Columns of items.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    sample: Column<u32>,
    ability: Column<u16>,
    condition: Column<u16>,
    cluster: Column<u32>,
    target: Column<f64>,
    /// Empty before a verdict is known.
    verdicts: Column<u8>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ItemTexts {
    pub ids: Texts,
    pub questions: Texts,
    pub targets: Texts,
}

impl TableBuilder {
    /// The finished table.
    #[must_use]
    pub fn finish(self) -> Table {
        self.pause().0
    }

    /// The table, and what [`Self::resume`] needs to fill it further.
    #[must_use]
    pub fn pause(self) -> (Table, Index) {
        let detections = Arc::new(self.detections);
        let asked_else = Arc::new(self.asked_else);
        let usages = Arc::new(self.usages);
        let table = Table::new(
            self.predictions,
            self.items,
            self.names,
            self.sources,
            self.published,
        );
        let table = Table {
            detections,
            asked_else,
            usages,
            ..table
        };
        (table, self.index)
    }

    /// The table as it is now, to look at while more arrives.
    #[must_use]
    pub fn snapshot(&self) -> Table {
        let table = Table::new(
            self.predictions.clone(),
            self.items.clone(),
            self.names.clone(),
            self.sources.clone(),
            self.published.clone(),
        );
        Table {
            detections: Arc::new(self.detections.clone()),
            asked_else: Arc::new(self.asked_else.clone()),
            usages: Arc::new(self.usages.clone()),
            ..table
        }
    }
}

impl Table {
    fn new(
        predictions: PredictionColumns,
        items: ItemColumns,
        names: Names,
        sources: Vec<Source>,
        published: Vec<Published>,
    ) -> Self {
        let left_out = LeftOut {
            metrics: predictions.beside_left_out,
            ..items.left_out()
        };
        let texts = ItemTexts {
            ids: items.ids,
            questions: items.questions,
            targets: items.targets,
        };
        let tags = items.tags.finish(texts.ids.len());
        Self {
            generation: Generation::next(),
            spans: Arc::default(),
            predictions: Arc::new(Predictions::new(predictions, &names)),
            items: Arc::new(Items {
                sample: column(items.sample),
                ability: column(items.ability),
                condition: column(items.condition),
                cluster: column(items.cluster),
                target: column(items.target),
                verdicts: Column::default(),
            }),
            tags: Arc::new(tags),
            left_out,
            names: Arc::new(names),
            texts: Arc::new(texts),
            sources: Arc::new(sources),
            published: Arc::new(published),
            detections: Arc::default(),
            asked_else: Arc::default(),
            usages: Arc::default(),
        }
    }

    /// The id of this content: row numbers and answers hold for tables of the same generation.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Number of predictions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.predictions.item.len()
    }

    /// Returns true if there are no predictions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names behind the codes.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The logs.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The printed scores.
    #[must_use]
    pub fn published(&self) -> &[Published] {
        &self.published
    }

    /// Returns true if any record asks something else than the first one of its item.
    #[must_use]
    pub fn is_asked_otherwise(&self) -> bool {
        !self.asked_else.is_empty()
    }

    /// What a record asks otherwise than the first one of its item.
    #[must_use]
    pub fn asked_otherwise(&self, Row(row): Row) -> Asked {
        self.asked_else.get(&row).copied().unwrap_or_default()
    }

    /// The boxes of a prediction, where it is a detection.
    #[must_use]
    pub fn detections(&self, Row(row): Row) -> Option<&Detections> {
        self.detections.get(&row).map(Arc::as_ref)
    }

    /// The predictions whose logs tell what their requests took, and what that was.
    pub fn usages(&self) -> impl Iterator<Item = (Row, Usage)> {
        self.usages.iter().map(|(row, usage)| (Row(row), usage))
    }

    /// Item of each prediction.
    #[must_use]
    pub fn item_of(&self) -> &[u32] {
        &self.predictions.item
    }

    /// Model code of each prediction.
    #[must_use]
    pub fn model_of(&self) -> &[u16] {
        &self.predictions.model
    }

    /// Metric code of each prediction.
    #[must_use]
    pub fn metric_of(&self, scoring: Scoring) -> &[u16] {
        match scoring {
            Scoring::Harness => &self.predictions.metric,
            Scoring::Strict => &self.predictions.strict_metric,
        }
    }

    /// Score of each prediction in its metric's unit; `NaN` where it is left out.
    #[must_use]
    pub fn scores(&self, scoring: Scoring) -> &[f64] {
        match scoring {
            Scoring::Harness => &self.predictions.score,
            Scoring::Strict => &self.predictions.strict,
        }
    }

    /// Second score of each prediction; empty when no prediction has one.
    #[must_use]
    pub fn seconds(&self, scoring: Scoring) -> &[f64] {
        match scoring {
            Scoring::Harness => &self.predictions.second,
            Scoring::Strict => &self.predictions.strict_second,
        }
    }

    /// Further scores of the predictions as their harness scores them: metric, and one score a prediction,
    /// `NaN` where it has none.
    pub fn beside(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let scores = self.predictions.beside.iter();
        scores.map(|(metric, scores)| (metric.as_str(), scores.as_slice()))
    }

    /// Flags of each prediction.
    #[must_use]
    pub fn flags(&self) -> &[u16] {
        &self.predictions.flags
    }

    /// Rule of each prediction; empty when no log states one.
    pub(super) fn rules(&self) -> &[Rule] {
        &self.predictions.rule
    }

    /// How the writer of its log scores a prediction.
    #[must_use]
    pub fn rule(&self, Row(row): Row) -> Rule {
        let rules = self.rules();
        if rules.is_empty() {
            return Rule::Unstated;
        }
        rules[row as usize]
    }

    /// A hash of what was read in each answer that is one of several repeats, 0 where nothing was; empty when there are
    /// no repeats.
    #[must_use]
    pub fn answers(&self) -> &[u32] {
        &self.predictions.answer
    }

    /// Log of each prediction: its index among the sources.
    #[must_use]
    pub fn unit_of(&self) -> &[u32] {
        &self.predictions.unit
    }

    /// Sample of each item.
    #[must_use]
    pub fn sample_of(&self) -> &[u32] {
        &self.items.sample
    }

    /// Ability code of each item.
    #[must_use]
    pub fn ability_of(&self) -> &[u16] {
        &self.items.ability
    }

    /// Condition code of each item.
    #[must_use]
    pub fn condition_of(&self) -> &[u16] {
        &self.items.condition
    }

    /// Cluster of each item: what is resampled together.
    #[must_use]
    pub fn cluster_of(&self) -> &[u32] {
        &self.items.cluster
    }

    /// Numeric target of each item, `NaN` where it has none.
    #[must_use]
    pub fn target_of(&self) -> &[f64] {
        &self.items.target
    }

    /// People's verdicts on each item's sample, one bit a kind; empty when nobody judged anything.
    #[must_use]
    pub fn verdicts(&self) -> &[u8] {
        &self.items.verdicts
    }

    /// The same table with these verdicts, one set an item.
    ///
    /// # Panics
    /// There is not one set an item.
    #[must_use]
    pub fn with_verdicts(mut self, verdicts: Vec<u8>) -> Self {
        assert_eq!(verdicts.len(), self.items.sample.len());
        Arc::make_mut(&mut self.items).verdicts = column(verdicts);
        self.generation = Generation::next();
        self
    }

    /// The same table with other notes on its logs, such as their problems, and possibly with further logs behind them.
    ///
    /// # Panics
    /// There is not one source a log.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Source>) -> Self {
        assert!(sources.len() >= self.sources.len());
        self.sources = Arc::new(sources);
        self.generation = Generation::next();
        self
    }

    /// The same table with these scores, one a prediction.
    ///
    /// # Panics
    /// There is not one score a prediction.
    #[must_use]
    pub fn with_scores(mut self, scoring: Scoring, scores: Vec<f64>) -> Self {
        assert_eq!(scores.len(), self.len());
        let (scores, predictions) = (column(scores), Arc::make_mut(&mut self.predictions));
        match scoring {
            Scoring::Harness => predictions.score = scores,
            Scoring::Strict => predictions.strict = scores,
        }
        self.spans = Arc::default();
        self.generation = Generation::next();
        self
    }

    /// The same table as a part of all predictions, of which this is known.
    #[must_use]
    pub fn with_whole(mut self, whole: Arc<Whole>) -> Self {
        Arc::make_mut(&mut self.names).whole = whole;
        self.generation = Generation::next();
        self
    }

    /// The same table with other scores from which on an answer counts as right, by metric.
    #[must_use]
    pub fn with_right(mut self, right: BTreeMap<String, f64>) -> Self {
        Arc::make_mut(&mut self.names).right = right;
        self.generation = Generation::next();
        self
    }

    /// The same table with directions of metrics that the user states.
    #[must_use]
    pub fn with_directions(mut self, directions: &BTreeMap<String, Direction>) -> Self {
        let names = Arc::make_mut(&mut self.names);
        for (metric, direction) in directions {
            let stated = (*direction, Basis::User);
            names.directions.insert(metric.clone(), stated);
        }
        self.generation = Generation::next();
        self
    }

    /// Returns true if samples have a tag or a condition of this name, also such as are not in the table.
    #[must_use]
    pub fn has_label(&self, name: &str) -> bool {
        let mut conditions = self.names.conditions.iter();
        self.tags.contains_key(name)
            || conditions.any(|labels| labels.contains_key(name))
            || self.names.whole.labels.contains(name)
    }

    /// Names of all tags.
    pub fn tag_names(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// A tag's values over all items.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<TagColumn<'_>> {
        let tag = self.tags.get(name)?;
        Some(tag.column(self.items.sample.len()))
    }

    /// Item of a prediction.
    #[must_use]
    pub fn item(&self, Row(row): Row) -> ItemId {
        ItemId(self.item_of()[row as usize])
    }

    /// Model of a prediction.
    #[must_use]
    pub fn model(&self, Row(row): Row) -> ModelId {
        ModelId(self.model_of()[row as usize])
    }

    /// Returns true if a prediction's answer could not be read.
    #[must_use]
    pub fn invalid(&self, Row(row): Row, scoring: Scoring) -> bool {
        self.flags()[row as usize] & scoring.invalid_flag() != 0
    }

    /// The id that the harness gave to an item's sample.
    #[must_use]
    pub fn sample_id(&self, ItemId(item): ItemId) -> &str {
        self.texts.ids.get(item as usize)
    }

    /// An item's question.
    #[must_use]
    pub fn question(&self, ItemId(item): ItemId) -> &str {
        self.texts.questions.get(item as usize)
    }

    /// An item's target as text.
    #[must_use]
    pub fn target(&self, ItemId(item): ItemId) -> &str {
        self.texts.targets.get(item as usize)
    }

    /// An item's ability.
    #[must_use]
    pub fn ability(&self, ItemId(item): ItemId) -> Option<&Ability> {
        let code = self.ability_of().get(item as usize)?;
        self.names.ability(AbilityId(*code))
    }

    /// An item's condition.
    #[must_use]
    pub fn condition(&self, ItemId(item): ItemId) -> Option<&Labels> {
        let code = self.condition_of().get(item as usize)?;
        self.names.conditions.get(usize::from(*code))
    }

    /// Offset, length and line of each prediction's record.
    pub(super) fn places(&self) -> (&[u64], &[u32], &[u32]) {
        let columns = &self.predictions;
        (&columns.offset, &columns.length, &columns.line)
    }

    /// Where a prediction's record stands.
    #[must_use]
    pub fn place(&self, Row(row): Row) -> Place {
        let (row, columns) = (row as usize, &self.predictions);
        Place {
            unit: columns.unit[row],
            offset: columns.offset[row],
            length: columns.length[row],
            line: columns.line[row],
        }
    }
}
