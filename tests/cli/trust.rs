//! Tests that headlines are supported by the data: unknown values are not ranked, and samples
//! selected by outcome are not tested.
//!
//! The answers in these logs are invented.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::line;
use crate::sources::copy;
use crate::support::{arg, eyechart, eyechart_with, fixture, list, one, program, run};

/// Creates a folder with one log of these lines.
fn log(lines: impl IntoIterator<Item = Value>) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<Vec<u8>> = lines.into_iter().map(|fields| line(&fields)).collect();
    fs::write(folder.path().join("a.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    folder
}

/// A prediction with a score.
fn scored(model: &str, sample: u32, score: f64) -> Value {
    json!({"sample_id": format!("s{sample}"), "model": model, "benchmark": "b", "ability": "x", "metric": "acc",
           "score": score})
}

/// A copy of an object with fields added or replaced.
fn with(mut fields: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().expect("fields") {
        fields[name] = value.clone();
    }
    fields
}

/// Headline score of a model in an ability.
fn headline(report: &Value, model: &str, ability: &str) -> Value {
    let is_it = |score: &&Value| {
        score["model"] == model && score["ability"] == ability && score["headline"] == true
    };
    let found: Vec<&Value> = list(report, "scores").iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "{model} in {ability}: {found:?}");
    found[0].clone()
}

fn report(folder: &Path, more: &[&str]) -> Value {
    eyechart(&[&["report", arg(folder)], more].concat())
}

/// Three models of equal accuracy, each right on other samples.
fn equals() -> TempDir {
    let models = [("A", 7), ("B", 11), ("C", 13)];
    log(models.into_iter().flat_map(|(model, step)| {
        (0..90).map(move |at| scored(model, at, f64::from(u8::from(at * step % 10 < 7))))
    }))
}

#[test]
fn samples_selected_by_outcome_are_described_and_not_tested() {
    let folder = equals();
    for filter in [
        "right:A",
        "correct:true",
        "score>0.5",
        "wrong:B",
        "invalid:false",
        "hard<0.9",
        "verdict:none",
    ] {
        let found = report(folder.path(), &["--filter", filter]);
        for score in list(&found, "scores") {
            for field in ["rank", "rank_ci", "ci", "tie_group"] {
                assert_eq!(score[field], Value::Null, "{filter}: {field} of {score}");
            }
            assert!(score["score"].is_number(), "{filter}: {score}");
            assert_eq!(score["evidence"]["selected_by"], filter);
            let why = score["why_not"].as_str().expect("a reason");
            assert!(why.contains(filter), "{why}");
        }
        let compared = eyechart(&["compare", "A", "B", arg(folder.path()), "--filter", filter]);
        for row in list(&compared, "abilities") {
            assert_eq!(
                [&row["verdict"], &row["p_value"], &row["ci"]],
                [&Value::Null; 3],
                "{filter}"
            );
        }
        for command in ["wins", "ranks", "slices"] {
            let tested = run(&[command, arg(folder.path()), "--filter", filter]);
            assert_eq!(tested.code, 2, "{command} {filter}: {}", tested.stdout);
            assert!(
                tested.stderr.contains("selects samples by their outcome"),
                "{}",
                tested.stderr
            );
        }
    }
    // A filter as a side of a comparison can select by outcome, too.
    let sides = eyechart(&[
        "compare",
        "model:A correct:true",
        "model:B",
        arg(folder.path()),
    ]);
    assert_eq!(list(&sides, "abilities")[0]["verdict"], Value::Null);
    // A filter on the question does not select by outcome.
    let found = report(
        folder.path(),
        &["--filter", "sample:s1 or model:A or ability:x"],
    );
    assert!(headline(&found, "A", "x")["rank"].is_number());
}

