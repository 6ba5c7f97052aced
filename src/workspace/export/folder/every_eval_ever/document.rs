//! The aggregate document of one model and benchmark.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::super::groups::GroupKey;
use super::super::{FolderContent, FolderGaps, FolderTarget, Gap};
use analysis::Score;
use reader::every_eval_ever::{FROM_SAMPLES, MARK, POLARITY, UNKNOWN, VERSION};
use reader::own::{Metadata, write_metadata};
use record::{Direction, PublishedScore, Row, Source, Table};

/// Fields that all results of a document share.
pub struct Header<'a> {
    /// Id of the evaluation: benchmark, model and time.
    pub id: String,
    /// Name of the model, without its run.
    pub model: &'a str,
    benchmark: &'a str,
    run: Option<&'a str>,
    /// True if the weights of the model are available; `None` if unknown.
    open: Option<bool>,
    source_type: &'static str,
    time: String,
    command: &'a str,
    library: Json,
}

/// File with the samples from which the results of a document were computed.
pub struct SampleFile {
    /// Path relative to the folder of the export.
    pub path: String,
    /// Number of lines, one per sample.
    pub rows: u64,
}

impl<'a> Header<'a> {
    /// Returns the header of a document about samples.
    pub fn of_samples(
        key: &'a GroupKey,
        rows: &[Row],
        content: &FolderContent<'a>,
        target: &FolderTarget<'a>,
    ) -> Self {
        let table = content.selection.table;
        let (model, run) = table.names().plain(&key.model);
        let units: BTreeSet<u32> = rows.iter().map(|row| table.place(*row).unit).collect();
        let sources = units.iter();
        let sources = sources.filter_map(|unit| table.sources().get(*unit as usize));
        let facts = table.names().facts(&key.model);
        let runs = content.runs(model, &key.benchmark).map(write_metadata);
        Self {
            run,
            open: facts.and_then(|facts| facts.open),
            source_type: "evaluation_run",
            library: library(&sources.collect::<Vec<_>>(), &runs.collect::<Vec<_>>()),
            ..Self::new(&key.benchmark, model, target)
        }
    }

    /// Returns the header of a document with published scores.
    pub fn of_figures(key: &'a GroupKey, target: &FolderTarget<'a>) -> Self {
        Self::new(&key.benchmark, &key.model, target)
    }

    fn new(benchmark: &'a str, model: &'a str, target: &FolderTarget<'a>) -> Self {
        let time = target.time().timestamp().to_string();
        Self {
            id: format!("{benchmark}/{model}/{time}"),
            model,
            benchmark,
            run: None,
            open: None,
            source_type: "documentation",
            time,
            command: target.command,
            library: json!({"name": UNKNOWN, "version": UNKNOWN}),
        }
    }
}

/// Returns the harnesses of the logs, and the settings that all logs share. `runs` are added as
/// separate settings.
fn library(sources: &[&Source], runs: &[String]) -> Json {
    let settings = sources.first().map(|source| &source.settings);
    let is_shared = |name: &str, value: &String| {
        let mut all = sources.iter();
        all.all(|source| source.settings.get(name) == Some(value))
    };
    let settings = settings.into_iter().flatten();
    let mut details: Map<String, Json> = settings
        .filter(|(name, value)| is_shared(name, value))
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let formats: BTreeSet<&str> = sources.iter().map(|source| source.format).collect();
    let formats: Vec<&str> = formats.into_iter().collect();
    let version = details.remove("harness version");
    if !runs.is_empty() {
        details.insert(MARK.to_owned(), json!(format!("[{}]", runs.join(","))));
    }
    json!({
        "name": if formats.is_empty() { UNKNOWN.to_owned() } else { formats.join(", ") },
        "version": version.unwrap_or_else(|| json!(UNKNOWN)),
        "additional_details": details,
    })
}

/// Returns a document with its results.
pub fn document(header: &Header<'_>, results: Vec<Json>, samples: Option<SampleFile>) -> Json {
    let availability = match header.open {
        Some(true) => "open_weights",
        Some(false) => "closed_weights",
        None => UNKNOWN,
    };
    let mut details = json!({"deployment_type": UNKNOWN, "model_availability": availability});
    if let Some(run) = header.run {
        details["run"] = json!(run);
    }
    let mut results = results;
    for result in &mut results {
        result["source_data"] = json!({"dataset_name": header.benchmark, "source_type": "other"});
    }
    let mut document = json!({
        "schema_version": VERSION,
        "evaluation_id": header.id,
        "retrieved_timestamp": header.time,
        "source_metadata": {
            "source_name": "Eyechart",
            "source_type": header.source_type,
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
            "additional_details": {"command": header.command},
        },
        "eval_library": header.library,
        "model_info": {
            "name": header.model, "id": header.model, "additional_details": details,
        },
        "evaluation_results": results,
    });
    if let Some(SampleFile { path, rows }) = samples {
        document["detailed_evaluation_results"] =
            json!({"format": "jsonl", "file_path": path, "total_rows": rows});
    }
    document
}

