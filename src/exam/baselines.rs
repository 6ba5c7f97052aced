//! Writes baselines for a test set: the encoders' answers, and the scores of a blind guess and of
//! the best constant answer.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use base::file::{Inputs, WholeFile};

use super::Item;
use super::chance::{self, Chance};
use super::kept::{TrainingSubject, cached};
use super::runs::{PicturedItem, records_of, written_items};
use super::test_set::TestSet;
use super::trained_encoder::TrainedEncoder;
use super::training_set::TrainingSet;
use crate::encoder::Encoder;
use reader::own;
use record::benchmark::metric_of;

/// File name of the chance scores.
const CHANCE: &str = "chance.scores.csv";
/// Model name of the constant answer that is right most often.
const CONSTANT: &str = "best constant";
/// CSV header, as in every table of published scores.
const COLUMNS: &str = "benchmark,table,group,model,ability,split,metric,direction,unit,score,rank";

/// Progress of writing baselines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Number of finished steps.
    pub done: usize,
    /// Total number of steps.
    pub of: usize,
    /// Name of the encoder or baseline at work.
    pub who: &'a str,
    /// Ability at work.
    pub ability: &'a str,
}

/// Items of a set that are written to a folder.
#[derive(Clone, Copy)]
pub struct WrittenSet<'a> {
    /// Set of the items.
    pub test_set: &'a TestSet,
    /// All items of the set.
    pub items: &'a [Item],
    /// Folder of the items and their pictures.
    pub folder: &'a Path,
}

/// Writes a log for each of these encoders, and the table of chance scores, to the folder of a set.
/// Existing logs are kept. `progress` is called before each step.
///
/// # Errors
/// The folder cannot be written.
pub fn write(
    set: WrittenSet<'_>,
    encoders: &[Encoder],
    progress: &mut dyn FnMut(Progress<'_>),
) -> io::Result<()> {
    let WrittenSet {
        test_set,
        items,
        folder,
    } = set;
    let mut logs = BTreeMap::new();
    for &encoder in encoders {
        let path = folder.join(format!("{}.eyechart.jsonl", encoder.name()));
        if !path.exists() {
            logs.insert(encoder, WholeFile::create(&path, &Inputs::none())?);
        }
    }
    if logs.is_empty() && folder.join(CHANCE).exists() {
        return Ok(());
    }
    let mut table = WholeFile::create(&folder.join(CHANCE), &Inputs::none())?;
    writeln!(table, "{COLUMNS}")?;
    let learnt = test_set.training_set().abilities();
    let mut abilities = test_set.abilities().to_vec();
    // Abilities without training data have no baselines.
    abilities.retain(|ability| learnt.contains(ability));
    let (mut done, of) = (0, abilities.len() * (logs.len() + 1));
    for ability in abilities {
        let mut step = |who: &str| {
            let now = Progress {
                done,
                of,
                who,
                ability,
            };
            progress(now);
            done += 1;
        };
        step(chance::NAME);
        // Pictures in the folder are read, not drawn again.
        let of_ability = items.iter().filter(|item| item.ability == ability);
        let asked =
            written_items(folder, of_ability).unwrap_or_else(|| test_set.pictured_items(ability));
        let lessons = Lessons::new(test_set.training_set(), ability);
        for (encoder, log) in &mut logs {
            step(encoder.name());
            let trained = lessons.learnt_by(*encoder);
            // Unanswerable items are omitted, as in a rerun.
            let respond =
                |asked: &PicturedItem| trained.respond(&asked.item.content, &asked.picture);
            for record in records_of(encoder.name(), &asked, respond) {
                writeln!(log, "{}", own::write_record(&record))?;
            }
        }
        let (constant, answers) = lessons.blind();
        let best = constant.and_then(|constant| constant.score(&asked));
        for (model, score) in [
            (chance::NAME, chance::guessed(&asked, &answers)),
            (CONSTANT, best),
        ] {
            if let Some(row) = row(model, &asked, score) {
                writeln!(table, "{row}")?;
            }
        }
    }
    for file in logs.into_values().chain([table]) {
        file.commit()?;
    }
    Ok(())
}

/// Training items of an ability, drawn on first use.
struct Lessons<'a> {
    of: TrainingSubject<'a>,
    items: OnceCell<Vec<PicturedItem>>,
}

impl<'a> Lessons<'a> {
    const fn new(training_set: TrainingSet, ability: &'a str) -> Self {
        Self {
            of: TrainingSubject {
                training_set,
                ability,
            },
            items: OnceCell::new(),
        }
    }

    fn items(&self) -> &[PicturedItem] {
        self.items
            .get_or_init(|| self.of.training_set.items(self.of.ability))
    }

    /// An encoder trained on these items.
    fn learnt_by(&self, encoder: Encoder) -> TrainedEncoder {
        TrainedEncoder::learnt(encoder, self.of, || self.items())
    }

    /// The best constant answer, and the answers for blind guesses.
    fn blind(&self) -> (Option<Chance>, Vec<String>) {
        cached("blind", self.of, || {
            let items = self.items();
            (Chance::fit(items), chance::answers(items))
        })
    }
}

/// CSV row of a baseline's score in one ability; `None` without items or score.
fn row(model: &str, asked: &[PicturedItem], score: Option<f64>) -> Option<String> {
    let (item, score) = (&asked.first()?.item, score?);
    let metric = metric_of(&item.ability, &item.content);
    Some(format!(
        "{},chance,control,{model},{},,{},{},ratio,{score:.4},",
        item.benchmark,
        item.ability,
        metric.name(),
        metric.direction().name()
    ))
}
