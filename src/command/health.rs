//! `eyechart health`: tests whether benchmarks are sound, and lists the samples with and without a
//! fault.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::cli::{Common, Switch};
use super::input::LoadedInput;
use super::{Failure, Status};
use engine::Scope;
use report::{HealthReport, write_json};
use workspace::health::PictureUse;

/// Arguments of `health`.
#[derive(Clone, Debug, Args)]
pub struct Health {
    /// Whether pictures are read, where they are local, to find near-duplicates
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub pictures: Switch,
    /// Write the faulty samples with their reasons, one JSON object per line; the filter
    /// 'not ids:FILE' leaves them out
    #[arg(long, value_name = "FILE")]
    pub faults: Option<PathBuf>,
    /// Write the samples without a fault, one JSON object per line; the filter ids:FILE selects
    /// them
    #[arg(long, value_name = "FILE")]
    pub clean_out: Option<PathBuf>,
    /// Print every check of every ability and all flagged samples, not only one screen
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

impl From<&Health> for engine::Health {
    fn from(args: &Health) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            pictures: match args.pictures {
                Switch::On => PictureUse::Compared,
                Switch::Off => PictureUse::Named,
            },
        }
    }
}

impl Health {
    /// Makes all checks and writes the results and lists.
    pub fn run(&self) -> Result<Status, Failure> {
        let opened = self.common.open()?;
        if opened.table().is_empty() {
            return Err(Failure::new("published scores have no samples to check"));
        }
        let found = opened.ask(&engine::Health::from(self))?;
        let document = HealthReport {
            names: opened.table().names().clone(),
            found: *found,
        };
        if let Some(path) = &self.faults {
            write_lines(path, document.faults(), &opened)?;
        }
        if let Some(path) = &self.clean_out {
            let table = opened.table();
            let sound = document.found.sound.iter().map(|item| {
                let ability = table.ability(*item).cloned().unwrap_or_default();
                json!({
                    "sample_id": table.sample_id(*item), "benchmark": ability.benchmark,
                    "ability": ability.name,
                })
            });
            write_lines(path, sound, &opened)?;
        }
        self.common.write_tables(self.long, &document, &opened)
    }
}

/// Writes one JSON value per line.
fn write_lines(
    path: &Path,
    lines: impl IntoIterator<Item = Value>,
    opened: &LoadedInput,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    for line in lines {
        write_json(&line, &mut text)?;
        text.push(b'\n');
    }
    base::file::write(path, &text, &opened.inputs())?;
    Ok(())
}
