//! What is told of a run.

use std::sync::Arc;

use crate::item::Finished;
use crate::question::Unaskable;
use client::News;

/// What is told while a run is on its way.
#[derive(Clone, Debug)]
pub enum Event {
    /// A question is done.
    Finished(Arc<Finished>),
    /// A question cannot be asked, and why.
    Unasked(usize, Unaskable),
    /// Something happened to an attempt.
    News(News),
}

/// Who is told.
pub type OnEvent = Arc<dyn Fn(Event) + Send + Sync>;

/// What became of a run.
#[derive(Debug, Default)]
pub struct Ended {
    /// Every question that is done, in the order of the plan.
    pub finished: Vec<Arc<Finished>>,
    /// Questions that could not be asked.
    pub unasked: Vec<(usize, Unaskable)>,
    /// Why it ended before everything was asked; `None`: everything was.
    pub stopped: Option<String>,
}
