//! Tests the exact text of every kind of statement, and reads recorded answers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reader::data_set::Answers;
use reader::tabular::Kind;
use record::{ModelId, Row, Scoring};
use store::Address;
use store::clickhouse::{DatabaseAddress, RowBuffer};

use super::testing::FakeServer;
use super::{cells, count, database, go_on, lines, measure, ok, publish_to, run};
use crate::database::download::{DownloadRequest, Extent, bring_runs};
use crate::database::tables::ALL;
use crate::database::{Database, SumsRequest};
use crate::load::{Request, load};
use crate::publish::{SumsScope, SumsSource};

/// Name, sort key, distribution column and columns of every table, in the order of writing.
const TABLES: [[&str; 4]; 5] = [
    [
        "eyechart_rows",
        "load, row",
        "cluster",
        "`load` UInt64, `row` UInt32, `cluster` UInt64, `sample_id` Nullable(String), `benchmark` Nullable(String), \
         `ability` Nullable(String), `model` Nullable(String), `target` Nullable(String), `image` Nullable(String), \
         `parsed` Nullable(String), `metric` Nullable(String), `scores` Nullable(String), `rule` Nullable(String), \
         `score` Float64, `text_names` Array(String), `text_values` Array(String), `number_names` Array(String), \
         `number_values` Array(Float64)",
    ],
    [
        "eyechart_texts",
        "load, row",
        "cluster",
        "`load` UInt64, `row` UInt32, `cluster` UInt64, `question` Nullable(String), `choices` Nullable(String), \
         `images` Nullable(String), `boxes` Nullable(String), `response` Nullable(String), `maps` Nullable(String), \
         `detections` Nullable(String), `figure` Nullable(String), `run_settings` Nullable(String), \
         `sent` Nullable(String), `rerun` Nullable(String)",
    ],
    [
        "eyechart_measures",
        "load, measure",
        "measure",
        "`load` UInt64, `measure` UInt64, `sequence` UInt32, `groups` UInt64, `n` UInt64, `benchmark` Nullable(String), \
         `ability` Nullable(String), `split` Nullable(String), `scored_as` Nullable(String), `metric` Nullable(String), \
         `statistic` Nullable(String), `rules` Nullable(String), `axis` Nullable(String), `bin` Nullable(String), \
         `headline` Float64, `place` Float64, `center` Float64",
    ],
    [
        "eyechart_cells",
        "load, measure, cluster",
        "cluster",
        "`load` UInt64, `measure` UInt64, `cluster` UInt64, `n` UInt64, `samples` UInt64, `items` UInt64, \
         `total` Float64, `ones` UInt64, `others` UInt64, `low` Float64, `high` Float64, `invalid` UInt64",
    ],
    [
        "eyechart_runs",
        "load",
        "load",
        "`layout` UInt32, `load` UInt64, `version` UInt64, `place` UInt32, `hash` String, `origin` String, \
         `benchmark` String, `model` String, `run` Nullable(String), `n` UInt64, `rows` UInt64, `cells` UInt64, \
         `measures` UInt64, `facts` String",
    ],
];
const HAS_TABLES: &str = "SELECT count() FROM system.tables WHERE database = 'db' AND name IN ('eyechart_rows', \
     'eyechart_texts', 'eyechart_measures', 'eyechart_cells', 'eyechart_runs') FORMAT RowBinary";
const HAS_DATABASE: &str =
    "SELECT count() FROM system.databases WHERE name = 'db' FORMAT RowBinary";

/// Returns the column names of a table, separated by commas.
fn names(table: &str) -> String {
    let [.., columns] = TABLES.iter().find(|known| known[0] == table).unwrap();
    let names = columns
        .split(", ")
        .map(|one| one.split(' ').next().unwrap());
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the bodies of all requests except those for settings.
fn statements(fake: &FakeServer) -> Vec<String> {
    fake.asked().into_iter().map(|one| one.body).collect()
}

/// Decodes a value of a URL's query.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn missing_tables_are_created_with_their_database() {
    let fake = FakeServer::start();
    fake.reply(count(0));
    fake.reply(count(0));
    database(&fake).create().unwrap();
    let mut expected = vec![
        HAS_TABLES.to_owned(),
        HAS_DATABASE.to_owned(),
        "CREATE DATABASE IF NOT EXISTS `db`".to_owned(),
    ];
    for [table, order, _, columns] in TABLES {
        expected.push(format!(
            "CREATE TABLE IF NOT EXISTS `db`.`{table}` ({columns}) ENGINE = MergeTree PARTITION BY tuple() \
             ORDER BY ({order}) SETTINGS index_granularity = 8192"
        ));
    }
    assert_eq!(statements(&fake), expected);
    let fake = FakeServer::start();
    fake.reply(count(5));
    database(&fake).create().unwrap();
    assert_eq!(statements(&fake), [HAS_TABLES]);
}

