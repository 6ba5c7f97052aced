//! Names of columns and of their models.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::asked::free_label;
use crate::{RunSpec, Temperature, model_named};
use base::config::Settings;
use record::Table;

use workspace::load::Request;

/// Returns the name of each column: the parts in which it differs. Empty for a single column.
pub fn column_names(columns: &[RunSpec], settings: &Settings) -> Vec<String> {
    let parts = |spec: &RunSpec| {
        let temperature = match spec.temperature {
            Temperature::Usual => "usual temperature".to_owned(),
            Temperature::Unsent => "server's temperature".to_owned(),
            Temperature::At(temperature) => format!("temperature {temperature}"),
        };
        let [endpoint, model, protocol] = way_parts(spec, settings);
        // Omit the model if it has the endpoint's name.
        let model = Some(model).filter(|model| *model != endpoint);
        [endpoint, model.unwrap_or_default(), protocol, temperature]
    };
    let parts: Vec<[String; 4]> = columns.iter().map(parts).collect();
    telling(&parts)
}

/// Names columns by the parts that differ between them.
fn telling<const N: usize>(parts: &[[String; N]]) -> Vec<String> {
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
pub fn way_parts(spec: &RunSpec, settings: &Settings) -> [String; 3] {
    let model = model_named(&spec.endpoint, spec.model.as_deref(), settings);
    let endpoint = crate::client::without_secrets(&spec.endpoint);
    let bare = endpoint
        .split_once("://")
        .map_or(&*endpoint, |(_, bare)| bare);
    let model = model.filter(|model| !bare.ends_with(&format!(":{model}")));
    [
        bare.to_owned(),
        model.unwrap_or_default(),
        spec.protocol.name(),
    ]
}

/// Adds new runs to the opened paths. The logs come first, because they show which samples share a
/// picture even if it was modified.
pub(super) fn with_runs(opened: &Request, runs: Vec<PathBuf>) -> Request {
    Request {
        paths: opened.paths.iter().cloned().chain(runs).collect(),
        ..opened.clone()
    }
}

/// Returns a free name for a column's answers: the model's name. If several columns are `asking`
/// the same model, the column's name is added.
pub(super) fn column_label(table: &Table, model: &str, column: &str, asking: usize) -> String {
    match asking {
        0 | 1 => free_label(table, model),
        _ if column.contains(model) => free_label(table, column),
        _ => free_label(table, &format!("{model} ({column})")),
    }
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
