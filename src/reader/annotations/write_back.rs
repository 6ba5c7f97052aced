//! Writes verdicts into the files of annotation tools. All other bytes stay unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use serde_json::value::RawValue;

use super::Annotations;
use crate::coco::{self, Id};
use crate::elements::CUT_SHORT;
use crate::{fiftyone, has_ending, json, ultralytics};
use record::Source;
use record::verdict::{Entry, Verdict};

/// Prefix of the names of members and tags that Eyechart adds.
pub const OWN: &str = "eyechart_";
/// Name of the JSON member that contains the verdict.
pub const VERDICT: &str = "eyechart_verdict";
const NOTE: &str = "eyechart_note";
const TARGET: &str = "eyechart_target";

/// Annotation tool that can import verdicts in its own file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Verdicts are members of a task's `data`, which the data manager shows as columns.
    LabelStudio,
    /// Verdicts are members of an annotation's `attributes`, which CVAT imports.
    Coco,
    /// Verdicts are tags of the samples in `samples.json`.
    FiftyOne,
}

/// Verdicts to write into a file.
#[derive(Clone, Debug)]
pub struct WriteBack<'a> {
    /// Tool that the file belongs to.
    pub tool: Tool,
    /// Verdict of each judged sample, by sample id.
    pub entries: BTreeMap<String, &'a Entry>,
    /// Samples with one of these verdicts are removed from the file.
    pub dropped: &'a [Verdict],
}

/// The rewritten file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedFile {
    /// Content of the rewritten file.
    pub text: Vec<u8>,
    /// Ids of the samples that were marked with a verdict.
    pub marked: BTreeSet<String>,
    /// Ids of the samples that were removed.
    pub dropped: BTreeSet<String>,
    /// For COCO: ids of marked pictures without objects. CVAT does not show their verdicts.
    pub bare: BTreeSet<String>,
}

impl Tool {
    /// Returns the tool's display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LabelStudio => "Label Studio",
            Self::Coco => "COCO",
            Self::FiftyOne => "FiftyOne",
        }
    }

    /// Returns the tool's file that a source was read from. For results of models, this is the COCO
    /// annotation file that they were scored with.
    pub fn file(self, source: &Source) -> Option<&Path> {
        let own = match self {
            Self::LabelStudio => Annotations::LabelStudio.name(),
            Self::Coco if [coco::FORMAT, ultralytics::FORMAT].contains(&source.format) => {
                let truth = source.companions.first().map(|path| &**path);
                return truth.filter(|path| has_ending(path, &["json"]));
            }
            Self::Coco => Annotations::Coco.name(),
            Self::FiftyOne => fiftyone::FORMAT,
        };
        (source.format == own).then_some(&*source.path)
    }
}

