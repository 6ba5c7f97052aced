//! Writes a data set of any number of models directly as Parquet.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::Result;
use eyechart::reader::data_set::{Answers, LAYOUT, Manifest, Part, Run, StoredFile};
use eyechart::reader::tabular::{Column, Form, Writer};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Abilities, pictures per ability, and questions per picture: 250,000 predictions per model.
const ABILITIES: usize = 25;
const PICTURES: usize = 2_500;
const QUESTIONS: usize = 4;
/// Source data sets of the pictures. Each is a subgroup.
const DATA_SETS: [&str; 5] = ["coco", "gqa", "lvis", "objects365", "visual genome"];
/// Rows per file and per row group, as `eyechart publish` writes them.
const OF_FILE: usize = 65_536;
const OF_PART: usize = 16_384;
/// Columns of rows, texts and sums that are not empty. A mark denotes columns of numbers.
const ROWS: [&str; 11] = [
    "sample_id",
    "benchmark",
    "ability",
    "model",
    "target",
    "image",
    "parsed",
    "metric",
    "rule",
    "#score",
    "tag.dataset",
];
const TEXTS: [&str; 2] = ["question", "response"];
const SUMS: [&str; 24] = [
    "benchmark",
    "ability",
    "model",
    "run",
    "split",
    "scored_as",
    "metric",
    "statistic",
    "rules",
    "axis",
    "bin",
    "#headline",
    "#place",
    "#center",
    "#cluster",
    "#n",
    "#samples",
    "#items",
    "#total",
    "#ones",
    "#others",
    "#low",
    "#high",
    "#invalid",
];
/// Writes a data set of `models` models.
pub fn write_set(folder: &Path, models: usize, name: &str) -> Result<()> {
    for kind in ["rows", "texts", "cells"] {
        fs::create_dir_all(folder.join(kind))?;
    }
    let half = models.div_ceil(2);
    let runs: Vec<Result<Vec<Run>>> = thread::scope(|scope| {
        let write =
            |from: usize, to: usize| (from..to).map(|model| write_run(folder, model)).collect();
        let other = scope.spawn(move || write(half, models));
        vec![
            write(0, half),
            other
                .join()
                .unwrap_or_else(|_| Err(anyhow::Error::msg("a thread ended"))),
        ]
    });
    let mut found = Vec::new();
    for runs in runs {
        found.extend(runs?);
    }
    let manifest = Manifest {
        layout: LAYOUT,
        written_by: "cargo bench --bench large".to_owned(),
        columns: BTreeMap::new(),
        runs: found,
    };
    fs::write(folder.join(name), serde_json::to_vec(&manifest)?)?;
    Ok(())
}

/// One answer, identified by ability, picture and question.
struct Answer {
    ability: usize,
    picture: usize,
    question: usize,
    is_right: bool,
}

impl Answer {
    /// Index of the picture's source data set, the same for every model.
    const fn data_set(&self) -> usize {
        self.picture % DATA_SETS.len()
    }

    /// Id of the answer's cluster.
    fn cluster(&self) -> u64 {
        self.hash(0)
    }

    /// Id of the question, the same for every model.
    fn item(&self) -> u64 {
        self.hash(self.question + 1) >> 12
    }

    fn hash(&self, at: usize) -> u64 {
        let place = (self.ability * PICTURES + self.picture) * (QUESTIONS + 1) + at;
        Xoshiro256PlusPlus::seed_from_u64(place as u64).next_u64() >> 12
    }
}

/// Answers of a model with random skill. Answers to questions about the same picture are
/// correlated.
fn answers(model: usize) -> Vec<Answer> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(model as u64);
    let mut share = || f64::from(rng.next_u32()) / f64::from(u32::MAX);
    let skill = 0.4 + 0.4 * share();
    let mut answers = Vec::with_capacity(ABILITIES * PICTURES * QUESTIONS);
    for ability in 0..ABILITIES {
        for picture in 0..PICTURES {
            let ease = skill + 0.3 * (share() - 0.5);
            answers.extend((0..QUESTIONS).map(|question| Answer {
                ability,
                picture,
                question,
                is_right: share() < ease,
            }));
        }
    }
    answers
}

