//! Samples on which a candidate got worse: answers and small pictures.

use rayon::prelude::*;
use serde_json::{Value as Json, json};

use super::GateReport;
use crate::evidence::{answer_text, pictures};
use crate::html::CardPicture;
use analysis::{GateRow, GateVerdict, Loss};
use base::format::first_words;
use engine::{Ask as _, Show};
use record::{ImageRef, Row, Scoring, Table};
use workspace::brief::brief;
use workspace::load::Request;
use workspace::page::{list_row, pictured};

/// Longer side of a picture in pixels.
const SIDE: u32 = 128;
/// Maximum number of characters of an answer.
const LONGEST: usize = 60;

/// A sample on which the candidate scores worse.
#[derive(Clone, Debug, PartialEq)]
pub struct LostSample {
    /// Predictions of both sides, and the size of the loss.
    pub loss: Loss,
    /// The harness's id of the sample.
    pub id: String,
    /// Ability of the sample, by name.
    pub ability: String,
    /// Condition such as `rotation=90`; empty without one.
    pub condition: String,
    /// The annotated answer, shortened.
    pub target: String,
    /// Answer of the base, shortened.
    pub base: String,
    /// Answer of the candidate, shortened.
    pub candidate: String,
    /// Paths and addresses of the pictures, as in the log.
    pub images: Vec<String>,
    /// Small pictures with the boxes of both answers; read for comments only.
    pub pictures: Vec<CardPicture>,
    /// Command that shows the sample in the terminal.
    pub command: String,
}

/// Where lost samples are read from.
#[derive(Clone, Copy, Debug)]
pub struct SampleSource<'a> {
    /// Table with the predictions.
    pub table: &'a Table,
    /// Rules that score them.
    pub scoring: Scoring,
    /// Request that loaded the data, for the commands.
    pub request: &'a Request,
    /// Whether pictures are read, or only their paths.
    pub pictures: ReadPictures,
}

/// How the pictures of lost samples are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPictures {
    /// Reads and shrinks them.
    Small,
    /// Keeps only their paths.
    Paths,
}

impl GateReport {
    /// Reads the lost samples of all rows that do not pass.
    #[must_use]
    pub fn with_samples(mut self, source: SampleSource<'_>) -> Self {
        let lost = |row: &GateRow| -> Vec<LostSample> {
            if row.verdict == GateVerdict::Pass {
                return Vec::new();
            }
            let losses = row.losses.par_iter();
            losses.map(|loss| LostSample::read(*loss, source)).collect()
        };
        self.lost = self.gate.rows.par_iter().map(lost).collect();
        self
    }
}

impl LostSample {
    fn read(loss: Loss, source: SampleSource<'_>) -> Self {
        let SampleSource {
            table,
            scoring,
            request,
            pictures: wanted,
        } = source;
        let list = list_row(table, loss.candidate, scoring);
        let answer = |row: Row| match brief(table, row, scoring) {
            Ok(brief) => (first_words(&answer_text(&brief), LONGEST), brief.target),
            Err(why) => (why, String::new()),
        };
        let ((base, target), (candidate, _)) = (answer(loss.base), answer(loss.candidate));
        let target = if target.is_empty() {
            list.target
        } else {
            target
        };
        let mut show = Show::only(loss.candidate, scoring, table);
        show.model = None;
        let command = show.command(request);
        let mut sample = Self {
            loss,
            id: list.sample_id,
            ability: list.ability,
            condition: list.condition,
            target: first_words(&target, LONGEST),
            base,
            candidate,
            images: Vec::new(),
            pictures: Vec::new(),
            command: command.map(|line| line.to_string()).unwrap_or_default(),
        };
        if let Ok(first) = pictured(table, loss.base, scoring) {
            sample.images = first
                .record
                .content
                .images
                .iter()
                .filter_map(named)
                .collect();
            if wanted == ReadPictures::Small {
                let second = pictured(table, loss.candidate, scoring).ok();
                let found = pictures(table, [Some(&first), second.as_ref()], SIDE);
                sample.pictures = found.into_iter().filter_map(Result::ok).collect();
            }
        }
        sample
    }

    pub(super) fn json(&self) -> Json {
        json!({
            "sample_id": self.id, "ability": self.ability, "condition": self.condition, "target": self.target,
            "base": self.base, "candidate": self.candidate, "loss": self.loss.size, "images": self.images,
            "command": self.command,
        })
    }
}

/// Path or address of a picture; `None` for a picture within the log.
fn named(image: &ImageRef) -> Option<String> {
    match image {
        ImageRef::Path(name) | ImageRef::Url(name) => Some(name.clone()),
        ImageRef::Inline(_) | ImageRef::Cell { .. } => None,
    }
}
