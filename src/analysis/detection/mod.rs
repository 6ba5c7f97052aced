//! Computes detection figures, which are pooled over a set of pictures instead of averaged.
//!
//! For each filter and subgroup, figures are recomputed from the boxes of the selected pictures.
//! Intervals resample pictures: each draw weights a picture by how often it was drawn.

mod classes;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::common::CommonSamples;
use super::measure::{Measure, MeasureOptions, SampleValue};
use super::standing::{Depth, Standing};
use super::{DRAWS, Group, LEVEL, SEED, Selection};
use crate::metric::detection::{
    Cause, Causes, DetectionMetric, MatchedPicture, NamedMetrics, Pool, causes,
};
use crate::metric::{PairTests, Resamples, Spread, error_t_test, logit_interval};
use base::job::Ticket;
use record::{Detections, Key, Row, ShapeKind, UNANSWERED};

/// Benchmark with its own list of detection metrics.
const FM_VISION_EVALS: &str = "fm-vision-evals";
/// Minimum number of bootstrap draws, used for the largest sets.
const MIN_DRAWS: usize = 100;
/// Budget of detections over all draws of one figure; larger sets get fewer draws.
const MOST_LOOKS: usize = 60_000_000;

/// Maximum number of LVIS classes with separate figures; all 1,203 would hide the other figures.
const MOST_CLASSES: usize = 100;
/// Budget of detections over all draws of a comparison.
const MOST_PAIRED_LOOKS: usize = 400_000_000;

/// Detection figure, with the boxes of all models.
#[derive(Clone, Debug)]
pub struct PooledFigure {
    figure: DetectionMetric,
    sets: Arc<Sets>,
}

#[derive(Debug, Default)]
struct Sets {
    clusters: usize,
    models: Vec<ModelSet>,
}

#[derive(Debug)]
struct ModelSet {
    model: u16,
    /// Item code of each picture.
    items: Vec<u32>,
    /// Cluster number of each picture.
    cluster_of: Vec<u32>,
    /// One pool for each way to count objects, with a figure that counts them this way.
    pools: Vec<(DetectionMetric, Pool)>,
}

/// Pictures of one model in a group.
#[derive(Default)]
struct Pictures<'a> {
    rows: Vec<u32>,
    items: Vec<u32>,
    clusters: Vec<u32>,
    boxes: Vec<&'a Detections>,
}

/// Returns the measures of a group of detections, headline first; `None` for other groups.
pub fn measures(
    selection: Selection<'_>,
    group: &Group,
    options: MeasureOptions,
) -> Option<Vec<Measure>> {
    let first = group.rows.first()?;
    let first = selection.table.detections(Row(*first))?;
    let (by_model, clusters) = pictures(selection, group);
    let mut classes = Key::default();
    let MeasureOptions { all, .. } = options;
    let (name, ranks) = DetectionMetric::headline(first);
    let headline = [(name, ranks)];
    let names = if !all {
        &headline[..]
    } else if group.name.benchmark == FM_VISION_EVALS {
        &DetectionMetric::FM_VISION_EVALS[..]
    } else {
        DetectionMetric::reported(first)
    };
    let models = by_model
        .iter()
        .map(|(model, pictures)| pictures.set(*model, names, &mut classes))
        .collect();
    let sets = Arc::new(Sets { clusters, models });
    let pictures = answered(&by_model);
    let measure = |name: &str, figure| {
        let pooled = PooledFigure {
            figure,
            sets: Arc::clone(&sets),
        };
        Measure {
            headline: figure == ranks,
            ..Measure::pooled(name, pooled, pictures.clone())
        }
    };
    let mut found: Vec<Measure> = names.iter().map(|(name, f)| measure(name, *f)).collect();
    if !all {
        return Some(found);
    }
    let each = sets.classes();
    let shown = first.federation.is_none() || each.len() <= MOST_CLASSES;
    let of_class = match first.kind() {
        ShapeKind::Segments => &DetectionMetric::PANOPTIC_PARTS[..],
        ShapeKind::Boxes | ShapeKind::Masks | ShapeKind::Keypoints => &headline,
    };
    for class in each.into_iter().filter(|_| shown) {
        let name = classes.values().get(class as usize);
        found.extend(name.into_iter().flat_map(|name| {
            let figures = of_class.iter();
            figures.map(move |(part, figure)| {
                measure(&format!("{part}_{name}"), figure.of_class(class))
            })
        }));
    }
    found.extend(errors(&by_model));
    found.extend(classes::classes(&by_model));
    Some(found)
}

