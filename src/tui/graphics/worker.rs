//! Prepares pictures on a separate thread, so that key presses never wait for a picture.
//!
//! Caches recently decoded pictures. Zooming, panning or changing boxes then needs only scaling and
//! encoding. The caller caches the results.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use media::{MissingPicture, Picture, PictureCache, PictureInfo, Source, load};

use super::draw::{Request, draw};
use super::probe::Terminal;
use super::queue::Queue;
use super::terminal_picture::TerminalPicture;

/// Maximum bytes of cached decoded pictures.
const KEPT: usize = 128 * 1024 * 1024;

/// The result of a request. Superseded requests get no reply.
#[derive(Clone)]
pub enum Reply {
    /// The picture is ready.
    Shown {
        /// Key of the request.
        key: u64,
        /// The picture, ready to be drawn on the screen.
        drawn: TerminalPicture,
        /// Size, orientation and other facts about the whole picture.
        form: PictureInfo,
    },
    /// The picture cannot be shown.
    Failed {
        /// Key of the request.
        key: u64,
        /// Reason, in one sentence. Contains unescaped text from logs.
        sentence: String,
        /// Advice for the user.
        hint: Option<&'static str>,
    },
}

impl Reply {
    /// Creates the reply for a panic while drawing.
    fn broken(key: u64) -> Self {
        Self::Failed {
            key,
            sentence: "the picture cannot be drawn because of an internal error".to_owned(),
            hint: None,
        }
    }
}

/// Handle of the worker thread. The thread ends when the handle is dropped. Start a new worker to
/// clear the cache or to serve another terminal.
#[derive(Debug)]
pub struct Worker {
    queue: Arc<Queue>,
}

impl Worker {
    /// Starts the thread. `reply` is called on that thread, so it should only pass the reply on.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(terminal: Terminal, reply: Box<dyn Fn(Reply) + Send>) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let studio = WorkerState {
            queue: Arc::clone(&queue),
            decoded: PictureCache::new(KEPT),
            terminal,
            reply,
        };
        thread::Builder::new()
            .name("pictures".to_owned())
            .spawn(move || studio.run())?;
        Ok(Self { queue })
    }

    /// Requests the visible pictures, most important first. Drops earlier pending requests.
    pub fn show(&self, requests: Vec<Request>) {
        self.queue.want(requests);
    }

    /// Requests pictures that are likely to be needed next. They are prepared while no visible
    /// picture is pending. Replaces earlier prefetch requests.
    pub fn prefetch(&self, requests: Vec<Request>) {
        self.queue.prefetch(requests);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// The thread's state.
struct WorkerState {
    queue: Arc<Queue>,
    decoded: PictureCache<u64, Arc<Picture>>,
    terminal: Terminal,
    reply: Box<dyn Fn(Reply) + Send>,
}

impl WorkerState {
    fn run(mut self) {
        while let Some((request, round)) = self.queue.next() {
            let work = AssertUnwindSafe(|| self.fulfil(&request, round));
            let reply = catch_unwind(work).unwrap_or_else(|_| Some(Reply::broken(request.key)));
            if let Some(reply) = reply {
                (self.reply)(reply);
            }
        }
    }

    /// Draws the requested picture. Returns `None` if the request was superseded or there is no
    /// space.
    fn fulfil(&mut self, request: &Request, round: u64) -> Option<Reply> {
        let key = request.key;
        let picture = match self.picture(&request.source) {
            Ok(picture) => picture,
            Err(error) => {
                return Some(Reply::Failed {
                    key,
                    sentence: error.to_string(),
                    hint: error.hint(),
                });
            }
        };
        if self.queue.is_stale(round) {
            return None;
        }
        let drawn = draw(
            &self.terminal,
            &picture.pixels,
            request.view(picture.form.orientation),
        )?;
        Some(Reply::Shown {
            key,
            drawn,
            form: picture.form,
        })
    }

    fn picture(&mut self, source: &Source) -> Result<Arc<Picture>, MissingPicture> {
        // Inline pictures are megabytes of text, so use a digest of the source as the cache key.
        let mut hasher = DefaultHasher::new();
        source.hash(&mut hasher);
        let digest = hasher.finish();
        if let Some(picture) = self.decoded.get(&digest) {
            return Ok(Arc::clone(picture));
        }
        let picture = Arc::new(load(source)?);
        self.decoded
            .insert(digest, Arc::clone(&picture), picture.bytes());
        Ok(picture)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::super::environment::Environment;
    use super::super::probe::Protocol;
    use super::*;
    use media::Turn;

    const PATIENCE: Duration = Duration::from_secs(20);
    /// A 4 x 2 picture in PPM format, encoded in base64.
    const PIXMAP: &str = "UDYKNCAyCjI1NQr/AAD/AAD/AAD/AAD/AAD/AAD/AAD/AAD/";

    fn start() -> (Worker, Receiver<Reply>) {
        let (send, receive) = channel();
        let terminal = Terminal::unasked(Protocol::Blocks, "", Environment::read());
        let reply = Box::new(move |reply| drop(send.send(reply)));
        (Worker::start(terminal, reply).unwrap(), receive)
    }

    fn request(key: u64, source: Source) -> Request {
        Request {
            key,
            source,
            area: (8, 8),
            overlays: Vec::new(),
            layers: Vec::new(),
            region: None,
            turn: Turn::NONE,
            budget: None,
        }
    }

    #[test]
    fn a_picture_comes_back_under_its_key() {
        let (worker, replies) = start();
        worker.show(vec![request(7, Source::Inline(PIXMAP.to_owned()))]);
        let Ok(Reply::Shown { key, drawn, form }) = replies.recv_timeout(PATIENCE) else {
            panic!("no picture");
        };
        assert_eq!((key, form.size, drawn.size()), (7, (4, 2), (8, 2)));
    }

    #[test]
    fn a_missing_picture_comes_back_as_a_sentence() {
        let (worker, replies) = start();
        worker.prefetch(vec![request(
            3,
            Source::Url("https://example.org/a.png".to_owned()),
        )]);
        let Ok(Reply::Failed {
            key,
            sentence,
            hint,
        }) = replies.recv_timeout(PATIENCE)
        else {
            panic!("no failure");
        };
        assert_eq!(key, 3);
        assert_eq!(sentence, "https://example.org/a.png was not downloaded");
        assert!(hint.is_some());
    }

    #[test]
    fn the_thread_ends_with_its_handle() {
        let (worker, replies) = start();
        drop(worker);
        // The thread owns the sender, so the receiver is disconnected when the thread has ended.
        assert!(
            replies
                .recv_timeout(PATIENCE)
                .is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Disconnected)
        );
    }
}
