//! Multi-turn conversations: each step is asked after the previous answer, with the whole history.

use std::sync::Arc;

use super::{Ask, AskPath, Chain, Fold, JudgedAnswer, Outcome, RequestRange};
use crate::asking::Asking;
use crate::client::{Part, Turn as Message};
use crate::question::{Question, Unaskable};
use crate::sample::Sample;
use crate::step::Step;

/// Reason why a turn cannot be asked.
const NO_ANSWER: Unaskable = Unaskable::Part("the previous turn has no text answer");

/// The steps of a conversation. The first one asks the log's question.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The steps in order of the turns.
    pub steps: Arc<[Step]>,
}

impl Chain for Conversation {
    fn bound(&self, _sample: &Sample) -> RequestRange {
        RequestRange::exactly(self.steps.len())
    }

    fn rounds(&self, _sample: &Sample) -> usize {
        self.steps.len()
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        Box::new(ConversationFold {
            steps: Arc::clone(&self.steps),
            sample: Arc::clone(sample),
            asking: Arc::clone(asking),
            said: Vec::new(),
            asked: 0,
        })
    }
}

/// A conversation about one sample, in progress.
struct ConversationFold {
    steps: Arc<[Step]>,
    sample: Arc<Sample>,
    asking: Arc<Asking>,
    /// The answer to each step so far; `None` if it has no text.
    said: Vec<Option<String>>,
    asked: usize,
}

impl Fold for ConversationFold {
    fn ready(&mut self) -> Vec<Ask> {
        if self.asked > self.said.len() || self.asked == self.steps.len() {
            return Vec::new();
        }
        let step = self.asked;
        self.asked += 1;
        let (steps, said) = (Arc::clone(&self.steps), self.said.clone());
        let (sample, asking) = (Arc::clone(&self.sample), Arc::clone(&self.asking));
        let make = move || question(&sample, &steps[..=step], &asking, &said);
        vec![Ask::new(AskPath::Step(step), make)]
    }

    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>) {
        if *path == AskPath::Step(self.said.len()) {
            self.said.push(said.and_then(words));
        }
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        None
    }
}

/// Returns the answer's text, or its refusal; `None` if both are empty.
fn words(said: &JudgedAnswer) -> Option<String> {
    let (text, refusal) = (&said.done.text, said.done.refusal.as_ref());
    let words = Some(text).filter(|text| !text.is_empty()).or(refusal);
    words.filter(|words| !words.trim().is_empty()).cloned()
}

/// Builds the question of the last step; `said` holds the answers to the earlier steps.
fn question(
    sample: &Sample,
    steps: &[Step],
    asking: &Asking,
    said: &[Option<String>],
) -> Result<Question, Unaskable> {
    let mut question = Question::new(sample, &steps[steps.len() - 1], asking)?;
    for (answer, next) in said.iter().zip(steps.iter().skip(1)) {
        let answer = answer.as_ref().ok_or(NO_ANSWER)?;
        let words = next.follows.as_ref();
        let words = words.map(|words| words.fill(&question.record.content));
        let turns = &mut question.request.turns;
        turns.push(Message::assistant(answer));
        turns.push(Message::user(vec![Part::Text(words.unwrap_or_default())]));
        question.before = next.asks_whether_sure.then(|| answer.clone());
    }
    Ok(question)
}
