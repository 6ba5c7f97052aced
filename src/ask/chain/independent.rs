//! The simplest chain: each step is asked once, independent of other answers.

use std::sync::Arc;

use super::{Ask, AskPath, Chain, Fold, JudgedAnswer, Outcome, RequestRange};
use crate::asking::Asking;
use crate::question::Question;
use crate::sample::Sample;
use crate::step::Step;

/// One question per step; none depends on another's answer.
#[derive(Clone, Debug)]
pub struct Independent {
    /// The steps in the protocol's order.
    pub steps: Arc<[Step]>,
}

impl Chain for Independent {
    fn bound(&self, _sample: &Sample) -> RequestRange {
        RequestRange::exactly(self.steps.len())
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        let ask = |step: usize| {
            let (steps, sample) = (Arc::clone(&self.steps), Arc::clone(sample));
            let asking = Arc::clone(asking);
            Ask::new(AskPath::Step(step), move || {
                Question::new(&sample, &steps[step], &asking)
            })
        };
        Box::new(IndependentFold((0..self.steps.len()).map(ask).collect()))
    }
}

/// A sample whose questions are all ready at once.
struct IndependentFold(Vec<Ask>);

impl Fold for IndependentFold {
    fn ready(&mut self) -> Vec<Ask> {
        std::mem::take(&mut self.0)
    }

    fn receive(&mut self, _path: &AskPath, _said: Option<&JudgedAnswer>) {}

    fn end(self: Box<Self>) -> Option<Outcome> {
        None
    }
}
