//! What `rerun` asks side by side: endpoints, models and protocols of the command line, and the variants of a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Failure;
use cli::{How, Live, Rerun, Switch, TemperatureArg};
use config::Settings;
use rerun::{Protocol, TurnWords, Variant, VariantTemperature, read_variants};
use workspace::side_by_side::{telling, way_parts};

/// One way of asking one model.
#[derive(Clone, Debug)]
pub struct Column {
    /// What the user calls it.
    named: Option<String>,
    /// How the model is reached.
    pub live: Live,
    /// The model of the logs that answers from its record, where one is named.
    pub record: Option<String>,
    /// The protocol.
    pub protocol: Protocol,
    /// A system prompt.
    pub system: Option<String>,
    /// Seed of the server's draws.
    pub seed: Option<u64>,
    /// Whether options and targets that are a direction turn with the pictures.
    pub turn_words: TurnWords,
}

impl Column {
    /// How it asks a sample.
    pub const fn way(&self) -> (&Protocol, TurnWords) {
        (&self.protocol, self.turn_words)
    }

    /// What tells it from others.
    fn parts(&self, settings: &Settings) -> [String; 3] {
        let model = self.live.model.as_deref();
        way_parts(&self.live.endpoint, model, &self.protocol, settings)
    }
}

/// Everything that is asked: each variant of the file, else what the command line says, with each of several endpoints,
/// models and protocols.
pub fn of(args: &Rerun) -> Result<Vec<Column>, Failure> {
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
        for asked in models(args, variant)? {
            for protocol in protocols {
                let live = Live {
                    endpoint: asked.endpoint.clone(),
                    model: asked.model.clone(),
                    how: how(&args.how, variant),
                };
                columns.push(Column {
                    named: variant.name.clone(),
                    live,
                    record: asked.record.clone(),
                    protocol: Protocol::parse(protocol).map_err(Failure::usage)?,
                    system: variant.system.clone().or_else(|| args.system.clone()),
                    seed: variant.seed.or(args.seed),
                    turn_words: turn_words(args, variant),
                });
            }
        }
    }
    Ok(columns)
}

/// Who is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Who {
    endpoint: String,
    model: Option<String>,
    /// The model of the logs that answers from its record.
    record: Option<String>,
}

impl Who {
    fn at(endpoint: &str, model: Option<&String>) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            model: model.cloned(),
            record: None,
        }
    }

    /// Whom `--model oracle` and `--model log:MODEL` mean, which no server is asked for.
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

/// Endpoints, each with the model that is asked there, and models that answer without a server.
fn models(args: &Rerun, variant: &Variant) -> Result<Vec<Who>, Failure> {
    let endpoints = match &variant.endpoint {
        Some(endpoint) => std::slice::from_ref(endpoint),
        None => &args.endpoint,
    };
    let models = match (&variant.model, &variant.endpoint) {
        (Some(model), _) => std::slice::from_ref(model),
        // The models of the command line are those of its endpoints.
        (None, Some(_)) if !args.endpoint.is_empty() => &[],
        (None, _) => &args.model,
    };
    let informed: Vec<Who> = models
        .iter()
        .filter_map(|model| Who::informed(model))
        .collect();
    if !informed.is_empty() && informed.len() == models.len() {
        return Ok(informed);
    }
    let served: Vec<&String> = models
        .iter()
        .filter(|model| Who::informed(model).is_none())
        .collect();
    let asked = at_endpoints(endpoints, &served).ok_or_else(|| {
        if endpoints.is_empty() {
            return missing(args, "endpoint");
        }
        let counts = format!(
            "{} endpoints and {} models: it is not clear which belong together",
            endpoints.len(),
            served.len()
        );
        Failure::usage(counts)
            .hint("--model once for all, or once for each --endpoint; or --variants FILE")
    })?;
    Ok(asked.into_iter().chain(informed).collect())
}

