//! The command that asks the same without the UI.

use crate::app::{App, Effect};
use format::visible;
use rerun::Temperature;
use workspace::headless::CommandLine;

use super::state::Stage;

/// Copies the command that asks the same, or goes on with the run that is shown.
pub fn copy_command(app: &mut App) -> Vec<Effect> {
    let live = &app.live;
    let mut command = CommandLine::new("rerun", &[], &app.request);
    command.lens(&app.lens.expression(&app.table), app.lens.scoring);
    command.option("--endpoint", &live.endpoint);
    if !live.model.is_empty() {
        command.option("--model", &live.model);
    }
    let protocol = match live.protocol.as_str() {
        "prompt" => "prompt:FILE",
        protocol => protocol,
    };
    command.option("--protocol", protocol);
    match live.temperature {
        Temperature::Usual => {}
        Temperature::Unsent => command.option("--temperature", "none"),
        Temperature::At(temperature) => command.option("--temperature", temperature.to_string()),
    }
    if let Some(model) = &live.against {
        command.option("--against", model);
    }
    command.option("--limit", live.limit.to_string());
    let folder = match &live.stage {
        Stage::Over(progress) => progress.folder.as_ref(),
        _ => None,
    };
    let out = folder.map_or_else(|| "rerun".to_owned(), |folder| folder.display().to_string());
    command.option("--out", out);
    let text = command.to_string();
    app.notice = Some(format!("copied {}", visible(&text)));
    vec![Effect::Copy(text)]
}
