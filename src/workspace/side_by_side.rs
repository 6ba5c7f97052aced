//! Names and compares runs that are asked side by side.

use std::collections::BTreeSet;
use std::path::PathBuf;

use analysis::{Comparison, Selection, Terms, Threshold, adjust_together, compare};
use config::Settings;
use record::Table;
use rerun::{Protocol, model_named};

use super::asked::free_label;
use super::filter::is;
use super::load::Request;
use super::sides::{NamedSides, SideError};

/// Names columns by the parts that differ between them.
#[must_use]
pub fn telling<const N: usize>(parts: &[[String; N]]) -> Vec<String> {
    let tells = |at: usize| {
        let values: BTreeSet<&String> = parts.iter().map(|parts| &parts[at]).collect();
        values.len() > 1
    };
    let name = |parts: &[String; N]| {
        let told = (0..N).filter(|at| tells(*at)).map(|at| parts[at].as_str());
        let told: Vec<&str> = told.filter(|part| !part.is_empty()).collect();
        told.join(" ")
    };
    parts.iter().map(name).collect()
}

/// Returns the parts that identify a way of asking: endpoint without secrets, model, and protocol.
/// A built-in encoder has no separate model name.
#[must_use]
pub fn way_parts(
    endpoint: &str,
    model: Option<&str>,
    protocol: &Protocol,
    settings: &Settings,
) -> [String; 3] {
    let model = model_named(endpoint, model, settings);
    let endpoint = client::without_secrets(endpoint);
    let bare = endpoint
        .split_once("://")
        .map_or(&*endpoint, |(_, bare)| bare);
    let model = model.filter(|model| !bare.ends_with(&format!(":{model}")));
    [bare.to_owned(), model.unwrap_or_default(), protocol.name()]
}

/// Adds new runs to the opened paths. The logs come first, because they show which samples share a
/// picture even if it was modified.
#[must_use]
pub fn with_runs(opened: &Request, runs: Vec<PathBuf>) -> Request {
    Request {
        paths: opened.paths.iter().cloned().chain(runs).collect(),
        ..opened.clone()
    }
}

/// Returns a free name for a column's answers: the model's. If several columns are `asking` the
/// same model, the column's name is added.
#[must_use]
pub fn column_label(table: &Table, model: &str, column: &str, asking: usize) -> String {
    match asking {
        0 | 1 => free_label(table, model),
        _ if column.contains(model) => free_label(table, column),
        _ => free_label(table, &format!("{model} ({column})")),
    }
}

/// Compares each pair of models on the samples that both answered; unknown models are left out.
/// Pairs samples, not conditions, which may differ between models. p values are adjusted over all
/// pairs and abilities.
///
/// # Errors
/// A name does not select a side.
pub fn each_pair(
    held: Selection<'_>,
    models: &[String],
) -> Result<Vec<([String; 2], Comparison)>, SideError> {
    let Selection { table, scoring, .. } = held;
    let known = table.names().models.values();
    let models: Vec<&String> = models.iter().filter(|name| known.contains(name)).collect();
    let mut pairs = Vec::new();
    for (at, a) in models.iter().enumerate() {
        for b in models.iter().skip(at + 1) {
            let [one, other] = [a, b].map(|name| is("model", name, known));
            let sides = NamedSides::find([&one, &other], table, scoring, held.mask)?;
            let terms = Terms::of(Threshold::None);
            let found = compare(sides.sides(held), &[], terms);
            pairs.push(([(*a).clone(), (*b).clone()], found));
        }
    }
    let mut shown: Vec<_> = pairs.iter_mut().map(|(_, found)| found).collect();
    adjust_together(&mut shown);
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_called_by_what_tells_them_apart() {
        let parts = |endpoint: &str, model: &str, protocol: &str| {
            [endpoint, model, protocol].map(str::to_owned)
        };
        let names = telling(&[parts("a", "m", "blind"), parts("b", "", "blind")]);
        assert_eq!(names, ["a m", "b"]);
        assert_eq!(telling(&[parts("a", "m", "blind")]), [""]);
    }

    #[test]
    fn models_of_several_columns_are_told_apart() {
        let table = Table::default();
        let label = |column, asking| column_label(&table, "seer", column, asking);
        assert_eq!(label("blind", 1), "seer");
        assert_eq!(label("blind", 2), "seer (blind)");
        assert_eq!(label("t seer blind", 2), "t seer blind");
    }
}
