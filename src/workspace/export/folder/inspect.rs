//! Writes Inspect logs (`.eval`): one archive for each model, ability and condition.
//!
//! Source: `EvalLog` and `EvalSample` of `inspect_ai.log` (log version 2). An epoch is the
//! condition `repeat`. Other conditions are written to separate logs, because Inspect allows one
//! answer per sample and epoch. The metadata of a sample contains its tags and, under `eyechart`,
//! the fields that Inspect does not have.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};

use serde_json::{Map, Value as Json, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::groups::{GroupKey, epoch, groups, note_pictures, path_part, uuid};
use super::{FolderContent, FolderGaps, FolderTarget, Gap};
use crate::export::{ExportError, Records};
use analysis::Score;
use base::file::WholeFile;
use reader::inspect::{MARK, RUNS};
use reader::own::{Metadata, fields, write_labels, write_value};
use record::{ImageRef, REPEAT, Record, Row};

/// Version of the log format.
const VERSION: u32 = 2;
/// Long text fields that a sample of Inspect has.
const NATIVE: [&str; 3] = ["question", "response", "parsed"];
/// Maximum length of a question in a summary, in characters.
const LONGEST: usize = 1_000;

pub fn write(
    content: FolderContent<'_>,
    target: &FolderTarget<'_>,
) -> Result<FolderGaps, ExportError> {
    let mut gaps = FolderGaps::default();
    let is_figure = |one: &&Metadata| matches!(one, Metadata::Figure(_));
    let figures = content.metadata.iter().filter(is_figure).count();
    gaps.add_many(Gap::Published, figures as u64);
    for (key, rows) in groups(content.selection, GroupKey::of_task) {
        let log = Log {
            task: task(&key),
            key,
            content,
            target,
        };
        log.write(&rows, &mut gaps)?;
    }
    Ok(gaps)
}

/// Returns the name of a task: benchmark, ability if it has another name, and condition.
fn task(key: &GroupKey) -> String {
    let task = key.task.as_ref();
    let parts = task
        .into_iter()
        .flat_map(|task| [&task.ability, &task.condition]);
    let parts = parts.filter(|part| !part.is_empty() && **part != key.benchmark);
    let parts = std::iter::once(&key.benchmark).chain(parts);
    parts.map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// An Inspect log to write.
struct Log<'a> {
    key: GroupKey,
    task: String,
    content: FolderContent<'a>,
    target: &'a FolderTarget<'a>,
}

/// Counts and summaries of the samples written to a log.
#[derive(Default)]
struct Written {
    samples: u64,
    scored: u64,
    epochs: u32,
    metric: Option<String>,
}

impl Log<'_> {
    fn write(&self, rows: &[Row], gaps: &mut FolderGaps) -> Result<(), ExportError> {
        let mut archive = Members::new()?;
        let start = json!({"version": VERSION, "eval": self.spec(None), "plan": plan()});
        archive.add("_journal/start.json", &write_value(&start))?;
        let (written, summaries) = self.samples(rows, &mut archive, gaps)?;
        if written.samples == 0 {
            return Ok(());
        }
        archive.add("summaries.json", &format!("[{}]", summaries.join(",")))?;
        archive.add("header.json", &write_value(&self.header(&written)))?;
        let name = format!("{} {}", self.task, self.key.model);
        let mark: String = uuid(self.key.hash()).chars().take(8).collect();
        let path = self
            .target
            .path(&format!("{}_{mark}.eval", path_part(&name)))?;
        archive.finish(WholeFile::create(&path, self.target.inputs)?)?;
        gaps.files += 1;
        Ok(())
    }

    /// Writes all samples. Returns their counts and summaries.
    fn samples(
        &self,
        rows: &[Row],
        archive: &mut Members,
        gaps: &mut FolderGaps,
    ) -> Result<(Written, Vec<String>), ExportError> {
        let selection = self.content.selection;
        let mut records = Records::new(selection.table, selection.scoring, self.target.folder);
        let (mut written, mut summaries) = (Written::default(), Vec::new());
        let mut known: HashSet<String> = HashSet::new();
        for row in rows {
            if !selection.ticket.is_wanted() {
                return Err(ExportError::Stopped);
            }
            let Ok(record) = records.record(*row) else {
                gaps.add(Gap::Lost);
                continue;
            };
            let epoch = record.condition.get(REPEAT).and_then(epoch).unwrap_or(1);
            let member = member(&record.sample_id, epoch);
            if !known.insert(member.clone()) {
                gaps.add(Gap::Repeated);
                continue;
            }
            note_pictures(&record, gaps);
            let scores = scores(&record);
            let whole = with_scores(&sample(&record, epoch), &scores);
            archive.add(&member, &whole)?;
            summaries.push(with_scores(&summary(&record, epoch), &scores));
            written.samples += 1;
            written.scored += u64::from(record.stored.is_some_and(|score| !score.is_nan()));
            written.epochs = written.epochs.max(epoch);
            written.metric = record.metric.or(written.metric);
        }
        Ok((written, summaries))
    }

    /// Returns the specification of the run as JSON.
    fn spec(&self, written: Option<&Written>) -> Json {
        let names = self.content.selection.table.names();
        let (model, run) = names.plain(&self.key.model);
        let runs = self.content.runs(model, &self.key.benchmark);
        let runs: Vec<Json> = runs.map(|run| Json::Object(run.line())).collect();
        let id = uuid(self.key.hash());
        let created = self
            .target
            .time()
            .to_rfc3339_opts(chrono::SecondsFormat::Secs, false);
        json!({
            "eval_id": id, "run_id": run.unwrap_or(&id), "created": created,
            "task": self.task, "task_id": id, "task_version": 0,
            "task_attribs": {}, "task_args": {},
            "dataset": {
                "name": self.key.benchmark,
                "samples": written.map(|written| written.samples),
            },
            "model": model, "model_args": {},
            "config": {"epochs": written.map(|written| written.epochs)},
            "packages": {},
            "metadata": {MARK: {"command": self.target.command, RUNS: runs}},
        })
    }

    /// Returns the header. It contains the score of the ability if this log has all samples of the
    /// ability.
    fn header(&self, written: &Written) -> Json {
        let metric = written.metric.as_deref().unwrap_or("score");
        let whole = self
            .whole_score(metric, written)
            .and_then(|score| score.score);
        let value = whole.filter(|value| value.is_finite());
        let metrics: Map<String, Json> = value
            .map(|value| json!({"name": metric, "value": value, "params": {}}))
            .map(|value| (metric.to_owned(), value))
            .into_iter()
            .collect();
        json!({
            "version": VERSION,
            "status": "success",
            "eval": self.spec(Some(written)),
            "plan": plan(),
            "results": {
                "total_samples": written.samples,
                "completed_samples": written.samples,
                "scores": [{
                    "name": metric, "scorer": metric, "scored_samples": written.scored,
                    "unscored_samples": written.samples - written.scored,
                    "params": {}, "metrics": metrics,
                }],
            },
            "stats": {"started_at": "", "completed_at": ""},
        })
    }

    fn whole_score(&self, metric: &str, written: &Written) -> Option<&Score> {
        let ability = &self.key.task.as_ref()?.ability;
        let is_own = |score: &&Score| {
            score.benchmark == self.key.benchmark
                && score.model == self.key.model
                && score.ability == *ability
                && score.metric == metric
                && score.split.is_none()
                && score.n == written.scored
        };
        self.content.scores_of_samples().find(is_own)
    }
}

