//! CVAT's XML export "CVAT for images": one element per picture, with its shapes.

use super::picture::{AnnotatedPicture, Object, turned};
use super::xml::{self, Element, number};
use crate::coco::bounds;
use crate::{Candidate, Sink, Unit, has_ending};
use record::{ImageRef, Problem};

/// Shapes without an area; they are skipped.
const NO_SHAPES: [&str; 2] = ["points", "polyline"];

/// True for an XML file whose root holds annotations of pictures or of a video.
pub fn is_cvat(file: &Candidate) -> bool {
    let text = file.head_text();
    let is_xml = has_ending(&file.path, &["xml"]);
    let parts = ["<meta", "<image ", "<track "];
    is_xml && text.contains("<annotations") && parts.iter().any(|part| text.contains(part))
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let (mut tracks, mut skipped) = (0, 0);
    let end = xml::each(&unit.path, &mut |element| {
        match element.name.as_str() {
            "image" => match picture(&element, &mut skipped) {
                Ok(picture) => sink.record(picture.record(benchmark), element.line),
                Err(what) => sink.left_out(&unit.path, element.line, what),
            },
            "track" => tracks += 1,
            _ => {}
        }
        sink.progress(0)
    });
    if let Err((line, what)) = end {
        sink.problem(Problem::line(&unit.path, line, what));
    }
    for (count, noun, what) in [
        (
            tracks,
            "track",
            "of a video skipped: export as \"CVAT for images\"",
        ),
        (skipped, "shape", "without an area (points, lines) left out"),
    ] {
        if count > 0 {
            let what = format!("{} {what}", base::format::counted(count, noun));
            sink.problem(Problem::file(&unit.path, what));
        }
    }
    let _ = sink.progress(unit.length);
}

fn picture(element: &Element, skipped: &mut u64) -> Result<AnnotatedPicture, String> {
    let name = element.attribute("name");
    if name.is_empty() {
        return Err("a picture has no `name`".to_owned());
    }
    let mut picture = AnnotatedPicture {
        id: name.to_owned(),
        image: Some(ImageRef::Path(name.to_owned())),
        ..AnnotatedPicture::default()
    };
    let subset = Some(element.attribute("subset")).filter(|subset| !subset.is_empty());
    let split = subset.map(|subset| ("split".to_owned(), subset.into()));
    picture.tags.extend(split);
    for shape in &element.children {
        let label = shape.attribute("label");
        match shape.name.as_str() {
            "tag" => picture.classes.push(label.to_owned()),
            kind if NO_SHAPES.contains(&kind) => *skipped += 1,
            _ => picture.objects.extend(object(shape, label)?),
        }
    }
    Ok(picture)
}

/// Returns the bounding box of a shape as an object; `None` if the shape has no area.
fn object(shape: &Element, label: &str) -> Result<Option<Object>, String> {
    let value = |name: &str| number(name, shape.attribute(name));
    let points = match shape.name.as_str() {
        "box" => {
            let [x0, y0, x1, y1] = [value("xtl")?, value("ytl")?, value("xbr")?, value("ybr")?];
            vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        }
        "ellipse" => {
            let [x, y, rx, ry] = [value("cx")?, value("cy")?, value("rx")?, value("ry")?];
            vec![
                [x - rx, y - ry],
                [x + rx, y - ry],
                [x + rx, y + ry],
                [x - rx, y + ry],
            ]
        }
        "mask" => {
            let [x, y, w, h] = [
                value("left")?,
                value("top")?,
                value("width")?,
                value("height")?,
            ];
            vec![[x, y], [x + w, y + h]]
        }
        "cuboid" => corners(shape)?,
        "polygon" => points(shape.attribute("points"))?,
        "skeleton" => {
            let joints = shape
                .children
                .iter()
                .filter(|joint| joint.attribute("outside") != "1");
            let joints = joints.map(|joint| points(joint.attribute("points")));
            joints.collect::<Result<Vec<_>, _>>()?.concat()
        }
        _ => return Ok(None),
    };
    // CVAT rotates shapes around their centre.
    let degrees: f64 = shape.attribute("rotation").parse().unwrap_or_default();
    let [x0, y0, x1, y1] = bounds(points.iter().copied()).unwrap_or_default();
    let pivot = [x0.midpoint(x1), y0.midpoint(y1)];
    let turned = turned(&points, degrees, pivot, [1.0; 2]);
    Ok(Object::around(label, &turned))
}

/// Returns the corners of a cuboid, stored in attributes such as `xtl1` and `ytl1`.
fn corners(shape: &Element) -> Result<Vec<[f64; 2]>, String> {
    let names = shape
        .attributes
        .iter()
        .filter_map(|(name, _)| name.strip_prefix('x'));
    let value = |axis: &str, name: &str| {
        let name = format!("{axis}{name}");
        number(&name, shape.attribute(&name))
    };
    names
        .map(|name| Ok([value("x", name)?, value("y", name)?]))
        .collect()
}

/// Returns points written as `x,y;x,y`.
fn points(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',').ok_or("a point is not two numbers")?;
        Ok([number("points", x)?, number("points", y)?])
    };
    text.split(';')
        .filter(|point| !point.is_empty())
        .map(point)
        .collect()
}