/// Collects the pictures of each model in table order, and the number of clusters. Rows with a
/// `NaN` score count too: a picture without objects can still have wrong boxes. Items that no model
/// answered are left out.
fn pictures<'a>(selection: Selection<'a>, group: &Group) -> (BTreeMap<u16, Pictures<'a>>, usize) {
    let table = selection.table;
    let (items, models, clusters) = (table.item_of(), table.model_of(), table.cluster_of());
    let mut index: HashMap<u32, u32> = HashMap::new();
    let mut by_model: BTreeMap<u16, Pictures<'a>> = BTreeMap::new();
    for &row in &group.rows {
        let is_answered = table.flags()[row as usize] & UNANSWERED == 0;
        let (Some(&item), Some(&model), Some(boxes)) = (
            items.get(row as usize),
            models.get(row as usize),
            table.detections(Row(row)).filter(|_| is_answered),
        ) else {
            continue;
        };
        let cluster = clusters.get(item as usize).copied().unwrap_or_default();
        let next = u32::try_from(index.len()).unwrap_or(u32::MAX);
        let pictures = by_model.entry(model).or_default();
        pictures.rows.push(row);
        pictures.items.push(item);
        pictures
            .clusters
            .push(*index.entry(cluster).or_insert(next));
        pictures.boxes.push(boxes);
    }
    (by_model, index.len())
}

impl Pictures<'_> {
    /// Yields `value` once for each picture.
    fn sampled(&self, model: u16, value: f64) -> impl Iterator<Item = SampleValue> + '_ {
        let places = self.rows.iter().zip(&self.items).zip(&self.clusters);
        places.map(move |((&row, &item), &cluster)| SampleValue {
            row,
            item,
            cluster,
            model,
            value,
        })
    }

    fn set(&self, model: u16, figures: &NamedMetrics, classes: &mut Key<String>) -> ModelSet {
        let codes = class_codes(&self.boxes, classes);
        let pool = |figure: DetectionMetric| (figure, pool(&self.boxes, &codes, figure));
        let mut distinct: Vec<DetectionMetric> = Vec::new();
        for (_, figure) in figures {
            if !distinct.iter().any(|known| known.counts_as(*figure)) {
                distinct.push(*figure);
            }
        }
        ModelSet {
            model,
            items: self.items.clone(),
            cluster_of: self.clusters.clone(),
            pools: distinct.into_iter().map(pool).collect(),
        }
    }
}

/// Returns the class codes of each picture. `classes` assigns the codes for all models. Pictures of
/// one log share their class names, so their codes are computed once.
pub fn class_codes(boxes: &[&Detections], classes: &mut Key<String>) -> Vec<Arc<[u32]>> {
    let mut last: Option<(&Detections, Arc<[u32]>)> = None;
    let codes = boxes.iter().map(|&boxes| {
        if let Some((before, codes)) = &last
            && Arc::ptr_eq(&before.classes, &boxes.classes)
        {
            return Arc::clone(codes);
        }
        let names = boxes.classes.iter();
        let codes: Arc<[u32]> = names.map(|name| classes.code(name.as_str())).collect();
        last = Some((boxes, Arc::clone(&codes)));
        codes
    });
    codes.collect()
}

/// Pools pictures matched for a figure. `codes` come from [`class_codes`].
pub fn pool(boxes: &[&Detections], codes: &[Arc<[u32]>], figure: DetectionMetric) -> Pool {
    let matched = boxes.par_iter().zip(codes).map(|(boxes, codes)| {
        let matched = figure.matched(boxes);
        matched.with_classes(|class| codes.get(class as usize).copied())
    });
    let matched: Vec<MatchedPicture> = matched.collect();
    Pool::new(&matched)
}

