//! Pictures of a scene, and what is true of each of their pixels.

use image::{Rgb, RgbImage};
use palette::{LinSrgb, Srgb};
use rayon::prelude::*;

use super::Style;
use super::scene::{Camera, Scene, Seen, What};
use super::shape::{Ray, V3};

/// Places within a pixel whose colours are averaged, in pixels: a turned grid, so that edges of any slope are smooth.
const WITHIN: [(f64, f64); 4] = [
    (0.375, 0.125),
    (0.875, 0.375),
    (0.125, 0.625),
    (0.625, 0.875),
];
/// Half of the side of the lamp, in meters: shadows are soft.
const LAMP: f64 = 0.3;
/// Light from all sides: at least, and more from above.
const AMBIENT: [f64; 2] = [0.3, 0.1];
/// What the lamp adds at [`NEAR`] meters.
const LIGHT: f64 = 0.85;
/// Distance of the lamp at which its light is as strong as it says, in meters.
const NEAR: f64 = 4.5;
/// How bright and how narrow a highlight is.
const SHINE: (f64, i32) = (0.12, 24);
/// A shadow's ray begins so far away from its surface.
const APART: f64 = 1e-4;

/// What is true of each pixel of a picture, row by row. The middle of the pixel decides.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    /// What is seen there.
    pub(super) what: Vec<What>,
    /// How far away that is along the camera's axis, in meters.
    pub(super) depth: Vec<f64>,
    /// Which way its surface faces: right, up, out of the picture.
    pub(super) normals: Vec<[f64; 3]>,
}

/// A picture of a scene.
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

/// What is true of a picture of a scene.
pub(super) fn truth(scene: &Scene, camera: &Camera, side: u32) -> Truth {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let seen = places.map(|place| scene.seen(&through(camera, side, place, (0.5, 0.5))));
    let mut truth = Truth {
        what: Vec::new(),
        depth: Vec::new(),
        normals: Vec::new(),
    };
    for Seen { what, hit, .. } in seen {
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
    #[expect(clippy::cast_precision_loss, reason = "four")]
    let mean = sum / WITHIN.len() as f64;
    let color: Srgb<f64> = Srgb::from_linear(LinSrgb::new(mean.x, mean.y, mean.z));
    Rgb(color.into_format::<u8>().into())
}

/// Which part of the lamp a sample looks at, from -1 to 1: another one for each sample and each neighbouring pixel.
fn lamp((x, y): (u32, u32), sample: usize) -> (f64, f64) {
    let mixed = x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    let turn = f64::from((mixed >> 8) & 0xffff) / 65_536.0 * 0.5;
    let (across, along) = WITHIN[sample];
    let moved = |share: f64| 2.0f64.mul_add((share + turn).rem_euclid(1.0), -1.0);
    (moved(across), moved(along))
}

/// The colour of a point in the light of the lamp: B. T. Phong, "Illumination for computer generated pictures" (1975).
fn lit(scene: &Scene, ray: &Ray, seen: &Seen, lamp: (f64, f64)) -> V3 {
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
    let is_thing = matches!(seen.what, What::Thing(_));
    let shine = if is_thing {
        bright * normal.dot(&half).max(0.0).powi(narrow)
    } else {
        0.0
    };
    let shaded = seen.color * strength.mul_add(facing, ambient);
    (shaded + V3::repeat(shine)).map(|part| part.min(1.0))
}
