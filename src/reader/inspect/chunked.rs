//! Samples of an archive, each in one member or in many.
//!
//! Since 0.3.285 a sample can lie in a folder of its own: `samples/ID_epoch_N/sample.json` holds what is short, and
//! `metadata.json`, `messages/START.json` and `attachments/START.json` hold the rest, in pieces that are named by the
//! number of their first element. Its events, calls and statistics are not read.

use std::collections::{BTreeMap, HashMap, HashSet};

use limits::Limit;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use super::archive::{Archive, Member};
use crate::json;

/// Folder of the samples in an archive.
const FOLDER: &str = "samples/";
/// The member with what is short of a sample.
const SHELL: &str = "sample.json";
const METADATA: &str = "metadata.json";
const MESSAGES: &str = "messages";
const ATTACHMENTS: &str = "attachments";

/// The members of one sample.
#[derive(Clone, Debug)]
pub struct SampleMembers {
    /// The place of the first among the members of the archive.
    pub at: usize,
    /// The whole sample, or what is short of it.
    pub main: Member,
    metadata: Option<Member>,
    /// By the number of the first element.
    messages: BTreeMap<usize, Member>,
    attachments: BTreeMap<usize, Member>,
}

impl SampleMembers {
    /// All members that are read.
    pub fn all(&self) -> impl Iterator<Item = &Member> {
        let pieces = self.messages.values().chain(self.attachments.values());
        std::iter::once(&self.main)
            .chain(&self.metadata)
            .chain(pieces)
    }

    /// Compressed size in bytes.
    pub fn packed(&self) -> u64 {
        self.all().map(|member| member.packed).sum()
    }

    /// The sample as one JSON object.
    ///
    /// # Errors
    /// A member cannot be read, or all are too large together; one sentence.
    pub fn read(&self, archive: &mut Archive) -> Result<Vec<u8>, String> {
        let mut text = archive.read(&self.main)?;
        if self.all().nth(1).is_none() {
            return Ok(text);
        }
        let has: Held = serde_json::from_slice(&json::without_nan(&text))
            .map_err(|error| json::describe(&error, 1))?;
        let mut room = Limit::Member.length().saturating_sub(text.len());
        let mut take = |member: &Member| -> Result<Json, String> {
            let bytes = archive.read(member)?;
            let left = room.checked_sub(bytes.len());
            room = left.ok_or_else(|| Limit::Member.message())?;
            json::parse(&bytes, 1).map_err(|what| format!("{}: {what}", member.name))
        };
        let mut members: Vec<(&str, Json)> = Vec::new();
        if let Some(metadata) = self.metadata.as_ref().filter(|_| has.metadata.is_none()) {
            members.push(("metadata", take(metadata)?));
        }
        if has.messages.is_none() && !self.messages.is_empty() {
            let pool = joined(&self.messages, &mut take)?;
            // A range may name more than there is.
            let ranges = has.message_refs.into_iter().flatten();
            let messages = ranges.flat_map(|(from, to)| {
                let from = pool.range(from..);
                from.take_while(move |(at, _)| **at < to)
            });
            let messages = messages.map(|(_, message)| message.clone());
            members.push((MESSAGES, Json::Array(messages.collect())));
        }
        if has.attachments.is_none() && !self.attachments.is_empty() {
            let pool = joined(&self.attachments, &mut take)?;
            let named = pool.into_iter().map(|(at, text)| (at.to_string(), text));
            members.push((ATTACHMENTS, Json::Object(named.collect())));
        }
        // Numbers that are none in JSON stay as they are.
        text.truncate(text.trim_ascii_end().len().saturating_sub(1));
        for (name, value) in members {
            let comma = if text.trim_ascii().ends_with(b"{") {
                ""
            } else {
                ","
            };
            text.extend(format!("{comma}\"{name}\":{value}").bytes());
        }
        text.push(b'}');
        Ok(text)
    }
}

/// What the member with what is short holds already.
#[derive(Deserialize)]
struct Held {
    metadata: Option<IgnoredAny>,
    messages: Option<IgnoredAny>,
    attachments: Option<IgnoredAny>,
    /// Which messages of the pool are those of the sample, as ranges without their ends.
    message_refs: Option<Vec<(usize, usize)>>,
}

/// The elements of all pieces of a list, by their numbers.
fn joined(
    pieces: &BTreeMap<usize, Member>,
    take: &mut impl FnMut(&Member) -> Result<Json, String>,
) -> Result<BTreeMap<usize, Json>, String> {
    let mut found = BTreeMap::new();
    for (start, member) in pieces {
        let Json::Array(elements) = take(member)? else {
            return Err(format!("{}: not a JSON list", member.name));
        };
        found.extend((*start..).zip(elements));
    }
    Ok(found)
}

/// The samples of an archive in the order of their members.
pub fn samples(archive: &Archive) -> Vec<SampleMembers> {
    let in_folder = |member: &&Member| member.name.starts_with(FOLDER);
    let folders: HashSet<&str> = (archive.members.iter())
        .filter(in_folder)
        .filter_map(|member| folder_of_shell(&member.name))
        .collect();
    let mut found: Vec<SampleMembers> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut pieces = Vec::new();
    for (at, member) in archive.members.iter().enumerate() {
        if !in_folder(&member) {
            continue;
        }
        let folder = (member.name.match_indices('/'))
            .filter_map(|(end, _)| member.name.get(..end))
            .find(|folder| folders.contains(folder));
        match folder {
            Some(folder) if folder_of_shell(&member.name) != Some(folder) => {
                pieces.push((folder, member));
                continue;
            }
            Some(folder) => drop(places.insert(folder, found.len())),
            None => {}
        }
        found.push(SampleMembers {
            at,
            main: member.clone(),
            metadata: None,
            messages: BTreeMap::new(),
            attachments: BTreeMap::new(),
        });
    }
    for (folder, member) in pieces {
        let sample = places.get(folder).and_then(|place| found.get_mut(*place));
        if let Some(sample) = sample {
            let rest = member.name.get(folder.len() + 1..).unwrap_or_default();
            sample.add(rest, member);
        }
    }
    found
}

impl SampleMembers {
    /// Adds a member by its name in the sample's folder.
    fn add(&mut self, name: &str, member: &Member) {
        let number = |piece: &str| piece.strip_suffix(".json")?.parse().ok();
        match name.split_once('/') {
            None if name == METADATA => self.metadata = Some(member.clone()),
            Some((folder @ (MESSAGES | ATTACHMENTS), piece)) => {
                let pieces = if folder == MESSAGES {
                    &mut self.messages
                } else {
                    &mut self.attachments
                };
                pieces.extend(number(piece).map(|start| (start, member.clone())));
            }
            _ => {}
        }
    }
}

/// The folder of a sample in many members: `samples/ID_epoch_N` of `samples/ID_epoch_N/sample.json`.
fn folder_of_shell(name: &str) -> Option<&str> {
    let folder = name.strip_suffix(SHELL)?.strip_suffix('/')?;
    let (_, epoch) = folder.rsplit_once("_epoch_")?;
    (!epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_digit())).then_some(folder)
}
