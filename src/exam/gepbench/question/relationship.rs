//! Relationship: how two shapes are related; `none of the above` is always the last option.

use super::{FigureQuestion, QuestionSpec, tag, the};
use crate::Rng;
use crate::gepbench::shape::Outline;
use crate::gepbench::{Figure, Relationship, ShapeKind};

/// Index of `none of the above`, which is right as often as every other option.
const NONE: usize = 3;
/// Text of the option for unrelated shapes.
const NONE_OF_THEM: &str = "none of the above";
/// Minimum angle between lines that are clearly not parallel, in radians.
const CROSSWISE: f64 = 0.35;

/// Relationship that the figure should show for the wanted answer.
pub fn wished(want: &QuestionSpec) -> Option<Relationship> {
    (want.place != NONE).then(|| {
        Relationship::ALL
            .get(want.one_of(Relationship::ALL.len(), 0))
            .copied()
    })?
}

/// Probability that an unrelated pair has few possible relationships. Without such pairs, a
/// question about a line and a square would almost always have the answer 'diagonal'.
const GUESSABLE: f64 = 0.8;

/// Two shapes with unique names, and the relationship of the first to the second.
#[derive(Clone, Copy)]
struct Pair {
    subject: ShapeKind,
    object: ShapeKind,
    truth: Option<Relationship>,
}

impl Pair {
    /// Number of relationships that shapes of these kinds can have.
    fn possibilities(self) -> usize {
        let possible =
            |relationship: &&Relationship| relationship.is_between(self.subject, self.object);
        Relationship::ALL.iter().filter(possible).count()
    }
}

/// Asks a question with the wanted answer, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    let wished = wished(want);
    let mut pairs = if want.place == NONE {
        unrelated(figure)
    } else {
        related(figure)
    };
    if want.exactly && want.place != NONE {
        pairs.retain(|pair| pair.truth == wished);
    }
    if want.place == NONE && rng.chance(GUESSABLE) {
        let fewest = pairs.iter().map(|pair| pair.possibilities()).min();
        pairs.retain(|pair| Some(pair.possibilities()) == fewest);
    }
    let pair = rng.pick(&pairs)?;
    question(figure, reversed(*pair, rng), rng)
}

fn is_named(figure: &Figure, one: ShapeKind, other: ShapeKind) -> bool {
    if one == other {
        figure.count(one) == 2
    } else {
        figure.count(one) == 1 && figure.count(other) == 1
    }
}

fn related(figure: &Figure) -> Vec<Pair> {
    let pair = |relation: &crate::gepbench::Relation| {
        let subject = figure.shapes.get(relation.subject)?.kind;
        let object = figure.shapes.get(relation.object)?.kind;
        is_named(figure, subject, object).then_some(Pair {
            subject,
            object,
            truth: Some(relation.relationship),
        })
    };
    figure.relations.iter().filter_map(pair).collect()
}

/// Unrelated pairs of kinds that could be related.
fn unrelated(figure: &Figure) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (at, one) in figure.shapes.iter().enumerate() {
        for (other_at, other) in figure.shapes.iter().enumerate() {
            let could_be =
                |relationship: &Relationship| relationship.is_between(one.kind, other.kind);
            let related = figure.relations.iter().any(|relation| {
                (relation.subject, relation.object) == (at, other_at)
                    || (relation.subject, relation.object) == (other_at, at)
            });
            if at != other_at
                && !related
                && Relationship::ALL.iter().any(could_be)
                && is_named(figure, one.kind, other.kind)
                && !nearly_parallel(&one.outline, &other.outline)
            {
                pairs.push(Pair {
                    subject: one.kind,
                    object: other.kind,
                    truth: None,
                });
            }
        }
    }
    pairs
}

