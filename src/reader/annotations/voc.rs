//! Pascal VOC's XML files, as written by `LabelImg` and many export tools.

use std::ops::ControlFlow;
use std::path::Path;

use super::folders::FileResult;
use super::picture::{AnnotatedPicture, Object};
use super::xml::{self, Element, number};
use crate::{Candidate, has_ending};
use record::ImageRef;

/// True for an XML file whose root is an annotation.
pub fn is_voc(file: &Candidate) -> bool {
    let text = file.head_text();
    let is_xml = has_ending(&file.path, &["xml"]);
    is_xml && text.contains("<annotation>") && text.contains("<filename>")
}

/// Reads the objects of a picture; the error is a line and a reason.
pub fn read(path: &Path) -> FileResult {
    let mut picture = AnnotatedPicture::default();
    let (mut bad, mut is_ours) = (None, false);
    xml::each(path, &mut |element| {
        match element.name.as_str() {
            "filename" => {
                is_ours = true;
                let name = (!element.text.is_empty()).then(|| ImageRef::Path(element.text.clone()));
                picture.image = name;
            }
            "object" => match object(&element) {
                Ok(object) => picture.objects.push(object),
                Err(what) => {
                    bad = Some((element.line, format!("{what}: the picture is left out")));
                    return ControlFlow::Break(());
                }
            },
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    bad.map_or(Ok(is_ours.then_some(picture)), Err)
}

fn object(element: &Element) -> Result<Object, String> {
    let name = element.text_of("name");
    let bounds = element
        .child("bndbox")
        .or_else(|| element.child("robndbox"));
    let bounds = bounds.ok_or("an object has no `bndbox`")?;
    let value = |name: &str| number(name, bounds.text_of(name));
    if bounds.name == "bndbox" {
        let corners = [
            value("xmin")?,
            value("ymin")?,
            value("xmax")?,
            value("ymax")?,
        ];
        return Ok(Object::new(name, corners));
    }
    // A rotated box, stored as centre, size, and angle in radians.
    let (x, y, width, height) = (value("cx")?, value("cy")?, value("w")?, value("h")?);
    let (sin, cos) = value("angle")?.sin_cos();
    let half_width = (width * cos).abs().midpoint((height * sin).abs());
    let half_height = (width * sin).abs().midpoint((height * cos).abs());
    let corners = [
        x - half_width,
        y - half_height,
        x + half_width,
        y + half_height,
    ];
    Ok(Object::new(name, corners))
}
