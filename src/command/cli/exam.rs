//! The command line of `exam`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Again, Drawing, Format, Live};

/// Arguments of `exam`.
#[derive(Clone, Debug, Args)]
pub struct Exam {
    /// Set of questions
    #[arg(long, value_name = "SET", value_enum, default_value_t)]
    pub set: ExamSet,
    /// Only these abilities
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub ability: Vec<String>,
    /// Number of questions (default: 560 for exam, 210 for gepbench, 48 at four rotations each for
    /// topdown, 30 for scenes); with --adaptive, the maximum
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Only these levels of difficulty, 1 (easy) to 10 (hard), such as 5, 3..7 or 1,5,9
    #[arg(long, visible_alias = "levels", value_name = "L[..M]", value_parser = levels)]
    pub level: Option<Levels>,
    /// Choose the level of each question by the previous answers, and stop when acuity is known
    #[arg(long, conflicts_with = "level")]
    pub adaptive: bool,
    /// Precision at which an adaptive exam stops: length of the 95 % interval of acuity, in levels
    #[arg(long, value_name = "LEVELS", default_value_t = 2.0, requires = "adaptive", value_parser = width)]
    pub width: f64,
    /// Seed of the questions; the same seed draws the same questions for every model
    #[arg(long, value_name = "S", default_value_t = exam::test_set::SEED)]
    pub seed: u64,
    /// Environment variable with a private seed, any text of 16 characters or more, so that others
    /// cannot draw the same questions
    #[arg(long, value_name = "NAME", conflicts_with = "seed")]
    pub seed_env: Option<String>,
    /// Leave out the built-in encoders, which otherwise learn and answer the same questions
    #[arg(long)]
    pub no_encoders: bool,
    /// How the exam is drawn.
    #[command(flatten)]
    pub drawing: Drawing,
    /// How the model is reached.
    #[command(flatten)]
    pub live: Live,
    /// Folder or address to create, for questions, pictures and all answers
    #[arg(long, value_name = "DIR|ADDRESS")]
    pub out: PathBuf,
    /// Show for each ability whether acuity changed since this earlier exam; its model may have
    /// another name
    #[arg(long, value_name = "DIR")]
    pub compare: Option<PathBuf>,
    /// Options to resume the exam, or to send nothing.
    #[command(flatten)]
    pub again: Again,
    /// Output format of the scores; without it, a terminal shows the fingerprint
    #[arg(long, value_enum)]
    pub format: Option<Format>,
}

/// Question set of an exam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExamSet {
    /// The fourteen abilities of AVA-Bench, each at ten levels of difficulty
    #[default]
    Exam,
    /// Geometric figures
    Gepbench,
    /// Ground seen from above, each question at four rotations
    Topdown,
    /// Rooms, for the six dense tasks, asked by chains of questions
    Scenes,
}

/// Format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Trainer {
    /// llava.json: conversations of a question and its answer
    Llava,
    /// shards/*.tar: pictures, answers and items, 1,000 in each
    Webdataset,
}

/// Levels of difficulty, in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels(pub Vec<u8>);

/// The hardest level.
const HARDEST: u8 = 10;

fn levels(text: &str) -> Result<Levels, String> {
    let mut found = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let level = |text: &str| {
            let level: Option<u8> = text.trim().parse().ok();
            level.filter(|level| (1..=HARDEST).contains(level))
        };
        match (level(first), level(last)) {
            (Some(first), Some(last)) if first <= last => found.extend(first..=last),
            _ => {
                return Err(format!(
                    "levels are 1 to {HARDEST}, such as 5, 3..7 or 1,5,9"
                ));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(Levels(found))
}

fn width(text: &str) -> Result<f64, String> {
    let width: Option<f64> = text.parse().ok();
    let width = width.filter(|width| (0.2..=9.0).contains(width));
    width.ok_or_else(|| "expected a length in levels, 0.2 to 9".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_ranges_and_lists() {
        let of = |text| levels(text).map(|Levels(levels)| levels);
        assert_eq!(of("5"), Ok(vec![5]));
        assert_eq!(of("3..7"), Ok(vec![3, 4, 5, 6, 7]));
        assert_eq!(of("9,1,5"), Ok(vec![1, 5, 9]));
        assert_eq!(of("8..10,9"), Ok(vec![8, 9, 10]));
        for bad in ["0", "11", "7..3", "", "1,", "a..b"] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_interval_has_a_length_among_the_levels() {
        assert_eq!(width("1.5"), Ok(1.5));
        assert!(width("0").is_err() && width("20").is_err() && width("NaN").is_err());
    }
}
