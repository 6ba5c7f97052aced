//! The table: columns of predictions that refer to columns of items, and the names of the codes.
//!
//! Columns are dense, without nulls, and shared. Tables are cheap to clone, and equal columns share
//! memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use base::picture_facts::PictureFacts;

use super::automatic::{
    AUTOMATIC_TAGS, AnswerFacts, AutomaticColumns, AutomaticTag, BoxFacts, OptionFacts, Subject,
};
use super::builder::TableBuilder;
use super::generation::Generation;
use super::growing::{ItemColumns, PredictionColumns};
use super::names::Names;
use super::predictions::{Column, Predictions, column};
use super::source::{RecordPosition, Source};
use super::span::Span;
use super::tags::{Tag, TagColumn};
use super::texts::Texts;
use super::usage::{Usage, Usages};
use super::{
    Ability, AbilityId, DataSetFacts, Detections, DroppedValues, Index, ItemId, Labels, ModelId,
    PublishedScore, RequestFingerprint, Row, Rule, Scoring,
};

/// All loaded predictions in one schema. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Table {
    generation: Generation,
    pub(super) predictions: Arc<Predictions>,
    /// Range of the scores, indexed by metric code; computed on first use.
    pub(super) spans: Arc<OnceLock<Vec<Span>>>,
    pub(super) items: Arc<Items>,
    pub(super) names: Arc<Names>,
    pub(super) tags: Arc<BTreeMap<String, Tag>>,
    automatic: Arc<AutomaticColumns>,
    pub(super) left_out: DroppedValues,
    pub(super) texts: Arc<ItemTexts>,
    pub(super) sources: Arc<Vec<Source>>,
    pub(super) published: Arc<Vec<PublishedScore>>,
    pub(super) detections: Arc<HashMap<u32, Arc<Detections>>>,
    pub(super) request_changes: Arc<HashMap<u32, RequestFingerprint>>,
    pub(super) usages: Arc<Usages>,
}

/// Columns of the items, one value per item.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    sample: Column<u32>,
    ability: Column<u16>,
    condition: Column<u16>,
    cluster: Column<u32>,
    target: Column<f64>,
    /// Facts about options, sorted by item.
    options: Column<(u32, OptionFacts)>,
    /// Facts about target boxes, sorted by item.
    boxes: Column<(u32, BoxFacts)>,
    /// Number of pictures, sorted by item; only for items with several pictures.
    pictures: Column<(u32, u16)>,
    /// Verdicts on each item's sample, one bit per kind of verdict; empty until they are set.
    verdicts: Column<u8>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ItemTexts {
    pub ids: Texts,
    pub questions: Texts,
    pub targets: Texts,
}

impl TableBuilder {
    /// Returns the finished table; no more rows can be added.
    pub fn finish(self) -> Table {
        self.pause().0
    }

