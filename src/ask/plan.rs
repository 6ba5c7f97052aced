//! Plan of a run: samples times the steps of a protocol.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::asking::{Asking, Temperature};
use super::chain::{AskPath, Batches, Chain, Fold, RequestRange};
use super::content::TurnWords;
use super::figures::figures_of;
use super::item::{JournalEntry, StepResult};
use super::model::Model;
use super::picture_rules::to_json;
use super::protocol::Protocol;
use super::question::{Question, Unaskable};
use super::sample::Sample;
use super::spin::Spins;
use super::step::Step;
use super::summary::{SampleBaseline, Summary};
use media::Source;

/// Name of the parameter for [`TurnWords`].
pub(super) const TURN_WORDS: &str = "turn_words";
/// Name of the parameter for the limits of pictures.
pub(super) const PICTURES: &str = "pictures";
/// Name of the parameter for [`Asking::picked_by`].
pub(super) const PICKED_BY: &str = "picked_by";

/// Name of the parameter for the file text of [`Protocol::Edited`].
pub(super) const EDITED: &str = "edited";
/// Name of the parameter for [`Asking::shard`].
pub(super) const SHARD: &str = "shard";

/// All questions of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The samples that can be asked.
    pub samples: Vec<Arc<Sample>>,
    /// Reasons why other samples cannot be asked, with counts.
    pub unfit: Vec<(Cow<'static, str>, usize)>,
    /// The protocol of the run.
    pub protocol: Protocol,
    /// Steps of the protocol; a sample has a result at each.
    pub steps: Arc<[Step]>,
    /// Model, sampling and other request settings.
    pub asking: Arc<Asking>,
    /// Builds the questions of a sample.
    pub(super) chain: Arc<dyn Chain>,
    /// Samples that share a request.
    pub(super) batches: Arc<Batches>,
}

impl Plan {
    /// Builds the plan of a protocol for some samples.
    pub fn new(samples: Vec<Sample>, protocol: Protocol, mut asking: Asking) -> Self {
        if protocol.turns() {
            asking.spins = Spins::of(&samples);
        }
        let steps: Arc<[Step]> = protocol.steps().into();
        let mut plan = Self {
            samples: samples.into_iter().map(Arc::new).collect(),
            unfit: Vec::new(),
            chain: protocol.chain(&steps),
            steps,
            protocol,
            asking: Arc::new(asking),
            batches: Arc::default(),
        };
        let (protocol, words) = (plan.protocol.clone(), plan.asking.turn_words);
        plan.keep(|sample| protocol.unfit(sample, words).map(Cow::Borrowed));
        if let Some(shard) = plan.asking.shard {
            plan.samples.retain(|sample| shard.holds(sample));
        }
        let mut unmovable = plan.unmovable().into_iter();
        plan.keep(|_| unmovable.next().flatten());
        plan.in_batches()
    }

    /// Groups samples into batches, if the protocol asks about several at once.
    fn in_batches(self) -> Self {
        let batches = self.chain.batches(&self.samples);
        Self {
            batches: Arc::new(Batches::new(batches)),
            ..self
        }
    }

    /// Keeps only the samples that a model can answer.
    #[must_use]
    pub fn for_model(mut self, model: &dyn Model) -> Self {
        let steps = Arc::clone(&self.steps);
        self.keep(|sample| model.unfit(sample, &steps));
        self.in_batches()
    }

    /// Drops unfit samples and counts the reasons.
    fn keep(&mut self, mut unfit: impl FnMut(&Sample) -> Option<Cow<'static, str>>) {
        let Self {
            samples,
            unfit: counts,
            ..
        } = self;
        samples.retain(|sample| {
            let Some(why) = unfit(sample) else {
                return true;
            };
            match counts.iter_mut().find(|(known, _)| *known == why) {
                Some((_, count)) => *count += 1,
                None => counts.push((why, 1)),
            }
            false
        });
    }