fn write_run(folder: &Path, model: usize) -> Result<Run> {
    let name = format!("model-{model:03}");
    let answers = answers(model);
    let mut parts = Vec::new();
    for (at, answers) in answers.chunks(OF_FILE).enumerate() {
        let rows = encode(&ROWS, &[answers], &|column, answer| {
            row(column, answer, &name)
        })?;
        let texts = encode(&TEXTS, &[answers], &|column, answer| text(column, answer))?;
        let abilities: BTreeSet<String> = answers
            .iter()
            .map(|answer| ability(answer.ability))
            .collect();
        parts.push(Part {
            n: answers.len() as u64,
            abilities,
            rows: keep(folder, &format!("rows/{name}-{at}.parquet"), &rows)?,
            texts: keep(folder, &format!("texts/{name}-{at}.parquet"), &texts)?,
        });
    }
    let [totals, sums] = sums(&answers, &name)?;
    let sums = keep(folder, &format!("cells/{name}.parquet"), &sums)?;
    let totals = keep(folder, &format!("cells/totals-{name}.parquet"), &totals)?;
    let labels: BTreeSet<String> = ["dataset".to_owned()].into();
    let n = (PICTURES * QUESTIONS) as u64;
    Ok(Run {
        benchmark: "bench".to_owned(),
        model: name.clone(),
        origin: name.clone(),
        format: "eyechart".to_owned(),
        together: name,
        abilities: (0..ABILITIES)
            .map(|at| {
                (
                    ability(at),
                    Answers {
                        n,
                        labels: labels.clone(),
                        evidence: Vec::new(),
                    },
                )
            })
            .collect(),
        splits: vec!["dataset".to_owned()],
        n: answers.len() as u64,
        parts,
        cells: Some(sums),
        totals: Some(totals),
        ..Run::default()
    })
}

fn ability(at: usize) -> String {
    format!("ability-{at:02}")
}

/// Value of a cell.
enum Value<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    None,
}

impl<'a> Value<'a> {
    fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn row<'a>(column: &str, answer: &Answer, model: &'a str) -> Value<'a> {
    let Answer {
        ability: at,
        picture,
        question,
        is_right,
    } = answer;
    let text = |text: &'static str| Value::Text(Cow::Borrowed(text));
    match column {
        "sample_id" => Value::Text(format!("{at}-{picture}-{question}").into()),
        "benchmark" => text("bench"),
        "ability" => Value::Text(ability(*at).into()),
        "model" => Value::Text(model.into()),
        "target" => text("\"A\""),
        "image" => Value::Text(format!("{at}/{picture}.jpg").into()),
        "parsed" => text(if *is_right { "A" } else { "B" }),
        "metric" => text("accuracy"),
        "rule" => text("strict"),
        "#score" => Value::Number(f64::from(u8::from(*is_right))),
        "tag.dataset" => text(DATA_SETS[answer.data_set()]),
        _ => Value::None,
    }
}

fn text(column: &str, answer: &Answer) -> Value<'static> {
    Value::Text(match column {
        "question" => format!(
            "Which letter is number {}? Answer with one letter.",
            answer.question
        )
        .into(),
        _ => Cow::Borrowed(if answer.is_right { "A" } else { "B" }),
    })
}

/// A sum over the answers in an ability, data set and cluster: number of answers, and of right
/// answers.
struct Sum {
    ability: usize,
    data_set: Option<usize>,
    cluster: Option<u64>,
    n: f64,
    items: f64,
    right: f64,
}

