//! Tests the protocols. The expected flips, shares and patterns are known in advance.

use serde_json::{Value as Json, json};

use super::log::{CORNERS, Log, lines, run, sample, was_right};
use super::server::Server;

const SAMPLES: usize = 32;

fn setup() -> (Log, Server) {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), "prices = [1.0, 2.0]");
    (log, server)
}

/// Returns true if the server's model is right about a sample at a rotation.
fn right(at: usize, quarter: usize) -> bool {
    sample(at).1 >> quarter & 1 == 1
}

fn count(is: impl Fn(usize) -> bool) -> usize {
    (0..SAMPLES).filter(|at| is(*at)).count()
}

#[test]
fn vanilla_finds_every_flip() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "vanilla"]);
    let found = &found["found"];
    assert_eq!(
        found["now_right"],
        count(|at| right(at, 0) && !was_right(at))
    );
    assert_eq!(
        found["now_wrong"],
        count(|at| !right(at, 0) && was_right(at))
    );
    assert_eq!(
        found["compared"], SAMPLES,
        "each sample once, though two models answered it"
    );
    assert_eq!(found["steps"][0]["right"], count(|at| right(at, 0)));
    assert_eq!(
        (found["outcomes"]["ok"].as_u64(), server.count("none")),
        (Some(32), SAMPLES)
    );
    assert_eq!(server.seen.lock().unwrap().last["temperature"], 0.0);
    assert!(server.seen.lock().unwrap().at_once.1 <= 4);
}

#[test]
fn rotations_give_the_predicted_pattern_of_every_sample_and_the_report_agrees() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "rotational"]);
    let found = &found["found"];
    let name = |at: usize| {
        (0..4)
            .map(|quarter| if right(at, quarter) { '1' } else { '0' })
            .collect::<String>()
    };
    let mut patterns = serde_json::Map::new();
    for at in 0..SAMPLES {
        let old = patterns
            .get(&name(at))
            .and_then(Json::as_u64)
            .unwrap_or_default();
        patterns.insert(name(at), json!(old + 1));
    }
    assert_eq!(found["patterns"], Json::Object(patterns));
    assert_eq!(server.count("none"), 4 * SAMPLES);
    let report = run(&mut log.command(&["report", "out", "--format", "json"]));
    let report: Json = serde_json::from_str(&report.out).unwrap();
    let reliability = &report["reliability"][0];
    let share = |is: &dyn Fn(usize) -> bool| count(is) as f64 / SAMPLES as f64;
    assert_eq!(reliability["model"], "seer");
    assert_eq!(reliability["re"], share(&|at| sample(at).1 == 15));
    assert_eq!(reliability["ma"], share(&|at| sample(at).1 == 0));
    for (quarter, degrees) in ["0", "90", "180", "270"].into_iter().enumerate() {
        assert_eq!(
            reliability["ve"][degrees],
            share(&|at| right(at, quarter)),
            "{degrees}"
        );
    }
}

#[test]
fn words_of_direction_and_boxes_turn_with_the_picture() {
    let (log, _server) = setup();
    log.found(&["--protocol", "rotational", "--limit", "1"]);
    let records = log.records();
    let quarter = records
        .iter()
        .find(|record| record["condition"]["rotation"] == 90.0)
        .unwrap();
    // The rotated options are the same set, so they stay. The right answer gets another letter.
    assert_eq!(
        quarter["choices"],
        json!({"A": CORNERS[0], "B": CORNERS[1], "C": CORNERS[2], "D": CORNERS[3]})
    );
    let upright = records[0]["target"].as_str().unwrap().as_bytes()[0] - b'A';
    let letter = char::from(b'A' + (upright + 1) % 4).to_string();
    assert_eq!(quarter["target"], json!(letter));
    // In 24 by 16 pixels, [10, 4, 14, 8] moves to [8, 10, 12, 14].
    assert_eq!(quarter["boxes"][0]["xyxy"], json!([8.0, 10.0, 12.0, 14.0]));
    let kept = image::open(log.path("out").join(quarter["image"].as_str().unwrap())).unwrap();
    assert_eq!(
        (kept.width(), kept.height()),
        (16, 24),
        "the picture that the model saw"
    );
}

#[test]
fn a_blank_picture_shows_what_is_guessed() {
    let (log, _server) = setup();
    let found = log.found(&["--protocol", "blind"]);
    assert_eq!(
        found["found"]["steps"][0]["right"],
        count(|at| sample(at).0 == 0),
        "A is said to all"
    );
    assert!(
        log.records()
            .iter()
            .all(|record| record["condition"]["picture"] == "blank")
    );
}

