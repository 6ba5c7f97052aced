//! Tests nodes that are down, hang, or die during an answer, and users without rights.

use std::ops::ControlFlow;

use eyechart::store::clickhouse::ClickHouseError;

use crate::nodes::{READS, WRITES};
use crate::support::arg;
use crate::{Setting, exam};

/// Query for the number of a user's running queries on a node, except itself.
fn running(user: &str) -> String {
    format!(
        "SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%' AND user = '{user}'"
    )
}

#[test]
fn a_node_that_is_gone_is_an_error_and_never_a_smaller_number() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    setting.nodes.signal(1, 9);
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("clickhouse://127.0.0.1:"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("code "), "{}", run.stderr);
    let error = setting.database().runs().unwrap_err().to_string();
    assert!(
        error.contains("does not answer") || error.contains("ended early"),
        "{error}"
    );
    let written = setting.publish(&exam());
    assert_ne!(written.code, 0);
}

#[test]
fn a_node_that_hangs_is_given_up_at_the_own_deadline() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    setting.home.limit(&[("query_time", 2)]);
    setting.nodes.signal(1, 19);
    let run = setting.report();
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("limit"), "{}", run.stderr);
    setting.nodes.signal(1, 18);
    let left = "SELECT count() FROM system.processes WHERE query NOT LIKE '%system.processes%' AND user = 'reader'";
    // Wait until the abandoned query has been killed as well.
    while setting.nodes.told(0, left) != "0\n" {
        std::thread::yield_now();
    }
    assert_eq!(setting.report().code, 0);
}

#[test]
fn wrong_passwords_and_users_who_only_read_are_told() {
    let Some(setting) = Setting::new() else {
        return;
    };
    let to = setting.nodes.address("reader", "evals");
    let logs = exam();
    let none = setting.report();
    assert_eq!(none.code, 1, "{}", none.stderr);
    let refused = setting
        .home
        .run(READS, &["publish", arg(&logs), "--to", &to]);
    assert_ne!(refused.code, 0);
    assert!(refused.stderr.contains("code 164"), "{}", refused.stderr);
    assert_eq!(setting.publish(&exam()).code, 0);
    let wrong = setting.home.run("WRONG-WORD", &["report", &to]);
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
    assert!(
        wrong.stderr.contains("does not accept this user"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("WRONG-WORD"), "{}", wrong.stderr);
    let fixed = setting.nodes.address("fixed", "evals");
    let run = setting
        .home
        .run(READS, &["report", &fixed, "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let inside = format!("clickhouse://reader:{READS}@127.0.0.1/evals");
    assert_eq!(setting.home.run("", &["report", &inside]).code, 2);
}

#[test]
fn a_node_that_is_killed_while_a_report_waits_for_it_ends_the_report() {
    let Some(setting) = Setting::new() else {
        return;
    };
    assert_eq!(setting.publish(&exam()).code, 0);
    setting.nodes.signal(1, 19);
    let address = setting.reader();
    let args = ["report", &address, "--format", "json"];
    let report = setting.home.command(READS, &args).spawn().unwrap();
    while setting.nodes.told(0, &running("reader")) == "0\n" {
        std::thread::yield_now();
    }
    setting.nodes.signal(1, 9);
    let run = setting.home.told(report.wait_with_output().unwrap());
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("(code "), "{}", run.stderr);
}

/// Sends a query to both nodes. Kills one node as soon as the first node has `rows` rows of the
/// answer.
fn killed_at(setting: &Setting, sql: &str, rows: u64) -> Result<Vec<u8>, ClickHouseError> {
    let server = setting.server("writer", WRITES);
    let progress = format!(
        "SELECT toUInt64(max(read_rows) >= {rows}) FROM system.processes WHERE query NOT LIKE '%system.processes%' AND user = 'writer'"
    );
    let mut is_killed = false;
    let answer = server.answer(sql, &mut || {
        if !is_killed && setting.nodes.told(0, &progress) == "1\n" {
            setting.nodes.signal(1, 9);
            is_killed = true;
        }
        ControlFlow::Continue(())
    });
    assert!(is_killed);
    answer
}

#[test]
fn a_node_that_is_killed_in_the_middle_of_a_query_or_of_its_rows_is_an_error() {
    for (sql, rows) in [
        ("SELECT number % 7 AS key, count() FROM {} GROUP BY key", 1),
        ("SELECT number FROM {}", 100_000),
    ] {
        let Some(setting) = Setting::new() else {
            return;
        };
        // An endless query that reads from both nodes.
        let both = [0, 1].map(|at| setting.nodes.tcp(at)).join(",");
        let sql = sql.replace(
            "{}",
            &format!("remote('{both}', system, numbers, 'default')"),
        );
        let error = killed_at(&setting, &sql, rows).unwrap_err();
        assert!(error.code().is_some(), "{error}");
        assert!(error.to_string().contains("a node"), "{error}");
    }
}
