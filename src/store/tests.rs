//! Tests of failing stores: every object is complete, or reported as missing.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::entry::Entry;
use super::listing::Listing;
use super::testing::{Fault, FaultScope, Server, Store};
use super::{
    Address, Cache, DownloadResult, Downloader, Environment, InitialPart, Progress, RetryPolicy,
    StoreError, fetch_on_demand,
};

/// A test store and a cache.
pub struct Setting {
    pub server: Server,
    pub cache: TempDir,
    pub bring: Downloader,
}

fn are_logs(paths: &[&Path]) -> Vec<InitialPart> {
    let first = |path: &&Path| match path.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => InitialPart::Start,
        Some("eval") => InitialPart::Ends,
        _ => InitialPart::Nothing,
    };
    paths.iter().map(first).collect()
}

pub fn setting_with(key: &str, token: Option<&str>) -> Setting {
    let server = Server::start();
    let cache = tempfile::tempdir().unwrap();
    let mut environment = Environment::from([
        ("AWS_ENDPOINT_URL", server.address.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", key),
        ("AWS_SECRET_ACCESS_KEY", "SECRET-WORDS"),
        ("HF_ENDPOINT", server.address.as_str()),
        ("GOOGLE_BASE_URL", server.address.as_str()),
        ("GOOGLE_ALLOW_HTTP", "true"),
        ("GOOGLE_BEARER_TOKEN", "TOKEN"),
        ("AZURE_STORAGE_ENDPOINT", server.address.as_str()),
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_ALLOW_HTTP", "true"),
        ("AZURE_STORAGE_TOKEN", "TOKEN"),
    ]);
    if let Some(token) = token {
        environment.or_set("HF_TOKEN", token);
    }
    let bring = Downloader {
        cache: Cache::at(cache.path()).unwrap(),
        environment,
        patience: RetryPolicy {
            silence: Duration::from_secs(20),
            pause: Duration::from_millis(1),
            ..RetryPolicy::default()
        },
        most: 1 << 30,
        wanted: are_logs,
        large: 1 << 20,
        only: None,
    };
    Setting {
        server,
        cache,
        bring,
    }
}

pub fn setting() -> Setting {
    setting_with("KEY", None)
}

impl Setting {
    pub fn bring(&self, address: &str) -> Result<DownloadResult, StoreError> {
        let address = Address::parse(address).unwrap().unwrap();
        self.bring
            .download(&address, &mut |_| ControlFlow::Continue(()))
    }

    /// Returns the copies and their content, sorted by name.
    fn copies(&self, brought: &DownloadResult) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for copy in self.bring.cache.copies() {
            if let Ok(rest) = copy.file.strip_prefix(&brought.path) {
                let text = fs::read_to_string(&copy.file).unwrap();
                found.push((rest.to_string_lossy().into_owned(), text));
            }
        }
        found.sort();
        found
    }

    /// Adds twelve logs, a picture, and unrelated objects.
    fn fill(&self) {
        for at in 0..12 {
            self.server
                .put(&format!("team/runs/m{at}/a.jsonl"), content(at));
        }
        self.server.put("team/runs/images/1.png", "picture");
        // Some tools create empty objects for folders.
        self.server.put("team/runs/", "");
        self.server.put("team/runs2/other.jsonl", "other");
        self.server.with(|store| store.page = 5);
    }

    fn assert_all(&self, brought: &DownloadResult) {
        let mut expected: Vec<_> = (0..12)
            .map(|at| (format!("m{at}/a.jsonl"), content(at)))
            .collect();
        expected.sort();
        assert_eq!(self.copies(brought), expected);
        assert_eq!(
            (brought.objects, brought.missing),
            (12, 0),
            "{:?}",
            brought.troubles
        );
    }
}

fn content(at: usize) -> String {
    format!("{{\"at\": {at}}}\n").repeat(2000 + at)
}

