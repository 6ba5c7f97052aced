//! Tests the samples on a report page: pictures, answers, links, and omissions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{Rgb, RgbImage};
use serde_json::json;
use tempfile::TempDir;

use crate::own_format::line;
use crate::support::{arg, eyechart, program, run, run_in, sample_runs};

/// Models, best first, with the number of right answers among ten samples.
const MODELS: [(&str, usize); 3] = [("good", 9), ("fair", 5), ("poor", 1)];

/// Logs of three models with a picture for each of ten samples.
fn logs() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("img")).expect("a folder");
    for at in 0..10_u32 {
        let shade = u8::try_from(20 * at).expect("a shade");
        let picture = RgbImage::from_pixel(640, 320, Rgb([shade, 90, 140]));
        let file = folder.path().join(format!("img/{at}.png"));
        picture.save(file).expect("a picture");
    }
    let mut lines = Vec::new();
    for (model, right) in MODELS {
        for at in 0..10 {
            let response = if at < right { "A" } else { "B" };
            lines.push(line(&json!({
                "sample_id": format!("q{at}"), "model": model, "benchmark": "b", "ability": "scene",
                "question": format!("What is on picture {at}?\nLook well."), "choices": {"A": "a beach", "B": "a road"},
                "target": "A", "response": response, "image": format!("img/{at}.png"),
                "boxes": [{"label": "x", "role": "target", "xyxy": [64, 64, 320, 256]}],
                "tags": {"size": if at < 5 { "small" } else { "large" }},
            })));
        }
    }
    fs::write(folder.path().join("a.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    folder
}

/// HTML page of a report with further arguments.
pub fn page(folder: &Path, more: &[&str]) -> String {
    let args = [&["report", arg(folder), "--format", "html"], more].concat();
    let made = run(&args);
    assert_eq!(made.code, 0, "{}", made.stderr);
    made.stdout
}

/// All values of an attribute.
pub fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = page.split(attribute).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

/// HTML of the sample cards, in order.
fn cards(page: &str) -> Vec<&str> {
    let parts = page.split("<article").skip(1);
    parts
        .map(|part| part.split("</article>").next().expect("an end"))
        .collect()
}

/// Embedded pictures of a page, each with its stated width and height.
fn pictures(page: &str) -> Vec<(Vec<u8>, (u32, u32))> {
    let tags = page.split("<img ").skip(1);
    let picture = |tag: &str| {
        let tag = tag.split("/>").next().expect("an end");
        let number = |name: &str| values(tag, name)[0].parse().expect("a number");
        let source = values(tag, "src=\"")[0];
        let (kind, text) = source.split_once(";base64,").expect("base64");
        assert!(
            ["data:image/png", "data:image/jpeg"].contains(&kind),
            "{kind}"
        );
        let bytes = STANDARD.decode(text).expect("base64");
        (bytes, (number("width=\""), number("height=\"")))
    };
    tags.map(picture).collect()
}

/// Asserts that the target of each link is exactly one part of the page.
fn assert_links_lead_somewhere(page: &str) {
    let ids = values(page, " id=\"");
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len(), "no id stands twice");
    let links = values(page, "href=\"");
    assert!(!links.is_empty());
    for link in links {
        let id = link.strip_prefix('#').expect("a link within the page");
        assert!(distinct.contains(id), "{link}");
    }
}

#[test]
fn the_worst_samples_stand_in_the_page_with_pictures_and_answers() {
    let folder = logs();
    let page = page(folder.path(), &[]);
    let cards = cards(&page);
    assert_eq!(cards.len(), 4);
    // No model is right on the last sample; one model is right on each sample before it.
    for (card, id) in cards.iter().zip(["q9", "q5", "q6", "q7"]) {
        assert!(card.contains(&format!("\">{id}</a>")), "{id} in {card}");
    }
    for part in [
        "What is on picture 9?<br/>Look well.",
        "<li><b>A a beach</b></li>",
        "<li>B a road</li>",
        "<small>target</small> <b>A a beach</b>",
        "title=\"wrong\">✗</b> B a road <small>good, fair, poor</small>",
    ] {
        assert!(cards[0].contains(part), "{part} in {}", cards[0]);
    }
    let right = cards[1].find("✓</b> A a beach <small>good</small>");
    let wrong = cards[1].find("✗</b> B a road <small>fair, poor</small>");
    assert!(right.is_some() && right < wrong, "{}", cards[1]);
    let pictures = pictures(&page);
    assert_eq!(pictures.len(), 4);
    for (bytes, size) in pictures {
        let decoded = image::load_from_memory(&bytes)
            .expect("a picture")
            .into_rgb8();
        assert_eq!(decoded.dimensions(), size);
        assert_eq!(size, (256, 128), "the shape is kept");
        // A pixel on the upper edge of the target's box, which is green.
        let [red, green, blue] = decoded.get_pixel(80, 25).0;
        assert!(
            green > 100 && red < 80 && blue < 160,
            "{red} {green} {blue}"
        );
    }
    assert!(cards[0].contains("fill=\"#009e73\""), "the legend");
}

