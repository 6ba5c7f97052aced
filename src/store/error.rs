//! Errors of stores. Their messages contain no credentials and no signed addresses.

use object_store::client::{HttpError, HttpErrorKind};
use thiserror::Error;

use super::runtime::Halt;

/// Maximum number of characters of a server's error code.
const LONGEST_CODE: usize = 60;

/// Why a store request failed. The caller adds the address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The address is invalid.
    #[error("{0}")]
    Address(&'static str),
    /// The object does not exist.
    #[error("not found")]
    Absent,
    /// The object was replaced repeatedly during the download.
    #[error("it was replaced repeatedly while it was fetched")]
    Replaced,
    /// The object to create already exists.
    #[error("it already exists and is not overwritten")]
    Exists,
    /// The credentials have expired.
    #[error("the credentials have expired ({0}); renew them and open it again")]
    Expired(String),
    /// The store does not accept the credentials.
    #[error("the store does not accept these credentials ({0})")]
    Wrong(String),
    /// The store denies access.
    #[error("the store refuses access ({0})")]
    Denied(String),
    /// The store is overloaded or failing.
    #[error("the store is not available now ({0}), even after retries")]
    Busy(String),
    /// The store sent nothing for this many seconds.
    #[error("no data from the store for {0} s")]
    Silent(u64),
    /// The connection broke before the end of an answer.
    #[error("the store's answer ended early, even after retries")]
    Cut,
    /// The store redirects to a host that the user did not name.
    #[error("it redirects to {0}, which is not followed: open that address if you trust it")]
    Redirected(String),
    /// The bucket is in another region than configured.
    #[error("the bucket is in region {0}: set AWS_REGION")]
    Region(String),
    /// The store cannot be reached.
    #[error("no connection to the store")]
    Connection,
    /// The object's length differs from the length in the listing.
    #[error("received {found} bytes, but the store's listing has {expected}")]
    Length {
        /// Number of bytes received.
        found: u64,
        /// Number of bytes in the listing.
        expected: u64,
    },
    /// The store's listing is invalid.
    #[error("its listing cannot be read: {0}")]
    Listing(String),
    /// The name of the object cannot be requested.
    #[error(
        "its name is too long, or has an empty part, `.`, `..` or a character that file names cannot have, so it cannot be fetched"
    )]
    Name,
    /// The listing contains no log.
    #[error("there is no log among {0}")]
    Unwanted(String),
    /// A size limit would be exceeded.
    #[error("{0}")]
    Full(String),
    /// The cache cannot be written.
    #[error("the cache cannot be written: {0}")]
    Disk(String),
    /// The store cannot send parts of an object.
    #[error("the store cannot send parts of it")]
    NoParts,
    /// The copy is up to date.
    #[error("it is unchanged")]
    Unchanged,
    /// The user cancelled the request.
    #[error("stopped")]
    Stopped,
    /// Any other failure.
    #[error("{0}")]
    Other(String),
}

impl From<Halt> for StoreError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => Self::Stopped,
            Halt::Thread => Self::Other("the system cannot start a thread".to_owned()),
            Halt::Failed => Self::Other("fetching failed".to_owned()),
        }
    }
}

impl StoreError {
    /// Returns true if a retry may succeed.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Busy(_) | Self::Silent(_) | Self::Cut | Self::Connection | Self::Length { .. }
        )
    }

    /// Converts the status and the body of an error response.
    pub(crate) fn answered(status: u16, body: &str) -> Self {
        let code = code_in(body).unwrap_or_default();
        let told = match (status, code.as_str()) {
            (0, code) => code.to_owned(),
            (status, "") => status.to_string(),
            (status, code) => format!("{status} {code}"),
        };
        match code.as_str() {
            "ExpiredToken" | "ExpiredTokenException" | "TokenRefreshRequired" => {
                return Self::Expired(told);
            }
            "InvalidAccessKeyId"
            | "SignatureDoesNotMatch"
            | "InvalidToken"
            | "AuthenticationFailed"
            | "AuthorizationHeaderMalformed" => return Self::Wrong(told),
            "SlowDown" | "InternalError" | "ServiceUnavailable" | "RequestTimeout"
            | "ServerBusy" => {
                return Self::Busy(told);
            }
            "NoSuchBucket" | "NoSuchKey" => return Self::Absent,
            _ => {}
        }
        match status {
            304 => Self::Unchanged,
            401 => Self::Wrong(told),
            403 => Self::Denied(told),
            404 | 410 => Self::Absent,
            409 => Self::Exists,
            412 => Self::Replaced,
            416 => Self::NoParts,
            408 | 429 | 500 | 502..=599 => Self::Busy(told),
            _ => Self::Other(format!("the store returned {told}")),
        }
    }

    /// Converts an error of the `object_store` crate. Its text may contain addresses and bodies, so
    /// it is not repeated.
    pub(crate) fn of_store(error: &object_store::Error) -> Self {
        if let Some(own) = Self::within(error) {
            return own;
        }
        let text = error.to_string();
        let (status, body) = status_in(&text);
        let known = Self::answered(status, body);
        if !matches!(known, Self::Other(_)) {
            return known;
        }
        if text.contains("non-partial response")
            || text.contains("Content-Range")
            || text.contains(", got ")
        {
            return Self::NoParts;
        }
        match error {
            object_store::Error::NotFound { .. } => Self::Absent,
            object_store::Error::Precondition { .. } => Self::Replaced,
            object_store::Error::AlreadyExists { .. } => Self::Exists,
            object_store::Error::PermissionDenied { .. } => Self::Denied("403".to_owned()),
            object_store::Error::Unauthenticated { .. } => Self::Wrong("401".to_owned()),
            object_store::Error::InvalidPath { .. } => odd_name(),
            _ => Self::of_transport(error).unwrap_or(if status == 0 {
                unknown(&text)
            } else {
                known
            }),
        }
    }

    /// Returns the store error wrapped in an error of the crate; `None` if there is none.
    fn within(error: &object_store::Error) -> Option<Self> {
        causes(error).find_map(|cause| cause.downcast_ref::<Self>().cloned())
    }

    /// Returns the transport failure among the causes; `None` if there is none.
    fn of_transport(error: &object_store::Error) -> Option<Self> {
        causes(error).find_map(|cause| {
            if let Some(http) = cause.downcast_ref::<HttpError>() {
                return Some(match http.kind() {
                    HttpErrorKind::Connect => Self::Connection,
                    HttpErrorKind::Timeout => Self::Silent(0),
                    _ => Self::Cut,
                });
            }
            cause.downcast_ref::<reqwest::Error>().map(Self::of_http)
        })
    }

    /// Converts an error of an HTTP request made without the `object_store` crate.
    pub(crate) fn of_http(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::Silent(0)
        } else if error.is_connect() {
            Self::Connection
        } else if error.is_builder() {
            Self::Other("the request cannot be built".to_owned())
        } else {
            Self::Cut
        }
    }
}

