//! Algorithm 1 of the paper: random shapes, each with a related partner.

use kurbo::Vec2;

use super::footprint::{Footprint, MARGIN};
use super::partner::{self, Partner};
use super::{Relation, Relationship, Shape, ShapeKind, sample};
use crate::Rng;

/// Maximum number of tries to place a shape.
const TRIES: usize = 30;
/// Probability that another shape repeats an existing kind, so that counts above one occur.
const REPEATS: f64 = 0.3;

/// Shapes and their relationships.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Shapes in the order in which they were placed.
    pub shapes: Vec<Shape>,
    /// Related pairs of shapes.
    pub relations: Vec<Relation>,
}

/// Specification of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureSpec {
    /// Number of shapes.
    pub shapes: usize,
    /// A relationship that the figure must show, if any.
    pub relationship: Option<Relationship>,
    /// Desired number of shapes of one kind; fewer if they do not fit.
    pub alike: usize,
}

/// Draws a figure with exactly the specified number of shapes; `None` if they do not fit.
pub fn figure(spec: FigureSpec, rng: &mut Rng) -> Option<Figure> {
    let mut draft = Draft::default();
    let reach = reach(spec.shapes);
    let most = spec.shapes - usize::from(spec.relationship.is_some());
    let fewest = spec.shapes.div_ceil(2).max(spec.alike + 1).min(most);
    let first = fewest + rng.below(most + 1 - fewest);
    for _ in 0..first {
        let kind = draft.kind(spec, rng)?;
        draft.add_shape(kind, reach, rng);
    }
    // Algorithm 1, lines 9 to 17.
    for at in 0..draft.figure.shapes.len() {
        if draft.figure.shapes.len() == spec.shapes {
            break;
        }
        draft.add_partner(at, spec.relationship.filter(|_| at == 0), reach, rng);
    }
    (draft.figure.shapes.len() == spec.shapes).then_some(draft.figure)
}

/// Maximum extent of a shape from its centre, chosen so that all fit.
fn reach(shapes: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "ten at most")]
    let reach = 0.42 / (shapes as f64).sqrt();
    reach.clamp(0.12, 0.24)
}

/// A figure under construction with the footprints of its shapes.
#[derive(Default)]
struct Draft {
    figure: Figure,
    taken: Vec<Footprint>,
}

impl Draft {
    /// Kind of the next shape: first one that allows the wanted relationship, then repeated kinds,
    /// then any.
    fn kind(&self, spec: FigureSpec, rng: &mut Rng) -> Option<ShapeKind> {
        let there: Vec<ShapeKind> = self.figure.shapes.iter().map(|shape| shape.kind).collect();
        let relatable = |kind: &ShapeKind| {
            spec.relationship
                .is_none_or(|wanted| partner::relationships(*kind).contains(&wanted))
        };
        let repeats = there.len() > 1 && spec.alike == 0 && rng.chance(REPEATS);
        let kinds: Vec<ShapeKind> = match there.as_slice() {
            [] => ShapeKind::ALL.into_iter().filter(relatable).collect(),
            [_, alike, ..] if there.len() <= spec.alike => vec![*alike],
            _ if repeats => there,
            _ => ShapeKind::ALL
                .into_iter()
                .filter(|kind| !there.contains(kind))
                .collect(),
        };
        rng.pick(&kinds).copied()
    }

    /// Adds a shape at a random free place: Algorithm 1, lines 3 to 7.
    fn add_shape(&mut self, kind: ShapeKind, reach: f64, rng: &mut Rng) {
        let Some(shape) = sample::shape(kind, reach, rng) else {
            return;
        };
        let still = Footprint::new(&shape);
        let bounds = still.bounds.inflate(MARGIN, MARGIN);
        for _ in 0..TRIES {
            let to = Vec2::new(
                rng.between(-bounds.x0, 1.0 - bounds.x1),
                rng.between(-bounds.y0, 1.0 - bounds.y1),
            );
            let taken = still.moved(to);
            if self.taken.iter().all(|other| taken.is_apart_from(other)) {
                self.figure.shapes.push(shape.moved(to));
                self.taken.push(taken);
                return;
            }
        }
    }

    fn add_partner(&mut self, at: usize, wanted: Option<Relationship>, reach: f64, rng: &mut Rng) {
        let Some(first) = self.figure.shapes.get(at).cloned() else {
            return;
        };
        let wanted = wanted.map(|wanted| vec![wanted]);
        let relationships = wanted.unwrap_or_else(|| partner::relationships(first.kind).to_vec());
        for _ in 0..TRIES {
            let Some(relationship) = rng.pick(&relationships) else {
                return;
            };
            if let Some(partner) = partner::place(&first, *relationship, reach, rng)
                && self.takes(at, &partner)
            {
                return;
            }
        }
    }

    /// Adds a partner if it fits. Returns true if it was added.
    fn takes(&mut self, at: usize, partner: &Partner) -> bool {
        let taken = Footprint::new(&partner.shape);
        let others = self
            .taken
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        if !taken.is_inside_figure()
            || !others
                .map(|(_, other)| other)
                .all(|other| taken.is_apart_from(other))
        {
            return false;
        }
        let new = self.figure.shapes.len();
        let (subject, object) = if partner.is_subject {
            (new, at)
        } else {
            (at, new)
        };
        self.figure.shapes.push(partner.shape.clone());
        self.taken.push(taken);
        self.figure.relations.push(Relation {
            subject,
            object,
            relationship: partner.relationship,
        });
        true
    }
}

impl Figure {
    /// Number of shapes of a kind.
    pub fn count(&self, kind: ShapeKind) -> usize {
        self.shapes
            .iter()
            .filter(|shape| shape.kind == kind)
            .count()
    }

    /// The shapes of a kind.
    pub fn of(&self, kind: ShapeKind) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| shape.kind == kind)
    }

    /// The shapes that are the only ones of their kind, with their indices.
    pub fn singles(&self) -> Vec<(usize, &Shape)> {
        let shapes = self.shapes.iter().enumerate();
        shapes
            .filter(|(_, shape)| self.count(shape.kind) == 1)
            .collect()
    }

    /// Index of the earlier shape that shares an edge with this shape and is drawn below it.
    pub fn neighbour_before(&self, shape: usize) -> Option<usize> {
        let of_edge = |relation: &&Relation| relation.relationship == Relationship::SharedEdge;
        let mut shared = self.relations.iter().filter(of_edge);
        shared.find_map(|relation| {
            let (one, other) = (relation.subject, relation.object);
            (one.max(other) == shape).then_some(one.min(other))
        })
    }

    /// Returns true if related shapes together look like another shape of this kind. A diagonal
    /// cuts triangles out of a quadrilateral; two triangles on one edge make a quadrilateral. Such
    /// kinds are never asked about.
    pub fn seems_to_show(&self, kind: ShapeKind) -> bool {
        self.relations.iter().any(|relation| {
            let kind_of = |shape: usize| self.shapes.get(shape).map(|shape| shape.kind);
            let (Some(subject), Some(object)) =
                (kind_of(relation.subject), kind_of(relation.object))
            else {
                return false;
            };
            match relation.relationship {
                Relationship::Diagonal => (3..object.corners()).contains(&kind.corners()),
                Relationship::SharedEdge => {
                    let upright = |kind| matches!(kind, ShapeKind::Rectangle | ShapeKind::Square);
                    kind.corners() == subject.corners() + object.corners() - 2
                        || (upright(kind) && upright(subject) && upright(object))
                }
                _ => false,
            }
        })
    }
}
