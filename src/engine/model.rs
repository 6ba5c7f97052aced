//! Finds models by their names, or by parts of their names.

use record::Table;

use super::ModelError;

/// Returns the model with exactly this name, or the only model whose name contains the text.
pub fn model(table: &Table, name: &str) -> Result<String, ModelError> {
    let models = table.names().models.values();
    if let Some(model) = models.iter().find(|model| *model == name) {
        return Ok(model.clone());
    }
    let mut alike = models.iter().filter(|model| model.contains(name));
    match (alike.next(), alike.next()) {
        (Some(model), None) => Ok(model.clone()),
        (Some(model), Some(other)) => Err(ModelError::Several {
            name: name.to_owned(),
            models: [model.clone(), other.clone()],
        }),
        (None, _) => Err(ModelError::Unknown {
            name: name.to_owned(),
            near: nearest(models.iter().map(String::as_str), name),
        }),
    }
}

/// Returns the most similar known name.
pub fn nearest<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> Option<String> {
    let likeness = |known: &str| strsim::jaro_winkler(known, name);
    let nearest = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    nearest.map(str::to_owned)
}
