//! Tests `eyechart slices`: a planted subgroup is found, its filter selects exactly its samples,
//! and chance differences are not reported.

use std::fs;
use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::own_format::log;
use crate::support::{arg, assert_near, eyechart, fixture, list, one, run, texts};

fn runs() -> String {
    arg(&fixture("slices/runs.eyechart.jsonl")).to_owned()
}

fn expected() -> Value {
    let text = include_str!("../fixtures/slices/expected.json");
    serde_json::from_str(text).expect("expected.json")
}

#[test]
fn a_planted_pair_is_found_with_its_numbers() {
    let found = eyechart(&["slices", &runs(), "--model", "planted"]);
    assert_eq!(found["schema"], "eyechart.slices/1");
    assert_eq!(found["q"], 0.05);
    let slices = list(&found, "slices");
    let slice = one(slices, &[("where", "animal:bird light:dark")]);
    let planted = &expected()["dark_birds"];
    assert_eq!(slice["n"], planted["n"]);
    for field in ["score", "rest"] {
        assert_near(
            &slice[field],
            planted[field].as_f64().expect("a score"),
            1e-12,
            field,
        );
    }
    let difference =
        slice["score"].as_f64().expect("a score") - slice["rest"].as_f64().expect("a rest");
    assert_near(&slice["difference"], difference, 1e-12, "difference");
    assert_eq!(
        (&slice["confirmed"], &slice["reverses"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(slices[0]["where"], slice["where"], "the surest comes first");
    let [p, adjusted] =
        ["p_value", "p_adjusted"].map(|field| slice[field].as_f64().expect("a p value"));
    assert!(p > 0.0 && p <= adjusted && adjusted <= 0.05);
    // The p value from half of the data cannot be smaller than that from all data.
    assert!(p > planted["p_all"].as_f64().expect("a p value"));
}

/// Only the pair has failures. Other dark samples and other birds are normal.
#[test]
fn pairs_that_add_nothing_to_a_parent_are_left_out() {
    let found = eyechart(&["slices", &runs(), "--model", "even"]);
    for slice in list(&found, "slices") {
        let terms = slice["where"].as_str().expect("a filter");
        assert!(
            !terms.contains(' '),
            "{terms} says no more than one of its parts"
        );
    }
}

#[test]
fn every_where_is_a_filter_that_selects_exactly_the_slice() {
    let found = eyechart(&["slices", &runs()]);
    let slices = list(&found, "slices");
    assert!(slices.len() >= 4, "{slices:?}");
    for slice in slices {
        let filter = slice["where"].as_str().expect("a filter");
        let report = eyechart(&["report", &runs(), "--filter", filter]);
        let text = |field: &str| slice[field].as_str().expect("a name");
        let score = one(
            list(&report, "scores"),
            &[("ability", text("ability")), ("model", text("model"))],
        );
        assert_eq!(score["n"], slice["n"], "{filter}");
        assert_near(
            &score["score"],
            slice["score"].as_f64().expect("a score"),
            1e-12,
            filter,
        );
    }
}

#[test]
fn a_direction_that_turns_round_within_another_tag_is_marked() {
    let found = eyechart(&["slices", &runs(), "--model", "even"]);
    let photos = one(list(&found, "slices"), &[("where", "kind:photo")]);
    assert_eq!(
        (&photos["reverses"], &photos["reversed_by"]),
        (&json!(true), &json!("difficulty"))
    );
    assert!(photos["difference"].as_f64().expect("a difference") < 0.0);
    let by_level: Vec<f64> = expected()["photos_hard"]
        .as_array()
        .expect("scores")
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    assert!(
        by_level[0] > by_level[1] && by_level[2] > by_level[3],
        "photos are better at each level"
    );
    let hard = one(list(&found, "slices"), &[("where", "difficulty:hard")]);
    assert_eq!(hard["reverses"], false);
}

#[test]
fn the_difference_of_two_models_is_searched_too() {
    let found = eyechart(&["slices", &runs(), "--compare", "planted", "even"]);
    assert_eq!(found["compare"], json!(["planted", "even"]));
    let slice = one(
        list(&found, "slices"),
        &[("where", "animal:bird light:dark")],
    );
    assert_eq!(slice["model"], Value::Null);
    assert_eq!(slice["test"], "clustered_t");
    assert!(slice["score"].as_f64().expect("a score") < -0.4);
    // Better on bright pictures, worse overall.
    let bright = one(list(&found, "slices"), &[("where", "light:bright")]);
    assert_eq!(bright["reverses"], true);
    let turned = eyechart(&["slices", &runs(), "--compare", "even", "planted"]);
    let other = one(
        list(&turned, "slices"),
        &[("where", "animal:bird light:dark")],
    );
    let difference = slice["difference"].as_f64().expect("a difference");
    assert_near(&other["difference"], -difference, 1e-12, "turned round");
}

/// `light` and `kind` have two values each, so the findings `light:dark` and `light:bright` are
/// equivalent.
#[test]
fn of_two_values_of_a_tag_the_worse_is_listed() {
    let found = |args: &[&str]| {
        let found = eyechart(&[&["slices", &runs()], args].concat());
        texts(list(&found, "slices"), "where")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let reading = found(&["--model", "even"]);
    for (listed, complement) in [
        ("difficulty:hard", "difficulty:easy"),
        ("kind:photo", "kind:sketch"),
    ] {
        let count = |value: &str| reading.iter().filter(|it| *it == value).count();
        assert_eq!((count(listed), count(complement)), (1, 0), "{reading:?}");
    }
    let pair = found(&["--compare", "planted", "even"]);
    let lights: Vec<&String> = pair.iter().filter(|it| it.starts_with("light:")).collect();
    assert_eq!(lights, ["light:bright"], "it reverses the order");
}

#[test]
fn another_seed_finds_the_same_and_the_same_seed_the_same_numbers() {
    let search = |seed: &str| eyechart(&["slices", &runs(), "--model", "planted", "--seed", seed]);
    assert_eq!(search("7"), search("7"));
    for seed in ["1", "2", "3"] {
        one(
            list(&search(seed), "slices"),
            &[("where", "animal:bird light:dark")],
        );
    }
}

#[test]
fn strange_names_and_numbers_stay_filters() {
    let lines: Vec<Vec<u8>> = (0..400)
        .map(|i| {
            let odd = i % 4 == 0;
            let name = if odd { "a \"quoted\" \\ name (x)" } else { "plain" };
            json!({
                "sample_id": format!("s{i}"), "ability": "naming", "model": "m", "image": format!("{i}.png"),
                "metric": "quality", "score": if odd { 0.2 } else { 0.8 } + f64::from(i * 7 % 13) / 100.0,
                "tags": {"source": name, "depth_m": f64::from(i % 40) + 0.25, "Kind": if odd { "lvis" } else { "LVIS" }},
                "condition": {"noise": if odd { 0.5 } else { 0.0 }},
            })
            .to_string()
            .into_bytes()
        })
        .collect();
    let folder = log(&lines);
    let found = eyechart(&["slices", arg(folder.path())]);
    let slices = list(&found, "slices");
    assert!(!slices.is_empty());
    for slice in slices {
        let filter = slice["where"].as_str().expect("a filter");
        let report = eyechart(&["report", arg(folder.path()), "--filter", filter]);
        let score = one(list(&report, "scores"), &[("metric", "quality")]);
        assert_eq!(score["n"], slice["n"], "{filter}");
    }
}

#[test]
fn nothing_is_said_where_nothing_can_be_found() {
    let few = fixture("ava_bench");
    let found = eyechart(&["slices", arg(&few)]);
    assert_eq!(found["slices"], json!([]));
    assert_eq!(found["family"], 0);
    let table = run(&["slices", arg(&few)]);
    assert!(table.stdout.contains("Nothing to test"), "{}", table.stdout);
}

#[test]
fn one_screen_leaves_out_how_it_was_confirmed() {
    let table = |args: &[&str]| {
        let run = run(&[&["slices", &runs(), "--model", "planted"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let (brief, long) = (table(&[]), table(&["--long"]));
    for text in [&brief, &long] {
        assert!(text.contains("animal:bird light:dark"), "{text}");
    }
    assert!(
        !brief.contains("held out") && long.contains("held out"),
        "{brief}{long}"
    );
}

#[test]
fn wrong_usage_is_said() {
    for (args, what) in [
        (["--model", "plantd"], "did you mean `planted`"),
        (["--model", "n"], "is ambiguous"),
        (["--q", "2"], "between 0 and 1"),
    ] {
        let run = run(&[&["slices", &runs()], &args[..]].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
    }
}

/// Returns a log without tags, with invented questions and answers. `percent` has the shares of
/// right answers to questions with a direction word, and to other questions.
fn asked(percent: [u32; 2]) -> tempfile::TempDir {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(39);
    let mut roll = |count: usize| dice.next_u32() as usize % count;
    let lines: Vec<Vec<u8>> = (0..600)
        .map(|i| {
            let kinds = ["How many dogs are", "Where is the dog", "Which dog is", "Is there a dog"];
            let (kind, more) = (kinds[roll(4)], ["", " small", " small brown"][roll(3)]);
            // Questions with a direction word are as long as the others.
            let at = roll(3).min(1);
            let place = ["left", "part"][at];
            let is_right = roll(100) < percent[at] as usize;
            json!({
                "sample_id": format!("s{i}"), "ability": "seeing", "model": "m",
                "image": format!("{i}.png"), "question": format!("{kind} {place} of the{more} car?"),
                "metric": "accuracy", "score": u8::from(is_right),
            })
            .to_string()
            .into_bytes()
        })
        .collect();
    log(&lines)
}

#[test]
fn a_subgroup_by_words_is_found_without_tags_and_named_in_words() {
    let folder = asked([40, 90]);
    let found = eyechart(&["slices", arg(folder.path())]);
    let slices = list(&found, "slices");
    let words = r#"question~"(?i)\bleft\s+of\b""#;
    assert!(
        slices[..2].iter().any(|it| it["where"] == words),
        "the cause first"
    );
    let planted = one(slices, &[("where", "auto.direction_words:true")]);
    assert_eq!(planted["automatic"], json!(["auto.direction_words"]));
    assert_eq!(planted["words"], "the question has a direction word");
    assert!(planted["difference"].as_f64().expect("a difference") < -0.3);
    for slice in slices {
        let filter = slice["where"].as_str().expect("a filter");
        let report = eyechart(&["report", arg(folder.path()), "--filter", filter]);
        assert_eq!(list(&report, "scores")[0]["n"], slice["n"], "{filter}");
    }
    let table = run(&["slices", arg(folder.path()), "--format", "csv"]);
    assert!(table.stdout.contains("the question has a direction word"));
}

#[test]
fn chance_is_no_finding_among_automatic_tags() {
    let folder = asked([80, 80]);
    let found = eyechart(&["slices", arg(folder.path())]);
    assert!(found["family"].as_u64().expect("a family") > 20, "{found}");
    assert_eq!(found["slices"], json!([]));
}

#[test]
fn automatic_tags_are_splits_and_filter_keys_only_where_they_are_named() {
    let folder = asked([80, 80]);
    let log = arg(folder.path());
    let usual = eyechart(&["report", log]);
    assert_eq!(usual["subgroups"], json!([]));
    let split = eyechart(&["report", log, "--by", "auto.kind"]);
    let bins = list(&split, "subgroups");
    let counted = one(bins, &[("by", "auto.kind"), ("bin", "how many")]);
    assert_eq!(bins.len(), 4, "{bins:?}");
    let filter = "auto.kind=\"how many\" auto.question_words>1";
    let filtered = eyechart(&["report", log, "--filter", filter]);
    assert_eq!(list(&filtered, "scores")[0]["n"], counted["n"]);
    let wrong = run(&["report", log, "--filter", "auto.kid:where"]);
    assert!(wrong.stderr.contains("auto.kind"), "{}", wrong.stderr);
}

/// Writes 240 samples; those with a dark picture are mostly wrong. Ten pictures are grey, one is
/// missing and one damaged.
fn dark() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut below = |count: u32| random.next_u32() % count;
    let lines: Vec<String> = (0..240)
        .map(|at| {
            let (is_dark, is_grey) = (below(3) == 0, at < 10);
            let shade = if is_dark { 30 } else { 150 } + u8::try_from(below(40)).expect("small");
            let name = format!("{at}.png");
            let tint = image::Rgb([shade + if is_grey { 0 } else { 20 }, shade, shade]);
            let picture = image::RgbImage::from_pixel(12, 8, tint);
            match at {
                100 => {}
                101 => fs::write(folder.path().join(&name), "no picture").expect("a file"),
                _ => picture.save(folder.path().join(&name)).expect("a picture"),
            }
            let is_right = below(10) < if is_dark { 2 } else { 8 };
            let line = json!({
                "sample_id": at.to_string(), "ability": "seeing", "model": "m", "image": name,
                "question": "Is it?", "metric": "accuracy", "score": u8::from(is_right),
            });
            line.to_string()
        })
        .collect();
    fs::write(folder.path().join("m.eyechart.jsonl"), lines.join("\n")).expect("a log");
    folder
}

#[test]
fn dark_pictures_are_named_as_the_failure() {
    let folder = dark();
    let log = arg(folder.path());
    let found = eyechart(&["slices", log]);
    let is_worse = |it: &&Value| it["difference"].as_f64().is_some_and(|it| it < 0.0);
    let mut worse = list(&found, "slices").iter().filter(is_worse);
    let first = worse.next().expect("a finding");
    assert_eq!(first["automatic"], json!(["auto.brightness"]), "{found}");
    let words = first["words"].as_str().expect("words");
    assert!(
        words.starts_with("the picture's brightness is at most 0."),
        "{words}"
    );
    // Its filter selects exactly its samples.
    let filter = first["where"].as_str().expect("a filter");
    let report = eyechart(&["report", log, "--filter", filter]);
    assert_eq!(list(&report, "scores")[0]["n"], first["n"]);
}

#[test]
fn pictures_are_read_for_filters_and_splits_that_name_their_tags() {
    let folder = dark();
    let log = arg(folder.path());
    let counted = |filter: &str| {
        let report = eyechart(&["report", log, "--filter", filter]);
        list(&report, "scores")[0]["n"].clone()
    };
    assert_eq!(counted("auto.grey:true"), 10);
    assert_eq!(
        counted("auto.picture_pixels:96"),
        238,
        "without the two that cannot be read"
    );
    assert_eq!(counted("auto.picture_aspect:1.5"), 238);
    assert_eq!(counted("auto.edges:0"), 238);
    // Single-coloured pictures look the same only if they have the same colour.
    assert_eq!(counted("auto.same_picture:1..20"), 238);
    let split = eyechart(&["report", log, "--by", "auto.grey"]);
    let bins = list(&split, "subgroups");
    assert_eq!(one(bins, &[("bin", "true")])["n"], 10);
    assert_eq!(one(bins, &[("bin", "false")])["n"], 228);
    let usual = eyechart(&["report", log]);
    assert_eq!(usual["subgroups"], json!([]));
}

/// Writes 400 multiple-choice samples. Answers that reached the limit of tokens are mostly wrong.
fn cut_short() -> tempfile::TempDir {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut below = |count: u32| random.next_u32() % count;
    let lines: Vec<Vec<u8>> = (0..400)
        .map(|at| {
            let (is_cut, right) = (below(4) == 0, below(4));
            let is_right = below(10) < if is_cut { 3 } else { 7 };
            let chosen = if is_right {
                right
            } else {
                (right + 1 + below(3)) % 4
            };
            let letter = |option: u32| ["A", "B", "C", "D"][option as usize];
            let hedge = if at < 40 {
                "I am not sure, but the answer is"
            } else {
                "Answer:"
            };
            let line = json!({
                "sample_id": at.to_string(), "ability": "seeing", "model": "m",
                "question": "Which is it?", "choices": ["a dog", "a cat", "a bus", "a tree"],
                "target": letter(right), "response": format!("{hedge} {}", letter(chosen)),
                "finish_reason": if is_cut { "max_tokens" } else { "end_turn" },
            });
            line.to_string().into_bytes()
        })
        .collect();
    log(&lines)
}

#[test]
fn answers_have_tags_by_prediction() {
    let folder = cut_short();
    let log = arg(folder.path());
    let found = eyechart(&["slices", log]);
    let slices = list(&found, "slices");
    let cut = one(slices, &[("where", "auto.finish_reason:length")]);
    assert_eq!(cut["words"], "the finish reason is \"length\"");
    // The pair of chosen and right option determines the score, so it must not be a slice.
    for slice in slices {
        let tags = slice["automatic"].as_array().expect("tags");
        assert!(
            tags.len() < 2 || !tags.contains(&json!("auto.chosen_option")),
            "{slice}"
        );
    }
    let filtered = eyechart(&["report", log, "--filter", "auto.finish_reason:length"]);
    let scores = list(&filtered, "scores");
    assert_eq!(scores[0]["n"], cut["n"]);
    // The filter selects samples by their answers, so nothing is tested.
    assert_eq!(scores[0]["ci"], Value::Null);
    let split = eyechart(&["report", log, "--by", "auto.hedging,auto.chosen_option"]);
    let bins = list(&split, "subgroups");
    let hedging = one(bins, &[("by", "auto.hedging"), ("bin", "true")]);
    assert_eq!(hedging["n"], 40);
    let chosen = bins.iter().filter(|bin| bin["by"] == "auto.chosen_option");
    let chosen: Vec<u64> = chosen.filter_map(|bin| bin["n"].as_u64()).collect();
    assert_eq!((chosen.len(), chosen.iter().sum::<u64>()), (4, 400));
    let refused = run(&["items", log, "--by", "auto.refusal"]);
    assert!(
        refused.stderr.contains("describes answers, not samples"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_finish_reason_survives_a_conversion() {
    let folder = cut_short();
    let out = folder.path().join("copy.eyechart.jsonl");
    let count = |log: &Path| {
        let found = eyechart(&["samples", arg(log), "--filter", "auto.finish_reason:length"]);
        list(&found, "samples").len()
    };
    let before = count(folder.path());
    run(&["convert", arg(folder.path()), "--out", arg(&out)]);
    fs::remove_file(folder.path().join("log.eyechart.jsonl")).ok();
    assert!(before > 50, "{before}");
    assert_eq!(count(&out), before);
}

#[test]
fn target_boxes_are_split_by_place() {
    let line = |id: &str, [x0, y0]: [f64; 2], role: &str| {
        let target = json!({"label": "", "role": "target", "xyxy": [x0, y0, x0 + 0.25, y0 + 0.25]});
        let other = json!({"label": "", "role": role, "xyxy": [0.5, 0.5, 0.75, 0.75]});
        let line = json!({
            "sample_id": id, "ability": "seeing", "model": "m", "metric": "accuracy", "score": 1,
            "boxes": [target, other],
        });
        line.to_string().into_bytes()
    };
    let folder = log(&[
        line("a", [0.0, 0.0], "reference"),
        line("b", [0.75, 0.75], "prediction"),
        line("c", [0.25, 0.5], "target"),
    ]);
    let by = |tag: &str| eyechart(&["report", arg(folder.path()), "--by", tag]);
    let places = by("auto.box_place");
    let bins = texts(list(&places, "subgroups"), "bin");
    assert_eq!(bins, ["bottom right", "top left"]);
    let counts = by("auto.boxes");
    let two = one(list(&counts, "subgroups"), &[("bin", "2")]);
    assert_eq!(two["n"], 1);
}

/// Returns a log of 600 multiple-choice samples, and verdicts on all of them. Answers to questions
/// with `wooden` are often unreadable, and the labels of these questions are often wrong.
fn wooden() -> tempfile::TempDir {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(93);
    let mut happens = |percent: u32| dice.next_u32() % 100 < percent;
    let mut verdicts = String::new();
    let lines: Vec<Vec<u8>> = (0..600)
        .map(|at| {
            let is_wooden = happens(30);
            let thing = if is_wooden { "Wooden  table" } else { "metal table" };
            let place = if happens(50) { "in the hall" } else { "in the garden" };
            let [odd, wrong] = [if is_wooden { 50 } else { 5 }; 2].map(&mut happens);
            let verdict = if wrong { "wrong_label" } else { "ok" };
            let entry = json!({
                "sample_id": format!("s{at}"), "benchmark": "b", "ability": "seeing",
                "verdict": verdict, "note": "", "author": "ann", "at": "2026-01-01T00:00:00Z",
                "drawn": true,
            });
            verdicts += &format!("{entry}\n");
            json!({
                "sample_id": format!("s{at}"), "benchmark": "b", "ability": "seeing", "model": "m",
                "image": format!("{at}.png"), "question": format!("Which is the {thing} {place}?"),
                "choices": ["left", "right"], "target": "A", "response": if odd { "???" } else { "A" },
            })
            .to_string()
            .into_bytes()
        })
        .collect();
    let folder = log(&lines);
    fs::write(folder.path().join("eyechart.verdicts.jsonl"), verdicts).expect("verdicts");
    folder
}

#[test]
fn a_word_of_the_question_is_found_for_every_outcome_and_told_in_a_sentence() {
    let folder = wooden();
    let term = r#"question~"(?i)\bwooden\s+table\b""#;
    for (outcome, metric, claim) in [
        ("score", "accuracy", "wrong more often"),
        ("unreadable", "unreadable", "unreadable more often"),
        ("wrong_label", "wrong_label", "labels wrong more often"),
    ] {
        let found = eyechart(&["slices", arg(folder.path()), "--outcome", outcome]);
        assert_eq!(found["outcome"], outcome);
        let slice = one(list(&found, "slices"), &[("where", term)]);
        assert_eq!(slice["metric"], metric);
        let sentence = slice["sentence"].as_str().expect("a sentence");
        let begins = format!("{claim} where the question has \"wooden table\": ");
        assert!(sentence.starts_with(&begins), "{sentence}");
        let has_model = slice["model"] == "m";
        assert_eq!(has_model, outcome != "wrong_label", "{slice}");
        let report = eyechart(&["report", arg(folder.path()), "--filter", term]);
        assert_eq!(list(&report, "scores")[0]["n"], slice["n"]);
        let args = ["slices", arg(folder.path()), "--outcome", outcome];
        let formats: [&[&str]; 3] = [&[], &["--format", "csv"], &["--format", "html"]];
        for more in formats {
            let text = run(&[&args[..], more].concat()).stdout;
            assert!(text.contains(claim), "{text}");
        }
    }
    let args = [
        "slices",
        arg(folder.path()),
        "--outcome",
        "wrong_label",
        "--model",
        "m",
    ];
    let refused = run(&args);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("same for every model"),
        "{}",
        refused.stderr
    );
}

/// A search among wooden tables finds more wrong labels there, whatever their true share is.
#[test]
fn verdicts_on_chosen_samples_support_no_finding_about_labels() {
    let folder = wooden();
    let file = folder.path().join("eyechart.verdicts.jsonl");
    let drawn = fs::read_to_string(&file).expect("verdicts");
    let search = || eyechart(&["slices", arg(folder.path()), "--outcome", "wrong_label"]);
    assert_eq!(search()["not_drawn"], 0);
    let chosen = drawn.replace(r#""drawn":true"#, r#""drawn":false"#);
    assert_ne!(chosen, drawn);
    fs::write(&file, &chosen).expect("verdicts");
    let found = search();
    assert_eq!(
        (&found["slices"], &found["family"]),
        (&json!([]), &json!(0))
    );
    assert_eq!(found["not_drawn"], 600);
    let text = run(&["slices", arg(folder.path()), "--outcome", "wrong_label"]).stdout;
    let words = "600 judged samples not drawn at random left out";
    assert!(text.contains(words), "{text}");
    // Ten chosen samples, and randomly drawn ones.
    let mixed: Vec<&str> = chosen
        .lines()
        .take(10)
        .chain(drawn.lines().skip(10))
        .collect();
    fs::write(&file, mixed.join("\n") + "\n").expect("verdicts");
    let found = search();
    assert_eq!(found["not_drawn"], 10);
    let term = r#"question~"(?i)\bwooden\s+table\b""#;
    one(list(&found, "slices"), &[("where", term)]);
}
