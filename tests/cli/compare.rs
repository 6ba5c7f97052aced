//! Tests `eyechart compare`: two models, two filters, and comparisons that are impossible.

use serde_json::{Value, json};

use crate::own_format::{line, log};
use crate::support::{arg, assert_near, eyechart, fixture, list, one, run, sample_runs, texts};

fn ava() -> Value {
    eyechart(&["compare", "dinov2", "siglip2", arg(&fixture("ava_bench"))])
}

/// Differences and p values of the fixture match scipy 1.17.1 (`binomtest`; t tests as in
/// `make_paired.py`) and statsmodels 0.15.0 (`multipletests`), computed from the scores of the
/// harness's evaluators.
#[test]
fn numbers_agree_with_scipy_and_statsmodels() {
    let compared = ava();
    assert_eq!(compared["schema"], "eyechart.compare/1");
    assert_eq!(compared["a"], "dinov2_qwen2_lora_epoch_10");
    let abilities = list(&compared, "abilities");
    let exact = [
        (
            "absolute_depth",
            "paired_t",
            0.498_145_510_868,
            0.673_706_694_073,
        ),
        (
            "relative_depth",
            "mcnemar_exact",
            0.001_831_054_687_5,
            0.016_479_492_188,
        ),
        ("ocr", "paired_t", 0.700_333_992_089, 0.787_875_741_1),
        (
            "localization",
            "paired_t",
            0.987_554_607_062,
            0.987_554_607_062,
        ),
        ("color", "paired_t", 0.523_994_095_39, 0.673_706_694_073),
        (
            "fine_grained",
            "mcnemar_exact",
            0.021_484_375,
            0.096_679_687_5,
        ),
        (
            "scene_recognition",
            "mcnemar_exact",
            0.289_062_5,
            0.650_390_625,
        ),
        (
            "action_recognition",
            "mcnemar_exact",
            0.375,
            0.673_706_694_073,
        ),
        ("spatial", "mcnemar_exact", 0.218_75, 0.650_390_625),
    ];
    // Of 23 samples, 6 have a score of one model only.
    let counting = one(abilities, &[("ability", "counting")]);
    assert!(counting["p_value"].is_null() && counting["n"] == 17);
    let why_not = counting["why_not"].as_str().expect("a reason");
    assert!(why_not.starts_with("6 of 23 samples"), "{why_not}");
    for (ability, test, p, adjusted) in exact {
        let row = one(abilities, &[("ability", ability)]);
        assert_eq!(row["test"], test, "{ability}");
        assert_near(&row["p_value"], p, 1e-9, ability);
        assert_near(&row["p_adjusted"], adjusted, 1e-9, ability);
    }
    let row = one(abilities, &[("ability", "relative_depth")]);
    assert_near(&row["difference"], 0.5, 1e-12, "difference");
    // Exact interval of the share 13 of 14, by `proportion_ci(method="exact")`: (2 * 0.661 - 1) *
    // 14 / 24.
    assert_near(&row["ci"][0], 0.188_2, 0.001, "low");
    assert_near(&row["ci"][1], 0.708_3, 0.03, "high");
    assert_near(&row["detectable"], 0.337_267, 1e-5, "detectable");
    let cells = [
        "both", "only_a", "only_b", "neither", "a_better", "b_better", "equal",
    ];
    let cells = cells.map(|key| row[key].as_u64().expect("a count"));
    assert_eq!(cells, [10, 13, 1, 0, 13, 1, 10]);
    assert_eq!((&row["verdict"], &row["n"]), (&json!("a"), &json!(24)));
    let verdicts = texts(abilities, "verdict");
    assert_eq!(
        verdicts
            .iter()
            .filter(|verdict| **verdict == "not_separable")
            .count(),
        8
    );
}

#[test]
fn graded_scores_have_cells_only_with_a_threshold() {
    let logs = fixture("ava_bench");
    let compared = ava();
    let row = one(list(&compared, "abilities"), &[("ability", "localization")]);
    assert!(row["both"].is_null() && row["threshold"].is_null());
    assert_eq!(row["a_better"], 10);
    let cut = [
        "compare",
        "dinov2",
        "siglip2",
        arg(&logs),
        "--threshold",
        "0.7",
    ];
    let compared = eyechart(&cut);
    let row = one(list(&compared, "abilities"), &[("ability", "localization")]);
    let of = |key: &str| row[key].as_u64().expect("a count");
    assert_eq!(
        of("both") + of("only_a") + of("only_b") + of("neither"),
        of("n")
    );
    // A filter selects the samples in a cell.
    let filter = "ability:localization model:dinov2 right:dinov2@0.7 wrong:siglip2@0.7";
    let found = eyechart(&["samples", arg(&logs), "--filter", filter]);
    assert_eq!(list(&found, "samples").len() as u64, of("only_a"));
}

