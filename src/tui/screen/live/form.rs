//! Handles keys on the live view's form, the request count, and earlier runs.

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::popup::{LinePurpose, TypedLine, WordingEditor};
use crate::shared::AppState;
use crate::widget::table::TableState;
use ask::worker::{Continuation, ExamForm, Form, ModelChoice, RerunCommand};
use ask::{Choice, ExamOrder, Plan, Protocol, ResultList, RunSpec};

use super::field::FormField;
use super::several::ParallelRuns;
use super::state::{LiveStage, LiveView};
use super::ticked::Combination;
use crate::screen::part::moved;

/// Performs an action on the form, the request count or an earlier run.
pub fn act(live: &mut LiveView, shared: &AppState, action: Action) -> Reply {
    let changes = match (&live.stage, action) {
        (_, Action::Left) => turn(live, shared, -1),
        (_, Action::Right) => turn(live, shared, 1),
        (LiveStage::Counted(_), Action::Ask) => begin(live),
        (_, Action::Ask | Action::Open) if live.run.is_some() => again(live, shared),
        (_, Action::Open) => edit(live),
        (_, Action::Ask) => count(live, shared),
        (LiveStage::Counted(_), Action::Stop) => changed(live, shared),
        (LiveStage::Counted(_), Action::PageDown | Action::PageUp) => {
            live.count_page = if action == Action::PageUp {
                live.count_page.saturating_sub(1)
            } else {
                live.count_page + 1
            };
            None
        }
        (_, Action::Pause) if live.run.is_none() => tick(live, shared),
        _ => {
            return if step(live, action) {
                Reply::DONE
            } else {
                Reply::PassOn
            };
        }
    };
    Vec::from_iter(changes).into()
}

/// Moves the cursor over the fields of the form and the earlier runs below. Returns true if the
/// action moves the cursor.
fn step(live: &mut LiveView, action: Action) -> bool {
    let fields = live.fields();
    let is_form = matches!(live.stage, LiveStage::Form);
    let runs = if is_form {
        live.form_data.previous.as_slice()
    } else {
        &[]
    };
    let of_run = live
        .run
        .as_ref()
        .and_then(|folder| runs.iter().position(|run| run.folder == *folder));
    let of_field = fields.iter().position(|field| *field == live.field);
    let at = of_run.map_or(of_field.unwrap_or(0), |at| fields.len() + at);
    let Some(at) = moved(at, fields.len() + runs.len(), 5, action) else {
        return false;
    };
    match fields.get(at) {
        Some(field) => {
            live.field = *field;
            live.run = None;
        }
        None => live.run = runs.get(at - fields.len()).map(|run| run.folder.clone()),
    }
    true
}

/// Handles a click on a field or an earlier run. The first click moves the cursor there. The second
/// click changes the field or continues the run.
pub fn click(live: &mut LiveView, shared: &AppState, row: usize) -> Vec<Change> {
    let fields = live.fields();
    let run = row.checked_sub(fields.len());
    let run = run.and_then(|run| live.form_data.previous.get(run));
    let run = run.map(|run| run.folder.clone());
    let is_here = match (fields.get(row), &run) {
        (Some(field), _) => live.run.is_none() && *field == live.field,
        (None, run) => run.is_some() && live.run == *run,
    };
    if is_here {
        return act(live, shared, Action::Open).changes();
    }
    match fields.get(row) {
        Some(field) => (live.field, live.run) = (*field, None),
        None => live.run = run.or(live.run.take()),
    }
    Vec::new()
}

/// Ticks or unticks the value under the cursor, to run it in parallel with others.
fn tick(live: &mut LiveView, shared: &AppState) -> Option<Change> {
    if live.tick() {
        return changed(live, shared);
    }
    let what = if live.exam.is_some() {
        "an exam asks one model at a time"
    } else {
        "only endpoints, models, protocols and temperatures can be ticked"
    };
    Some(Change::say(what))
}

/// Changes the field under the cursor to its next or previous value.
fn turn(live: &mut LiveView, shared: &AppState, step: isize) -> Option<Change> {
    if live.run.is_some() {
        return None;
    }
    let field = live.field;
    live.turn(field, step, &shared.models());
    match field {
        FormField::Stored | FormField::Failed => None,
        _ => changed(live, shared),
    }
}

