//! `eyechart exam`: fresh questions for a live model, and everybody's answers beside its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::sync::Arc;

use super::rerun::{Place, carry_out, counted, finished, nothing};
use super::{Failure, Status, live, named, output, report, view};
use ::report::{Document as _, Rerun};
use config::Settings;
use encoder::Encoder;
use exam::paper::{Paper, PaperError};
use exam::{Item, peers, set};
use media::Source;
use rerun::{Builtin, Connection, Estimate, Head, Plan, Protocol, Sample, Summary};

/// The format of the questions.
const FORMAT: &str = "eyechart";

/// Runs the command.
pub fn run(args: &cli::Exam) -> Result<Status, Failure> {
    let paper = paper(args)?;
    let settings = Settings::read().map_err(Failure::new)?;
    let items = paper.items();
    let mut connection = live::connection(&args.live, &settings, items.len())?;
    if args.dry_run {
        let aside = tempfile::tempdir()?;
        draw(&paper, &items, aside.path(), false)?;
        let (plan, estimate) = plan(args, items, aside.path(), &connection)?;
        output::print(&counted(&plan, estimate), args.format.unwrap_or_default())?;
        return Ok(Status::Done);
    }
    live::look(&mut connection, args.live.model.is_none())?;
    draw(&paper, &items, &args.out, args.resume)?;
    let (plan, estimate) = plan(args, items, &args.out, &connection)?;
    writeln!(stderr().lock(), "{estimate}")?;
    let status = ask(args, &Arc::new(plan), connection, estimate)?;
    beside(&paper, args)?;
    show(args)?;
    Ok(status)
}

fn paper(args: &cli::Exam) -> Result<Paper, Failure> {
    let count = args.count.map(|count| count as usize);
    let paper = Paper::new(named::exam_set(args.set), &args.ability, count, args.seed);
    paper.map_err(|error| {
        let failure = Failure::usage(&error);
        match error {
            PaperError::Learnt(_) => failure.hint("any other --seed"),
            PaperError::Unknown { .. } => failure,
        }
    })
}

/// Writes questions and pictures into the folder, or finds these very questions there.
fn draw(paper: &Paper, items: &[Item], folder: &Path, resume: bool) -> Result<(), Failure> {
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
    match set::write(paper, folder, &mut |_| {}) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Failure::new(error).hint("--resume goes on with it; or name another --out"))
        }
        Err(error) => Err(Failure::new(format!("{}: {error}", folder.display()))),
    }
}

/// What is asked, and what it takes.
fn plan(
    args: &cli::Exam,
    items: Vec<Item>,
    folder: &Path,
    connection: &Connection,
) -> Result<(Plan, Estimate), Failure> {
    let model = live::model(&args.live, connection)?;
    let taken = Encoder::by_name(&model).is_some() && !connection.endpoint.is_here();
    let label = if taken {
        format!("{model}@exam")
    } else {
        model.clone()
    };
    let samples = items.into_iter().map(|item| sample(item, folder)).collect();
    let asking = live::asking(&args.live, connection, (model, label), None);
    let endpoint = &*connection.endpoint;
    let plan = Plan::new(samples, Protocol::Vanilla, asking).for_model(endpoint);
    if plan.is_empty() {
        return Err(nothing(&plan));
    }
    let estimate = Estimate::new(&plan, endpoint, connection.price(&plan.asking.model));
    Ok((plan, estimate))
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
fn ask(
    args: &cli::Exam,
    plan: &Arc<Plan>,
    connection: Connection,
    estimate: Estimate,
) -> Result<Status, Failure> {
    let head = Head::new(plan, &connection.endpoint.address()).at(&args.live.endpoint);
    let place = Place {
        folder: &args.out,
        resume: args.resume,
        retry_failed: args.retry_failed,
        stored: BTreeMap::new(),
        has_pictures: true,
    };
    let (ended, log) = carry_out(plan, connection, head, place)?;
    let summary = Summary::new(plan, &ended.finished);
    let told = Rerun {
        plan,
        estimate,
        summary: Some(summary.clone()),
        unasked: ended.unasked.len(),
        log: Some(log.display().to_string()),
    };
    for line in told.preface() {
        writeln!(stderr().lock(), "{line}")?;
    }
    finished(ended, &summary)
}

/// Has the encoders answer the same questions; the one that was asked has answered already.
fn beside(paper: &Paper, args: &cli::Exam) -> Result<(), Failure> {
    let bar = output::bar(None);
    let asked = Builtin::named(&args.live.endpoint).map(|builtin| builtin.encoder());
    let written = peers::write(paper, &args.out, asked, &mut |ability| {
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