#[test]
fn every_cell_has_its_filter() {
    let logs = fixture("ava_bench");
    let count = |terms: &str| {
        let filter = format!("ability:relative_depth model:dinov2 {terms}");
        list(
            &eyechart(&["samples", arg(&logs), "--filter", &filter]),
            "samples",
        )
        .len()
    };
    let cases = [
        ("right:dinov2 right:siglip2", 10),
        ("right:dinov2 wrong:siglip2", 13),
        ("wrong:dinov2 right:siglip2", 1),
        ("wrong:dinov2 wrong:siglip2", 0),
        ("beats:siglip2", 13),
        ("loses:siglip2", 1),
        ("ties:siglip2", 10),
        ("disagree:siglip2", 14),
        ("right:siglip2@all", 11),
    ];
    for (terms, expected) in cases {
        assert_eq!(count(terms), expected, "{terms}");
    }
    let several = run(&["samples", arg(&logs), "--filter", "beats:lora"]);
    assert_eq!(several.code, 2);
    assert!(
        several.stderr.contains("several models"),
        "{}",
        several.stderr
    );
}

#[test]
fn subgroups_follow_the_splits() {
    let logs = fixture("ava_bench");
    let names = ["compare", "dinov2", "siglip2", arg(&logs)];
    let found = eyechart(&[&names[..], &["--by", "dataset"]].concat());
    let bins = list(&found, "subgroups");
    assert!(texts(bins, "by").iter().all(|by| *by == "dataset"));
    let of_localization: u64 = bins
        .iter()
        .filter(|row| row["ability"] == "localization")
        .map(|row| row["n"].as_u64().expect("a count"))
        .sum();
    assert_eq!(of_localization, 20);
    // Without --by, tags with a single bin per ability are omitted.
    let usual = eyechart(&names);
    for ability in texts(list(&usual, "abilities"), "ability") {
        for by in ["dataset", "box_area", "count", "depth_m"] {
            let key = [("ability", ability), ("by", by)];
            let bins = list(&usual, "subgroups").iter();
            let bins = bins.filter(|row| key.iter().all(|(key, value)| row[*key] == **value));
            assert_ne!(bins.count(), 1, "{ability} by {by}");
        }
    }
}

/// One model and six samples under two conditions: with boxes all are right, without boxes only
/// half.
#[test]
fn filters_are_sides_too() {
    let lines: Vec<Vec<u8>> = (0..12)
        .map(|at| {
            let (sample, boxes) = (at / 2, at % 2 == 0);
            let right = boxes || sample % 2 == 0;
            line(&json!({
                "sample_id": format!("s{sample}"), "condition": {"boxes": boxes},
                "response": null, "metric": "accuracy", "score": f64::from(u8::from(right)),
            }))
        })
        .collect();
    let folder = log(&lines);
    let compared = eyechart(&["compare", "boxes:true", "boxes:false", arg(folder.path())]);
    assert_eq!(compared["differ_in"], json!(["boxes"]));
    let row = &list(&compared, "abilities")[0];
    assert_eq!(
        (&row["n"], &row["both"], &row["only_a"]),
        (&json!(6), &json!(3), &json!(3))
    );
    assert_near(&row["difference"], 0.5, 1e-12, "difference");
    assert_near(&row["p_value"], 0.25, 1e-9, "p");
    assert_eq!(compared["dropped"]["only_in_a"], 0);
}

#[test]
fn what_speaks_against_comparing_comes_first() {
    let ask = |model: &str, sample: &str, question: &str| {
        line(&json!({"sample_id": sample, "model": model, "question": question, "response": "3"}))
    };
    let folder = log(&[
        ask("one", "a", "how many?"),
        ask("one", "b", "how many?"),
        ask("one", "c", "how many?"),
        ask("two", "a", "how many?"),
        ask("two", "b", "how many in all?"),
    ]);
    let compared = eyechart(&["compare", "one", "two", arg(folder.path())]);
    let warnings = texts_of(&compared["warnings"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0]
            .contains("1 sample differs between A and B; not paired; what differs: question"),
        "{warnings:?}"
    );
    // Model two did not answer one sample, and has another question for a second one.
    assert_eq!(compared["dropped"]["only_in_a"], 2);
    let table = run(&["compare", "one", "two", arg(folder.path())]);
    assert!(
        table.stdout.starts_with("Careful: counting: 1 sample"),
        "{}",
        table.stdout
    );
    assert!(
        table.stdout.contains("all their scores are equal"),
        "{}",
        table.stdout
    );
}

