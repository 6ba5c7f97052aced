//! Tests repeated answers of one model below separately named paths.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::line;
use crate::support::{all, arg, eyechart, fixture, list, one, run, without_evidence};

/// Writes a log with answers of model `m` to samples of an ability.
fn write(folder: &TempDir, path: &str, ability: &str, answers: &[(&str, &str)]) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    if path.extension().is_some_and(|ending| ending == "csv") {
        let rows = answers
            .iter()
            .map(|(id, response)| format!("{id},set,{ability},m,how many?,3,{response}\n"));
        let header = "sample_id,benchmark,ability,model,question,target,response\n";
        let text: String = std::iter::once(header.to_owned()).chain(rows).collect();
        return fs::write(path, text).expect("a log");
    }
    let lines = answers.iter().map(|(id, response)| {
        line(
            &json!({"sample_id": id, "benchmark": "set", "ability": ability, "response": response}),
        )
    });
    fs::write(path, lines.collect::<Vec<_>>().join(&b'\n')).expect("a log");
}

/// Run, number of samples and score of each row of a metric, and the number of problems.
fn told(folder: &TempDir, paths: &[&str], extra: &[&str]) -> (Vec<(Value, u64, f64)>, usize) {
    let paths: Vec<_> = paths.iter().map(|path| folder.path().join(path)).collect();
    let args: Vec<&str> = ["report"]
        .into_iter()
        .chain(paths.iter().map(|path| arg(path)))
        .collect();
    let report = eyechart(&[&args, extra].concat());
    let rows = all(list(&report, "scores"), &[("metric", "accuracy")]);
    let row = |row: &&Value| {
        assert_eq!(row["model"], "m", "{row}");
        let number = |key: &str| row[key].as_f64().expect("a number");
        (
            row["run"].clone(),
            row["n"].as_u64().expect("n"),
            number("score"),
        )
    };
    let problems = list(&report, "sources")
        .iter()
        .map(|source| list(source, "problems").len());
    (rows.iter().map(row).collect(), problems.sum())
}

const RIGHT: [(&str, &str); 2] = [("1", "3"), ("2", "3")];
const HALF: [(&str, &str); 2] = [("1", "3"), ("2", "4")];

#[test]
fn both_are_kept_and_named_by_path() {
    for ending in ["eyechart.jsonl", "csv"] {
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder, &format!("monday/a.{ending}"), "counting", &RIGHT);
        write(&folder, &format!("friday/a.{ending}"), "counting", &HALF);
        let expected = vec![("friday".into(), 2, 0.5), ("monday".into(), 2, 1.0)];
        let (mut found, problems) = told(&folder, &["monday", "friday"], &[]);
        found.sort_by_key(|(run, ..)| run.to_string());
        assert_eq!((&found, problems), (&expected, 0), "{ending}");
        // Files count as paths, like folders.
        let files = ["monday", "friday"].map(|day| format!("{day}/a.{ending}"));
        let (mut found, _) = told(&folder, &[&files[0], &files[1]], &[]);
        found.sort_by_key(|(run, ..)| run.to_string());
        assert_eq!(found, expected, "{ending}");
        // Below a single named path, the answers are not mixed either.
        let (mut found, problems) = told(&folder, &["."], &[]);
        found.sort_by_key(|(run, ..)| run.to_string());
        assert_eq!((&found, problems), (&expected, 0), "{ending}");
        for (runs, expected) in [("monday", 1.0), ("friday", 0.5)] {
            let (found, _) = told(&folder, &["monday", "friday"], &["--runs", runs]);
            assert_eq!(found, [(Value::Null, 2, expected)], "{ending}");
        }
        let (found, _) = told(&folder, &["monday", "friday"], &["--filter", "run:monday"]);
        assert_eq!(found, [("monday".into(), 2, 1.0)], "{ending}");
    }
}

#[test]
fn parts_of_one_run_stay_one_model() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "ocr/a.eyechart.jsonl", "counting", &RIGHT);
    write(
        &folder,
        "color/a.eyechart.jsonl",
        "counting",
        &[("3", "3"), ("4", "4")],
    );
    // Equal ids in different abilities are different samples.
    write(&folder, "more/a.eyechart.jsonl", "spatial", &RIGHT);
    let (found, problems) = told(&folder, &["ocr", "color", "more"], &[]);
    assert_eq!((found, problems), (vec![(Value::Null, 4, 0.75)], 0));
}

