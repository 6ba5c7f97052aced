//! Keys on the form: what is asked, what was counted, and earlier runs that can go on.

use crate::action::Action;
use crate::app::{App, Effect};
use crate::popup::Popup;
use crate::widget::line_edit::LineEdit;
use crate::widget::table::TableState;
use rerun::{Choice, Protocol};
use workspace::rerun_worker::{Again, Form, RerunCommand};

use super::super::moved;
use super::field::Field;
use super::progress::{Listed, Progress};
use super::state::Stage;
use super::words::Editor;

/// What an action does on the form.
pub fn update(app: &mut App, action: Action) -> Vec<Effect> {
    match (&app.live.stage, action) {
        (_, Action::Left) => turn(app, -1),
        (_, Action::Right) => turn(app, 1),
        (Stage::Counted(_), Action::Ask) => begin(app),
        (_, Action::Ask | Action::Open) if app.live.run.is_some() => again(app),
        (_, Action::Open) => edit(app),
        (_, Action::Ask) => count(app),
        (Stage::Counted(_), Action::Stop) => changed(app),
        _ => {
            step(app, action);
            Vec::new()
        }
    }
}

/// Moves the cursor over the rows of the form and the earlier runs below them.
fn step(app: &mut App, action: Action) {
    let live = &mut app.live;
    let fields = live.fields();
    let is_form = matches!(live.stage, Stage::Form);
    let runs = if is_form {
        live.looked.previous.as_slice()
    } else {
        &[]
    };
    let of_run = live
        .run
        .as_ref()
        .and_then(|folder| runs.iter().position(|run| run.folder == *folder));
    let of_field = fields.iter().position(|field| *field == live.field);
    let at = of_run.map_or(of_field.unwrap_or_default(), |at| fields.len() + at);
    let Some(at) = moved(at, fields.len() + runs.len(), 5, action) else {
        return;
    };
    match fields.get(at) {
        Some(field) => {
            live.field = *field;
            live.run = None;
        }
        None => live.run = runs.get(at - fields.len()).map(|run| run.folder.clone()),
    }
}

/// Another value for the row under the cursor.
fn turn(app: &mut App, step: isize) -> Vec<Effect> {
    if app.live.run.is_some() {
        return Vec::new();
    }
    let field = app.live.field;
    let models = app.models();
    app.live.turn(field, step, &models);
    match field {
        Field::Stored | Field::Failed => Vec::new(),
        _ => changed(app),
    }
}

/// What was counted holds no longer.
fn changed(app: &mut App) -> Vec<Effect> {
    let was_counted = matches!(app.live.stage, Stage::Counted(_));
    app.live.stage = Stage::Form;
    app.live.trouble = None;
    if was_counted || app.live.field == Field::Protocol {
        super::look(app)
    } else {
        Vec::new()
    }
}

/// Types into the row under the cursor.
fn edit(app: &mut App) -> Vec<Effect> {
    app.live.trouble = None;
    match app.live.field {
        field @ (Field::Stored | Field::Failed) => {
            app.live.turn(field, 1, &[]);
            Vec::new()
        }
        Field::Words => {
            let editor = Editor::new(&app.live.words);
            app.pop_up(Popup::Words(Box::new(editor)))
        }
        field => {
            let line = LineEdit::new(app.live.value(field));
            app.pop_up(Popup::Field(field.name(), line))
        }
    }
}

/// Takes what was typed.
pub fn take_field(app: &mut App, name: &str, text: &str) -> Vec<Effect> {
    let Some(field) = Field::named(name) else {
        return Vec::new();
    };
    let effects = changed(app);
    app.live.set(field, text);
    effects
}

/// What the form says.
pub fn form(app: &App, protocol: Protocol, ticket: u64) -> Form {
    Form {
        ticket,
        endpoint: app.live.endpoint.clone(),
        model: app.live.model.clone(),
        protocol,
        temperature: app.live.temperature,
        against: app.live.against.clone(),
        rows: app.live.row.map(|row| vec![row]),
        lens: app.lens.clone(),
        limit: app.live.limit,
        table: app.table.clone(),
        request: app.request.clone(),
    }
}

/// Counts what the form asks for.
fn count(app: &mut App) -> Vec<Effect> {
    let protocol = match app.live.protocol() {
        Ok(protocol) => protocol,
        Err(trouble) => {
            app.live.trouble = Some(trouble);
            return Vec::new();
        }
    };
    app.live.trouble = None;
    app.live.stage = Stage::Counting;
    app.live.ticket += 1;
    let form = form(app, protocol, app.live.ticket);
    vec![Effect::Live(RerunCommand::Count(Box::new(form)))]
}

/// Counts what is left of the earlier run under the cursor.
fn again(app: &mut App) -> Vec<Effect> {
    let Some(previous) = app.live.earlier().cloned() else {
        return Vec::new();
    };
    app.live.trouble = None;
    app.live.stage = Stage::Counting;
    app.live.ticket += 1;
    let again = Again {
        ticket: app.live.ticket,
        previous,
        table: app.table.clone(),
        scoring: app.lens.scoring,
    };
    vec![Effect::Live(RerunCommand::Again(Box::new(again)))]
}

/// Asks what was counted.
pub fn begin(app: &mut App) -> Vec<Effect> {
    let Stage::Counted(counted) = std::mem::take(&mut app.live.stage) else {
        return Vec::new();
    };
    let ticket = counted.ticket;
    app.live.table = TableState::default();
    app.live.listed = Listed::default();
    app.live.stage = Stage::Running(Box::new(Progress::new(*counted)));
    let choice = std::mem::take(&mut app.live.choice);
    vec![Effect::Live(RerunCommand::Go(
        ticket,
        app.table.clone(),
        choice,
    ))]
}

/// What is decided where the user says nothing: known answers count unless chance was in them, failures are asked again.
pub fn usual(app: &App) -> Choice {
    let Stage::Counted(counted) = &app.live.stage else {
        return Choice::default();
    };
    let plan = &counted.plan;
    let has_chance = plan
        .steps
        .iter()
        .any(|step| plan.asking.temperature.of(step.temperature) != Some(0.0));
    Choice {
        reuse: !has_chance && counted.stored.0 > 0,
        retry_failed: true,
    }
}
