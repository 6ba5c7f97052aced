//! Models that answer within the program, without a server, under names like `builtin:hog`.
//!
//! This crate contains the models that answer from reference data. Others, such as trained
//! encoders, are registered once at program start, because this crate must not depend on them.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use super::model::Model;
use super::reference_model::ReferenceModel;

/// Prefix of the names of these models.
pub const SCHEME: &str = "builtin:";

/// Provider of built-in models from another part of the program.
pub trait LocalModels: Debug + Send + Sync {
    /// Returns the names of the models, without the prefix.
    fn names(&self) -> Vec<&'static str>;

    /// Returns the model with a name. It answers `at_once` questions at the same time; `None` for
    /// the number of processors.
    fn open(&self, name: &str, at_once: Option<usize>) -> Option<Arc<dyn Model>>;
}

static REGISTERED: OnceLock<&'static dyn LocalModels> = OnceLock::new();

/// Registers models under their names. Only the first call has an effect.
pub fn register(models: &'static dyn LocalModels) {
    let _ = REGISTERED.set(models);
}

/// Returns the registered models as endpoints.
pub fn registered_models() -> impl Iterator<Item = String> {
    let names = REGISTERED.get().map(|models| models.names());
    let names = names.into_iter().flatten();
    names.map(|name| format!("{SCHEME}{name}"))
}

/// Returns all models that need no server, as endpoints.
pub fn local_models() -> impl Iterator<Item = String> {
    registered_models().chain(ReferenceModel::names())
}

/// Returns the name of the model behind an endpoint that needs no server.
pub fn local_model(endpoint: &str) -> Option<String> {
    let name = endpoint.strip_prefix(SCHEME)?;
    local_models()
        .any(|known| known == endpoint)
        .then(|| name.to_owned())
}

/// Opens the model behind an endpoint that needs no server.
pub(super) fn open(endpoint: &str, at_once: Option<usize>) -> Option<Arc<dyn Model>> {
    if let Some(reference) = ReferenceModel::named(endpoint) {
        return Some(Arc::new(reference.at_once(at_once)));
    }
    let name = endpoint.strip_prefix(SCHEME)?;
    REGISTERED.get()?.open(name, at_once)
}
