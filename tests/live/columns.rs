//! Tests several endpoints, models and protocols in parallel. Each column is a run, and all use the
//! same samples.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use image::{Rgb, RgbImage};
use serde_json::{Value as Json, json};

use super::log::{Log, Output, lines, run, sample};
use super::server::Server;

const SAMPLES: usize = 24;
/// Cost of a response: 90 input tokens at 1 per million.
const EACH: f64 = 90e-6;

fn right(at: usize) -> bool {
    sample(at).1 & 1 == 1
}

fn share(is: impl Fn(usize) -> bool) -> f64 {
    (0..SAMPLES).filter(|at| is(*at)).count() as f64 / SAMPLES as f64
}

/// Runs `rerun` into the folder `out` without a default endpoint.
fn rerun(log: &Log, more: &[&str]) -> Output {
    let fixed = [
        "rerun",
        "corners.eyechart.jsonl",
        "--out",
        "out",
        "--format",
        "json",
    ];
    run(&mut log.command(&[&fixed, more].concat()))
}

fn found(output: &Output, code: i32) -> Json {
    assert_eq!(output.code, code, "{}{}", output.out, output.err);
    serde_json::from_str(&output.out).unwrap()
}

fn setup(more: &str) -> (Log, Server) {
    let (log, server) = (Log::new(SAMPLES), Server::new());
    log.config(&server.base("none"), more);
    (log, server)
}

fn score<'a>(found: &'a Json, column: &str) -> &'a Json {
    let scores = found["scores"].as_array().unwrap();
    scores
        .iter()
        .find(|score| score["column"] == column)
        .unwrap()
}

const TWO: [&str; 6] = [
    "--endpoint",
    "t",
    "--protocol",
    "vanilla",
    "--protocol",
    "blind",
];

/// A question about the corner of a red block, and its picture.
fn red_corner(at: usize) -> (Json, RgbImage) {
    let mut picture = RgbImage::from_pixel(24, 16, Rgb([255, 255, 255]));
    let [left, top] = [[0, 0], [20, 0], [20, 12], [0, 12]][at % 4];
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        picture.put_pixel(left + x, top + y, Rgb([255, 0, 0]));
    }
    // Makes the pictures different from each other.
    picture.put_pixel(12, 8, Rgb([0, 0, u8::try_from(at).unwrap()]));
    let target = ["A", "B", "C", "D"][at % 4];
    let line = json!({
        "sample_id": format!("s{at:03}"), "benchmark": "corners", "ability": "location",
        "model": "old", "image": format!("{at}.png"),
        "question": "In which corner is the red block?",
        "choices": {"A": "top left", "B": "top right", "C": "bottom right", "D": "bottom left"},
        "target": target, "response": "A",
    });
    (line, picture)
}

/// Log of 240 pictures, and a server.
fn red_corners() -> (Log, Server) {
    let rows: Vec<(Json, RgbImage)> = (0..240).map(red_corner).collect();
    (Log::of(&rows), Server::new())
}

/// Arguments with which two endpoints are asked until it is clear which is better.
fn until_clear<'a>(one: &'a str, other: &'a str) -> [&'a str; 7] {
    [
        "--endpoint",
        one,
        "--endpoint",
        other,
        "--protocol",
        "vanilla",
        "--until-clear",
    ]
}