/// Lists the pictures that each model answered, with `NaN` as value; used to pair models.
fn answered(by_model: &BTreeMap<u16, Pictures<'_>>) -> Vec<SampleValue> {
    let of_model = |(&model, pictures): (&u16, &Pictures<'_>)| -> Vec<SampleValue> {
        pictures.sampled(model, f64::NAN).collect()
    };
    by_model.iter().flat_map(of_model).collect()
}

/// Measures the mean number of wrong boxes per picture by cause, and of missed objects.
fn errors(by_model: &BTreeMap<u16, Pictures<'_>>) -> Vec<Measure> {
    let mut judged: Vec<(SampleValue, Causes)> = Vec::new();
    for (&model, pictures) in by_model {
        let sampled = pictures.sampled(model, 0.0);
        let causes = |boxes: &&Detections| causes(boxes);
        judged.extend(sampled.zip(pictures.boxes.iter().map(causes)));
    }
    let measure = |name: &str, count: &dyn Fn(&Causes) -> usize| {
        let values = judged.iter().map(|(sampled, causes)| SampleValue {
            value: f64::from(u32::try_from(count(causes)).unwrap_or(u32::MAX)),
            ..*sampled
        });
        Measure::mean(&format!("errors_{name}"), values.collect())
    };
    let wrong = Cause::WRONG.iter();
    let mut found: Vec<Measure> = wrong
        .map(|cause| measure(cause.name(), &|causes| causes.count(*cause)))
        .collect();
    found.push(measure("missed", &Causes::missed));
    found
}

impl Sets {
    /// Returns the classes in the ground truth of any picture.
    fn classes(&self) -> Vec<u32> {
        let all = self
            .models
            .iter()
            .filter_map(|set| set.pool(DetectionMetric::AP));
        let mut classes: Vec<u32> = all.flat_map(Pool::classes).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }
}

impl ModelSet {
    fn pool(&self, figure: DetectionMetric) -> Option<&Pool> {
        let mut pools = self.pools.iter();
        let (_, pool) = pools.find(|(known, _)| known.counts_as(figure))?;
        Some(pool)
    }

    /// Computes the figure over weighted pictures; `None` if it is undefined.
    fn value(&self, figure: DetectionMetric, held: &[u32]) -> Option<f64> {
        figure.value(self.pool(figure)?, Some(held))
    }

    /// Returns a weight for each picture: 1 if its item is in `items`, else 0.
    fn among(&self, items: &HashSet<u32>) -> Vec<u32> {
        let held = |item: &u32| u32::from(items.contains(item));
        self.items.iter().map(held).collect()
    }
}

/// Returns the items of the pictures that all ranked models answered.
fn common_items(measure: &Measure, common: &CommonSamples) -> HashSet<u32> {
    common
        .values(measure)
        .map(|(_, sampled)| sampled.item)
        .collect()
}

impl PooledFigure {
    /// Computes the standing of each of `models` model codes.
    pub fn standings(&self, models: usize, depth: Depth, ticket: &Ticket) -> Vec<Standing> {
        let Self { figure, sets } = self;
        let mut found = vec![Standing::default(); models];
        for set in &sets.models {
            if let (Some(standing), Some(pool)) =
                (found.get_mut(usize::from(set.model)), set.pool(*figure))
            {
                standing.n = pool.pictures() as u64;
                standing.score = figure.value(pool, None);
            }
        }
        if depth == Depth::Scores {
            return found;
        }
        let draws = self.affordable_draws();
        let spreads = sets.models.par_iter().map(|set| {
            let all = vec![1; set.items.len()];
            let draws = self.draws(set, &all, draws, ticket);
            Spread::of(draws.into_iter())
        });
        let spreads: Vec<Spread> = spreads.collect();
        for (set, spread) in sets.models.iter().zip(spreads) {
            let standing = &mut found[usize::from(set.model)];
            let own: HashSet<&u32> = set.cluster_of.iter().collect();
            let interval = |score| logit_interval(score, spread, own.len() as u64, LEVEL);
            standing.interval = standing.score.and_then(interval);
        }
        found
    }

