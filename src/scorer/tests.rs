//! Fuzzes the rules: no input causes a failure, and every span lies on character boundaries.

use proptest::prelude::*;

use super::rules::{self, Question};
use super::{Reading, judge, judge_anew, read};
use record::benchmark::Metric;
use record::{Choice, Content, Record, Rule, Scoring, Target};

const RULES: [Rule; 6] = [
    Rule::Unstated,
    Rule::Strict,
    Rule::ChoiceMatching,
    Rule::BoxCentroid,
    Rule::BoxIou,
    Rule::AvaBench,
];

const ABILITIES: [&str; 10] = [
    "absolute_depth",
    "relative_depth",
    "counting",
    "ocr",
    "color",
    "localization",
    "spatial",
    "fine_grained",
    "action_recognition",
    "texture",
];

/// Generates random texts from fragments that rules search for, and from difficult fragments.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("A".to_owned()),
        Just("answer is **B**".to_owned()),
        Just("[0.1, 0.2,\n.3, 4.]".to_owned()),
        Just("between five and 1,234".to_owned()),
        Just("#ff00ff".to_owned()),
        Just("“İß.”".to_owned()),
        Just("45. juggling balls\n".to_owned()),
        Just("９-٣ 1e999".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn targets() -> impl Strategy<Value = Option<Target>> {
    prop_oneof![
        Just(None),
        texts().prop_map(|text| Some(Target::Text(text))),
        any::<f64>().prop_map(|number| Some(Target::Number(number))),
        any::<[f64; 4]>().prop_map(|corners| Some(Target::Box(corners))),
        any::<[f64; 3]>().prop_map(|rgb| Some(Target::Color(rgb))),
    ]
}

/// Applies every rule and metric to the record, and checks the results.
fn check(mut record: Record) -> Result<(), TestCaseError> {
    for rule in RULES {
        record.rule = rule;
        for metric in Metric::ALL {
            record.metric = Some(metric.name().to_owned());
            let judged = judge(&record);
            let anew = judge_anew(&record, Scoring::Harness).0;
            for judgement in [judged.harness, judged.strict, anew] {
                let outcome = judgement.outcome;
                prop_assert!(outcome.score.is_none_or(f64::is_finite), "{outcome:?}");
                prop_assert!(outcome.second.is_none_or(f64::is_finite), "{outcome:?}");
            }
            if let Some(question) = Question::of(&record) {
                for rule in &rules::RULES {
                    let score = rule.mark(&question).map(|mark| mark.score);
                    prop_assert!(score.is_none_or(|score| (0.0..=1.0).contains(&score)));
                }
            }
            let readings = [Scoring::Harness, Scoring::Strict]
                .map(|scoring| (read(&record, scoring), judge_anew(&record, scoring).1));
            let readings = readings.into_iter().flat_map(|(known, anew)| [known, anew]);
            let readings: Vec<Reading> = readings.flatten().collect();
            let drawn = readings.iter().filter_map(Reading::drawn_box);
            prop_assert!(drawn.into_iter().all(|corners| corners[0] <= corners[2]));
            for span in readings.into_iter().filter_map(|reading| reading.span) {
                let response = record.response.as_deref().unwrap_or_default();
                prop_assert!(
                    response
                        .get(span.clone())
                        .is_some_and(|text| !text.is_empty()),
                    "{span:?}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_rule_takes_every_input(
        response in proptest::option::of(texts()),
        question in texts(),
        options in proptest::collection::vec(texts(), 0..4),
        target in targets(),
        ability in proptest::sample::select(&ABILITIES[..]),
    ) {
        let choices = ('A'..='Z')
            .zip(options)
            .map(|(letter, text)| Choice { letter: letter.to_string(), text });
        check(Record {
            ability: ability.to_owned(),
            content: Content { question, choices: choices.collect(), target, ..Content::default() },
            response,
            ..Record::default()
        })?;
    }
}
