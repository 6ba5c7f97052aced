//! Tests of surveys over complete and damaged tasks.

use super::*;

fn answered(id: usize, scores: &[(&str, f64)]) -> SampleLine {
    let scores = scores
        .iter()
        .map(|(metric, score)| ((*metric).to_owned(), *score));
    let scores: Vec<(String, f64)> = scores.collect();
    SampleLine {
        id: id.to_string(),
        named: scores.iter().map(|(metric, _)| metric.clone()).collect(),
        scores,
        ..SampleLine::default()
    }
}

fn figure(metric: &str, value: f64) -> Figure {
    Figure {
        metric: metric.to_owned(),
        filter: NO_FILTER.to_owned(),
        value,
    }
}

fn survey(samples: &[SampleLine]) -> Survey {
    let mut survey = Survey::default();
    samples.iter().for_each(|sample| survey.count(sample));
    survey
}

#[test]
fn what_is_no_mean_over_samples_is_not_reported_as_one() {
    let samples = [
        answered(0, &[("f1", 1.0), ("acc", 1.0)]),
        answered(1, &[("f1", 0.0), ("acc", 0.0)]),
    ];
    let figures = [figure("f1", 0.7), figure("acc", 0.5)];
    let metrics = survey(&samples).metrics(Harness::LmmsEval, &[], &[], &figures);
    let settled = metrics.sample_scores(&samples[0]);
    assert_eq!((settled.metric.as_str(), settled.score), ("acc", 1.0));
    assert!(settled.beside.is_empty());
    let without_figures = survey(&samples).metrics(Harness::LmmsEval, &[], &[], &[]);
    assert_eq!(without_figures.sample_scores(&samples[0]).metric, "f1");
    assert!(without_figures.sample_scores(&samples[0]).beside.is_empty());
    let means = survey(&samples).metrics(Harness::LmEval, &["acc".to_owned()], &[], &[]);
    let settled = means.sample_scores(&samples[0]);
    assert_eq!((settled.metric.as_str(), settled.beside.len()), ("acc", 1));
}

#[test]
fn the_key_of_its_own_is_a_samples_category() {
    let mut samples = [
        answered(0, &[("math", 1.0), ("average", 1.0)]),
        answered(1, &[("math", 1.0), ("average", 1.0)]),
        answered(2, &[("math", 1.0), ("average", 1.0)]),
        answered(3, &[("logic", 0.0), ("average", 0.0)]),
        answered(4, &[("logic", 0.0), ("average", 0.0)]),
    ];
    let figures = [figure("math", 1.0), figure("logic", 0.0)];
    let metrics = survey(&samples).metrics(Harness::LmmsEval, &[], &[], &figures);
    samples
        .iter_mut()
        .for_each(|sample| metrics.categorize(sample));
    assert_eq!(samples[0].category.as_deref(), Some("math"));
    let settled = metrics.sample_scores(&samples[4]);
    assert_eq!(
        (settled.metric.as_str(), settled.beside.len()),
        ("average", 0)
    );
}

#[test]
fn rows_that_are_gone_leave_the_others_their_scores() {
    let samples: Vec<SampleLine> = (0..16)
        .map(|at| answered(at, &[("acc", (at % 2) as f64), ("acc_norm", 1.0)]))
        .collect();
    let figures = [figure("acc", 0.5), figure("acc_norm", 1.0)];
    let read = |left: &[SampleLine]| {
        let mut survey = Survey::of(Some(16));
        left.iter().for_each(|sample| survey.count(sample));
        survey.count_bad();
        survey.metrics(Harness::LmEval, &[], &[], &figures)
    };
    // One damaged line replaces eight samples.
    assert_eq!(read(&samples[9..]).means, read(&samples).means);
    assert_eq!(read(&samples).means.len(), 2);
}

#[test]
fn two_large_kinds_of_samples_stay_kinds() {
    let mut samples: Vec<SampleLine> = (0..8)
        .map(|at| answered(at, &[(["math", "logic"][at % 2], 1.0), ("average", 1.0)]))
        .collect();
    let metrics = survey(&samples).metrics(Harness::LmmsEval, &[], &[], &[figure("math", 1.0)]);
    samples
        .iter_mut()
        .for_each(|sample| metrics.categorize(sample));
    let categories: Vec<Option<&str>> = (samples.iter().take(2))
        .map(|sample| sample.category.as_deref())
        .collect();
    assert_eq!(categories, [Some("math"), Some("logic")]);
}

#[test]
fn of_two_samples_that_are_left_each_keeps_its_kind() {
    let mut samples = [
        answered(0, &[("math", 1.0), ("average", 1.0)]),
        answered(1, &[("logic", 0.0), ("average", 0.0)]),
    ];
    let known = ["average", "math", "logic"].map(str::to_owned);
    let metrics = survey(&samples).metrics(Harness::LmmsEval, &known, &[], &[figure("math", 1.0)]);
    samples
        .iter_mut()
        .for_each(|sample| metrics.categorize(sample));
    assert_eq!(samples[0].category.as_deref(), Some("math"));
    assert_eq!(samples[1].category.as_deref(), Some("logic"));
}

#[test]
fn an_odd_row_has_no_score_and_the_others_keep_theirs() {
    let scores = |at: usize| {
        [
            ("acc", (at % 3) as f64 / 2.0),
            ("acc_norm", (at % 2) as f64),
        ]
    };
    let samples: Vec<SampleLine> = (0..12).map(|at| answered(at, &scores(at))).collect();
    let figures = [figure("acc", 0.5), figure("acc_norm", 0.5)];
    let order = ["acc".to_owned(), "acc_norm".to_owned()];
    let of =
        |samples: &[SampleLine]| survey(samples).metrics(Harness::LmEval, &order, &[], &figures);
    let whole = of(&samples);
    let odd_rows: [&dyn Fn(&mut SampleLine); 6] = [
        &|row| row.flags.push("acc".to_owned()),
        &|row| drop(row.scores.remove(0)),
        &|row| (row.named.clear(), row.scores.clear()).0,
        &|row| row.scores[0].1 = 1e300,
        &|row| {
            row.named.push("zz".to_owned());
            row.scores.push(("zz".to_owned(), 1.0));
        },
        &|row| row.id = "7".to_owned(),
    ];
    for (which, change) in odd_rows.iter().enumerate() {
        let mut changed = samples.clone();
        change(&mut changed[4]);
        let metrics = of(&changed);
        // A metric that occurs in only one row does not affect the other rows.
        let shape = |of: &Metrics| (of.main.clone(), of.common.clone(), of.flags.clone());
        assert_eq!(shape(&metrics), shape(&whole), "{which}");
        let odd = metrics.sample_scores(&changed[4]);
        assert_eq!(odd.score.is_nan(), which < 3, "{which}");
        assert_eq!(odd.problem.is_some(), which < 3, "{which}");
    }
}