#[test]
fn two_columns_stop_once_it_is_clear_which_is_better_and_resume_the_same() {
    let (log, server) = red_corners();
    let [perfect, constant] = ["perfect", "constant"].map(|fault| server.base(fault));
    let columns = until_clear(&perfect, &constant);
    let both = found(&rerun(&log, &columns), 0);
    let gap = both["until_clear"][0].clone();
    assert_eq!((&gap["clear"], &gap["of"]), (&true.into(), &240.into()));
    assert!(gap["pictures"].as_u64().unwrap() < 120, "{gap}");
    assert!(gap["difference"].as_f64().unwrap() > 0.5, "{gap}");
    assert_eq!(both["pairs"], json!([]), "no other test knows the rule");
    let told = both["conclusions"][0].as_str().unwrap();
    assert!(told.contains("is better than"), "{told}");
    let asked = ["perfect", "constant"].map(|fault| server.count(fault));
    assert!(asked.iter().all(|count| *count < 240), "{asked:?}");
    let json = |args: &[&str]| -> Json {
        let output = run(&mut log.command(&[args, &["out", "--format", "json"]].concat()));
        serde_json::from_str(&output.out).unwrap_or_else(|_| panic!("{}", output.err))
    };
    let report = json(&["report"]);
    let scores = report["scores"].as_array().unwrap();
    assert!(!scores.is_empty());
    for score in scores {
        assert_eq!(score["evidence"]["until_clear"], true, "{score}");
        assert!(score["rank"].is_null(), "{score}");
    }
    let models: std::collections::BTreeSet<&str> = scores
        .iter()
        .filter_map(|it| it["model"].as_str())
        .collect();
    let models: Vec<&str> = models.into_iter().collect();
    let compared = json(&["compare", models[0], models[1]]);
    let row = &compared["abilities"][0];
    assert!(row["ci"].is_null() && row["p_value"].is_null(), "{row}");
    let why = row["why_not"].as_str().unwrap();
    assert!(why.starts_with("asked until clear"), "{why}");
    let again = found(&rerun(&log, &[&columns[..], &["--resume"]].concat()), 0);
    assert_eq!(again["until_clear"][0], gap);
    let sent = ["perfect", "constant"].map(|fault| server.count(fault));
    assert_eq!(sent, asked, "the journals are read before anything is sent");
}

#[test]
fn columns_with_cut_answers_are_not_compared() {
    for count in [6, 7] {
        let (log, server) = red_corners();
        let [perfect, cut] = ["perfect", "half-cut"].map(|fault| server.base(fault));
        let both = found(&rerun(&log, &until_clear(&perfect, &cut)[..count]), 0);
        let told = both["conclusions"].to_string();
        let start = "[\"no comparison of the columns: ";
        assert!(
            told.starts_with(start) && told.contains("were cut"),
            "{told}"
        );
        assert_eq!(
            (&both["pairs"], &both["until_clear"]),
            (&json!([]), &Json::Null)
        );
    }
}

#[test]
fn a_column_that_fails_stops_the_other_one_with_the_reason() {
    let (log, server) = red_corners();
    let [perfect, quota] = ["perfect", "quota"].map(|fault| server.base(fault));
    let columns = until_clear(&perfect, &quota);
    let both = found(&rerun(&log, &columns), 1);
    let told = both["columns"][0]["stopped"].as_str().unwrap();
    assert!(told.starts_with("the other column stopped: "), "{told}");
    assert!(told.contains("insufficient_quota"), "{told}");
    let asked = server.count("perfect");
    assert!(asked < 120, "{asked} of 240");
    let dead = "http://127.0.0.1:9/v1";
    let output = rerun(&log, &until_clear(&perfect, dead));
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(output.err.contains("nothing listens"), "{}", output.err);
    assert_eq!(server.count("perfect"), asked, "nothing is compared");
}

#[test]
fn until_clear_needs_two_columns_that_ask_each_sample_once() {
    let (log, server) = setup("");
    let alone = ["--endpoint", "t", "--protocol", "vanilla"];
    let votes = ["--protocol", "votes:3"];
    let third = ["--protocol", "effort:low"];
    let picked = ["--filter", "correct:false"];
    for (base, more) in [
        (&alone[..], &[][..]),
        (&alone[..], &votes[..]),
        (&TWO[..], &third[..]),
        (&TWO[..], &picked[..]),
    ] {
        let output = rerun(&log, &[base, more, &["--until-clear"]].concat());
        assert_eq!(output.code, 2, "{base:?} {more:?}: {}", output.err);
    }
    assert_eq!(server.count("none"), 0);
}

