//! What earlier responses taught about an endpoint.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::openai::TokenField;

/// What earlier responses taught: the name of the token limit field for an endpoint and model, swapped at most once,
/// when the server asks for it; and whether it knows schemas.
#[derive(Debug)]
pub struct Quirks {
    state: Mutex<(TokenField, bool)>,
    refuses_schema: AtomicBool,
}

impl Quirks {
    /// Starts with a field; `fixed` if the user chose it.
    pub const fn new(field: TokenField, fixed: bool) -> Self {
        Self {
            state: Mutex::new((field, fixed)),
            refuses_schema: AtomicBool::new(false),
        }
    }

    /// Returns true if the server has refused a schema before.
    pub fn refuses_schema(&self) -> bool {
        self.refuses_schema.load(Ordering::Relaxed)
    }

    /// Called when the server refused a schema.
    pub fn refuse_schema(&self) {
        self.refuses_schema.store(true, Ordering::Relaxed);
    }

    /// The field to send.
    pub fn field(&self) -> TokenField {
        self.state
            .lock()
            .map_or_else(|poisoned| poisoned.into_inner().0, |state| state.0)
    }

    /// Called when the server rejected `sent`: returns true if another name is to be tried.
    pub fn swap(&self, sent: TokenField) -> bool {
        let Ok(mut state) = self.state.lock() else {
            return false;
        };
        if state.0 != sent {
            // Another request has swapped it meanwhile.
            return true;
        }
        if state.1 {
            return false;
        }
        *state = (sent.other(), true);
        true
    }
}
