//! Stops two runs on the same samples once it is clear which side is better, ability by ability.
//!
//! Each ability is a finite set of pictures. A picture's difference is the mean over its questions
//! of right on side A minus right on side B. A question counts as a tie unless both sides have a
//! whole answer with a score: a token limit must not decide the comparison. Pictures are taken in an order that is fixed before the first question, whichever answer
//! arrives first ([`SequentialTest`]).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::sample::Sample;
use analysis::metric::{Interval, SequentialTest, expected_until_clear};

/// Family-wise error rate: chance that any ability of a run stops although its sides are equal.
const ALPHA: f64 = 0.05;

/// The rule, shared by both runs.
#[derive(Debug)]
pub struct UntilClear {
    state: Mutex<State>,
    /// Questions that each side has begun and answered.
    progress: watch::Sender<Progress>,
    places: Places,
}

#[derive(Debug)]
struct State {
    abilities: Vec<Ability>,
    /// Answers of both sides by sample.
    answers: HashMap<String, [Option<Answer>; 2]>,
}

/// An answer that has arrived.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// `None` without a score.
    right: Option<bool>,
}

#[derive(Clone, Debug, Default)]
struct Progress {
    begun: [usize; 2],
    answered: [usize; 2],
    /// Number of samples of each side that an earlier start answered and this start has not read
    /// yet.
    unread: [usize; 2],
    /// True once a side has ended.
    has_ended: bool,
    /// The first side that failed, and why. Nothing more can become clear then.
    failed: Option<(usize, String)>,
}

/// An ability with its pictures, in the order in which the test uses them.
#[derive(Debug)]
struct Ability {
    benchmark: String,
    name: String,
    pictures: Vec<Picture>,
    test: SequentialTest,
}

/// Questions of a picture: open ones, all, those that count as ties because a side has no answer,
/// and the sum of the differences so far.
#[derive(Clone, Copy, Debug, Default)]
struct Picture {
    open: usize,
    all: usize,
    unanswered: usize,
    sum: f64,
}

/// The difference between both sides in an ability.
#[derive(Clone, Debug)]
pub struct AbilityGap {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the ability.
    pub ability: String,
    /// Number of pictures that the test has used.
    pub pictures: usize,
    /// Number of pictures in the set.
    pub of: usize,
    /// Number of questions on the pictures taken that count as ties, because a side has no whole
    /// answer with a score.
    pub unanswered: usize,
    /// Mean difference A - B over the pictures; `None` before the first.
    pub difference: Option<f64>,
    /// Interval of the difference; valid although it decided when the run stopped.
    pub interval: Option<Interval>,
    /// True if the interval excluded 0.
    pub is_clear: bool,
}