#[test]
fn a_score_without_a_metric_is_a_share_in_every_ability() {
    for ability in [
        "counting",
        "color",
        "absolute_depth",
        "ocr",
        "localization",
        "x",
    ] {
        let folder = log([("good", 9), ("bad", 4)].into_iter().flat_map(|(model, right)| {
            (0..40).map(move |at| {
                let score = f64::from(u8::from(at % 10 < right));
                json!({"sample_id": at.to_string(), "model": model, "ability": ability, "score": score,
                       "target": 5, "response": "5"})
            })
        }));
        let found = report(folder.path(), &[]);
        let [good, bad] = ["good", "bad"].map(|model| headline(&found, model, ability));
        assert_eq!(
            [&good["metric"], &good["direction"]],
            [&json!("score"), &json!("higher")]
        );
        assert_eq!(
            [&good["rank"], &bad["rank"]],
            [&json!(1), &json!(2)],
            "{ability}"
        );
        assert_eq!(good["evidence"]["metric_from"], "guess");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let rows = (0..40).flat_map(|at| {
        [("good", 9), ("bad", 4)]
            .map(|(model, right)| format!("{at},{model},counting,{}", u8::from(at % 10 < right)))
    });
    let rows: Vec<String> = rows.collect();
    let csv = format!("sample_id,model,ability,score\n{}\n", rows.join("\n"));
    fs::write(folder.path().join("scores.csv"), csv).expect("a table");
    let found = report(folder.path(), &[]);
    assert_eq!(headline(&found, "good", "counting")["rank"], 1);
    let compared = eyechart(&["compare", "good", "bad", arg(folder.path())]);
    assert_eq!(list(&compared, "abilities")[0]["verdict"], "a");
}

#[test]
fn an_unnamed_score_beyond_one_is_not_ranked() {
    let folder = log((0..30).flat_map(|at| {
        [("near", 1.5), ("far", 3.5)].map(|(model, score)| {
            json!({"sample_id": at.to_string(), "model": model, "ability": "x", "score": score})
        })
    }));
    let found = report(folder.path(), &[]);
    let near = headline(&found, "near", "x");
    assert_eq!([&near["rank"], &near["direction"]], [&Value::Null; 2]);
    assert_eq!(near["score"], 1.5);
}

/// Logs of two models under a metric; `small` has the smaller scores.
fn under(metric: &str, more: &Value) -> TempDir {
    log((0..40).flat_map(|at| {
        [("small", 0.2), ("large", 0.6)].map(|(model, middle)| {
            let score = middle + f64::from(at % 5) * 0.01;
            with(
                with(scored(model, at, score), &json!({"metric": metric})),
                more,
            )
        })
    }))
}

#[test]
fn directions_are_known_stated_or_asked_for() {
    for (metric, best) in [
        ("mse", "small"),
        ("l1", "small"),
        ("absrel", "small"),
        ("fid", "small"),
        ("lpips", "small"),
        ("latency", "small"),
        ("cer", "small"),
        ("perplexity", "small"),
        ("psnr", "large"),
        ("ssim", "large"),
        ("delta1", "large"),
        ("bleu", "large"),
    ] {
        let folder = under(metric, &json!({}));
        let best = headline(&report(folder.path(), &[]), best, "x");
        assert_eq!(best["rank"], 1, "{metric}");
        assert_eq!(best["evidence"]["direction_from"], "known_name");
    }
    let unknown = under("my_metric", &json!({}));
    let found = report(unknown.path(), &[]);
    for model in ["small", "large"] {
        let score = headline(&found, model, "x");
        assert_eq!([&score["rank"], &score["direction"]], [&Value::Null; 2]);
        assert!(
            score["why_not"]
                .as_str()
                .is_some_and(|why| why.contains("--lower my_metric"))
        );
    }
    for rank in list(&found, "average_rank") {
        assert_eq!(rank["value"], Value::Null, "{rank}");
    }
    let compared = eyechart(&["compare", "small", "large", arg(unknown.path())]);
    assert_eq!(list(&compared, "abilities")[0]["verdict"], Value::Null);
    let by_user = report(unknown.path(), &["--lower", "my_metric"]);
    let small = headline(&by_user, "small", "x");
    assert_eq!(
        (&small["rank"], &small["evidence"]["direction_from"]),
        (&json!(1), &json!("user"))
    );
    let settings = unknown.path().join("config.toml");
    fs::write(&settings, "[metrics]\nmy_metric = \"lower\"\n").expect("settings");
    let by_settings = eyechart_with(
        &[("EYECHART_CONFIG", &settings)],
        &["report", arg(unknown.path())],
    );
    assert_eq!(headline(&by_settings, "small", "x")["rank"], 1);
    let in_log = under("my_metric", &json!({"direction": "lower"}));
    let small = headline(&report(in_log.path(), &[]), "small", "x");
    assert_eq!(
        (&small["rank"], &small["evidence"]["direction_from"]),
        (&json!(1), &json!("log"))
    );
    let wrong = under("my_metric", &json!({"direction": "up"}));
    let told = run(&["check", arg(wrong.path())]).stdout;
    assert!(
        told.contains("`direction` must be `higher` or `lower`"),
        "{told}"
    );
    let both = run(&[
        "report",
        arg(unknown.path()),
        "--lower",
        "m",
        "--higher",
        "m",
    ]);
    assert_eq!(both.code, 2, "{}", both.stderr);
}

#[test]
fn a_set_of_an_agreement_selected_by_outcome_has_no_interval() {
    let models = [("A", 7, 3), ("B", 11, 5), ("C", 13, 8)];
    let folder = log(models.into_iter().flat_map(|(model, step, right)| {
        (0..90).map(move |at| scored(model, at, f64::from(u8::from(at * step % 10 < right))))
    }));
    for (first, second, is_interval) in [
        ("ability:x", "benchmark:b", true),
        ("right:B", "ability:x", false),
        ("ability:x", "right:B", false),
    ] {
        let found = eyechart(&["agree", arg(folder.path()), "--between", first, second]);
        let ability = &list(&found, "abilities")[0];
        assert_eq!(
            ability["tau_ci"].is_array(),
            is_interval,
            "{first} {second}: {ability}"
        );
    }
}

#[test]
fn a_further_metric_does_not_answer_for_the_headline() {
    let folder = log((0..40).flat_map(|at| {
        [("worse", 3), ("better", 1)].map(|(model, wrong)| {
            let right = u8::from(at % 5 >= wrong);
            let more = json!({"metric": "my_metric", "scores": {"acc": right}});
            with(scored(model, at, 0.5), &more)
        })
    }));
    let found = report(folder.path(), &[]);
    for score in list(&found, "scores") {
        let is_headline = score["headline"] == true;
        assert_eq!(score["rank"].is_null(), is_headline, "{score}");
        assert_eq!(score["why_not"].is_null(), !is_headline, "{score}");
    }
    let compare = ["compare", "worse", "better", arg(folder.path())];
    let compared = eyechart(&[&compare[..], &["--metric", "all"]].concat());
    let rows = list(&compared, "abilities");
    let is_tested = |metric: &str| one(rows, &[("metric", metric)])["verdict"].is_string();
    assert!(!is_tested("my_metric") && is_tested("acc"), "{rows:?}");
}

#[test]
fn percent_beside_fractions_is_not_ranked() {
    let folder = log((0..40).flat_map(|at| {
        let right = f64::from(u8::from(at % 4 > 0));
        [
            scored("fraction", at, right),
            scored("percent", at, 57.0 + right),
        ]
    }));
    let found = report(folder.path(), &[]);
    assert_eq!(headline(&found, "fraction", "x")["rank"], 1);
    let percent = headline(&found, "percent", "x");
    assert_eq!(percent["rank"], Value::Null);
    let why = percent["why_not"].as_str().expect("a reason");
    assert!(
        why.contains("40 of 40 scores lie outside the range of acc, 0 to 1"),
        "{why}"
    );
    let told = run(&["check", arg(folder.path())]).stdout;
    assert!(
        told.contains("40 scores of acc lie outside its range"),
        "{told}"
    );
}

#[test]
fn scores_outside_of_a_stated_range_are_not_ranked() {
    let folder = log((0..40).flat_map(|at| {
        [("inside", 50.0), ("outside", 90.0)].map(|(model, score)| {
            let score = score + f64::from(at);
            with(scored(model, at, score), &json!({"metric": "points"}))
        })
    }));
    let settings = folder.path().join("config.toml");
    let state = |metrics: &str| {
        fs::write(&settings, format!("[metrics]\n{metrics}\n")).expect("settings");
    };
    let environment = [("EYECHART_CONFIG", settings.as_path())];
    let args = ["report", arg(folder.path())];
    state("points = { direction = \"higher\", from = 0, to = 100, unit = \"pt\" }");
    let found = eyechart_with(&environment, &args);
    let inside = headline(&found, "inside", "x");
    assert_eq!(
        (&inside["rank"], &inside["evidence"]["direction_from"]),
        (&json!(1), &json!("user"))
    );
    let outside = headline(&found, "outside", "x");
    assert_eq!(outside["rank"], Value::Null);
    let why = outside["why_not"].as_str().expect("a reason");
    assert!(
        why.contains("29 of 40 scores lie outside the range of points, 0 to 100 pt"),
        "{why}"
    );
    let problems = list(&list(&found, "sources")[0], "problems");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let what = problems[0]["what"].as_str().expect("a problem");
    assert!(
        what.starts_with("29 scores of points lie outside its range, such as 101"),
        "{what}"
    );
    // A range in the log replaces one end of the known metric's range. The other end and the
    // direction stay.
    let scores = (0..).zip([0.0, 57.0, 100.0, 100.5]);
    let percent = log(scores.map(|(at, score)| scored("m", at, score)));
    for (to, is_ranked) in [(101, true), (100, false)] {
        state(&format!("acc = {{ to = {to} }}"));
        let found = eyechart_with(&environment, &["report", arg(percent.path())]);
        let score = headline(&found, "m", "x");
        assert_eq!(score["why_not"].is_null(), is_ranked, "{score}");
        assert_eq!(score["direction"], "higher");
    }
    for (wrong, what) in [
        (
            "points = { from = 2, to = 1 }",
            "points has an empty range, 2 to 1",
        ),
        (
            "points = { best = 1 }",
            "a table with direction, from, to, unit",
        ),
        (
            "points = { direction = \"up\" }",
            "points must be \"higher\" or \"lower\"",
        ),
    ] {
        state(wrong);
        let output = program()
            .args(args)
            .envs(environment)
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(what), "{said}");
    }
}

