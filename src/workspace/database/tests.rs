//! Tests that incomplete or wrong server responses are errors: nothing is published, and no
//! incomplete sum is shown. The server is simulated; `tests/clickhouse` uses a real server.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use reader::data_set::{Answers, Run};
use store::Address;
use store::clickhouse::{DatabaseAddress, RowBuffer, Server, TimeLimits};

use super::download::{DownloadRequest, Extent, bring_runs};
use super::tables::said_by_numbers;
use super::{Database, PublishedRun, SumsRequest, publish};
use crate::load::{Request, load};
use crate::publish::sums::SAID;
use crate::publish::{SumsScope, SumsSource};
use record::ModelId;

mod sql;
#[path = "../../store/clickhouse/testing.rs"]
#[allow(dead_code, reason = "the room's own tests use the rest")]
mod testing;

use testing::{FakeServer, Reply};

fn database(fake: &FakeServer) -> Database {
    let address = Address::parse("clickhouse://reader@h/db").unwrap().unwrap();
    let place = DatabaseAddress::of(&address).unwrap();
    Database::new(fake.server("pass-word", Duration::from_secs(60)), place)
}

fn run(version: u64, load: u64) -> PublishedRun {
    PublishedRun {
        run: Run {
            benchmark: "bench".to_owned(),
            model: "'; DROP".to_owned(),
            origin: "o".to_owned(),
            n: 3,
            ..Run::default()
        },
        hash: "h".to_owned(),
        load,
        version,
        place: 0,
        rows: 3,
        cells: 2,
        measures: 1,
    }
}

fn lines(runs: &[PublishedRun]) -> Vec<u8> {
    let mut line = RowBuffer::default();
    for run in runs {
        run.write(&mut line);
    }
    line.take()
}

/// Encodes a measure with the given numbers of groups and values.
fn measure(groups: u64, n: u64) -> Vec<u8> {
    let mut line = RowBuffer::default();
    line.u64(5).u64(9).u32(0).u64(groups).u64(n);
    for name in SAID {
        line.option(Some(name).filter(|name| !["split", "axis", "bin"].contains(name)));
    }
    for name in said_by_numbers() {
        line.f64(if name == "headline" { 1.0 } else { f64::NAN });
    }
    line.take()
}

/// Encodes cells from pairs of cluster and number of values.
fn cells(clusters: &[(u64, u64)]) -> Vec<u8> {
    let mut line = RowBuffer::default();
    for (cluster, n) in clusters {
        line.u64(5).u64(9).u64(*cluster);
        line.u64(*n).u64(*n).u64(77).f64(1.0).u64(1).u64(0);
        line.f64(0.0).f64(1.0).u64(0);
    }
    line.take()
}