/// Every kind of mismatch is reported. Two models that differ from a third can still be compared.
#[test]
fn what_differs_is_named() {
    let ask = |model: &str, more: Value| {
        let mut record = json!({"sample_id": "a", "model": model, "question": "which?", "choices": ["x", "y"],
            "target": "A", "image": "a.png", "response": "A"});
        record
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        line(&record)
    };
    for (more, part) in [
        (json!({"question": "what?"}), "question"),
        (json!({"choices": ["x", "z"]}), "options"),
        (json!({"target": "B"}), "target"),
        (json!({"image": "b.png"}), "picture"),
        (
            json!({"image": "b.png", "question": "what?"}),
            "question and picture",
        ),
    ] {
        let folder = log(&[
            ask("one", json!({})),
            ask("two", more.clone()),
            ask("three", more),
        ]);
        let compared = eyechart(&["compare", "one", "two", arg(folder.path())]);
        let warnings = texts_of(&compared["warnings"]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].ends_with(&format!("what differs: {part}")),
            "{warnings:?}"
        );
        let compared = eyechart(&["compare", "two", "three", arg(folder.path())]);
        assert!(texts_of(&compared["warnings"]).is_empty(), "{compared}");
    }
}

#[test]
fn other_conditions_and_other_scorers_are_warned_of() {
    let ask = |model: &str, more: Value| {
        let mut record = json!({"sample_id": "a", "model": model, "target": 3});
        record
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        line(&record)
    };
    let prompts = log(&[
        ask(
            "one",
            json!({"response": "3", "condition": {"prompt": "short"}}),
        ),
        ask(
            "two",
            json!({"response": "3", "condition": {"prompt": "long"}}),
        ),
    ]);
    let compared = eyechart(&["compare", "one", "two", arg(prompts.path())]);
    let warnings = texts_of(&compared["warnings"]);
    assert!(
        warnings[0].starts_with("prompt of A: short, of B: long;"),
        "{warnings:?}"
    );
    let across = ["prompt:short", "prompt:long"];
    let compared = eyechart(&[&["compare"][..], &across[..], &[arg(prompts.path())][..]].concat());
    assert_eq!(list(&compared, "abilities")[0]["n"], 1);

    let folder = tempfile::tempdir().expect("a folder");
    for (model, more) in [
        ("one", json!({"response": "3"})),
        ("two", json!({"score": 0.5, "metric": "mae_over_gt"})),
    ] {
        let file = folder.path().join(format!("{model}.eyechart.jsonl"));
        let mut text = ask(model, more);
        text.push(b'\n');
        std::fs::write(file, text).expect("a log");
    }
    let compared = eyechart(&["compare", "one", "two", arg(folder.path())]);
    let warnings = texts_of(&compared["warnings"]);
    assert_eq!(
        warnings,
        ["scores of A: responses read by Eyechart's rules, of B: the log's own (counting)"]
    );
    let strict = [
        "compare",
        "one",
        "two",
        arg(folder.path()),
        "--scoring",
        "strict",
    ];
    assert!(texts_of(&eyechart(&strict)["warnings"]).is_empty());
}

/// Two runs of lmms-eval that differ only in picture size.
#[test]
fn runs_at_another_resolution_are_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = fixture("lmms_eval/logs/org-a__tiny-vl-2b");
    for (model, pixels) in [("first", "200704"), ("second", "1003520")] {
        let home = folder.path().join(model);
        std::fs::create_dir(&home).expect("a folder");
        for file in std::fs::read_dir(&from).expect("the fixture").flatten() {
            let text = std::fs::read_to_string(file.path()).expect("a text");
            let text = text
                .replace("num_concurrent=2", &format!("max_pixels={pixels}"))
                .replace(
                    "\"model_name\": \"org-a/tiny-vl-2b\"",
                    &format!("\"model_name\": \"{model}\""),
                );
            std::fs::write(home.join(file.file_name()), text).expect("a copy");
        }
    }
    let compared = eyechart(&["compare", "first", "second", arg(folder.path())]);
    let warnings = texts_of(&compared["warnings"]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].starts_with("resolution of A: max_pixels=200704, of B: max_pixels=1003520 ("),
        "{warnings:?}"
    );
}

