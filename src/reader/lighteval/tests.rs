//! Tests with logs of lighteval, with logs built after its schema, and with damaged logs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::Lighteval;
use super::results::TaskName;
use crate::testing::{CollectingSink, damaged, fixture, read_all, units};
use record::{ImageRef, REPEAT, Record, Target, Value};

/// Returns the mean of each metric by model, benchmark and ability.
fn means(found: &CollectingSink) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (record, _) in &found.records {
        let own = record
            .stored
            .map(|score| (record.metric.clone().unwrap(), score));
        for (metric, score) in own.into_iter().chain(record.beside.clone()) {
            let key = [&record.model, &record.benchmark, &record.ability, &metric];
            let (sum, n) = sums.entry(key.map(String::as_str).join(" ")).or_default();
            (*sum, *n) = (*sum + score, *n + 1.0);
        }
    }
    let mean = |(key, (sum, n)): (String, (f64, f64))| (key, sum / n);
    sums.into_iter().map(mean).collect()
}

fn only<'a>(found: &'a CollectingSink, ability: &str, id: &str) -> Vec<&'a Record> {
    let records = found.records.iter().map(|(record, _)| record);
    records
        .filter(|record| record.ability == ability && record.sample_id == id)
        .collect()
}

#[test]
fn means_are_the_figures_of_the_harness() {
    let found = read_all(&Lighteval, &fixture("lighteval/run"));
    assert_eq!(found.problems, Vec::<String>::new());
    let means = means(&found);
    let figures = found.figures.iter().filter(|figure| {
        means
            .keys()
            .any(|key| key.starts_with(&format!("{} shapes {} ", figure.model, figure.ability)))
    });
    let mut count = 0;
    for figure in figures {
        let labels = [
            &figure.model,
            &figure.benchmark,
            &figure.ability,
            &figure.metric,
        ];
        let key = labels.map(String::as_str).join(" ");
        assert!((means[&key] - figure.score).abs() < 1e-12, "{key}");
        assert_eq!(figure.higher_is_better, Some(true));
        count += 1;
    }
    // The log-likelihood task has no metric `em`, although the results list it.
    assert_eq!((count, means.len()), (3, 3));
    assert!(means.contains_key("alpha-vl-7b shapes all-ll acc"));
    assert!(
        found
            .figures
            .iter()
            .any(|figure| figure.ability == "all-open")
    );
}

#[test]
fn samples_join_with_pictures_choices_and_the_likeliest_answer() {
    let found = read_all(&Lighteval, &fixture("lighteval/run"));
    let both = only(&found, "color-mcq", "3");
    assert_eq!(both.len(), 2);
    assert_eq!(both[0].content, both[1].content);
    assert_ne!(both[0].model, both[1].model);
    assert!(
        both[0]
            .content
            .question
            .starts_with("What color is the square?")
    );
    assert_eq!(both[0].content.target, Some(Target::Text("B".to_owned())));
    assert_eq!(both[0].content.choices.len(), 4);
    assert_eq!(both[0].content.tags["difficulty"], "hard".into());
    let [ImageRef::Inline(url)] = both[0].content.images.as_slice() else {
        panic!("{:?}", both[0].content.images);
    };
    assert!(url.starts_with("data:image/png;base64,iVBORw0KGgo"));
    let likely = only(&found, "all-ll", "16")[0];
    assert_eq!(
        (likely.response.as_deref(), likely.stored),
        (Some("B"), Some(0.0))
    );
    assert_eq!(likely.content.target, Some(Target::Text("D".to_owned())));
}

