//! Finds out what a model server supports, by asking it small questions.

use std::sync::Arc;

use crate::cli::Doctor;
use crate::{Failure, live};
use ask::client::{Answer, Capabilities, Class, Endpoint, Failure as RequestFailure, Picture};
use ask::{ConnectOptions, RerunError, blocking};
use base::config::{Price, Settings};
use base::format::{counted, first_words, significant};
use media::Drawing;
use report::Finding;

/// Sides of the red test pictures in pixels. The model is asked for the colour of the first.
const SIDES: [u32; 4] = [64, 512, 1024, 2048];
/// Maximum number of requests that can be billed.
const MOST: u64 = 40;
/// Maximum number of models that a finding lists.
const NAMED: usize = 8;
/// Maximum characters of an answer on screen.
const SHOWN: usize = 60;

/// Returns findings about the server that the user named.
pub fn findings(args: &Doctor, named: &str) -> Result<Vec<Finding>, Failure> {
    let settings = Settings::read().map_err(Failure::new)?;
    let wishes = ConnectOptions {
        key_env: args.key_env.clone(),
        most_billed: Some(MOST),
        ..ConnectOptions::default()
    };
    let failed = |error: RerunError| live::run_failure(&error);
    let connection = ask::connect(named, &settings, &wishes);
    let mut connection = connection.map_err(|error| failed(error.into()))?;
    connection
        .list_models()
        .map_err(|error| failed(error.into()))?;
    let Some(endpoint) = connection.endpoint.server() else {
        return Err(Failure::usage(format!("{named} is built in, not a server")));
    };
    let key = connection.key.as_ref();
    let key = key.map_or_else(|| "without a key".to_owned(), |key| format!("with {key}"));
    let mut found = vec![
        Finding::new("endpoint", format!("{}, {key}", endpoint.address())),
        listed(&connection.models),
    ];
    let Some(model) = connection.model_for(args.model.as_deref()) else {
        let several = "not asked: the server lists several models or none";
        found.push(Finding::new("model", several).better("--model NAME"));
        return Ok(found);
    };
    found.extend(ask_small_questions(
        endpoint,
        model,
        connection.price(model),
    )?);
    Ok(found)
}

/// Returns a finding with the models that the server lists.
fn listed(models: &[String]) -> Finding {
    if models.is_empty() {
        return Finding::new("models", "not listed by the server");
    }
    let names = models.iter().map(|name| first_words(name, SHOWN));
    Finding::new("models", report::listed(NAMED, names))
}

/// Asks a model small questions and returns its capabilities.
fn ask_small_questions(
    endpoint: &Endpoint,
    model: &str,
    price: Option<Price>,
) -> Result<Vec<Finding>, Failure> {
    let pictures = SIDES.map(|side| Drawing::filled(side, [255, 0, 0]).png());
    let pictures = pictures.into_iter().flatten();
    let pictures = pictures.map(|png| Arc::new(Picture::new(png.bytes, png.mime, png.size)));
    let pictures: Vec<Arc<Picture>> = pictures.collect();
    let answered = blocking(endpoint.capabilities(model, &pictures))?;
    let known = answered.map_err(Failure::new)?;
    let context = endpoint.context_length(model).map_or_else(
        || "not stated by the server".to_owned(),
        |tokens| format!("{tokens} tokens"),
    );
    let limits = endpoint.limits();
    let limits = format!(
        "of this program: {}, {} MB each, {} s for an answer",
        counted(endpoint.width() as u64, "request") + " at once",
        limits.body / 1_000_000,
        limits.whole.as_secs()
    );
    let [read, written] = known.tokens;
    let spent = counted(known.requests, "request");
    let money = price.map_or_else(String::new, |price| {
        format!(", cost {}", money(price, known.tokens))
    });
    let mut found = vec![plain(&known, model), fields(&known), sight(&known)];
    found.extend(costs(&known, price));
    if !known.unanswered.is_empty() {
        let names = known.unanswered.join(", ");
        let better = "the server may be slow or overloaded: try again";
        found.push(Finding::new("no response", names).better(better));
    }
    found.extend([
        schema(&known),
        logprobs(&known),
        reasoning(&known),
        Finding::new("context", context),
        Finding::new("limits", limits),
        Finding::new(
            "spent",
            format!("{spent}, {read} tokens read, {written} written{money}"),
        ),
    ]);
    Ok(found)
}

/// Returns the reason why a question has no answer.
fn unanswered(failure: &RequestFailure) -> String {
    match failure.class {
        Class::Time => failure.to_string(),
        _ => format!("refused: {failure}"),
    }
}

