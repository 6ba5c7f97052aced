//! Reads the predicted boxes of a run, and joins them with the ground truth.

use std::collections::HashSet;

use super::SPLIT;
use super::data_set::{DataSet, id_of};
use super::label::{Labels, Purpose};
use super::sample::{LABELS, has_ending, is_labels, stem_of};
use crate::coco::{self, Annotations, Id, Number, Row};
use crate::open::{is_file, paths_in};
use crate::{Sink, Unit};
use record::Problem;

/// Problem of a run without ground truth.
const NO_TRUTH: &str = "neither a data set (YAML file with `names` and `val`) nor COCO annotations found near it; name their folder with --data";
/// Numbers between 1 and 90 that are not class ids of COCO.
const GAPS: [i64; 10] = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83];

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(file) = unit.companions.first() else {
        // If several annotation files were compared, the problem is already reported.
        if unit.problem.is_none() {
            sink.problem(Problem::file(&unit.path, NO_TRUTH));
        }
        return;
    };
    if has_ending(file, &["json"]) {
        return coco::read(unit, sink);
    }
    let Some(set) = DataSet::read(file) else {
        let what = "cannot be read, or lacks `names` or a split";
        return sink.problem(Problem::file(file, what));
    };
    let of_labels = is_labels(&unit.path);
    let rows = if of_labels {
        Some(Vec::new())
    } else {
        coco::rows(unit, sink)
    };
    let Some(rows) = rows else { return };
    let code = codes(&set, &mut rows.iter().map(|(_, row)| &row.category_id));
    let split = unit.settings.get(SPLIT).map_or("", String::as_str);
    let truth = set.annotations(split, &code, &mut |problem| sink.problem(problem));
    let rows = if of_labels {
        label_rows(unit, &truth, &code, sink)
    } else {
        rows
    };
    coco::join(unit, &rows, &truth, &set.name(), sink);
}

/// Returns a function that maps a class index to the id used in results. COCO's splits use COCO's
/// ids; other splits count from 1, or from 0 in versions before 8.3.
pub fn codes(set: &DataSet, ids: &mut dyn Iterator<Item = &Id>) -> impl Fn(usize) -> i64 + use<> {
    let ids: HashSet<i64> = ids.filter_map(Id::integer).collect();
    let has_gaps = set.is_coco() && ids.iter().all(|id| !GAPS.contains(id));
    let first = i64::from(!ids.contains(&0));
    move |class| {
        let plain = i64::try_from(class).unwrap_or(i64::MAX - 100) + first;
        if has_gaps {
            GAPS.into_iter()
                .fold(plain, |id, gap| id + i64::from(id >= gap))
        } else {
            plain
        }
    }
}

/// Returns the boxes in the label files of a run, in pixels. `code` maps a class index to an id.
fn label_rows(
    unit: &Unit,
    truth: &Annotations,
    code: impl Fn(usize) -> i64,
    sink: &mut dyn Sink,
) -> Vec<(u64, Row)> {
    let (mut rows, mut repeated, mut bad) = (Vec::new(), 0, 0);
    let files = paths_in(unit.path.parent().unwrap_or(&unit.path)).into_iter();
    for path in files.filter(|path| is_labels(path) && is_file(path)) {
        let labels = match Labels::read(&path, Purpose::Results) {
            Ok(labels) => labels,
            Err(error) => {
                sink.problem(Problem::unreadable(&path, error));
                continue;
            }
        };
        repeated += labels.repeated;
        bad += labels.bad.len() as u64;
        for (line, what) in labels.bad {
            sink.left_out(&path, line, what);
        }
        let id = id_of(&stem_of(&path));
        let size = truth.pictures.get(&id).map(|picture| picture.size);
        let [width, height] = size.unwrap_or_default().lengths();
        rows.extend(labels.objects.into_iter().map(|label| {
            let [x, y, w, h] = label.xywh;
            let bbox = [x * width, y * height, w * width, h * height];
            let row = Row {
                image_id: id.clone(),
                file_name: None,
                category_id: Id::Number(code(label.class)),
                bbox: Some(bbox),
                segmentation: None,
                keypoints: None,
                score: Number(label.score.unwrap_or_default()),
            };
            (label.line, row)
        }));
    }
    if repeated > 0 {
        let what = format!(
            "{} left out of `{LABELS}`: another run in the same folder appends to these files",
            base::format::counted(repeated, "repeated line"),
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    sink.entries(rows.len() as u64 + bad);
    rows
}
