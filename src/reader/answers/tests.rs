use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use record::{ImageRef, Record};
use serde_json::Value as Json;

use super::Answers;
use crate::ava_bench::AvaBench;
use crate::testing::{CollectingSink, fixture, read_all, units};
use crate::{Context, Reader, find};

/// Returns the score of a record under the harness's rule.
fn score(record: &Record) -> Option<f64> {
    scorer::judge(record).harness.outcome.score
}

/// Returns the mean of each metric by model and ability. The ability `overall` stands for all
/// samples.
fn means(found: &CollectingSink) -> BTreeMap<(String, String, String), f64> {
    let mut scores: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for (record, _) in &found.records {
        let own = (record.metric.clone().unwrap_or_default(), score(record));
        let beside = record.beside.iter().cloned();
        let beside = beside.map(|(name, score)| (name, Some(score)));
        let kind = record.content.tags.get("question_type");
        let kind = kind.map_or_else(String::new, ToString::to_string);
        for (metric, score) in beside.chain([own]) {
            for group in [&record.ability, &kind, "overall"] {
                let key = (record.model.clone(), group.to_owned(), metric.clone());
                scores.entry(key).or_default().extend(score);
            }
        }
    }
    let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
    scores
        .into_iter()
        .map(|(key, all)| (key, mean(all)))
        .collect()
}

