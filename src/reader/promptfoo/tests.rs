use record::{ImageRef, Record, Target, Value};
use serde_json::{Value as Json, json};

use super::Promptfoo;
use crate::testing::{CollectingSink, fixture, read_all, units};
use crate::{Context, Position, Reader as _};

/// Writes a log with this name and content, and reads it.
fn read(name: &str, text: &str) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    read_all(&Promptfoo, folder.path())
}

fn content(name: &str) -> String {
    std::fs::read_to_string(fixture("promptfoo").join(name)).unwrap()
}

/// Returns the sum of the scores under a metric, and their number, by model and prompt.
fn sums(found: &CollectingSink, metric: &str) -> Vec<(String, f64, usize)> {
    let mut names: Vec<String> = found.records.iter().map(|it| name(&it.0)).collect();
    names.sort();
    names.dedup();
    let sum = |wanted: String| {
        let records = found.records.iter().map(|(record, _)| record);
        let scores = records.filter(|it| name(it) == wanted).filter_map(|it| {
            let own = it.metric.as_deref() == Some(metric);
            let beside = it.beside.iter().find(|(name, _)| name == metric);
            it.stored.filter(|_| own).or(beside.map(|it| it.1))
        });
        let scores: Vec<f64> = scores.filter(|score| !score.is_nan()).collect();
        (wanted, scores.iter().sum(), scores.len())
    };
    names.into_iter().map(sum).collect()
}

fn name(record: &Record) -> String {
    format!("{} {}", record.model, record.condition["prompt"])
}

/// Returns an answer as written by promptfoo. Members in `more` replace its members.
fn row(more: Json) -> Json {
    let mut row = json!({
        "provider": {"id": "m"}, "prompt": {"raw": "q?", "label": "p"}, "vars": {"question": "q?"},
        "response": {"output": "yes"}, "success": true, "failureReason": 0, "score": 1,
        "namedScores": {}, "latencyMs": 3, "gradingResult": {"pass": true},
    });
    for (key, value) in more.as_object().unwrap() {
        row[key] = value.clone();
    }
    row
}

fn rows(rows: &[Json]) -> CollectingSink {
    let lines: Vec<String> = rows.iter().map(Json::to_string).collect();
    read("a.jsonl", &(lines.join("\n") + "\n"))
}

#[test]
fn every_layout_gives_the_counts_of_promptfoo() {
    let whole = read("results.json", &content("results.json"));
    let table = read("results.csv", &content("results.csv"));
    for found in [&whole, &table] {
        let passed = [
            ("alpha-vl-7b careful", 5.0, 5),
            ("alpha-vl-7b terse", 5.0, 5),
            ("beta-vl-2b careful", 1.0, 5),
            ("beta-vl-2b terse", 1.0, 5),
        ];
        let passed = passed.map(|(name, sum, n)| (name.to_owned(), sum, n));
        assert_eq!(sums(found, "pass"), passed);
        assert_eq!(sums(found, "score"), passed);
        let colors: Vec<_> = sums(found, "color").iter().map(|it| (it.1, it.2)).collect();
        assert_eq!(colors, [(2.0, 2), (2.0, 2), (0.0, 1), (0.0, 1)]);
        assert_eq!(found.records.len(), 24);
        assert_eq!(found.problems.len(), 4, "{:?}", found.problems);
        let is_failure = |it: &String| it.contains("request failed, not scored");
        assert!(found.problems.iter().all(is_failure));
    }
    let lines = read("results.jsonl", &content("results.jsonl"));
    assert_eq!((lines.records.len(), lines.problems.len()), (8, 2));
    assert!(lines.problems[0].ends_with("as failed): API error: 400 Bad Request"));
    let asked = |found: &CollectingSink| {
        let parts = |it: &Record| {
            format!("{} {:?}", it.sample_id, it.content.target) + &it.content.question
        };
        let mut asked: Vec<String> = found.records.iter().map(|it| parts(&it.0)).collect();
        asked.sort();
        asked
    };
    assert_eq!(asked(&whole), asked(&table));
}