#[test]
fn all_pictures_of_a_sample_stand_in_its_card() {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (0..6).map(|at| format!("frame_{}.png", 30 * at)).collect();
    for (name, shade) in names.iter().zip((40_u8..).step_by(30)) {
        let picture = RgbImage::from_pixel(640, 320, Rgb([shade; 3]));
        picture.save(folder.path().join(name)).expect("a picture");
    }
    let sample = line(&json!({
        "sample_id": "many", "model": "m", "benchmark": "b", "ability": "order", "question": "Which comes first?",
        "choices": {"A": "the first", "B": "the last"}, "target": "A", "response": "B", "images": names,
    }));
    fs::write(folder.path().join("a.eyechart.jsonl"), sample).expect("a log");
    let page = page(folder.path(), &[]);
    let card = cards(&page)[0];
    for caption in ["1 of 6, frame 0", "2 of 6, frame 30", "6 of 6, frame 150"] {
        assert!(card.contains(caption), "{caption} in {card}");
    }
    let shades = pictures(card).into_iter().map(|(bytes, size)| {
        assert_eq!(size, (128, 64), "more than four are smaller");
        let decoded = image::load_from_memory(&bytes).expect("a picture");
        decoded.into_rgb8().get_pixel(64, 32)[0]
    });
    let near = |(found, expected): (u8, u8)| found.abs_diff(expected) <= 3;
    let expected = [40, 70, 100, 130, 160, 190];
    assert!(shades.zip(expected).all(near));
    assert_eq!(pictures(card).len(), 6);
}

#[test]
fn numbers_lead_to_their_samples_and_say_the_command_that_lists_them() {
    let folder = logs();
    let page = page(folder.path(), &[]);
    assert_links_lead_somewhere(&page);
    let titles = values(&page, "title=\"");
    let list = |model: &str| {
        let ending = format!("--filter model={model} --sort score");
        titles
            .iter()
            .filter(|title| title.ends_with(&ending))
            .count()
    };
    for (model, _) in MODELS {
        assert!(list(model) >= 2, "{model}: rank and score");
    }
    let bin = "--filter &#39;model=good size=large&#39; --sort score";
    assert!(
        titles.iter().any(|title| title.ends_with(bin)),
        "{titles:?}"
    );
    // The command next to a number lists the samples from which it is computed.
    let listed = eyechart(&[
        "samples",
        arg(folder.path()),
        "--filter",
        "model=good size=large",
        "--sort",
        "score",
    ]);
    assert_eq!(crate::support::list(&listed, "samples").len(), 5);
    assert!(page.contains("<a href=\"#samples-1\" data-f=\""));
    assert_links_lead_somewhere(&self::page(&sample_runs().join("exam"), &[]));
}

#[test]
fn answers_stand_side_by_side_where_models_differ() {
    let folder = logs();
    let page = page(folder.path(), &[]);
    let section = page
        .split("Answers side by side</h3>")
        .nth(1)
        .expect("a section");
    let table = section.split("</table>").next().expect("a table");
    let head = table.split("</thead>").next().expect("a head");
    let columns = ["sample", "target", "good", "fair", "poor"];
    let at = columns.map(|name| head.find(&format!(">{name}</th>")));
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{head}");
    let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 8, "all but those on which all agree");
    let is_first = |id: &str| rows[0].contains(&format!(">{id}<"));
    assert!(is_first("q1") || is_first("q5"), "{}", rows[0]);
    assert!(!table.contains(">q0<") && !table.contains(">q9<"));
    let shared = rows.iter().find(|row| row.contains("q5")).expect("a row");
    assert!(shared.contains("<a href=\"#sample-2\">q5</a>"), "{shared}");
    assert!(shared.contains("✓</b> A a beach") && shared.contains("✗</b> B a road"));
}

#[test]
fn rows_of_one_sample_under_several_conditions_are_told_apart() {
    let page = page(&sample_runs().join("exam-topdown"), &[]);
    let section = page.split("Answers side by side</h3>").nth(1);
    let rows = section.expect("a section").split("<tr><th");
    let mut names: Vec<&str> = rows
        .filter(|row| row.contains("topdown-"))
        .filter_map(|row| row.split("</th>").next())
        .collect();
    let count = names.len();
    assert!(count > 20, "{count}");
    assert!(names.iter().all(|name| name.contains("<small>rotation=")));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "each stands there once");
}

#[test]
fn samples_are_as_many_as_somebody_says_and_none_where_nobody_wants_any() {
    let folder = logs();
    let none = page(folder.path(), &["--samples", "0"]);
    assert!(!none.contains("<article") && !none.contains("<img"));
    assert!(!none.contains("Answers side by side"));
    assert!(
        none.contains("--filter model=good --sort score"),
        "commands stay"
    );
    let two = page(folder.path(), &["--samples", "2"]);
    assert_eq!((cards(&two).len(), pictures(&two).len()), (2, 2));
    assert!(two.contains("scene: 2 of 10 samples"));
    let wrong = page(folder.path(), &["--filter", "model:poor correct:true"]);
    assert_eq!(cards(&wrong).len(), 1, "those of the lens alone");
}

