//! Uploads verdicts to a store. They are first saved locally, and then uploaded as new objects with
//! unique names. No object is overwritten.
//!
//! A mark next to the local file records which part was uploaded, so that the next session uploads
//! the rest. Objects are named by content, so a repeated upload creates no duplicate.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use record::verdict::{ENDING, parse_lines};
use store::{
    Address, Downloader, Environment, InitialPart, Meter, RetryPolicy, StoreError, UploadTarget,
};

use super::verdicts::Audit;

/// Extension of the file that records which part was uploaded.
const PUT: &str = "put";
/// Maximum number of characters of the author's name in an object's name.
const LONGEST_AUTHOR: usize = 40;
/// Read timeout of the store. It can be short, because failed uploads are retried later.
const SILENCE: Duration = Duration::from_secs(10);
/// Maximum number of retries.
const TRIES: u32 = 2;

/// Verdicts of one user that are uploaded to one place in a store.
#[derive(Clone, Debug)]
pub struct UploadQueue {
    address: Address,
    file: PathBuf,
    author: String,
}

/// Returns the address to which verdicts are uploaded; `None` if they are not.
pub fn address(audit: &Audit) -> Option<Address> {
    Address::of(audit.file.as_deref()?)?.ok()
}

impl UploadQueue {
    /// Creates the queue; `None` if verdicts are not uploaded.
    pub fn of(audit: &Audit) -> Option<Self> {
        Some(Self {
            address: address(audit)?,
            file: audit.own(),
            author: audit.author.clone(),
        })
    }

    /// Returns the address to which verdicts are uploaded.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// Uploads new verdicts as one object. Returns the number of uploaded verdicts.
    ///
    /// # Errors
    /// If the upload fails. The message contains the address. The verdicts stay on this machine and
    /// are uploaded the next time.
    pub fn put(&self) -> Result<u64, String> {
        let of_store = |why: StoreError| format!("{}: {why}", self.address);
        let (whole, from) = self.unput()?;
        let (text, count) = words_of(whole.get(from..).unwrap_or_default());
        if count == 0 {
            return Ok(0);
        }
        let place = UploadTarget::reach(&self.address, Environment::of_process(), patience());
        // If the object exists, it has the same content, because its name contains a hash of that.
        // The response to an earlier upload was then lost.
        let created = place.and_then(|place| place.create(&self.name(&text), &text));
        created.map_err(of_store)?;
        let (path, mark) = (self.mark_file(), mark(&whole));
        base::config::write_whole(&path, &mark)
            .map_err(|why| format!("{}: {why}", path.display()))?;
        Ok(count)
    }

    /// Returns the number of verdicts that are not uploaded yet.
    pub fn waiting(&self) -> u64 {
        let unput = self.unput();
        unput.map_or(0, |(whole, from)| {
            words_of(whole.get(from..).unwrap_or_default()).1
        })
    }

    /// Returns the complete lines of the file, and the offset of the first line that is not
    /// uploaded.
    fn unput(&self) -> Result<(Vec<u8>, usize), String> {
        let mut whole = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(format!("{}: {error}", self.file.display())),
        };
        let end = whole.iter().rposition(|byte| *byte == b'\n');
        whole.truncate(end.map_or(0, |end| end + 1));
        let known = fs::read_to_string(self.mark_file()).unwrap_or_default();
        let bytes: Option<usize> = known.split_whitespace().next().and_then(|n| n.parse().ok());
        let put = bytes.and_then(|bytes| whole.get(..bytes));
        // If the file was replaced, none of its lines was uploaded.
        let from = put.filter(|put| mark(put) == known).map_or(0, <[u8]>::len);
        Ok((whole, from))
    }

    fn mark_file(&self) -> PathBuf {
        self.file.with_extension(PUT)
    }

    fn name(&self, text: &[u8]) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let author: String = self
            .author
            .chars()
            .take(LONGEST_AUTHOR)
            .map(plain)
            .collect();
        let hash = blake3::hash(text).to_hex();
        let hash = hash.get(..16).unwrap_or_default();
        format!("{}-{hash}{ENDING}", author.trim_matches('-'))
    }
}

