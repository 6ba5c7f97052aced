//! An aggregate document: the results of one model in one evaluation.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde_json::Value as Json;

use super::{FROM_SAMPLES, MARK, POLARITY, UNKNOWN};
use crate::json;
use crate::own::{Line, parse_line};
use crate::run_folder::harness_figure;
use record::{Direction, PublishedScore};

/// Name of the metric of a result that does not name its metric.
const SCORE: &str = "score";

/// A parsed aggregate document; empty if there is none.
#[derive(Clone, Debug, Default)]
pub struct Aggregate {
    document: Json,
    /// Metrics by result id.
    metrics: HashMap<String, ResultMetric>,
}

/// Name and direction of a result's metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultMetric {
    /// Name of the metric.
    pub name: String,
    /// Direction of the metric; `None` if the file declares it as unknown.
    pub direction: Option<Direction>,
}

impl Aggregate {
    /// Reads an aggregate document.
    ///
    /// # Errors
    /// If it cannot be read or is not a JSON object.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = json::read_bounded(path).map_err(|error| error.to_string())?;
        match json::parse(&text, 1)? {
            document @ Json::Object(_) => Ok(Self {
                metrics: metrics(results(&document)),
                document,
            }),
            _ => Err("not a JSON object".to_owned()),
        }
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.document.pointer(pointer)?.as_str()
    }

    /// Returns the metric of the result with the given id.
    pub fn metric(&self, id: &str) -> Option<&ResultMetric> {
        self.metrics.get(id)
    }

    /// Returns the settings of the runs in a converted document, parsed as lines of Eyechart's own
    /// format.
    pub fn runs(&self) -> impl Iterator<Item = Result<Line, String>> {
        let pointer = format!("/eval_library/additional_details/{MARK}");
        let runs = self.text(&pointer).map(serde_json::from_str::<Vec<Json>>);
        let runs = runs.and_then(Result::ok).unwrap_or_default();
        runs.into_iter()
            .map(|run| parse_line(run.to_string().as_bytes(), ""))
    }

    /// Returns the scores in the document. Converted scores that are recomputed from the samples
    /// are omitted.
    pub fn figures(&self, path: &Path, samples: SampleFile) -> Vec<Result<Line, String>> {
        let results = results(&self.document).iter();
        let figure = |result: &Json| {
            let details = result.pointer("/score_details/details");
            match details.and_then(|details| text(details, MARK)) {
                Some(FROM_SAMPLES) => None,
                Some(line) => Some(parse_line(line.as_bytes(), "")),
                None => self.figure(result, path, samples).map(Ok),
            }
        };
        results.filter_map(figure).collect()
    }

    fn figure(&self, result: &Json, path: &Path, samples: SampleFile) -> Option<Line> {
        let score = result.pointer("/score_details/score")?.as_f64()?;
        let unit = result.pointer("/metric_config/metric_unit");
        let is_percent = unit.and_then(Json::as_str) == Some("percent");
        let model = self
            .text("/model_info/id")
            .or(self.text("/model_info/name"))?;
        let ResultMetric { name, direction } = metric(result);
        let known = match samples {
            SampleFile::Present => harness_figure(path, model),
            SampleFile::Absent => PublishedScore {
                table: (self.text("/source_metadata/source_name"))
                    .map_or_else(|| crate::run_folder::file_name(path), str::to_owned),
                model: model.to_owned(),
                ..PublishedScore::default()
            },
        };
        let n = result.pointer("/score_details/uncertainty/num_samples");
        let figure = PublishedScore {
            benchmark: benchmark(self.text("/evaluation_id").unwrap_or_default()).to_owned(),
            ability: text(result, "evaluation_name")?.to_owned(),
            metric: name,
            higher_is_better: direction.map(|direction| direction == Direction::Higher),
            score: if is_percent { score / 100.0 } else { score },
            n: n.and_then(Json::as_u64).unwrap_or_default(),
            ..known
        };
        Some(Line::Metadata(crate::own::Metadata::Figure(Box::new(
            figure,
        ))))
    }
}

/// Whether a sample file lies next to an aggregate document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleFile {
    /// The sample file exists.
    Present,
    /// There is no sample file.
    Absent,
}

fn results(document: &Json) -> &[Json] {
    let results = document.get("evaluation_results").and_then(Json::as_array);
    results.map_or(&[], Vec::as_slice)
}

/// Returns the metrics of results, by result id. If several scorers of an evaluation report the
/// same metric, the id is used as name.
fn metrics(results: &[Json]) -> HashMap<String, ResultMetric> {
    let mut ids: HashMap<(&str, String), BTreeSet<&str>> = HashMap::new();
    let name = |result: &Json| metric(result).name;
    for result in results {
        let evaluation = text(result, "evaluation_name").unwrap_or_default();
        let known = ids.entry((evaluation, name(result))).or_default();
        known.extend(text(result, "evaluation_result_id"));
    }
    let of_result = |result: &Json| {
        let id = text(result, "evaluation_result_id")?;
        let evaluation = text(result, "evaluation_name").unwrap_or_default();
        let found = metric(result);
        let sharing = ids.get(&(evaluation, found.name.clone()));
        let is_shared = sharing.is_some_and(|ids| ids.len() > 1);
        let name = if is_shared { id.to_owned() } else { found.name };
        Some((id.to_owned(), ResultMetric { name, ..found }))
    };
    results.iter().filter_map(of_result).collect()
}

fn text<'a>(object: &'a Json, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the benchmark in an evaluation id of the form `BENCHMARK/MODEL/TIME`.
pub fn benchmark(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

fn metric(result: &Json) -> ResultMetric {
    let config = result.get("metric_config").unwrap_or(&Json::Null);
    let keys = ["metric_id", "metric_name", "metric_kind"];
    let name = keys.into_iter().find_map(|key| text(config, key));
    let detail = config.pointer(&format!("/additional_details/{POLARITY}"));
    let is_unknown = detail.and_then(Json::as_str) == Some(UNKNOWN);
    let lower = config.get("lower_is_better").and_then(Json::as_bool);
    let direction = lower.map(|lower| Direction::from_higher(!lower));
    ResultMetric {
        name: name.unwrap_or(SCORE).to_owned(),
        direction: direction.filter(|_| !is_unknown),
    }
}
