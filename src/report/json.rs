//! JSON output without control characters.

use std::io::{self, Write};

use serde::Serialize;

use base::format::EscapeControls;

/// Writes a value as compact JSON with every control character escaped.
///
/// # Errors
/// The writer fails.
pub fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, EscapeControls::default());
    value.serialize(&mut serializer).map_err(io::Error::from)
}