#[test]
fn columns_are_runs_on_the_same_samples_with_what_is_told_between_them() {
    let (log, server) = setup("");
    let both = found(&rerun(&log, &TWO), 0);
    assert_eq!(server.count("none"), 2 * SAMPLES);
    assert_eq!(score(&both, "vanilla")["score"], share(right));
    let blind = share(|at| sample(at).0 == 0);
    assert_eq!(score(&both, "blind")["score"], blind);
    assert!(score(&both, "blind")["ci"].is_array());
    let pair = &both["pairs"][0];
    assert_eq!(
        (&pair["a"], &pair["b"]),
        (&"vanilla".into(), &"blind".into())
    );
    let row = &pair["abilities"][0];
    assert_eq!(row["n"], SAMPLES);
    assert_eq!(
        row["clusters"], SAMPLES,
        "pictures are those of the log, blank or not"
    );
    assert!((row["difference"].as_f64().unwrap() - (share(right) - blind)).abs() < 1e-9);
    assert!(both["conclusions"][0].as_str().unwrap().contains("vanilla"));
    let flips = both["flips"].as_array().unwrap();
    let differs = (0..SAMPLES).filter(|at| right(*at) != (sample(*at).0 == 0));
    assert_eq!(flips.len(), differs.count());
    assert!(
        flips
            .iter()
            .all(|flip| flip["right"]["column"] != flip["wrong"]["column"])
    );
    // Each column is a normal log with a name of its own.
    let report = run(&mut log.command(&["report", "out", "--format", "json"]));
    let report: Json = serde_json::from_str(&report.out).unwrap();
    let models = report["scores"].as_array().unwrap().iter();
    let models: std::collections::BTreeSet<&str> =
        models.filter_map(|score| score["model"].as_str()).collect();
    assert_eq!(models.len(), 2, "{models:?}");
    let again = found(&rerun(&log, &[&TWO[..], &["--resume"]].concat()), 0);
    assert_eq!(server.count("none"), 2 * SAMPLES, "nothing is asked twice");
    assert_eq!(again["scores"], both["scores"]);
    // Adding a column does not change the existing columns.
    let third = [&TWO[..], &["--protocol", "rotational", "--resume"]].concat();
    let three = found(&rerun(&log, &third), 0);
    assert_eq!(server.count("none"), 6 * SAMPLES);
    assert_eq!(three["pairs"].as_array().unwrap().len(), 3);
}

#[test]
fn one_column_that_fails_leaves_the_others_alone() {
    let (log, server) =
        setup("[endpoints.u]\nurl = 'http://127.0.0.1:9/v1'\nmodel = 'other'\nwait_factor = 0.01");
    let two = [
        "--endpoint",
        "t",
        "--endpoint",
        "u",
        "--protocol",
        "vanilla",
    ];
    let output = rerun(&log, &two);
    let partly = found(&output, 4);
    assert_eq!(server.count("none"), SAMPLES);
    assert!(output.err.contains("u other: "), "{}", output.err);
    assert_eq!(partly["columns"][1]["run"], Json::Null);
    assert!(partly["columns"][1]["stopped"].is_string());
    assert_eq!(score(&partly, "t seer")["score"], share(right));
    // From here on, the server can be reached.
    let text = fs::read_to_string(log.path("config.toml")).unwrap();
    let text = text.replace("http://127.0.0.1:9/v1", &server.base("late"));
    fs::write(log.path("config.toml"), text).unwrap();
    let whole = found(&rerun(&log, &[&two[..], &["--resume"]].concat()), 0);
    assert_eq!(
        (server.count("none"), server.count("late")),
        (SAMPLES, SAMPLES)
    );
    assert_eq!(whole["pairs"].as_array().unwrap().len(), 1);
}

