//! Column maps for the tables of tools that evaluate vision encoders.

use std::path::Path;

use record::benchmark::known_direction;

use super::{Place, dino, folder};
use crate::json::plain;
use crate::mapped::published::ScoreRules;
use crate::mapped::row::GetCell;
use crate::run_folder::stem;
use base::config::{ColumnMap, RowKind};
use record::PublishedScore;

/// Layout of the tables of one tool.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Name of the benchmark. The data sets become its abilities.
    benchmark: &'static str,
    /// Columns that a table must have.
    columns: &'static [&'static str],
    /// Field names, each with the possible names of its column.
    fields: &'static [(&'static str, &'static [&'static str])],
    /// Columns with scores, in the notation of [`ColumnMap::scores`].
    scores: &'static [&'static str],
    /// Field whose values are the names of the score columns.
    score_names: &'static str,
    /// Fields with a fixed value.
    fixed: &'static [(&'static str, &'static str)],
    /// Returns true if the columns that are not used as fields also fit the tool.
    fits: fn(&[&str]) -> bool,
    /// True if scores in tables of this tool can be percent or fractions.
    pub may_be_percent: bool,
    /// Rules that select and complete scores.
    pub rules: ScoreRules,
    /// Returns the fields contained in the path of a file.
    pub place: fn(&Path) -> Place,
}

/// Default values, used by most layouts.
const USUAL: Layout = Layout {
    benchmark: "",
    columns: &[],
    fields: &[],
    scores: &["*"],
    score_names: "metric",
    fixed: &[],
    fits: |_| true,
    may_be_percent: false,
    rules: ScoreRules {
        is_score: |_| true,
        complete: |_, _| {},
    },
    place: |path| Place {
        dataset: folder(path).unwrap_or_default(),
        ..Place::default()
    },
};

/// Result of `clip_benchmark eval`.
const CLIP: Layout = Layout {
    benchmark: "clip-benchmark",
    columns: &["pretrained", "task"],
    fields: &[("model", &["model"]), ("ability", &["dataset"])],
    scores: &["metrics.*"],
    rules: ScoreRules {
        // Linear probes store settings next to the metrics.
        is_score: |name| known_direction(name).is_some(),
        complete: complete_clip,
    },
    ..USUAL
};

const LAYOUTS: [Layout; 6] = [
    CLIP,
    // Table of `clip_benchmark build`.
    Layout {
        columns: &["pretrained", "task", "model_fullname"],
        scores: &["*"],
        ..CLIP
    },
    // `eval_results.jsonl` of DataComp.
    Layout {
        benchmark: "datacomp",
        columns: &["dataset", MAIN],
        fields: &[("ability", &["key", "dataset"])],
        scores: &["metrics.*"],
        rules: ScoreRules {
            is_score: |name| name == "main_metric" || known_direction(name).is_some(),
            complete: |score, _| {
                if score.metric == "main_metric" {
                    score.higher_is_better = Some(true);
                }
            },
        },
        place: |path| Place {
            model: folder(path),
            ..(USUAL.place)(path)
        },
        ..USUAL
    },
    // Results of timm's `validate.py`.
    Layout {
        benchmark: "timm",
        columns: &["top1_err", "param_count"],
        fields: &[("model", &["model"])],
        scores: &["top1", "top5"],
        fixed: &[("unit", "percent")],
        place: |path| Place {
            dataset: timm_data_set(&stem(path)),
            ..Place::default()
        },
        ..USUAL
    },
    // `results-{knn,linear,log-regression}.csv` of DINOv3.
    Layout {
        benchmark: dino::BENCHMARK,
        fixed: &[("unit", "percent")],
        fits: |names| {
            let is_score = |name: &str| dino::kind_of(name).is_some();
            let is_beside = |name: &str| name.starts_with("best_") || name.ends_with("_std");
            names.iter().any(|name| is_score(name))
                && names.iter().all(|name| is_score(name) || is_beside(name))
        },
        rules: ScoreRules {
            is_score: |name| dino::kind_of(name).is_some(),
            complete: |score, _| dino::complete(score),
        },
        place: |path| dino::place(path, &stem(path)),
        ..USUAL
    },
    // Tables of models over the data sets of VTAB.
    Layout {
        benchmark: "vtab",
        fields: &[(
            "model",
            &[
                "model",
                "method",
                "backbone",
                "encoder",
                "architecture",
                "name",
            ],
        )],
        score_names: "ability",
        fixed: &[("metric", "accuracy")],
        fits: |names| names.iter().filter(|name| is_of_vtab(name)).count() >= FEW,
        may_be_percent: true,
        rules: ScoreRules {
            is_score: |name| is_data_set(name) || is_mean(name),
            complete: |score, _| {
                if is_mean(&score.ability) {
                    let mean = std::mem::replace(&mut score.ability, "average".to_owned());
                    score.split = Some(mean);
                }
            },
        },
        ..USUAL
    },
];

