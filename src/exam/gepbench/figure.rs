//! Algorithm 1 of the paper: shapes, and for each of them one that stands in a relationship to it.

use kurbo::Vec2;

use super::partner::{self, Partner};
use super::room::{MARGIN, Taken};
use super::{Kind, Relation, Relationship, Shape, sample};
use crate::Dice;

/// Tries to place a shape.
const TRIES: usize = 30;
/// How often a further shape is of a kind that is there already, so that there is something to count.
const REPEATS: f64 = 0.3;

/// A figure: the structured description that is drawn and asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The shapes.
    pub shapes: Vec<Shape>,
    /// Which of them are related, and how.
    pub relations: Vec<Relation>,
}

/// What a figure should be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Number of shapes.
    pub shapes: usize,
    /// A relationship that it should show.
    pub relationship: Option<Relationship>,
    /// How many shapes of one kind it should have, if so many fit.
    pub alike: usize,
}

/// A figure with exactly the wished number of shapes; `None` when they did not find room.
#[must_use]
pub fn figure(wish: Wish, dice: &mut Dice) -> Option<Figure> {
    let mut draft = Draft::default();
    let reach = reach(wish.shapes);
    let most = wish.shapes - usize::from(wish.relationship.is_some());
    let fewest = wish.shapes.div_ceil(2).max(wish.alike + 1).min(most);
    let first = fewest + dice.below(most + 1 - fewest);
    for _ in 0..first {
        let kind = draft.kind(wish, dice)?;
        draft.add_shape(kind, reach, dice);
    }
    // Algorithm 1, lines 9 to 17.
    for at in 0..draft.figure.shapes.len() {
        if draft.figure.shapes.len() == wish.shapes {
            break;
        }
        draft.add_partner(at, wish.relationship.filter(|_| at == 0), reach, dice);
    }
    (draft.figure.shapes.len() == wish.shapes).then_some(draft.figure)
}

/// How far a shape may extend from its middle so that all find room.
fn reach(shapes: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "ten at most")]
    let reach = 0.42 / (shapes as f64).sqrt();
    reach.clamp(0.12, 0.24)
}

/// A figure in the making, with what is needed to keep shapes apart.
#[derive(Default)]
struct Draft {
    figure: Figure,
    taken: Vec<Taken>,
}

impl Draft {
    /// The kind of the next shape: one that can be related as wished, then some alike, then others.
    fn kind(&self, wish: Wish, dice: &mut Dice) -> Option<Kind> {
        let there: Vec<Kind> = self.figure.shapes.iter().map(|shape| shape.kind).collect();
        let relatable = |kind: &Kind| {
            wish.relationship
                .is_none_or(|wanted| partner::relationships(*kind).contains(&wanted))
        };
        let repeats = there.len() > 1 && wish.alike == 0 && dice.chance(REPEATS);
        let kinds: Vec<Kind> = match there.as_slice() {
            [] => Kind::ALL.into_iter().filter(relatable).collect(),
            [_, alike, ..] if there.len() <= wish.alike => vec![*alike],
            _ if repeats => there,
            _ => Kind::ALL
                .into_iter()
                .filter(|kind| !there.contains(kind))
                .collect(),
        };
        dice.pick(&kinds).copied()
    }

    /// Algorithm 1, lines 3 to 7.
    fn add_shape(&mut self, kind: Kind, reach: f64, dice: &mut Dice) {
        let Some(shape) = sample::shape(kind, reach, dice) else {
            return;
        };
        let still = Taken::new(&shape);
        let bounds = still.bounds.inflate(MARGIN, MARGIN);
        for _ in 0..TRIES {
            let to = Vec2::new(
                dice.between(-bounds.x0, 1.0 - bounds.x1),
                dice.between(-bounds.y0, 1.0 - bounds.y1),
            );
            let taken = still.moved(to);
            if self.taken.iter().all(|other| taken.is_apart_from(other)) {
                self.figure.shapes.push(shape.moved(to));
                self.taken.push(taken);
                return;
            }
        }
    }

    fn add_partner(
        &mut self,
        at: usize,
        wanted: Option<Relationship>,
        reach: f64,
        dice: &mut Dice,
    ) {
        let Some(first) = self.figure.shapes.get(at).cloned() else {
            return;
        };
        let wanted = wanted.map(|wanted| vec![wanted]);
        let relationships = wanted.unwrap_or_else(|| partner::relationships(first.kind).to_vec());
        for _ in 0..TRIES {
            let Some(relationship) = dice.pick(&relationships) else {
                return;
            };
            if let Some(partner) = partner::place(&first, *relationship, reach, dice)
                && self.takes(at, &partner)
            {
                return;
            }
        }
    }

    /// Adds a partner of a shape if there is room for it.
    fn takes(&mut self, at: usize, partner: &Partner) -> bool {
        let taken = Taken::new(&partner.shape);
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
    /// How many shapes of a kind there are.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.shapes
            .iter()
            .filter(|shape| shape.kind == kind)
            .count()
    }

    /// The shapes of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Shape> {
        self.shapes.iter().filter(move |shape| shape.kind == kind)
    }

    /// The shapes that are the only ones of their kind, with their indices.
    #[must_use]
    pub fn singles(&self) -> Vec<(usize, &Shape)> {
        let shapes = self.shapes.iter().enumerate();
        shapes
            .filter(|(_, shape)| self.count(shape.kind) == 1)
            .collect()
    }

    /// Whether related shapes together look like a further shape of this kind: a diagonal cuts triangles out of
    /// a quadrilateral, two triangles on one edge make a quadrilateral. Nobody is asked whether these exist.
    #[must_use]
    pub fn seems_to_show(&self, kind: Kind) -> bool {
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
                    let upright = |kind| matches!(kind, Kind::Rectangle | Kind::Square);
                    kind.corners() == subject.corners() + object.corners() - 2
                        || (upright(kind) && upright(subject) && upright(object))
                }
                _ => false,
            }
        })
    }
}
