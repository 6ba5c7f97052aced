//! Tests `eyechart scorers`: how often and why the harness's rule and the strict rule disagree, and
//! the effect on ranks.

use std::collections::BTreeMap;

use eyechart::engine::Memory;
use serde_json::Value;

use crate::opened::{open, selected};
use crate::support::{arg, eyechart, fixture, list, one, run, sample_runs};

fn found(logs: &str) -> Value {
    eyechart(&["scorers", arg(&fixture(logs)), "--examples", "2"])
}

/// Number of predictions that a filter selects.
fn count(opened: &Memory, filter: &str) -> u64 {
    selected(opened, filter).len() as u64
}

#[test]
fn every_reason_names_exactly_its_samples() {
    for logs in [
        "ava_bench",
        "vlmevalkit",
        "lmms_eval",
        "lm_eval",
        "inspect_ai",
    ] {
        let (document, opened) = (found(logs), open(&fixture(logs)));
        assert_eq!(document["schema"], "eyechart.scorers/1");
        for ability in list(&document, "abilities") {
            let name = ability["ability"].as_str().expect("a name");
            let benchmark = ability["benchmark"].as_str().expect("a name");
            let of_ability = |term: &str| {
                count(
                    &opened,
                    &format!("\"ability\"=\"{name}\" benchmark=\"{benchmark}\" {term}"),
                )
            };
            let mut disagree = 0;
            for reason in list(ability, "reasons") {
                let n = reason["n"].as_u64().expect("a count");
                let filter = reason["filter"].as_str().expect("a filter");
                assert_eq!(of_ability(filter), n, "{logs} {name} {filter}");
                assert!(
                    !list(reason, "examples").is_empty(),
                    "{logs} {name} {filter}"
                );
                disagree += n;
            }
            assert_eq!(ability["disagree"]["n"], disagree, "{logs} {name}");
            assert_eq!(
                ability["uncompared"],
                of_ability("scorers:uncompared"),
                "{logs} {name}"
            );
        }
    }
}

#[test]
fn answers_that_differ_in_form_alone_are_told_from_those_that_were_misread() {
    let document = found("lmms_eval");
    let pope = one(list(&document, "abilities"), &[("benchmark", "pope_mini")]);
    let reasons: Vec<&str> = (list(pope, "reasons").iter())
        .map(|reason| reason["reason"].as_str().expect("a reason"))
        .collect();
    assert_eq!(
        reasons,
        ["misread", "format"],
        "`Yes, there is.` and `Yes.` are `yes` to the strict rule alone"
    );
    let format = one(list(pope, "reasons"), &[("reason", "format")]);
    let example = &format["examples"][0];
    assert_eq!(example["harness"]["answer"], "no.");
    assert_eq!(example["strict"]["answer"], "no");

    let document = found("ava_bench");
    let place = one(list(&document, "abilities"), &[("ability", "spatial")]);
    let misread = one(list(place, "reasons"), &[("reason", "misread")]);
    let example = &misread["examples"][0];
    assert_ne!(example["harness"]["answer"], example["strict"]["answer"]);
}

#[test]
fn scores_and_ranks_of_both_rules_are_those_of_report() {
    let logs = fixture("ava_bench");
    let document = found("ava_bench");
    for scoring in ["harness", "strict"] {
        let report = eyechart(&["report", arg(&logs), "--scoring", scoring]);
        for ability in list(&document, "abilities") {
            for model in list(ability, "models") {
                let row = list(&report, "scores").iter().find(|row| {
                    row["headline"] == true
                        && row["split"].is_null()
                        && row["ability"] == ability["ability"]
                        && row["model"] == model["model"]
                });
                let row = row.expect("a score");
                for key in ["metric", "n", "invalid", "score", "ci", "rank", "rank_ci"] {
                    assert_eq!(model[scoring][key], row[key], "{key} of {row}");
                }
            }
        }
    }
}

/// The result of a known rule in the JSON of an ability; `None` if the rule does not apply.
fn rule<'a>(ability: &'a Value, name: &str) -> Option<&'a Value> {
    let rules = list(&ability["known_rules"], "rules").iter();
    rules.into_iter().find(|rule| rule["rule"] == name)
}

