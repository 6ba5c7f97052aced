//! Tests an exam end to end. A model behind a server and a built-in encoder take it, and the run is
//! interrupted and resumed.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value as Json;

use super::log::{Log, Output, lines, run};
use super::server::Server;

const SMALL: [&str; 6] = [
    "exam",
    "--ability",
    "color,texture",
    "--count",
    "24",
    "--seed",
];

fn exam(log: &Log, more: &[&str]) -> Output {
    run(&mut log.command(&[&SMALL, more].concat()))
}

/// Scores of one ability of the exam in `out`, by model.
fn scores(output: &Output, ability: &str) -> Vec<(String, String, Option<f64>)> {
    let report: Json = serde_json::from_str(&output.out).unwrap();
    let scores = report["scores"].as_array().unwrap().iter();
    let of_ability =
        scores.filter(|score| score["ability"] == ability && score["headline"] == true);
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    of_ability
        .map(|score| {
            (
                text(&score["model"]),
                text(&score["kind"]),
                score["score"].as_f64(),
            )
        })
        .collect()
}

#[test]
fn a_served_model_stands_beside_encoders_and_chance_and_a_killed_exam_goes_on() {
    let (log, server) = (
        Log::new(1),
        Server::slow(Duration::from_millis(30), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "concurrency = 2");
    log.patient();
    let arguments = ["5", "--endpoint", "t", "--out", "out", "--format", "json"];
    let mut child = log
        .command(&[&SMALL[..], &arguments[..]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while log.journal("done").len() < 5 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = log.journal("done").len();
    assert!((5..24).contains(&kept), "killed too late: {kept}");

    let again = exam(&log, &arguments);
    assert!(
        again.code == 1 && again.err.contains("hint: --resume"),
        "{}",
        again.err
    );
    let other = exam(&log, &["6", "--endpoint", "t", "--out", "out", "--resume"]);
    assert!(
        other.code == 2 && other.err.contains("other questions"),
        "{}",
        other.err
    );

    let done = exam(&log, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(log.journal("done").len(), 24, "each once");
    let keys: BTreeSet<String> = log
        .journal("done")
        .iter()
        .map(|line| line["key"].to_string())
        .collect();
    assert_eq!(keys.len(), 24);
    // Requests that were in flight at the kill may be sent twice.
    assert!(
        (24..=26).contains(&server.count("none")),
        "{}",
        server.count("none")
    );

    let texture = scores(&done, "texture");
    let models: BTreeSet<&str> = texture.iter().map(|(model, ..)| model.as_str()).collect();
    let expected = [
        "best constant",
        "chance",
        "color",
        "gabor",
        "hog",
        "pixels",
        "randconv",
        "seer",
    ];
    assert_eq!(models, BTreeSet::from(expected));
    let chance = texture
        .iter()
        .find(|(model, ..)| model == "chance")
        .unwrap();
    let items = lines(&log.path("out/items.jsonl"));
    let options = items
        .iter()
        .filter(|item| item["ability"] == "texture")
        .map(|item| {
            let options = item["choices"].as_object().unwrap().len();
            1.0 / f64::from(u32::try_from(options).unwrap())
        });
    let options: Vec<f64> = options.collect();
    let share = options.iter().sum::<f64>() / 12.0;
    assert_eq!(options.len(), 12);
    assert!(
        (chance.2.unwrap() - share).abs() < 1e-3,
        "{chance:?} {share}"
    );

    // All questions are answered, so no request is sent and the logs of the encoder stay.
    let before = server.count("none");
    let last = exam(&log, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(
        (last.code, server.count("none")),
        (0, before),
        "{}",
        last.err
    );
    assert_eq!(scores(&last, "color"), scores(&done, "color"));
}

#[test]
fn the_result_says_what_the_answers_cost() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "prices = [1.0, 10.0]");
    log.patient();
    let done = exam(
        &log,
        &["5", "--endpoint", "t", "--out", "out", "--format", "json"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let found: Json = serde_json::from_str(&done.out).unwrap();
    let result = &found["exams"][0];
    assert_eq!(result["model"], "seer");
    let cost = &result["cost"];
    // The server counts 90 input and 2 output tokens per question.
    for (name, expected) in [("n", 24.0), ("requests", 24.0), ("prompt_tokens", 2160.0)] {
        assert_eq!(cost[name].as_f64(), Some(expected), "{name}: {cost}");
    }
    assert_eq!(cost["completion_tokens"], 48.0);
    let usd = cost["usd"].as_f64().unwrap();
    assert!((usd - 0.002_64).abs() < 1e-9, "{cost}");
    let by_ability = found["costs"].as_array().unwrap();
    assert_eq!(
        by_ability.len(),
        2,
        "nobody is paid for encoders: {by_ability:?}"
    );
    assert!(by_ability.iter().all(|row| row["requests"] == 12));

    let words =
        "Cost of the answers: 24 requests, 2,160 prompt tokens, 48 completion tokens, 0.0026 USD.";
    // The run has stored its prices. Later settings do not change its cost.
    log.config(&server.base("none"), "prices = [7.0, 7.0]");
    let report = run(&mut log.command(&["report", "out", "--format", "markdown"]));
    assert!(report.out.contains(words), "{}", report.out);
    let page = run(&mut log.command(&["report", "out", "--out", "out.html"]));
    assert_eq!(page.code, 0, "{}", page.err);
    let page = std::fs::read_to_string(log.path("out.html")).unwrap();
    let (result, cost) = (page.find("Result of seer</h3>"), page.find(words));
    assert!(result.is_some() && result < cost, "{result:?} {cost:?}");
}

#[test]
fn an_encoder_that_is_asked_answers_as_when_it_stands_beside() {
    let log = Log::new(1);
    let beside = exam(
        &log,
        &[
            "9",
            "--endpoint",
            "builtin:color",
            "--out",
            "out",
            "--format",
            "json",
        ],
    );
    assert_eq!(beside.code, 0, "{}", beside.err);
    assert!(beside.err.contains("nothing is sent"), "{}", beside.err);
    assert!(
        !log.path("out/color.eyechart.jsonl").exists(),
        "it has answered already"
    );
    let asked = log.records();
    let other = exam(
        &log,
        &[
            "9",
            "--endpoint",
            "builtin:pixels",
            "--out",
            "other",
            "--format",
            "json",
        ],
    );
    assert_eq!(other.code, 0, "{}", other.err);
    let stood = lines(&log.path("other/color.eyechart.jsonl"));
    let answers = |records: &[Json]| -> BTreeSet<(String, String)> {
        let answer = |record: &Json| {
            (
                record["sample_id"].to_string(),
                record["response"].to_string(),
            )
        };
        records.iter().map(answer).collect()
    };
    assert_eq!(asked.len(), 24);
    assert_eq!(answers(&asked), answers(&stood));
    let check = run(&mut log.command(&["check", "--strict", "out"]));
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
}

#[test]
fn what_the_encoders_learnt_from_is_no_exam() {
    let log = Log::new(1);
    for (more, why) in [
        (["7", "--endpoint", "builtin:hog", "--out", "x"], "seed 7"),
        (
            ["5", "--endpoint", "builtin:hogg", "--out", "x"],
            "builtin:hog,",
        ),
    ] {
        let output = exam(&log, &more);
        assert!(
            output.code == 2 && output.err.contains(why),
            "{}",
            output.err
        );
    }
    let dry = exam(
        &log,
        &["5", "--endpoint", "builtin:hog", "--out", "x", "--dry-run"],
    );
    assert!(
        dry.code == 0 && dry.out.contains("24 samples, 24 questions"),
        "{}",
        dry.out
    );
    assert!(!log.path("x").exists(), "nothing is written");
}

#[test]
fn precision_is_known_before_anything_is_asked_and_encoders_can_be_left_out() {
    let (log, server) = (Log::new(1), Server::new());
    log.config(&server.base("none"), "");
    let arguments = ["5", "--endpoint", "t", "--out", "out", "--format", "json"];
    let counted = exam(&log, &[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(
        (counted.code, server.count("none")),
        (0, 0),
        "{}",
        counted.err
    );
    let told = &counted.err;
    assert!(
        told.contains("levels wide with these 24 questions"),
        "{told}"
    );
    // Wilson's interval of 6 right answers out of 12 has a half-width of .246.
    assert!(
        told.contains("accuracy of an ability ±0.25 with 12 questions"),
        "{told}"
    );
    let output = exam(&log, &[&arguments[..], &["--no-encoders"]].concat());
    assert_eq!(
        (output.code, server.count("none")),
        (0, 24),
        "{}",
        output.err
    );
    let names: Vec<String> = scores(&output, "texture")
        .into_iter()
        .map(|it| it.0)
        .collect();
    assert!(names.contains(&"seer".to_owned()), "{names:?}");
    assert!(names.contains(&"chance".to_owned()), "{names:?}");
    assert!(
        !names.iter().any(|name| name == "hog" || name == "pixels"),
        "{names:?}"
    );
}