/// Column with `DataComp`'s main metric for each data set.
const MAIN: &str = "metrics.main_metric";
/// Minimum number of VTAB data sets in a table, to recognise it.
const FEW: usize = 4;
/// Prefixes of the names of VTAB's data sets, without punctuation.
const VTAB: [&str; 24] = [
    "caltech101",
    "cifar100",
    "dtd",
    "flowers",
    "oxfordflowers",
    "pets",
    "oxfordiiitpet",
    "oxfordpets",
    "svhn",
    "sun397",
    "camelyon",
    "patchcamelyon",
    "pcam",
    "eurosat",
    "resisc",
    "retinopathy",
    "diabeticretinopathy",
    "clevr",
    "dmlab",
    "kitti",
    "dsprites",
    "dspr",
    "smallnorb",
    "snorb",
];
/// Prefixes of the names of other classification data sets.
const OTHERS: [&str; 22] = [
    "imagenet",
    "cifar10",
    "food101",
    "cars",
    "stanfordcars",
    "aircraft",
    "fgvcaircraft",
    "stl10",
    "objectnet",
    "birdsnap",
    "voc2007",
    "cub200",
    "places365",
    "inat",
    "mnist",
    "country211",
    "gtsrb",
    "ucf101",
    "kinetics700",
    "fer2013",
    "hatefulmemes",
    "renderedsst2",
];
/// Names of means over all data sets and over the three groups of VTAB.
const MEANS: [&str; 9] = [
    "mean",
    "average",
    "avg",
    "overall",
    "natural",
    "specialized",
    "structured",
    "vtab",
    "all",
];
/// Words in names of columns that describe a score but are not scores.
const DESCRIPTIONS: [&str; 11] = [
    "std", "stderr", "sd", "err", "error", "ci", "lr", "wd", "rank", "n", "epochs",
];

impl Layout {
    /// Returns the layout that fits a table with these columns.
    pub fn of(columns: &[String]) -> Option<&'static Self> {
        LAYOUTS.iter().find(|layout| {
            let has = |name: &&str| columns.iter().any(|column| column == name);
            if !layout.columns.iter().all(has) {
                return false;
            }
            let map = layout.map(columns);
            let is_field = |(field, _): &(&str, &[&str])| map.column(field).is_some();
            let is_free = |name: &&str| !map.named().any(|named| named == *name);
            let others: Vec<&str> = columns.iter().map(String::as_str).filter(is_free).collect();
            layout.fields.iter().all(is_field) && map.fits(columns) && (layout.fits)(&others)
        })
    }

    /// Returns the column map for a table with these columns.
    pub fn map(&self, columns: &[String]) -> ColumnMap {
        let owned = |(field, value): &(&str, &str)| ((*field).to_owned(), (*value).to_owned());
        let mut map = ColumnMap {
            kind: Some(RowKind::Published),
            scores: self.scores.iter().map(|&name| name.to_owned()).collect(),
            score_names: Some(self.score_names.to_owned()),
            fixed: self.fixed.iter().map(owned).collect(),
            ..ColumnMap::default()
        };
        map.fixed
            .insert("benchmark".to_owned(), self.benchmark.to_owned());
        for (field, names) in self.fields {
            let column = |name: &&str| {
                columns
                    .iter()
                    .find(|column| column.eq_ignore_ascii_case(name))
            };
            if let Some(column) = names.iter().find_map(column) {
                map.assign(field, column.clone());
            }
        }
        map
    }

    /// Returns a message if some columns of a table of data sets are ignored.
    pub fn skipped(&self, columns: &[String]) -> Option<String> {
        if self.score_names == "metric" {
            return None;
        }
        let map = self.map(columns);
        let is_skipped = |name: &&String| {
            !map.named().any(|named| named == *name) && !(self.rules.is_score)(name)
        };
        let names: Vec<String> = columns
            .iter()
            .filter(is_skipped)
            .map(|name| format!("`{name}`"))
            .collect();
        let names = Some(names.join(", ")).filter(|names| !names.is_empty())?;
        Some(format!(
            "not read, because no data sets with these names are known: {names}"
        ))
    }
}

/// Returns the data set in a file name such as `results-imagenet-a`; `results-all` is timm's
/// default name.
fn timm_data_set(stem: &str) -> String {
    let name = stem.strip_prefix("results-").filter(|name| *name != "all");
    name.unwrap_or(stem).to_owned()
}

fn complete_clip(score: &mut PublishedScore, get: &GetCell<'_>) {
    let text = |column: &str| {
        let cell = get(column).filter(|cell| !cell.is_null());
        cell.map(|cell| plain(&cell)).unwrap_or_default()
    };
    // The full name, as written by the tool.
    let name = format!("{} {}", score.model, text("pretrained"));
    name.trim_end().clone_into(&mut score.model);
    if let Some(name) = score.ability.strip_prefix("wds/") {
        score.ability = name.to_owned();
    }
    let language = Some(text("language")).filter(|it| !matches!(it.as_str(), "" | "en"));
    let shots = get("metrics.fewshot_k").or_else(|| get("fewshot_k"));
    let shots = shots.and_then(|shots| plain(&shots).parse::<u32>().ok());
    let shots = shots.map(|shots| format!("{shots}-shot"));
    let shots = shots.filter(|_| score.metric.starts_with("lp_"));
    let split: Vec<String> = language.into_iter().chain(shots).collect();
    score.split = Some(split.join(", ")).filter(|split| !split.is_empty());
}

/// Returns a name in lower case without punctuation and without the prefix `vtab/`.
fn letters(name: &str) -> String {
    let name = name.to_lowercase();
    let name = name.strip_prefix("vtab/").unwrap_or(&name);
    name.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_of_vtab(name: &str) -> bool {
    let letters = letters(name);
    is_data_set(name) && VTAB.iter().any(|known| letters.starts_with(known))
}

fn is_data_set(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let letters = letters(name);
    let mut known = VTAB.iter().chain(&OTHERS);
    known.any(|known| letters.starts_with(known)) && !words.any(|word| DESCRIPTIONS.contains(&word))
}

fn is_mean(name: &str) -> bool {
    MEANS.contains(&letters(name).as_str())
}
