//! Pictures for the screens: which are wanted, which are ready, and what they cost.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use ratatui::layout::Rect;

use graphics::{Bandwidth, Drawn, Protocol, Reply, Request, Terminal};
use media::{Form, PictureCache, Source};

/// Bytes of drawn pictures that are kept.
const KEPT: usize = 48 << 20;
/// Places of which the last picture is remembered.
const PLACES: usize = 1_024;
/// Pictures of which what is known is remembered.
const FORMS: usize = 16_384;

/// A picture that is ready, or why there is none.
pub enum Ready {
    /// The picture, and what is known of the whole of it.
    Drawn(Drawn, Form),
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

/// The pictures of one frame.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Those that it shows, by key.
    now: Vec<u64>,
    /// Where they stand.
    placed: Vec<(u64, u64)>,
    /// Parts of the screen that pictures take when nothing lies over them.
    pub areas: Vec<Rect>,
    /// Those that it waits for.
    wanted: Vec<Request>,
    /// Those that are likely to be shown next.
    ahead: Vec<Request>,
    /// Bytes of pictures that the frame before did not show.
    pub fresh: usize,
    /// True if it left out a picture that is ready, so that its words come first.
    pub waits: bool,
}

/// Pictures by key.
pub struct Pictures {
    ready: PictureCache<u64, Ready>,
    /// What was last shown of a source in an area.
    last: PictureCache<u64, u64>,
    /// What is known of whole pictures, by source.
    forms: PictureCache<u64, Form>,
    /// The sources of what was asked for last.
    sources: HashMap<u64, u64>,
    /// What the worker was asked for and has not done.
    asked: Vec<u64>,
    /// What the last frame showed.
    now: Vec<u64>,
    /// Parts of the screen that the last frame had for pictures.
    pub areas: Vec<Rect>,
    /// True if new pictures wait until the words have been drawn.
    pub words_first: bool,
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

    /// Returns true if no pictures are shown.
    #[must_use]
    pub fn are_off(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| facts.protocol == Protocol::Off)
    }

    /// Returns true if words that lie over a picture leave it on the screen in pieces.
    #[must_use]
    pub fn are_fragile(&self) -> bool {
        let facts = self.terminal;
        facts.is_some_and(|facts| !matches!(facts.protocol, Protocol::Blocks | Protocol::Off))
    }

    /// Returns true if the terminal forgets pictures while nobody looks: tmux does when it is attached anew.
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
    pub fn show(&self, request: Request, shown: &mut Shown) -> Option<&Ready> {
        let (wanted, place) = (request.key, place(&request));
        let key = if self.ready.contains(&wanted) {
            shown.placed.push((place, wanted));
            wanted
        } else {
            shown.wanted.push(request);
            *self.last.peek(&place)?
        };
        let ready = self.ready.peek(&key)?;
        if let (Ready::Drawn(drawn, _), false) = (ready, self.now.contains(&key)) {
            if self.words_first && !drawn.is_sent() {
                shown.waits = true;
                return None;
            }
            shown.fresh += drawn.bytes();
        }
        shown.now.push(key);
        Some(ready)
    }

    /// Asks for what is likely to be shown next.
    pub fn look_ahead(&self, request: Request, shown: &mut Shown) {
        if !self.ready.contains(&request.key) {
            shown.ahead.push(request);
        }
    }

    /// Takes what a frame showed. What the worker is to do now, and what after that; nothing that it was asked
    /// for already.
    pub fn take(&mut self, shown: Shown) -> (Vec<Request>, Vec<Request>) {
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

    /// What is known of the first picture that a frame shows.
    pub fn first_form(&self, shown: &Shown) -> Option<Form> {
        self.form_of(*shown.now.first()?)
    }

    /// What is known of the first picture on the screen.
    pub fn form_on_screen(&self) -> Option<Form> {
        self.form_of(*self.now.first()?)
    }

    /// What is known of a picture that is ready, by the key of its request.
    pub fn form_of(&self, key: u64) -> Option<Form> {
        match self.ready.peek(&key)? {
            Ready::Drawn(_, form) => Some(*form),
            Ready::Missing(..) => None,
        }
    }

    /// What is known of a picture that was decoded before.
    pub fn form_of_source(&self, source: &Source) -> Option<Form> {
        self.forms.peek(&digest(source)).copied()
    }

    /// Takes what became of a request; tells whether the screen waits for it.
    pub fn receive(&mut self, reply: Reply) -> bool {
        let (Reply::Shown { key, .. } | Reply::Failed { key, .. }) = reply;
        match reply {
            Reply::Shown { drawn, form, .. } => {
                let bytes = drawn.held();
                if let Some(source) = self.sources.get(&key) {
                    self.forms.insert(*source, form, 1);
                }
                self.ready.insert(key, Ready::Drawn(drawn, form), bytes);
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
        self.now.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use media::Turn;

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
            let mut shown = Shown::default();
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
        let mut shown = Shown::default();
        assert!(pictures.show(now.clone(), &mut shown).is_none());
        pictures.look_ahead(next.clone(), &mut shown);
        assert_eq!(pictures.take(shown).1.len(), 1);
        assert!(!pictures.receive(missing(&next)));
        assert!(pictures.receive(missing(&now)));
    }

    #[test]
    fn the_last_picture_of_a_place_stays_until_the_next_is_ready() {
        let mut pictures = Pictures::default();
        let whole = request("a", None);
        pictures.receive(missing(&whole));
        let mut shown = Shown::default();
        assert!(pictures.show(whole, &mut shown).is_some());
        pictures.take(shown);
        let part = request("a", Some([0.0, 0.0, 0.5, 0.5]));
        let mut shown = Shown::default();
        assert!(pictures.show(part, &mut shown).is_some(), "the whole stays");
        assert!(pictures.show(request("b", None), &mut shown).is_none());
        assert_eq!(pictures.take(shown).0.len(), 2);
    }
}
