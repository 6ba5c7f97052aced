//! Tests that each object is created exactly once, whatever the store answers.

use std::time::Duration;

use super::testing::{Fault, FaultScope, Server};
use super::{Address, Environment, RetryPolicy, StoreError, UploadTarget};

fn reach(server: &Server, key: &str, address: &str) -> Result<UploadTarget, StoreError> {
    let environment = Environment::from([
        ("AWS_ENDPOINT_URL", server.address.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", key),
        ("AWS_SECRET_ACCESS_KEY", "SECRET-WORDS"),
    ]);
    let patience = RetryPolicy {
        silence: Duration::from_secs(20),
        pause: Duration::from_millis(1),
        ..RetryPolicy::default()
    };
    let address = Address::parse(address).unwrap().unwrap();
    UploadTarget::reach(&address, environment, patience)
}

#[test]
fn an_object_is_created_once_and_stays_as_it_is() {
    let server = Server::start();
    let place = reach(&server, "KEY", "s3://team/evals").unwrap();
    assert!(place.list().unwrap().is_empty());
    assert!(place.create("rows/a.parquet", b"first").unwrap());
    assert!(!place.create("rows/a.parquet", b"second").unwrap());
    assert_eq!(place.read("rows/a.parquet").unwrap(), b"first");
    let listed = place.list().unwrap();
    assert_eq!(listed, [("rows/a.parquet".to_owned(), 5)].into());
    server.put("team/evals2/b", "x");
    assert_eq!(place.list().unwrap(), listed, "a neighbour is none of it");
    let there = server.with(|store| store.below("team/evals/"));
    assert_eq!(there.len(), 1);
}

#[test]
fn no_upload_follows_a_redirect() {
    let (server, other) = (Server::start(), Server::start());
    let place = reach(&server, "KEY", "s3://team/evals").unwrap();
    for status in [301, 302, 303, 307, 308] {
        let to = other.address.clone();
        server.with(|store| store.leads = Some((status, to)));
        let told = [
            place.create("a", b"x").unwrap_err(),
            place.read("a").unwrap_err(),
            place.list().unwrap_err(),
        ];
        for error in told.map(|error| error.to_string()) {
            assert!(
                error.contains("it redirects to 127.0.0.1"),
                "{status}: {error}"
            );
        }
        assert_eq!(other.seen(), [""; 0], "{status}");
    }
}

#[test]
fn what_passes_is_tried_again() {
    let server = Server::start();
    let place = reach(&server, "KEY", "s3://team/evals").unwrap();
    server.fail(FaultScope::Objects, Fault::SlowDown, 5);
    assert!(place.create("a", b"whole").unwrap());
    server.fail(FaultScope::Objects, Fault::Expired, 1);
    assert!(place.create("b", b"whole").unwrap());
    // The object exists, but it is unknown who created it.
    server.fail(FaultScope::Objects, Fault::Cut, 1);
    assert!(!place.create("c", b"whole").unwrap());
    server.fail(FaultScope::Objects, Fault::Cut, 2);
    assert_eq!(place.read("c").unwrap(), b"whole");
    let objects = server.with(|store| store.below("team/"));
    assert!(objects.iter().all(|(_, bytes)| bytes == b"whole"));
    assert_eq!(objects.len(), 3);
}

#[test]
fn what_cannot_be_written_says_why_without_a_secret() {
    let server = Server::start();
    let wrong = reach(&server, "WRONG", "s3://team/evals").unwrap();
    let error = wrong.create("a", b"x").unwrap_err().to_string();
    assert!(
        error.contains("does not accept these credentials"),
        "{error}"
    );
    assert!(!error.contains("SECRET"), "{error}");
    let hub = reach(&server, "KEY", "hf://datasets/a/b").unwrap_err();
    assert!(matches!(hub, StoreError::Address(_)), "{hub}");
}
