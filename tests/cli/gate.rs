//! Tests `eyechart gate`: decisions, exit codes, formats and refusals, on invented answers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::{line, log};
use crate::support::{Run, arg, assert_near, fixture, list, one, run, texts};

/// Answers of a model to `n` samples of an ability. `score` is called with the number of the
/// sample.
fn answers(model: &str, ability: &str, n: usize, score: impl Fn(usize) -> f64) -> Vec<Vec<u8>> {
    answers_by("accuracy", [model, ability], n, score)
}

fn answers_by(
    metric: &str,
    [model, ability]: [&str; 2],
    n: usize,
    score: impl Fn(usize) -> f64,
) -> Vec<Vec<u8>> {
    let one = |at: usize| {
        line(&json!({
            "sample_id": format!("{ability}-{at:04}"), "model": model, "ability": ability,
            "metric": metric, "score": score(at), "response": format!("answer {at}"),
        }))
    };
    (0..n).map(one).collect()
}

/// Answers of base `old` and candidate `new`. Only the candidate is right on the first `won`
/// samples, and only the base on the next `lost` ones.
fn pair(ability: &str, n: usize, [won, lost]: [usize; 2]) -> Vec<Vec<u8>> {
    let old = answers("old", ability, n, |at| f64::from(u8::from(at >= won)));
    let is_lost = move |at: usize| (won..won + lost).contains(&at);
    let new = answers("new", ability, n, move |at| {
        f64::from(u8::from(!is_lost(at)))
    });
    [old, new].concat()
}

fn small(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("a small number"))
}

fn gate(folder: &TempDir, options: &[&str]) -> Run {
    let args = ["gate", "old", "new", arg(folder.path())];
    run(&[&args[..], options].concat())
}

/// The gate as JSON, and its exit code.
fn decided(folder: &TempDir, options: &[&str]) -> (i32, Value) {
    let run = gate(folder, &[options, &["--format", "json"]].concat());
    let found = serde_json::from_str(&run.stdout);
    (run.code, found.unwrap_or_else(|_| panic!("{}", run.stderr)))
}

/// The only row of the result. Asserts the exit code.
fn row(folder: &TempDir, options: &[&str], code: i32) -> Value {
    let (found, document) = decided(folder, options);
    assert_eq!(found, code, "{document}");
    let rows = list(&document, "rows");
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows[0].clone()
}

/// The models differ on 2 and 2 of 400 answers. The interval is the union of Tango's score interval
/// and the exact interval, computed with scipy.
#[test]
fn a_candidate_within_the_margin_passes() {
    let folder = log(&pair("ocr", 400, [2, 2]));
    let (code, found) = decided(&folder, &["--worse-by", "5pp"]);
    assert_eq!(code, 0);
    assert_eq!(found["schema"], "eyechart.gate/1");
    assert_eq!(
        (&found["base"], &found["candidate"]),
        (&json!("old"), &json!("new"))
    );
    assert_eq!(
        (&found["verdict"], &found["outcome"]),
        (&json!("pass"), &json!("pass"))
    );
    let row = &list(&found, "rows")[0];
    assert_near(&row["change"], 0.0, 1e-12, "change");
    assert_near(&row["ci"][0], -0.013_590_505_856, 1e-9, "low");
    assert_near(&row["ci"][1], 0.013_590_505_856, 1e-9, "high");
    assert_near(&row["margin"], 0.05, 1e-12, "margin");
    assert_near(&row["limit"], -0.05, 1e-12, "limit");
    assert_near(&row["base"], 0.995, 1e-12, "base");
    let counts = ["n", "better", "worse", "equal"].map(|key| row[key].as_u64());
    assert_eq!(counts, [Some(400), Some(2), Some(2), Some(396)]);
    assert!(row["p_worse"].is_null() && row["required"]["if_equal"].is_null());
    assert!(list(row, "losses").is_empty());
}

