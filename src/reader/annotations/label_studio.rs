//! Label Studio's exports: `JSON` (tasks with the annotations of all annotators) and `JSON-MIN`
//! (single annotations). Coordinates are in percent of the picture.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::picture::{AnnotatedPicture, Object, turned};
use super::write_back::{OWN, VERDICT};
use crate::{Candidate, Sink, Unit, json};
use media::locate;
use record::{ImageRef, Problem};

/// Length of the random prefix in the names of uploaded files, including the dash.
const PREFIX: usize = 9;

/// True for a JSON list whose first objects look like tasks or like single annotations.
pub fn is_label_studio(file: &Candidate) -> bool {
    let text = file.head_text();
    let is_list = text.trim_start().starts_with('[');
    let has = |key: &str| text.contains(key);
    let people = has("\"annotations\"") || has("\"completions\"");
    let is_whole = people && has("\"data\"") && has("\"result\"");
    let has_labels = || has("labels\"") || has("\"choices\"") || has("\"points\"");
    is_list && (is_whole || has("\"annotation_id\"") && has("\"annotator\"") && has_labels())
}

/// Converts a `JSON-MIN` annotation, which mixes regions and data in one object, to a task. `None`
/// if the object is already a task.
fn task_of(annotation: &Json) -> Option<Json> {
    let members = annotation.as_object()?;
    let is_whole = ["annotations", "completions"]
        .iter()
        .any(|name| members.contains_key(*name));
    if is_whole || !members.contains_key("annotation_id") {
        return None;
    }
    let mut regions = Vec::new();
    for value in members.values() {
        let of_list = value.as_array().into_iter().flatten();
        let of_member = value.get("choices").map(|_| value);
        for value in of_list.chain(of_member).filter_map(Json::as_object) {
            let is_kind = |name: &&String| name.ends_with("labels") || *name == "choices";
            let kind = value.keys().find(is_kind).map_or("shape", String::as_str);
            regions.push(json!({
                "type": kind,
                "value": value,
                "original_width": value.get("original_width"),
                "original_height": value.get("original_height"),
            }));
        }
    }
    Some(json!({
        "id": members.get("id"),
        "data": annotation,
        "annotations": [{"result": regions, "completed_by": members.get("annotator")}],
    }))
}

/// Tasks built from single annotations, in the order of their first annotation.
#[derive(Default)]
struct Tasks {
    tasks: Vec<(u64, Json)>,
    places: HashMap<String, usize>,
}

impl Tasks {
    /// Adds a task with one annotation. If the task's id is known, only the annotation is added.
    fn add(&mut self, line: u64, task: Json) {
        let id = json::plain(&task["id"]);
        let known = self.places.get(&id).and_then(|at| self.tasks.get_mut(*at));
        if let Some(Json::Array(known)) = known.and_then(|(_, task)| task.get_mut("annotations")) {
            known.extend(list(&task, "annotations").cloned());
        } else {
            self.places.insert(id, self.tasks.len());
            self.tasks.push((line, task));
        }
    }
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => return sink.problem(Problem::unreadable(&unit.path, error)),
    };
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let (mut open, mut predictions) = (0, 0);
    let mut pass = |line, task: &Json, sink: &mut dyn Sink| {
        let made = list(task, "predictions").filter(|it| has_result(it));
        predictions += made.count() as u64;
        match pictures(task, &unit.image_roots) {
            Ok(pictures) => {
                open += u64::from(pictures.is_empty());
                for picture in pictures {
                    sink.record(picture.record(benchmark), line);
                }
            }
            Err(what) => sink.left_out(&unit.path, line, what),
        }
    };
    let mut tasks = Tasks::default();
    for (line, element) in json::elements(&bytes) {
        match element.and_then(|text| json::parse(text, line)) {
            Ok(task) => match task_of(&task) {
                Some(task) => tasks.add(line, task),
                None => pass(line, &task, sink),
            },
            Err(what) => sink.left_out(&unit.path, line, what),
        }
        if sink.progress(0).is_break() {
            return;
        }
    }
    for (line, task) in &tasks.tasks {
        pass(*line, task, sink);
    }
    for (count, noun, what) in [
        (open, "task", "without annotation: left out"),
        (
            predictions,
            "prediction",
            "of models skipped: only annotations are read",
        ),
    ] {
        if count > 0 {
            let what = format!("{} {what}", base::format::counted(count, noun));
            sink.problem(Problem::file(&unit.path, what));
        }
    }
    let _ = sink.progress(unit.length);
}

fn list<'a>(value: &'a Json, name: &str) -> impl Iterator<Item = &'a Json> {
    value
        .get(name)
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
}

fn has_result(of: &Json) -> bool {
    list(of, "result").next().is_some()
}

/// Returns one annotated picture per annotator of a task. Annotators who skipped the task are left
/// out.
fn pictures(task: &Json, roots: &[PathBuf]) -> Result<Vec<AnnotatedPicture>, String> {
    let id = task.get("id").filter(|id| id.is_number() || id.is_string());
    let id = json::plain(id.ok_or("the task has no `id`")?);
    let data = task.get("data");
    let image = data.and_then(|data| image(data, roots));
    let verdict = data.and_then(|data| data.get(VERDICT)?.as_str());
    let verdict = verdict.map(|verdict| (VERDICT.to_owned(), verdict.into()));
    let is_skipped = |it: &&Json| it.get("was_cancelled").and_then(Json::as_bool) == Some(true);
    // The list had this name before version 1.0.
    let all = list(task, "annotations").chain(list(task, "completions"));
    let people: Vec<&Json> = all.filter(|it| !is_skipped(it)).collect();
    let picture = |(at, it): (usize, &&Json)| -> Result<AnnotatedPicture, String> {
        let regions = it.get("result").and_then(Json::as_array);
        let regions = regions.ok_or("an annotation has no list `result`")?;
        let mut picture = AnnotatedPicture {
            id: id.clone(),
            image: image.clone(),
            tags: verdict.clone().into_iter().collect(),
            annotator: (people.len() > 1).then(|| annotator(it, at)),
            ..AnnotatedPicture::default()
        };
        for region in regions {
            add(&mut picture, region, regions)?;
        }
        Ok(picture)
    };
    people.iter().enumerate().map(picture).collect()
}