#[test]
fn figures_count_errors_as_failed_tests() {
    let found = read("results.json", &content("results.json"));
    let figure = |model: &str, split: &str, metric: &str| {
        let figures = found.figures.iter();
        let found: Vec<_> = figures
            .filter(|it| it.model == model && it.metric == metric)
            .filter(|it| it.split.as_deref() == Some(split))
            .map(|it| (it.score, it.n, it.ability.as_str(), it.by_harness))
            .collect();
        assert!(found.len() < 2);
        found.first().copied()
    };
    let alpha = figure("alpha-vl-7b", "harness, terse", "pass_rate");
    assert_eq!(alpha, Some((5.0 / 6.0, 6, "all", true)));
    let beta = figure("beta-vl-2b", "harness, careful", "shape");
    assert_eq!(beta, Some((0.5, 2, "all", true)));
    // All assertions of this answer have weight 0, so there is no mean.
    assert_eq!(figure("beta-vl-2b", "harness, careful", "brevity"), None);
}

#[test]
fn an_answer_has_its_question_picture_target_and_messages() {
    let found = read("results.json", &content("results.json"));
    let is_first =
        |it: &&(Record, u64)| it.0.sample_id == "color_000" && name(&it.0).ends_with("terse");
    let (record, _) = found.records.iter().find(is_first).unwrap();
    assert!(
        record
            .content
            .question
            .starts_with("What color is the triangle?")
    );
    assert_eq!(record.content.target, Some(Target::Text("D".to_owned())));
    assert_eq!(record.ability, "color");
    assert!(
        matches!(&record.content.images[..], [ImageRef::Inline(url)] if url.starts_with("data:image/png;base64,iVBO"))
    );
    assert_eq!(record.content.tags["difficulty"], "easy".into());
    assert!(!record.content.tags.contains_key("answer"));
    let sent = record.content.sent.as_ref().unwrap();
    assert_eq!(sent.system.as_deref(), Some("Be terse."));
    assert_eq!(sent.messages[0].parts.len(), 2);
    let failed = found
        .records
        .iter()
        .find(|(it, _)| it.stored.unwrap().is_nan());
    assert_eq!(failed.unwrap().0.response, None);

    let table = read("results.csv", &content("results.csv"));
    let images = &table.records[0].0.content.images;
    assert_eq!(images, &[ImageRef::Path("images/color_000.png".to_owned())]);
}

#[test]
fn layouts_of_one_evaluation_count_once_and_inputs_are_no_logs() {
    let units = units(&Promptfoo, &fixture("promptfoo"));
    let read: Vec<_> = units
        .iter()
        .map(|it| {
            (
                it.path.extension().unwrap().to_str().unwrap(),
                it.superseded,
            )
        })
        .collect();
    assert_eq!(read, [("csv", true), ("json", false), ("jsonl", true)]);
    let mut files = crate::find(&[fixture("promptfoo")]).0;
    Promptfoo.plan(&mut files, &Context::default());
    assert!(files.is_empty(), "{files:?}");
}

#[test]
fn repeats_are_answers_to_equal_variables() {
    let other = json!({"vars": {"question": "other?"}});
    let found = rows(&[
        row(json!({"testIdx": 0})),
        row(other.clone()),
        row(json!({"testIdx": 1})),
        row(json!({"provider": {"id": "n"}, "testIdx": 2})),
        row(json!({"repeatIndex": 4})),
    ]);
    let of = |at: usize| {
        let record = &found.records[at].0;
        (record.sample_id.clone(), record.condition["repeat"].clone())
    };
    let first = of(0).0;
    assert_ne!(of(1).0, first);
    for (at, repeat) in [(0, 1.0), (2, 2.0), (3, 1.0), (4, 5.0)] {
        assert_eq!(of(at), (first.clone(), Value::Number(repeat)), "{at}");
    }
}

#[test]
fn one_description_of_several_tests_is_told_apart() {
    let described = |question: &str| {
        row(json!({"vars": {"question": question}, "testCase": {"description": "d"}}))
    };
    let found = rows(&[described("a?"), described("b?"), described("a?")]);
    let ids: Vec<&str> = found
        .records
        .iter()
        .map(|it| it.0.sample_id.as_str())
        .collect();
    assert_eq!((ids[0], ids[2]), ("d", "d"));
    assert!(ids[1].starts_with("d #"), "{ids:?}");
}

