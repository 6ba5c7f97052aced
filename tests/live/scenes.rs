//! Generated rooms asked by the six chains, out of the box.

use serde_json::Value as Json;

use super::log::{Log, run};

/// The scores of each ability of a run in a folder, by the names of their metrics.
fn scores(log: &Log, folder: &str) -> Json {
    let found = run(&mut log.command(&["report", folder, "--metric", "all", "--format", "json"]));
    assert_eq!(found.code, 0, "{}", found.err);
    serde_json::from_str(&found.out).unwrap()
}

fn score(scores: &Json, metric: &str) -> f64 {
    let rows = scores["scores"].as_array().unwrap();
    let row = rows.iter().find(|row| row["metric"] == metric);
    row.and_then(|row| row["score"].as_f64())
        .unwrap_or_else(|| panic!("{metric}: {scores}"))
}

#[test]
fn who_knows_a_room_comes_to_the_ceiling_of_every_chain() {
    let log = Log::new(0);
    let made = run(&mut log.command(&[
        "generate", "scenes", "--count", "12", "--size", "192", "--seed", "3", "--out", "rooms",
    ]));
    assert_eq!(made.code, 0, "{}", made.err);
    for (ability, chain, metric, least) in [
        ("classification", "classify", "accuracy", 1.0),
        ("detection", "detect", "ap50", 0.5),
        ("segmentation", "segment,segments=150", "miou", 0.6),
        ("grouping", "group,segments=150", "iou", 0.6),
        ("depth", "depth,segments=40,pairs=120", "rho", 0.9),
        ("normals", "normals,segments=40,pairs=120", "rho_x", 0.5),
    ] {
        let (filter, chain) = (format!("ability:{ability}"), format!("chain:{chain}"));
        let asking = [
            "rerun",
            "rooms",
            "--filter",
            &filter,
            "--endpoint",
            "builtin:oracle",
            "--protocol",
            &chain,
            "--out",
            ability,
        ];
        let ran = run(&mut log.command(&asking));
        assert_eq!(ran.code, 0, "{ability}: {}", ran.err);
        let scores = scores(&log, ability);
        let found = score(&scores, metric);
        assert!(found >= least, "{ability}: {found}");
    }
}