#[test]
fn repeats_count_by_sample_everywhere() {
    // A has five answers to each easy sample and one to each hard sample; B has one to each. Both
    // have half of the samples right.
    let folder = log((0..40).flat_map(|at| {
        let right = f64::from(u8::from(at < 20));
        let repeats = if at < 20 { 5 } else { 1 };
        let one = |model, repeat: i32| {
            with(
                scored(model, at, right),
                &json!({"condition": {"repeat": repeat}}),
            )
        };
        let mut rows: Vec<Value> = (0..repeats).map(|repeat| one("A", repeat)).collect();
        rows.push(one("B", 0));
        rows
    }));
    let found = report(folder.path(), &[]);
    let [a, b] = ["A", "B"].map(|model| headline(&found, model, "x"));
    for field in ["score", "n", "ci", "rank_score", "rank_n"] {
        assert_eq!(a[field], b[field], "{field}");
    }
    assert_eq!((&a["score"], &a["n"]), (&json!(0.5), &json!(40)));
    assert_eq!(a["evidence"]["asked"], 40);
}

#[test]
fn other_questions_under_one_id_are_neither_paired_nor_ranked() {
    let row = |model: &str, at: u32, question: &str, score: f64| {
        with(scored(model, at, score), &json!({"question": question}))
    };
    let folder = log((0..40).flat_map(|at| {
        let other = if at < 10 { "How many?" } else { "Which?" };
        [
            row("A", at, "Which?", 1.0),
            row("B", at, other, f64::from(u8::from(at % 2 == 0))),
        ]
    }));
    let compared = eyechart(&["compare", "A", "B", arg(folder.path())]);
    assert_eq!(list(&compared, "abilities")[0]["n"], 30);
    let warning = compared["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.contains("10 samples differ between A and B"),
        "{warning}"
    );
    let all_other =
        log((0..40).flat_map(|at| [row("A", at, "Which?", 1.0), row("B", at, "How many?", 0.0)]));
    let found = report(all_other.path(), &[]);
    let b = headline(&found, "B", "x");
    assert_eq!(b["rank"], Value::Null);
    assert!(
        b["why_not"]
            .as_str()
            .is_some_and(|why| why.contains("ask a different question")),
        "{b}"
    );
}

