//! Errors of a `ClickHouse` connection. No message contains the password.

use crate::Halt;
use thiserror::Error;

/// Why a query failed. The caller adds the address of the server to the message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClickHouseError {
    /// The address is malformed. The text describes the error.
    #[error("{0}")]
    Address(&'static str),
    /// The password or user name contains characters that are invalid in an HTTP header.
    #[error("the password or user name contains a character that cannot be sent")]
    Password,
    /// The connection failed: no server at this host and port.
    #[error("no server answers there")]
    Connection,
    /// The server closed the connection before the answer was complete.
    #[error("the connection was closed before the answer was complete")]
    Closed,
    /// The query exceeded `limits.query_time`.
    #[error(
        "no answer within {seconds} s (limits.query_time in the config file); {}",
        fate(*.is_killed)
    )]
    Late {
        /// The limit in seconds.
        seconds: u64,
        /// True if the server accepted the request to kill the query.
        is_killed: bool,
    },
    /// The server reported an exception.
    #[error("{} (code {code}): {said}", meaning(*.code))]
    Refused {
        /// `ClickHouse` error code.
        code: u32,
        /// The server's message, shortened to one line.
        said: String,
    },
    /// An HTTP error that is not a `ClickHouse` exception, for example from a proxy.
    #[error("status {status}, apparently not from a ClickHouse server: {said}")]
    Other {
        /// HTTP status code.
        status: u16,
        /// Start of the response body, on one line.
        said: String,
    },
    /// The answer ends in the middle of a row.
    #[error("the answer ends in the middle of a row and is discarded")]
    Torn,
    /// The answer exceeds the limit for query answers; contains the message.
    #[error("{0}")]
    Huge(String),
    /// The server skips unavailable shards, and this user is not allowed to change that. So rows
    /// could be missing without an error.
    #[error(
        "the server skips nodes that do not answer, and this user may not change that; \
         set skip_unavailable_shards to 0 in its profile, or readonly to 2"
    )]
    Skips,
    /// The user cancelled the query.
    #[error("stopped")]
    Stopped,
    /// The request could not be built or sent, so the server sent no answer.
    #[error("the query failed")]
    Failed,
}

impl ClickHouseError {
    /// Returns true if the same query may succeed when retried at once.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Closed | Self::Connection)
    }

    /// Returns the `ClickHouse` error code of [`Self::Refused`]; `None` for other errors.
    pub const fn code(&self) -> Option<u32> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            _ => None,
        }
    }
}

impl From<Halt> for ClickHouseError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => Self::Stopped,
            Halt::Thread | Halt::Failed => Self::Failed,
        }
    }
}

/// Returns the part of the message that states whether a late query was killed.
const fn fate(is_killed: bool) -> &'static str {
    if is_killed {
        "the query was stopped on the server"
    } else {
        "the query could not be stopped on the server"
    }
}

/// Explains the most common error codes to the user.
const fn meaning(code: u32) -> &'static str {
    match code {
        60 => "a table is missing: nothing was published there",
        81 => "there is no such database",
        158 => "the server's limit on rows to read (max_rows_to_read) is reached",
        159 => "the server's limit on time (max_execution_time) is reached",
        164 => "the user may only read",
        192 | 193 | 194 | 516 => "the server does not accept this user and password",
        202 => "the server has too many queries now",
        209 | 210 | 279 => "a node of the cluster does not answer",
        32 | 33 | 101 | 1000 => "a node failed in the middle of the query",
        241 => "the server's limit on memory (max_memory_usage) is reached",
        243 => "the server's disk is full",
        307 => "the server's limit on bytes to read (max_bytes_to_read) is reached",
        394 => "the query was stopped on the server",
        396 => "the server's limit on the result (max_result_rows, max_result_bytes) is reached",
        497 => "the user lacks a permission",
        _ => "the server refused the query",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_which_limit_and_whose() {
        let said = |code| {
            let said = "DB::Exception".to_owned();
            ClickHouseError::Refused { code, said }.to_string()
        };
        assert!(said(241).contains("limit on memory (max_memory_usage)"));
        assert!(said(159).contains("limit on time") && said(159).contains("(code 159)"));
        assert!(said(999).starts_with("the server refused the query (code 999)"));
        let late = |is_killed| {
            let seconds = 5;
            ClickHouseError::Late { seconds, is_killed }.to_string()
        };
        assert!(late(true).contains("was stopped on the server"));
        assert!(late(false).contains("could not be stopped"));
    }
}