/// Classifies an error that has no status and no known cause. The crate reports broken listings
/// this way.
fn unknown(text: &str) -> StoreError {
    if text.contains("list") {
        StoreError::Cut
    } else if text.contains("environment") || text.contains("credential") {
        StoreError::Wrong("none are found, or they cannot be read".to_owned())
    } else {
        StoreError::Other("the request to the store failed".to_owned())
    }
}

/// Splits the crate's text `status code: 503 Service Unavailable: BODY` into status and rest. The
/// status is 0 if the text contains none.
fn status_in(text: &str) -> (u16, &str) {
    let Some((_, rest)) = text.split_once("status code: ") else {
        return (0, text);
    };
    let digits = rest.get(..3).and_then(|digits| digits.parse().ok());
    (digits.unwrap_or(0), rest)
}

/// Returns the error code from the XML body of S3 or Azure.
fn code_in(body: &str) -> Option<String> {
    let (_, rest) = body.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    let is_plain = code.chars().all(|c| c.is_ascii_alphanumeric());
    (is_plain && code.len() <= LONGEST_CODE).then(|| code.to_owned())
}

/// Returns an error, followed by its causes.
fn causes(error: &object_store::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    let first: &(dyn std::error::Error + 'static) = error;
    std::iter::successors(Some(first), |cause| cause.source())
}

/// Returns the error for a listing that contains names which cannot be requested.
fn odd_name() -> StoreError {
    StoreError::Listing("a name in it has an empty part, `.` or `..`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_told_by_its_code_and_its_status() {
        let xml =
            |code: &str| format!("<?xml?><Error><Code>{code}</Code><Message>m</Message></Error>");
        for (status, body, words) in [
            (
                400,
                xml("ExpiredToken"),
                "the credentials have expired (400 ExpiredToken)",
            ),
            (
                403,
                xml("InvalidAccessKeyId"),
                "does not accept these credentials (403 InvalidAccessKeyId)",
            ),
            (
                403,
                xml("AccessDenied"),
                "refuses access (403 AccessDenied)",
            ),
            (503, xml("SlowDown"), "is not available now (503 SlowDown)"),
            (404, xml("NoSuchKey"), "not found"),
            (412, String::new(), "replaced"),
            (416, xml("InvalidRange"), "cannot send parts of it"),
            (418, String::new(), "the store returned 418"),
            (403, xml("a\u{1b}]0;x"), "refuses access (403)"),
        ] {
            let said = StoreError::answered(status, &body).to_string();
            assert!(said.contains(words), "{said}");
        }
        assert!(StoreError::answered(503, "").may_pass());
        assert!(!StoreError::answered(403, "").may_pass());
    }

    #[test]
    fn words_of_the_crate_are_not_repeated() {
        let source = "Error performing GET https://a.blob/x?sig=SECRET in 3ms - Server returned non-2xx status code: \
                      403 Forbidden: <Code>AuthenticationFailed</Code>SECRET";
        let error = object_store::Error::Generic {
            store: "S3",
            source: source.into(),
        };
        let said = StoreError::of_store(&error).to_string();
        assert_eq!(
            said,
            "the store does not accept these credentials (403 AuthenticationFailed)"
        );
    }
}
