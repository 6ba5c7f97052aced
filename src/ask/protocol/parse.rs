//! Parses the text of a protocol.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::Protocol;
use crate::chain::{EachTask, TaskChain};
use crate::edited::{QuestionEdit, QuestionEditError};
use crate::template::{Template, TemplateError};

/// Forms of the `--protocol` argument, for messages.
const NAMES: [&str; 15] = [
    "vanilla",
    "rotational",
    "twin",
    "blind",
    "boxes",
    "no-boxes",
    "crop",
    "prompt:FILE[,FILE]",
    "repeat:N",
    "effort:LEVEL[,LEVEL]",
    "file:PATH",
    "follow:FILE[,FILE]",
    "self-check",
    "votes:N",
    "chain:TASK[,SETTING]",
];
/// Maximum of `N` in `repeat:N`.
const MOST_REPEATS: u32 = 1_000;
/// Allowed number of votes; two could not settle anything.
const VOTES: std::ops::RangeInclusive<u32> = 3..=101;

/// Why a text is not a valid protocol.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// There is no protocol with this name.
    #[error("there is no protocol `{0}`; use one of {list}", list = NAMES.join(", "))]
    Unknown(String),
    /// The argument after the colon is invalid.
    #[error("{0}: {1}")]
    Argument(String, String),
    /// A prompt file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// The file of an edited question is invalid.
    #[error(transparent)]
    Edited(#[from] QuestionEditError),
    /// A prompt file is invalid.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Protocol {
    /// Parses a text like `repeat:5`. Reads prompt files.
    ///
    /// # Errors
    /// The name is unknown, the argument is invalid, or a file cannot be read.
    pub fn parse(text: &str) -> Result<Self, ProtocolError> {
        let (name, argument) = text
            .split_once(':')
            .map_or((text, None), |(name, rest)| (name, Some(rest)));
        let wrong = |what: &str| ProtocolError::Argument(text.to_owned(), what.to_owned());
        let list = |argument: &str| -> Vec<String> {
            let parts = argument
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        Ok(match (name, argument) {
            ("vanilla", None) => Self::Vanilla,
            ("rotational", None) => Self::Rotational,
            ("twin", None) => Self::Twin,
            ("blind", None) => Self::Blind,
            ("boxes", None) => Self::Boxes,
            ("no-boxes", None) => Self::NoBoxes,
            ("crop", None) => Self::Crop,
            ("prompt", Some(files)) if !list(files).is_empty() => {
                let templates = templates(&list(files), Template::new);
                Self::Prompts(templates_distinct(templates)?)
            }
            ("repeat", Some(count)) => match count.parse() {
                Ok(count) if (1..=MOST_REPEATS).contains(&count) => Self::Repeat(count),
                _ => return Err(wrong("a whole number from 1 to 1000 is needed")),
            },
            ("follow", Some(files)) if !list(files).is_empty() => {
                Self::Follow(templates(&list(files), Template::free)?)
            }
            ("self-check", None) => Self::SelfCheck,
            ("votes", Some(count)) => match count.parse() {
                Ok(count) if VOTES.contains(&count) => Self::Votes(count),
                _ => return Err(wrong("a whole number from 3 to 101 is needed")),
            },
            ("effort", Some(levels)) if !list(levels).is_empty() => Self::Effort(list(levels)),
            ("file", Some(path)) if !path.trim().is_empty() => {
                Self::Edited(Arc::new(QuestionEdit::open(Path::new(path.trim()))?))
            }
            ("file", _) => return Err(wrong("a file is needed, such as file:brief.toml")),
            ("chain", text) => {
                let text = text.unwrap_or_default();
                match EachTask::parse(text) {
                    Some(each) => Self::EachTask(each.map_err(|why| wrong(&why))?),
                    None => Self::Chain(TaskChain::parse(text).map_err(|why| wrong(&why))?),
                }
            }
            ("prompt", _) => return Err(wrong("a file is needed, such as prompt:short.txt")),
            ("follow", _) => return Err(wrong("a file is needed, such as follow:doubt.txt")),
            ("votes", None) => return Err(wrong("a number is needed, such as votes:5")),
            ("repeat", None) => return Err(wrong("a number is needed, such as repeat:5")),
            ("effort", _) => return Err(wrong("a level is needed, such as effort:low,high")),
            _ => return Err(ProtocolError::Unknown(text.to_owned())),
        })
    }
}

/// Reads the wordings in some files.
fn templates(
    files: &[String],
    new: fn(&str, &str) -> Result<Template, TemplateError>,
) -> Result<Vec<Arc<Template>>, ProtocolError> {
    files
        .iter()
        .map(|file| template(Path::new(file), new))
        .collect()
}

fn template(
    file: &Path,
    new: fn(&str, &str) -> Result<Template, TemplateError>,
) -> Result<Arc<Template>, ProtocolError> {
    let text = std::fs::read_to_string(file).map_err(|why| ProtocolError::Unreadable {
        path: file.to_path_buf(),
        why,
    })?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Arc::new(new(&name, &text)?))
}

