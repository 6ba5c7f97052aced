//! Checks figures: relationships hold exactly, unrelated shapes keep their distance, and everything
//! is clear and inside the figure.

use geo::{Distance as _, Euclidean, Intersects as _};
use proptest::prelude::*;

use super::super::clear::is_clear;
use super::super::figure::{FigureSpec, figure};
use super::super::footprint::GAP;
use super::super::{Figure, Relationship, Shape, ShapeKind, partner};
use super::super::{draw, noise};
use super::figure_with;
use super::holds::holds;
use crate::Rng;

/// Returns true if part of another shape lies in a shape's region: its inside, or a spiral's disc.
fn reaches_into(other: &Shape, shape: &Shape) -> bool {
    let region = shape.region();
    region.is_some_and(|region| region.intersects(&other.trace()))
}

fn related(figure: &Figure, one: usize, other: usize) -> bool {
    figure
        .relations
        .iter()
        .any(|relation| [(one, other), (other, one)].contains(&(relation.subject, relation.object)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn relationships_hold_and_no_other_one(seed: u64, shapes in 2_usize..=7) {
        for relationship in Relationship::ALL {
            let figure = figure_with(relationship, shapes, seed);
            for relation in &figure.relations {
                let (one, other) = (&figure.shapes[relation.subject], &figure.shapes[relation.object]);
                prop_assert!(holds(relation.relationship, one, other), "{relation:?} {one:?} {other:?}");
                prop_assert!(relation.relationship.is_between(one.kind, other.kind), "{relation:?}");
                if let Some(reverse) = relation.relationship.reverse() {
                    prop_assert!(holds(reverse, other, one), "{relation:?} {one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn shapes_are_clear_inside_and_apart(seed: u64, shapes in 2_usize..=10) {
        let spec = FigureSpec { shapes, relationship: None, alike: 0 };
        let mut rng = Rng::new(seed, &[]);
        let drawn = std::iter::repeat_with(|| figure(spec, &mut rng)).flatten().next();
        let drawn = drawn.unwrap();
        prop_assert_eq!(drawn.shapes.len(), shapes);
        for (at, shape) in drawn.shapes.iter().enumerate() {
            prop_assert!(is_clear(shape), "{shape:?}");
            let bounds = shape.bounds();
            prop_assert!(bounds.x0 > 0.02 && bounds.y0 > 0.02 && bounds.x1 < 0.98 && bounds.y1 < 0.98);
            for (other_at, other) in drawn.shapes.iter().enumerate().take(at) {
                if related(&drawn, at, other_at) {
                    continue;
                }
                prop_assert!(Euclidean.distance(&shape.trace(), &other.trace()) >= GAP - 1e-9);
                prop_assert!(!reaches_into(other, shape) && !reaches_into(shape, other));
            }
        }
    }
}

#[test]
fn every_relationship_of_the_table_can_be_placed() {
    for subject in ShapeKind::ALL {
        for relationship in partner::relationships(subject) {
            let placed = (0..400).any(|seed| {
                let mut rng = Rng::new(seed, &[subject as u64]);
                let first = super::super::sample::shape(subject, 0.2, &mut rng);
                first.is_some_and(|first| {
                    partner::place(&first, *relationship, 0.2, &mut rng).is_some()
                })
            });
            // No circle touches all sides of a rectangle, and an ellipse has no circle around it.
            assert!(placed, "{subject:?} {relationship:?}");
        }
    }
    assert!(partner::relationships(ShapeKind::Spiral).is_empty());
}

/// Along a shared edge both shapes show their own colour, with and without noise.
#[test]
fn no_edge_is_painted_over() {
    for seed in 0..12 {
        let figure = figure_with(Relationship::SharedEdge, 3, seed);
        let drawing = draw::draw(&figure, &mut Rng::new(seed, &[1]));
        let noisy = noise::noisy(&figure, &drawing, &mut Rng::new(seed, &[2]));
        for relation in &figure.relations {
            if relation.relationship != Relationship::SharedEdge {
                continue;
            }
            let of = |at: usize| figure.shapes[at].corners();
            let shared: Vec<_> = of(relation.subject)
                .iter()
                .filter(|corner| {
                    of(relation.object)
                        .iter()
                        .any(|other| corner.distance(*other) < 1e-9)
                })
                .collect();
            assert_eq!(shared.len(), 2, "{relation:?}");
            for shape in [relation.subject, relation.object] {
                let ink = drawing.colors[shape].0.map(i32::from);
                let is_own = |pixel: &image::Rgb<u8>, near: i32| {
                    let channels = pixel.0.iter().zip(ink);
                    channels
                        .into_iter()
                        .all(|(one, own)| (i32::from(*one) - own).abs() <= near)
                };
                // Number of places along the edge with a pixel of the shape's colour within the
                // outline's width.
                let seen = |pixels: &image::RgbImage, near: i32| {
                    let at_places = (2..=18).filter(|part| {
                        let at = shared[0].lerp(*shared[1], f64::from(*part) / 20.0);
                        let (x, y) = (at.x * f64::from(draw::SIDE), at.y * f64::from(draw::SIDE));
                        let around = (-5..=5).flat_map(|dy| (-5..=5).map(move |dx| (dx, dy)));
                        around.into_iter().any(|(dx, dy)| {
                            let pixel =
                                pixels.get_pixel((x as i32 + dx) as u32, (y as i32 + dy) as u32);
                            is_own(pixel, near)
                        })
                    });
                    at_places.count()
                };
                assert_eq!(seen(&drawing.pixels(), 12), 17, "{seed} {relation:?}");
                assert!(seen(&noisy, 60) >= 14, "{seed} {relation:?}");
            }
        }
    }
}
