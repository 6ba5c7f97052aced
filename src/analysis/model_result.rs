//! Computes standing and rank of each model by the measures of a group.

use super::measure::{Measure, MeasureOptions, measures};
use super::ranking::Placement;
use super::standing::{Depth, Standing, standings};
use super::{Group, Selection};

/// Standing and placement of a model in one measure of a group.
pub struct ModelResult {
    /// Code of the model in the table.
    pub code: usize,
    /// Model name in the table.
    pub model: String,
    /// Number of answers that could not be read.
    pub invalid: u64,
    /// Score with interval and counts.
    pub standing: Standing,
    /// Placement among the ranked models.
    pub placement: Placement,
}

/// Returns no placements; for callers that do not rank.
pub fn no_place(_: &Measure, _: &[Standing]) -> Vec<Placement> {
    Vec::new()
}

/// Calls `row` for each measure of a group and each model that answered, and collects the results.
pub fn standings_of<T>(
    selection: Selection<'_>,
    group: &Group,
    wanted: MeasureOptions,
    depth: Depth,
    place: impl Fn(&Measure, &[Standing]) -> Vec<Placement>,
    row: impl Fn(&Measure, ModelResult) -> T,
) -> Vec<T> {
    let depth = match selection.selected_by {
        Some(_) => Depth::Scores,
        None => depth,
    };
    let models = selection.table.names().models.values();
    let (present, invalid) = presence(selection, &group.rows, models.len());
    let mut found = Vec::new();
    if !selection.ticket.is_wanted() {
        return found;
    }
    for measure in measures(selection, group, wanted) {
        let standings = standings(&measure, models.len(), depth, selection.ticket);
        let places = place(&measure, &standings);
        let answered = present.iter().zip(&invalid);
        let answered = answered.map(|(is_present, invalid)| is_present.then_some(*invalid));
        let stand = model_results(models, answered, standings, places);
        found.extend(stand.map(|placed| row(&measure, placed)));
    }
    found
}

/// Pairs the models that answered with their results. `answered` yields the number of unreadable
/// answers of each model, or `None` if it did not answer.
pub fn model_results(
    models: &[String],
    answered: impl Iterator<Item = Option<u64>>,
    standings: Vec<Standing>,
    mut places: Vec<Placement>,
) -> impl Iterator<Item = ModelResult> {
    places.resize(models.len(), Placement::default());
    let stands = standings.into_iter().zip(places);
    let stands = models.iter().enumerate().zip(answered).zip(stands);
    stands.filter_map(|(((code, model), invalid), (standing, placement))| {
        Some(ModelResult {
            code,
            model: model.clone(),
            invalid: invalid?,
            standing,
            placement,
        })
    })
}

/// Returns for each model whether it answered, and how many of its answers could not be read.
fn presence(selection: Selection<'_>, rows: &[u32], models: usize) -> (Vec<bool>, Vec<u64>) {
    let (mut present, mut invalid) = (vec![false; models], vec![0; models]);
    let (of, flags, flag) = (
        selection.table.model_of(),
        selection.table.flags(),
        selection.scoring.invalid_flag(),
    );
    for &row in rows {
        let model = of
            .get(row as usize)
            .copied()
            .map_or(usize::MAX, usize::from);
        if let (Some(present), Some(invalid)) = (present.get_mut(model), invalid.get_mut(model)) {
            *present = true;
            *invalid += u64::from(
                flags
                    .get(row as usize)
                    .is_some_and(|flags| flags & flag != 0),
            );
        }
    }
    (present, invalid)
}
