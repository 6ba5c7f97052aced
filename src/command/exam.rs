//! `eyechart exam`: asks a live model fresh questions and adds the answers of the built-in
//! encoders.

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write, stdout};
use std::path::Path;

use super::live::RunStart;
use super::stderr::stderr;
use super::{Failure, Status, input, live, named, output, remote_run, report, view};
use crate::cli;
use ::report::Document as _;
use analysis::{Acuity, acuity_changes};
use ask::{Connection, Protocol, ReadyRun, RunSpec, Sample};
use base::config::Settings;
use exam::abilities::levels::Seed;
use exam::encoder::Encoder;
use exam::examiner::{self, sample};
use exam::precision::precision;
use exam::test_set::{TestSet, TestSetError};
use exam::{Item, baselines, set};
use indicatif::ProgressStyle;

/// Name of the folder with cached trained encoders, in the state folder.
const TRAINED: &str = "trained";

/// Registers the built-in encoders under their `builtin:` names, the folder for their trained
/// state, and the exams for the UI.
pub fn register() {
    ask::register(&::exam::builtin::Encoders);
    ask::register_exams(&::exam::examiner::Examiner);
    if let Some(folder) = base::config::state_folder() {
        ::exam::kept::keep_in(folder.join(TRAINED));
    }
}

/// Draws or resumes an exam, asks the model, and prints its scores.
pub fn run(args: &cli::Exam) -> Result<Status, Failure> {
    if args.adaptive {
        if store::is_address(&args.out) {
            let why = "--adaptive needs a local folder";
            return Err(Failure::usage(why).hint("--out DIR"));
        }
        return super::adaptive::run(args);
    }
    let status = remote_run::carry_out(&args.out, args.again, |folder| {
        in_folder(&cli::Exam {
            out: folder.to_path_buf(),
            ..args.clone()
        })
    })?;
    if !args.again.dry_run {
        show(args)?;
    }
    Ok(status)
}

fn in_folder(args: &cli::Exam) -> Result<Status, Failure> {
    let test_set = test_set(args)?;
    let settings = Settings::read().map_err(Failure::new)?;
    let items = test_set.items();
    let requests = requests(args.set, &items, &args.out);
    let start = RunStart::new(&args.out, args.again);
    let mut connection = live::connection(&args.live, &settings, requests, start)?;
    for line in precision(&items) {
        writeln!(stderr(), "{line}")?;
    }
    if args.again.dry_run {
        let aside = tempfile::tempdir()?;
        draw(&test_set, &items, aside.path(), args.again)?;
        let mut ready = ready(args, items, aside.path(), connection)?;
        let left = live::estimate_remaining(&mut ready, start)?;
        output::print(
            &live::planned(&ready, left.estimate),
            args.format.unwrap_or_default(),
        )?;
        return Ok(Status::Done);
    }
    live::list_models(&args.live, &mut connection, args.again)?;
    draw(&test_set, &items, &args.out, args.again)?;
    let ready = ready(args, items.clone(), &args.out, connection)?;
    let status = ask(args, ready)?;
    write_baselines(&test_set, &items, args)?;
    Ok(status)
}

pub(super) fn test_set(args: &cli::Exam) -> Result<TestSet, Failure> {
    let count = args.count.map(|count| count as usize);
    let test_set = TestSet::new(named::exam_set(args.set), &args.ability, count, seed(args)?);
    let at_levels = |test_set: TestSet| match &args.level {
        Some(cli::Levels(levels)) => test_set.at_levels(levels),
        None => test_set,
    };
    if args.level.is_some() && args.set != cli::ExamSet::Exam {
        return Err(Failure::usage("only the set `exam` has levels").hint("--set exam"));
    }
    let cli::Drawing { rich, size } = args.drawing;
    if (rich || size != cli::Side::default()) && args.set != cli::ExamSet::Exam {
        let why = "--rich and --size work only with the set `exam`";
        return Err(Failure::usage(why).hint("--set exam"));
    }
    let drawn = |test_set: TestSet| {
        let test_set = if rich { test_set.rich() } else { test_set };
        at_levels(test_set).enlarged(size.times())
    };
    test_set.map(drawn).map_err(|error| {
        let failure = Failure::usage(&error);
        match error {
            TestSetError::TrainingSeed(_) => failure.hint("use any other --seed"),
            TestSetError::Unknown { .. } => failure,
        }
    })
}

/// Returns the public seed, or a private one from an environment variable.
fn seed(args: &cli::Exam) -> Result<Seed, Failure> {
    let Some(name) = &args.seed_env else {
        return Ok(args.seed.into());
    };
    let secret = env::var(name).unwrap_or_default();
    match secret.trim().chars().count() {
        0 => Err(Failure::usage(format!(
            "the environment variable {name} for the seed is not set"
        ))),
        1..SEED_LENGTH => Err(Failure::usage(format!(
            "the seed in the environment variable {name} is too short to keep the questions private: others could guess it"
        ))
        .hint(format!("use a random text of {SEED_LENGTH} characters or more"))),
        _ => Ok(Seed::private(&secret)),
    }
}

/// Minimum length of a private seed. Longer seeds are harder to guess.
const SEED_LENGTH: usize = 16;

