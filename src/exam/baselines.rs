//! Baselines beside a model's answers to a test set: the encoders' answers, and the score of chance.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::chance::Chance;
use super::runs::{PicturedItem, records_of};
use super::test_set::TestSet;
use super::trained_encoder::TrainedEncoder;
use benchmark::metric_of;
use encoder::Encoder;
use platform::file::temporary_in;
use reader::own;

/// File name of the chance scores.
const CHANCE: &str = "chance.scores.csv";
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
            logs.insert(encoder, Aside::new(path)?);
        }
    }
    if logs.is_empty() && folder.join(CHANCE).exists() {
        return Ok(());
    }
    let mut chance = Aside::new(folder.join(CHANCE))?;
    writeln!(chance.out, "{COLUMNS}")?;
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
                writeln!(log.out, "{}", own::write_record(&record))?;
            }
        }
        if let Some(row) = row(&asked, &known) {
            writeln!(chance.out, "{row}")?;
        }
    }
    logs.into_values()
        .chain([chance])
        .try_for_each(Aside::finish)
}

/// The row of one ability: for multiple choice the expected share of right guesses, otherwise the score of the best
/// constant answer on the training set.
fn row(asked: &[PicturedItem], known: &[PicturedItem]) -> Option<String> {
    let item = &asked.first()?.item;
    let metric = metric_of(&item.ability, &item.content);
    let score = if item.content.choices.is_empty() {
        Chance::fit(known)?.score(asked)?
    } else {
        let options = asked.iter().map(|asked| asked.item.content.choices.len());
        options.map(|options| 1.0 / as_f64(options)).sum::<f64>() / as_f64(asked.len())
    };
    Some(format!(
        "{},chance,control,chance,{},,{},{},ratio,{score:.4},",
        item.benchmark,
        item.ability,
        metric.name(),
        metric.direction().name()
    ))
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A file that is renamed into place once it is complete.
struct Aside {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Aside {
    fn new(path: PathBuf) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let out = BufWriter::new(temporary_in(folder)?);
        Ok(Self { out, path })
    }

    fn finish(self) -> io::Result<()> {
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }
}