fn expected(folder: &str) -> Json {
    let text = fs::read_to_string(fixture(folder).join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Asserts that each figure of the harness equals a mean over samples or a published score.
fn assert_figures(
    found: &CollectingSink,
    expected: &Json,
    groups: &dyn Fn(&str) -> Option<String>,
    unit: f64,
) {
    let means = means(found);
    let mut compared = 0;
    for (model, figures) in expected.as_object().unwrap() {
        for (group, figures) in figures.as_object().unwrap() {
            let Some(group) = groups(group) else { continue };
            for (metric, value) in figures
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| *name != "n")
            {
                let key = (model.clone(), group.clone(), metric.clone());
                let is_it = |figure: &&record::PublishedScore| {
                    figure.model == *model && figure.ability == group && figure.metric == *metric
                };
                let published = found.figures.iter().find(is_it).map(|figure| figure.score);
                let own = means.get(&key).copied().or(published);
                let own = own.unwrap_or_else(|| panic!("no {key:?}")) * unit;
                let value = value.as_f64().unwrap();
                // Percentages are rounded to two decimals, fractions are exact.
                let tolerance = if unit > 1.0 { 0.005_001 } else { 1e-9 };
                assert!((own - value).abs() < tolerance, "{key:?}: {own} {value}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 10);
}

/// Writes files into a folder.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn read(files: &[(&str, &str)]) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    read_all(&Answers, folder.path())
}

/// Returns the sample, benchmark, target and score of each record.
fn rows(found: &CollectingSink) -> Vec<(String, String, String, Option<f64>)> {
    let row = |(record, _): &(Record, u64)| {
        let target = record.content.target.as_ref();
        let target = target.map_or_else(String::new, ToString::to_string);
        let benchmark = record.benchmark.clone();
        (record.sample_id.clone(), benchmark, target, score(record))
    };
    found.records.iter().map(row).collect()
}

#[test]
fn pope_has_the_figures_of_its_evaluator() {
    let found = read_all(&Answers, &fixture("llava/pope"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (96, 0),
        "{:?}",
        found.problems
    );
    let groups = |group: &str| group.strip_prefix("pope/").map(str::to_owned);
    assert_figures(&found, &expected("llava"), &groups, 1.0);
    let (first, _) = &found.records[0];
    assert_eq!(first.content.question, "Is there a triangle in the image?");
    assert_eq!(
        first.content.images,
        [ImageRef::Path("color_000.png".to_owned())]
    );
    let roots = &units(&Answers, &fixture("llava/pope"))[0].image_roots;
    assert!(
        roots
            .iter()
            .any(|root| root.join("color_000.png").is_file()),
        "{roots:?}"
    );
}

#[test]
fn vqa_v2_has_the_figures_of_each_type() {
    let found = read_all(&Answers, &fixture("vqa_v2"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (48, 0),
        "{:?}",
        found.problems
    );
    assert_figures(
        &found,
        &expected("vqa_v2"),
        &|group| Some(group.to_owned()),
        100.0,
    );
    let (first, _) = &found.records[0];
    let picture = "COCO_val2014_000000262100.png".to_owned();
    assert_eq!(first.content.images, [ImageRef::Path(picture)]);
    assert_eq!(first.content.question, "What color is the triangle?");
}

#[test]
fn answers_alone_find_their_questions_and_labels() {
    let found = read_all(&Answers, &fixture("llava/pope/answers/alpha-vl-7b.jsonl"));
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (48, 0),
        "{:?}",
        found.problems
    );
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| score(record).is_some())
    );
}

#[test]
fn without_labels_there_are_no_scores_and_one_problem() {
    let pope = fixture("llava/pope");
    let text = |name: &str| fs::read_to_string(pope.join(name)).unwrap();
    let (answers, questions) = (
        text("answers/beta-vl-2b.jsonl"),
        text("llava_pope_test.jsonl"),
    );
    let files = [
        ("pope/answers/m.jsonl", answers.as_str()),
        ("pope/q.jsonl", &questions),
    ];
    let found = read(&files);
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| score(record).is_none())
    );
    assert!(
        found.problems[0].starts_with("m.jsonl:0: no labels"),
        "{:?}",
        found.problems
    );
    assert_eq!((found.problems.len(), found.figures.len()), (1, 0));
    let (first, _) = &found.records[0];
    assert_eq!(
        (first.benchmark.as_str(), first.ability.as_str()),
        ("pope", "random")
    );
    // The category of an answer is unknown without the questions.
    let random = text("coco/coco_pope_random.json");
    let labels = ("pope/coco/coco_pope_random.json", random.as_str());
    let found = read(&[files[0], labels]);
    assert!(
        found.problems[0].starts_with("m.jsonl:0: no questions"),
        "{:?}",
        found.problems
    );
    assert!(
        found
            .records
            .iter()
            .all(|(record, _)| score(record).is_none())
    );
    // The labels of one category are missing.
    let found = read(&[files[0], files[1], labels]);
    let scored = found
        .records
        .iter()
        .filter(|(record, _)| score(record).is_some());
    assert_eq!((scored.count(), found.figures.len()), (24, 1));
    assert_eq!(found.problems, ["m.jsonl:3: no label for 24 of 48 answers"]);
}

#[test]
fn text_vqa_is_joined_by_picture_and_question() {
    let ten = r#"["stop", "stop", "stop", "stop", "go", "go", "x", "y", "z", "z"]"#;
    let labels = format!(
        r#"{{"dataset_type": "val", "data": [{{"question": "What is written?", "image_id": "a1", "answers": {ten}, "question_id": 34602}},
        {{"question": "Who?", "image_id": "a1", "answers": ["me"], "question_id": 34603}}]}}"#
    );
    let answers = r#"{"question_id": "a1", "prompt": "what is written?\nReference OCR token: STOP\nAnswer.", "text": "Stop.", "answer_id": "x", "model_id": "m", "metadata": {}}
{"question_id": "a1", "prompt": "OCR tokens: a. Question: Who? Short answer:", "text": "you", "answer_id": "y", "model_id": "m", "metadata": {}}
"#;
    let found = read(&[
        ("textvqa/answers/m.jsonl", answers),
        ("textvqa/val.json", &labels),
    ]);
    let rows = rows(&found);
    let found: Vec<_> = rows
        .iter()
        .map(|(id, name, _, score)| (id.as_str(), name.as_str(), *score))
        .collect();
    assert_eq!(
        found,
        [
            ("34602", "textvqa", Some(1.0)),
            ("34603", "textvqa", Some(0.0))
        ]
    );
}

