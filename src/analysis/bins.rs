//! Cuts numbers into labelled bins.

use std::ops::Bound::{Excluded, Included, Unbounded};

use super::ItemBins;
use base::format::significant;
use record::benchmark::Bins;

/// Bin code of a value outside all bins.
const NOWHERE: u16 = u16::MAX;

/// Returns the bin of every value; `NaN` belongs to no bin.
pub fn cut(bins: &Bins, values: &[f64]) -> ItemBins {
    match bins {
        Bins::Edges(edges) => between(edges, values),
        Bins::UpTo(edges) => up_to(edges, values),
        Bins::Ranges(ends) => ranges(ends, values),
        Bins::Values => each(values),
        Bins::Quantile(count) => between(&quantiles(*count, values), values),
        Bins::Width(count) => between(
            &equal_steps(*count, values, |value| value, |value| value),
            values,
        ),
        Bins::Log(count) => {
            let positive: Vec<f64> = values
                .iter()
                .copied()
                .filter(|value| *value > 0.0)
                .collect();
            between(&equal_steps(*count, &positive, f64::ln, f64::exp), values)
        }
    }
}

/// Cuts into half-open bins `[lo, hi)`; the last bin is closed.
fn between(edges: &[f64], values: &[f64]) -> ItemBins {
    let last = edges.len().saturating_sub(2);
    let (Some(&first), Some(&end)) = (edges.first(), edges.last()) else {
        return ItemBins {
            of_item: vec![NOWHERE; values.len()],
            ..ItemBins::default()
        };
    };
    let label = |(at, pair): (usize, &[f64])| {
        let close = if at == last { ']' } else { ')' };
        let [low, high] = ends(pair).map(short);
        format!("[{low}, {high}{close}")
    };
    let bin = |value: f64| match value {
        value if value.is_nan() || value < first || value > end => NOWHERE,
        value => code(
            edges
                .partition_point(|edge| *edge <= value)
                .saturating_sub(1)
                .min(last),
        ),
    };
    let bounds = |(at, pair): (usize, &[f64])| {
        let [low, high] = ends(pair);
        let high = if at == last {
            Included(high)
        } else {
            Excluded(high)
        };
        (Included(low), high)
    };
    ItemBins {
        labels: edges.windows(2).enumerate().map(label).collect(),
        centers: edges.windows(2).map(middle).collect(),
        bounds: edges.windows(2).enumerate().map(bounds).collect(),
        of_item: values.iter().map(|&value| bin(value)).collect(),
        ..ItemBins::default()
    }
}

/// Cuts into bins `(lo, hi]`; the first has no lower end and the last no upper end.
fn up_to(edges: &[f64], values: &[f64]) -> ItemBins {
    let (first, last) = (
        edges.first().copied().unwrap_or_default(),
        edges.last().copied().unwrap_or_default(),
    );
    let mut labels = vec![format!("<= {}", short(first))];
    labels.extend(edges.windows(2).map(|pair| {
        let [low, high] = ends(pair).map(short);
        format!("({low}, {high}]")
    }));
    labels.push(format!("> {}", short(last)));
    let mut centers = vec![first / 2.0];
    centers.extend(edges.windows(2).map(middle));
    centers.push(last * 1.5);
    let mut bounds = vec![(Unbounded, Included(first))];
    bounds.extend(edges.windows(2).map(|pair| {
        let [low, high] = ends(pair);
        (Excluded(low), Included(high))
    }));
    bounds.push((Excluded(last), Unbounded));
    let bin = |value: f64| {
        if value.is_nan() {
            NOWHERE
        } else {
            code(edges.partition_point(|edge| *edge < value))
        }
    };
    ItemBins {
        labels,
        centers,
        bounds,
        of_item: values.iter().map(|&value| bin(value)).collect(),
        ..ItemBins::default()
    }
}

/// Cuts whole numbers into `1-5`, `6-10`, ..., `21+`; numbers below 1 belong to the first bin.
fn ranges(ends: &[u32], values: &[f64]) -> ItemBins {
    let edges: Vec<f64> = ends.iter().copied().map(f64::from).collect();
    let mut binned = up_to(&edges, values);
    let starts = std::iter::once(1).chain(ends.iter().map(|end| end + 1));
    let mut labels: Vec<String> = starts
        .clone()
        .zip(ends)
        .map(|(start, end)| format!("{start}-{end}"))
        .collect();
    labels.extend(starts.last().map(|start| format!("{start}+")));
    binned.labels = labels;
    binned
}

/// Makes one bin for each distinct value, in rising order.
fn each(values: &[f64]) -> ItemBins {
    let mut distinct: Vec<f64> = values
        .iter()
        .copied()
        .filter(|value| !value.is_nan())
        .collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let bin = |value: f64| match distinct.binary_search_by(|known| known.total_cmp(&value)) {
        Ok(at) => code(at),
        Err(_) => NOWHERE,
    };
    ItemBins {
        labels: distinct.iter().map(|&value| short(value)).collect(),
        of_item: values.iter().map(|&value| bin(value)).collect(),
        bounds: distinct
            .iter()
            .map(|&value| (Included(value), Included(value)))
            .collect(),
        centers: distinct.clone(),
        ..ItemBins::default()
    }
}