#[test]
fn too_many_rows_left_out_take_the_rank() {
    let lines = |bad: u32| {
        (0..100).flat_map(move |at| {
            let broken =
                json!({"sample_id": at.to_string(), "model": "m", "ability": "x", "score": [1]});
            let good = scored("m", at, f64::from(u8::from(at % 3 == 0)));
            [if at < bad { broken } else { good }, scored("k", at, 0.0)]
        })
    };
    // 2 % of 200 rows are 4 rows.
    let few = report(log(lines(4)).path(), &[]);
    let m = headline(&few, "m", "x");
    assert!(m["rank"].is_number(), "{m}");
    assert_eq!(m["evidence"]["left_out"][0]["n"], 4);
    let folder = log(lines(5));
    let many = report(folder.path(), &[]);
    let m = headline(&many, "m", "x");
    assert_eq!(m["rank"], Value::Null);
    assert!(m["score"].is_number());
    let why = m["why_not"].as_str().expect("a reason");
    assert!(
        why.contains("5 of 200 rows") && why.contains("more than 2 %"),
        "{why}"
    );
    let settings = folder.path().join("config.toml");
    fs::write(&settings, "[limits]\nleft_out = 100\n").expect("settings");
    let wider = eyechart_with(
        &[("EYECHART_CONFIG", &settings)],
        &["report", arg(folder.path())],
    );
    assert!(headline(&wider, "m", "x")["rank"].is_number());
}

