//! Tests several people who judge logs in a store. Each person adds objects of their own, no
//! verdict is overwritten, and everyone sees all verdicts.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Setting;
use super::polled::rows;
use super::server::Store;
use super::terminal::Terminal;

/// Time limit that is sufficient even on slow machines.
const PATIENCE: Duration = Duration::from_mins(2);
/// Address at which verdicts are stored.
const PLACE: &str = "s3://team/words/verdicts/";

fn setting() -> Setting {
    let setting = Setting::new();
    setting
        .server
        .put("team/live/a.eyechart.jsonl", rows("alpha", 5));
    setting
}

/// Imports an author's verdicts from a file.
fn import(setting: &Setting, author: &str, words: &[(usize, &str, &str)]) -> super::Run {
    let line = |(sample, verdict, at): &(usize, &str, &str)| {
        format!(
            "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"harbour\", \"ability\": \"counting\", \"verdict\": \
             \"{verdict}\", \"note\": \"\", \"author\": \"{author}\", \"at\": \"2026-01-01T00:00:{at}Z\"}}\n"
        )
    };
    let text: String = words.iter().map(line).collect();
    let file = setting.at("import.jsonl");
    fs::write(&file, text).unwrap();
    setting.run(&[
        "verdicts",
        "s3://team/live",
        "--verdicts",
        PLACE,
        "--author",
        author,
        "--import",
        file.to_str().unwrap(),
    ])
}

fn found(setting: &Setting) -> Value {
    setting.json(&["verdicts", "s3://team/live", "--verdicts", PLACE])
}

fn objects(setting: &Setting) -> Vec<(String, Vec<u8>)> {
    setting.server.with(|store| store.below("team/words/"))
}

#[test]
fn two_machines_put_their_verdicts_and_see_each_others() {
    let setting = setting();
    let other = setting.elsewhere();
    let run = import(
        &setting,
        "ada",
        &[(0, "wrong_label", "01"), (1, "ok", "02")],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("2 verdicts uploaded to s3://team/words/verdicts"),
        "{}",
        run.stderr
    );
    let first = objects(&setting);
    assert_eq!(first.len(), 1);
    assert!(
        first[0].0.starts_with("team/words/verdicts/ada-"),
        "{}",
        first[0].0
    );
    let run = import(
        &other,
        "bob",
        &[(0, "wrong_label", "03"), (2, "bad_image", "04")],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    // Import a changed verdict, and then the same file again.
    for _ in 0..2 {
        let run = import(&setting, "ada", &[(1, "ambiguous", "05")]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let all = objects(&setting);
    assert_eq!(
        all.len(),
        3,
        "{:?}",
        all.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    assert!(all.contains(&first[0]), "nothing is written over");
    for machine in [&setting, &other, &setting.elsewhere()] {
        let found = found(machine);
        assert_eq!(found["audited"], 3, "{found}");
        assert_eq!(found["counts"]["wrong_label"], 1);
        assert_eq!(found["counts"]["ambiguous"], 1);
        assert_eq!(found["counts"]["ok"], 0, "nobody is counted twice");
    }
}

#[test]
fn verdicts_that_cannot_be_put_are_kept_and_go_the_next_time() {
    let setting = setting();
    setting.server.with(|store| store.refuses = true);
    let run = import(&setting, "ada", &[(0, "wrong_label", "01")]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("1 verdict stored in"), "{}", run.stderr);
    assert!(run.stderr.contains("refuses access"), "{}", run.stderr);
    assert!(objects(&setting).is_empty());
    assert_eq!(found(&setting)["audited"], 1, "they count on this machine");
    setting.server.with(|store| store.refuses = false);
    let run = import(&setting, "ada", &[(1, "ok", "02")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("2 verdicts uploaded"), "{}", run.stderr);
    assert_eq!(found(&setting.elsewhere())["audited"], 2);
    for address in [
        "https://host/words",
        "s3://team/words?X-Amz-Signature=SECRETSIGN",
    ] {
        let run = setting.run(&["verdicts", "s3://team/live", "--verdicts", address]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(!run.stderr.contains("SECRETSIGN"), "{}", run.stderr);
    }
    setting.server.with(Store::recover);
}

/// Two people judge in two terminals at the same time.
#[test]
fn two_people_judge_in_their_terminals_and_hear_of_each_other() {
    let setting = setting();
    let other = setting.elsewhere();
    let mut ada = open(&setting, "ada");
    ada.press("J");
    ada.press("x");
    ada.wait_for_screen("wrong label");
    ada.press("q");
    ada.wait_until_given_back();
    let put = objects(&setting);
    assert_eq!(put.len(), 1, "put at the end");
    assert!(String::from_utf8_lossy(&put[0].1).contains("\"author\":\"ada\""));
    let mut bob = open(&other, "bob");
    wait_for_wrong(&mut bob, 1);
    // This verdict arrives while the terminal is open.
    let run = import(&setting, "ada", &[(3, "wrong_label", "09")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    bob.press("\u{1b}[15~");
    wait_for_wrong(&mut bob, 2);
}

/// Filters for wrong labels until their number is `count`.
fn wait_for_wrong(terminal: &mut Terminal, count: usize) {
    let start = Instant::now();
    let wanted = format!(" 1 of {count}");
    loop {
        // Type the filter into an empty line.
        terminal.press("F");
        terminal.wait_for_screen(" of 5");
        terminal.press("/");
        terminal.wait_for_screen("earlier filters");
        terminal.press("verdict:wrong_label\r");
        let shown = Instant::now();
        while shown.elapsed() < Duration::from_secs(1) {
            if terminal.screen().contains(&wanted) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(start.elapsed() < PATIENCE, "{}", terminal.screen());
    }
}

/// Opens the list of samples.
fn open(setting: &Setting, author: &str) -> Terminal {
    fs::write(setting.at("config.toml"), "poll = 0\nsession = false\n").unwrap();
    let variables = setting.variables("KEY");
    let variables: Vec<(&str, &str)> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = [
        "s3://team/live",
        "--images",
        "off",
        "--verdicts",
        PLACE,
        "--author",
        author,
    ];
    let mut terminal = Terminal::open_sized(folder, (140, 30), &variables, &arguments);
    terminal.wait_for_screen("polled on F5: ");
    terminal.press("3");
    terminal.wait_for_screen(" 1 of 5");
    terminal
}