/// 30 of 100 samples are lost: -.3 [-.3958, -.2189] by scipy.
#[test]
fn a_candidate_beyond_the_margin_is_worse() {
    let folder = log(&pair("ocr", 100, [0, 30]));
    let row = row(&folder, &["--worse-by", "5pp"], 5);
    assert_eq!(row["verdict"], "worse");
    assert_near(&row["change"], -0.3, 1e-12, "change");
    assert_near(&row["ci"][0], -0.395_848_546, 1e-8, "low");
    assert_near(&row["ci"][1], -0.218_948_853, 1e-8, "high");
    let p = row["p_worse"].as_f64().expect("a p value");
    assert!(p > 0.0 && p < 1e-4, "{p}");
    assert_eq!(row["p_adjusted"], row["p_worse"]);
    let lost = list(&row, "losses");
    assert_eq!(lost.len(), 6);
    assert_eq!(lost[0]["sample_id"], "ocr-0000");
    assert_near(&lost[0]["loss"], 1.0, 1e-12, "loss");
    let command = lost[0]["command"].as_str().expect("a command");
    assert!(
        command.contains("show") && command.contains("--sample ocr-0000"),
        "{command}"
    );
    assert_eq!(
        gate(&folder, &["--worse-by", "5pp", "--fail-on", "worse"]).code,
        5
    );
    // A larger loss is tolerated.
    assert_eq!(gate(&folder, &["--worse-by", "40pp"]).code, 0);
}

/// The models differ on 1 and 1 of 40 answers: ±.108049747. `40 (1.4294 · .10805 / .05)²` samples
/// would be enough.
#[test]
fn too_few_samples_cannot_tell_and_say_how_many_would() {
    let folder = log(&pair("ocr", 40, [1, 1]));
    let found = row(&folder, &["--worse-by", "5pp"], 6);
    assert_eq!(
        (&found["verdict"], &found["outcome"]),
        (&json!("cannot_tell"), &json!("cannot_tell"))
    );
    assert_near(&found["ci"][0], -0.108_049_747, 1e-8, "low");
    assert_near(&found["required"]["if_equal"], 382.0, 1.0, "samples");
    let sentence = found["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.contains("about 382 samples decide it if both are equal"),
        "{sentence}"
    );
    assert!(found["why_not"].is_null());
    assert_eq!(
        gate(&folder, &["--worse-by", "5pp", "--fail-on", "worse"]).code,
        0
    );
    let strict = row(&folder, &["--worse-by", "5pp", "--fail-on", "unsure"], 5);
    assert_eq!(
        (&strict["verdict"], &strict["outcome"]),
        (&json!("cannot_tell"), &json!("worse"))
    );
}

#[test]
fn a_text_fits_one_screen_and_starts_with_the_decision() {
    let logs: Vec<Vec<Vec<u8>>> = (0..30)
        .map(|at| pair(&format!("ability{at:02}"), 60, [1, at]))
        .collect();
    let folder = log(&logs.concat());
    let text = gate(&folder, &["--worse-by", "5pp", "--by", "ability"]);
    assert_eq!(text.code, 5);
    assert!(
        text.stdout.starts_with("Worse: new is worse than old"),
        "{}",
        text.stdout
    );
    assert!(text.stdout.lines().count() <= 40, "{}", text.stdout);
    let long = gate(&folder, &["--worse-by", "5pp", "--by", "ability", "--long"]);
    assert!(long.stdout.contains("ability00") && long.stdout.lines().count() > 60);
}

/// Log, options, and words of the reported reason.
type Case<'a> = (Vec<Vec<u8>>, &'a [&'a str], &'a str);

