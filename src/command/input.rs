//! From the command line's input to a loaded table, with progress on a terminal's stderr.

use std::ops::ControlFlow;
use std::path::PathBuf;

use indicatif::ProgressStyle;

use super::{Failure, named, output};
use analysis::Selection;
use analysis::audit::verdict_sets;
use cli::{Input, Lens};
use config::{self, Settings};
use record::Table;
use workspace::filter;
use workspace::load::{Event, Request, load};
use workspace::verdicts::{Audit, Ledger};

/// What to open; `sample_runs` when nothing is named.
pub fn request(input: &Input) -> Result<Request, Failure> {
    let settings = Settings::read().map_err(Failure::new)?;
    let paths = if input.paths.is_empty() {
        let found = config::sample_runs(&settings);
        vec![found.ok_or_else(|| {
            Failure::usage("no path given, and there is no sample_runs here")
                .hint("eyechart FOLDER opens a folder of logs")
        })?]
    } else {
        input.paths.clone()
    };
    if let Some(missing) = paths.iter().chain(&input.data).find(|path| !path.exists()) {
        return Err(Failure::new(format!(
            "{} does not exist",
            missing.display()
        )));
    }
    Ok(Request {
        paths,
        data: input.data.iter().cloned().chain(settings.data).collect(),
        ability: input.ability.clone(),
        columns: settings
            .columns
            .into_iter()
            .chain(config::remembered_columns())
            .collect(),
    })
}

/// The files of verdicts that belong to what is opened.
pub fn audit(input: &Input, author: Option<&str>) -> Result<Audit, Failure> {
    audit_of(request(input)?.paths, input, author)
}

/// The files of verdicts that belong to these paths.
pub fn audit_of(
    paths: Vec<PathBuf>,
    input: &Input,
    author: Option<&str>,
) -> Result<Audit, Failure> {
    let settings = Settings::read().map_err(Failure::new)?;
    Ok(Audit {
        paths,
        author: config::author(author, &settings),
        file: input.verdicts.clone().or(settings.verdicts),
        state: config::state_folder(),
    })
}

/// Reads everything that is named, and what people say of it.
pub fn read(input: &Input) -> Result<Table, Failure> {
    let request = request(input)?;
    let bar = output::bar(None);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {bytes_per_sec}")
    {
        bar.set_style(style);
    }
    let table = load(&request, false, &mut |event| {
        if let Event::Progress(progress) = event {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let unread: Vec<_> = table
        .sources()
        .iter()
        .filter(|source| !source.problems.is_empty())
        .collect();
    if table.is_empty() && table.published().is_empty() {
        let first = unread.first().and_then(|source| source.problems.first());
        let why = first.map_or_else(
            || "no log that Eyechart knows".to_owned(),
            |p| format!("{}: {}", p.place(), p.what),
        );
        let paths: Vec<String> = request
            .paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(Failure::new(format!(
            "nothing to show in {}: {why}",
            paths.join(", ")
        )));
    }
    let ledger = Ledger::open(&audit(input, None)?);
    let verdicts = verdict_sets(&table, ledger.book());
    Ok(table.with_verdicts(verdicts))
}

/// The predictions that pass the lens's filter.
pub fn mask(lens: &Lens, table: &Table) -> Result<Option<Vec<bool>>, Failure> {
    filter::select(&lens.filter, table, named::scoring(lens.scoring)).map_err(Failure::usage)
}

/// A selection through a lens's mask.
pub fn selection<'a>(lens: &Lens, table: &'a Table, mask: Option<&'a Vec<bool>>) -> Selection<'a> {
    Selection {
        table,
        scoring: named::scoring(lens.scoring),
        mask: mask.map(Vec::as_slice),
    }
}

/// A model's name, or the only one that contains what was typed.
pub fn model(table: &Table, name: &str) -> Result<String, Failure> {
    let models = table.names().models.values();
    if let Some(model) = models.iter().find(|model| *model == name) {
        return Ok(model.clone());
    }
    let mut alike = models.iter().filter(|model| model.contains(name));
    match (alike.next(), alike.next()) {
        (Some(model), None) => Ok(model.clone()),
        (Some(model), Some(other)) => Err(Failure::usage(format!(
            "`{name}` could be {model} or {other}"
        ))),
        (None, _) => {
            let near = models.iter().max_by(|a, b| {
                strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name))
            });
            let failure = Failure::usage(format!("no model is called `{name}`"));
            Err(match near {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure,
            })
        }
    }
}
