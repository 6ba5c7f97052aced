//! A sample that is asked by a chain: its picture, its superpixels, and what is known of it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::known::Known;
use super::room::{self, Taken};
use super::words::Words;
use super::{Ask, AskPath, SubQuestion, Task, TaskChain, VERSION, Whose};
use crate::asking::Asking;
use crate::question::{Question, Unaskable};
use crate::sample::Sample;
use client::{Picture, Request};
use media::{Drawing, Opened, Orientation, Superpixels};
use record::{Record, Rule};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

/// As many times as a decoded picture is what superpixels take while they are found, all in floating point.
const SLIC: u64 = 8;
/// Bytes that are held of each pixel: its colour and the number of its superpixel.
const BYTES: u64 = 8;
/// The side of the square that is shown for its class: the harness's crop for `ImageNet`.
const SIDE: u32 = 224;
/// The harness's seed.
const SEED: u64 = 42;
/// The harness's bound on an answer, where the user sets none.
const LONGEST: u32 = 4_000;

/// A sample that is asked by a chain. Its picture is opened when the first of its questions is made.
pub(super) struct Scene {
    pub(super) chain: TaskChain,
    pub(super) sample: Arc<Sample>,
    pub(super) asking: Arc<Asking>,
    view: OnceLock<Result<View, Unaskable>>,
    /// Room in memory for the view.
    room: OnceCell<Option<Taken>>,
    known: [OnceLock<Known>; 2],
}

/// The picture of a sample.
pub(super) struct View {
    /// The picture as it is stored, for the record.
    pub(super) stored: Arc<Picture>,
    /// What is shown of it.
    pub(super) shown: Drawing,
    /// Its superpixels; one where the task needs none.
    pub(super) regions: Superpixels,
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scene").field(&self.sample.key()).finish()
    }
}

impl Scene {
    pub(super) fn new(chain: TaskChain, sample: Arc<Sample>, asking: Arc<Asking>) -> Self {
        Self {
            chain,
            sample,
            asking,
            view: OnceLock::new(),
            room: OnceCell::new(),
            known: Default::default(),
        }
    }

    /// A question of the chain, which is made when there is room for the picture.
    pub(super) fn ask(
        self: &Arc<Self>,
        path: String,
        make: impl FnOnce() -> Result<Question, Unaskable> + Send + 'static,
    ) -> Ask {
        let scene = Arc::clone(self);
        let wait = async move {
            scene.room.get_or_init(|| scene.take_room()).await;
        };
        Ask::new(AskPath::Part(path), make).after(wait)
    }

    /// Waits until there is room for the picture. One that cannot be opened needs none, and is told of by [`Scene::view`].
    async fn take_room(&self) -> Option<Taken> {
        let sample = Arc::clone(&self.sample);
        let bytes = spawn_blocking(move || {
            let opened = sample.pictures.first().map(Opened::new);
            let (width, height) = opened?.ok()?.size();
            Some(u64::from(width) * u64::from(height) * BYTES)
        });
        Some(room::taken(bytes.await.ok()??).await)
    }

    /// The picture, opened once.
    ///
    /// # Errors
    /// It is missing or broken, or it is stored turned, so that maps do not lie on it.
    pub(super) fn view(&self) -> Result<&View, Unaskable> {
        let view = self.view.get_or_init(|| self.opened());
        view.as_ref().map_err(Clone::clone)
    }

    fn opened(&self) -> Result<View, Unaskable> {
        let source = self.sample.pictures.first();
        let source = source.ok_or(Unaskable::Part("there is no picture"))?;
        let opened = Opened::new(source)?;
        if opened.orientation() != Orientation::UPRIGHT {
            return Err(Unaskable::Part(
                "its picture is stored turned, and its annotation is not",
            ));
        }
        let (encoded, _) = opened.encoded(&[], self.asking.sends_damaged)?;
        let times = match self.chain.task {
            Task::Classify | Task::Detect => 1,
            _ => SLIC,
        };
        let (decoded, _held) = media::decode_in_turn(&encoded.bytes, &source.name(), times)?;
        let picture = Drawing::new(decoded.pixels);
        let picture = match self.chain.task {
            // Many are held at once.
            Task::Classify => picture.centred(SIDE),
            _ => picture,
        };
        let regions = match self.chain.task {
            Task::Classify | Task::Detect => {
                Superpixels::slic(picture.crop([0, 0, 1, 1]).pixels(), 1, 0.0)
            }
            _ => Superpixels::slic(picture.pixels(), self.chain.segments, Superpixels::SIGMA),
        };
        let shown = if self.chain.is_blank {
            picture.blank()
        } else {
            picture
        };
        Ok(View {
            stored: Arc::new(Picture::new(encoded.bytes, encoded.mime, encoded.size)),
            shown,
            regions,
        })
    }

    /// What somebody knows of the picture.
    pub(super) fn known(&self, whose: Whose) -> &Known {
        let [truth, log] = &self.known;
        let place = match whose {
            Whose::Truth => truth,
            Whose::Log => log,
        };
        place.get_or_init(|| Known::of(&self.sample, self.chain.task, whose))
    }

    /// A question of the chain.
    pub(super) fn question(&self, words: Words, part: Arc<dyn SubQuestion>) -> Question {
        let Words {
            system,
            turns,
            schema,
        } = words;
        let own = self.asking.system.as_ref();
        let system = own.map_or(system.clone(), |own| format!("{own}\n\n{system}"));
        let mut sampling = self.asking.sampling.clone();
        sampling.temperature = self.asking.temperature.of(None);
        sampling.seed = sampling.seed.or(Some(SEED));
        if !self.asking.bounds_length {
            sampling.max_tokens = Some(LONGEST);
        }
        let asked = &self.sample.record;
        Question {
            request: Request {
                model: self.asking.model.clone(),
                system: Some(system),
                turns,
                sampling,
                schema: Some(schema),
            },
            record: Record {
                benchmark: asked.benchmark.clone(),
                ability: asked.ability.clone(),
                sample_id: asked.sample_id.clone(),
                model: self.asking.label.clone(),
                rule: Rule::Precomputed,
                ..Record::default()
            },
            version: VERSION.to_owned(),
            repeat: 0,
            made: Vec::new(),
            before: None,
            part: Some(part),
        }
    }
}
