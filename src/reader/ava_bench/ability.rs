//! Determines the ability of a file from its folder, or else from the wording of its questions.

use std::path::Path;

/// Folder names of the harness and its training data, with their abilities.
const FOLDERS: [(&str, &str); 31] = [
    ("abs_depth", "absolute_depth"),
    ("absolute_depth", "absolute_depth"),
    ("rel_depth", "relative_depth"),
    ("relative_depth", "relative_depth"),
    ("location", "localization"),
    ("localization", "localization"),
    ("spatial_bbox", "spatial"),
    ("spatial", "spatial"),
    ("action", "action_recognition"),
    ("action_recognition", "action_recognition"),
    ("recognition", "object_recognition"),
    ("object_recognition", "object_recognition"),
    ("object", "object_recognition"),
    ("scene_cls", "scene_recognition"),
    ("scene", "scene_recognition"),
    ("scene_classification", "scene_recognition"),
    ("scene_recognition", "scene_recognition"),
    ("ocr", "ocr"),
    ("counting", "counting"),
    ("count", "counting"),
    ("color", "color"),
    ("colour", "color"),
    ("fine_grained", "fine_grained"),
    ("fine-grained", "fine_grained"),
    ("finegrained", "fine_grained"),
    ("orientation", "orientation"),
    ("texture", "texture"),
    ("emotion", "emotion"),
    ("depth_absolute", "absolute_depth"),
    ("depth_relative", "relative_depth"),
    ("spatial_no_bbox", "spatial"),
];

/// Phrases that identify an ability, most specific first. Sources: the question templates in the
/// paper (appendix A) and in the harness.
const WORDINGS: [(&str, &str); 24] = [
    ("emotion", "emotion"),
    ("texture", "texture"),
    ("scene class", "scene_recognition"),
    ("scene category", "scene_recognition"),
    ("orientation of", "orientation"),
    ("closer to the camera", "relative_depth"),
    ("closer the camera", "relative_depth"),
    ("with respect to", "spatial"),
    ("relative to", "spatial"),
    ("relative position", "spatial"),
    ("rgb", "color"),
    ("what color", "color"),
    ("bounding box coordinate", "localization"),
    ("provide the bounding box", "localization"),
    ("what is in the red bounding box", "object_recognition"),
    ("how far", "absolute_depth"),
    ("distance", "absolute_depth"),
    ("how many", "counting"),
    ("text in", "ocr"),
    ("written in", "ocr"),
    ("what species", "fine_grained"),
    ("which class does", "fine_grained"),
    ("action", "action_recognition"),
    ("person doing", "action_recognition"),
];

/// Returns the ability that the nearest folder above the file names.
pub fn of_path(path: &Path) -> Option<&'static str> {
    path.ancestors()
        .skip(1)
        .find_map(|folder| of_name(&folder.file_name()?.to_string_lossy()))
}

/// Returns the ability suggested by the wording of a question.
pub fn of_question(question: &str) -> Option<&'static str> {
    let question = question.to_lowercase();
    WORDINGS
        .iter()
        .find(|(words, _)| question.contains(words))
        .map(|(_, ability)| *ability)
}

fn of_name(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace([' ', '-'], "_");
    FOLDERS
        .iter()
        .find(|(folder, _)| folder.replace('-', "_") == name)
        .map(|(_, ability)| *ability)
}