/// Endpoints with their models; `None`: there is no endpoint, or it is not clear which belong together.
fn at_endpoints(endpoints: &[String], models: &[&String]) -> Option<Vec<Who>> {
    let all = |model: Option<&String>| {
        let endpoints = endpoints.iter();
        endpoints.map(|endpoint| Who::at(endpoint, model)).collect()
    };
    match (endpoints, models) {
        ([], _) => None,
        (_, []) => Some(all(None)),
        (_, [model]) => Some(all(Some(model))),
        ([endpoint], models) => {
            let models = models.iter();
            Some(models.map(|model| Who::at(endpoint, Some(model))).collect())
        }
        (endpoints, models) if endpoints.len() == models.len() => {
            let both = endpoints.iter().zip(models);
            Some(
                both.map(|(endpoint, model)| Who::at(endpoint, Some(model)))
                    .collect(),
            )
        }
        _ => None,
    }
}

fn missing(args: &Rerun, what: &str) -> Failure {
    let Some(file) = &args.variants else {
        return Failure::usage(format!("--{what} is needed"));
    };
    let file = file.display();
    Failure::usage(format!("{file}: a variant without {what}"))
        .hint(format!("--{what} is that of all variants which name none"))
}

fn how(how: &How, variant: &Variant) -> How {
    let temperature = variant.temperature.as_ref().map(|said| match said {
        VariantTemperature::At(temperature) => TemperatureArg::At(*temperature),
        // It has been read: there is no other word.
        VariantTemperature::Word(_) => TemperatureArg::AsUsual,
    });
    How {
        key_env: variant.key_env.clone().or_else(|| how.key_env.clone()),
        max_tokens: variant.max_tokens.or(how.max_tokens),
        temperature: temperature.or(how.temperature),
        ..how.clone()
    }
}

fn turn_words(args: &Rerun, variant: &Variant) -> TurnWords {
    match (variant.turn_words.as_deref(), args.turn_words) {
        (Some("off"), _) | (None, Switch::Off) => TurnWords::Off,
        _ => TurnWords::On,
    }
}

/// Where a column is shown and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is called, as nothing else is.
    pub name: String,
    /// Its folder: the same whichever other columns there are.
    pub folder: PathBuf,
}

/// Names and folders of columns below a folder. One that the user has not named is called by what tells it from the
/// others, and kept under all of it, so that it goes on beside other columns.
pub fn places(columns: &[Column], out: &Path, settings: &Settings) -> Result<Vec<Place>, Failure> {
    let parts: Vec<[String; 3]> = columns
        .iter()
        .map(|column| column.parts(settings))
        .collect();
    let telling = telling(&parts);
    let place = |((column, parts), short): ((&Column, &[String; 3]), &String)| {
        let whole = parts.iter().filter(|part| !part.is_empty());
        let whole: Vec<&str> = whole.map(String::as_str).collect();
        let several = columns.iter().filter(|other| other.named == column.named);
        let named = column.named.clone().map(|name| match several.count() {
            1 => name,
            _ => format!("{name} {short}"),
        });
        Place {
            name: named.clone().unwrap_or_else(|| short.clone()),
            folder: out.join(file_name(&named.unwrap_or_else(|| whole.join(" ")))),
        }
    };
    let places: Vec<Place> = columns
        .iter()
        .zip(&parts)
        .zip(&telling)
        .map(place)
        .collect();
    for of in [
        |place: &Place| place.name.clone(),
        |place: &Place| place.folder.display().to_string().to_lowercase(),
    ] {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for place in &places {
            *counts.entry(of(place)).or_default() += 1;
        }
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count > 1) {
            let what = format!("several variants are called `{}`", format::visible(&name));
            return Err(Failure::usage(what).hint("`name` in --variants FILE tells them apart"));
        }
    }
    Ok(places)
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let words = name.split(|c| !is_plain(c)).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    match joined.trim_matches('.') {
        "" => "column".to_owned(),
        name => name.to_owned(),
    }
}
