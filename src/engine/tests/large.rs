//! Tests that sums give the same results as predictions in memory.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;

use super::scope;
use crate::{
    Compare, Engine, Large, Matrix, Memory, PublishedSet, QueryError, Reliability, Report, Scope,
    Scores, Subgroups, answer,
};
use analysis::metric::Interval;
use analysis::{ColumnKind, OmissionReason, PairedDifference, Score, Subgroup, Threshold};
use base::job::FOR_GOOD;
use base::limits::Limit;
use reader::data_set::Manifest;
use record::SampleCounts;
use workspace::load::{LoadedData, PartialTables, Request, load, open_any};
use workspace::publish::{Folder, PictureCopies, Target as _, publish};

/// Maximum number of predictions read at once in these tests.
const MOST: u64 = 2_000;

struct Setting {
    all: TempDir,
}

impl Setting {
    fn new() -> Self {
        let limits = [(Limit::WholeSet, 0), (Limit::LensRows, MOST)];
        base::limits::set(BTreeMap::from(limits));
        Self {
            all: tempfile::tempdir().unwrap(),
        }
    }

    fn set(&self) -> PathBuf {
        self.all.path().join("set")
    }

    fn request(path: &Path) -> Request {
        Request {
            paths: vec![path.to_path_buf()],
            ..Request::default()
        }
    }

    /// Publishes a log that consists of these lines.
    fn publish(&self, name: &str, lines: &str) {
        let folder = self.all.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("x.eyechart.jsonl"), lines).unwrap();
        let mut go_on = |_| ControlFlow::Continue(());
        let table = load(&Self::request(&folder), &mut go_on);
        publish(
            &table,
            &Folder::new(&self.set()),
            PictureCopies::Skip,
            &|_| (),
        )
        .unwrap();
    }

    fn memory(&self) -> Memory {
        let mut go_on = |_| ControlFlow::Continue(());
        let table = load(&Self::request(&self.set()), &mut go_on);
        let problems = table.sources().iter().flat_map(|source| &source.problems);
        assert_eq!(problems.count(), 0);
        Memory::new(table, Arc::default())
    }

    fn large(&self) -> Large {
        let mut go_on = |_| ControlFlow::Continue(());
        match open_any(&Self::request(&self.set()), PartialTables::Skip, &mut go_on) {
            LoadedData::Large(set) => {
                assert!(set.names.is_empty());
                let set = PublishedSet::new(Arc::new(*set));
                Large::new(Arc::new(set), Arc::default())
            }
            LoadedData::Whole(..) => panic!("it is read whole"),
        }
    }

    /// Returns the file of sums of the first run, and one of the run's files of rows.
    fn files(&self) -> [PathBuf; 2] {
        let (_, bytes) = Folder::new(&self.set()).newest().unwrap().unwrap();
        let run = Manifest::parse(&bytes).unwrap().runs.remove(0);
        let cells = run.cells.unwrap().below(&self.set());
        [cells, run.parts[0].rows.below(&self.set())]
    }
}

/// Formats one line of a log.
fn line(model: usize, sample: usize, score: Option<f64>, benchmark: &str, labels: &str) -> String {
    let parsed = if score.is_some() { "\"A\"" } else { "null" };
    format!(
        "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"{benchmark}\", \"ability\": \"{}\", \"model\": \"m{model}\", \
         \"image\": \"{}.png\", \"question\": \"Which of {sample}?\", \"target\": \"A\", \"response\": \"r\", \"metric\": \
         \"quality\", \"parsed\": {parsed}, \"score\": {}, \"tags\": {{\"kind\": \"k{}\", \"box_area\": {}, \"level\": {}}}{labels}}}\n",
        ["counting", "ocr"][sample % 2],
        sample / 4,
        score.unwrap_or(0.0),
        sample % 3,
        (sample % 9) as f64 / 10.0,
        sample % 4,
    )
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9,
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn numbers(score: Option<f64>, ci: Option<Interval>) -> [Option<f64>; 3] {
    [score, ci.map(|ci| ci.low), ci.map(|ci| ci.high)]
}

fn are_near(a: [Option<f64>; 3], b: [Option<f64>; 3]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| near(a, b))
}