/// Breaks one row in a file of a fixture. Returns the number of omitted rows in the headlines, and
/// true if a headline is unranked.
fn with_a_broken_row(folder: &str, file: &str, (whole, broken): (&str, &str)) -> (u64, bool) {
    let logs = tempfile::tempdir().expect("a folder");
    copy(&fixture(folder), logs.path());
    let path = logs.path().join(file);
    let text = fs::read_to_string(&path).expect("a log");
    assert!(text.contains(whole), "{file}");
    fs::write(path, text.replacen(whole, broken, 1)).expect("a log");
    let found = report(logs.path(), &[]);
    let scores = list(&found, "scores").iter();
    let broken = scores.filter(|score| {
        score["headline"] == true && score["evidence"]["left_out"][0]["n"].is_number()
    });
    broken.fold((0, false), |(n, unranked), score| {
        let own = score["evidence"]["left_out"][0]["n"].as_u64();
        (
            n.max(own.expect("a count")),
            unranked || score["rank"].is_null(),
        )
    })
}

#[test]
fn names_that_differ_in_case_are_told_and_stay_apart() {
    let rows = (0..8).flat_map(|sample| {
        let names = [
            ("Counting", "m"),
            ("counting", "m"),
            ("counting", "M"),
            ("color", "m"),
        ];
        names.map(|(ability, model)| {
            with(
                scored(model, sample, 1.0),
                &json!({"ability": ability, "metric": "acc"}),
            )
        })
    });
    let log = log(rows);
    let told = run(&["check", arg(log.path())]).stdout;
    for name in [
        "the ability `counting` differs from `Counting`",
        "the model `M` differs from `m`",
    ] {
        assert_eq!(told.matches(name).count(), 1, "{told}");
    }
    assert_eq!(told.matches("upper and lower case").count(), 2, "{told}");
}

