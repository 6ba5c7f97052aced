//! Builds the command that is equivalent to a rerun.

use std::path::PathBuf;

use crate::change::Change;
use crate::shared::AppState;
use ask::Temperature;
use engine::CommandLine;
use workspace::load::Request;

use super::state::{LiveStage, LiveView};

/// Copies the command that starts the same rerun or exam. If a run was continued, copies the
/// command that continues it.
pub fn copy(live: &LiveView, shared: &AppState) -> Vec<Change> {
    let temperature = match live.temperature {
        Temperature::Usual => None,
        Temperature::Unsent => Some("none".to_owned()),
        Temperature::At(temperature) => Some(temperature.to_string()),
    };
    let folder = live.stage.alone().and_then(|run| run.folder.as_ref());
    let folder = folder.map(|folder| folder.display().to_string());
    if let Some((set, count)) = live.exam_set() {
        let command = CommandLine::new("exam", &[], &Request::default())
            .option("--set", set.name)
            .option("--endpoint", &live.endpoint)
            .maybe(
                "--model",
                Some(&live.model).filter(|model| !model.is_empty()),
            )
            .option("--count", count.to_string())
            .maybe("--temperature", temperature)
            .maybe("--max-tokens", live.max_tokens.map(|most| most.to_string()))
            .flag("--no-encoders", true)
            .option("--out", folder.unwrap_or_else(|| "exam".to_owned()));
        return Change::copied(command.to_string());
    }
    // Several temperatures need a variants file.
    let variants = (live.ticked.temperatures.len() > 1).then_some("FILE.toml");
    let columns = match &live.stage {
        LiveStage::Asked(runs) => runs.columns.as_slice(),
        _ => &[],
    };
    let folders = columns.iter().filter_map(|(_, run)| run.folder.as_ref());
    let out = folder.unwrap_or_else(|| "rerun".to_owned());
    // Exclude the run's own results: they are open now, but were not part of its input.
    let own: Vec<&PathBuf> = folders.collect();
    let mut request = shared.request.clone();
    request.paths.retain(|path| !own.contains(&path));
    let command = CommandLine::new("rerun", &[], &request);
    let command = add_targets(live, command.scope(&shared.scope(&shared.lens)))
        .maybe("--temperature", temperature)
        .maybe(
            "--system",
            Some(&live.system).filter(|system| !system.is_empty()),
        )
        .maybe("--max-tokens", live.max_tokens.map(|most| most.to_string()))
        .maybe("--seed", live.seed.map(|seed| seed.to_string()))
        .maybe("--variants", variants)
        .maybe("--against", live.against.as_ref())
        .option("--limit", live.limit.to_string())
        .flag("--controls", live.controls && live.form_data.picked)
        .flag("--until-clear", live.stops_when_clear())
        .option("--out", out);
    Change::copied(command.to_string())
}

/// Adds every endpoint, model and protocol.
fn add_targets(live: &LiveView, command: CommandLine) -> CommandLine {
    let combinations = live.combinations();
    let mut models: Vec<(&str, &str)> = Vec::new();
    let mut protocols: Vec<&str> = Vec::new();
    for way in &combinations {
        let model = (way.endpoint.as_str(), way.model.as_str());
        if !models.contains(&model) {
            models.push(model);
        }
        let protocol = match way.protocol.as_str() {
            "prompt" => "prompt:FILE",
            protocol => protocol,
        };
        if !protocols.contains(&protocol) {
            protocols.push(protocol);
        }
    }
    let named: Vec<&str> = (models.iter().map(|(_, model)| *model))
        .filter(|model| !model.is_empty())
        .collect();
    let endpoints = models.iter().map(|(endpoint, _)| *endpoint);
    let command = endpoints.fold(command, |line, endpoint| {
        line.option("--endpoint", endpoint)
    });
    // Models are matched with endpoints by position, so add either all names or none.
    let named = named
        .into_iter()
        .filter(|_| models.iter().all(|(_, model)| !model.is_empty()));
    let command = named.fold(command, |line, model| line.option("--model", model));
    let protocols = protocols.into_iter();
    protocols.fold(command, |line, protocol| {
        line.option("--protocol", protocol)
    })
}
