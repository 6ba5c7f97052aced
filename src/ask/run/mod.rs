//! Executes a plan: asks many questions at once, writes each to the journal and reports events.

mod ask;
mod control;
mod event;
mod makers;
mod samples;
mod silence;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::file::ContentStore;
use record::UNTIL_CLEAR;
use tokio::task::{JoinSet, spawn_blocking};

use super::chain::AskPath;
use super::item::{Failures, JournalEntry, StepResult, unscored};
use super::journal::{Disk, Head, Journal};
use super::kind::Kind;
use super::model::Model;
use super::plan::Plan;
use super::question::{Unaskable, keep_picture};
use super::spending::Spending;
use super::until_clear::ClearSide;

pub use control::Control;
pub use event::{Event, OnEvent, RequestUsage, RunResult, StopReason};
pub use silence::telling_silence;

use ask::{AnsweredQuestion, QuestionOutcome};
use makers::made;
use samples::{Begin, CompletedChain, MissingAnswer, Samples};
use silence::LastActivity;

/// Number of questions built in advance, plus one for every four in flight.
const AHEAD: usize = 4;
/// Maximum number of questions built in advance; each holds its pictures.
const MOST_AHEAD: usize = 32;

/// A run of a plan.
pub struct Run {
    plan: Arc<Plan>,
    model: Arc<dyn Model>,
    journal: Mutex<Journal>,
    disk: Disk,
    /// Saves the pictures in the run's folder.
    pictures: Arc<ContentStore>,
    failures: Failures,
    spending: Spending,
    sent: Mutex<RequestUsage>,
    /// Number of questions answered before this start, by sample.
    known: HashMap<String, usize>,
    /// The rule that ends the run once its comparison with another run is clear.
    clear: Option<ClearSide>,
}

impl Run {
    /// Prepares a run. Answered questions of the journal are not asked again.
    pub fn new(
        plan: Arc<Plan>,
        model: Arc<dyn Model>,
        journal: Journal,
        failures: Failures,
    ) -> Self {
        Self {
            disk: journal.disk(model.width()),
            plan,
            model,
            spending: Spending::default(),
            known: known_questions(&journal, journal.reusable_answers(), failures),
            clear: None,
            sent: Mutex::default(),
            pictures: Arc::new(ContentStore::new(journal.folder())),
            journal: Mutex::new(journal),
            failures,
        }
    }

    /// Counts the cost in `spending`, which must already contain the cost of the journal's answers
    /// ([`Spending::paid`]).
    #[must_use]
    pub fn with_spending(self, spending: Spending) -> Self {
        Self { spending, ..self }
    }

