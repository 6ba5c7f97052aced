//! What earlier responses taught about an endpoint.

use std::sync::Mutex;

use super::openai::TokenField;

/// The name of the token limit field for an endpoint and model; swapped at most once, when the server asks for it.
#[derive(Debug)]
pub struct Quirks {
    state: Mutex<(TokenField, bool)>,
}

impl Quirks {
    /// Starts with a field; `fixed` if the user chose it.
    pub const fn new(field: TokenField, fixed: bool) -> Self {
        Self {
            state: Mutex::new((field, fixed)),
        }
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
