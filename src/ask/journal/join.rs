//! Joins journals from several machines into one, without duplicates.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use base::file::{self, BadLine, Inputs, json_object};
use serde_json::Value as Json;

use super::head::{Head, difference};
use super::line::{Line, lines};
use super::{FILE, JournalError, open_locked};
use crate::item::JournalEntry;
use crate::kind::Kind;
use crate::output;
use crate::plan::SHARD;
use crate::shard::Shard;

/// A question by sample, step and path. Unlike keys, independent of the address.
type JournalKey = (String, String, Option<String>);

/// Returns the question of an answer.
fn question_of(done: &JournalEntry) -> JournalKey {
    (done.item.clone(), done.step.clone(), done.path.clone())
}

/// Summary of a join: counts, gaps and damage.
#[derive(Debug, Default)]
pub struct JoinSummary {
    /// Number of finished questions, each counted once.
    pub done: usize,
    /// Number of questions in several journals; each counts once.
    pub twice: usize,
    /// Number of answers in the joined log.
    pub answers: usize,
    /// Parts of the plan without a journal.
    pub lacking: Vec<Shard>,
    /// Unusable lines, by path of the journal.
    pub bad: Vec<(PathBuf, Vec<BadLine>)>,
}

/// A journal to join, read into memory.
struct JournalContent {
    folder: PathBuf,
    head: Head,
    lines: Vec<Line>,
}

/// Joins the journals and logs of runs into a new folder. Other files of the
/// folders are left to the caller.
///
/// # Errors
/// A folder has no journal, or the journals belong to different runs. Or the new folder already has
/// a journal or cannot be written.
pub fn join(folders: &[PathBuf], out: &Path) -> Result<JoinSummary, JournalError> {
    let mut joined = JoinSummary::default();
    let mut parts = Vec::new();
    for folder in folders {
        let part = read(folder, &mut joined)?;
        if let Some(first) = parts.first() {
            check(first, &part)?;
        }
        parts.push(part);
    }
    let shards: Vec<Shard> = parts.iter().filter_map(|part| shard(&part.head)).collect();
    joined.lacking = Shard::missing(&shards);
    write(&parts, out, &mut joined)?;
    joined.answers = logs(&parts, out)?;
    Ok(joined)
}

/// Returns the part of the plan that a journal covers.
fn shard(head: &Head) -> Option<Shard> {
    head.parameters.get(SHARD)?.as_str()?.parse().ok()
}

fn read(folder: &Path, joined: &mut JoinSummary) -> Result<JournalContent, JournalError> {
    let path = folder.join(FILE);
    let text = base::platform::file::read(&path);
    let text = text.map_err(|why| JournalError::Unreadable {
        path: path.clone(),
        why,
    })?;
    let (lines, bad) = lines(&path, &text)?;
    if !bad.is_empty() {
        joined.bad.push((path.clone(), bad));
    }
    let head = lines.iter().find_map(|line| match line {
        Line::Head(head) => Some(Head::clone(head)),
        _ => None,
    });
    let head = head.ok_or(JournalError::Headless(path))?;
    Ok(JournalContent {
        folder: folder.to_path_buf(),
        head,
        lines,
    })
}

/// Fails unless two journals belong to the same run; they may cover different parts of the plan.
fn check(first: &JournalContent, other: &JournalContent) -> Result<(), JournalError> {
    let differ = |what: &str| JournalError::Other {
        path: other.folder.join(FILE),
        what: what.to_owned(),
    };
    let [a, b] = [first, other].map(|part| whole(&part.head));
    let what = difference(&a, &b).or_else(|| difference(&b, &a));
    if let Some(what) = what {
        return Err(differ(&what));
    }
    match (shard(&first.head), shard(&other.head)) {
        (Some(one), Some(other)) if !one.fits(other) => Err(differ(SHARD)),
        _ => Ok(()),
    }
}

/// Returns the description of a run without its part of the plan and its address,
/// which may differ by machine.
fn whole(head: &Head) -> Head {
    let mut head = Head {
        address: String::new(),
        ..head.clone()
    };
    if let Json::Object(parameters) = &mut head.parameters {
        parameters.remove(SHARD);
    }
    head
}