impl WriteBack<'_> {
    /// Returns the content of a file with the verdicts added.
    ///
    /// # Errors
    /// If the file cannot be read or does not belong to this tool.
    pub fn apply(&self, path: &Path) -> Result<MarkedFile, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let original = json::without_mark(&bytes);
        let text = json::without_nan_in_place(original);
        let mut editor = Editor {
            text: &text,
            edits: Vec::new(),
            file: MarkedFile::default(),
        };
        match self.tool {
            Tool::LabelStudio => self.tasks(&mut editor),
            Tool::Coco => self.pictures(&mut editor),
            Tool::FiftyOne => self.samples(&mut editor),
        }?;
        let mark = bytes.len() - original.len();
        editor.file.text.extend_from_slice(&bytes[..mark]);
        Ok(editor.finish(original))
    }

    /// Marks the tasks in a file of Label Studio.
    fn tasks(&self, editor: &mut Editor<'_>) -> Result<(), String> {
        let tasks = elements(editor.text)?;
        self.each(&tasks, "id", editor, |entry, task, editor| {
            let Some(data) = task.get("data").filter(|data| is_object(data)) else {
                return Ok(false);
            };
            editor.set(&Object::parse(data)?, entry);
            Ok(true)
        })
    }

    /// Marks the pictures and objects in a COCO annotation file.
    fn pictures(&self, editor: &mut Editor<'_>) -> Result<(), String> {
        let document = Object::parse(editor.text)?;
        let (images, objects) = (document.list("images")?, document.list("annotations")?);
        self.each(&images, "id", editor, |entry, image, editor| {
            editor.set(image, entry);
            Ok(true)
        })?;
        editor.file.bare.clone_from(&editor.file.marked);
        let mut is_kept = vec![true; objects.len()];
        for (text, is_kept) in objects.iter().zip(&mut is_kept) {
            let object = Object::parse(text)?;
            let id = object.id("image_id").unwrap_or_default();
            *is_kept = !editor.file.dropped.contains(&id);
            let entry = self.entries.get(&id);
            let Some(entry) = entry.filter(|_| editor.file.marked.contains(&id)) else {
                continue;
            };
            match object.get("attributes") {
                Some(attributes) if is_object(attributes) => {
                    editor.set(&Object::parse(attributes)?, entry);
                }
                Some(b"null") | None => {
                    let values = Object::parse(b"{}")?.values(entry).into_iter();
                    let values = values.map(|(name, value)| format!("\"{name}\": {value}"));
                    let values = values.collect::<Vec<_>>().join(", ");
                    editor.put(&object, "attributes", format!("{{{values}}}"));
                }
                Some(_) => continue,
            }
            editor.file.bare.remove(&id);
        }
        editor.keep(&objects, &is_kept);
        Ok(())
    }

    /// Marks the samples in a file of `FiftyOne`.
    fn samples(&self, editor: &mut Editor<'_>) -> Result<(), String> {
        let samples = Object::parse(editor.text)?.list("samples")?;
        let ours = Verdict::SPOKEN.map(|verdict| quoted(&format!("{OWN}{verdict}")));
        self.each(&samples, "filepath", editor, |entry, sample, editor| {
            let tags = match sample.get("tags") {
                Some(b"null") | None => Vec::new(),
                Some(tags) => elements(tags)?,
            };
            let tags = tags
                .into_iter()
                .map(|tag| String::from_utf8_lossy(tag).into_owned());
            let tags = tags.filter(|tag| !ours.contains(tag));
            let own = quoted(&format!("{OWN}{}", entry.verdict));
            let tags: Vec<String> = tags.chain([own]).collect();
            editor.put(sample, "tags", format!("[{}]", tags.join(", ")));
            Ok(true)
        })
    }

    /// Calls `mark` for each judged object in a list, and removes objects with a dropped verdict.
    /// `mark` returns false if the object cannot hold a verdict.
    fn each<'a>(
        &self,
        objects: &[&'a [u8]],
        key: &str,
        editor: &mut Editor<'a>,
        mark: impl Fn(&Entry, &Object<'a>, &mut Editor<'a>) -> Result<bool, String>,
    ) -> Result<(), String> {
        let mut is_kept = vec![true; objects.len()];
        for (text, is_kept) in objects.iter().zip(&mut is_kept) {
            let object = Object::parse(text)?;
            let Some(id) = object.id(key) else { continue };
            let Some(entry) = self.entries.get(&id) else {
                continue;
            };
            if self.dropped.contains(&entry.verdict) {
                *is_kept = false;
                editor.file.dropped.insert(id);
            } else if mark(entry, &object, editor)? {
                editor.file.marked.insert(id);
            }
        }
        editor.keep(objects, &is_kept);
        Ok(())
    }
}

/// Members of a JSON object; empty for any other value.
struct Object<'a> {
    text: &'a [u8],
    members: BTreeMap<String, &'a RawValue>,
}

impl<'a> Object<'a> {
    fn parse(text: &'a [u8]) -> Result<Self, String> {
        let text = text.trim_ascii_start();
        let object = if is_object(text) { text } else { b"{}" };
        let what = |error: serde_json::Error| {
            if error.is_eof() {
                return format!("{CUT_SHORT} in this entry");
            }
            json::describe(&error, 1)
        };
        let members = serde_json::from_slice(object).map_err(what)?;
        Ok(Self { text, members })
    }

