//! Tests the filter language and `--by`, with their errors.

use serde_json::json;
use tempfile::TempDir;

use crate::own_format::{line, log};
use crate::support::{arg, eyechart, fixture, list, run, texts};

/// Seven predictions: model `m` answered five samples, and model `other` answered two of these.
fn runs() -> TempDir {
    let ask = |id: &str, model: &str, response: &str, tags: serde_json::Value| {
        line(
            &json!({"sample_id": id, "model": model, "response": response, "tags": tags, "condition": {"rotation": 90, "prompt": "long one"}}),
        )
    };
    log(&[
        ask("a", "m", "3", json!({"size": 1, "dataset": "LVIS"})),
        ask("b", "m", "4 apples", json!({"size": 2, "dataset": "LVIS"})),
        ask(
            "c",
            "m",
            "some of it",
            json!({"size": 3, "dataset": "CARPK"}),
        ),
        line(
            &json!({"sample_id": "d", "ability": "object_recognition", "choices": ["dog", "cat"], "target": "A", "response": "A"}),
        ),
        line(
            &json!({"sample_id": "e", "ability": "object_recognition", "choices": ["dog", "cat"], "target": "A", "response": "B"}),
        ),
        line(
            &json!({"sample_id": "d", "model": "other", "ability": "object_recognition", "choices": ["dog", "cat"], "target": "A", "response": "B"}),
        ),
        line(
            &json!({"sample_id": "e", "model": "other", "ability": "object_recognition", "choices": ["dog", "cat"], "target": "A", "response": "B"}),
        ),
    ])
}

#[test]
fn filters_select() {
    let folder = runs();
    let cases: [(&str, &[&str]); 34] = [
        ("", &["a", "b", "c", "d", "e", "d", "e"]),
        ("ability:counting", &["a", "b", "c"]),
        ("model:other", &["d", "e"]),
        ("model=m ability:recog", &["d", "e"]),
        ("correct:true", &["a", "d"]),
        ("correct:false model:m", &["b", "c", "e"]),
        ("invalid:true", &["c"]),
        ("score:0..0.5 ability:counting", &["a", "b"]),
        ("score>0 ability:counting", &["b"]),
        ("tag.size:2..3", &["b", "c"]),
        ("tag.size:..2", &["a", "b"]),
        ("size>=3 or size<=1", &["a", "c"]),
        ("ability:counting not size=2", &["a", "c"]),
        ("not (size=1 or size=2) ability:counting", &["c"]),
        ("dataset:LVIS", &["a", "b"]),
        ("dataset!=LVIS ability:counting", &["c"]),
        ("rotation:90", &["a", "b", "c"]),
        ("prompt:\"long one\" size=1", &["a"]),
        ("apples", &["b"]),
        ("\"of it\"", &["c"]),
        ("response~\"^[0-9]+$\"", &["a"]),
        ("sample:c", &["c"]),
        ("answer=dog", &["d"]),
        ("answer=A", &["d"]),
        ("answer:ca model:m", &["e"]),
        ("answer!=dog ability:recog model:m", &["e"]),
        ("target=dog answer=cat", &["e", "d", "e"]),
        ("target=A model:other", &["d", "e"]),
        ("target:cat", &[]),
        ("answer=\"\"", &["c"]),
        ("answer=3 or answer=4", &["a", "b"]),
        ("disagree:other", &["d"]),
        ("model~\"^nothing$\"", &[]),
        ("model:other dataset:LVIS", &[]),
    ];
    for (filter, ids) in cases {
        let found = eyechart(&["samples", arg(folder.path()), "--filter", filter]);
        assert_eq!(texts(list(&found, "samples"), "sample_id"), ids, "{filter}");
    }
}

#[test]
fn a_bare_word_finds_the_sample_with_this_id() {
    let row = |id: &str| line(&json!({"sample_id": id, "response": "3"}));
    let folder = log(&[row("pic-007"), row("pic-0071")]);
    let found = eyechart(&["samples", arg(folder.path()), "--filter", "PIC-007"]);
    assert_eq!(texts(list(&found, "samples"), "sample_id"), ["pic-007"]);
}

