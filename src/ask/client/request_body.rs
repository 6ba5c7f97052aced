//! Request bodies: JSON in which pictures are encoded as base64 only while they are sent.
//!
//! Pictures make up nearly all of a request. Base64 needs no escapes, so it is inserted between
//! pieces of the JSON, chunk by chunk. A waiting request holds no second copy of its pictures, and
//! no copy at all if files store them.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use base::platform::memory::{empty_buffer, return_to_pool};
use base64_simd::STANDARD;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use serde::Serialize;

use super::class::Class;
use super::failure::Failure;
use super::picture::Picture;
use super::request::Request;

/// Bytes of a picture that are encoded at once; a multiple of three, so that no
/// padding is needed inside.
const CHUNK: usize = 48 << 10;

/// Placeholders for pictures while the surrounding JSON is written.
#[derive(Debug)]
pub struct Placeholders {
    /// A text that does not occur in the request.
    word: String,
    pictures: RefCell<Vec<Arc<Picture>>>,
}

impl Placeholders {
    /// Returns placeholders for a request. They contain a hash of all its texts, so the texts
    /// cannot contain them.
    pub fn new(request: &Request) -> Self {
        let mut hasher = blake3::Hasher::new();
        for text in request
            .system
            .iter()
            .chain([&request.text(), &request.model])
        {
            hasher.update(text.as_bytes());
        }
        for (name, value) in &request.sampling.extra {
            hasher.update(name.as_bytes());
            hasher.update(value.to_string().as_bytes());
        }
        Self {
            word: hasher.finalize().to_hex().to_string(),
            pictures: RefCell::default(),
        }
    }

    /// Returns the placeholder for the base64 of a picture.
    pub fn of(&self, picture: &Arc<Picture>) -> String {
        let mut pictures = self.pictures.borrow_mut();
        pictures.push(Arc::clone(picture));
        self.name(pictures.len() - 1)
    }

    fn name(&self, at: usize) -> String {
        format!("{}-{at}-", self.word)
    }

    /// Builds the body from JSON that contains all placeholders, in order.
    ///
    /// # Errors
    /// The JSON cannot be written, or a placeholder is missing.
    pub fn spelled(self, json: &impl Serialize) -> Result<RequestBody, Failure> {
        let failed = |what: String| Failure::new(Class::Request, what);
        let text = serde_json::to_vec(json).map_err(|error| failed(error.to_string()))?;
        let text = Bytes::from(text);
        let (mut pieces, mut length, mut start) = (Vec::new(), 0, 0);
        for (at, picture) in self.pictures.borrow().iter().enumerate() {
            let mark = self.name(at);
            let rest = text.get(start..).unwrap_or_default();
            let found = memchr::memmem::find(rest, mark.as_bytes());
            let found =
                found.ok_or_else(|| failed("a picture is missing in the request".to_owned()))?;
            length += found + encoded(picture.length());
            pieces.push(Piece::Text(text.slice(start..start + found)));
            pieces.push(Piece::Picture(Arc::clone(picture)));
            start += found + mark.len();
        }
        length += text.len() - start;
        pieces.push(Piece::Text(text.slice(start..)));
        Ok(RequestBody { pieces, length })
    }
}

/// Length of the base64 of this many bytes.
const fn encoded(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// The body of a request: pieces of JSON and pictures, in order.
#[derive(Clone, Debug)]
pub struct RequestBody {
    pieces: Vec<Piece>,
    length: usize,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(Bytes),
    Picture(Arc<Picture>),
}

impl RequestBody {
    /// Length of the body in bytes.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Returns the whole body, with all pictures encoded.
    ///
    /// # Errors
    /// A picture was released and cannot be read again.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut all = Vec::with_capacity(self.length);
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => all.extend_from_slice(text),
                Piece::Picture(picture) => {
                    STANDARD.encode_append(&**picture.bytes()?, &mut all);
                }
            }
        }
        Ok(all)
    }

    /// Returns the body as a stream for the HTTP client.
    pub const fn sending(self) -> BodyStream {
        BodyStream {
            left: self.length as u64,
            body: self,
            piece: 0,
            byte: 0,
        }
    }
}

/// A body while it is sent, encoded chunk by chunk. Its length is known in advance.
#[derive(Debug)]
pub struct BodyStream {
    body: RequestBody,
    /// The next piece, and the next byte in it.
    piece: usize,
    byte: usize,
    /// Bytes that remain to be sent.
    left: u64,
}