    /// Ends the run once its comparison with another run is clear.
    #[must_use]
    pub(crate) fn until_clear(self, clear: Option<ClearSide>) -> Self {
        if let Some(side) = &clear {
            let samples = self.plan.samples.iter();
            side.record_unasked(&samples.map(|sample| sample.key()).collect());
        }
        Self { clear, ..self }
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the description of the run.
    pub fn head(&self) -> Head {
        self.journal().head().clone()
    }

    /// Asks everything that is not finished. After a stop, an unfinished chain has no result and
    /// continues from the journal. Needs a tokio runtime with time and network.
    pub async fn execute(self: Arc<Self>, control: Control, on_event: OnEvent) -> RunResult {
        let (last_word, on_event) = LastActivity::watch(on_event);
        let mut ended = RunResult::default();
        // The rule waits for the known answers of both sides before more is asked.
        let is_first = |sample| self.clear.is_some() && self.known_of(sample) > 0;
        let mut samples = Samples::new(&self.plan, is_first);
        let mut open: JoinSet<QuestionOutcome> = JoinSet::new();
        // False once nothing more may be sent; requests in flight then finish.
        let mut may_send = true;
        loop {
            // A few more than the model handles at once, so pictures are ready in time.
            let width = self.model.width();
            let most = width + (width / 4 + AHEAD).min(MOST_AHEAD);
            while may_send && open.len() < most && !control.is_stopped() {
                let Some((sample, ask)) = samples.next(|sample| self.may_begin(sample)) else {
                    break;
                };
                let run = Arc::clone(&self);
                open.spawn(run.one(sample, ask, control.clone(), Arc::clone(&on_event)));
            }
            for whole in samples.ended() {
                match self.concluded(whole).await {
                    Ok(result) => ended.add_result(result, &on_event),
                    Err(why) => {
                        ended.stopped.get_or_insert(why);
                        control.stop();
                    }
                }
            }
            let next = last_word.during(open.join_next(), &control, &on_event);
            let Some(one) = next.await else {
                break;
            };
            match one.unwrap_or_else(|error| QuestionOutcome::Stop(StopReason::Broken(error))) {
                QuestionOutcome::Answered(answered) => {
                    let answered = *answered;
                    samples.receive(&answered);
                    self.answered_one(&samples, answered.sample, answered.kept);
                    match answered.path {
                        AskPath::Step(step) => {
                            let finished = self.finished(answered, step);
                            // What a cut answer would have been is unknown.
                            let is_whole = finished.judged.kind != Kind::Cut;
                            let right = finished.judged.right.filter(|_| is_whole);
                            self.report_answer(&finished.done.item, right);
                            ended.add_result(Ok(finished), &on_event);
                        }
                        path @ AskPath::Part(_) => on_event(Event::Part {
                            sample: answered.sample,
                            path,
                            said: answered.said,
                        }),
                    }
                }
                QuestionOutcome::Unasked(sample, path, why) => {
                    samples.pass(sample, &path, &why);
                    self.answered_one(&samples, sample, false);
                    self.report_answer(&self.plan.samples[sample].key(), None);
                    if let AskPath::Step(step) = path {
                        ended.add_result(Err((self.plan.item(sample, step), why)), &on_event);
                    }
                }
                QuestionOutcome::Stop(why) => {
                    self.fail(why, &mut ended);
                    control.stop();
                }
                QuestionOutcome::Finish(why) => {
                    self.fail(why, &mut ended);
                    may_send = false;
                }
                QuestionOutcome::Pending => {}
                QuestionOutcome::Settled(sample) => {
                    samples.skip(sample);
                    self.spending.end(sample);
                }
            }
        }
        let is_told = matches!(ended.stopped, Some(StopReason::Journal(_)));
        if let Err(error) = self.settle().await
            && !is_told
        {
            ended.stopped = Some(StopReason::Journal(error));
        }
        if control.is_stopped() {
            ended.stopped.get_or_insert(StopReason::ByUser);
        }
        if let (left @ 1.., Some((most, spent))) = (samples.passed(), self.spending.bound()) {
            let cost = StopReason::Cost { most, spent, left };
            ended.stopped.get_or_insert(cost);
        }
        let left = self.plan.samples.len();
        let left = left.saturating_sub(ended.finished.len() + ended.unasked.len());
        if let Some(side) = &self.clear {
            end_side(side, &mut ended.stopped, left);
        }
        ended.cost = self.spending.cost();
        ended.probed = self.journal().probed();
        ended.sent = *self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        ended.sent.linked_pictures = self.pictures.linked();
        ended.finished.sort_by_key(|finished| finished.item);
        ended.unasked.sort_by_key(|(item, _)| *item);
        ended
    }

    /// Records why the run ends early; the first reason counts.
    fn fail(&self, why: StopReason, ended: &mut RunResult) {
        if let Some(side) = &self.clear {
            side.fail(&why.to_string());
        }
        ended.stopped.get_or_insert(why);
    }

    /// Begins a sample, unless it is settled or its remaining requests might exceed the cost limit.
    fn may_begin(&self, sample: usize) -> Begin {
        let known = self.known_of(sample);
        if known == 0
            && let Some(side) = &self.clear
            && side.is_settled(&self.plan.samples[sample].key())
        {
            return Begin::Never;
        }
        let likely = self.plan.requests_of(sample).likely;
        if self.spending.begin(sample, likely.saturating_sub(known)) {
            Begin::Now
        } else {
            Begin::Later
        }
    }

    /// Number of a sample's questions that were answered before this start.
    fn known_of(&self, sample: usize) -> usize {
        let key = (!self.known.is_empty()).then(|| self.plan.samples[sample].key());
        let known = key.and_then(|key| self.known.get(&key).copied());
        known.unwrap_or_default()
    }

    /// Reports an answer to the rule that ends the run; `right` is `None` without a score.
    fn report_answer(&self, item: &str, right: Option<bool>) {
        if let Some(side) = &self.clear {
            side.record(item, right);
            if self.known.contains_key(item) {
                side.read_again();
            }
        }
    }

    /// Updates the expected cost after an answer; a `kept` answer was never part of it.
    fn answered_one(&self, samples: &Samples, sample: usize, kept: bool) {
        if !kept {
            self.spending.answered(sample);
        }
        if samples.is_over(sample) {
            self.spending.end(sample);
        }
    }

    /// Waits until every line and picture is on disk, including earlier failures.
    async fn settle(&self) -> io::Result<()> {
        let written = {
            let mut journal = self.journal();
            journal.save()?;
            journal.written()
        };
        self.disk
            .settle(written, || self.journal().written())
            .await?;
        let pictures = Arc::clone(&self.pictures);
        let settled = spawn_blocking(move || pictures.settle()).await;
        Ok(settled.map_err(io::Error::other)??)
    }

    /// Returns the result of a step. Its record is marked if the answers decide how many samples
    /// the run asks.
    fn finished(&self, mut answered: AnsweredQuestion, step: usize) -> StepResult {
        if let (Some(record), Some(_)) = (&mut answered.record, &self.clear) {
            record.origin.get_or_insert_default().flags |= UNTIL_CLEAR;
        }
        StepResult {
            item: self.plan.item(answered.sample, step),
            before: self.before(answered.sample),
            record: answered.record.map(Arc::new),
            judged: answered.said.judged,
            kept: answered.kept,
            done: answered.said.done,
        }
    }

    fn before(&self, sample: usize) -> Option<bool> {
        self.plan.samples[sample].before.as_ref()?.right
    }

    /// Returns the result of a finished chain. Its pictures are saved before its journal line.
    async fn concluded(&self, whole: CompletedChain) -> Result<ChainResult, StopReason> {
        let sample = Arc::clone(&self.plan.samples[whole.sample]);
        let fold = whole.fold;
        let files = Arc::clone(&self.pictures);
        let ended = made(move || {
            let unaskable = fold.unaskable();
            let outcome = fold.end();
            for picture in outcome.iter().flat_map(|outcome| &outcome.pictures) {
                keep_picture(&files, picture)?;
            }
            Ok::<_, io::Error>((outcome, unaskable))
        });
        let ended = ended.await.map_err(StopReason::Unmade)?;
        let (outcome, unaskable) = ended.map_err(StopReason::Journal)?;
        let step = outcome.as_ref().map_or(0, |outcome| outcome.step);
        let unread = outcome.as_ref().map(|outcome| outcome.unread.clone());
        let item = self.plan.item(whole.sample, step);
        let silence = unaskable.map(MissingAnswer::Unaskable).or(whole.silence);
        let (judged, record) = match (outcome, silence) {
            (Some(outcome), _) => {
                // A failed write is tried again before the next line and at the end of the run.
                let _ = self.journal().end(&sample.key());
                (outcome.judged, Some(outcome.record))
            }
            (None, Some(MissingAnswer::Failed(kind))) => (unscored(kind), None),
            (None, Some(MissingAnswer::Unaskable(why))) => return Ok(Err((item, why))),
            (None, None) => (unscored(Kind::Unreadable), None),
        };
        let text = record.as_ref().and_then(|record| record.response.clone());
        let whole_of = JournalEntry::of(&sample, &self.plan.steps[step], None);
        let done = JournalEntry {
            unread: unread.unwrap_or_default(),
            ..whole_of.of_parts(&whole.parts, judged.kind, text.unwrap_or_default())
        };
        Ok(Ok(StepResult {
            item,
            before: self.before(whole.sample),
            kept: whole.parts.iter().all(|(_, kept)| *kept),
            judged,
            done: Arc::new(done),
            record: record.map(Arc::new),
        }))
    }
}

/// Returns the number of questions that are not asked again, by sample; `lent` are reusable answers
/// of other runs.
pub(crate) fn known_questions<'a>(
    journal: &'a Journal,
    lent: impl Iterator<Item = &'a JournalEntry>,
    failures: Failures,
) -> HashMap<String, usize> {
    let mut known = HashMap::new();
    let is_known = |done: &&JournalEntry| done.is_final(failures);
    for done in journal.all().filter(is_known).chain(lent) {
        *known.entry(done.item.clone()).or_default() += 1;
    }
    known
}

/// Ends one side of a comparison. `left` is the number of samples not asked about.
fn end_side(side: &ClearSide, stopped: &mut Option<StopReason>, left: usize) {
    match stopped {
        None if left > 0 => {
            *stopped = Some(match side.other_failed() {
                Some(why) => StopReason::OtherColumn { why, left },
                None => StopReason::Clear { left },
            });
        }
        None | Some(StopReason::ByUser) => {}
        Some(why) => side.fail(&why.to_string()),
    }
    side.end();
}

/// A result. If there is none: its position in the plan, and the reason.
type ChainResult = Result<StepResult, (usize, Unaskable)>;

impl RunResult {
    /// Adds a result, or the reason why there is none, and reports it.
    fn add_result(&mut self, result: Result<StepResult, (usize, Unaskable)>, on_event: &OnEvent) {
        match result {
            Ok(finished) => {
                let finished = Arc::new(finished);
                on_event(Event::Finished(Arc::clone(&finished)));
                self.finished.push(finished);
            }
            Err((item, why)) => {
                on_event(Event::Unasked(item, why.clone()));
                self.unasked.push((item, why));
            }
        }
    }
}
