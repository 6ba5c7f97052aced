//! `eyechart exam --adaptive`: chooses each ability's next question from the previous answers,
//! round by round.

use std::fs;
use std::io::Write as _;

use super::exam::{draw, ready, show, test_set, write_baselines};
use super::live::RunStart;
use super::stderr::stderr;
use super::{Failure, Status, live, output};
use crate::cli;
use analysis::metric::acuity::Staircase;
use ask::{RunLocation, StepResult};
use base::config::Settings;
use exam::abilities::levels::ItemAddress;
use exam::adaptive::{Adaptive, is_right};
use exam::test_set::TestSet;
use exam::{Item, set};

/// Runs the adaptive exam. It requires `--set exam`, the only set with levels.
pub fn run(args: &cli::Exam) -> Result<Status, Failure> {
    if args.set != cli::ExamSet::Exam {
        return Err(Failure::usage("only the set `exam` has levels").hint("--set exam"));
    }
    let set = test_set(args)?;
    let settings = Settings::read().map_err(Failure::new)?;
    let mut adaptive = Adaptive::new(set.abilities(), staircase(args, &set));
    live::no_shard(&args.live)?;
    if args.again.batch {
        return Err(
            Failure::usage("--adaptive chooses each question by the previous answers")
                .hint("--batch works only without --adaptive"),
        );
    }
    if args.again.dry_run {
        return counted(args, adaptive, &settings);
    }
    let begun = args.out.join(set::ITEMS);
    if begun.exists() && !args.again.resume {
        let there = format!("{} already exists", begun.display());
        return Err(Failure::new(there).hint("--resume continues it; or choose another --out"));
    }
    let before = fs::read_to_string(&begun).unwrap_or_default();
    let mut rounds = Rounds {
        args: args.clone(),
        settings,
        places: Vec::new(),
        items: Vec::new(),
        asked: 0,
        billed: 0,
    };
    loop {
        let round = adaptive.round();
        if round.is_empty() {
            break;
        }
        rounds.draw(&round, &before)?;
        match rounds.ask(&round)? {
            RoundResult::Answers(answers) => {
                for (place, answer) in answers {
                    adaptive.record(place, answer);
                }
            }
            RoundResult::Stopped(status) => return Ok(status),
        }
    }
    let asked = format!("{} questions were asked", rounds.places.len());
    writeln!(stderr(), "{asked}")?;
    write_baselines(&set.of_places(rounds.places), &rounds.items, args)?;
    show(args)?;
    Ok(Status::Done)
}

/// Returns the staircase with its stopping rule. `--count` limits the questions of all abilities
/// together.
fn staircase(args: &cli::Exam, set: &TestSet) -> Staircase {
    let usual = Staircase::default();
    let abilities = u32::try_from(set.abilities().len()).unwrap_or(1).max(1);
    let most = args.count.map(|count| (count / abilities).max(1));
    Staircase {
        width: args.width,
        most: most.unwrap_or(usual.most),
        ..usual
    }
}

/// Prints the maximum number of requests and sends none.
fn counted(
    args: &cli::Exam,
    mut adaptive: Adaptive,
    settings: &Settings,
) -> Result<Status, Failure> {
    let mut places = Vec::new();
    loop {
        // Without answers, every ability reaches its maximum number of questions.
        let round = adaptive.round();
        if round.is_empty() {
            break;
        }
        places.extend(round);
    }
    let set = test_set(args)?.of_places(places);
    let items = set.items();
    let start = RunStart::new(&args.out, args.again);
    let connection = live::connection(&args.live, settings, items.len(), start)?;
    let aside = tempfile::tempdir()?;
    draw(&set, &items, aside.path(), args.again)?;
    let mut ready = ready(args, items, aside.path(), connection)?;
    let left = live::estimate_remaining(&mut ready, start)?;
    writeln!(stderr(), "at most:")?;
    let planned = live::planned(&ready, left.estimate);
    output::print(&planned, args.format.unwrap_or_default())?;
    Ok(Status::Done)
}

