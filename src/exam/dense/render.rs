//! Renders scenes, and computes the ground truth of each pixel.

use image::{Rgb, RgbImage};
use palette::{LinSrgb, Srgb};
use rayon::prelude::*;

use super::Style;
use super::scene::{Camera, Scene, SceneElement, VisiblePoint};
use super::shape::{Ray, V3};

/// Sample positions within a pixel: a rotated grid, which smooths edges of any slope.
const WITHIN: [(f64, f64); 4] = [
    (0.375, 0.125),
    (0.875, 0.375),
    (0.125, 0.625),
    (0.625, 0.875),
];
/// Half the side of the lamp, in meters; its size makes shadows soft.
const LAMP: f64 = 0.3;
/// Ambient light: a minimum, and an addition from above.
const AMBIENT: [f64; 2] = [0.3, 0.1];
/// Light of the lamp at the distance [`NEAR`].
const LIGHT: f64 = 0.85;
/// Distance at which the lamp has its nominal strength, in meters.
const NEAR: f64 = 4.5;
/// Brightness and exponent of highlights.
const SHINE: (f64, i32) = (0.12, 24);
/// Offset of a shadow ray from its surface, in meters.
const APART: f64 = 1e-4;

/// Ground truth of each pixel, row by row, taken at the pixel's centre.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    /// Visible object, wall or floor.
    pub(super) what: Vec<SceneElement>,
    /// Depth along the camera's axis, in meters.
    pub(super) depth: Vec<f64>,
    /// Surface normal: right, up, out of the picture.
    pub(super) normals: Vec<[f64; 3]>,
}

/// Renders a scene to a square picture.
pub(super) fn picture(scene: &Scene, camera: &Camera, side: u32, style: Style) -> RgbImage {
    let rows: Vec<Vec<Rgb<u8>>> = (0..side)
        .into_par_iter()
        .map(|y| {
            (0..side)
                .map(|x| pixel(scene, camera, side, style, (x, y)))
                .collect()
        })
        .collect();
    RgbImage::from_fn(side, side, |x, y| rows[y as usize][x as usize])
}

/// Computes the ground truth of a scene's picture.
pub(super) fn truth(scene: &Scene, camera: &Camera, side: u32) -> Truth {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let seen = places.map(|place| scene.seen(&through(camera, side, place, (0.5, 0.5))));
    let mut truth = Truth {
        what: Vec::new(),
        depth: Vec::new(),
        normals: Vec::new(),
    };
    for VisiblePoint { what, hit, .. } in seen {
        truth.what.push(what);
        truth.depth.push(hit.t);
        truth.normals.push(camera.seen(hit.normal));
    }
    truth
}

fn through(camera: &Camera, side: u32, (x, y): (u32, u32), within: (f64, f64)) -> Ray {
    let share = |at: u32, within: f64| (f64::from(at) + within) / f64::from(side);
    camera.ray(share(x, within.0), share(y, within.1))
}

fn pixel(scene: &Scene, camera: &Camera, side: u32, style: Style, place: (u32, u32)) -> Rgb<u8> {
    let mut sum = V3::zeros();
    for (at, within) in WITHIN.into_iter().enumerate() {
        let ray = through(camera, side, place, within);
        let seen = scene.seen(&ray);
        sum += match style {
            Style::Plain => scene.flat(seen.what),
            Style::Rich => lit(scene, &ray, &seen, lamp(place, at)),
        };
    }
    #[expect(clippy::cast_precision_loss, reason = "four samples per pixel")]
    let mean = sum / WITHIN.len() as f64;
    let color: Srgb<f64> = Srgb::from_linear(LinSrgb::new(mean.x, mean.y, mean.z));
    Rgb(color.into_format::<u8>().into())
}

/// Position on the lamp for a sample, from -1 to 1; differs between samples and neighbouring
/// pixels.
fn lamp((x, y): (u32, u32), sample: usize) -> (f64, f64) {
    let mixed = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    let turn = f64::from((mixed >> 8) & 0xffff) / 65_536.0 * 0.5;
    let (across, along) = WITHIN[sample];
    let moved = |share: f64| 2.0f64.mul_add((share + turn).rem_euclid(1.0), -1.0);
    (moved(across), moved(along))
}

/// Colour of a lit point: B. T. Phong, "Illumination for computer generated pictures" (1975).
fn lit(scene: &Scene, ray: &Ray, seen: &VisiblePoint, lamp: (f64, f64)) -> V3 {
    let at = ray.at(seen.hit.t);
    let normal = seen.hit.normal;
    let ambient = AMBIENT[1].mul_add(normal.y, AMBIENT[0]);
    let light = scene.light + V3::new(lamp.0, 0.0, lamp.1) * LAMP;
    let towards = light - at;
    let facing = normal.dot(&towards.normalize());
    if facing <= 0.0 || scene.is_dark(at + normal * APART, light) {
        return seen.color * ambient;
    }
    let strength = LIGHT * (NEAR / towards.norm()).powi(2).min(1.6);
    let half = (towards.normalize() - ray.along.normalize()).normalize();
    let (bright, narrow) = SHINE;
    let is_thing = matches!(seen.what, SceneElement::Thing(_));
    let shine = if is_thing {
        bright * normal.dot(&half).max(0.0).powi(narrow)
    } else {
        0.0
    };
    let shaded = seen.color * strength.mul_add(facing, ambient);
    (shaded + V3::repeat(shine)).map(|part| part.min(1.0))
}