/// Returns a name made of the annotator's id and the annotation's number, because one person can
/// annotate a task twice.
fn annotator(annotation: &Json, at: usize) -> String {
    let person = annotation.get("completed_by");
    let person = person.and_then(|person| person.get("id").or(Some(person)));
    let person = person.filter(|person| !person.is_null());
    let person = person.map_or_else(|| "?".to_owned(), json::plain);
    format!("{person} #{}", at + 1)
}

/// Adds a labelled region to a picture.
fn add(picture: &mut AnnotatedPicture, region: &Json, all: &[Json]) -> Result<(), String> {
    let (Some(kind), Some(value)) = (
        region.get("type").and_then(Json::as_str),
        region.get("value"),
    ) else {
        return Ok(()); // A relation between regions.
    };
    let names = list(value, kind).filter_map(Json::as_str);
    let names = names.collect::<Vec<_>>().join(", ");
    if kind == "choices" {
        picture.classes.push(names);
        return Ok(());
    }
    // A shape and its labels can be stored as two regions with the same id.
    let is_twin = |other: &Json| {
        let is_same = other.get("id").is_some() && other.get("id") == region.get("id");
        is_same && other.get("type") != region.get("type")
    };
    if !kind.ends_with("labels") && all.iter().any(is_twin) {
        return Ok(());
    }
    let Some(corners) = corners(value)? else {
        return Ok(());
    };
    let number = |name: &str| region.get(name).and_then(Json::as_f64);
    let size = number("original_width").zip(number("original_height"));
    let size = size.map(|(width, height)| [width, height]);
    let size = size.filter(|[width, height]| *width > 0.0 && *height > 0.0);
    let degrees = value.get("rotation").and_then(Json::as_f64);
    // Label Studio rotates shapes around their first corner.
    let pivot = corners.first().copied().unwrap_or_default();
    let unit = size.unwrap_or([1.0, 1.0]);
    let turned = turned(&corners, degrees.unwrap_or_default(), pivot, unit);
    picture
        .objects
        .extend(Object::around(&names, &turned).map(|object| {
            let xyxy = object.xyxy.map(|percent| percent / 100.0);
            Object::relative(&names, xyxy, size)
        }));
    Ok(())
}

/// Returns the corners of a region's shape, in percent; `None` if the region has no shape.
fn corners(value: &Json) -> Result<Option<Vec<[f64; 2]>>, String> {
    let number = |name: &str| {
        let number = value.get(name).and_then(Json::as_f64);
        number.ok_or_else(|| format!("`{name}` of a region is not a number"))
    };
    if let Some(points) = value.get("points") {
        let points = points.as_array().into_iter().flatten();
        let point = |point: &Json| {
            let [x, y] = [0, 1].map(|at| point.get(at).and_then(Json::as_f64));
            Some([x?, y?])
        };
        let points: Option<Vec<_>> = points.map(point).collect();
        return points
            .map(Some)
            .ok_or_else(|| "a point is not two numbers".to_owned());
    }
    let has = |name: &str| value.get(name).is_some();
    if has("radiusX") {
        let (x, y, rx, ry) = (
            number("x")?,
            number("y")?,
            number("radiusX")?,
            number("radiusY")?,
        );
        return Ok(Some(vec![[x - rx, y - ry], [x + rx, y + ry]]));
    }
    // A key point has a width but no height.
    if !has("x") || !has("height") {
        return Ok(None);
    }
    let (x, y, width, height) = (
        number("x")?,
        number("y")?,
        number("width")?,
        number("height")?,
    );
    let (right, bottom) = (x + width, y + height);
    Ok(Some(vec![[x, y], [right, y], [right, bottom], [x, bottom]]))
}

/// Returns the picture of a task: an upload, a local file, a URL, or a data URL.
fn image(data: &Json, roots: &[PathBuf]) -> Option<ImageRef> {
    let texts = data.as_object()?.iter();
    let texts = texts.filter(|(name, _)| !name.starts_with(OWN));
    let texts = texts.filter_map(|(name, value)| Some((name, value.as_str()?)));
    let is_picture = |(name, text): &(&String, &str)| {
        let path = text
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let endings = ["png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff"];
        name.to_lowercase().contains("image")
            || text.starts_with("data:image")
            || endings
                .iter()
                .any(|ending| path.ends_with(&format!(".{ending}")))
    };
    let (_, text) = texts.into_iter().find(is_picture)?;
    let found = json::image(text);
    let ImageRef::Path(path) = found else {
        return Some(found);
    };
    // Examples: `/data/local-files/?d=folder/a.png` and `s3://bucket/folder/a.png`.
    let path = path
        .split_once("?d=")
        .map_or(path.as_str(), |(_, path)| path);
    let path = path.split_once("://").map_or(path, |(_, path)| path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let bare = name.split_at_checked(PREFIX).filter(|(prefix, _)| {
        let random = prefix.strip_suffix('-').unwrap_or_default();
        !random.is_empty() && random.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let bare = bare
        .map(|(_, name)| name)
        .filter(|_| locate(path, roots).is_err());
    Some(ImageRef::Path(bare.unwrap_or(path).to_owned()))
}
