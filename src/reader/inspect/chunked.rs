//! Finds the samples in an archive. A sample is stored in one member or in several members.
//!
//! Since version 0.3.285, a sample can have its own folder. `samples/ID_epoch_N/sample.json`
//! contains the short fields. `metadata.json`, `messages/START.json` and `attachments/START.json`
//! contain the other fields in chunks; START is the index of the first element in a chunk. Events,
//! calls and statistics are not read.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::limits::Limit;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

use super::archive::{Archive, Member};
use crate::json;

/// Folder of the samples in an archive.
const FOLDER: &str = "samples/";
/// Name of the member with a sample's short fields.
const SHELL: &str = "sample.json";
const METADATA: &str = "metadata.json";
const MESSAGES: &str = "messages";
const ATTACHMENTS: &str = "attachments";

/// The members of one sample.
#[derive(Clone, Debug)]
pub struct SampleMembers {
    /// Index of the sample's first member in the archive.
    pub at: usize,
    /// Member with the complete sample, or with its short fields.
    pub main: Member,
    metadata: Option<Member>,
    /// Chunks of messages, by the index of the first element.
    messages: BTreeMap<usize, Member>,
    attachments: BTreeMap<usize, Member>,
}

impl SampleMembers {
    /// Returns all members that must be read for the sample.
    pub fn all(&self) -> impl Iterator<Item = &Member> {
        let pieces = self.messages.values().chain(self.attachments.values());
        std::iter::once(&self.main)
            .chain(&self.metadata)
            .chain(pieces)
    }

    /// Returns the total compressed size of these members in bytes.
    pub fn packed(&self) -> u64 {
        self.all().map(|member| member.packed).sum()
    }

    /// Returns the sample as one JSON object.
    ///
    /// # Errors
    /// If a member cannot be read, or the sample is too large.
    pub fn read(&self, archive: &mut Archive) -> Result<Vec<u8>, String> {
        let mut text = archive.read(&self.main)?;
        if self.all().nth(1).is_none() {
            return Ok(text);
        }
        let has: PresentFields = serde_json::from_slice(&json::without_nan(&text))
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
            // A range can end after the last stored message.
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
        // Append the members as text, so that bare NaN and infinities stay unchanged.
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

/// Fields that occur in the main member.
#[derive(Deserialize)]
struct PresentFields {
    metadata: Option<IgnoredAny>,
    messages: Option<IgnoredAny>,
    attachments: Option<IgnoredAny>,
    /// Index ranges of the sample's messages in the pool of messages; the end is excluded.
    message_refs: Option<Vec<(usize, usize)>>,
}

/// Joins the elements of all chunks in the order of their indices.
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

/// Returns the samples in an archive, in the order of their members.
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
    /// Adds a member. `name` is relative to the sample's folder.
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

/// Returns the folder of a chunked sample: `samples/ID_epoch_N` for
/// `samples/ID_epoch_N/sample.json`.
fn folder_of_shell(name: &str) -> Option<&str> {
    let folder = name.strip_suffix(SHELL)?.strip_suffix('/')?;
    let (_, epoch) = folder.rsplit_once("_epoch_")?;
    (!epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_digit())).then_some(folder)
}
