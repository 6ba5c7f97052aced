//! Handles the playground's keys.

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::popup::{LinePurpose, MultilineInput, TypedLine};
use crate::screen::part::move_cursor;
use crate::shared::AppState;
use ask::PictureEdit;
use ask::worker::{RerunCommand, Trial};
use base::format::visible;
use media::{Noise, Turn};

use super::field::EditField;
use super::pencil::Pencil;
use super::state::{AnswerStage, PlaygroundView, StreamedAnswer};

/// Standard deviations of noise, weakest first. Repeated key presses use the next one.
const NOISE: [f64; 4] = [12.0, 25.0, 50.0, 100.0];
/// Scale factor for halving a picture.
const HALF: f64 = 0.5;
/// Name shown for a question that is not saved.
const UNKEPT: &str = "edited";
/// Number of rows that a page key scrolls.
const PAGE: usize = 10;

/// Performs an action in the playground.
pub fn act(view: &mut PlaygroundView, shared: &AppState, action: Action) -> Reply {
    if view.pencil.is_some()
        && let Some(reply) = act_on_box(view, shared, action)
    {
        return reply;
    }
    let picture = match action {
        Action::TurnRight => Some(PictureEdit::Turn(Turn::NONE.right())),
        Action::TurnLeft => Some(PictureEdit::Turn(Turn::NONE.left())),
        Action::FlipPicture => Some(PictureEdit::Flip),
        Action::BlankPicture => Some(PictureEdit::Blank),
        Action::Downscale => Some(PictureEdit::Downscale(HALF)),
        Action::AddNoise => Some(more_noise(view)),
        _ => None,
    };
    if let Some(edit) = picture {
        edit.add(&mut view.edited.edits);
        return changed(view, shared).into();
    }
    match action {
        Action::UndoEdit => {
            if !view.restore(view.field) {
                view.edited.edits.pop();
            }
            changed(view, shared).into()
        }
        Action::DrawBox => {
            view.pencil = Some(Pencil::MIDDLE);
            Reply::DONE
        }
        Action::CropBox | Action::MaskBox => Reply::say("draw a box first with d"),
        Action::Left | Action::Right => {
            let step = if action == Action::Left { -1 } else { 1 };
            if view.turn(view.field, step) {
                return changed(view, shared).into();
            }
            Reply::DONE
        }
        Action::Open => edit(view, shared).into(),
        Action::Ask => ask(view, shared).into(),
        Action::Stop => Reply::with(Effect::Live(RerunCommand::StopTrials)),
        Action::KeepVariant => {
            let line = TypedLine::new(LinePurpose::KeepVariant, &view.edited.name);
            Reply::with(Change::pop_up(line))
        }
        Action::NextSample => go(view, shared, 1),
        Action::PreviousSample => go(view, shared, -1),
        Action::PageDown => {
            view.scrolled += PAGE;
            Reply::DONE
        }
        Action::PageUp => {
            view.scrolled = view.scrolled.saturating_sub(PAGE);
            Reply::DONE
        }
        Action::Copy => copied(view),
        Action::CopyCommand => command(view, shared),
        other => step(view, other),
    }
}

/// Performs an action while a box is being drawn. Returns `None` if the action does not affect the
/// box.
fn act_on_box(view: &mut PlaygroundView, shared: &AppState, action: Action) -> Option<Reply> {
    let pencil = view.pencil.as_mut()?;
    let (right, down) = match action {
        Action::Left => (-1.0, 0.0),
        Action::Right => (1.0, 0.0),
        Action::Up => (0.0, -1.0),
        Action::Down => (0.0, 1.0),
        Action::NextPane => {
            pencil.sizes = !pencil.sizes;
            return Some(Reply::DONE);
        }
        Action::Back | Action::DrawBox => {
            view.pencil = None;
            return Some(Reply::DONE);
        }
        Action::CropBox | Action::Open | Action::MaskBox => {
            let region = pencil.region();
            let edit = match action {
                Action::MaskBox => PictureEdit::Mask(region),
                _ => PictureEdit::Crop(region),
            };
            edit.add(&mut view.edited.edits);
            return Some(changed(view, shared).into());
        }
        _ => return None,
    };
    pencil.step(right, down);
    Some(Reply::DONE)
}

/// Removes the noise of the last edit, and returns the next stronger noise. The weakest follows the
/// strongest. Without noise in the last edit, returns the second weakest.
fn more_noise(view: &mut PlaygroundView) -> PictureEdit {
    let last = view.edited.edits.last().copied();
    let (sigma, seed) = match last {
        Some(PictureEdit::Noise(noise)) => {
            view.edited.edits.pop();
            let more = NOISE.into_iter().find(|sigma| *sigma > noise.sigma);
            (more.unwrap_or(NOISE[0]), noise.seed)
        }
        _ => (NOISE[1], view.edited.seed.unwrap_or_default()),
    };
    PictureEdit::Noise(Noise { sigma, seed })
}

/// Handles a change of the question. The question is then unsaved, and a new preview is queried.
fn changed(view: &mut PlaygroundView, shared: &AppState) -> Vec<Change> {
    (view.pencil, view.kept, view.trouble) = (None, None, None);
    request_preview(view, shared)
        .into_iter()
        .map(Change::Do)
        .collect()
}

/// Queries the preview of the request.
pub fn request_preview(view: &mut PlaygroundView, shared: &AppState) -> Option<Effect> {
    view.previews += 1;
    let trial = trial(view, shared, view.previews)?;
    Some(Effect::Live(RerunCommand::Preview(Box::new(trial))))
}

