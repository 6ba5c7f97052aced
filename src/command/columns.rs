//! Builds the columns of `rerun`: endpoints, models and protocols of the command line, and the
//! variants of a file.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::live::RunStart;
use super::stderr::stderr;
use super::{Failure, live};
use crate::cli::{How, Live, PictureArgs, Rerun, Switch, TemperatureArg};
use ask::{
    Column, Protocol, RunSpec, Temperature, TurnWords, Variant, VariantTemperature, column_names,
    read_variants, way_parts,
};
use base::config::Settings;
use base::format::visible;
use media::PictureLimits;

/// A column as the command line describes it.
#[derive(Clone, Debug)]
pub struct WantedColumn {
    /// Name given by the user.
    named: Option<String>,
    /// Environment variable with the key.
    key_env: Option<String>,
    /// The run to carry out, without samples.
    spec: RunSpec,
}

impl WantedColumn {
    /// Converts to a column that uses the whole folder of `--out`.
    pub fn alone(self, args: &Rerun) -> Column {
        self.placed(args, String::new(), &args.out)
    }

    fn placed(self, args: &Rerun, name: String, folder: &Path) -> Column {
        Column {
            name,
            spec: self.spec,
            key_env: self.key_env,
            location: RunStart::new(folder, args.again).location(),
        }
    }
}

/// Returns all columns: each variant with each endpoint, model and protocol. Without a variants
/// file, the command line is the only variant.
pub fn of(args: &Rerun) -> Result<Vec<WantedColumn>, Failure> {
    let variants = match &args.variants {
        None => vec![Variant::default()],
        Some(file) => read_variants(file).map_err(Failure::usage)?,
    };
    let mut columns = Vec::new();
    for variant in &variants {
        let protocols = match &variant.protocol {
            Some(protocol) => std::slice::from_ref(protocol),
            None => &args.protocol,
        };
        if protocols.is_empty() {
            return Err(missing(args, "protocol"));
        }
        let asked_models = models(args, variant)?;
        if let (Some(file), Some(key)) = (&args.variants, &variant.key_env) {
            print_key_receivers(file, key, &asked_models)?;
        }
        for asked in asked_models {
            for protocol in protocols {
                let live = Live {
                    endpoint: asked.endpoint.clone(),
                    model: asked.model.clone(),
                    how: how(&args.how, variant),
                };
                let protocol = Protocol::parse(protocol).map_err(Failure::usage)?;
                columns.push(WantedColumn {
                    named: variant.name.clone(),
                    key_env: live.how.key_env.clone(),
                    spec: RunSpec {
                        against: args.against.clone().or_else(|| asked.record.clone()),
                        seed: variant.seed.or(args.seed),
                        system: variant.system.clone().or_else(|| args.system.clone()),
                        sends_damaged: args.send_damaged,
                        limits: limits(args.pictures),
                        turn_words: turn_words(args, variant),
                        ..live::wanted(&live, protocol, Vec::new())
                    },
                });
            }
        }
    }
    Ok(columns)
}

/// Prints which endpoints receive a key, because another person may have written the variants file.
fn print_key_receivers(file: &Path, key: &str, asked: &[ModelEndpoint]) -> Result<(), Failure> {
    let mut places: Vec<&str> = asked.iter().map(|one| one.endpoint.as_str()).collect();
    places.dedup();
    let line = format!(
        "{}: the key in {key} is sent to {}",
        file.display(),
        places.join(", ")
    );
    writeln!(stderr(), "{}", visible(&line))?;
    Ok(())
}

/// A model to ask at an endpoint, or a model of the logs whose answers are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ModelEndpoint {
    endpoint: String,
    model: Option<String>,
    /// Model whose answers in the logs are used instead of a live model.
    record: Option<String>,
}

impl ModelEndpoint {
    fn at(endpoint: &str, model: Option<&String>) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            model: model.cloned(),
            record: None,
        }
    }

    /// Parses a model that needs no server: `--model oracle` or `--model log:MODEL`.
    fn informed(model: &str) -> Option<Self> {
        match (model, model.strip_prefix("log:")) {
            ("oracle", _) => Some(Self::at("builtin:oracle", None)),
            (_, Some(record)) => Some(Self {
                record: Some(record.to_owned()),
                ..Self::at("builtin:specialist", None)
            }),
            _ => None,
        }
    }
}

/// Returns endpoints with their models, and models without a server.
fn models(args: &Rerun, variant: &Variant) -> Result<Vec<ModelEndpoint>, Failure> {
    let endpoints = match &variant.endpoint {
        Some(endpoint) => std::slice::from_ref(endpoint),
        None => &args.endpoint,
    };
    let models = match (&variant.model, &variant.endpoint) {
        (Some(model), _) => std::slice::from_ref(model),
        // Models on the command line belong to its endpoints.
        (None, Some(_)) if !args.endpoint.is_empty() => &[],
        (None, _) => &args.model,
    };
    let informed: Vec<ModelEndpoint> = models
        .iter()
        .filter_map(|model| ModelEndpoint::informed(model))
        .collect();
    if !informed.is_empty() && informed.len() == models.len() {
        return Ok(informed);
    }
    let served: Vec<&String> = models
        .iter()
        .filter(|model| ModelEndpoint::informed(model).is_none())
        .collect();
    let asked = at_endpoints(endpoints, &served).ok_or_else(|| {
        if endpoints.is_empty() {
            return missing(args, "endpoint");
        }
        let counts = format!(
            "{} endpoints and {} models: unclear which belong together",
            endpoints.len(),
            served.len()
        );
        Failure::usage(counts)
            .hint("give --model once for all, or once for each --endpoint; or use --variants FILE")
    })?;
    Ok(asked.into_iter().chain(informed).collect())
}