#[test]
fn science_qa_gqa_and_mm_vet_are_joined_by_id() {
    let answer = |id: &str, prompt: &str, text: &str| {
        format!(
            r#"{{"question_id": {id}, "prompt": "{prompt}", "text": "{text}", "answer_id": "x", "model_id": "m", "metadata": {{}}}}"#
        )
    };
    let lines = [
        answer("\"4\"", "<image>\\nWhich cup?\\nA. red", "B"),
        answer("\"7\"", "Which plate?", "The answer is A."),
    ]
    .join("\n");
    let problems = r#"{"4": {"question": "Which cup?", "choices": ["red", "blue"], "answer": 1, "hint": "", "image": "image.png", "subject": "natural science", "split": "test"},
"7": {"question": "Which plate?", "choices": ["red", "blue"], "answer": 1, "hint": "", "image": null, "split": "test"}}"#;
    let found = read(&[
        ("s/answers/m.jsonl", &lines),
        ("s/ScienceQA/problems.json", problems),
    ]);
    assert_eq!(
        rows(&found)[0],
        (
            "4".to_owned(),
            "scienceqa".to_owned(),
            "B".to_owned(),
            Some(1.0)
        )
    );
    assert_eq!(rows(&found)[1].3, Some(0.0));
    assert_eq!(
        found.records[0].0.beside,
        [("IMG-Accuracy".to_owned(), 1.0)]
    );
    assert!(found.records[1].0.beside.is_empty());
    let picture = ImageRef::Path("test/4/image.png".to_owned());
    assert_eq!(found.records[0].0.content.images, [picture]);

    let labels = r#"{"201": {"imageId": "n16", "question": "Is it?", "answer": "no", "types": {"structural": "verify"}}}"#;
    let lines = answer("\"201\"", "Is it?\\nAnswer.", "No.");
    let upload = r#"[{"questionId": "201", "prediction": "No"}]"#;
    let files = [
        ("gqa/a/m.jsonl", lines.as_str()),
        ("gqa/testdev.json", labels),
        ("gqa/n_predictions.json", upload),
    ];
    let found = read(&files);
    let scores: Vec<_> = found
        .records
        .iter()
        .map(|(record, _)| (record.model.as_str(), score(record)))
        .collect();
    assert_eq!(scores, [("m", Some(1.0)), ("n", Some(0.0))]);
    let converted = r#"[{"questionId": "201", "prediction": "no"}]"#;
    let name = "gqa/testdev_balanced_predictions.json";
    let found = read(&[files[0], files[1], (name, converted)]);
    let models: Vec<_> = found.records.iter().map(|(row, _)| &row.model).collect();
    assert_eq!(models, ["m"], "the predictions are converted answers of m");

    let labels = r#"{"v1_0": {"imagename": "v1_0.png", "question": "What is x?", "answer": "x=-1<AND>x=-5", "capability": ["ocr", "math"]}}"#;
    let grades = r#"{"v1_0": {"model": ["gpt-4"], "content": ["0.5"], "score": [0.5, 0.7]}}"#;
    let lines = answer("0", "What is x?", "-1");
    let files = [
        ("v/answers/m.jsonl", lines.as_str()),
        ("v/mm-vet.json", labels),
        ("v/results/m.json", r#"{"v1_0": "-1"}"#),
        ("v/results/m_gpt-4-grade-1runs.json", grades),
    ];
    let found = read(&files);
    let (record, _) = &found.records[0];
    assert_eq!(
        (
            found.records.len(),
            record.benchmark.as_str(),
            score(record)
        ),
        (1, "mm-vet", Some(0.6))
    );
    let found = read(&files[1..]);
    assert_eq!(
        (found.records.len(), score(&found.records[0].0)),
        (1, Some(0.6))
    );
}

