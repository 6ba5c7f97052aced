//! Checks answers: evaluates every option again from the figure, by rules without margins. Only the
//! target may be right.

use kurbo::Point;

use super::super::question::FigureQuestion;
use super::super::{Figure, Gepbench, Noise, Relationship, Shape, ShapeKind};
use super::holds::holds;

/// Returns true if an option answers a question.
fn is_right(question: &FigureQuestion, option: &str, figure: &Figure) -> bool {
    let stem = question.stem.as_str();
    if let Some(rest) = stem.strip_prefix("Which of these shapes is not in") {
        assert_eq!(rest, " the figure?");
        return figure.count(kind(option)) == 0;
    }
    if stem.starts_with("Which of these shapes is in") {
        return figure.count(kind(option)) > 0;
    }
    if let Some(rest) = stem.strip_prefix("Is there ") {
        return of_two(rest, option, figure);
    }
    if let Some(rest) = stem.strip_prefix("How many ") {
        let (plural, _) = rest.split_once(" are in the figure").unwrap();
        let counted = ShapeKind::ALL
            .into_iter()
            .find(|kind| kind.exact_plural() == plural);
        return option.parse() == Ok(figure.count(counted.unwrap()));
    }
    if stem.starts_with("The figure is 1 wide") {
        return of_size(question, option, figure);
    }
    if stem.starts_with("In which quadrant") || stem.starts_with("Where is the centre") {
        return of_place(stem, option, figure);
    }
    if stem.starts_with("Which of these shapes") {
        return figure.count(kind(option)) > 0 && of_reference(stem, kind(option), figure);
    }
    of_relationship(question, option, figure)
}

/// Kind named by an option or a part of a question.
fn kind(text: &str) -> ShapeKind {
    let named = |kind: &ShapeKind| kind.exact_name() == text || kind.name() == text;
    ShapeKind::ALL
        .into_iter()
        .find(named)
        .unwrap_or_else(|| panic!("{text}"))
}

/// The only shape of a kind.
fn the<'a>(text: &str, figure: &'a Figure) -> &'a Shape {
    let mut shapes = figure.of(kind(text));
    let shape = shapes.next().unwrap();
    assert!(shapes.next().is_none(), "which {text}?");
    shape
}

fn of_two(rest: &str, option: &str, figure: &Figure) -> bool {
    let (pair, _) = rest.split_once(", or both").unwrap();
    let (one, other) = pair.split_once(", or ").unwrap();
    let bare = |text: &str| {
        let text = text
            .strip_prefix("an ")
            .or_else(|| text.strip_prefix("a "))
            .unwrap();
        kind(text)
    };
    let there = |text: &str| figure.count(bare(text)) > 0;
    match option {
        "both" => there(one) && there(other),
        "neither" => !there(one) && !there(other),
        only => {
            let named = only.strip_prefix("only ").unwrap();
            let left_out = if named == one { other } else { one };
            there(named) && !there(left_out)
        }
    }
}

/// Returns true for the option nearest to the true size by ratio; the others are clearly farther
/// off.
fn of_size(question: &FigureQuestion, option: &str, figure: &Figure) -> bool {
    let (_, rest) = question.stem.split_once("closest to the ").unwrap();
    let (dimension, name) = rest.split_once(" of the ").unwrap();
    let shape = the(name.trim_end_matches('?'), figure);
    let true_size = match dimension {
        "horizontal span" => shape.bounds().width(),
        "vertical span" => shape.bounds().height(),
        _ => shape.area().unwrap(),
    };
    let off = |text: &str| (text.parse::<f64>().unwrap() / true_size).ln().abs();
    let others = question
        .wrong
        .iter()
        .chain([&question.right])
        .filter(|other| *other != option);
    let nearest_other = others.map(|other| off(other)).fold(f64::MAX, f64::min);
    off(option) < 1.13_f64.ln() && nearest_other > 1.25_f64.ln()
}

fn matches(place: &str, point: Point, from: Point) -> bool {
    let (vertical, horizontal) = place.split_once(' ').unwrap();
    (vertical == "upper") == (point.y < from.y) && (horizontal == "left") == (point.x < from.x)
}