    /// Returns the table, and the index that [`Self::resume`] needs to add more rows.
    pub fn pause(self) -> (Table, Index) {
        let detections = Arc::new(self.detections);
        let request_changes = Arc::new(self.request_changes);
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
            request_changes,
            usages,
            ..table
        };
        (table, self.index)
    }

    /// Returns a copy of the table in its current state, for display while more rows arrive.
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
            request_changes: Arc::new(self.request_changes.clone()),
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
        published: Vec<PublishedScore>,
    ) -> Self {
        let left_out = DroppedValues {
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
                options: column(items.options),
                boxes: column(items.boxes),
                pictures: column(items.pictures),
                verdicts: Column::default(),
            }),
            tags: Arc::new(tags),
            automatic: Arc::default(),
            left_out,
            names: Arc::new(names),
            texts: Arc::new(texts),
            sources: Arc::new(sources),
            published: Arc::new(published),
            detections: Arc::default(),
            request_changes: Arc::default(),
            usages: Arc::default(),
        }
    }

    /// Returns the version id of the content. Row numbers are valid only within one generation.
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Returns the number of predictions.
    pub fn len(&self) -> usize {
        self.predictions.item.len()
    }

    /// True if there are no predictions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names and facts for the table's codes.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the logs; [`RecordPosition::unit`] is an index into them.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the published scores.
    pub fn published(&self) -> &[PublishedScore] {
        &self.published
    }

    /// True if the request of any record differs from the first request of its item.
    pub fn has_changed_requests(&self) -> bool {
        !self.request_changes.is_empty()
    }

    /// Returns how a record's request differs from the first request of its item.
    pub fn request_change(&self, Row(row): Row) -> RequestFingerprint {
        self.request_changes.get(&row).copied().unwrap_or_default()
    }

    /// Returns the boxes of a detection sample's prediction; `None` for other predictions.
    pub fn detections(&self, Row(row): Row) -> Option<&Detections> {
        self.detections.get(&row).map(Arc::as_ref)
    }

    /// Returns each prediction with known usage, and its usage.
    pub fn usages(&self) -> impl Iterator<Item = (Row, Usage)> {
        self.usages.iter().map(|(row, usage)| (Row(row), usage))
    }

    /// Returns the item row of each prediction.
    pub fn item_of(&self) -> &[u32] {
        &self.predictions.item
    }

    /// Returns the model code of each prediction.
    pub fn model_of(&self) -> &[u16] {
        &self.predictions.model
    }

    /// Returns the metric code of each prediction.
    pub fn metric_of(&self, scoring: Scoring) -> &[u16] {
        match scoring {
            Scoring::Harness => &self.predictions.metric,
            Scoring::Strict => &self.predictions.strict_metric,
        }
    }

    /// Returns the score of each prediction in its metric's unit; `NaN` if the prediction is
    /// excluded.
    pub fn scores(&self, scoring: Scoring) -> &[f64] {
        match scoring {
            Scoring::Harness => &self.predictions.score,
            Scoring::Strict => &self.predictions.strict,
        }
    }

    /// Returns the second score of each prediction; empty if there are none.
    pub fn seconds(&self, scoring: Scoring) -> &[f64] {
        match scoring {
            Scoring::Harness => &self.predictions.second,
            Scoring::Strict => &self.predictions.strict_second,
        }
    }

    /// Returns the additional scores by metric, under the harness's rules: one per prediction,
    /// `NaN` if missing.
    pub fn other_scores(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let scores = self.predictions.beside.iter();
        scores.map(|(metric, scores)| (metric.as_str(), scores.as_slice()))
    }

    /// Returns the bit flags of each prediction.
    pub fn flags(&self) -> &[u16] {
        &self.predictions.flags
    }

    /// Returns the rule of each prediction; empty if no log names a rule.
    pub(super) fn rules(&self) -> &[Rule] {
        &self.predictions.rule
    }

    /// Returns the scoring rule that the harness applied to a prediction.
    pub fn rule(&self, Row(row): Row) -> Rule {
        let rules = self.rules();
        if rules.is_empty() {
            return Rule::Unstated;
        }
        rules[row as usize]
    }

    /// Returns a hash of the extracted answer of each prediction; 0 without an answer. Empty if no
    /// answer is repeated.
    pub fn answers(&self) -> &[u32] {
        &self.predictions.answer
    }

    /// Returns the index of each prediction's log; see [`Self::sources`].
    pub fn unit_of(&self) -> &[u32] {
        &self.predictions.unit
    }

    /// Returns the sample number of each item. Items of one sample have different conditions.
    pub fn sample_of(&self) -> &[u32] {
        &self.items.sample
    }

    /// Returns the ability code of each item.
    pub fn ability_of(&self) -> &[u16] {
        &self.items.ability
    }

    /// Returns the condition code of each item.
    pub fn condition_of(&self) -> &[u16] {
        &self.items.condition
    }

    /// Returns the cluster of each item; the items of a cluster are resampled together.
    pub fn cluster_of(&self) -> &[u32] {
        &self.items.cluster
    }

    /// Returns the numeric target of each item; `NaN` if it has none.
    pub fn target_of(&self) -> &[f64] {
        &self.items.target
    }

    /// Returns the facts about options, sorted by item; items without options are missing.
    pub(super) fn options(&self) -> &[(u32, OptionFacts)] {
        &self.items.options
    }

    /// Returns the facts about target boxes, sorted by item; items without boxes are missing.
    pub(super) fn boxes(&self) -> &[(u32, BoxFacts)] {
        &self.items.boxes
    }

    /// Returns the number of pictures, sorted by item; only items with several pictures.
    pub(super) fn several_pictures(&self) -> &[(u32, u16)] {
        &self.items.pictures
    }

    /// Returns the number of pictures of an item; `None` for fewer than two.
    pub fn picture_count(&self, ItemId(item): ItemId) -> Option<u16> {
        let known = self.several_pictures();
        let at = known
            .binary_search_by_key(&item, |(known, _)| *known)
            .ok()?;
        known.get(at).map(|(_, count)| *count)
    }

    /// Returns the verdicts on each item's sample, one bit per kind of verdict; empty if there are
    /// no verdicts.
    pub fn verdicts(&self) -> &[u8] {
        &self.items.verdicts
    }

    /// Returns the table with these verdicts, one set of bits per item.
    ///
    /// # Panics
    /// If the number of bit sets differs from the number of items.
    #[must_use]
    pub fn with_verdicts(mut self, verdicts: Vec<u8>) -> Self {
        assert_eq!(verdicts.len(), self.items.sample.len());
        Arc::make_mut(&mut self.items).verdicts = column(verdicts);
        self.generation = Generation::next();
        self
    }

    /// Returns the table with replaced sources, whose problems can differ. More logs can follow at
    /// the end.
    ///
    /// # Panics
    /// If there are fewer sources than before.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Source>) -> Self {
        assert!(sources.len() >= self.sources.len());
        self.sources = Arc::new(sources);
        self.generation = Generation::next();
        self
    }

    /// Returns the table with these scores, one per prediction.
    ///
    /// # Panics
    /// If the number of scores differs from the number of predictions.
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

    /// Returns the table with facts about the whole data set, for a table that contains only a part
    /// of it.
    #[must_use]
    pub fn with_whole(mut self, whole: Arc<DataSetFacts>) -> Self {
        Arc::make_mut(&mut self.names).whole = whole;
        self.generation = Generation::next();
        self
    }

    /// Returns the table with replaced score thresholds for right answers, by metric.
    #[must_use]
    pub fn with_right(mut self, right: BTreeMap<String, f64>) -> Self {
        Arc::make_mut(&mut self.names).right = right;
        self.generation = Generation::next();
        self
    }

    /// True if any sample has a tag or condition with this name, including samples that are not
    /// loaded.
    pub fn has_label(&self, name: &str) -> bool {
        let mut conditions = self.names.conditions.iter();
        self.tags.contains_key(name)
            || conditions.any(|labels| labels.contains_key(name))
            || self.names.whole.labels.contains(name)
    }

    /// Returns the names of all tags of the logs, sorted.
    pub fn tag_names(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// Returns the values of a tag for all items; `None` for a tag of answers. An automatic tag is
    /// computed on first use. A tag of pictures is `None` until the picture facts are set.
    pub fn tag(&self, name: &str) -> Option<TagColumn<'_>> {
        let items = self.items.sample.len();
        if let Some(own) = self.tags.get(name) {
            return Some(own.column(items));
        }
        let (subject, tag) = self.automatic.tag(name, self)?;
        (subject != Subject::Answer).then(|| tag.column(items))
    }

    /// Returns the values of an automatic tag of answers for all rows. `None` for other tags, or
    /// while the facts about answers are not set.
    pub fn answer_tag(&self, name: &str) -> Option<TagColumn<'_>> {
        self.automatic_tag(name)?;
        let (subject, tag) = self.automatic.tag(name, self)?;
        (subject == Subject::Answer).then(|| tag.column(self.len()))
    }

    /// Returns the definition of an automatic tag. `None` if the name is unknown, or if the logs
    /// have a tag or condition with this name.
    #[must_use]
    pub fn automatic_tag(&self, name: &str) -> Option<&'static AutomaticTag> {
        let mut tags = AUTOMATIC_TAGS.iter();
        tags.find(|tag| tag.name == name && !self.has_label(name))
    }

    /// Returns the facts about first pictures, sorted by item; `None` until they are set.
    pub fn picture_facts(&self) -> Option<&[(u32, PictureFacts)]> {
        self.automatic.pictures.get().map(Vec::as_slice)
    }

    /// Sets the facts about first pictures, sorted by item, so that tags of pictures have values.
    /// Applies to this table and its clones; later calls have no effect.
    pub fn set_picture_facts(&self, facts: Vec<(u32, PictureFacts)>) {
        self.automatic.pictures.get_or_init(|| facts);
    }

    /// Returns the facts about answers, sorted by row; `None` until they are set.
    pub fn answer_facts(&self) -> Option<&[(u32, AnswerFacts)]> {
        self.automatic.answers.get().map(Vec::as_slice)
    }

    /// Like [`Self::set_picture_facts`], for facts about answers, sorted by row.
    pub fn set_answer_facts(&self, facts: Vec<(u32, AnswerFacts)>) {
        self.automatic.answers.get_or_init(|| facts);
    }

    /// True if measured picture sizes could add facts about target boxes or masks.
    pub fn lacks_picture_sizes(&self) -> bool {
        !self.detections.is_empty() || self.boxes().iter().any(|(_, it)| it.lacks_size())
    }

    /// Returns the item answered by a prediction.
    pub fn item(&self, Row(row): Row) -> ItemId {
        ItemId(self.item_of()[row as usize])
    }

    /// Returns the code of a prediction's model.
    pub fn model(&self, Row(row): Row) -> ModelId {
        ModelId(self.model_of()[row as usize])
    }

    /// True if the rules of a scoring could not parse a prediction's answer.
    pub fn invalid(&self, Row(row): Row, scoring: Scoring) -> bool {
        self.flags()[row as usize] & scoring.invalid_flag() != 0
    }

    /// Returns the id that the harness gave to an item's sample.
    pub fn sample_id(&self, ItemId(item): ItemId) -> &str {
        self.texts.ids.get(item as usize)
    }

    /// Returns the question of an item; empty if it was dropped.
    pub fn question(&self, ItemId(item): ItemId) -> &str {
        self.texts.questions.get(item as usize)
    }

    /// Returns the target of an item as text; empty if the target is missing or was dropped.
    pub fn target(&self, ItemId(item): ItemId) -> &str {
        self.texts.targets.get(item as usize)
    }

    /// Returns the ability of an item; `None` beyond the last item.
    pub fn ability(&self, ItemId(item): ItemId) -> Option<&Ability> {
        let code = self.ability_of().get(item as usize)?;
        self.names.ability(AbilityId(*code))
    }

    /// Returns the condition of an item; `None` beyond the last item.
    pub fn condition(&self, ItemId(item): ItemId) -> Option<&Labels> {
        let code = self.condition_of().get(item as usize)?;
        self.names.conditions.get(usize::from(*code))
    }

    /// Returns offset, length and line number of each prediction's record.
    pub(super) fn places(&self) -> (&[u64], &[u32], &[u32]) {
        let columns = &self.predictions;
        (&columns.offset, &columns.length, &columns.line)
    }

    /// Returns the position of a prediction's record.
    pub fn place(&self, Row(row): Row) -> RecordPosition {
        let (row, columns) = (row as usize, &self.predictions);
        RecordPosition {
            unit: columns.unit[row],
            offset: columns.offset[row],
            length: columns.length[row],
            line: columns.line[row],
        }
    }
}
