//! Tests of reading objects in parts: number of requests, and failures of the store.

use std::ops::Range;

use super::partial_object::MOST;
use super::testing::{Fault, FaultScope};
use super::tests::{Setting, setting, setting_with};
use super::{
    Address, DownloadResult, PartialObject, ReadState, Remote, StoreError, failures_since_last_call,
};

/// Length of a large object in bytes.
const LARGE: usize = 40 << 20;

/// Returns bytes that do not repeat locally.
fn bytes(length: usize, seed: u32) -> Vec<u8> {
    let of = |at: usize| {
        (at as u32 / 4)
            .wrapping_mul(2_654_435_761)
            .wrapping_add(seed)
    };
    (0..length).map(|at| of(at).to_le_bytes()[at % 4]).collect()
}

/// Returns a store with one large object, whose start and end are downloaded.
fn large(name: &str) -> (Setting, DownloadResult, Vec<u8>) {
    let setting = setting();
    let content = bytes(LARGE, 1);
    setting
        .server
        .put(&format!("parts/{name}"), content.clone());
    let brought = setting.bring("s3://parts").unwrap();
    (setting, brought, content)
}

fn read(object: &PartialObject, place: Range<usize>) -> std::io::Result<Vec<u8>> {
    let (mut found, mut at) = (vec![0; place.len()], 0);
    while at < found.len() {
        let read = object.read_at(&mut found[at..], (place.start + at) as u64)?;
        assert!(read > 0, "it ends at {at}");
        at += read;
    }
    Ok(found)
}

fn address() -> Address {
    Address::parse("s3://parts").unwrap().unwrap()
}

#[test]
fn large_objects_come_in_parts_once_and_small_ones_whole() {
    let _alone = super::tests::alone();
    let setting = setting();
    for at in 0..50 {
        let non_log = bytes(5 << 20, at);
        setting.server.put(&format!("parts/{at}.jsonl"), non_log);
        setting
            .server
            .put(&format!("parts/small{at}.jsonl"), b"{}".as_slice());
    }
    let brought = setting.bring("s3://parts").unwrap();
    assert_eq!((brought.objects, brought.missing), (100, 0));
    assert_eq!(setting.server.seen().len(), 1 + 100);
    assert_eq!(setting.server.sent(), 50 * ((64 << 10) + 2));
    assert_eq!(PartialObject::below(&brought.path).len(), 50);
    // The second start requests only the listing.
    setting.bring("s3://parts").unwrap();
    assert_eq!((setting.server.seen().len(), setting.server.sent()), (1, 0));
    // A file that is then recognized as a log is downloaded whole.
    let file = brought.path.join("7.jsonl");
    let remote = Remote::of(&file).unwrap();
    let whole = remote.fetch(
        &[file.clone()],
        &mut |_| std::ops::ControlFlow::Continue(()),
    );
    assert_eq!(whole, Ok(Vec::new()));
    assert_eq!(std::fs::read(&file).unwrap(), bytes(5 << 20, 7));
    let rest = PartialObject::below(&brought.path);
    assert_eq!(rest.iter().filter(|file| !file.exists()).count(), 49);
    assert_eq!(setting.server.sent(), 5 << 20);
    let held: u64 = setting
        .bring
        .cache
        .copies()
        .iter()
        .map(|copy| copy.length)
        .sum();
    assert_eq!(
        held,
        (5 << 20) + 49 * (64 << 10) + 100,
        "its parts are gone"
    );
}