/// Pairs endpoints with models; `None` without an endpoint or if the pairing is ambiguous.
fn at_endpoints(endpoints: &[String], models: &[&String]) -> Option<Vec<ModelEndpoint>> {
    let all = |model: Option<&String>| {
        let endpoints = endpoints.iter();
        endpoints
            .map(|endpoint| ModelEndpoint::at(endpoint, model))
            .collect()
    };
    match (endpoints, models) {
        ([], _) => None,
        (_, []) => Some(all(None)),
        (_, [model]) => Some(all(Some(model))),
        ([endpoint], models) => {
            let models = models.iter();
            Some(
                models
                    .map(|model| ModelEndpoint::at(endpoint, Some(model)))
                    .collect(),
            )
        }
        (endpoints, models) if endpoints.len() == models.len() => {
            let both = endpoints.iter().zip(models);
            Some(
                both.map(|(endpoint, model)| ModelEndpoint::at(endpoint, Some(model)))
                    .collect(),
            )
        }
        _ => None,
    }
}

fn missing(args: &Rerun, what: &str) -> Failure {
    let Some(file) = &args.variants else {
        return Failure::usage(format!("--{what} is required"));
    };
    let file = file.display();
    Failure::usage(format!("{file}: a variant has no {what}"))
        .hint(format!("--{what} sets it for all variants without one"))
}

fn how(how: &How, variant: &Variant) -> How {
    let temperature = variant.temperature.as_ref().map(|said| match said {
        VariantTemperature::At(temperature) => TemperatureArg::At(*temperature),
        // The only valid word: others were rejected when the file was read.
        VariantTemperature::Word(_) => TemperatureArg::AsUsual,
    });
    How {
        key_env: variant.key_env.clone().or_else(|| how.key_env.clone()),
        max_tokens: variant.max_tokens.or(how.max_tokens),
        temperature: temperature.or(how.temperature),
        ..how.clone()
    }
}

fn limits(args: PictureArgs) -> PictureLimits {
    PictureLimits {
        max_side: args.max_side,
        max_pixels: args.max_pixels,
        max_bytes: args.max_bytes,
        quality: args.quality,
    }
}

fn turn_words(args: &Rerun, variant: &Variant) -> TurnWords {
    match (variant.turn_words.as_deref(), args.turn_words) {
        (Some("off"), _) | (None, Switch::Off) => TurnWords::Off,
        _ => TurnWords::On,
    }
}

/// Assigns names and folders below `--out` to the columns.
///
/// The name of an unnamed column consists of the parts that differ from other columns. The name of
/// its folder contains all parts, so that the column resumes even if other columns are added.
///
/// # Errors
/// Two columns have the same name or folder.
pub fn placed(
    args: &Rerun,
    columns: Vec<WantedColumn>,
    settings: &Settings,
) -> Result<Vec<Column>, Failure> {
    // Ignore the temperature: variants that differ in it always have a name.
    let specs = columns.iter().map(|column| RunSpec {
        temperature: Temperature::Usual,
        ..column.spec.clone()
    });
    let specs: Vec<RunSpec> = specs.collect();
    let shorts = column_names(&specs, settings);
    let mut counts: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for column in &columns {
        *counts.entry(column.named.clone()).or_default() += 1;
    }
    let place = |(column, short): (WantedColumn, String)| {
        let parts = way_parts(&column.spec, settings);
        let whole = parts.iter().filter(|part| !part.is_empty());
        let whole: Vec<&str> = whole.map(String::as_str).collect();
        let is_only = counts.get(&column.named) == Some(&1);
        let named = column.named.clone().map(|name| {
            if is_only {
                name
            } else {
                format!("{name} {short}")
            }
        });
        let folder = named.clone().unwrap_or_else(|| whole.join(" "));
        let folder = args.out.join(file_name(&folder));
        (column.placed(args, named.unwrap_or(short), &folder), folder)
    };
    let placed: Vec<(Column, PathBuf)> = columns.into_iter().zip(shorts).map(place).collect();
    for of in [
        |(column, _): &(Column, PathBuf)| column.name.clone(),
        |(_, folder): &(Column, PathBuf)| folder.display().to_string().to_lowercase(),
    ] {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for place in &placed {
            *counts.entry(of(place)).or_default() += 1;
        }
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count > 1) {
            let what = format!(
                "several variants have the name `{}`",
                base::format::visible(&name)
            );
            return Err(Failure::usage(what).hint("give each another `name` in --variants FILE"));
        }
    }
    Ok(placed.into_iter().map(|(column, _)| column).collect())
}

/// Converts a name to a file name that every file system allows.
fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let words = name.split(|c| !is_plain(c)).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    match joined.trim_matches('.') {
        "" => "column".to_owned(),
        name => name.to_owned(),
    }
}
