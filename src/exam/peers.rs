//! What stands beside a model's answers to a paper: those of the encoders, and what chance would get.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::chance::Chance;
use super::lessons::Learnt;
use super::paper::Paper;
use super::runs::{Asked, said};
use super::set::readable;
use benchmark::metric_of;
use encoder::Encoder;
use reader::own;

/// The file of what chance would get.
const CHANCE: &str = "chance.scores.csv";
/// Its columns, as every table of published scores has them.
const COLUMNS: &str = "benchmark,table,group,model,ability,split,metric,direction,unit,score,rank";

/// Writes a log of each encoder but `without`, and the table of chance, into a folder; what is there is left as it
/// is. `progress` hears what is being answered.
///
/// # Errors
/// The folder cannot be written.
pub fn write(
    paper: &Paper,
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
    for ability in paper.abilities() {
        progress(ability);
        let (asked, known) = (paper.asked(ability), paper.lessons().questions(ability));
        for (encoder, log) in &mut logs {
            let learnt = Learnt::of(*encoder, ability, &known);
            // What it cannot answer is left out, as when it is asked as a model.
            let respond = |asked: &Asked| learnt.respond(&asked.item.content, &asked.picture);
            for record in said(encoder.name(), &asked, respond) {
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

/// What chance gets in an ability: of options the share that is right, of everything else the score of the one answer
/// that is best in what the encoders learn from.
fn row(asked: &[Asked], known: &[Asked]) -> Option<String> {
    let item = &asked.first()?.item;
    let metric = metric_of(&item.ability, &item.content);
    let score = if item.content.choices.is_empty() {
        Chance::learnt(known)?.score(asked)?
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

/// A file that is put in its place when it is whole.
struct Aside {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Aside {
    fn new(path: PathBuf) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let out = BufWriter::new(readable(folder)?);
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
