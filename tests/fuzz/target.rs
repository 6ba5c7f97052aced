//! Fuzz targets: how their cases are generated and checked.

use std::path::Path;

use super::dice::Dice;
use super::{kept, look, program, scenes, texts};

/// A damaged input.
#[derive(Default)]
pub struct Case {
    /// Contents by path below the case's folder.
    pub files: Vec<(String, Vec<u8>)>,
    /// Additional allowed memory in bytes, for input that is large when unpacked.
    pub unpacked: u64,
}

impl Case {
    /// A case with one file.
    pub fn of(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            files: vec![(name.to_owned(), bytes)],
            unpacked: 0,
        }
    }

    /// Total size of the files in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Writes the files below a folder.
    pub fn write(&self, folder: &Path) {
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
}

/// A kind of fuzzed input.
pub struct Target {
    /// Name of the target and of its test.
    pub name: &'static str,
    /// Generates a case from a random generator and the number of the case.
    pub make: fn(&mut Dice, u64) -> Case,
    /// Checks the reading of a case; the error describes a wrong result.
    pub check: fn(&Case, &Path) -> Result<(), String>,
    /// Number of cases in a short run.
    pub short: u64,
}

/// All targets. Readers of logs come first.
const TARGETS: &[Target] = &[
    logs("own_format", |dice, _| scenes::own_format(dice), 150),
    logs("csv_rows", |dice, _| scenes::csv_rows(dice), 150),
    logs("published", |dice, _| scenes::published(dice), 100),
    logs("encoders", |dice, _| scenes::encoders(dice), 60),
    logs("parquet", |dice, _| scenes::parquet(dice), 200),
    logs("arrow", |dice, _| scenes::arrow(dice), 200),
    logs("ava_bench", |dice, _| scenes::ava_bench(dice), 100),
    logs("answers", |dice, _| scenes::answers(dice), 60),
    logs("mmmu", |dice, _| scenes::mmmu(dice), 60),
    logs("mme", |dice, _| scenes::mme(dice), 60),
    logs("vlmevalkit", |dice, _| scenes::vlmevalkit(dice), 60),
    logs("workbooks", |dice, _| scenes::workbooks(dice), 60),
    logs("taskit", |dice, _| scenes::taskit(dice), 80),
    logs("coco", |dice, _| scenes::coco(dice), 60),
    logs("ultralytics", |dice, _| scenes::ultralytics(dice), 60),
    logs("annotations", |dice, _| scenes::annotations(dice), 100),
    logs("inspect_ai", |dice, _| scenes::inspect_ai(dice), 60),
    logs(
        "every_eval_ever",
        |dice, _| scenes::every_eval_ever(dice),
        80,
    ),
    logs("lmms_eval", |dice, _| scenes::lmms_eval(dice), 80),
    logs("lm_eval", |dice, _| scenes::lm_eval(dice), 80),
    logs("evalscope", |dice, _| scenes::evalscope(dice), 80),
    logs("opencompass", |dice, _| scenes::opencompass(dice), 80),
    logs("lighteval", |dice, _| scenes::lighteval(dice), 80),
    logs("helm", |dice, _| scenes::helm(dice), 80),
    logs("promptfoo", |dice, _| scenes::promptfoo(dice), 60),
    logs("fiftyone", |dice, _| scenes::fiftyone(dice), 60),
    logs("mixed", |dice, _| scenes::mixed(dice), 40),
    text("verdicts", texts::verdict_file, texts::verdicts),
    text("config", texts::config_file, texts::config),
    text("keymap", texts::keymap_file, texts::keymap),
    text("theme", texts::theme_file, texts::theme),
    text("filters", texts::filter, texts::filters),
    text("pictures", texts::picture, texts::pictures),
    Target {
        name: "program",
        make: |dice, _| program::case(dice),
        check: program::check,
        short: 16,
    },
    Target {
        name: "kept",
        make: |_, number| kept::case(number),
        check: kept::check,
        short: kept::MOST,
    },
];

const fn logs(name: &'static str, make: fn(&mut Dice, u64) -> Case, short: u64) -> Target {
    Target {
        name,
        make,
        check: look::at_logs,
        short,
    }
}

const fn text(
    name: &'static str,
    make: fn(&mut Dice, u64) -> Case,
    check: fn(&Case, &Path) -> Result<(), String>,
) -> Target {
    Target {
        name,
        make,
        check,
        short: 300,
    }
}

impl Target {
    /// Finds a target by name.
    pub fn named(name: &str) -> &'static Self {
        TARGETS.iter().find(|target| target.name == name).unwrap()
    }

    /// Generates the case with this number.
    pub fn case(&self, number: u64) -> Case {
        (self.make)(&mut Dice::new(self.name, number), number)
    }
}
