//! Caches pictures for the screens: requests, drawn pictures, and their cost.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use ratatui::layout::Rect;

use crate::graphics::{Bandwidth, Protocol, Reply, Request, Terminal, TerminalPicture};
use media::{PictureCache, PictureInfo, Source};

/// Maximum bytes of cached drawn pictures.
const KEPT: usize = 48 << 20;
/// Maximum number of screen positions whose last picture is remembered.
const PLACES: usize = 1_024;
/// Maximum number of pictures whose size and orientation are remembered.
const FORMS: usize = 16_384;

/// A picture, or the reason why there is none.
pub enum PictureResult {
    /// The drawn picture, and facts about the whole picture.
    Drawn(TerminalPicture, PictureInfo),
    /// Reason, and a hint for the user.
    Missing(String, &'static str),
}

/// Cost of the last picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Bytes sent.
    pub bytes: u64,
    /// Time until the terminal accepted them.
    pub took: Duration,
}

/// The pictures of one frame.
#[derive(Clone, Debug, Default)]
pub struct FramePictures {
    /// Keys of the visible pictures.
    now: Vec<u64>,
    /// Positions and keys of the visible pictures that are ready.
    placed: Vec<(u64, u64)>,
    /// Areas reserved for pictures, whether or not popups cover them.
    pub areas: Vec<Rect>,
    /// Requests for visible pictures that are not ready.
    wanted: Vec<Request>,
    /// Requests for pictures that are likely to be shown next.
    ahead: Vec<Request>,
    /// Size in bytes of pictures that the previous frame did not show.
    pub fresh: usize,
    /// True if a ready picture was omitted from this frame, so that the text appears first.
    pub waits: bool,
}

impl FramePictures {
    /// Adds the pictures of another part of the frame.
    pub fn extend(&mut self, other: Self) {
        self.now.extend(other.now);
        self.placed.extend(other.placed);
        self.areas.extend(other.areas);
        self.wanted.extend(other.wanted);
        self.ahead.extend(other.ahead);
        self.fresh += other.fresh;
        self.waits |= other.waits;
    }
}

/// Cache of drawn pictures, by request key.
pub struct Pictures {
    ready: PictureCache<u64, PictureResult>,
    /// Key of the last picture at each position.
    last: PictureCache<u64, u64>,
    /// Facts about whole pictures, by source.
    forms: PictureCache<u64, PictureInfo>,
    /// Digest of the source of each requested picture.
    sources: HashMap<u64, u64>,
    /// Keys of the requests sent to the worker.
    asked: Vec<u64>,
    /// Keys of the pictures in the last frame.
    now: Vec<u64>,
    /// Areas reserved for pictures in the last frame.
    pub areas: Vec<Rect>,
    /// True if new pictures must wait until the text is drawn.
    pub words_first: bool,
    /// The protocol with its reason, as text for the user.
    pub how: String,
    /// The user's choice of bandwidth.
    pub bandwidth: Bandwidth,
    /// Cost of the last picture.
    pub cost: Option<Cost>,
    terminal: Option<Facts>,
}

/// Facts about the terminal that affect pictures.
#[derive(Clone, Copy, Debug)]
struct Facts {
    protocol: Protocol,
    remote: bool,
    multiplexed: bool,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            ready: PictureCache::new(KEPT),
            last: PictureCache::new(PLACES),
            forms: PictureCache::new(FORMS),
            sources: HashMap::new(),
            asked: Vec::new(),
            now: Vec::new(),
            areas: Vec::new(),
            words_first: false,
            how: String::new(),
            bandwidth: Bandwidth::default(),
            cost: None,
            terminal: None,
        }
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the position key of a request: a digest of source and area, independent of zoom, boxes
/// and layers.
fn place(request: &Request) -> u64 {
    digest(&(&request.source, request.area))
}

impl Pictures {
    /// Stores facts about the terminal.
    pub fn set_terminal(&mut self, terminal: &Terminal) {
        self.how.clone_from(&terminal.why);
        self.terminal = Some(Facts {
            protocol: terminal.protocol,
            remote: terminal.remote,
            multiplexed: terminal.multiplexed,
        });
    }

