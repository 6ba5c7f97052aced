//! Generates logs in the formats of harnesses, with some damaged files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use eyechart::analysis::Selection;
use eyechart::record::{Row, Scoring};
use eyechart::workspace::export::{self, Columns, CsvWriter, Form, TableWriter};

use super::dice::Dice;
use super::target::Case;
use super::{archive, damage, look};

/// Lines of Eyechart's own format in which all fields occur.
const LINES: &str = r#"{"sample_id": "a", "benchmark": "b", "ability": "spatial", "model": "m", "image": "a.png", "question": "Where?", "choices": ["left", "right"], "target": "A", "response": "The answer is A.", "condition": {"rotation": 90}, "tags": {"dataset": "LVIS", "box_area": 0.25, "flag": true}}
{"sample_id": "a", "benchmark": "b", "ability": "spatial", "model": "n", "question": "Where?", "choices": {"A": "left", "B": "right"}, "target": "A", "response": "left, not right", "parsed": "A", "condition": {"rotation": 90}}
{"sample_id": "c", "ability": "counting", "model": "m", "target": 12, "response": "I count twenty-one birds", "tags": {"count": 12}}
{"sample_id": "d", "ability": "localization", "model": "m", "images": ["d.png", "data:image/png;base64,iVBORw0KGgo="], "target": [0.1, 0.2, 0.5, 0.6], "response": "[0.1, 0.2, 0.5, 0.6]", "boxes": [{"label": "cat", "role": "target", "xyxy": [1, 2, 3, 4], "color": "red"}]}
{"sample_id": "e", "ability": "color", "model": "m", "target": [12, 200, 31], "response": "rgb(12, 200, 30) or #0cc81e"}
{"sample_id": "f", "ability": "ocr", "model": "m", "target": "Exit 12", "response": "\"Exit 12\".", "metric": "anls", "score": 0.75}
"#;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// All files below a folder, by relative path.
pub fn below(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            files.push((name.to_owned(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found == ending)
}

/// Damages one or two of the files.
fn damaged(dice: &mut Dice, mut files: Vec<(String, Vec<u8>)>) -> Case {
    for _ in 0..=dice.below(2) {
        let at = dice.below(files.len());
        let Some((_, bytes)) = files.get_mut(at) else {
            break;
        };
        let text = std::mem::take(bytes);
        *bytes = if dice.one_in(10) {
            damage::bytes(dice, text)
        } else {
            damage::text(dice, text)
        };
    }
    Case { files, unpacked: 0 }
}

/// Keeps the files whose names contain one of these texts. Keeps each other file with probability
/// 1/`chances`.
fn some(
    dice: &mut Dice,
    files: Vec<(String, Vec<u8>)>,
    always: &[&str],
    chances: usize,
) -> Vec<(String, Vec<u8>)> {
    let mut keep =
        |name: &str| always.iter().any(|part| name.contains(part)) || dice.one_in(chances);
    files.into_iter().filter(|(name, _)| keep(name)).collect()
}

/// Damaged lines of Eyechart's own format.
pub fn own_format(dice: &mut Dice) -> Case {
    let mut case = damaged(dice, vec![("a.eyechart.jsonl".to_owned(), LINES.into())]);
    case.files
        .push(("b.eyechart.jsonl".to_owned(), LINES.into()));
    case
}

/// The same lines, converted by the program.
fn converted(ending: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.eyechart.jsonl"), LINES).unwrap();
    let table = look::table(folder.path());
    let selection = Selection::all(&table, Scoring::Harness);
    let rows = || {
        (0..u32::try_from(table.len()).unwrap())
            .map(|row| export::record(&table, Row(row), Scoring::Harness, folder.path()).unwrap())
    };
    let columns = Columns::new(selection);
    let mut out = Vec::new();
    if ending == "csv" {
        let mut writer = CsvWriter::new(&mut out, columns).unwrap();
        rows().for_each(|record| writer.push(record).unwrap());
        writer.finish().unwrap();
    } else {
        let form = if ending == "arrow" {
            Form::Arrow
        } else {
            Form::Parquet
        };
        let mut writer = TableWriter::new(form, &mut out, columns).unwrap();
        rows().for_each(|record| writer.push(record).unwrap());
        writer.finish().unwrap();
    }
    out
}

/// Damaged predictions in CSV.
pub fn csv_rows(dice: &mut Dice) -> Case {
    static SEED: OnceLock<Vec<u8>> = OnceLock::new();
    let seed = SEED.get_or_init(|| converted("csv"));
    damaged(dice, vec![("rows.csv".to_owned(), seed.clone())])
}

/// Damaged predictions in Parquet.
pub fn parquet(dice: &mut Dice) -> Case {
    static SEED: OnceLock<Vec<u8>> = OnceLock::new();
    let mut bytes = SEED.get_or_init(|| converted("parquet")).clone();
    // Readers use the footer only if both magic numbers are valid, so keep these.
    let (start, end) = (bytes.len().saturating_sub(8), bytes.len());
    let footer = bytes.len()
        - 8
        - usize::try_from(u32::from_le_bytes(
            bytes[start..start + 4].try_into().unwrap(),
        ))
        .unwrap();
    let range = [4..footer, footer..start, footer..end - 4, 4..end][dice.below(4)].clone();
    let piece = damage::bytes(dice, bytes[range.clone()].to_vec());
    bytes.splice(range, piece);
    Case::of("rows.parquet", bytes)
}

/// Damaged predictions in Arrow IPC.
pub fn arrow(dice: &mut Dice) -> Case {
    static SEED: OnceLock<Vec<u8>> = OnceLock::new();
    let mut bytes = SEED.get_or_init(|| converted("arrow")).clone();
    // As for Parquet, keep the magic numbers around the footer.
    let end = bytes.len();
    let length = u32::from_le_bytes(bytes[end - 10..end - 6].try_into().unwrap());
    let footer = end - 10 - usize::try_from(length).unwrap();
    let range = [8..footer, footer..end - 10, footer..end - 6, 8..end][dice.below(4)].clone();
    let piece = damage::bytes(dice, bytes[range.clone()].to_vec());
    bytes.splice(range, piece);
    Case::of("rows.arrow", bytes)
}

/// Damaged tables of printed scores.
pub fn published(dice: &mut Dice) -> Case {
    let tables = ["ava_bench", "tdbench", "gepbench", "fm_vision_evals"]
        .map(|name| format!("{name}.scores.csv"));
    let name = &tables[dice.below(4)];
    let text = fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("sample_runs")
            .join(name),
    )
    .unwrap();
    let lines: Vec<&[u8]> = text
        .split_inclusive(|&byte| byte == b'\n')
        .take(40)
        .collect();
    damaged(dice, vec![(name.clone(), lines.concat())])
}

/// Damaged scores of vision encoders, some next to a table over data sets.
pub fn encoders(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("encoders")).into_iter();
    let mut files: Vec<_> = files.filter(|(name, _)| name != "expected.json").collect();
    let table = "model,caltech101,dtd,svhn,pets,average\nm,90,50.5,-,70,70\nn,1,2,3,4,2.5\n";
    files.push(("vtab/table.csv".to_owned(), table.into()));
    let files = some(dice, files, &["vtab"], 3);
    damaged(dice, files)
}