#[test]
fn a_column_that_may_not_go_on_stops_alone() {
    let (log, server) = setup("");
    let text = fs::read_to_string(log.path("config.toml")).unwrap();
    let other = format!(
        "[endpoints.u]\nurl = '{}'\nmodel = 'poor'\n",
        server.base("quota")
    );
    fs::write(log.path("config.toml"), text + &other).unwrap();
    let two = [
        "--endpoint",
        "t",
        "--endpoint",
        "u",
        "--protocol",
        "vanilla",
    ];
    let partly = found(&rerun(&log, &two), 4);
    assert_eq!(server.count("none"), SAMPLES);
    assert!(
        partly["columns"][1]["stopped"]
            .as_str()
            .unwrap()
            .contains("quota")
    );
}

#[test]
fn what_may_be_spent_is_spent_by_all_columns_together() {
    let (log, server) = setup("prices = [1.0, 0.0]\nconcurrency = 1");
    let most = format!("{}", 30.5 * EACH);
    let output = rerun(&log, &[&TWO[..], &["--max-cost", &most]].concat());
    assert_eq!(output.code, 4, "{}", output.err);
    let asked = server.count("none");
    assert!((18..=30).contains(&asked), "{asked} of 48");
    let rest = [&TWO[..], &["--resume", "--max-cost", "1"]].concat();
    let whole = found(&rerun(&log, &rest), 0);
    assert_eq!(server.count("none"), 2 * SAMPLES);
    assert!(whole["paid"].as_f64().unwrap() > 2.0 * SAMPLES as f64 * EACH);
    let probes = ["blind", "vanilla"].map(|column| {
        let journal = lines(&log.path(&format!("out/t-seer-{column}/run.jsonl")));
        journal
            .iter()
            .filter(|line| line["line"] == "probe")
            .count()
    });
    assert_eq!(probes, [0, 1], "one model is probed once");
}