    /// Returns true if no pictures are shown.
    pub fn are_off(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| facts.protocol == Protocol::Off)
    }

    /// Returns true if text drawn over a picture leaves fragments of it on the screen.
    pub fn are_fragile(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| !matches!(facts.protocol, Protocol::Blocks | Protocol::Off))
    }

    /// Returns true if the terminal can lose pictures while in the background. tmux does so when a
    /// session is attached again.
    pub fn fade(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| facts.multiplexed && facts.protocol == Protocol::Kitty)
    }

    /// Returns the maximum bytes of one picture; `None` for no limit.
    pub fn budget(&self) -> Option<usize> {
        self.bandwidth
            .budget(self.terminal.is_some_and(|facts| facts.remote))
    }

    /// Computes the key of a request and returns the request with it. Equal requests have equal
    /// keys.
    pub fn keyed(mut request: Request) -> Request {
        let region = request.region.map(|region| region.map(f64::to_bits));
        let boxes: Vec<_> = request
            .overlays
            .iter()
            .map(|overlay| format!("{overlay:?}"))
            .collect();
        let layers: Vec<u64> = request.layers.iter().map(|layer| layer.digest()).collect();
        let how = (request.turn, request.budget);
        request.key = digest(&(&request.source, request.area, region, boxes, layers, how));
        request
    }

    /// Returns the picture of a request. If it is not ready, requests it and returns the last
    /// picture at the same position, if there is one.
    pub fn show(&self, request: Request, shown: &mut FramePictures) -> Option<&PictureResult> {
        let (wanted, place) = (request.key, place(&request));
        let key = if self.ready.contains(&wanted) {
            shown.placed.push((place, wanted));
            wanted
        } else {
            shown.wanted.push(request);
            *self.last.peek(&place)?
        };
        let ready = self.ready.peek(&key)?;
        if let (PictureResult::Drawn(drawn, _), false) = (ready, self.now.contains(&key)) {
            if self.words_first && !drawn.is_sent() {
                shown.waits = true;
                return None;
            }
            shown.fresh += drawn.bytes();
        }
        shown.now.push(key);
        Some(ready)
    }

    /// Requests a picture that is likely to be shown next.
    pub fn prefetch(&self, request: Request, shown: &mut FramePictures) {
        let mut asked = shown.wanted.iter().chain(&shown.ahead);
        let is_asked = asked.any(|known| known.key == request.key);
        if !is_asked && !self.ready.contains(&request.key) {
            shown.ahead.push(request);
        }
    }

    /// Stores the pictures of a frame. Returns the new requests for visible pictures, and the
    /// requests to prefetch.
    pub fn take(&mut self, shown: FramePictures) -> (Vec<Request>, Vec<Request>) {
        for (place, key) in shown.placed {
            self.last.insert(place, key, 1);
        }
        for key in &shown.now {
            self.ready.get(key);
        }
        self.now = shown.now;
        self.areas = shown.areas;
        let all = shown.wanted.iter().chain(&shown.ahead);
        let sources = all.map(|request| (request.key, digest(&request.source)));
        self.sources = sources.collect();
        let keys: Vec<u64> = shown.wanted.iter().map(|request| request.key).collect();
        if keys == self.asked {
            return (Vec::new(), shown.ahead);
        }
        self.asked = keys;
        (shown.wanted, shown.ahead)
    }

    /// Returns the facts about a frame's first picture.
    pub fn first_form(&self, shown: &FramePictures) -> Option<PictureInfo> {
        self.form_of(*shown.now.first()?)
    }

    /// Returns the facts about the first picture on screen.
    pub fn form_on_screen(&self) -> Option<PictureInfo> {
        self.form_of(*self.now.first()?)
    }

    /// Returns the facts about a ready picture, by its request's key.
    pub fn form_of(&self, key: u64) -> Option<PictureInfo> {
        match self.ready.peek(&key)? {
            PictureResult::Drawn(_, form) => Some(*form),
            PictureResult::Missing(..) => None,
        }
    }

    /// Returns the facts about a picture that was decoded earlier.
    pub fn form_of_source(&self, source: &Source) -> Option<PictureInfo> {
        self.forms.peek(&digest(source)).copied()
    }

    /// Stores a reply of the worker. Returns true if the screen needs it.
    pub fn receive(&mut self, reply: Reply) -> bool {
        let (Reply::Shown { key, .. } | Reply::Failed { key, .. }) = reply;
        match reply {
            Reply::Shown { drawn, form, .. } => {
                let bytes = drawn.memory();
                if let Some(source) = self.sources.get(&key) {
                    self.forms.insert(*source, form, 1);
                }
                self.ready
                    .insert(key, PictureResult::Drawn(drawn, form), bytes);
            }
            Reply::Failed { sentence, hint, .. } => {
                let sentence = base::format::visible(&sentence).into_owned();
                self.ready.insert(
                    key,
                    PictureResult::Missing(sentence, hint.unwrap_or_default()),
                    256,
                );
            }
        }
        self.asked.contains(&key)
    }

    /// Clears all drawn pictures, because the terminal could have lost them.
    pub fn forget(&mut self) {
        self.ready.clear();
        self.last.clear();
        self.asked.clear();
        self.now.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Turn;

    fn request(name: &str, region: Option<[f64; 4]>) -> Request {
        Pictures::keyed(Request {
            key: 0,
            source: Source::Inline(name.to_owned()),
            area: (8, 4),
            overlays: Vec::new(),
            layers: Vec::new(),
            region,
            turn: Turn::NONE,
            budget: None,
        })
    }

    fn missing(request: &Request) -> Reply {
        Reply::Failed {
            key: request.key,
            sentence: "gone".to_owned(),
            hint: None,
        }
    }

    #[test]
    fn a_wish_is_made_once_and_again_after_forgetting() {
        let mut pictures = Pictures::default();
        for round in 0..3 {
            let mut shown = FramePictures::default();
            assert!(pictures.show(request("a", None), &mut shown).is_none());
            let (wanted, _) = pictures.take(shown);
            assert_eq!(wanted.len(), usize::from(round != 1), "round {round}");
            if round == 1 {
                pictures.forget();
            }
        }
    }

    #[test]
    fn only_what_the_screen_waits_for_is_a_reason_to_draw() {
        let mut pictures = Pictures::default();
        let (now, next) = (request("a", None), request("b", None));
        let mut shown = FramePictures::default();
        assert!(pictures.show(now.clone(), &mut shown).is_none());
        pictures.prefetch(next.clone(), &mut shown);
        assert_eq!(pictures.take(shown).1.len(), 1);
        assert!(!pictures.receive(missing(&next)));
        assert!(pictures.receive(missing(&now)));
    }

    #[test]
    fn the_last_picture_of_a_place_stays_until_the_next_is_ready() {
        let mut pictures = Pictures::default();
        let whole = request("a", None);
        pictures.receive(missing(&whole));
        let mut shown = FramePictures::default();
        assert!(pictures.show(whole, &mut shown).is_some());
        pictures.take(shown);
        let part = request("a", Some([0.0, 0.0, 0.5, 0.5]));
        let mut shown = FramePictures::default();
        assert!(pictures.show(part, &mut shown).is_some(), "the whole stays");
        assert!(pictures.show(request("b", None), &mut shown).is_none());
        assert_eq!(pictures.take(shown).0.len(), 2);
    }
}
