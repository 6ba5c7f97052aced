//! Tests generated rooms with all six chains.

use serde_json::{Value as Json, json};

use super::log::{CORNERS, Log, run, sample};

/// Scores of each ability of a run, by metric.
fn scores(log: &Log, folder: &str) -> Json {
    let found = run(&mut log.command(&["report", folder, "--metric", "all", "--format", "json"]));
    assert_eq!(found.code, 0, "{}", found.err);
    serde_json::from_str(&found.out).unwrap()
}

fn score(scores: &Json, ability: &str, model: &str, metric: &str) -> f64 {
    let rows = scores["scores"].as_array().unwrap();
    let is_it = |row: &&Json| {
        (&row["ability"], &row["model"], &row["metric"])
            == (&json!(ability), &json!(model), &json!(metric))
    };
    let score = rows
        .iter()
        .find(is_it)
        .and_then(|row| row["score"].as_f64());
    score.unwrap_or_else(|| panic!("{ability} {model} {metric}: {scores}"))
}

#[test]
fn rooms_are_asked_by_all_chains_out_of_the_box() {
    // The second exam reuses the encoders that were trained for the first exam.
    let log = Log::new(0);
    an_encoder_names_things_far_better_than_by_chance(&log);
    who_knows_a_room_comes_to_the_ceiling_of_every_chain(&log);
}

/// The endpoint knows the ground truth of the scenes.
fn who_knows_a_room_comes_to_the_ceiling_of_every_chain(log: &Log) {
    let asking = [
        "exam",
        "--set",
        "scenes",
        "--count",
        "6",
        "--seed",
        "3",
        "--endpoint",
        "builtin:oracle",
        "--out",
        "rooms",
    ];
    let ran = run(&mut log.command(&asking));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = scores(log, "rooms");
    for (ability, metric, least) in [
        ("classification", "accuracy", 1.0),
        ("detection", "ap50", 0.9),
        ("segmentation", "miou", 0.6),
        ("grouping", "miou", 0.6),
        ("depth", "rho", 0.7),
        ("normals", "rho_x", 0.5),
    ] {
        let score = score(&found, ability, "oracle", metric);
        assert!(score >= least, "{ability}: {score}");
    }
    // One task of the same rooms can be rerun like any log.
    let again = [
        "rerun",
        "rooms",
        "--filter",
        "ability:grouping model:oracle",
        "--endpoint",
        "builtin:oracle",
        "--protocol",
        "chain:group,segments=150",
        "--out",
        "again",
    ];
    let ran = run(&mut log.command(&again));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(score(&scores(log, "again"), "grouping", "oracle@rerun", "miou") >= 0.5);
}

/// A chain asks a built-in encoder about close-ups of objects.
fn an_encoder_names_things_far_better_than_by_chance(log: &Log) {
    let asking = [
        "exam",
        "--set",
        "scenes",
        "--ability",
        "classification",
        "--count",
        "40",
        "--endpoint",
        "builtin:hog",
        "--out",
        "things",
    ];
    let ran = run(&mut log.command(&asking));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found = score(&scores(log, "things"), "classification", "hog", "accuracy");
    // One in four answers is right by chance. In 40 guesses, 20 are right once in two thousand
    // times.
    assert!(found >= 0.5, "{found}");
    let depth = [
        "exam",
        "--set",
        "scenes",
        "--ability",
        "depth",
        "--count",
        "2",
        "--endpoint",
        "builtin:hog",
        "--out",
        "none",
    ];
    let ran = run(&mut log.command(&depth));
    assert!(
        ran.code != 0 && ran.err.contains("was not trained for"),
        "{}",
        ran.err
    );
}

#[test]
fn a_batch_of_classifications_is_one_request_and_each_picture_has_its_own_result() {
    let log = Log::new(10);
    log.config("http://127.0.0.1:9", "");
    std::fs::remove_file(log.path("3.png")).unwrap();
    let batches = [
        "rerun",
        "corners.eyechart.jsonl",
        "--endpoint",
        "builtin:oracle",
        "--protocol",
        "chain:classify,batch=4",
        "--filter",
        "model:old",
        "--out",
        "out",
    ];
    let ran = run(&mut log.command(&batches));
    assert!(
        ran.err.contains("10 samples, 3 requests") || ran.err.contains("3 questions"),
        "{}",
        ran.err
    );
    let asked = log.journal("done");
    assert_eq!(asked.len(), 3, "{}", ran.err);
    let records = log.records();
    assert_eq!(records.len(), 9, "one picture is missing: {}", ran.err);
    for record in &records {
        let id = record["sample_id"].as_str().unwrap();
        let at: usize = id.trim_start_matches('s').parse().unwrap();
        assert_ne!(at, 3);
        assert_eq!(record["parsed"], CORNERS[sample(at).0], "{record}");
    }
    // No request is repeated.
    let ran = run(log.command(&batches).arg("--resume"));
    assert!(ran.code == 0 || ran.code == 4, "{}", ran.err);
    assert_eq!(log.journal("done").len(), 3);
    assert_eq!(log.records(), records);
}
