//! Computes the smallest difference between two models that the samples of an ability can detect.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::metric::Differences;
use crate::{Group, Selection, groups, observe};
use record::benchmark::Direction;

/// Maximum number of models whose pairs are compared.
const MOST_MODELS: usize = 20;

/// Smallest difference that the samples of an ability can detect.
#[derive(Clone, Debug, PartialEq)]
pub struct Power {
    /// Benchmark of the ability.
    pub benchmark: String,
    /// Name of the ability.
    pub ability: String,
    /// Headline metric.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Number of samples that any model answered.
    pub n: usize,
    /// Number of models that answered.
    pub models: usize,
    /// Median over the pairs of models of the smallest difference that a test at 5 % finds with
    /// 80 % power; `None` without two models that differ.
    pub detectable: Option<f64>,
}

/// Computes the smallest detectable difference of each ability.
pub fn powers(selection: Selection<'_>) -> Vec<Power> {
    let groups = groups(selection);
    let groups = groups.par_iter().filter(|group| !group.is_further_filter);
    groups.filter_map(|group| power(selection, group)).collect()
}

fn power(selection: Selection<'_>, group: &Group) -> Option<Power> {
    let observed = observe(selection, group)?;
    let mut values: BTreeMap<u16, HashMap<u32, (u32, f64)>> = BTreeMap::new();
    let mut items: Vec<u32> = Vec::new();
    for value in &observed.values {
        items.push(value.item());
        let of_model = values.entry(value.model).or_default();
        of_model.insert(value.item(), (value.cluster, value.value));
    }
    items.sort_unstable();
    items.dedup();
    let models: Vec<&HashMap<u32, (u32, f64)>> = values.values().collect();
    let compared = models.get(..MOST_MODELS).unwrap_or(&models);
    let pairs = (1..).zip(compared);
    let pairs = pairs.flat_map(|(next, a)| compared.iter().skip(next).map(move |b| (a, b)));
    let mut detectable: Vec<f64> = pairs.filter_map(|(a, b)| between(a, b, &items)).collect();
    detectable.sort_by(f64::total_cmp);
    Some(Power {
        benchmark: group.name.benchmark.clone(),
        ability: group.name.name.clone(),
        metric: observed.metric,
        direction: observed.direction,
        n: items.len(),
        models: models.len(),
        detectable: detectable.get(detectable.len() / 2).copied(),
    })
}

/// Returns the smallest difference that a paired comparison of two models can detect.
fn between(
    a: &HashMap<u32, (u32, f64)>,
    b: &HashMap<u32, (u32, f64)>,
    items: &[u32],
) -> Option<f64> {
    let (mut differences, mut places) = (Differences::default(), HashMap::new());
    for item in items {
        if let (Some((cluster, a)), Some((_, b))) = (a.get(item), b.get(item)) {
            let place = *places
                .entry(*cluster)
                .or_insert_with(|| differences.push_cluster());
            differences.add(place, a - b);
        }
    }
    differences.detectable()
}