/// Writes the joined journal to `out`, which must not contain one yet.
fn write(
    parts: &[JournalContent],
    out: &Path,
    joined: &mut JoinSummary,
) -> Result<(), JournalError> {
    let (path, mut file) = open_locked(out)?;
    if !file.head(1)?.is_empty() {
        return Err(JournalError::Exists(path));
    }
    let mut append = |line: &Line| -> Result<(), JournalError> {
        let object = json_object(line).map_err(std::io::Error::from);
        let object = object.map_err(JournalError::Unsaved)?;
        file.append(&object)?;
        Ok(())
    };
    if let Some(head) = head_of_all(parts) {
        append(&Line::Head(Box::new(head)))?;
    }
    let chosen = chosen(parts, joined);
    let mut once: HashSet<String> = HashSet::new();
    for (number, part) in parts.iter().enumerate() {
        for line in &part.lines {
            let is_wanted = match line {
                Line::Head(_) => false,
                Line::Done(done) => chosen.contains(&(number, question_of(done))),
                Line::Unasked { item, step, .. } => once.insert(format!("{item}\u{1e}{step}")),
                Line::Ended { item } => once.insert(item.clone()),
                // Every attempt was sent and paid for.
                Line::Try(_) | Line::Probe(_) => true,
            };
            if is_wanted {
                append(line)?;
            }
        }
    }
    file.syncer().sync()?;
    Ok(())
}

/// Chooses the journal for each question: the first with an answer, otherwise the last with a
/// failure.
fn chosen(parts: &[JournalContent], joined: &mut JoinSummary) -> HashSet<(usize, JournalKey)> {
    let mut of: HashMap<JournalKey, (usize, bool)> = HashMap::new();
    let mut twice = HashSet::new();
    for (number, part) in parts.iter().enumerate() {
        for line in &part.lines {
            let Line::Done(done) = line else { continue };
            let question = question_of(done);
            let is_answered = done.kind().is_some_and(Kind::is_answer);
            match of.get_mut(&question) {
                Some((known, _)) if *known == number => {}
                Some(known) => {
                    twice.insert(question);
                    if !known.1 {
                        *known = (number, is_answered);
                    }
                    continue;
                }
                None => {}
            }
            of.insert(question, (number, is_answered));
        }
    }
    joined.done = of.len();
    joined.twice = twice.len();
    of.into_iter()
        .map(|(question, (number, _))| (number, question))
        .collect()
}

/// Returns the description of the joined run.
fn head_of_all(parts: &[JournalContent]) -> Option<Head> {
    let first = &parts.first()?.head;
    let mut head = Head {
        address: first.address.clone(),
        samples: Vec::new(),
        questions: 0,
        most_questions: None,
        ..whole(first)
    };
    let mut known = HashSet::new();
    for JournalContent { head: part, .. } in parts {
        let new = part
            .samples
            .iter()
            .filter(|sample| known.insert((*sample).clone()));
        let new: Vec<String> = new.cloned().collect();
        if new.is_empty() {
            continue;
        }
        // A part that was run twice counts once.
        head.samples.extend(new);
        head.questions += part.questions;
        head.most_questions = match (head.most_questions, part.most_questions) {
            (None, most) | (most, None) => most,
            (Some(a), Some(b)) => Some(a + b),
        };
        head.started = head.started.min(part.started.clone());
    }
    Some(head)
}