#[test]
fn every_known_rule_names_exactly_the_samples_on_which_it_differs() {
    for logs in ["ava_bench", "lmms_eval"] {
        let mut differing: BTreeMap<String, u64> = BTreeMap::new();
        for ability in list(&found(logs), "abilities") {
            for rule in list(&ability["known_rules"], "rules") {
                let differs = rule["differs"].as_u64().expect("a count");
                let examples = list(rule, "examples");
                assert_eq!(examples.len() as u64, differs.min(2), "{logs} {rule}");
                for example in examples {
                    assert_ne!(
                        example["rule"]["correct"], example["harness"]["correct"],
                        "{logs} {example}"
                    );
                }
                let of_models = list(rule, "models").iter();
                let of_models = of_models.map(|model| model["n"].as_u64().expect("a count"));
                assert_eq!(rule["n"], of_models.sum::<u64>(), "{logs} {rule}");
                let filter = rule["filter"].as_str().expect("a filter");
                *differing.entry(filter.to_owned()).or_default() += differs;
            }
        }
        assert!(differing.len() > 5, "{logs}: {differing:?}");
        let opened = open(&fixture(logs));
        for (filter, differs) in differing {
            assert_eq!(count(&opened, &filter), differs, "{logs} {filter}");
        }
    }
}

#[test]
fn the_rule_of_a_harness_gives_the_score_that_the_harness_gave() {
    let cases = [
        ("lmms_eval", "lmms_eval_pope", &["pope_mini"][..]),
        (
            "ava_bench",
            "ava_bench",
            &[
                "spatial",
                "relative_depth",
                "fine_grained",
                "action_recognition",
                "ocr",
            ],
        ),
        (
            "vlmevalkit",
            "vlmevalkit_choice",
            &["case_integrity", "case_height", "case_depth"],
        ),
    ];
    for (logs, name, abilities) in cases {
        let document = found(logs);
        let mut compared = 0;
        for ability in list(&document, "abilities") {
            let own = [&ability["ability"], &ability["benchmark"]];
            if !own
                .iter()
                .any(|own| abilities.iter().any(|name| **own == **name))
            {
                continue;
            }
            let rule = rule(ability, name).expect("the rule");
            for model in list(ability, "models") {
                let scored = one(
                    list(rule, "models"),
                    &[("model", model["model"].as_str().expect("a name"))],
                );
                let score = |value: &Value| value.as_f64().expect("a score");
                let (own, scored) = (score(&model["harness"]["score"]), score(&scored["score"]));
                assert!((own - scored).abs() < 1e-9, "{name} of {ability}");
                compared += 1;
            }
        }
        assert!(compared > 0, "{logs}");
    }
}

#[test]
fn rules_say_where_they_do_not_apply() {
    let document = found("ava_bench");
    let ability = |name| one(list(&document, "abilities"), &[("ability", name)]);
    let boxes = ability("localization");
    assert!(list(&boxes["known_rules"], "rules").is_empty());
    assert!(boxes["known_rules"]["line"].is_null());
    let reading = &ability("ocr")["known_rules"];
    let others: Vec<&str> = (list(reading, "do_not_apply").iter())
        .map(|name| name.as_str().expect("a name"))
        .collect();
    assert!(
        others.contains(&"pope") && others.contains(&"mmbench"),
        "{others:?}"
    );
    let line = reading["line"].as_str().expect("a line");
    assert!(
        line.starts_with("under ") && line.contains(" known rules: "),
        "{line}"
    );
}

#[test]
fn every_format_tells_it_and_printed_scores_have_nothing_to_tell() {
    let logs = fixture("lmms_eval");
    for format in ["table", "csv", "markdown", "html", "jsonl"] {
        let run = run(&["scorers", arg(&logs), "--format", format]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("format"), "{format}: {}", run.stdout);
    }
    let run = run(&["scorers", arg(&sample_runs().join("ava_bench.scores.csv"))]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("published scores"), "{}", run.stderr);
}