    /// Returns the JSON of a member; the last one of repeated members counts.
    fn get(&self, key: &str) -> Option<&'a [u8]> {
        let found = self.members.get(key);
        found.map(|value| value.get().as_bytes())
    }

    /// Returns the id in a member, formatted as the readers do.
    fn id(&self, key: &str) -> Option<String> {
        let id: Id = serde_json::from_slice(self.get(key)?).ok()?;
        Some(id.to_string())
    }

    fn list(&self, key: &str) -> Result<Vec<&'a [u8]>, String> {
        elements(self.get(key).ok_or_else(|| format!("no list `{key}`"))?)
    }

    /// Returns the members to set for a verdict, as pairs of name and JSON. An old note is cleared.
    fn values(&self, entry: &Entry) -> Vec<(&'static str, String)> {
        let target = entry.target.as_ref().map(json::plain);
        let values = [
            (VERDICT, entry.verdict.name().to_owned()),
            (NOTE, entry.note.clone()),
            (TARGET, target.unwrap_or_default()),
        ];
        let values = values.into_iter();
        let values = values.filter(|(name, text)| !text.is_empty() || self.get(name).is_some());
        values.map(|(name, text)| (name, quoted(&text))).collect()
    }
}

fn is_object(text: &[u8]) -> bool {
    text.starts_with(b"{")
}

/// Returns the elements of a JSON list.
fn elements(text: &[u8]) -> Result<Vec<&[u8]>, String> {
    let list: Vec<&RawValue> =
        serde_json::from_slice(text).map_err(|error| json::describe(&error, 1))?;
    Ok(list
        .into_iter()
        .map(|element| element.get().as_bytes())
        .collect())
}

/// Returns a text as a JSON string.
fn quoted(text: &str) -> String {
    let json = base::file::json_object(&text).unwrap_or_default();
    String::from_utf8(json).unwrap_or_default()
}

/// Collects changes to a document.
struct Editor<'a> {
    text: &'a [u8],
    /// Byte ranges to replace, with their replacements.
    edits: Vec<(Range<usize>, String)>,
    file: MarkedFile,
}

impl Editor<'_> {
    /// Returns the byte range of a part of the document.
    fn place(&self, part: &[u8]) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        start..start + part.len()
    }

    /// Sets verdict, note and target in an object.
    fn set(&mut self, object: &Object<'_>, entry: &Entry) {
        for (name, value) in object.values(entry) {
            self.put(object, name, value);
        }
    }

    /// Replaces a member of an object, or appends the member.
    fn put(&mut self, object: &Object<'_>, name: &str, value: String) {
        if let Some(old) = object.get(name) {
            return self.edits.push((self.place(old), value));
        }
        let start = self.place(object.text).start + 1;
        let values = object.members.values().map(|value| value.get());
        let last = values.max_by_key(|value| value.as_ptr());
        let end = last.map_or(start, |last| self.place(last.as_bytes()).end);
        let is_first = last.is_none() && self.edits.last().is_none_or(|(edit, _)| edit.end != end);
        let comma = if is_first { "" } else { ", " };
        self.edits
            .push((end..end, format!("{comma}\"{name}\": {value}")));
    }

    /// Removes the list elements whose `is_kept` is false, each with one comma.
    fn keep(&mut self, list: &[&[u8]], is_kept: &[bool]) {
        let mut before: Option<usize> = None;
        for (at, (element, is_kept)) in list.iter().zip(is_kept).enumerate() {
            let Range { start, end } = self.place(element);
            if *is_kept {
                before = Some(end);
                continue;
            }
            let next = list.get(at + 1).map_or(end, |next| self.place(next).start);
            let gap = match &mut before {
                Some(before) => std::mem::replace(before, end)..end,
                None => start..next,
            };
            self.edits.push((gap, String::new()));
        }
    }

    /// Applies the changes to the original document.
    fn finish(mut self, original: &[u8]) -> MarkedFile {
        self.edits.sort_by_key(|(place, _)| place.start);
        let mut done = 0;
        let text = &mut self.file.text;
        for (place, by) in self.edits {
            text.extend_from_slice(original.get(done..place.start).unwrap_or_default());
            text.extend_from_slice(by.as_bytes());
            done = place.end;
        }
        text.extend_from_slice(original.get(done..).unwrap_or_default());
        self.file
    }
}