#[test]
fn no_table_has_two_columns_of_one_name() {
    for table in super::tables::ALL {
        let names = table.names();
        let all: Vec<&str> = names.split(", ").collect();
        let distinct: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(distinct.len(), all.len(), "{names}");
    }
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn of_several_states_of_a_run_the_newest_counts_and_lines_of_a_newer_program_are_refused() {
    let fake = FakeServer::start();
    fake.rows(&lines(&[run(2, 8), run(3, 5), run(3, 5), run(3, 4)]));
    let found = database(&fake).runs().unwrap();
    assert_eq!(found, [run(3, 5)]);
    let sql = &fake.asked()[0].body;
    assert!(sql.contains("FROM `db`.`eyechart_runs`"), "{sql}");
    let mut newer = lines(&[run(1, 1)]);
    newer[0] = 9;
    fake.rows(&newer);
    let error = database(&fake).runs().unwrap_err().to_string();
    assert!(error.contains("layout 9"), "{error}");
    fake.reply(Reply::Status(
        404,
        Vec::new(),
        b"Code: 60. DB::Exception: none".to_vec(),
    ));
    let error = database(&fake).runs().unwrap_err().to_string();
    assert!(error.contains("nothing was published there"), "{error}");
}

#[test]
fn sums_of_fewer_values_clusters_or_measures_than_were_written_are_refused() {
    let own = run(3, 5);
    let ask = |measures: &[u8], cells: &[u8], which: SumsScope<'_>, most: u64| {
        let fake = FakeServer::start();
        fake.rows(measures);
        fake.rows(cells);
        let of = SumsSource {
            run: &own.run,
            model: ModelId(4),
            abilities: &BTreeSet::from(["ability"]),
        };
        let wanted = SumsRequest {
            runs: &[(&own, of)],
            which,
            most,
        };
        let found = database(&fake).sums(wanted, &mut go_on);
        (found, fake.asked())
    };
    let all = [(70, 2), (30, 1)];
    let (found, asked) = ask(&measure(2, 3), &cells(&all), SumsScope::Whole, 9);
    let found = found.unwrap();
    let [sum] = found.sums.as_slice() else {
        panic!("{found:?}")
    };
    let told: Vec<_> = sum
        .cells
        .iter()
        .map(|cell| (cell.cluster, cell.model, cell.n))
        .collect();
    assert_eq!(told, [(30, 4, 1), (70, 4, 2)], "sorted by cluster");
    assert_eq!(
        (sum.metric.as_str(), sum.headline, found.joined),
        ("metric", true, None)
    );
    assert!(
        asked[1].body.contains("GROUP BY load, measure"),
        "{}",
        asked[1].body
    );
    assert!(
        asked[1]
            .body
            .contains("WHERE load IN (5) AND measure IN (9)")
    );
    // Cells of one node only; a lost cluster whose values are in another; and a lost measure.
    for (measures, cells, of) in [
        (measure(2, 3), cells(&all[..1]), SumsScope::Whole),
        (measure(2, 3), cells(&[]), SumsScope::Whole),
        (measure(2, 3), cells(&[(70, 3)]), SumsScope::Whole),
        (measure(2, 3), cells(&[(0, 2)]), SumsScope::Totals),
        (measure(2, 3), cells(&[(70, 2), (30, 2)]), SumsScope::Whole),
        (Vec::new(), Vec::new(), SumsScope::Whole),
    ] {
        let (found, _) = ask(&measures, &cells, of, 9);
        let error = found.unwrap_err().to_string();
        assert!(
            error.contains("incomplete numbers are not shown"),
            "{error}"
        );
    }
    let (found, asked) = ask(&measure(2, 3), &cells(&[(7, 3)]), SumsScope::Whole, 1);
    assert_eq!(found.unwrap().joined, Some(1024));
    assert!(
        asked[1].body.contains("`cluster` % 1024"),
        "{}",
        asked[1].body
    );
}

#[test]
fn fewer_rows_than_were_written_are_not_opened() {
    let fake = FakeServer::start();
    let folder = tempfile::tempdir().unwrap();
    fake.rows(&[]);
    fake.rows(&[]);
    let own = run(3, 5);
    let bring = |most| {
        let wanted = DownloadRequest {
            runs: &[(&own, Extent::Whole)],
            most,
            clears: true,
        };
        let done = bring_runs(&database(&fake), wanted, folder.path(), &mut |_| go_on());
        done.unwrap_err().to_string()
    };
    let error = bring(3);
    assert!(
        error.contains("incomplete numbers are not shown"),
        "{error}"
    );
    assert_eq!(error.matches("clickhouse://reader@h/db").count(), 1);
    let error = bring(2);
    assert!(
        error.contains("limits.database_rows") && error.contains("3 answers"),
        "{error}"
    );
}

