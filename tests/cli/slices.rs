//! Tests `eyechart slices`: a planted subgroup is found, its filter selects exactly its samples,
//! and chance is not reported.

use serde_json::{Value, json};

use crate::own_format::log;
use crate::support::{arg, assert_near, eyechart, fixture, list, one, run};

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
    // Half of the data cannot have a smaller p value than all of it.
    assert!(p > planted["p_all"].as_f64().expect("a p value"));
}

/// The pair explains its parents; other dark samples and other birds are normal.
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
        (["--model", "n"], "could be"),
        (["--q", "2"], "between 0 and 1"),
    ] {
        let run = run(&[&["slices", &runs()], &args[..]].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(what), "{}", run.stderr);
    }
}