impl UntilClear {
    /// Sorts the samples into the fixed order and prepares the rule. Samples of equal `cluster`
    /// share a picture.
    pub fn new(samples: &mut [Sample], cluster: impl Fn(&Sample) -> Option<u32>) -> Arc<Self> {
        let names = picture_names(samples, cluster);
        let hash = |sample: &Sample| {
            let name = names.get(&sample.key()).cloned().unwrap_or_default();
            *blake3::hash(name.as_bytes()).as_bytes()
        };
        samples.sort_by_cached_key(|sample| (hash(sample), sample.key()));
        let (mut abilities, places) = sets(samples, &names);
        let alpha = alpha(abilities.len());
        for ability in &mut abilities {
            ability.test = SequentialTest::new(ability.pictures.len(), alpha);
        }
        Arc::new(Self {
            state: Mutex::new(State {
                abilities,
                answers: HashMap::new(),
            }),
            progress: watch::Sender::new(Progress::default()),
            places,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the expected share of pictures, 0 to 1, that is asked if the difference is `gap` in
    /// every ability.
    pub fn expected(&self, gap: f64) -> f64 {
        let state = self.state();
        let alpha = alpha(state.abilities.len());
        let sizes = state.abilities.iter().map(|ability| ability.test.total());
        let (mut asked, mut all) = (0.0, 0.0);
        for size in sizes {
            asked += expected_until_clear(size, alpha, gap);
            all += f64::from(u32::try_from(size).unwrap_or(u32::MAX));
        }
        if all > 0.0 { asked / all } else { 1.0 }
    }

    /// Returns the differences so far, one for each ability.
    pub fn gaps(&self) -> Vec<AbilityGap> {
        let gap = |ability: &Ability| AbilityGap {
            benchmark: ability.benchmark.clone(),
            ability: ability.name.clone(),
            pictures: ability.test.seen(),
            of: ability.test.total(),
            unanswered: ability.taken().map(|picture| picture.unanswered).sum(),
            difference: ability.test.mean(),
            interval: ability.test.interval(),
            is_clear: ability.test.is_clear(),
        };
        self.state().abilities.iter().map(gap).collect()
    }

    /// Releases a side that waits for the other, which has ended.
    fn end(&self) {
        self.progress
            .send_modify(|progress| progress.has_ended = true);
    }

    /// Records the answer of a side to a sample; `right` is `None` without a score.
    fn record(&self, side: usize, item: &str, right: Option<bool>) {
        let Some(&(at, picture)) = self.places.get(item) else {
            return;
        };
        let mut state = self.state();
        let State { abilities, answers } = &mut *state;
        let both = answers.entry(item.to_owned()).or_default();
        let Some(own) = both.get_mut(side).filter(|own| own.is_none()) else {
            return;
        };
        *own = Some(Answer { right });
        if let ([Some(a), Some(b)], Some(ability)) = (*both, abilities.get_mut(at)) {
            ability.add_answers(picture, a.right.zip(b.right));
        }
        drop(state);
        self.progress.send_modify(|progress| {
            if let Some(answered) = progress.answered.get_mut(side) {
                *answered += 1;
            }
        });
    }

    /// Returns true if nothing more is asked about a sample: its ability is clear, or a side
    /// failed.
    fn is_settled(&self, item: &str) -> bool {
        if self.progress.borrow().failed.is_some() {
            return true;
        }
        let state = self.state();
        let at = self.places.get(item).map(|(at, _)| *at);
        let ability = at.and_then(|at| state.abilities.get(at));
        ability.is_some_and(|ability| ability.test.is_clear())
    }
}

/// Error rate of each ability, so that all together stay below [`ALPHA`].
fn alpha(abilities: usize) -> f64 {
    ALPHA / f64::from(u32::try_from(abilities.max(1)).unwrap_or(u32::MAX))
}

impl AbilityGap {
    /// Returns the side that is clearly better: 0 for A, 1 for B. `None` if it is not clear.
    pub fn better(&self) -> Option<usize> {
        let difference = self.difference.filter(|_| self.is_clear)?;
        Some(usize::from(difference < 0.0))
    }
}

/// Returns the name of each sample's picture, by the sample's key. The name is the first key of the
/// samples that share the picture. Names do not depend on the order of the logs, so they stay the
/// same in a resumed run.
fn picture_names(
    samples: &[Sample],
    cluster: impl Fn(&Sample) -> Option<u32>,
) -> HashMap<String, String> {
    let mut first: HashMap<u32, String> = HashMap::new();
    for sample in samples {
        let Some(cluster) = cluster(sample) else {
            continue;
        };
        let key = sample.key();
        let name = first.entry(cluster).or_insert_with(|| key.clone());
        if key < *name {
            *name = key;
        }
    }
    let named = samples.iter().map(|sample| {
        let shared = cluster(sample).and_then(|cluster| first.get(&cluster).cloned());
        (sample.key(), shared.unwrap_or_else(|| sample.key()))
    });
    named.collect()
}

/// Ability and picture of each sample, by its key.
type Places = HashMap<String, (usize, usize)>;

/// Returns the abilities with their pictures in the order of the samples, without tests.
fn sets(samples: &[Sample], names: &HashMap<String, String>) -> (Vec<Ability>, Places) {
    let mut abilities: Vec<Ability> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    let mut pictures: HashMap<(usize, String), usize> = HashMap::new();
    let mut places = HashMap::new();
    for sample in samples {
        let (record, key) = (&sample.record, sample.key());
        let of = (record.benchmark.as_str(), record.ability.as_str());
        let at = *known.entry(of).or_insert(abilities.len());
        if at == abilities.len() {
            abilities.push(Ability {
                benchmark: record.benchmark.clone(),
                name: record.ability.clone(),
                pictures: Vec::new(),
                test: SequentialTest::new(0, ALPHA),
            });
        }
        let name = names.get(&key).cloned().unwrap_or_default();
        if let Some(ability) = abilities.get_mut(at) {
            let own = &mut ability.pictures;
            let picture = *pictures.entry((at, name)).or_insert(own.len());
            if picture == own.len() {
                own.push(Picture::default());
            }
            if let Some(picture) = own.get_mut(picture) {
                picture.open += 1;
                picture.all += 1;
            }
            places.insert(key, (at, picture));
        }
    }
    (abilities, places)
}

impl Ability {
    /// Returns the pictures that were taken.
    fn taken(&self) -> impl Iterator<Item = &Picture> {
        self.pictures.iter().take(self.test.seen())
    }

    /// Adds both answers to a sample, and takes the pictures that are complete, in their order.
    fn add_answers(&mut self, picture: usize, answers: Option<(bool, bool)>) {
        let difference = match answers {
            Some((true, false)) => 1.0,
            Some((false, true)) => -1.0,
            _ => 0.0,
        };
        if let Some(picture) = self.pictures.get_mut(picture) {
            picture.open = picture.open.saturating_sub(1);
            picture.unanswered += usize::from(answers.is_none());
            picture.sum += difference;
        }
        while !self.test.is_clear()
            && let Some(next) = self.pictures.get(self.test.seen())
            && next.open == 0
        {
            let all = u32::try_from(next.all).unwrap_or(u32::MAX);
            self.test.add(next.sum / f64::from(all));
        }
    }
}

/// One run's side of the rule.
#[derive(Clone, Debug)]
pub(crate) struct ClearSide {
    rule: Arc<UntilClear>,
    side: usize,
    /// How many questions this side may be ahead of the other.
    lead: usize,
}

impl ClearSide {
    /// Returns side `side`, 0 or 1, of a rule, for a model that answers `width` questions at once.
    pub(crate) fn new(rule: &Arc<UntilClear>, side: usize, width: usize) -> Self {
        Self {
            rule: Arc::clone(rule),
            side,
            lead: 64 + 2 * width,
        }
    }

    /// Announces samples whose answers an earlier start has written. Until both sides have read
    /// their answers again, nothing more is asked: these answers may show that the comparison is
    /// clear. Must be called before either side begins.
    pub(crate) fn announce(&self, known: usize) {
        self.rule.progress.send_modify(|progress| {
            for counts in [&mut progress.begun, &mut progress.unread] {
                if let Some(count) = counts.get_mut(self.side) {
                    *count += known;
                }
            }
        });
    }

    /// Records that an announced sample was read again.
    pub(crate) fn read_again(&self) {
        self.rule.progress.send_modify(|progress| {
            if let Some(unread) = progress.unread.get_mut(self.side) {
                *unread = unread.saturating_sub(1);
            }
        });
    }

    /// Records the samples that this side does not ask as unscored.
    pub(crate) fn record_unasked(&self, asked: &HashSet<String>) {
        let places = self.rule.places.keys();
        for item in places.filter(|item| !asked.contains(*item)) {
            self.record(item, None);
        }
    }

    /// Records an answer of this side; `right` is `None` without a score.
    pub(crate) fn record(&self, item: &str, right: Option<bool>) {
        self.rule.record(self.side, item, right);
    }

    /// Returns true if nothing more is asked about a sample.
    pub(crate) fn is_settled(&self, item: &str) -> bool {
        self.rule.is_settled(item)
    }

    /// Waits until all known answers are read again and the other side is not far behind. This way,
    /// the faster side sends no more than the slower one needs. Returns false if the sample was
    /// settled meanwhile.
    pub(crate) async fn wait_for_turn(&self, item: &str) -> bool {
        let (own, other) = (self.side, 1 - self.side.min(1));
        let of = |counts: &[usize; 2], side: usize| counts.get(side).copied().unwrap_or_default();
        let mut progress = self.rule.progress.subscribe();
        let is_near = |progress: &Progress| {
            let ahead = of(&progress.begun, own).saturating_sub(of(&progress.answered, other));
            let is_turn = progress.unread == [0, 0] && ahead < self.lead;
            progress.has_ended || progress.failed.is_some() || is_turn
        };
        // The sender lives as long as the rule.
        let _ = progress.wait_for(is_near).await;
        if self.is_settled(item) {
            return false;
        }
        self.rule.progress.send_modify(|progress| {
            if let Some(begun) = progress.begun.get_mut(own) {
                *begun += 1;
            }
        });
        true
    }

    /// Releases the other side when this side ends.
    pub(crate) fn end(&self) {
        self.rule.end();
    }

    /// Stops the other side, because this side failed and cannot be compared any more.
    pub(crate) fn fail(&self, why: &str) {
        self.rule.progress.send_modify(|progress| {
            let failed = || (self.side, why.to_owned());
            progress.failed.get_or_insert_with(failed);
        });
    }

    /// Returns why the other side failed, if it did.
    pub(crate) fn other_failed(&self) -> Option<String> {
        let progress = self.rule.progress.borrow();
        let (side, why) = progress.failed.as_ref()?;
        (*side != self.side).then(|| why.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use futures_util::FutureExt as _;

    use super::*;
    use record::Record;

    /// Samples of one ability.
    fn samples(ability: &str, count: usize) -> Vec<Sample> {
        let sample = |at: usize| Sample {
            record: Record {
                benchmark: "b".to_owned(),
                ability: ability.to_owned(),
                sample_id: format!("{ability}{at:04}"),
                ..Record::default()
            },
            pictures: Vec::new(),
            format: String::new(),
            before: None,
            turned: BTreeMap::new(),
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn an_ability_is_settled_once_its_pictures_in_order_are_clear() {
        let mut all = samples("clear", 60);
        all.extend(samples("even", 60));
        let rule = UntilClear::new(&mut all, |_| None);
        let sides = [0, 1].map(|side| ClearSide::new(&rule, side, 4));
        let first = |name: &str| all.iter().position(|one| one.record.ability == name);
        let last = first("clear").max(first("even")).unwrap();
        // Answers arrive in reverse order: the test uses no picture before the first one is
        // complete.
        for (at, sample) in all.iter().enumerate().rev() {
            let key = sample.key();
            let is_clear = sample.record.ability == "clear";
            sides[0].record(&key, Some(true));
            // A second answer to the same question changes nothing.
            sides[0].record(&key, Some(false));
            assert!(at < last || rule.gaps().iter().all(|gap| gap.pictures == 0));
            sides[1].record(&key, Some(!is_clear));
        }
        let gaps = rule.gaps();
        let gap = |name: &str| gaps.iter().find(|gap| gap.ability == name).unwrap();
        assert!(gap("clear").is_clear && gap("clear").pictures < 60);
        assert_eq!(gap("clear").difference, Some(1.0));
        assert!(!gap("even").is_clear);
        assert_eq!((gap("even").pictures, gap("even").of), (60, 60));
        let settled = |sample: &&Sample| sides[0].is_settled(&sample.key());
        assert_eq!(all.iter().filter(settled).count(), 60);
    }

    #[test]
    fn the_order_depends_on_names_alone_and_pictures_stay_together() {
        let keys = |samples: &[Sample]| samples.iter().map(Sample::key).collect::<Vec<_>>();
        let mut all = samples("a", 40);
        let unsorted = keys(&all);
        let pair = |sample: &Sample| sample.record.sample_id[1..].parse::<u32>().ok();
        let rule = UntilClear::new(&mut all, |sample| pair(sample).map(|at| at / 2));
        let order = keys(&all);
        assert_ne!(order, unsorted);
        for two in all.chunks(2) {
            let of = |at: usize| pair(&two[at]).unwrap() / 2;
            assert_eq!(of(0), of(1));
        }
        assert_eq!(rule.gaps()[0].of, 20);
        all.reverse();
        UntilClear::new(&mut all, |sample| pair(sample).map(|at| 100 - at / 2));
        assert_eq!(keys(&all), order);
    }

    #[test]
    fn a_question_without_both_answers_is_a_tie() {
        let mut all = samples("a", 4);
        let rule = UntilClear::new(&mut all, |_| Some(1));
        let sides = [0, 1].map(|side| ClearSide::new(&rule, side, 4));
        let asked = HashSet::from([all[0].key(), all[1].key()]);
        sides[1].record_unasked(&asked);
        for sample in &all {
            sides[0].record(&sample.key(), Some(true));
        }
        sides[1].record(&all[0].key(), Some(false));
        sides[1].record(&all[1].key(), None);
        let gap = &rule.gaps()[0];
        assert_eq!((gap.difference, gap.unanswered), (Some(0.25), 3));
    }

    #[test]
    fn a_side_that_fails_settles_all_samples_of_the_other() {
        let mut all = samples("a", 9);
        let rule = UntilClear::new(&mut all, |_| None);
        let sides = [0, 1].map(|side| ClearSide::new(&rule, side, 4));
        assert!(!sides[1].is_settled(&all[0].key()));
        sides[0].fail("no credit left");
        sides[1].fail("a later failure");
        assert!(all.iter().all(|sample| sides[1].is_settled(&sample.key())));
        let told = [0, 1].map(|side: usize| sides[side].other_failed());
        assert_eq!(told, [None, Some("no credit left".to_owned())]);
    }

    #[test]
    fn the_faster_side_waits_until_the_other_is_near_or_ends() {
        let mut all = samples("a", 200);
        let rule = UntilClear::new(&mut all, |_| None);
        let sides = [0, 1].map(|side| ClearSide::new(&rule, side, 1));
        let waiting = crate::blocking(async {
            let mut begun = 0;
            for sample in &all {
                let key = sample.key();
                let mut turn = std::pin::pin!(sides[0].wait_for_turn(&key));
                if turn.as_mut().now_or_never().is_none() {
                    sides[1].record(&all[0].key(), Some(true));
                    assert!(turn.await);
                    break;
                }
                begun += 1;
            }
            rule.end();
            for sample in &all {
                assert!(sides[0].wait_for_turn(&sample.key()).await);
            }
            begun
        });
        assert_eq!(waiting.unwrap(), 66);
    }

    #[test]
    fn nothing_is_asked_before_both_sides_have_read_their_known_answers() {
        let mut all = samples("a", 9);
        let rule = UntilClear::new(&mut all, |_| None);
        let sides = [0, 1].map(|side| ClearSide::new(&rule, side, 1));
        sides[0].announce(2);
        sides[1].announce(1);
        let key = all[8].key();
        let is_waiting = |side: usize| sides[side].wait_for_turn(&key).now_or_never().is_none();
        for side in [0, 1, 0] {
            assert!(is_waiting(0) && is_waiting(1));
            sides[side].read_again();
        }
        assert!(!is_waiting(0) && !is_waiting(1));
        sides[0].announce(1);
        assert!(is_waiting(1));
        rule.end();
        assert!(!is_waiting(1), "a side that ended reads nothing more");
    }
}