#[test]
fn an_answer_that_is_no_number_costs_itself_alone() {
    let results = r#"{"v1_0": "-1", "v1_1": NaN, "v1_2": "2"}"#;
    let found = read(&[("v/results/m.json", results)]);
    let ids = found.records.iter().map(|(record, _)| &record.sample_id);
    assert_eq!(ids.collect::<Vec<_>>(), ["v1_0", "v1_2"]);
    let is_told = |problem: &String| problem.starts_with("m.json:1: no answer");
    assert!(found.problems.iter().any(is_told), "{:?}", found.problems);
}

#[test]
fn labels_of_other_questions_are_not_used() {
    let labels = r#"{"v1_0": {"imagename": "v1_0.png", "question": "What is x?", "answer": "-1", "capability": ["math"]}}"#;
    let line = r#"{"question_id": 0, "prompt": "Describe the picture.", "text": "-1", "answer_id": "x", "model_id": "m"}"#;
    let found = read(&[("v/answers/m.jsonl", line), ("v/mm-vet.json", labels)]);
    assert!(found.records[0].0.content.target.is_none());
    assert_eq!(found.problems.len(), 1);
}

#[test]
fn ava_bench_and_llava_keep_their_own_answers() {
    for (own, other) in [("llava/pope", 0), ("ava_bench", 30)] {
        let mut files = find(&[fixture(own)]).0;
        let ours = Answers.plan(&mut files, &Context::default()).len();
        let theirs = AvaBench.plan(&mut files, &Context::default()).len();
        assert_eq!(
            (ours, theirs),
            (if other == 0 { 2 } else { 0 }, other),
            "{own}"
        );
    }
}

#[test]
fn damaged_rows_cost_themselves_alone() {
    let vqa = fixture("vqa_v2");
    let name = "v2_OpenEnded_mscoco_val2014_alpha-vl-7b_results.json";
    let text = |name: &str| fs::read_to_string(vqa.join(name)).unwrap();
    let (questions, annotations) = (
        text("v2_OpenEnded_mscoco_val2014_questions.json"),
        text("v2_mscoco_val2014_annotations.json"),
    );
    let results = text(name).replacen("\"yellow\"", "null", 1);
    let results = results.replacen("262101001,", "262101001.0,", 1);
    let cut = &results[..results.len() - 20];
    let found = read(&[
        (name, cut),
        ("q.json", &questions),
        ("a.json", &annotations[..annotations.len() / 2]),
    ]);
    assert_eq!(found.records.len(), 22);
    assert!(
        found
            .problems
            .iter()
            .any(|problem| problem.starts_with(&format!("{name}:1: no answer"))),
        "{:?}",
        found.problems
    );
    assert!(
        found
            .problems
            .iter()
            .any(|problem| problem.starts_with("a.json:1: the file is cut short"))
    );
    let scored = found
        .records
        .iter()
        .filter(|(record, _)| score(record).is_some())
        .count();
    assert!((5..20).contains(&scored), "{scored}");
}

#[test]
fn answers_may_begin_anywhere_among_the_labels() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |id: u32| {
        format!(
            "{{\"question_id\": \"{id}\", \"prompt\": \"Is it {id}?\", \"text\": \"yes\", \"answer_id\": \"a\", \
             \"model_id\": \"llava\", \"metadata\": {{}}}}\n"
        )
    };
    let label = |id: u32| {
        let answer = if id.is_multiple_of(2) { "yes" } else { "no" };
        format!(
            "\"{id}\": {{\"imageId\": \"n{id}\", \"question\": \"Is it {id}?\", \"answer\": \"{answer}\"}}"
        )
    };
    let labels: Vec<String> = (0..40).map(label).collect();
    let chunk = |ids: std::ops::Range<u32>| ids.map(answer).collect::<String>();
    let files = [
        ("questions.json", format!("{{{}}}", labels.join(", "))),
        ("answers/split/llava/2_0.jsonl", chunk(0..20)),
        ("answers/split/llava/2_1.jsonl", chunk(20..40)),
    ];
    write(
        folder.path(),
        &files.each_ref().map(|(name, text)| (*name, text.as_str())),
    );
    let found = read_all(&Answers, folder.path());
    assert_eq!(found.problems, [""; 0]);
    let scores = found.records.iter().filter_map(|(record, _)| score(record));
    let scores: Vec<f64> = scores.collect();
    assert_eq!((scores.len(), scores.iter().sum::<f64>()), (40, 20.0));
}

