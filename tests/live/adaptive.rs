//! Tests an adaptive exam end to end: it ends by itself, resumes after a kill, and is compared with
//! an earlier exam.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value as Json;

use super::log::{Log, Output, lines, run};
use super::server::Server;

const ADAPTIVE: [&str; 9] = [
    "exam",
    "--ability",
    "texture,color",
    "--seed",
    "5",
    "--adaptive",
    "--count",
    "24",
    "--out",
];

fn exam(log: &Log, more: &[&str]) -> Output {
    run(&mut log.command(&[&ADAPTIVE, more].concat()))
}

fn report(output: &Output) -> Json {
    assert_eq!(output.code, 0, "{}", output.err);
    serde_json::from_str(&output.out).unwrap()
}

/// Question ids in a folder.
fn ids(log: &Log, folder: &str) -> Vec<String> {
    let items = lines(&log.path(&format!("{folder}/items.jsonl")));
    let id = |item: &Json| item["sample_id"].as_str().unwrap().to_owned();
    items.iter().map(id).collect()
}

#[test]
fn an_adaptive_exam_tells_acuity_and_is_the_same_again() {
    let log = Log::new(1);
    let arguments = ["--endpoint", "builtin:gabor", "--format", "json"];
    let first = exam(&log, &[&["one"][..], &arguments[..]].concat());
    let found = report(&first);
    let acuity = found["acuity"].as_array().unwrap();
    for ability in ["texture", "color"] {
        let row = acuity
            .iter()
            .find(|row| row["model"] == "gabor" && row["ability"] == ability)
            .unwrap();
        let n = row["n"].as_u64().unwrap();
        assert!((8..=12).contains(&n), "{row}");
        assert!(
            row["acuity"].is_number() != row["beyond"].is_string(),
            "{row}"
        );
        assert!(row["levels"].as_array().unwrap().len() > 1, "{row}");
    }
    // The other encoders have answered the same questions.
    assert_eq!(acuity.len(), 10, "{acuity:?}");
    let again = exam(&log, &[&["two"][..], &arguments[..]].concat());
    assert_eq!(report(&again)["acuity"], found["acuity"]);
    assert_eq!(ids(&log, "one"), ids(&log, "two"));

    let result = &found["exams"][0];
    assert_eq!(found["exams"].as_array().unwrap().len(), 1);
    assert_eq!(
        result["model"], "gabor",
        "who was asked, not who answered beside it"
    );
    let abilities = result["abilities"].as_array().unwrap();
    assert_eq!(abilities.len(), 2);
    for row in abilities {
        assert!(row["controls"]["chance"].is_number(), "{row}");
        assert_eq!(row["others"].as_array().unwrap().len(), 4, "{row}");
    }
    let line = result["line"].as_str().unwrap();
    for words in [
        "gabor (exam, eyechart-exam-",
        "seed 5",
        "texture ",
        "color ",
        "median ",
    ] {
        assert!(line.contains(words), "{words}: {line}");
    }

    let taken = exam(&log, &[&["one"][..], &arguments[..]].concat());
    assert!(
        taken.code == 1 && taken.err.contains("hint: --resume"),
        "{}",
        taken.err
    );
    let compare = [&["one", "--resume", "--compare", "two"][..], &arguments[..]].concat();
    let compared = report(&exam(&log, &compare));
    assert_eq!(compared["schema"], "eyechart.acuity/1");
    for row in compared["abilities"].as_array().unwrap() {
        assert_eq!(row["verdict"], "not_separable", "{row}");
        assert!(row["detectable"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn the_page_of_an_exam_begins_with_its_result_and_the_items_at_the_threshold() {
    let log = Log::new(1);
    let state = log.path("state");
    let words = "exam --ability texture --seed 5 --count 40 --endpoint builtin:gabor --out done --format markdown";
    let words: Vec<&str> = words.split(' ').collect();
    let done = run(&mut log.command(&words));
    assert_eq!(done.code, 0, "{}", done.err);
    let first = done
        .out
        .lines()
        .find(|line| line.contains("acuity (level out of 10)"));
    assert!(
        first.is_some_and(|line| line.contains("gabor")),
        "{}",
        done.out
    );
    assert!(done.out.contains("Result of gabor in exam"), "{}", done.out);
    let trained = std::fs::read_dir(state.join("trained")).unwrap();
    let names = trained.map(|file| file.unwrap().file_name().into_string().unwrap());
    let kept = names
        .filter(|name| name.starts_with("exam-texture-"))
        .count();
    assert_eq!(kept, 6, "five encoders, and who does not look");

    let page = run(&mut log.command(&["report", "done", "--out", "done.html"]));
    assert_eq!(page.code, 0, "{}", page.err);
    let page = std::fs::read_to_string(log.path("done.html")).unwrap();
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}"));
    let result = place("Result of gabor</h3>");
    assert!(result < place("texture at the threshold") && result < place("Samples</h2>"));
    let around = &page[place("texture at the threshold")..place("Fingerprint</h3>")];
    assert_eq!(around.matches("<article class=\"card\"").count(), 2);
    assert_eq!(around.matches("<img").count(), 2, "each with its picture");
}

#[test]
fn a_killed_adaptive_exam_asks_nothing_again() {
    let (log, server) = (
        Log::new(1),
        Server::slow(Duration::from_millis(20), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "concurrency = 2");
    let arguments = ["out", "--endpoint", "t", "--format", "json"];
    let mut child = log
        .command(&[&ADAPTIVE[..], &arguments[..]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while log.journal("done").len() < 7 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let done = exam(&log, &[&arguments[..], &["--resume"]].concat());
    report(&done);
    let asked: BTreeSet<String> = ids(&log, "out").into_iter().collect();
    let journal = log.journal("done");
    let keys: BTreeSet<String> = journal.iter().map(|line| line["key"].to_string()).collect();
    assert_eq!((keys.len(), journal.len()), (asked.len(), asked.len()));
    // Requests that were in flight at the kill may be sent twice.
    assert!(server.count("none") <= asked.len() + 2);
    let before = server.count("none");
    report(&exam(&log, &[&arguments[..], &["--resume"]].concat()));
    assert_eq!(server.count("none"), before);
}

#[test]
fn levels_are_chosen_by_hand_or_by_the_answers() {
    let log = Log::new(1);
    let both = exam(&log, &["x", "--endpoint", "builtin:hog", "--level", "3"]);
    assert!(
        both.code == 2 && both.err.contains("--level"),
        "{}",
        both.err
    );
    let figures = exam(
        &log,
        &["x", "--endpoint", "builtin:hog", "--set", "gepbench"],
    );
    assert_eq!(figures.code, 2, "{}", figures.err);
    let words = "exam --ability texture --seed 5 --count 6 --level 1,9 --endpoint builtin:hog --out y --dry-run";
    let words: Vec<&str> = words.split(' ').collect();
    let dry = run(&mut log.command(&words));
    assert!(
        dry.code == 0 && dry.out.contains("6 samples"),
        "{}{}",
        dry.out,
        dry.err
    );
    assert!(!log.path("x").exists() && !log.path("y").exists());
}

#[test]
fn a_private_seed_draws_questions_that_do_not_tell_it() {
    let log = Log::new(1);
    let words = "exam --ability texture --count 4 --level 5 --endpoint builtin:hog --seed-env SECRET --out y --format json";
    let words: Vec<&str> = words.split(' ').collect();
    let unset = run(log.command(&words).env_remove("SECRET"));
    assert!(
        unset.code == 2 && unset.err.contains("SECRET"),
        "{}",
        unset.err
    );
    for short in ["x", "fifteen letters", "           hunter2           "] {
        let refused = run(log.command(&words).env("SECRET", short));
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains("too short"), "{}", refused.err);
        for told in [&refused.err, &refused.out] {
            assert!(!told.contains(short.trim()) || short == "x", "{told}");
        }
    }
    let secret = "correct horse battery staple";
    let drawn = run(log.command(&words).env("SECRET", secret));
    assert_eq!(drawn.code, 0, "{}", drawn.err);
    for item in lines(&log.path("y/items.jsonl")) {
        let generator = item["tags"]["generator"].as_str().unwrap();
        assert!(
            generator.contains("private") && !generator.contains(secret),
            "{generator}"
        );
        assert_eq!(item["tags"]["level"], 5.0);
    }
}