    /// Returns why samples cannot be asked, for example "3 have no picture, 1 has no
    /// boxes"; `None` if all can.
    pub fn unfit_words(&self) -> Option<String> {
        let words = |(why, count): &(Cow<'_, str>, usize)| match count {
            1 => format!("1 has {why}"),
            count => format!("{count} have {why}"),
        };
        let words: Vec<String> = self.unfit.iter().map(words).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Number of results: one per sample and step. A result takes one request; for chains see
    /// [`Plan::requests`].
    pub fn len(&self) -> usize {
        self.samples.len() * self.steps.len()
    }

    /// Returns true if there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of requests of the whole plan.
    pub fn requests(&self) -> RequestRange {
        let places = 0..self.samples.len();
        places.map(|sample| self.requests_of(sample)).sum()
    }

    /// Number of requests of a sample, by position; 0 if it shares another sample's request.
    pub fn requests_of(&self, sample: usize) -> RequestRange {
        if self.is_beside(sample) {
            return RequestRange::default();
        }
        self.chain.bound(&self.samples[sample])
    }

    /// Returns true if a sample shares the request of another one.
    pub(super) fn is_beside(&self, sample: usize) -> bool {
        self.batches.first(sample) != sample
    }

    /// Returns sample and step of a result. All steps of a sample are adjacent.
    pub fn at(&self, item: usize) -> Option<(&Sample, &Step)> {
        let steps = self.steps.len().max(1);
        Some((
            self.samples.get(item / steps)?,
            self.steps.get(item % steps)?,
        ))
    }

    /// Returns the position of a sample's result at a step.
    pub fn item(&self, sample: usize, step: usize) -> usize {
        sample * self.steps.len() + step
    }

    /// Starts the folds of all samples that share this sample's requests, with their positions.
    /// Usually only the sample itself; empty if another sample sends the requests.
    pub fn begin(&self, sample: usize) -> Vec<(usize, Box<dyn Fold>)> {
        let places = self.batches.of(sample);
        let folds = match places.as_slice() {
            [] => Vec::new(),
            [one] => vec![self.chain.begin(&self.samples[*one], &self.asking)],
            several => {
                let samples: Vec<_> = several.iter().map(|at| &self.samples[*at]).collect();
                self.chain.begin_batch(&samples, &self.asking)
            }
        };
        places.into_iter().zip(folds).collect()
    }

    /// Returns the other samples that share this sample's request.
    pub(super) fn batch_mates(&self, sample: usize) -> Vec<usize> {
        let mut batch = self.batches.of(sample);
        batch.retain(|other| *other != sample);
        batch
    }

    /// Returns the step of a question; a chain's part belongs to the first step.
    pub fn step(&self, path: &AskPath) -> &Step {
        match path {
            AskPath::Step(step) => &self.steps[*step],
            AskPath::Part(_) => &self.steps[0],
        }
    }

    /// Returns the name of a question within its sample: the step's name, or the part's path.
    pub fn name(&self, path: &AskPath) -> String {
        match path {
            AskPath::Step(_) => self.step(path).name(),
            AskPath::Part(path) => path.clone(),
        }
    }

    /// Returns a question without an answer, as the journal stores it.
    pub fn unanswered(&self, sample: usize, path: &AskPath) -> JournalEntry {
        let part = match path {
            AskPath::Step(_) => None,
            AskPath::Part(path) => Some(path.clone()),
        };
        JournalEntry::of(&self.samples[sample], self.step(path), part)
    }

    /// Builds a question that can be asked before any answer; `None` for others.
    ///
    /// # Errors
    /// Its picture is missing, or the step would change nothing.
    pub fn question(&self, item: usize) -> Option<Result<Question, Unaskable>> {
        let steps = self.steps.len();
        let first = self.batches.first(item / steps);
        let (_, mut fold) = self.begin(first).into_iter().next()?;
        Some(fold.ready().into_iter().nth(item % steps)?.question())
    }

    /// Returns the largest likely number of sequential questions of a sample; 1 without samples.
    pub fn rounds(&self) -> usize {
        let samples = self.samples.iter();
        samples
            .map(|sample| self.chain.rounds(sample))
            .max()
            .unwrap_or(1)
    }

    /// Summarizes finished results, compared with the log.
    pub fn summary(&self, finished: &[Arc<StepResult>]) -> Summary {
        let clusters = self.clusters().into_iter();
        let known = clusters
            .zip(&self.samples)
            .map(|(cluster, sample)| SampleBaseline {
                cluster,
                // The result of another model is not used for comparison.
                figures: sample
                    .before
                    .as_ref()
                    .map_or_else(Vec::new, |_| figures_of(&sample.record)),
            });
        Summary::new(&self.steps, &self.asking, known.collect(), finished)
    }

    /// Returns the cluster of each sample. Samples are not independent if they have the same first
    /// picture, or pictures derived from the same picture.
    fn clusters(&self) -> Vec<usize> {
        let mut known: HashMap<(Option<u64>, Option<&Source>), usize> = HashMap::new();
        let mut clusters = Vec::with_capacity(self.samples.len());
        for (at, sample) in self.samples.iter().enumerate() {
            let told = sample.record.origin.as_ref();
            let told = told.and_then(|origin| origin.log_picture);
            let shown = sample.pictures.first().filter(|_| told.is_none());
            let has_picture = told.is_some() || shown.is_some();
            let first = || *known.entry((told, shown)).or_insert(at);
            clusters.push(has_picture.then(first).unwrap_or(at));
        }
        clusters
    }

    /// Returns the parameters that two runs must share so that one can resume the other.
    pub fn parameters(&self) -> Json {
        let sampling = &self.asking.sampling;
        let temperature = match self.asking.temperature {
            Temperature::Usual => json!("usual"),
            Temperature::Unsent => Json::Null,
            Temperature::At(temperature) => json!(temperature),
        };
        let mut fields = Map::new();
        for (name, value) in [
            ("system", json!(self.asking.system)),
            ("temperature", temperature),
            ("top_p", json!(sampling.top_p)),
            ("max_tokens", json!(sampling.max_tokens)),
            ("seed", json!(sampling.seed)),
            ("effort", json!(sampling.effort)),
            ("extra", json!(sampling.extra)),
        ] {
            fields.insert(name.to_owned(), value);
        }
        let words = (self.steps.iter()).flat_map(|step| step.wording.iter().chain(&step.follows));
        let words: Vec<String> = words.map(|template| template.version()).collect();
        fields.insert("prompts".to_owned(), json!(words));
        if self.asking.turn_words == TurnWords::Off {
            // Only if set, so runs from before this option can be resumed.
            fields.insert(TURN_WORDS.to_owned(), json!("off"));
        }
        if let Some(limits) = to_json(&self.asking.pictures.own) {
            fields.insert(PICTURES.to_owned(), limits);
        }
        if let Protocol::Edited(edited) = &self.protocol {
            fields.insert(
                EDITED.to_owned(),
                json!(edited.to_run_text().unwrap_or_default()),
            );
        }
        if let Some(filter) = &self.asking.picked_by {
            fields.insert(PICKED_BY.to_owned(), json!(filter));
        }
        if let Some(shard) = self.asking.shard {
            fields.insert(SHARD.to_owned(), json!(shard));
        }
        Json::Object(fields)
    }
}
