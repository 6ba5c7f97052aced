//! Locations of pictures, and reading their bytes.
//!
//! A picture at a web address is only downloaded with the user's permission
//! ([`store::allow_pictures`]).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use base::limits::Limit;
use base::platform::memory::empty_buffer;

use super::animation::frame;
use super::locate::locate;
use super::missing::{MissingPicture, short};

/// The location of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A path from a log.
    Path {
        /// The path, relative or absolute.
        reference: String,
        /// Folders to search, in order.
        roots: Vec<PathBuf>,
    },
    /// A `data:` URL or bare base64.
    Inline(String),
    /// Base64 text inside a larger file.
    Cell {
        /// Path of the larger file.
        file: PathBuf,
        /// Offset of the base64 text in bytes.
        offset: u64,
        /// Length of the base64 text in bytes.
        length: u64,
    },
    /// An http or https address.
    Url(String),
    /// A frame of an animated GIF or WebP file.
    Frame {
        /// The animated file.
        of: Arc<Source>,
        /// Number of the frame, from 0.
        at: u32,
        /// Time at which it appears, in milliseconds from the start.
        ms: u32,
    },
}

/// The encoded bytes of a picture.
pub(crate) struct PictureContent {
    pub(crate) bytes: Vec<u8>,
    /// Canonical path of the file, if the file consists of these bytes only.
    pub(crate) file: Option<PathBuf>,
}

impl Source {
    /// Returns a name of the picture on one line, with control characters not replaced.
    pub fn name(&self) -> String {
        match self {
            Self::Path { reference, .. } => short(reference),
            Self::Inline(_) => "inline picture".to_owned(),
            Self::Cell { file, offset, .. } => {
                let file = file
                    .file_name()
                    .unwrap_or(file.as_os_str())
                    .to_string_lossy();
                format!("picture at byte {offset} of {}", short(&file))
            }
            Self::Url(address) => short(address),
            Self::Frame { of, at, .. } => format!("frame {} of {}", at + 1, of.name()),
        }
    }

    /// Reads the encoded bytes of the picture.
    ///
    /// # Errors
    /// The file is missing, outside its folders, too large, or not base64.
    pub fn read(&self) -> Result<Vec<u8>, MissingPicture> {
        Ok(self.content()?.bytes)
    }

    /// Returns false if reading the picture may start a download.
    pub fn is_local(&self) -> bool {
        let holds_copies = |root: &PathBuf| {
            let root = root.canonicalize();
            root.is_ok_and(|root| store::holds_copies(&root))
        };
        match self {
            Self::Path { roots, .. } => !roots.iter().any(holds_copies),
            Self::Inline(_) => true,
            Self::Cell { file, .. } => !store::holds_copies(file),
            Self::Url(_) => false,
            Self::Frame { of, .. } => of.is_local(),
        }
    }

    /// Reads the encoded bytes of the picture. Also returns the path of the file, if the file
    /// consists of these bytes only.
    ///
    /// # Errors
    /// As for [`Source::read`].
    pub(crate) fn content(&self) -> Result<PictureContent, MissingPicture> {
        let name = self.name();
        let of_file = |file: PathBuf| {
            let bytes = read_part(&file, 0, None, &name)?;
            Ok((bytes, Some(file)))
        };
        let (bytes, file) = match self {
            Self::Path { reference, roots } => of_file(locate(reference, roots)?)?,
            Self::Inline(text) => (from_base64(payload(text, &name)?.as_bytes(), &name)?, None),
            Self::Cell {
                file,
                offset,
                length,
            } => {
                let text = read_part(file, *offset, Some(*length), &name)?;
                (from_base64(&text, &name)?, None)
            }
            Self::Url(address) => match store::fetch_picture(address) {
                None => return Err(MissingPicture::NotFetched(name)),
                Some(Ok(copy)) => of_file(copy)?,
                Some(Err(why)) => return Err(MissingPicture::Unreadable { name, why }),
            },
            Self::Frame { of, at, .. } => (frame(&of.read()?, *at, &name)?, None),
        };
        Ok(PictureContent { bytes, file })
    }
}