#[test]
fn a_failed_request_is_no_failed_assertion() {
    let found = rows(&[
        row(json!({"success": false, "failureReason": 1, "error": "not equal", "score": 0.5})),
        row(json!({"success": false, "failureReason": 2, "error": "timeout"})),
        row(json!({"success": false, "failureReason": 0, "response": {"error": "gone"}})),
        // For versions without `failureReason`.
        row(json!({"success": false, "failureReason": null, "error": "not equal"})),
        row(
            json!({"success": false, "failureReason": null, "error": "down", "gradingResult": null, "response": null}),
        ),
    ]);
    let stored: Vec<f64> = found
        .records
        .iter()
        .map(|it| it.0.stored.unwrap())
        .collect();
    let failed: Vec<bool> = stored.iter().map(|it| it.is_nan()).collect();
    assert_eq!(failed, [false, true, true, false, true]);
    assert_eq!(stored[0], 0.0);
    assert_eq!(found.records[0].0.beside, [("score".to_owned(), 0.5)]);
    assert_eq!(found.records[1].0.beside, []);
    assert_eq!(found.problems.len(), 3, "{:?}", found.problems);
}

#[test]
fn a_target_comes_from_variables_or_a_single_assertion() {
    let target = |vars: Json, assertions: Json| {
        let found = rows(&[row(
            json!({"vars": vars, "testCase": {"assert": assertions}}),
        )]);
        found.records[0]
            .0
            .content
            .target
            .as_ref()
            .map(Target::to_string)
    };
    let equals = |value: &str| json!({"type": "equals", "value": value});
    assert_eq!(
        target(json!({"Expected": "cat"}), json!([equals("dog")])).as_deref(),
        Some("cat")
    );
    assert_eq!(
        target(json!({"q": "?"}), json!([equals("dog")])).as_deref(),
        Some("dog")
    );
    let regex = json!([{"type": "regex", "value": r"\bB\b"}, {"type": "javascript", "value": "1"}]);
    assert_eq!(target(json!({"q": "?"}), regex).as_deref(), Some("B"));
    assert_eq!(
        target(json!({"key": 7}), json!([equals("{{ key }}")])).as_deref(),
        Some("7")
    );
    for unclear in [
        json!([equals("dog"), equals("cat")]),
        json!([{"type": "regex", "value": "(B|C)"}]),
        json!([{"type": "llm-rubric", "value": "is kind"}]),
        json!([{"type": "not-equals", "value": "dog"}]),
        json!("dog"),
    ] {
        assert_eq!(
            target(json!({"q": "?"}), unclear.clone()),
            None,
            "{unclear}"
        );
    }
}

#[test]
fn pictures_are_found_in_prompts_and_variables() {
    let images = |more: Json| rows(&[row(more)]).records[0].0.content.images.clone();
    let anthropic = json!([{"role": "user", "content": [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
        {"type": "text", "text": "What?"},
    ]}]);
    let found = images(json!({"prompt": {"raw": anthropic.to_string(), "label": "p"}}));
    assert_eq!(
        found,
        [ImageRef::Inline("data:image/png;base64,iVBO".to_owned())]
    );
    let long = format!("/9j/{}", "A".repeat(80));
    let vars = json!({"a": "file://x/1.PNG", "b": "https://h/2.jpg?s=1", "c": long, "d": "no.png in a\ntext.png"});
    let expected = [
        ImageRef::Path("x/1.PNG".to_owned()),
        ImageRef::Url("https://h/2.jpg?s=1".to_owned()),
        ImageRef::Inline(long.clone()),
    ];
    assert_eq!(images(json!({"vars": vars})), expected);
}

#[test]
fn documents_of_older_versions_are_read() {
    let old = |display: &str| {
        json!({
            "provider": {"id": "m"}, "prompt": {"raw": "q?", "display": display},
            "vars": {"q": "x"}, "response": {"output": {"a": 1}}, "success": false, "error": "no",
            "score": 0.0, "namedScores": {}, "latencyMs": 1, "gradingResult": {"pass": false},
        })
    };
    let results = json!({"version": 1, "results": [old("one"), old("two")], "stats": {"successes": 0, "failures": 3}});
    for document in [results.clone(), json!({"results": results, "config": {}})] {
        let found = read(
            "old.json",
            &serde_json::to_string_pretty(&document).unwrap(),
        );
        assert_eq!(found.records.len(), 2, "{document}");
        assert_eq!(found.records[1].0.condition["prompt"], "two".into());
        assert_eq!(found.records[0].0.response.as_deref(), Some("{\"a\":1}"));
        let missing = "old.json:0: 2 of the evaluation's 3 answers are in the log";
        assert_eq!(found.problems, [missing]);
    }
}

