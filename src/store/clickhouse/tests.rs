//! Tests that every failure of a server leads to a clear error or a retry, never to missing rows.

use std::ops::ControlFlow;
use std::time::Duration;

use super::testing::{FakeServer, RecordedRequest, Reply, pairs};
use super::{ClickHouseError, Server};

/// The password, which no message, address or query may contain.
const PASSWORD: &str = "pass-CANARY";
const LONG: Duration = Duration::from_secs(60);

type Pairs = Vec<(String, String)>;

fn ask(server: &Server) -> Result<Pairs, ClickHouseError> {
    let go_on = &mut || ControlFlow::Continue(());
    server.rows("SELECT a, b FROM t", go_on, |row| {
        Ok((row.text()?, row.text()?))
    })
}

fn asked(replies: &[Reply]) -> (Result<Pairs, ClickHouseError>, Vec<RecordedRequest>) {
    let fake = FakeServer::start();
    for reply in replies {
        fake.reply(reply.clone());
    }
    let found = ask(&fake.server(PASSWORD, LONG));
    let asked = fake.asked();
    let told = format!(
        "{found:?} {}",
        found
            .as_ref()
            .err()
            .map(ToString::to_string)
            .unwrap_or_default()
    );
    assert!(!told.contains("CANARY"), "{told}");
    for one in &asked {
        assert!(!one.url.contains("CANARY") && !one.body.contains("CANARY"));
    }
    (found, asked)
}

fn status(status: u16, body: &str) -> Reply {
    Reply::Status(status, Vec::new(), body.as_bytes().to_vec())
}

fn whole() -> Vec<u8> {
    pairs(&[("a", "1"), ("b", "2")])
}

#[test]
fn a_query_is_asked_so_that_its_status_tells_its_end_and_no_node_is_skipped() {
    let (found, asked) = asked(&[Reply::Status(200, Vec::new(), whole())]);
    assert_eq!(found.unwrap().len(), 2);
    let [one] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    assert_eq!(one.body, "SELECT a, b FROM t FORMAT RowBinary");
    for part in [
        "wait_end_of_query=1",
        "skip_unavailable_shards=0",
        "query_id=eyechart-",
        "max_execution_time=61",
    ] {
        assert!(one.url.contains(part), "{}", one.url);
    }
    assert!(
        one.headers.contains("x-clickhouse-user: reader"),
        "{}",
        one.headers
    );
    assert!(
        one.headers.contains("x-clickhouse-key: pass-canary"),
        "{}",
        one.headers
    );
}