    /// Computes the figure of each ranked model over the common pictures.
    pub fn scores_over(&self, measure: &Measure, common: &CommonSamples) -> Vec<Option<f64>> {
        let items = common_items(measure, common);
        let score = |model: &u16| {
            let set = self.set(*model)?;
            set.value(self.figure, &set.among(&items))
        };
        common.models.iter().map(score).collect()
    }

    /// Tests each pair of ranked models on the common pictures, using the bootstrap error of the
    /// difference. Models are numbered by their place in `order`.
    pub fn tests(
        &self,
        measure: &Measure,
        common: &CommonSamples,
        order: &[usize],
        ticket: &Ticket,
    ) -> PairTests {
        let items = common_items(measure, common);
        let sets: Vec<&ModelSet> = order
            .iter()
            .filter_map(|&column| self.set(common.models[column]))
            .collect();
        let clusters: HashSet<u32> = sets
            .iter()
            .flat_map(|set| set.items.iter().zip(&set.cluster_of))
            .filter(|(item, _)| items.contains(item))
            .map(|(_, cluster)| *cluster)
            .collect();
        let times = self.affordable_draws();
        let values = sets.par_iter().map(|set| {
            let held = set.among(&items);
            let value = set.value(self.figure, &held).unwrap_or(f64::NAN);
            (value, self.draws(set, &held, times, ticket))
        });
        let values: Vec<(f64, Vec<f64>)> = values.collect();
        PairTests::new(values.len(), ticket, |better, worse| {
            let ((own, of_own), (other, of_other)) = (&values[better], &values[worse]);
            let apart = of_own.iter().zip(of_other).map(|(own, other)| own - other);
            error_t_test(own - other, Spread::of(apart).error, clusters.len() as u64)
        })
    }

    /// Computes the figure of a model in each bootstrap draw; `NaN` if it is undefined.
    fn draws(&self, set: &ModelSet, held: &[u32], draws: usize, ticket: &Ticket) -> Vec<f64> {
        let Some(mut resamples) = Resamples::new(self.sets.clusters, SEED) else {
            return vec![f64::NAN; draws];
        };
        let mut weights = vec![0; set.cluster_of.len()];
        (0..draws)
            .map(|_| {
                if !ticket.is_wanted() {
                    return f64::NAN;
                }
                let times = resamples.draw();
                let pictures = set.cluster_of.iter().zip(held);
                for (weight, (&cluster, held)) in weights.iter_mut().zip(pictures) {
                    *weight = held * times.get(cluster as usize).copied().unwrap_or_default();
                }
                set.value(self.figure, &weights).unwrap_or(f64::NAN)
            })
            .collect()
    }

    fn set(&self, model: u16) -> Option<&ModelSet> {
        self.sets.models.iter().find(|set| set.model == model)
    }

    /// Returns the detection figure that this computes.
    pub const fn figure(&self) -> DetectionMetric {
        self.figure
    }

    /// Limits the number of draws of a comparison for very large sets.
    pub fn affordable(looks: usize, figure: DetectionMetric, wanted: usize) -> usize {
        let (first, end) = figure.thresholds;
        let most = MOST_PAIRED_LOOKS / (looks.max(1) * (end - first));
        wanted.min(most.max(MIN_DRAWS))
    }

    /// Returns the number of draws of a figure: [`DRAWS`], or fewer for a very large set.
    fn affordable_draws(&self) -> usize {
        let (first, end) = self.figure.thresholds;
        let sets = self.sets.models.iter();
        let looks = sets.filter_map(|set| Some(set.pool(self.figure)?.len()));
        let looks = looks.max().unwrap_or_default().max(1) * (end - first);
        (MOST_LOOKS / looks).clamp(MIN_DRAWS, DRAWS)
    }
}
