//! Objects of stores, and the timeouts and retries for requesting them.

use std::time::{Duration, SystemTime};

use base::limits::Limit;
use bytes::Bytes;
use futures_util::stream::BoxStream;

use super::StoreError;

/// Timeouts and retries for a store.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Read timeout: a request is retried after this time without a byte.
    pub silence: Duration,
    /// Maximum number of consecutive retries without progress.
    pub tries: u32,
    /// Delay before the first retry. It doubles with each retry.
    pub pause: Duration,
    /// Number of parallel downloads.
    pub at_once: usize,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(Limit::StoreSilence.get()),
            tries: u32::try_from(Limit::StoreRetries.get()).unwrap_or(u32::MAX),
            pause: Duration::from_millis(250),
            at_once: 16,
        }
    }
}

impl RetryPolicy {
    /// Returns the delay before a retry. `attempt` counts from 1.
    pub(crate) fn before(self, attempt: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1).min(8));
        self.pause.saturating_mul(doubled)
    }

    /// Adds the read timeout to the message of a timeout error.
    pub(crate) fn with_timeout(self, error: StoreError) -> StoreError {
        match error {
            StoreError::Silent(_) => StoreError::Silent(self.silence.as_secs()),
            other => other,
        }
    }
}

/// One object of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Key of the object in the store.
    pub key: String,
    /// Length in bytes, if known before the download.
    pub length: Option<u64>,
    /// Version of the content, if known.
    pub etag: Option<String>,
    /// Modification time, if known.
    pub modified: Option<SystemTime>,
    /// Etag of the existing copy, sent to the store when the listing has none.
    pub known: Option<String>,
}

/// Byte stream of an object.
pub(crate) struct Body {
    /// The object as described by the response headers.
    pub entry: Entry,
    /// Offset of the first byte: the requested offset, or 0 if the store ignored it.
    pub from: u64,
    /// Stream of the bytes.
    pub bytes: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// Returns a modification time; `None` if it is in the future.
pub(crate) fn past(time: Option<SystemTime>) -> Option<SystemTime> {
    time.filter(|time| *time <= SystemTime::now())
}
