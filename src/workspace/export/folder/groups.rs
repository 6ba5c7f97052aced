//! Groups predictions by the file to which they are written, and names the files.

use std::collections::BTreeMap;

use analysis::Selection;
use record::{ImageRef, REPEAT, RUN, Record, Row, SPLIT, Table, Value, label_words};

use super::{FolderGaps, Gap};

/// Maximum length of a name in a path, in characters.
const LONGEST: usize = 80;
/// Maximum length in bytes. File systems allow 255, including the extension.
const LONGEST_BYTES: usize = 160;
/// Device names that Windows reserves, also with an extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
/// Reserved names of ports. A digit follows the name.
const PORTS: [&str; 2] = ["com", "lpt"];

/// Names that the predictions of one file share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the model, with its run if the model has several.
    pub model: String,
    /// Ability and condition, for formats that have one task per file.
    pub task: Option<TaskKey>,
}

/// Ability and condition of a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskKey {
    /// Name of the ability.
    pub ability: String,
    /// Condition without repeat, run and split, as text; empty if there is none.
    pub condition: String,
}

impl GroupKey {
    /// Returns the key of a prediction without a task.
    pub fn of_model(table: &Table, row: Row) -> Self {
        let ability = table.ability(table.item(row));
        Self {
            benchmark: ability
                .map(|ability| ability.benchmark.clone())
                .unwrap_or_default(),
            model: table.names().model(table.model(row)).to_owned(),
            task: None,
        }
    }

    /// Returns the key of a prediction with its task.
    pub fn of_task(table: &Table, row: Row) -> Self {
        let item = table.item(row);
        let labels = table.condition(item).into_iter().flatten();
        let labels = labels.filter(|(name, value)| *name != REPEAT || epoch(value).is_none());
        // Splits may contain equal ids.
        let at = usize::try_from(item.0).unwrap_or(usize::MAX);
        let split = table.tag(SPLIT).and_then(|tag| {
            let number = || tag.number(at).map(|number| number.to_string());
            tag.text(at).map(str::to_owned).or_else(number)
        });
        let split = split.map(|split| format!("{SPLIT}={split}"));
        let run = table.names().plain(table.names().model(table.model(row))).1;
        let run = run.map(|run| format!("{RUN}={run}"));
        let parts = Some(label_words(labels)).filter(|words| !words.is_empty());
        Self {
            task: Some(TaskKey {
                ability: table
                    .ability(item)
                    .map(|it| it.name.clone())
                    .unwrap_or_default(),
                condition: parts
                    .into_iter()
                    .chain(run)
                    .chain(split)
                    .collect::<Vec<_>>()
                    .join(" "),
            }),
            ..Self::of_model(table, row)
        }
    }

    /// Returns a 16-byte hash that is different for each group.
    pub fn hash(&self) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        let task = self.task.as_ref();
        // Distinguish an empty task from no task.
        hasher.update(&[u8::from(task.is_some())]);
        let ability = task.map_or("", |task| &task.ability);
        let condition = task.map_or("", |task| &task.condition);
        for part in [&self.benchmark, &self.model, ability, condition] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        bytes
    }
}

/// Returns the selected rows by group.
pub fn groups(
    selection: Selection<'_>,
    key: impl Fn(&Table, Row) -> GroupKey,
) -> BTreeMap<GroupKey, Vec<Row>> {
    let mut found: BTreeMap<GroupKey, Vec<Row>> = BTreeMap::new();
    for row in selection.rows().map(Row) {
        found
            .entry(key(selection.table, row))
            .or_default()
            .push(row);
    }
    found
}

/// Returns the number of a repeat, from 1; `None` for any other value.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and within the bounds"
)]
pub fn epoch(value: &Value) -> Option<u32> {
    let number = value.number()?;
    let is_whole = number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number);
    is_whole.then_some(number as u32)
}

/// Counts the pictures of a record that are not contained in the written file.
pub fn note_pictures(record: &Record, gaps: &mut FolderGaps) {
    for image in &record.content.images {
        match image {
            ImageRef::Path(_) => gaps.add(Gap::Pictures),
            ImageRef::Cell { .. } => gaps.add(Gap::Cells),
            ImageRef::Inline(_) | ImageRef::Url(_) => {}
        }
    }
}

/// Converts a name to one part of a path that is valid on every system. Several names may be
/// converted to the same part.
pub fn path_part(name: &str) -> String {
    let is_odd = |letter: char| base::format::is_control(letter) || r#"<>:"/\|?*"#.contains(letter);
    let mut plain = String::new();
    for letter in name.chars().take(LONGEST) {
        if plain.len() + letter.len_utf8() > LONGEST_BYTES {
            break;
        }
        plain.push(if is_odd(letter) { '_' } else { letter });
    }
    let plain = plain.trim_matches(['.', ' ']);
    if is_device(plain) {
        return format!("_{plain}");
    }
    if plain.is_empty() || plain == "data" {
        return format!("{plain}_");
    }
    plain.to_owned()
}

/// Returns true if Windows reserves the name for a device.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_lowercase();
    let is_port = |port: &str| {
        let digit = stem.strip_prefix(port).unwrap_or_default();
        matches!(digit.as_bytes(), [b'0'..=b'9'])
    };
    RESERVED.contains(&stem.as_str()) || PORTS.iter().any(|port| is_port(port))
}

/// Assigns each name its own path part, even on case-insensitive file systems.
#[derive(Debug, Default)]
pub struct PathParts {
    /// Names by their path part in lower case.
    names: BTreeMap<String, String>,
}

impl PathParts {
    /// Returns the path part of a name: [`path_part`], with a number added if another name has the
    /// same part.
    pub fn part(&mut self, name: &str) -> String {
        let plain = path_part(name);
        let mut part = plain.clone();
        let mut number = 1;
        while let Some(known) = self.names.get(&part.to_lowercase()) {
            if known == name {
                return part;
            }
            number += 1;
            part = format!("{plain}-{number}");
        }
        self.names.insert(part.to_lowercase(), name.to_owned());
        part
    }
}

/// Formats 16 bytes as a random UUID (RFC 9562, version 4).
pub fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    [0..8, 8..12, 12..16, 16..20, 20..32]
        .map(|part| &hex[part])
        .join("-")
}