#[test]
fn folders_of_parts_that_repeat_each_other_are_two_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    for (day, answers) in [("monday", RIGHT), ("friday", HALF)] {
        write(
            &folder,
            &format!("{day}/one/a.eyechart.jsonl"),
            "counting",
            &answers,
        );
        let more = [("3", "3"), ("4", answers[1].1)];
        write(
            &folder,
            &format!("{day}/two/a.eyechart.jsonl"),
            "counting",
            &more,
        );
    }
    let paths = ["monday/one", "monday/two", "friday/one", "friday/two"];
    let (mut found, problems) = told(&folder, &paths, &[]);
    found.sort_by_key(|(run, ..)| run.to_string());
    let expected = [("friday".into(), 4, 0.5), ("monday".into(), 4, 1.0)];
    assert_eq!((found.as_slice(), problems), (expected.as_slice(), 0));
}

#[test]
fn three_repetitions_are_three_runs_and_what_one_has_alone_is_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "a/x.eyechart.jsonl", "counting", &RIGHT);
    write(
        &folder,
        "b/x.eyechart.jsonl",
        "counting",
        &[("1", "4"), ("2", "4"), ("9", "3")],
    );
    write(
        &folder,
        "c/x.eyechart.jsonl",
        "counting",
        &[HALF.as_slice(), &[("2", "3")]].concat(),
    );
    let (mut found, problems) = told(&folder, &["a", "b", "c"], &[]);
    found.sort_by_key(|(run, ..)| run.to_string());
    let expected = [
        ("a".into(), 2, 1.0),
        ("b".into(), 3, 1.0 / 3.0),
        ("c".into(), 2, 1.0),
    ];
    // Of two lines for one sample in a log, the last line counts.
    assert_eq!((found.as_slice(), problems), (expected.as_slice(), 1));
}

#[test]
fn only_the_model_that_is_repeated_becomes_runs_and_keeps_its_text() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "a/x.eyechart.jsonl", "counting", &RIGHT);
    write(&folder, "b/x.eyechart.jsonl", "counting", &HALF);
    let other = line(&json!({"sample_id": "7", "benchmark": "set", "model": "other"}));
    fs::write(folder.path().join("b/y.eyechart.jsonl"), other).expect("a log");
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let samples = eyechart(&["samples", arg(&a), arg(&b)]);
    let told: BTreeSet<String> = (list(&samples, "samples").iter())
        .map(|row| format!("{} {} {}", row["model"], row["run"], row["response"]))
        .collect();
    let expected = [
        r#""m" "a" "3""#,
        r#""m" "b" "3""#,
        r#""m" "b" "4""#,
        r#""other" null "3""#,
    ];
    assert_eq!(told, BTreeSet::from(expected.map(str::to_owned)));
    let report = eyechart(&["report", arg(&a), arg(&b)]);
    let row = one(list(&report, "runs"), &[("run", "a")]);
    assert_eq!(
        (&row["benchmark"], &row["model"]),
        (&"set".into(), &"m".into())
    );
    let other = one(list(&report, "average_rank"), &[("model", "other")]);
    assert!(other["run"].is_null(), "{other}");
    // A converted log keeps its runs.
    let out = folder.path().join("all.jsonl");
    let done = run(&["convert", arg(&a), arg(&b), "--out", arg(&out)]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let again = eyechart(&["report", arg(&out)]);
    assert_eq!(
        without_evidence(&again["scores"]),
        without_evidence(&report["scores"])
    );
}

/// Figures printed by a harness stay with their run.
#[test]
fn figures_of_converted_logs_go_with_their_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let convert = |day: &str| {
        let out = folder.path().join(day).join("all.csv");
        fs::create_dir_all(out.parent().expect("a folder")).expect("a folder");
        let logs = fixture("vlmevalkit/outputs/Qwen-Mini-VL-3B/T20261121-001510");
        let done = run(&["convert", arg(&logs), "--out", arg(&out)]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        out
    };
    let (monday, friday) = (convert("monday"), convert("friday"));
    // The figure differs from that of the first day.
    let text = fs::read_to_string(&friday).expect("a log");
    assert!(text.contains("0.593"));
    fs::write(&friday, text.replace("0.593", "0.595")).expect("a log");
    let report = |paths: &[&Path]| {
        let paths = paths.iter().map(|path| arg(path));
        eyechart(&["report"].into_iter().chain(paths).collect::<Vec<_>>())
    };
    let both = report(&[&monday, &friday]);
    let fields = [("ability", "average"), ("metric", "ve_rot180")];
    let figures = all(list(&both, "scores"), &fields);
    let told: BTreeSet<String> = (figures.iter())
        .map(|row| format!("{} {}", row["run"], row["score"]))
        .collect();
    let expected = ["\"friday\" 0.595", "\"monday\" 0.593"].map(str::to_owned);
    assert_eq!(told, BTreeSet::from(expected));
    let one = report(&[&monday]);
    let count = |report: &Value| list(report, "scores").len();
    assert_eq!(count(&both), 2 * count(&one));
}