/// Discards the request count after a change of the form.
fn changed(live: &mut LiveView, shared: &AppState) -> Option<Change> {
    let was_counted = matches!(live.stage, LiveStage::Counted(_));
    live.stage = LiveStage::Form;
    live.trouble = None;
    let is_asked = matches!(live.field, FormField::Endpoint | FormField::Protocol);
    let looks = was_counted || is_asked;
    looks
        .then(|| request_form_data(live, shared))
        .flatten()
        .map(Change::Do)
}

/// Queries the samples that can be asked about, unless a run is in progress.
pub fn request_form_data(live: &mut LiveView, shared: &AppState) -> Option<Effect> {
    if live.is_asking() {
        return None;
    }
    if let (LiveStage::Form, Some(model)) = (&live.stage, &shared.lens.model) {
        live.propose(model);
    }
    let protocol = live.protocol().unwrap_or(Protocol::Vanilla);
    live.form_ticket += 1;
    let form = Form {
        ticket: live.form_ticket,
        columns: vec![column(live, own(live), protocol)],
        ..form(live, shared)
    };
    Some(Effect::Live(RerunCommand::Look(Box::new(form))))
}

/// Returns the values of the form's fields, ignoring ticks.
fn own(live: &LiveView) -> Combination {
    Combination {
        endpoint: live.endpoint.clone(),
        model: live.model.clone(),
        protocol: live.protocol.clone(),
        temperature: live.temperature,
    }
}

/// Opens the input for the field under the cursor.
fn edit(live: &mut LiveView) -> Option<Change> {
    live.trouble = None;
    match live.field {
        field @ (FormField::Stored | FormField::Failed) => {
            live.turn(field, 1, &[]);
            None
        }
        field @ (FormField::Turning | FormField::Controls | FormField::UntilClear) => {
            live.turn(field, 1, &[]);
            live.stage = LiveStage::Form;
            None
        }
        FormField::Words => {
            let editor = WordingEditor::new(&live.words, live.form_data.shown.clone());
            Some(Change::pop_up(editor))
        }
        field => {
            let purpose = LinePurpose::Field(field.name());
            Some(Change::pop_up(TypedLine::new(purpose, &live.value(field))))
        }
    }
}

impl LiveView {
    /// Parses a text and sets a field by its name.
    pub fn set_field(&mut self, shared: &AppState, name: &str, text: &str) -> Vec<Change> {
        let Some(field) = FormField::named(name) else {
            return Vec::new();
        };
        let text = text.trim();
        let is_known = text.is_empty() || shared.models().iter().any(|model| model == text);
        if field == FormField::Against && !is_known {
            self.trouble = Some(format!("compare with: no model `{text}` in the logs"));
            return Vec::new();
        }
        self.trouble = None;
        self.set(field, text);
        let trouble = self.trouble.take();
        let change = changed(self, shared);
        self.trouble = trouble;
        change.into_iter().collect()
    }

    /// Selects a protocol that was saved in the playground.
    pub fn select_saved_protocol(&mut self, protocol: String) {
        if !self.is_asking() {
            self.stage = LiveStage::Form;
        }
        self.kept.retain(|known| *known != protocol);
        self.kept.push(protocol.clone());
        (self.protocol, self.row, self.trouble) = (protocol, None, None);
    }

    /// Sets the wordings. The editor does so on every key press, so that closing it loses nothing.
    pub fn set_wordings(&mut self, words: Vec<String>) {
        self.words = words;
    }

    /// Checks the wordings and shows the form when the editor is closed.
    pub fn end_words(&mut self) {
        self.trouble = self.protocol().err();
        self.stage = LiveStage::Form;
    }
}

/// Returns the form as the rerun worker needs it, without columns.
fn form(live: &LiveView, shared: &AppState) -> Form {
    Form {
        ticket: live.ticket,
        columns: Vec::new(),
        rows: live.row.map(|row| vec![row]),
        lens: shared.lens.clone(),
        limit: live.limit,
        controls: live.controls,
        until_clear: live.stops_when_clear(),
        table: shared.table.clone(),
        request: shared.request.clone(),
    }
}