#[test]
fn each_refusal_has_its_reason_and_never_passes() {
    let asks = |words: &'static str| {
        move |mut lines: Vec<Vec<u8>>| {
            for bytes in lines.iter_mut().filter(|bytes| contains(bytes, "\"new\"")) {
                let mut fields: Value = serde_json::from_slice(bytes).expect("JSON");
                fields["question"] = json!(words);
                *bytes = fields.to_string().into_bytes();
            }
            lines
        }
    };
    let whole = pair("ocr", 100, [1, 1]);
    let without = |from: usize| {
        let new = answers("new", "ocr", from, |_| 1.0);
        [answers("old", "ocr", 100, |_| 1.0), new].concat()
    };
    let other_ids = [
        answers("old", "ocr", 60, |_| 1.0),
        answers("new", "ocr", 120, |_| 1.0).split_off(60),
    ];
    let odd = ["old", "new"].map(|model| answers_by("wobble", [model, "ocr"], 60, |_| 1.0));
    let mixed = [
        answers("old", "ocr", 60, |_| 1.0),
        answers_by("anls", ["new", "ocr"], 60, |_| 0.5),
    ];
    let colours = ["old", "new"].map(|model| answers_by("ciede2000", [model, "color"], 60, small));
    let cases: [Case<'_>; 8] = [
        (
            asks("what is written?")(whole.clone()),
            &[],
            "ask a different question",
        ),
        (
            without(90),
            &[],
            "10 of 100 samples of the base have no score of the candidate",
        ),
        (
            whole,
            &["--filter", "score<2"],
            "selects samples by their outcome",
        ),
        (other_ids.concat(), &[], "no sample is scored on both sides"),
        (
            odd.concat(),
            &[],
            "unknown whether higher or lower wobble is better",
        ),
        (
            mixed.concat(),
            &[],
            "the base is scored by accuracy, the candidate by anls",
        ),
        (
            colours.concat(),
            &[],
            "percentage points do not fit ciede2000",
        ),
        (
            pair("ocr", 60, [0, 0]),
            &["--worse-by", "anls=1pp"],
            "accuracy has no margin",
        ),
    ];
    for (lines, options, reason) in cases {
        let folder = log(&lines);
        let usual: &[&str] = match options {
            ["--worse-by", ..] => &[],
            _ => &["--worse-by", "1pp"],
        };
        for (policy, code) in [
            (&[][..], 6),
            (&["--fail-on", "worse"], 6),
            (&["--fail-on", "unsure"], 5),
        ] {
            let found = row(&folder, &[usual, options, policy].concat(), code);
            assert_eq!(found["verdict"], "cannot_tell");
            let why = found["why_not"].as_str().unwrap_or_default();
            assert!(why.contains(reason), "{reason}: {found}");
            assert!(found["p_worse"].is_null() && found["required"]["if_equal"].is_null());
        }
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

#[test]
fn dropped_rows_of_a_log_are_a_refusal() {
    let folder = log(&answers("old", "ocr", 100, |_| 1.0));
    let mut lines = answers("new", "ocr", 100, |_| 1.0);
    for broken in lines.iter_mut().take(5) {
        *broken = b"{\"sample_id\": ".to_vec();
    }
    fs::write(folder.path().join("b.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    let found = row(&folder, &["--worse-by", "1pp"], 6);
    let why = found["why_not"].as_str().expect("a reason");
    assert!(
        why.contains("5 of 100 rows") && why.contains("left out"),
        "{why}"
    );
}

#[test]
fn an_ability_that_the_candidate_lacks_is_not_overlooked() {
    let lines = [
        pair("ocr", 400, [2, 2]),
        answers("old", "color_names", 50, |_| 1.0),
    ];
    let folder = log(&lines.concat());
    for by in [&[][..], &["--by", "ability"]] {
        let (code, found) = decided(&folder, &[&["--worse-by", "5pp"], by].concat());
        assert_eq!(code, 6, "{found}");
        let text = found.to_string();
        assert!(text.contains("no sample is scored on both sides"), "{text}");
    }
    let only = ["--worse-by", "5pp", "--filter", "ability:ocr"];
    assert_eq!(gate(&folder, &only).code, 0);
    // Abilities and metrics that only the candidate has are ignored.
    let more = [
        pair("ocr", 400, [2, 2]),
        answers("new", "color_names", 50, |_| 1.0),
    ];
    let (code, found) = decided(&log(&more.concat()), &["--worse-by", "5pp"]);
    assert_eq!(
        (code, &found["dropped"]["only_in_candidate"]),
        (0, &json!(50))
    );
}

/// 4 and 4 of 500 differ: ±.0134. 2 and 2 of 400: ±.0136. 2 and 2 of 100: ±.0529.
#[test]
fn the_whole_passes_by_ability_only_if_every_ability_does() {
    let folder = log(&[pair("ocr", 400, [2, 2]), pair("shapes", 100, [2, 2])].concat());
    let whole = row(&folder, &["--worse-by", "2pp"], 0);
    assert!(whole["ability"].is_null());
    assert_eq!(whole["abilities"], json!(["ocr", "shapes"]));
    assert_near(&whole["ci"][0], -0.013_386_184, 1e-8, "low");
    let (code, found) = decided(&folder, &["--worse-by", "2pp", "--by", "ability"]);
    assert_eq!((code, &found["verdict"]), (6, &json!("cannot_tell")));
    let rows = list(&found, "rows");
    assert_eq!(texts(rows, "verdict"), ["pass", "pass", "cannot_tell"]);
    assert!(rows[0]["ability"].is_null());
    let shapes = one(rows, &[("ability", "shapes")]);
    assert_near(&shapes["ci"][0], -0.052_853_742, 1e-8, "low");
    assert_eq!(
        gate(&folder, &["--worse-by", "6pp", "--by", "ability"]).code,
        0
    );
    let worse = log(&[pair("ocr", 400, [2, 2]), pair("shapes", 100, [0, 30])].concat());
    let (code, found) = decided(&worse, &["--worse-by", "15pp", "--by", "ability"]);
    assert_eq!((code, &found["verdict"]), (5, &json!("worse")));
    let shapes = one(list(&found, "rows"), &[("ability", "shapes")]);
    // Three rows are tested, so Holm multiplies the smallest p value by 3.
    let p = |key: &str| shapes[key].as_f64().expect("a p value");
    assert!((p("p_adjusted") / p("p_worse") - 3.0).abs() < 1e-9);
}

/// If lower scores are better, a positive change means that the candidate is worse.
#[test]
fn errors_and_relative_margins_keep_the_metrics_direction() {
    let of = |more: f64| {
        let score = |at: usize| 10.0 + small(at % 5);
        log(&[
            answers_by("ciede2000", ["old", "color"], 60, score),
            answers_by("ciede2000", ["new", "color"], 60, move |at| {
                score(at) + more + 0.01 * small(at % 3)
            }),
        ]
        .concat())
    };
    let worse = row(&of(3.0), &["--worse-by", "0.5"], 5);
    assert_eq!(worse["direction"], "lower");
    assert_near(&worse["change"], 3.01, 1e-9, "change");
    assert_near(&worse["limit"], 0.5, 1e-12, "limit");
    assert!(worse["ci"][0].as_f64() > Some(3.0));
    assert_eq!(row(&of(-3.0), &["--worse-by", "0.5"], 0)["verdict"], "pass");
    // The mean of the base is 12, so 30 % of it is 3.6.
    let found = row(&of(3.0), &["--worse-by", "30%"], 0);
    assert_near(&found["margin"], 3.6, 1e-9, "margin");
    assert_eq!(found["worse_by"], "30%");
    let own = row(
        &of(3.0),
        &["--worse-by", "1pp", "--worse-by", "ciede2000=4"],
        0,
    );
    assert_near(&own["margin"], 4.0, 1e-12, "margin");
}

/// Four questions on each of 30 pictures: clusters are counted, not questions.
#[test]
fn questions_on_one_picture_are_no_more_than_one_observation() {
    let of = |model: &str, wrong: usize| -> Vec<Vec<u8>> {
        let one = |at: usize| {
            line(&json!({
                "sample_id": format!("q{at}"), "model": model, "metric": "accuracy",
                "image": format!("{}.png", at / 4), "score": u8::from(at / 4 >= wrong),
            }))
        };
        (0..120).map(one).collect()
    };
    let folder = log(&[of("old", 0), of("new", 3)].concat());
    let found = row(&folder, &["--worse-by", "20pp"], 6);
    assert_eq!((&found["n"], &found["clusters"]), (&json!(120), &json!(30)));
    // As 120 independent questions, a loss of 12 would give [-.17, -.06].
    assert!(found["ci"][0].as_f64() < Some(-0.2), "{found}");
    assert_eq!(list(&found, "losses").len(), 3, "one sample a picture");
}

#[test]
fn one_set_of_answers_is_written_in_every_format() {
    let folder = log(&[pair("ocr", 100, [0, 30]), pair("shapes", 40, [1, 1])].concat());
    let options = ["--worse-by", "5pp", "--by", "ability"];
    let as_format = |format: &str| {
        let found = gate(&folder, &[&options[..], &["--format", format]].concat());
        assert_eq!(found.code, 5, "{format}: {}", found.stderr);
        found.stdout
    };
    let lines = as_format("jsonl");
    assert_eq!(lines.lines().count(), 3);
    assert!(
        as_format("csv").starts_with("benchmark,ability,metric,n,pictures"),
        "{}",
        as_format("csv")
    );
    assert!(as_format("html").contains("<html"));
    let junit = as_format("junit");
    assert!(
        junit.contains("tests=\"3\" failures=\"2\" errors=\"1\" skipped=\"0\""),
        "{junit}"
    );
    assert!(
        junit.contains("name=\"ocr (accuracy)\">\n      <failure type=\"worse\""),
        "{junit}"
    );
    assert!(junit.contains("<error type=\"cannot_tell\""), "{junit}");
    let github = as_format("github");
    assert!(
        github
            .lines()
            .all(|line| line.starts_with("::error title=")),
        "{github}"
    );
    assert_eq!(github.lines().count(), 4, "{github}");
    let comment = as_format("markdown");
    assert!(
        comment.starts_with("### ❌ Worse: new is worse than old"),
        "{comment}"
    );
    assert!(comment.contains("| ocr | 1. ocr-0000 |"), "{comment}");
    let loose = gate(
        &folder,
        &[&options[..], &["--format", "junit", "--fail-on", "worse"]].concat(),
    );
    assert!(
        loose.stdout.contains("errors=\"0\" skipped=\"1\""),
        "{}",
        loose.stdout
    );
    let loose = gate(
        &folder,
        &[&options[..], &["--format", "github", "--fail-on", "worse"]].concat(),
    );
    assert!(
        loose
            .stdout
            .contains("::warning title=shapes%3A cannot tell::"),
        "{}",
        loose.stdout
    );
}

#[test]
fn a_passing_gate_is_one_notice_and_a_passed_case() {
    let folder = log(&pair("ocr", 400, [2, 2]));
    let github = gate(&folder, &["--worse-by", "5pp", "--format", "github"]).stdout;
    assert_eq!(github.lines().count(), 1);
    assert!(
        github.starts_with("::notice title=eyechart gate::Pass: new is not worse"),
        "{github}"
    );
    let file = folder.path().join("gate.xml");
    let written = gate(&folder, &["--worse-by", "5pp", "--out", arg(&file)]);
    assert_eq!((written.code, written.stdout.as_str()), (0, ""));
    let junit = fs::read_to_string(&file).expect("a file");
    assert!(
        junit.contains("failures=\"0\" errors=\"0\" skipped=\"0\""),
        "{junit}"
    );
    assert!(
        junit.contains("<system-out>new is not worse than old by 5pp in ocr"),
        "{junit}"
    );
}

/// A log with a picture for each sample.
fn pictured() -> TempDir {
    let of = |model: &str, right: u8| -> Vec<Vec<u8>> {
        let one = |at: usize| {
            line(&json!({
                "sample_id": format!("p{at}"), "model": model, "metric": "accuracy",
                "image": format!("{at}.png"), "score": right, "response": format!("{model} @someone"),
            }))
        };
        (0..12).map(one).collect()
    };
    let folder = log(&[of("old", 1), of("new", 0)].concat());
    let picture = fixture("field/pictures/rgba.png");
    for at in 0..12 {
        fs::copy(&picture, folder.path().join(format!("{at}.png"))).expect("a picture");
    }
    folder
}

#[test]
fn a_comment_shows_small_pictures_of_what_got_worse() {
    let folder = pictured();
    let out = folder.path().join("gate.md");
    let written = gate(&folder, &["--worse-by", "5pp", "--out", arg(&out)]);
    assert_eq!(written.code, 5, "{}", written.stderr);
    let comment = fs::read_to_string(&out).expect("a comment");
    assert!(comment.chars().count() <= 65_536);
    assert_eq!(
        comment.matches("<img src=\"data:image/").count(),
        6,
        "{comment}"
    );
    assert!(
        !comment.contains("@someone"),
        "a name from a log notifies a person"
    );
    assert!(
        comment.contains("show") && comment.contains("--sample p0"),
        "{comment}"
    );
}

#[test]
fn the_pictures_of_a_comment_may_be_files() {
    let folder = pictured();
    let pictures = folder.path().join("small");
    let at = "https://example.org/run 7/";
    let options = [
        "--worse-by",
        "5pp",
        "--format",
        "markdown",
        "--pictures",
        arg(&pictures),
    ];
    let comment = gate(&folder, &[&options[..], &["--pictures-at", at]].concat()).stdout;
    assert!(
        comment.contains("<img src=\"https://example.org/run 7/worse-1."),
        "{comment}"
    );
    assert!(!comment.contains("data:"), "{comment}");
    assert_eq!(count_files(&pictures), 6);
}

fn count_files(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn names_from_logs_stay_text_in_every_format() {
    let name = "x\"><script>|\n::error::pwned,%\u{1b}[31m";
    let of = |model: &str, right: u8| -> Vec<Vec<u8>> {
        let one = |at: usize| {
            line(&json!({
                "sample_id": format!("{name}{at}"), "model": model, "ability": name, "metric": "accuracy",
                "score": right, "response": name,
            }))
        };
        (0..40).map(one).collect()
    };
    let folder = log(&[of("old", 1), of("new", 0)].concat());
    for format in [
        "table", "json", "jsonl", "csv", "markdown", "html", "junit", "github",
    ] {
        let found = gate(&folder, &["--worse-by", "5pp", "--format", format]);
        assert_eq!(found.code, 5, "{format}: {}", found.stderr);
        assert!(!found.stdout.contains('\u{1b}'), "{format}");
        assert!(
            !found
                .stdout
                .lines()
                .any(|line| line.starts_with("::error::")),
            "{format}"
        );
        if ["markdown", "html", "junit"].contains(&format) {
            assert!(
                !found.stdout.contains("<script"),
                "{format}: {}",
                found.stdout
            );
        }
    }
}

#[test]
fn wrong_usage_has_code_2_and_filters_may_be_sides() {
    let folder = log(&pair("ocr", 40, [1, 1]));
    for (options, said) in [
        (&[][..], "--worse-by"),
        (&["--worse-by", "much"], "expected a tolerated loss"),
        (&["--worse-by=-1pp"], "expected a tolerated loss"),
        (&["--worse-by", "1pp", "--out", "gate.docx"], ".docx"),
        (&["--worse-by", "1pp", "--fail-on", "never"], "never"),
    ] {
        let found = gate(&folder, options);
        assert_eq!(found.code, 2, "{options:?}: {}", found.stderr);
        assert!(found.stderr.contains(said), "{options:?}: {}", found.stderr);
    }
    let unknown = run(&[
        "gate",
        "old",
        "newer",
        arg(folder.path()),
        "--worse-by",
        "1pp",
    ]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    let filters = [
        "gate",
        "model:old",
        "model:new",
        arg(folder.path()),
        "--worse-by",
        "20pp",
    ];
    assert_eq!(run(&filters).code, 0);
    let help = run(&["gate", "--help"]);
    assert!(
        help.stdout.contains("0 pass, 5 worse, 6 cannot tell"),
        "{}",
        help.stdout
    );
}

#[test]
fn a_comparison_with_a_margin_holds_the_same_sentence() {
    let folder = log(&pair("ocr", 100, [0, 30]));
    let (_, found) = decided(&folder, &["--worse-by", "5pp", "--by", "ability"]);
    let sentence = found["sentences"][0].as_str().expect("a sentence");
    let args = [
        "compare",
        "old",
        "new",
        arg(folder.path()),
        "--worse-by",
        "5pp",
    ];
    let compared = run(&args);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    assert!(compared.stdout.starts_with(sentence), "{}", compared.stdout);
    let compared = run(&[&args[..], &["--format", "json"]].concat());
    let compared: Value = serde_json::from_str(&compared.stdout).expect("JSON");
    assert_eq!(
        compared["gate"],
        json!({"verdict": "worse", "sentences": [sentence]})
    );
    let without = run(&[&args[..4], &["--format", "json"]].concat());
    assert!(!without.stdout.contains("\"gate\""));
}
