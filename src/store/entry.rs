//! Objects of stores, and how patiently they are requested.

use std::time::{Duration, SystemTime};

use base::limits::Limit;
use bytes::Bytes;
use futures_util::stream::BoxStream;

use super::StoreError;

/// Timeouts and retries for a store.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Read timeout: time without a byte before a request is retried.
    pub silence: Duration,
    /// Number of retries without progress.
    pub tries: u32,
    /// Delay before the first retry; doubles each time.
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
    /// Returns the delay before a retry, counted from 1.
    pub(crate) fn before(self, attempt: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1).min(8));
        self.pause.saturating_mul(doubled)
    }

    /// Adds the waiting time to a timeout error.
    pub(crate) fn told(self, error: StoreError) -> StoreError {
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

/// Bytes of an object as a stream.
pub(crate) struct Body {
    /// The object as described by the response.
    pub entry: Entry,
    /// Offset of the first byte: the requested one, or 0.
    pub from: u64,
    /// Stream of the bytes.
    pub bytes: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// Drops a modification time that lies in the future.
pub(crate) fn past(time: Option<SystemTime>) -> Option<SystemTime> {
    time.filter(|time| *time <= SystemTime::now())
}