fn templates_distinct(
    templates: Result<Vec<Arc<Template>>, ProtocolError>,
) -> Result<Vec<Arc<Template>>, ProtocolError> {
    let templates = templates?;
    for (at, template) in templates.iter().enumerate() {
        if templates
            .iter()
            .take(at)
            .any(|known| known.name == template.name)
        {
            let what = "two files have this name; rename one";
            return Err(ProtocolError::Argument(
                template.name.clone(),
                what.to_owned(),
            ));
        }
    }
    Ok(templates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for name in [
            "vanilla",
            "rotational",
            "twin",
            "blind",
            "boxes",
            "no-boxes",
            "crop",
            "repeat:3",
            "effort:low,high",
            "self-check",
            "votes:5",
            "chain:detect",
            "chain:depth,segments=40,pairs=60",
        ] {
            let protocol = Protocol::parse(name).unwrap();
            assert_eq!(protocol.name(), name);
            assert!(!protocol.steps().is_empty() && !protocol.about().is_empty());
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("vanila", "no protocol `vanila`"),
            ("repeat:0", "from 1 to 1000"),
            ("repeat", "repeat:5"),
            ("votes:2", "from 3 to 101"),
            ("votes", "votes:5"),
            ("follow:", "follow:doubt.txt"),
            ("self-check:x", "no protocol"),
            ("effort:", "effort:low"),
            ("prompt:", "prompt:short.txt"),
            ("prompt:/no/such/file", "/no/such/file"),
            ("blind:x", "no protocol"),
            ("chain", "a task is needed"),
            ("file", "file:brief.toml"),
            ("file:/no/such.toml", "/no/such.toml"),
            ("chain:depth,pairs=x", "pairs=40"),
        ] {
            let error = Protocol::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn files_become_prompts_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "{question}\n").unwrap();
            path.display().to_string()
        };
        let protocol =
            Protocol::parse(&format!("prompt:{},{}", file("a.txt"), file("b.txt"))).unwrap();
        assert_eq!(protocol.name(), "prompt:a,b");
        assert_eq!(protocol.steps()[1].name(), "prompt=b");
        let kept = folder.path().join("brief.toml");
        std::fs::write(&kept, "picture = ['blank']").unwrap();
        let kept = Protocol::parse(&format!("file:{}", kept.display())).unwrap();
        assert_eq!(kept.name(), "file:brief");
        assert_eq!(kept.steps()[0].name(), "variant=brief");
        let follow = Protocol::parse(&format!("follow:{},{}", file("a.txt"), file("b.txt")));
        let follow = follow.unwrap();
        assert_eq!(
            (follow.name().as_str(), follow.steps().len()),
            ("follow:a,b", 3)
        );
        let twice = Protocol::parse(&format!("prompt:{},{}", file("a.txt"), file("a.md")));
        assert!(twice.is_err());
    }
}