fn plan() -> Json {
    json!({"name": "plan", "steps": [], "config": {}})
}

/// Returns the name of a sample's file in the archive. An id that points outside the archive is
/// replaced, with a hash that keeps names distinct.
pub fn member(id: &str, epoch: u32) -> String {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let is_harmless = !id.contains(|it| base::format::is_control(it) || it == '\\');
    let name = if is_harmless && id.split('/').all(is_plain) {
        id.to_owned()
    } else {
        let hash = blake3::hash(id.as_bytes()).to_hex();
        format!("{}_{}", path_part(id), &hash[..16])
    };
    format!("samples/{name}_epoch_{epoch}.json")
}

/// Returns a sample without its scores.
fn sample(record: &Record, epoch: u32) -> Json {
    let content = &record.content;
    let mut attachments = Map::new();
    let prompt = prompt(record, &mut attachments);
    let mut messages = vec![prompt.clone()];
    let mut output = json!({"model": record.model, "choices": []});
    if let Some(response) = &record.response {
        let message = json!({
            "role": "assistant", "content": response, "source": "generate", "model": record.model,
        });
        messages.push(message.clone());
        output["choices"] = json!([{"message": message, "stop_reason": "unknown"}]);
        output["completion"] = json!(response);
    }
    let mut sample = json!({
        "id": record.sample_id, "epoch": epoch, "input": [prompt],
        "target": content.target.as_ref().map(ToString::to_string).unwrap_or_default(),
        "messages": messages, "output": output, "metadata": metadata(record),
        "attachments": attachments,
    });
    if !content.choices.is_empty() {
        let texts = content.choices.iter().map(|choice| choice.text.as_str());
        sample["choices"] = texts.collect();
    }
    sample
}