/// Damaged files of one AVA-Bench ability.
pub fn ava_bench(dice: &mut Dice) -> Case {
    let abilities = [
        "abs_depth",
        "rel_depth",
        "ocr",
        "counting",
        "location",
        "action",
        "spatial_bbox",
        "fine_grained",
        "scene_cls",
        "color",
    ];
    let ability = dice.pick(&abilities);
    let files = below(&fixtures().join("ava_bench").join(ability)).into_iter();
    let files = files
        .map(|(name, bytes)| (format!("{ability}/{name}"), bytes))
        .collect();
    let files = some(dice, files, &["dinov2", "ground_truth", "questions"], 3);
    damaged(dice, files)
}

/// A damaged `VLMEvalKit` run in text files, with data sets and status.
pub fn vlmevalkit(dice: &mut Dice) -> Case {
    let run = dice.pick(&["001711", "001727", "001510", "001535", "001802"]);
    let files = below(&fixtures().join("vlmevalkit")).into_iter();
    let files = files
        .filter(|(name, _)| name.contains(run) || name.contains("LMUData"))
        .collect();
    let files = some(dice, files, &["status", ".json"], 3);
    damaged(dice, files)
}

/// Damaged workbooks of `VLMEvalKit`.
pub fn workbooks(dice: &mut Dice) -> Case {
    let files: Vec<_> = below(&fixtures().join("vlmevalkit/outputs"))
        .into_iter()
        .filter(|(name, _)| has_ending(name, "xlsx"))
        .collect();
    let (name, bytes) = &files[dice.below(files.len())];
    let mut case = archive::damaged(dice, name, bytes);
    let folder = name.rsplit_once('/').unwrap().0;
    let beside = files
        .iter()
        .filter(|(other, _)| other.starts_with(folder) && other != name)
        .take(2);
    case.files.extend(beside.cloned());
    case
}

/// Damaged runs of fm-vision-evals.
pub fn taskit(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("taskit"));
    let files = some(dice, files, &["gt/"], 3);
    damaged(dice, files)
}

/// Damaged COCO results and annotations.
pub fn coco(dice: &mut Dice) -> Case {
    let folder = dice.pick(&["coco", "coco_tasks"]);
    let files = below(&fixtures().join(folder));
    let files = some(dice, files, &["alpha", "instances", "maskA"], 4);
    damaged(dice, files)
}