#[test]
fn a_refusal_says_why_and_is_not_asked_again() {
    for (code, http, words) in [
        (32, 500, "failed in the middle"),
        (33, 500, "failed in the middle"),
        (159, 500, "limit on time"),
        (159, 408, "limit on time"),
        (164, 500, "may only read"),
        (193, 401, "does not accept this user"),
        (210, 500, "a node of the cluster does not answer"),
        (241, 500, "limit on memory"),
    ] {
        let body = format!("Code: {code}, e.displayText() = DB::Exception: why, key {PASSWORD}");
        let (found, asked) = asked(&[status(http, &body)]);
        let error = found.unwrap_err();
        assert_eq!((error.code(), asked.len()), (Some(code), 1));
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn an_exception_behind_rows_that_were_sent_is_an_error() {
    let mut body = whole();
    body.extend(b"\r\n__exception__\r\nTAGTAG\r\nCode: 32. DB::Exception: Attempt to read after eof\r\n9 TAGTAG\r\n__exception__\r\n");
    let tag = vec![("x-clickhouse-exception-tag", "TAGTAG")];
    let (found, _) = asked(&[Reply::Status(200, tag, body)]);
    assert_eq!(found.unwrap_err().code(), Some(32));
    // Servers before 25.11 send no tag. So a body that ends in the middle of a row is searched.
    let mut body = whole();
    body.extend(b"Code: 33, e.displayText() = DB::Exception: Cannot read all data");
    let (found, _) = asked(&[Reply::Status(200, Vec::new(), body)]);
    assert_eq!(found.unwrap_err().code(), Some(33));
    let (found, _) = asked(&[Reply::Status(200, Vec::new(), whole()[..5].to_vec())]);
    assert_eq!(found.unwrap_err(), ClickHouseError::Torn);
    let code = vec![("x-clickhouse-exception-code", "241")];
    let (found, _) = asked(&[Reply::Status(200, code, whole())]);
    assert_eq!(found.unwrap_err().code(), Some(241));
}

#[test]
fn a_closed_connection_and_a_cut_body_are_asked_once_more_and_not_twice() {
    let good = Reply::Status(200, Vec::new(), whole());
    for fault in [Reply::Close, Reply::Cut(whole())] {
        let (found, seen) = asked(&[fault.clone(), good.clone()]);
        assert_eq!((found.unwrap().len(), seen.len()), (2, 2));
        let (found, seen) = asked(&[fault.clone(), fault, good.clone()]);
        assert_eq!(
            (found.unwrap_err(), seen.len()),
            (ClickHouseError::Closed, 2)
        );
    }
}

#[test]
fn nothing_that_listens_is_said() {
    let fake = FakeServer::start();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = fake.at(free.local_addr().unwrap(), PASSWORD, LONG);
    drop(free);
    assert_eq!(ask(&server).unwrap_err(), ClickHouseError::Connection);
}

#[test]
fn a_query_without_an_answer_is_given_up_and_killed() {
    for (kill, is_killed) in [
        (status(200, ""), true),
        (status(500, "Code: 1. DB::Exception: no"), false),
    ] {
        let fake = FakeServer::start();
        fake.reply(Reply::Hang);
        fake.reply(kill);
        let error = ask(&fake.server(PASSWORD, Duration::from_millis(300))).unwrap_err();
        assert_eq!(
            error,
            ClickHouseError::Late {
                seconds: 0,
                is_killed
            }
        );
        let [query, kill] = <[RecordedRequest; 2]>::try_from(fake.asked()).unwrap();
        let id = query.url.split("query_id=").nth(1).unwrap();
        let id = id.split('&').next().unwrap();
        assert_eq!(
            kill.body,
            format!("KILL QUERY WHERE query_id = '{id}' ASYNC")
        );
    }
}

#[test]
fn a_query_that_nobody_waits_for_is_killed() {
    let fake = FakeServer::start();
    fake.reply(Reply::Hang);
    let server = fake.server(PASSWORD, LONG);
    let watched = fake.clone();
    let stop = &mut || match watched.asked().len() {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let stopped = server.answer("SELECT 1", stop);
    assert_eq!(stopped, Err(ClickHouseError::Stopped));
    assert!(fake.asked()[1].body.starts_with("KILL QUERY"));
}

#[test]
fn a_user_who_may_set_nothing_is_asked_without_settings_where_that_is_safe() {
    let fake = FakeServer::start();
    fake.settings([("readonly", "1"), ("skip_unavailable_shards", "0")]);
    fake.rows(&whole());
    assert_eq!(ask(&fake.server(PASSWORD, LONG)).unwrap().len(), 2);
    let url = &fake.asked()[0].url;
    assert!(
        !url.contains("skip_") && !url.contains("max_execution_time"),
        "{url}"
    );
    fake.settings([("readonly", "1"), ("skip_unavailable_shards", "1")]);
    let error = ask(&fake.server(PASSWORD, LONG)).unwrap_err();
    assert_eq!(error, ClickHouseError::Skips);
    assert_eq!(fake.asked().len(), 1);
}

#[test]
fn a_user_who_may_write_asks_as_one_who_only_reads() {
    let fake = FakeServer::start();
    let server = fake.server(PASSWORD, LONG);
    fake.settings([("readonly", "0"), ("skip_unavailable_shards", "0")]);
    fake.rows(&whole());
    assert_eq!(ask(&server).unwrap().len(), 2);
    server.insert("INSERT INTO t (a, b)", whole()).unwrap();
    let urls = fake.asked().into_iter().map(|asked| asked.url);
    let reads: Vec<bool> = urls.map(|url| url.contains("readonly=2")).collect();
    assert_eq!(reads, [true, false]);
    // The server refuses `readonly` from a user that is read-only already.
    let fake = FakeServer::start();
    fake.rows(&whole());
    ask(&fake.server(PASSWORD, LONG)).unwrap();
    assert!(!fake.asked()[0].url.contains("readonly"));
}

#[test]
fn the_settings_of_a_user_are_read_once() {
    let fake = FakeServer::start();
    let server = fake.server(PASSWORD, LONG);
    for _ in 0..2 {
        fake.rows(&whole());
        assert_eq!(ask(&server).unwrap().len(), 2);
    }
    let bodies = fake.asked_for_settings().into_iter().map(|one| one.body);
    let sql = "SELECT name, value FROM system.settings WHERE name IN ('readonly', 'skip_unavailable_shards') FORMAT RowBinary";
    assert_eq!(bodies.collect::<Vec<_>>(), [sql]);
}

#[test]
fn a_statement_without_rows_is_sent_unchanged_and_without_settings() {
    let fake = FakeServer::start();
    let sql = "CREATE DATABASE IF NOT EXISTS `x`";
    fake.server(PASSWORD, LONG).execute(sql).unwrap();
    let [one] = <[RecordedRequest; 1]>::try_from(fake.asked()).unwrap();
    assert_eq!(one.body, sql);
    assert!(!one.url.contains("max_execution_time"), "{}", one.url);
    assert!(fake.asked_for_settings().is_empty());
}

#[test]
fn rows_are_written_once_whatever_comes_back() {
    let fake = FakeServer::start();
    fake.reply(Reply::Close);
    let server = fake.server(PASSWORD, LONG);
    let error = server.insert("INSERT INTO t (a, b)", whole()).unwrap_err();
    assert_eq!(error, ClickHouseError::Closed);
    let [one] = <[RecordedRequest; 1]>::try_from(fake.asked()).unwrap();
    assert!(one.url.contains("insert_distributed_sync=1"), "{}", one.url);
    assert!(one.url.contains("query=INSERT+INTO+t"), "{}", one.url);
    fake.reply(status(
        500,
        "Code: 164, e.displayText() = DB::Exception: Cannot insert into table in readonly mode",
    ));
    let error = server.insert("INSERT INTO t (a, b)", whole()).unwrap_err();
    assert_eq!(error.code(), Some(164));
}

#[test]
fn a_password_that_no_header_holds_is_refused_without_being_repeated() {
    let address = crate::Address::parse("clickhouse://me@h/db")
        .unwrap()
        .unwrap();
    let place = super::DatabaseAddress::of(&address).unwrap();
    let patience = super::TimeLimits::usual();
    let refused = Server::reach(&place, place.user(), Some("CANARY\nx".to_owned()), patience);
    let error = refused.unwrap_err();
    assert!(error == ClickHouseError::Password && !error.to_string().contains("CANARY"));
}