/// Returns a message with the question and its pictures. Inline pictures become attachments.
fn prompt(record: &Record, attachments: &mut Map<String, Json>) -> Json {
    let content = &record.content;
    let picture = |image: &ImageRef| match image {
        ImageRef::Path(text) | ImageRef::Url(text) => Some(text.clone()),
        ImageRef::Inline(text) => {
            let name = blake3::hash(text.as_bytes()).to_hex()[..32].to_owned();
            attachments.insert(name.clone(), json!(text));
            Some(format!("attachment://{name}"))
        }
        // Inspect cannot read a picture at a position inside a file.
        ImageRef::Cell { .. } => None,
    };
    let pictures = content.images.iter().filter_map(picture);
    let pictures = pictures.map(|image| json!({"type": "image", "image": image}));
    let text = json!({"type": "text", "text": content.question});
    let parts = std::iter::once(text).chain(pictures);
    json!({"role": "user", "content": parts.collect::<Vec<_>>()})
}

/// Returns true if all pictures can be read again from the message alone.
fn holds_pictures(record: &Record) -> bool {
    let is_held = |image: &ImageRef| match image {
        ImageRef::Path(_) | ImageRef::Url(_) => true,
        ImageRef::Inline(text) => text.starts_with("data:"),
        ImageRef::Cell { .. } => false,
    };
    record.content.images.iter().all(is_held)
}

/// Returns the tags, and the fields that Inspect does not have.
fn metadata(record: &Record) -> Json {
    let mut kept = fields(record);
    kept.retain(|name, _| !NATIVE.contains(&name.as_str()));
    if holds_pictures(record) {
        kept.remove("image");
        kept.remove("images");
    }
    kept.insert("condition".to_owned(), write_labels(&record.condition));
    kept.insert("tags".to_owned(), write_labels(&record.content.tags));
    let mut metadata = write_labels(&record.content.tags);
    // Write it as text, which keeps every digit.
    metadata[MARK] = json!(write_value(&Json::Object(kept)));
    metadata
}

/// Returns the summary of a sample without its scores.
fn summary(record: &Record, epoch: u32) -> Json {
    let content = &record.content;
    let question: String = content.question.chars().take(LONGEST).collect();
    json!({
        "id": record.sample_id, "epoch": epoch, "input": question,
        "target": content.target.as_ref().map(ToString::to_string).unwrap_or_default(),
        "metadata": write_labels(&content.tags), "completed": true,
    })
}

/// Returns the scores of a sample as JSON text. A missing score is `NaN`, as in Inspect.
fn scores(record: &Record) -> String {
    let value = record.stored.filter(|score| !score.is_nan());
    let value = value.map(|score| {
        if score.is_finite() {
            score.to_string()
        } else if score > 0.0 {
            "Infinity".to_owned()
        } else {
            "-Infinity".to_owned()
        }
    });
    let name = write_value(&json!(record.metric.as_deref().unwrap_or("score")));
    let answer = write_value(&json!(record.parsed));
    let value = value.unwrap_or_else(|| "NaN".to_owned());
    format!("{{{name}:{{\"value\":{value},\"answer\":{answer}}}}}")
}

/// Returns an object as JSON text, with `scores` as its last member.
fn with_scores(object: &Json, scores: &str) -> String {
    let text = write_value(object);
    let open = text.strip_suffix('}').unwrap_or(&text);
    format!("{open},\"scores\":{scores}}}")
}

/// Files of an archive that is being written, in a temporary file without name.
struct Members {
    writer: ZipWriter<File>,
}

impl Members {
    fn new() -> io::Result<Self> {
        Ok(Self {
            writer: ZipWriter::new(tempfile::tempfile()?),
        })
    }

    fn add(&mut self, name: &str, text: &str) -> Result<(), ExportError> {
        let packed = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .large_file(u32::try_from(text.len()).is_err());
        let failed = |error: zip::result::ZipError| ExportError::Write(error.to_string());
        self.writer.start_file(name, packed).map_err(failed)?;
        Ok(self.writer.write_all(text.as_bytes())?)
    }

    /// Completes the archive and copies it to a file.
    fn finish(self, mut out: WholeFile) -> Result<(), ExportError> {
        let failed = |error: zip::result::ZipError| ExportError::Write(error.to_string());
        let mut archive = self.writer.finish().map_err(failed)?;
        archive.seek(SeekFrom::Start(0))?;
        io::copy(&mut archive, &mut out)?;
        Ok(out.commit()?)
    }
}
