//! From the command line to a live model.

use std::io::{Write, stderr};

use super::Failure;
use cli::{Drawn, Live};
use client::{Class, Sampling};
use config::Settings;
use rerun::{self, Asking, Connection, Plan, Temperature, Wishes};

/// Questions beside which three more matter little.
const MANY: usize = 20;

/// The endpoint that is named, with a bound on what so many questions may cost.
pub fn connection(
    args: &Live,
    settings: &Settings,
    questions: usize,
) -> Result<Connection, Failure> {
    let wishes = Wishes {
        key_env: args.key_env.clone(),
        at_once: args.concurrency.map(usize::from),
        most_billed: Some(
            args.max_attempts
                .unwrap_or_else(|| Wishes::usual_bound(questions)),
        ),
        whole_answers: args.no_stream,
    };
    rerun::connect(&args.endpoint, settings, &wishes).map_err(|error| match error {
        rerun::ConnectError::Unknown { .. } | rerun::ConnectError::Endpoint(_) => {
            Failure::usage(error)
        }
        other => Failure::new(other),
    })
}

/// Looks whether somebody is there; a server with one model names it.
pub fn look(connection: &mut Connection, wants_name: bool) -> Result<(), Failure> {
    let looked = rerun::blocking(connection.endpoint.look())?;
    let names = looked.map_err(|failure| {
        let hint = match failure.class {
            Class::Config => "the key comes from OPENAI_API_KEY, --key-env or the config file",
            _ => "is the server running, and is this its address?",
        };
        Failure::new(failure).hint(hint)
    })?;
    if let ([name], true, None) = (names.as_slice(), wants_name, &connection.model) {
        writeln!(stderr().lock(), "the model is {}", format::visible(name))?;
        connection.model = Some(name.clone());
    }
    Ok(())
}

/// Looks whether pictures are counted, where many questions have some: three requests more.
pub fn see(connection: &Connection, plan: &Plan) -> Result<(), Failure> {
    let has_pictures = plan
        .samples
        .iter()
        .any(|sample| !sample.pictures.is_empty());
    if plan.len() < MANY || !has_pictures {
        return Ok(());
    }
    let counts = connection.endpoint.counts_pictures(&plan.asking.model);
    if rerun::blocking(counts)? == Some(false) {
        writeln!(
            stderr().lock(),
            "warning: the server counts no tokens for pictures, and may not look at them"
        )?;
    }
    Ok(())
}

/// The model to ask.
pub fn model(args: &Live, connection: &Connection) -> Result<String, Failure> {
    let own = connection.model.as_deref();
    if connection.endpoint.is_here()
        && args
            .model
            .as_deref()
            .is_some_and(|model| Some(model) != own)
    {
        return Err(Failure::usage(format!(
            "{} is one model: leave --model out",
            args.endpoint
        )));
    }
    let named = args.model.as_deref().or(own).map(str::to_owned);
    named.ok_or_else(|| {
        Failure::usage("no model is named")
            .hint("--model NAME, or `model` of the endpoint in the config file")
    })
}

/// How it is asked; `seed` is that of the server's draws.
pub fn asking(
    args: &Live,
    connection: &Connection,
    (model, label): (String, String),
    seed: Option<u64>,
) -> Asking {
    let usual = connection.sampling();
    Asking {
        model,
        label,
        system: None,
        sampling: Sampling {
            max_tokens: args.max_tokens.or(usual.max_tokens),
            seed,
            ..usual
        },
        temperature: match args.temperature {
            None => Temperature::Usual,
            Some(Drawn::AsUsual) => Temperature::Unsent,
            Some(Drawn::At(temperature)) => Temperature::At(temperature),
        },
    }
}