#[test]
fn several_answers_are_repeats_and_the_score_is_that_of_the_sample() {
    let found = read_all(&Lighteval, &fixture("lighteval/written/details/org"));
    assert_eq!(found.problems, Vec::<String>::new());
    let records = only(&found, "sums", "2");
    assert_eq!(records.len(), 4);
    let first = records[0];
    assert_eq!(
        (first.model.as_str(), first.stored),
        ("org/gamma", Some(0.5))
    );
    assert_eq!(first.metric.as_deref(), Some("avg@n:n=4"));
    assert_eq!(first.response.as_deref(), Some("<think>hm</think>4"));
    assert_eq!(first.parsed.as_deref(), Some("4"));
    assert_eq!(first.content.target, Some(Target::Number(4.0)));
    assert_eq!(records[3].condition[REPEAT], Value::Number(4.0));
    assert_eq!(
        (records[3].stored, records[3].parsed.as_deref()),
        (None, Some("5"))
    );
    // In this task, the aggregate of pass@k is not a mean over the rows. It is shown only as an
    // aggregate of the harness.
    assert!(records.iter().all(|record| record.beside.is_empty()));
    assert!(
        found
            .figures
            .iter()
            .any(|figure| figure.metric.starts_with("pass@k"))
    );
}

#[test]
fn two_kinds_of_sampling_are_conditions() {
    let found = read_all(&Lighteval, &fixture("lighteval/written"));
    let records = only(&found, "small", "1");
    let told: Vec<_> = records
        .iter()
        .map(|record| {
            (
                record.metric.as_deref(),
                record.response.as_deref(),
                record.condition["sampling"].clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some("em"), Some("A"), "GENERATIVE".into()),
            (Some("acc"), Some("B"), "LOGPROBS".into()),
        ]
    );
    assert_eq!(records[1].benchmark, "parity");
}

