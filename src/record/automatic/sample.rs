//! Facts about one sample or prediction of a table, from which automatic tags are computed.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use base::picture_facts::PictureFacts;

use super::facts::{area_of, text_hash};
use super::language::Languages;
use super::{AnswerFacts, BoxFacts, OptionFacts, words};
use crate::{Detections, ItemId, Row, ShapeKind, Table};

/// Ability code, and hash of a target.
type TargetKey = (u16, u32);

/// All items of a table, with data shared by all of them.
pub struct Samples<'a> {
    table: &'a Table,
    /// First prediction row with detections, by item.
    detections: OnceCell<HashMap<u32, u32>>,
    /// Number of items by target, and by ability.
    frequencies: OnceCell<(HashMap<TargetKey, u32>, HashMap<u16, u32>)>,
    /// Languages of all questions.
    languages: OnceCell<Languages>,
    /// Number of samples by hash of their first picture.
    looks: OnceCell<HashMap<u64, u32>>,
}

/// One item of a table, or one of its predictions.
pub struct Sample<'a> {
    all: &'a Samples<'a>,
    item: usize,
    /// Facts about the answer; `None` for an item, or if they are not set.
    pub answer: Option<AnswerFacts>,
}

impl<'a> Samples<'a> {
    pub fn new(table: &'a Table) -> Self {
        Self {
            table,
            detections: OnceCell::new(),
            frequencies: OnceCell::new(),
            languages: OnceCell::new(),
            looks: OnceCell::new(),
        }
    }

    /// Returns the item with this index.
    pub const fn sample(&self, item: usize) -> Sample<'_> {
        Sample {
            all: self,
            item,
            answer: None,
        }
    }

    /// Returns the prediction of a row.
    pub fn answer(&self, row: usize) -> Sample<'_> {
        let item = self.table.item_of().get(row);
        Sample {
            answer: find(self.table.answer_facts().unwrap_or_default(), row),
            ..self.sample(item.map_or(usize::MAX, |item| *item as usize))
        }
    }

    fn detections(&self) -> &HashMap<u32, u32> {
        self.detections.get_or_init(|| {
            let mut rows: HashMap<u32, u32> = HashMap::new();
            for &row in self.table.detections.keys() {
                let ItemId(item) = self.table.item(Row(row));
                let first = rows.entry(item).or_insert(row);
                *first = row.min(*first);
            }
            rows
        })
    }

    fn target_key(&self, item: usize) -> Option<TargetKey> {
        let sample = self.sample(item);
        let answer = sample.options().map_or(0, |options| options.answer);
        let target = sample.target();
        let hash = match (answer, target) {
            (0, "") => return None,
            (0, target) => text_hash(target),
            (answer, _) => answer,
        };
        Some((*self.table.ability_of().get(item)?, hash))
    }

    fn frequencies(&self) -> &(HashMap<TargetKey, u32>, HashMap<u16, u32>) {
        self.frequencies.get_or_init(|| {
            let (mut targets, mut abilities) = (HashMap::new(), HashMap::new());
            let items = 0..self.table.sample_of().len();
            for key in items.filter_map(|item| self.target_key(item)) {
                *targets.entry(key).or_insert(0) += 1;
                *abilities.entry(key.0).or_insert(0) += 1;
            }
            (targets, abilities)
        })
    }

    fn languages(&self) -> &Languages {
        self.languages.get_or_init(|| {
            let items = 0..self.table.sample_of().len();
            let question = |item| {
                let item = u32::try_from(item).unwrap_or(u32::MAX);
                self.table.question(ItemId(item))
            };
            Languages::of(items.map(question))
        })
    }

    fn looks(&self) -> &HashMap<u64, u32> {
        self.looks.get_or_init(|| {
            let pictures = self.table.picture_facts().unwrap_or_default();
            let samples = self.table.sample_of();
            let of_item = |(item, facts): &(u32, PictureFacts)| {
                Some((facts.hash, *samples.get(*item as usize)?))
            };
            let distinct: HashSet<(u64, u32)> = pictures.iter().filter_map(of_item).collect();
            let mut looks = HashMap::new();
            for (hash, _) in distinct {
                *looks.entry(hash).or_insert(0) += 1;
            }
            looks
        })
    }
}