#[test]
fn names_that_cannot_be_asked_for_are_told_and_the_rest_is_read() {
    let setting = setting();
    setting.fill();
    let odd = [
        "team/runs//note.jsonl",
        "team/runs/m3/../b.jsonl",
        "team/runs/m5/./b.jsonl",
    ];
    for name in odd {
        setting.server.put(name, "odd");
    }
    for page in [1000, 2] {
        setting.server.with(|store| store.page = page);
        let brought = setting.bring("s3://team/runs").unwrap();
        let mut told: Vec<&str> = (brought.troubles.iter())
            .map(|trouble| trouble.address.as_str())
            .collect();
        told.sort_unstable();
        assert_eq!(
            told,
            odd.map(|name| format!("s3://{name}")),
            "pages of {page}"
        );
        assert_eq!((brought.objects, brought.missing), (12, 3));
    }
}

#[test]
fn what_looks_like_a_log_is_fetched_once_and_shown_under_its_address() {
    let setting = setting();
    setting.fill();
    let brought = setting.bring("s3://team/runs").unwrap();
    setting.assert_all(&brought);
    assert_eq!(brought.fetched, 12);
    let log = brought.path.join("m3/a.jsonl");
    assert_eq!(base::format::path(&log), "s3://team/runs/m3/a.jsonl");
    assert_eq!(
        fs::metadata(&log)
            .unwrap()
            .modified()
            .unwrap()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_secs()
            / 3600,
        401_503
    );
    let requests = setting.server.seen();
    assert_eq!(requests.len(), 3 + 12, "{requests:#?}");
    let again = setting.bring("s3://team/runs").unwrap();
    setting.assert_all(&again);
    assert_eq!(
        (again.fetched, again.bytes, setting.server.seen().len()),
        (0, 0, 3)
    );
    let one = setting.bring("s3://team/runs/m3/a.jsonl").unwrap();
    assert!(one.path.is_file() && one.fetched == 0);
}

#[test]
fn an_overloaded_store_is_asked_again() {
    let setting = setting();
    setting.fill();
    setting.server.fail(FaultScope::Lists, Fault::SlowDown, 5);
    setting.server.fail(FaultScope::Objects, Fault::SlowDown, 9);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
}

#[test]
fn a_listing_that_breaks_off_is_continued_and_never_shorter() {
    let setting = setting();
    setting.fill();
    setting.server.fail(FaultScope::Lists, Fault::Cut, 4);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
    let other = setting_with("KEY", None);
    other.fill();
    other.server.fail(FaultScope::Lists, Fault::Cut, 1000);
    let error = other.bring("s3://team/runs").unwrap_err();
    assert!(error.may_pass(), "{error}");
}

#[test]
fn bodies_that_break_off_are_continued_where_they_ended() {
    let setting = setting();
    setting.fill();
    setting.server.fail(FaultScope::Objects, Fault::Cut, 15);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
    let seen = setting.server.seen();
    assert!(
        seen.iter().any(|request| request.contains("bytes=")),
        "{seen:?}"
    );
}

#[test]
fn a_store_that_hangs_is_given_up_and_asked_anew() {
    let mut setting = setting();
    setting.bring.patience.silence = Duration::from_secs(2);
    setting.fill();
    setting.server.fail(FaultScope::Lists, Fault::Hang, 1);
    setting.server.fail(FaultScope::Objects, Fault::Hang, 3);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
}

