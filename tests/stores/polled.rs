//! Tests a growing run in a store. Each refresh downloads new rows, nothing is lost, and its cost
//! is displayed.

use std::fs;
use std::path::Path;

use super::Setting;
use super::parts::table;
use super::server::{Fault, FaultScope, Store};
use super::terminal::Terminal;

/// The key that refreshes at once.
const LOOK: &str = "\u{1b}[15~";

/// Lines of a log.
pub fn rows(model: &str, count: usize) -> String {
    let line = |number| {
        format!(
            "{{\"sample_id\":\"s{number}\",\"benchmark\":\"harbour\",\"ability\":\"counting\",\"model\":\"{model}\",\
             \"question\":\"How many ships lie in harbour {number}?\",\"target\":\"3\",\"response\":\"3\"}}\n"
        )
    };
    (0..count).map(line).collect()
}

/// A store with one log, opened by a user who refreshes only on request.
fn opened() -> (Setting, Terminal) {
    opened_in(Setting::empty())
}

fn opened_in(setting: Setting) -> (Setting, Terminal) {
    setting
        .server
        .put("team/live/a.eyechart.jsonl", rows("alpha", 3));
    fs::write(setting.at("config.toml"), "poll = 0\nsession = false\n").unwrap();
    let variables = setting.variables("KEY");
    let variables: Vec<(&str, &str)> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = ["s3://team/live", "--images", "off"];
    let mut terminal = Terminal::open_sized(folder, (140, 30), &variables, &arguments);
    terminal.wait_for_screen("polled on F5: ");
    terminal.press("3");
    terminal.wait_for_screen(" 1 of 3");
    terminal.press("j");
    terminal.wait_for_screen(" 2 of 3");
    drop(setting.server.seen());
    (setting, terminal)
}

#[test]
fn a_run_that_grows_in_a_store_grows_on_the_screen_and_its_cost_is_shown() {
    let (setting, mut terminal) = opened();
    let server = &setting.server;
    terminal.press(LOOK);
    terminal.wait_for_screen("1 request, ");
    server.put("team/live/a.eyechart.jsonl", rows("alpha", 5));
    terminal.press(LOOK);
    terminal.wait_for_screen(" 2 of 5");
    terminal.wait_for_screen("3 requests, ");
    server.put("team/live/deep/b.eyechart.jsonl", rows("beta", 4));
    terminal.press(LOOK);
    terminal.wait_for_screen(" of 9");
    terminal.wait_for_screen("5 requests, ");
    assert_eq!(
        server.seen().len(),
        5,
        "two of each look that found something"
    );
    server.with(|store| store.remove("team/live/deep/b.eyechart.jsonl"));
    terminal.press(LOOK);
    terminal.wait_for_screen(" of 5");
    terminal.wait_for_screen("1 problem");
    terminal.wait_for_screen("6 requests, ");
}

#[test]
fn a_look_that_fails_is_told_and_takes_nothing_away() {
    let (setting, mut terminal) = opened();
    let server = &setting.server;
    server.put("team/live/a.eyechart.jsonl", rows("alpha", 6));
    server.fail(FaultScope::Lists, Fault::Expired, 99);
    terminal.press(LOOK);
    terminal.wait_for_screen("the last check failed");
    terminal.wait_for_screen("have expired");
    assert!(terminal.screen().contains(" 2 of 3"));
    server.with(Store::recover);
    terminal.press(LOOK);
    terminal.wait_for_screen(" 2 of 6");
    terminal.wait_until_gone("the last check failed");
}

/// A longer table replaces a table that was partly downloaded. The change is noticed, and the new
/// numbers are used.
#[test]
fn a_table_that_was_read_in_parts_grows() {
    let setting = Setting::empty();
    let first = table(3_000, 1_000);
    let whole = first.len() as u64;
    setting.server.put("team/live/b.parquet", first);
    setting.server.sent();
    let (setting, mut terminal) = opened_in(setting);
    let sent = setting.server.sent();
    assert!(sent < whole / 2, "{sent} bytes of {whole}");
    terminal.wait_for_screen("3,003 answers");
    for rows in [3_400, 2_100] {
        setting
            .server
            .put("team/live/b.parquet", table(rows, 1_000));
        terminal.press(LOOK);
        let shown = format!("{},{:03} answers", rows / 1_000, rows % 1_000 + 3);
        terminal.wait_for_screen(&shown);
    }
}
