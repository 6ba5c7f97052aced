//! The sample runs: the encoders' answers to the exam, to top-down scenes at four rotations and to `GePBench`, as
//! logs of Eyechart's own format with their pictures.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::abilities::{Exam, Split, TopDown};
use super::gepbench::question::Aspect;
use super::gepbench::{Gepbench, Noise};
use super::runs::{answers, asked, learnt};
use super::{Benchmark, Item};
use encoder::Encoder;
use reader::own;
use record::{Record, Value};

/// Benchmark of the ability that is asked with and without boxes.
const BOXES: &str = "exam-boxes";
/// How many times as many questions are learnt from as are asked, of another seed.
pub(super) const LEARNT: usize = 20;
/// The ability that is asked with and without boxes, as in AVA-Bench's figure 8.
const BOXED: &str = "spatial";

/// How much to make.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    /// Items of the exam, of which a fifth is asked and the rest is learnt from.
    pub exam: usize,
    /// Questions about top-down scenes; `LEARNT` times as many others are learnt from.
    pub topdown: usize,
    /// Questions of `GePBench`; the same.
    pub gepbench: usize,
    /// Where random numbers start.
    pub seed: u64,
}

impl Default for Samples {
    /// What `sample_runs` holds.
    fn default() -> Self {
        Self {
            exam: 14 * 200,
            topdown: 6 * 16,
            gepbench: 6 * 25,
            seed: Self::SEED,
        }
    }
}

/// One benchmark's folder with a log for each encoder.
struct Folder {
    path: PathBuf,
    logs: BTreeMap<Encoder, BufWriter<File>>,
}

impl Folder {
    fn new(path: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&path)?;
        let log = |encoder: Encoder| {
            let file = File::create(path.join(format!("{}.eyechart.jsonl", encoder.name())))?;
            Ok((encoder, BufWriter::new(file)))
        };
        let logs = Encoder::ALL
            .into_iter()
            .map(log)
            .collect::<io::Result<_>>()?;
        Ok(Self { path, logs })
    }

    /// Writes the pictures of a benchmark.
    fn pictures(&self, benchmark: &dyn Benchmark) -> io::Result<()> {
        for number in 0..benchmark.pages() {
            for picture in benchmark.page(number).pictures {
                let path = self.path.join(&picture.path);
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(path, picture.png(benchmark.has_shades())?)?;
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

    fn finish(mut self) -> io::Result<()> {
        self.logs.values_mut().try_for_each(BufWriter::flush)
    }
}

impl Samples {
    /// The seed of the sample runs.
    pub const SEED: u64 = 7;

    /// As [`Samples::default`], but with so many items of the exam and the others in proportion.
    #[must_use]
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

    /// Writes everything below a folder; `progress` hears what is being made.
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
            let known = asked(&exam.clone().only(ability, Split::Train), |_| true);
            let mut questions = vec![(None, asked(&test, |_| true))];
            if ability == BOXED {
                let bare = test.clone().without_boxes();
                folder.pictures(&bare)?;
                questions.push((Some(true), asked(&test, |_| true)));
                questions.push((Some(false), asked(&bare, |_| true)));
            }
            for encoder in Encoder::ALL {
                let heads = learnt(encoder, ability, &known);
                for (boxes, asked) in &questions {
                    folder.push(encoder, under_boxes(answers(&heads, asked), *boxes))?;
                }
            }
        }
        folder.finish()
    }

    fn write_topdown(&self, folder: &Path, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        let known = TopDown::new(self.topdown * LEARNT, self.seed + 1);
        let scenes = TopDown::new(self.topdown, self.seed);
        // The encoders know upright scenes only.
        let upright = |item: &Item| item.condition.get("rotation") == Some(&Value::Number(0.0));
        let abilities: Vec<&str> = TopDown::abilities().collect();
        let place = (folder, "exam-topdown");
        write_runs(place, (&known, &scenes), upright, &abilities, progress)
    }

    /// The paper's published scores are of its own figures: these are a benchmark of another name.
    fn write_gepbench(&self, folder: &Path, progress: &mut dyn FnMut(&str)) -> io::Result<()> {
        let known = Gepbench::new(self.gepbench * LEARNT, self.seed + 1, Noise::None);
        let figures = Gepbench::new(self.gepbench, self.seed, Noise::None);
        let aspects = Aspect::ALL.map(Aspect::name);
        let place = (folder, "exam-gepbench");
        write_runs(place, (&known, &figures), |_| true, &aspects, progress)
    }
}

/// Writes the runs of encoders that learn from the wanted items of one set and answer another, under the name of
/// a benchmark into a folder of that name.
fn write_runs(
    (folder, benchmark): (&Path, &str),
    (known, questions): (&dyn Benchmark, &dyn Benchmark),
    wanted: impl Fn(&Item) -> bool + Sync,
    abilities: &[&str],
    progress: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let mut folder = Folder::new(folder.join(benchmark))?;
    folder.pictures(questions)?;
    for ability in abilities {
        progress(ability);
        let train = asked(known, |item| item.ability == *ability && wanted(item));
        let test = asked(questions, |item| item.ability == *ability);
        for encoder in Encoder::ALL {
            let mut records = answers(&learnt(encoder, ability, &train), &test);
            for record in &mut records {
                benchmark.clone_into(&mut record.benchmark);
            }
            folder.push(encoder, records)?;
        }
    }
    folder.finish()
}

/// The same answers as those of a run with or without boxes.
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
