//! Metrics of one picture, as in the evaluators of the harness (`taskit/eval/eval_depth.py`,
//! `eval_normals.py`).

use analysis::metric::dense::{DepthErrors, scale_and_shift, spearman};
use analysis::metric::kendall_tau_b;
use media::Superpixels;

/// A metric of one picture: name and value, if defined.
pub(super) type NamedMetric = (&'static str, Option<f64>);

/// Depth metrics of the harness, over pairs, superpixels and pixels.
pub(super) fn depth_figures(
    found: &[f64],
    truth: &[f64],
    depths: &[f64],
    means: &[f64],
    pairs: &[([usize; 2], Vec<String>)],
) -> Vec<NamedMetric> {
    let both = found
        .iter()
        .zip(truth)
        .filter(|(_, truth)| truth.is_finite());
    let (found, truth): (Vec<f64>, Vec<f64>) = both.unzip();
    let (scale, shift) = scale_and_shift(&found, &truth);
    let mut errors = DepthErrors::default();
    let fitted: Vec<f64> = found.iter().map(|depth| scale * depth + shift).collect();
    errors.add(&fitted, &truth);
    let delta = |power: usize| errors.deltas().map(|deltas| deltas[power]);
    let is_right = |([red, blue], words): &&([usize; 2], Vec<String>)| {
        let is_red = words.first().is_some_and(|word| word == "red");
        is_red == (means[*red] < means[*blue])
    };
    let right = pairs.iter().filter(is_right).count();
    vec![
        ("delta1", delta(0)),
        ("delta2", delta(1)),
        ("delta3", delta(2)),
        ("abs_rel", errors.abs_rel()),
        ("rho", spearman(&found, &truth)),
        ("tau", kendall_tau_b(&found, &truth).ok()),
        ("local_rho", spearman(depths, means)),
        ("local_tau", kendall_tau_b(depths, means).ok()),
        ("pairwise_accuracy", share(right, pairs.len())),
    ]
}

/// Names of the metrics per axis.
const AXES: [[&str; 5]; 3] = [
    [
        "rho_x",
        "tau_x",
        "local_rho_x",
        "local_tau_x",
        "pairwise_accuracy_x",
    ],
    [
        "rho_y",
        "tau_y",
        "local_rho_y",
        "local_tau_y",
        "pairwise_accuracy_y",
    ],
    [
        "rho_z",
        "tau_z",
        "local_rho_z",
        "local_tau_z",
        "pairwise_accuracy_z",
    ],
];

/// Predicted and annotated surface normals of a picture.
pub(super) struct Normals<'a> {
    pub(super) regions: &'a Superpixels,
    /// Predictions for each axis, by pixel.
    pub(super) found: [&'a [f64]; 3],
    pub(super) truth: &'a [[f64; 3]],
    /// Predictions for each axis, by superpixel.
    pub(super) axes: &'a [Vec<f64>; 3],
    pub(super) pairs: &'a [([usize; 2], Vec<String>)],
    /// True if the annotated normals point right, down and away from the viewer.
    pub(super) is_turned: bool,
}

/// Metrics of surface normals of the harness: over pairs, superpixels and pixels, for each axis.
pub(super) fn normal_figures(normals: &Normals<'_>) -> Vec<NamedMetric> {
    let Normals {
        regions,
        found,
        truth,
        axes,
        pairs,
        is_turned,
    } = *normals;
    let (mut figures, mut rhos) = (Vec::new(), Vec::new());
    for (axis, names) in AXES.iter().enumerate() {
        let along: Vec<f64> = truth.iter().map(|normal| normal[axis]).collect();
        let means = mean(regions, &along);
        let spreads = spread(regions, &along, &means);
        let sign = if is_turned && axis > 0 { -1.0 } else { 1.0 };
        let is_right = |([red, blue], words): &&([usize; 2], Vec<String>)| {
            let more = sign * (means[*red] - means[*blue]);
            match words.get(axis).map(String::as_str) {
                Some("red") => more > 0.0,
                Some("blue") => more < 0.0,
                _ => more.abs() <= spreads[*red].max(spreads[*blue]),
            }
        };
        let right = pairs.iter().filter(is_right).count();
        let rho = spearman(found[axis], &along);
        rhos.push(rho);
        let values = [
            rho,
            kendall_tau_b(found[axis], &along).ok(),
            spearman(&axes[axis], &means),
            kendall_tau_b(&axes[axis], &means).ok(),
            share(right, pairs.len()),
        ];
        figures.extend(names.iter().copied().zip(values));
    }
    let all: Option<f64> = rhos.into_iter().sum();
    figures.insert(0, ("rho_mean", all.map(|sum| sum / 3.0)));
    figures
}

/// Returns, for each pixel, the value of its superpixel.
pub(super) fn flooded<T>(regions: &Superpixels, value: impl Fn(usize) -> T) -> Vec<T> {
    let numbers = regions.numbers().iter();
    numbers.map(|number| value(*number as usize)).collect()
}

/// Scales values linearly to 0 to `most`; all 0 if they are equal.
pub(super) fn stretched(values: &[f64], most: f64) -> Vec<f64> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let stretch = |value: &f64| {
        if high > low {
            (value - low) / (high - low) * most
        } else {
            0.0
        }
    };
    values.iter().map(stretch).collect()
}

/// Returns the mean of the finite values of each superpixel; `NaN` if there are none.
pub(super) fn mean(regions: &Superpixels, values: &[f64]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); regions.count() as usize];
    let both = regions.numbers().iter().zip(values);
    for (number, value) in both.filter(|(_, value)| value.is_finite()) {
        let (sum, count) = &mut sums[*number as usize];
        *sum += value;
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

/// Returns the standard deviation of the values of each superpixel.
fn spread(regions: &Superpixels, values: &[f64], means: &[f64]) -> Vec<f64> {
    let numbers = regions.numbers().iter();
    let squares: Vec<f64> = numbers
        .zip(values)
        .map(|(number, value)| (value - means[*number as usize]).powi(2))
        .collect();
    mean(regions, &squares).into_iter().map(f64::sqrt).collect()
}

fn share(part: usize, whole: usize) -> Option<f64> {
    let real = |count: usize| u32::try_from(count).ok().map(f64::from);
    (whole > 0)
        .then(|| Some(real(part)? / real(whole)?))
        .flatten()
}