/// AP is not a mean over pictures. The figures of both sides equal those of the report. Resampling
/// and permutation use whole pictures.
#[test]
fn figures_of_whole_sets_are_compared() {
    let logs = fixture("coco");
    let compared = eyechart(&["compare", "alpha", "beta", arg(&logs)]);
    let row = &list(&compared, "abilities")[0];
    assert_eq!(
        (&row["metric"], &row["n"], &row["clusters"]),
        (&json!("ap"), &json!(16), &json!(16))
    );
    let report = eyechart(&["report", arg(&logs)]);
    for (side, model) in [("a_score", "alpha"), ("b_score", "beta")] {
        let score = one(
            list(&report, "scores"),
            &[("model", model), ("metric", "ap")],
        );
        assert_near(
            &row[side],
            score["score"].as_f64().expect("AP"),
            1e-12,
            model,
        );
    }
    let number = |key: &str| row[key].as_f64().expect("a number");
    let (low, high) = (
        row["ci"][0].as_f64().expect("low"),
        row["ci"][1].as_f64().expect("high"),
    );
    assert!(
        low < number("difference") && number("difference") < high,
        "{row}"
    );
    assert!(
        low > 0.2 && number("p_value") < 0.01 && number("p_value") > 0.0,
        "{row}"
    );
    assert!(
        number("detectable") > 0.01 && number("detectable") < 0.3,
        "{row}"
    );
    assert_eq!(row["verdict"], "a");
    let better = row["a_better"].as_u64().expect("a count");
    let opened = eyechart(&["samples", arg(&logs), "--filter", "model:alpha beats:beta"]);
    assert_eq!(list(&opened, "samples").len() as u64, better);
    let turned = eyechart(&["compare", "beta", "alpha", arg(&logs)]);
    let turned = &list(&turned, "abilities")[0];
    assert_near(
        &turned["difference"],
        -number("difference"),
        1e-12,
        "turned",
    );
    assert_near(&turned["p_value"], number("p_value"), 1e-12, "turned");
    assert_eq!(turned["verdict"], "b");
}

fn texts_of(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(Value::as_str).collect()
}

#[test]
fn nothing_in_common_is_said_in_words() {
    let folder = log(&[
        line(&json!({"sample_id": "a", "model": "one"})),
        line(&json!({"sample_id": "b", "model": "two"})),
    ]);
    let compared = eyechart(&["compare", "one", "two", arg(folder.path())]);
    let row = &list(&compared, "abilities")[0];
    assert_eq!(
        (&row["n"], &row["verdict"]),
        (&json!(0), &json!("not_separable"))
    );
    for key in [
        "a_score",
        "difference",
        "ci",
        "p_value",
        "p_adjusted",
        "detectable",
    ] {
        assert!(row[key].is_null(), "{key}: {}", row[key]);
    }
    assert_eq!(compared["dropped"]["only_in_a"], 1);
    assert_eq!(compared["dropped"]["only_in_b"], 1);
    let table = run(&["compare", "one", "two", arg(folder.path())]);
    assert!(
        table
            .stdout
            .contains("one and two have no sample in common"),
        "{}",
        table.stdout
    );
}

