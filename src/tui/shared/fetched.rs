//! Records that were fetched from their logs: whole, or in short.

use media::{PictureCache, Source};
use record::{ImageRef, Scoring};
use workspace::brief::Brief;
use workspace::page::Detail;
use workspace::surface::Surface;
use workspace::thumbnail::Thumbnail;

use crate::effect::{Effect, ask};

/// Bytes of whole records and their painted maps that are kept.
const KEPT: usize = 48 << 20;
/// Bytes of short forms that are kept.
const KEPT_SHORT: usize = 8 << 20;

/// Records that were fetched, by prediction.
pub type Details = PictureCache<u32, Result<Detail, String>>;

/// What a frame showed or lacked of records, the most wanted first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Predictions whose short form is on screen.
    pub briefs: Vec<u32>,
    /// Predictions whose picture and response are on screen.
    pub details: Vec<u32>,
    /// Predictions whose picture is on screen among others.
    pub thumbnails: Vec<u32>,
    /// The matrix of answers that is on screen, unless it is known of this table.
    pub matrix: Option<engine::Answers>,
    /// The list of samples that stands beside a view, unless it is known of this table.
    pub samples: Option<engine::Samples>,
    /// Targets against answers, unless they are known of this table.
    pub confusion: Option<engine::Confusion>,
}

/// Records that were fetched, and those that were asked for.
pub struct Fetched {
    /// Whole records.
    pub details: Details,
    /// Short forms.
    pub briefs: PictureCache<u32, Result<Brief, String>>,
    /// Pictures and boxes.
    pub thumbnails: PictureCache<u32, Result<Thumbnail, String>>,
    /// What the last frame lacks.
    lacking: Wanted,
    /// What was asked for and has not come.
    asked: Wanted,
}

impl Default for Fetched {
    fn default() -> Self {
        Self {
            details: Details::new(KEPT),
            briefs: PictureCache::new(KEPT_SHORT),
            thumbnails: PictureCache::new(KEPT),
            lacking: Wanted::default(),
            asked: Wanted::default(),
        }
    }
}

impl Fetched {
    /// Takes what a frame showed: what is in sight is not let go of.
    pub fn see(&mut self, mut wanted: Wanted) {
        wanted.briefs.retain(|row| self.briefs.get(row).is_none());
        wanted.details.retain(|row| self.details.get(row).is_none());
        let seen = &mut self.thumbnails;
        wanted.thumbnails.retain(|row| seen.get(row).is_none());
        self.lacking = wanted;
    }

    /// Asks for what the last frame lacks, unless that was asked for already.
    pub fn ask(&mut self, scoring: Scoring) -> Vec<Effect> {
        let Wanted {
            briefs,
            details,
            thumbnails,
            matrix,
            samples,
            confusion,
        } = std::mem::take(&mut self.lacking);
        let asked = &mut self.asked;
        let mut effects = Vec::new();
        if let Some(rows) = newly(briefs, &mut asked.briefs) {
            effects.push(ask(engine::Briefs { rows, scoring }));
        }
        if let Some(rows) = newly(details, &mut asked.details) {
            effects.push(ask(engine::Details { rows, scoring }));
        }
        if let Some(rows) = newly(thumbnails, &mut asked.thumbnails) {
            effects.push(ask(engine::Thumbnails { rows, scoring }));
        }
        if matrix != asked.matrix {
            asked.matrix.clone_from(&matrix);
            effects.extend(matrix.map(ask));
        }
        if samples != asked.samples {
            asked.samples.clone_from(&samples);
            effects.extend(samples.map(ask));
        }
        if confusion != asked.confusion {
            asked.confusion.clone_from(&confusion);
            effects.extend(confusion.map(ask));
        }
        effects
    }

    /// Everybody's answers have come.
    pub fn take_matrix(&mut self) {
        self.asked.matrix = None;
    }

    /// A list of samples has come.
    pub fn take_samples(&mut self) {
        self.asked.samples = None;
    }

    /// Targets against answers have come.
    pub fn take_confusion(&mut self) {
        self.asked.confusion = None;
    }

    /// What was asked for will not come: it is asked for again when a frame lacks it.
    pub fn ask_again(&mut self) {
        self.asked = Wanted::default();
    }

    /// Takes a whole record, or why there is none.
    pub fn take(&mut self, row: u32, detail: Result<Detail, String>) {
        let bytes = detail.as_ref().map_or(64, held);
        self.details.insert(row, detail, bytes);
    }

    /// Takes whole records that were asked for by a frame.
    pub fn take_details(&mut self, found: Vec<(u32, Result<Detail, String>)>) {
        self.asked.details.clear();
        for (row, detail) in found {
            self.take(row, detail);
        }
    }

    /// Takes short forms that were asked for by a frame.
    pub fn take_briefs(&mut self, found: Vec<(u32, Result<Brief, String>)>) {
        self.asked.briefs.clear();
        for (row, brief) in found {
            let text = |brief: &Brief| {
                let answer = brief.answer.as_ref().map_or(0, String::len);
                answer + brief.said.len() + brief.target.len()
            };
            let bytes = 128 + brief.as_ref().map_or(0, text);
            self.briefs.insert(row, brief, bytes);
        }
    }

    /// Takes pictures that were asked for by a frame.
    pub fn take_thumbnails(&mut self, found: Vec<(u32, Result<Thumbnail, String>)>) {
        self.asked.thumbnails.clear();
        for (row, thumbnail) in found {
            let source = thumbnail.as_ref().ok().and_then(|it| it.source.as_ref());
            let bytes = match source {
                Some(Source::Inline(text)) => text.len(),
                _ => 0,
            };
            self.thumbnails.insert(row, thumbnail, bytes + 512);
        }
    }

    /// Forgets everything: rows stand elsewhere, or other rules read the answers.
    pub fn clear(&mut self) {
        self.details.clear();
        self.briefs.clear();
        self.thumbnails.clear();
        self.asked = Wanted::default();
    }
}

/// What is to be asked for: what is lacking, unless it was asked for last.
fn newly(lacking: Vec<u32>, asked: &mut Vec<u32>) -> Option<Vec<u32>> {
    if lacking.is_empty() || lacking == *asked {
        return None;
    }
    asked.clone_from(&lacking);
    Some(lacking)
}

/// About how many bytes a record holds.
fn held(detail: &Detail) -> usize {
    let inline = |image: &ImageRef| match image {
        ImageRef::Inline(text) => text.len(),
        _ => 0,
    };
    let pictures: usize = detail.record.content.images.iter().map(inline).sum();
    let response = detail.record.response.as_ref().map_or(0, String::len);
    let maps: usize = detail.surfaces.iter().map(Surface::held).sum();
    pictures + maps + response + 2 * detail.list.question.len() + 1024
}