#[test]
fn tables_without_a_column_for_the_status_are_read() {
    let table = "q,[m] p,[n] p\nx,[PASS] (1.00) yes,\"[FAIL] not equal\n---\nno\"\ny,[PASS] yes,\n";
    let found = read("old.csv", table);
    let told: Vec<_> = (found.records.iter())
        .map(|(it, line)| {
            (
                it.model.as_str(),
                it.response.as_deref().unwrap(),
                it.stored.unwrap(),
                *line,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("m", "yes", 1.0, 2),
            ("n", "no", 0.0, 2),
            ("m", "yes", 1.0, 5)
        ]
    );
    let words = "[12:00] start\n[PASS] one, two\n";
    assert!(read("words.csv", words).records.is_empty());
}

#[test]
fn odd_answers_cost_themselves_alone() {
    for odd in [
        row(json!({"success": "yes"})),
        row(json!({"provider": 7})),
        row(json!({"vars": [1]})),
        json!({}),
        json!(17),
    ] {
        let found = rows(&[
            row(json!({})),
            odd.clone(),
            row(json!({"vars": {"q": "z"}})),
        ]);
        assert_eq!(found.records.len(), 2, "{odd}");
        assert_eq!(found.problems.len(), 1, "{odd}: {:?}", found.problems);
        assert!(found.problems[0].starts_with("a.jsonl:2: "));
    }
    let whole = content("results.json");
    let cut = read("results.json", &whole[..whole.len() / 2]);
    assert!(!cut.records.is_empty() && cut.records.len() < 24);
    assert!(cut.problems.iter().any(|it| it.contains("cut short")));
    let table = content("results.csv");
    let cut = read("results.csv", &table[..table.len() - 100]);
    assert_eq!(cut.records.len(), 20);
    assert!(cut.problems[2].ends_with("fields where the header has 49"));
}

#[test]
fn lines_that_are_added_continue_the_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let line = row(json!({})).to_string() + "\n";
    let path = folder.path().join("a.jsonl");
    std::fs::write(&path, line.repeat(3)).unwrap();
    let unit = &units(&Promptfoo, folder.path())[0];
    let mut found = CollectingSink::default();
    let from = Position {
        offset: 2 * line.len() as u64,
        line: 3,
    };
    Promptfoo.read_on(unit, &Context::default(), from, &mut found);
    assert_eq!(found.records.len(), 1);
    assert_eq!(found.records[0].0.condition["repeat"], 3.0.into());
    assert_eq!(found.bytes, line.len() as u64);
}

proptest::proptest! {
    #[test]
    fn damaged_logs_are_never_fatal(
        which in 0..3_usize,
        hits in proptest::collection::vec(proptest::prelude::any::<(proptest::sample::Index, u8, u8)>(), 1..6),
    ) {
        let name = ["results.json", "results.jsonl", "results.csv"][which];
        let bytes = crate::testing::damaged(content(name).as_bytes(), &hits);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let found = read_all(&Promptfoo, folder.path());
        proptest::prop_assert!(found.records.len() <= 25);
    }
}

#[test]
fn one_provider_in_two_columns_is_two_models() {
    let all = [
        row(json!({"promptIdx": 0, "success": true})),
        row(json!({"promptIdx": 1, "success": false})),
        row(json!({"promptIdx": 0, "success": true, "vars": {"question": "r?"}})),
        row(json!({"promptIdx": 1, "success": true, "vars": {"question": "r?"}})),
    ];
    let found = rows(&all);
    let expected = [("m p", 2.0), ("m #2 p", 1.0)];
    let sums = sums(&found, "pass");
    for (name, sum) in expected {
        let found = sums.iter().find(|(known, ..)| known == name).unwrap();
        assert_eq!((found.1, found.2), (sum, 2), "{name}");
    }
    // The names of the harness's aggregates are the same.
    let prompt = |passed: u64| json!({"provider": "m", "label": "p", "metrics": {"testPassCount": passed, "testFailCount": 2 - passed}});
    let document = json!({"results": {"results": all, "prompts": [prompt(2), prompt(1)]}});
    let found = read("results.json", &document.to_string());
    let figures = found.figures.iter().filter(|it| it.metric == "pass_rate");
    let mut figures: Vec<(&str, f64)> = figures.map(|it| (it.model.as_str(), it.score)).collect();
    figures.sort_by(|a, b| a.0.cmp(b.0));
    assert_eq!(figures, [("m", 1.0), ("m #2", 0.5)]);
}
