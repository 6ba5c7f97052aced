//! Pictures for the screens: which are wanted, which are ready, and what they cost.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use graphics::{Bandwidth, Drawn, Protocol, Reply, Request, Terminal};
use media::PictureCache;

/// Bytes of drawn pictures that are kept.
const KEPT: usize = 48 << 20;
/// Places of which the last picture is remembered.
const PLACES: usize = 64;

/// A picture that is ready, or why there is none.
pub enum Ready {
    /// The picture, and the width and height of the whole of it in its own pixels.
    Drawn(Drawn, (u32, u32)),
    /// Why there is none, and what would help.
    Missing(String, &'static str),
}

/// What the last picture cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Bytes.
    pub bytes: u64,
    /// How long the terminal took to take them.
    pub took: Duration,
}

/// Pictures by key, and what the last drawing missed.
pub struct Pictures {
    ready: PictureCache<u64, Ready>,
    /// What was last shown of a source in an area.
    last: PictureCache<u64, u64>,
    wanted: Vec<Request>,
    ahead: Vec<Request>,
    /// What the worker was asked for and has not done.
    asked: Vec<u64>,
    /// What the frame before this one showed, and this one.
    before: Vec<u64>,
    now: Vec<u64>,
    /// Bytes of pictures that this frame shows and the one before did not.
    fresh: usize,
    /// Whether new pictures wait until the words have been drawn.
    pub words_first: bool,
    waits: bool,
    /// How pictures are shown, in words.
    pub how: String,
    /// What the user says about the line.
    pub bandwidth: Bandwidth,
    /// What the last picture cost.
    pub cost: Option<Cost>,
    terminal: Option<Facts>,
}

/// What the pictures must know of the terminal.
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
            wanted: Vec::new(),
            ahead: Vec::new(),
            asked: Vec::new(),
            before: Vec::new(),
            now: Vec::new(),
            fresh: 0,
            words_first: false,
            waits: false,
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

/// Where a request's picture stands: whatever is shown of it, it takes the same place.
fn place(request: &Request) -> u64 {
    digest(&(&request.source, request.area))
}

impl Pictures {
    /// Takes what is known of the terminal.
    pub fn know(&mut self, terminal: &Terminal) {
        self.how.clone_from(&terminal.why);
        self.terminal = Some(Facts {
            protocol: terminal.protocol,
            remote: terminal.remote,
            multiplexed: terminal.multiplexed,
        });
    }

