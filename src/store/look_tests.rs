//! Tests of refreshing open addresses: new objects are downloaded, failures keep old copies, and
//! costs are counted.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::testing::{Fault, FaultScope, Server};
use super::{
    Address, Cache, DownloadResult, Downloader, Environment, InitialPart, Meter, RetryPolicy,
    StoreError,
};

struct Setting {
    server: Server,
    _cache: TempDir,
    bring: Downloader,
    meter: Meter,
}

fn all(paths: &[&Path]) -> Vec<InitialPart> {
    vec![InitialPart::Start; paths.len()]
}

fn setting() -> Setting {
    let server = Server::start();
    let cache = tempfile::tempdir().unwrap();
    let environment = Environment::from([
        ("AWS_ENDPOINT_URL", server.address.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "KEY"),
        ("AWS_SECRET_ACCESS_KEY", "SECRET-WORDS"),
    ]);
    let bring = Downloader {
        cache: Cache::at(cache.path()).unwrap(),
        environment,
        patience: RetryPolicy {
            silence: Duration::from_secs(20),
            pause: Duration::from_millis(1),
            tries: 2,
            ..RetryPolicy::default()
        },
        most: 1 << 30,
        wanted: all,
        large: 1 << 20,
        only: None,
    };
    let setting = Setting {
        server,
        _cache: cache,
        bring,
        meter: Meter::default(),
    };
    for name in ["a", "b", "c"] {
        setting.put(name, "one\n");
    }
    setting
        .bring
        .download(&address(), &mut |_| ControlFlow::Continue(()))
        .unwrap();
    drop(setting.server.seen());
    setting
}

fn address() -> Address {
    Address::parse("s3://team/runs").unwrap().unwrap()
}

impl Setting {
    fn put(&self, name: &str, text: &str) {
        self.server.put(&format!("team/runs/{name}.jsonl"), text);
    }

    fn look(&self) -> Result<DownloadResult, StoreError> {
        self.bring
            .refresh(&address(), &self.meter, &mut |_| ControlFlow::Continue(()))
    }

    fn copy(&self, name: &str) -> Option<String> {
        let file = self.bring.folder(&address()).join(format!("{name}.jsonl"));
        fs::read_to_string(file).ok()
    }
}

#[test]
fn a_look_costs_a_listing_and_what_has_come() {
    let setting = setting();
    let still = setting.look().unwrap();
    assert_eq!((still.fetched, still.gone, still.objects), (0, 0, 3));
    let listing = setting.meter.bytes();
    assert!(listing > 100, "{listing}");
    assert_eq!(
        (setting.meter.requests(), setting.server.seen().len()),
        (1, 1)
    );
    setting.put("a", "one\ntwo\n");
    setting.put("d", "new\n");
    setting
        .server
        .with(|store| store.remove("team/runs/c.jsonl"));
    let came = setting.look().unwrap();
    assert_eq!((came.fetched, came.gone, came.objects), (2, 1, 3));
    assert_eq!(setting.copy("a").unwrap(), "one\ntwo\n");
    assert_eq!(setting.copy("d").unwrap(), "new\n");
    assert_eq!(setting.copy("c"), None);
    let seen = setting.server.seen();
    assert_eq!(setting.meter.requests(), 1 + seen.len() as u64, "{seen:?}");
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert_eq!(came.bytes, 8 + 4);
    assert!(setting.meter.bytes() >= listing + came.bytes);
}

#[test]
fn what_cannot_be_had_stays_as_it_was_and_comes_later() {
    let setting = setting();
    setting.put("a", "one\ntwo\n");
    setting.server.fail(FaultScope::Lists, Fault::SlowDown, 99);
    assert!(matches!(setting.look(), Err(StoreError::Busy(_))));
    assert_eq!(setting.copy("a").unwrap(), "one\n");
    let asked = setting.server.seen().len() as u64;
    assert!(asked > 1);
    assert_eq!(setting.meter.requests(), asked, "attempts count");
    setting.server.with(super::testing::Store::recover);
    setting
        .server
        .fail(FaultScope::Objects, Fault::SlowDown, 99);
    let part = setting.look().unwrap();
    assert_eq!((part.fetched, part.missing), (0, 1));
    assert_eq!(setting.copy("a").unwrap(), "one\n", "the older one stays");
    setting.server.with(super::testing::Store::recover);
    assert_eq!(setting.look().unwrap().fetched, 1);
    assert_eq!(setting.copy("a").unwrap(), "one\ntwo\n");
    assert_eq!(setting.look().unwrap().fetched, 0);
}

#[test]
fn expired_credentials_are_looked_for_anew_and_an_empty_store_takes_nothing_away() {
    let setting = setting();
    setting.put("b", "one\ntwo\n");
    setting.server.fail(FaultScope::Lists, Fault::Expired, 1);
    assert_eq!(setting.look().unwrap().fetched, 1);
    setting.server.fail(FaultScope::Lists, Fault::Expired, 9);
    assert!(matches!(setting.look(), Err(StoreError::Expired(_))));
    setting.server.with(|store| {
        store.recover();
        for name in ["a", "b", "c"] {
            store.remove(&format!("team/runs/{name}.jsonl"));
        }
    });
    assert_eq!(setting.look().unwrap_err(), StoreError::Absent);
    assert_eq!(setting.copy("b").unwrap(), "one\ntwo\n");
}