fn assert_scores(found: &[Score], wanted: &[Score]) {
    for (found, wanted) in found.iter().zip(wanted) {
        let own = numbers(found.score, found.ci);
        assert!(
            are_near(own, numbers(wanted.score, wanted.ci)),
            "{found:?}\n{wanted:?}"
        );
        assert!(
            near(found.rank_score, wanted.rank_score),
            "{found:?}\n{wanted:?}"
        );
        let bare = |score: &Score| Score {
            score: None,
            ci: None,
            rank_score: None,
            ..score.clone()
        };
        assert_eq!(bare(found), bare(wanted));
    }
    assert_eq!(found.len(), wanted.len());
}

fn assert_parts(found: &[Subgroup], wanted: &[Subgroup]) {
    for (found, wanted) in found.iter().zip(wanted) {
        let own = numbers(found.score, found.ci);
        assert!(
            are_near(own, numbers(wanted.score, wanted.ci)),
            "{found:?}\n{wanted:?}"
        );
        // The order of a bin depends on the whole table, so it is not compared.
        let bare = |part: &Subgroup| Subgroup {
            score: None,
            ci: None,
            order: 0,
            ..part.clone()
        };
        assert_eq!(bare(found), bare(wanted));
    }
    assert_eq!(found.len(), wanted.len());
}

/// Checks that sums and predictions in memory give the same answers.
fn assert_same(memory: &Memory, large: &Large, scope: &Scope) {
    for quick in [true, false] {
        let query = Scores {
            scope: scope.clone(),
            quick,
        };
        let found = answer(&query, large, &FOR_GOOD).unwrap();
        let wanted = answer(&query, memory, &FOR_GOOD).unwrap();
        assert_eq!(found.notes, Vec::<String>::new());
        assert_scores(&found.scores, &wanted.scores);
        assert_eq!(found.average_ranks, wanted.average_ranks);
        assert_eq!(found.repeats, wanted.repeats);
        assert_eq!(found.acuity, wanted.acuity);
    }
    for (by, all) in [
        (None, false),
        (Some("kind"), false),
        (Some("kind"), true),
        (Some("kind*box_area"), false),
    ] {
        let query = Subgroups {
            scope: scope.clone(),
            by: by.map(str::to_owned),
            all,
        };
        let found = answer(&query, large, &FOR_GOOD).unwrap();
        assert_parts(&found, &answer(&query, memory, &FOR_GOOD).unwrap());
    }
    let query = Reliability {
        scope: scope.clone(),
    };
    let found = answer(&query, large, &FOR_GOOD).unwrap();
    assert_eq!(found, answer(&query, memory, &FOR_GOOD).unwrap());
    let query = Matrix {
        scope: scope.clone(),
        over: ColumnKind::Abilities,
    };
    let found = answer(&query, large, &FOR_GOOD).unwrap();
    let wanted = answer(&query, memory, &FOR_GOOD).unwrap();
    assert_eq!(found.rows.len(), wanted.rows.len());
    let query = Compare {
        sides: ["m0".to_owned(), "m1".to_owned()],
        scope: scope.clone(),
        by: None,
        within: None,
        all: false,
        threshold: Threshold::None,
        quick: true,
    };
    let found = answer(&query, large, &FOR_GOOD);
    match (found, answer(&query, memory, &FOR_GOOD)) {
        (Ok(found), Ok(wanted)) => {
            let (found, wanted) = (found.comparison, wanted.comparison);
            assert_eq!(found.abilities, wanted.abilities);
            assert_eq!(
                (&found.only_in_a, &found.only_in_b),
                (&wanted.only_in_a, &wanted.only_in_b)
            );
            // The splits come from the rows that were read. So there may be more splits and fewer
            // bins.
            for one in &wanted.subgroups {
                let is_same = |other: &&PairedDifference| {
                    (&other.ability, &other.bin) == (&one.ability, &one.bin)
                };
                let other = found.subgroups.iter().find(is_same);
                let numbers = |of: &PairedDifference| {
                    (of.n, of.a_score, of.b_score, of.difference, of.p_value)
                };
                assert_eq!(other.map(numbers), Some(numbers(one)), "{:?}", one.bin);
            }
        }
        (found, wanted) => assert_eq!(found, wanted),
    }
}

