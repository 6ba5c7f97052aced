//! Reads `results_eval_{knn,linear,logreg}.json` of DINO (2 and 3). These files are not valid JSON:
//! they contain objects, one member per line. In `linear`, a line `iter: N` precedes each object.
//! Later runs are appended to the file.

use std::path::Path;

use serde_json::Value as Json;

use super::Place;
use crate::json::parse;
use crate::lines::{Line, START, each};
use crate::run_folder::file_name;
use crate::{Sink, Unit};
use record::{Problem, PublishedScore, Settings};

/// Name of the benchmark; the files do not name the data set.
pub const BENCHMARK: &str = "dino-eval";
/// Member with the name of the best classifier, and its accuracy as a fraction.
const BEST: &str = "best_classifier";
/// Prefixes of the names of folders between the model's folder and the file.
const FOLDERS: [&str; 5] = ["knn", "linear", "log", "eval", "results"];
/// Words that precede the number of a checkpoint in a folder name.
const CHECKPOINTS: [&str; 6] = ["training", "iter", "checkpoint", "ckpt", "step", "epoch"];

/// Returns the kind of evaluation for the name of a score: `knn` (`('full', 10) Top 1`), `logreg`
/// (`top-1`) or `linear` (`DATA_accuracy`).
pub fn kind_of(name: &str) -> Option<&'static str> {
    let top = name
        .strip_prefix("top-")
        .map(|top| top.trim_end_matches("_mean"));
    if name
        .rsplit_once(" Top ")
        .is_some_and(|(_, top)| is_number(top))
    {
        Some("knn")
    } else if top.is_some_and(is_number) {
        Some("logreg")
    } else if name.ends_with("_accuracy") {
        Some("linear")
    } else {
        None
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the kind of evaluation that wrote a file, determined from its first result.
pub fn kind(head: &[u8]) -> Option<&'static str> {
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let first = lines.next()?;
    let is_iteration = iteration(first).is_some();
    let line = if is_iteration { lines.next()? } else { first };
    let Json::Object(members) = parse(line, 1).ok()? else {
        return None;
    };
    if members
        .get(BEST)
        .is_some_and(|best| best.get("accuracy").is_some())
    {
        return Some("linear");
    }
    let is_result = |name: &String| kind_of(name).is_some() || name == "best_C";
    let name = members.keys().find(|name| kind_of(name).is_some())?;
    (!is_iteration && members.keys().all(is_result)).then(|| kind_of(name))?
}

/// Returns model and checkpoint. Only the path contains them:
/// `MODEL/eval/training_12499/knn/results_eval_knn.json`.
pub fn place(path: &Path, kind: &str) -> Place {
    let mut place = Place {
        dataset: kind.to_owned(),
        ..Place::default()
    };
    for folder in path.ancestors().skip(1).filter_map(Path::file_name) {
        let name = folder.to_string_lossy();
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let word = name.strip_suffix(digits).unwrap_or_default();
        let word = word.trim_end_matches(['_', '-']).to_lowercase();
        if is_number(digits) && (word.is_empty() || CHECKPOINTS.contains(&word.as_str())) {
            place.checkpoint.get_or_insert(name.into_owned());
        } else if !FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            place.model = Some(name.into_owned());
            break;
        }
    }
    place
}

/// Splits the name of a result into the fields of the score.
pub fn complete(score: &mut PublishedScore) {
    let name = std::mem::take(&mut score.metric);
    BENCHMARK.clone_into(&mut score.benchmark);
    score.higher_is_better = Some(true);
    if let Some(kind) = kind_of(&name) {
        kind.clone_into(&mut score.ability);
    }
    if let Some((split, top)) = name.rsplit_once(" Top ") {
        score.split = Some(split.to_owned());
        score.metric = format!("Top {top}");
    } else if let Some(data) = name.strip_suffix("_accuracy") {
        score.split = Some(std::mem::replace(&mut score.ability, data.to_owned()));
        "accuracy".clone_into(&mut score.metric);
    } else {
        score.metric = name;
    }
}