/// Result of a step: numbers of right, newly right and newly wrong samples.
fn found_at(found: &Json, at: usize) -> [usize; 3] {
    let step = &found["found"]["steps"][at];
    ["right", "now_right", "now_wrong"]
        .map(|name| usize::try_from(step[name].as_u64().unwrap()).unwrap())
}

/// Expected result if the model is right on these samples.
fn predicted(is_right: impl Fn(usize) -> bool) -> [usize; 3] {
    [
        count(&is_right),
        count(|at| is_right(at) && !was_right(at)),
        count(|at| !is_right(at) && was_right(at)),
    ]
}

#[test]
fn every_rotation_flips_as_predicted() {
    let (log, _server) = setup();
    let found = log.found(&["--protocol", "rotational"]);
    for quarter in 0..4 {
        assert_eq!(
            found_at(&found, quarter),
            predicted(|at| right(at, quarter)),
            "{quarter}"
        );
    }
    let always = count(|at| sample(at).1 == 15);
    let finding = found["found"]["finding"][0].as_str().unwrap();
    let re = format!(
        "right at all four (RE): {:.3}",
        always as f64 / SAMPLES as f64
    );
    assert!(finding.starts_with(&re), "{finding}");
}

#[test]
fn boxes_that_point_make_it_right_and_without_them_all_is_as_it_was() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "boxes"]);
    assert_eq!(found_at(&found, 0), predicted(|_| true));
    let wrong = (SAMPLES - count(was_right)) as f64 / SAMPLES as f64;
    assert_eq!(found["found"]["steps"][0]["difference"], wrong);
    // All flips go in the same direction, so p is 2 in 2^n.
    let p = 2.0 / f64::powi(2.0, i32::try_from(SAMPLES - count(was_right)).unwrap());
    let told = found["found"]["steps"][0]["p_value"].as_f64().unwrap();
    assert!((told - p).abs() < 1e-12, "{told} is not {p}");
    let log = Log::new(SAMPLES);
    log.config(&server.base("none"), "");
    let found = log.found(&["--protocol", "no-boxes"]);
    assert_eq!(found_at(&found, 0), predicted(|at| right(at, 0)));
}

#[test]
fn a_crop_to_the_mark_leaves_the_block_out_of_sight() {
    let (log, server) = setup();
    // In a crop, the question about a corner of the whole picture has no answer.
    let refused = log.rerun(&["--protocol", "crop", "--dry-run"]);
    assert!(
        refused.code != 0 && refused.err.contains("a position in the whole picture"),
        "{}",
        refused.err
    );
    let found = log.found(&["--protocol", "crop", "--turn-words", "off"]);
    assert_eq!(server.count("none"), 4 * SAMPLES);
    assert_eq!(found_at(&found, 0), predicted(|at| right(at, 0)));
    for closer in 1..4 {
        assert_eq!(
            found_at(&found, closer),
            predicted(|at| sample(at).0 == 0),
            "A is said to all that cannot be seen"
        );
    }
}

#[test]
fn blind_flips_are_those_of_a_guess_and_stand_beside_chance() {
    let (log, _server) = setup();
    let found = log.found(&["--protocol", "blind"]);
    assert_eq!(found_at(&found, 0), predicted(|at| sample(at).0 == 0));
    assert_eq!(found["found"]["steps"][0]["chance"], 0.25);
    let finding = found["found"]["finding"][0].as_str().unwrap();
    assert!(
        finding.ends_with("not clearly different from chance, 0.250"),
        "{finding}"
    );
}

#[test]
fn repeats_flip_where_the_models_mood_does() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "repeat:4"]);
    assert_eq!(server.seen.lock().unwrap().last["temperature"], 0.7);
    let found = &found["found"];
    // The order of the four moods varies. Only the number of right answers is known.
    let mut by_rights = [0; 5];
    for (pattern, count) in found["patterns"].as_object().unwrap() {
        by_rights[pattern.matches('1').count()] +=
            usize::try_from(count.as_u64().unwrap()).unwrap();
    }
    let rights = |at: usize| sample(at).1.count_ones() as usize;
    assert_eq!(
        by_rights,
        [0, 1, 2, 3, 4].map(|ones| count(|at| rights(at) == ones))
    );
    let mixed = count(|at| !matches!(rights(at), 0 | 4));
    assert_eq!(found["answers_changed"], mixed);
    let finding = found["finding"][0].as_str().unwrap();
    let share = format!("samples that flip: {:.3}", mixed as f64 / SAMPLES as f64);
    assert!(finding.starts_with(&share), "{finding}");
}