    /// Whether no pictures are shown.
    #[must_use]
    pub fn are_off(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| facts.protocol == Protocol::Off)
    }

    /// Whether the terminal forgets pictures while nobody looks: tmux does when it is attached anew.
    #[must_use]
    pub fn fade(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| facts.multiplexed && facts.protocol == Protocol::Kitty)
    }

    /// Most bytes that one picture may cost.
    #[must_use]
    pub fn budget(&self) -> Option<usize> {
        self.bandwidth
            .budget(self.terminal.is_some_and(|facts| facts.remote))
    }

    /// A frame begins.
    pub fn begin(&mut self) {
        self.before = std::mem::take(&mut self.now);
        self.wanted.clear();
        self.ahead.clear();
        self.fresh = 0;
        self.waits = false;
    }

    /// The key of a request: equal requests have equal keys.
    #[must_use]
    pub fn key(request: &Request) -> u64 {
        let region = request.region.map(|region| region.map(f64::to_bits));
        let boxes: Vec<_> = request
            .overlays
            .iter()
            .map(|overlay| format!("{overlay:?}"))
            .collect();
        let layers: Vec<u64> = request.layers.iter().map(|layer| layer.digest()).collect();
        let how = (request.turn, request.budget);
        digest(&(&request.source, request.area, region, boxes, layers, how))
    }

    /// What to show for a request, which is asked for if it is not ready: until then what was last shown in
    /// its place. `None`: nothing yet.
    pub fn show(&mut self, request: Request) -> Option<&Ready> {
        let (key, place) = (request.key, place(&request));
        let shown = if self.ready.contains(&key) {
            self.last.insert(place, key, 1);
            key
        } else {
            self.wanted.push(request);
            *self.last.get(&place)?
        };
        let is_new = !self.before.contains(&shown);
        let ready = self.ready.get(&shown)?;
        if let (Ready::Drawn(drawn, _), true) = (ready, is_new) {
            if self.words_first && !drawn.is_sent() {
                self.waits = true;
                return None;
            }
            self.fresh += drawn.bytes();
        }
        self.now.push(shown);
        Some(ready)
    }

    /// Asks for what is likely to be shown next.
    pub fn look_ahead(&mut self, request: Request) {
        if !self.ready.contains(&request.key) {
            self.ahead.push(request);
        }
    }

    /// Whether this frame left out a picture that is ready, so that its words come first.
    #[must_use]
    pub const fn waits(&self) -> bool {
        self.waits
    }

    /// Bytes of pictures that this frame brought to the screen.
    #[must_use]
    pub const fn fresh(&self) -> usize {
        self.fresh
    }

    /// What the worker is to do now, and what after that; nothing that it was asked for already.
    pub fn take_wishes(&mut self) -> (Vec<Request>, Vec<Request>) {
        let keys: Vec<u64> = self.wanted.iter().map(|request| request.key).collect();
        let wanted = std::mem::take(&mut self.wanted);
        let ahead = std::mem::take(&mut self.ahead);
        if keys == self.asked {
            return (Vec::new(), ahead);
        }
        self.asked = keys;
        (wanted, ahead)
    }

    /// Width and height in its own pixels of the first picture that the last frame showed.
    pub fn first_size(&mut self) -> Option<(u32, u32)> {
        match self.ready.get(self.now.first()?)? {
            Ready::Drawn(_, size) => Some(*size),
            Ready::Missing(..) => None,
        }
    }

    /// Takes what became of a request; tells whether the screen waits for it.
    pub fn receive(&mut self, reply: Reply) -> bool {
        let (Reply::Shown { key, .. } | Reply::Failed { key, .. }) = reply;
        match reply {
            Reply::Shown { drawn, pixels, .. } => {
                let bytes = drawn.held();
                self.ready.insert(key, Ready::Drawn(drawn, pixels), bytes);
            }
            Reply::Failed { sentence, hint, .. } => {
                let sentence = format::visible(&sentence).into_owned();
                self.ready
                    .insert(key, Ready::Missing(sentence, hint.unwrap_or_default()), 256);
            }
        }
        self.asked.contains(&key)
    }

    /// Forgets what was drawn: the terminal may have forgotten it too.
    pub fn forget(&mut self) {
        self.ready.clear();
        self.last.clear();
        self.asked.clear();
        self.before.clear();
        self.now.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::{Source, Turn};

    fn request(name: &str, region: Option<[f64; 4]>) -> Request {
        let mut request = Request {
            key: 0,
            source: Source::Inline(name.to_owned()),
            area: (8, 4),
            overlays: Vec::new(),
            layers: Vec::new(),
            region,
            turn: Turn::NONE,
            budget: None,
        };
        request.key = Pictures::key(&request);
        request
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
            pictures.begin();
            assert!(pictures.show(request("a", None)).is_none());
            let (wanted, _) = pictures.take_wishes();
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
        assert!(pictures.show(now.clone()).is_none());
        pictures.look_ahead(next.clone());
        assert_eq!(pictures.take_wishes().1.len(), 1);
        assert!(!pictures.receive(missing(&next)));
        assert!(pictures.receive(missing(&now)));
    }

    #[test]
    fn the_last_picture_of_a_place_stays_until_the_next_is_ready() {
        let mut pictures = Pictures::default();
        let whole = request("a", None);
        pictures.receive(missing(&whole));
        assert!(pictures.show(whole).is_some());
        let part = request("a", Some([0.0, 0.0, 0.5, 0.5]));
        assert!(pictures.show(part).is_some(), "the whole stays");
        assert_eq!(pictures.take_wishes().0.len(), 1);
        assert!(pictures.show(request("b", None)).is_none());
    }
}