#[test]
fn columns_of_one_endpoint_share_its_places() {
    let (log, server) = (
        Log::new(SAMPLES),
        Server::slow(Duration::from_millis(5), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    log.patient();
    found(
        &rerun(&log, &[&TWO[..], &["--concurrency", "3"]].concat()),
        0,
    );
    assert!(server.seen.lock().unwrap().at_once.1 <= 3);
}

#[test]
fn a_file_names_variants_and_what_it_leaves_out_is_as_the_command_line_says() {
    let (log, server) = setup("");
    let file = "[[variants]]\nname = 'plain'\n\n[[variants]]\nname = 'polite'\nsystem = 'Be polite.'\nmax-tokens = 9\n\n\
                [[variants]]\nname = 'drawn'\nprotocol = 'repeat:2'\ntemperature = 0.9\nseed = 5\n";
    fs::write(log.path("v.toml"), file).unwrap();
    let asking = [
        "--endpoint",
        "t",
        "--protocol",
        "vanilla",
        "--variants",
        "v.toml",
    ];
    let planned = found(&rerun(&log, &[&asking[..], &["--dry-run"]].concat()), 0);
    let requests = planned["columns"].as_array().unwrap().iter();
    let requests: Vec<&Json> = requests.map(|column| &column["run"]["requests"]).collect();
    assert_eq!(requests, [SAMPLES, SAMPLES, 2 * SAMPLES]);
    assert_eq!(
        (planned["requests"].as_u64(), server.count("none")),
        (Some(96), 0)
    );
    let three = found(&rerun(&log, &asking), 0);
    assert_eq!(three["pairs"].as_array().unwrap().len(), 3);
    let head = lines(&log.path("out/polite/run.jsonl")).remove(0);
    assert_eq!(head["parameters"]["system"], "Be polite.");
    assert_eq!(head["parameters"]["max_tokens"], 9);
    let head = lines(&log.path("out/drawn/run.jsonl")).remove(0);
    assert_eq!(head["parameters"]["temperature"], 0.9);
    for (text, part) in [
        ("[[variants]]\nprotocl = 'blind'", "unknown field `protocl`"),
        (
            "[[variants]]\nmax-tokens = 3\n[[variants]]\nmax-tokens = 4",
            "several variants have the name",
        ),
        ("", "missing field `variants`"),
    ] {
        fs::write(log.path("v.toml"), text).unwrap();
        let output = rerun(&log, &asking);
        assert!(
            output.code == 2 && output.err.contains(part),
            "{}",
            output.err
        );
    }
    let unclear = [
        "--endpoint",
        "t",
        "--endpoint",
        "u",
        "--protocol",
        "vanilla",
    ];
    let models = ["--model", "a", "--model", "b", "--model", "c"];
    let output = rerun(&log, &[&unclear[..], &models].concat());
    assert!(
        output.code == 2 && output.err.contains("which belong together"),
        "{}",
        output.err
    );
    assert_eq!(server.count("none"), 4 * SAMPLES);
}

/// Control characters in the names of variants, endpoints and models do not reach the terminal.
#[test]
fn no_name_steers_the_terminal() {
    let (log, server) = setup("");
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J";
    let escaped = r"\u001b]0;owned\u0007\u001b[2J";
    let endpoint = format!(
        "[endpoints.\"{escaped}\"]\nurl = '{}'\nmodel = \"{escaped}\"\n",
        server.base("none")
    );
    let config = fs::read_to_string(log.path("config.toml")).unwrap();
    fs::write(log.path("config.toml"), config + &endpoint).unwrap();
    fs::write(
        log.path("v.toml"),
        format!("[[variants]]\nname = \"{escaped}\"\nprotocol = 'vanilla'\n"),
    )
    .unwrap();
    let asking = [
        "rerun",
        "corners.eyechart.jsonl",
        "--protocol",
        "vanilla",
        "--limit",
        "1",
    ];
    let mut all = String::new();
    for more in [
        &["--out", "first", "--endpoint", "t"][..],
        // The name of the variant is before the number of answers in the earlier run.
        &[
            "--out",
            "out",
            "--endpoint",
            "t",
            "--variants",
            "v.toml",
            "--dry-run",
        ],
        &["--out", "named", "--endpoint", evil],
        &["--out", "none", "--endpoint", "no such"],
        &[
            "--out",
            "none",
            "--endpoint",
            "t",
            "--model",
            evil,
            "--dry-run",
        ],
    ] {
        let output = run(&mut log.command(&[&asking[..], more].concat()));
        let text = output.out + &output.err;
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{more:?}: {text:?}");
        all += &text;
    }
    assert!(all.contains("␛[2J: 1 of 1 question"), "{all}");
}

#[test]
fn nothing_is_tested_between_columns_of_samples_that_were_picked_by_outcome() {
    let (log, _server) = setup("");
    let picked = [&TWO[..], &["--filter", "correct:false"]].concat();
    let both = found(&rerun(&log, &picked), 0);
    assert_eq!(both["pairs"], Json::Array(Vec::new()));
    assert!(
        both["conclusions"][0]
            .as_str()
            .unwrap()
            .contains("selected the samples by their outcome")
    );
    assert_eq!(both["scores"].as_array().unwrap().len(), 2);
}

#[test]
fn killed_columns_go_on_without_asking_again() {
    let (log, server) = (
        Log::new(SAMPLES),
        Server::slow(Duration::from_millis(4), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    log.patient();
    let asking = [
        &[
            "rerun",
            "corners.eyechart.jsonl",
            "--out",
            "out",
            "--resume",
        ][..],
        &TWO,
    ]
    .concat();
    let done = || -> usize {
        ["t-seer-vanilla", "t-seer-blind"]
            .iter()
            .map(|column| {
                let journal = lines(&log.path(&format!("out/{column}/run.jsonl")));
                journal.iter().filter(|line| line["line"] == "done").count()
            })
            .sum()
    };
    for wanted in [3, 20] {
        let mut command = log.command(&asking);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while done() < wanted && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(&mut log.command(&asking));
    assert_eq!(output.code, 0, "{}", output.err);
    assert_eq!(done(), 2 * SAMPLES);
    let seen = server.seen.lock().unwrap();
    // All blank pictures are equal, so count the requests with other pictures.
    let all: usize = seen.asked.values().sum();
    assert!(all <= 2 * SAMPLES + 8, "four at once, two kills: {all}");
}