#[test]
fn only_the_rows_of_the_abilities_that_are_wanted_are_asked_for_and_none_may_lack() {
    let mut own = run(3, 5);
    (own.run.n, own.rows) = (7, 7);
    for (name, n) in [("counting", 3), ("'ocr", 4)] {
        let answers = Answers {
            n,
            ..Answers::default()
        };
        own.run.abilities.insert(name.to_owned(), answers);
    }
    let bring = |[first, last, n]: [u64; 3]| {
        let fake = FakeServer::start();
        let mut line = RowBuffer::default();
        line.option(Some("'ocr")).u64(first).u64(last).u64(n);
        fake.rows(line.bytes());
        let folder = tempfile::tempdir().unwrap();
        let extent = Extent::Of(BTreeSet::from(["'ocr".to_owned()]));
        let wanted = DownloadRequest {
            runs: &[(&own, extent)],
            most: 4,
            clears: false,
        };
        let done = bring_runs(&database(&fake), wanted, folder.path(), &mut |_| go_on());
        let asked: Vec<String> = fake.asked().into_iter().map(|one| one.body).collect();
        (done.unwrap_err().to_string(), asked)
    };
    let (error, asked) = bring([3, 6, 4]);
    assert!(asked[0].contains(r"`ability` IN ('\'ocr')"), "{}", asked[0]);
    assert!(asked[1].contains("row >= 3 AND row < 7"), "{}", asked[1]);
    assert!(error.contains("0 of 4 rows 3 to 7"), "{error}");
    for lacking in [[3, 5, 3], [3, 6, 3], [2, 6, 4], [1, 0, 0]] {
        let (error, asked) = bring(lacking);
        assert!(
            error.contains("incomplete numbers are not shown"),
            "{error}"
        );
        assert_eq!(asked.len(), 1);
    }
}

fn table(folder: &Path) -> record::Table {
    let line = r#"{"sample_id": "s", "benchmark": "b", "ability": "ocr", "model": "m", "question": "Q?", "target": "A", "response": "A", "metric": "accuracy", "score": 1}"#;
    fs::write(folder.join("m.eyechart.jsonl"), format!("{line}\n")).unwrap();
    let request = Request {
        paths: vec![folder.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| go_on())
}

/// Publishes one run to an empty database, which sends these prepared replies.
fn publish_to(
    replies: &[Reply],
) -> (
    Result<crate::publish::PublicationResult, String>,
    Vec<String>,
) {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let fake = FakeServer::start();
    let mut five = RowBuffer::default();
    fake.rows(five.u64(5).bytes());
    fake.rows(&[]);
    for reply in replies {
        fake.reply(reply.clone());
    }
    let done = publish(&table, &database(&fake), &|_| ());
    let asked = fake.asked().into_iter();
    let asked = asked
        .map(|one| format!("{} {}", one.url, one.body))
        .collect();
    (done.map_err(|error| error.to_string()), asked)
}

fn count(count: u64) -> Reply {
    let mut line = RowBuffer::default();
    Reply::Status(200, Vec::new(), line.u64(count).bytes().to_vec())
}

fn ok() -> Reply {
    Reply::Status(200, Vec::new(), Vec::new())
}

fn writes_line(asked: &[String]) -> bool {
    asked
        .iter()
        .any(|one| one.contains("INSERT") && one.contains("eyechart_runs"))
}

#[test]
fn a_run_whose_rows_are_not_all_there_gets_no_line() {
    let refused = Reply::Status(
        500,
        Vec::new(),
        b"Code: 243. DB::Exception: no space".to_vec(),
    );
    let (done, asked) = publish_to(&[ok(), refused]);
    assert!(done.unwrap_err().contains("disk is full") && !writes_line(&asked));
    let (done, asked) = publish_to(&[ok(), ok(), ok(), ok(), count(0)]);
    assert!(done.unwrap_err().contains("is not published") && !writes_line(&asked));
}

#[test]
fn a_run_whose_connection_was_closed_is_written_anew_under_another_number() {
    let (done, asked) = publish_to(&[ok(), Reply::Close, ok(), ok(), ok(), ok(), count(0)]);
    // The second attempt fails when it counts the rows.
    assert!(done.unwrap_err().contains("is not published") && !writes_line(&asked));
    let rows = asked
        .iter()
        .filter(|one| one.contains("INSERT") && one.contains("eyechart_rows"));
    assert_eq!(rows.count(), 2);
    let (done, _) = publish_to(&[ok(), Reply::Close, Reply::Close]);
    assert!(done.unwrap_err().contains("connection was closed"));
}
