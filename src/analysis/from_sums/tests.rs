//! Checks that sums give the same results as rows, where sums are sufficient.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{FromSums, scores_of_sums, subgroups_of_sums};
use crate::metric::Interval;
use crate::{
    Depth, MeasureSums, Metrics, Score, Selection, Subgroup, default_splits, ranked_with_printed,
    scores, scores_of_samples, stable_splits, subgroups, summed,
};
use record::{
    Ability, Content, INVALID, Labels, Prediction, REPEAT, RequestFingerprint, Rule, Scoring,
    Table, TableBuilder, Value,
};

/// Pattern of answered samples.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AnswerPattern {
    All,
    /// Some models lack all samples of some pictures.
    WholePictures,
    /// Some models lack single samples.
    Any,
    /// Some samples are answered twice.
    Repeated,
}

#[derive(Clone, Debug)]
struct Case {
    answered: AnswerPattern,
    benchmark: &'static str,
    samples: usize,
    models: usize,
    /// Number of samples that share a picture.
    shared: usize,
    /// Whether scores are graded instead of 0 and 1.
    graded: bool,
    seed: u64,
}

/// Returns a pseudo-random number that depends on the seed and `parts`.
fn mix(seed: u64, parts: &[usize]) -> u64 {
    let mixed = parts.iter().fold(seed | 1, |mixed, part| {
        (mixed ^ (*part as u64 + 1))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    mixed ^ (mixed >> 31)
}

impl Case {
    fn is_answered(&self, model: usize, sample: usize) -> bool {
        let picture = sample / self.shared;
        match self.answered {
            AnswerPattern::WholePictures => !mix(self.seed, &[7, model, picture]).is_multiple_of(8),
            AnswerPattern::Any => !mix(self.seed, &[9, model, sample]).is_multiple_of(8),
            AnswerPattern::All | AnswerPattern::Repeated => true,
        }
    }

    /// Returns a score and its invalid flag.
    fn score(&self, parts: &[usize]) -> (f64, u16) {
        let bits = mix(self.seed, parts);
        // These values are exact in binary: their sums do not depend on the order.
        let graded = [0.0, 0.25, 0.5, 0.75, 1.0, -0.125];
        match bits % 16 {
            0 => (0.0, INVALID),
            1 => (f64::NAN, INVALID),
            2 => (f64::NAN, 0),
            _ if self.graded => (graded[(bits / 16) as usize % graded.len()], 0),
            _ => (f64::from(u16::from(!(bits / 16).is_multiple_of(3))), 0),
        }
    }

    fn table(&self) -> Table {
        let mut builder = TableBuilder::default();
        let metrics = ["accuracy", "psnr"].map(|name| builder.metric(name).unwrap());
        let beside = builder.metric("extra").unwrap();
        for model in 0..self.models {
            let id = builder.model(&format!("m{model}")).unwrap();
            for sample in (0..self.samples).filter(|sample| self.is_answered(model, *sample)) {
                let name = ["counting", "ocr", "other"][sample % 3];
                let ability = Ability {
                    benchmark: self.benchmark.to_owned(),
                    name: name.to_owned(),
                };
                let ability = builder.ability(&ability).unwrap();
                for condition in self.conditions(sample) {
                    let code = builder.condition(&condition).unwrap();
                    let item = builder.item(
                        ability,
                        code,
                        &format!("s{sample}"),
                        RequestFingerprint::default(),
                    );
                    if item.new {
                        let mut content = Content::default();
                        let area = Value::Number((sample % 11) as f64 / 10.0);
                        content.tags.insert("box_area".to_owned(), area);
                        let count = Value::Number((sample % 5) as f64);
                        content.tags.insert("level".to_owned(), count);
                        let kind = format!("k{}", sample % 4);
                        content.tags.insert("kind".to_owned(), Value::Text(kind));
                        builder.describe(&content, Some((sample / self.shared) as u64), 2.0);
                    }
                    let parts = [model, sample, condition.len(), item.id.0 as usize];
                    let (score, flags) = self.score(&parts);
                    let metric = metrics[usize::from(self.graded)];
                    let prediction = Prediction {
                        flags,
                        rule: [Rule::Stored, Rule::Strict][model % 2],
                        ..Prediction::scored(id, metric, score)
                    };
                    let extra = (beside, (mix(self.seed, &parts) % 8) as f64 / 8.0);
                    builder.push(item.id, &prediction, &[extra]);
                }
            }
        }
        builder.finish()
    }

    fn conditions(&self, sample: usize) -> Vec<Labels> {
        let labels =
            |name: &str, value: f64| Labels::from([(name.to_owned(), Value::Number(value))]);
        match self.answered {
            AnswerPattern::Repeated if sample.is_multiple_of(5) => {
                vec![labels(REPEAT, 1.0), labels(REPEAT, 2.0)]
            }
            _ if self.benchmark == "tdbench" => [0.0, 90.0, 180.0, 270.0]
                .map(|turn| labels("rotation", turn))
                .to_vec(),
            _ => vec![Labels::new()],
        }
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let answered = prop_oneof![
        Just(AnswerPattern::All),
        Just(AnswerPattern::WholePictures),
        Just(AnswerPattern::Any),
        Just(AnswerPattern::Repeated)
    ];
    let benchmark = prop_oneof![Just("bench"), Just("tdbench")];
    let sizes = (1_usize..70, 1_usize..7, 1_usize..5);
    (answered, benchmark, sizes, any::<bool>(), any::<u64>()).prop_map(
        |(answered, benchmark, (samples, models, shared), graded, seed)| Case {
            answered,
            benchmark,
            samples,
            models,
            shared,
            graded,
            seed,
        },
    )
}

fn is_near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9,
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn ends(interval: Option<Interval>) -> [Option<f64>; 2] {
    [interval.map(|it| it.low), interval.map(|it| it.high)]
}

fn are_near(a: Option<Interval>, b: Option<Interval>) -> bool {
    let ends = ends(a).into_iter().zip(ends(b));
    ends.into_iter().all(|(a, b)| is_near(a, b))
}

fn assert_same_scores(found: &[Score], wanted: &[Score]) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(is_near(found.score, wanted.score), "{found:?}\n{wanted:?}");
        assert!(
            is_near(found.rank_score, wanted.rank_score),
            "{found:?}\n{wanted:?}"
        );
        assert!(are_near(found.ci, wanted.ci), "{found:?}\n{wanted:?}");
        let bare = |score: &Score| Score {
            evidence: None,
            score: None,
            rank_score: None,
            ci: None,
            ..score.clone()
        };
        assert_eq!(bare(found), bare(wanted));
    }
    assert_eq!(found.len(), wanted.len());
}

fn assert_same_parts(found: &[Subgroup], wanted: &[Subgroup]) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(is_near(found.score, wanted.score), "{found:?}\n{wanted:?}");
        assert!(are_near(found.ci, wanted.ci), "{found:?}\n{wanted:?}");
        let bare = |part: &Subgroup| Subgroup {
            score: None,
            ci: None,
            ..part.clone()
        };
        assert_eq!(bare(found), bare(wanted));
    }
    assert_eq!(found.len(), wanted.len());
}