#[test]
fn more_effort_makes_it_right() {
    let (log, server) = setup();
    let found = log.found(&["--protocol", "effort:low,high"]);
    assert_eq!(found_at(&found, 0), predicted(|at| right(at, 0)));
    assert_eq!(found_at(&found, 1), predicted(|_| true));
    assert_eq!(server.count("none"), 2 * SAMPLES);
    let last = server.seen.lock().unwrap().last.clone();
    assert!(last["reasoning_effort"].is_string());
}

#[test]
fn wordings_differ_as_predicted_and_what_cannot_be_read_counts_as_the_metric_has_it() {
    let (log, server) = setup();
    std::fs::write(log.path("short.txt"), "{question}\n{options}\nLetter only").unwrap();
    std::fs::write(log.path("odd.txt"), "{question} Say what you see.").unwrap();
    let found = log.found(&["--protocol", "prompt:short.txt,odd.txt"]);
    assert_eq!(found["found"]["steps"][0]["step"], "prompt=short");
    assert_eq!(found_at(&found, 0), predicted(|at| right(at, 0)));
    // Without options, the model gives no letter (unreadable) if it is right; otherwise it gives B.
    let odd = &found["found"]["steps"][1];
    assert_eq!(odd["outcomes"]["unreadable"], count(|at| right(at, 0)));
    assert_eq!(odd["scored"], SAMPLES);
    assert_eq!(odd["readable"]["scored"], count(|at| !right(at, 0)));
    let is_right = |at: usize| !right(at, 0) && sample(at).0 == 1;
    assert_eq!(odd["right"], count(is_right));
    assert_eq!(odd["now_right"], count(|at| is_right(at) && !was_right(at)));
    assert_eq!(odd["now_wrong"], count(|at| !is_right(at) && was_right(at)));
    assert_eq!(server.count("none"), 2 * SAMPLES);
    let text = &server.seen.lock().unwrap().last["messages"][0]["content"][1]["text"];
    assert!(
        text.as_str()
            .unwrap()
            .starts_with("In which corner is the red block?")
    );
}

#[test]
fn answers_of_an_earlier_run_are_offered_and_taken_when_the_user_says_so() {
    let (log, server) = setup();
    log.found(&["--protocol", "vanilla", "--limit", "10"]);
    assert_eq!(server.count("none"), 10);
    let more = |out: &str, arguments: &[&str]| {
        let fixed = [
            "rerun",
            "corners.eyechart.jsonl",
            "--endpoint",
            "t",
            "--protocol",
            "vanilla",
            "--format",
            "json",
            "--out",
            out,
        ];
        run(&mut log.command(&[&fixed, arguments].concat()))
    };
    let fresh = more("fresh", &["--limit", "10"]);
    assert!(
        fresh.err.contains("10 of 10 questions were answered"),
        "{}",
        fresh.err
    );
    assert!(fresh.err.contains("--reuse uses them"), "{}", fresh.err);
    assert_eq!(server.count("none"), 20, "never taken silently");
    let taken = more("taken", &["--reuse"]);
    assert_eq!(server.count("none"), 20 + SAMPLES - 10, "{}", taken.err);
    let found: Json = serde_json::from_str(&taken.out).unwrap();
    assert_eq!(found["found"]["reused"], 10);
    assert_eq!(found_at(&found, 0), predicted(|at| right(at, 0)));
    let from = lines(&log.path("taken/rerun.eyechart.jsonl"));
    let from = from
        .iter()
        .filter(|record| record["rerun"]["reused_from"].is_string());
    assert_eq!(from.count(), 10, "the record says where its answer is from");
    let warm = more("warm", &["--reuse", "--temperature", "0.7"]);
    assert_eq!(warm.code, 0, "{}", warm.err);
    assert_eq!(
        server.count("none"),
        20 + SAMPLES - 10 + SAMPLES,
        "another temperature is another question"
    );
}

#[test]
fn a_dry_run_counts_and_sends_nothing() {
    let (log, server) = setup();
    let output = log.rerun(&["--protocol", "rotational", "--limit", "10", "--dry-run"]);
    let found: Json = serde_json::from_str(&output.out).unwrap();
    assert_eq!(
        (&found["samples"], &found["requests"]),
        (&json!(10), &json!(40))
    );
    assert_eq!(found["changed"]["samples"], 10, "every letter moves");
    let example = &found["changed"]["examples"][0];
    assert_ne!(example["target"][0], example["target"][1]);
    assert!(
        found["cost"].as_f64().unwrap() > 0.0 && found["tokens"]["input"].as_f64().unwrap() > 400.0
    );
    assert_eq!((server.count("none"), log.path("out").exists()), (0, false));
}