/// Scores whose sums are exact in any order of addition.
const GRADES: [Option<f64>; 6] = [None, Some(0.0), Some(0.25), Some(0.5), Some(1.0), Some(1.0)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_number_is_that_of_rows(
        grades in prop::collection::vec(0_usize..6, 150),
        left_out in prop::collection::vec((0_usize..3, 0_usize..50), 0..6),
        whole in any::<bool>(),
        filter in prop::sample::select(vec![
            "", "model:m1", "ability:counting", "not model:m0", "model:m2 ability:ocr", "score<0.5", "kind:k1 model:m0",
            "model:m0 or kind:k2", "model:m0 hard>0.3", "ability:ocr correct:true", "nothing here",
        ]),
    ) {
        let setting = Setting::new();
        let mut text = String::new();
        for (at, grade) in grades.iter().enumerate() {
            let (model, sample) = (at / 50, at % 50);
            // If `whole` is true, a picture keeps or loses all of its samples at once.
            let key = |sample: usize| if whole { sample / 4 } else { sample };
            if !left_out.iter().any(|(own, other)| *own == model && key(*other) == key(sample)) {
                text.push_str(&line(model, sample, GRADES[*grade], "bench", ""));
            }
        }
        setting.publish("logs", &text);
        assert_same(&setting.memory(), &setting.large(), &scope(filter));
    }
}

#[test]
fn rotations_and_repeats_are_told_from_rows() {
    let setting = Setting::new();
    let mut text = String::new();
    for model in 0..3 {
        for sample in 0..30 {
            let grade = |at: usize| Some(f64::from(u8::from((sample * 7 + model + at) % 5 > 1)));
            for turn in 0..4 {
                let labels = format!(", \"condition\": {{\"rotation\": {}}}", turn * 90);
                text.push_str(&line(model, sample, grade(turn), "tdbench", &labels));
            }
            for repeat in 0..2 {
                let labels = format!(", \"condition\": {{\"repeat\": {repeat}}}");
                text.push_str(&line(model, sample, grade(repeat), "again", &labels));
            }
        }
    }
    let text = text.replace("quality", "accuracy");
    setting.publish("logs", &text);
    let (memory, large) = (setting.memory(), setting.large());
    assert_same(&memory, &large, &scope(""));
    let query = Reliability { scope: scope("") };
    assert!(!answer(&query, &large, &FOR_GOOD).unwrap().is_empty());
    let query = Scores {
        scope: scope(""),
        quick: false,
    };
    assert!(
        !answer(&query, &large, &FOR_GOOD)
            .unwrap()
            .repeats
            .is_empty()
    );
}

#[test]
fn what_was_published_apart_is_put_together() {
    let setting = Setting::new();
    let part = |models: std::ops::Range<usize>, samples: std::ops::Range<usize>| -> String {
        let lines = models.flat_map(|model| {
            let grade = move |sample: usize| GRADES[(sample * 5 + model) % 6];
            let samples = samples.clone();
            samples.map(move |sample| line(model, sample, grade(sample), "bench", ""))
        });
        lines.collect()
    };
    setting.publish("first", &part(0..2, 0..30));
    setting.publish("other", &part(2..3, 0..30));
    assert_same(&setting.memory(), &setting.large(), &scope(""));
    // Add the other samples. Pictures 7 and 8 have samples in both logs.
    setting.publish("rest", &part(0..3, 30..50));
    assert_same(&setting.memory(), &setting.large(), &scope(""));
}

#[test]
fn evidence_is_counted_when_it_is_published() {
    let setting = Setting::new();
    let lines = (0..80).map(|at| {
        let text = line(at / 40, at % 40, GRADES[1 + at % 5], "bench", "");
        match at {
            0..6 => text.replace("\"response\": \"r\"", "\"response\": \"\""),
            6..10 => text.replace("\"parsed\": \"A\"", "\"parsed\": \"\""),
            _ => text,
        }
    });
    setting.publish("logs", &lines.collect::<String>());
    let query = Scores {
        scope: scope(""),
        quick: false,
    };
    let found = answer(&query, &setting.large(), &FOR_GOOD).unwrap();
    let counts = |score: &Score| score.evidence.as_ref().and_then(|it| it.counts);
    // The ability contains every second sample.
    for (model, [answered, read]) in [("m0", [17, 15]), ("m1", [20, 20])] {
        let mut own = found.scores.iter().filter(|score| score.model == model);
        let wanted = SampleCounts {
            asked: 20,
            answered,
            read,
            scored: 20,
        };
        assert!(own.all(|score| counts(score) == Some(wanted)), "{found:?}");
    }
    assert_same(&setting.memory(), &setting.large(), &scope(""));
    // Older versions of the program did not store the counts.
    let (number, bytes) = Folder::new(&setting.set()).newest().unwrap().unwrap();
    let older = String::from_utf8(bytes)
        .unwrap()
        .replace("\"evidence\"", "\"other\"");
    fs::write(setting.set().join(Manifest::name(number)), older).unwrap();
    let found = answer(&query, &setting.large(), &FOR_GOOD).unwrap();
    assert!(found.scores.iter().all(|score| score.evidence.is_none()));
    assert!(
        found.notes[0].starts_with("the sample counts behind 4 scores are not in the data set"),
        "{:?}",
        found.notes
    );
}

