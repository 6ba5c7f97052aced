//! KITTI's label files: class, truncation, occlusion, angle, box, and seven 3D values.

use std::ops::ControlFlow;
use std::path::Path;

use super::folders::{self, FileResult, unreadable};
use super::picture::{AnnotatedPicture, Object};
use crate::lines::{self, START};
use crate::run_folder::file_name;
use crate::{Candidate, Sink, Unit, has_ending};
use record::Problem;

/// Number of values per annotated object; results have a score as an additional value.
const VALUES: usize = 15;
/// Class name of regions in which objects are not annotated.
const IGNORED: &str = "DontCare";

/// True for a text file whose first line is an annotated or predicted object.
pub fn is_kitti(file: &Candidate) -> bool {
    let text = file.head_text();
    has_ending(&file.path, &["txt"]) && (is_label(&text) || is_prediction(&file.path, &text))
}

/// Reads a folder of labels. A folder of predictions is only reported.
pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let text = std::fs::read_to_string(&unit.path).unwrap_or_default();
    if is_prediction(&unit.path, &text) {
        let what = "boxes with scores are not read in this layout: write them as COCO results";
        sink.problem(Problem::file(&unit.path, what));
    } else {
        folders::read(unit, sink, picture);
    }
}

fn is_label(text: &str) -> bool {
    first_line(text).is_some_and(|line| object(line).is_ok())
}

/// True if the first line is a predicted object: KITTI's values and a score, or any line of a file
/// with a name of Pascal VOC's results (`comp4_det_val_dog.txt`).
fn is_prediction(path: &Path, text: &str) -> bool {
    let name = file_name(path);
    let is_voc = name.starts_with("comp") && name.contains("_det_");
    first_line(text).is_some_and(|line| {
        let label = line.rsplit_once(char::is_whitespace);
        let is_scored = label.filter(|(_, score)| score.parse::<f64>().is_ok());
        is_voc || is_scored.is_some_and(|(label, _)| object(label).is_ok())
    })
}

fn first_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).find(|line| !line.is_empty())
}

/// Reads the objects of a picture, one per line. The error is a line and a reason.
fn picture(path: &Path) -> FileResult {
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