/// Reads a whole file, or `length` bytes from `offset`.
fn read_part(
    file: &Path,
    offset: u64,
    length: Option<u64>,
    name: &str,
) -> Result<Vec<u8>, MissingPicture> {
    let most = Limit::Picture.get();
    // Maximum length of base64 text, with line breaks, for a file within the limit.
    let limit = if length.is_some() {
        most.saturating_add(most / 2)
    } else {
        most
    };
    let unreadable = |error: io::Error| MissingPicture::Unreadable {
        name: name.to_owned(),
        why: error.to_string(),
    };
    let mut file = File::open(file).map_err(unreadable)?;
    let size = length.unwrap_or(file.metadata().map_err(unreadable)?.len());
    if size > limit {
        let size = format!("{size} bytes, {}", Limit::Picture.message());
        return Err(MissingPicture::TooLarge {
            name: name.to_owned(),
            size,
        });
    }
    file.seek(SeekFrom::Start(offset)).map_err(unreadable)?;
    // Allocate at once. If the file grows, `size` may be outdated; the limit still applies.
    let mut bytes = empty_buffer(usize::try_from(size).unwrap_or_default());
    file.take(length.unwrap_or(limit))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

/// Returns the base64 part of a `data:` URL, or the text itself.
fn payload<'a>(text: &'a str, name: &str) -> Result<&'a str, MissingPicture> {
    let text = text.trim_start();
    let is_url = text
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("data:"));
    if !is_url {
        return Ok(text);
    }
    match text.split_once(',') {
        Some((head, body)) if head.to_ascii_lowercase().ends_with(";base64") => Ok(body),
        _ => Err(broken(name, "the data URL is not base64")),
    }
}

/// Decodes standard or URL-safe base64 with or without white space and padding.
fn from_base64(text: &[u8], name: &str) -> Result<Vec<u8>, MissingPicture> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let dense: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if dense.is_empty() {
        return Err(broken(name, "no bytes"));
    }
    let url_safe = dense.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let alphabet = if url_safe {
        &alphabet::URL_SAFE
    } else {
        &alphabet::STANDARD
    };
    GeneralPurpose::new(alphabet, config)
        .decode(&dense)
        .map_err(|_| broken(name, "not base64"))
}

fn broken(name: &str, why: &str) -> MissingPicture {
    MissingPicture::Broken {
        name: name.to_owned(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn inline(text: &str) -> Result<Vec<u8>, MissingPicture> {
        Source::Inline(text.to_owned()).read()
    }

    #[test]
    fn base64_comes_with_and_without_header_breaks_and_padding() {
        for text in [
            "aGk_Pg==",
            "aGk/Pg",
            " aGk/\r\n\tPg==\n",
            "data:image/png;base64,aGk/Pg==",
            "DATA:image/jpeg;charset=x;BASE64,aGk/Pg==",
        ] {
            assert_eq!(inline(text).unwrap(), b"hi?>", "{text}");
        }
    }

    #[test]
    fn what_is_no_base64_says_so() {
        let sentence = |text| inline(text).unwrap_err().to_string();
        assert_eq!(
            sentence("ä!"),
            "inline picture cannot be decoded: not base64"
        );
        assert_eq!(sentence(""), "inline picture cannot be decoded: no bytes");
        let plain = "inline picture cannot be decoded: the data URL is not base64";
        assert_eq!(sentence("data:image/svg+xml,<svg/>"), plain);
        assert_eq!(sentence("data:"), plain);
    }

    #[test]
    fn a_cell_is_read_from_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("set.tsv");
        fs::write(&file, "index\timage\n0\taGk/Pg==\n").unwrap();
        let cell = |offset, length| Source::Cell {
            file: file.clone(),
            offset,
            length,
        };
        assert_eq!(cell(14, 8).read().unwrap(), b"hi?>");
        assert_eq!(cell(14, 8).name(), "picture at byte 14 of set.tsv");
        assert!(matches!(
            cell(9999, 8).read(),
            Err(MissingPicture::Broken { .. })
        ));
        assert!(matches!(
            cell(0, u64::MAX).read(),
            Err(MissingPicture::TooLarge { .. })
        ));
    }

    #[test]
    fn a_file_of_gigabytes_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join("huge.png")).unwrap();
        file.set_len(Limit::Picture.get() + 1).unwrap();
        let roots = vec![folder.path().to_owned()];
        let source = Source::Path {
            reference: "huge.png".to_owned(),
            roots,
        };
        let error = source.read().unwrap_err();
        assert_eq!(
            error.to_string(),
            "huge.png is too large: 268435457 bytes, more than 256 MiB in a picture file (limits.picture in the config file)"
        );
    }

    #[test]
    fn nothing_is_fetched() {
        let address = "https://example.org/a.png".to_owned();
        let error = Source::Url(address.clone()).read().unwrap_err();
        assert_eq!(error, MissingPicture::NotFetched(address));
    }
}
