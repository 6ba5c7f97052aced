//! `eyechart scorers`: how often, why and with what effect the harness's scores and the strict rule disagree.

use serde_json::Value;

use crate::support::{arg, eyechart, fixture, list, one, run, sample_runs};

fn found(logs: &str) -> Value {
    eyechart(&["scorers", arg(&fixture(logs)), "--examples", "2"])
}

/// Samples that a filter selects.
fn count(logs: &str, filter: &str) -> u64 {
    let samples = eyechart(&["samples", arg(&fixture(logs)), "--filter", filter]);
    list(&samples, "samples").len() as u64
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
        let document = found(logs);
        assert_eq!(document["schema"], "eyechart.scorers/1");
        for ability in list(&document, "abilities") {
            let name = ability["ability"].as_str().expect("a name");
            let benchmark = ability["benchmark"].as_str().expect("a name");
            let of_ability = |term: &str| {
                count(
                    logs,
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