#[test]
fn too_many_samples_without_a_target_are_not_ranked_by_sums() {
    let setting = Setting::new();
    let lines = (0..80).map(|at| {
        let (model, sample) = (at / 40, at % 40);
        let target = if at < 60 { "A" } else { "a third cup" };
        format!(
            "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"bench{model}\", \"ability\": \"spatial\", \
             \"model\": \"m{model}\", \"question\": \"Which?\", \"choices\": [\"left cup\", \"right cup\"], \
             \"target\": \"{target}\", \"response\": \"{}\"}}\n",
            ["A", "B"][sample % 2]
        )
    });
    setting.publish("logs", &lines.collect::<String>());
    let query = Scores {
        scope: scope("model:m1"),
        quick: true,
    };
    let found = answer(&query, &setting.large(), &FOR_GOOD).unwrap();
    assert!(
        matches!(
            found.scores[0].why_not,
            Some(OmissionReason::NoTarget { n: 20, of: 40 })
        ),
        "{found:?}"
    );
}

#[test]
fn damaged_sums_are_an_error_and_missing_rows_a_problem() {
    let setting = Setting::new();
    let lines = (0..60).map(|at| line(at / 30, at % 30, GRADES[at % 6], "bench", ""));
    setting.publish("logs", &lines.collect::<String>());
    let [cells, rows] = setting.files();
    let whole = fs::read(&rows).unwrap();
    fs::remove_file(&rows).unwrap();
    let large = setting.large();
    let sources = large.table().sources();
    let mut problems = sources.iter().flat_map(|source| &source.problems);
    assert_eq!(problems.next().map(|problem| &problem.file), Some(&rows));
    let query = Scores {
        scope: scope("score<1"),
        quick: true,
    };
    let lost = answer(&query, &large, &FOR_GOOD).unwrap_err().to_string();
    assert!(lost.contains("of 60 predictions, only 30"), "{lost}");
    fs::write(&rows, whole).unwrap();
    let mut damaged = fs::read(&cells).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    // Ranks without intervals use totals, which are stored in files of their own.
    for damaged in [Some(damaged), None] {
        match damaged {
            Some(damaged) => fs::write(&cells, damaged).unwrap(),
            None => fs::remove_file(&cells).unwrap(),
        }
        let query = Scores {
            scope: scope(""),
            quick: false,
        };
        let lost = answer(&query, &setting.large(), &FOR_GOOD).unwrap_err();
        let name = cells.file_name().unwrap().to_string_lossy().into_owned();
        assert!(lost.to_string().contains(&name), "{lost}");
    }
}

#[test]
fn beyond_the_bound_sums_are_told_and_the_rest_is_said() {
    let setting = Setting::new();
    // Each model has no answer for a different sample of one picture.
    let lines = (0..3_000).filter(|at| at % 1_000 != at / 1_000).map(|at| {
        let (model, sample) = (at / 1_000, at % 1_000);
        line(model, sample, GRADES[at % 6], "bench", "")
    });
    setting.publish("logs", &lines.collect::<String>());
    let (memory, large) = (setting.memory(), setting.large());
    let report = Report::over(&scope(""));
    let found = answer(&report, &large, &FOR_GOOD).unwrap();
    let wanted = answer(&report, &memory, &FOR_GOOD).unwrap();
    // An ability has 1,500 predictions, which are few enough to load.
    assert_scores(&found.ranking.scores, &wanted.ranking.scores);
    let all = Scores {
        scope: scope("score<0.5"),
        quick: true,
    };
    let refused = answer(&all, &large, &FOR_GOOD).unwrap_err();
    assert!(
        matches!(&refused, QueryError::TooMany { n: 2_997, names } if names == &["ability:", "model:"]),
        "{refused:?}"
    );
    let told = refused.to_string();
    assert!(
        told.contains("limits.lens_rows") && told.contains("ability: or model:"),
        "{told}"
    );
    let narrow = Scores {
        scope: scope("score<0.5 model:m1"),
        quick: true,
    };
    let found = answer(&narrow, &large, &FOR_GOOD).unwrap();
    assert_scores(
        &found.scores,
        &answer(&narrow, &memory, &FOR_GOOD).unwrap().scores,
    );
}