#[test]
fn a_broken_row_is_left_out_of_the_rows_of_any_harness() {
    let first = "{\"doc_id\": 0,";
    let log = "logs/3ykv54sv/samples_mini_gen_2026-11-21T00-35-25.064502.jsonl";
    let cut = format!("[1]\n{first}");
    assert_eq!(with_a_broken_row("lm_eval", log, (first, &cut)), (1, true));
    let log = "fine_grained/answers/clip_qwen2_lora_epoch_10.jsonl";
    let id = (
        "\"question_id\": \"fine_grained_00000\"",
        "\"question_id\": []",
    );
    assert_eq!(with_a_broken_row("ava_bench", log, id), (1, true));
    // One box of 184 on 16 pictures is few enough.
    let id = ("{\"image_id\":1,", "{\"image_id\":[],");
    let boxes = with_a_broken_row("coco", "alpha_bbox_results.json", id);
    assert_eq!(boxes, (1, false));
}

#[test]
fn evidence_counts_what_was_asked_answered_read_and_scored() {
    let row = |at: u32, response: &str| json!({"sample_id": at.to_string(), "model": "m", "ability": "counting", "target": 4, "response": response});
    let folder = log((0..60).map(|at| match at {
        0..2 => row(at, ""),
        2..5 => row(at, "I cannot tell."),
        _ => row(at, "4"),
    }));
    let m = headline(&report(folder.path(), &[]), "m", "counting");
    let evidence = &m["evidence"];
    let counts = ["asked", "answered", "read", "scored"].map(|name| evidence[name].clone());
    assert_eq!(counts, [60, 58, 55, 55].map(Value::from));
    assert_eq!(evidence["metric_from"], "known_name");
    let table = run(&["report", arg(folder.path())]).stdout;
    assert!(table.contains("60 asked, 58 answered, 55 read"), "{table}");
}

/// A model that did not answer the hard samples, and two models that answered all samples.
fn skipper() -> TempDir {
    log((0..120).flat_map(|at| {
        let is_easy = at < 60;
        let right = |one_in: u32| f64::from(u8::from(is_easy || at % one_in == 0));
        let mut rows = vec![
            scored("Qwen2.5-VL 7B", at, right(2)),
            scored("Qwen2.5-VL 3B", at, right(4)),
        ];
        if is_easy {
            rows.push(scored("Qwen2.5-VL 72B", at, right(1)));
        }
        rows
    }))
}

#[test]
fn a_skipper_leads_neither_matrix_nor_trend() {
    let folder = skipper();
    let matrix = eyechart(&["matrix", arg(folder.path())]);
    let rows = list(&matrix, "rows");
    let skipper = rows
        .iter()
        .find(|row| row["model"] == "Qwen2.5-VL 72B")
        .expect("the model");
    assert_eq!(skipper["mean_score"], Value::Null, "{skipper}");
    let trend = eyechart(&["trend", arg(folder.path())]);
    let drawn = serde_json::to_string(&trend).expect("JSON");
    assert!(!drawn.contains("\"model\":\"Qwen2.5-VL 72B\""), "{drawn}");
    // Two points have no correlation.
    assert_eq!(list(&trend, "charts")[0]["rho"], Value::Null, "{trend}");
}

#[test]
fn agreement_is_over_samples_that_all_answered_on_both_sides() {
    // The models have the same answers under both prompts, but m0 did not answer the hard half
    // under b.
    let models: Vec<String> = (0..5).map(|at| format!("m{at}")).collect();
    let folder = log(models.iter().enumerate().flat_map(|(place, model)| {
        (0..100_u32).flat_map(move |at| {
            let is_hard = at >= 50;
            let limit = 9 - u32::try_from(place).expect("a place") - if is_hard { 4 } else { 0 };
            let right = f64::from(u8::from(at * 7 % 10 < limit));
            let under = |prompt: &str| {
                with(
                    scored(model, at, right),
                    &json!({"condition": {"prompt": prompt}}),
                )
            };
            let mut rows = vec![under("a")];
            if place > 0 || !is_hard {
                rows.push(under("b"));
            }
            rows
        })
    }));
    let found = eyechart(&[
        "agree",
        arg(folder.path()),
        "--between",
        "prompt:a",
        "prompt:b",
    ]);
    let row = &list(&found, "abilities")[0];
    assert_eq!(
        (&row["kendall_tau_b"], list(row, "swaps").len()),
        (&json!(1.0), 0),
        "{row}"
    );
    assert_eq!(row["excluded"], json!(["m0"]));
}
