//! Tests the report page as a stand-alone file: size, filter, failures by name, and display in a
//! real browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use image::{Rgb, RgbImage};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::evidence::{self, values};
use crate::html::assert_well_formed;
use crate::own_format::{line, log};
use crate::support::{arg, program, run};

/// Text that would run, load or hide something if the page contained it as markup.
const EVIL: &str =
    "</style></script><script>document.title='run'</script>\" onerror=\"x\u{202e}javascript:x";

/// Names of programs that are Chromium.
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Returns true if a sample has a dark picture.
const fn is_dark(at: u32) -> bool {
    at.is_multiple_of(4)
}

/// Returns true if a model is wrong: `weak` on most dark samples and few others, `even` on every
/// fifth.
fn is_wrong(model: &str, at: u32) -> bool {
    match model {
        "weak" if is_dark(at) => !at.is_multiple_of(16),
        "weak" => at % 20 == 1,
        _ => at.is_multiple_of(5),
    }
}

/// Logs of two models over pictures of noise. All answers are invented.
fn logs(samples: u32, side: u32) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("img")).expect("a folder");
    let mut lines = Vec::new();
    for at in 0..samples {
        let noise = RgbImage::from_fn(side, side, |x, y| {
            let mixed = (x * 7919 + y * 104_729 + at * 31).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            Rgb([a, b, c])
        });
        let file = folder.path().join(format!("img/{at}.jpg"));
        noise.save(file).expect("a picture");
        for model in ["weak", "even"] {
            lines.push(line(&json!({
                "sample_id": format!("q{at}"), "model": model, "benchmark": "b", "ability": "scene",
                "question": format!("What is on picture {at}?"), "choices": {"A": "a beach", "B": "a road"},
                "target": "A", "response": if is_wrong(model, at) { "B" } else { "A" }, "image": format!("img/{at}.jpg"),
                "tags": {"light": if is_dark(at) { "dark" } else { "bright" }},
            })));
        }
    }
    fs::write(folder.path().join("a.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    folder
}

/// Well-formed page of a report with further arguments.
fn page(folder: &Path, more: &[&str]) -> String {
    let page = evidence::page(folder, more);
    assert_well_formed(&page);
    page
}

#[test]
fn five_hundred_pictures_fit_into_five_megabytes() {
    let folder = logs(500, 200);
    let page = page(folder.path(), &["--samples", "500"]);
    assert_eq!(page.matches("<article").count(), 500);
    assert!(page.len() < 5_000_000, "{}", page.len());
    let pictures = page.matches("<img ").count();
    assert!(pictures >= 500, "{pictures}");
    assert!(page.contains("pictures reduced to fit"));
    assert!(!page.contains("left out:"));
}

#[test]
fn pictures_without_room_are_counted() {
    let folder = logs(40, 200);
    let config = tempfile::tempdir().expect("a folder");
    let file = config.path().join("config.toml");
    fs::write(&file, "[limits]\nreport_pictures = 100000\n").expect("a file");
    let made = program()
        .args([
            "report",
            arg(folder.path()),
            "--format",
            "html",
            "--samples",
            "40",
        ])
        .env("EYECHART_CONFIG", &file)
        .output()
        .expect("the program runs");
    let page = String::from_utf8(made.stdout).expect("UTF-8");
    let shown = page.matches("<img ").count();
    let left_out = page.matches("The picture is left out.").count();
    assert!(shown > 0 && left_out > 0, "{shown} {left_out}");
    assert!(page.contains(" left out: more than 100000 bytes in one report with pictures"));
}

#[test]
fn failures_have_a_name_evidence_and_a_sheet() {
    let folder = logs(200, 16);
    let page = page(folder.path(), &[]);
    let section = page
        .split("Failures by name</h2>")
        .nth(1)
        .expect("a section");
    let section = section.split("Samples</h2>").next().expect("an end");
    let failures: Vec<&str> = section.split("<h4>").skip(1).collect();
    let failure = failures.first().expect("a failure");
    for part in [
        "weak in scene is worse where light is dark</h4>",
        "accuracy ↑: 0.260 there and 0.933 elsewhere, difference -0.673 [",
        "On the half of the images that was not searched: difference -0.",
        "model=weak&#39; --sort score",
    ] {
        assert!(failure.contains(part), "{part} in {failure}");
    }
    assert_eq!(failure.matches("<img ").count(), 12);
    // Each picture leads to a card of this slice.
    let slice = values(&page, "<option>");
    let slice = slice
        .iter()
        .position(|name| name.starts_with("weak in scene is worse"));
    assert!(slice.is_some());
    for link in values(failure, "href=\"#sample-") {
        let card = page
            .split(&format!("id=\"sample-{link}\""))
            .nth(1)
            .expect("a card");
        let card = card.split("</article>").next().expect("an end");
        let wrong = card.split("✗</b> B a road <small>").nth(1);
        let models = wrong.and_then(|rest| rest.split('<').next());
        assert!(models.is_some_and(|names| names.contains("weak")), "{card}");
    }
}

#[test]
fn only_a_model_that_is_clearly_best_is_called_first() {
    let unsure = page(logs(40, 8).path(), &[]);
    assert!(unsure.contains("<p class=\"lead\">No model is clearly first.</p>"));
    assert!(!unsure.contains("Clearly first:"));
    let fingerprint = |page: &str| -> String {
        let section = page.split("Fingerprint</h3>").nth(1).expect("a section");
        section
            .split("</table>")
            .next()
            .expect("a table")
            .to_owned()
    };
    assert!(
        !fingerprint(&unsure).contains(" h0\""),
        "ties have no colour"
    );
    let answer = |at: u32, model: &str, score: u32| {
        line(
            &json!({"sample_id": at.to_string(), "model": model, "benchmark": "b", "ability": "scene", "metric": "accuracy", "score": score}),
        )
    };
    let lines: Vec<Vec<u8>> = (0..200)
        .flat_map(|at| {
            [
                answer(at, "good", u32::from(at % 10 > 0)),
                answer(at, "poor", u32::from(at % 10 < 3)),
            ]
        })
        .collect();
    let folder = log(&lines);
    let sure = page(folder.path(), &[]);
    assert!(sure.contains("<p class=\"lead\">Clearly first: good in scene.</p>"));
    assert!(sure.contains("2 models, 1 ability, 200 samples per model and ability."));
    assert!(fingerprint(&sure).contains(" h0 b\"") || fingerprint(&sure).contains(" b h0\""));
}

#[test]
fn each_number_has_samples_and_all_are_readable_without_scripts() {
    let folder = logs(20, 8);
    let page = page(folder.path(), &[]);
    // Only the search fields are hidden.
    assert_eq!(page.matches("hidden=\"hidden\"").count(), 1);
    assert!(page.contains("<div class=\"find\" id=\"find\" role=\"search\""));
    let links = page.split("<a href=\"#samples-").skip(1);
    let links: Vec<&str> = links.filter_map(|link| link.split('>').next()).collect();
    assert!(links.len() >= 8, "{}", links.len());
    let models = page.split("id=\"find-model\"").nth(1).expect("a field");
    let models = models.split("</select>").next().expect("an end");
    let subgroups = page.split("id=\"find-subgroup\"").nth(1).expect("a field");
    let subgroups = subgroups.split("</select>").next().expect("an end");
    let counts = [models, subgroups].map(|field| field.matches("<option>").count());
    for link in links {
        let (ability, choice) = link.split_once("\" data-f=\"").expect("a filter");
        assert!(page.contains(&format!("<section id=\"samples-{ability}\"")));
        let places = choice.trim_end_matches('"').split('.');
        for (place, count) in places.zip(counts) {
            let place = place.parse::<usize>().ok();
            assert!(place.is_none_or(|place| place < count), "{link}");
        }
    }
    // All tables have a caption, and a link skips to the content.
    assert_eq!(
        page.matches("<table>").count(),
        page.matches("<caption").count()
    );
    assert!(page.contains("<a class=\"skip\" href=\"#main\">"));
    for other in ["samples", "check", "slices"] {
        let made = run(&[other, arg(folder.path()), "--format", "html"]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        assert!(
            !made.stdout.contains("<script"),
            "{other}: only samples need it"
        );
    }
}

/// Opens a page in the browser, without a network. Returns the page as the browser has built it,
/// and the browser's log. `None` if no browser runs here.
fn browsed(file: &Path, fragment: &str) -> Option<(String, String)> {
    let home = tempfile::tempdir().expect("a folder");
    let address = format!("file://{}#{fragment}", file.display());
    let run = |name: &&str| {
        Command::new(name)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--dump-dom"])
            .arg("--enable-logging=stderr")
            // Nothing listens at this port. A request would fail, and the browser would log that.
            .arg("--proxy-server=127.0.0.1:9")
            .arg(format!("--user-data-dir={}", home.path().display()))
            .arg(&address)
            .stdin(Stdio::null())
            .output()
            .ok()
    };
    let mut outputs = BROWSERS.iter().filter_map(run);
    let output = outputs.find(|output| output.status.success() && !output.stdout.is_empty());
    if output.is_none() {
        super::skipped::skipped("chromium is missing");
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    output.map(|output| (text(&output.stdout), text(&output.stderr)))
}

/// Titles of the cards that are not hidden.
fn visible(page: &str) -> Vec<String> {
    let cards = page.split("<article ").skip(1);
    let cards = cards.filter(|card| {
        let tag = card.split('>').next().unwrap_or_default();
        !tag.contains("hidden")
    });
    cards
        .filter_map(|card| {
            card.split("<h5>")
                .nth(1)?
                .split("\">")
                .nth(1)?
                .split('<')
                .next()
        })
        .map(str::to_owned)
        .collect()
}

/// Writes the page of a folder's logs into it.
fn written(folder: &Path, more: &[&str]) -> std::path::PathBuf {
    let file = folder.join("page.html");
    let args = [&["report", arg(folder), "--out", arg(&file)], more].concat();
    let made = run(&args);
    assert_eq!(made.code, 0, "{}", made.stderr);
    file
}

#[test]
fn a_real_browser_filters_the_samples() {
    let folder = logs(60, 8);
    let file = written(folder.path(), &["--samples", "60"]);
    let Some((all, log)) = browsed(&file, "") else {
        return;
    };
    assert_eq!(visible(&all).len(), 60, "{log}");
    assert!(all.contains("60 of 60 samples on this page"), "{log}");
    let count = |passes: &dyn Fn(u32) -> bool| (0..60).filter(|at| passes(*at)).count();
    let (weak, even) = (|at| is_wrong("weak", at), |at| is_wrong("even", at));
    for (fragment, expected) in [
        ("q=picture+59", 1),
        ("model=weak&answers=wrong+or+unreadable", count(&weak)),
        ("model=even&answers=wrong+or+unreadable", count(&even)),
        ("answers=right", count(&|at| !(weak(at) && even(at)))),
        ("subgroup=light%3A+dark", count(&is_dark)),
        (
            "subgroup=light%3A+dark&model=even&answers=right",
            count(&|at| is_dark(at) && !even(at)),
        ),
        ("ability=scene&q=nowhere", 0),
        ("q=%3Cscript%3E", 0),
        ("sample-3", 60),
    ] {
        let (page, log) = browsed(&file, fragment).expect("a browser");
        let shown = visible(&page);
        assert_eq!(shown.len(), expected, "{fragment}: {shown:?} {log}");
        assert!(
            page.contains(&format!("{expected} of 60 samples on this page")),
            "{fragment}"
        );
        assert!(!log.contains("CONSOLE"), "{fragment}: {log}");
    }
}

#[test]
fn hostile_names_do_nothing_in_a_real_browser() {
    let lines: Vec<Vec<u8>> = (0..40)
        .flat_map(|at| {
            ["m", "o"].map(|model| {
                let tags: Value = json!({(format!("t{EVIL}")): format!("{EVIL}{}", at % 2)});
                line(&json!({
                    "sample_id": format!("{at}{EVIL}"), "benchmark": format!("b{EVIL}"), "ability": format!("a{EVIL}"),
                    "model": format!("{model}{EVIL}"), "question": EVIL, "choices": {"A": EVIL, "B": "b"}, "target": "A",
                    "response": if model == "m" && at % 2 == 0 { EVIL } else { "A" }, "image": format!("{EVIL}.png"),
                    "tags": tags, "boxes": [{"label": EVIL, "role": "target", "xyxy": [1, 1, 2, 2]}],
                }))
            })
        })
        .collect();
    let folder = log(&lines);
    let page = page(folder.path(), &[]);
    for part in [
        "<script>document",
        "\" onerror=",
        "\u{202e}",
        "</style></script>",
        "href=\"javascript",
    ] {
        assert!(!page.contains(part), "{part}");
    }
    assert_eq!(
        (
            page.matches("<script").count(),
            page.matches("<style").count()
        ),
        (1, 1)
    );
    let file = written(folder.path(), &[]);
    let Some((shown, log)) = browsed(&file, "q=onerror&model=%3Cscript%3E") else {
        return;
    };
    assert!(shown.contains("<title>Eyechart report"), "{log}");
    assert!(!visible(&shown).is_empty());
    assert!(!log.contains("CONSOLE"), "{log}");
}
