//! Adaptive exam: chooses the level of each question from the answers so far.
//!
//! The choice is a deterministic function of the answers. So a stopped exam resumes exactly when it
//! gets the answers of its journal again.

use super::abilities::levels::{ItemAddress, LEVELS, LevelledExam};
use analysis::metric::acuity::{Acuity, Posterior, Staircase, Trial};
use record::Record;
use record::benchmark::{RightThreshold, metric_of};
use scorer::judge;

/// Confidence level of the interval whose width decides when to stop.
const CONFIDENCE: f64 = 0.95;

/// State of an adaptive exam of some abilities.
#[derive(Clone, Debug)]
pub struct Adaptive {
    staircase: Staircase,
    tracks: Vec<Track>,
}

/// State of one ability.
#[derive(Clone, Debug)]
struct Track {
    /// Index of the ability.
    ability: usize,
    chance: f64,
    known: Posterior,
    asked: u32,
    /// Number of items asked so far, by level.
    next: [usize; LEVELS as usize],
}

impl Adaptive {
    /// Starts an exam of the named abilities without any answer.
    pub fn new(abilities: &[&str], staircase: Staircase) -> Self {
        let all = LevelledExam::abilities().enumerate();
        let wanted = all.filter(|(_, name)| abilities.contains(name));
        let tracks = wanted.map(|(ability, name)| Track {
            ability,
            chance: LevelledExam::chance(name).unwrap_or_default(),
            known: Posterior::default(),
            asked: 0,
            next: [0; LEVELS as usize],
        });
        Self {
            tracks: tracks.collect(),
            staircase,
        }
    }

    /// The next item of each unfinished ability; empty when all are finished.
    pub fn round(&mut self) -> Vec<ItemAddress> {
        let staircase = self.staircase;
        let tracks = self.tracks.iter_mut();
        let open = tracks.filter(|track| !staircase.is_done(&track.acuity(), track.asked));
        open.map(Track::ask).collect()
    }

    /// Records the answer to an item. `is_right` is `None` for a failed request, which is ignored.
    pub fn record(&mut self, place: ItemAddress, is_right: Option<bool>) {
        let mut tracks = self.tracks.iter_mut();
        let track = tracks.find(|track| track.ability == place.ability);
        if let (Some(track), Some(is_right)) = (track, is_right) {
            track.known.update(Trial {
                level: place.level,
                chance: track.chance,
                right: is_right,
            });
        }
    }

    /// Maximum number of questions left.
    pub fn most(&self) -> usize {
        let left = |track: &Track| self.staircase.most.saturating_sub(track.asked) as usize;
        self.tracks.iter().map(left).sum()
    }
}

impl Track {
    fn acuity(&self) -> Acuity {
        self.known.acuity(CONFIDENCE)
    }

    fn ask(&mut self) -> ItemAddress {
        let level = self.known.next_level(self.chance);
        let number = &mut self.next[usize::from(level) - 1];
        let place = ItemAddress {
            ability: self.ability,
            level,
            number: *number,
        };
        *number += 1;
        self.asked += 1;
        place
    }
}

/// Returns true if a record's response is right by the exam's rule. A response that cannot be
/// parsed is wrong.
pub fn is_right(record: &Record) -> bool {
    let metric = metric_of(&record.ability, &record.content);
    let outcome = judge(record).strict.outcome;
    let number = |score: Option<f64>| score.unwrap_or(f64::NAN);
    let rule = RightThreshold::in_exam(&record.ability, metric.name());
    rule.judge(number(outcome.score), number(outcome.second)) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use analysis::metric::acuity::Psychometric;

    /// Runs an exam with a simulated observer; returns every item in order.
    fn asked(adaptive: &mut Adaptive, observer: Psychometric, rng: &mut Rng) -> Vec<ItemAddress> {
        let mut all = Vec::new();
        loop {
            let round = adaptive.round();
            if round.is_empty() {
                return all;
            }
            for place in round {
                let right = observer.right(f64::from(place.level), 0.25);
                adaptive.record(place, Some(rng.chance(right)));
                all.push(place);
            }
        }
    }

    const OBSERVER: Psychometric = Psychometric {
        threshold: 6.0,
        slope: 1.5,
        lapse: 0.02,
    };

    #[test]
    fn an_observer_is_asked_near_the_threshold_and_no_item_twice() {
        let mut adaptive = Adaptive::new(&["texture", "emotion"], Staircase::default());
        let places = asked(&mut adaptive, OBSERVER, &mut Rng::new(3, &[]));
        let unique: std::collections::BTreeSet<&ItemAddress> = places.iter().collect();
        assert_eq!(unique.len(), places.len());
        let near = places
            .iter()
            .filter(|place| (4..=8).contains(&place.level))
            .count();
        assert!(near * 3 > places.len() * 2, "{near} of {}", places.len());
        for track in &adaptive.tracks {
            assert!(track.acuity().interval.contains(6.0) || track.asked == 60);
            assert!(track.acuity().width() <= 2.0 || track.asked == 60);
        }
        assert!(adaptive.round().is_empty());
    }

    #[test]
    fn the_same_answers_lead_to_the_same_items() {
        let run = || {
            let mut adaptive = Adaptive::new(&["ocr"], Staircase::default());
            asked(&mut adaptive, OBSERVER, &mut Rng::new(4, &[]))
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn what_has_no_answer_tells_nothing_but_is_counted() {
        let staircase = Staircase {
            most: 5,
            ..Staircase::default()
        };
        let mut adaptive = Adaptive::new(&["color"], staircase);
        assert_eq!(adaptive.most(), 5);
        let mut levels = Vec::new();
        for _ in 0..5 {
            let round = adaptive.round();
            levels.push((round[0].level, round[0].number));
            adaptive.record(round[0], None);
        }
        assert!(adaptive.round().is_empty());
        // The same level, each time with a new item.
        assert!(
            levels
                .windows(2)
                .all(|pair| pair[0].0 == pair[1].0 && pair[0].1 < pair[1].1)
        );
    }
}