#[test]
fn where_the_two_rules_differ() {
    let logs = fixture("ava_bench");
    let count = |filter: &str| {
        list(
            &eyechart(&["samples", arg(&logs), "--filter", filter]),
            "samples",
        )
        .len()
    };
    let (differ, agree) = (count("scorers:disagree"), count("scorers:agree"));
    assert!(differ > 20, "{differ}");
    assert_eq!(differ + agree, count(""));
    // The harness accepts an option if the answer has fewer words than the option's text.
    assert!(count("scorers:disagree ability:spatial correct:true") > 0);
}

#[test]
fn errors_point_at_the_place_and_name_near_keys() {
    let logs = fixture("ava_bench");
    let cases = [
        ("abilty:ocr", "^^^^^^", 0, "ability"),
        ("score<", "^", 5, "value"),
        ("ocr (model:clip", "^", 4, "not closed"),
        ("model:clip)", "^", 10, "unmatched"),
        ("dataset>3", "^", 8, "order"),
        ("correct:maybe", "^^^^^", 8, "true or false"),
        ("score:low", "^^^", 6, "number"),
        ("model:clip or", "^", 13, "missing"),
        ("tag.datasett:nyu", "^^^^^^^^^^^^", 0, "dataset"),
        ("response~\"[\"", "^", 9, "regular expression"),
        ("disagree:nobody", "^^^^^^", 9, "no such model"),
        (
            "ability:cuonting",
            "^^^^^^^^",
            8,
            "the nearest is `counting`",
        ),
        ("ocr model!=clip", "^^^^", 11, "no such model `clip`"),
        (
            "benchmark=ava-bnech",
            "^^^^^^^^^",
            10,
            "the nearest is `ava-bench`",
        ),
        ("metric:giuo", "^^^^", 7, "the nearest is `giou`"),
        ("dataset:nyuu or ocr", "^^^^", 8, "the nearest is `nyu`"),
        ("scorers:what", "^^^^", 8, "disagree"),
    ];
    for (filter, carets, at, what) in cases {
        let run = run(&["samples", arg(&logs), "--filter", filter]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{filter}");
        assert!(run.stderr.contains(what), "{filter}: {}", run.stderr);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let quoted = lines
            .iter()
            .position(|line| line.trim() == filter)
            .expect("the filter is quoted");
        let place = format!("  {}{carets}", " ".repeat(at));
        assert!(
            lines[quoted + 1].starts_with(&place),
            "{filter}: {}",
            run.stderr
        );
    }
}

#[test]
fn splits() {
    let logs = fixture("ava_bench");
    let cases = [
        ("dataset", "dataset", "nyu"),
        ("tag.dataset", "tag.dataset", "nyu"),
        ("count,dataset", "count", "6-10"),
        ("count:0,5,10,40", "count:0,5,10,40", "[10, 40]"),
        ("dataset,count:0,5,10,40", "count:0,5,10,40", "[0, 5)"),
        ("count:width:3", "count:width:3", "[1, 10)"),
        ("count:quantile:4", "count:quantile:4", "[1, 2.75)"),
        ("depth_m:log:5", "depth_m:log:5", "[30.79, 61]"),
    ];
    for (by, split, bin) in cases {
        let report = eyechart(&["report", arg(&logs), "--by", by]);
        let found = list(&report, "subgroups")
            .iter()
            .any(|group| group["by"] == split && group["bin"] == bin);
        assert!(found, "{by}");
    }
    let folder = runs();
    let report = eyechart(&["report", arg(folder.path()), "--by", "dataset*size"]);
    let cross: Vec<&str> = texts(list(&report, "subgroups"), "bin");
    assert_eq!(cross.len(), 3, "{cross:?}");
    assert!(
        cross
            .iter()
            .any(|bin| bin.contains("CARPK") && bin.contains('3')),
        "{cross:?}"
    );
}

#[test]
fn errors_of_splits_name_the_near_one() {
    let logs = fixture("ava_bench");
    let cases = [
        ("cuont", "did you mean `count`"),
        ("dataset,countt", "did you mean `count`"),
        ("count:3", "rising order"),
        ("count:5,1", "rising order"),
        ("count:log:0", "log:5"),
        ("count:sideways:3", "quantile:4"),
        ("dataset*", "called ``"),
    ];
    for (by, what) in cases {
        let run = run(&["report", arg(&logs), "--by", by]);
        assert_eq!(run.code, 2, "{by}: {}", run.stderr);
        assert!(run.stderr.contains(what), "{by}: {}", run.stderr);
    }
}