impl Sample<'_> {
    pub fn picture(&self) -> Option<PictureFacts> {
        find(self.all.table.picture_facts()?, self.item)
    }

    fn id(&self) -> ItemId {
        ItemId(u32::try_from(self.item).unwrap_or(u32::MAX))
    }

    pub fn language(&self) -> Option<usize> {
        self.all.languages().language(self.question()?)
    }

    pub fn picture_count(&self) -> Option<u16> {
        self.all.table.picture_count(self.id())
    }

    pub fn question(&self) -> Option<&str> {
        let question = self.all.table.question(self.id());
        Some(question).filter(|question| !question.trim().is_empty())
    }

    fn target(&self) -> &str {
        self.all.table.target(self.id()).trim()
    }

    pub fn options(&self) -> Option<OptionFacts> {
        find(self.all.table.options(), self.item)
    }

    /// Returns the detections of the sample's first prediction with detections.
    fn detections(&self) -> Option<&Detections> {
        let row = self.all.detections().get(&self.id().0)?;
        self.all.table.detections(Row(*row))
    }

    /// Returns the picture's width and height in pixels; `None` if the picture was not read.
    fn picture_size(&self) -> Option<[f64; 2]> {
        let PictureFacts { pixels, aspect, .. } = self.picture()?;
        Some([(pixels * aspect).sqrt(), (pixels / aspect).sqrt()])
    }

    /// Returns the facts about the target boxes. Detection annotations take precedence, because
    /// boxes in the content can also stand for other shapes.
    pub fn boxes(&self) -> Option<BoxFacts> {
        let Some(detections) = self.detections() else {
            let facts = find(self.all.table.boxes(), self.item)?;
            return Some(facts.in_picture(self.picture_size()));
        };
        let truth = detections.truth.iter().filter(|truth| !truth.crowd);
        let corners = truth.map(|truth| {
            let [x, y, width, height] = truth.xywh;
            [x, y, x + width, y + height]
        });
        BoxFacts::new(corners.collect(), self.picture_size())
    }

    /// Returns the mean area of the annotated masks in square pixels; `None` without masks.
    pub fn mask_pixels(&self) -> Option<f64> {
        let detections = self.detections()?;
        let truth = detections.truth.iter().filter(|truth| !truth.crowd);
        let areas: Vec<f64> = truth.map(|truth| truth.area).collect();
        let has_masks = detections.kind() == ShapeKind::Masks && !areas.is_empty();
        #[expect(clippy::cast_precision_loss, reason = "objects of one picture")]
        let mean = has_masks.then(|| areas.iter().sum::<f64>() / areas.len() as f64);
        mean
    }

    /// Returns the mean area of the annotated masks as a fraction of the picture.
    pub fn mask_share(&self) -> Option<f64> {
        let frame = self.boxes()?.frame()?;
        Some(self.mask_pixels()? / area_of(frame))
    }

    /// Returns the numeric target, if the question is of this kind (see [`words::KINDS`]).
    pub fn number_of_kind(&self, kind: &str) -> Option<f64> {
        let own = words::KINDS.get(words::kind(self.question()?));
        if own != Some(&kind) {
            return None;
        }
        let target = self.all.table.target_of().get(self.item).copied();
        target
            .filter(|number| !number.is_nan())
            .or_else(|| self.target().parse().ok())
    }

    /// Returns the frequency of the sample's target: the share of the ability's items with a target
    /// that have the same target.
    pub fn target_frequency(&self) -> Option<f64> {
        let key = self.all.target_key(self.item)?;
        let (targets, abilities) = self.all.frequencies();
        Some(f64::from(*targets.get(&key)?) / f64::from(*abilities.get(&key.0)?))
    }

    /// Returns the number of samples whose first picture has the same hash, including this sample.
    pub fn same_picture(&self) -> Option<f64> {
        let count = self.all.looks().get(&self.picture()?.hash)?;
        Some(f64::from(*count))
    }
}

/// Looks up the value of an item or row in a sorted list.
fn find<T: Copy>(values: &[(u32, T)], at: usize) -> Option<T> {
    let at = u32::try_from(at).ok()?;
    let at = values.binary_search_by_key(&at, |(known, _)| *known).ok()?;
    values.get(at).map(|(_, value)| *value)
}