#[test]
fn a_wait_is_ended_by_the_user() {
    let setting = setting();
    setting.fill();
    setting.server.fail(FaultScope::Objects, Fault::Hang, 100);
    let address = Address::parse("s3://team/runs").unwrap().unwrap();
    let mut last = Progress::default();
    let stopped = setting.bring.download(&address, &mut |progress| {
        last = progress;
        if progress.all_objects > 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(stopped.unwrap_err(), StoreError::Stopped);
    assert_eq!((last.listed, last.all_objects), (14, 12));
    // Finished copies are kept. The next start downloads the other objects.
    setting.server.with(Store::recover);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
}

#[test]
fn expired_credentials_are_renewed_once_and_then_told() {
    let setting = setting();
    setting.fill();
    setting.server.fail(FaultScope::Lists, Fault::Expired, 1);
    setting.assert_all(&setting.bring("s3://team/runs").unwrap());
    let other = setting_with("KEY", None);
    other.fill();
    other.server.fail(FaultScope::Lists, Fault::Expired, 1000);
    let error = other.bring("s3://team/runs").unwrap_err();
    assert!(matches!(error, StoreError::Expired(_)), "{error:?}");
    assert!(!error.to_string().contains("SECRET"));
}

#[test]
fn wrong_credentials_are_told_at_once_and_never_shown() {
    let setting = setting_with("WRONG", None);
    setting.fill();
    let error = setting.bring("s3://team/runs").unwrap_err();
    assert!(matches!(error, StoreError::Wrong(_)), "{error:?}");
    assert_eq!(setting.server.seen().len(), 1);
    let debug = format!("{error:?} {error} {:?}", setting.bring.environment);
    assert!(
        !debug.contains("SECRET") && !debug.contains("WRONG"),
        "{debug}"
    );
}

#[test]
fn an_object_that_is_replaced_is_fetched_whole_from_one_version() {
    let setting = setting();
    setting.fill();
    let new = "{\"new\": true}\n".repeat(5000);
    setting
        .server
        .replace_later("team/runs/m4/a.jsonl", new.as_bytes());
    let brought = setting.bring("s3://team/runs").unwrap();
    let copies = setting.copies(&brought);
    let of = |name: &str| {
        copies
            .iter()
            .find(|(known, _)| known == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(of("m4/a.jsonl"), new);
    assert_eq!((brought.objects, brought.missing), (12, 0));
    setting.server.put("team/runs/m5/a.jsonl", "newer\n");
    setting
        .server
        .with(|store| store.remove("team/runs/m6/a.jsonl"));
    let again = setting.bring("s3://team/runs").unwrap();
    assert_eq!((again.objects, again.fetched), (11, 1));
    let names: Vec<String> = setting
        .copies(&again)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(
        !names.contains(&"m6/a.jsonl".to_owned()),
        "what is gone is not shown"
    );
}

#[test]
fn what_cannot_be_had_is_named_and_an_old_copy_does_not_stand_for_it() {
    let setting = setting();
    setting.fill();
    setting.bring("s3://team/runs").unwrap();
    setting.server.put("team/runs/m0/a.jsonl", "changed\n");
    setting
        .server
        .fail(FaultScope::Objects, Fault::SlowDown, 1000);
    let brought = setting.bring("s3://team/runs").unwrap();
    assert_eq!((brought.objects, brought.missing), (11, 1));
    let [trouble] = brought.troubles.as_slice() else {
        panic!("{:?}", brought.troubles);
    };
    assert_eq!(trouble.address, "s3://team/runs/m0/a.jsonl");
    assert!(
        trouble.why.contains("SlowDown") && !trouble.why.contains("SECRET"),
        "{}",
        trouble.why
    );
    assert!(!brought.path.join("m0/a.jsonl").exists());
}

#[test]
fn a_cache_that_is_full_keeps_its_bound_and_says_what_is_missing() {
    let mut setting = setting();
    setting.fill();
    setting.bring.most = 100_000;
    let brought = setting.bring("s3://team/runs").unwrap();
    let held: u64 = setting
        .bring
        .cache
        .copies()
        .iter()
        .map(|copy| copy.length)
        .sum();
    assert!(held <= 100_000 && brought.objects < 12 && brought.objects > 1);
    assert_eq!(brought.objects + brought.missing, 12);
    assert!(
        brought.troubles[0].why.contains("limits.cache"),
        "{:?}",
        brought.troubles
    );
    assert!(setting.cache.path().join("marks").is_dir());
}

#[test]
fn nothing_at_an_address_is_told() {
    let setting = setting();
    setting.fill();
    assert_eq!(
        setting.bring("s3://team/none").unwrap_err(),
        StoreError::Absent
    );
    let error = setting
        .bring("s3://team/runs/images")
        .unwrap_err()
        .to_string();
    assert_eq!(error, "there is no log among 1 object");
}

#[test]
fn pictures_are_fetched_when_they_are_asked_for() {
    let setting = setting();
    setting.fill();
    let brought = setting.bring("s3://team/runs").unwrap();
    let picture = brought.path.join("images/1.png");
    assert!(!picture.exists());
    assert!(fetch_on_demand(&picture, 3).unwrap().is_err(), "too large");
    fetch_on_demand(&picture, 1000).unwrap().unwrap();
    assert_eq!(fs::read(&picture).unwrap(), b"picture");
    setting.server.seen();
    fetch_on_demand(&picture, 1000).unwrap().unwrap();
    assert!(setting.server.seen().is_empty());
    assert!(fetch_on_demand(&brought.path.join("images/2.png"), 1000).is_none());
}

#[test]
fn a_web_server_is_read_by_its_listing() {
    let setting = setting();
    setting.server.put(
        "logs/listing.json",
        r#"{"a.jsonl": {}, "deep/b c.jsonl": {}, "note.txt": {}}"#,
    );
    setting.server.put("logs/a.jsonl", "a\n");
    setting.server.put("logs/deep/b c.jsonl", "b\n");
    let folder = format!("{}/logs", setting.server.address);
    setting.server.fail(FaultScope::Objects, Fault::Cut, 1);
    for fetched in [2, 0] {
        let brought = setting.bring(&folder).unwrap();
        assert_eq!((brought.objects, brought.fetched), (2, fetched));
        let copies = [("a.jsonl", "a\n"), ("deep/b c.jsonl", "b\n")];
        assert_eq!(
            setting.copies(&brought),
            copies.map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
    }
    let named = setting.bring(&format!("{folder}/listing.json")).unwrap();
    assert!(named.path.ends_with("logs") && named.path.is_dir() && named.objects == 2);
    setting.server.put("logs/a.jsonl", "changed\n");
    assert_eq!(setting.bring(&folder).unwrap().fetched, 1);
    let one = setting.bring(&format!("{folder}/a.jsonl")).unwrap();
    assert_eq!(fs::read_to_string(one.path).unwrap(), "changed\n");
    assert_eq!(
        setting.bring(&setting.server.address).unwrap().objects,
        2,
        "as below `logs`"
    );
    let none = setting.bring(&format!("{folder}/deep")).unwrap_err();
    assert!(none.to_string().contains("no listing.json"), "{none}");
}

#[test]
fn a_data_set_of_a_hub_is_read_at_one_commit() {
    let setting = setting_with("KEY", Some("TOKEN"));
    let server = &setting.server;
    server.put("api/datasets/o/n/revision/main", r#"{"sha": "c0ffee"}"#);
    let tree = r#"[{"type": "directory", "path": "runs", "oid": "d"},
        {"type": "file", "path": "runs/a.jsonl", "size": 2, "oid": "1"},
        {"type": "file", "path": "runs/b.jsonl", "size": 130, "oid": "2", "lfs": {"oid": "x", "size": 5}},
        {"type": "file", "path": "README.md", "size": 9, "oid": "3"}]"#;
    server.put("api/datasets/o/n/tree/c0ffee", tree);
    server.put("datasets/o/n/resolve/c0ffee/runs/a.jsonl", "a\n");
    server.put("datasets/o/n/resolve/c0ffee/runs/b.jsonl", "large");
    for fetched in [2, 0] {
        let brought = setting.bring("hf://datasets/o/n").unwrap();
        assert_eq!(
            (brought.objects, brought.fetched, brought.missing),
            (2, fetched, 0)
        );
        let log = brought.path.join("runs/b.jsonl");
        assert_eq!(fs::read(&log).unwrap(), b"large");
        assert_eq!(base::format::path(&log), "hf://datasets/o/n/runs/b.jsonl");
    }
    let wrong = setting_with("KEY", Some("SECRET-TOKEN"));
    let error = wrong.bring("hf://datasets/o/n").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("SECRET"), "{error}");
    assert!(matches!(error, StoreError::Denied(_)), "{error:?}");
}

/// Serialises tests that open the same address: a process registers only the newest opening of an
/// address.
pub fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Redirects are not followed to other hosts, with or without credentials.
#[test]
fn no_redirect_leads_to_another_host() {
    let setting = setting_with("KEY", Some("TOKEN"));
    setting.fill();
    let (web, other) = (setting.server.address.clone(), Server::start());
    other.put("team/runs/m0/a.jsonl", content(0));
    let port = other.address.rsplit(':').next().unwrap();
    for place in [other.address.clone(), format!("http://localhost:{port}")] {
        for status in [301, 302, 303, 307, 308] {
            setting
                .server
                .with(|store| store.leads = Some((status, place.clone())));
            for address in [
                "s3://team/runs".to_owned(),
                "s3://team/runs/m0/a.jsonl".to_owned(),
                "gs://team/runs".to_owned(),
                "gs://team/runs/m0/a.jsonl".to_owned(),
                "az://team/runs".to_owned(),
                "az://team/runs/m0/a.jsonl".to_owned(),
                "hf://datasets/o/n".to_owned(),
                format!("{web}/team/runs/m0/a.jsonl"),
                format!("{web}/team/runs/listing.json"),
            ] {
                let told = match setting.bring(&address) {
                    Err(error) => error.to_string(),
                    Ok(brought) => brought.troubles[0].why.clone(),
                };
                assert!(
                    told.contains("it redirects to"),
                    "{status} {address}: {told}"
                );
                assert_eq!(other.seen(), [""; 0], "{status} {address}");
            }
        }
    }
}

/// Redirects in a circle, to a local file, or without a scheme end with an error.
#[test]
fn odd_redirects_of_a_web_server_end() {
    let setting = setting_with("KEY", None);
    let (web, other) = (setting.server.address.clone(), Server::start());
    let elsewhere = other.address.replace("http://127.0.0.1", "//localhost");
    for (place, most) in [(web.clone(), 6), ("file://".to_owned(), 1), (elsewhere, 1)] {
        setting
            .server
            .with(|store| store.leads = Some((302, place.clone())));
        for name in ["a.jsonl", "listing.json"] {
            let told = match setting.bring(&format!("{web}/team/{name}")) {
                Err(error) => error.to_string(),
                Ok(brought) => brought.troubles[0].why.clone(),
            };
            assert!(told.contains("it redirects to"), "{place}: {told}");
            assert!(setting.server.seen().len() <= most, "{place} {name}");
            assert_eq!(other.seen(), [""; 0], "{place} {name}");
        }
    }
}

#[test]
fn a_listing_that_turns_in_circles_ends() {
    let next = |name: &str| Some(name.to_owned());
    let mut listed = Listing::default();
    assert!(listed.turn(next("a"), 5).unwrap());
    assert!(listed.turn(next("b"), 5).unwrap());
    assert!(listed.turn(next("b"), 5).is_err(), "the same page again");
    let mut listed = Listing::default();
    let mut pages = (0..).map(|page| listed.turn(Some(format!("{page}")), 0));
    assert!(pages.by_ref().take(2_000).any(|turned| turned.is_err()));
    // Two pages alternate, each with the same few names.
    let mut listed = Listing::default();
    let mut pages = (0..).map(|page| listed.turn(next(["a", "b"][page % 2]), 5));
    assert!(pages.by_ref().take(2_000).any(|turned| turned.is_err()));
    let mut listed = Listing::default();
    let mut pages = (0..5_000).map(|page| listed.turn(Some(format!("{page}")), 1000));
    assert!(pages.all(|turned| turned.unwrap()), "full pages");
    let mut listed = Listing::default();
    let most = base::limits::Limit::Files.length();
    listed.add((0..most + 7).map(|_| Entry::named("x")));
    assert_eq!((listed.len(), listed.beyond), (most, 7));
    assert!(!listed.turn(next("more"), 5).unwrap(), "there is no room");
}
