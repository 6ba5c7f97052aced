//! `eyechart exam`: fresh questions for a live model, and everybody's answers beside its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::sync::Arc;

use super::{Failure, Status, live, named, output, report, view};
use ::report::Document as _;
use config::Settings;
use encoder::Encoder;
use exam::test_set::{TestSet, TestSetError};
use exam::{Item, baselines, set};
use media::Source;
use rerun::{Builtin, Connection, Protocol, Ready, Sample, Wanted};

/// The format of the questions.
const FORMAT: &str = "eyechart";

/// Runs the command.
pub fn run(args: &cli::Exam) -> Result<Status, Failure> {
    let test_set = test_set(args)?;
    let settings = Settings::read().map_err(Failure::new)?;
    let items = test_set.items();
    let mut connection = live::connection(&args.live, &settings, items.len())?;
    if args.again.dry_run {
        let aside = tempfile::tempdir()?;
        draw(&test_set, &items, aside.path(), false)?;
        let mut ready = ready(args, items, aside.path(), connection)?;
        let (estimate, _) = live::left(&mut ready, &args.out, args.again, false)?;
        output::print(
            &live::counted(&ready, estimate),
            args.format.unwrap_or_default(),
        )?;
        return Ok(Status::Done);
    }
    live::look(&args.live, &mut connection)?;
    draw(&test_set, &items, &args.out, args.again.resume)?;
    let ready = ready(args, items, &args.out, connection)?;
    let status = ask(args, ready)?;
    beside(&test_set, args)?;
    show(args)?;
    Ok(status)
}

fn test_set(args: &cli::Exam) -> Result<TestSet, Failure> {
    let count = args.count.map(|count| count as usize);
    let test_set = TestSet::new(named::exam_set(args.set), &args.ability, count, args.seed);
    test_set.map_err(|error| {
        let failure = Failure::usage(&error);
        match error {
            TestSetError::TrainingSeed(_) => failure.hint("any other --seed"),
            TestSetError::Unknown { .. } => failure,
        }
    })
}

/// Writes questions and pictures into the folder, or finds these very questions there.
fn draw(test_set: &TestSet, items: &[Item], folder: &Path, resume: bool) -> Result<(), Failure> {
    let file = folder.join(set::ITEMS);
    if resume && file.exists() {
        let lines = items.iter().cloned().map(Item::line);
        let same = fs::read_to_string(&file)?.lines().eq(lines);
        return same.then_some(()).ok_or_else(|| {
            Failure::usage(format!("{} holds other questions", folder.display())).hint(
                "go on with the same --set, --ability, --count and --seed, or name another --out",
            )
        });
    }
    match set::write(test_set, folder, &mut |_| {}) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Failure::new(error).hint("--resume goes on with it; or name another --out"))
        }
        Err(error) => Err(Failure::new(format!("{}: {error}", folder.display()))),
    }
}

/// What is asked, and what it takes.
fn ready(
    args: &cli::Exam,
    items: Vec<Item>,
    folder: &Path,
    connection: Connection,
) -> Result<Ready, Failure> {
    let samples = items.into_iter().map(|item| sample(item, folder)).collect();
    let wanted = Wanted {
        own_pictures: true,
        ..live::wanted(&args.live, Protocol::Vanilla, samples)
    };
    let is_here = connection.endpoint.is_here();
    live::ready(connection, wanted, |model| {
        // The encoders of this program stand beside it under their own names.
        if Encoder::by_name(model).is_some() && !is_here {
            format!("{model}@exam")
        } else {
            model.to_owned()
        }
    })
}

fn sample(item: Item, folder: &Path) -> Sample {
    let picture = item.picture().map(|path| Source::Path {
        reference: path.to_owned(),
        roots: vec![folder.to_path_buf()],
    });
    Sample {
        pictures: picture.into_iter().collect(),
        record: item.record(),
        format: FORMAT.to_owned(),
        before: None,
        turned: BTreeMap::new(),
    }
}

/// Asks, and tells what came of it.
fn ask(args: &cli::Exam, mut ready: Ready) -> Result<Status, Failure> {
    let (estimate, choice) = live::left(&mut ready, &args.out, args.again, false)?;
    writeln!(stderr().lock(), "{estimate}")?;
    let (plan, price) = (Arc::clone(&ready.plan), ready.price);
    let reran = live::carry_out(ready, &args.out, args.again.resume, choice, Vec::new())?;
    let told = live::found(&plan, (estimate, price), &reran);
    for line in told.preface() {
        writeln!(stderr().lock(), "{line}")?;
    }
    live::finished(&reran.ended, told.summary.as_ref())
}

/// Has the encoders answer the same questions; the one that was asked has answered already.
fn beside(test_set: &TestSet, args: &cli::Exam) -> Result<(), Failure> {
    let bar = output::bar(None);
    let asked = Builtin::named(&args.live.endpoint).map(|builtin| builtin.encoder());
    let written = baselines::write(test_set, &args.out, asked, &mut |ability| {
        bar.set_message(format!("the encoders learn and answer {ability}"));
        bar.tick();
    });
    bar.finish_and_clear();
    written.map_err(|error| Failure::new(format!("{}: {error}", args.out.display())))
}

/// The fingerprint on a terminal, else the scores.
fn show(args: &cli::Exam) -> Result<(), Failure> {
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