/// Writes the joined log with one answer per question; returns their number.
fn logs(parts: &[JournalContent], out: &Path) -> Result<usize, JournalError> {
    let path = out.join(output::FILE);
    let unreadable = |path: &Path, why| JournalError::Unreadable {
        path: path.to_path_buf(),
        why,
    };
    let (mut text, mut known) = (String::new(), HashSet::new());
    for part in parts {
        let path = part.folder.join(output::FILE);
        let log = base::platform::file::read(&path);
        let log = match log.and_then(|log| String::from_utf8(log).map_err(io::Error::other)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            log => log.map_err(|why| unreadable(&path, why))?,
        };
        for line in log.lines() {
            let whole = serde_json::from_str::<Json>(line).ok();
            if whole.is_some_and(|line| known.insert(question(&line))) {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    file::write(&path, text.as_bytes(), &Inputs::none())?;
    Ok(known.len())
}

/// Identifies the question of a log line.
fn question(line: &Json) -> String {
    let fields = ["benchmark", "ability", "sample_id", "condition", "model"];
    fields.map(|name| line[name].to_string()).join("\u{1f}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::item::JournalEntry;
    use crate::journal::{AttemptEntry, Journal};
    use serde_json::json;

    fn head(shard: &str, samples: &[&str]) -> Head {
        Head {
            model: "m".to_owned(),
            protocol: "vanilla".to_owned(),
            address: format!("http://{}", shard.len()),
            parameters: json!({"seed": 1, "shard": shard}),
            samples: samples.iter().map(|name| (*name).to_owned()).collect(),
            questions: samples.len(),
            ..Head::default()
        }
    }

    fn done(item: &str, outcome: &str, text: &str) -> JournalEntry {
        JournalEntry {
            key: format!("key of {item}"),
            item: item.to_owned(),
            sample_id: item.to_owned(),
            outcome: outcome.to_owned(),
            text: text.to_owned(),
            ..JournalEntry::default()
        }
    }

    fn log_line(item: &str, text: &str) -> String {
        json!({"sample_id": item, "model": "m", "response": text, "rerun": {"key": format!("key of {item}")}}).to_string()
            + "\n"
    }

    fn run(folder: &Path, head: Head, dones: &[JournalEntry]) {
        let mut journal = Journal::create(folder, head).unwrap();
        let mut log = String::new();
        for done in dones {
            let attempt = AttemptEntry {
                key: done.key.clone(),
                n: 1,
                ..AttemptEntry::default()
            };
            journal.attempted(attempt).unwrap();
            journal.finish(Arc::new(done.clone())).unwrap();
            if done.outcome == "ok" {
                log += &log_line(&done.item, &done.text);
            }
        }
        fs::write(folder.join(output::FILE), log).unwrap();
    }

    /// Journals of a plan of four samples; the second part was run on two machines.
    fn parts(folder: &Path) -> Vec<PathBuf> {
        let names = ["one", "two", "again"].map(|name| folder.join(name));
        run(
            &names[0],
            head("1/2", &["a", "b"]),
            &[done("a", "ok", "A"), done("b", "failed:time", "")],
        );
        run(
            &names[1],
            head("2/2", &["c", "d"]),
            &[done("c", "failed:time", ""), done("d", "ok", "first")],
        );
        run(
            &names[2],
            head("2/2", &["c", "d"]),
            &[done("c", "ok", "C"), done("d", "ok", "second")],
        );
        names.into()
    }

    #[test]
    fn parts_join_with_nothing_twice_and_the_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path());
        let out = folder.path().join("all");
        let joined = join(&parts, &out).unwrap();
        assert_eq!((joined.done, joined.twice, joined.answers), (4, 2, 3));
        assert!(joined.lacking.is_empty() && joined.bad.is_empty());
        let whole = Head {
            address: "http://3".to_owned(),
            parameters: json!({"seed": 1}),
            ..head("1/2", &[])
        };
        let journal = Journal::open(&out, whole).unwrap();
        let text = |item: &str| journal.known(&done(item, "", "")).unwrap().text.clone();
        assert_eq!(["a", "b", "c", "d"].map(text), ["A", "", "C", "first"]);
        let mut samples = journal.head().samples.clone();
        samples.sort();
        assert_eq!(
            (samples.join(""), journal.head().questions),
            ("abcd".to_owned(), 4)
        );
        let log = fs::read_to_string(out.join(output::FILE)).unwrap();
        assert_eq!(
            log,
            log_line("a", "A") + &log_line("d", "first") + &log_line("c", "C")
        );
        drop(journal);
        let again = join(&parts, &out).unwrap_err();
        assert!(matches!(again, JournalError::Exists(_)), "{again}");
    }

    #[test]
    fn a_part_that_is_lacking_is_named_and_another_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path());
        let joined = join(&parts[..1], &folder.path().join("half")).unwrap();
        assert_eq!(joined.lacking, ["2/2".parse::<Shard>().unwrap()]);
        let other = folder.path().join("other");
        let differs = Head {
            model: "n".to_owned(),
            ..head("2/2", &["c"])
        };
        run(&other, differs, &[]);
        let three = folder.path().join("three");
        run(&three, head("2/3", &["c"]), &[]);
        for (other, what) in [(other, "model"), (three, "shard")] {
            let wrong = join(&[parts[0].clone(), other], &folder.path().join("x")).unwrap_err();
            let said = wrong.to_string();
            assert!(said.contains(what), "{said}");
        }
        assert!(join(&[folder.path().join("none")], &folder.path().join("y")).is_err());
    }
}