/// Returns the file of totals, and the file of sums by cluster and by cluster and data set.
fn sums(answers: &[Answer], model: &str) -> Result<[Vec<u8>; 2]> {
    let (mut totals, mut whole, mut split) = (Vec::new(), Vec::new(), Vec::new());
    for of_ability in answers.chunks(PICTURES * QUESTIONS) {
        let Some(first) = of_ability.first() else {
            continue;
        };
        totals.push(sum(of_ability, first.ability, None, None));
        for of_picture in of_ability.chunks(QUESTIONS) {
            let cluster = of_picture.first().map(Answer::cluster);
            whole.push(sum(of_picture, first.ability, None, cluster));
        }
        for data_set in 0..DATA_SETS.len() {
            let pictures = of_ability.chunks(QUESTIONS);
            let own = pictures.filter(|own| {
                own.first()
                    .is_some_and(|answer| answer.data_set() == data_set)
            });
            split.extend(own.map(|own| {
                sum(
                    own,
                    first.ability,
                    Some(data_set),
                    own.first().map(Answer::cluster),
                )
            }));
        }
    }
    whole.extend(split);
    let encoded = |sums: &[Sum]| {
        encode(&SUMS, &[sums], &|column, sum: &Sum| {
            let text = |text: &'static str| Value::Text(Cow::Borrowed(text));
            match column {
                "benchmark" => text("bench"),
                "ability" => Value::Text(ability(sum.ability).into()),
                "model" => Value::Text(model.into()),
                "scored_as" | "metric" => text("accuracy"),
                "statistic" => text("mean"),
                "rules" if sum.data_set.is_none() => text("strict"),
                "axis" if sum.data_set.is_some() => text("dataset"),
                "bin" => sum.data_set.map_or(Value::None, |at| text(DATA_SETS[at])),
                "#headline" => Value::Number(1.0),
                #[expect(clippy::cast_precision_loss, reason = "52 bits")]
                "#cluster" => sum
                    .cluster
                    .map_or(Value::None, |cluster| Value::Number(cluster as f64)),
                "#n" | "#samples" => Value::Number(sum.n),
                "#items" => Value::Number(sum.items),
                "#total" | "#ones" => Value::Number(sum.right),
                "#others" | "#invalid" => Value::Number(0.0),
                "#low" => Value::Number(f64::from(u8::from(sum.right >= sum.n))),
                "#high" => Value::Number(f64::from(u8::from(sum.right > 0.0))),
                _ => Value::None,
            }
        })
    };
    Ok([encoded(&totals)?, encoded(&whole)?])
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand, and 53 bits")]
fn sum(answers: &[Answer], ability: usize, data_set: Option<usize>, cluster: Option<u64>) -> Sum {
    let items = answers
        .iter()
        .fold(0_u64, |sum, answer| sum.wrapping_add(answer.item()));
    Sum {
        ability,
        data_set,
        cluster,
        n: answers.len() as f64,
        items: (items & ((1 << 53) - 1)) as f64,
        right: answers.iter().filter(|answer| answer.is_right).count() as f64,
    }
}

/// Encodes sections of rows, each in its own row groups.
fn encode<'a, T>(
    columns: &[&str],
    sections: &[&[T]],
    value: &dyn Fn(&str, &T) -> Value<'a>,
) -> Result<Vec<u8>> {
    let named = columns.iter().map(|name| {
        (
            name.trim_start_matches('#').to_owned(),
            name.starts_with('#'),
        )
    });
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Form::Parquet, &mut bytes, &named.collect::<Vec<_>>())?;
    for part in sections.iter().flat_map(|rows| rows.chunks(OF_PART)) {
        let columns = columns.iter().map(|column| {
            let values = part.iter().map(|row| value(column, row));
            if column.starts_with('#') {
                Column::Number(values.map(Value::number).collect())
            } else {
                Column::Text(values.map(Value::text).collect())
            }
        });
        writer.write(columns.collect())?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn keep(folder: &Path, path: &str, bytes: &[u8]) -> Result<StoredFile> {
    fs::write(folder.join(path), bytes)?;
    Ok(StoredFile {
        path: path.to_owned(),
        bytes: bytes.len() as u64,
        blake3: blake3::hash(bytes).to_hex().to_string(),
    })
}