#[test]
fn a_cluster_gets_local_tables_and_distributed_ones_over_them() {
    let fake = FakeServer::start();
    fake.reply(count(0));
    fake.reply(count(0));
    let address = Address::parse("clickhouse://reader@h/db?cluster=two");
    let place = DatabaseAddress::of(&address.unwrap().unwrap()).unwrap();
    let server = fake.server("pass-word", Duration::from_secs(60));
    Database::new(server, place).create().unwrap();
    let mut expected = vec![
        HAS_TABLES.to_owned(),
        HAS_DATABASE.to_owned(),
        "CREATE DATABASE IF NOT EXISTS `db` ON CLUSTER `two`".to_owned(),
    ];
    for [table, order, by, columns] in TABLES {
        expected.push(format!(
            "CREATE TABLE IF NOT EXISTS `db`.`{table}_local` ON CLUSTER `two` ({columns}) ENGINE = MergeTree \
             PARTITION BY tuple() ORDER BY ({order}) SETTINGS index_granularity = 8192"
        ));
        expected.push(format!(
            "CREATE TABLE IF NOT EXISTS `db`.`{table}` ON CLUSTER `two` ({columns}) \
             ENGINE = Distributed(`two`, `db`, `{table}_local`, `{by}`)"
        ));
    }
    assert_eq!(statements(&fake), expected);
}

#[test]
fn an_insert_names_the_table_and_all_of_its_columns() {
    let fake = FakeServer::start();
    for table in ALL {
        database(&fake).insert(&table, vec![1]).unwrap();
    }
    let asked = fake.asked();
    let inserts = asked
        .iter()
        .map(|one| decoded(one.url.split("&query=").nth(1).unwrap()));
    let expected = TABLES.map(|[table, ..]| {
        format!(
            "INSERT INTO `db`.`{table}` ({}) FORMAT RowBinary",
            names(table)
        )
    });
    assert_eq!(inserts.collect::<Vec<_>>(), expected);
}

#[test]
fn rows_are_counted_by_the_number_of_their_publication() {
    let (_, asked) = publish_to(&[ok(), ok(), ok(), ok(), count(0)]);
    let last = asked.last().unwrap();
    let number = last
        .split_once(" SELECT count() FROM `db`.`eyechart_rows` WHERE load = ")
        .and_then(|(_, rest)| rest.strip_suffix(" FORMAT RowBinary"));
    assert!(
        number.is_some_and(|number| number.parse::<u64>().is_ok()),
        "{last}"
    );
}

#[test]
fn a_recorded_line_of_the_table_of_runs_is_read() {
    let facts = r#"{"benchmark":"bench","model":"m","origin":"o","format":"own","together":"","n":1,"parts":[]}"#;
    let mut line =
        b"\x02\0\0\0\x05\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x07\0\0\0\x01h\x01o\x05bench\x01m\x01\
        \x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0"
            .to_vec();
    line.push(u8::try_from(facts.len()).unwrap());
    line.extend(facts.bytes());
    let fake = FakeServer::start();
    fake.rows(&line);
    let found = database(&fake).runs().unwrap();
    let [own] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((own.run.model.as_str(), own.run.n), ("m", 1));
    assert_eq!((own.load, own.version, own.place), (5, 3, 7));
    assert_eq!((own.rows, own.cells, own.measures), (1, 2, 4));
    assert_eq!(lines(&found), line, "it is written as it was read");
    let columns = names("eyechart_runs");
    assert_eq!(
        statements(&fake),
        [format!(
            "SELECT {columns} FROM `db`.`eyechart_runs` FORMAT RowBinary"
        )]
    );
}

#[test]
fn sums_are_added_up_by_cluster_by_group_or_over_all() {
    for (which, most, key) in [
        (SumsScope::Whole, 9, "`cluster`"),
        (SumsScope::Whole, 0, "toUInt64(`cluster` % 1024)"),
        (SumsScope::Totals, 9, "toUInt64(0)"),
    ] {
        let fake = FakeServer::start();
        fake.rows(&measure(1, 3));
        fake.rows(&cells(&[(0, 3)]));
        let own = run(3, 5);
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
        database(&fake).sums(wanted, &mut go_on).unwrap();
        let columns = names("eyechart_measures");
        let expected = [
            format!(
                "SELECT {columns} FROM `db`.`eyechart_measures` WHERE load IN (5) FORMAT RowBinary"
            ),
            format!(
                "SELECT load, measure, {key} AS sums_of, sum(`n`), sum(`samples`), \
                 toUInt64(sum(`items`) % 9007199254740992), sum(`total`), sum(`ones`), sum(`others`), min(`low`), \
                 max(`high`), sum(`invalid`) FROM `db`.`eyechart_cells` WHERE load IN (5) AND measure IN (9) \
                 GROUP BY load, measure, sums_of FORMAT RowBinary"
            ),
        ];
        assert_eq!(statements(&fake), expected);
    }
}