/// The parts of a run may lie beside the file into which they were merged, or be all there is.
#[test]
fn parts_of_a_run_count_once() {
    let question = |id: u32| {
        format!(
            "{{\"question_id\": {id}, \"image\": \"{id}.png\", \"text\": \"Is it {id}?\", \"category\": \"random\"}}\n"
        )
    };
    let label = |id: u32| {
        format!(
            "{{\"question_id\": {id}, \"image\": \"{id}.png\", \"text\": \"Is it {id}?\", \"label\": \"yes\"}}\n"
        )
    };
    let answer = |id: u32| {
        format!(
            "{{\"question_id\": {id}, \"prompt\": \"Is it {id}?\", \"text\": \"Yes\", \"answer_id\": \"a\", \
             \"model_id\": \"llava\", \"metadata\": {{}}}}\n"
        )
    };
    let all = |of: &dyn Fn(u32) -> String, ids: std::ops::RangeInclusive<u32>| {
        ids.map(of).collect::<String>()
    };
    let [questions, labels, first, second, merged] = [
        all(&question, 1..=40),
        all(&label, 1..=40),
        all(&answer, 1..=20),
        all(&answer, 21..=40),
        all(&answer, 1..=40),
    ];
    let parts = [
        ("llava_pope_test.jsonl", questions.as_str()),
        ("coco/coco_pope_random.json", &labels),
        ("answers/llava/2_0.jsonl", &first),
        ("answers/llava/2_1.jsonl", &second),
    ];
    let with_merged = [parts.as_slice(), &[("answers/llava/merge.jsonl", &merged)]].concat();
    for files in [parts.as_slice(), &with_merged] {
        let found = read(files);
        assert_eq!(found.problems, [""; 0]);
        let scores = found.records.iter().filter_map(|(record, _)| score(record));
        assert_eq!(scores.collect::<Vec<f64>>(), [1.0; 40]);
    }
}

#[test]
fn answers_that_contain_their_labels_are_a_table_to_map() {
    let row = "{\"question_id\": 1, \"prompt\": \"Is it?\", \"text\": \"yes\", \"label\": \"yes\", \
               \"answer_id\": \"a\", \"model_id\": \"llava\"}\n";
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("llava.jsonl", row)]);
    let mut files = crate::find(&[folder.path().to_path_buf()]).0;
    assert!(super::plan::plan(&mut files, &Context::default()).is_empty());
    assert_eq!(files.len(), 1);
}

#[test]
fn questions_of_a_split_without_answer_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let problem = |id: u32| {
        let split = if id < 12 { "test" } else { "train" };
        format!(
            "\"{id}\": {{\"question\": \"Which?\", \"choices\": [\"a\", \"b\"], \"answer\": 0, \"hint\": \"\", \
             \"image\": null, \"split\": \"{split}\"}}"
        )
    };
    let problems: Vec<String> = (0..20).map(problem).collect();
    let answer = |id: u32| {
        format!(
            "{{\"question_id\": \"{id}\", \"prompt\": \"Which?\", \"text\": \"A\", \"answer_id\": \"a\", \"model_id\": \
             \"llava\", \"metadata\": {{}}}}\n"
        )
    };
    let files = [
        ("problems.json", format!("{{{}}}", problems.join(", "))),
        ("llava.jsonl", (0..9).map(answer).collect()),
    ];
    write(
        folder.path(),
        &files.each_ref().map(|(name, text)| (*name, text.as_str())),
    );
    let found = read_all(&Answers, folder.path());
    assert_eq!(found.records.len(), 9);
    let [only] = found.problems.as_slice() else {
        panic!("{:?}", found.problems);
    };
    assert!(only.contains("no answer to 3 of 12 questions"), "{only}");
}
