//! Eyechart's own log format: one prediction per line, in files named `*.eyechart.jsonl`.
//!
//! Reading this format is fast. Each line is scanned once, long texts are not copied, and the
//! content of a sample is parsed only when it first occurs. Records of other formats are stored as
//! lines of this format, so that their texts can be read again.

mod asked;
mod chunk;
mod items;
mod line;
mod metadata;
mod origin;
mod pipeline;
mod raw;
mod scan;
mod sent;
mod shapes;
mod write;
mod wrong;

pub use asked::asked;
pub use chunk::{Chunk, RawRow, RawScore, RowContext};
pub use items::{Items, NOBODY};
pub use line::{Line, labels, parse_asked, parse_line, parse_record, response_of};
pub use metadata::Metadata;
pub use raw::whole;
pub use write::{fields, write_item, write_labels, write_metadata, write_record, write_value};

use super::{Candidate, Unit, json_rows};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "eyechart";

reader! {
    /// Reader of Eyechart's own logs.
    EyechartLogs, FORMAT, |files, context| Unit::singles(files, FORMAT, context, is_own), |unit, _, from, sink| {
        pipeline::read(unit, from.unwrap_or(crate::lines::START), sink);
    }
}

/// True for a log of this format. It has the usual file name, or one of the first lines is an
/// object with the format's keys. Documents whose rows span several lines are excluded.
fn is_own(file: &Candidate) -> bool {
    (file.name().to_lowercase().ends_with(".eyechart.jsonl") || has_own_line(file))
        && !json_rows::is_rows(file)
}

fn has_own_line(file: &Candidate) -> bool {
    let head = file.head();
    let mut lines = head.split(|&byte| byte == b'\n').take(8);
    lines.any(|line| {
        let line = line.trim_ascii();
        let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
        let is_told = has(b"\"figure\"") || has(b"\"run_settings\"");
        line.starts_with(b"{") && is_told && has(b"\"model\"")
            || line.starts_with(b"{")
                && has(b"\"sample_id\"")
                && has(b"\"ability\"")
                && (has(b"\"model\"") || has(b"\"response\"") || has(b"\"score\""))
    })
}
