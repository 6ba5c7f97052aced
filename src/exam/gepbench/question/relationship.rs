//! How two shapes stand to each other; `none of the above` is an answer too, and stands last.

use super::{Question, Want, tag, the};
use crate::Dice;
use crate::gepbench::shape::Outline;
use crate::gepbench::{Figure, Kind, Relationship};

/// The place of `none of the above`, which is right as often as every other place.
const NONE: usize = 3;
/// The answer when two shapes are not related.
const NONE_OF_THEM: &str = "none of the above";
/// Lines of which nobody would say that they are parallel, in radians.
const CROSSWISE: f64 = 0.35;

/// The relationship that the figure should show for the wanted answer.
#[must_use]
pub fn wished(want: &Want) -> Option<Relationship> {
    (want.place != NONE).then(|| {
        Relationship::ALL
            .get(want.one_of(Relationship::ALL.len(), 0))
            .copied()
    })?
}

/// How often an unrelated pair is one of those that few relationships are possible for: where a line and a
/// square are asked about, it would else be guessed that the one is a diagonal of the other.
const GUESSABLE: f64 = 0.8;

/// Two shapes that can be told by name, and what the first is to the second.
#[derive(Clone, Copy)]
struct Pair {
    subject: Kind,
    object: Kind,
    truth: Option<Relationship>,
}

impl Pair {
    /// How many relationships shapes of these kinds can have.
    fn possibilities(self) -> usize {
        let possible =
            |relationship: &&Relationship| relationship.is_between(self.subject, self.object);
        Relationship::ALL.iter().filter(possible).count()
    }
}

/// The question with the wanted answer.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    let wished = wished(want);
    let mut pairs = if want.place == NONE {
        unrelated(figure)
    } else {
        related(figure)
    };
    if want.exactly && want.place != NONE {
        pairs.retain(|pair| pair.truth == wished);
    }
    if want.place == NONE && dice.chance(GUESSABLE) {
        let fewest = pairs.iter().map(|pair| pair.possibilities()).min();
        pairs.retain(|pair| Some(pair.possibilities()) == fewest);
    }
    let pair = dice.pick(&pairs)?;
    question(figure, reversed(*pair, dice), dice)
}

fn is_named(figure: &Figure, one: Kind, other: Kind) -> bool {
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

/// Pairs that are not related, though the engine could have related their kinds.
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

/// Half of the pairs the other way round, where there is a word for it.
fn reversed(pair: Pair, dice: &mut Dice) -> Pair {
    match pair.truth.map(Relationship::reverse) {
        Some(Some(truth)) if dice.chance(0.5) => Pair {
            subject: pair.object,
            object: pair.subject,
            truth: Some(truth),
        },
        _ => pair,
    }
}

fn question(figure: &Figure, pair: Pair, dice: &mut Dice) -> Option<Question> {
    let mutual = pair.subject == pair.object;
    let phrase = |relationship: Relationship| {
        if mutual {
            relationship.mutual_phrase()
        } else {
            relationship.phrase()
        }
        .to_owned()
    };
    let mut wrong = distractors(pair, mutual, dice);
    let (right, last) = if let Some(truth) = pair.truth {
        wrong.truncate(2);
        (phrase(truth), Some(NONE_OF_THEM.to_owned()))
    } else {
        wrong.truncate(3);
        (NONE_OF_THEM.to_owned(), None)
    };
    let wrong: Vec<String> = wrong.into_iter().map(phrase).chain(last).collect();
    let name = pair.truth.map_or("none", Relationship::name);
    (wrong.len() == 3).then(|| Question {
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

/// Relationships that clearly do not hold: first such as shapes of these kinds could have, so that the kinds
/// alone do not tell the answer, then others.
fn distractors(pair: Pair, mutual: bool, dice: &mut Dice) -> Vec<Relationship> {
    let mut all = Relationship::ALL.to_vec();
    dice.shuffle(&mut all);
    all.retain(|relationship| {
        is_clearly_wrong(*relationship, pair) && !(mutual && repeats(*relationship))
    });
    all.sort_by_key(|relationship| !relationship.is_between(pair.subject, pair.object));
    all
}

/// Of two shapes of one kind, one being inscribed in the other says the same as the reverse.
const fn repeats(relationship: Relationship) -> bool {
    matches!(relationship, Relationship::Circumscribed)
}

fn is_clearly_wrong(relationship: Relationship, pair: Pair) -> bool {
    use Relationship::{
        Circumscribed, Diagonal, Diameter, Inscribed, MajorAxis, MinorAxis, Parallel, SharedEdge,
        Tangent,
    };
    let straight = |kind: Kind| kind == Kind::Line || kind.corners() > 0;
    let both_lines = pair.subject == Kind::Line && pair.object == Kind::Line;
    if relationship == Parallel && straight(pair.subject) && straight(pair.object) && !both_lines {
        return false;
    }
    let holds_too: &[Relationship] = match pair.truth {
        // An inscribed circle touches all sides.
        Some(Inscribed | Circumscribed) => &[Tangent],
        Some(SharedEdge) => &[Tangent, Parallel],
        // The ends of a diagonal lie on the outline, as those of an inscribed shape.
        Some(Diagonal) => &[Inscribed, Diameter, MajorAxis],
        // An ellipse's axes are diameters, a circle's diameter is as good as an axis.
        Some(MajorAxis | MinorAxis) => &[Diameter, Inscribed],
        Some(Diameter) => &[MajorAxis, MinorAxis, Inscribed],
        Some(Tangent | Parallel) | None => &[],
    };
    pair.truth != Some(relationship) && !holds_too.contains(&relationship)
}