/// Downloads other people's verdicts below an address. Returns the number of new objects.
///
/// # Errors
/// If the download fails; the message contains the address. Existing copies are kept.
pub fn fetch(address: &Address, meter: &Meter, stop: &dyn Fn() -> bool) -> Result<u64, String> {
    let bring = Downloader::usual(are_verdicts).map(|bring| Downloader {
        patience: patience(),
        ..bring
    });
    let mut go_on = |_| {
        if stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    match bring.and_then(|bring| bring.refresh(address, meter, &mut go_on)) {
        Ok(brought) => match brought.troubles.first() {
            None => Ok(brought.fetched),
            Some(first) => Err(format!("{}: {}", first.address, first.why)),
        },
        // There are no verdicts yet.
        Err(StoreError::Absent | StoreError::Unwanted(_) | StoreError::Stopped) => Ok(0),
        Err(why) => Err(format!("{address}: {why}")),
    }
}

fn are_verdicts(paths: &[&Path]) -> Vec<InitialPart> {
    let first = |path: &&Path| {
        if path.to_string_lossy().ends_with(ENDING) {
            InitialPart::Whole
        } else {
            InitialPart::Nothing
        }
    };
    paths.iter().map(first).collect()
}

fn patience() -> RetryPolicy {
    RetryPolicy {
        silence: SILENCE,
        tries: TRIES,
        ..RetryPolicy::default()
    }
}

/// Returns the lines that are verdicts, and their number.
fn words_of(lines: &[u8]) -> (Vec<u8>, u64) {
    let (mut text, mut count) = (Vec::new(), 0);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        if !parse_lines(line).0.is_empty() {
            text.extend_from_slice(line);
            count += 1;
        }
    }
    (text, count)
}

/// Formats a mark: length and hash of the part that was uploaded.
fn mark(put: &[u8]) -> String {
    format!("{} {}\n", put.len(), blake3::hash(put).to_hex())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::verdict::{Entry, SampleKey, Verdict, append};

    fn queue(folder: &Path) -> UploadQueue {
        let audit = Audit {
            file: Some("s3://team/words/".into()),
            author: "Ada L. <x>".to_owned(),
            state: Some(folder.to_path_buf()),
            ..Audit::default()
        };
        UploadQueue::of(&audit).unwrap()
    }

    fn keep(queue: &UploadQueue, id: &str) {
        let sample = SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        };
        fs::create_dir_all(queue.file.parent().unwrap()).unwrap();
        append(
            &queue.file,
            &Entry::now(sample, Verdict::Ok, "", "Ada L. <x>"),
        )
        .unwrap();
    }

    #[test]
    fn what_was_put_is_not_put_again_and_another_file_is() {
        let folder = tempfile::tempdir().unwrap();
        let queue = queue(folder.path());
        assert_eq!(queue.waiting(), 0);
        keep(&queue, "1");
        keep(&queue, "2");
        assert_eq!(queue.waiting(), 2);
        let (whole, from) = queue.unput().unwrap();
        assert_eq!(from, 0);
        fs::write(queue.mark_file(), mark(&whole)).unwrap();
        assert_eq!(queue.waiting(), 0);
        keep(&queue, "3");
        assert_eq!(queue.waiting(), 1);
        fs::remove_file(&queue.file).unwrap();
        keep(&queue, "4");
        let mut torn = fs::read(&queue.file).unwrap();
        torn.extend_from_slice(b"{\"torn\n");
        fs::write(&queue.file, torn).unwrap();
        assert_eq!(queue.waiting(), 1, "the torn line is no verdict");
        let name = queue.name(b"x");
        assert!(
            name.starts_with("Ada-L---x-") && name.ends_with(ENDING),
            "{name}"
        );
    }

    #[test]
    fn files_of_this_machine_go_to_no_store() {
        let audit = Audit {
            file: Some("own.verdicts.jsonl".into()),
            ..Audit::default()
        };
        assert!(UploadQueue::of(&audit).is_none());
    }
}
