//! Action recognition: what a person is doing.

use super::background;
use super::canvas::{Canvas, Ink, LENGTH, mixed};
use super::drawn::DrawnItem;
use super::palette::bright;
use super::poses::{POSES, Pose};
use crate::Rng;

/// Number of actions.
pub const CLASSES: usize = POSES.len();

/// Draws an item with a person in the pose of an action.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let pose = POSES.get(class).unwrap_or(&POSES[0]);
    let (kind, mut canvas) = background::any(rng);
    let scale = rng.between(1.0, 1.9);
    figure(&mut canvas, pose, scale, rng);
    DrawnItem::shuffled(
        canvas,
        "Which action or activity is shown in the image?",
        pose.action,
        POSES.iter().map(|pose| pose.action).collect(),
    )
    .with_name("dataset", kind)
}

/// Draws a pose at a random place, `scale` pixels per unit of its grid, randomly mirrored, with
/// jittered joints. Returns the position of the grid's centre.
pub fn figure(canvas: &mut Canvas, pose: &Pose, scale: f64, rng: &mut Rng) -> (f64, f64) {
    let (sine, cosine) = rng.between(-0.16, 0.16).sin_cos();
    let flip = if rng.chance(0.5) { -1.0 } else { 1.0 };
    let room = (LENGTH - 116.0 * scale).max(0.0) / 2.0;
    let shift = (rng.between(-room, room), rng.between(-room, room));
    let wobble = |rng: &mut Rng, amount: f64| rng.between(-amount, amount);
    let mut point = |(x, y): (f64, f64), amount: f64| {
        let (x, y) = (
            x + wobble(rng, amount) - 50.0,
            y + wobble(rng, amount) - 47.0,
        );
        let (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        (
            LENGTH / 2.0 + shift.0 + flip * x * scale,
            LENGTH / 2.0 + shift.1 + y * scale,
        )
    };
    let width = 5.0 * scale;
    let mut lines = Vec::new();
    for line in pose.props {
        lines.push((
            line.iter().map(|at| point(*at, 0.3)).collect::<Vec<_>>(),
            false,
        ));
    }
    for line in pose.limbs {
        lines.push((line.iter().map(|at| point(*at, 2.0)).collect(), true));
    }
    let head = point(pose.head, 0.8);
    let discs: Vec<_> = pose
        .discs
        .iter()
        .map(|(x, y, radius)| (point((*x, *y), 0.3), *radius))
        .collect();
    let (body, prop): (Ink, Ink) = (
        mixed(bright(rng), [0; 3], 0.45),
        mixed(bright(rng), [0; 3], 0.15),
    );
    for (points, own) in &lines {
        let (width, ink) = if *own {
            (width, body)
        } else {
            (width * 0.55, prop)
        };
        canvas.line(points, width, ink);
    }
    for (at, radius) in discs {
        canvas.disc(at, radius * scale, prop);
    }
    canvas.disc(head, 9.5 * scale, body);
    (LENGTH / 2.0 + shift.0, LENGTH / 2.0 + shift.1)
}
