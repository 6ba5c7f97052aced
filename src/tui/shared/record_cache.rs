//! Cache of records loaded from their logs, complete or as summaries.

use media::{PictureCache, Source};
use record::{ImageRef, Scoring};
use workspace::brief::Brief;
use workspace::page::Detail;
use workspace::surface::Surface;
use workspace::thumbnail::Thumbnail;

use crate::effect::{Effect, ask};

/// Maximum bytes of cached complete records, with their painted maps.
const KEPT: usize = 48 << 20;
/// Maximum bytes of cached summaries.
const KEPT_SHORT: usize = 8 << 20;

/// Complete records or errors, by prediction.
pub type Details = PictureCache<u32, Result<Detail, String>>;

/// Records that a frame needs, most important first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameNeeds {
    /// Predictions that are shown as a summary.
    pub briefs: Vec<u32>,
    /// Predictions that are shown with picture and response.
    pub details: Vec<u32>,
    /// Predictions that are shown as small pictures.
    pub thumbnails: Vec<u32>,
    /// Query for the matrix of all answers, unless its answer is current.
    pub matrix: Option<engine::Answers>,
    /// Query for the samples in the side pane, unless its answer is current.
    pub samples: Option<engine::Samples>,
    /// Query for the confusion matrix, unless its answer is current.
    pub confusion: Option<engine::Confusion>,
    /// Query for the trace of an answer, unless its answer is current.
    pub trace: Option<engine::Trace>,
    /// Query for the decision about a margin, unless its answer is current.
    pub gate: Option<engine::Gate>,
}

/// Cache of loaded records, and the requests for records.
pub struct RecordCache {
    /// Complete records, or the errors.
    pub details: Details,
    /// Summaries of records, or the errors.
    pub briefs: PictureCache<u32, Result<Brief, String>>,
    /// Sources and boxes for small pictures, or the errors.
    pub thumbnails: PictureCache<u32, Result<Thumbnail, String>>,
    /// Records that were missing in the last frame.
    lacking: FrameNeeds,
    /// Requests in progress.
    pub asked: FrameNeeds,
}

impl Default for RecordCache {
    fn default() -> Self {
        Self {
            details: Details::new(KEPT),
            briefs: PictureCache::new(KEPT_SHORT),
            thumbnails: PictureCache::new(KEPT),
            lacking: FrameNeeds::default(),
            asked: FrameNeeds::default(),
        }
    }
}

impl RecordCache {
    /// Stores what a frame needs, and keeps visible records in the cache.
    pub fn see(&mut self, mut wanted: FrameNeeds) {
        wanted.briefs.retain(|row| self.briefs.get(row).is_none());
        wanted.details.retain(|row| self.details.get(row).is_none());
        let seen = &mut self.thumbnails;
        wanted.thumbnails.retain(|row| seen.get(row).is_none());
        self.lacking = wanted;
    }

    /// Requests the records that were missing in the last frame, unless they are already requested.
    pub fn ask(&mut self, scoring: Scoring) -> Vec<Effect> {
        let FrameNeeds {
            briefs,
            details,
            thumbnails,
            matrix,
            samples,
            confusion,
            trace,
            gate,
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
        effects.extend(new_query(matrix, &mut asked.matrix).map(ask));
        effects.extend(new_query(samples, &mut asked.samples).map(ask));
        effects.extend(new_query(confusion, &mut asked.confusion).map(ask));
        effects.extend(new_query(trace, &mut asked.trace).map(ask));
        effects.extend(new_query(gate, &mut asked.gate).map(ask));
        effects
    }

    /// Clears the list of requests, so that the next frame can repeat them.
    pub fn ask_again(&mut self) {
        self.asked = FrameNeeds::default();
    }

    /// Stores a complete record, or the reason of a failure.
    pub fn take(&mut self, row: u32, detail: Result<Detail, String>) {
        let bytes = detail.as_ref().map_or(64, size_in_bytes);
        self.details.insert(row, detail, bytes);
    }

    /// Stores complete records requested by a frame.
    pub fn take_details(&mut self, found: Vec<(u32, Result<Detail, String>)>) {
        self.asked.details.clear();
        for (row, detail) in found {
            self.take(row, detail);
        }
    }

    /// Stores summaries requested by a frame.
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

    /// Stores small pictures requested by a frame.
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

    /// Clears the cache, because row numbers or scoring rules changed.
    pub fn clear(&mut self) {
        self.details.clear();
        self.briefs.clear();
        self.thumbnails.clear();
        self.asked = FrameNeeds::default();
    }
}

/// Returns the records to request, unless they equal the previous request.
fn newly(lacking: Vec<u32>, asked: &mut Vec<u32>) -> Option<Vec<u32>> {
    if lacking.is_empty() || lacking == *asked {
        return None;
    }
    asked.clone_from(&lacking);
    Some(lacking)
}

/// Returns the query to send, unless it equals the previous query.
fn new_query<Q: Clone + PartialEq>(lacking: Option<Q>, asked: &mut Option<Q>) -> Option<Q> {
    if lacking == *asked {
        return None;
    }
    asked.clone_from(&lacking);
    lacking
}

/// Returns the approximate size of a record in bytes.
fn size_in_bytes(detail: &Detail) -> usize {
    let inline = |image: &ImageRef| match image {
        ImageRef::Inline(text) => text.len(),
        _ => 0,
    };
    let pictures: usize = detail.record.content.images.iter().map(inline).sum();
    let response = detail.record.response.as_ref().map_or(0, String::len);
    let maps: usize = detail.surfaces.iter().map(Surface::held).sum();
    pictures + maps + response + 2 * detail.list.question.len() + 1024
}