#[test]
fn the_new_run_opens_beside_the_log_and_is_compared_with_it() {
    let (log, _server) = setup();
    log.found(&["--protocol", "vanilla"]);
    let log_before = std::fs::read(log.path("corners.eyechart.jsonl")).unwrap();
    let compare = run(&mut log.command(&[
        "compare",
        "old",
        "seer",
        "corners.eyechart.jsonl",
        "out",
        "--format",
        "json",
    ]));
    let compare: Json = serde_json::from_str(&compare.out).unwrap();
    let row = &compare["abilities"][0];
    assert_eq!(row["n"], SAMPLES);
    assert_eq!(row["only_a"], count(|at| was_right(at) && !right(at, 0)));
    assert_eq!(row["only_b"], count(|at| !was_right(at) && right(at, 0)));
    let check = run(&mut log.command(&["check", "out", "--strict"]));
    assert_eq!(check.code, 0, "{}", check.out);
    assert_eq!(
        std::fs::read(log.path("corners.eyechart.jsonl")).unwrap(),
        log_before
    );
}

#[test]
fn a_model_of_the_log_asked_again_keeps_its_answers_apart() {
    let (log, _server) = setup();
    let found = log.found(&["--protocol", "vanilla", "--model", "old"]);
    assert_eq!(found["label"], "old@rerun");
    assert!(
        log.records()
            .iter()
            .all(|record| record["model"] == "old@rerun")
    );
}

#[test]
fn anthropics_own_interface_is_spoken() {
    let (log, server) = setup();
    log.config(
        &server.base("none"),
        "dialect = 'anthropic'\nkey_command = 'echo sk-ant-1'",
    );
    let found = log.found(&["--protocol", "vanilla"]);
    assert_eq!(
        found["found"]["steps"][0]["right"],
        count(|at| right(at, 0))
    );
    assert!(
        server
            .seen
            .lock()
            .unwrap()
            .keys
            .iter()
            .all(|key| key == "sk-ant-1")
    );
}

#[test]
fn answers_that_come_whole_are_read_too() {
    let (log, server) = setup();
    let found = log.found(&[
        "--protocol",
        "vanilla",
        "--no-stream",
        "--temperature",
        "none",
    ]);
    assert_eq!(
        found["found"]["steps"][0]["right"],
        count(|at| right(at, 0))
    );
    let last = server.seen.lock().unwrap().last.clone();
    assert!(last.get("stream").is_none() && last.get("temperature").is_none());
}

#[test]
fn a_server_that_does_not_look_is_told_of_before_much_is_asked() {
    for (fault, warns) in [("sightless", true), ("none", false)] {
        let (log, server) = (Log::new(SAMPLES), Server::new());
        log.config(&server.base(fault), "");
        let output = log.rerun(&["--protocol", "vanilla"]);
        assert_eq!(
            output.err.contains("may ignore them"),
            warns,
            "{}",
            output.err
        );
        let again = log.rerun(&["--protocol", "vanilla", "--resume"]);
        assert!(!again.err.contains("may ignore them"), "{}", again.err);
    }
}

#[test]
fn probabilities_are_kept_and_missed() {
    for (fault, kept) in [("probable", true), ("none", false)] {
        let (log, server) = (Log::new(1), Server::new());
        log.config(&server.base(fault), "extra_body = {logprobs = true}");
        let found = log.found(&["--protocol", "vanilla"]);
        assert_eq!(server.seen.lock().unwrap().last["logprobs"], true);
        let done = &log.journal("done")[0];
        assert_eq!(done["logprobs"][0]["logprob"] == -0.5, kept, "{done}");
        let doubts = found["found"]["doubts"].to_string();
        assert_eq!(doubts.contains("probabilities"), !kept, "{doubts}");
    }
}

#[test]
fn a_model_that_was_not_asked_is_told_of() {
    let (log, _server) = setup();
    let found = log.found(&["--protocol", "vanilla", "--model", "other", "--limit", "2"]);
    let doubts = &found["found"]["doubts"];
    assert_eq!(
        doubts[0],
        "2 answers by seer, not by the requested model other"
    );
}

#[test]
fn a_model_has_a_price_where_its_endpoint_has_none() {
    let (log, server) = (Log::new(2), Server::new());
    let cost = |own: &str| {
        let more = format!("{own}\n[prices.Seer]\ninput = 10.0\noutput = 20.0");
        log.config(&server.base("none"), &more);
        log.found(&["--protocol", "vanilla", "--dry-run"])["cost"]
            .as_f64()
            .unwrap()
    };
    let (model, endpoint) = (cost(""), cost("prices = [1.0, 2.0]"));
    assert!((model / endpoint - 10.0).abs() < 1e-6, "{model} {endpoint}");
}
