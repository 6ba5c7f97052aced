use super::{Class, Rules, ScorerAudit, scorers};
use crate::{Depth, Selection};
use record::{
    Ability, Content, INVALID, Labels, Prediction, ReadingComparison, RequestFingerprint, Row,
    STRICT_INVALID, Scoring, Table, TableBuilder, UNCOMPARED,
};

/// Score by the harness, score by the strict rule, flags, image.
type ScoreRow = (f64, f64, u16, u64);

/// Creates a table of one ability; all models have scores on the same samples.
fn table(models: &[(&str, &[ScoreRow])]) -> Table {
    let mut builder = TableBuilder::default();
    let name = Ability {
        benchmark: "b".to_owned(),
        name: "spatial".to_owned(),
    };
    let ability = builder.ability(&name).unwrap();
    let condition = builder.condition(&Labels::new()).unwrap();
    let metric = builder.metric("accuracy").unwrap();
    for (model, scored) in models {
        let model = builder.model(model).unwrap();
        for (number, (score, strict, flags, image)) in scored.iter().enumerate() {
            let item = builder.item(
                ability,
                condition,
                &format!("s{number}"),
                RequestFingerprint::default(),
            );
            if item.new {
                builder.describe(&Content::default(), Some(*image), f64::NAN);
            }
            let prediction = Prediction {
                strict: *strict,
                flags: *flags,
                ..Prediction::scored(model, metric, *score)
            };
            builder.push(item.id, &prediction, &[]);
        }
    }
    builder.finish()
}

fn audit(table: &Table) -> ScorerAudit {
    scorers(Selection::all(table, Scoring::Harness), Depth::Scores)
}

const APART: u16 = ReadingComparison::Apart.flag();
const FORM: u16 = ReadingComparison::Form.flag();
const UNTOLD: u16 = ReadingComparison::Untold.flag();

#[test]
fn every_disagreement_has_one_reason_and_agreement_none() {
    let nan = f64::NAN;
    let cases = [
        ((1.0, 1.0, 0, 0), None),
        ((nan, nan, INVALID | STRICT_INVALID, 0), None),
        ((0.0, 0.0, INVALID, 0), Some(Class::UnreadByHarness)),
        ((1.0, nan, STRICT_INVALID, 0), Some(Class::UnreadByStrict)),
        ((1.0, nan, APART, 0), Some(Class::LeftOut)),
        ((1.0, 0.0, APART, 0), Some(Class::Misread)),
        ((0.0, 1.0, FORM, 0), Some(Class::Format)),
        ((0.0, 0.5, 0, 0), Some(Class::Judged)),
        ((0.0, 1.0, UNTOLD, 0), Some(Class::Untold)),
    ];
    let scored: Vec<ScoreRow> = cases.iter().map(|(scored, _)| *scored).collect();
    let table = table(&[("m", &scored)]);
    let rules = Rules::new(&table);
    for (row, (scored, class)) in (0..).zip(cases) {
        assert_eq!(rules.class(Row(row)), class, "{scored:?}");
    }
    let found = audit(&table);
    let ability = &found.abilities[0];
    let counted: u64 = ability
        .reasons
        .iter()
        .map(|reason| reason.share.count)
        .sum();
    assert_eq!((ability.n, ability.disagree.count, counted), (9, 7, 7));
    let format = ability
        .reasons
        .iter()
        .find(|reason| reason.class == Class::Format)
        .unwrap();
    assert_eq!((format.right_by_harness, format.right_by_strict), (0, 1));
}

#[test]
fn scores_that_only_the_log_knows_are_counted_apart() {
    let table = table(&[("m", &[(1.0, 1.0, UNCOMPARED, 0), (1.0, 0.0, APART, 1)])]);
    let ability = &audit(&table).abilities[0];
    assert_eq!(
        (ability.n, ability.uncompared, ability.disagree.share),
        (1, 1, Some(1.0))
    );
    assert!(ability.sentence().ends_with("1 more cannot be compared"));
}

#[test]
fn the_interval_is_no_narrower_when_an_image_is_asked_often() {
    let wrong = |image| (1.0, 0.0, APART, image);
    let right = |image| (1.0, 1.0, 0, image);
    let alone: Vec<ScoreRow> = (0..40)
        .map(|n| if n < 10 { wrong(n) } else { right(n) })
        .collect();
    let shared: Vec<ScoreRow> = (0..40)
        .map(|n| if n < 10 { wrong(n / 10) } else { right(n / 10) })
        .collect();
    let width = |scored: &[ScoreRow]| {
        let table = table(&[("m", scored)]);
        let ci = audit(&table).abilities[0].disagree.ci.unwrap();
        ci.high - ci.low
    };
    let independent = crate::metric::wilson(10, 40, 0.95).unwrap();
    assert!((width(&alone) - (independent.high - independent.low)).abs() < 0.01);
    assert!(width(&shared) > 2.0 * width(&alone));
}

#[test]
fn the_other_rule_turns_the_ranks() {
    let good_by_harness = [(1.0, 0.0, APART, 0), (1.0, 1.0, 0, 1), (1.0, 0.0, APART, 2)];
    let good_by_strict = [(0.0, 1.0, APART, 0), (1.0, 1.0, 0, 1), (1.0, 1.0, 0, 2)];
    let table = table(&[("a", &good_by_harness), ("b", &good_by_strict)]);
    let ability = &audit(&table).abilities[0];
    let ranks: Vec<_> = (ability.models.iter())
        .map(|model| {
            let rank = |place: &Option<crate::Score>| place.as_ref().unwrap().rank.unwrap();
            (
                model.model.as_str(),
                rank(&model.harness),
                rank(&model.strict),
                model.moves(),
            )
        })
        .collect();
    assert_eq!(ranks, [("a", 1, 2, true), ("b", 2, 1, true)]);
    let difference = ability.models[0].difference().unwrap();
    assert!((difference + 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(
        ability.reasons[0].models,
        [("a".to_owned(), 2), ("b".to_owned(), 1)]
    );
    assert_eq!(
        ability.sentence(),
        "the rules disagree on 3 of 6 predictions; 2 of 2 ranks change"
    );
}