/// Returns the edges of bins with equal counts, by linear interpolation; equal edges are merged.
fn quantiles(count: usize, values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values
        .iter()
        .copied()
        .filter(|value| value.is_finite())
        .collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    let edge = |step: usize| {
        let (place, rest) = (last * step / count, last * step % count);
        let low = sorted.get(place).copied()?;
        let high = sorted.get(place + 1).copied().unwrap_or(low);
        #[expect(clippy::cast_precision_loss, reason = "counts of bins")]
        Some(low + (high - low) * (rest as f64 / count as f64))
    };
    let mut edges: Vec<f64> = (0..=count).filter_map(edge).collect();
    edges.dedup();
    if let [only] = edges.as_slice() {
        edges.push(*only);
    }
    edges
}

/// Returns the edges of bins of equal width on a scale; `on` maps a value to the scale, `off`
/// maps it back.
fn equal_steps(
    count: usize,
    values: &[f64],
    on: impl Fn(f64) -> f64,
    off: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let (low, high) = (
        finite.clone().fold(f64::INFINITY, f64::min),
        finite.fold(f64::NEG_INFINITY, f64::max),
    );
    if low > high {
        return Vec::new();
    }
    if low >= high {
        return vec![low, high];
    }
    let (start, end) = (on(low), on(high));
    #[expect(clippy::cast_precision_loss, reason = "counts of bins")]
    let inner = (1..count).map(|step| off(start + (end - start) * step as f64 / count as f64));
    // The exact ends are used: rounding must not push a sample out.
    std::iter::once(low).chain(inner).chain([high]).collect()
}

fn middle(pair: &[f64]) -> f64 {
    let [low, high] = ends(pair);
    f64::midpoint(low, high)
}

/// Returns the two edges of a bin.
fn ends(pair: &[f64]) -> [f64; 2] {
    [pair.first(), pair.last()].map(|edge| edge.copied().unwrap_or_default())
}

fn code(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(NOWHERE)
}

/// Formats a number for a label, with four significant digits.
fn short(value: f64) -> String {
    significant(value, 4)
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds as _;

    use proptest::prelude::*;

    use super::cut;
    use record::benchmark::Bins;

    proptest! {
        #[test]
        fn bounds_hold_what_is_in_the_bin(
            values in prop::collection::vec(prop_oneof![(-3_i32..9).prop_map(f64::from), -1.0..30.0, Just(f64::NAN)], 0..40),
        ) {
            for bins in [
                Bins::Edges(vec![0.0, 0.1, 5.0]), Bins::UpTo(vec![1.0, 5.0, 10.0]), Bins::Ranges(vec![5, 10]),
                Bins::Values, Bins::Quantile(4), Bins::Width(3), Bins::Log(3),
            ] {
                let binned = cut(&bins, &values);
                prop_assert_eq!(binned.bounds.len(), binned.labels.len());
                for (at, value) in values.iter().enumerate() {
                    for (bin, bounds) in (0..).zip(&binned.bounds) {
                        prop_assert_eq!(bounds.contains(value), binned.of_item[at] == bin, "{:?} {}", bins, value);
                    }
                }
            }
        }
    }

    #[test]
    fn edges_are_half_open_and_the_last_bin_is_closed() {
        let binned = cut(
            &Bins::Edges(vec![0.0, 0.1, 0.5]),
            &[0.0, 0.0999, 0.1, 0.5, 0.6, f64::NAN],
        );
        assert_eq!(binned.labels, ["[0, 0.1)", "[0.1, 0.5]"]);
        assert_eq!(binned.of_item, [0, 0, 1, 1, u16::MAX, u16::MAX]);
    }

    #[test]
    fn the_evaluators_bins_include_their_upper_edge() {
        let depth = cut(
            &Bins::UpTo(vec![5.0, 10.0, 20.0]),
            &[5.0, 5.1, 10.0, 20.0, 20.5],
        );
        assert_eq!(depth.labels, ["<= 5", "(5, 10]", "(10, 20]", "> 20"]);
        assert_eq!(depth.of_item, [0, 1, 1, 2, 3]);
        let count = cut(&Bins::Ranges(vec![5, 10, 20]), &[0.0, 5.0, 6.0, 21.0]);
        assert_eq!(count.labels, ["1-5", "6-10", "11-20", "21+"]);
        assert_eq!(count.of_item, [0, 0, 1, 3]);
    }

    #[test]
    fn computed_bins_hold_every_value() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        for bins in [
            Bins::Quantile(4),
            Bins::Width(6),
            Bins::Log(5),
            Bins::Values,
        ] {
            let binned = cut(&bins, &values);
            assert!(
                binned
                    .of_item
                    .iter()
                    .all(|bin| usize::from(*bin) < binned.labels.len()),
                "{bins:?}"
            );
        }
        let quartiles = cut(&Bins::Quantile(4), &values);
        assert_eq!(
            quartiles.labels.first().map(String::as_str),
            Some("[1, 25.75)")
        );
    }
}
