//! Exports items in training formats: `LLaVA`'s JSON, and shards of `WebDataset`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base::file::{Inputs, WholeFile};
use serde_json::{Value as Json, json};

use super::Item;
use record::{Content, Target};

/// File name of the `LLaVA` conversations.
const CONVERSATIONS: &str = "llava.json";
/// Folder of the `WebDataset` shards.
const SHARDS: &str = "shards";
/// Maximum number of items per shard.
const PER_SHARD: u32 = 1000;
/// Block size of a tar file, in bytes.
const BLOCK: usize = 512;

/// Format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainerFormat {
    /// One JSON array of conversations next to the pictures (H. Liu et al., "Visual Instruction
    /// Tuning").
    Llava,
    /// Tar files of pictures, answers and items (the `WebDataset` format).
    WebDataset,
}

/// Writer of training data; it writes items one by one and keeps none in memory.
pub struct Trainer {
    format: TrainerFormat,
    folder: PathBuf,
    out: Option<WholeFile>,
    items: u32,
}

impl Trainer {
    /// Creates a writer below a folder; files are opened on first use.
    pub fn new(format: TrainerFormat, folder: &Path) -> Self {
        Self {
            format,
            folder: folder.to_path_buf(),
            out: None,
            items: 0,
        }
    }

    /// Adds an item with the bytes of its picture.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(&mut self, item: &Item, png: &[u8]) -> io::Result<()> {
        match self.format {
            TrainerFormat::Llava => {
                let begin = if self.items == 0 { "[\n" } else { ",\n" };
                let line = conversation(item).to_string();
                let out = self.out(CONVERSATIONS.to_owned())?;
                write!(out, "{begin}{line}")?;
            }
            TrainerFormat::WebDataset => {
                if self.items.is_multiple_of(PER_SHARD) {
                    self.close()?;
                }
                let shard = format!("{SHARDS}/{:06}.tar", self.items / PER_SHARD);
                let key = format!("{:09}", self.items);
                let line = item.clone().line();
                let answer = answer(&item.content);
                let out = self.out(shard)?;
                for (name, bytes) in [
                    ("png", png),
                    ("txt", answer.as_bytes()),
                    ("json", line.as_bytes()),
                ] {
                    out.write_all(&entry(&format!("{key}.{name}"), bytes))?;
                }
            }
        }
        self.items += 1;
        Ok(())
    }

    /// The open file, or a new one with this name.
    fn out(&mut self, name: String) -> io::Result<&mut WholeFile> {
        let out = if let Some(out) = self.out.take() {
            out
        } else {
            let path = self.folder.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            WholeFile::create(&path, &Inputs::none())?
        };
        Ok(self.out.insert(out))
    }

    /// Completes the open file, if any.
    fn close(&mut self) -> io::Result<()> {
        let Some(mut out) = self.out.take() else {
            return Ok(());
        };
        match self.format {
            TrainerFormat::Llava => writeln!(out, "\n]")?,
            TrainerFormat::WebDataset => out.write_all(&[0; 2 * BLOCK])?,
        }
        Ok(out.commit()?)
    }

    /// Completes all files.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.close()
    }
}

/// Question and answer as a conversation of two turns.
fn conversation(item: &Item) -> Json {
    let content = &item.content;
    let options = content.choices.iter();
    let options = options.map(|choice| format!("\n{}. {}", choice.letter, choice.text));
    let question = format!(
        "<image>\n{}{}",
        content.question,
        options.collect::<String>()
    );
    json!({
        "id": item.id,
        "image": item.picture(),
        "conversations": [
            {"from": "human", "value": question},
            {"from": "gpt", "value": answer(content)},
        ],
    })
}

/// The right answer as a model would write it; for multiple choice the letter.
fn answer(content: &Content) -> String {
    content
        .target
        .as_ref()
        .map_or_else(String::new, Target::to_string)
}

/// A file entry of a tar archive: header, bytes, and zeros up to a whole block (POSIX.1-1988
/// ustar).
fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut header = [0_u8; BLOCK];
    let mut put = |at: usize, text: &str| {
        for (place, byte) in header.iter_mut().skip(at).zip(text.bytes()) {
            *place = byte;
        }
    };
    put(0, name);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{:011o}", bytes.len()));
    put(136, "00000000000");
    // The checksum is computed with spaces in its own field.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    for (place, byte) in header
        .iter_mut()
        .skip(148)
        .zip(format!("{sum:06o}\0 ").bytes())
    {
        *place = byte;
    }
    let mut entry = header.to_vec();
    entry.extend_from_slice(bytes);
    entry.resize(entry.len().next_multiple_of(BLOCK), 0);
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abilities::levels::LevelledExam;
    use crate::set;

    #[test]
    fn conversations_are_one_array() {
        let folder = tempfile::tempdir().unwrap();
        let exam = LevelledExam::new(14, 5);
        let mut trainer = Trainer::new(TrainerFormat::Llava, folder.path());
        set::write_with(&exam, folder.path(), Some(&mut trainer), &mut |_| {}).unwrap();
        trainer.finish().unwrap();
        let text = std::fs::read_to_string(folder.path().join("llava.json")).unwrap();
        let all: Vec<Json> = serde_json::from_str(&text).unwrap();
        assert_eq!(all.len(), 14);
        for one in &all {
            let [human, gpt] = one["conversations"].as_array().unwrap().as_slice() else {
                panic!("two turns")
            };
            assert!(human["value"].as_str().unwrap().starts_with("<image>\n"));
            assert!(!gpt["value"].as_str().unwrap().is_empty(), "{one}");
            assert!(folder.path().join(one["image"].as_str().unwrap()).exists());
        }
    }

    #[test]
    fn shards_are_tar_files_of_pictures_answers_and_items() {
        let folder = tempfile::tempdir().unwrap();
        let exam = LevelledExam::new(3, 5);
        let mut trainer = Trainer::new(TrainerFormat::WebDataset, folder.path());
        set::write_with(&exam, folder.path(), Some(&mut trainer), &mut |_| {}).unwrap();
        trainer.finish().unwrap();
        let bytes = std::fs::read(folder.path().join("shards/000000.tar")).unwrap();
        assert_eq!(bytes.len() % BLOCK, 0);
        let mut names = Vec::new();
        let mut at = 0;
        while bytes[at] != 0 {
            let text = |from: usize, length: usize| {
                let field = &bytes[at + from..at + from + length];
                let end = field.iter().position(|byte| *byte == 0).unwrap_or(length);
                String::from_utf8(field[..end].to_vec()).unwrap()
            };
            let size = usize::from_str_radix(&text(124, 12), 8).unwrap();
            let sum = u32::from_str_radix(text(148, 6).trim(), 8).unwrap();
            let header = &bytes[at..at + BLOCK];
            let own: u32 = header
                .iter()
                .enumerate()
                .map(|(at, byte)| {
                    u32::from(if (148..156).contains(&at) {
                        b' '
                    } else {
                        *byte
                    })
                })
                .sum();
            assert_eq!(sum, own);
            names.push(text(0, 100));
            at += BLOCK + size.next_multiple_of(BLOCK);
        }
        assert_eq!(names.len(), 9);
        assert_eq!(
            names[..3],
            ["000000000.png", "000000000.txt", "000000000.json"]
        );
    }
}
