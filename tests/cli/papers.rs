//! Tests that the program reproduces the figures and tables of four papers, from their printed
//! scores and from logs of the same form. Expected numbers were computed independently of the code.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::html::assert_well_formed;
use crate::support::{all, arg, assert_near, eyechart, list, one, run, sample_runs, texts};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn tdbench() -> PathBuf {
    sample_runs().join("tdbench.scores.csv")
}

/// Writes a file of a folder, and returns its path.
fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let file = folder.join(name);
    fs::write(&file, text).expect("a file");
    file
}

/// Returns the chart of an ability, or of the mean over abilities, under a metric.
fn chart<'a>(document: &'a Value, metric: &str, ability: &Value) -> &'a Value {
    let mut charts = list(document, "charts").iter();
    let found = charts.find(|it| it["metric"] == metric && it["ability"] == *ability);
    found.unwrap_or_else(|| panic!("a chart of {metric}"))
}

/// `TDBench`, Table 2: RE minus VE at 0 degrees, as printed. The paper rounds after subtracting.
#[test]
fn the_drop_from_one_pass_to_four_is_that_of_tdbench() {
    let found = eyechart(&[
        "trend",
        arg(&tdbench()),
        "--metric",
        "re",
        "--against",
        "tdbench/average@ve_rot0",
    ]);
    assert_eq!(found["against"], "tdbench/average@ve_rot0");
    let chart = chart(&found, "re", &json!("average"));
    let points = list(chart, "points");
    assert_eq!(points.len(), 12);
    for (model, printed) in [
        ("Qwen2.5-VL 7B", -0.160),
        ("Gemini 2.5 Pro", -0.182),
        ("Gemini 1.5 Pro", -0.183),
        ("GPT-5", -0.190),
        ("GPT-4.1", -0.200),
        ("Gemma3 12B", -0.260),
        ("Claude Opus 4.1", -0.211),
    ] {
        let point = one(points, &[("model", model)]);
        assert_near(&point["difference"], printed, 0.001_000_1, model);
    }
}

/// `TDBench`, Figure 1 (right): `InternVL3` by size. The mean is over the categories that have a
/// solution; one category has none for 1B.
#[test]
fn what_internvl3_knows_grows_with_its_size() {
    let found = eyechart(&["trend", arg(&tdbench()), "--metric", "theta,r,g,a_adj"]);
    let theta = chart(&found, "theta", &Value::Null);
    let own = all(list(theta, "points"), &[("family", "InternVL3")]);
    let expected = [0.5685, 0.579_333, 0.664_111, 0.685, 0.686_778, 0.745_556];
    assert_eq!(own.len(), expected.len());
    for (point, expected) in own.iter().zip(expected) {
        assert_near(&point["score"], expected, 1e-6, "theta");
    }
    let columns: Vec<&Value> = own.iter().map(|point| &point["columns"]).collect();
    assert_eq!(columns, [8, 9, 9, 9, 9, 9]);
    for metric in ["r", "g", "a_adj"] {
        let points = list(chart(&found, metric, &Value::Null), "points");
        assert_eq!(all(points, &[("family", "InternVL3")]).len(), 6, "{metric}");
    }
    let unknown = eyechart(&["trend", arg(&tdbench()), "--metric", "nothing"]);
    assert!(list(&unknown, "charts").is_empty());
}

