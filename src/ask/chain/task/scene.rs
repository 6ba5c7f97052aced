//! A sample in a chain: its picture, its superpixels and its reference data.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::memory::{self, MemoryPermit};
use super::prompt::Messages;
use super::reference::ReferenceData;
use super::{Ask, AskPath, ReferenceSource, SubQuestion, Task, TaskChain, VERSION};
use crate::asking::Asking;
use crate::client::{Picture, Request, Schema};
use crate::question::{Question, Unaskable};
use crate::sample::Sample;
use media::{Drawing, OpenedPicture, Orientation, Raster, Superpixels};
use record::{Record, Rule};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

/// Memory of the superpixel computation, as a multiple of a decoded picture.
const SLIC: u64 = 8;
/// Bytes held per pixel: colour and superpixel number.
const BYTES: u64 = 8;
/// Side of the square shown for classification, as in the harness for `ImageNet`.
const SIDE: u32 = 224;
/// Random seed of the harness.
const SEED: u64 = 42;
/// Token limit of an answer, as in the harness, unless the user sets one.
const LONGEST: u32 = 4_000;

/// A sample in a chain. Its picture is opened when the first question is built.
pub(super) struct Scene {
    pub(super) chain: TaskChain,
    pub(super) sample: Arc<Sample>,
    pub(super) asking: Arc<Asking>,
    view: OnceLock<Result<View, Unaskable>>,
    /// Memory reserved for the view.
    room: OnceCell<Option<MemoryPermit>>,
    known: [OnceLock<ReferenceData>; 2],
}

/// The opened picture of a sample.
pub(super) struct View {
    /// The picture as stored, for the record.
    pub(super) stored: Arc<Picture>,
    /// The pixels that are shown.
    pub(super) shown: Drawing,
    /// Superpixels; only one if the task needs none.
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

    /// Returns a question that is built once there is memory for the picture.
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

    /// Reserves memory for the picture. A picture that cannot be opened needs none; [`Scene::view`]
    /// reports the error.
    async fn take_room(&self) -> Option<MemoryPermit> {
        let sample = Arc::clone(&self.sample);
        let bytes = spawn_blocking(move || {
            let opened = sample.pictures.first().map(OpenedPicture::new);
            let (width, height) = opened?.ok()?.size();
            Some(u64::from(width) * u64::from(height) * BYTES)
        });
        Some(memory::taken(bytes.await.ok()??).await)
    }

    /// Returns the picture, opened on first use.
    ///
    /// # Errors
    /// The picture is missing or broken, or it is stored rotated, so maps do not match it.
    pub(super) fn view(&self) -> Result<&View, Unaskable> {
        let view = self.view.get_or_init(|| self.opened());
        view.as_ref().map_err(Clone::clone)
    }

    fn opened(&self) -> Result<View, Unaskable> {
        let source = self.sample.pictures.first();
        let source = source.ok_or(Unaskable::Part("there is no picture"))?;
        let opened = OpenedPicture::new(source)?;
        if opened.orientation() != Orientation::UPRIGHT {
            return Err(Unaskable::Part(
                "its picture is rotated by EXIF, but its annotation is not",
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
            // A batch holds many pictures at once, so keep only a small square.
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

    /// Returns the reference data of the picture from one source.
    pub(super) fn known(&self, whose: ReferenceSource) -> &ReferenceData {
        let place = whose.pick(&self.known);
        place.get_or_init(|| ReferenceData::of(&self.sample, self.chain.task, whose))
    }

    /// Returns the reference map from one source, at the size of the superpixels.
    pub(super) fn map(&self, whose: ReferenceSource) -> Option<Raster> {
        let (width, height) = self.view().ok()?.regions.size();
        let map = self.known(whose).map.as_ref()?;
        Some(map.at_size(width, height))
    }

    /// Builds a question of the chain.
    pub(super) fn question(
        &self,
        system: String,
        messages: Messages,
        schema: Schema,
        part: Arc<dyn SubQuestion>,
    ) -> Question {
        let system = match &self.asking.system {
            Some(own) => format!("{own}\n\n{system}"),
            None => system,
        };
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
                turns: messages.turns,
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
            made: messages.made.into_iter().collect(),
            before: None,
            part: Some(part),
            keys: None,
        }
    }
}
