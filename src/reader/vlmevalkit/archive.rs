//! Whether a workbook can be unpacked in bounded memory.
//!
//! A workbook is a zip archive: a few bytes on disk can become gigabytes in memory. Unpacking stops
//! with an error where an entry exceeds its declared size, so checking the declared sum bounds it;
//! but calamine also reserves room for as many shared strings as the sheet claims to have.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFile;

/// More than any real table needs.
pub const LIMIT: u64 = 512 << 20;
/// The shortest shared string takes more bytes of XML than this.
const SHORTEST: u64 = 4;

/// Fails if the archive is damaged or too large to be unpacked.
pub fn check(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| format!("not a workbook: {error}"))?;
    let mut size = 0_u64;
    for number in 0..archive.len() {
        let entry = archive.by_index(number).map_err(|error| error.to_string())?;
        size = size.saturating_add(entry.size());
        let name = entry.name().map_err(|error| error.to_string())?;
        if name.to_ascii_lowercase().ends_with("sharedstrings.xml") {
            check_strings(entry)?;
        }
    }
    if size > LIMIT {
        return Err(format!("the workbook would unpack to {size} bytes; at most {LIMIT} are read"));
    }
    Ok(())
}

fn check_strings(entry: ZipFile<'_, BufReader<File>>) -> Result<(), String> {
    let room = entry.size() / SHORTEST;
    let mut head = Vec::new();
    entry.take(4096).read_to_end(&mut head).map_err(|error| error.to_string())?;
    match claimed(&head) {
        Some(count) if count > room => Err(format!("the workbook claims {count} strings, more than it has room for")),
        _ => Ok(()),
    }
}

/// The number of strings that the head of the list claims; more digits than a number holds are too many.
fn claimed(head: &[u8]) -> Option<u64> {
    let at = memchr::memmem::find(head, b"uniqueCount=")?;
    let digits = head.get(at + 13..)?.iter().take_while(|byte| byte.is_ascii_digit());
    let digits: String = digits.map(|byte| char::from(*byte)).collect();
    Some(digits.parse().unwrap_or(u64::MAX))
}
