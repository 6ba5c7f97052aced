//! Why a picture cannot be shown.
//!
//! Each error is one short sentence without a full stop, plus a hint where the user can do something. Names come from
//! logs; the caller escapes them for the terminal.

use std::path::PathBuf;

/// What is said where a damaged picture is shown, whatever its format.
pub const DAMAGED: &str = "damaged: shown as far as it could be read";

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MissingPicture {
    /// The log has an empty picture name.
    #[error("the log names an empty picture path")]
    Empty,
    /// The file is in none of the folders.
    #[error("{reference} not found in {} folder{}", tried.len(), if tried.len() == 1 { "" } else { "s" })]
    NotFound {
        /// The path in the log, shortened.
        reference: String,
        /// The folders that were searched.
        tried: Vec<PathBuf>,
    },
    /// The path leads out of the allowed folders. It was not opened.
    #[error("{path} lies outside the picture folders")]
    Outside {
        /// The path in the log, shortened.
        path: String,
    },
    /// A web address. It was not fetched.
    #[error("{0} is not fetched")]
    NotFetched(String),
    /// The file or the picture exceeds a limit.
    #[error("{name} is too large: {size}")]
    TooLarge {
        /// The picture's name.
        name: String,
        /// Its size and the limit.
        size: String,
    },
    /// The bytes are not a picture.
    #[error("{name} cannot be decoded: {why}")]
    Broken {
        /// The picture's name.
        name: String,
        /// The decoder's message.
        why: String,
    },
    /// The file is damaged; it can be shown as far as it could be read.
    #[error("{name} is damaged ({why}) and is not sent")]
    Damaged {
        /// The picture's name.
        name: String,
        /// The damage.
        why: String,
    },
    /// The file exists but cannot be read.
    #[error("{name} cannot be read: {why}")]
    Unreadable {
        /// The picture's name.
        name: String,
        /// The system's message.
        why: String,
    },
}

impl MissingPicture {
    /// What the user can do about it.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => {
                Some("name the folder that holds the pictures with --data DIR")
            }
            Self::Outside { .. } => Some("if you trust the log, name that folder with --data DIR"),
            Self::NotFetched(_) => Some("--fetch-images allows it"),
            Self::Damaged { .. } => Some("--send-damaged sends what can be read of it"),
            Self::Empty | Self::TooLarge { .. } | Self::Broken { .. } | Self::Unreadable { .. } => {
                None
            }
        }
    }
}

/// The end of a long name, which is the part that distinguishes files.
pub(super) fn short(name: &str) -> String {
    const MOST: usize = 60;
    let length = name.chars().count();
    if length <= MOST {
        return name.to_owned();
    }
    let tail: String = name.chars().skip(length - MOST).collect();
    format!("…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_short_whatever_the_log_says() {
        let long = "x".repeat(5000);
        assert_eq!(short(&long).chars().count(), 61);
        assert_eq!(short("images/1.png"), "images/1.png");
    }

    #[test]
    fn folders_are_counted() {
        let missing = |count| MissingPicture::NotFound {
            reference: "1.png".to_owned(),
            tried: vec![PathBuf::from("a"); count],
        };
        assert_eq!(missing(1).to_string(), "1.png not found in 1 folder");
        assert_eq!(missing(2).to_string(), "1.png not found in 2 folders");
        assert!(missing(0).hint().is_some());
    }
}
