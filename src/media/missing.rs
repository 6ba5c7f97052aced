//! Why a picture cannot be shown.
//!
//! Each message is one short sentence without a full stop. Some reasons have a hint what the user
//! can do. Names come from logs; the caller must replace their control characters.

use std::path::PathBuf;

/// Label of a damaged picture.
pub const DAMAGED: &str = "damaged: shown as far as it could be read";

/// Why a picture is not available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MissingPicture {
    /// The log has an empty picture name.
    #[error("the picture path in the log is empty")]
    Empty,
    /// No folder contains the file.
    #[error("{reference} not found in {} folder{}", tried.len(), if tried.len() == 1 { "" } else { "s" })]
    NotFound {
        /// The path in the log, shortened.
        reference: String,
        /// The folders that were searched.
        tried: Vec<PathBuf>,
    },
    /// The path leads out of the allowed folders. It was not opened.
    #[error("{path} is outside the picture folders")]
    Outside {
        /// The path in the log, shortened.
        path: String,
    },
    /// The picture is at a web address and was not downloaded.
    #[error("{0} was not downloaded")]
    NotFetched(String),
    /// The file or the picture exceeds a size limit.
    #[error("{name} is too large: {size}")]
    TooLarge {
        /// The picture's name, not escaped.
        name: String,
        /// Its size and the limit.
        size: String,
    },
    /// The bytes are not a readable picture.
    #[error("{name} cannot be decoded: {why}")]
    Broken {
        /// The picture's name, not escaped.
        name: String,
        /// The first line of the decoder's message.
        why: String,
    },
    /// The file is damaged, so it is not sent. A part of it can be shown.
    #[error("{name} is damaged ({why}) and is not sent")]
    Damaged {
        /// The picture's name, not escaped.
        name: String,
        /// Description of the damage.
        why: String,
    },
    /// The file exists but cannot be read or downloaded.
    #[error("{name} cannot be read: {why}")]
    Unreadable {
        /// The picture's name, not escaped.
        name: String,
        /// The system's or the store's message.
        why: String,
    },
}

impl MissingPicture {
    /// Returns the message without the picture's name, to group pictures by reason.
    pub fn reason(&self) -> String {
        match self {
            Self::Empty => self.to_string(),
            Self::NotFound { .. } => "the picture was not found".to_owned(),
            Self::Outside { .. } => "the picture is outside the picture folders".to_owned(),
            Self::NotFetched(_) => "the picture was not downloaded".to_owned(),
            Self::TooLarge { .. } => "the picture is too large".to_owned(),
            Self::Broken { why, .. } => format!("the picture cannot be decoded: {why}"),
            Self::Damaged { .. } => "the picture is damaged and is not sent".to_owned(),
            Self::Unreadable { why, .. } => format!("the picture cannot be read: {why}"),
        }
    }

    /// Returns advice for the user; `None` if there is none.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => {
                Some("use --data DIR to name the folder that contains the pictures")
            }
            Self::Outside { .. } => Some("if you trust the log, use --data DIR for that folder"),
            Self::NotFetched(_) => Some("use --fetch-images to download it"),
            Self::Damaged { .. } => Some("use --send-damaged to send its readable part"),
            Self::Empty | Self::TooLarge { .. } | Self::Broken { .. } | Self::Unreadable { .. } => {
                None
            }
        }
    }
}

/// Returns the last 60 characters of a name, which distinguish files best.
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
    fn pictures_of_one_format_have_one_reason() {
        let broken = |name: &str| MissingPicture::Broken {
            name: name.to_owned(),
            why: "TIFF is not supported".to_owned(),
        };
        let reason = "the picture cannot be decoded: TIFF is not supported";
        assert_eq!(broken("1.tif").reason(), reason);
        assert_eq!(broken("2.tif").reason(), reason);
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
