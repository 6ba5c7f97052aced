//! Baselines beside a model's answers to a test set: the encoders' answers, and the scores of a blind guess and of the best
//! constant answer.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use file::{Inputs, WholeFile};

use super::chance::{self, Chance};
use super::runs::{PicturedItem, records_of};
use super::test_set::TestSet;
use super::trained_encoder::TrainedEncoder;
use benchmark::metric_of;
use encoder::Encoder;
use reader::own;

/// File name of the chance scores.
const CHANCE: &str = "chance.scores.csv";
/// Model name of the one answer that is right most often.
const CONSTANT: &str = "best constant";
/// Its columns: those of every table of published scores.
const COLUMNS: &str = "benchmark,table,group,model,ability,split,metric,direction,unit,score,rank";

/// Writes a log for each encoder except `without`, and the table of chance scores, into a folder. Existing logs are
/// kept. `progress` gets the name of each ability.
///
/// # Errors
/// The folder cannot be written.
pub fn write(
    test_set: &TestSet,
    folder: &Path,
    without: Option<Encoder>,
    progress: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let wanted = Encoder::ALL
        .into_iter()
        .filter(|encoder| Some(*encoder) != without);
    let mut logs = BTreeMap::new();
    for encoder in wanted {
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
    for ability in test_set.abilities() {
        progress(ability);
        let (asked, known) = (
            test_set.pictured_items(ability),
            test_set.training_set().items(ability),
        );
        for (encoder, log) in &mut logs {
            let trained = TrainedEncoder::train_on(*encoder, ability, &known);
            // Items that it cannot answer are left out, as in a rerun.
            let respond =
                |asked: &PicturedItem| trained.respond(&asked.item.content, &asked.picture);
            for record in records_of(encoder.name(), &asked, respond) {
                writeln!(log, "{}", own::write_record(&record))?;
            }
        }
        let best = Chance::fit(&known).and_then(|constant| constant.score(&asked));
        for (model, score) in [
            (chance::NAME, chance::guessed(&asked, &known)),
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

/// The row of one ability.
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