#[test]
fn only_what_is_read_is_fetched_and_it_is_kept() {
    let _alone = super::tests::alone();
    let (setting, brought, content) = large("a.eval");
    assert_eq!(setting.server.seen().len(), 3, "listing and two ends");
    let file = brought.path.join("a.eval");
    let object = PartialObject::of(&file).unwrap();
    assert_eq!(object.length(), LARGE as u64);
    setting.server.sent();
    for place in [0..1000, 60_000..70_000, LARGE - 200_000..LARGE] {
        assert_eq!(read(&object, place.clone()).unwrap(), content[place]);
    }
    // The second of the three reads continues after the downloaded part.
    assert_eq!(
        (setting.server.seen().len(), setting.server.sent()),
        (1, 64 << 10)
    );
    let places = [
        10_000_000..10_000_500,
        10_050_000..10_060_000,
        30_000_000..30_000_001,
    ];
    object
        .soon(
            &places
                .clone()
                .map(|place| place.start as u64..place.end as u64),
        )
        .unwrap();
    assert_eq!(setting.server.seen().len(), 2, "near ones are one request");
    assert_eq!(setting.server.sent(), 60_001);
    for place in places {
        assert_eq!(read(&object, place.clone()).unwrap(), content[place]);
    }
    assert_eq!(setting.server.seen(), Vec::<String>::new());
    // Sequential reading takes few requests of limited size.
    assert_eq!(read(&object, 0..LARGE).unwrap(), content);
    let requests = setting.server.seen().len();
    assert!(requests < 20, "{requests}");
    let rest = LARGE as u64 - (2 * 64 + 256) * 1024 - 60_001;
    assert_eq!(setting.server.sent(), rest);
    assert!(
        setting
            .bring
            .cache
            .copies()
            .iter()
            .all(|copy| copy.length <= MOST)
    );
    // After a restart, all parts are cached.
    setting.bring("s3://parts").unwrap();
    setting.server.seen();
    let again = PartialObject::of(&file).unwrap();
    assert_eq!(read(&again, 0..LARGE).unwrap(), content);
    assert_eq!(setting.server.seen(), Vec::<String>::new());
}

#[test]
fn requests_that_fail_for_a_while_are_made_again_from_where_they_ended() {
    let _alone = super::tests::alone();
    let (setting, brought, content) = large("b.eval");
    let object = PartialObject::of(&brought.path.join("b.eval")).unwrap();
    setting.server.fail(FaultScope::Objects, Fault::Cut, 3);
    assert_eq!(
        read(&object, 1_000_000..1_010_000).unwrap(),
        content[1_000_000..1_010_000]
    );
    setting.server.fail(FaultScope::Objects, Fault::SlowDown, 4);
    assert_eq!(
        read(&object, 5_000_000..5_010_000).unwrap(),
        content[5_000_000..5_010_000]
    );
    setting.server.fail(FaultScope::Objects, Fault::Expired, 1);
    assert_eq!(
        read(&object, 9_000_000..9_010_000).unwrap(),
        content[9_000_000..9_010_000]
    );
    assert_eq!(
        failures_since_last_call(&address(), ReadState::Ended),
        super::FailureReport::default()
    );
}

#[test]
fn what_cannot_be_had_is_told_once_and_asked_for_anew_later() {
    let _alone = super::tests::alone();
    let (setting, brought, content) = large("c.eval");
    let file = brought.path.join("c.eval");
    let object = PartialObject::of(&file).unwrap();
    setting
        .server
        .fail(FaultScope::Objects, Fault::SlowDown, 1_000);
    let why = read(&object, 1_000_000..1_010_000).unwrap_err().to_string();
    assert!(
        why.contains("s3://parts/c.eval") && why.contains("is not available now"),
        "{why}"
    );
    setting.server.seen();
    let other = PartialObject::of(&file).unwrap();
    assert!(read(&other, 1_000_000..1_010_000).is_err());
    assert_eq!(
        setting.server.seen(),
        Vec::<String>::new(),
        "nobody has heard of it"
    );
    let told = failures_since_last_call(&address(), ReadState::Ended);
    assert_eq!((told.troubles.len(), told.is_replaced), (1, false));
    assert_eq!(told.troubles[0].address, "s3://parts/c.eval");
    setting.server.with(|store| store.recover());
    assert_eq!(
        read(&other, 1_000_000..1_010_000).unwrap(),
        content[1_000_000..1_010_000]
    );
}

#[test]
fn an_object_that_is_replaced_is_noticed_and_read_anew() {
    let _alone = super::tests::alone();
    let (setting, brought, content) = large("d.eval");
    let file = brought.path.join("d.eval");
    let object = PartialObject::of(&file).unwrap();
    assert_eq!(read(&object, 0..100).unwrap(), content[..100]);
    let other = bytes(LARGE, 2);
    setting.server.put("parts/d.eval", other.clone());
    let why = read(&object, 1_000_000..1_010_000).unwrap_err().to_string();
    assert!(why.contains("replaced"), "{why}");
    let told = failures_since_last_call(&address(), ReadState::Ended);
    assert!(told.is_replaced && told.troubles.len() == 1, "{told:?}");
    setting.bring("s3://parts").unwrap();
    let anew = PartialObject::of(&file).unwrap();
    assert_eq!(read(&anew, 0..2_000_000).unwrap(), other[..2_000_000]);
    let old = setting.bring.cache.copies();
    let now: u64 = old.iter().map(|copy| copy.length).sum();
    assert!(now < 4 << 20, "parts of the old one are gone: {now}");
}

