//! Generates the sample runs: the encoders' answers to the exam, to top-down scenes at four
//! rotations and to `GePBench`, as logs of Eyechart's own format with pictures.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use base::file::{FileBatch, Inputs, WholeFile};

use super::abilities::{Exam, Split, TopDown};
use super::gepbench::question::Aspect;
use super::gepbench::{Gepbench, Noise};
use super::runs::{pictured_items, predict, train};
use super::{Benchmark, Item};
use crate::encoder::Encoder;
use reader::own;
use record::{ROTATION, Record, Value};

/// Benchmark name of the ability with and without drawn boxes.
const BOXES: &str = "exam-boxes";
/// Training items per test item, for sets whose training items come from another seed.
pub(super) const TRAINING_RATIO: usize = 20;
/// The ability with and without drawn boxes, as in figure 8 of AVA-Bench.
const BOXED: &str = "spatial";

/// Numbers of items to make, and the seed.
#[derive(Clone, Copy, Debug)]
pub struct SampleRuns {
    /// Number of exam items; a fifth is the test split, the rest the training split.
    pub exam: usize,
    /// Number of questions about top-down scenes; `TRAINING_RATIO` times as many others are for
    /// training.
    pub topdown: usize,
    /// Number of `GePBench` questions; training items as for top-down scenes.
    pub gepbench: usize,
    /// Seed of the test items.
    pub seed: u64,
}

impl Default for SampleRuns {
    /// The sizes of the shipped `sample_runs`.
    fn default() -> Self {
        Self {
            exam: 14 * 200,
            topdown: 6 * 16,
            gepbench: 6 * 25,
            seed: Self::SEED,
        }
    }
}

/// Folder of one benchmark, with a log for each encoder.
struct Folder {
    path: PathBuf,
    logs: BTreeMap<Encoder, WholeFile>,
    pictures: FileBatch,
}