/// Returns the id in the JSON of a result; `None` if it is missing.
pub fn result_id(result: &Json) -> Option<&str> {
    result.get("evaluation_result_id")?.as_str()
}

/// Builds the id of a result from ability, metric and split.
pub fn compose_id(ability: &str, metric: &str, split: Option<&str>) -> String {
    let split = split.map(|split| format!(":{split}")).unwrap_or_default();
    format!("{ability}:{metric}{split}")
}

/// Returns the JSON of a score that is computed from samples; `None` if the score has no value.
pub fn result(score: &Score, table: &Table, gaps: &mut FolderGaps) -> Option<Json> {
    let value = score.score.filter(|value| value.is_finite())?;
    if score.direction.is_none() {
        gaps.add(Gap::NoDirection);
    }
    let range = table.names().range_of(&score.metric);
    let mut config = metric_config(&score.metric, score.direction);
    if let Some(range) = range.filter(|range| !range.excludes(value)) {
        config["score_type"] = json!("continuous");
        config["min_score"] = bound(range.low);
        config["max_score"] = bound(range.high);
        if !range.unit.is_empty() {
            config["metric_unit"] = json!(range.unit);
        }
    }
    let mut details = json!({MARK: FROM_SAMPLES});
    if let Some(split) = &score.split {
        details["split"] = json!(split);
    }
    if let Some(words) = score
        .evidence
        .as_ref()
        .and_then(|evidence| evidence.words())
    {
        details["evidence"] = json!(words);
    }
    for left in score
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.left_out)
    {
        details[format!("left out: {}", left.why)] = json!(left.n.to_string());
    }
    let mut uncertainty = json!({"num_samples": score.n});
    if let Some(ci) = score
        .ci
        .as_ref()
        .filter(|ci| ci.low.is_finite() && ci.high.is_finite())
    {
        uncertainty["confidence_interval"] =
            json!({"lower": ci.low, "upper": ci.high, "confidence_level": 0.95});
    }
    Some(json!({
        "evaluation_result_id": compose_id(&score.ability, &score.metric, score.split.as_deref()),
        "evaluation_name": score.ability,
        "source_data": null,
        "metric_config": config,
        "score_details": {"score": value, "details": details, "uncertainty": uncertainty},
    }))
}

/// Returns the JSON of a published score.
pub fn figure(figure: &PublishedScore, gaps: &mut FolderGaps) -> Json {
    let direction = figure.higher_is_better.map(Direction::from_higher);
    if direction.is_none() {
        gaps.add(Gap::NoDirection);
    }
    let line = write_metadata(&Metadata::Figure(Box::new(figure.clone())));
    let mut details = json!({"score": figure.score, "details": {MARK: line}});
    if figure.n > 0 {
        details["uncertainty"] = json!({"num_samples": figure.n});
    }
    json!({
        "evaluation_result_id":
            compose_id(&figure.ability, &figure.metric, figure.split.as_deref()),
        "evaluation_name": figure.ability,
        "source_data": null,
        "metric_config": metric_config(&figure.metric, direction),
        "score_details": details,
    })
}

/// Returns the JSON of a metric with its direction, which the schema requires.
fn metric_config(metric: &str, direction: Option<Direction>) -> Json {
    let lower = direction == Some(Direction::Lower);
    let mut config = json!({"metric_id": metric, "metric_name": metric, "lower_is_better": lower});
    if direction.is_none() {
        config["additional_details"] = json!({POLARITY: UNKNOWN});
    }
    config
}

/// Returns the end of a range as JSON. The schema has names for infinite ends.
fn bound(end: f64) -> Json {
    if end == f64::INFINITY {
        json!("Infinity")
    } else if end == f64::NEG_INFINITY {
        json!("-Infinity")
    } else {
        json!(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_names_only_what_all_logs_share() {
        let source = |format, settings: &[(&'static str, &str)]| {
            let settings = settings.iter();
            Source {
                format,
                settings: settings
                    .map(|(name, value)| (*name, (*value).to_owned()))
                    .collect(),
                ..Source::default()
            }
        };
        let one = source(
            "lm-eval",
            &[("harness version", "1"), ("limit", "5"), ("seed", "7")],
        );
        let other = source("helm", &[("harness version", "1"), ("seed", "8")]);
        let alone = library(&[&one], &[]);
        assert_eq!(
            alone,
            json!({"name": "lm-eval", "version": "1", "additional_details": {"limit": "5", "seed": "7"}})
        );
        let both = library(&[&one, &other], &[]);
        assert_eq!(
            both,
            json!({"name": "helm, lm-eval", "version": "1", "additional_details": {}})
        );
        assert_eq!(library(&[], &[])["name"], UNKNOWN);
    }
}