#[test]
fn an_object_that_is_replaced_before_its_first_part_is_fetched_whole() {
    let _alone = super::tests::alone();
    let setting = setting();
    setting.server.put("parts/e.eval", bytes(LARGE, 1));
    let other = bytes(3 << 20, 2);
    setting.server.replace_later("parts/e.eval", &other);
    let brought = setting.bring("s3://parts").unwrap();
    assert_eq!((brought.missing, brought.objects), (0, 1));
    assert_eq!(std::fs::read(brought.path.join("e.eval")).unwrap(), other);
    assert!(PartialObject::of(&brought.path.join("e.eval")).is_none());
}

#[test]
fn a_store_that_gives_no_parts_gives_whole_objects() {
    let _alone = super::tests::alone();
    let setting = setting();
    let content = bytes(3 << 20, 1);
    setting.server.put("parts/f.eval", content.clone());
    setting.server.with(|store| store.whole_only = true);
    let brought = setting.bring("s3://parts").unwrap();
    assert_eq!(std::fs::read(brought.path.join("f.eval")).unwrap(), content);
    // From here on, the store does not send parts.
    setting.server.with(|store| store.whole_only = false);
    setting.server.put("parts/f.eval", bytes(3 << 20, 2));
    setting.bring("s3://parts").unwrap();
    let object = PartialObject::of(&brought.path.join("f.eval")).unwrap();
    setting.server.with(|store| store.whole_only = true);
    assert_eq!(read(&object, 0..3 << 20).unwrap(), bytes(3 << 20, 2));
    assert!(brought.path.join("f.eval").is_file());
}

#[test]
fn a_data_set_of_a_hub_is_read_in_parts_too() {
    let _alone = super::tests::alone();
    let setting = setting_with("KEY", Some("TOKEN"));
    let content = bytes(3 << 20, 1);
    let listing = format!(
        r#"[{{"type": "file", "path": "a.eval", "size": {}, "oid": "1"}}]"#,
        content.len()
    );
    setting.server.put(
        "api/datasets/o/n/revision/main",
        br#"{"sha": "c0"}"#.as_slice(),
    );
    setting.server.put("api/datasets/o/n/tree/c0", listing);
    setting
        .server
        .put("datasets/o/n/resolve/c0/a.eval", content.clone());
    let brought = setting.bring("hf://datasets/o/n").unwrap();
    let object = PartialObject::of(&brought.path.join("a.eval")).unwrap();
    assert_eq!(
        read(&object, 1_000_000..1_010_000).unwrap(),
        content[1_000_000..1_010_000]
    );
    setting.server.with(|store| store.whole_only = true);
    assert_eq!(
        read(&object, 2_000_000..2_010_000).unwrap(),
        content[2_000_000..2_010_000]
    );
}

#[test]
fn parts_do_not_go_beyond_the_bound_of_the_cache() {
    let _alone = super::tests::alone();
    let mut setting = setting();
    setting.bring.most = 400 << 10;
    setting.server.put("parts/g.eval", bytes(LARGE, 1));
    let brought = setting.bring("s3://parts").unwrap();
    let object = PartialObject::of(&brought.path.join("g.eval")).unwrap();
    let why = read(&object, 0..2 << 20).unwrap_err().to_string();
    assert!(why.contains("limits.cache"), "{why}");
    let held: u64 = setting
        .bring
        .cache
        .copies()
        .iter()
        .map(|copy| copy.length)
        .sum();
    assert!(held <= 400 << 10, "{held}");
    assert_eq!(
        failures_since_last_call(&address(), ReadState::Ended)
            .troubles
            .len(),
        1
    );
    assert!(matches!(
        setting.bring("s3://none"),
        Err(StoreError::Absent)
    ));
}