/// Sums a table, with a part for each model.
fn sums(table: &Table) -> Vec<MeasureSums> {
    let parts: Vec<u32> = table
        .model_of()
        .iter()
        .map(|model| u32::from(*model))
        .collect();
    summed(
        Selection::all(table, Scoring::Harness),
        &stable_splits(table),
        &parts,
    )
}

fn assert_scores_are_those_of_rows(case: &Case) {
    let table = case.table();
    let all = Selection::all(&table, Scoring::Harness);
    let FromSums { found, by_rows } = scores_of_sums(&sums(&table), all, Depth::Intervals);
    if case.answered == AnswerPattern::All && case.benchmark == "bench" {
        // Models can differ only in scores that are missing.
        let is_partly = |score: &Score| score.metric == "extra" && score.n == 0;
        assert!(!found.iter().any(is_partly));
    }
    // Ranks of all abilities are decided together, so the abilities that need rows are added first.
    let mut found = found;
    found.extend(
        scores_of_samples(all, Depth::Intervals)
            .into_iter()
            .filter(|score| {
                let Score {
                    benchmark, ability, ..
                } = score;
                by_rows.contains(&Ability {
                    benchmark: benchmark.clone(),
                    name: ability.clone(),
                })
            }),
    );
    let found = ranked_with_printed(found, all, &BTreeSet::new());
    let wanted = scores(all, Depth::Intervals);
    assert_same_scores(&found, &wanted);
}

/// One ability needs rows, and its test decides the rank sets of the other abilities.
#[test]
fn abilities_of_sums_and_rows_are_ranked_together() {
    assert_scores_are_those_of_rows(&Case {
        answered: AnswerPattern::All,
        benchmark: "bench",
        samples: 48,
        models: 2,
        shared: 4,
        graded: true,
        seed: 3_813_800_268_158_779_394,
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn scores_and_ranks_are_those_of_rows(case in cases()) {
        assert_scores_are_those_of_rows(&case);
    }

    #[test]
    fn subgroups_are_those_of_rows(case in cases()) {
        let table = case.table();
        let all = Selection::all(&table, Scoring::Harness);
        prop_assert_eq!(stable_splits(&table), default_splits(&table));
        let FromSums { found, by_rows } = subgroups_of_sums(&sums(&table), all);
        prop_assert!(by_rows.is_empty());
        assert_same_parts(&found, &subgroups(all, &default_splits(&table), Metrics::Headline));
    }
}

/// With complete answers in every ability, sums must be sufficient.
#[test]
fn whole_answers_take_no_rows() {
    for shared in 1..4 {
        for answered in [AnswerPattern::All, AnswerPattern::WholePictures] {
            let case = Case {
                answered,
                benchmark: "bench",
                samples: 60,
                models: 5,
                shared,
                graded: true,
                seed: 5,
            };
            let mut table = case.table();
            let marks = table.scores(Scoring::Harness).iter();
            let marks = marks.map(|score| if score.is_nan() { 0.0 } else { *score });
            let marks = marks.collect();
            table = table.with_scores(Scoring::Harness, marks);
            let all = Selection::all(&table, Scoring::Harness);
            let FromSums { found, by_rows } = scores_of_sums(&sums(&table), all, Depth::Intervals);
            assert_eq!(by_rows, BTreeSet::new(), "{case:?}");
            let found = ranked_with_printed(found, all, &BTreeSet::new());
            assert!(found.iter().any(|score| score.rank_ci.is_some()));
            assert_same_scores(&found, &scores(all, Depth::Intervals));
        }
    }
}