/// Writes questions and pictures to the folder, or checks that it holds exactly these.
pub(super) fn draw(
    test_set: &TestSet,
    items: &[Item],
    folder: &Path,
    again: cli::Again,
) -> Result<(), Failure> {
    let file = folder.join(set::ITEMS);
    if live::continues_run(again) && file.exists() {
        let lines = items.iter().cloned().map(Item::line);
        let same = fs::read_to_string(&file)?.lines().eq(lines);
        return same.then_some(()).ok_or_else(|| {
            Failure::usage(format!("{} contains other questions", folder.display())).hint(
                "continue with the same --set, --ability, --count, --level, --rich, --size and --seed, or choose another --out",
            )
        });
    }
    match set::write(test_set, folder, &mut |_| {}) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Failure::new(error).hint("--resume continues it; or choose another --out"))
        }
        Err(error) => Err(Failure::new(format!("{}: {error}", folder.display()))),
    }
}

/// Plans the requests of an exam.
pub(super) fn ready(
    args: &cli::Exam,
    items: Vec<Item>,
    folder: &Path,
    connection: Connection,
) -> Result<ReadyRun, Failure> {
    let samples = items.into_iter().map(|item| sample(item, folder)).collect();
    let wanted = RunSpec {
        own_pictures: true,
        ..live::wanted(&args.live, protocol(args.set), samples)
    };
    let is_here = connection.endpoint.is_here();
    live::ready(connection, wanted, |model| {
        // The built-in encoders use their own names in the same folder.
        if Encoder::from_name(model).is_some() && !is_here {
            format!("{model}@exam")
        } else {
            model.to_owned()
        }
    })
}

fn protocol(set: cli::ExamSet) -> Protocol {
    examiner::protocol(named::exam_set(set))
}

/// Returns the maximum number of requests for these items. A scene needs several.
pub(super) fn requests(set: cli::ExamSet, items: &[Item], folder: &Path) -> usize {
    let samples: Vec<Sample> = items
        .iter()
        .map(|item| sample(item.clone(), folder))
        .collect();
    protocol(set).requests(&samples).high
}

/// Asks the questions and reports the outcome.
fn ask(args: &cli::Exam, mut ready: ReadyRun) -> Result<Status, Failure> {
    let start = RunStart::new(&args.out, args.again);
    let left = live::estimate_remaining(&mut ready, start)?;
    let asked = live::ask(ready, start, left)?;
    let told = live::document(&asked);
    for line in told.preface() {
        writeln!(stderr(), "{line}")?;
    }
    live::finished(&asked.output, told.summary.as_ref())
}

/// Answers the same questions with the built-in encoders, except an encoder that was just examined.
/// Also writes the scores of random guessing.
pub(super) fn write_baselines(
    test_set: &TestSet,
    items: &[Item],
    args: &cli::Exam,
) -> Result<(), Failure> {
    let bar = output::bar(Some(0));
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {msg}") {
        bar.set_style(style);
    }
    let asked = ask::local_model(&args.live.endpoint);
    let asked = asked.as_deref().and_then(Encoder::from_name);
    let set = baselines::WrittenSet {
        test_set,
        items,
        folder: &args.out,
    };
    let is_wanted = |encoder: &Encoder| !args.no_encoders && Some(*encoder) != asked;
    let encoders: Vec<Encoder> = Encoder::ALL.into_iter().filter(is_wanted).collect();
    let written = baselines::write(set, &encoders, &mut |progress| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!(
            "{}: training and answering {}",
            progress.who, progress.ability
        ));
    });
    bar.finish_and_clear();
    written.map_err(|error| Failure::new(format!("{}: {error}", args.out.display())))
}

/// Prints the fingerprint on a terminal, otherwise the scores.
pub(super) fn show(args: &cli::Exam) -> Result<(), Failure> {
    if let Some(earlier) = &args.compare {
        return compared(earlier, args);
    }
    let input = cli::Input {
        paths: vec![args.out.clone()],
        ..cli::Input::default()
    };
    if args.format.is_none() && stdout().is_terminal() {
        view::run(&cli::View::of(input))?;
    } else {
        report::run(&cli::Report::of(input, args.format))?;
    }
    Ok(())
}

/// Prints how acuity changed since an earlier exam.
fn compared(earlier: &Path, args: &cli::Exam) -> Result<(), Failure> {
    let found = acuity_changes(&acuity(earlier)?, &acuity(&args.out)?);
    if found.is_empty() {
        let none = format!("{} has no ability with levels in common", earlier.display());
        return Err(Failure::new(none).hint("--compare needs the folder of an earlier exam"));
    }
    let document = ::report::AcuityChanges { found };
    output::print(&document, args.format.unwrap_or_default())
}

/// Returns the acuity of the model examined in a folder.
fn acuity(folder: &Path) -> Result<Vec<Acuity>, Failure> {
    let input = cli::Input {
        paths: vec![folder.join(ask::FILE)],
        ..cli::Input::default()
    };
    let scores = engine::Report::over(&engine::Scope::default()).scores();
    Ok(input::open(&input)?.ask(&scores)?.acuity)
}