impl BodyStream {
    /// Returns the next bytes, and releases all pictures after the last ones.
    fn next(&mut self) -> io::Result<Option<Bytes>> {
        let Some(piece) = self.body.pieces.get(self.piece) else {
            return Ok(None);
        };
        let bytes = match piece {
            Piece::Text(text) => {
                self.piece += 1;
                text.clone()
            }
            Piece::Picture(picture) => {
                let bytes = picture.bytes()?;
                let rest = bytes.get(self.byte..).unwrap_or_default();
                let chunk = rest.get(..CHUNK.min(rest.len())).unwrap_or_default();
                self.byte += chunk.len();
                if self.byte >= picture.length() {
                    (self.piece, self.byte) = (self.piece + 1, 0);
                }
                Bytes::from_owner(Chunk::of(chunk))
            }
        };
        self.left = self.left.saturating_sub(bytes.len() as u64);
        if self.left == 0 {
            for piece in &self.body.pieces {
                if let Piece::Picture(picture) = piece {
                    picture.release();
                }
            }
        }
        Ok(Some(bytes))
    }
}

/// A chunk of base64, whose buffer is reused after sending.
struct Chunk(Vec<u8>);

impl Chunk {
    fn of(bytes: &[u8]) -> Self {
        let mut text = empty_buffer(encoded(bytes.len()));
        STANDARD.encode_append(bytes, &mut text);
        Self(text)
    }
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        return_to_pool(std::mem::take(&mut self.0));
    }
}

impl Body for BodyStream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        loop {
            match self.next().transpose() {
                Some(Ok(bytes)) if bytes.is_empty() => {}
                bytes => return Poll::Ready(bytes.map(|bytes| bytes.map(Frame::data))),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::client::{Part, Sampling, Turn};

    fn picture(length: usize) -> Arc<Picture> {
        let bytes = (0..length).map(|at| (at * 7 % 251) as u8).collect();
        Arc::new(Picture::new(bytes, "image/png", (1, 1)))
    }

    fn request(pictures: &[Arc<Picture>]) -> Request {
        let parts = pictures.iter().cloned().map(Part::Picture);
        let words = Part::Text("which?".to_owned());
        Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(parts.chain([words]).collect())],
            sampling: Sampling::default(),
            schema: None,
        }
    }

    fn spelled(pictures: &[Arc<Picture>]) -> (RequestBody, Json) {
        use base64::Engine as _;
        let marks = Placeholders::new(&request(pictures));
        let with = |of: &dyn Fn(&Arc<Picture>) -> String| {
            let urls = pictures
                .iter()
                .map(|picture| format!("data:,{}", of(picture)));
            json!({"a": "\n", "pictures": urls.collect::<Vec<_>>(), "z": 1})
        };
        let marked = with(&|picture| marks.of(picture));
        let plain = base64::engine::general_purpose::STANDARD;
        let whole = with(&|picture| plain.encode(&**picture.bytes().unwrap()));
        (marks.spelled(&marked).unwrap(), whole)
    }

    #[test]
    fn pictures_stand_in_the_json_as_base64_in_whatever_chunks_they_are_sent() {
        for lengths in [
            vec![],
            vec![0],
            vec![1, 2, 3],
            vec![CHUNK - 1, CHUNK, CHUNK + 1],
            vec![3 * CHUNK + 2; 12],
        ] {
            let pictures: Vec<_> = lengths.iter().map(|length| picture(*length)).collect();
            let (spelled, whole) = spelled(&pictures);
            let whole = whole.to_string();
            assert_eq!(spelled.len(), whole.len(), "{lengths:?}");
            assert_eq!(String::from_utf8(spelled.bytes().unwrap()).unwrap(), whole);
            let mut sending = spelled.sending();
            assert_eq!(sending.size_hint().exact(), Some(whole.len() as u64));
            let mut sent = Vec::new();
            while let Some(bytes) = sending.next().unwrap() {
                assert!(bytes.len() <= encoded(CHUNK).max(200), "no large copy");
                sent.extend_from_slice(&bytes);
            }
            assert!(
                sent == whole.as_bytes() && sending.is_end_stream(),
                "{lengths:?}"
            );
        }
    }

    #[test]
    fn kept_pictures_leave_memory_with_their_last_byte_and_are_sent_again_from_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let pictures = [picture(CHUNK + 1), picture(5)];
        // No file stores the second picture.
        let path = folder.path().join("a.png");
        std::fs::write(&path, &**pictures[0].bytes().unwrap()).unwrap();
        pictures[0].keep_at(path);
        let shown = [&pictures[0], &pictures[1], &pictures[0]].map(Arc::clone);
        let (spelled, whole) = spelled(&shown);
        for _ in 0..2 {
            let mut sending = spelled.clone().sending();
            let mut sent = Vec::new();
            while !sending.is_end_stream() {
                sent.extend_from_slice(&sending.next().unwrap().unwrap());
            }
            assert!(sent == whole.to_string().as_bytes());
            assert_eq!([false, true], [0, 1].map(|at| pictures[at].is_held()));
        }
    }

    #[test]
    fn a_mark_that_is_missing_is_an_error() {
        let marks = Placeholders::new(&request(&[]));
        let _ = marks.of(&picture(1));
        assert!(marks.spelled(&json!({})).is_err());
    }
}