/// Damaged answers, questions and labels of POPE and `VQA` v2.
pub fn answers(dice: &mut Dice) -> Case {
    let folder = dice.pick(&["llava/pope", "vqa_v2"]);
    let files = below(&fixtures().join(folder));
    damaged(dice, files)
}

/// Damaged files of MMMU.
pub fn mmmu(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("mmmu"));
    let files = some(dice, files, &["beta", "answer_dict"], 4);
    damaged(dice, files)
}

/// Damaged answers of MME.
pub fn mme(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("llava/mme"));
    damaged(dice, files)
}

/// Damaged results, labels and figures of Ultralytics.
pub fn ultralytics(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("ultralytics"));
    let always = ["shapes", "results", "args", "_0000", "_0001", "predictions"];
    let files = some(dice, files, &always, 20);
    damaged(dice, files)
}

/// Damaged annotations of one form.
pub fn annotations(dice: &mut Dice) -> Case {
    let forms = ["label_studio", "coco", "yolo", "voc", "kitti", "cvat"];
    let files = below(&fixtures().join("annotations").join(dice.pick(&forms)));
    damaged(dice, files)
}

/// Damaged archives and documents of Inspect.
pub fn inspect_ai(dice: &mut Dice) -> Case {
    let folder = dice.pick(&[
        "inspect_ai/logs",
        "inspect_ai/logs_v0.3.112",
        "inspect_ai/logs_killed",
    ]);
    let files: Vec<_> = below(&fixtures().join(folder))
        .into_iter()
        .filter(|(name, _)| name != "expected.json")
        .collect();
    let (name, bytes) = files[dice.below(files.len())].clone();
    if has_ending(&name, "eval") {
        archive::damaged(dice, &name, &bytes)
    } else {
        damaged(dice, vec![(name, bytes)])
    }
}

/// Damaged samples and results of lmms-eval.
pub fn lmms_eval(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("lmms_eval"))
        .into_iter()
        .filter(|(name, _)| !has_ending(name, "png"))
        .collect();
    damaged(dice, files)
}

/// Damaged samples and results of lm-evaluation-harness.
pub fn lm_eval(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("lm_eval"));
    damaged(dice, files)
}

/// Damaged reviews, predictions, reports and configurations of EvalScope.
pub fn evalscope(dice: &mut Dice) -> Case {
    let folder = dice.pick(&["evalscope/outputs", "evalscope/outputs_v1.0.2"]);
    damaged(dice, below(&fixtures().join(folder)))
}

/// Damaged documents and samples of Every Eval Ever.
pub fn every_eval_ever(dice: &mut Dice) -> Case {
    damaged(dice, below(&fixtures().join("every_eval_ever/data")))
}

/// Damaged predictions, results and summaries of OpenCompass.
pub fn opencompass(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("opencompass"));
    damaged(dice, files)
}

/// Damaged details and results of lighteval.
pub fn lighteval(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("lighteval/written"));
    let files = some(dice, files, &["results"], 2);
    let mut case = damaged(dice, files);
    case.unpacked = 16 << 20;
    case
}

/// Damaged run folders of HELM.
pub fn helm(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("helm/written"));
    let files = some(dice, files, &["scenario_state"], 2);
    damaged(dice, files)
}

/// Damaged results of promptfoo in one of their layouts.
pub fn promptfoo(dice: &mut Dice) -> Case {
    let ending = dice.pick(&["json", "jsonl", "csv"]);
    let name = format!("results.{ending}");
    let files = below(&fixtures().join("promptfoo")).into_iter();
    let files = files.filter(|(found, _)| *found == name).collect();
    damaged(dice, files)
}

/// Damaged exports of `FiftyOne`.
pub fn fiftyone(dice: &mut Dice) -> Case {
    let files = below(&fixtures().join("fiftyone")).into_iter();
    let files = files.filter(|(name, _)| has_ending(name, "json")).collect();
    damaged(dice, files)
}

/// A file with the name of another format, next to a good log.
pub fn mixed(dice: &mut Dice) -> Case {
    let make = [
        own_format,
        csv_rows,
        published,
        parquet,
        arrow,
        taskit,
        coco,
        lm_eval,
        lmms_eval,
        inspect_ai,
        promptfoo,
        fiftyone,
        lighteval,
        helm,
        evalscope,
        opencompass,
    ];
    let mut case = make[dice.below(make.len())](dice);
    let endings = [
        "jsonl",
        "json",
        "csv",
        "tsv",
        "xlsx",
        "parquet",
        "arrow",
        "pkl",
        "eval",
        "scores.csv",
        "txt",
    ];
    let bytes: Vec<u8> = (0..dice.below(300)).map(|_| dice.byte()).collect();
    for (number, (name, _)) in case.files.iter_mut().enumerate() {
        *name = format!("{number}.{}", dice.pick(&endings));
    }
    case.files
        .push((format!("noise.{}", dice.pick(&endings)), bytes));
    case.files
        .push(("good.eyechart.jsonl".to_owned(), LINES.into()));
    case
}
