//! A log of questions about corners, and functions that run the program on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use image::{Rgb, RgbImage};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// Corners clockwise, starting at the top left.
pub const CORNERS: [&str; 4] = ["top left", "top right", "bottom right", "bottom left"];

/// A folder with a log, its pictures and a config file.
pub struct Log {
    folder: TempDir,
}

/// Output and exit code of the program.
pub struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Corner of the block in a sample, and the rotations at which the test server's model is right.
/// Bit 0 stands for the upright picture.
pub fn sample(at: usize) -> (usize, u8) {
    ((at * 7) % 4, u8::try_from(at * 5 % 16).unwrap())
}

/// Returns true if the model in the log was right.
pub fn was_right(at: usize) -> bool {
    at.is_multiple_of(2)
}

/// A picture with a red block in a corner and a green mark at the top. The blue channel of the
/// block encodes when the server's model is right.
pub fn picture(at: usize) -> RgbImage {
    let (corner, skill) = sample(at);
    let mut picture = RgbImage::from_pixel(24, 16, Rgb([255, 255, 255]));
    let [left, top] = [[0, 0], [20, 0], [20, 12], [0, 12]][corner];
    for (x, y) in (0..4).flat_map(|x| (0..4).map(move |y| (x, y))) {
        picture.put_pixel(left + x, top + y, Rgb([255, 0, skill * 16]));
    }
    picture.put_pixel(12, 0, Rgb([0, 255, 0]));
    // Makes the pictures different, because equal pictures would lead to equal requests.
    picture.put_pixel(12, 8, Rgb([0, 0, u8::try_from(at % 256).unwrap()]));
    picture
}

impl Log {
    /// A log of `samples` samples, each answered by two models.
    pub fn new(samples: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut lines = String::new();
        for at in 0..samples {
            let name = format!("{at}.png");
            picture(at).save(folder.path().join(&name)).unwrap();
            let (corner, _) = sample(at);
            let letter = |corner: usize| ["A", "B", "C", "D"][corner % 4];
            for model in ["old", "older"] {
                let said = if was_right(at) {
                    letter(corner)
                } else {
                    letter(corner + 1)
                };
                let line = json!({
                    "sample_id": format!("s{at:03}"), "benchmark": "corners", "ability": "location", "model": model,
                    "image": name, "question": "In which corner is the red block?",
                    "choices": CORNERS, "target": letter(corner), "response": said,
                    "boxes": [{"label": "mark", "role": "reference", "xyxy": [10, 4, 14, 8]}],
                });
                lines.push_str(&line.to_string());
                lines.push('\n');
            }
        }
        fs::write(folder.path().join("corners.eyechart.jsonl"), lines).unwrap();
        Self { folder }
    }

    /// A log with the given questions and pictures.
    pub fn of(rows: &[(Json, RgbImage)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut lines = String::new();
        for (line, picture) in rows {
            let name = line["image"].as_str().unwrap();
            picture.save(folder.path().join(name)).unwrap();
            lines.push_str(&format!("{line}\n"));
        }
        fs::write(folder.path().join("corners.eyechart.jsonl"), lines).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the config file: an endpoint `t` at an address, with short delays.
    pub fn config(&self, address: &str, more: &str) {
        let text = format!(
            "[endpoints.t]\nurl = '{address}'\nmodel = 'seer'\nwait_factor = 0.01\nfirst_token = 0.4\nbetween_tokens = 0.4\n{more}\n"
        );
        fs::write(self.path("config.toml"), text).unwrap();
    }

    /// Restores the default delays between attempts.
    pub fn unhurried(&self) {
        self.change("wait_factor = 0.01", "wait_factor = 1.0");
    }

    /// Raises the first-token timeout, for busy machines.
    pub fn patient(&self) {
        self.patient_for(30);
    }

    /// Sets the first-token timeout, in seconds.
    pub fn patient_for(&self, seconds: u8) {
        let wanted = format!("first_token = {seconds}.0");
        self.change("first_token = 0.4", &wanted);
    }

    fn change(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path("config.toml")).unwrap();
        fs::write(self.path("config.toml"), text.replace(from, to)).unwrap();
    }

    /// Shares trained encoders between tests, if folders can be linked.
    fn share_training(&self) {
        static TRAINED: LazyLock<PathBuf> = LazyLock::new(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live-trained");
            let _what_an_earlier_build_left = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            folder
        });
        fs::create_dir_all(self.path("state")).unwrap();
        #[cfg(unix)]
        let _there_already = std::os::unix::fs::symlink(&*TRAINED, self.path("state/trained"));
    }

    /// The program as a command on this log, with the endpoint `t`.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.share_training();
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        command
            .current_dir(self.folder.path())
            .env("EYECHART_CONFIG", self.path("config.toml"))
            .env("EYECHART_STATE", self.path("state"))
            .env_remove("OPENAI_API_KEY")
            .args(arguments);
        command
    }

    /// A `rerun` command with output folder `out`, which is not started yet.
    pub fn asking(&self, arguments: &[&str]) -> Command {
        let fixed = [
            "rerun",
            "corners.eyechart.jsonl",
            "--endpoint",
            "t",
            "--out",
            "out",
        ];
        self.command(&[&fixed, arguments].concat())
    }

    /// Runs `rerun` with output folder `out`.
    pub fn rerun(&self, arguments: &[&str]) -> Output {
        run(self.asking(arguments).args(["--format", "json"]))
    }

    /// Result of a `rerun`. Asserts that it succeeds.
    pub fn found(&self, arguments: &[&str]) -> Json {
        let output = self.rerun(arguments);
        assert_eq!(output.code, 0, "{}{}", output.out, output.err);
        serde_json::from_str(&output.out).unwrap()
    }

    /// Result of a `rerun`. Asserts that it ends with a partial result.
    pub fn partly(&self, arguments: &[&str]) -> Json {
        let output = self.rerun(arguments);
        assert_eq!(output.code, 4, "{}{}", output.out, output.err);
        serde_json::from_str(&output.out).unwrap()
    }

    /// Lines of the journal that have a given kind.
    pub fn journal(&self, kind: &str) -> Vec<Json> {
        lines(&self.path("out/run.jsonl"))
            .into_iter()
            .filter(|line| line["line"] == kind)
            .collect()
    }

    /// Records of the new log.
    pub fn records(&self) -> Vec<Json> {
        lines(&self.path("out/rerun.eyechart.jsonl"))
    }
}

pub fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

pub fn run(command: &mut Command) -> Output {
    let done = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Output {
        code: done.status.code().unwrap_or(-1),
        out: text(done.stdout),
        err: text(done.stderr),
    }
}