fn nearly_parallel(one: &Outline, other: &Outline) -> bool {
    let (Outline::Line(one), Outline::Line(other)) = (one, other) else {
        return false;
    };
    let (one, other) = (
        (one.p1 - one.p0).normalize(),
        (other.p1 - other.p0).normalize(),
    );
    one.cross(other).abs() < CROSSWISE.sin()
}

/// Swaps the shapes of half the pairs whose relationship has a named inverse.
fn reversed(pair: Pair, rng: &mut Rng) -> Pair {
    match pair.truth.map(Relationship::reverse) {
        Some(Some(truth)) if rng.chance(0.5) => Pair {
            subject: pair.object,
            object: pair.subject,
            truth: Some(truth),
        },
        _ => pair,
    }
}

fn question(figure: &Figure, pair: Pair, rng: &mut Rng) -> Option<FigureQuestion> {
    let mutual = pair.subject == pair.object;
    let phrase = |relationship: Relationship| {
        if mutual {
            relationship.mutual_phrase()
        } else {
            relationship.phrase()
        }
        .to_owned()
    };
    let mut wrong = distractors(pair, mutual, rng);
    let (right, last) = if let Some(truth) = pair.truth {
        wrong.truncate(2);
        (phrase(truth), Some(NONE_OF_THEM.to_owned()))
    } else {
        wrong.truncate(3);
        (NONE_OF_THEM.to_owned(), None)
    };
    let wrong: Vec<String> = wrong.into_iter().map(phrase).chain(last).collect();
    let name = pair.truth.map_or("none", Relationship::name);
    (wrong.len() == 3).then(|| FigureQuestion {
        stem: if mutual {
            format!("How do the two {} relate?", pair.subject.plural())
        } else {
            let (one, other) = (the(pair.subject, figure), the(pair.object, figure));
            format!("What is the {one} in relation to the {other}?")
        },
        right,
        wrong,
        last_stays: pair.truth.is_some(),
        tags: tag("relationship", name),
    })
}

/// Relationships that clearly do not hold. Those possible for these kinds come first, so that the
/// kinds alone do not reveal the answer.
fn distractors(pair: Pair, mutual: bool, rng: &mut Rng) -> Vec<Relationship> {
    let mut all = Relationship::ALL.to_vec();
    rng.shuffle(&mut all);
    all.retain(|relationship| {
        is_clearly_wrong(*relationship, pair) && !(mutual && repeats(*relationship))
    });
    all.sort_by_key(|relationship| !relationship.is_between(pair.subject, pair.object));
    all
}

/// Returns true if the relationship repeats another option when both shapes are of the same kind.
const fn repeats(relationship: Relationship) -> bool {
    matches!(relationship, Relationship::Circumscribed)
}

fn is_clearly_wrong(relationship: Relationship, pair: Pair) -> bool {
    use Relationship::{
        Circumscribed, Diagonal, Diameter, Inscribed, MajorAxis, MinorAxis, Parallel, SharedEdge,
        Tangent,
    };
    let straight = |kind: ShapeKind| kind == ShapeKind::Line || kind.corners() > 0;
    let both_lines = pair.subject == ShapeKind::Line && pair.object == ShapeKind::Line;
    if relationship == Parallel && straight(pair.subject) && straight(pair.object) && !both_lines {
        return false;
    }
    let holds_too: &[Relationship] = match pair.truth {
        // An inscribed circle touches all sides.
        Some(Inscribed | Circumscribed) => &[Tangent],
        Some(SharedEdge) => &[Tangent, Parallel],
        // The ends of a diagonal lie on the outline, like the corners of an inscribed shape.
        Some(Diagonal) => &[Inscribed, Diameter, MajorAxis],
        // An ellipse's axes are diameters too, and a circle's diameter can pass as an axis.
        Some(MajorAxis | MinorAxis) => &[Diameter, Inscribed],
        Some(Diameter) => &[MajorAxis, MinorAxis, Inscribed],
        Some(Tangent | Parallel) | None => &[],
    };
    pair.truth != Some(relationship) && !holds_too.contains(&relationship)
}