/// `TDBench`, Table 3: means over ten categories, of which the tables print nine. The tenth
/// category follows from these, and its RE and VE follow from its theta, r and g.
#[test]
fn means_of_reliability_fit_table_3_of_tdbench() {
    let found = eyechart(&["matrix", arg(&tdbench()), "--over", "metrics"]);
    let columns = list(&found, "columns");
    let at = |metric: &str| columns.iter().position(|column| column["metric"] == metric);
    for (model, printed) in [
        ("GPT-5", [0.570, 0.751, 0.688, 0.941, 0.265]),
        ("Gemini 2.5 Pro", [0.611, 0.791, 0.822, 0.909, 0.201]),
    ] {
        let row = one(list(&found, "rows"), &[("model", model)]);
        let tenth = |(metric, printed): (&str, f64)| {
            let cell = &row["cells"][at(metric).expect("a column")];
            assert_eq!((&cell["parts"], &cell["rank"]), (&json!(9), &Value::Null));
            10.0 * printed - 9.0 * cell["score"].as_f64().expect("a score")
        };
        let metrics = ["re", "ve_mean", "theta", "r", "g"];
        let figures: Vec<f64> = metrics.into_iter().zip(printed).map(tenth).collect();
        let [re, ve, theta, r, g] = figures.as_slice() else {
            panic!("five figures")
        };
        // Table 3 has three decimals, so the values of the tenth category have errors of up to
        // 0.005.
        let mix = |power: i32| theta * r.powi(power) + (1.0 - theta) * g.powi(power);
        assert!((mix(4) - re).abs() < 0.02, "{model}: {} {re}", mix(4));
        assert!((mix(1) - ve).abs() < 0.02, "{model}: {} {ve}", mix(1));
    }
    let g = &columns[at("g").expect("a column")];
    assert_eq!(g["direction"], Value::Null);
    assert_near(
        &one(list(&found, "rows"), &[("model", "GPT-5")])["cells"][at("theta").expect("theta")]["score"],
        0.731_888_9,
        1e-6,
        "mean theta of nine",
    );
}

