//! `eyechart gate`: decides whether a candidate can replace a base.

use std::ffi::OsStr;
use std::path::Path;

use super::input::{LoadedInput, RequiredData, ResolvedInput};
use super::output::{self, Origin};
use super::{Failure, Status};
use crate::cli::{FailOn, Gate, GateFormat, Output};
use analysis::GateVerdict;
use base::file;
use report::{Format, GatePolicy, GateReport, ReadPictures, SampleSource};

/// File extension of `JUnit` XML.
const XML: &str = "xml";

/// Writes the decision; the exit status is the outcome.
pub fn run(args: &Gate) -> Result<Status, Failure> {
    let wanted = FormatChoice::of(args)?;
    if args.pictures.is_some() && wanted != FormatChoice::Own(report::GateFormat::Comment) {
        return Err(
            Failure::usage("`--pictures` works only with a Markdown comment")
                .hint("--format markdown, or --out with a file that ends in .md, writes one"),
        );
    }
    let query = engine::Gate::from(args);
    let opened =
        ResolvedInput::of(&args.input)?.open_to(&RequiredData::At(&query.side_scopes()))?;
    let report = GateReport {
        policy: match args.fail_on {
            None => GatePolicy::Apart,
            Some(FailOn::Worse) => GatePolicy::OnWorse,
            Some(FailOn::Unsure) => GatePolicy::OnUnsure,
        },
        pictures_at: pictures_at(args),
        ..GateReport::from(opened.ask(&query)?)
    };
    let report = report.with_samples(SampleSource {
        table: opened.table(),
        scoring: query.scope.scoring,
        request: &opened.named.request,
        pictures: if wanted == FormatChoice::Own(report::GateFormat::Comment) {
            ReadPictures::Small
        } else {
            ReadPictures::Paths
        },
    });
    write(args, wanted, &report, &opened)?;
    Ok(match report.outcome() {
        GateVerdict::Pass => Status::Done,
        GateVerdict::Worse => Status::Worse,
        GateVerdict::CannotTell => Status::CannotTell,
    })
}

/// Returns the address of a comment's pictures; `None` if they are embedded.
fn pictures_at(args: &Gate) -> Option<String> {
    let folder = args.pictures.as_ref()?;
    let own = || folder.to_string_lossy().into_owned();
    Some(args.pictures_at.clone().unwrap_or_else(own))
}

/// Format of a gate's result: one that only gates have, or one of all documents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormatChoice {
    Own(report::GateFormat),
    Usual(Format),
}

impl FormatChoice {
    /// Returns the requested format, else the format of the file's extension, else a table.
    fn of(args: &Gate) -> Result<Self, Failure> {
        let long = if args.long {
            Format::Table
        } else {
            Format::Brief
        };
        let ending = |file: &Path| file.extension().map(OsStr::to_ascii_lowercase);
        Ok(match (args.format, &args.out) {
            (Some(GateFormat::Table), _) | (None, None) => Self::Usual(long),
            (Some(GateFormat::Json), _) => Self::Usual(Format::Json),
            (Some(GateFormat::Jsonl), _) => Self::Usual(Format::Jsonl),
            (Some(GateFormat::Csv), _) => Self::Usual(Format::Csv),
            (Some(GateFormat::Html), _) => Self::Usual(Format::Html),
            (Some(GateFormat::Markdown), _) => Self::Own(report::GateFormat::Comment),
            (Some(GateFormat::Junit), _) => Self::Own(report::GateFormat::Junit),
            (Some(GateFormat::Github), _) => Self::Own(report::GateFormat::Github),
            (None, Some(file)) if ending(file).is_some_and(|ending| ending == XML) => {
                Self::Own(report::GateFormat::Junit)
            }
            (None, Some(file)) => {
                let format = Format::of(file).map_err(|error| {
                    Failure::usage(error)
                        .hint(".xml is JUnit; --format sets the format for any file ending")
                })?;
                match format {
                    Format::Markdown => Self::Own(report::GateFormat::Comment),
                    other => Self::Usual(other),
                }
            }
        })
    }
}

fn write(
    args: &Gate,
    wanted: FormatChoice,
    report: &GateReport,
    opened: &LoadedInput,
) -> Result<(), Failure> {
    let origin = Origin::of(opened, &args.lens);
    match wanted {
        FormatChoice::Usual(format) => {
            let output = Output {
                format: None,
                out: args.out.clone(),
            };
            output::write_as(report, format, &output, &origin)
        }
        FormatChoice::Own(format) => {
            if let Some(folder) = &args.pictures {
                write_pictures(folder, report, opened)?;
            }
            output::write_bytes(args.out.as_deref(), &origin, |out| {
                report.write_as(format, out)
            })
        }
    }
}

/// Writes the pictures of a comment to a folder, which is created.
fn write_pictures(folder: &Path, report: &GateReport, opened: &LoadedInput) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    let inputs = opened.inputs();
    for (name, bytes) in report.picture_files() {
        file::write(&folder.join(name), bytes, &inputs)?;
    }
    Ok(())
}