#[test]
fn a_comparison_is_part_of_the_report_that_asks_for_it() {
    let folder = logs();
    let page = page(folder.path(), &["--compare", "good", "poor"]);
    assert_links_lead_somewhere(&page);
    assert!(page.contains(">A good and B poor</h2>"));
    let compared = eyechart(&["compare", "good", "poor", arg(folder.path())]);
    let row = &crate::support::list(&compared, "abilities")[0];
    let sentence = row["sentence"]
        .as_str()
        .expect("a sentence")
        .replace('<', "&lt;");
    assert!(page.contains(&format!("<p>{sentence}</p>")), "{sentence}");
    let gap = "--filter model=good --sort gap:poor";
    assert!(
        values(&page, "title=\"")
            .iter()
            .any(|title| title.ends_with(gap))
    );
    let report = eyechart(&["report", arg(folder.path()), "--compare", "good", "poor"]);
    assert_eq!(report["compare"]["abilities"], compared["abilities"]);
    let plain = eyechart(&["report", arg(folder.path())]);
    assert!(plain.get("compare").is_none());
    let args = [
        "report",
        arg(folder.path()),
        "--format",
        "markdown",
        "--compare",
        "good",
        "poor",
    ];
    let markdown = run(&args).stdout;
    assert!(
        markdown.contains("## A good and B poor: Abilities"),
        "{markdown}"
    );
}

#[test]
fn pictures_that_cannot_be_shown_say_why() {
    let folder = logs();
    let at = |name: &str| folder.path().join(name);
    fs::remove_file(at("img/9.png")).expect("a file");
    fs::write(at("img/5.png"), "no picture").expect("a file");
    let page = page(folder.path(), &[]);
    let cards = cards(&page);
    for at in [0, 1] {
        assert!(cards[at].contains("class=\"missing\""), "{}", cards[at]);
        assert!(!cards[at].contains("<img"));
        assert!(cards[at].contains("<ul class=\"answers\">"));
    }
    assert!(cards[2].contains("<img"));
}

#[test]
fn what_a_log_says_of_a_sample_stays_text() {
    let evil = "</p><script>alert('1')</script><img src=x onerror=y>\u{202e}\u{1b}";
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<Vec<u8>> = ["m", "o"]
        .iter()
        .map(|model| {
            line(&json!({
                "sample_id": evil, "ability": evil, "model": format!("{model}{evil}"), "question": evil,
                "choices": {"A": evil, "B": "b"}, "target": "A", "image": format!("{evil}.png"), "benchmark": evil,
                "response": if *model == "m" { "A" } else { evil }, "condition": {"prompt": evil},
                "boxes": [{"label": evil, "role": "target", "xyxy": [1, 1, 2, 2]}],
            }))
        })
        .collect();
    fs::write(folder.path().join("a.eyechart.jsonl"), lines.join(&b'\n')).expect("a log");
    let page = page(folder.path(), &[]);
    crate::html::assert_well_formed(&page);
    assert!(cards(&page)[0].contains("&lt;script&gt;"));
    assert_eq!(page.matches("<script").count(), 1, "the page's own");
    for part in [
        "<script>alert",
        "<img src=x",
        "onerror=y>",
        "\u{202e}",
        "\u{1b}",
    ] {
        assert!(!page.contains(part), "{part:?}");
    }
    assert_links_lead_somewhere(&page);
}

#[test]
fn samples_and_pictures_are_bounded() {
    let folder = logs();
    let config = tempfile::tempdir().expect("a folder");
    let file = config.path().join("config.toml");
    let limited = |limits: &str| {
        fs::write(&file, format!("[limits]\n{limits}\n")).expect("a file");
        let made = program()
            .args(["report", arg(folder.path()), "--format", "html"])
            .env("EYECHART_CONFIG", &file)
            .output()
            .expect("the program runs");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        String::from_utf8(made.stdout).expect("UTF-8")
    };
    let few = limited("report_samples = 3");
    assert_eq!(cards(&few).len(), 3);
    assert!(few.contains("1 sample left out: more than 3 samples in one report"));
    let small = limited("report_pictures = 10");
    assert_eq!((cards(&small).len(), pictures(&small).len()), (4, 0));
    assert!(small.contains("4 pictures left out: more than 10 bytes in one report with pictures"));
}

#[test]
fn the_same_logs_give_the_same_page() {
    let folder = logs();
    let args = [
        "report",
        ".",
        "--compare",
        "good",
        "poor",
        "--out",
        "r.html",
    ];
    let mut made = Vec::new();
    for _ in 0..2 {
        let run = run_in(folder.path(), &args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        made.push(fs::read(folder.path().join("r.html")).expect("the page"));
    }
    assert!(made[0] == made[1]);
}