/// Outcome of a round of questions.
enum RoundResult {
    /// Each question with whether it was answered correctly; `None` for a failed request.
    Answers(Vec<(ItemAddress, Option<bool>)>),
    /// The user or an error ended the run before the round was complete.
    Stopped(Status),
}

/// State of the exam, accumulated over all rounds.
struct Rounds {
    args: cli::Exam,
    settings: Settings,
    /// Addresses of all questions so far; `items` holds the drawn items in the same order.
    places: Vec<ItemAddress>,
    items: Vec<Item>,
    asked: usize,
    /// Number of requests sent that can cost money, over all rounds.
    billed: u64,
}

impl Rounds {
    /// Draws the items of a round and writes them to the folder.
    fn draw(&mut self, round: &[ItemAddress], before: &str) -> Result<(), Failure> {
        let set = test_set(&self.args)?.of_places(round.to_vec());
        let items = set.items();
        // The first round does not depend on answers. If its items differ from those in the folder,
        // the folder holds another exam.
        let lines = items.iter().cloned().map(Item::line);
        let is_other = self.items.is_empty()
            && !before.is_empty()
            && !before.lines().take(items.len()).eq(lines);
        if is_other {
            let folder = self.args.out.display();
            return Err(
                Failure::usage(format!("{folder} contains other questions")).hint(
                    "continue with the same --ability, --rich, --size, --seed and --adaptive, or choose another --out",
                ),
            );
        }
        set::extend(&set, &self.items, &self.args.out)
            .map_err(|error| Failure::new(format!("{}: {error}", self.args.out.display())))?;
        self.places.extend(round);
        self.items.extend(items);
        Ok(())
    }

    /// Asks the items of a round that have no answer yet.
    fn ask(&mut self, round: &[ItemAddress]) -> Result<RoundResult, Failure> {
        let mut args = self.args.clone();
        if let Some(most) = args.live.how.max_attempts {
            args.live.how.max_attempts = Some(most.saturating_sub(self.billed));
        }
        let start = RunStart::new(&args.out, args.again);
        let mut connection = live::connection(&args.live, &self.settings, round.len(), start)?;
        if self.asked == 0 {
            live::list_models(&args.live, &mut connection, args.again)?;
        }
        let ready = ready(&args, self.items.clone(), &args.out, connection)?;
        self.args.live.model = Some(ready.plan.asking.model.clone());
        let choice = live::failures(args.again);
        let location = RunLocation::In {
            folder: args.out.clone(),
            resume: args.again.resume || self.asked > 0,
        };
        let reran = live::ask_alone(ready, location, choice)?.output;
        let ended = &reran.ended;
        self.asked += 1;
        let fresh = ended.finished.iter().filter(|one| !one.kept);
        self.billed += fresh.map(|one| u64::from(one.done.attempts)).sum::<u64>();
        // Single failed requests do not end the exam. It ends if the run was stopped or no question
        // was answered.
        let has_answer = ended.finished.iter().any(|one| one.record.is_some());
        if ended.stopped.is_some() || !has_answer {
            return live::finished(&reran, None).map(RoundResult::Stopped);
        }
        let asked = self.items.iter().rev().take(round.len()).rev();
        let answers = round.iter().zip(asked).map(|(place, item)| {
            let answer = ended.finished.iter().find(|one| is_of(one, &item.id));
            (*place, answer.and_then(|one| answered(one)))
        });
        Ok(RoundResult::Answers(answers.collect()))
    }
}

fn is_of(one: &StepResult, id: &str) -> bool {
    one.record
        .as_ref()
        .is_some_and(|record| record.sample_id == id)
}

/// Returns whether the answer is right; `None` for a failed request.
fn answered(one: &StepResult) -> Option<bool> {
    let record = one.record.as_ref()?;
    one.judged.kind.is_answer().then(|| is_right(record))
}