#[test]
fn flat_columns_and_python_texts_are_read() {
    let found = read_all(
        &Lighteval,
        &fixture("lighteval/written/details_org__delta_private"),
    );
    assert_eq!(found.problems, Vec::<String>::new());
    for ability in ["astronomy", "text"] {
        let (first, second) = (only(&found, ability, "0")[0], only(&found, ability, "1")[0]);
        assert_eq!(
            (first.response.as_deref(), second.response.as_deref()),
            (Some("Sun"), Some("Moon"))
        );
        assert_eq!((first.stored, second.stored), (Some(1.0), Some(0.0)));
        assert_eq!(first.content.target, Some(Target::Text("A".to_owned())));
        assert_eq!(first.content.choices[1].text, "Moon");
        assert_eq!(
            (first.benchmark.as_str(), first.model.as_str()),
            ("leaderboard|mmlu", "org/delta")
        );
    }
    let sum = only(&found, "lighteval|sums", "1")[0];
    assert_eq!(
        sum.content.target,
        Some(Target::Text(r#"["3","three"]"#.to_owned()))
    );
    assert_eq!(sum.content.question, "1 + 2 =");
    assert_eq!(sum.content.tags["kind"], "sum".into());
    let absent: Vec<_> = found
        .figures
        .iter()
        .filter(|figure| figure.ability == "lighteval|absent")
        .collect();
    assert_eq!((absent.len(), absent[0].score), (1, 0.25));
    assert!(
        found
            .figures
            .iter()
            .all(|figure| !figure.metric.ends_with("_stderr"))
    );
}

#[test]
fn details_alone_find_their_results_or_report_them() {
    let run = fixture("lighteval/run");
    let mut details: Vec<_> = units(&Lighteval, &run.join("details/beta-vl-2b"));
    assert_eq!(details.len(), 1);
    let unit = details.remove(0);
    assert_eq!(unit.companions.len(), 1);
    assert_eq!(
        (unit.model.as_deref(), unit.settings["shots"].as_str()),
        (Some("beta-vl-2b"), "0")
    );
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("details/org/m/2025-01-01T00-00-00.1");
    fs::create_dir_all(&home).unwrap();
    fs::copy(&unit.path, home.join("part.parquet")).unwrap();
    let found = read_all(&Lighteval, folder.path());
    assert_eq!(
        (found.records.len(), found.problems.len()),
        (6, 1),
        "{:?}",
        found.problems
    );
    let record = &found.records[0].0;
    assert_eq!(
        (record.model.as_str(), record.ability.as_str()),
        ("org/m", "color-mcq")
    );
    assert_eq!(record.metric.as_deref(), Some("em"));
}

/// Published data sets with details contain no results, but their names contain the number of
/// shots.
#[test]
fn details_alone_with_other_shots_are_other_runs() {
    let run = fixture("lighteval/run");
    let unit = units(&Lighteval, &run.join("details/beta-vl-2b")).remove(0);
    let folder = tempfile::tempdir().unwrap();
    for (shots, day) in [(0, 1), (5, 2)] {
        let time = format!("2025-01-0{day}T00-00-00.1");
        let home = folder.path().join(format!("details/org/m/{time}"));
        fs::create_dir_all(&home).unwrap();
        let name = format!("details_task|{shots}_{time}.parquet");
        fs::copy(&unit.path, home.join(name)).unwrap();
    }
    let units = units(&Lighteval, folder.path());
    let mut shots: Vec<&str> = units
        .iter()
        .map(|it| it.settings["shots"].as_str())
        .collect();
    shots.sort_unstable();
    assert_eq!(shots, ["0", "5"]);
    assert!(units.iter().all(|unit| !unit.superseded));
}

#[test]
fn names_of_tasks_lose_their_shots_and_separators() {
    let name = |text: &str| {
        let name = TaskName::from(text);
        (
            name.plain.clone(),
            name.shots.clone(),
            name.labels().map(str::to_owned),
        )
    };
    let [mmlu, astronomy] = ["lighteval|mmlu", "astronomy"].map(str::to_owned);
    let plain = "lighteval|mmlu:astronomy".to_owned();
    assert_eq!(
        name("lighteval|mmlu:astronomy|5|0"),
        (plain, Some("5".to_owned()), [mmlu, astronomy])
    );
    let [gsm, again] = ["gsm8k", "gsm8k"].map(str::to_owned);
    assert_eq!(name("gsm8k"), (gsm.clone(), None, [gsm, again]));
    let is_same = |text: &str| TaskName::from(text).is_same(&TaskName::from("mmlu:astronomy|5"));
    assert!(is_same("mmlu_astronomy_5") && !is_same("mmlu_astronomy_0"));
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let walk = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap);
    let files = walk.filter(|entry| entry.file_type().is_file());
    let mut files: Vec<_> = files
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap();
            (name.to_owned(), fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Writes files to a temporary folder.
fn written(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

#[test]
fn a_broken_results_document_is_a_problem_and_leaves_the_rows() {
    let mut all = files(&fixture("lighteval/run"));
    for (_, bytes) in all.iter_mut().filter(|(name, _)| name.ends_with("json")) {
        bytes.truncate(bytes.len() / 2);
    }
    let folder = written(all);
    let found = read_all(&Lighteval, folder.path());
    assert_eq!((found.records.len(), found.figures.len()), (36, 0));
    assert!(
        found
            .problems
            .iter()
            .any(|problem| problem.starts_with("results_")),
        "{:?}",
        found.problems
    );
    assert!(
        found
            .records
            .iter()
            .any(|(record, _)| record.model == "beta-vl-2b")
    );
}

#[test]
fn rows_whose_mean_is_not_the_harness_s_have_no_scores_and_that_is_said() {
    let mut all = files(&fixture("lighteval/run"));
    let is_results = |name: &str| name.contains("beta") && name.ends_with("json");
    for (_, bytes) in all.iter_mut().filter(|(name, _)| is_results(name)) {
        let text = String::from_utf8_lossy(bytes);
        *bytes = text.replace("0.8333333333333334", "0.9").into_bytes();
    }
    let folder = written(all);
    let found = read_all(&Lighteval, folder.path());
    let of_beta = found.records.iter().map(|(record, _)| record);
    let mut of_beta = of_beta.filter(|record| record.model == "beta-vl-2b");
    assert!(of_beta.all(|record| record.stored.is_none()));
    let is_told = |problem: &String| problem.contains("no metric in the results is the mean");
    let told = found.problems.iter().filter(|it| is_told(it)).count();
    assert_eq!(told, 1, "{:?}", found.problems);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_files_never_panic(
        pick in any::<prop::sample::Index>(),
        hits in prop::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..9),
    ) {
        let mut all = files(&fixture("lighteval/written"));
        let at = pick.index(all.len());
        all[at].1 = damaged(&all[at].1, &hits);
        let folder = written(all);
        let found = read_all(&Lighteval, folder.path());
        prop_assert!(found.records.iter().all(|(record, _)| record.stored.is_none_or(f64::is_finite)));
    }
}
