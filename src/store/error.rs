//! Why something cannot be had from a store, in words that hold neither credentials nor signed addresses.

use object_store::client::{HttpError, HttpErrorKind};
use thiserror::Error;

use super::listing::odd_name;
use super::runtime::Halt;

/// Characters that a server's error code has at most.
const LONGEST_CODE: usize = 60;

/// Why something cannot be had from a store. Whoever tells it names the address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The address is wrong.
    #[error("{0}")]
    Address(&'static str),
    /// There is nothing.
    #[error("there is nothing")]
    Absent,
    /// There is another object in its place.
    #[error("it is replaced again and again while it is fetched")]
    Replaced,
    /// What is to be created is there already.
    #[error("it is there already, and stays as it is")]
    Exists,
    /// The credentials were good once.
    #[error("the credentials have expired ({0}); renew them and open it again")]
    Expired(String),
    /// The credentials are none of the store's.
    #[error("the store does not know these credentials ({0})")]
    Wrong(String),
    /// The store does not let one read it.
    #[error("the store refuses access ({0})")]
    Denied(String),
    /// The store has too much to do or is broken.
    #[error("the store gives no answer now ({0}), however often it is asked")]
    Busy(String),
    /// Nothing came for too long.
    #[error("nothing came from the store for {0} s")]
    Silent(u64),
    /// An answer ended before its end.
    #[error("an answer of the store broke off, however often it was asked")]
    Cut,
    /// It sends on to a host that nobody named.
    #[error(
        "it sends on to {0}, which is not followed: name that address yourself if you trust it"
    )]
    Redirected(String),
    /// It lies elsewhere than the settings say.
    #[error("the bucket lies in the region {0}: set AWS_REGION")]
    Region(String),
    /// There is no way to the store.
    #[error("no connection to the store")]
    Connection,
    /// Its bytes are not as many as the listing says.
    #[error("{found} bytes came and not {expected}, as the store's listing says")]
    Length {
        /// Bytes that came.
        found: u64,
        /// Bytes of the listing.
        expected: u64,
    },
    /// The store's listing cannot be read.
    #[error("its listing cannot be read: {0}")]
    Listing(String),
    /// The name of an object is none that can be asked for.
    #[error(
        "its name has an empty part, `.`, `..` or a sign that no name of a file has, and it cannot be asked for"
    )]
    Name,
    /// Nothing of it is wanted.
    #[error("there is no log among {0}")]
    Unwanted(String),
    /// The cache may not grow.
    #[error("{0}")]
    Full(String),
    /// The cache cannot be written.
    #[error("the cache cannot be written: {0}")]
    Disk(String),
    /// It gives an object whole or not at all.
    #[error("the store gives no part of it")]
    NoParts,
    /// The copy that is there is still right.
    #[error("it is unchanged")]
    Unchanged,
    /// The user has stopped it.
    #[error("stopped")]
    Stopped,
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl From<Halt> for StoreError {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => Self::Stopped,
            Halt::Thread => Self::Other("the system gives no thread".to_owned()),
            Halt::Failed => Self::Other("fetching failed".to_owned()),
        }
    }
}

impl StoreError {
    /// Returns true if the same request may be answered later.
    pub(crate) const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Busy(_) | Self::Silent(_) | Self::Cut | Self::Connection | Self::Length { .. }
        )
    }

    /// What an answer with an error says: its status and the code in its body.
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
            _ => Self::Other(format!("the store answers {told}")),
        }
    }

    /// The same for what the crate of stores says. Its own words may hold addresses and bodies, and are not repeated.
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

    /// What this room itself said, below the words of the crate.
    fn within(error: &object_store::Error) -> Option<Self> {
        let mut cause: &(dyn std::error::Error + 'static) = error;
        loop {
            if let Some(own) = cause.downcast_ref::<Self>() {
                return Some(own.clone());
            }
            cause = cause.source()?;
        }
    }

    /// What went wrong on the way, as far as a cause of the error tells it.
    fn of_transport(error: &object_store::Error) -> Option<Self> {
        let mut cause: &(dyn std::error::Error + 'static) = error;
        loop {
            if let Some(http) = cause.downcast_ref::<HttpError>() {
                return Some(match http.kind() {
                    HttpErrorKind::Connect => Self::Connection,
                    HttpErrorKind::Timeout => Self::Silent(0),
                    _ => Self::Cut,
                });
            }
            if let Some(http) = cause.downcast_ref::<reqwest::Error>() {
                return Some(Self::of_http(http));
            }
            cause = cause.source()?;
        }
    }

    /// What went wrong with a request of our own.
    pub(crate) fn of_http(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::Silent(0)
        } else if error.is_connect() {
            Self::Connection
        } else if error.is_builder() {
            Self::Other("the request cannot be made".to_owned())
        } else {
            Self::Cut
        }
    }
}

/// Words for an error that has neither a status nor a known cause. A broken listing is one of the crate's own kinds.
fn unknown(text: &str) -> StoreError {
    if text.contains("list") {
        StoreError::Cut
    } else if text.contains("environment") || text.contains("credential") {
        StoreError::Wrong("none are found, or they cannot be read".to_owned())
    } else {
        StoreError::Other("the store cannot be asked".to_owned())
    }
}

/// The status in the crate's words `status code: 503 Service Unavailable: BODY`, and what follows it; 0 if there is none.
fn status_in(text: &str) -> (u16, &str) {
    let Some((_, rest)) = text.split_once("status code: ") else {
        return (0, text);
    };
    let digits = rest.get(..3).and_then(|digits| digits.parse().ok());
    (digits.unwrap_or(0), rest)
}

/// The code in the body of an error: XML of S3 and Azure.
fn code_in(body: &str) -> Option<String> {
    let (_, rest) = body.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    let is_plain = code.chars().all(|c| c.is_ascii_alphanumeric());
    (is_plain && code.len() <= LONGEST_CODE).then(|| code.to_owned())
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
                "does not know these credentials (403 InvalidAccessKeyId)",
            ),
            (
                403,
                xml("AccessDenied"),
                "refuses access (403 AccessDenied)",
            ),
            (503, xml("SlowDown"), "no answer now (503 SlowDown)"),
            (404, xml("NoSuchKey"), "there is nothing"),
            (412, String::new(), "replaced"),
            (416, xml("InvalidRange"), "gives no part of it"),
            (418, String::new(), "the store answers 418"),
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
            "the store does not know these credentials (403 AuthenticationFailed)"
        );
    }
}
