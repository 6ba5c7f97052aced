//! Runs the tests that need only one process and no cluster on the engine of a current
//! `ClickHouse`. The engine is `chdb`, a Python module, behind a small HTTP server.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::same::assert_near;
use crate::support::arg;
use crate::{Home, exam, numbers, samples, skipped};

/// Environment variable with the path of a Python that has `chdb`.
const PYTHON: &str = "EYECHART_CHDB";

struct Current {
    process: Child,
    address: String,
}

impl Current {
    fn start(home: &Home) -> Option<Self> {
        let Some(python) = std::env::var_os(PYTHON) else {
            skipped(&format!("no Python with chdb ({PYTHON} can name one)"));
            return None;
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clickhouse/current.py");
        let mut process = Command::new(python)
            .arg(script)
            .arg(home.at("chdb"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut port = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut port).unwrap();
        let address = format!("clickhouse://default@127.0.0.1:{}/evals", port.trim());
        Some(Self { process, address })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        // The process may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn a_current_engine_understands_every_query_and_tells_the_same() {
    let home = Home::new();
    let Some(current) = Current::start(&home) else {
        return;
    };
    let to = &current.address;
    let logs = exam();
    for is_again in [false, true] {
        let run = home.run("", &["publish", arg(&logs), "--to", to]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let same = run.stderr.contains("0 new or changed, 0 inserts");
        assert_eq!(same, is_again, "{}", run.stderr);
    }
    let report = |of: &str| home.json("", &["report", of, "--by", "box_area"]);
    let here = report(arg(&logs));
    let loaded = report(to);
    assert_near(&numbers(&loaded), &numbers(&here));
    home.limit(&[("whole_set", 0)]);
    let summed = report(to);
    assert_near(&numbers(&summed), &numbers(&here));
    let ability = here["scores"][0]["ability"].as_str().unwrap();
    let filter = format!("ability:{ability}");
    let of = |path: &str| samples(&home, "", &[path, "--filter", &filter]);
    assert_eq!(of(to), of(arg(&logs)));
}