/// Reads a file. For each run, only the results of the last iteration are used.
pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let mut results = Results {
        unit,
        iteration: None,
        scores: Vec::new(),
        settings: Settings::new(),
    };
    let read = each(&unit.path, START, &mut |line| {
        if let Err(what) = results.line(&line, sink) {
            sink.left_out(&unit.path, line.number, what);
        }
        sink.progress(line.length)
    });
    if let Err(error) = read {
        sink.problem(Problem::unreadable(&unit.path, error));
    }
    results.pass(sink);
    if !results.settings.is_empty() {
        sink.settings(results.settings);
    }
}

/// Returns the number in a line `iter: N`.
fn iteration(line: &[u8]) -> Option<u64> {
    let number = line.strip_prefix(b"iter:")?.trim_ascii();
    str::from_utf8(number).ok()?.parse().ok()
}

/// Results that were read so far.
struct Results<'a> {
    unit: &'a Unit,
    iteration: Option<u64>,
    /// Scores of the current iteration, with their lines.
    scores: Vec<(PublishedScore, u64)>,
    settings: Settings,
}

impl Results<'_> {
    /// Reads a line: an iteration number or an object with results.
    fn line(&mut self, line: &Line<'_>, sink: &mut dyn Sink) -> Result<(), String> {
        let text = line.text.clone()?;
        if text.is_empty() {
            return Ok(());
        }
        if let Some(iteration) = iteration(text) {
            // Within a run, iteration numbers increase. The results of earlier iterations are
            // discarded.
            if self.iteration.is_some_and(|before| before < iteration) {
                self.scores.clear();
            }
            self.pass(sink);
            self.iteration = Some(iteration);
            self.settings.insert("iteration", iteration.to_string());
            return Ok(());
        }
        let Json::Object(members) = parse(text, line.number)? else {
            return Err("neither an object nor `iter: N`".to_owned());
        };
        for (name, value) in &members {
            let score = if name == BEST {
                self.best(value)
            } else {
                result(name, value)
            }?;
            if let Some((metric, score)) = score {
                self.scores.push((self.score(metric, score), line.number));
            }
        }
        if self.iteration.is_none() {
            self.pass(sink);
        }
        Ok(())
    }

    /// Returns the accuracy of the best classifier, and records its name as a setting.
    fn best(&mut self, best: &Json) -> Result<Option<(String, f64)>, String> {
        if let Some(name) = best.get("name").and_then(Json::as_str) {
            self.settings.insert("classifier", name.to_owned());
        }
        let accuracy = best.get("accuracy").ok_or("`accuracy` is missing")?;
        let accuracy = number("accuracy", accuracy)?;
        Ok(accuracy.map(|accuracy| ("accuracy".to_owned(), accuracy)))
    }

    fn score(&self, metric: String, score: f64) -> PublishedScore {
        let unit = self.unit;
        let mut score = PublishedScore {
            table: file_name(&unit.path),
            model: unit.model.clone().unwrap_or_default(),
            run: unit.run.clone(),
            ability: unit.dataset.clone().unwrap_or_default(),
            metric,
            score,
            ..PublishedScore::default()
        };
        complete(&mut score);
        score
    }

    /// Passes the scores of the current iteration to the sink.
    fn pass(&mut self, sink: &mut dyn Sink) {
        for (score, line) in self.scores.drain(..) {
            sink.published(score, line);
        }
    }
}

/// Converts a result in percent to its name and fraction; `None` for other members.
fn result(name: &str, value: &Json) -> Result<Option<(String, f64)>, String> {
    if kind_of(name).is_none() {
        return Ok(None);
    }
    let percent = number(name, value)?;
    Ok(percent.map(|percent| (name.to_owned(), percent / 100.0)))
}

/// Returns a number; `None` for null.
fn number(name: &str, value: &Json) -> Result<Option<f64>, String> {
    match value {
        Json::Null => Ok(None),
        value => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{name}` is not a number: {value}")),
        },
    }
}