/// Returns an answer in quotes, cut to one line.
fn quoted(answer: &Answer) -> String {
    format!("\"{}\"", first_words(answer.text.trim(), SHOWN))
}

/// Returns the cost of prompt and completion tokens.
fn money(price: Price, [read, written]: [u64; 2]) -> String {
    #[expect(clippy::cast_precision_loss, reason = "few tokens")]
    let cost = price.cost(read as f64, written as f64);
    significant(cost, 3)
}

fn plain(known: &Capabilities, model: &str) -> Finding {
    let answer = &known.plain;
    let took = known.took.as_secs_f64();
    let by = answer.model.as_deref().unwrap_or(model);
    let found = Finding::new(
        "answer",
        format!("{} by {by} in {took:.1} s", quoted(answer)),
    );
    if by == model {
        return found;
    }
    found.better(format!("check that {by} is the model {model}"))
}

fn fields(known: &Capabilities) -> Finding {
    let refused = known.refused.iter().map(ToString::to_string);
    let refused = refused.collect::<Vec<_>>().join("; ");
    match refused.as_str() {
        "" => Finding::new("fields", "none refused"),
        refused => Finding::new("fields", refused),
    }
}

/// Returns true if a text contains `red` as a word, not as a part of `shared` or `rendered`.
fn names_red(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.eq_ignore_ascii_case("red"))
}

fn sight(known: &Capabilities) -> Finding {
    match &known.color {
        Ok(answer) if names_red(&answer.text) => Finding::new(
            "pictures",
            format!("seen: the model calls a red picture {}", quoted(answer)),
        ),
        Ok(answer) => {
            let words = format!(
                "accepted, but the model calls a red picture {}",
                quoted(answer)
            );
            Finding::new("pictures", words).better("the model may not see pictures")
        }
        Err(failure) => Finding::new("pictures", unanswered(failure)),
    }
}

/// Returns a finding with tokens and cost of a picture by its size.
fn costs(known: &Capabilities, price: Option<Price>) -> Option<Finding> {
    let cost = |((width, height), tokens): &((u32, u32), Option<u64>)| {
        let size = format!("{width}x{height}");
        let Some(tokens) = *tokens else {
            return format!("{size} not counted");
        };
        let money = price.map(|price| format!(" ({})", money(price, [tokens, 0])));
        format!("{size} {tokens} tokens{}", money.unwrap_or_default())
    };
    let costs: Vec<String> = known.pictures.iter().map(cost).collect();
    let found = Finding::new("picture cost", costs.join(", "));
    let is_free = |(_, tokens): &((u32, u32), Option<u64>)| *tokens == Some(0);
    match known.pictures.as_slice() {
        [] => None,
        all if all.iter().all(is_free) => {
            Some(found.better("the server may ignore pictures: it counts no tokens for them"))
        }
        _ => Some(found),
    }
}

fn schema(known: &Capabilities) -> Finding {
    let words = match &known.schema {
        Ok(answer) if answer.dropped.contains(&"response_format") => "refused".to_owned(),
        Ok(_) if known.keeps_schema() => "kept".to_owned(),
        Ok(answer) => format!("ignored: {}", quoted(answer)),
        Err(failure) => unanswered(failure),
    };
    Finding::new("schema", words)
}

fn logprobs(known: &Capabilities) -> Finding {
    let words = match &known.logprobs {
        Err(failure) => unanswered(failure),
        Ok(answer) => {
            let tokens = answer.logprobs.as_ref().and_then(|all| all.as_array());
            match tokens.and_then(|all| all.first()) {
                Some(first) => {
                    let others = first.get("top_logprobs").and_then(|all| all.as_array());
                    let others = others.map_or(0, Vec::len) as u64;
                    format!(
                        "returned, with {} for each token",
                        counted(others, "alternative")
                    )
                }
                None => "not returned".to_owned(),
            }
        }
    };
    Finding::new("log probs", words)
}

fn reasoning(known: &Capabilities) -> Finding {
    let returned = if known.returns_reasoning() {
        "returned with the answer"
    } else {
        "none returned"
    };
    let effort = match &known.effort {
        Ok(_) => "reasoning_effort is accepted".to_owned(),
        Err(failure) if failure.class == Class::Time => unanswered(failure),
        Err(failure) => format!("reasoning_effort is refused: {failure}"),
    };
    Finding::new("reasoning", format!("{returned}; {effort}"))
}