impl Folder {
    fn new(path: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&path)?;
        let log = |encoder: Encoder| {
            let path = path.join(format!("{}.eyechart.jsonl", encoder.name()));
            Ok((encoder, WholeFile::create(&path, &Inputs::none())?))
        };
        let logs = Encoder::ALL
            .into_iter()
            .map(log)
            .collect::<io::Result<_>>()?;
        Ok(Self {
            path,
            logs,
            pictures: FileBatch::default(),
        })
    }

    /// Writes the pictures of a benchmark to the folder.
    fn pictures(&self, benchmark: &dyn Benchmark) -> io::Result<()> {
        for number in 0..benchmark.pages() {
            for picture in benchmark.page(number).pictures {
                let path = self.path.join(&picture.path);
                let bytes = picture.png(benchmark.shades())?;
                self.pictures.write(&path, &bytes)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, encoder: Encoder, records: Vec<Record>) -> io::Result<()> {
        if let Some(log) = self.logs.get_mut(&encoder) {
            for record in records {
                writeln!(log, "{}", own::write_record(&record))?;
            }
        }
        Ok(())
    }

    /// Publishes the logs after the pictures are on disk.
    fn finish(self) -> io::Result<()> {
        self.pictures.settle()?;
        for log in self.logs.into_values() {
            log.commit()?;
        }
        Ok(())
    }
}

impl SampleRuns {
    /// Seed of the shipped sample runs.
    pub const SEED: u64 = 7;

    /// [`SampleRuns::default`] scaled to `exam` items of the exam.
    pub fn of(exam: usize) -> Self {
        let whole = Self::default();
        let part = |count: usize| (count * exam / whole.exam).max(6);
        Self {
            exam,
            topdown: part(whole.topdown),
            gepbench: part(whole.gepbench),
            ..whole
        }
    }

    /// Writes all sample runs below a folder; `progress` is called with a line for each step.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, folder: &Path, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        self.write_exam(folder.join("exam"), progress)?;
        self.write_topdown(folder, progress)?;
        self.write_gepbench(folder, progress)
    }

    fn write_exam(&self, path: PathBuf, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        let mut folder = Folder::new(path)?;
        let exam = Exam::new(self.exam, self.seed);
        for ability in Exam::abilities() {
            progress(ability);
            let test = exam.clone().only(ability, Split::Test);
            folder.pictures(&test)?;
            let known = pictured_items(&exam.clone().only(ability, Split::Train), |_| true);
            let mut questions = vec![(None, pictured_items(&test, |_| true))];
            if ability == BOXED {
                let bare = test.clone().without_boxes();
                folder.pictures(&bare)?;
                questions.push((Some(true), pictured_items(&test, |_| true)));
                questions.push((Some(false), pictured_items(&bare, |_| true)));
            }
            for encoder in Encoder::ALL {
                let heads = train(encoder, ability, &known);
                for (boxes, asked) in &questions {
                    folder.push(encoder, under_boxes(predict(&heads, asked), *boxes))?;
                }
            }
        }
        folder.finish()
    }

    fn write_topdown(&self, folder: &Path, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        let known = TopDown::new(self.topdown * TRAINING_RATIO, self.seed + 1);
        let scenes = TopDown::new(self.topdown, self.seed);
        // Encoders are trained on upright scenes only.
        let upright = |item: &Item| item.condition.get(ROTATION) == Some(&Value::Number(0.0));
        let abilities: Vec<&str> = TopDown::abilities().collect();
        let runs = BenchmarkRuns {
            folder,
            benchmark: "exam-topdown",
            known: &known,
            questions: &scenes,
        };
        write_runs(&runs, upright, &abilities, progress)
    }

    /// Published `GePBench` scores refer to the paper's figures, so these items have another
    /// benchmark name.
    fn write_gepbench(&self, folder: &Path, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        let known = Gepbench::new(self.gepbench * TRAINING_RATIO, self.seed + 1, Noise::None);
        let figures = Gepbench::new(self.gepbench, self.seed, Noise::None);
        let aspects = Aspect::ALL.map(Aspect::name);
        let runs = BenchmarkRuns {
            folder,
            benchmark: "exam-gepbench",
            known: &known,
            questions: &figures,
        };
        write_runs(&runs, |_| true, &aspects, progress)
    }
}

/// Runs of one benchmark.
struct BenchmarkRuns<'a> {
    /// Folder above that of the runs.
    folder: &'a Path,
    /// Name of the benchmark and of the folder of the runs.
    benchmark: &'a str,
    /// Set to train on.
    known: &'a dyn Benchmark,
    questions: &'a dyn Benchmark,
}

/// Trains encoders on the wanted items of one set, asks them the items of another set, and writes
/// the runs.
fn write_runs(
    runs: &BenchmarkRuns<'_>,
    wanted: impl Fn(&Item) -> bool + Sync,
    abilities: &[&str],
    progress: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let BenchmarkRuns {
        benchmark,
        known,
        questions,
        ..
    } = *runs;
    let mut folder = Folder::new(runs.folder.join(benchmark))?;
    folder.pictures(questions)?;
    for ability in abilities {
        progress(ability);
        let known_items = pictured_items(known, |item| item.ability == *ability && wanted(item));
        let test = pictured_items(questions, |item| item.ability == *ability);
        for encoder in Encoder::ALL {
            let mut records = predict(&train(encoder, ability, &known_items), &test);
            for record in &mut records {
                benchmark.clone_into(&mut record.benchmark);
            }
            folder.push(encoder, records)?;
        }
    }
    folder.finish()
}

/// Moves records to the benchmark [`BOXES`] and adds the condition `boxes`.
fn under_boxes(mut records: Vec<Record>, boxes: Option<bool>) -> Vec<Record> {
    if let Some(boxes) = boxes {
        for record in &mut records {
            BOXES.clone_into(&mut record.benchmark);
            record
                .condition
                .insert("boxes".to_owned(), Value::Flag(boxes));
        }
    }
    records
}