/// The same figures computed from samples equal those of the report, averaged over the abilities
/// that have a solution.
#[test]
fn means_of_reliability_from_samples_are_those_of_the_report() {
    let logs = crate::support::fixture("vlmevalkit");
    let report = eyechart(&["report", arg(&logs)]);
    let matrix = eyechart(&["matrix", arg(&logs), "--over", "metrics"]);
    let mut checked = 0;
    for metric in ["ma", "theta", "r", "g", "a_adj"] {
        for row in list(&matrix, "rows") {
            let (model, run) = (&row["model"], &row["run"]);
            let own = list(&report, "reliability").iter();
            let own = own.filter(|it| it["model"] == *model && it["run"] == *run);
            let own: Vec<f64> = own.filter_map(|it| it[metric].as_f64()).collect();
            let columns = list(&matrix, "columns").iter();
            let at = columns
                .enumerate()
                .find(|(_, column)| column["metric"] == metric);
            let cell = at.map_or(&Value::Null, |(at, _)| &row["cells"][at]);
            assert_eq!(cell.is_null(), own.is_empty(), "{model} {metric}");
            if !own.is_empty() {
                let mean =
                    own.iter().sum::<f64>() / f64::from(u32::try_from(own.len()).unwrap_or(0));
                assert_near(&cell["score"], mean, 1e-12, metric);
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "a fixture with rotations");
}

/// `GePBench`, Figure 4: one benchmark against another, for the models with scores in both.
#[test]
fn one_benchmark_stands_against_another() {
    let gepbench = sample_runs().join("gepbench.scores.csv");
    let found = eyechart(&[
        "trend",
        arg(&gepbench),
        arg(&tdbench()),
        "--against",
        "gepbench",
    ]);
    let mut charts = list(&found, "charts").iter();
    let mean = charts.find(|it| it["benchmark"] == "tdbench" && it["ability"] == Value::Null);
    let mean = mean.expect("the mean of TDBench");
    let points = list(mean, "points");
    assert_eq!(points.len(), 5, "{points:?}");
    let llava = one(points, &[("model", "LLaVA-1.5-13B")]);
    assert_near(&llava["x"], 0.408_166_7, 1e-6, "GePBench");
    assert_near(&llava["score"], 0.406_666_7, 1e-6, "TDBench");
    assert_near(&llava["difference"], -0.0015, 1e-6, "difference");
    assert_near(&mean["spearman_rho"], 1.0, 1e-9, "rho");
    assert_eq!(mean["spearman_rho_ci"], Value::Null, "five models");
    // The benchmark that is on the axis has no chart of its own.
    let mut charts = list(&found, "charts").iter();
    assert!(!charts.any(|it| it["benchmark"] == "gepbench" && it["ability"] == Value::Null));
    let wrong = run(&["trend", arg(&gepbench), "--against", "gepbensh"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("no score is called `gepbensh`")
            && wrong.stderr.contains("gepbench/counting"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_correlation_of_many_models_has_an_interval() {
    let found = eyechart(&[
        "trend",
        arg(&tdbench()),
        "--metric",
        "re",
        "--against",
        "tdbench@ve_mean",
    ]);
    let mean = chart(&found, "re", &Value::Null);
    assert_eq!(list(mean, "points").len(), 55);
    assert_near(&mean["spearman_rho"], 0.971_354_355, 1e-8, "rho");
    let ci = &mean["spearman_rho_ci"];
    assert_near(&ci[0], 0.945_337_020, 1e-8, "low");
    assert_near(&ci[1], 0.985_083_459, 1e-8, "high");
    let page = run(&[
        "trend",
        arg(&tdbench()),
        "--against",
        "tdbench@ve_mean",
        "--format",
        "html",
    ]);
    assert_well_formed(&page.stdout);
    assert!(page.stdout.contains("tdbench@ve_mean"), "the axis is named");
}

/// `GePBench`, Figure 7: how much better people are than models.
#[test]
fn the_gap_to_people_is_that_of_gepbench() {
    let table = sample_runs().join("gepbench.scores.csv");
    let found = eyechart(&["matrix", arg(&table)]);
    let columns = list(&found, "columns");
    let hard = |ability: &str| {
        let is_own = |it: &&Value| it["ability"] == ability && it["split"] == "hard";
        let at = columns.iter().position(|it| is_own(&it));
        at.expect("a column")
    };
    let of = |model: &str, at: usize| {
        one(list(&found, "rows"), &[("model", model)])["cells"][at]["to_human"].clone()
    };
    let size = hard("size");
    assert_near(&columns[size]["human"], 0.989, 1e-9, "people");
    assert_near(&columns[size]["chance"], 0.25, 1e-9, "chance");
    assert_near(&of("Gemini-1.5-pro", size), 0.989 - 0.444, 1e-9, "the best");
    assert_near(&of("GPT-4o", size), 0.989 - 0.2, 1e-9, "GPT-4o");
    let whole = eyechart(&["matrix", arg(&table), "--over", "benchmarks"]);
    assert_near(
        &whole["columns"][0]["human"],
        0.9925,
        1e-9,
        "mean of people",
    );
    let row = one(list(&whole, "rows"), &[("model", "GPT-4o")]);
    assert_near(&row["cells"][0]["to_human"], 0.399_25, 1e-9, "mean gap");
    let page = run(&["matrix", arg(&table), "--format", "html"]);
    assert_well_formed(&page.stdout);
    assert!(page.stdout.contains("Best model and human score"));
    assert!(page.stdout.contains("<svg"), "a chart");
    // TDBench has no answers by people.
    let without = eyechart(&["matrix", arg(&tdbench())]);
    assert_eq!(without["columns"][0]["human"], Value::Null);
}

/// fm-vision-evals, Table 26 and Figure 26: spread over five prompts.
#[test]
fn the_spread_over_prompts_is_that_of_fm_vision_evals() {
    let rows = [
        ("GPT-4o", [-0.36, -0.29, 0.07, -0.08, -0.34], "rho_x"),
        ("GPT-4o", [-0.63, -0.45, 0.55, 0.65, 0.45], "rho_y"),
        ("GPT-4o", [0.04, -0.10, 0.44, 0.43, 0.37], "rho_z"),
        (
            "Claude 3.5 Sonnet",
            [-0.34, -0.18, -0.09, -0.06, -0.06],
            "rho_x",
        ),
        (
            "Claude 3.5 Sonnet",
            [-0.56, -0.08, 0.68, 0.66, 0.56],
            "rho_y",
        ),
        (
            "Claude 3.5 Sonnet",
            [0.00, -0.11, 0.41, 0.35, 0.35],
            "rho_z",
        ),
    ];
    let mut text = "benchmark,model,ability,split,metric,direction,unit,score\n".to_owned();
    for (model, scores, metric) in rows {
        for (prompt, score) in (1..).zip(scores) {
            let line = format!(
                "fm-vision-evals,{model},normals,Prompt {prompt},{metric},higher,fraction,{score}"
            );
            writeln!(text, "{line}").expect("a text");
        }
    }
    let folder = folder();
    let table = written(folder.path(), "prompts.scores.csv", &text);
    let found = eyechart(&["spread", arg(&table), "--by", "split", "--metric", "all"]);
    let of = |model: &str, metric: &str| {
        let fields = [("model", model), ("metric", metric)];
        one(list(&found, "spreads"), &fields).clone()
    };
    let gpt = of("GPT-4o", "rho_y");
    assert_near(&gpt["range"], 1.28, 1e-9, "GPT-4o");
    assert_eq!(gpt["lowest"]["value"], "Prompt 1");
    assert_eq!(gpt["highest"]["value"], "Prompt 4");
    assert_near(&gpt["mean"], 0.114, 1e-9, "mean");
    assert_near(&gpt["deviation"], 0.604_549_4, 1e-6, "deviation");
    assert_eq!(gpt["values"].as_array().map(Vec::len), Some(5));
    let claude = of("Claude 3.5 Sonnet", "rho_y");
    assert_near(&claude["range"], 1.24, 1e-9, "Claude 3.5 Sonnet");
    let page = run(&[
        "spread",
        arg(&table),
        "--by",
        "split",
        "--metric",
        "all",
        "--format",
        "html",
    ]);
    assert_well_formed(&page.stdout);
    assert!(page.stdout.contains("range 1.280"), "a chart");
}

/// AVA-Bench, Table 3: learning rate and dimension of `LoRA`, taken from the names of the answer
/// files.
#[test]
fn settings_in_the_stems_of_ava_bench_are_spread() {
    let rows = [
        ("dinov2_lr_1e-4_lora_64", 10.85),
        ("dinov2_lr_1e-4_lora_128", 9.97),
        ("dinov2_lr_1e-4_lora_256", 10.98),
        ("siglip2_lr_1e-4_lora_64", 81.51),
        ("siglip2_lr_1e-4_lora_128", 81.18),
        ("siglip2_lr_1e-4_lora_256", 81.25),
        ("siglip2_lr_5e-4_lora_128", 77.63),
    ];
    let mut text = "benchmark,model,ability,metric,direction,unit,score\n".to_owned();
    for (model, score) in rows {
        writeln!(text, "ava-bench,{model},ocr,anls,higher,percent,{score}").expect("a text");
    }
    let folder = folder();
    let table = written(folder.path(), "settings.scores.csv", &text);
    let spread = |name: &str| eyechart(&["spread", arg(&table), "--name", name]);
    let lora = spread(r"^(.+)_lora_(\d+)$");
    let rows = list(&lora, "spreads");
    assert_eq!(texts(rows, "model"), ["dinov2_lr_1e-4", "siglip2_lr_1e-4"]);
    assert_near(&rows[0]["range"], 0.0101, 1e-9, "DINOv2");
    assert_eq!(rows[0]["lowest"]["value"], "128");
    assert_near(&rows[1]["range"], 0.0033, 1e-9, "SigLIP-2");
    let rate = spread(r"^(.+)_lr_([\de-]+)_lora_128$");
    let [only] = list(&rate, "spreads") else {
        panic!("one encoder with two learning rates at LoRA 128")
    };
    assert_eq!(only["model"], "siglip2");
    assert_near(&only["change"], 0.7763 - 0.8118, 1e-9, "5e-4 against 1e-4");
    let wrong = run(&["spread", arg(&table), "--name", "^dinov2"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("two groups"), "{}", wrong.stderr);
    assert_eq!(run(&["spread", arg(&table)]).code, 2);
}

/// Samples with two tags. They are right at high integrity or, at a large area ratio, only at the
/// highest.
fn integrity(folder: &Path) -> PathBuf {
    let mut text = String::new();
    for ratio in [25, 100] {
        for integrity in [30, 60, 90] {
            for at in 0..4 {
                let right = match (ratio, integrity) {
                    (25, 60) => at < 3,
                    (100, 60) => at < 1,
                    (_, 90) => true,
                    _ => false,
                };
                let line = json!({
                    "sample_id": format!("{ratio}-{integrity}-{at}"), "ability": "case_integrity",
                    "benchmark": "b", "model": "m", "response": "x", "metric": "accuracy",
                    "score": u8::from(right), "image": format!("{ratio}-{at}.png"),
                    "tags": {"integrity": integrity, "area_ratio": ratio},
                });
                writeln!(text, "{line}").expect("a text");
            }
        }
    }
    written(folder, "invented.eyechart.jsonl", &text)
}

/// `TDBench`, Figure 8: accuracy against integrity, one line for each area ratio.
#[test]
fn two_crossed_attributes_are_lines_of_one_chart() {
    let folder = folder();
    let log = integrity(folder.path());
    let report = |by: &str, format: &str| {
        let found = run(&["report", arg(&log), "--by", by, "--format", format]);
        assert_eq!(found.code, 0, "{}", found.stderr);
        found.stdout
    };
    let page = report("integrity*area_ratio", "html");
    assert_well_formed(&page);
    assert!(
        page.contains("25: 30 0, 60 0.75, 90 1; 100: 30 0, 60 0.25, 90 1."),
        "the lines are described"
    );
    // Three or more bins are shown as an axis; two bins are not.
    let page = report("area_ratio*integrity", "html");
    assert!(!page.contains("25: 30"), "no line over two bins");
}

#[test]
fn crossed_attributes_of_many_models_say_which_are_drawn() {
    let folder = folder();
    let log = integrity(folder.path());
    let lines = fs::read_to_string(&log).expect("a log");
    let (of_one, named) = (r#""model":"m""#, |at: u32| format!(r#""model":"m{at}""#));
    assert!(lines.contains(of_one), "{lines}");
    let page = |models: u32| {
        let all: String = (1..=models)
            .map(|at| lines.replace(of_one, &named(at)))
            .collect();
        fs::write(&log, all).expect("a log");
        run(&[
            "report",
            arg(&log),
            "--by",
            "integrity*area_ratio",
            "--format",
            "html",
        ])
        .stdout
    };
    let seven = page(7);
    assert!(seven.contains(": model 6 of 7, best first."), "{seven}");
    assert!(!seven.contains(": model 7 of 7"), "six are drawn");
    assert!(!page(6).contains(" of 6, best first."), "all are drawn");
}

/// `GePBench`, Figures 3 and 5: the numbers of samples and pictures, and their difficulty.
#[test]
fn samples_are_counted_by_attributes() {
    let folder = folder();
    let log = integrity(folder.path());
    let found = eyechart(&["items", arg(&log), "--by", "integrity,area_ratio"]);
    let bins = list(&found, "bins");
    assert_eq!(bins.len(), 5);
    let of = |by: &str, bin: &str| one(bins, &[("by", by), ("bin", bin)]).clone();
    let sixty = of("integrity", "60");
    assert_eq!(
        (&sixty["samples"], &sixty["pictures"], &sixty["of"]),
        (&json!(8), &json!(8), &json!(24))
    );
    assert_near(&sixty["share"], 1.0 / 3.0, 1e-12, "share");
    assert_near(&sixty["difficulty"], 0.5, 1e-12, "difficulty");
    let far = of("area_ratio", "100");
    assert_eq!(
        (&far["samples"], &far["pictures"]),
        (&json!(12), &json!(4)),
        "a picture has three samples"
    );
    assert_near(&far["difficulty"], 7.0 / 12.0, 1e-12, "difficulty");
    let plain = eyechart(&["items", arg(&log)]);
    assert!(list(&plain, "bins").is_empty());
    let page = run(&["items", arg(&log), "--by", "integrity", "--format", "html"]);
    assert_well_formed(&page.stdout);
    assert!(page.stdout.contains("<svg"), "a chart");
}

/// `GePBench`, Figure 10: the change of each model's score by noise.
#[test]
fn noise_changes_the_score_of_each_model() {
    let folder = folder();
    let mut text = String::new();
    for (model, clean, noisy) in [("steady", "1100", "1100"), ("weak", "1111", "1000")] {
        for (noise, marks) in [(false, clean), (true, noisy)] {
            for (at, mark) in marks.chars().enumerate() {
                let line = json!({
                    "sample_id": format!("{noise}-{at}"), "ability": "size", "benchmark": "b",
                    "model": model, "response": "x", "metric": "accuracy",
                    "score": mark.to_digit(10), "tags": {"noise": noise},
                });
                writeln!(text, "{line}").expect("a text");
            }
        }
    }
    let log = written(folder.path(), "noise.eyechart.jsonl", &text);
    let found = eyechart(&["spread", arg(&log), "--by", "noise"]);
    let rows = list(&found, "spreads");
    let of = |model: &str| one(rows, &[("model", model)])["change"].clone();
    assert_near(&of("steady"), 0.0, 1e-12, "steady");
    assert_near(&of("weak"), -0.75, 1e-12, "weak");
    assert_eq!(rows[0]["values"][0]["n"], 4);
}