/// Returns the settings of a column, without samples.
fn column(live: &LiveView, way: Combination, protocol: Protocol) -> RunSpec {
    RunSpec {
        model: Some(way.model).filter(|model| !model.is_empty()),
        temperature: way.temperature,
        system: Some(live.system.clone()).filter(|system| !system.is_empty()),
        max_tokens: live.max_tokens,
        seed: live.seed,
        turn_words: live.turn_words,
        against: live.against.clone(),
        ..RunSpec::new(way.endpoint, protocol, Vec::new())
    }
}

/// Counts the requests for the form's values, or for all ticked values.
fn count(live: &mut LiveView, shared: &AppState) -> Option<Change> {
    if let Some(order) = live.exam.clone() {
        return Some(examine(live, shared, order));
    }
    let columns = live.combinations().into_iter().map(|way| {
        let protocol = live.protocol_of(&way.protocol)?;
        Ok(column(live, way, protocol))
    });
    let columns: Result<Vec<RunSpec>, String> = columns.collect();
    let columns = match columns {
        Ok(columns) => columns,
        Err(trouble) => {
            live.trouble = Some(trouble);
            return None;
        }
    };
    (live.trouble, live.count_page) = (None, 0);
    live.stage = LiveStage::Counting;
    live.ticket += 1;
    let form = Form {
        columns,
        ..form(live, shared)
    };
    Some(Effect::Live(RerunCommand::Count(Box::new(form))).into())
}

/// Draws the exam and counts its requests.
fn examine(live: &mut LiveView, shared: &AppState, order: ExamOrder) -> Change {
    (live.trouble, live.count_page) = (None, 0);
    live.stage = LiveStage::Counting;
    live.ticket += 1;
    let way = own(live);
    let form = ExamForm {
        ticket: live.ticket,
        order,
        column: RunSpec {
            model: Some(way.model).filter(|model| !model.is_empty()),
            temperature: way.temperature,
            max_tokens: live.max_tokens,
            ..RunSpec::new(way.endpoint, Protocol::Vanilla, Vec::new())
        },
        request: shared.request.clone(),
    };
    Effect::Live(RerunCommand::Exam(Box::new(form))).into()
}

/// Counts the remaining requests of the earlier run under the cursor.
fn again(live: &mut LiveView, shared: &AppState) -> Option<Change> {
    let previous = live.earlier().cloned()?;
    (live.trouble, live.count_page) = (None, 0);
    live.stage = LiveStage::Counting;
    live.ticket += 1;
    let again = Continuation {
        ticket: live.ticket,
        previous,
        table: shared.table.clone(),
        scoring: shared.lens.scoring,
    };
    Some(Effect::Live(RerunCommand::Again(Box::new(again))).into())
}

/// Starts the runs whose requests were counted.
pub fn begin(live: &mut LiveView) -> Option<Change> {
    let LiveStage::Counted(counted) = std::mem::take(&mut live.stage) else {
        return None;
    };
    if let Some(alone) = counted.alone() {
        // Do not store the model of a continued run: its address comes from a file, not from the
        // user.
        if alone.begun.is_none() {
            live.recent.add(ModelChoice {
                endpoint: live.endpoint.clone(),
                model: live.model.clone(),
            });
        }
        live.table = TableState::default();
        live.listed = match alone.plan.samples.len() {
            1 => ResultList::All,
            _ => ResultList::default(),
        };
    }
    live.stage = LiveStage::Asked(Box::new(ParallelRuns::new(*counted)));
    let choice = std::mem::take(&mut live.choice);
    Some(Effect::Live(RerunCommand::Start(live.ticket, choice)).into())
}

/// Returns the default choices. Stored answers are reused, unless the temperature makes answers
/// random. Failed requests are repeated.
pub fn usual(live: &LiveView) -> Choice {
    let has_chance = |plan: &Plan| {
        let mut steps = plan.steps.iter();
        steps.any(|step| plan.asking.temperature.of(step.temperature) != Some(0.0))
    };
    let counted = live.stage.counted();
    let chance = counted.iter().any(|counted| has_chance(&counted.plan));
    Choice {
        reuse: live.stage.has_stored() && !chance,
        retry_failed: true,
    }
}