#[test]
fn a_name_that_is_text_in_any_row_is_a_text_column() {
    let fake = FakeServer::start();
    for names in [&["tag.font", "tag.size"][..], &["tag.area", "tag.size"]] {
        let mut answer = RowBuffer::default();
        for name in names {
            answer.text(name);
        }
        fake.rows(answer.bytes());
    }
    let runs = [run(3, 5), run(3, 8)];
    let found = database(&fake).columns(&runs, &mut go_on).unwrap();
    let expected = [
        ("tag.area", Kind::Number),
        ("tag.font", Kind::Text),
        ("tag.size", Kind::Text),
    ];
    let expected: BTreeMap<String, Kind> = expected
        .into_iter()
        .map(|(name, kind)| (name.to_owned(), kind))
        .collect();
    assert_eq!(found, expected);
    let expected = ["text_names", "number_names"].map(|column| {
        format!(
            "SELECT DISTINCT arrayJoin({column}) AS name FROM `db`.`eyechart_rows` WHERE load IN (5, 8) FORMAT RowBinary"
        )
    });
    assert_eq!(statements(&fake), expected);
}

#[test]
fn the_rows_of_an_ability_are_found_by_its_quoted_name() {
    let mut own = run(3, 5);
    let answers = Answers {
        n: 3,
        ..Answers::default()
    };
    own.run.abilities.insert("'ocr".to_owned(), answers);
    let fake = FakeServer::start();
    let folder = tempfile::tempdir().unwrap();
    let wanted = DownloadRequest {
        runs: &[(&own, Extent::Of(BTreeSet::from(["'ocr".to_owned()])))],
        most: 3,
        clears: false,
    };
    let done = bring_runs(&database(&fake), wanted, folder.path(), &mut |_| go_on());
    assert!(done.is_err(), "no row is there");
    let expected = r"SELECT `ability`, toUInt64(min(row)), toUInt64(max(row)), count() FROM `db`.`eyechart_rows` WHERE load = 5 AND row < 3 AND `ability` IN ('\'ocr') GROUP BY `ability` FORMAT RowBinary";
    assert_eq!(statements(&fake), [expected]);
}

#[test]
fn recorded_rows_become_a_data_set_that_opens_and_are_fetched_once() {
    let mut own = run(3, 5);
    (own.run.n, own.rows) = (1, 1);
    let answers = Answers {
        n: 1,
        ..Answers::default()
    };
    own.run.abilities.insert("ocr".to_owned(), answers);
    let mut rows = RowBuffer::default();
    rows.u64(5).u32(0).u64(70);
    for text in [
        Some("s1"),
        Some("bench"),
        Some("ocr"),
        Some("'; DROP"),
        Some("A"),
        None,
        Some("A"),
        Some("accuracy"),
        None,
        None,
    ] {
        rows.option(text);
    }
    rows.f64(1.0);
    rows.count(1).text("tag.font").count(1).text("serif");
    rows.count(1).text("tag.size").count(1).f64(2.5);
    let mut texts = RowBuffer::default();
    texts.u64(5).u32(0).u64(70);
    texts.option(Some("Q?"));
    for at in 1..11 {
        texts.option(Some("A").filter(|_| at == 4));
    }
    let fake = FakeServer::start();
    fake.rows(rows.bytes());
    fake.rows(texts.bytes());
    let folder = tempfile::tempdir().unwrap();
    let bring = || {
        let wanted = DownloadRequest {
            runs: &[(&own, Extent::Whole)],
            most: 1,
            clears: true,
        };
        bring_runs(&database(&fake), wanted, folder.path(), &mut |_| go_on()).unwrap()
    };
    let first = bring();
    assert_eq!((first.runs, first.fetched, first.files.len()), (1, 1, 3));
    let again = bring();
    assert_eq!((again.runs, again.fetched), (1, 0));
    assert_eq!(again.files, first.files);
    let expected = ["eyechart_rows", "eyechart_texts"].map(|table| {
        let columns = names(table);
        format!(
            "SELECT {columns} FROM `db`.`{table}` WHERE load = 5 AND row >= 0 AND row < 1 ORDER BY row FORMAT RowBinary"
        )
    });
    assert_eq!(statements(&fake), expected);
    let request = Request {
        paths: vec![folder.path().to_path_buf()],
        ..Request::default()
    };
    let table = load(&request, &mut |_| go_on());
    assert_eq!(table.len(), 1);
    assert_eq!(table.sample_id(table.item(Row(0))), "s1");
    assert_eq!(table.names().model(table.model(Row(0))), "'; DROP");
    assert_eq!(table.scores(Scoring::Harness), [1.0]);
}