fn of_place(stem: &str, option: &str, figure: &Figure) -> bool {
    let (_, rest) = stem.split_once("centre of the ").unwrap();
    match rest.split_once(" in relation to the centre of the ") {
        Some((one, other)) => {
            let from = the(other.trim_end_matches('?'), figure).center();
            matches(option, the(one, figure).center(), from)
        }
        None => matches(
            option,
            the(rest.trim_end_matches('?'), figure).center(),
            Point::new(0.5, 0.5),
        ),
    }
}

/// Returns true if any shape of the kind fits, so that a wrong option is wrong for all its shapes.
fn of_reference(stem: &str, kind: ShapeKind, figure: &Figure) -> bool {
    let mut shapes = figure.of(kind);
    let stem = stem.trim_end_matches('?');
    if let Some((_, anchor)) = stem.split_once("a larger area than the ") {
        let area = the(anchor, figure).area().unwrap();
        return shapes.any(|shape| shape.area().is_none_or(|other| other > area));
    }
    if let Some((_, anchor)) = stem.split_once("a smaller area than the ") {
        let area = the(anchor, figure).area().unwrap();
        return shapes.any(|shape| shape.area().is_none_or(|other| other < area));
    }
    if let Some((_, rest)) = stem.split_once("its centre in the ") {
        let place = rest.strip_suffix(" quadrant of the figure").unwrap();
        return shapes.any(|shape| matches(place, shape.center(), Point::new(0.5, 0.5)));
    }
    if let Some((_, rest)) = stem.split_once("its centre to the ") {
        let (place, anchor) = rest.split_once(" of the centre of the ").unwrap();
        let from = the(anchor, figure).center();
        return shapes.any(|shape| matches(place, shape.center(), from));
    }
    let (_, times) = stem.split_once("appears exactly ").unwrap();
    let words = ["once in", "twice in", "three times in"];
    words.iter().position(|word| times.starts_with(word)) == Some(figure.count(kind) - 1)
}

fn of_relationship(question: &FigureQuestion, option: &str, figure: &Figure) -> bool {
    let stem = question.stem.trim_end_matches('?');
    let (one, other) = match stem.strip_prefix("What is the ") {
        Some(rest) => {
            let (one, other) = rest.split_once(" in relation to the ").unwrap();
            (the(one, figure), the(other, figure))
        }
        None => {
            let plural = stem.strip_prefix("How do the two ").unwrap();
            let plural = plural.strip_suffix(" relate").unwrap();
            let kind = ShapeKind::ALL
                .into_iter()
                .find(|kind| kind.plural() == plural)
                .unwrap();
            let both: Vec<_> = figure.of(kind).collect();
            let [one, other] = both.as_slice() else {
                panic!("{} {plural}", both.len())
            };
            (*one, *other)
        }
    };
    let is_so = |relationship: &Relationship| {
        holds(*relationship, one, other)
            || (one.kind == other.kind && holds(*relationship, other, one))
    };
    if option == "none of the above" {
        return !Relationship::ALL.iter().any(is_so);
    }
    let named = |relationship: &Relationship| {
        [relationship.phrase(), relationship.mutual_phrase()].contains(&option)
    };
    is_so(&Relationship::ALL.into_iter().find(named).unwrap())
}

#[test]
fn the_target_and_no_other_option_is_right() {
    for seed in 0..3 {
        let benchmark = Gepbench::new(100_000, seed, Noise::None);
        for number in 0..400 {
            let asked = benchmark.asked(number);
            for (want, question) in &asked.questions {
                assert_eq!(question.wrong.len(), 3, "{question:?}");
                assert!(
                    is_right(question, &question.right, &asked.figure),
                    "figure {number} of {seed}, {want:?}: {question:?}\n{:?}",
                    asked.figure
                );
                for wrong in &question.wrong {
                    assert_ne!(wrong, &question.right);
                    assert!(
                        !is_right(question, wrong, &asked.figure),
                        "figure {number} of {seed}, {want:?}: {wrong} is right too: {question:?}\n{:?}",
                        asked.figure
                    );
                }
            }
        }
    }
}
