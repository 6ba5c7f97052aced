//! COCO annotations that no results refer to.

use super::picture::{AnnotatedPicture, Object};
use super::write_back::VERDICT;
use crate::coco::{Annotations, FORMAT, LVIS, is_annotations};
use crate::ultralytics::sample::stem_of;
use crate::{Candidate, Context, Sink, Unit};
use record::{ImageRef, Problem};

pub fn plan(files: &mut Vec<Candidate>, format: &'static str, context: &Context) -> Vec<Unit> {
    let mut units = Unit::singles(files, format, context, is_annotations);
    let is_one = units.len() == 1;
    for unit in &mut units {
        // A single annotation file gets the same benchmark name as results, so that its verdicts
        // fit results opened later. With several files, picture ids can collide.
        let name = stem_of(&unit.path);
        unit.dataset = Some(if is_one { FORMAT.to_owned() } else { name });
        let folder = unit.path.parent().unwrap_or(&unit.path).to_path_buf();
        let above = folder
            .parent()
            .map(|above| [above.to_path_buf(), above.join("images")]);
        unit.image_roots.extend(above.into_iter().flatten());
        unit.image_roots.push(folder.join("images"));
    }
    units
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let mut problems = Vec::new();
    let annotations =
        match Annotations::read(&unit.path, &[], &mut |problem| problems.push(problem)) {
            Ok(annotations) => annotations,
            Err(what) => return sink.problem(Problem::file(&unit.path, what)),
        };
    if annotations.classes.is_empty() {
        let what = "no categories, so it contains no box annotations";
        return sink.problem(Problem::file(&unit.path, what));
    }
    for problem in problems {
        let rows = u64::from(problem.line.is_some());
        sink.problem(problem.leaving_out(rows));
    }
    let benchmark = match unit.dataset.as_deref().unwrap_or_default() {
        FORMAT if annotations.is_federated() => LVIS,
        name => name,
    };
    for (id, picture) in annotations.pictures {
        let objects = picture.objects.iter().map(|object| {
            let truth = &object.truth;
            let class = annotations.classes.get(truth.class as usize);
            let [x, y, width, height] = truth.xywh;
            Object {
                area: Some(truth.area),
                is_region: truth.crowd,
                ..Object::new(
                    class.map_or("", String::as_str),
                    [x, y, x + width, y + height],
                )
            }
        });
        let image = (!picture.file.is_empty()).then(|| ImageRef::Path(picture.file.clone()));
        let verdict = picture.verdict.as_deref();
        let verdict = verdict.map(|verdict| (VERDICT.to_owned(), verdict.into()));
        let picture = AnnotatedPicture {
            id: id.to_string(),
            image,
            tags: verdict.into_iter().collect(),
            objects: objects.collect(),
            ..AnnotatedPicture::default()
        };
        sink.record(picture.record(benchmark), 1);
        if sink.progress(0).is_break() {
            return;
        }
    }
    let _ = sink.progress(unit.length);
}
