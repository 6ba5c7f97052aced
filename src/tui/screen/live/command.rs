//! The command that asks the same without the UI.

use crate::change::Change;
use crate::effect::Effect;
use crate::shared::Shared;
use engine::CommandLine;
use format::visible;
use rerun::Temperature;

use super::state::{LiveView, Stage};

/// Copies the command that asks the same, or goes on with the run that is shown.
pub fn copy(live: &LiveView, shared: &Shared) -> Vec<Change> {
    let protocol = match live.protocol.as_str() {
        "prompt" => "prompt:FILE",
        protocol => protocol,
    };
    let temperature = match live.temperature {
        Temperature::Usual => None,
        Temperature::Unsent => Some("none".to_owned()),
        Temperature::At(temperature) => Some(temperature.to_string()),
    };
    let model = Some(&live.model).filter(|model| !model.is_empty());
    let folder = match &live.stage {
        Stage::Over(progress) => progress.folder.as_ref(),
        _ => None,
    };
    let out = folder.map_or_else(|| "rerun".to_owned(), |folder| folder.display().to_string());
    let command = CommandLine::new("rerun", &[], &shared.request)
        .scope(&shared.scope(&shared.lens))
        .option("--endpoint", &live.endpoint)
        .maybe("--model", model)
        .option("--protocol", protocol)
        .maybe("--temperature", temperature)
        .maybe("--against", live.against.as_ref())
        .option("--limit", live.limit.to_string())
        .flag("--controls", live.controls && live.looked.picked)
        .option("--out", out);
    let text = command.to_string();
    vec![
        Change::Say(format!("copied {}", visible(&text))),
        Effect::Copy(text).into(),
    ]
}