#[test]
fn unknown_sides_are_told_with_near_names() {
    let logs = fixture("ava_bench");
    let cases = [
        (
            ["dinov3", "siglip2"],
            "no model is called `dinov3`; similar: dinov2",
        ),
        (["lora", "siglip2"], "`lora` is ambiguous: "),
        (["dinov2", "dinov2"], "both sides are dinov2"),
        (["dinov2", "boxxes:true"], "unknown key `boxxes`"),
    ];
    for ([a, b], expected) in cases {
        let run = run(&["compare", a, b, arg(&logs)]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{a} {b}");
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn every_format_says_the_same() {
    let logs = fixture("ava_bench");
    let written = |format: &str| {
        let run = run(&[
            "compare",
            "dinov2",
            "siglip2",
            arg(&logs),
            "--format",
            format,
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let csv = written("csv");
    assert_eq!(csv.lines().count(), 11, "a header and ten abilities");
    assert!(written("markdown").starts_with("- A is dinov2"));
    let sentence = "dinov2_qwen2_lora_epoch_10 is better than siglip2_qwen2_lora_epoch_10 in relative_depth: \
                    accuracy +0.500 [0.188, 0.698], n 24, p 0.016 (adjusted over 9).";
    assert!(written("table").contains(sentence));
    let first: Value =
        serde_json::from_str(written("jsonl").lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["ability"], "absolute_depth");
}

#[test]
fn one_screen_has_the_answer_and_names_the_rest() {
    let logs = fixture("ava_bench");
    let names = ["compare", "dinov2", "siglip2", arg(&logs)];
    let brief = run(&names).stdout;
    assert!(
        brief.starts_with(
            "dinov2_qwen2_lora_epoch_10 is better than siglip2_qwen2_lora_epoch_10 in 1 of 10 abilities and worse in none."
        ),
        "{brief}"
    );
    assert!(brief.lines().count() <= 40, "{brief}");
    let others = brief
        .lines()
        .find(|line| line.starts_with("No clear difference: "))
        .expect("a line");
    for row in list(&ava(), "abilities") {
        let name = row["ability"].as_str().expect("a name");
        let is_clear = row["verdict"] != "not_separable";
        assert_eq!(others.contains(name), !is_clear, "{name}: {brief}");
    }
    assert!(!brief.contains("detectable"), "{brief}");
    let long = run(&[&names[..], &["--long"]].concat()).stdout;
    for word in ["Abilities: ", "detectable"] {
        assert!(long.contains(word), "{word}: {long}");
    }
}

#[test]
fn a_filter_narrows_both_sides_and_strict_scoring_counts() {
    let logs = fixture("ava_bench");
    let names = ["compare", "dinov2", "siglip2", arg(&logs)];
    let narrow = eyechart(&[&names[..], &["--filter", "ability:ocr"]].concat());
    assert_eq!(texts(list(&narrow, "abilities"), "ability"), ["ocr"]);
    assert_eq!(list(&narrow, "abilities")[0]["family"], 1);
    let strict = eyechart(&[&names[..], &["--scoring", "strict", "--metric", "all"]].concat());
    assert!(
        list(&strict, "abilities")
            .iter()
            .any(|row| row["headline"] == false)
    );
}

/// Three questions at four rotations. Model one is right at all rotations of x and y, model two at
/// all rotations of y. For both, z is right at three rotations.
#[test]
fn rotations_of_a_question_count_once_and_open_with_all() {
    let mut lines = Vec::new();
    for (model, sample, wrong_at) in [
        ("one", "x", None),
        ("one", "y", None),
        ("one", "z", Some(90)),
        ("two", "x", Some(0)),
        ("two", "y", None),
        ("two", "z", Some(270)),
    ] {
        for rotation in [0, 90, 180, 270] {
            let right = wrong_at != Some(rotation);
            lines.push(line(&json!({
                "sample_id": sample, "model": model, "benchmark": "tdbench", "condition": {"rotation": rotation},
                "response": null, "metric": "accuracy", "score": f64::from(u8::from(right)),
            })));
        }
    }
    let folder = log(&lines);
    let compared = eyechart(&["compare", "one", "two", arg(folder.path())]);
    let row = &list(&compared, "abilities")[0];
    assert_eq!((&row["metric"], &row["n"]), (&json!("re"), &json!(3)));
    let cells =
        ["both", "only_a", "only_b", "neither"].map(|key| row[key].as_u64().expect("a count"));
    assert_eq!(cells, [1, 1, 0, 1]);
    let of = |terms: &str| {
        let filter = format!("model:one {terms}");
        let found = eyechart(&["samples", arg(folder.path()), "--filter", &filter]);
        let mut ids: Vec<String> = texts(list(&found, "samples"), "sample_id")
            .into_iter()
            .map(str::to_owned)
            .collect();
        ids.dedup();
        ids
    };
    assert_eq!(of("right:one@all wrong:two@all"), ["x"]);
    assert_eq!(of("right:one@all right:two@all"), ["y"]);
    assert_eq!(of("wrong:one@all wrong:two@all"), ["z"]);
    // When split by rotation, each rotation counts separately.
    let by = eyechart(&[
        "compare",
        "one",
        "two",
        arg(folder.path()),
        "--by",
        "rotation",
    ]);
    let bins = list(&by, "subgroups");
    assert_eq!(texts(bins, "bin"), ["0", "90", "180", "270"]);
    assert!(
        bins.iter()
            .all(|bin| bin["metric"] == "accuracy" && bin["n"] == 3)
    );
}

/// The printed table within an ability contains only that ability. JSON contains all abilities,
/// over which p values are adjusted.
#[test]
fn a_table_within_an_ability_is_of_that_ability() {
    let exam = sample_runs().join("exam");
    let args = [
        "compare",
        "hog",
        "color",
        arg(&exam),
        "--within",
        "counting",
        "--by",
        "count",
    ];
    let table = run(&args);
    assert_eq!(table.code, 0, "{}", table.stderr);
    assert!(
        table.stdout.contains("adjusted over 15"),
        "{}",
        table.stdout
    );
    assert!(table.stdout.contains("counting"), "{}", table.stdout);
    assert!(!table.stdout.contains("emotion"), "{}", table.stdout);
    let json = eyechart(&args);
    assert_eq!(list(&json, "abilities").len(), 15);
}
