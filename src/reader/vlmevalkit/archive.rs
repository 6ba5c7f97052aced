//! Checks that a workbook can be decompressed in bounded memory.
//!
//! A workbook is a ZIP archive, so a few bytes on disk can become gigabytes in memory.
//! Decompression fails if an entry is larger than the size it declares. It is therefore sufficient
//! to check the sum of the declared sizes. calamine also allocates as many shared strings as the
//! workbook declares.

use std::io::{BufReader, Read};
use std::path::Path;

use base::limits::Limit;
use zip::ZipArchive;
use zip::read::ZipFile;

use crate::open::{LogFile, open};

/// Minimum length of the XML of a shared string, in bytes.
const SHORTEST: u64 = 4;

/// Checks that a workbook can be decompressed.
///
/// # Errors
/// If the archive is damaged or too large.
pub fn check(path: &Path) -> Result<(), String> {
    let file = open(path).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(BufReader::new(file))
        .map_err(|error| format!("not a workbook: {error}"))?;
    let mut size = 0_u64;
    for number in 0..archive.len() {
        let entry = archive
            .by_index(number)
            .map_err(|error| error.to_string())?;
        size = size.saturating_add(entry.size());
        let name = entry.name().map_err(|error| error.to_string())?;
        if name.to_ascii_lowercase().ends_with("sharedstrings.xml") {
            check_strings(entry)?;
        }
    }
    if size > Limit::Workbook.get() {
        return Err(Limit::Workbook.message());
    }
    Ok(())
}

fn check_strings(entry: ZipFile<'_, BufReader<LogFile>>) -> Result<(), String> {
    let room = entry.size() / SHORTEST;
    let mut head = Vec::new();
    entry
        .take(4096)
        .read_to_end(&mut head)
        .map_err(|error| error.to_string())?;
    match claimed(&head) {
        Some(count) if count > room => Err(format!(
            "the workbook declares {count} strings, more than fit in it"
        )),
        _ => Ok(()),
    }
}

/// Returns the declared number of shared strings. A number with too many digits counts as the
/// maximum.
fn claimed(head: &[u8]) -> Option<u64> {
    let at = memchr::memmem::find(head, b"uniqueCount=")?;
    let digits = head
        .get(at + 13..)?
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let digits: String = digits.map(|byte| char::from(*byte)).collect();
    Some(digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
pub mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::{Limit, check, claimed};

    /// Builds a ZIP archive with these entries. `declared` replaces the sizes in the archive's
    /// directory.
    pub fn archive(entries: &[(&str, &str)], declared: Option<u32>) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        let mut bytes = writer.finish().unwrap().into_inner();
        if let Some(size) = declared {
            let headers: Vec<usize> = memchr::memmem::find_iter(&bytes, b"PK\x01\x02").collect();
            for at in headers {
                bytes[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
            }
        }
        bytes
    }

    fn checked(bytes: &[u8]) -> Result<(), String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        check(file.path())
    }

    #[test]
    fn an_archive_that_would_unpack_to_gigabytes_is_refused() {
        let entries: &[(&str, &str)] = &[("xl/workbook.xml", "<a/>"), ("xl/b.xml", "<b/>")];
        assert_eq!(checked(&archive(entries, None)), Ok(()));
        let half = u32::try_from(Limit::Workbook.default() / 2 + 1).unwrap();
        assert!(checked(&archive(entries, Some(half))).is_err());
        assert!(checked(b"PK\x03\x04 and nothing else").is_err());
    }

    #[test]
    fn strings_that_are_claimed_but_not_there_are_refused() {
        assert_eq!(claimed(b"<sst uniqueCount=\"12\">"), Some(12));
        let book = |count: &str| {
            archive(
                &[(
                    "xl/sharedStrings.xml",
                    &format!("<sst uniqueCount=\"{count}\"/>"),
                )],
                None,
            )
        };
        assert_eq!(checked(&book("1")), Ok(()));
        assert!(checked(&book("99999999999")).is_err());
    }
}
