//! KITTI's label files: class, truncation, occlusion, angle, box, and seven 3D values.

use std::ops::ControlFlow;
use std::path::Path;

use super::folders::{FileResult, unreadable};
use super::picture::{AnnotatedPicture, Object};
use crate::lines::{self, START};
use crate::{Candidate, has_ending};

/// Number of values per annotated object; results have a score as an additional value.
const VALUES: usize = 15;
/// Class name of regions in which objects are not annotated.
const IGNORED: &str = "DontCare";

/// True for a text file whose first line is an annotated object.
pub fn is_kitti(file: &Candidate) -> bool {
    let is_text = has_ending(&file.path, &["txt"]);
    let first = |text: &str| {
        let line = text.lines().find(|line| !line.trim().is_empty())?;
        object(line).ok()
    };
    is_text && first(&file.head_text()).is_some()
}

/// Reads the objects of a picture, one per line. The error is a line and a reason.
pub fn read(path: &Path) -> FileResult {
    let mut picture = AnnotatedPicture::default();
    let mut bad = None;
    let read = lines::each(path, START, &mut |line| {
        let text = line.text.map(String::from_utf8_lossy);
        match text.and_then(|text| {
            if text.is_empty() {
                Ok(None)
            } else {
                object(&text).map(Some)
            }
        }) {
            Ok(object) => picture.objects.extend(object),
            Err(what) => {
                bad = Some((line.number, format!("{what}: the picture is left out")));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    let _ = read.map_err(|error| unreadable(&error))?;
    bad.map_or(Ok(Some(picture)), Err)
}

fn object(line: &str) -> Result<Object, String> {
    let values: Vec<&str> = line.split_ascii_whitespace().collect();
    if values.len() != VALUES {
        let count = base::format::counted(values.len() as u64, "value");
        return Err(format!("{count} where an object has {VALUES}"));
    }
    let numbers = values.iter().skip(1).map(|value| value.parse::<f64>().ok());
    let numbers = numbers.map(|value| value.filter(|value| value.is_finite()));
    let numbers: Option<Vec<f64>> = numbers.collect();
    let numbers = numbers.ok_or("a value is not a number")?;
    let (Some(&class), Some(&[x0, y0, x1, y1])) = (values.first(), numbers.get(3..7)) else {
        return Err("no box".to_owned());
    };
    if class.parse::<f64>().is_ok() {
        return Err("the class is a number".to_owned());
    }
    Ok(Object {
        is_region: class == IGNORED,
        ..Object::new(class, [x0, y0, x1, y1])
    })
}
