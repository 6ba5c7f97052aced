//! `eyechart generate`: writes benchmark items with known answers.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::Path;

use indicatif::HumanBytes;

use super::{Failure, Status, named, output};
use crate::cli::{Generate, Generated, ItemSet, SampleRuns, Sheets};
use base::file::FileBatch;
use exam::Benchmark;
use exam::abilities::TopDown;
use exam::abilities::levels::LevelledExam;
use exam::contact_sheet::ContactSheet;
use exam::dense::{DenseScenes, Style};
use exam::gepbench;
use exam::sample_runs;
use exam::set::{self, SetCounts, Shades};
use exam::trainer::Trainer;

/// Maximum number of pages searched for items of contact sheets.
const SHEET_PAGES: usize = 400;

/// Generates the chosen benchmark or the sample runs.
pub fn run(args: &Generate) -> Result<Status, Failure> {
    match &args.benchmark {
        Generated::Gepbench(args) => {
            let benchmark = gepbench::Gepbench::new(
                args.set.count as usize,
                args.set.seed,
                named::noise(args.noise),
            );
            generate(&benchmark, &args.set)
        }
        Generated::Exam(args) => {
            let exam = LevelledExam::new(args.set.count as usize, args.set.seed);
            let style = if args.drawing.rich {
                Style::Rich
            } else {
                Style::Plain
            };
            let exam = exam.in_style(style).enlarged(args.drawing.size.times());
            generate(&exam, &args.set)
        }
        Generated::Topdown(args) => generate(&TopDown::new(args.count as usize, args.seed), args),
        Generated::Scenes(args) => {
            let scenes = DenseScenes::new(args.set.count as usize, args.set.seed);
            let style = if args.plain {
                Style::Plain
            } else {
                Style::Rich
            };
            generate(&scenes.of_side(args.size).in_style(style), &args.set)
        }
        Generated::SampleRuns(args) => sample_runs(args),
    }
}

/// Writes the sample runs, with a progress bar.
fn sample_runs(args: &SampleRuns) -> Result<Status, Failure> {
    let samples = args
        .count
        .map_or_else(sample_runs::SampleRuns::default, |count| {
            sample_runs::SampleRuns::of(count as usize)
        });
    let bar = output::bar(None);
    samples.write(&args.out, &mut |ability| {
        bar.set_message(ability.to_owned());
        bar.tick();
    })?;
    bar.finish_and_clear();
    Ok(Status::Done)
}

/// Writes a benchmark, with contact sheets on request, and reports what was written.
fn generate(benchmark: &dyn Benchmark, args: &ItemSet) -> Result<Status, Failure> {
    let written = write(benchmark, args)
        .map_err(|error| Failure::new(error).hint("--out must name a new folder"))?;
    if let Some(sheets) = args.sheets {
        write_sheets(benchmark, sheets == Sheets::Answers, &args.out)?;
    }
    writeln!(
        stdout(),
        "{} items, {} pictures ({}) in {}",
        written.items,
        written.pictures,
        HumanBytes(written.picture_bytes),
        base::format::visible(&args.out.display().to_string()),
    )?;
    Ok(Status::Done)
}

fn write(benchmark: &dyn Benchmark, args: &ItemSet) -> std::io::Result<SetCounts> {
    let bar = output::bar(Some(benchmark.pages() as u64));
    let format = args.also.map(named::trainer);
    let mut trainer = format.map(|format| Trainer::new(format, &args.out));
    let written = set::write_with(benchmark, &args.out, trainer.as_mut(), &mut |written| {
        bar.set_position(written.pages as u64);
    });
    bar.finish_and_clear();
    let written = written?;
    trainer.map_or(Ok(()), Trainer::finish)?;
    Ok(written)
}

/// Writes one contact sheet per ability with its first items to `sheets/`.
fn write_sheets(benchmark: &dyn Benchmark, answers: bool, folder: &Path) -> Result<(), Failure> {
    let mut sheets: BTreeMap<String, ContactSheet> = BTreeMap::new();
    for number in 0..benchmark.pages().min(SHEET_PAGES) {
        let page = benchmark.page(number);
        for item in &page.items {
            let sheet = sheets.entry(item.ability.clone());
            sheet
                .or_insert_with(|| ContactSheet::new(answers))
                .add(item, &page);
        }
    }
    let together = FileBatch::default();
    for (ability, sheet) in sheets {
        let picture = sheet.picture(format!("sheets/{ability}.png"));
        together.write(&folder.join(&picture.path), &picture.png(Shades::Gradual)?)?;
    }
    Ok(together.settle()?)
}
