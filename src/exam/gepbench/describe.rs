//! Writes the structured description and the caption of a figure, which serve as training data.

use kurbo::Point;
use serde_json::{Value as Json, json};

use super::draw::Drawing;
use super::schedule::{Version, quadrant};
use super::shape::Outline;
use super::{Figure, Shape};

/// Factor for rounding to four decimals.
const DIGITS: f64 = 1e4;

/// A line of `figures.jsonl`: shapes with positions and sizes in sides of the figure (y downwards),
/// relationships, caption.
pub(super) fn line(version: Version<'_>, figure: &Figure, drawing: &Drawing) -> String {
    let shapes = figure.shapes.iter().zip(&drawing.color_names);
    let relations = figure.relations.iter().map(|relation| {
        json!({
            "subject": relation.subject,
            "relationship": relation.relationship.name(),
            "object": relation.object,
        })
    });
    json!({
        "figure": version.name,
        "image": version.path,
        "noise": version.noisy,
        "shapes": shapes.map(|(shape, color)| description(shape, color)).collect::<Vec<_>>(),
        "relations": relations.collect::<Vec<_>>(),
        "caption": caption(figure, drawing),
    })
    .to_string()
}

fn description(shape: &Shape, color: &str) -> Json {
    let bounds = shape.bounds();
    let mut description = json!({
        "kind": shape.kind.name(),
        "color": color,
        "center": place(shape.center()),
        "horizontal_span": rounded(bounds.width()),
        "vertical_span": rounded(bounds.height()),
        "area": shape.area().map(rounded),
    });
    let mut add = |name: &str, value: Json| {
        if let Json::Object(description) = &mut description {
            description.insert(name.to_owned(), value);
        }
    };
    match &shape.outline {
        Outline::Line(line) => add("ends", json!([place(line.p0), place(line.p1)])),
        Outline::Polygon(corners) => add(
            "corners",
            corners.iter().map(|corner| place(*corner)).collect(),
        ),
        Outline::Round(round) => {
            add(
                "axes",
                json!([rounded(2.0 * round.major), rounded(2.0 * round.minor)]),
            );
            add("turn_degrees", rounded(round.turn.to_degrees()));
        }
        Outline::Spiral(spiral) => {
            add("radius", rounded(spiral.outer));
            add("turns", rounded(spiral.turns));
            add("turn_degrees", rounded(spiral.turn.to_degrees()));
        }
    }
    description
}

fn rounded(number: f64) -> Json {
    json!((number * DIGITS).round() / DIGITS)
}

fn place(point: Point) -> Json {
    json!([rounded(point.x), rounded(point.y)])
}

/// Caption of a figure: every shape with colour, position and size, and every relationship.
pub fn caption(figure: &Figure, drawing: &Drawing) -> String {
    let mut sentences = vec![format!("The figure shows {} shapes.", figure.shapes.len())];
    let named = |shape: usize| {
        let (kind, color) = (
            figure.shapes.get(shape)?.kind,
            drawing.color_names.get(shape)?,
        );
        Some(format!("{color} {}", kind.name()))
    };
    for (at, shape) in figure.shapes.iter().enumerate() {
        let Some(name) = named(at) else { continue };
        let article = if name.starts_with("orange") {
            "An"
        } else {
            "A"
        };
        let bounds = shape.bounds();
        sentences.push(format!(
            "{article} {name} in the {}, {:.2} wide and {:.2} high.",
            quadrant(shape.center(), Point::new(0.5, 0.5)),
            bounds.width(),
            bounds.height()
        ));
    }
    for relation in &figure.relations {
        if let (Some(subject), Some(object)) = (named(relation.subject), named(relation.object)) {
            sentences.push(format!(
                "The {subject} {} the {object}.",
                relation.relationship.verb()
            ));
        }
    }
    sentences.join(" ")
}
