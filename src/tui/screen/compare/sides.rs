//! Which two models are compared.

use crate::app::{App, Effect};

/// A and B: those chosen here, else the first two that were picked, else the lens's model and the best
/// other one.
pub fn models(app: &App) -> Option<[String; 2]> {
    let known = answered(app);
    let chosen = app.compare.chosen.as_ref();
    let chosen = chosen.filter(|(models, picked)| {
        *picked == app.picked && models.iter().all(|model| known.contains(model))
    });
    if let Some((models, _)) = chosen {
        return Some(models.clone());
    }
    let mut wanted: Vec<&String> = app.picked.iter().chain(&app.lens.model).collect();
    wanted.extend(&known);
    wanted.retain(|model| known.contains(model));
    let a = (*wanted.first()?).clone();
    let b = wanted.into_iter().find(|model| **model != a)?.clone();
    Some([a, b])
}

/// The benchmark's models that have samples, best average rank first.
fn answered(app: &App) -> Vec<String> {
    let mut models = app.models();
    let names = &app.table.names().models;
    models.retain(|model| names.find(model.as_str()).is_some());
    models
}

fn choose(app: &mut App, models: [String; 2]) -> Vec<Effect> {
    app.compare.chosen = Some((models, app.picked.clone()));
    app.refresh()
}

/// Keeps comparing these two, whatever the ranks become.
pub fn pin(app: &mut App) {
    if let Some(models) = models(app) {
        app.compare.chosen = Some((models, app.picked.clone()));
    }
}

/// Changes the places of the two.
pub fn swap(app: &mut App) -> Vec<Effect> {
    let Some([a, b]) = models(app) else {
        return Vec::new();
    };
    choose(app, [b, a])
}

/// Takes the next model as B, or, with a step back, as A.
pub fn turn(app: &mut App, step: isize) -> Vec<Effect> {
    let Some([a, b]) = models(app) else {
        return Vec::new();
    };
    let (kept, turned) = if step > 0 { (&a, &b) } else { (&b, &a) };
    let known = answered(app);
    let at = known.iter().position(|model| model == turned);
    let others = known.iter().cycle().skip(at.map_or(0, |at| at + 1));
    let Some(next) = others
        .take(known.len())
        .find(|model| *model != kept)
        .cloned()
    else {
        return Vec::new();
    };
    let models = if step > 0 { [a, next] } else { [next, b] };
    choose(app, models)
}
