//! Compares a predicted map with its annotation, pixel by pixel.

use analysis::metric::dense::{
    DepthErrors, IGNORED, Segmentation, mask_iou, scale_and_shift, spearman,
};
use media::{Raster, Values};

/// Difference between two maps.
pub struct Comparison {
    /// Width of the maps in pixels.
    pub width: u32,
    /// Difference per pixel.
    pub differences: Differences,
    /// The prediction in the unit of the annotation; `None` if it was not converted.
    pub fitted: Option<Raster>,
    /// Metrics of this picture, by name; a value is `None` if undefined.
    pub figures: Vec<(&'static str, Option<f64>)>,
}

/// Difference per pixel, by kind of map.
pub enum Differences {
    /// Masks: agreement of each pixel.
    Mask(Vec<Agreement>),
    /// Labels: true if equal, `None` where the annotation is ignored.
    Labels(Vec<Option<bool>>),
    /// Depth: the error relative to the annotated depth.
    Depth(Vec<f64>),
    /// Normals: the angle in degrees.
    Normals(Vec<f64>),
}

/// Agreement of two masks on a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// In neither mask.
    Neither,
    /// In both masks.
    Both,
    /// Only in the annotation.
    Missed,
    /// Only in the prediction.
    Extra,
}

/// Compares a prediction with its annotation. The prediction is first resized to the size of the
/// annotation. `None` for maps of different kinds.
pub fn compare(truth: &Raster, found: &Raster) -> Option<Comparison> {
    let found = &found.at_size(truth.width, truth.height);
    let plain = |differences, figures| Comparison {
        width: truth.width,
        differences,
        fitted: None,
        figures,
    };
    Some(match (&truth.values, &found.values) {
        (Values::Mask(truth), Values::Mask(found)) => {
            let agreement = |(truth, found): (&bool, &bool)| match (*truth, *found) {
                (true, true) => Agreement::Both,
                (true, false) => Agreement::Missed,
                (false, true) => Agreement::Extra,
                (false, false) => Agreement::Neither,
            };
            let differences = truth.iter().zip(found).map(agreement).collect();
            let figures = vec![("iou", mask_iou(found, truth))];
            plain(Differences::Mask(differences), figures)
        }
        (Values::Labels(truth), Values::Labels(found)) => {
            let (differences, figures) = labels(truth, found);
            plain(Differences::Labels(differences), figures)
        }
        (Values::Depth(depths), Values::Depth(found)) => depth(truth, depths, found),
        (Values::Normals(truth), Values::Normals(found)) => {
            let angles: Vec<f64> = truth
                .iter()
                .zip(found)
                .map(|(a, b)| angle(*a, *b))
                .collect();
            let figures = normals(truth, found, &angles);
            plain(Differences::Normals(angles), figures)
        }
        _ => return None,
    })
}

type Figures = Vec<(&'static str, Option<f64>)>;

fn labels(truth: &[u32], found: &[u32]) -> (Vec<Option<bool>>, Figures) {
    let right =
        |(truth, found): (&u32, &u32)| (*truth != u32::from(IGNORED)).then_some(truth == found);
    let code = |code: &u32| u16::try_from(*code).unwrap_or(u16::MAX);
    let codes = |labels: &[u32]| labels.iter().map(code).collect::<Vec<u16>>();
    let mut sums = Segmentation::default();
    sums.add(&codes(found), &codes(truth));
    let figures = vec![
        ("miou", sums.mean_iou()),
        ("pixel_accuracy", sums.pixel_accuracy()),
    ];
    (truth.iter().zip(found).map(right).collect(), figures)
}

/// Compares depth after fitting scale and shift of the prediction.
fn depth(raster: &Raster, truth: &[f64], found: &[f64]) -> Comparison {
    let measured = |(found, truth): (&f64, &f64)| truth.is_finite().then_some((*found, *truth));
    let pairs = found.iter().zip(truth).filter_map(measured);
    let (known, depths): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let (scale, shift) = scale_and_shift(&known, &depths);
    let fit = |value: &f64| scale * value + shift;
    let fitted: Vec<f64> = found.iter().map(fit).collect();
    let mut errors = DepthErrors::default();
    errors.add(&known.iter().map(fit).collect::<Vec<f64>>(), &depths);
    let deltas = errors.deltas();
    let relative = |(fitted, truth): (&f64, &f64)| (fitted - truth).abs() / truth;
    Comparison {
        width: raster.width,
        differences: Differences::Depth(fitted.iter().zip(truth).map(relative).collect()),
        fitted: Some(Raster {
            values: Values::Depth(fitted),
            ..*raster
        }),
        figures: vec![
            ("delta1", deltas.map(|[first, _, _]| first)),
            ("abs_rel", errors.abs_rel()),
            ("rho", spearman(&known, &depths)),
        ],
    }
}

fn normals(truth: &[[f64; 3]], found: &[[f64; 3]], angles: &[f64]) -> Figures {
    let rho = |axis: usize| {
        let along = |normals: &[[f64; 3]]| {
            let value = |normal: &[f64; 3]| normal.get(axis).copied().unwrap_or_default();
            normals.iter().map(value).collect::<Vec<f64>>()
        };
        spearman(&along(found), &along(truth))
    };
    let known: Vec<f64> = angles
        .iter()
        .copied()
        .filter(|angle| angle.is_finite())
        .collect();
    let count = u32::try_from(known.len()).unwrap_or(u32::MAX);
    let mean = (count > 0).then(|| known.iter().sum::<f64>() / f64::from(count));
    vec![
        ("angle", mean),
        ("rho_x", rho(0)),
        ("rho_y", rho(1)),
        ("rho_z", rho(2)),
    ]
}

/// Returns the angle between two vectors in degrees; `NaN` if one of them is zero or undefined.
fn angle(a: [f64; 3], b: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    (dot(a, b) / lengths).clamp(-1.0, 1.0).acos().to_degrees()
}
