//! Majority votes: repeats a question until the remaining votes cannot change the leader.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Ask, AskPath, Chain, Fold, JudgedAnswer, Outcome, RequestRange};
use crate::asking::Asking;
use crate::question::Question;
use crate::sample::Sample;
use crate::step::Step;

/// Name of the figure: share of the readable votes that agree with the result.
pub const AGREEMENT: &str = "vote_agreement";
/// Name of the figure: 1 if the first vote alone is right, otherwise 0.
pub const FIRST_VOTE: &str = "first_vote";

/// One step whose result is the majority of several answers.
#[derive(Clone, Debug)]
pub struct Poll {
    /// The step, as a list with one element.
    pub steps: Arc<[Step]>,
}

impl Poll {
    /// Returns the maximum number of votes of the step, at least 1.
    fn most(&self) -> u32 {
        self.steps.first().map_or(1, |step| step.votes.max(1))
    }
}

impl Chain for Poll {
    /// The minimum is a majority, if all votes agree. The likely number is higher, because votes
    /// are used for models whose answers vary.
    fn bound(&self, _sample: &Sample) -> RequestRange {
        let most = self.most() as usize;
        let low = most / 2 + 1;
        RequestRange {
            low,
            likely: low + (most - low) / 2,
            high: most,
        }
    }

    /// The minimal majority is asked at once, then one vote after another.
    fn rounds(&self, sample: &Sample) -> usize {
        let RequestRange { low, likely, .. } = self.bound(sample);
        1 + likely - low
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        Box::new(Votes {
            most: self.most(),
            steps: Arc::clone(&self.steps),
            sample: Arc::clone(sample),
            asking: Arc::clone(asking),
            said: BTreeMap::new(),
            asked: 0,
        })
    }
}

/// Votes on one sample, in progress.
struct Votes {
    most: u32,
    steps: Arc<[Step]>,
    sample: Arc<Sample>,
    asking: Arc<Asking>,
    /// Votes by number, from 0; `None` for a failed one.
    said: BTreeMap<u32, Option<JudgedAnswer>>,
    asked: u32,
}

/// Current result of a vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct VoteCount {
    /// Votes for the leading answer, and the number of its first vote. On a tie,
    /// the earlier answer leads.
    leader: (u32, u32),
    /// Votes for the second answer.
    second: u32,
    /// Number of readable votes so far.
    read: u32,
    /// Number of votes not asked yet.
    left: u32,
}

impl VoteCount {
    /// Counts votes, given as number and parsed answer; `None` for an unreadable one.
    fn of<'a>(votes: impl Iterator<Item = (u32, Option<&'a str>)>, most: u32) -> Self {
        let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        let (mut read, mut said) = (0, 0);
        for (number, vote) in votes {
            said += 1;
            let Some(vote) = vote else { continue };
            read += 1;
            counts.entry(vote).or_insert((0, number)).0 += 1;
        }
        let mut counts: Vec<(u32, u32)> = counts.into_values().collect();
        counts.sort_by_key(|(count, first)| (std::cmp::Reverse(*count), *first));
        Self {
            leader: counts.first().copied().unwrap_or_default(),
            second: counts.get(1).map_or(0, |(count, _)| *count),
            read,
            left: most.saturating_sub(said),
        }
    }

    /// Returns the minimum number of further votes that could settle the result; 0 if it is settled
    /// or no vote is left.
    fn wanted(self) -> u32 {
        let behind = self.second + self.left;
        if self.leader.0 > behind {
            return 0;
        }
        ((behind - self.leader.0) / 2 + 1).min(self.left)
    }
}

impl Votes {
    fn standing(&self) -> VoteCount {
        let votes = self.said.iter();
        let votes = votes.map(|(number, said)| (*number, said.as_ref().and_then(read)));
        VoteCount::of(votes, self.most)
    }
}

/// Returns the parsed answer of a vote.
fn read(said: &JudgedAnswer) -> Option<&str> {
    said.judged.read.as_deref()
}

/// Returns the path of a vote.
fn path(number: u32) -> AskPath {
    AskPath::Part(format!("vote/{}", number + 1))
}

impl Fold for Votes {
    fn ready(&mut self) -> Vec<Ask> {
        if self.said.len() < self.asked as usize {
            return Vec::new();
        }
        let numbers = self.asked..self.asked + self.standing().wanted();
        self.asked = numbers.end;
        let ask = |number: u32| {
            let (steps, sample) = (Arc::clone(&self.steps), Arc::clone(&self.sample));
            let asking = Arc::clone(&self.asking);
            Ask::new(path(number), move || {
                let step = Step {
                    repeat: number,
                    ..steps[0].clone()
                };
                Question::new(&sample, &step, &asking)
            })
        };
        numbers.map(ask).collect()
    }

    fn receive(&mut self, asked: &AskPath, said: Option<&JudgedAnswer>) {
        let number = (0..self.asked).find(|number| path(*number) == *asked);
        if let Some(number) = number {
            self.said.insert(number, said.cloned());
        }
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        let standing = self.standing();
        let answered = |number: &u32| self.said.get(number)?.as_ref();
        let first = self.said.values().flatten().next()?;
        let chosen = match standing.leader {
            (0, _) => first,
            (_, number) => answered(&number)?,
        };
        let question = Question::new(&self.sample, &self.steps[0], &self.asking).ok()?;
        let pictures = question.request.pictures().cloned().collect();
        let (judged, record) = chosen.done.judged(question.record);
        let mut record = record?;
        if standing.read > 0 {
            let agreement = f64::from(standing.leader.0) / f64::from(standing.read);
            record.beside.push((AGREEMENT.to_owned(), agreement));
        }
        let alone = first.judged.right.map(|right| f64::from(u8::from(right)));
        let alone = alone.map(|right| (FIRST_VOTE.to_owned(), right));
        record.beside.extend(alone);
        Some(Outcome {
            step: 0,
            record,
            judged,
            pictures,
            unread: BTreeMap::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(votes: &[Option<&str>], most: u32) -> VoteCount {
        VoteCount::of((0..).zip(votes.iter().copied()), most)
    }

    #[test]
    fn votes_are_asked_until_none_could_level_the_leader() {
        for (votes, wanted) in [
            (&[][..], 3),
            (&[Some("A"), Some("A"), Some("A")], 0),
            (&[Some("A"), Some("A"), Some("B")], 1),
            (&[Some("A"), Some("B"), Some("C")], 2),
            (&[Some("A"), Some("A"), None], 1),
            (&[Some("A"), Some("A"), Some("B"), None], 1),
            (&[None, None, None], 2),
            (&[Some("A"), Some("B"), Some("C"), Some("B"), Some("D")], 0),
        ] {
            assert_eq!(standing(votes, 5).wanted(), wanted, "{votes:?}");
        }
    }

    #[test]
    fn of_equally_many_what_was_said_first_counts() {
        let votes = [Some("B"), Some("A"), Some("C"), Some("A"), Some("B")];
        assert_eq!(standing(&votes, 5).leader, (2, 0));
        assert_eq!(standing(&[None, Some("A")], 2).leader, (1, 1));
        assert_eq!(standing(&votes, 5).read, 5);
    }
}