fn trial(view: &PlaygroundView, shared: &AppState, ticket: u64) -> Option<Trial> {
    let mut edited = view.edited.clone();
    if view.kept.is_none() {
        UNKEPT.clone_into(&mut edited.name);
    }
    Some(Trial {
        ticket,
        row: view.row?,
        scoring: shared.lens.scoring,
        edited,
        turn_words: view.turn_words,
        models: view
            .models
            .iter()
            .map(|model| model.asked.clone())
            .collect(),
        table: shared.table.clone(),
        request: shared.request.clone(),
    })
}

/// Sends the question to every model.
fn ask(view: &mut PlaygroundView, shared: &AppState) -> Vec<Change> {
    if view.is_asking() {
        return vec![Change::say(
            "the last question is being answered; x stops it",
        )];
    }
    if let Some(why) = &view.refused {
        return vec![Change::Say(visible(why).into_owned())];
    }
    view.keep_answers();
    view.trial += 1;
    let Some(trial) = trial(view, shared, view.trial) else {
        return Vec::new();
    };
    let question = view.summary();
    for model in &mut view.models {
        let spoken = StreamedAnswer::new(&model.asked.model, question.clone());
        model.stage = AnswerStage::Asked(Box::new(spoken));
    }
    view.scrolled = 0;
    // Add the first model last, so that it becomes the most recent model.
    let models = view.models.iter().rev();
    let used = models.map(|model| Change::UsedModel(model.asked.clone()));
    let sent = Effect::Live(RerunCommand::Try(Box::new(trial)));
    used.chain([sent.into()]).collect()
}

/// Opens the input for the field under the cursor.
pub fn edit(view: &mut PlaygroundView, shared: &AppState) -> Vec<Change> {
    let field = view.field;
    if matches!(field, EditField::Logprobs | EditField::Turning) {
        view.turn(field, 1);
        return changed(view, shared);
    }
    vec![input(field, &view.value(field))]
}

/// Opens the input for a field, with a text.
fn input(field: EditField, text: &str) -> Change {
    if field.is_long() {
        return Change::pop_up(MultilineInput::new(field.name(), text));
    }
    let purpose = LinePurpose::Playground(field.name());
    Change::pop_up(TypedLine::new(purpose, text))
}

impl PlaygroundView {
    /// Parses a text and sets a field by its name.
    pub fn set_field(&mut self, shared: &AppState, name: &str, text: &str) -> Vec<Change> {
        let Some(field) = EditField::named(name) else {
            return Vec::new();
        };
        match self.set(field, text) {
            Ok(()) => changed(self, shared),
            Err(why) => {
                self.trouble = Some(why.clone());
                // Open the input again with the invalid text, so that the user can correct it.
                vec![input(field, text), Change::say(visible(&why))]
            }
        }
    }

    /// Saves the edits as a protocol under a name.
    pub fn keep_as(&mut self, shared: &AppState, name: &str) -> Vec<Change> {
        let name = name.trim();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_name) {
            return vec![Change::say("use a name of letters, digits, - and _")];
        }
        name.clone_into(&mut self.edited.name);
        let command = RerunCommand::Keep(Box::new((self.edited.clone(), shared.request.clone())));
        vec![Effect::Live(command).into()]
    }
}

/// Goes to another sample of the list, and keeps the edits.
fn go(view: &mut PlaygroundView, shared: &AppState, step: isize) -> Reply {
    let list = &shared.list;
    let end = list.rows.len().saturating_sub(1);
    let at = list.table.selected.saturating_add_signed(step).min(end);
    let Some(row) = list.rows.get(at).copied() else {
        return Reply::DONE;
    };
    view.go_to(row);
    let mut changes = vec![Change::Select(at)];
    changes.extend(request_preview(view, shared).map(Change::Do));
    changes.into()
}

fn step(view: &mut PlaygroundView, action: Action) -> Reply {
    let fields = EditField::ALL;
    let at = fields.iter().position(|field| *field == view.field);
    let mut at = at.unwrap_or(0);
    let reply = move_cursor(&mut at, fields.len(), PAGE, action);
    view.field = fields.get(at).copied().unwrap_or_default();
    reply
}

fn copied(view: &PlaygroundView) -> Reply {
    let said = view.models.iter().find_map(|model| match &model.stage {
        AnswerStage::Asked(spoken) => Some(spoken.text.clone()),
        AnswerStage::Idle => None,
    });
    match said {
        Some(text) => {
            let text = base::format::visible_lines(&text).into_owned();
            vec![Change::say("copied the answer"), Effect::Copy(text).into()].into()
        }
        None => Reply::say("there is no answer yet"),
    }
}

/// Copies the command that applies the saved protocol to all samples of the lens.
fn command(view: &PlaygroundView, shared: &AppState) -> Reply {
    let (Some(path), Some(model)) = (&view.kept, view.models.first()) else {
        return Reply::say("save the edits as a protocol first (K); the command needs that file");
    };
    let asked = &model.asked;
    let command = engine::CommandLine::new("rerun", &[], &shared.request)
        .scope(&shared.scope(&shared.lens))
        .option("--endpoint", &asked.endpoint)
        .maybe(
            "--model",
            Some(&asked.model).filter(|model| !model.is_empty()),
        )
        .option("--protocol", format!("file:{}", path.display()))
        .option("--out", "rerun");
    Change::copied(command.to_string()).into()
}
