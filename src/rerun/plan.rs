//! Everything that is to be asked: samples, each at the steps of a protocol.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::asking::{Asking, Temperature};
use super::chain::{AskPath, Batches, Bound, Chain, Fold};
use super::content::TurnWords;
use super::figures::figures_of;
use super::item::{Done, Finished};
use super::model::Model;
use super::protocol::Protocol;
use super::question::{Question, Unaskable};
use super::sample::Sample;
use super::spin::Spins;
use super::step::Step;
use super::summary::{Known, Summary};
use media::Source;

/// The parameter of [`TurnWords`].
pub(super) const TURN_WORDS: &str = "turn_words";
/// The parameter of [`Asking::picked_by`].
pub(super) const PICKED_BY: &str = "picked_by";

/// The parameter of [`Protocol::Edited`]: the text of its file.
pub(super) const EDITED: &str = "edited";
/// The parameter of [`Asking::shard`].
pub(super) const SHARD: &str = "shard";

/// Everything that is to be asked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The samples that can be asked.
    pub samples: Vec<Arc<Sample>>,
    /// Why others cannot, and how many.
    pub unfit: Vec<(Cow<'static, str>, usize)>,
    /// The protocol.
    pub protocol: Protocol,
    /// Its steps: a sample has a result at each.
    pub steps: Arc<[Step]>,
    /// How it is asked.
    pub asking: Arc<Asking>,
    /// The questions of a sample.
    pub(super) chain: Arc<dyn Chain>,
    /// Samples that are asked about by one question.
    pub(super) batches: Arc<Batches>,
}

impl Plan {
    /// The plan of a protocol over some samples.
    #[must_use]
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

    /// The plan with its samples in batches, where the protocol asks about several at once.
    fn in_batches(self) -> Self {
        let batches = self.chain.batches(&self.samples);
        Self {
            batches: Arc::new(Batches::new(batches)),
            ..self
        }
    }

    /// The plan of what a model can answer at all.
    #[must_use]
    pub fn for_model(mut self, model: &dyn Model) -> Self {
        let steps = Arc::clone(&self.steps);
        self.keep(|sample| model.unfit(sample, &steps));
        self.in_batches()
    }

    /// Leaves out the samples that are unfit, and counts why.
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

    /// Why samples cannot be asked, as in "3 have no picture, 1 has no boxes"; `None` where all can.
    #[must_use]
    pub fn unfit_words(&self) -> Option<String> {
        let words = |(why, count): &(Cow<'_, str>, usize)| match count {
            1 => format!("1 has {why}"),
            count => format!("{count} have {why}"),
        };
        let words: Vec<String> = self.unfit.iter().map(words).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Results in all: one of each sample at each step. A result takes one request, or as many as
    /// [`Plan::requests`] says where a sample's questions depend on each other.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len() * self.steps.len()
    }

    /// Returns true if there is nothing to ask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Requests in all.
    #[must_use]
    pub fn requests(&self) -> Bound {
        let places = 0..self.samples.len();
        places.map(|sample| self.requests_of(sample)).sum()
    }

    /// Requests that a sample takes, by its place; none where another's ask about it.
    #[must_use]
    pub fn requests_of(&self, sample: usize) -> Bound {
        if self.is_beside(sample) {
            return Bound::default();
        }
        self.chain.bound(&self.samples[sample])
    }

    /// Returns true if another sample's questions ask about a sample.
    pub(super) fn is_beside(&self, sample: usize) -> bool {
        self.batches.first(sample) != sample
    }

    /// The sample and the step of a result; all steps of a sample stand together.
    #[must_use]
    pub fn at(&self, item: usize) -> Option<(&Sample, &Step)> {
        let steps = self.steps.len().max(1);
        Some((
            self.samples.get(item / steps)?,
            self.steps.get(item % steps)?,
        ))
    }

    /// The place of a sample's result at a step.
    #[must_use]
    pub fn item(&self, sample: usize, step: usize) -> usize {
        sample * self.steps.len() + step
    }

    /// Begins the samples that the questions of a sample ask about, each by its place: mostly the sample alone, and none
    /// where another's questions ask about it.
    #[must_use]
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

    /// The other samples that the questions of a sample ask about.
    pub(super) fn beside(&self, sample: usize) -> Vec<usize> {
        let mut batch = self.batches.of(sample);
        batch.retain(|other| *other != sample);
        batch
    }

    /// The step to which a question of a sample belongs: a part belongs to the first.
    #[must_use]
    pub fn step(&self, path: &AskPath) -> &Step {
        match path {
            AskPath::Step(step) => &self.steps[*step],
            AskPath::Part(_) => &self.steps[0],
        }
    }

    /// The name of a question among those of its sample: its step's, or the part's path.
    #[must_use]
    pub fn name(&self, path: &AskPath) -> String {
        match path {
            AskPath::Step(_) => self.step(path).name(),
            AskPath::Part(path) => path.clone(),
        }
    }

    /// A question of a sample as the journal keeps it, without an answer.
    #[must_use]
    pub fn unanswered(&self, sample: usize, path: &AskPath) -> Done {
        let part = match path {
            AskPath::Step(_) => None,
            AskPath::Part(path) => Some(path.clone()),
        };
        Done::of(&self.samples[sample], self.step(path), part)
    }

    /// A question, ready to be sent: one of those that can be asked of a sample before anything is answered.
    ///
    /// # Errors
    /// Its picture is missing, or the step would change nothing.
    #[must_use]
    pub fn question(&self, item: usize) -> Option<Result<Question, Unaskable>> {
        let steps = self.steps.len();
        let first = self.batches.first(item / steps);
        let (_, mut fold) = self.begin(first).into_iter().next()?;
        Some(fold.ready().into_iter().nth(item % steps)?.question())
    }

    /// How many questions of a sample follow each other, most likely: each waits for the answer to the one before.
    #[must_use]
    pub fn rounds(&self) -> usize {
        let samples = self.samples.iter();
        samples
            .map(|sample| self.chain.rounds(sample))
            .max()
            .unwrap_or(1)
    }

    /// Counts what is done.
    #[must_use]
    pub fn summary(&self, finished: &[Arc<Finished>]) -> Summary {
        let clusters = self.clusters().into_iter();
        let known = clusters.zip(&self.samples).map(|(cluster, sample)| Known {
            cluster,
            // What another model made of it is nothing to compare with.
            figures: sample
                .before
                .as_ref()
                .map_or_else(Vec::new, |_| figures_of(&sample.record)),
        });
        Summary::new(&self.steps, &self.asking, known.collect(), finished)
    }

    /// The cluster of each sample: those that show the same first picture, or one made of it, are not independent.
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

    /// What two runs must have in common so that one can go on with the other.
    #[must_use]
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
            // Only where it is said: runs of before this switch go on.
            fields.insert(TURN_WORDS.to_owned(), json!("off"));
        }
        if let Protocol::Edited(edited) = &self.protocol {
            fields.insert(EDITED.to_owned(), json!(edited.kept().unwrap_or_default()));
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
